//! Writing the computation anew, with a fusion for each region of more than one instruction.

use super::body::Body;
use super::draft::{Draft, View};
use super::grow::Growth;
use super::in_order;
use crate::fusion::call::call;
use crate::fusion::role::Role;
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::{CompId, Computation, InstrId, Opcode};
use rustc_hash::FxHashMap;

/// The called computation and what it is called with.
type Fusion = (CompId, Vec<InstrId>);

/// The new computation, and whether it has any fusion.
pub fn emit(rebuild: &mut Rebuild<'_>, cx: View<'_>, growth: &Growth) -> (Computation, bool) {
    let mut fusions: FxHashMap<InstrId, Fusion> = FxHashMap::default();
    let mut drafts: Vec<&Draft> = growth.drafts.iter().filter(|d| d.members.len() > 1).collect();
    drafts.sort_by_key(|d| d.root);
    for draft in drafts {
        let members = in_order(&draft.members);
        let body = Body::of(cx, &members);
        let calls = rebuild.add(body.write(rebuild.module));
        fusions.insert(draft.root, (calls, body.operands));
    }
    if fusions.is_empty() {
        return (cx.comp.clone(), false);
    }
    let kept = kept(cx, growth, &fusions);
    let mut b = Builder::new(rebuild.module);
    let mut map: Vec<Option<InstrId>> = vec![None; cx.comp.instrs.len()];
    for (id, instr) in cx.comp.iter().filter(|(id, _)| kept[id.index()]) {
        map[id.index()] = Some(match fusions.get(&id) {
            None => b.clone_instr(instr, &map),
            Some((calls, operands)) => {
                let operands = operands.iter().map(|o| map[o.index()].expect("operands are kept")).collect();
                b.push(call(instr, instr.shape.clone(), &rebuild.module[*calls], *calls, operands))
            }
        });
    }
    let root = map[cx.comp.root.index()].expect("the root is kept");
    let mut comp = b.finish(cx.comp.name.clone(), root);
    comp.execution_thread = cx.comp.execution_thread.clone();
    (comp, true)
}

/// What still stands on the host: everything that is no kernel, the roots of regions, and the constants they read.
fn kept(cx: View<'_>, growth: &Growth, fusions: &FxHashMap<InstrId, Fusion>) -> Vec<bool> {
    let mut kept: Vec<bool> = cx
        .comp
        .iter()
        .map(|(id, instr)| match cx.roles[id.index()] {
            Role::Code => id == cx.comp.root,
            _ if instr.opcode == Opcode::Constant => id == cx.comp.root,
            Role::Outside | Role::Host(_) => true,
            _ => growth.in_memory[id.index()],
        })
        .collect();
    for (id, instr) in cx.comp.iter().rev().filter(|(_, i)| i.opcode != Opcode::Constant) {
        if !kept[id.index()] {
            continue;
        }
        let operands = fusions.get(&id).map_or(&instr.operands, |(_, operands)| operands);
        operands.iter().for_each(|o| kept[o.index()] = true);
    }
    kept
}
