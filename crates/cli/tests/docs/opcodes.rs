//! `docs/opcodes.md`, made from the tables of opcodes, shape rules, derivatives and batches.

use lawson::frontend::grad::rules::{self as derivatives, Derivative};
use lawson::frontend::vmap::rules::{self as batches, Batching};
use lawson::hlo::opcode::Class;
use lawson::hlo::verify::runs;
use lawson::hlo::{Opcode, infer};
use lawson_kernel::region::build::is_hero;
use std::fmt::Write;

pub fn text() -> String {
    let mut out = String::from(
        "<!-- Made from the code by `cargo xtask docs`; do not edit. -->\n\n# Opcodes\n\n\
         Every operation of the language: whether its shape follows from its operands or is stated, whether it runs, what it is \
         in a kernel, what its derivative is where its result is of floating-point numbers or of elements of fields, and whether `vmap` batches it. Where \
         something is missing, the reason stands there. How derivatives and batches are made: [autodiff.md](autodiff.md).\n\n\
         | opcode | shape | runs | in kernels | derivative | batches |\n|---|---|---|---|---|---|\n",
    );
    for &opcode in Opcode::ALL {
        let shape = if infer::must_be_declared(opcode) { "stated" } else { "follows" };
        let _ = writeln!(
            out,
            "| `{opcode}` | {shape} | {} | {} | {} | {} |",
            if runs(opcode) && opcode.class() != Class::Communication { "yes" } else { lacking(opcode) },
            kernel(opcode),
            derivative(opcode),
            batching(opcode),
        );
    }
    out
}

fn lacking(opcode: Opcode) -> &'static str {
    match opcode.class() {
        Class::Communication => "where there is one device and no host to talk to",
        _ => "no",
    }
}

fn kernel(opcode: Opcode) -> &'static str {
    match opcode.class() {
        _ if is_hero(opcode) => "a stage",
        Class::Unary | Class::Binary | Class::Elementwise => "part of any stage",
        Class::Movement => "an index of what reads it",
        Class::Library => "a routine of its own",
        Class::Source | Class::Reduction | Class::Control => {
            "written as others, or a loop; else between kernels"
        }
        Class::Structure => "nothing: it costs nothing",
        Class::Communication => "none",
    }
}

fn derivative(opcode: Opcode) -> String {
    match derivatives::of_opcode(opcode) {
        Derivative::Linear => "itself: it is linear".into(),
        Derivative::Rule(_) => "yes".into(),
        Derivative::Zero(why) => format!("zero: {why}"),
        Derivative::None(why) => format!("none: {why}"),
    }
}

fn batching(opcode: Opcode) -> String {
    match batches::of_opcode(opcode) {
        Batching::Rule(_) => "yes".into(),
        Batching::None(why) => format!("no: {why}"),
    }
}
