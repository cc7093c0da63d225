//! Writing the computation anew, with one segment table for each group of several.

use super::groups::{GroupId, Groups};
use super::order::Timeline;
use crate::fusion::join::host::Host;
use crate::fusion::role::Role;
use crate::make;
use crate::planning::segments::CONFIG;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::builder::Builder;
use lawson_hlo::instruction::Notes;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Origin};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The computation with each group of several as one fusion.
pub fn emit(rebuild: &mut Rebuild<'_>, host: &Host<'_>, groups: &Groups) -> Computation {
    let mut tables: FxHashMap<GroupId, (CompId, Vec<InstrId>)> = FxHashMap::default();
    for group in groups.all().filter(|&g| groups.members(g).len() > 1) {
        let (computation, operands) = body(rebuild.module, host, groups, group);
        tables.insert(group, (rebuild.add(computation), operands));
    }
    let comp = host.comp;
    let order = in_order(host, groups);
    let live = live(host, groups, &order, &tables);
    let mut b = Builder::new(rebuild.module);
    let mut map: Vec<Option<InstrId>> = vec![None; comp.instrs.len()];
    for id in order {
        if !live[id.index()] || map[id.index()].is_some() {
            continue;
        }
        if host.behind(id) != id {
            map[id.index()] = map[host.behind(id).index()];
            continue;
        }
        let group = host.unit_of[id.index()].map(|u| groups.of(u)).filter(|g| tables.contains_key(g));
        let Some(group) = group else {
            map[id.index()] = Some(b.clone_instr(&comp[id], &map));
            continue;
        };
        let (calls, operands) = &tables[&group];
        let operands = operands.iter().map(|o| map[o.index()].expect("made before")).collect();
        let table = table(&b, host, groups, group, *calls, operands);
        let table = b.push(table);
        for (n, &unit) in groups.members(group).iter().enumerate() {
            let part = host.instr(unit);
            let element = Instruction::new(
                part.name.clone(),
                Opcode::GetTupleElement,
                part.shape.clone(),
                vec![table],
                Attrs::TupleIndex(n),
                part.origin.clone(),
            );
            map[host.unit(unit).instr.index()] = Some(b.push(element));
        }
    }
    let root = map[comp.root.index()].expect("the root is live");
    let mut new = b.finish(comp.name.clone(), root);
    new.execution_thread = comp.execution_thread.clone();
    new
}

/// The computation of a group's parts, and what it is called with. Constants that stand in code come along.
fn body(module: &Module, host: &Host<'_>, groups: &Groups, group: GroupId) -> (Computation, Vec<InstrId>) {
    let comp = host.comp;
    let units = groups.members(group);
    let in_code = |part: &Instruction, operand: InstrId| {
        part.opcode != Opcode::Fusion && host.roles[operand.index()] == Role::Code
    };
    let mut b = Builder::new(module);
    let mut map: FxHashMap<InstrId, InstrId> = FxHashMap::default();
    let mut operands = Vec::new();
    for part in units.iter().map(|&u| host.instr(u)) {
        for &operand in part.operands.iter().filter(|o| !in_code(part, **o)) {
            if map.contains_key(&operand) {
                continue;
            }
            let outer = &comp[operand];
            let (name, shape, origin) = (outer.name.clone(), outer.shape.clone(), outer.origin.clone());
            let attrs = Attrs::Parameter(operands.len());
            let parameter = Instruction::new(name, Opcode::Parameter, shape, Vec::new(), attrs, origin);
            map.insert(operand, b.push(parameter));
            operands.push(operand);
        }
    }
    let mut constants: FxHashMap<InstrId, InstrId> = FxHashMap::default();
    let mut parts = Vec::new();
    for part in units.iter().map(|&u| host.instr(u)) {
        let mut copy = part.clone();
        for operand in &mut copy.operands {
            *operand = match in_code(part, *operand) {
                true => *constants.entry(*operand).or_insert_with(|| b.push(comp[*operand].clone())),
                false => map[operand],
            };
        }
        parts.push(b.push(copy));
    }
    b.origin = origin(host, groups, group);
    let root = make::tuple(&mut b, &parts);
    (b.finish("segments", root), operands)
}

/// The call of a computation of parts.
fn table(
    b: &Builder<'_>,
    host: &Host<'_>,
    groups: &Groups,
    group: GroupId,
    calls: CompId,
    operands: Vec<InstrId>,
) -> Instruction {
    let body = &b.module[calls];
    let attrs = Attrs::Fusion { kind: FusionKind::Custom, calls };
    let (shape, origin) = (body.root().shape.clone(), origin(host, groups, group));
    let mut call = Instruction::new(body.name.clone(), Opcode::Fusion, shape, operands, attrs, origin);
    call.notes = Some(Arc::new(Notes { backend_config: Some(CONFIG.to_string()), ..Notes::default() }));
    call
}

fn origin(host: &Host<'_>, groups: &Groups, group: GroupId) -> Origin {
    Origin::union_of(groups.members(group).iter().map(|&u| &host.instr(u).origin))
}

/// Every instruction, each group in its place; what the host does for free comes right after what it is made of.
fn in_order(host: &Host<'_>, groups: &Groups) -> Vec<InstrId> {
    let timeline = Timeline::of(host, groups);
    let mut moments: Vec<usize> = Vec::with_capacity(host.comp.instrs.len());
    let mut items: Vec<(usize, bool, InstrId)> = Vec::new();
    for (id, instr) in host.comp.iter() {
        let unit = host.unit_of[id.index()];
        let moment = match unit {
            Some(unit) => timeline.position(groups.of(unit)) + 1,
            // An element of a tuple is there when what it stands for is, whatever else the tuple has.
            None if host.behind(id) != id => moments[host.behind(id).index()],
            None => instr.operands.iter().map(|&o| moments[host.behind(o).index()]).max().unwrap_or(0),
        };
        moments.push(moment);
        items.push((moment, unit.is_none(), id));
    }
    items.sort_unstable();
    items.into_iter().map(|(_, _, id)| id).collect()
}

/// What still stands on the host: the signature, units, and what these and the result read. Constants that went into code
/// do not, nor what nothing needs.
fn live(
    host: &Host<'_>,
    groups: &Groups,
    order: &[InstrId],
    tables: &FxHashMap<GroupId, (CompId, Vec<InstrId>)>,
) -> Vec<bool> {
    let comp = host.comp;
    let fixed = |(id, instr): (InstrId, &Instruction)| {
        instr.opcode == Opcode::Parameter || host.unit_of[id.index()].is_some()
    };
    let mut live: Vec<bool> = comp.iter().map(fixed).collect();
    let need = |live: &mut Vec<bool>, id: InstrId| {
        live[id.index()] = true;
        live[host.behind(id).index()] = true;
    };
    need(&mut live, comp.root);
    for &id in order.iter().rev() {
        if !live[id.index()] || host.behind(id) != id {
            continue;
        }
        let table = host.unit_of[id.index()].and_then(|u| tables.get(&groups.of(u)));
        let operands = table.map_or(&comp[id].operands, |(_, operands)| operands);
        operands.iter().for_each(|&o| need(&mut live, o));
    }
    live
}
