//! The expression of an element: elementwise operations, sources, and what leads to loads.

use super::builder::{Builder, host};
use super::quotient;
use crate::refusal::Refusal;
use crate::region::{Node, NodeId, Source};
use lawson_hlo::dtype::{Float, TypeKind, Width};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::literal::{Literal, Value};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Instruction, Opcode};

impl Builder<'_> {
    /// The element of `id` at `index`, an expression over the axes of the open stage.
    pub(super) fn value(&mut self, id: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let key = (id, self.memo.number(index), self.guard);
        if let Some(&known) = self.memo.nodes.get(&key) {
            return Ok(known);
        }
        let node = self.fresh_value(id, index)?;
        self.memo.nodes.insert(key, node);
        Ok(node)
    }

    fn fresh_value(&mut self, id: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let comp = self.comp;
        let instr = &comp[id];
        let shape = instr.shape.as_array().ok_or_else(|| host(instr))?;
        // Composites are split into their parts before kernels are made.
        if shape.dtype.is_split() {
            return Err(Refusal::UnsupportedType { opcode: instr.opcode, dtype: shape.dtype });
        }
        if let Some(&n) = self.inputs.get(&id) {
            return Ok(self.load(Source::Input(n), shape.dtype, &shape.dims, index));
        }
        if let Some((stage, output)) = self.stage_result(id, 0) {
            return Ok(self.load(Source::Stage { stage, output }, shape.dtype, &shape.dims, index));
        }
        if let Some(node) = self.state_element(id, index)? {
            return Ok(node);
        }
        let dtype = self.working(shape.dtype);
        use lawson_hlo::opcode::Class;
        match (instr.opcode, &instr.attrs) {
            (Opcode::Parameter, Attrs::Parameter(n)) if self.in_function => {
                Ok(self.region.add(Node::Argument(*n as u32), dtype))
            }
            (Opcode::Constant, Attrs::Constant(Some(Value::Array(literal)))) => {
                self.literal(literal, index, dtype)
            }
            (Opcode::Iota, Attrs::Iota(dim)) => Ok(self.iota(&index[*dim], dtype)),
            (Opcode::Compare, Attrs::Compare { direction, order }) => {
                let (x, y) = (self.value(instr.operands[0], index)?, self.value(instr.operands[1], index)?);
                let dtype = self.region.dtype(x);
                let node = Node::Compare { direction: *direction, order: *order, dtype, x, y };
                Ok(self.region.add(node, DType::Pred))
            }
            (Opcode::Select, _) => {
                let mask = self.scalar_or(instr.operands[0], index)?;
                let (x, y) = (self.value(instr.operands[1], index)?, self.value(instr.operands[2], index)?);
                Ok(if x == y { x } else { self.region.add(Node::Select { mask, x, y }, dtype) })
            }
            (Opcode::Clamp, _) => {
                let lo = self.scalar_or(instr.operands[0], index)?;
                let x = self.value(instr.operands[1], index)?;
                let hi = self.scalar_or(instr.operands[2], index)?;
                let raised = self.binary(Opcode::Maximum, x, lo);
                Ok(self.binary(Opcode::Minimum, raised, hi))
            }
            (Opcode::Convert, _) => {
                let x = self.value(instr.operands[0], index)?;
                Ok(self.convert(x, dtype))
            }
            (Opcode::Copy, _) => self.value(instr.operands[0], index),
            (Opcode::ReducePrecision, Attrs::ReducePrecision { exponent_bits, mantissa_bits }) => {
                let x = self.value(instr.operands[0], index)?;
                let (exponent_bits, mantissa_bits) = (*exponent_bits, *mantissa_bits);
                Ok(self.region.add(Node::ReducePrecision { exponent_bits, mantissa_bits, x }, dtype))
            }
            (Opcode::BitcastConvert, _) => self.bitcast_convert(instr, shape, index),
            (opcode, _) if opcode.class() == Class::Unary => {
                let x = self.value(instr.operands[0], index)?;
                let operand = self.region.dtype(x);
                Ok(self.region.add(Node::Unary { opcode, dtype: operand, x }, dtype))
            }
            (opcode, _) if opcode.class() == Class::Binary => {
                let (x, y) = (self.value(instr.operands[0], index)?, self.value(instr.operands[1], index)?);
                let operand = self.region.dtype(x);
                if opcode == Opcode::Divide && operand.is_field() {
                    // Quotients by the same element share its inverse, and vectors share theirs.
                    let inverse = Node::Unary { opcode: Opcode::Inverse, dtype: operand, x: y };
                    let y = self.region.add(inverse, operand);
                    return Ok(self.binary(Opcode::Multiply, x, y));
                }
                if opcode == Opcode::Divide
                    && let Some(quotient) = quotient::of_bytes(self, x, y)
                {
                    return Ok(quotient);
                }
                Ok(self.region.add(Node::Binary { opcode, dtype: operand, x, y }, dtype))
            }
            (Opcode::Reduce | Opcode::ReduceWindow | Opcode::Dot, _) if self.in_trip() => {
                self.combined(id, 0, index)
            }
            (Opcode::Scatter, Attrs::Scatter(dims)) if self.in_trip() => {
                self.after_scatter(instr, dims, index)
            }
            (Opcode::GetTupleElement, Attrs::TupleIndex(n))
                if self.in_trip() && comp[instr.operands[0]].opcode != Opcode::Parameter =>
            {
                self.combined(instr.operands[0], *n, index)
            }
            (Opcode::Reduce, _) => self.few_elements(id, index),
            (Opcode::Dot, _) if self.is_few(id) => self.combined(id, 0, index),
            (opcode, _) if opcode.class() == Class::Movement => self.movement(id, index),
            (Opcode::OptimizationBarrier, _) => Err(Refusal::Barrier),
            (opcode, _) if matches!(opcode.class(), Class::Control | Class::Structure | Class::Library) => {
                Err(Refusal::Host { opcode })
            }
            (opcode, _) => Err(Refusal::Unsupported { opcode }),
        }
    }

    /// The element of an operand that may be a scalar for the whole array.
    pub(super) fn scalar_or(&mut self, id: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let is_scalar = self.shape(id)?.is_scalar();
        self.value(id, if is_scalar { &[] } else { index })
    }

    fn literal(&mut self, literal: &Literal, index: &[Affine], dtype: DType) -> Result<NodeId, Refusal> {
        let at = match linearize(index, &literal.shape().dims).as_constant() {
            _ if literal.elements() == 0 => return Ok(self.constant(dtype, 0)),
            _ if literal.splat_value().is_some() => 0,
            Some(at) if (0..literal.elements() as i64).contains(&at) => at as usize,
            _ => return Err(Refusal::LargeConstant { bytes: literal.shape().bytes() }),
        };
        let node = self.region.add(Node::Constant { bits: literal.bits(at) }, literal.dtype());
        Ok(self.convert(node, dtype))
    }

    /// Counts modulo the type; floats convert the exact index.
    pub(super) fn iota(&mut self, index: &Affine, dtype: DType) -> NodeId {
        if dtype.is_integer() {
            return self.region.add(Node::Index(index.clone()), dtype);
        }
        let (lo, hi) = index.range(&self.space);
        let small = lo >= i32::MIN as i64 && hi <= i32::MAX as i64;
        let wide = if small { DType::S32 } else { DType::S64 };
        let node = self.region.add(Node::Index(index.clone()), wide);
        self.convert(node, dtype)
    }

    fn bitcast_convert(
        &mut self,
        instr: &Instruction,
        shape: &ArrayShape,
        index: &[Affine],
    ) -> Result<NodeId, Refusal> {
        let operand = self.shape(instr.operands[0])?.clone();
        let (from, to) = (operand.dtype, shape.dtype);
        if from == to {
            return self.value(instr.operands[0], index);
        }
        let raw =
            |dtype: DType| unsigned(dtype).ok_or(Refusal::UnsupportedType { opcode: instr.opcode, dtype });
        let (raw_from, raw_to) = (raw(from)?, raw(to)?);
        if from.bits() == to.bits() {
            let x = self.value(instr.operands[0], index)?;
            return Ok(self.bits(x, to));
        }
        if from.bits() > to.bits() {
            // One wide element, of which the last index picks a part, low part first.
            let (last, outer) = index.split_last().ok_or(Refusal::Unsupported { opcode: instr.opcode })?;
            let x = self.value(instr.operands[0], outer)?;
            let x = self.bits(x, raw_from);
            let shift = self.region.add(Node::Index(last.mul(to.bits() as i64)), raw_from);
            let part = self.binary(Opcode::ShiftRightLogical, x, shift);
            let part = self.convert(part, raw_to);
            return Ok(self.bits(part, to));
        }
        let parts = to.bits() / from.bits();
        let mut whole = None;
        for j in 0..parts {
            let mut inner = index.to_vec();
            inner.push(Affine::constant(j as i64));
            let x = self.value(instr.operands[0], &inner)?;
            let x = self.bits(x, raw_from);
            let x = self.convert(x, raw_to);
            let shift = self.constant(raw_to, (j * from.bits()) as u64);
            let x = self.binary(Opcode::ShiftLeft, x, shift);
            whole = Some(match whole {
                None => x,
                Some(w) => self.binary(Opcode::Or, w, x),
            });
        }
        let whole = whole.ok_or(Refusal::Unsupported { opcode: instr.opcode })?;
        Ok(self.bits(whole, to))
    }

    fn bits(&mut self, x: NodeId, to: DType) -> NodeId {
        let from = self.region.dtype(x);
        if from == to { x } else { self.region.add(Node::Bits { from, x }, to) }
    }
}

/// The unsigned integers as wide as a type; `None` where its bits are no integer.
fn unsigned(dtype: DType) -> Option<DType> {
    let width = match dtype.kind() {
        TypeKind::Signed(width) | TypeKind::Unsigned(width) => width,
        TypeKind::Float(Float::F16 | Float::Bf16) => Width::W16,
        TypeKind::Float(Float::F32) => Width::W32,
        TypeKind::Float(Float::F64) => Width::W64,
        TypeKind::Field(field) => field.prime.parameters().word,
        TypeKind::Float(Float::Small(format)) => {
            if format.bits() == 8 {
                Width::W8
            } else {
                Width::W4
            }
        }
        TypeKind::Pred | TypeKind::Composite(_) => return None,
    };
    Some(width.unsigned())
}
