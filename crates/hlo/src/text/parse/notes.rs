//! Attributes that change no value, on any instruction.

use super::devices::sharding;
use super::fields::Fields;
use super::values::{int, pairs, verbatim};
use crate::ids::InstrId;
use crate::instruction::Notes;
use crate::opcode::Opcode;
use crate::text::error::{Fault, Parsed};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Takes what is left of the attributes; what nobody knows is an error.
pub(super) fn read(
    f: &mut Fields<'_>,
    opcode: Opcode,
    names: &FxHashMap<&str, InstrId>,
) -> Parsed<Option<Arc<Notes>>> {
    let notes = Notes {
        channel_id: f.may("channel_id", int)?,
        sharding: f.may("sharding", sharding)?,
        frontend_attributes: f.may("frontend_attributes", pairs)?.unwrap_or_default(),
        control_predecessors: f
            .may("control-predecessors", |cur| {
                cur.braced("to begin the control predecessors", |c| {
                    let (name, span) = c.name("an instruction")?;
                    let missing = || Fault::new(span, format!("no instruction `{name}` before this one"));
                    names.get(name).copied().ok_or_else(missing)
                })
            })?
            .unwrap_or_default(),
        metadata: f.may("metadata", pairs)?.unwrap_or_default(),
        backend_config: f.may("backend_config", verbatim)?,
        rest: std::iter::from_fn(|| f.next_text(|key| is_note(opcode, key))).collect(),
    };
    f.finish()?;
    Ok((!notes.is_empty()).then(|| Arc::new(notes)))
}

/// Attributes kept as text in [`Notes::rest`].
fn is_note(opcode: Opcode, key: &str) -> bool {
    use Opcode::*;
    match key {
        "debug_attributes"
        | "origin"
        | "original_value"
        | "parameter_replication"
        | "result_accuracy"
        | "statistics" => true,
        "operand_precision" | "algorithm" => {
            matches!(opcode, Dot | RaggedDot | ScaledDot | Convolution | CustomCall)
        }
        "convolution_kind" => opcode == Convolution,
        "output_to_operand_aliasing" => opcode == Fusion,
        "is_stable" => opcode == TopK,
        _ => false,
    }
}
