//! The join engine: makes one kernel of several, wherever passes ask for it.
//!
//! A join is done when a plan of one kernel exists for the joint computation, nothing waits for itself, the cost
//! model expects less time than before, and the peak of memory does not rise. A pass is a policy: which pairs it
//! asks for, in which order ([`Engine::join`], [`Engine::spread`]).

mod body;
mod bound;
mod clusters;
mod emit;
pub(super) mod host;
mod memory;
mod pass;
mod verdict;

pub use clusters::ClusterId;
pub use pass::run;

use crate::effects::Effects;
use crate::fusion::limits::{MAX_ARRAYS, MAX_NODES};
use crate::fusion::role::{Wish, wish};
use crate::numbers::OfComputation;
use crate::options::fusion::{FusionBase, Strategy};
use crate::pass::PassContext;
use crate::planning::judge::{Judge, Quote, Stages, operations, unspilled_us, us};
use crate::report::Join;
use body::{Body, body, operands};
use clusters::{Clusters, Move, united};
use host::{ArrayId, Host, UnitId};
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module};
use lawson_kernel::cost::Cost;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::is_hero;
use memory::Profile;
use rustc_hash::FxHashMap;

/// Joins that one cluster may fail before it is left alone.
const MAX_FAILURES: u32 = 24;

/// Times closer than this are the same.
const TIE: f64 = 0.05;

/// Kernels of one computation on the way to fewer.
pub struct Engine<'m, 'c> {
    pass: &'static str,
    strategy: Strategy,
    module: &'m Module,
    host: Host<'c>,
    clusters: Clusters,
    profile: Profile,
    /// The most bytes that may be in use at once.
    limit: i64,
    quotes: FxHashMap<ClusterId, Result<Quote, Refusal>>,
    /// Arrays that clusters had in these versions, and how many they made.
    arrays: FxHashMap<ClusterId, (u32, (usize, usize))>,
    failures: Vec<u32>,
    /// How often each cluster has changed.
    versions: Vec<u32>,
    /// Pairs that stayed apart, in these versions: they are not tried again.
    tried: FxHashMap<(ClusterId, ClusterId), ([u32; 2], Refusal)>,
    /// Why pairs stayed apart, in the order they were tried.
    refusals: Vec<(ClusterId, ClusterId, Refusal)>,
    /// Clusters that this pass made.
    changed: Vec<bool>,
    /// Operations of each cluster.
    sizes: Vec<usize>,
    /// The points each unit looks at.
    points: Vec<i64>,
    joins: u64,
    judge: &'m mut Judge,
    /// Numbers of the host's instructions.
    numbers: OfComputation,
}

/// The bytes in use while each unit of a computation runs, every one by itself.
pub fn in_use(module: &Module, effects: &Effects, comp: (&Computation, bool)) -> Vec<(InstrId, i64)> {
    let (host, _, profile) = start(module, effects, comp);
    host.units.iter().map(|u| u.instr).zip(profile.all()).collect()
}

/// Operations of the code of a unit.
fn operations_of(module: &Module, instr: &Instruction) -> usize {
    match instr.attrs {
        Attrs::Fusion { calls, .. } => operations(&module[calls]),
        _ => 1,
    }
}

/// The points a unit looks at: elements of its largest operand or result.
fn points_of(comp: &Computation, instr: &Instruction) -> i64 {
    let operands = instr.operands.iter().map(|o| &comp[*o].shape);
    let leaves = operands.chain([&instr.shape]).flat_map(|s| s.leaves());
    leaves.map(|l| l.elements()).max().unwrap_or(0)
}

fn start<'c>(
    module: &Module,
    effects: &Effects,
    comp: (&'c Computation, bool),
) -> (Host<'c>, Clusters, Profile) {
    let host = Host::of(module, effects, comp);
    let clusters = Clusters::new(host.units.len());
    let mut profile = Profile::new(host.units.len());
    for array in 0..host.arrays.len() as ArrayId {
        clusters.occupy(&host, &mut profile, array, 1);
    }
    (host, clusters, profile)
}

impl<'m, 'c> Engine<'m, 'c> {
    /// `limit` is how many bytes may be in use at once, if that is more than there are.
    pub fn new(
        pass: &'static str,
        strategy: Strategy,
        (module, judge): (&'m Module, &'m mut Judge),
        effects: &Effects,
        comp: (&'c Computation, bool),
        limit: i64,
    ) -> Engine<'m, 'c> {
        let (host, clusters, profile) = start(module, effects, comp);
        let units = host.units.len();
        let limit = limit.max(profile.peak());
        let sizes = host.units.iter().map(|u| operations_of(module, &host.comp[u.instr])).collect();
        let points = host.units.iter().map(|u| points_of(host.comp, &host.comp[u.instr])).collect();
        Engine {
            pass,
            strategy,
            module,
            host,
            clusters,
            profile,
            limit,
            quotes: FxHashMap::default(),
            arrays: FxHashMap::default(),
            failures: vec![0; units],
            versions: vec![0; units],
            tried: FxHashMap::default(),
            refusals: Vec::new(),
            changed: vec![false; units],
            sizes,
            points,
            joins: 0,
            judge,
            numbers: OfComputation::new(comp.0),
        }
    }

    /// Every unit, in program order.
    pub fn units(&self) -> std::ops::Range<UnitId> {
        0..self.host.units.len() as UnitId
    }

    /// The cluster that computes a unit, if it is a kernel in one place.
    pub fn kernel(&self, unit: UnitId) -> Option<ClusterId> {
        match self.clusters.homes(unit) {
            [home] if self.is_kernel(*home) => Some(*home),
            _ => None,
        }
    }

    pub fn is_kernel(&self, cluster: ClusterId) -> bool {
        self.host.unit(cluster).kernel.is_ok()
    }

    /// Whether a kernel combines no elements.
    pub fn is_map(&self, cluster: ClusterId) -> bool {
        let combines = |u: &UnitId| {
            let instr = self.host.instr(*u);
            match instr.attrs {
                Attrs::Fusion { calls, .. } => self.module[calls].instrs.iter().any(|i| is_hero(i.opcode)),
                _ => is_hero(instr.opcode),
            }
        };
        !self.clusters.members(cluster).iter().any(combines)
    }

    /// Operations of a kernel of both.
    pub fn joint_size(&self, a: ClusterId, b: ClusterId) -> usize {
        self.sizes[a as usize] + self.sizes[b as usize]
    }

    /// Clusters that read what this one makes, in the order they run.
    pub fn consumers(&self, cluster: ClusterId) -> Vec<ClusterId> {
        let defined = self.clusters.members(cluster).iter().flat_map(|&m| &self.host.unit(m).defines);
        let mut all: Vec<ClusterId> = defined.flat_map(|&a| self.clusters.readers(&self.host, a)).collect();
        all.sort_unstable_by_key(|&c| self.clusters.rank(c));
        all.dedup();
        all
    }

    /// For each array of more than `bytes` that several kernels read, these kernels in the order they run.
    pub fn shared(&self, array: ArrayId, bytes: i64) -> Vec<ClusterId> {
        let info = self.host.array(array);
        let size = info.instr.map_or(0, |i| self.host.comp[i].shape.expect_array().bytes());
        if size <= bytes || info.users.len() < 2 {
            return Vec::new();
        }
        let mut readers = self.clusters.readers(&self.host, array);
        readers.retain(|&c| self.is_kernel(c));
        readers
    }

    pub fn arrays(&self) -> std::ops::Range<ArrayId> {
        0..self.host.arrays.len() as ArrayId
    }

    /// The points a kernel looks at: elements of its largest operand or result.
    pub fn points(&self, cluster: ClusterId) -> i64 {
        self.clusters.members(cluster).iter().map(|&u| self.points[u as usize]).max().unwrap_or(0)
    }

    /// Makes one kernel of two; gives its cluster.
    pub fn join(&mut self, cx: &mut PassContext, a: ClusterId, b: ClusterId) -> Result<ClusterId, Refusal> {
        let (first, second) = match self.clusters.rank(a) < self.clusters.rank(b) {
            true => (a, b),
            false => (b, a),
        };
        let versions = [first, second].map(|c| self.versions[c as usize]);
        if let Some((then, refusal)) = self.tried.get(&(first, second))
            && *then == versions
        {
            return Err(refusal.clone());
        }
        let verdict = self.try_join(cx, first, second);
        cx.report.joins.push(Join {
            pass: self.pass,
            computation: self.host.comp.name.clone(),
            kernels: [first, second].map(|c| self.host.instr(c).name.clone()),
            verdict: verdict.clone(),
        });
        match verdict {
            Ok(()) => Ok(second),
            Err(refusal) => {
                self.failures[first as usize] += 1;
                self.failures[second as usize] += 1;
                self.tried.insert((first, second), (versions, refusal.clone()));
                self.refusals.push((first, second, refusal.clone()));
                Err(refusal)
            }
        }
    }

    fn try_join(&mut self, cx: &mut PassContext, first: ClusterId, second: ClusterId) -> Result<(), Refusal> {
        self.may_join(cx, &[first, second])?;
        let moved = self.clusters.path(&self.host, first, second)?;
        let members = united(self.clusters.members(first), self.clusters.members(second));
        let outputs = self.clusters.outputs(&self.host, &members, &[first, second]);
        let body = self.fitting(&members, outputs, [first, second])?;
        let joined = self.quote_joint(cx, &body)?;
        let before = [first, second].map(|c| self.quote_of(cx, c));
        if !self.is_demanded(first) {
            self.pays(cx, &before, &[&joined])?;
        }
        self.apply(cx, &moved, first, second)?;
        self.made(second, joined);
        Ok(())
    }

    /// Computes a kernel again in each of its users, so that nobody writes or reads its result.
    pub fn spread(&mut self, cx: &mut PassContext, producer: ClusterId) -> Result<(), Refusal> {
        let users = self.consumers(producer);
        let result = self.try_spread(cx, producer, &users);
        if let Err(refusal) = &result {
            for &user in &users {
                self.refusals.push((producer, user, refusal.clone()));
            }
        }
        result
    }

    fn try_spread(&mut self, cx: &mut PassContext, p: ClusterId, users: &[ClusterId]) -> Result<(), Refusal> {
        let all: Vec<ClusterId> = [p].into_iter().chain(users.iter().copied()).collect();
        self.may_join(cx, &all)?;
        let opcode = self.host.instr(p).opcode;
        let mut made = self.clusters.members(p).iter().flat_map(|&m| &self.host.unit(m).defines);
        if made.any(|&a| self.host.array(a).kept) {
            return Err(Refusal::Recomputes { opcode, users: users.len() + 1 });
        }
        let mut bodies = Vec::new();
        for &user in users {
            let members = united(self.clusters.members(p), self.clusters.members(user));
            let own = self.clusters.outputs(&self.host, self.clusters.members(user), &[user]);
            bodies.push(self.fitting(&members, own, [p, user])?);
        }
        if cx.options.fusion.base == FusionBase::On && !self.is_demanded(p) {
            self.may_pay(cx, &all, bodies.iter())?;
        }
        let mut after = Vec::new();
        for body in &bodies {
            after.push(self.quote_joint(cx, body)?);
        }
        let before: Vec<_> = all.iter().map(|&c| self.quote_of(cx, c)).collect();
        if !self.is_demanded(p) {
            self.pays(cx, &before, &after.iter().collect::<Vec<_>>())?;
        }
        self.clusters.account(&self.host, &mut self.profile, &all, -1);
        self.clusters.spread(p, users);
        self.clusters.account(&self.host, &mut self.profile, users, 1);
        for (&user, quote) in users.iter().zip(after) {
            self.made(user, quote);
        }
        Ok(())
    }

    fn made(&mut self, cluster: ClusterId, quote: Quote) {
        self.sizes[cluster as usize] = quote.operations;
        self.quotes.insert(cluster, Ok(quote));
        self.changed[cluster as usize] = true;
        self.failures[cluster as usize] = 0;
        self.joins += 1;
        self.versions[cluster as usize] += 1;
    }

    /// What can be said without a plan.
    fn may_join(&mut self, cx: &mut PassContext, clusters: &[ClusterId]) -> Result<(), Refusal> {
        for &c in clusters {
            for &m in self.clusters.members(c) {
                self.host.unit(m).kernel.clone()?;
            }
        }
        if clusters.iter().any(|&c| self.failures[c as usize] > MAX_FAILURES) {
            return Err(Refusal::TooManyTries { limit: MAX_FAILURES });
        }
        if cx.fuel_left(self.pass).is_some_and(|left| self.joins >= left) {
            return Err(Refusal::NoFuel);
        }
        Ok(())
    }

    /// The body of a joint kernel, if it is no more than a kernel can hold.
    fn fitting(
        &mut self,
        members: &[UnitId],
        outputs: Vec<ArrayId>,
        [first, second]: [ClusterId; 2],
    ) -> Result<Body, Refusal> {
        // Without looking at the members: an array of one that is not between the two stays.
        let (made, [few, many]) = (self.arrays_of(first).1, [first, second].map(|c| self.arrays_of(c).0));
        fits(few.max(many).saturating_sub(made))?;
        let reads = operands(&self.host, members);
        fits(reads.len() + outputs.len())?;
        let body = self.body(members, reads, outputs);
        self.holds(&body)?;
        Ok(body)
    }

    fn body(&mut self, members: &[UnitId], reads: Vec<(ArrayId, InstrId)>, outputs: Vec<ArrayId>) -> Body {
        let numbers = (&mut self.judge.numbers, &mut self.numbers);
        body(self.module, numbers, &self.host, members, (reads, outputs))
    }

    /// Whether a kernel can hold so much.
    fn holds(&self, body: &Body) -> Result<(), Refusal> {
        let nodes = body.operations(self.module, &self.host);
        if nodes > MAX_NODES {
            return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
        }
        fits(body.arrays())
    }

    /// What a joint kernel costs.
    fn quote_joint(&mut self, cx: &PassContext, body: &Body) -> Result<Quote, Refusal> {
        let staged = self.strategy == Strategy::Staged;
        self.quote_body(cx, body, if staged { Stages::Allowed } else { Stages::Refused })
    }

    fn quote_body(&mut self, cx: &PassContext, body: &Body, stages: Stages) -> Result<Quote, Refusal> {
        let write = || body.sketch(self.module, &self.host);
        let quote = self.judge.quote(self.module, &body.code, write, (&cx.options.target, stages));
        if cfg!(debug_assertions)
            && let Ok(Quote { cost, .. }) = quote
            && let Some(least) = bound::least(body, self.module, &self.host, &cx.options)
        {
            debug_assert!(least.work <= cost.work && least.bytes() == cost.bytes(), "{least:?}: {cost:?}");
        }
        quote
    }

    /// The arrays of a cluster, and how many of them it makes.
    fn arrays_of(&mut self, c: ClusterId) -> (usize, usize) {
        let version = self.versions[c as usize];
        if let Some(&(then, arrays)) = self.arrays.get(&c)
            && then == version
        {
            return arrays;
        }
        let members = self.clusters.members(c);
        let outputs = self.clusters.outputs(&self.host, members, &[c]).len();
        let arrays = (operands(&self.host, members).len() + outputs, outputs);
        self.arrays.insert(c, (version, arrays));
        arrays
    }

    fn quote_of(&mut self, cx: &mut PassContext, c: ClusterId) -> Result<Quote, Refusal> {
        if let Some(known) = self.quotes.get(&c) {
            return known.clone();
        }
        let members = self.clusters.members(c).to_vec();
        let outputs = self.clusters.outputs(&self.host, &members, &[c]);
        let reads = operands(&self.host, &members);
        let body = self.body(&members, reads, outputs);
        let quote = self.holds(&body).and_then(|()| self.quote_body(cx, &body, Stages::Allowed));
        self.quotes.insert(c, quote.clone());
        quote
    }

    /// Whether the user demands that a kernel's result stays out of memory.
    fn is_demanded(&self, cluster: ClusterId) -> bool {
        let members = self.clusters.members(cluster).iter();
        members.map(|&m| self.host.instr(m)).any(|i| wish(i) == Some(Wish::Always))
    }

    /// Whether the time of kernels falls.
    fn pays(
        &self,
        cx: &PassContext,
        before: &[Result<Quote, Refusal>],
        after: &[&Quote],
    ) -> Result<(), Refusal> {
        let decision = (cx.report.joins.len() + self.refusals.len()) as u64;
        match cx.options.fusion.base.coin(decision) {
            Some(true) => return Ok(()),
            None if cx.options.fusion.base == FusionBase::Max => return Ok(()),
            None => {}
            Some(false) => return Err(Refusal::NotFaster { joined_ns: 1, apart_ns: 0 }),
        }
        let before =
            before.iter().map(|q| q.as_ref().map_err(|r| r.clone())).collect::<Result<Vec<_>, _>>()?;
        let updates = |all: &[&Quote]| all.iter().map(|q| q.updates).sum::<usize>();
        if updates(after) < updates(&before) {
            return Err(Refusal::UpdatedInPlace);
        }
        let target = &cx.options.target;
        let working_set = after.iter().map(|q| q.cost.bytes()).max().unwrap_or(0);
        let (apart, joined) = (us(&before, working_set, target), us(after, working_set, target));
        let bytes = |all: &[&Quote]| all.iter().map(|q| q.cost.bytes()).sum::<i64>();
        if is_faster((apart, bytes(&before)), (joined, bytes(after))) {
            return Ok(());
        }
        let live = after.iter().map(|q| q.cost.live).max().unwrap_or(0);
        if unspilled_us(after, working_set, target) < apart {
            return Err(Refusal::LiveValues { live, registers: target.registers as i64 });
        }
        Err(not_faster(joined, apart))
    }

    /// Whether the time of kernels can fall at all, from the least that joint ones cost: what takes no plans.
    fn may_pay<'b>(
        &mut self,
        cx: &mut PassContext,
        apart: &[ClusterId],
        bodies: impl Iterator<Item = &'b Body>,
    ) -> Result<(), Refusal> {
        let least = |b: &Body| bound::least(b, self.module, &self.host, &cx.options);
        let Some(after) = bodies.map(least).collect::<Option<Vec<Cost>>>() else { return Ok(()) };
        let before = apart.iter().map(|&c| self.quote_of(cx, c).map(|q| q.cost));
        let Ok(before) = before.collect::<Result<Vec<Cost>, _>>() else { return Ok(()) };
        let target = &cx.options.target;
        let working_set = after.iter().map(Cost::bytes).max().unwrap_or(0);
        let us = |all: &[Cost]| all.iter().map(|c| c.us_among(working_set, target)).sum::<f64>();
        let bytes = |all: &[Cost]| all.iter().map(Cost::bytes).sum::<i64>();
        match is_faster((us(&before), bytes(&before)), (us(&after), bytes(&after))) {
            true => Ok(()),
            false => Err(not_faster(us(&after), us(&before))),
        }
    }

    /// Moves and unites two clusters, unless memory would not hold it.
    fn apply(
        &mut self,
        cx: &PassContext,
        moved: &Move,
        first: ClusterId,
        second: ClusterId,
    ) -> Result<(), Refusal> {
        let touched = moved.clusters();
        self.clusters.account(&self.host, &mut self.profile, &touched, -1);
        let undo = [self.clusters.members(first).to_vec(), self.clusters.members(second).to_vec()];
        self.clusters.set_ranks(moved, true);
        self.clusters.unite(first, second);
        self.clusters.account(&self.host, &mut self.profile, &touched, 1);
        let peak = self.profile.peak();
        if peak <= self.limit || cx.options.fusion.base == FusionBase::Max {
            return Ok(());
        }
        self.clusters.account(&self.host, &mut self.profile, &touched, -1);
        self.clusters.separate(first, second, undo);
        self.clusters.set_ranks(moved, false);
        self.clusters.account(&self.host, &mut self.profile, &touched, 1);
        Err(Refusal::RaisesPeakMemory { bytes: peak - self.limit })
    }
}

/// Whether less time passes than `before`, in µs and bytes. Where the times are the same as far as anybody knows, fewer
/// bytes decide.
fn is_faster(before: (f64, i64), after: (f64, i64)) -> bool {
    after.0 < before.0 || after.0 < before.0 * (1.0 + TIE) && after.1 < before.1
}

fn not_faster(joined_us: f64, apart_us: f64) -> Refusal {
    let ns = |us: f64| (us * 1e3).round() as u64;
    Refusal::NotFaster { joined_ns: ns(joined_us), apart_ns: ns(apart_us) }
}

/// Whether a kernel can take so many arrays.
fn fits(arrays: usize) -> Result<(), Refusal> {
    match arrays > MAX_ARRAYS {
        true => Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS }),
        false => Ok(()),
    }
}
