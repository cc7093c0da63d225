//! Growing drafts: one walk over a computation, users before producers.
//!
//! A producer joins the draft that all its users are in; where its users are in several drafts, or on the host too,
//! it joins them all if repeating it is cheaper than its memory, and else becomes the root of its own draft. So
//! a value is computed once wherever it is expensive, and a diamond is one region.

use super::above::operations;
use super::draft::{Draft, View, is_contraction};
use super::narrow::Pieces;
use super::place::Place;
use crate::fusion::limits::{MAX_ARRAYS, MAX_LONG_COPIES, MAX_NODES};
use crate::fusion::role::{Role, Wish, is_updated, wish};
use crate::options::fusion::{FusionBase, FusionSpec, Strategy};
use lawson_hlo::{Attrs, InstrId, Opcode};
use lawson_kernel::cost::{self, Cost};
use lawson_kernel::rates;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::reads_what_is_replaced;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most operations in a chain that is repeated in several kernels.
const MAX_REPEATED: u32 = 4;
/// Arrays of at most this many elements may be computed more often than once for each element.
const TINY: i64 = 64;
/// By how much that may raise the work of a kernel.
const TINY_GROWTH: f64 = 0.1;
/// Copying an array of at most this many bytes before an update is nothing.
const SMALL_BYTES: i64 = 4096;

/// Edges that a finished region turned out not to allow: (producer, root of the consumer's region). A root with
/// itself: its region takes nobody in.
pub type Forbidden = FxHashMap<(InstrId, InstrId), Refusal>;

/// What the walk decided.
pub struct Growth {
    pub drafts: Vec<Draft>,
    /// For each instruction the drafts that compute it.
    pub homes: Vec<Vec<u32>>,
    /// Whether the value of an instruction is in memory.
    pub in_memory: Vec<bool>,
    /// Why a producer did not join a draft that reads it.
    pub refusals: FxHashMap<(InstrId, u32), Refusal>,
    pub joins: u64,
    /// Edges and places looked at: what the walk costs.
    pub steps: u64,
}

pub struct Grower<'a> {
    pub cx: View<'a>,
    pub users: &'a [Vec<InstrId>],
    pub spec: &'a FusionSpec,
    pub forbidden: &'a Forbidden,
    /// Joins that may still be done.
    pub fuel: Option<u64>,
    /// For arrays updated in place the first instruction that does.
    pub updated_at: &'a FxHashMap<InstrId, InstrId>,
    /// Exits of what can be computed where a hero's result is made: see [`super::epilogue`].
    pub epilogues: &'a [bool],
    /// Operations of the longest chain that ends with each value: see [`super::above`].
    pub above: &'a [u32],
    /// Where chains too long for one kernel are cut.
    pub pieces: &'a Pieces,
}

impl Grower<'_> {
    pub fn grow(&self) -> Growth {
        let n = self.cx.comp.instrs.len();
        let mut g = Growth {
            drafts: Vec::new(),
            homes: vec![Vec::new(); n],
            in_memory: vec![false; n],
            refusals: FxHashMap::default(),
            joins: 0,
            steps: 0,
        };
        let mut repeated = vec![0u32; n];
        for id in (0..n as u32).rev().map(InstrId) {
            if self.cx.roles[id.index()].is_kernel() {
                self.place(&mut g, &mut repeated, id);
            }
        }
        g
    }

    /// Finds the drafts that compute `id`.
    fn place(&self, g: &mut Growth, repeated: &mut [u32], id: InstrId) {
        let mut wanted: BTreeMap<u32, f64> = BTreeMap::new();
        let mut host = self.cx.comp.root == id;
        let mut chain = 0;
        let mut cut = BTreeMap::new();
        for &user in &self.users[id.index()] {
            let kernel = self.cx.roles[user.index()].is_kernel();
            host |= !kernel || (self.cx.roles[user.index()] == Role::Rename && g.in_memory[user.index()]);
            chain = chain.max(repeated[user.index()]);
            let between = self.pieces.between(id, user);
            for &d in &g.homes[user.index()] {
                cut.extend(between.map(|nodes| (d, nodes)));
                let debt = wanted.entry(d).or_default();
                *debt = debt.max(g.drafts[d as usize].debt(user));
                g.steps += 1;
            }
        }
        if wanted.is_empty() && !host {
            return;
        }
        let users = wanted.len() + host as usize;
        let several = users > 1;
        let below = chain;
        chain += operations(self.cx, id);
        let mut legal = Vec::new();
        for (&d, &debt) in &wanted {
            g.steps += g.drafts[d as usize].places(id).len() as u64;
            let too_long = cut.get(&d).map(|&nodes| Refusal::CodeSize { nodes, limit: MAX_NODES });
            let piece = too_long.map_or(Ok(()), Err);
            match piece.and_then(|()| self.fits(&g.drafts[d as usize], id, users)) {
                Ok(()) => legal.push((d, debt)),
                Err(refusal) => drop(g.refusals.insert((id, d), refusal)),
            }
        }
        let kept = host || legal.len() < wanted.len();
        let pays = match self.spec.base {
            FusionBase::Max => Ok(()),
            FusionBase::Chance(_) => match self.spec.base.coin(id.0 as u64) {
                Some(false) => Err(Refusal::CostsMore { opcode: self.cx.comp[id].opcode }),
                _ => Ok(()),
            },
            _ if wish(&self.cx.comp[id]) == Some(Wish::Always) => Ok(()),
            _ if self.stays_with_hero(g, id, &legal, several) => Err(match several {
                true => Refusal::Recomputes { opcode: self.cx.comp[id].opcode, users },
                false => Refusal::NotInPlace { opcode: self.cx.comp[id].opcode },
            }),
            _ if several => self.repeating_pays(g, id, &legal, kept, below + self.above[id.index()]),
            _ => legal.iter().try_for_each(|&(d, debt)| self.joining_pays(&g.drafts[d as usize], id, debt)),
        };
        let mut joined = 0;
        for (d, debt) in legal {
            let fuel = match self.fuel {
                Some(fuel) if g.joins >= fuel => Err(Refusal::NoFuel),
                _ => Ok(()),
            };
            match pays.clone().and(fuel) {
                Ok(()) => {
                    g.drafts[d as usize].join(self.cx, id, debt);
                    g.homes[id.index()].push(d);
                    g.joins += 1;
                    joined += 1;
                }
                Err(refusal) => drop(g.refusals.insert((id, d), refusal)),
            }
        }
        let kept = host || joined < wanted.len();
        if kept {
            self.materialise(g, id);
        }
        if joined + kept as usize > 1 {
            repeated[id.index()] = chain;
        }
    }

    /// The value goes to memory: a draft of its own, or for free.
    fn materialise(&self, g: &mut Growth, id: InstrId) {
        g.in_memory[id.index()] = true;
        if self.cx.roles[id.index()] != Role::Rename {
            g.homes[id.index()].push(g.drafts.len() as u32);
            g.drafts.push(Draft::new(self.cx, id));
        }
    }

    /// Whether a draft may take in a producer, as far as can be told without a plan.
    fn fits(&self, draft: &Draft, id: InstrId, users: usize) -> Result<(), Refusal> {
        let comp = self.cx.comp;
        let instr = &comp[id];
        let opcode = instr.opcode;
        let hero = self.cx.roles[id.index()] == Role::Hero;
        self.switched_on(draft, id)?;
        let closed = || self.forbidden.get(&(draft.root, draft.root));
        if let Some(refusal) = self.forbidden.get(&(id, draft.root)).or_else(closed) {
            return Err(refusal.clone());
        }
        if (hero || opcode == Opcode::DynamicUpdateSlice) && users > 1 {
            return Err(Refusal::Recomputes { opcode, users });
        }
        self.keeps_updates_in_place(draft, id)?;
        self.keeps_rows_in_line(draft, id)?;
        if hero {
            self.takes_epilogue(draft, id)?;
        }
        let nodes = draft.nodes + draft.places(id).len();
        if nodes > MAX_NODES {
            return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
        }
        let arrays = draft.input_count() + draft.new_inputs(self.cx, id).count();
        if arrays > MAX_ARRAYS && draft.new_inputs(self.cx, id).count() > 1 {
            return Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS });
        }
        Ok(())
    }

    fn switched_on(&self, draft: &Draft, id: InstrId) -> Result<(), Refusal> {
        let contracts = |h: InstrId| is_contraction(self.cx, h);
        let dot = draft.hero.is_some_and(contracts) || contracts(id);
        let strategy = if dot { Strategy::Dot } else { Strategy::Instruction };
        if self.spec.allows(strategy) { Ok(()) } else { Err(Refusal::SwitchedOff) }
    }

    /// Long rows that are sorted are read in line: a transpose that would have them step through memory is a kernel, which turns
    /// squares.
    fn keeps_rows_in_line(&self, draft: &Draft, id: InstrId) -> Result<(), Refusal> {
        let opcode = self.cx.comp[id].opcode;
        let Attrs::Dims(permutation) = &self.cx.comp[id].attrs else { return Ok(()) };
        let Some(row) = draft.long_sorted_row(self.cx).filter(|_| opcode == Opcode::Transpose) else {
            return Ok(());
        };
        let last = permutation.iter().position(|&d| d + 1 == permutation.len());
        let steps = |p: &Place| last.is_some_and(|d| p.dims[d] & row == 0);
        if draft.places(id).iter().any(steps) { Err(Refusal::CostsMore { opcode }) } else { Ok(()) }
    }

    /// An array that is updated in place is read by nobody else in that kernel, nor by a later one; but what is replaced
    /// may be read where it is replaced.
    fn keeps_updates_in_place(&self, draft: &Draft, id: InstrId) -> Result<(), Refusal> {
        let comp = self.cx.comp;
        let operands = &comp[id].operands;
        if let Some(hero) = draft.hero {
            let hero = &comp[hero];
            if reads_what_is_replaced(comp, &comp[id], hero) {
                return Ok(());
            }
            let updated = |n: usize| is_updated(hero.opcode, hero.operands.len(), n);
            for (_, target) in hero.operands.iter().enumerate().filter(|(n, _)| updated(*n)) {
                if *target == id || operands.contains(target) {
                    return Err(Refusal::UpdatedInPlace);
                }
            }
        }
        let overtaken = operands.iter().any(|o| {
            let large = comp[*o].shape.leaves().iter().any(|l| l.bytes() > SMALL_BYTES);
            self.updated_at.get(o).is_some_and(|&at| large && id < at && at < draft.root)
        });
        if overtaken { Err(Refusal::UpdatedInPlace) } else { Ok(()) }
    }

    /// A map becomes the epilogue of a hero that it reads where it is made.
    fn takes_epilogue(&self, draft: &Draft, id: InstrId) -> Result<(), Refusal> {
        let comp = self.cx.comp;
        let opcode = comp[id].opcode;
        if let Some(hero) = draft.hero {
            return Err(Refusal::SecondHero { first: opcode, second: comp[hero].opcode });
        }
        if matches!(opcode, Opcode::Sort | Opcode::TopK | Opcode::Scatter | Opcode::SelectAndScatter) {
            return Err(Refusal::NeedsWholeOperand { opcode });
        }
        let (Some(made), Some(read)) = (comp[id].shape.as_array(), comp[draft.root].shape.as_array()) else {
            return Err(Refusal::SeveralResults { opcode });
        };
        let in_place = made.dims == read.dims && draft.places(id).iter().all(|p| p.identity);
        if in_place { Ok(()) } else { Err(Refusal::NotInPlace { opcode }) }
    }

    /// As an epilogue a value costs nothing; no kernel that reads it elsewhere, or one of several, gets it cheaper.
    fn stays_with_hero(&self, g: &Growth, id: InstrId, legal: &[(u32, f64)], several: bool) -> bool {
        let in_place = |d: u32| g.drafts[d as usize].places(id).iter().all(|p| p.identity);
        self.epilogues[id.index()] && (several || legal.iter().any(|&(d, _)| !in_place(d)))
    }

    /// Whether the only draft that reads a value should compute it.
    fn joining_pays(&self, draft: &Draft, id: InstrId, debt: f64) -> Result<(), Refusal> {
        let instr = &self.cx.comp[id];
        let opcode = instr.opcode;
        if self.cx.roles[id.index()] != Role::Map {
            return Ok(());
        }
        self.reads_once(draft, id)?;
        let target = self.cx.target;
        let alone = self.alone(id);
        let bytes = 2 * instr.shape.expect_array().bytes();
        let saved = cost::launch_us(alone.work, target) + cost::bytes_us(bytes, bytes, target);
        let in_use = alone.bytes() + draft.cost.bytes();
        let separate = alone.us_among(in_use, target) + draft.cost.us_among(in_use, target);
        let together = draft.cost_with(self.cx, id).us_among(in_use, target);
        // Where arithmetic hides the memory both take the same time, and one kernel needs less memory.
        let pays = together <= separate * (1.0 + 1e-9) && debt + draft.extra_us(self.cx, id) <= saved;
        if pays { Ok(()) } else { Err(Refusal::CostsMore { opcode }) }
    }

    /// Whether each of several drafts should compute a value for itself. `kept` tells that it is in memory anyway; `chain` is what all
    /// of them would repeat in the end.
    fn repeating_pays(
        &self,
        g: &Growth,
        id: InstrId,
        legal: &[(u32, f64)],
        kept: bool,
        chain: u32,
    ) -> Result<(), Refusal> {
        let opcode = self.cx.comp[id].opcode;
        if self.cx.roles[id.index()] == Role::Rename {
            return Ok(());
        }
        let drafts = || legal.iter().map(|&(d, _)| &g.drafts[d as usize]);
        let recomputes = Refusal::Recomputes { opcode, users: legal.len() + kept as usize };
        let tiny = drafts().all(|d| self.is_tiny(d, id));
        let users = legal.len() + kept as usize;
        let long = rates::is_long(&self.cx.comp[id]) && users > MAX_LONG_COPIES;
        if (rates::is_expensive(&self.cx.comp[id]) && !tiny) || long || chain > MAX_REPEATED {
            return Err(recomputes);
        }
        for draft in drafts() {
            self.reads_once(draft, id)?;
        }
        let target = self.cx.target;
        let alone = self.alone(id);
        let in_use = alone.bytes() + drafts().map(|d| d.cost.bytes()).sum::<i64>();
        let us = |cost: Cost| cost.us_among(in_use, target);
        let separate = if kept { 0.0 } else { us(alone) } + drafts().map(|d| us(d.cost)).sum::<f64>();
        let together: f64 = drafts().map(|d| us(d.cost_with(self.cx, id))).sum();
        if together < separate { Ok(()) } else { Err(recomputes) }
    }

    /// Nothing expensive is computed more often than once for each element.
    fn reads_once(&self, draft: &Draft, id: InstrId) -> Result<(), Refusal> {
        let opcode = self.cx.comp[id].opcode;
        let times = draft.times(self.cx, id);
        if !rates::is_expensive(&self.cx.comp[id]) || times <= 1.0 + TINY_GROWTH || self.is_tiny(draft, id) {
            return Ok(());
        }
        Err(Refusal::ReusesElements { opcode, times: times.ceil() as i64 })
    }

    /// A few elements, outside the innermost loop, that hardly add to the work.
    fn is_tiny(&self, draft: &Draft, id: InstrId) -> bool {
        let elements = self.cx.comp[id].shape.leaves().iter().map(|l| l.elements()).sum::<i64>();
        elements <= TINY
            && !draft.varies_along_lanes(id)
            && draft.extra_work(self.cx, id) <= TINY_GROWTH * draft.cost.work
    }

    /// The kernel of the instruction by itself.
    fn alone(&self, id: InstrId) -> Cost {
        Draft::new(self.cx, id).cost
    }
}
