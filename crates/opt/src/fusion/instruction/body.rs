//! The called computation of a fusion: in outline, as code by which equal ones are found, and written out.

use super::draft::View;
use crate::fusion::call::name_of;
use crate::fusion::role::Role;
use crate::numbers::{Numbers, OfComputation};
use crate::pass::PassContext;
use crate::planning::judge::Stages;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::refusal::Refusal;
use rustc_hash::FxHashMap;

/// The computation of some members of a computation.
pub struct Body<'a> {
    cx: View<'a>,
    /// The values it is called with, one for each parameter. Parameters stand first.
    pub operands: Vec<InstrId>,
    /// What else it computes, in order, the root last: members, and constants that stand in code.
    lines: Vec<InstrId>,
    /// The line of each.
    at: FxHashMap<InstrId, u32>,
}

impl<'a> Body<'a> {
    /// The computation of `members`, which are in program order, the root last. What they read from outside becomes a
    /// parameter, but constants that stand in code come along.
    pub fn of(cx: View<'a>, members: &[InstrId]) -> Body<'a> {
        let inside = |id: InstrId| members.binary_search(&id).is_ok();
        // A map, small whatever the size of the computation that the members are of.
        let mut body = Body { cx, operands: Vec::new(), lines: Vec::new(), at: FxHashMap::default() };
        for &operand in members.iter().flat_map(|m| &cx.comp[*m].operands) {
            if !inside(operand) && cx.roles[operand.index()] != Role::Code && !body.at.contains_key(&operand)
            {
                body.at.insert(operand, body.operands.len() as u32);
                body.operands.push(operand);
            }
        }
        for &member in members {
            for &operand in &cx.comp[member].operands {
                body.append(operand);
            }
            body.append(member);
        }
        body
    }

    fn append(&mut self, id: InstrId) {
        let next = (self.operands.len() + self.lines.len()) as u32;
        if let std::collections::hash_map::Entry::Vacant(free) = self.at.entry(id) {
            free.insert(next);
            self.lines.push(id);
        }
    }

    /// What it does: see [`Numbers::code`].
    fn code(&self, module: &Module, (numbers, known): (&mut Numbers, &mut OfComputation)) -> Vec<u32> {
        let comp = self.cx.comp;
        let mut code = Vec::with_capacity(2 * self.operands.len() + 4 * self.lines.len() + 1);
        for &operand in &self.operands {
            code.extend([known.parameter(numbers, comp, operand), 0]);
        }
        for &line in &self.lines {
            let operands = &comp[line].operands;
            code.extend([known.of(numbers, (module, comp), line), operands.len() as u32]);
            code.extend(operands.iter().map(|o| self.at[o]));
        }
        code.push((self.operands.len() + self.lines.len()) as u32 - 1);
        code
    }

    /// Written out.
    pub fn write(&self, module: &Module) -> Computation {
        let comp = self.cx.comp;
        let mut b = Builder::with_capacity(module, self.operands.len() + self.lines.len());
        for (n, &operand) in self.operands.iter().enumerate() {
            let outer = &comp[operand];
            let (name, shape, origin) = (outer.name.clone(), outer.shape.clone(), outer.origin.clone());
            let attrs = Attrs::Parameter(n);
            b.push(Instruction::new(name, Opcode::Parameter, shape, Vec::new(), attrs, origin));
        }
        let mut root = InstrId(0);
        for &line in &self.lines {
            let mut copy = comp[line].clone();
            copy.operands.iter_mut().for_each(|o| *o = InstrId(self.at[o]));
            root = b.push(copy);
        }
        let mut computation = b.finish("fused", root);
        computation.name = name_of(&computation).into();
        computation
    }
}

/// Whether bodies of one computation are kernels.
pub struct Checks(OfComputation);

impl Checks {
    pub fn new(comp: &Computation) -> Checks {
        Checks(OfComputation::new(comp))
    }

    /// Whether these members, in program order, are one kernel without memory of its own.
    pub fn check(
        &mut self,
        cx: &mut PassContext,
        module: &Module,
        view: View<'_>,
        members: &[InstrId],
    ) -> Result<(), Refusal> {
        let body = Body::of(view, members);
        let code = body.code(module, (&mut cx.judge.numbers, &mut self.0));
        cx.judge.quote(module, &code, || body.write(module), (view.target, Stages::Allowed)).map(drop)
    }
}
