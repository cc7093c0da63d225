//! Derivatives of loops, branches and marked functions.

#[path = "../support/mod.rs"]
mod support;

mod api;
mod check;
mod loops;
mod recorded;
mod size;
