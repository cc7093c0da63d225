//! Which values are part of the backward half of a derivative.
//!
//! Marks of the text decide where there are any: `frontend_attributes={lawson.phase="backward"}`, or `transpose(` in the
//! `op_name` of metadata, as JAX writes it. Elsewhere memory does: behind the kernel with which half of the most bytes is
//! in use, and again at the peak, what is read has waited for its readers.

use super::graph::{Graph, KernelId, Value};
use crate::pass::{Changed, PassContext};
use lawson_hlo::{Computation, Instruction, Module};

/// What says where the backward half begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Border {
    /// Marks of the text.
    Marked,
    /// The first kernel of the half that reads what has waited for it.
    At(KernelId),
}

/// The pass: notes at the sources of a module which are backward. Sources outlive every rewrite, marks at instructions do
/// not. A computation that only backward instructions call is backward.
pub fn run(_: &mut PassContext, module: &mut Module) -> Changed {
    let mut called = vec![(false, false); module.computations.len()];
    let mut backward: Vec<u32> = Vec::new();
    for (id, comp) in module.iter().rev() {
        let (by_forward, by_backward) = called[id.index()];
        let whole = by_backward && !by_forward;
        for instr in &comp.instrs {
            let marked = whole || is_marked(instr);
            if marked {
                backward.extend(instr.origin.sources());
            }
            for callee in instr.attrs.called() {
                let known = &mut called[callee.index()];
                *known = (known.0 | !marked, known.1 | marked);
            }
        }
    }
    for source in backward {
        if let Some(source) = module.sources.get_mut(source as usize) {
            source.backward = true;
        }
    }
    Changed::No
}

fn is_marked(instr: &Instruction) -> bool {
    let transposed =
        || instr.notes.as_ref().and_then(|n| n.metadata("op_name")).is_some_and(|n| n.contains("transpose("));
    instr.frontend_attribute("lawson.phase") == Some("backward") || transposed()
}

/// Whether a module has such marks.
pub fn has_marks(module: &Module, comp: &Computation) -> bool {
    let sources = comp.instrs.iter().flat_map(|i| i.origin.sources());
    sources.filter_map(|&s| module.sources.get(s as usize)).any(|s| s.backward)
}

/// Decides for each value. What reads a backward value is backward.
pub fn assign(graph: &mut Graph<'_>, border: Border) {
    if let Border::At(first) = border {
        let made = |v: &Value| !v.outside || !v.operands.is_empty();
        graph.values.iter_mut().for_each(|v| v.marked = made(v));
        for kernel in graph.kernels.iter().take(first as usize) {
            for &v in kernel.values.iter().chain(&kernel.outputs) {
                graph.values[v as usize].marked = false;
            }
        }
    }
    for v in 0..graph.values.len() {
        let value = &graph.values[v];
        let from_backward = value.operands.iter().any(|&o| graph.value(o).backward);
        let backward = (value.marked || from_backward) && !value.uniform;
        graph.values[v].backward = backward;
    }
}
