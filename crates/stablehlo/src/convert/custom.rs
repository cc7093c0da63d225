//! Custom calls: shardings are nothing on one device, others keep the name of their function.

use super::approx_top_k::approx_top_k;
use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::{Attrs, InstrId, Opcode};

/// Functions that say where values are, not what they are.
const IDENTITIES: &[&str] = &[
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
];

pub fn custom_call<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let target = f.attr(op, "call_target_name", |a| a.as_str().map(str::to_string))?;
    if IDENTITIES.contains(&&*target) && operands.len() == op.results.len() {
        return Ok(f.pack(&operands));
    }
    if target == "ApproxTopK" {
        return approx_top_k(f, op);
    }
    let has_side_effect = f.flag(op, "has_side_effect")?;
    let shape = f.results(op)?;
    let attrs = CustomCall { target, has_side_effect, called: Vec::new(), rest: Vec::new() };
    let id = f.add_shaped(op, opcode, shape, &operands, Attrs::CustomCall(Box::new(attrs)))?;
    if let Some(Attr::String(config)) = op.attr("backend_config")
        && !config.is_empty()
    {
        f.body.get_mut(id).notes_mut().backend_config = Some(format!("{config:?}"));
    }
    Ok(id)
}
