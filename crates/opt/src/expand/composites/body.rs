//! One computation, rebuilt on parts.

use super::arithmetic::{Parts, Products};
use super::{Role, Variants, is_split, spliced, split_shape, view, whole, with_variants};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::instruction::Notes;
use lawson_hlo::literal::Value;
use lawson_hlo::math::composite::{Operand, elementwise, part_count, products};
use lawson_hlo::{ArrayShape, Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};
use std::sync::Arc;

pub struct Splitter<'a> {
    b: Builder<'a>,
    comp: &'a Computation,
    role: Role,
    variants: &'a Variants,
    /// What stands for each instruction of the old computation: its parts, or itself.
    known: Vec<Vec<InstrId>>,
    /// The first of them, for what names instructions without using them.
    firsts: Vec<Option<InstrId>>,
    /// The words of those that are whole.
    wholes: Vec<Option<InstrId>>,
}

impl<'a> Splitter<'a> {
    pub fn new(
        module: &'a Module,
        comp: &'a Computation,
        role: Role,
        variants: &'a Variants,
    ) -> Splitter<'a> {
        let n = comp.instrs.len();
        let b = Builder::with_capacity(module, n);
        Splitter {
            b,
            comp,
            role,
            variants,
            known: Vec::with_capacity(n),
            firsts: vec![None; n],
            wholes: vec![None; n],
        }
    }

    pub fn run(mut self) -> Computation {
        let parameters = self.parameters();
        for (id, instr) in self.comp.iter() {
            self.b.origin = instr.origin.clone();
            let before = self.b.len();
            let made = match instr.attrs {
                Attrs::Parameter(n) => parameters[n].clone(),
                _ => self.instruction(id, instr),
            };
            for new in made.iter().filter(|new| new.index() >= before) {
                self.describe(*new, instr);
            }
            self.firsts[id.index()] = made.first().copied();
            if self.wholes[id.index()].is_none() {
                let first = |o: InstrId| self.firsts[o.index()];
                self.wholes[id.index()] = whole::of(&mut self.b, self.comp, instr, &self.wholes, first);
            }
            self.known.push(made);
        }
        let root = self.comp.root;
        self.b.origin = self.comp.root().origin.clone();
        let made = self.known[root.index()].clone();
        let root = match self.role {
            Role::Entry => self.result(root),
            Role::Function | Role::Body | Role::Comparator if made.len() > 1 => {
                make::tuple(&mut self.b, &made)
            }
            Role::Function | Role::Body | Role::Comparator => made[0],
        };
        let mut comp = self.b.finish(self.comp.name.clone(), root);
        comp.execution_thread = self.comp.execution_thread.clone();
        comp
    }

    /// The parameters, in order, before anything else.
    fn parameters(&mut self) -> Vec<Vec<InstrId>> {
        let comp = self.comp;
        let mut next = 0;
        let mut all = Vec::new();
        let ids = comp.parameters();
        for pair in ids.chunks(if self.role == Role::Comparator { 2 } else { 1 }) {
            let mut count = 0;
            for (nth, &id) in pair.iter().enumerate() {
                let instr = &comp[id];
                self.b.origin = instr.origin.clone();
                let shapes = match self.role {
                    Role::Entry => vec![instr.shape.clone()],
                    Role::Body => vec![split_shape(&instr.shape)],
                    Role::Function | Role::Comparator => spliced(&instr.shape),
                };
                let mut made = Vec::new();
                for (part, shape) in shapes.into_iter().enumerate() {
                    // A comparator takes the two elements of each operand in turn, and parts are operands.
                    made.push(self.parameter(instr, next + part * pair.len() + nth, shape));
                }
                count += made.len();
                all.push(match self.role {
                    Role::Entry => {
                        self.wholes[id.index()] = whole::read(&mut self.b, made[0], &instr.shape);
                        view::read(&mut self.b, made[0], &instr.shape)
                    }
                    Role::Body if instr.shape.as_array().is_some_and(|a| a.dtype.is_split()) => {
                        make::elements(&mut self.b, made[0])
                    }
                    Role::Body | Role::Function | Role::Comparator => made,
                });
            }
            next += count;
        }
        all
    }

    fn parameter(&mut self, old: &Instruction, number: usize, shape: Shape) -> InstrId {
        let attrs = Attrs::Parameter(number);
        let mut instr =
            Instruction::new(old.name.clone(), Opcode::Parameter, shape, vec![], attrs, old.origin.clone());
        if instr.shape == old.shape {
            instr.notes = old.notes.clone();
        }
        self.b.push(instr)
    }

    /// The splices of an instruction's operands.
    fn operands(&self, instr: &Instruction) -> Vec<InstrId> {
        instr.operands.iter().flat_map(|o| self.known[o.index()].iter().copied()).collect()
    }

    /// What stands for an operand as one value: a tuple of its parts where there are several.
    fn one(&mut self, operand: InstrId) -> InstrId {
        match self.known[operand.index()].clone()[..] {
            [one] => one,
            ref parts => make::tuple(&mut self.b, parts),
        }
    }

    fn instruction(&mut self, id: InstrId, instr: &Instruction) -> Vec<InstrId> {
        let comp = self.comp;
        let takes = instr.operands.iter().any(|&o| is_split(&comp[o].shape));
        if !takes && !is_split(&instr.shape) {
            return vec![self.copy(instr)];
        }
        let role = Role::of(instr);
        let attrs = with_variants(&instr.attrs, role, self.variants);
        match (instr.opcode, &instr.attrs) {
            (Opcode::Constant, Attrs::Constant(Some(value))) => self.constant(value),
            (Opcode::Tuple, _) => {
                let operands = self.operands(instr);
                vec![make::tuple(&mut self.b, &operands)]
            }
            (Opcode::GetTupleElement, &Attrs::TupleIndex(n)) => self.element(instr, n),
            (Opcode::While | Opcode::OptimizationBarrier | Opcode::Copy, _) if instr.operands.len() == 1 => {
                let operand = self.one(instr.operands[0]);
                let made = self.b.add_shaped(instr.opcode, split_shape(&instr.shape), &[operand], attrs);
                self.splices(instr, made)
            }
            (Opcode::Conditional, _) => {
                let operands: Vec<InstrId> = instr.operands.iter().map(|&o| self.one(o)).collect();
                let made = self.b.add_shaped(instr.opcode, split_shape(&instr.shape), &operands, attrs);
                self.splices(instr, made)
            }
            (Opcode::AddDependency, _) => {
                let token = self.one(instr.operands[1]);
                let parts = self.known[instr.operands[0].index()].clone();
                parts.into_iter().map(|p| self.b.add(instr.opcode, &[p, token], Attrs::None)).collect()
            }
            (Opcode::Call | Opcode::Fusion, _)
            | (Opcode::Reduce | Opcode::ReduceWindow | Opcode::Scatter | Opcode::Sort, _) => {
                let operands = self.operands(instr);
                let made = self.b.add_shaped(instr.opcode, split_shape(&instr.shape), &operands, attrs);
                self.splices(instr, made)
            }
            (Opcode::Iota, _) => {
                let shape = self.part_of(&instr.shape);
                let count = self.b.add_shaped(Opcode::Iota, Shape::Array(shape.clone()), &[], attrs);
                let zero = make::splat(&mut self.b, &shape, 0);
                let parts = instr.shape.as_array().map_or(1, |a| part_count(a.dtype));
                std::iter::once(count).chain(std::iter::repeat_n(zero, parts - 1)).collect()
            }
            (Opcode::Dot | Opcode::Convolution, _) => {
                let (x, y) = (instr.operands[0].index(), instr.operands[1].index());
                let result = instr.shape.expect_array();
                let mut sums = Products { b: &mut self.b, dims: &result.dims };
                let product = (instr.opcode, &attrs);
                let made = products(&mut sums, product, &self.known[x], &self.known[y], result.dtype);
                made.unwrap_or_else(|| {
                    unreachable!("{} of composites is refused by the verifier", instr.opcode)
                })
            }
            (
                Opcode::Cholesky
                | Opcode::TriangularSolve
                | Opcode::Linalg
                | Opcode::Fft
                | Opcode::CustomCall,
                _,
            ) => self.routine(id, instr),
            (Opcode::BitcastConvert, _) => self.cast(instr),
            (opcode, _) if opcode.is_elementwise() => self.elementwise(instr),
            _ => self.part_by_part(instr),
        }
    }

    /// An instruction that neither takes nor gives composites.
    fn copy(&mut self, instr: &Instruction) -> InstrId {
        let attrs = with_variants(&instr.attrs, Role::of(instr), self.variants);
        self.b.clone_instr(&Instruction { attrs, ..instr.clone() }, &self.firsts)
    }

    fn constant(&mut self, value: &Value) -> Vec<InstrId> {
        match value {
            Value::Array(literal) => literal.parts().into_iter().map(|p| self.b.constant(p)).collect(),
            Value::Tuple(elements) => {
                let all: Vec<InstrId> = elements.iter().flat_map(|e| self.constant(e)).collect();
                vec![make::tuple(&mut self.b, &all)]
            }
            Value::Token => unreachable!("tokens have no literal"),
        }
    }

    fn element(&mut self, instr: &Instruction, n: usize) -> Vec<InstrId> {
        let whole = instr.operands[0];
        let Shape::Tuple(elements) = &self.comp[whole].shape else { unreachable!("an element of a tuple") };
        let first: usize = elements[..n].iter().map(|e| spliced(e).len()).sum();
        let count = spliced(&elements[n]).len();
        let whole = self.known[whole.index()][0];
        (first..first + count).map(|i| make::element(&mut self.b, whole, i)).collect()
    }

    /// What stands for the result: its elements where it was a composite and is a tuple now.
    fn splices(&mut self, instr: &Instruction, made: InstrId) -> Vec<InstrId> {
        match &instr.shape {
            Shape::Array(a) if a.dtype.is_split() => make::elements(&mut self.b, made),
            _ => vec![made],
        }
    }

    fn elementwise(&mut self, instr: &Instruction) -> Vec<InstrId> {
        let comp = self.comp;
        let result = instr.shape.expect_array();
        let operands: Vec<Operand<InstrId>> = instr
            .operands
            .iter()
            .map(|&o| Operand { dtype: comp[o].shape.expect_array().dtype, parts: &self.known[o.index()] })
            .collect();
        let mut parts = Parts { b: &mut self.b, dims: &result.dims };
        let made = elementwise(&mut parts, (instr.opcode, &instr.attrs), &operands, result.dtype);
        made.unwrap_or_else(|| unreachable!("{} of composites is refused by the verifier", instr.opcode))
    }

    /// `bitcast-convert` from or to an extension of a field, or between two.
    fn cast(&mut self, instr: &Instruction) -> Vec<InstrId> {
        let comp = self.comp;
        let from = comp[instr.operands[0]].shape.expect_array();
        let to = instr.shape.expect_array();
        let operand = self.known[instr.operands[0].index()].clone();
        match (from.dtype.is_split(), to.dtype.is_split()) {
            (false, _) => view::cast_in(&mut self.b, operand[0], to),
            (true, false) => vec![view::cast_out(&mut self.b, &operand, from, to)],
            (true, true) => self.part_by_part(instr),
        }
    }

    /// A routine, and a function of the caller's, works on whole elements.
    fn routine(&mut self, id: InstrId, instr: &Instruction) -> Vec<InstrId> {
        let operands: Vec<InstrId> = instr.operands.iter().map(|&o| self.value(o)).collect();
        let result = self.b.add_shaped(instr.opcode, instr.shape.clone(), &operands, instr.attrs.clone());
        self.wholes[id.index()] = whole::read(&mut self.b, result, &instr.shape);
        view::read(&mut self.b, result, &instr.shape)
    }

    /// An instruction of the old computation as it was.
    fn value(&mut self, id: InstrId) -> InstrId {
        let shape = &self.comp[id].shape;
        match self.wholes[id.index()] {
            Some(words) => whole::write(&mut self.b, words, shape),
            None => view::write(&mut self.b, &self.known[id.index()].clone(), shape),
        }
    }

    /// The value of the entry.
    fn result(&mut self, root: InstrId) -> InstrId {
        let instr = &self.comp[root];
        let arrays = instr.operands.iter().all(|&o| self.comp[o].shape.as_array().is_some());
        if instr.opcode != Opcode::Tuple || !arrays || !is_split(&instr.shape) {
            return self.value(root);
        }
        let elements: Vec<InstrId> = instr.operands.iter().map(|&o| self.value(o)).collect();
        make::tuple(&mut self.b, &elements)
    }

    /// Movement: each part moves as the whole does.
    fn part_by_part(&mut self, instr: &Instruction) -> Vec<InstrId> {
        let shape = Shape::Array(self.part_of(&instr.shape));
        let count = instr.shape.as_array().map_or(1, |a| part_count(a.dtype));
        let operand = |n: usize, o: &InstrId| {
            let of = &self.known[o.index()];
            if of.len() == count { of[n] } else { of[0] }
        };
        let operands: Vec<Vec<InstrId>> =
            (0..count).map(|n| instr.operands.iter().map(|o| operand(n, o)).collect()).collect();
        let add = |operands: Vec<InstrId>| {
            self.b.add_shaped(instr.opcode, shape.clone(), &operands, instr.attrs.clone())
        };
        operands.into_iter().map(add).collect()
    }

    fn part_of(&self, shape: &Shape) -> ArrayShape {
        let array = shape.expect_array();
        array.with_dtype(array.dtype.part())
    }

    /// What was said of the old instruction, as far as it holds for a part of it.
    fn describe(&mut self, new: InstrId, old: &Instruction) {
        let instr = self.b.get_mut(new);
        if let (None, Some(notes)) = (&instr.notes, &old.notes) {
            instr.notes = Some(Arc::new(Notes {
                frontend_attributes: notes.frontend_attributes.clone(),
                metadata: notes.metadata.clone(),
                ..Notes::default()
            }));
        }
    }
}
