//! Residuals that are decided together: those whose values are made of the same.
//!
//! A group holds what leads from values that must be read, or may be computed again only at great cost (products,
//! reductions), to what the backward half uses. Groups know nothing of each other, so a network for each is small. What a
//! few operations make of nothing (the mask of causal attention) does not tie those together that share it.

use super::border::needs;
use super::graph::{Graph, KernelId, ValueId};
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, Opcode};
use lawson_kernel::region::build::is_hero;
use rustc_hash::{FxHashMap, FxHashSet};

/// Kernels that one group may concern.
pub const MAX_KERNELS: usize = 64;
/// Values that one group may hold.
const MAX_VALUES: usize = 4096;
/// What so many operations make of no array is made of nothing.
const MAX_FREE: usize = 8;
/// By how much a product must be larger than what it is made of to be worth computing again.
pub const GROWTH: i64 = 4;

#[derive(Default, Debug)]
pub struct Group {
    /// Its values, in order, with the kernels of the group that would compute each again, as bits.
    pub values: Vec<(ValueId, u64)>,
    /// What backward kernels use, in order.
    pub needs: Vec<ValueId>,
    /// The backward kernels.
    pub kernels: Vec<KernelId>,
}

/// The groups of a graph, in the order of their first values. Groups that are too large are left out: all that they need
/// is saved.
pub fn groups(graph: &Graph<'_>) -> Vec<Group> {
    let mut parent: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    let mut cones: Vec<(KernelId, Vec<(ValueId, Vec<ValueId>)>)> = Vec::new();
    let mut free: FxHashMap<ValueId, bool> = FxHashMap::default();
    for kernel in 0..graph.kernels.len() as KernelId {
        if graph.kernels[kernel as usize].fixed {
            continue;
        }
        let mut of_kernel = Vec::new();
        for need in needs(graph, kernel) {
            if graph.value(need.value).outside {
                continue;
            }
            let cone = cone(graph, need.value);
            for &v in &cone {
                let alone = *free.entry(v).or_insert_with(|| is_free(graph, v));
                if alone && v != need.value {
                    continue;
                }
                let (a, b) = (find(&mut parent, need.value), find(&mut parent, v));
                parent.insert(a.max(b), a.min(b));
            }
            of_kernel.push((need.value, cone));
        }
        if !of_kernel.is_empty() {
            cones.push((kernel, of_kernel));
        }
    }
    let mut groups: FxHashMap<ValueId, (Group, FxHashMap<ValueId, u64>)> = FxHashMap::default();
    for (kernel, of_kernel) in &cones {
        let tied = of_kernel.iter().map(|(need, _)| *need).find(|need| !free[need]);
        for (need, cone) in of_kernel {
            let of = tied.filter(|_| free[need]).unwrap_or(*need);
            let (group, values) = groups.entry(find(&mut parent, of)).or_default();
            if group.kernels.last() != Some(kernel) {
                group.kernels.push(*kernel);
            }
            group.needs.push(*need);
            let bit = 1u64.checked_shl(group.kernels.len() as u32 - 1).unwrap_or(0);
            cone.iter().for_each(|&v| *values.entry(v).or_default() |= bit);
        }
    }
    let mut all: Vec<Group> = Vec::new();
    for (mut group, values) in groups.into_values() {
        group.values = values.into_iter().collect();
        group.values.sort_unstable();
        group.needs.sort_unstable();
        group.needs.dedup();
        if group.kernels.len() <= MAX_KERNELS && group.values.len() <= MAX_VALUES {
            all.push(group);
        }
    }
    all.sort_by_key(|g| g.values.first().map(|v| v.0));
    all
}

fn find(parent: &mut FxHashMap<ValueId, ValueId>, v: ValueId) -> ValueId {
    let mut root = v;
    while let Some(&up) = parent.get(&root).filter(|&&up| up != root) {
        root = up;
    }
    parent.insert(v, root);
    root
}

/// What a value is made of, itself included, back to what is not computed again.
fn cone(graph: &Graph<'_>, need: ValueId) -> Vec<ValueId> {
    let mut seen: FxHashSet<ValueId> = FxHashSet::from_iter([need]);
    let mut stack = vec![need];
    while let Some(v) = stack.pop() {
        if !is_repeatable(graph, v) || seen.len() > MAX_VALUES {
            continue;
        }
        let other = graph.rewritten.get(&v).map(|&other| graph.value(other));
        for &o in graph.value(v).operands.iter().chain(other.iter().flat_map(|o| &o.operands)) {
            let value = graph.value(o);
            let parameter = value.outside && value.operands.is_empty();
            if !value.uniform && !parameter && seen.insert(o) {
                stack.push(o);
            }
        }
    }
    seen.into_iter().collect()
}

/// Whether a value is made of nothing, by a few operations.
fn is_free(graph: &Graph<'_>, v: ValueId) -> bool {
    let mut seen = vec![v];
    let mut next = 0;
    while let Some(&v) = seen.get(next) {
        next += 1;
        if !is_repeatable(graph, v) || seen.len() > MAX_FREE {
            return false;
        }
        for &o in graph.value(v).operands.iter().filter(|&&o| !graph.value(o).uniform) {
            if !seen.contains(&o) {
                seen.push(o);
            }
        }
    }
    true
}

/// Whether a value may be computed again where it is used.
pub fn is_repeatable(graph: &Graph<'_>, v: ValueId) -> bool {
    let opcode = graph.opcode(v);
    if graph.value(v).outside || graph.instr(v).shape.as_array().is_none() {
        return false;
    }
    match opcode {
        Opcode::Dot => {
            let read: i64 = graph.value(v).operands.iter().map(|&o| graph.bytes(o)).sum();
            graph.bytes(v) >= GROWTH * read
        }
        _ if is_hero(opcode) => false,
        Opcode::Iota => true,
        _ => matches!(opcode.class(), Class::Unary | Class::Binary | Class::Elementwise | Class::Movement),
    }
}

/// Operations of one element's computation, for a product its whole sum.
pub fn operations(graph: &Graph<'_>, v: ValueId) -> i64 {
    let instr = graph.instr(v);
    match &instr.attrs {
        Attrs::Dot(dims) => {
            let lhs = graph.instr(graph.value(v).operands[0]).shape.expect_array();
            dims.lhs_contracting.iter().map(|&d| lhs.dims[d]).product()
        }
        _ => 1,
    }
}
