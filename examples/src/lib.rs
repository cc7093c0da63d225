//! Programs that train, fit and simulate with Lawson. Each is a module here, a command in `src/bin`, and a shortened run
//! in `tests`.

pub mod curve;
pub mod progress;
