//! A computation as the host sees it: units that run one after the other, and the arrays between them.
//!
//! Tuples, their elements and renames are seen through: an array that passes through them is the same array. What
//! neither the result nor an effect needs is no unit: the host does not run it either.

use crate::effects::{Effects, pinned};
use crate::fusion::role::{Role, is_updated, role};
use crate::live::Live;
use crate::parts::Parts;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::refusal::Refusal;
use rustc_hash::FxHashSet;

/// A unit, by its position in [`Host::units`].
pub type UnitId = u32;
/// An array, by its position in [`Host::arrays`].
pub type ArrayId = u32;

/// Something the host runs: a kernel, a loop, a call of the outside world.
pub struct Unit {
    pub instr: InstrId,
    /// Whether it may share a kernel.
    pub kernel: Result<(), Refusal>,
    /// Distinct, in order of first use.
    pub reads: Vec<ArrayId>,
    /// One for each array leaf of the result.
    pub defines: Vec<ArrayId>,
    /// Units that must have run before, whatever arrays say, and those that must run after.
    pub after: Vec<UnitId>,
    pub before: Vec<UnitId>,
}

/// An array between units.
pub struct Array {
    /// `None` for parameters and constants.
    pub made_by: Option<UnitId>,
    pub users: Vec<UnitId>,
    pub bytes: i64,
    /// Of these, bytes of the arena: results of the entry have memory of their own.
    pub held: i64,
    /// Part of the computation's result.
    pub kept: bool,
    /// The instruction that is this array and no more, if there is one.
    pub instr: Option<InstrId>,
}

pub struct Host<'a> {
    pub comp: &'a Computation,
    pub roles: Vec<Role>,
    pub units: Vec<Unit>,
    pub arrays: Vec<Array>,
    /// For each instruction the arrays it stands for; none for those that nothing needs.
    pub leaves: Vec<Vec<ArrayId>>,
    pub unit_of: Vec<Option<UnitId>>,
    live: Live,
}

impl<'a> Host<'a> {
    /// `effects` knows the computations that are called; the flag tells the entry.
    pub fn of(module: &Module, effects: &Effects, (comp, is_entry): (&'a Computation, bool)) -> Host<'a> {
        let pinned = pinned(comp);
        let roles = comp.iter().map(|(id, _)| role(comp, id, pinned.contains(&id))).collect();
        let n = comp.instrs.len();
        let mut host = Host {
            comp,
            roles,
            units: Vec::new(),
            arrays: Vec::new(),
            leaves: Vec::with_capacity(n),
            unit_of: vec![None; n],
            live: Live::of(comp, effects),
        };
        let mut parts = Parts::default();
        for (id, instr) in comp.iter() {
            let leaves = match host.live.is_needed(id) {
                true => host.visit(id, instr, &pinned, &mut parts),
                false => Vec::new(),
            };
            if let ([leaf], Shape::Array(_)) = (&leaves[..], &instr.shape) {
                host.arrays[*leaf as usize].instr.get_or_insert(id);
            }
            host.leaves.push(leaves);
        }
        for leaf in &host.leaves[comp.root.index()] {
            let array = &mut host.arrays[*leaf as usize];
            array.kept = true;
            array.held *= !is_entry as i64;
        }
        host.order_effects(effects);
        host.order_updates(module);
        host
    }

    fn visit(
        &mut self,
        id: InstrId,
        instr: &Instruction,
        pinned: &FxHashSet<InstrId>,
        parts: &mut Parts,
    ) -> Vec<ArrayId> {
        let operand = |n: usize| &self.leaves[instr.operands[n].index()];
        match (instr.opcode, &instr.attrs) {
            (Opcode::Parameter | Opcode::Constant, _) => return self.made(instr, None),
            _ if pinned.contains(&id) => {}
            _ if self.behind(id) != id => return self.leaves[self.behind(id).index()].clone(),
            (Opcode::Tuple, _) => {
                return instr.operands.iter().flat_map(|o| self.leaves[o.index()].clone()).collect();
            }
            (Opcode::GetTupleElement, Attrs::TupleIndex(index)) => {
                if let Some(range) = parts.leaves(self.comp, instr.operands[0], *index) {
                    return operand(0)[range].to_vec();
                }
            }
            _ if self.roles[id.index()] == Role::Rename => return operand(0).clone(),
            _ => {}
        }
        self.add_unit(id, instr)
    }

    fn made(&mut self, instr: &Instruction, made_by: Option<UnitId>) -> Vec<ArrayId> {
        let first = self.arrays.len() as ArrayId;
        for leaf in instr.shape.leaves() {
            let bytes = if made_by.is_some() { leaf.bytes() } else { 0 };
            self.arrays.push(Array {
                made_by,
                users: Vec::new(),
                bytes,
                held: bytes,
                kept: false,
                instr: None,
            });
        }
        (first..self.arrays.len() as ArrayId).collect()
    }

    fn add_unit(&mut self, id: InstrId, instr: &Instruction) -> Vec<ArrayId> {
        let unit = self.units.len() as UnitId;
        self.unit_of[id.index()] = Some(unit);
        let kernel = match &self.roles[id.index()] {
            _ if instr.opcode == Opcode::Fusion => Ok(()),
            role if role.is_kernel() => Ok(()),
            Role::Host(refusal) => Err(refusal.clone()),
            _ => Err(Refusal::Host { opcode: instr.opcode }),
        };
        let mut reads: Vec<ArrayId> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut after = Vec::new();
        for operand in &instr.operands {
            let leaves = &self.leaves[operand.index()];
            reads.extend(leaves.iter().filter(|l| seen.insert(**l)));
            // A token orders, and has no arrays.
            after.extend(self.unit_of[operand.index()].filter(|_| leaves.is_empty()));
        }
        let notes = instr.notes.iter().flat_map(|n| &n.control_predecessors);
        after.extend(notes.filter_map(|p| self.unit_of[p.index()]));
        for &read in &reads {
            self.arrays[read as usize].users.push(unit);
        }
        for &first in &after {
            self.units[first as usize].before.push(unit);
        }
        let defines = self.made(instr, Some(unit));
        self.units.push(Unit {
            instr: id,
            kernel,
            reads,
            defines: defines.clone(),
            after,
            before: Vec::new(),
        });
        defines
    }

    fn order(&mut self, first: UnitId, second: UnitId) {
        self.units[first as usize].before.push(second);
        self.units[second as usize].after.push(first);
    }

    /// Side effects happen in the order of the text.
    fn order_effects(&mut self, effects: &Effects) {
        let mut last = None;
        for unit in 0..self.units.len() as UnitId {
            if effects.has(&self.comp[self.units[unit as usize].instr]) {
                last.replace(unit).iter().for_each(|&l| self.order(l, unit));
            }
        }
    }

    /// Who reads an array that another updates in place reads it before.
    fn order_updates(&mut self, module: &Module) {
        for unit in 0..self.units.len() as UnitId {
            for array in updated(module, self, unit) {
                let readers: Vec<UnitId> =
                    self.arrays[array as usize].users.iter().copied().take_while(|&u| u < unit).collect();
                readers.into_iter().for_each(|reader| self.order(reader, unit));
            }
        }
    }

    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id as usize]
    }

    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id as usize]
    }

    /// [`Live::behind`]: the other operands of a tuple may be made later, or be inside kernels.
    pub fn behind(&self, id: InstrId) -> InstrId {
        self.live.behind(id)
    }

    pub fn instr(&self, id: UnitId) -> &'a Instruction {
        &self.comp[self.unit(id).instr]
    }
}

/// The arrays whose memory a kernel takes over.
pub fn updated(module: &Module, host: &Host<'_>, unit: UnitId) -> Vec<ArrayId> {
    let instr = host.instr(unit);
    let outside = |o: &InstrId| host.leaves[o.index()].first().copied();
    let Attrs::Fusion { calls, .. } = instr.attrs else {
        let all = instr.operands.len();
        let taken = (0..all).filter(|&n| is_updated(instr.opcode, all, n));
        return taken.filter_map(|n| outside(&instr.operands[n])).collect();
    };
    let body = &module[calls];
    let mut out = Vec::new();
    for inner in &body.instrs {
        let all = inner.operands.len();
        for n in (0..all).filter(|&n| is_updated(inner.opcode, all, n)) {
            if let Attrs::Parameter(p) = body[inner.operands[n]].attrs {
                out.extend(outside(&instr.operands[p]));
            }
        }
    }
    out
}
