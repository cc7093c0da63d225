//! The walk that makes a computation's values again, with their tangents.

use super::rules::{self, Derivative};
pub use super::tape::Arg;
use super::tape::{Definition, Linear, Structured, Tangent, Tape};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Opcode, Shape};

/// The tangent of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Tan {
    /// Nothing depends on the inputs that vary, or in no way that a derivative sees.
    Zero,
    /// Of an array.
    One(Tangent),
    /// Of a tuple with at least one part that has a tangent.
    Tuple(Vec<Tan>),
}

impl Tan {
    /// Whether nothing depends on the inputs.
    pub fn is_zero(&self) -> bool {
        matches!(self, Tan::Zero)
    }

    /// The tangent of an array.
    pub fn one(&self) -> Option<Tangent> {
        match self {
            Tan::One(t) => Some(*t),
            Tan::Zero | Tan::Tuple(_) => None,
        }
    }

    /// The tangent of a tuple of parts with these.
    pub fn of_parts(parts: Vec<Tan>) -> Tan {
        if parts.iter().all(Tan::is_zero) { Tan::Zero } else { Tan::Tuple(parts) }
    }

    /// The tangent of a part of a tuple.
    pub fn part(&self, index: usize) -> Tan {
        match self {
            Tan::Tuple(parts) => parts[index].clone(),
            _ => Tan::Zero,
        }
    }

    /// Those of the array leaves of a value of that shape, depth first.
    pub fn leaves(&self, shape: &Shape) -> Vec<Option<Tangent>> {
        match shape {
            Shape::Tuple(parts) => {
                let part = |(i, p): (usize, &Shape)| self.part(i).leaves(p);
                parts.iter().enumerate().flat_map(part).collect()
            }
            _ => vec![self.one()],
        }
    }

    /// What [`Tan::leaves`] takes apart.
    pub fn of_leaves(shape: &Shape, leaves: &mut dyn Iterator<Item = Option<Tangent>>) -> Tan {
        match shape {
            Shape::Tuple(parts) => Tan::of_parts(parts.iter().map(|p| Tan::of_leaves(p, leaves)).collect()),
            _ => leaves.next().flatten().map_or(Tan::Zero, Tan::One),
        }
    }
}

/// Whether tangents are instructions, or entries of a tape.
pub enum Mode {
    Forward,
    Reverse(Tape),
}

/// Makes values and tangents.
pub struct Linearizer<'a, 'g> {
    /// Where values are made, and tangents in forward mode.
    pub emit: &'a mut Emit<'g>,
    /// What tangents are.
    pub mode: Mode,
}

impl Linearizer<'_, '_> {
    /// The instructions of a computation on these arguments, with the tangents of its result by those of the arguments.
    ///
    /// # Errors
    /// An operation without a derivative, through which a tangent goes.
    pub fn inline(
        &mut self,
        comp: CompId,
        arguments: &[InstrId],
        tangents: &[Tan],
    ) -> Result<(InstrId, Tan), Fault> {
        let comp = self.emit.graph.computation(comp).clone();
        self.inline_computation(&comp, arguments, tangents)
    }

    /// As [`Linearizer::inline`], for a computation that is at hand.
    ///
    /// # Errors
    /// As there.
    pub fn inline_computation(
        &mut self,
        comp: &Computation,
        arguments: &[InstrId],
        tangents: &[Tan],
    ) -> Result<(InstrId, Tan), Fault> {
        self.emit.body.reserve(comp.instrs.len());
        let mut values: Vec<InstrId> = Vec::with_capacity(comp.instrs.len());
        let mut derivatives: Vec<Tan> = Vec::with_capacity(comp.instrs.len());
        let outer = self.emit.body.origin.clone();
        for instr in &comp.instrs {
            self.emit.body.origin = instr.origin.clone();
            let operands: Vec<InstrId> = instr.operands.iter().map(|o| values[o.index()]).collect();
            let (value, tangent) = match instr.attrs {
                Attrs::Parameter(n) => (arguments[n], tangents[n].clone()),
                _ => {
                    let of: Vec<Tan> =
                        instr.operands.iter().map(|o| derivatives[o.index()].clone()).collect();
                    self.instruction(instr, &operands, &of)?
                }
            };
            values.push(value);
            derivatives.push(tangent);
        }
        self.emit.body.origin = outer;
        Ok((values[comp.root.index()], derivatives[comp.root.index()].clone()))
    }

    /// One instruction on these operands, with its tangent by theirs.
    pub(super) fn instruction(
        &mut self,
        instr: &Instruction,
        operands: &[InstrId],
        tangents: &[Tan],
    ) -> Result<(InstrId, Tan), Fault> {
        if tangents.iter().all(Tan::is_zero) && instr.opcode != Opcode::Call {
            return Ok((self.emit.again(instr, operands), Tan::Zero));
        }
        match rules::of(instr) {
            Derivative::Zero(_) => Ok((self.emit.again(instr, operands), Tan::Zero)),
            Derivative::Linear => {
                let value = self.emit.again(instr, operands);
                Ok((value, self.linear_in_all(instr, operands, tangents)?))
            }
            Derivative::Rule(rule) => rule(self, instr, operands, tangents),
            Derivative::None(why) => fault!("`{}` has no derivative: {why}", instr.opcode),
        }
    }

    /// The operation itself on tangents, with zeros where operands have none.
    fn linear_in_all(
        &mut self,
        instr: &Instruction,
        operands: &[InstrId],
        tangents: &[Tan],
    ) -> Result<Tan, Fault> {
        let mut args = Vec::with_capacity(operands.len());
        for (&operand, tangent) in operands.iter().zip(tangents) {
            args.push(match tangent.one() {
                Some(t) => Arg::Tangent(t),
                None => Arg::Primal(self.emit.splat_like(operand, 0.0)?),
            });
        }
        let shape = instr.shape.expect_array().clone();
        Ok(Tan::One(self.linear_shaped(instr.opcode, &shape, &args, instr.attrs.clone())?))
    }

    /// Something linear in the tangents among its operands, whose shape they and the attributes determine.
    pub fn linear(&mut self, opcode: Opcode, operands: &[Arg], attrs: Attrs) -> Result<Tangent, Fault> {
        if let Mode::Forward = self.mode {
            let ids = instructions(operands);
            return Ok(Tangent(self.emit.op(opcode, &ids, attrs)?.0));
        }
        let shapes = operands.iter().map(|&arg| self.shape_of(arg).map(Shape::Array));
        let shapes = shapes.collect::<Result<Vec<_>, _>>()?;
        let shapes: Vec<&Shape> = shapes.iter().collect();
        let shape = lawson_hlo::infer::infer(self.emit.graph.module(), opcode, &attrs, &shapes)?;
        Ok(self.record(opcode, shape.expect_array(), operands, attrs))
    }

    /// Something linear in the tangents among its operands, of this shape.
    pub fn linear_shaped(
        &mut self,
        opcode: Opcode,
        shape: &ArrayShape,
        operands: &[Arg],
        attrs: Attrs,
    ) -> Result<Tangent, Fault> {
        if let Mode::Forward = self.mode {
            let ids = instructions(operands);
            return Ok(Tangent(self.emit.op_shaped(opcode, Shape::Array(shape.clone()), &ids, attrs)?.0));
        }
        Ok(self.record(opcode, shape, operands, attrs))
    }

    fn record(&mut self, opcode: Opcode, shape: &ArrayShape, operands: &[Arg], attrs: Attrs) -> Tangent {
        let Mode::Reverse(tape) = &mut self.mode else { unreachable!("forward mode makes instructions") };
        let linear = Linear { opcode, operands: operands.to_vec(), attrs };
        tape.push(Definition::Linear(linear), shape.clone(), self.emit.body.origin.clone())
    }

    /// Records something structured with results of these shapes. Reverse mode only.
    pub fn structured(&mut self, structured: Box<dyn Structured>, results: &[ArrayShape]) -> Vec<Tangent> {
        let Mode::Reverse(tape) = &mut self.mode else { unreachable!("forward mode makes instructions") };
        tape.push_structured(structured, results, &self.emit.body.origin)
    }

    /// The shape of an operand of what is linear.
    ///
    /// # Errors
    /// It is no array.
    pub fn shape_of(&self, arg: Arg) -> Result<ArrayShape, Fault> {
        match (arg, &self.mode) {
            (Arg::Primal(id), _) => Ok(self.emit.array(id)?.clone()),
            (Arg::Tangent(t), Mode::Forward) => Ok(self.emit.array(InstrId(t.0))?.clone()),
            (Arg::Tangent(t), Mode::Reverse(tape)) => Ok(tape.entries[t.index()].shape.clone()),
        }
    }

    /// A tangent times a value.
    pub fn scale(&mut self, t: Tangent, by: InstrId) -> Result<Tangent, Fault> {
        self.linear(Opcode::Multiply, &[Arg::Tangent(t), Arg::Primal(by)], Attrs::None)
    }

    /// The negative of a tangent.
    pub fn negate(&mut self, t: Tangent) -> Result<Tangent, Fault> {
        self.linear(Opcode::Negate, &[Arg::Tangent(t)], Attrs::None)
    }

    /// The sum of those that are there.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Option<Tangent>>) -> Result<Tan, Fault> {
        let mut sum: Option<Tangent> = None;
        for term in terms.into_iter().flatten() {
            sum = Some(match sum {
                None => term,
                Some(s) => self.linear(Opcode::Add, &[Arg::Tangent(s), Arg::Tangent(term)], Attrs::None)?,
            });
        }
        Ok(sum.map_or(Tan::Zero, Tan::One))
    }

    /// Whether tangents are instructions.
    pub fn is_forward(&self) -> bool {
        matches!(self.mode, Mode::Forward)
    }
}

/// In forward mode tangents are instructions.
fn instructions(operands: &[Arg]) -> Vec<InstrId> {
    let id = |arg: &Arg| match *arg {
        Arg::Primal(id) => id,
        Arg::Tangent(t) => InstrId(t.0),
    };
    operands.iter().map(id).collect()
}
