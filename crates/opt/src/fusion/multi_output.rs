//! Multi-output fusion: kernels that read the same array, or of which one reads what the other makes, become one
//! kernel that writes several arrays.
//!
//! ```text
//! e = f32[8] exponential(x)                        f = (f32[8], f32[8]) fusion(x), kind=kLoop, calls=fused_…
//! s = f32[8] sine(e)                          →    e = f32[8] get-tuple-element(f), index=0
//! ROOT t = (f32[8], f32[8]) tuple(e, s)            s = f32[8] get-tuple-element(f), index=1
//! ```
//!
//! Producers come first, from the last to the first, because each saves a read and often a write; then siblings.
//! Rows that are reduced and read again are left to the staged pass, and so are maps that a reduction would store.

use super::join::{self, Engine};
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use lawson_hlo::Module;

pub const NAME: &str = "multi-output-fusion";

/// Siblings share more than this, in bytes.
const TRIVIAL: i64 = 64;
/// The most operations of a joint kernel, round by round: small kernels are joined before large ones, since a join plans
/// all of the kernel it makes, so that each operation is planned a few dozen times and not once for every other.
const SIZES: [usize; 3] = [32, 128, usize::MAX];
/// Kernels that are kept in mind for each shared array.
const HEADS: usize = 4;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    join::run(cx, module, (NAME, Strategy::MultiOutput), |cx, engine| {
        producers(cx, engine);
        siblings(cx, engine);
    })
}

/// Joins kernels with those that read their results.
pub fn producers(cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    SIZES.into_iter().for_each(|most| producers_up_to(most, cx, engine));
}

fn producers_up_to(most: usize, cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    for unit in engine.units().rev() {
        let Some(producer) = engine.kernel(unit) else { continue };
        for consumer in engine.consumers(producer) {
            // Earlier joins may have moved either.
            let (Some(producer), Some(consumer)) = (engine.kernel(unit), engine.kernel(consumer)) else {
                continue;
            };
            if producer != consumer && engine.joint_size(producer, consumer) <= most {
                let _ = engine.join(cx, producer, consumer);
            }
        }
    }
}

/// Joins kernels that read the same array over the same points.
pub fn siblings(cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    SIZES.into_iter().for_each(|most| siblings_up_to(most, cx, engine));
}

fn siblings_up_to(most: usize, cx: &mut PassContext, engine: &mut Engine<'_, '_>) {
    for array in engine.arrays() {
        let mut heads: Vec<(i64, join::ClusterId)> = Vec::new();
        for reader in engine.shared(array, TRIVIAL) {
            let Some(reader) = engine.kernel(reader) else { continue };
            // Of a long array it may read one element.
            if engine.reads(cx, reader) <= TRIVIAL {
                continue;
            }
            let points = engine.points(reader);
            let joined = (0..heads.len()).rev().find_map(|n| {
                let (others, head) = heads[n];
                if others != points || head == reader || engine.joint_size(head, reader) > most {
                    return None;
                }
                engine.join(cx, head, reader).ok().map(|c| (n, c))
            });
            match joined {
                Some((n, cluster)) => heads[n].1 = cluster,
                None if heads.iter().any(|h| h.1 == reader) => {}
                None => {
                    if heads.len() == HEADS {
                        heads.remove(0);
                    }
                    heads.push((points, reader));
                }
            }
        }
    }
}
