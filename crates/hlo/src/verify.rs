//! The verifier: every invariant of a module, all faults reported.
