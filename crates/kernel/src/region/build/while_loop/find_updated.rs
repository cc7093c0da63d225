//! Finds the arrays that stay in memory while trips change them.

use super::parts::Parts;
use super::scopes::body;
use super::stacked;
use super::updated::{Change, Updated};
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Opcode};
use rustc_hash::FxHashMap;

impl Parts<'_> {
    /// Whether an update of one of these arrays goes to a place that is not written in the program: where all are, registers have them
    /// without any choice.
    pub(super) fn has_moving_updates(&self) -> bool {
        let moves = |(n, u): (usize, &Updated)| {
            let comp = self.comps[body(n)];
            let is_fixed = |o: &InstrId| comp[*o].opcode == Opcode::Constant;
            u.changes.iter().any(|change| match change {
                Change::Update { at, .. } => !places(&comp[*at]).iter().all(is_fixed),
                Change::Loop { .. } => false,
            })
        };
        let all = self.loops.iter().enumerate();
        all.flat_map(|(n, l)| l.updated.iter().flatten().map(move |u| (n, u))).any(moves)
    }

    /// Which arrays stay in memory while trips change them.
    pub(super) fn find_updated(&mut self) {
        let found = find(self);
        self.loops.iter_mut().zip(found).for_each(|(part, updated)| part.updated = updated);
        self.updated = self.comps.iter().map(|c| vec![false; c.instrs.len()]).collect();
        for n in 0..self.loops.len() {
            for u in self.loops[n].updated.iter().flatten() {
                u.whole.iter().for_each(|id| self.updated[body(n)][id.index()] = true);
            }
        }
        for scope in self.scopes() {
            let comp = self.comps[scope];
            let read = comp.iter().filter_map(|(id, _)| Some((id, self.element_read(scope, id)?)));
            let of_updated = |&(_, (n, e)): &(InstrId, (usize, usize))| self.loops[n].updated[e].is_some();
            let whole: Vec<InstrId> = read.filter(of_updated).map(|(id, _)| id).collect();
            whole.iter().for_each(|id| self.updated[scope][id.index()] = true);
        }
    }
}

/// Of each loop and element of its state what trips do to it, if it is one of the arrays that stay in memory.
pub(super) fn find(parts: &Parts<'_>) -> Vec<Vec<Option<Updated>>> {
    let mut all: Vec<Vec<Option<Updated>>> =
        parts.loops.iter().map(|part| vec![None; part.next.len()]).collect();
    for n in (0..parts.loops.len()).rev() {
        for element in (0..parts.loops[n].next.len()).filter(|&e| parts.loops[n].changes[e]) {
            let next = parts.loops[n].next[element];
            let mut walk = Walk { parts, all: &all, of: (n, element), known: FxHashMap::default() };
            let changes = walk.changes(next).filter(|c| !c.is_empty());
            let whole = walk.known.into_iter().filter(|(_, c)| c.is_some()).map(|(id, _)| id).collect();
            all[n][element] = changes.map(|changes| Updated { changes, whole });
        }
    }
    // An array that no trip reads is stacked; and one that goes through a loop stays in memory in both or in neither.
    let comps = |n: usize| [parts.comp(body(n) - 1), parts.comp(body(n))];
    let mut read: Vec<Vec<bool>> = (0..all.len())
        .map(|n| {
            let next = |e: usize| parts.loops[n].next[e];
            let is_read = |(e, u): (usize, &Option<Updated>)| {
                u.is_some() && stacked::updates(comps(n), e, next(e)).is_none()
            };
            all[n].iter().enumerate().map(is_read).collect()
        })
        .collect();
    let within: Vec<[(usize, usize); 2]> = (0..all.len())
        .flat_map(|n| all[n].iter().enumerate().map(move |(e, u)| ((n, e), u)))
        .flat_map(|(outer, u)| u.iter().flat_map(|u| &u.changes).map(move |c| (outer, c)))
        .filter_map(|(outer, c)| match c {
            Change::Loop { of, element } => Some([outer, (*of, *element)]),
            Change::Update { .. } => None,
        })
        .collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for pair in &within {
            let both = pair.iter().any(|&(n, e)| read[n][e]);
            for &(n, e) in pair.iter().filter(|_| both) {
                changed |= !std::mem::replace(&mut read[n][e], true);
            }
        }
    }
    for (all, read) in all.iter_mut().zip(read) {
        all.iter_mut().zip(read).filter(|(_, read)| !read).for_each(|(u, _)| *u = None);
    }
    all
}

struct Walk<'w, 'a> {
    parts: &'w Parts<'a>,
    all: &'w [Vec<Option<Updated>>],
    of: (usize, usize),
    known: FxHashMap<InstrId, Option<Vec<Change>>>,
}

impl Walk<'_, '_> {
    /// The changes from what a trip starts with to this value.
    fn changes(&mut self, id: InstrId) -> Option<Vec<Change>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let made = self.fresh(id);
        self.known.insert(id, made.clone());
        made
    }

    fn fresh(&mut self, id: InstrId) -> Option<Vec<Change>> {
        let scope = body(self.of.0);
        let comp = self.parts.comp(scope);
        if let Some((n, element)) = self.parts.element_read(scope, id) {
            if n == self.of.0 {
                return (element == self.of.1).then(Vec::new);
            }
            let mut changes = self.changes(self.parts.loops[n].inits[element])?;
            if self.parts.loops[n].changes[element] {
                self.all[n][element].as_ref()?;
                changes.push(Change::Loop { of: n, element });
            }
            return Some(changes);
        }
        let instr = &comp[id];
        match instr.opcode {
            Opcode::Copy => self.changes(instr.operands[0]),
            Opcode::Select => {
                let (x, y) = (self.changes(instr.operands[1])?, self.changes(instr.operands[2])?);
                let (long, short, when) = if x.len() >= y.len() { (x, y, true) } else { (y, x, false) };
                let guard = (instr.operands[0], when);
                let mut changes = long;
                if changes[..short.len()] != short {
                    return None;
                }
                for change in &mut changes[short.len()..] {
                    match change {
                        Change::Update { guards, .. } => guards.push(guard),
                        Change::Loop { .. } => return None,
                    }
                }
                Some(changes)
            }
            _ if is_update(comp, instr) => {
                let mut changes = self.changes(instr.operands[0])?;
                changes.push(Change::Update { at: id, guards: Vec::new() });
                Some(changes)
            }
            _ => None,
        }
    }
}

/// The operands of an update that say where it goes.
fn places(instr: &Instruction) -> &[InstrId] {
    match instr.opcode {
        Opcode::Scatter => &instr.operands[1..2],
        _ => &instr.operands[2..],
    }
}

/// Whether it changes one part of its operand: of a scatter, at each index of its batch dimensions.
fn is_update(comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Scatter(dims) = &instr.attrs else { return instr.opcode == Opcode::DynamicUpdateSlice };
    let indices = comp.operand(instr, 1).shape.as_array();
    let places = indices.map_or(&[][..], |a| &a.dims).iter().enumerate();
    let is_one = |(d, &extent): (usize, &i64)| {
        d == dims.index_vector_dim || extent == 1 || dims.scatter_indices_batching_dims.contains(&d)
    };
    instr.operands.len() == 3 && places.into_iter().all(is_one)
}
