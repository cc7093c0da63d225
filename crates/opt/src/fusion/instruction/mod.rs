//! Instruction fusion: producers move into the kernels of their consumers.
//!
//! ```text
//! ROOT n = f32[8] negate(e)   →   ROOT n = f32[8] fusion(x), kind=kLoop, calls=fused_exponential_negate
//! ```
//!
//! Regions grow by an estimate ([`grow`], [`draft`], [`place`]); a finished region is then built and planned
//! once. If it has no plan of one loop nest, the producer whose joining made the difference is found by bisection,
//! the edge is forbidden, and the walk starts again. What comes out is therefore always a plan.

mod above;
mod body;
mod decide;
mod draft;
mod emit;
mod epilogue;
mod grow;
mod hero;
mod narrow;
mod place;

use crate::effects::{Effects, host_computations, pinned};
use crate::fusion::join;
use crate::fusion::role::{Role, is_updated, role};
use crate::options::fusion::FusionBase;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use above::chains_above;
use body::Checks;
use draft::{Draft, View};
use epilogue::epilogues;
use grow::{Forbidden, Grower, Growth};
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::refusal::Refusal;
use narrow::Pieces;
use rustc_hash::{FxHashMap, FxHashSet};

pub const NAME: &str = "instruction-fusion";

/// Walks over one computation; after these, regions that still have no plan take nobody in.
const MAX_WALKS: usize = 8;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if cx.options.fusion.base == FusionBase::Given {
        return Changed::No;
    }
    let host = host_computations(module);
    cx.judge.begin();
    let mut effects = Effects::default();
    let mut index = 0;
    let changed = each_computation(module, |rebuild, comp, is_entry| {
        index += 1;
        if !host[index - 1] {
            return (comp, false);
        }
        effects.follow(rebuild.module);
        let in_use = join::in_use(rebuild.module, &effects, (&comp, is_entry));
        let limit = in_use.iter().map(|m| m.1).max().unwrap_or(0).max(0);
        cx.report.peaks.insert(comp.name.clone(), limit);
        let pinned = pinned(&comp);
        let roles: Vec<Role> = comp.iter().map(|(id, _)| role(&comp, id, pinned.contains(&id))).collect();
        let target = cx.options.target.clone();
        let view = View { comp: &comp, roles: &roles, target: &target };
        let mut forbidden = Forbidden::default();
        for round in 0.. {
            let growth = settle(cx, rebuild.module, view, &mut forbidden);
            let before = rebuild.module.computations.len();
            let (new, changed) = emit::emit(rebuild, view, &growth);
            effects.follow(rebuild.module);
            let in_use = join::in_use(rebuild.module, &effects, (&new, is_entry));
            let peaks = with_names_of(&comp, &new, peaks(&in_use, limit));
            if round == MAX_WALKS || !keep_apart(&growth, &peaks, &mut forbidden) {
                cx.burn_fuel(NAME, growth.joins);
                cx.report.decisions.extend(decide::decisions(view, &growth));
                return (new, changed);
            }
            rebuild.take_back(before);
            effects.take_back(before);
        }
        (comp, false)
    });
    cx.fired_plans();
    Changed::from(changed)
}

/// Grows regions until all have a plan.
fn settle(cx: &mut PassContext, module: &Module, view: View<'_>, forbidden: &mut Forbidden) -> Growth {
    let users = view.comp.users();
    let updated_at = updated_at(view.comp);
    let epilogues = epilogues(view, &users);
    let above = chains_above(view);
    let mut planned: FxHashSet<Vec<InstrId>> = FxHashSet::default();
    let mut checks = Checks::new(view.comp);
    let mut pieces = Pieces::default();
    let mut walks = 0;
    loop {
        walks += 1;
        let grower = Grower {
            cx: view,
            users: &users,
            spec: &cx.options.fusion,
            forbidden,
            fuel: cx.fuel_left(NAME),
            updated_at: &updated_at,
            epilogues: &epilogues,
            above: &above,
            pieces: &pieces,
        };
        let mut growth = grower.grow();
        if walks == 1 {
            let full = full(&growth);
            if !full.is_empty() {
                cx.fired_times("steps", growth.steps);
                pieces = Pieces::around(view, &users, &full);
                continue;
            }
        }
        peel(view, &mut growth);
        cx.fired_times("steps", growth.steps);
        let mut refused = Vec::new();
        for draft in growth.drafts.iter().filter(|d| d.members.len() > 1) {
            let members = in_order(&draft.members);
            if planned.contains(&members) {
                continue;
            }
            match checks.check(cx, module, view, &members) {
                Ok(()) => drop(planned.insert(members)),
                Err(refusal) => refused.push((draft, refusal)),
            }
        }
        if refused.is_empty() {
            return growth;
        }
        for (draft, refusal) in refused {
            let full = matches!(refusal, Refusal::CodeSize { .. });
            let alone =
                |checks: &mut Checks, cx: &mut PassContext| checks.check(cx, module, view, &[draft.root]);
            // Nothing joins a root whose own code is too long already.
            if walks < MAX_WALKS && !(full && alone(&mut checks, cx).is_err()) {
                let (member, refusal) = culprit(cx, &mut checks, module, view, draft, refusal);
                forbidden.insert((member, draft.root), refusal);
            } else {
                // Others than its members of now would only be refused one walk later.
                forbidden.insert((draft.root, draft.root), refusal);
            }
        }
    }
}

/// The moments at which more is in use than the limit, of those without a break the first with the most, and how much
/// more.
fn peaks(in_use: &[(InstrId, i64)], limit: i64) -> Vec<(InstrId, i64)> {
    let runs = in_use.chunk_by(|a, b| (a.1 > limit) == (b.1 > limit));
    let most = runs.map(|run| run.iter().fold(run[0], |most, &m| if m.1 > most.1 { m } else { most }));
    most.filter(|m| m.1 > limit).map(|(at, bytes)| (at, bytes - limit)).collect()
}

/// The same moments in the old computation: what stands for a region has the name of its root.
fn with_names_of(old: &Computation, new: &Computation, peaks: Vec<(InstrId, i64)>) -> Vec<(InstrId, i64)> {
    if peaks.is_empty() {
        return peaks;
    }
    let named: FxHashMap<&str, InstrId> = old.iter().map(|(id, i)| (&*i.name, id)).collect();
    peaks.into_iter().filter_map(|(at, bytes)| Some((*named.get(&*new[at].name)?, bytes))).collect()
}

/// Forbids what makes kernels hold their operands across a moment at which too much memory is in use; whether there is
/// any such thing.
fn keep_apart(growth: &Growth, peaks: &[(InstrId, i64)], forbidden: &mut Forbidden) -> bool {
    let known = forbidden.len();
    for draft in &growth.drafts {
        for &member in &draft.members {
            // The first moment after the member, up to that of the kernel itself.
            let next = peaks.partition_point(|&(at, _)| at <= member);
            if let Some(&(_, bytes)) = peaks.get(next).filter(|p| p.0 <= draft.root) {
                forbidden.insert((member, draft.root), Refusal::RaisesPeakMemory { bytes });
            }
        }
    }
    forbidden.len() > known
}

/// Producers that did not join a region because its code was full.
fn full(growth: &Growth) -> Vec<InstrId> {
    let code_size = |r: &Refusal| matches!(r, Refusal::CodeSize { .. });
    let refused = growth.refusals.iter().filter(|(_, refusal)| code_size(refusal));
    let mut full: Vec<InstrId> = refused.map(|((id, _), _)| *id).collect();
    full.sort_unstable();
    full
}

/// The member whose joining left the draft without a plan: any prefix of the members is a region.
fn culprit(
    cx: &mut PassContext,
    checks: &mut Checks,
    module: &Module,
    view: View<'_>,
    draft: &Draft,
    mut refusal: Refusal,
) -> (InstrId, Refusal) {
    let (mut good, mut bad) = (1, draft.members.len());
    while bad - good > 1 {
        let middle = (good + bad) / 2;
        match checks.check(cx, module, view, &in_order(&draft.members[..middle])) {
            Ok(()) => good = middle,
            Err(r) => (bad, refusal) = (middle, r),
        }
    }
    (draft.members[bad - 1], refusal)
}

fn in_order(members: &[InstrId]) -> Vec<InstrId> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members
}

/// Renames on the rim of a region go to the host, where they cost nothing at all.
fn peel(view: View<'_>, growth: &mut Growth) {
    for (d, draft) in growth.drafts.iter_mut().enumerate() {
        let d = d as u32;
        let homes = &mut growth.homes;
        for id in draft.members.clone().into_iter().rev() {
            if view.roles[id.index()] != Role::Rename || id == draft.root {
                continue;
            }
            let operand = view.comp[id].operands[0];
            let rim = !homes[operand.index()].contains(&d) && view.roles[operand.index()] != Role::Code;
            if rim {
                homes[id.index()].retain(|h| *h != d);
                draft.members.retain(|m| *m != id);
                growth.in_memory[id.index()] = true;
            }
        }
    }
}

/// For each array updated in place the first instruction that does.
fn updated_at(comp: &Computation) -> FxHashMap<InstrId, InstrId> {
    let mut first = FxHashMap::default();
    for (id, instr) in comp.iter() {
        for (n, &operand) in instr.operands.iter().enumerate() {
            if is_updated(instr.opcode, instr.operands.len(), n) {
                first.entry(operand).or_insert(id);
            }
        }
    }
    first
}
