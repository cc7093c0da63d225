//! Buffers of a program: copies that nothing needs go, temporaries share an arena by liveness.

mod arena;
mod coalesce;
mod events;
mod pack;
mod touches;

use lawson_kernel::program::Program;

/// Removes needless copies, then gives every temporary its place.
pub fn assign(mut program: Program) -> Program {
    coalesce::run(&mut program);
    arena::place(&mut program);
    program
}
