//! Writing the computation anew with the kernels of the graph.

use super::body::body;
use super::graph::{Graph, Kernel, KernelId, ValueId};
use crate::fusion::call::{call, name_of};
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode, Shape};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A changed kernel as a computation.
pub struct Fused {
    calls: CompId,
    name: Arc<str>,
}

/// The bodies of the changed kernels that are left, in order.
pub fn bodies(
    graph: &Graph<'_>,
    or: Option<CompId>,
    changed: &FxHashSet<KernelId>,
) -> BTreeMap<KernelId, Computation> {
    let mut ids: Vec<KernelId> = changed.iter().copied().collect();
    ids.sort_unstable();
    let left = ids.into_iter().filter(|&id| !graph.kernels[id as usize].outputs.is_empty());
    left.map(|id| (id, body(graph, &graph.kernels[id as usize], or))).collect()
}

/// Adds the bodies to the module.
pub fn add(rebuild: &mut Rebuild<'_>, bodies: BTreeMap<KernelId, Computation>) -> BTreeMap<KernelId, Fused> {
    let add = |(id, mut body): (KernelId, Computation)| {
        let name: Arc<str> = name_of(&body).into();
        body.name = name.clone();
        (id, Fused { calls: rebuild.add(body), name })
    };
    bodies.into_iter().map(add).collect()
}

/// The computation with these kernels, `gone` among those that have changed without being left.
pub fn emit(
    module: &lawson_hlo::Module,
    graph: &Graph<'_>,
    changed: &FxHashSet<KernelId>,
    fused: &BTreeMap<KernelId, Fused>,
) -> Computation {
    let host = graph.host;
    let mut cx = Emitter {
        graph,
        b: Builder::new(module),
        map: vec![None; host.comp.instrs.len()],
        made: FxHashMap::default(),
    };
    for (id, instr) in host.comp.iter() {
        match host.unit_of[id.index()].filter(|u| changed.contains(u)) {
            Some(unit) => {
                if let Some(fused) = fused.get(&unit) {
                    cx.kernel(&graph.kernels[unit as usize], fused, instr);
                }
            }
            None => cx.instr(id, instr),
        }
    }
    let root = cx.renewed(host.comp.root).expect("the result is made");
    let mut comp = cx.b.finish(host.comp.name.clone(), root);
    comp.execution_thread = host.comp.execution_thread.clone();
    comp
}

struct Emitter<'a> {
    graph: &'a Graph<'a>,
    b: Builder<'a>,
    map: Vec<Option<InstrId>>,
    /// Arrays in memory.
    made: FxHashMap<ValueId, InstrId>,
}

impl Emitter<'_> {
    fn kernel(&mut self, kernel: &Kernel, fused: &Fused, place: &Instruction) {
        let module = self.b.module;
        let body = &module[fused.calls];
        let operands: Vec<InstrId> = kernel.reads.iter().map(|r| self.made[r]).collect();
        let named = |v: ValueId| self.graph.instr(v);
        let shape = body.root().shape.clone();
        if let [output] = kernel.outputs[..] {
            let mut whole = call(place, shape, body, fused.calls, operands);
            whole.name = named(output).name.clone();
            let id = self.b.push(whole);
            self.made.entry(output).or_insert(id);
            return;
        }
        let mut whole = call(place, shape.clone(), body, fused.calls, operands);
        whole.name = fused.name.clone();
        let whole = self.b.push(whole);
        let Shape::Tuple(parts) = shape else { return };
        for (n, (&output, shape)) in kernel.outputs.iter().zip(parts).enumerate() {
            let (name, origin) = (named(output).name.clone(), named(output).origin.clone());
            let attrs = Attrs::TupleIndex(n);
            let element = Instruction::new(name, Opcode::GetTupleElement, shape, vec![whole], attrs, origin);
            let id = self.b.push(element);
            self.made.entry(output).or_insert(id);
        }
    }

    /// The values that an instruction stands for, where it is known what they are.
    fn values(&self, id: InstrId) -> Vec<ValueId> {
        let leaves = self.graph.host.leaves[id.index()].iter();
        leaves.map(|&a| self.graph.arrays[a as usize]).collect()
    }

    fn instr(&mut self, id: InstrId, instr: &Instruction) {
        let host = self.graph.host;
        let values = self.values(id);
        if instr.opcode == Opcode::GetTupleElement
            && let ([value], Shape::Array(shape)) = (&values[..], &instr.shape)
            && let Some(&made) = self.made.get(value)
            && self.b.array(made).same(shape)
        {
            self.map[id.index()] = Some(made);
            return;
        }
        if instr.operands.iter().any(|&o| self.renewed(o).is_none()) {
            // It stands for what nobody needs any more.
            return;
        }
        let new = self.b.clone_instr(instr, &self.map);
        self.map[id.index()] = Some(new);
        let own = host.unit_of[id.index()].is_some()
            || matches!(instr.opcode, Opcode::Parameter | Opcode::Constant | Opcode::GetTupleElement);
        if let ([value], Shape::Array(_)) = (&values[..], &instr.shape)
            && own
            && *value != ValueId::MAX
        {
            self.made.entry(*value).or_insert(new);
        }
    }

    /// The new instruction of an old one; of a kernel with several results that has changed a tuple of them.
    fn renewed(&mut self, id: InstrId) -> Option<InstrId> {
        if let Some(known) = self.map[id.index()] {
            return Some(known);
        }
        let host = self.graph.host;
        let behind = host.behind(id);
        if behind != id {
            let new = self.renewed(behind)?;
            self.map[id.index()] = Some(new);
            return Some(new);
        }
        let leaves: Vec<InstrId> =
            self.values(id).iter().map(|v| self.made.get(v).copied()).collect::<Option<_>>()?;
        let instr = &host.comp[id];
        let new = match (&leaves[..], &instr.shape) {
            ([one], Shape::Array(shape)) if self.b.array(*one).same(shape) => *one,
            (_, Shape::Array(_)) => return None,
            _ => {
                self.b.origin = instr.origin.clone();
                self.b.add(Opcode::Tuple, &leaves, Attrs::None)
            }
        };
        self.map[id.index()] = Some(new);
        Some(new)
    }
}
