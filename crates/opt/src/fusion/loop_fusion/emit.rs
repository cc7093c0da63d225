//! Writing the computation anew, with a fusion for each loop kernel.

use super::group::Group;
use crate::fusion::role::{Role, role};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::builder::Builder;
use lawson_hlo::instruction::Notes;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Origin};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The called computation of a group and the values it is called with.
pub struct Body {
    pub computation: Computation,
    pub operands: Vec<InstrId>,
}

/// The computation of a group. What it reads from outside becomes a parameter, but constants that stand in code
/// come along.
pub fn body_of(module: &Module, comp: &Computation, group: &Group) -> Body {
    let mut b = Builder::new(module);
    let mut map: FxHashMap<InstrId, InstrId> = FxHashMap::default();
    let mut operands = Vec::new();
    for &operand in group.members.iter().flat_map(|m| &comp[*m].operands) {
        if group.members.contains(&operand) || map.contains_key(&operand) {
            continue;
        }
        let outer = &comp[operand];
        let copy = if role(comp, operand, false) == Role::Code {
            outer.clone()
        } else {
            let attrs = Attrs::Parameter(operands.len());
            operands.push(operand);
            let (name, shape, origin) = (outer.name.clone(), outer.shape.clone(), outer.origin.clone());
            Instruction::new(name, Opcode::Parameter, shape, Vec::new(), attrs, origin)
        };
        map.insert(operand, b.push(copy));
    }
    for &member in &group.members {
        let mut copy = comp[member].clone();
        copy.operands.iter_mut().for_each(|o| *o = map[o]);
        map.insert(member, b.push(copy));
    }
    let outputs: Vec<InstrId> = group.outputs.iter().map(|o| map[o]).collect();
    let root = match outputs[..] {
        [one] => one,
        _ => {
            b.origin = comp[group.at].origin.clone();
            make::tuple(&mut b, &outputs)
        }
    };
    Body { computation: b.finish("fused_while", root), operands }
}

pub fn emit(rebuild: &mut Rebuild<'_>, comp: &Computation, groups: &[Group]) -> Computation {
    let mut calls = FxHashMap::default();
    for group in groups {
        let Body { mut computation, operands } = body_of(rebuild.module, comp, group);
        if group.shared {
            own(rebuild, &mut computation);
        }
        calls.insert(group.at, (group, rebuild.add(computation), operands));
    }
    let mut b = Builder::new(rebuild.module);
    let mut map: Vec<Option<InstrId>> = vec![None; comp.instrs.len()];
    // What reads results of a kernel whose last loop stands further down.
    let mut waiting: Vec<InstrId> = Vec::new();
    for (id, instr) in comp.iter() {
        let Some((group, called, operands)) = calls.get(&id) else {
            // The state may have other users; everything else of a group is only inside.
            let inside = groups.iter().any(|g| g.members.contains(&id) && !is_state(comp, g, id));
            if !inside && map[id.index()].is_none() {
                match instr.operands.iter().all(|o| map[o.index()].is_some()) {
                    true => map[id.index()] = Some(b.clone_instr(instr, &map)),
                    false => waiting.push(id),
                }
            }
            continue;
        };
        let read = operands.iter().map(|o| map[o.index()].expect("operands come first")).collect();
        let root = rebuild.module[*called].root();
        let mut call = Instruction::new(
            instr.name.clone(),
            Opcode::Fusion,
            root.shape.clone(),
            read,
            Attrs::Fusion { kind: FusionKind::Custom, calls: *called },
            origin(rebuild.module, comp, group),
        );
        call.notes = Some(Arc::new(Notes {
            metadata: instr.notes.as_ref().map_or(Vec::new(), |n| n.metadata.clone()),
            backend_config: Some("{\"lawson\":{\"plan\":\"loop\"}}".into()),
            ..Notes::default()
        }));
        let call = b.push(call);
        match group.outputs[..] {
            [one] => map[one.index()] = Some(call),
            _ => {
                for (n, &output) in group.outputs.iter().enumerate() {
                    b.origin = comp[output].origin.clone();
                    let element = make::element(&mut b, call, n);
                    map[output.index()] = Some(element);
                }
            }
        }
        waiting.retain(|&id| {
            let ready = comp[id].operands.iter().all(|o| map[o.index()].is_some());
            if ready {
                map[id.index()] = Some(b.clone_instr(&comp[id], &map));
            }
            !ready
        });
    }
    let root = map[comp.root.index()].expect("the root is kept");
    let mut new = b.finish(comp.name.clone(), root);
    new.execution_thread = comp.execution_thread.clone();
    new
}

/// Gives the loops of a computation, and those within them, computations of their own.
fn own(rebuild: &mut Rebuild<'_>, computation: &mut Computation) {
    for instr in computation.instrs.iter_mut().filter(|i| i.opcode == Opcode::While) {
        instr.attrs.map_called(|called| {
            let mut copy = rebuild.module[called].clone();
            own(rebuild, &mut copy);
            rebuild.add(copy)
        });
    }
}

fn is_state(comp: &Computation, group: &Group, id: InstrId) -> bool {
    group.loops.iter().any(|at| comp[*at].operands[0] == id) && comp.users()[id.index()].len() > 1
}

/// Everything the kernel computes.
fn origin(module: &Module, comp: &Computation, group: &Group) -> Origin {
    let mut all = group.members.iter().fold(Origin::default(), |all, m| all.union(&comp[*m].origin));
    for called in group.loops.iter().flat_map(|at| super::called(module, &comp[*at])) {
        all = module[called].instrs.iter().fold(all, |all, i| all.union(&i.origin));
    }
    all
}
