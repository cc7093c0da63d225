//! The called computation of a fusion, and whether it is one kernel.

use super::draft::View;
use crate::cse::{hash_body, same_body};
use crate::fusion::call::name_of;
use crate::fusion::legal::planned;
use crate::fusion::role::Role;
use crate::pass::PassContext;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::refusal::Refusal;
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
    let mut computation = b.finish("fused", root);
    computation.name = name_of(&computation).into();
    Body { computation, operands }
}

/// Verdicts on bodies, so that those of identical regions are found and not made.
#[derive(Default)]
pub struct Checks(FxHashMap<u64, Vec<(Computation, Result<(), Refusal>)>>);

impl Checks {
    /// As [`check`]; `cx` counts what is planned.
    pub fn check(
        &mut self,
        cx: &mut PassContext,
        module: &Module,
        view: View<'_>,
        body: Body,
    ) -> Result<(), Refusal> {
        let alike = self.0.entry(hash_body(&body.computation)).or_default();
        if let Some((_, known)) = alike.iter().find(|(c, _)| same_body(c, &body.computation)) {
            return known.clone();
        }
        cx.fired("plans");
        let verdict = check(module, view, &body);
        alike.push((body.computation, verdict.clone()));
        verdict
    }
}

/// Whether a body is one kernel without memory of its own.
fn check(module: &Module, cx: View<'_>, body: &Body) -> Result<(), Refusal> {
    planned(module, &body.computation, cx.target).map(drop)
}
