//! Fusion merger: a kernel is computed again in all of its users, or in none, so that nobody writes its result.
//!
//! ```text
//! p = f32[8] fusion(x), calls=fp               a = f32[8] fusion(x, y), calls=fused_…
//! a = f32[8] fusion(p, y), calls=fa       →    b = f32[8] fusion(x, z), calls=fused_…
//! b = f32[8] fusion(p, z), calls=fb
//! ```
//!
//! Instruction fusion repeats single operations where that is cheap; here whole kernels are weighed, with the work
//! counted in the joint code.

use super::join::{self, Engine};
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use lawson_hlo::Module;

pub const NAME: &str = "fusion-merger";

/// Most users that a kernel is repeated in.
const MAX_USERS: usize = 8;
/// The most operations of a joint kernel, round by round, as in multi-output fusion.
const SIZES: [usize; 3] = [32, 128, usize::MAX];

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    join::run(cx, module, (NAME, Strategy::Merger), merge)
}

fn merge(cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    let mut more_than = 0;
    for most in SIZES {
        merge_between(more_than, most, cx, engine);
        more_than = most;
    }
}

/// Tries the kernels of which the largest joint kernel has so many operations. Kernels only grow, so those up to `more_than` were
/// tried before.
fn merge_between(more_than: usize, most: usize, cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    for unit in engine.units().rev() {
        let Some(producer) = engine.kernel(unit) else { continue };
        let users = engine.consumers(producer);
        let largest = users.iter().map(|&user| engine.joint_size(producer, user)).max();
        let is_its_turn = largest.is_some_and(|size| more_than < size && size <= most);
        if is_its_turn && engine.is_map(producer) && users.len() <= MAX_USERS {
            let _ = engine.spread(cx, producer);
        }
    }
}
