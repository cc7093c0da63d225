//! What is reported of each residual.

use super::border::{Half, half, needs};
use super::decide::Residuals;
use super::graph::{KernelId, ValueId};
use super::phase::Border;
use crate::pass::PassContext;
use crate::report::{Residual, ResidualFate, ResidualPlan, ResidualReason};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What is known of one residual.
struct Fate {
    fate: ResidualFate,
    stored: i64,
    readers: u64,
}

/// Writes down what became of the residuals of a computation.
pub fn report(cx: &mut PassContext, pass: &Residuals<'_>) {
    let graph = &pass.graph;
    let mut fates: BTreeMap<ValueId, Fate> = BTreeMap::new();
    // Results are kept in any case.
    let waiting = |v: ValueId| if graph.kept.contains(&v) { 0 } else { graph.bytes(v) };
    let mut note = |value: ValueId, fate: ResidualFate, stored: i64| {
        let known = fates.entry(value).or_insert(Fate { fate, stored, readers: 0 });
        known.readers += 1;
        // Saved for one reader is saved.
        if fate == ResidualFate::Saved {
            (known.fate, known.stored) = (fate, stored);
        }
    };
    for id in 0..graph.kernels.len() as KernelId {
        let kernel = &graph.kernels[id as usize];
        let mut told: FxHashSet<ValueId> = FxHashSet::default();
        for need in needs(graph, id) {
            let v = need.value;
            let bits = kernel.unpacked.iter().find(|u| u.0 == v);
            let fate = match (bits, need.read) {
                (Some(_), _) => ResidualFate::Saved,
                _ if kernel.instead.iter().any(|i| i.0 == v) => ResidualFate::Rewritten,
                (None, true) => ResidualFate::Saved,
                (None, false) => ResidualFate::Recomputed,
            };
            let array = bits.map_or(v, |b| b.1);
            let stored = if fate == ResidualFate::Saved { waiting(array) } else { 0 };
            note(v, fate, stored);
            told.insert(v);
            told.extend(bits.map(|b| b.1));
        }
        // What a kernel computes again reads what is saved instead.
        if half(graph, kernel) == Half::Backward {
            let forward = |v: &&ValueId| {
                let value = graph.value(**v);
                !value.backward && !value.uniform && pass.uses.maker(**v).is_some() && !told.contains(*v)
            };
            kernel.reads.iter().filter(forward).for_each(|&v| note(v, ResidualFate::Saved, waiting(v)));
        }
    }
    let name = &graph.host.comp.name;
    for (v, Fate { fate, stored, readers }) in fates {
        let instr = graph.instr(v);
        let reason = match pass.reasons.get(&v) {
            _ if graph.kept.contains(&v) && fate == ResidualFate::Saved => ResidualReason::Result,
            _ if graph.value(v).outside => ResidualReason::Opaque { opcode: graph.opcode(v) },
            _ if fate == ResidualFate::Saved && stored < graph.bytes(v) => ResidualReason::Bits,
            _ if fate == ResidualFate::Rewritten => ResidualReason::Available,
            Some(reason @ ResidualReason::Again { .. }) if fate == ResidualFate::Recomputed => reason.clone(),
            _ if fate == ResidualFate::Recomputed => ResidualReason::Fused,
            Some(ResidualReason::Again { .. }) => ResidualReason::Cheapest,
            Some(reason) => reason.clone(),
            None => ResidualReason::Opaque { opcode: graph.opcode(v) },
        };
        cx.report.residuals.push(Residual {
            computation: name.clone(),
            value: instr.name.clone(),
            origin: instr.origin.clone(),
            shape: instr.shape.clone(),
            bytes: graph.bytes(v),
            stored,
            fate,
            readers,
            reason,
        });
    }
    cx.report.residual_plans.push(ResidualPlan {
        computation: name.clone(),
        marked: pass.border == Border::Marked,
        peak_before: pass.peak_before,
        peak_after: pass.memory.peak(),
    });
}
