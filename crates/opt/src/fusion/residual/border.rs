//! What the backward half reads of the forward half, kernel by kernel.

use super::graph::{Graph, Kernel, KernelId, ValueId};
use rustc_hash::FxHashSet;

/// Which halves a kernel computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    Forward,
    Backward,
    /// Results of both.
    Both,
}

/// The half of a kernel: that of what it writes.
pub fn half(graph: &Graph<'_>, kernel: &Kernel) -> Half {
    let backward = kernel.outputs.iter().filter(|&&o| graph.value(o).backward).count();
    match backward {
        0 => Half::Forward,
        n if n == kernel.outputs.len() => Half::Backward,
        _ => Half::Both,
    }
}

/// A value of the forward half that a backward kernel needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    pub value: ValueId,
    /// Whether the kernel reads it from memory; else it computes it.
    pub read: bool,
}

/// Forward values that operations of the backward half use in a kernel, in order. Parameters and constants are not
/// among them, nor, where the kernel computes both halves, what it computes for both.
pub fn needs(graph: &Graph<'_>, id: KernelId) -> Vec<Need> {
    let kernel = &graph.kernels[id as usize];
    let half = half(graph, kernel);
    if half == Half::Forward {
        return Vec::new();
    }
    let forward = |v: ValueId| {
        let value = graph.value(v);
        let parameter = value.outside && value.operands.is_empty();
        !value.backward && !value.uniform && !parameter
    };
    if kernel.values.is_empty() {
        let reads = kernel.reads.iter().filter(|&&v| forward(v));
        return reads.map(|&value| Need { value, read: true }).collect();
    }
    let useful = useful(graph, kernel);
    let mut found: FxHashSet<ValueId> = FxHashSet::default();
    for &v in kernel.values.iter().filter(|v| useful.contains(v)) {
        let value = graph.value(v);
        let direct = value.backward || half == Half::Both;
        let border = |o: &&ValueId| {
            let computed = kernel.values.binary_search(o).is_ok();
            forward(**o) && (if half == Half::Both { !computed } else { true })
        };
        if direct {
            found.extend(value.operands.iter().filter(border));
        }
    }
    let mut found: Vec<ValueId> = found.into_iter().collect();
    found.sort_unstable();
    let read = |v: &ValueId| kernel.values.binary_search(v).is_err();
    found.iter().map(|v| Need { value: *v, read: read(v) }).collect()
}

/// What a kernel computes that leads to operations of the backward half.
fn useful(graph: &Graph<'_>, kernel: &Kernel) -> FxHashSet<ValueId> {
    let mut useful: FxHashSet<ValueId> = FxHashSet::default();
    for &v in kernel.values.iter().rev() {
        let value = graph.value(v);
        if value.backward || useful.contains(&v) {
            useful.insert(v);
            useful.extend(value.operands.iter().filter(|o| kernel.values.binary_search(o).is_ok()));
        }
    }
    useful
}
