//! Writing the computation anew, with a fusion for each region of more than one instruction.

use super::body::{Body, body_of, kind_of};
use super::draft::{Draft, View};
use super::grow::Growth;
use super::in_order;
use crate::fusion::role::Role;
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::instruction::Notes;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode, Origin};
use rustc_hash::FxHashMap;

/// The new computation, and whether it has any fusion.
pub fn emit(rebuild: &mut Rebuild<'_>, cx: View<'_>, growth: &Growth) -> (Computation, bool) {
    let mut fusions: FxHashMap<InstrId, (CompId, Vec<InstrId>, Vec<InstrId>)> = FxHashMap::default();
    let mut drafts: Vec<&Draft> = growth.drafts.iter().filter(|d| d.members.len() > 1).collect();
    drafts.sort_by_key(|d| d.root);
    for draft in drafts {
        let members = in_order(&draft.members);
        let Body { computation, operands } = body_of(rebuild.module, cx, &members);
        let calls = rebuild.add(computation);
        fusions.insert(draft.root, (calls, operands, members));
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
            Some((calls, operands, members)) => {
                let operands = operands.iter().map(|o| map[o.index()].expect("operands are kept")).collect();
                b.push(fusion(cx, instr, *calls, operands, members))
            }
        });
    }
    let root = map[cx.comp.root.index()].expect("the root is kept");
    let mut comp = b.finish(cx.comp.name.clone(), root);
    comp.execution_thread = cx.comp.execution_thread.clone();
    (comp, true)
}

/// What still stands on the host: everything that is no kernel, the roots of regions, and the constants they read.
fn kept(
    cx: View<'_>,
    growth: &Growth,
    fusions: &FxHashMap<InstrId, (CompId, Vec<InstrId>, Vec<InstrId>)>,
) -> Vec<bool> {
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
        let operands = fusions.get(&id).map_or(&instr.operands, |(_, operands, _)| operands);
        operands.iter().for_each(|o| kept[o.index()] = true);
    }
    kept
}

/// The call, with the name and the notes of the root it stands for.
fn fusion(
    cx: View<'_>,
    root: &Instruction,
    calls: CompId,
    operands: Vec<InstrId>,
    members: &[InstrId],
) -> Instruction {
    let attrs = Attrs::Fusion { kind: kind_of(cx, members), calls };
    let origin = members.iter().fold(Origin::default(), |all, m| all.union(&cx.comp[*m].origin));
    let mut call =
        Instruction::new(root.name.clone(), Opcode::Fusion, root.shape.clone(), operands, attrs, origin);
    call.notes = root.notes.as_ref().map(|n| {
        Box::new(Notes {
            sharding: n.sharding.clone(),
            frontend_attributes: n.frontend_attributes.clone(),
            metadata: n.metadata.clone(),
            ..Notes::default()
        })
    });
    call
}
