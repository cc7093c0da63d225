//! What a join means for the verdicts on edges: those that are inside a kernel now are fused, and those between
//! two kernels that would not join have a new reason.

use super::clusters::Clusters;
use super::host::{Host, UnitId};
use crate::report::Decision;
use lawson_hlo::{Attrs, Computation, InstrId, Module, Opcode};
use lawson_kernel::refusal::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Where each name is computed: the kernel, by its position among the kernels, and the instruction there.
struct Kernels<'a> {
    /// `None` where it is one instruction.
    bodies: Vec<Option<&'a Computation>>,
    places: FxHashMap<&'a Arc<str>, Vec<(usize, InstrId)>>,
    /// What kernels write.
    written: FxHashSet<&'a Arc<str>>,
    /// What instructions of kernels read there, of those that were asked about.
    reads: FxHashMap<(usize, InstrId), FxHashSet<&'a Arc<str>>>,
}

impl<'a> Kernels<'a> {
    fn of(module: &'a Module, comp: &'a Computation) -> Kernels<'a> {
        let mut cx = Kernels {
            bodies: Vec::new(),
            places: FxHashMap::default(),
            written: FxHashSet::default(),
            reads: FxHashMap::default(),
        };
        for (id, instr) in comp.iter() {
            if matches!(
                instr.opcode,
                Opcode::Parameter | Opcode::Constant | Opcode::Tuple | Opcode::GetTupleElement
            ) {
                continue;
            }
            let Attrs::Fusion { calls, .. } = instr.attrs else {
                cx.written.insert(&instr.name);
                cx.places.entry(&instr.name).or_default().push((cx.bodies.len(), id));
                cx.bodies.push(None);
                continue;
            };
            let body = &module[calls];
            for (id, inner) in body.iter() {
                if !matches!(inner.opcode, Opcode::Parameter | Opcode::Constant) {
                    cx.places.entry(&inner.name).or_default().push((cx.bodies.len(), id));
                }
            }
            let root = body.root();
            match root.opcode {
                Opcode::Tuple => cx.written.extend(root.operands.iter().map(|o| &body[*o].name)),
                _ => drop(cx.written.insert(&root.name)),
            }
            cx.bodies.push(Some(body));
        }
        cx
    }

    /// The operation of that name in the kernels.
    fn opcode(&self, name: &Arc<str>) -> Option<Opcode> {
        let &(kernel, id) = self.places.get(name)?.first()?;
        self.bodies[kernel].map(|body| body[id].opcode)
    }

    /// Whether every kernel that computes the consumer computes what it reads of the producer.
    fn inside(&mut self, producer: &Arc<str>, consumer: &Arc<str>) -> bool {
        let places = self.places.get(consumer).map_or(&[][..], |p| p);
        let reads = |&(kernel, id): &(usize, InstrId)| {
            let Some(body) = self.bodies[kernel] else { return false };
            self.reads.entry((kernel, id)).or_insert_with(|| names_read(body, id)).contains(producer)
        };
        !places.is_empty() && places.iter().all(reads)
    }
}

/// The names of what an instruction reads within its kernel, and of that behind what costs nothing.
fn names_read(body: &Computation, id: InstrId) -> FxHashSet<&Arc<str>> {
    use Opcode::{Copy, GetTupleElement, Reshape, Transpose};
    let free = |o: Opcode| matches!(o, Reshape | Copy | GetTupleElement | Transpose);
    let mut names = FxHashSet::default();
    for &operand in &body[id].operands {
        let mut at = &body[operand];
        while free(at.opcode) {
            names.insert(&at.name);
            at = body.operand(at, 0);
        }
        if at.opcode != Opcode::Parameter {
            names.insert(&at.name);
        }
    }
    names
}

/// What is known after a pass over one computation.
pub struct After<'a> {
    pub pass: &'static str,
    pub host: &'a Host<'a>,
    pub clusters: &'a Clusters,
    /// Pairs that stayed apart, by the units that their clusters began as, in the order they were tried.
    pub refusals: &'a [(UnitId, UnitId, Refusal)],
}

/// Brings up to date the decisions on edges that were `kept` in one computation; `comp` is the new one.
pub fn update(
    after: &After<'_>,
    decisions: &mut [Decision],
    kept: &[usize],
    module: &Module,
    comp: &Computation,
) {
    let mut kernels = Kernels::of(module, comp);
    let units = units_of(module, after.host);
    let mut apart: FxHashMap<(u32, u32), &Refusal> = FxHashMap::default();
    for (a, b, refusal) in after.refusals {
        let home = |u: &UnitId| after.clusters.homes(*u).first().copied();
        if let (Some(a), Some(b)) = (home(a), home(b)) {
            apart.insert((a.min(b), a.max(b)), refusal);
        }
    }
    let mut saved: FxHashSet<Arc<str>> = FxHashSet::default();
    for &n in kept {
        let d = &mut decisions[n];
        if kernels.inside(&d.producer, &d.consumer) {
            let write = !kernels.written.contains(&d.producer) && saved.insert(d.producer.clone());
            d.fuse(after.pass, write);
            continue;
        }
        let home = |name: &Arc<str>| {
            let unit = *units.get(name)?;
            after.clusters.homes(unit).first().copied()
        };
        if let (Some(p), Some(c)) = (home(&d.producer), home(&d.consumer))
            && let Some(refusal) = apart.get(&(p.min(c), p.max(c)))
            && says_more(refusal, d.refusal.as_ref())
        {
            d.refuse(after.pass, (*refusal).clone());
        }
    }
}

/// Brings all decisions of one computation up to date after a pass that moved operations between kernels: what is
/// inside a kernel now, what goes through memory again, what is no longer or newly written.
pub fn renew(
    pass: &'static str,
    decisions: &mut [Decision],
    module: &Module,
    [old, comp]: [&Computation; 2],
) {
    let (mut before, mut kernels) = (Kernels::of(module, old), Kernels::of(module, comp));
    let mut saved: FxHashSet<Arc<str>> = FxHashSet::default();
    for d in decisions.iter_mut().filter(|d| d.computation == comp.name) {
        let written = kernels.written.contains(&d.producer);
        match (d.fused, kernels.inside(&d.producer, &d.consumer)) {
            (false, true) => d.fuse(pass, !written && saved.insert(d.producer.clone())),
            (true, false) if before.inside(&d.producer, &d.consumer) => {
                let opcode = before.opcode(&d.producer).unwrap_or(Opcode::Fusion);
                d.refuse(pass, Refusal::CostsMore { opcode });
            }
            (true, _) if written && d.unwritten => d.fuse(d.pass, false),
            _ => {}
        }
    }
}

/// Whether a new reason is better than an old one: that there is no plan explains nothing that is known better.
fn says_more(new: &Refusal, old: Option<&Refusal>) -> bool {
    use Refusal::*;
    let vague = matches!(new, NotInPlace { .. } | NotStaged { .. } | SecondHero { .. } | TooManyTries { .. });
    let economic = |r: &Refusal| {
        matches!(
            r,
            Recomputes { .. }
                | ReusesElements { .. }
                | CostsMore { .. }
                | SwitchedOff
                | SeveralResults { .. }
        )
    };
    !vague || old.is_none_or(economic)
}

/// The first unit that computes each name.
fn units_of<'a>(module: &'a Module, host: &'a Host<'_>) -> FxHashMap<&'a Arc<str>, UnitId> {
    let mut units = FxHashMap::default();
    for (n, unit) in host.units.iter().enumerate() {
        let instr = &host.comp[unit.instr];
        if let Attrs::Fusion { calls, .. } = instr.attrs {
            for inner in module[calls].instrs.iter().filter(|i| i.opcode != Opcode::Parameter) {
                units.entry(&inner.name).or_insert(n as UnitId);
            }
        }
        units.entry(&instr.name).or_insert(n as UnitId);
    }
    units
}
