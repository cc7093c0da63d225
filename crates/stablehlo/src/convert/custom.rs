//! Custom calls: shardings are nothing on one device, routines of linear algebra are operations, others keep the name of their
//! function.

use super::approx_top_k::approx_top_k;
use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::linalg::Linalg;
use lawson_hlo::{Attrs, InstrId, Opcode};
use std::sync::Arc;

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
    if matches!(&*target, "ApproxTopK" | "PartialReduce") {
        return approx_top_k(f, op);
    }
    if let Some(routine) = Linalg::of_target(&target) {
        let config = op.attr("mhlo.backend_config").or_else(|| op.attr("backend_config"));
        let options = config.map_or(Ok(String::new()), options);
        let routine = options.and_then(|options| routine.with_config(&options));
        let routine = routine.map_err(|message| f.unsupported(op, message))?;
        let shape = f.results(op)?;
        return f.add_shaped(op, Opcode::Linalg, shape, &operands, Attrs::Linalg(routine));
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

/// A dictionary of truth values, or a text, as text.
fn options(config: &Attr) -> std::result::Result<String, String> {
    if let Attr::String(text) = config {
        return Ok(text.to_string());
    }
    let Attr::Dict(entries) = config else {
        return Err("its `backend_config` is no dictionary".into());
    };
    let option = |(name, value): &(Arc<str>, Attr)| match value.bool() {
        Some(value) => Ok(format!("{name}={value}")),
        None => Err(format!("its option `{name}` is neither true nor false")),
    };
    let options = entries.iter().map(option).collect::<std::result::Result<Vec<_>, _>>();
    options.map(|options| options.join(","))
}
