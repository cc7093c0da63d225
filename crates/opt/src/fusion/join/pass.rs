//! What every pass that joins kernels does around its policy.

use super::verdict::{self, After};
use super::{Engine, emit};
use crate::effects::{Effects, host_computations};
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::{Module, Opcode};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Runs a policy over every computation that the host runs.
pub fn run(
    cx: &mut PassContext,
    module: &mut Module,
    (name, strategy): (&'static str, Strategy),
    policy: fn(&mut PassContext, &mut Engine<'_, '_>),
) -> Changed {
    if !cx.options.allows(strategy) {
        return Changed::No;
    }
    let host = host_computations(module);
    let mut kept: FxHashMap<Arc<str>, Vec<usize>> = FxHashMap::default();
    for (n, d) in cx.report.decisions.iter().enumerate().filter(|(_, d)| !d.fused) {
        kept.entry(d.computation.clone()).or_default().push(n);
    }
    let mut effects = Effects::default();
    let mut judge = std::mem::take(&mut cx.judge);
    judge.begin();
    let mut index = 0;
    let changed = each_computation(module, |rebuild, comp, is_entry| {
        effects.follow(rebuild.module);
        index += 1;
        if !host[index - 1] || comp.instrs.iter().all(|i| i.opcode == Opcode::Parameter) {
            return (comp, false);
        }
        let limit = cx.report.peaks.get(&comp.name).copied().unwrap_or(0);
        let mut engine =
            Engine::new(name, strategy, (rebuild.module, &mut judge), &effects, (&comp, is_entry), limit);
        policy(cx, &mut engine);
        let Engine { host, clusters, refusals, changed, joins, steps, mut numbers, .. } = engine;
        for (what, times) in [("joins", joins), ("steps", steps)] {
            if times > 0 {
                cx.fired_times(what, times);
            }
        }
        cx.burn_fuel(name, joins);
        let new = (joins > 0)
            .then(|| emit::emit(rebuild, (&mut judge.numbers, &mut numbers), (&host, &clusters), &changed));
        if let Some(kept) = kept.get(&comp.name) {
            let after = After { pass: name, host: &host, clusters: &clusters, refusals: &refusals };
            verdict::update(
                &after,
                &mut cx.report.decisions,
                kept,
                rebuild.module,
                new.as_ref().unwrap_or(&comp),
            );
        }
        match new {
            Some(new) => (new, true),
            None => (comp, false),
        }
    });
    cx.judge = judge;
    cx.fired_plans();
    Changed::from(changed)
}
