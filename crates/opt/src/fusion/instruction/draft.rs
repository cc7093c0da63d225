//! Drafts: regions while they grow.
//!
//! A draft has one root, whose value it writes, and takes in producers one by one. It knows at which places each
//! member and each array it reads is evaluated, and from these its cost. Everything here is an estimate in
//! constant time for each edge; the exact plan comes when the draft is finished.

use super::hero::{Space, hero_place, space_of};
use super::place::{AxisSet, Place, Scope, bit, operand_place};
use crate::fusion::role::Role;
use lawson_hlo::{Attrs, Computation, InstrId, Opcode};
use lawson_kernel::cost::Cost;
use lawson_kernel::plan::{MOST_COMPARED, MOST_IN_LANES, is_loaded_apart};
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;

/// What drafts look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub comp: &'a Computation,
    pub roles: &'a [Role],
    pub target: &'a Target,
}

#[derive(Clone, Debug)]
pub struct Draft {
    pub root: InstrId,
    pub hero: Option<InstrId>,
    /// In the order they joined, the root first. Every member's users in the draft joined before it.
    pub members: Vec<InstrId>,
    space: Space,
    next_place: u32,
    /// Where members and inputs are evaluated.
    places: FxHashMap<InstrId, Vec<Place>>,
    /// Bytes read of each input.
    inputs: FxHashMap<InstrId, i64>,
    /// Work that is done more often here than once for each element, in µs, along the chain from the root.
    debts: FxHashMap<InstrId, f64>,
    pub cost: Cost,
    /// Expressions of the kernel's code.
    pub nodes: usize,
}

impl Draft {
    /// The region of one instruction.
    pub fn new(cx: View<'_>, root: InstrId) -> Draft {
        let instr = &cx.comp[root];
        let leaves = instr.shape.leaves();
        let lanes = cx.target.lanes();
        let updates = instr.opcode == Opcode::DynamicUpdateSlice;
        let hero = (cx.roles[root.index()] == Role::Hero || updates).then_some(root);
        let space = match hero {
            Some(hero) => space_of(cx.comp, hero, lanes),
            None => Space::of_map(&leaves[0].dims, lanes),
        };
        let written = match instr.opcode {
            // Only what is updated is written.
            Opcode::DynamicUpdateSlice => cx.comp.operand(instr, 1).shape.expect_array().bytes(),
            _ => leaves.iter().map(|l| l.bytes()).sum(),
        };
        let place = Place::root(&space.extents[..space.space]);
        let mut draft = Draft {
            root,
            hero,
            members: Vec::new(),
            space,
            next_place: Place::ROOT,
            places: FxHashMap::from_iter([(root, vec![place])]),
            inputs: FxHashMap::default(),
            debts: FxHashMap::default(),
            cost: Cost { bytes_written: written, ..Cost::default() },
            nodes: 0,
        };
        draft.take(cx, root);
        draft
    }

    /// Takes in a producer, all of whose users here are members and owe at most `debt`. A hero becomes the
    /// region's.
    pub fn join(&mut self, cx: View<'_>, id: InstrId, debt: f64) {
        let debt = debt + self.extra_us(cx, id);
        if debt > 0.0 {
            self.debts.insert(id, debt);
        }
        if let Some(bytes) = self.inputs.remove(&id) {
            self.cost.bytes_read -= bytes;
        }
        if cx.roles[id.index()] == Role::Hero {
            self.hero = Some(id);
            self.space = space_of(cx.comp, id, cx.target.lanes());
        }
        self.take(cx, id);
    }

    fn take(&mut self, cx: View<'_>, id: InstrId) {
        let instr = &cx.comp[id];
        self.members.push(id);
        self.cost.work += self.work_of(cx, id);
        self.nodes += self.places[&id].len();
        let at = self.places[&id].clone();
        for (n, &operand) in instr.operands.iter().enumerate() {
            if cx.roles[operand.index()] == Role::Code {
                continue;
            }
            let places: Vec<Place> = match self.hero == Some(id) {
                true => hero_place(cx.comp, instr, n, &self.space).into_iter().collect(),
                false => at.iter().map(|p| operand_place(cx.comp, id, n, p)).collect(),
            };
            let known = self.places.entry(operand).or_default();
            for mut place in places {
                if place.id == Place::FRESH {
                    self.next_place += 1;
                    place.id = self.next_place;
                }
                if !known.iter().any(|p| (p.id, p.scope) == (place.id, place.scope)) {
                    known.push(place);
                }
            }
            let bytes = self.bytes_of(cx, operand);
            let old = self.inputs.insert(operand, bytes).unwrap_or(0);
            self.cost.bytes_read += bytes - old;
        }
    }

    /// Bytes that reading an input moves: all of it, or as much as is asked for.
    fn bytes_of(&self, cx: View<'_>, id: InstrId) -> i64 {
        let shape = cx.comp[id].shape.expect_array();
        let Some(places) = self.places.get(&id) else { return shape.bytes() };
        let reads: f64 = places.iter().map(|p| self.reads(p)).sum();
        // The memory of an update in place is written only.
        if places.is_empty() { 0 } else { shape.bytes().min((reads * shape.dtype.size() as f64) as i64) }
    }

    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// Inputs that taking in `id` would add.
    pub fn new_inputs<'a>(&'a self, cx: View<'a>, id: InstrId) -> impl Iterator<Item = InstrId> + 'a {
        let operands = &cx.comp[id].operands;
        operands
            .iter()
            .enumerate()
            .filter(|(n, o)| !operands[..*n].contains(o))
            .map(|(_, &o)| o)
            .filter(move |o| cx.roles[o.index()] != Role::Code && !self.places.contains_key(o))
    }

    pub fn places(&self, id: InstrId) -> &[Place] {
        self.places.get(&id).map_or(&[], |p| p)
    }

    /// How often an element of `id` would be computed here, on average.
    pub fn times(&self, cx: View<'_>, id: InstrId) -> f64 {
        let elements = cx.comp[id].shape.expect_array().elements().max(1) as f64;
        let contracts = self.hero.is_some_and(|h| is_contraction(cx, h));
        let evaluations = |p: &Place| match p.scope {
            Scope::Operand(_) if contracts => self.evaluations(cx, p),
            _ => self.reads(p),
        };
        self.places(id).iter().map(evaluations).sum::<f64>() / elements
    }

    /// The axis along which a processor sorts rows that are longer than what it sorts in lanes.
    pub fn long_sorted_row(&self, cx: View<'_>) -> Option<AxisSet> {
        let hero = &cx.comp[self.hero?];
        let in_lanes = match hero.attrs {
            Attrs::Sort { .. } => self.space.inner_points() <= MOST_COMPARED[0],
            Attrs::TopK { k, .. } => k <= MOST_IN_LANES,
            _ => return None,
        };
        (!in_lanes && cx.target.gpu.is_none()).then_some(bit(self.space.space))
    }

    /// Whether some use of `id` changes from lane to lane.
    pub fn varies_along_lanes(&self, id: InstrId) -> bool {
        let lane = self.space.lane;
        self.places(id).iter().any(|p| lane.is_some_and(|l| p.varied() & (1 << l.min(63)) != 0))
    }

    /// Points at which a place is read; what is the same along the lanes is read once for all of them.
    fn reads(&self, place: &Place) -> f64 {
        let count = match place.scope {
            Scope::Space => self.space.space,
            Scope::Operand(_) => self.space.extents.len(),
        };
        let lane = self.space.lane.filter(|&l| l < count);
        let varied = place.varied();
        let points = |(k, &n): (usize, &i64)| {
            let hoisted = lane == Some(k) && varied & (1 << k.min(63)) == 0;
            if hoisted { 1.0 } else { n as f64 }
        };
        self.space.extents[..count].iter().enumerate().map(points).product::<f64>() * place.share
    }

    /// Evaluations of a place, in elements of full vectors: an instruction costs the same on few lanes as on all (a
    /// quarter on one, of which several issue at once), and all pieces of a concatenation are evaluated everywhere but
    /// in maps.
    fn evaluations(&self, cx: View<'_>, place: &Place) -> f64 {
        let lanes = cx.target.lanes();
        let uniform = self.space.lane.is_none_or(|l| place.varied() & (1 << l.min(63)) == 0);
        let width = if uniform { 1 } else { self.space.width(lanes) };
        let reads = self.reads(place) / place.share;
        match (place.scope, self.hero) {
            (Scope::Operand(_), Some(hero)) if is_contraction(cx, hero) => reads / self.reuse(place, uniform),
            (Scope::Space, None) => reads * place.evaluated * busy(lanes, width),
            _ => reads * busy(lanes, width),
        }
    }

    /// How many reads of a contraction's operand share one evaluation: where there are rows enough all rows of a task
    /// share the operand along the lanes; the other is computed ahead, for all columns.
    fn reuse(&self, place: &Place, uniform: bool) -> f64 {
        if uniform {
            return 1.0;
        }
        let varied = place.varied();
        let others = (0..self.space.space).filter(|k| varied & (1 << k.min(&63)) == 0);
        let rows: i64 = others.map(|k| self.space.extents[k]).product();
        if rows >= 28 { rows as f64 } else { rows.clamp(1, 14) as f64 }
    }

    fn unit(cx: View<'_>, id: InstrId) -> f64 {
        let instr = &cx.comp[id];
        let dtype = instr.shape.leaves().first().map_or(lawson_hlo::DType::F32, |l| l.dtype);
        cx.target.rates.weight(instr.opcode, dtype) as f64
    }

    fn work_of(&self, cx: View<'_>, id: InstrId) -> f64 {
        if self.hero == Some(id) {
            let lanes = cx.target.lanes();
            let step = match cx.comp[id].opcode {
                // The weight is that of scalar code.
                Opcode::Sort => {
                    cx.target.rates.sort(self.space.inner_points(), cx.comp[id].operands.len()) as f64
                }
                Opcode::TopK => {
                    let kept = cx.comp[id].shape.leaves()[0].dims.last().copied().unwrap_or_default();
                    cx.target.rates.select(self.space.inner_points(), kept) as f64
                }
                _ => busy(lanes, self.space.width(lanes)),
            };
            return self.space.all_points() as f64 * step;
        }
        let evaluations: f64 = self.places(id).iter().map(|p| self.evaluations(cx, p)).sum();
        evaluations * Self::unit(cx, id) + self.stepping(cx, id)
    }

    /// Work of reading the elements of a slice again that would lie in line in memory, and that lanes step over in its operand: a column
    /// that each row of a matrix is multiplied by.
    fn stepping(&self, cx: View<'_>, id: InstrId) -> f64 {
        let instr = &cx.comp[id];
        let sliced = matches!(instr.opcode, Opcode::Slice | Opcode::DynamicSlice);
        let Some(lane) = self.space.lane.filter(|_| sliced && cx.target.gpu.is_none()) else { return 0.0 };
        let made = instr.shape.expect_array();
        let from = &cx.comp.operand(instr, 0).shape.expect_array().dims;
        let step = |dims: &[i64], d: usize| dims[d + 1..].iter().product::<i64>();
        let steps = |p: &&Place| {
            let along = (0..made.rank()).rfind(|&d| p.dims[d] & bit(lane) != 0);
            along.is_some_and(|d| {
                step(&made.dims, d) == 1 && !is_loaded_apart(step(from, d)) && step(from, d) > 1
            })
        };
        let reads: f64 = self.places(id).iter().filter(steps).map(|p| self.reads(p)).sum();
        (reads - made.elements() as f64).max(0.0) * cx.target.rates.gather as f64
    }

    /// Work of `id` here beyond once for each element.
    pub fn extra_work(&self, cx: View<'_>, id: InstrId) -> f64 {
        let elements = cx.comp[id].shape.leaves().iter().map(|l| l.elements()).sum::<i64>() as f64;
        (self.work_of(cx, id) - elements * Self::unit(cx, id)).max(0.0)
    }

    /// The time that work takes beyond what waiting for memory hides.
    pub fn extra_us(&self, cx: View<'_>, id: InstrId) -> f64 {
        let more = Cost { work: self.cost.work + self.extra_work(cx, id), ..self.cost };
        more.us(cx.target) - self.cost.us(cx.target)
    }

    /// What a member owes: see [`Draft::join`].
    pub fn debt(&self, id: InstrId) -> f64 {
        self.debts.get(&id).copied().unwrap_or(0.0)
    }

    /// The cost with `id` taken in.
    pub fn cost_with(&self, cx: View<'_>, id: InstrId) -> Cost {
        let reads: f64 = self.places(id).iter().map(|p| self.reads(p)).sum();
        let mut cost = self.cost;
        cost.work += self.work_of(cx, id);
        cost.bytes_read -= self.inputs.get(&id).copied().unwrap_or(0);
        for operand in self.new_inputs(cx, id) {
            let shape = cx.comp[operand].shape.expect_array();
            cost.bytes_read += shape.bytes().min((reads * shape.dtype.size() as f64) as i64);
        }
        cost
    }
}

pub fn is_contraction(cx: View<'_>, hero: InstrId) -> bool {
    matches!(cx.comp[hero].opcode, Opcode::Dot | Opcode::Convolution)
}

/// Elements of full vectors that one element costs where only `width` lanes work.
fn busy(lanes: u32, width: u32) -> f64 {
    lanes as f64 / width.max(4).min(lanes) as f64
}
