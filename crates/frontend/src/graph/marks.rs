//! What the front end adds to HLO while functions are transformed, and takes away before anybody else sees them.
//!
//! Marks are `custom-call`s with the targets below; [`crate::Graph::finish`] replaces each by what it means where
//! nothing is differentiated any more. What stays are `frontend_attributes`, which change no value.

use lawson_hlo::{Attrs, Instruction, Opcode};

/// The value as it is, whose derivative is zero: one operand, a result like it.
pub const STOP_GRADIENT: &str = "lawson.stop_gradient";
/// Calls its only computation; a differentiation keeps its operands alone and computes it again when it goes back.
pub const CHECKPOINT: &str = "lawson.checkpoint";
/// `called_computations={f, jvp}`: calls `f`; its derivative is `jvp`, which takes the operands, then their tangents, and
/// gives the tuple of results, then that of their tangents, in one flat tuple.
pub const CUSTOM_JVP: &str = "lawson.custom_jvp";
/// `called_computations={f, forward, backward}`: calls `f`; a differentiation calls `forward`, which gives the results,
/// then what `backward` needs, and later `backward`, which takes that and the cotangents of the results and gives those
/// of the operands.
pub const CUSTOM_VJP: &str = "lawson.custom_vjp";

/// The key of the attribute of a mark that says how many of its operands are arguments of the function; those after them are
/// what it captured. The derivatives of [`CUSTOM_JVP`] and [`CUSTOM_VJP`] say nothing of these.
pub const ARGUMENTS: &str = "lawson.arguments";

/// The key of the `frontend_attributes` that tell what half of a training step an instruction belongs to.
pub const PHASE: &str = "lawson.phase";
/// The value of [`PHASE`] for what transposition makes.
pub const BACKWARD: &str = "\"backward\"";

/// The key of the `frontend_attributes` of a `while` whose condition asks whether a truth value of any lane is true, and whose
/// body leaves alone the lanes of the state where it is false. Batching makes such loops, and makes of them such loops of more
/// lanes.
pub const LANES: &str = "lawson.lanes";

/// The mark that an instruction is, if it is one.
pub fn of(instr: &Instruction) -> Option<&str> {
    match &instr.attrs {
        Attrs::CustomCall(call) if instr.opcode == Opcode::CustomCall => {
            let marks = [STOP_GRADIENT, CHECKPOINT, CUSTOM_JVP, CUSTOM_VJP];
            marks.contains(&&*call.target).then_some(&*call.target)
        }
        _ => None,
    }
}
