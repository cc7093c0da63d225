//! Horizontal fusion: small kernels that know nothing of each other become one launch, by rows of a segment table.
//!
//! ```text
//! a = f32[8] negate(x)           s = (f32[8], f32[64]) fusion(x, y), kind=kCustom, calls=segments, …
//! b = f32[64] exponential(y) →   a = f32[8] get-tuple-element(s), index=0
//!                                b = f32[64] get-tuple-element(s), index=1
//! ```
//!
//! Kernels as far from the end as each other cannot wait for each other, nor can those as far from the beginning:
//! these are grouped, first by the former, which finds what is consumed together (an optimiser's updates), then by
//! the latter ([`groups`]). Who takes part is decided by the cost of a launch ([`judge`]); a group that would hold
//! arrays across the peak of memory is dissolved ([`order`]).

mod emit;
mod groups;
mod judge;
mod order;

use super::join::host::Host;
use crate::effects::{Effects, host_computations};
use crate::options::fusion::{FusionBase, Strategy};
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use crate::report::Candidate;
use groups::{Groups, Merge, Side};
use judge::Judged;
use lawson_hlo::{Module, Opcode};
use lawson_kernel::refusal::Refusal;
use order::Timeline;

pub const NAME: &str = "horizontal-fusion";

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if !cx.options.allows(Strategy::Horizontal) {
        return Changed::No;
    }
    let host_level = host_computations(module);
    cx.plans.begin();
    let mut effects = Effects::default();
    let mut index = 0;
    let changed = each_computation(module, |rebuild, comp, is_entry| {
        effects.follow(rebuild.module);
        index += 1;
        if !host_level[index - 1] || comp.instrs.iter().all(|i| i.opcode == Opcode::Parameter) {
            return (comp, false);
        }
        let host = Host::of(rebuild.module, &effects, (&comp, is_entry));
        let mut verdicts = judge::all(rebuild.module, &host, &cx.options, &mut cx.plans);
        let groups = settle(cx, &host, &mut verdicts);
        let joins = groups.joins();
        cx.burn_fuel(NAME, joins);
        let new = (joins > 0).then(|| {
            cx.fired_times("joins", joins);
            emit::emit(rebuild, &host, &groups)
        });
        report(cx, &host, &groups, verdicts);
        match new {
            Some(new) => (new, true),
            None => (comp, false),
        }
    });
    Changed::from(changed)
}

/// Groups by distance from the end, then from the beginning.
fn settle(cx: &mut PassContext, host: &Host<'_>, verdicts: &mut [Result<Judged, Refusal>]) -> Groups {
    let mut groups = Groups::new(host.units.len());
    let mut timeline = Timeline::of(host, &groups);
    let limit = match cx.options.fusion.base {
        FusionBase::Max => i64::MAX,
        // What every kernel by itself would need may be used.
        _ => timeline.peak.bytes.max(cx.report.peaks.get(&host.comp.name).copied().unwrap_or(0)),
    };
    let mut fuel = cx.fuel_left(NAME);
    for side in [Side::End, Side::Beginning] {
        let mut merges = groups::merges(host, &groups, &timeline.order, side, verdicts, &cx.options.target);
        spend(&mut fuel, &mut merges, &groups, verdicts);
        loop {
            let merged = groups.merged(&merges);
            let new = Timeline::of(host, &merged);
            cx.fired_times("steps", new.steps);
            if new.peak.bytes <= limit || merges.is_empty() {
                (groups, timeline) = (merged, new);
                break;
            }
            dissolve(host, &groups, &mut merges, &merged, &new, limit, verdicts);
        }
    }
    groups
}

/// Ends what the fuel does not last for.
fn spend(
    fuel: &mut Option<u64>,
    merges: &mut Vec<Merge>,
    groups: &Groups,
    verdicts: &mut [Result<Judged, Refusal>],
) {
    let Some(left) = fuel else { return };
    for merge in merges.iter_mut() {
        let kept = merge.len().min(*left as usize + 1);
        *left -= kept as u64 - 1;
        for group in merge.drain(kept..) {
            groups.members(group).iter().for_each(|&u| verdicts[u as usize] = Err(Refusal::NoFuel));
        }
    }
    merges.retain(|m| m.len() > 1);
}

/// Takes back the merges whose arrays are in use at the peak; all where none is.
fn dissolve(
    host: &Host<'_>,
    groups: &Groups,
    merges: &mut Vec<Merge>,
    merged: &Groups,
    timeline: &Timeline,
    limit: i64,
    verdicts: &mut [Result<Judged, Refusal>],
) {
    let in_use = |merge: &Merge| {
        let units = merge.iter().flat_map(|&g| groups.members(g));
        let mut arrays = units.flat_map(|&u| host.unit(u).defines.iter().chain(&host.unit(u).reads));
        arrays.any(|&a| timeline.in_use_at_peak(host, merged, a))
    };
    let guilty: Vec<bool> = merges.iter().map(in_use).collect();
    let all = guilty.iter().all(|g| !g);
    let bytes = timeline.peak.bytes - limit;
    let mut position = 0;
    merges.retain(|merge| {
        position += 1;
        if !all && !guilty[position - 1] {
            return true;
        }
        for &unit in merge.iter().flat_map(|&g| groups.members(g)) {
            if let Ok(judged) = &mut verdicts[unit as usize] {
                judged.dissolved = Some(Refusal::RaisesPeakMemory { bytes });
            }
        }
        false
    });
}

/// The verdict on each kernel.
fn report(cx: &mut PassContext, host: &Host<'_>, groups: &Groups, verdicts: Vec<Result<Judged, Refusal>>) {
    for (unit, verdict) in verdicts.into_iter().enumerate() {
        let unit = unit as u32;
        if host.unit(unit).kernel.is_err() {
            continue;
        }
        let joined = groups.members(groups.of(unit)).len() > 1;
        let refusal = match verdict {
            _ if joined => None,
            Err(refusal) => Some(refusal),
            Ok(judged) => Some(judged.dissolved.unwrap_or(Refusal::NothingBeside)),
        };
        cx.report.candidates.push(Candidate {
            computation: host.comp.name.clone(),
            kernel: host.instr(unit).name.clone(),
            origin: host.instr(unit).origin.clone(),
            joined,
            refusal,
        });
    }
}
