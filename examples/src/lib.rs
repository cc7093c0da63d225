//! Programs that train, fit, simulate and prove with Lawson. Each is a module here, a command in `src/bin`, and a shortened run
//! in `tests`.

pub mod cartpole;
pub mod curve;
pub mod digits;
pub mod fitting;
pub mod language;
pub mod progress;
pub mod provers;
pub mod simulation;
