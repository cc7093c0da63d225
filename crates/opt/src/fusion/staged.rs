//! Staged fusion: reductions over the same rows, and what reads the rows again, become one kernel that keeps each
//! row in cache between its stages; and reductions of all elements store on the way what maps make of them.
//!
//! ```text
//! m = f32[4] fusion(x), calls=max_of_rows           r = f32[4,8] fusion(x), calls=fused_…
//! s = f32[4] fusion(x, m), calls=sum_of_exp    →
//! r = f32[4,8] fusion(x, m, s), calls=divide
//! ```
//!
//! The policy is that of multi-output fusion; what is new is that plans may stage rows. With `--compile fast` only
//! producers and consumers are joined.

use super::join;
use super::multi_output::{producers, siblings};
use crate::options::Effort;
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use lawson_hlo::Module;

pub const NAME: &str = "staged-fusion";

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    join::run(cx, module, (NAME, Strategy::Staged), |cx, engine| {
        producers(cx, engine);
        if cx.options.effort == Effort::Full {
            siblings(cx, engine);
        }
    })
}
