//! Derivatives of control flow: conditionals, loops, and functions with a mark.
//!
//! A conditional ([`conditional`]) becomes a conditional on the same predicate. A loop becomes, forward, one loop over state and
//! tangents ([`joint`]); backward, a loop that counts the trips down ([`counted`], [`backward`]), for which their number
//! must be known from the text ([`trips`]). What that loop reads of the forward one is decided in [`save`], how it
//! gets it is written in [`rebuild`]. [`marks`] differentiates checkpoints and functions with a derivative of their own.
//!
//! Computations are taken in the form of [`flat`]: array leaves in, array leaves out, calls inlined. [`activity`] says what
//! varies before anything is made, [`affine`] what index a trip reads and writes ([`rows`]), [`hoist`] what of a body
//! belongs in front of its loop; [`inner`] appends branches and marked functions with their tangents.

mod activity;
mod affine;
mod backward;
mod conditional;
mod counted;
mod flat;
mod hoist;
mod inner;
mod joint;
mod marks;
mod rebuild;
mod rows;
mod save;
mod trips;

use crate::error::Fault;
use crate::grad::linearize::Mode;
use crate::grad::{Linearizer, Tan};
use lawson_hlo::{InstrId, Instruction};

/// The rule of `conditional`.
pub(super) use conditional::rule as conditional;
/// Computations over array leaves.
pub(in crate::grad) use flat::flat;
/// The rules of marks.
pub(super) use marks::{checkpoint, custom_jvp, custom_vjp};

/// The rule of `while`.
pub(super) fn while_loop(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    match cx.mode {
        Mode::Forward => joint::rule(cx, instr, operands, tangents),
        Mode::Reverse(_) => counted::rule(cx, instr, operands, tangents),
    }
}
