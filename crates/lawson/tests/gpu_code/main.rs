//! Code for graphics processors, executed by the emulator of PTX: what it moves, and that faults are seen.

#[path = "../../../llvm/tests/common/emulate.rs"]
mod emulate;

#[path = "../common/conv.rs"]
mod conv;

mod broken;
mod canonical;
mod convolutions;
mod counters;
mod fields;
mod free_sums;
mod matrices;
mod planned;
mod products;
mod under_way;
