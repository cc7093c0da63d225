//! Buffers of a program: copies that nothing needs go, those of loops become exchanges, temporaries share an arena by
//! liveness.

mod arena;
mod coalesce;
mod pack;
mod swap;
mod touches;
mod walk;

use lawson_kernel::program::Program;

/// Removes needless copies, exchanges what loops make anew, then gives every temporary its place.
pub fn assign(mut program: Program) -> Program {
    coalesce::run(&mut program);
    swap::run(&mut program);
    arena::place(&mut program);
    program
}
