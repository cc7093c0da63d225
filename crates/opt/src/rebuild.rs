//! How passes walk a module: computation by computation, callees first, into a new list.
//!
//! Callees always stand before callers, so a pass may add computations (a comparator, the body of a loop it
//! makes) before the one it is at; every later reference is renumbered here.

use lawson_hlo::{CompId, Computation, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The module under construction: the computations before the current one, final.
pub struct Rebuild<'a> {
    pub module: &'a mut Module,
    /// Names that are taken, those of computations still to come included.
    names: FxHashSet<Arc<str>>,
    /// For each stem the number last given, so that finding a free name takes constant time.
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Rebuild<'_> {
    /// Adds a computation before the current one, renamed if its name is taken.
    pub fn add(&mut self, mut comp: Computation) -> CompId {
        let wanted = comp.name.clone();
        let stem = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
        let mut free = self.names.insert(comp.name.clone());
        if !free {
            let n = self.numbers.entry(stem.into()).or_default();
            while !free {
                *n += 1;
                comp.name = format!("{stem}.{n}").into();
                free = self.names.insert(comp.name.clone());
            }
        }
        self.push(comp)
    }

    /// Takes the computations added since there were `len` back; nothing may refer to them.
    pub fn take_back(&mut self, len: usize) {
        for comp in self.module.computations.drain(len..) {
            self.names.remove(&comp.name);
        }
        // So that names come out as if those had never been.
        self.numbers.clear();
    }

    fn push(&mut self, comp: Computation) -> CompId {
        self.module.computations.push(comp);
        CompId(self.module.computations.len() as u32 - 1)
    }
}

/// Replaces every computation by what `f` makes of it: `f` gets the old one with its references already
/// renumbered, and says whether it changed it. Returns whether any was.
///
/// `f` is told whether the computation is the entry.
pub fn each_computation(
    module: &mut Module,
    mut f: impl FnMut(&mut Rebuild<'_>, Computation, bool) -> (Computation, bool),
) -> bool {
    let old = std::mem::take(&mut module.computations);
    let entry = module.entry;
    let names = old.iter().map(|c| c.name.clone()).collect();
    let mut cx = Rebuild { module, names, numbers: FxHashMap::default() };
    let mut map: Vec<CompId> = Vec::with_capacity(old.len());
    let mut any = false;
    for (index, mut comp) in old.into_iter().enumerate() {
        for instr in &mut comp.instrs {
            instr.attrs.map_called(|c| map[c.index()]);
        }
        let (new, changed) = f(&mut cx, comp, index == entry.index());
        any |= changed;
        map.push(cx.push(new));
    }
    module.entry = map[entry.index()];
    any
}

/// Keeps the computations that `keep` names, in order. References to the others must be gone.
pub fn retain_computations(module: &mut Module, keep: &[bool]) {
    let mut map: Vec<Option<CompId>> = Vec::with_capacity(keep.len());
    let mut next = 0;
    for &kept in keep {
        map.push(kept.then_some(CompId(next)));
        next += kept as u32;
    }
    let mut index = 0;
    module.computations.retain(|_| {
        index += 1;
        keep[index - 1]
    });
    for instr in module.computations.iter_mut().flat_map(|c| &mut c.instrs) {
        instr.attrs.map_called(|c| map[c.index()].expect("called computations are kept"));
    }
    module.entry = map[module.entry.index()].expect("the entry is kept");
}
