//! The join engine: makes one kernel of several, wherever passes ask for it.
//!
//! A join is done when a plan of one kernel exists for the joint computation, nothing waits for itself, the cost
//! model expects less time than before, and the peak of memory does not rise. A pass is a policy: which pairs it
//! asks for, in which order ([`Engine::join`], [`Engine::spread`]).
//!
//! Policies look at the kernels with `ask`; `size` says whether a joint kernel is small enough, `price` whether it
//! pays.

mod ask;
mod between;
mod body;
mod bound;
mod clusters;
mod emit;
pub(super) mod host;
mod memory;
mod pass;
mod price;
mod size;
pub(super) mod verdict;

pub use clusters::ClusterId;
pub use pass::run;

use crate::effects::Effects;
use crate::fusion::limits::MAX_LONG_COPIES;
use crate::numbers::OfComputation;
use crate::options::fusion::{FusionBase, Strategy};
use crate::pass::PassContext;
use crate::planning::judge::{Judge, Quote};
use crate::report::Join;
use ask::{operations_of, points_of};
use between::Marks;
use clusters::{Clusters, Move, united};
use host::{ArrayId, Host};
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::refusal::Refusal;
pub(super) use memory::Profile;
use rustc_hash::FxHashMap;

/// Joins that one cluster may fail before it is left alone.
const MAX_FAILURES: u32 = 24;

/// Kernels of one computation on the way to fewer.
pub struct Engine<'m, 'c> {
    pass: &'static str,
    strategy: Strategy,
    module: &'m Module,
    host: Host<'c>,
    clusters: Clusters,
    /// What searches between clusters have found.
    marks: Marks,
    /// Edges they looked at.
    steps: u64,
    profile: Profile,
    /// The most bytes that may be in use at once.
    limit: i64,
    quotes: FxHashMap<ClusterId, Result<Quote, Refusal>>,
    /// For clusters, at a version, how many arrays they take, and how many of those they make.
    arrays: FxHashMap<ClusterId, (u32, (usize, usize))>,
    failures: Vec<u32>,
    /// How often each cluster has changed.
    versions: Vec<u32>,
    /// Pairs that were refused, at these versions: asked for again, they are refused again without being planned.
    tried: FxHashMap<(ClusterId, ClusterId), ([u32; 2], Refusal)>,
    /// Every refusal, in the order of the attempts.
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
    /// `limit` is how many bytes may be in use at once; what the computation needs already is always allowed.
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
            marks: Marks::new(units),
            steps: 0,
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
            origins: [first, second].map(|c| self.host.instr(c).origin.clone()),
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
        let (moved, steps) = between::path(&self.clusters, &mut self.marks, &self.host, [first, second]);
        self.steps += steps as u64;
        let moved = moved?;
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
        let by_price = cx.options.fusion.base == FusionBase::On && !self.is_demanded(p);
        if by_price && users.len() > MAX_LONG_COPIES && self.is_long(p) {
            return Err(Refusal::Recomputes { opcode, users: users.len() });
        }
        let mut bodies = Vec::new();
        for &user in users {
            let members = united(self.clusters.members(p), self.clusters.members(user));
            let own = self.clusters.outputs(&self.host, self.clusters.members(user), &[user]);
            bodies.push(self.fitting(&members, own, [p, user])?);
        }
        if by_price {
            self.may_pay(cx, &all, bodies.iter())?;
        }
        let mut after = Vec::new();
        for body in &bodies {
            after.push(self.quote_joint(cx, body)?);
        }
        let mut before = vec![self.quote_of(cx, p)];
        before.extend(users.iter().map(|&user| self.quote_of_reader(cx, user, p)));
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

    /// The refusals that need no plan: no kernel, too many failures, no fuel.
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
