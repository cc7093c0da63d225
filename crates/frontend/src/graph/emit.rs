//! Appending instructions: the vocabulary in which operations and transformations are written.

use super::Graph;
use crate::error::Fault;
use crate::fault;
use crate::marks;
use lawson_hlo::attrs::{CompareOrder, CustomCall, Direction, DotDims, SliceDim};
use lawson_hlo::builder::Body;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Literal, Opcode, Scalar, Shape,
    Value,
};

/// Appends instructions to a computation that is not finished. Every step checks the rules of the language.
pub struct Emit<'a> {
    /// The computations that are finished.
    pub graph: &'a mut Graph,
    /// The one under construction.
    pub body: &'a mut Body,
}

impl Emit<'_> {
    /// An instruction of the body.
    pub fn instr(&self, id: InstrId) -> &Instruction {
        self.body.get(id)
    }

    /// Its shape.
    pub fn shape(&self, id: InstrId) -> &Shape {
        self.body.shape(id)
    }

    /// The shape of an array.
    ///
    /// # Errors
    /// It is a tuple or token.
    pub fn array(&self, id: InstrId) -> Result<&ArrayShape, Fault> {
        match self.body.shape(id) {
            Shape::Array(shape) => Ok(shape),
            other => fault!("an array is needed, not {other}"),
        }
    }

    /// The dimensions of an array.
    ///
    /// # Errors
    /// As [`Emit::array`].
    pub fn dims(&self, id: InstrId) -> Result<Vec<i64>, Fault> {
        Ok(self.array(id)?.dims.clone())
    }

    /// The element type of an array.
    ///
    /// # Errors
    /// As [`Emit::array`].
    pub fn dtype(&self, id: InstrId) -> Result<DType, Fault> {
        Ok(self.array(id)?.dtype)
    }

    /// An operation whose shape its operands and attributes determine.
    pub fn op(&mut self, opcode: Opcode, operands: &[InstrId], attrs: Attrs) -> Result<InstrId, Fault> {
        Ok(self.body.try_add(&self.graph.module, opcode, operands, attrs)?)
    }

    /// An operation of this shape.
    pub fn op_shaped(
        &mut self,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> Result<InstrId, Fault> {
        Ok(self.body.try_add_shaped(&self.graph.module, opcode, shape, operands, attrs)?)
    }

    /// The same operation on other operands of the same shapes.
    pub fn again(&mut self, instr: &Instruction, operands: &[InstrId]) -> InstrId {
        again(self.body, instr, operands.to_vec())
    }

    /// An operation of one operand, without attributes.
    pub fn unary(&mut self, opcode: Opcode, x: InstrId) -> Result<InstrId, Fault> {
        self.op(opcode, &[x], Attrs::None)
    }

    /// An operation of two operands, without attributes.
    pub fn binary(&mut self, opcode: Opcode, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
        self.op(opcode, &[a, b], Attrs::None)
    }

    /// a + b.
    pub fn add(&mut self, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
        self.binary(Opcode::Add, a, b)
    }

    /// a − b.
    pub fn sub(&mut self, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
        self.binary(Opcode::Subtract, a, b)
    }

    /// a · b.
    pub fn mul(&mut self, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
        self.binary(Opcode::Multiply, a, b)
    }

    /// a / b.
    pub fn div(&mut self, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
        self.binary(Opcode::Divide, a, b)
    }

    /// −x.
    pub fn neg(&mut self, x: InstrId) -> Result<InstrId, Fault> {
        self.unary(Opcode::Negate, x)
    }

    /// Whether a and b compare so: pred.
    pub fn compare(&mut self, direction: Direction, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
        self.op(Opcode::Compare, &[a, b], Attrs::Compare { direction, order: CompareOrder::Default })
    }

    /// `yes` where p is true, else `no`.
    pub fn select(&mut self, p: InstrId, yes: InstrId, no: InstrId) -> Result<InstrId, Fault> {
        self.op(Opcode::Select, &[p, yes, no], Attrs::None)
    }

    /// The parameter of that number.
    pub fn parameter(&mut self, number: usize, shape: Shape) -> InstrId {
        self.body.add_shaped(Opcode::Parameter, shape, &[], Attrs::Parameter(number))
    }

    /// A constant; equal ones are one instruction.
    pub fn constant(&mut self, literal: Literal) -> InstrId {
        let shape = Shape::Array(literal.shape().clone());
        let attrs = Attrs::Constant(Some(Value::Array(literal)));
        self.body.add_once(Opcode::Constant, shape, &[], attrs)
    }

    /// A scalar, converted to the element type.
    pub fn scalar(&mut self, dtype: DType, value: f64) -> InstrId {
        self.constant(Literal::scalar(dtype, Scalar::Float(value)))
    }

    /// An array of equal elements.
    pub fn splat(&mut self, shape: &ArrayShape, value: f64) -> Result<InstrId, Fault> {
        let c = self.scalar(shape.dtype, value);
        if shape.is_scalar() { Ok(c) } else { self.broadcast(c, &shape.dims, &[]) }
    }

    /// An array of equal elements, like another array.
    pub fn splat_like(&mut self, like: InstrId, value: f64) -> Result<InstrId, Fault> {
        let shape = self.array(like)?.clone();
        self.splat(&shape, value)
    }

    /// Zeros of this shape.
    pub fn zeros(&mut self, shape: &ArrayShape) -> Result<InstrId, Fault> {
        self.splat(shape, 0.0)
    }

    /// Counts along a dimension.
    pub fn iota(&mut self, dtype: DType, dims: &[i64], dim: usize) -> Result<InstrId, Fault> {
        self.op_shaped(Opcode::Iota, Shape::array(dtype, dims), &[], Attrs::Iota(dim))
    }

    /// Operand dimension `i` becomes result dimension `map[i]`; that of a constant is one instruction.
    pub fn broadcast(&mut self, x: InstrId, dims: &[i64], map: &[usize]) -> Result<InstrId, Fault> {
        let shape = Shape::array(self.dtype(x)?, dims);
        let attrs = Attrs::Dims(map.to_vec());
        match self.instr(x).opcode {
            Opcode::Constant => {
                Ok(self.body.try_add_once(&self.graph.module, Opcode::Broadcast, shape, &[x], attrs)?)
            }
            _ => self.op_shaped(Opcode::Broadcast, shape, &[x], attrs),
        }
    }

    /// The same elements, row-major, under other dimensions; nothing where they are those it has.
    pub fn reshape(&mut self, x: InstrId, dims: &[i64]) -> Result<InstrId, Fault> {
        if self.array(x)?.dims == dims {
            return Ok(x);
        }
        let shape = Shape::array(self.dtype(x)?, dims);
        self.op_shaped(Opcode::Reshape, shape, &[x], Attrs::None)
    }

    /// Result dimension `i` is operand dimension `permutation[i]`; nothing where that is the identity.
    pub fn transpose(&mut self, x: InstrId, permutation: &[usize]) -> Result<InstrId, Fault> {
        if permutation.iter().copied().eq(0..self.array(x)?.rank()) {
            return Ok(x);
        }
        self.op(Opcode::Transpose, &[x], Attrs::Dims(permutation.to_vec()))
    }

    /// Undoes [`Emit::transpose`] by that permutation.
    pub fn untranspose(&mut self, x: InstrId, permutation: &[usize]) -> Result<InstrId, Fault> {
        let mut inverse = vec![0; permutation.len()];
        permutation.iter().enumerate().for_each(|(i, &d)| inverse[d] = i);
        self.transpose(x, &inverse)
    }

    /// Nothing where the elements are of that type already.
    pub fn convert(&mut self, x: InstrId, dtype: DType) -> Result<InstrId, Fault> {
        if self.array(x)?.dtype == dtype {
            return Ok(x);
        }
        let shape = Shape::array(dtype, self.dims(x)?);
        self.op_shaped(Opcode::Convert, shape, &[x], Attrs::None)
    }

    /// A part of an array.
    pub fn slice(&mut self, x: InstrId, dims: Vec<SliceDim>) -> Result<InstrId, Fault> {
        self.op(Opcode::Slice, &[x], Attrs::Slice(dims))
    }

    /// Joined along a dimension; nothing where there is only one.
    pub fn concatenate(&mut self, parts: &[InstrId], dim: usize) -> Result<InstrId, Fault> {
        match parts {
            &[one] => Ok(one),
            _ => self.op(Opcode::Concatenate, parts, Attrs::Dims(vec![dim])),
        }
    }

    /// The elements in reverse along these dimensions; nothing where there are none.
    pub fn reverse(&mut self, x: InstrId, dims: &[usize]) -> Result<InstrId, Fault> {
        if dims.is_empty() {
            return Ok(x);
        }
        self.op(Opcode::Reverse, &[x], Attrs::Dims(dims.to_vec()))
    }

    /// A reduction by a binary opcode, which starts at its neutral element `init`.
    pub fn reduce(
        &mut self,
        opcode: Opcode,
        x: InstrId,
        init: f64,
        dims: &[usize],
    ) -> Result<InstrId, Fault> {
        if dims.is_empty() {
            return Ok(x);
        }
        let dtype = self.dtype(x)?;
        let init = self.scalar(dtype, init);
        let to_apply = self.scalar_computation(opcode, dtype)?;
        let mut dims = dims.to_vec();
        dims.sort_unstable();
        self.op(Opcode::Reduce, &[x, init], Attrs::Reduce { dims, to_apply })
    }

    /// The sum over these dimensions.
    pub fn sum(&mut self, x: InstrId, dims: &[usize]) -> Result<InstrId, Fault> {
        self.reduce(Opcode::Add, x, 0.0, dims)
    }

    /// The sum of products over contracted dimensions.
    pub fn dot(&mut self, a: InstrId, b: InstrId, dims: DotDims) -> Result<InstrId, Fault> {
        self.op(Opcode::Dot, &[a, b], Attrs::Dot(Box::new(dims)))
    }

    /// A tuple of these.
    pub fn tuple(&mut self, parts: &[InstrId]) -> Result<InstrId, Fault> {
        self.op(Opcode::Tuple, parts, Attrs::None)
    }

    /// An element of a tuple; of one that is made here, what it was made of.
    pub fn element(&mut self, tuple: InstrId, index: usize) -> Result<InstrId, Fault> {
        let instr = self.instr(tuple);
        match instr.opcode {
            Opcode::Tuple if index < instr.operands.len() => Ok(instr.operands[index]),
            _ => self.op(Opcode::GetTupleElement, &[tuple], Attrs::TupleIndex(index)),
        }
    }

    /// The elements of a tuple; an array is its own only one.
    pub fn elements(&mut self, x: InstrId) -> Result<Vec<InstrId>, Fault> {
        match self.shape(x) {
            Shape::Tuple(parts) => (0..parts.len()).map(|i| self.element(x, i)).collect(),
            _ => Ok(vec![x]),
        }
    }

    /// The array leaves of a value, depth first.
    pub fn leaves(&mut self, x: InstrId) -> Result<Vec<InstrId>, Fault> {
        match self.shape(x) {
            Shape::Tuple(_) => {
                let parts = self.elements(x)?;
                let leaves = parts.into_iter().map(|p| self.leaves(p)).collect::<Result<Vec<_>, _>>()?;
                Ok(leaves.concat())
            }
            _ => Ok(vec![x]),
        }
    }

    /// A value of this shape of array leaves: what [`Emit::leaves`] takes apart.
    pub fn of_leaves(
        &mut self,
        shape: &Shape,
        leaves: &mut dyn Iterator<Item = InstrId>,
    ) -> Result<InstrId, Fault> {
        match shape {
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.of_leaves(p, leaves)).collect::<Result<Vec<_>, _>>()?;
                self.tuple(&parts)
            }
            _ => match leaves.next() {
                Some(leaf) => Ok(leaf),
                None => fault!("a value of {shape} lacks leaves"),
            },
        }
    }

    /// An array as it is, without a derivative.
    pub fn stop_gradient(&mut self, x: InstrId) -> Result<InstrId, Fault> {
        let shape = self.shape(x).clone();
        let call = CustomCall { target: marks::STOP_GRADIENT.into(), ..CustomCall::default() };
        self.op_shaped(Opcode::CustomCall, shape, &[x], Attrs::CustomCall(Box::new(call)))
    }

    /// Another computation, of which `f` makes the instructions and says which is the root.
    pub fn computation(
        &mut self,
        name: &str,
        f: impl FnOnce(&mut Emit<'_>) -> Result<InstrId, Fault>,
    ) -> Result<CompId, Fault> {
        let mut body = Body::new(self.body.origin.clone());
        body.notes = self.body.notes.clone();
        let root = f(&mut Emit { graph: self.graph, body: &mut body })?;
        Ok(self.graph.close(name, body, root))
    }

    /// The computation of one binary operation on two scalars.
    pub fn scalar_computation(&mut self, opcode: Opcode, dtype: DType) -> Result<CompId, Fault> {
        if let Some(&known) = self.graph.scalar.get(&(opcode, dtype)) {
            return Ok(known);
        }
        let comp = self.computation(opcode.name(), |e| {
            let a = e.parameter(0, Shape::scalar(dtype));
            let b = e.parameter(1, Shape::scalar(dtype));
            e.binary(opcode, a, b)
        })?;
        self.graph.scalar.insert((opcode, dtype), comp);
        Ok(comp)
    }

    /// The instructions of a finished computation, here, on these arguments; gives its root.
    pub fn inline(&mut self, comp: CompId, arguments: &[InstrId]) -> InstrId {
        inline(self.body, &self.graph.module[comp], arguments)
    }

    /// As [`Emit::inline`], for a computation that is at hand.
    pub fn inline_computation(&mut self, comp: &Computation, arguments: &[InstrId]) -> InstrId {
        inline(self.body, comp, arguments)
    }
}

fn again(body: &mut Body, instr: &Instruction, operands: Vec<InstrId>) -> InstrId {
    let Instruction { name, opcode, shape, attrs, origin, .. } = instr;
    let mut copy =
        Instruction::new(name.clone(), *opcode, shape.clone(), operands, attrs.clone(), origin.clone());
    copy.notes = instr.notes.clone();
    copy.map_predecessors(|_| None);
    if copy.notes.is_none() {
        copy.notes = body.notes.clone();
    }
    body.push(copy)
}

fn inline(body: &mut Body, comp: &Computation, arguments: &[InstrId]) -> InstrId {
    body.reserve(comp.instrs.len());
    let mut map: Vec<InstrId> = Vec::with_capacity(comp.instrs.len());
    for instr in &comp.instrs {
        let new = match instr.attrs {
            Attrs::Parameter(n) => arguments[n],
            _ => again(body, instr, instr.operands.iter().map(|o| map[o.index()]).collect()),
        };
        map.push(new);
    }
    map[comp.root.index()]
}
