//! Loop fusion: a `while` whose body works lane by lane becomes one kernel.
//!
//! ```text
//! w = (s32[], f32[64]) while(t), …   →   f = f32[64] fusion(x), kind=kCustom, calls=fused_while,
//! y = f32[64] get-tuple-element(w)         backend_config={"lawson":{"plan":"loop"}}
//! ```
//!
//! The called computation holds the loop, what makes its initial values and what uses its results, so the module
//! stays text that can be read, run and compared. Whether there is such a kernel is decided by building and
//! planning it; outer loops are tried before the loops in them, which otherwise stay loops within the kernel. Loops that follow
//! one another may share a kernel: [`follow`].

mod decide;
mod emit;
mod few_lanes;
mod follow;
mod group;
mod lookups;
pub mod tables;

use crate::fusion::role::{Wish, wish};
use crate::loops::time_tiling::is_tiled;
use crate::options::fusion::{FusionBase, Strategy};
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use group::Group;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::cost::figures::{self, Figures};
use lawson_kernel::plan::plan;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{Cut, build};
use rustc_hash::FxHashMap;

pub const NAME: &str = "loop-fusion";

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if !cx.options.fusion.base.fuses() {
        return Changed::No;
    }
    let groups = groups(cx, module);
    if groups.is_empty() {
        return Changed::No;
    }
    let mut index = 0;
    let changed = each_computation(module, |rebuild, comp, _| {
        index += 1;
        match groups.get(&CompId(index - 1)) {
            Some(groups) => (emit::emit(rebuild, &comp, groups), true),
            None => (comp, false),
        }
    });
    Changed::from(changed)
}

/// The kernels of each computation that runs on the host.
fn groups(cx: &mut PassContext, module: &Module) -> FxHashMap<CompId, Vec<Group>> {
    let mut host = vec![false; module.computations.len()];
    host[module.entry.index()] = true;
    let mut all: FxHashMap<CompId, Vec<Group>> = FxHashMap::default();
    // Callers stand after what they call.
    for (id, comp) in module.iter().rev() {
        if !host[id.index()] {
            continue;
        }
        let mut groups: Vec<Group> = Vec::new();
        for (at, instr) in comp.iter() {
            // Of a tiled loop the lanes read each other's rows, and the report says what became of it.
            if instr.opcode == Opcode::While && !is_tiled(module, instr) {
                match fuse(cx, module, (id, at), &groups) {
                    Ok(group) => {
                        groups.push(group);
                        continue;
                    }
                    Err(refusal) => cx.report.decisions.push(decide::kept(module, comp, at, refusal)),
                }
            }
            if matches!(instr.attrs, Attrs::While { .. } | Attrs::Conditional { .. } | Attrs::Call { .. }) {
                instr.attrs.called().iter().for_each(|c| host[c.index()] = true);
            }
        }
        let groups = follow::follow(cx, module, id, groups);
        for group in &groups {
            cx.report.decisions.extend(decide::fused(module, comp, group));
        }
        for group in &groups {
            cx.report.decisions.extend(decide::around(comp, group, &groups));
        }
        if !groups.is_empty() {
            all.insert(id, groups);
        }
    }
    for (id, groups) in &mut all {
        for group in groups {
            let called = group.loops.iter().flat_map(|at| called(module, &module[*id][*at]));
            group.shared = called.into_iter().any(|c| host[c.index()]);
        }
    }
    all
}

/// The largest kernel around a loop.
fn fuse(
    cx: &mut PassContext,
    module: &Module,
    (id, at): (CompId, InstrId),
    earlier: &[Group],
) -> Result<Group, Refusal> {
    if !cx.options.allows(Strategy::Loop) {
        return Err(Refusal::SwitchedOff);
    }
    let comp = &module[id];
    if let Some(instr) = forbidden(module, comp, at) {
        return Err(Refusal::Forbidden { opcode: instr.opcode });
    }
    let bare = Group::bare(comp, at)?;
    check(cx, module, id, &bare)?;
    if coin(cx, (id, at), 0) == Some(false) {
        return Err(Refusal::CostsMore { opcode: Opcode::While });
    }
    if !cx.fuel(NAME) {
        return Err(Refusal::NoFuel);
    }
    cx.fired("loop");
    let mut bare = bare;
    let mut started = bare.with_prologue(comp, earlier, &[]);
    if cx.options.fusion.base == FusionBase::On {
        bare.refused = lookups::made_before(module, comp, &started, &cx.options.target);
        let apart: Vec<InstrId> = bare.refused.iter().map(|(id, _)| *id).collect();
        if !apart.is_empty() {
            started = bare.with_prologue(comp, earlier, &apart);
        }
    }
    let whole = started.with_epilogue(comp);
    for (n, group) in [whole, started].into_iter().enumerate() {
        if coin(cx, (id, at), 1 + n) != Some(false) && check(cx, module, id, &group).is_ok() {
            return Ok(group);
        }
    }
    Ok(grow(cx, module, id, bare, earlier))
}

/// What the coin says of a decision on a loop.
fn coin(cx: &PassContext, (id, at): (CompId, InstrId), decision: usize) -> Option<bool> {
    let number = (id.index() as u64) << 40 | u64::from(at.0) << 8 | decision as u64;
    cx.options.fusion.base.coin(number)
}

/// Producers tried one by one where they do not fit all together.
const MOST_TRIES: usize = 16;

/// The group with the producers that fit, and why others do not.
fn grow(cx: &mut PassContext, module: &Module, id: CompId, bare: Group, earlier: &[Group]) -> Group {
    let comp = &module[id];
    let producers = bare.producers(comp, earlier);
    let (mut left_out, mut best) = (producers.clone(), bare.clone());
    let may_join = |p: &InstrId| bare.refused.iter().all(|(id, _)| id != p);
    for (tries, producer) in producers.into_iter().filter(may_join).enumerate() {
        let others: Vec<InstrId> = left_out.iter().copied().filter(|p| *p != producer).collect();
        let with = bare.with_prologue(comp, earlier, &others);
        let verdict = match coin(cx, (id, bare.at), 3 + tries.min(MOST_TRIES)) {
            Some(false) => Err(Refusal::CostsMore { opcode: comp[producer].opcode }),
            _ if tries >= MOST_TRIES => Err(Refusal::TooManyTries { limit: MOST_TRIES as u32 }),
            _ => check(cx, module, id, &with),
        };
        match verdict {
            Ok(()) => (left_out, best) = (others, Group { refused: best.refused, ..with }),
            Err(refusal) => best.refused.push((producer, refusal)),
        }
    }
    let whole = best.with_epilogue(comp);
    match coin(cx, (id, best.at), 4 + MOST_TRIES) != Some(false) && check(cx, module, id, &whole).is_ok() {
        true => whole,
        false => best,
    }
}

/// The computations of a loop and of loops within it.
fn called(module: &Module, instr: &Instruction) -> Vec<CompId> {
    let mut all = instr.attrs.called();
    let mut next = 0;
    while next < all.len() {
        let loops = module[all[next]].instrs.iter().filter(|i| i.opcode == Opcode::While);
        let within: Vec<CompId> = loops.flat_map(|i| i.attrs.called()).collect();
        all.extend(within);
        next += 1;
    }
    all
}

/// The loop, or an instruction in it, that the user lets share no kernel.
fn forbidden<'m>(module: &'m Module, comp: &'m Computation, at: InstrId) -> Option<&'m Instruction> {
    let called = called(module, &comp[at]);
    let inside = called.into_iter().flat_map(|c| &module[c].instrs);
    inside.chain([&comp[at]]).find(|i| wish(i) == Some(Wish::Never))
}

/// Whether a group is one kernel.
fn check(cx: &mut PassContext, module: &Module, id: CompId, group: &Group) -> Result<(), Refusal> {
    quote(cx, module, id, group).map(drop)
}

/// What the kernel of a group costs.
fn quote(cx: &mut PassContext, module: &Module, id: CompId, group: &Group) -> Result<Figures, Refusal> {
    cx.fired("plans");
    let body = emit::body_of(module, &module[id], group);
    let comp = &body.computation;
    let inputs = comp.parameters();
    let region = build(module, &comp.name, Cut { computation: comp, inputs: &inputs, roots: &[comp.root] })?;
    let target = &cx.options.target;
    let lanes = region.stages.first().map_or(1, |s| s.points());
    if cx.options.fusion.base == FusionBase::On {
        few_lanes::pays(module, &module[id], &group.loops, (lanes, target))?;
    }
    let plan = plan(&region, target, figures::work)?;
    let figures = figures::count(&region, &plan, target);
    match figures.code <= target.code {
        true => Ok(figures),
        false => Err(Refusal::CodeSize { nodes: figures.code as usize, limit: target.code as usize }),
    }
}
