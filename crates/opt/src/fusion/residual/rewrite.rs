//! Rules of the backward half in terms of what the forward half makes anyhow.
//!
//! ```text
//! m = f32[8] maximum(y, c)                       m = f32[8] maximum(y, c)
//! p = pred[8] compare(y, c), direction=GT   →    p = pred[8] compare(m, c), direction=GT
//! ```
//!
//! Both are the same for every y: where y is above c, m is y, and elsewhere m is c or no number. So the rule holds in
//! every mode of numerics. That of `minimum` is its mirror image. What other rules need (`tanh`, `exp`, `sqrt`,
//! `logistic` in terms of their results) front ends write so already; equal operations are one value here, so their
//! results are found.

use super::graph::{Graph, ValueId};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{Attrs, Opcode};
use rustc_hash::FxHashMap;

/// Notes for each comparison that has another way what that is.
pub fn find(graph: &mut Graph<'_>) {
    let mut clamped: FxHashMap<(Opcode, ValueId, ValueId), ValueId> = FxHashMap::default();
    for (id, value) in graph.values.iter().enumerate().filter(|(_, v)| !v.outside) {
        let opcode = graph.opcode(id as ValueId);
        if let (Opcode::Maximum | Opcode::Minimum, [a, b]) = (opcode, &value.operands[..]) {
            clamped.entry((opcode, *a, *b)).or_insert(id as ValueId);
            clamped.entry((opcode, *b, *a)).or_insert(id as ValueId);
        }
    }
    if clamped.is_empty() {
        return;
    }
    for id in 0..graph.values.len() as ValueId {
        let value = graph.value(id);
        let (Attrs::Compare { direction, .. }, [a, b]) = (&graph.instr(id).attrs, &value.operands[..]) else {
            continue;
        };
        // The side that is compared with a bound.
        let (operands, from) = match direction {
            Direction::Gt => ((Opcode::Maximum, *a, *b), 0),
            Direction::Lt if graph.value(*b).uniform => ((Opcode::Minimum, *a, *b), 0),
            Direction::Lt => ((Opcode::Maximum, *b, *a), 1),
            _ => continue,
        };
        let Some(&by) = clamped.get(&operands) else { continue };
        let (source, mut operands) = (value.source.clone(), value.operands.clone());
        operands[from] = by;
        let (marked, uniform) = (value.marked, value.uniform);
        let new = graph.push(source, operands, false, uniform);
        graph.values[new as usize].marked = marked;
        graph.rewritten.insert(id, new);
    }
}
