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

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    join::run(cx, module, (NAME, Strategy::Merger), merge)
}

fn merge(cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    for unit in engine.units().rev() {
        let Some(producer) = engine.kernel(unit) else { continue };
        let users = engine.consumers(producer);
        if engine.is_map(producer) && (1..=MAX_USERS).contains(&users.len()) {
            let _ = engine.spread(cx, producer);
        }
    }
}
