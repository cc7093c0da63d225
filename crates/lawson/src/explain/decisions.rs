//! The verdicts in the words of the input: one for each edge between two of its instructions.

use super::names::{Names, places};
use super::{Candidate, Decision, Join, Layout};
use crate::compile::Planned;
use lawson_opt::report;
use std::collections::BTreeMap;

/// One verdict for each edge of the input.
pub fn decisions(planned: &Planned, names: &Names, file: &str) -> Vec<Decision> {
    let mut all: Vec<Decision> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for d in &planned.report.decisions {
        let Some(next) = decision(planned, names, file, d) else { continue };
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

/// `None` for what is fused inside one instruction of the input.
fn decision(planned: &Planned, names: &Names, file: &str, d: &report::Decision) -> Option<Decision> {
    let [from, to] = &d.origins;
    let (mut producer, mut consumer) = (names.best(&d.producer, from), names.best(&d.consumer, to));
    if producer == consumer {
        if d.fused {
            return None;
        }
        // Both stand for one instruction of the input: only their own names tell them apart.
        (producer, consumer) = (d.producer.to_string(), d.consumer.to_string());
    }
    let both = from.union(to);
    Some(Decision {
        producer,
        consumer,
        fused: d.fused,
        pass: d.pass.into(),
        refusal: d.refusal.as_ref().map(|r| r.name().into()),
        reason: d.reason.clone(),
        counterfactual: (!d.counterfactual.is_empty()).then(|| d.counterfactual.clone()),
        places: places(&planned.module, &both, file),
        bytes_saved: d.bytes_saved.max(0) as u64,
        bytes_saved_formula: d.bytes_saved_formula.max(0) as u64,
        us_saved: d.us_saved,
    })
}

/// The verdicts on kernels that might share a launch.
pub fn candidates(planned: &Planned) -> Vec<Candidate> {
    let of = |c: &report::Candidate| Candidate {
        kernel: c.kernel.to_string(),
        joined: c.joined,
        refusal: c.refusal.as_ref().map(|r| r.name().into()),
        reason: c.refusal.as_ref().map_or("it shares a launch".into(), |r| r.to_string()),
    };
    planned.report.candidates.iter().map(of).collect()
}

/// The verdicts on pairs of whole kernels.
pub fn joins(planned: &Planned) -> Vec<Join> {
    let of = |j: &report::Join| {
        let refusal = j.verdict.as_ref().err();
        Join {
            pass: j.pass.into(),
            kernels: [j.kernels[0].to_string(), j.kernels[1].to_string()],
            joined: refusal.is_none(),
            refusal: refusal.map(|r| r.name().into()),
            reason: refusal.map_or("one kernel is faster".into(), |r| r.to_string()),
        }
    };
    planned.report.joins.iter().map(of).collect()
}

/// Arrays that lie in another order than that of their dimensions, of those that are still in memory.
pub fn layouts(planned: &Planned) -> Vec<Layout> {
    let chosen = &planned.report.layouts;
    let in_memory = |l: &&report::LayoutChoice| {
        let host = planned.module.computations.iter().filter(|c| c.name == l.computation);
        host.flat_map(|c| &c.instrs).any(|i| i.name == l.array)
    };
    let of = |l: &report::LayoutChoice| {
        let order: Vec<String> = l.order.iter().rev().map(|d| d.to_string()).collect();
        Layout {
            array: l.array.to_string(),
            shape: format!("{}{{{}}}", l.shape, order.join(",")),
            us_in_order: l.us_before,
            us: l.us_after,
        }
    };
    chosen.iter().filter(in_memory).map(of).collect()
}
