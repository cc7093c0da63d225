//! Writing the computation anew, with one fusion for each cluster.

use super::body::{Body, body, operands};
use super::clusters::{ClusterId, Clusters};
use super::host::{ArrayId, Host};
use crate::fusion::call::{call, name_of};
use crate::numbers::{Numbers, OfComputation};
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode, Shape};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What stands at one place of the new computation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Cluster(ClusterId),
    Instr(InstrId),
}

/// A cluster that has become a fusion.
struct Fused {
    body: Body,
    calls: CompId,
    /// What it would be called if the name were free.
    name: Arc<str>,
}

/// The computation with the clusters that `changed` names as fusions.
pub fn emit(
    rebuild: &mut Rebuild<'_>,
    (numbers, of_host): (&mut Numbers, &mut OfComputation),
    (host, clusters): (&Host<'_>, &Clusters),
    changed: &[bool],
) -> Computation {
    let items = in_order(host, clusters, changed);
    let mut bodies: FxHashMap<ClusterId, Fused> = FxHashMap::default();
    for &item in &items {
        if let Item::Cluster(c) = item {
            let members = clusters.members(c);
            let outputs = clusters.outputs(host, members, &[c]);
            let body =
                body(rebuild.module, (numbers, of_host), host, members, (operands(host, members), outputs));
            let mut written = body.write(rebuild.module, host);
            let name: Arc<str> = name_of(&written).into();
            written.name = name.clone();
            bodies.insert(c, Fused { body, calls: rebuild.add(written), name });
        }
    }
    let live = live(host, &items, &bodies);
    let mut cx = Emitter {
        host,
        b: Builder::new(rebuild.module),
        map: vec![None; host.comp.instrs.len()],
        made: FxHashMap::default(),
    };
    for (n, &item) in items.iter().enumerate() {
        match item {
            Item::Cluster(c) => cx.cluster(&bodies[&c]),
            Item::Instr(id) if live[n] => cx.instr(id),
            Item::Instr(_) => {}
        }
    }
    let root = cx.renewed(host.comp.root);
    let mut comp = cx.b.finish(host.comp.name.clone(), root);
    comp.execution_thread = host.comp.execution_thread.clone();
    comp
}

/// Everything that is left, operands before users.
fn in_order(host: &Host<'_>, clusters: &Clusters, changed: &[bool]) -> Vec<Item> {
    // Parameters and constants come first; what only renames comes right after what it renames.
    let mut moments: Vec<u32> = Vec::with_capacity(host.comp.instrs.len());
    let mut items: Vec<(u32, Item)> = Vec::new();
    for (id, instr) in host.comp.iter() {
        let moment = match host.unit_of[id.index()].map(|u| clusters.homes(u)) {
            None => {
                let moment_of = |o: &InstrId| moments[host.behind(*o).index()];
                let moment = instr.operands.iter().map(moment_of).max().unwrap_or(0);
                items.push((moment, Item::Instr(id)));
                moment
            }
            Some(&[home]) => {
                let moment = clusters.rank(home) + 1;
                if !changed[home as usize] {
                    items.push((moment, Item::Instr(id)));
                }
                moment
            }
            // Repeated where it is read.
            Some(_) => 0,
        };
        moments.push(moment);
    }
    for c in (0..changed.len() as ClusterId).filter(|&c| changed[c as usize]) {
        if !clusters.outputs(host, clusters.members(c), &[c]).is_empty() {
            items.push((clusters.rank(c) + 1, Item::Cluster(c)));
        }
    }
    // A kernel comes before what renames its result, and that in the old order.
    let is_rename = |item: &Item| matches!(item, Item::Instr(id) if host.unit_of[id.index()].is_none());
    items.sort_by_key(|(moment, item)| (*moment, is_rename(item), *item));
    items.into_iter().map(|(_, item)| item).collect()
}

/// For each item whether the result, the signature or a later item needs it.
fn live(host: &Host<'_>, items: &[Item], bodies: &FxHashMap<ClusterId, Fused>) -> Vec<bool> {
    let mut needed = vec![false; host.comp.instrs.len()];
    let need = |needed: &mut Vec<bool>, id: InstrId| needed[host.behind(id).index()] = true;
    need(&mut needed, host.comp.root);
    let mut live = vec![true; items.len()];
    for (n, item) in items.iter().enumerate().rev() {
        match item {
            Item::Cluster(c) => {
                let operands = bodies[c].body.operands.iter();
                operands.filter_map(|&a| host.array(a).instr).for_each(|i| need(&mut needed, i));
            }
            Item::Instr(id) => {
                let instr = &host.comp[*id];
                live[n] = needed[id.index()]
                    || instr.opcode == Opcode::Parameter
                    || host.unit_of[id.index()].is_some();
                if live[n] {
                    instr.operands.iter().for_each(|&o| need(&mut needed, o));
                }
            }
        }
    }
    live
}

struct Emitter<'a> {
    host: &'a Host<'a>,
    b: Builder<'a>,
    map: Vec<Option<InstrId>>,
    /// Results of clusters.
    made: FxHashMap<ArrayId, InstrId>,
}

impl Emitter<'_> {
    fn cluster(&mut self, fused: &Fused) {
        let (host, module, calls) = (self.host, self.b.module, fused.calls);
        let operands = fused
            .body
            .operands
            .iter()
            .map(|&a| self.renewed(host.array(a).instr.expect("a kernel reads arrays")))
            .collect();
        let body = &module[calls];
        let outputs = &fused.body.outputs;
        let places: Vec<&Instruction> = outputs.iter().map(|&a| maker(host, a)).collect();
        if let [output] = outputs[..] {
            let id = self.b.push(call(places[0], body.root().shape.clone(), body, calls, operands));
            self.made.insert(output, id);
            return;
        }
        let mut whole = call(places[places.len() - 1], body.root().shape.clone(), body, calls, operands);
        whole.name = fused.name.clone();
        let whole = self.b.push(whole);
        let Shape::Tuple(parts) = body.root().shape.clone() else { return };
        for (n, (&output, shape)) in outputs.iter().zip(parts).enumerate() {
            let (name, origin) = (places[n].name.clone(), places[n].origin.clone());
            let attrs = Attrs::TupleIndex(n);
            let element = Instruction::new(name, Opcode::GetTupleElement, shape, vec![whole], attrs, origin);
            let id = self.b.push(element);
            self.made.insert(output, id);
        }
    }

    fn instr(&mut self, id: InstrId) {
        let host = self.host;
        let instr = &host.comp[id];
        // An element of what has become part of a cluster.
        if let ([array], Shape::Array(shape)) = (&host.leaves[id.index()][..], &instr.shape)
            && instr.opcode == Opcode::GetTupleElement
            && let Some(&made) = self.made.get(array)
            && self.b.array(made).same(shape)
        {
            self.map[id.index()] = Some(made);
            return;
        }
        for &operand in &instr.operands {
            self.renewed(operand);
        }
        self.map[id.index()] = Some(self.b.clone_instr(instr, &self.map));
    }

    /// The new instruction of an old one; one of a cluster with several results is a tuple of them.
    fn renewed(&mut self, id: InstrId) -> InstrId {
        if let Some(known) = self.map[id.index()] {
            return known;
        }
        let behind = self.host.behind(id);
        if behind != id {
            let new = self.renewed(behind);
            self.map[id.index()] = Some(new);
            return new;
        }
        let host = self.host;
        let instr = &host.comp[id];
        let leaves: Vec<InstrId> = host.leaves[id.index()].iter().map(|a| self.made[a]).collect();
        let new = match (&leaves[..], &instr.shape) {
            ([one], Shape::Array(_)) => *one,
            _ => {
                self.b.origin = instr.origin.clone();
                self.b.add(Opcode::Tuple, &leaves, Attrs::None)
            }
        };
        self.map[id.index()] = Some(new);
        new
    }
}

/// The instruction whose name and place a result takes over.
fn maker<'a>(host: &'a Host<'_>, array: ArrayId) -> &'a Instruction {
    let info = host.array(array);
    match info.instr {
        Some(instr) => &host.comp[instr],
        None => host.instr(info.made_by.expect("a kernel made it")),
    }
}
