//! What the steps of a program do with its buffers.

use lawson_kernel::loop_ir::Access;
use lawson_kernel::program::{BufId, Program, Step};

/// Calls `f(buffer, reads, writes)` for every buffer a step touches, those of inner steps included. A kernel's buffer
/// of no elements is not touched, whatever is passed for it.
pub fn touches(program: &Program, step: &Step, f: &mut impl FnMut(BufId, bool, bool)) {
    match step {
        Step::Launch { kernel, args } => {
            for (buffer, arg) in program.kernels[*kernel].buffers.iter().zip(args) {
                if let Some(id) = arg
                    && buffer.len > 0
                {
                    let (reads, writes) = match buffer.access {
                        Access::Read => (true, false),
                        Access::Write => (false, true),
                        Access::ReadWrite | Access::Scratch => (true, true),
                    };
                    f(*id, reads, writes);
                }
            }
        }
        Step::Copy { from, to } => {
            f(*from, true, false);
            f(*to, false, true);
        }
        Step::Swap { a, b } => {
            f(*a, true, true);
            f(*b, true, true);
        }
        Step::While { cond, pred, body, .. } => {
            cond.iter().chain(body).for_each(|s| touches(program, s, f));
            f(*pred, true, false);
        }
        Step::Conditional { selector, branches, .. } => {
            f(*selector, true, false);
            branches.iter().flatten().for_each(|s| touches(program, s, f));
        }
        Step::CustomCall { args, results, .. } => {
            args.iter().for_each(|(id, _)| f(*id, true, false));
            results.iter().for_each(|id| f(*id, false, true));
        }
    }
}

/// Applies `f` to every buffer name in the steps.
pub fn rename(steps: &mut [Step], f: &impl Fn(BufId) -> BufId) {
    for step in steps {
        match step {
            Step::Launch { args, .. } => args.iter_mut().flatten().for_each(|b| *b = f(*b)),
            Step::Copy { from, to } => (*from, *to) = (f(*from), f(*to)),
            Step::Swap { a, b } => (*a, *b) = (f(*a), f(*b)),
            Step::While { cond, pred, body, .. } => {
                *pred = f(*pred);
                rename(cond, f);
                rename(body, f);
            }
            Step::Conditional { selector, branches, .. } => {
                *selector = f(*selector);
                branches.iter_mut().for_each(|b| rename(b, f));
            }
            Step::CustomCall { args, results, .. } => {
                args.iter_mut().for_each(|(b, _)| *b = f(*b));
                results.iter_mut().for_each(|b| *b = f(*b));
            }
        }
    }
}
