//! The verdicts in the words of the input: one for each edge between two of its instructions.

use super::listing::Listing;
use super::names::{Names, places};
use super::savings::Savings;
use super::text::time;
use super::{Candidate, Decision, Ground, Join, Layout};
use crate::compile::Planned;
use crate::memory::human;
use lawson_kernel::refusal::Refusal;
use lawson_opt::report;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One verdict for each edge of the input.
pub fn decisions(
    planned: &Planned,
    (names, file): (&Names, &str),
    listing: &Listing,
    savings: &Savings<'_>,
) -> Vec<Decision> {
    let mut all: Vec<Decision> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    let moves = Moves::new(&planned.report.decisions, savings);
    for d in moves.behind(&planned.report.decisions) {
        let Some(next) = decision(planned, (names, file), &d, (listing, savings)) else { continue };
        let edge = (next.producer.clone(), next.consumer.clone());
        match known.get(&edge) {
            // An instruction that became several: one verdict, and the refusal is what the user can act on.
            Some(&at) => {
                let old = &mut all[at];
                let saved = (
                    old.bytes_saved + next.bytes_saved,
                    old.bytes_saved_formula + next.bytes_saved_formula,
                    old.us_saved + next.us_saved,
                );
                if old.fused && !next.fused {
                    *old = next;
                }
                (old.bytes_saved, old.bytes_saved_formula, old.us_saved) = saved;
            }
            None => {
                known.insert(edge, all.len());
                all.push(next);
            }
        }
    }
    all
}

/// Operations that only move what one instruction of the input makes, as a pass wanted it: what reads them reads that
/// instruction.
struct Moves<'a> {
    /// The edge into such an operation, by its name and that of its computation.
    into: BTreeMap<(&'a str, &'a str), &'a report::Decision>,
}

impl<'a> Moves<'a> {
    fn new(all: &'a [report::Decision], savings: &Savings<'_>) -> Moves<'a> {
        let moved = all.iter().filter(|d| savings.only_moves(&d.computation, &d.consumer));
        Moves { into: moved.map(|d| ((&*d.computation, &*d.consumer), d)).collect() }
    }

    /// The edges from the operations behind: one is kept if the edge before the move or the edge after it is.
    fn behind(&self, all: &'a [report::Decision]) -> impl Iterator<Item = Cow<'a, report::Decision>> + '_ {
        let edges = all.iter().filter(|d| !self.into.contains_key(&(&*d.computation, &*d.consumer)));
        edges.map(|d| {
            let Some(into) = self.into.get(&(&*d.computation, &*d.producer)) else { return Cow::Borrowed(d) };
            let mut whole = d.clone();
            (whole.producer, whole.origins[0]) = (into.producer.clone(), into.origins[0].clone());
            if let Some(refusal) = &into.refusal {
                whole.refuse(into.pass, refusal.clone());
            }
            Cow::Owned(whole)
        })
    }
}

/// `None` for what is fused inside one instruction of the input.
fn decision(
    planned: &Planned,
    (names, file): (&Names, &str),
    d: &report::Decision,
    (listing, savings): (&Listing, &Savings<'_>),
) -> Option<Decision> {
    let [from, to] = &d.origins;
    let (producer, consumer) = (names.best(&d.producer, from), names.best(&d.consumer, to));
    let mut from_kernels = listing.kernels(&d.computation, &d.producer, from);
    let to_kernels = listing.kernels(&d.computation, &d.consumer, to);
    // Later passes may have put both where one of them was.
    let inside = !to_kernels.is_empty() && to_kernels.is_subset(&from_kernels);
    let refusal = d.refusal.as_ref().filter(|_| !inside).map(|refusal| match refusal {
        // One kernel has both now; the others read the result of that instead of computing it too.
        Refusal::SecondHero { first, .. } if !to_kernels.is_disjoint(&from_kernels) => {
            Refusal::Recomputes { opcode: *first, users: to_kernels.len() }
        }
        _ => refusal.clone(),
    });
    if producer == consumer && refusal.is_none() {
        return None;
    }
    if refusal.is_none()
        && let Some(source) = names.working(&d.producer, from)
    {
        // Where it has become one with an equal operation, or got another name, the lists know.
        from_kernels.extend(to_kernels.iter().filter(|&&k| listing.lists(k, source)));
    }
    let both = from.union(to);
    let mut decision = Decision {
        producer,
        consumer,
        fused: refusal.is_none(),
        pass: d.pass.into(),
        places: places(&planned.module, &both, file),
        bytes_saved_formula: d.bytes_saved_formula.max(0) as u64,
        from_kernels: from_kernels.into_iter().collect(),
        to_kernels: to_kernels.into_iter().collect(),
        ..Decision::default()
    };
    match &refusal {
        None => {
            let saved = savings.fused(d);
            decision.reason = match decision.from_kernels[..] {
                [] => "no kernel computes the producer: its operand lies in memory as it would make it",
                _ => "the consumer's kernel computes the producer",
            }
            .into();
            (decision.bytes_saved, decision.us_saved) = (saved.bytes, saved.us);
        }
        Some(refusal) => {
            decision.refusal = Some(refusal.name().into());
            decision.reason = reason(refusal);
            if decision.producer == decision.consumer {
                decision.reason += &format!(" Both are operations that `{}` became.", decision.producer);
            }
            decision.ground = refusal.about().map(|a| a.ground);
            if decision.ground != Some(Ground::Cost) {
                let saved = savings.kept(d, &decision);
                (decision.would_save_bytes, decision.would_save_us) = (saved.bytes, saved.us);
            }
            decision.counterfactual = Some(remedy(refusal, &decision));
        }
    }
    Some(decision)
}

/// What is so, and why it matters.
fn reason(refusal: &Refusal) -> String {
    match refusal.about() {
        Some(about) => format!("{refusal}. {}", about.why),
        None => refusal.to_string(),
    }
}

/// What to do, and what that saves, where it saves something.
fn remedy(refusal: &Refusal, d: &Decision) -> String {
    let cure = refusal.about().map_or("", |a| a.cure);
    match d.would_save_bytes {
        0 => cure.to_owned(),
        bytes => format!("{cure} Fusion would save up to {}, {}.", human(bytes), time(d.would_save_us)),
    }
}

/// The verdicts on kernels that might share a launch.
pub fn candidates(planned: &Planned, names: &Names) -> Vec<Candidate> {
    let of = |c: &report::Candidate| Candidate {
        kernel: names.best(&c.kernel, &c.origin),
        joined: c.joined,
        refusal: c.refusal.as_ref().map(|r| r.name().into()),
        reason: c.refusal.as_ref().map_or("it shares a launch".into(), reason),
    };
    planned.report.candidates.iter().map(of).collect()
}

/// The verdicts on pairs of whole kernels.
pub fn joins(planned: &Planned, names: &Names) -> Vec<Join> {
    let of = |j: &report::Join| {
        let refusal = j.verdict.as_ref().err();
        Join {
            pass: j.pass.into(),
            kernels: [0, 1].map(|n| names.best(&j.kernels[n], &j.origins[n])),
            joined: refusal.is_none(),
            refusal: refusal.map(|r| r.name().into()),
            reason: refusal.map_or("one kernel is expected to be faster".into(), reason),
        }
    };
    planned.report.joins.iter().map(of).collect()
}

/// Arrays that lie in another order than that of their dimensions, of those that are still in memory.
pub fn layouts(planned: &Planned, names: &Names) -> Vec<Layout> {
    let chosen = &planned.report.layouts;
    let in_memory = |l: &&report::LayoutChoice| {
        let host = planned.module.computations.iter().filter(|c| c.name == l.computation);
        host.flat_map(|c| &c.instrs).any(|i| i.name == l.array)
    };
    let of = |l: &report::LayoutChoice| {
        let order: Vec<String> = l.order.iter().rev().map(|d| d.to_string()).collect();
        Layout {
            array: names.best(&l.array, &l.origin),
            shape: format!("{}{{{}}}", l.shape, order.join(",")),
            us_in_order: l.us_before,
            us: l.us_after,
        }
    };
    chosen.iter().filter(in_memory).map(of).collect()
}
