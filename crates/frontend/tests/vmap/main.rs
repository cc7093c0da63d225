//! Batching: what is made for many examples gives what a loop over them gives.

mod api;
#[allow(dead_code)]
#[path = "../opcodes/cases/mod.rs"]
mod cases;
mod control;
mod derivatives;
#[allow(dead_code)]
#[path = "../opcodes/derive.rs"]
mod derive;
#[allow(dead_code)]
#[path = "../opcodes/evaluate.rs"]
mod evaluate;
mod examples;
mod further;
mod marks;
mod opcodes;
mod programs;
#[allow(dead_code)]
#[path = "../opcodes/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../support/mod.rs"]
mod support;
mod text;
