//! The called computation of a fusion, and whether it is one kernel.

use super::draft::View;
use crate::fusion::role::Role;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::plan::plan;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{Cut, build};
use rustc_hash::FxHashMap;

/// A fusion's computation and the values it is called with.
pub struct Body {
    pub computation: Computation,
    pub operands: Vec<InstrId>,
}

/// The computation of `members`, which are in program order, the root last. What they read from outside becomes
/// a parameter, but constants that stand in code come along.
pub fn body_of(module: &Module, cx: View<'_>, members: &[InstrId]) -> Body {
    let inside = |id: InstrId| members.binary_search(&id).is_ok();
    let mut b = Builder::new(module);
    // Small, whatever the size of the computation that the members are of.
    let mut map: FxHashMap<InstrId, InstrId> = FxHashMap::default();
    let mut operands = Vec::new();
    for &operand in members.iter().flat_map(|m| &cx.comp[*m].operands) {
        if inside(operand) || cx.roles[operand.index()] == Role::Code || map.contains_key(&operand) {
            continue;
        }
        let outer = &cx.comp[operand];
        let attrs = Attrs::Parameter(operands.len());
        let (name, shape, origin) = (outer.name.clone(), outer.shape.clone(), outer.origin.clone());
        let parameter = Instruction::new(name, Opcode::Parameter, shape, Vec::new(), attrs, origin);
        map.insert(operand, b.push(parameter));
        operands.push(operand);
    }
    let mut root = InstrId(0);
    for &member in members {
        let mut copy = cx.comp[member].clone();
        for operand in &mut copy.operands {
            let code = &cx.comp[*operand];
            *operand = *map.entry(*operand).or_insert_with(|| b.push(code.clone()));
        }
        root = b.push(copy);
        map.insert(member, root);
    }
    Body { computation: b.finish(name_of(cx, members), root), operands }
}

/// Whether a body is one kernel without memory of its own.
pub fn check(module: &Module, cx: View<'_>, body: &Body) -> Result<(), Refusal> {
    let comp = &body.computation;
    let inputs: Vec<InstrId> = (0..body.operands.len() as u32).map(InstrId).collect();
    let region = build(module, &comp.name, Cut { computation: comp, inputs: &inputs, roots: &[comp.root] })?;
    // An update of an array in memory that is not in place would copy all of it.
    let root = comp.root();
    let updates_memory = root.opcode == Opcode::DynamicUpdateSlice && inputs.contains(&root.operands[0]);
    if updates_memory && region.aliases.is_empty() {
        return Err(Refusal::UpdatedInPlace);
    }
    plan(&region, cx.target)?.one_kernel()
}

/// What XLA calls a fusion of this kind.
pub fn kind_of(cx: View<'_>, members: &[InstrId]) -> FusionKind {
    let hero = members.iter().rev().find(|m| cx.roles[m.index()] == Role::Hero);
    match hero.map(|h| cx.comp[*h].opcode) {
        None => FusionKind::Loop,
        Some(Opcode::Dot | Opcode::Convolution) => FusionKind::Output,
        Some(_) => FusionKind::Input,
    }
}

/// `fused_` and what it does, in order: the first two, the hero and the last three where there are more. Moves are
/// named only when there is nothing else.
fn name_of(cx: View<'_>, members: &[InstrId]) -> String {
    use Opcode::*;
    let quiet = |o: Opcode| matches!(o, Broadcast | Reshape | Copy | Convert | Slice | Iota);
    let mut names: Vec<(Opcode, bool)> = Vec::new();
    for &member in members {
        let (opcode, hero) = (cx.comp[member].opcode, cx.roles[member.index()] == Role::Hero);
        if names.last() != Some(&(opcode, hero)) && !quiet(opcode) {
            names.push((opcode, hero));
        }
    }
    if names.is_empty() {
        names = members.iter().map(|m| (cx.comp[*m].opcode, false)).collect();
    }
    let count = names.len();
    let named = |n: usize, hero: bool| n < 2 || n + 3 >= count || hero;
    let names = names.iter().enumerate().filter(|(n, (_, hero))| named(*n, *hero)).map(|(_, (o, _))| o);
    names.fold("fused".to_string(), |name, o| name + "_" + &o.name().replace('-', "_"))
}
