//! Kernels as they would be after a choice: backward kernels that compute residuals again, forward kernels that write
//! only what is still read.

use super::border::{Half, half};
use super::graph::{Graph, Kernel, KernelId, Source, ValueId};
use super::groups::is_repeatable;
use super::network::Choice;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Values that a kernel may compute besides to write one that is made of them.
const MAX_CHAIN: usize = 64;

/// Who reads and who writes each value, kept up to date while kernels change.
pub struct Uses {
    readers: Vec<Vec<KernelId>>,
    makers: Vec<Option<KernelId>>,
    /// Kernels that computed each value in the beginning, in order.
    holders: Vec<Vec<KernelId>>,
}

impl Uses {
    pub fn of(graph: &Graph<'_>) -> Uses {
        let none = graph.values.len();
        let mut uses = Uses {
            readers: vec![Vec::new(); none],
            makers: vec![None; none],
            holders: vec![Vec::new(); none],
        };
        for (id, kernel) in graph.kernels.iter().enumerate() {
            let id = id as KernelId;
            kernel.reads.iter().for_each(|&v| uses.readers[v as usize].push(id));
            kernel.values.iter().for_each(|&v| uses.holders[v as usize].push(id));
            kernel.outputs.iter().for_each(|&v| _ = uses.makers[v as usize].get_or_insert(id));
        }
        uses
    }

    /// Room for values that the graph has got since.
    pub fn grow(&mut self, graph: &Graph<'_>) {
        self.readers.resize(graph.values.len(), Vec::new());
        self.makers.resize(graph.values.len(), None);
        self.holders.resize(graph.values.len(), Vec::new());
    }

    /// The kernels that read a value from memory, in order.
    pub fn readers(&self, v: ValueId) -> &[KernelId] {
        &self.readers[v as usize]
    }

    /// The kernel that writes it.
    pub fn maker(&self, v: ValueId) -> Option<KernelId> {
        self.makers[v as usize]
    }

    /// Puts a kernel in the place of another.
    pub fn replace(&mut self, id: KernelId, old: &Kernel, new: &Kernel) {
        old.reads.iter().for_each(|&v| self.readers[v as usize].retain(|&k| k != id));
        for &v in &new.reads {
            let readers = &mut self.readers[v as usize];
            let at = readers.partition_point(|&k| k < id);
            readers.insert(at, id);
        }
        for &v in &old.outputs {
            let maker = &mut self.makers[v as usize];
            maker.take_if(|k| *k == id);
        }
        new.outputs.iter().for_each(|&v| _ = self.makers[v as usize].get_or_insert(id));
    }
}

/// The kernels that a choice changes; one that computes nothing any more is gone.
pub type Proposal = BTreeMap<KernelId, Kernel>;

/// What a choice makes of the kernels. `None` where something that is saved has no kernel that could write it.
/// Where several kernels could, it is the one of that number.
pub fn propose(
    graph: &Graph<'_>,
    uses: &Uses,
    kernels: &[KernelId],
    (choice, which): (&Choice, usize),
) -> Option<Proposal> {
    let mut new = Proposal::new();
    let none = Choice::default();
    let rebuilt = |id: KernelId, outputs: Vec<ValueId>| {
        let old = &graph.kernels[id as usize];
        let choice = if kernels.contains(&id) { choice } else { &none };
        let added = outputs.iter().filter(|o| !old.outputs.contains(o));
        let besides = added.filter_map(|&o| chain(graph, uses, id, o)).flatten().collect();
        rebuilt(graph, old, outputs, (choice, &besides))
    };
    for &id in kernels {
        let old = &graph.kernels[id as usize];
        let changed = rebuilt(id, old.outputs.clone());
        if changed.reads != old.reads {
            new.insert(id, changed);
        }
    }
    // What must be written that nobody writes, and what need not be any more.
    let mut outputs: BTreeMap<KernelId, Vec<ValueId>> = BTreeMap::new();
    let added: BTreeSet<ValueId> = new.values().flat_map(|k| &k.reads).copied().collect();
    for v in added {
        let value = graph.value(v);
        if value.outside || value.uniform || uses.maker(v).is_some() {
            continue;
        }
        let first = *new.iter().find(|(_, k)| k.reads.binary_search(&v).is_ok())?.0;
        let maker = *makers(graph, uses, v, first).iter().filter(|k| !new.contains_key(k)).nth(which)?;
        outputs.entry(maker).or_insert_with(|| graph.kernels[maker as usize].outputs.clone()).push(v);
    }
    let mut look: Vec<ValueId> = new
        .iter()
        .flat_map(|(id, k)| {
            graph.kernels[*id as usize].reads.iter().filter(|v| k.reads.binary_search(v).is_err())
        })
        .copied()
        .collect();
    look.sort_unstable();
    look.dedup();
    while let Some(v) = look.pop() {
        let Some(maker) = uses.maker(v) else { continue };
        if graph.kept.contains(&v) || graph.kernels[maker as usize].fixed || is_read(graph, uses, &new, v) {
            continue;
        }
        let left = outputs.entry(maker).or_insert_with(|| graph.kernels[maker as usize].outputs.clone());
        left.retain(|&o| o != v);
        // What it read only for that is looked at next.
        let left = left.clone();
        let before = new.get(&maker).unwrap_or(&graph.kernels[maker as usize]).reads.clone();
        let kernel = rebuilt(maker, left);
        look.extend(before.iter().filter(|r| kernel.reads.binary_search(r).is_err()));
        new.insert(maker, kernel);
    }
    for (maker, outputs) in outputs {
        new.insert(maker, rebuilt(maker, outputs));
    }
    Some(new)
}

/// The kernels before `reader` that could write a value, best first: those that compute it, those that compute what it is
/// made of, those that read that.
fn makers(graph: &Graph<'_>, uses: &Uses, v: ValueId, reader: KernelId) -> Vec<KernelId> {
    // Bits are packed where the mask is made.
    let made = match graph.value(v).source {
        Source::Bits(_) => graph.value(v).operands[0],
        _ => v,
    };
    let mut all: Vec<KernelId> = uses.holders[made as usize].iter().rev().copied().collect();
    let stops = stops(graph, made);
    all.extend(stops.iter().flat_map(|&s| uses.holders[s as usize].iter().rev()));
    all.extend(stops.iter().flat_map(|&s| uses.readers(s)));
    let mut seen: FxHashSet<KernelId> = FxHashSet::default();
    let able = |&k: &KernelId| {
        let kernel = &graph.kernels[k as usize];
        k < reader
            && !kernel.fixed
            && half(graph, kernel) == Half::Forward
            && chain(graph, uses, k, v).is_some()
    };
    all.retain(|k| seen.insert(*k) && able(k));
    all
}

/// What a value is made of that is not computed again.
fn stops(graph: &Graph<'_>, v: ValueId) -> Vec<ValueId> {
    let mut seen: FxHashSet<ValueId> = FxHashSet::from_iter([v]);
    let (mut stack, mut stops) = (vec![v], Vec::new());
    while let Some(v) = stack.pop() {
        if graph.value(v).uniform || seen.len() > MAX_CHAIN {
            continue;
        }
        if !is_repeatable(graph, v) {
            stops.push(v);
            continue;
        }
        stack.extend(graph.value(v).operands.iter().filter(|o| seen.insert(**o)));
    }
    stops.sort_unstable();
    stops.reverse();
    stops
}

/// What a kernel that has not computed a value computes for it, if what it is made of is there or in memory.
fn chain(graph: &Graph<'_>, uses: &Uses, id: KernelId, v: ValueId) -> Option<Vec<ValueId>> {
    let kernel = &graph.kernels[id as usize];
    let (mut stack, mut chain) = (vec![v], Vec::new());
    while let Some(next) = stack.pop() {
        let value = graph.value(next);
        if kernel.values.binary_search(&next).is_ok() || value.uniform || chain.contains(&next) {
            continue;
        }
        let in_memory = match uses.maker(next) {
            Some(maker) => maker < id,
            None => value.outside,
        };
        if in_memory && next != v {
            continue;
        }
        if value.outside || chain.len() > MAX_CHAIN || next != v && !is_repeatable(graph, next) {
            return None;
        }
        chain.push(next);
        stack.extend(&value.operands);
    }
    Some(chain)
}

fn is_read(graph: &Graph<'_>, uses: &Uses, new: &Proposal, v: ValueId) -> bool {
    let still = |k: &KernelId| match new.get(k) {
        Some(kernel) => kernel.reads.binary_search(&v).is_ok(),
        None => graph.kernels[*k as usize].reads.binary_search(&v).is_ok(),
    };
    uses.readers(v).iter().any(still) || new.values().any(|k| k.reads.binary_search(&v).is_ok())
}

/// The kernel that writes `outputs`, where it need not read what is computed again and reads what is saved, and computes
/// `besides` what it has not computed before.
fn rebuilt(
    graph: &Graph<'_>,
    old: &Kernel,
    outputs: Vec<ValueId>,
    (choice, besides): (&Choice, &FxHashSet<ValueId>),
) -> Kernel {
    let pure = half(graph, old) == Half::Backward;
    let mut seen: FxHashSet<ValueId> = outputs.iter().copied().collect();
    let mut stack: Vec<ValueId> = outputs.clone();
    let mut values: Vec<ValueId> = Vec::new();
    let mut unpacked: Vec<(ValueId, ValueId)> = Vec::new();
    let mut instead: Vec<(ValueId, ValueId)> = Vec::new();
    while let Some(v) = stack.pop() {
        let value = graph.value(v);
        if value.outside {
            continue;
        }
        let inside = old.values.binary_search(&v).is_ok() || old.instead.iter().any(|i| i.0 == v);
        let output = outputs.contains(&v);
        let saved = choice.saved.contains(&v) && pure && !output;
        let computed =
            value.uniform || output || choice.again.contains(&v) || besides.contains(&v) || inside && !saved;
        if !computed {
            let known = old.unpacked.iter().find(|u| u.0 == v).map(|u| u.1);
            unpacked.extend(choice.bits.get(&v).copied().or(known).map(|bits| (v, bits)));
            continue;
        }
        let known = old.instead.iter().find(|i| i.0 == v).map(|i| i.1);
        let other = choice.instead.get(&v).copied().filter(|_| pure).or(known);
        instead.extend(other.map(|other| (v, other)));
        let source = other.unwrap_or(v);
        values.push(source);
        stack.extend(graph.value(source).operands.iter().filter(|o| seen.insert(**o)));
    }
    // Where what another way starts from is computed here too, so is what that is made of, as the value itself is; and the
    // way might lead in a circle.
    instead.retain(|&(v, other)| {
        let (old, new) = (&graph.value(v).operands, &graph.value(other).operands);
        let circle = old.iter().zip(new).any(|(o, n)| o != n && values.contains(n));
        if circle {
            values.retain(|&computed| computed != other);
            values.push(v);
        }
        !circle
    });
    values.sort_unstable();
    unpacked.sort_unstable();
    instead.sort_unstable();
    let mut reads = graph.reads(&values);
    reads.retain(|r| unpacked.iter().chain(&instead).all(|u| u.0 != *r));
    reads.extend(unpacked.iter().map(|u| u.1));
    reads.sort_unstable();
    Kernel { values, reads, outputs, unpacked, instead, fixed: old.fixed }
}
