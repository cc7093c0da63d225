//! Which regions can be lowered: those whose every operation has an expansion for its types.
//!
//! Asked when a kernel is planned, so that a back end that lowers it later meets no refusal. Each kind of operation is
//! expanded once, on operands of its types, by the functions that lowering calls: there is no second list to keep.

use super::scalar::{self, reg_elem};
use crate::loop_ir::{CodeBuilder, Type, V};
use crate::refusal::Refusal;
use crate::region::{Kind, Node, NodeId, Region};
use lawson_hlo::{DType, Opcode};
use rustc_hash::FxHashSet;

/// The operations that are known to have an expansion.
#[derive(Debug, Default)]
pub struct Expansions {
    /// As nodes of the result's type, without their operands.
    known: FxHashSet<(Node, DType)>,
}

impl Expansions {
    /// Whether [`super::lower`] has code for every operation of the region, under any plan of it.
    ///
    /// # Errors
    /// The operation that has none for its type.
    pub fn check(&mut self, region: &Region) -> Result<(), Refusal> {
        for (node, &dtype) in region.nodes.iter().zip(&region.types) {
            if let Some(operation) = without_operands(node) {
                self.operation(operation, dtype)?;
            }
        }
        for stage in &region.stages {
            match &stage.kind {
                Kind::Reduce { values, .. } | Kind::Scan { values, .. } => {
                    for (&value, &result) in values.iter().zip(&stage.results) {
                        self.conversion(region.dtype(value), result)?;
                    }
                }
                Kind::Contract { accumulator, .. } => {
                    for opcode in [Opcode::Multiply, Opcode::Add] {
                        let node = Node::Binary { opcode, dtype: *accumulator, x: NONE, y: NONE };
                        self.operation(node, *accumulator)?;
                    }
                    self.conversion(*accumulator, stage.results[0])?;
                }
                Kind::Map { .. }
                | Kind::Pieces(_)
                | Kind::Update { .. }
                | Kind::Sort { .. }
                | Kind::Loop(_)
                | Kind::SelectAndScatter(_) => {}
            }
        }
        region.parts.iter().try_for_each(|p| self.check(&p.region))
    }

    fn conversion(&mut self, from: DType, to: DType) -> Result<(), Refusal> {
        self.operation(Node::Convert { from, x: NONE }, to)
    }

    fn operation(&mut self, node: Node, dtype: DType) -> Result<(), Refusal> {
        let key = (node, dtype);
        if !self.known.contains(&key) {
            expand(&key.0, dtype)?;
            self.known.insert(key);
        }
        Ok(())
    }
}

/// Stands for operands that do not matter.
const NONE: NodeId = NodeId(0);

/// The operation of a node; `None` where it needs no expansion.
fn without_operands(node: &Node) -> Option<Node> {
    let mut node = node.clone();
    match &mut node {
        Node::Unary { x, .. }
        | Node::Convert { x, .. }
        | Node::Bits { x, .. }
        | Node::ReducePrecision { x, .. } => *x = NONE,
        Node::Binary { x, y, .. } | Node::Compare { x, y, .. } => (*x, *y) = (NONE, NONE),
        Node::Constant { .. }
        | Node::Index(_)
        | Node::InRange { .. }
        | Node::Load { .. }
        | Node::Fma { .. }
        | Node::Select { .. }
        | Node::Argument(_)
        | Node::Carry(_) => return None,
    }
    Some(node)
}

/// Expands an operation on unknown scalars.
fn expand(node: &Node, to: DType) -> Result<(), Refusal> {
    let mut b = CodeBuilder::new("");
    b.open_phase(1);
    let unknown = |b: &mut CodeBuilder, dtype: DType| -> V { b.reserve(Type::scalar(reg_elem(dtype))) };
    match *node {
        Node::Unary { opcode, dtype, .. } => {
            let x = unknown(&mut b, dtype);
            scalar::unary(&mut b, opcode, dtype, x)?;
        }
        Node::Binary { opcode, dtype, .. } => {
            // The exponent of a power in a field is an integer.
            let power = opcode == Opcode::Power && dtype.is_field();
            let second = if power { DType::U64 } else { dtype };
            let (x, y) = (unknown(&mut b, dtype), unknown(&mut b, second));
            scalar::binary(&mut b, opcode, dtype, x, y)?;
        }
        Node::Compare { direction, order, dtype, .. } => {
            let (x, y) = (unknown(&mut b, dtype), unknown(&mut b, dtype));
            scalar::compare(&mut b, direction, order, dtype, x, y)?;
        }
        Node::Convert { from, .. } => {
            let x = unknown(&mut b, from);
            scalar::convert(&mut b, from, to, x)?;
        }
        Node::Bits { from, .. } => {
            let x = unknown(&mut b, from);
            scalar::bits(&mut b, from, to, x)?;
        }
        Node::ReducePrecision { exponent_bits, mantissa_bits, .. } => {
            let x = unknown(&mut b, to);
            scalar::reduce_precision(&mut b, to, exponent_bits, mantissa_bits, x)?;
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(node: Node, dtype: DType) -> Option<Refusal> {
        let mut region = Region::default();
        region.add(node, dtype);
        Expansions::default().check(&region).err()
    }

    #[test]
    fn an_operation_without_a_meaning_for_its_type_is_refused_by_name() {
        let sine = |dtype| Node::Unary { opcode: Opcode::Sine, dtype, x: NONE };
        let refused = Refusal::UnsupportedType { opcode: Opcode::Sine, dtype: DType::S32 };
        assert_eq!(refusal(sine(DType::S32), DType::S32), Some(refused));
        assert_eq!(refusal(sine(DType::F32), DType::F32), None);
        let bits = Node::Bits { from: DType::F32, x: NONE };
        assert!(refusal(bits.clone(), DType::S64).is_some() && refusal(bits, DType::U32).is_none());
    }
}
