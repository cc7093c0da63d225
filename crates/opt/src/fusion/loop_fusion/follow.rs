//! Loops that follow one another over the same lanes share a kernel: the forward and the backward loop of a derivative.
//!
//! The second reads, lane by lane, rows that the first stacks. In one kernel a block of lanes runs through all loops before
//! the next block begins, and the rows stay in the cache of the task. Where they do not fit, or where the price is
//! higher, each loop keeps its own kernel.

use super::group::Group;
use super::{MOST_TRIES, NAME, coin, decide, quote};
use crate::pass::PassContext;
use crate::report::Decision;
use lawson_hlo::{CompId, Computation, InstrId, Module, Opcode};
use lawson_kernel::refusal::Refusal;

/// The groups of a computation, in their order, joined where that pays.
pub fn follow(cx: &mut PassContext, module: &Module, id: CompId, groups: Vec<Group>) -> Vec<Group> {
    let comp = &module[id];
    let mut done: Vec<Group> = Vec::new();
    for group in groups {
        let Some(at) = done.iter().rposition(|g| feeds(comp, g, &group)) else {
            done.push(group);
            continue;
        };
        let waits = done[at + 1..].iter().any(|between| rests_on(comp, between, &done[at]));
        let joint = match waits {
            true => Err(Refusal::WouldWait),
            false => join(cx, module, id, (&done[at], &group)),
        };
        match joint {
            Ok(joint) => {
                done.remove(at);
                done.push(joint);
            }
            Err(refusal) => {
                let mut decision = Decision::on_edge(NAME, comp, done[at].at, group.at);
                decision.bytes = decide::passed(comp, done[at].at, group.at).1;
                decision.refuse(NAME, refusal);
                cx.report.decisions.push(decision);
                done.push(group);
            }
        }
    }
    done
}

/// Whether a loop starts with what another one has made and nobody else reads.
fn feeds(comp: &Computation, first: &Group, second: &Group) -> bool {
    let only = |o: &&InstrId| {
        let others = comp.iter().any(|(id, i)| i.operands.contains(o) && !second.members.contains(&id));
        comp.root != **o && !others
    };
    let is_array = |o: &InstrId| comp[*o].shape.as_array().is_some_and(|a| a.rank() > 0);
    let state = &comp[comp[second.at].operands[0]].operands;
    first.outputs.iter().filter(only).any(|o| is_array(o) && state.contains(o))
}

/// Whether a kernel reads what another one makes, or what is made of that: it cannot run before it.
fn rests_on(comp: &Computation, group: &Group, first: &Group) -> bool {
    let mut rests = vec![false; comp.instrs.len()];
    for (id, instr) in comp.iter() {
        let made = first.outputs.contains(&id);
        rests[id.index()] = made || instr.operands.iter().any(|o| rests[o.index()]);
    }
    group.members.iter().any(|m| rests[m.index()])
}

fn join(
    cx: &mut PassContext,
    module: &Module,
    id: CompId,
    (first, second): (&Group, &Group),
) -> Result<Group, Refusal> {
    let comp = &module[id];
    let joint = first.then(comp, second).ok_or(Refusal::WouldWait)?;
    let opcode = Opcode::While;
    if coin(cx, (id, second.at), 5 + MOST_TRIES) == Some(false) {
        return Err(Refusal::CostsMore { opcode });
    }
    let apart = [quote(cx, module, id, first)?, quote(cx, module, id, second)?];
    let together = quote(cx, module, id, &joint)?;
    let target = &cx.options.target;
    let bytes = apart.iter().map(|f| f.cost().bytes()).sum();
    let alone: f64 = apart.iter().map(|f| f.cost().us_among(bytes, target)).sum();
    if together.cost().us_among(bytes, target) > alone {
        return Err(Refusal::CostsMore { opcode });
    }
    if !cx.fuel(NAME) {
        return Err(Refusal::NoFuel);
    }
    cx.fired("follow");
    Ok(joint)
}
