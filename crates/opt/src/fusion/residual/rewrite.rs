//! Rules of the backward half in terms of what the forward half makes anyhow.
//!
//! ```text
//! m = f32[8] maximum(y, c)                       m = f32[8] maximum(y, c)
//! p = pred[8] compare(y, c), direction=GT   →    p = pred[8] compare(m, c), direction=GT
//! ```
//!
//! Both are the same for every y: where y is above c, m is y, and elsewhere m is c or no number. So the rule holds in
//! every mode of numerics. That of `minimum` is its mirror image. A `select` between the two sides of a comparison by that
//! comparison, which is how a relu is written whose derivative at 0 is 0, tells the same as its result, too:
//!
//! ```text
//! p = pred[8] compare(y, c), direction=LE        p = pred[8] compare(y, c), direction=LE
//! s = f32[8] select(p, c, y)                 →   s = f32[8] select(p, c, y)
//! d = f32[8] select(p, c, g)                     q = pred[8] compare(s, c), direction=LE
//!                                                d = f32[8] select(q, c, g)
//! ```
//!
//! What other rules need (`tanh`, `exp`, `sqrt`, `logistic` in terms of their results) front ends write so already; equal
//! operations are one value here, so their results are found.

use super::graph::{Graph, ValueId};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{Attrs, Opcode};
use rustc_hash::FxHashMap;

/// Notes for each comparison that has another way what that is.
pub fn find(graph: &mut Graph<'_>) {
    let mut clamped: FxHashMap<(Opcode, ValueId, ValueId), ValueId> = FxHashMap::default();
    let mut chosen: FxHashMap<ValueId, (ValueId, usize)> = FxHashMap::default();
    for (id, value) in graph.values.iter().enumerate().filter(|(_, v)| !v.outside) {
        let id = id as ValueId;
        match (graph.opcode(id), &value.operands[..]) {
            (opcode @ (Opcode::Maximum | Opcode::Minimum), [a, b]) => {
                clamped.entry((opcode, *a, *b)).or_insert(id);
                clamped.entry((opcode, *b, *a)).or_insert(id);
            }
            (Opcode::Select, &[by, yes, no]) => {
                if let Some(side) = side(graph, by, yes, no) {
                    chosen.entry(by).or_insert((id, side));
                }
            }
            _ => {}
        }
    }
    if clamped.is_empty() && chosen.is_empty() {
        return;
    }
    for id in 0..graph.values.len() as ValueId {
        let value = graph.value(id);
        let (Attrs::Compare { direction, .. }, [a, b]) = (&graph.instr(id).attrs, &value.operands[..]) else {
            continue;
        };
        // The side that is compared with a bound.
        let clamp = match direction {
            Direction::Gt => Some(((Opcode::Maximum, *a, *b), 0)),
            Direction::Lt if graph.value(*b).uniform => Some(((Opcode::Minimum, *a, *b), 0)),
            Direction::Lt => Some(((Opcode::Maximum, *b, *a), 1)),
            _ => None,
        };
        let clamp = clamp.and_then(|(operands, from)| Some((*clamped.get(&operands)?, from)));
        let Some((by, from)) = clamp.or_else(|| chosen.get(&id).copied()) else { continue };
        let (source, mut operands) = (value.source.clone(), value.operands.clone());
        operands[from] = by;
        let (marked, uniform) = (value.marked, value.uniform);
        let new = graph.push(source, operands, false, uniform);
        graph.values[new as usize].marked = marked;
        graph.rewritten.insert(id, new);
    }
}

/// The side of a comparison for which what it chooses may stand. That is one side or the other: where it is the other, the
/// comparison must be what it is of two equal values.
fn side(graph: &Graph<'_>, comparison: ValueId, yes: ValueId, no: ValueId) -> Option<usize> {
    let Attrs::Compare { direction, .. } = graph.instr(comparison).attrs else { return None };
    let &[a, b] = &graph.value(comparison).operands[..] else { return None };
    let if_equal = matches!(direction, Direction::Eq | Direction::Ge | Direction::Le);
    let side = match if_equal {
        true if (yes, no) == (b, a) => 0,
        true if (yes, no) == (a, b) => 1,
        false if (yes, no) == (a, b) => 0,
        false if (yes, no) == (b, a) => 1,
        _ => return None,
    };
    // Nothing is gained where the value itself is still compared.
    (!graph.value([a, b][side]).uniform).then_some(side)
}
