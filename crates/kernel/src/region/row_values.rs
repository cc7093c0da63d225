//! What the stages of a row compute of the row alone, as stages of their own: a plan can then lay lanes along the rows.
//!
//! ```text
//! stage 1: reduce d0 < 9 over d1 < 4: …                stage 1: reduce d0 < 9 over d1 < 4: …
//! stage 2: map d0 < 9, d1 < 4: in0 − log(stage 1)   →   stage 2: map d0 < 9: log(stage 1)
//!                                                      stage 3: map d0 < 9, d1 < 4: in0 − stage 2
//! ```

use super::{Kind, Node, NodeId, Region, Source, Stage, roots_of};
use lawson_hlo::index::{Affine, linearize};
use rustc_hash::FxHashMap;

/// The region with such stages for the values that are `worth` it; none where there are none. The rows are the first axes of each
/// stage, so many.
pub fn row_values(region: &Region, rows: usize, worth: &dyn Fn(&Region, NodeId) -> bool) -> Option<Region> {
    if !region.symbols.is_empty() {
        return None;
    }
    let mut region = region.clone();
    let before = region.stages.len();
    for s in (0..before).rev() {
        let values = values_of_row(&region, s, rows, worth);
        if !values.is_empty() {
            split(&mut region, s, rows, &values);
        }
    }
    (region.stages.len() > before).then_some(region)
}

/// The largest expressions of a stage that are the same for all elements of a row, and worth a stage.
fn values_of_row(
    region: &Region,
    s: usize,
    rows: usize,
    worth: &dyn Fn(&Region, NodeId) -> bool,
) -> Vec<NodeId> {
    let stage = &region.stages[s];
    let staged = matches!(stage.kind, Kind::Map { .. } | Kind::Reduce { .. });
    if !staged || stage.space.len() + stage.inner.len() <= rows {
        return Vec::new();
    }
    let roots = roots_of(stage);
    let nodes = region.reachable(&roots);
    let axes = rows..stage.space.len() + stage.inner.len();
    let mut of_row = vec![false; region.nodes.len()];
    for &id in &nodes {
        let node = region.node(id);
        let mut alike = match node {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                !axes.clone().any(|a| e.uses_axis(a))
            }
            Node::Argument(_) | Node::Carry(_) => false,
            _ => true,
        };
        region.operands(id, &mut |o| alike &= of_row[o.0 as usize]);
        of_row[id.0 as usize] = alike;
    }
    let mut found = Vec::new();
    let mut add = |id: NodeId| {
        if of_row[id.0 as usize] && !found.contains(&id) && worth(region, id) {
            found.push(id);
        }
    };
    nodes.iter().filter(|id| !of_row[id.0 as usize]).for_each(|&id| region.operands(id, &mut add));
    roots.into_iter().for_each(add);
    found
}

/// Puts a stage before stage `s` that computes these of its values.
fn split(region: &mut Region, s: usize, rows: usize, values: &[NodeId]) {
    region.renumber_results(|(stage, result)| (stage + u32::from(stage as usize >= s), result));
    region.index_nodes();
    let space = region.stages[s].space[..rows].to_vec();
    let offset = linearize(&(0..rows).map(Affine::axis).collect::<Vec<_>>(), &space);
    let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for id in region.reachable(&roots_of(&region.stages[s])) {
        let mut node = region.node(id).clone();
        match values.iter().position(|&v| v == id) {
            Some(n) => {
                let source = Source::Stage { stage: s as u32, output: n as u32 };
                node = Node::Load { source, offset: offset.clone(), mask: None };
            }
            None => node.operands_mut(&mut |o| *o = new[o]),
        }
        let dtype = region.dtype(id);
        new.insert(id, region.add(node, dtype));
    }
    match &mut region.stages[s].kind {
        Kind::Map { values } => values.iter_mut().for_each(|v| *v = new[v]),
        Kind::Reduce { values, inits, mask, stored, .. } => {
            let stored = stored.iter_mut().flat_map(|s| &mut s.parts).map(|(_, value)| value);
            values.iter_mut().chain(inits).chain(mask).chain(stored).for_each(|v| *v = new[v]);
        }
        _ => {}
    }
    let opcode = match region.node(values[0]) {
        Node::Unary { opcode, .. } | Node::Binary { opcode, .. } => *opcode,
        _ => region.stages[s].opcode,
    };
    let stage = Stage {
        name: format!("{}.row", region.stages[s].name),
        opcode,
        elements: space.iter().product(),
        space,
        inner: Vec::new(),
        kind: Kind::Map { values: values.to_vec() },
        results: values.iter().map(|&v| region.dtype(v)).collect(),
    };
    region.stages.insert(s, stage);
}
