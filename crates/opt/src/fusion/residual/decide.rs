//! Which choices are taken: those that let fewer bytes wait at little cost.

use super::bits::Packing;
use super::graph::{Graph, KernelId, ValueId};
use super::groups::{Group, groups};
use super::memory::Memory;
use super::network::{Choice, choose};
use super::phase::{self, Border};
use super::price::{self, price};
use super::proposal::{Uses, propose};
use super::{NAME, SMALL_BYTES};
use crate::options::fusion::FusionBase;
use crate::pass::PassContext;
use crate::planning::judge::Judge;
use crate::report::ResidualReason;
use lawson_hlo::{CompId, Instruction, Opcode};
use lawson_kernel::refusal::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};

/// By which share of its time a computation may take longer so that less waits in memory: the model knows no better.
const TIE: f64 = 0.05;
/// Choices that save less than this share of what waits for the kernels of a group take no time at all. The rest of the
/// program has no part in it: what a layer does is worth the same in a deep network and in a shallow one.
const WORTH: f64 = 0.01;
/// What bytes count beside operations, in times that they take to be moved: first a choice is looked for that saves
/// memory at any cost, last the fastest.
const THRIFT: [i64; 3] = [1 << 10, 1 << 3, 1];
/// Kernels that are tried as those that write a mask as bits.
const MAKERS: usize = 3;
/// A product that is so many times larger than what it is made of grows with the square of its operands' rows: it is
/// computed again even where that takes longer.
const SQUARE: i64 = 8;
/// How often the time of its kernels they may take then.
const SQUARE_TIMES: f64 = 2.0;
/// The part of the memory between kernels that gaps between arrays may take.
const GAPS: i64 = 16;

/// The decisions on one computation.
pub struct Residuals<'a> {
    pub graph: Graph<'a>,
    /// The computation that combines words of bits, where there are masks.
    or: Option<CompId>,
    pub uses: Uses,
    pub memory: Memory,
    pub border: Border,
    /// Kernels that are written anew.
    pub changed: FxHashSet<KernelId>,
    /// Why values are saved or computed again.
    pub reasons: FxHashMap<ValueId, ResidualReason>,
    /// Bytes of arguments and results, which a run needs besides.
    interface: i64,
    /// Bytes in use at the peak before anything was decided.
    pub peak_before: i64,
    /// How much longer all kernels may still take, in µs, once that was asked.
    spare_us: Option<f64>,
}

impl<'a> Residuals<'a> {
    pub fn new((graph, or): (Graph<'a>, Option<CompId>), is_entry: bool) -> Residuals<'a> {
        let uses = Uses::of(&graph);
        let memory = Memory::of(&graph, &uses, is_entry);
        let border = match phase::has_marks(graph.module, graph.host.comp) {
            true => Border::Marked,
            false => Border::At(memory.moment(0.5) + 1),
        };
        let peak_before = memory.peak();
        let comp = graph.host.comp;
        let bytes = |i: &Instruction| i.shape.leaves().iter().map(|l| l.bytes()).sum::<i64>();
        let parameters = comp.instrs.iter().filter(|i| i.opcode == Opcode::Parameter);
        let interface = if is_entry { parameters.chain([comp.root()]).map(bytes).sum() } else { 0 };
        let (changed, reasons) = (FxHashSet::default(), FxHashMap::default());
        Residuals {
            graph,
            or,
            uses,
            memory,
            border,
            changed,
            reasons,
            interface,
            peak_before,
            spare_us: None,
        }
    }

    /// Whether memory matters here: in a derivative, or where more waits than caches and the user's limit hold.
    pub fn matters(&self, cx: &PassContext) -> bool {
        let large = self.peak_before > cx.options.target.llc;
        self.border == Border::Marked || large || self.is_scarce(cx, self.peak_before)
    }

    /// Whether a run that uses so many bytes between kernels needs more than the user's limit: arguments and results count,
    /// and a part of what lies between kernels is lost to gaps.
    fn is_scarce(&self, cx: &PassContext, in_use: i64) -> bool {
        let needed = self.interface.saturating_add(in_use).saturating_add(in_use / GAPS);
        cx.options.max_memory.is_some_and(|most| needed > most)
    }

    /// Decides on all residuals.
    pub fn decide(&mut self, cx: &mut PassContext, judge: &mut Judge) {
        if self.border != Border::Marked {
            self.decide_at(cx, judge, Border::At(self.memory.moment(1.0)));
            self.reasons.clear();
        }
        self.decide_at(cx, judge, self.border);
    }

    /// Decides on each group of residuals that this border makes.
    fn decide_at(&mut self, cx: &mut PassContext, judge: &mut Judge, border: Border) {
        phase::assign(&mut self.graph, border);
        for group in groups(&self.graph) {
            cx.worked(group.values.len());
            if let Err(reason) = self.decide_group(cx, judge, &group) {
                for v in group.needs.iter().chain(group.values.iter().map(|v| &v.0)) {
                    self.reasons.entry(*v).or_insert(reason.clone());
                }
            }
        }
    }

    /// Bytes of the group that wait in memory for backward kernels.
    fn waiting(&self, group: &Group) -> i64 {
        let waits = |v: &ValueId| {
            let read = self.uses.readers(*v).iter().any(|k| group.kernels.contains(k));
            read && self.uses.maker(*v).is_some() && !self.graph.kept.contains(v)
        };
        let values = group.values.iter().map(|v| v.0);
        let all = values.clone().chain(values.flat_map(|v| self.graph.known_bits(v)));
        all.filter(waits).map(|v| self.graph.bytes(v)).sum()
    }

    fn decide_group(
        &mut self,
        cx: &mut PassContext,
        judge: &mut Judge,
        group: &Group,
    ) -> Result<(), ResidualReason> {
        let waiting = self.waiting(group);
        if waiting <= SMALL_BYTES {
            return Err(ResidualReason::Small);
        }
        let in_use = self.memory.peak();
        let square = group.values.iter().any(|&(v, _)| self.is_square(v));
        let mut why = ResidualReason::Cheapest;
        let mut tried: Vec<Choice> = Vec::new();
        for (packing, rewrite, thrift) in self.ways(group) {
            let mut choice = choose(cx, &self.graph, group, (in_use, thrift), (packing, rewrite));
            if let Some(packing) = packing {
                for &mask in &choice.saved {
                    choice.bits.extend(self.graph.bits_of(mask, packing).map(|bits| (mask, bits)));
                }
                self.uses.grow(&self.graph);
            }
            if tried.contains(&choice) || self.least(&choice) >= waiting {
                continue;
            }
            for which in 0..if choice.bits.is_empty() { 1 } else { MAKERS } {
                match self.attempt(cx, judge, (group, waiting, square), (&choice, which)) {
                    Ok(()) => return Ok(()),
                    Err(reason) if why == ResidualReason::Cheapest => why = reason,
                    Err(_) => {}
                }
            }
            tried.push(choice);
        }
        Err(why)
    }

    /// How choices for a group are looked for, in the order in which they are tried.
    fn ways(&self, group: &Group) -> Vec<(Option<Packing>, bool, i64)> {
        let packings: &[_] = match self.or {
            Some(_) => &[None, Some(Packing::Rows), Some(Packing::Row)],
            None => &[None],
        };
        let rewrites = group.values.iter().any(|(v, _)| self.graph.rewritten.contains_key(v));
        let rewrites: &[bool] = if rewrites { &[true, false] } else { &[false] };
        let ways = packings.iter().flat_map(|&p| rewrites.iter().map(move |&r| (p, r)));
        let mut all: Vec<_> = ways.flat_map(|(p, r)| THRIFT.map(|t| (p, r, t))).collect();
        // The most thrifty first, of these what packs most.
        all.sort_by_key(|&(p, r, t)| (std::cmp::Reverse(t), p.is_none(), !r));
        all
    }

    /// Bytes that wait at least with this choice: what it saves.
    fn least(&self, choice: &Choice) -> i64 {
        let bytes = |v: &ValueId| self.graph.bytes(choice.bits.get(v).copied().unwrap_or(*v));
        choice.saved.iter().filter(|v| !self.graph.kept.contains(v)).map(bytes).sum()
    }

    fn is_square(&self, v: ValueId) -> bool {
        let value = self.graph.value(v);
        let read: i64 = value.operands.iter().map(|&o| self.graph.bytes(o)).sum();
        self.graph.opcode(v) == Opcode::Dot && self.graph.bytes(v) >= SQUARE * read
    }

    /// Whether it may take time that of the bytes that wait so many less do. Where no marks say that this is a derivative, the peak of
    /// memory has to fall.
    fn is_worth(&self, in_use: i64, waiting: i64, bytes: i64) -> bool {
        let falls = 2 * (in_use - self.memory.peak()) >= bytes;
        bytes as f64 >= WORTH * waiting as f64 && (self.border == Border::Marked || falls)
    }

    /// How much longer all kernels may still take, in µs.
    fn spare(&mut self, cx: &PassContext, judge: &mut Judge) -> f64 {
        if let Some(known) = self.spare_us {
            return known;
        }
        let spare = TIE * price::total_us(cx, judge, (&self.graph, self.or, self.memory.peak()));
        *self.spare_us.insert(spare)
    }

    /// Takes a choice, if it saves memory at little cost.
    fn attempt(
        &mut self,
        cx: &mut PassContext,
        judge: &mut Judge,
        (group, waiting, square): (&Group, i64, bool),
        (choice, which): (&Choice, usize),
    ) -> Result<(), ResidualReason> {
        let proposal = propose(&self.graph, &self.uses, &group.kernels, (choice, which))
            .filter(|p| !p.is_empty())
            .ok_or(ResidualReason::Cheapest)?;
        let in_use = self.memory.peak();
        let price =
            price(cx, judge, (&self.graph, self.or, in_use), &proposal).map_err(ResidualReason::NoPlan)?;
        let more_us = price.us_after - price.us_before;
        let forced = cx.options.fusion.base == FusionBase::Max
            || self.is_scarce(cx, in_use)
            || square && price.us_after <= price.us_before * SQUARE_TIMES;
        let coin = cx.options.fusion.base.coin(cx.report.residuals.len() as u64 + self.reasons.len() as u64);
        let pays = coin.unwrap_or(forced || more_us <= 0.0 || more_us <= self.spare(cx, judge));
        if !pays {
            return Err(ResidualReason::Slower { saved_us: price.us_before, again_us: price.us_after });
        }
        let old = self.memory.apply(&mut self.graph, &mut self.uses, &proposal);
        let now = self.waiting(group);
        let refusal = if self.memory.peak() > in_use {
            Some(ResidualReason::NoPlan(Refusal::RaisesPeakMemory { bytes: self.memory.peak() - in_use }))
        } else if now >= waiting || !forced && more_us > 0.0 && !self.is_worth(in_use, waiting, waiting - now)
        {
            Some(ResidualReason::Cheapest)
        } else if !cx.fuel(NAME) {
            Some(ResidualReason::NoPlan(Refusal::NoFuel))
        } else {
            None
        };
        if let Some(refusal) = refusal {
            self.memory.apply(&mut self.graph, &mut self.uses, &old);
            return Err(refusal);
        }
        self.changed.extend(proposal.keys());
        cx.fired("recomputed");
        if let Some(spare) = self.spare_us.as_mut().filter(|_| !forced) {
            *spare -= more_us.max(0.0);
        }
        for &v in &choice.again {
            self.reasons.insert(v, ResidualReason::Again { us: more_us, bytes: waiting - now });
        }
        for &v in &choice.saved {
            self.reasons.insert(v, ResidualReason::Cheapest);
        }
        Ok(())
    }
}
