//! Buffers of a program: copies that nothing needs go, those of loops become exchanges, temporaries share an arena by
//! liveness.

mod arena;
mod coalesce;
mod donate;
mod pack;
mod swap;
mod touches;
mod walk;

pub use donate::{Meeting, Wanted};

use lawson_hlo::Module;
use lawson_kernel::program::Program;

/// Removes needless copies, exchanges what loops make anew, finds which arguments may become results, then gives every
/// temporary its place. Where an argument and its result meet in one launch, `in_place` may write that launch anew.
pub fn assign(
    mut program: Program,
    module: &Module,
    in_place: &mut dyn FnMut(&mut Program, &[Meeting]),
) -> Program {
    coalesce::run(&mut program);
    swap::run(&mut program);
    let wanted = Wanted::of(module);
    let meetings = donate::meetings(&program, &wanted);
    if !meetings.is_empty() {
        in_place(&mut program, &meetings);
    }
    program.donations = donate::allowed(&program, &wanted);
    arena::place(&mut program);
    program
}
