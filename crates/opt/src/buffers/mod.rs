//! Buffers of a program: copies that nothing needs go, those of loops become exchanges, temporaries share an arena by
//! liveness.

mod arena;
mod coalesce;
mod donate;
mod events;
mod pack;
mod swap;
mod touches;
mod walk;

pub use donate::Wanted;

use lawson_hlo::Module;
use lawson_kernel::program::Program;

/// Removes needless copies, exchanges what loops make anew, finds which arguments may become results, then gives every
/// temporary its place.
pub fn assign(mut program: Program, module: &Module) -> Program {
    coalesce::run(&mut program);
    swap::run(&mut program);
    program.donations = donate::allowed(&program, &donate::Wanted::of(module));
    arena::place(&mut program);
    program
}
