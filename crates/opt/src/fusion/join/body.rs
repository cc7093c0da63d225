//! The called computation of units that share a kernel.
//!
//! ```text
//! a = f32[8] fusion(x), calls=fa                 f = (f32[8], f32[8]) fusion(x), calls=fused_…
//! b = f32[8] fusion(a, x), calls=fb        →     a = f32[8] get-tuple-element(f), index=0
//!                                                b = f32[8] get-tuple-element(f), index=1
//! ```

use super::host::{ArrayId, Host, UnitId};
use crate::fusion::call::name_of;
use crate::fusion::cut::is_code;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

/// A joint computation, and what the host passes to it.
#[derive(Clone)]
pub struct Joint {
    pub computation: Computation,
    /// The arrays behind its parameters.
    pub operands: Vec<ArrayId>,
    /// The arrays it makes: the root, or the elements of the root if there are several.
    pub outputs: Vec<ArrayId>,
}

impl Joint {
    /// Operations of its code.
    pub fn nodes(&self) -> usize {
        let quiet = |o: Opcode| matches!(o, Opcode::Parameter | Opcode::Constant | Opcode::Tuple);
        self.computation.instrs.iter().filter(|i| !quiet(i.opcode)).count()
    }

    pub fn arrays(&self) -> usize {
        self.operands.len() + self.outputs.len()
    }
}

/// The computation of `members`, which are kernels in program order, with these results.
pub fn joint(module: &Module, host: &Host<'_>, members: &[UnitId], outputs: Vec<ArrayId>) -> Joint {
    let mut cx = Joiner {
        host,
        b: Builder::new(module),
        made: FxHashMap::default(),
        copies: FxHashMap::default(),
        operands: Vec::new(),
    };
    cx.parameters(members);
    for &member in members {
        cx.member(module, member);
    }
    let results: Vec<InstrId> = outputs.iter().map(|o| cx.made[o]).collect();
    let root = match results[..] {
        [one] => one,
        _ => {
            cx.b.origin = host.instr(members[members.len() - 1]).origin.clone();
            cx.b.add(Opcode::Tuple, &results, Attrs::None)
        }
    };
    let mut computation = cx.b.finish("fused", root);
    computation.name = name_of(&computation).into();
    Joint { computation, operands: cx.operands, outputs }
}

/// The arrays that members read and none of them makes, each with the operand that first reads it, in order.
pub fn operands(host: &Host<'_>, members: &[UnitId]) -> Vec<(ArrayId, InstrId)> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    for &member in members {
        let instr = host.instr(member);
        for &operand in &instr.operands {
            let Some(&array) = host.leaves[operand.index()].first() else { continue };
            let inside = host.array(array).made_by.is_some_and(|m| members.binary_search(&m).is_ok());
            // A constant comes along, but a fusion has a parameter for each operand.
            let code = || instr.opcode != Opcode::Fusion && is_code(&host.comp[operand]);
            if !inside && !seen.contains(&array) && !code() {
                seen.insert(array);
                out.push((array, operand));
            }
        }
    }
    out
}

struct Joiner<'a> {
    host: &'a Host<'a>,
    b: Builder<'a>,
    /// Where each array is.
    made: FxHashMap<ArrayId, InstrId>,
    /// Instructions by what they compute: equal ones become one.
    copies: FxHashMap<(Opcode, Shape, Vec<InstrId>, Attrs), InstrId>,
    operands: Vec<ArrayId>,
}

impl Joiner<'_> {
    fn parameters(&mut self, members: &[UnitId]) {
        let host = self.host;
        for (array, operand) in operands(host, members) {
            let outer = &host.comp[host.array(array).instr.unwrap_or(operand)];
            let attrs = Attrs::Parameter(self.operands.len());
            let (name, shape, origin) = (outer.name.clone(), outer.shape.clone(), outer.origin.clone());
            let parameter = Instruction::new(name, Opcode::Parameter, shape, Vec::new(), attrs, origin);
            let id = self.b.push(parameter);
            self.made.insert(array, id);
            self.operands.push(array);
        }
    }

    /// The value of a host-level operand, in the shape the reader knows.
    fn operand(&mut self, operand: InstrId) -> InstrId {
        let outer = &self.host.comp[operand];
        if let Some(&array) = self.host.leaves[operand.index()].first()
            && let Some(&id) = self.made.get(&array)
        {
            let dims = &outer.shape.expect_array().dims;
            if self.b.array(id).dims == *dims {
                return id;
            }
            let shape = outer.shape.clone();
            let (name, origin) = (outer.name.clone(), outer.origin.clone());
            let view = Instruction::new(name, Opcode::Reshape, shape, vec![id], Attrs::None, origin);
            return self.copy(view);
        }
        self.copy(outer.clone())
    }

    fn member(&mut self, module: &Module, member: UnitId) {
        let host = self.host;
        let instr = host.instr(member);
        let outer: Vec<InstrId> = instr.operands.iter().map(|&o| self.operand(o)).collect();
        let results = match instr.attrs {
            Attrs::Fusion { calls, .. } => self.inline(&module[calls], &outer),
            _ => vec![self.copy(Instruction { operands: outer, ..instr.clone() })],
        };
        let defines = &host.unit(member).defines;
        if defines.len() == results.len() {
            self.made.extend(defines.iter().copied().zip(results));
            return;
        }
        // One operation with several results.
        self.b.origin = instr.origin.clone();
        for (n, &array) in defines.iter().enumerate() {
            let element = self.b.add(Opcode::GetTupleElement, &results, Attrs::TupleIndex(n));
            self.made.insert(array, element);
        }
    }

    /// Copies a fused computation; gives its results.
    fn inline(&mut self, body: &Computation, outer: &[InstrId]) -> Vec<InstrId> {
        let mut map: Vec<InstrId> = Vec::with_capacity(body.instrs.len());
        for (id, instr) in body.iter() {
            let operands: Vec<InstrId> = instr.operands.iter().map(|o| map[o.index()]).collect();
            if id == body.root && instr.opcode == Opcode::Tuple {
                return operands;
            }
            map.push(match instr.attrs {
                Attrs::Parameter(n) => outer[n],
                _ => self.copy(Instruction { operands, ..instr.clone() }),
            });
        }
        vec![map[body.root.index()]]
    }

    /// Appends an instruction, or finds the equal one.
    fn copy(&mut self, instr: Instruction) -> InstrId {
        let key = (instr.opcode, instr.shape.clone(), instr.operands.clone(), instr.attrs.clone());
        if let Some(&known) = self.copies.get(&key) {
            self.b.unite_origin(known, &instr.origin);
            return known;
        }
        let id = self.b.push(instr);
        self.copies.insert(key, id);
        id
    }
}
