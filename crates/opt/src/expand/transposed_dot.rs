//! The transpose of a `dot` that has the dimensions of its right side first is the `dot` with its sides exchanged.
//!
//! ```text
//! d = f32[n,m] dot(g, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}
//! t = f32[m,n] transpose(d), dimensions={1,0}
//! →
//! t = f32[m,n] dot(x, g), lhs_contracting_dims={0}, rhs_contracting_dims={0}
//! ```
//!
//! JAX writes the derivatives of weights so. What updates them then reads the product in the order in which it is made, and is
//! part of its kernel. A product that others read too stays.

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Origin};

pub const EXPANDER: Expander =
    Expander { name: "transposed-dot", purpose: Purpose::Form, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let (Opcode::Transpose, Attrs::Dims(order)) = (instr.opcode, &instr.attrs) else { return false };
    let (id, dot) = (instr.operands[0], comp.operand(instr, 0));
    let Attrs::Dot(dims) = &dot.attrs else { return false };
    let batch = dims.lhs_batch.len();
    let left = comp.operand(dot, 0).shape.expect_array().rank() - batch - dims.lhs_contracting.len();
    let (left, right) = (batch..batch + left, batch + left..order.len());
    let exchanged = (0..batch).chain(right.clone()).chain(left.clone());
    // A vector or a number on one side has nothing to exchange.
    !left.is_empty()
        && !right.is_empty()
        && order.iter().copied().eq(exchanged)
        && comp.root != id
        && comp.instrs[id.index()..].iter().flat_map(|i| &i.operands).filter(|o| **o == id).count() == 1
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let dot = b.get(operands[0]).clone();
    let (Opcode::Dot, Attrs::Dot(dims)) = (dot.opcode, dot.attrs) else {
        // Another expander has replaced it.
        return b.push(Instruction { operands: operands.to_vec(), ..instr.clone() });
    };
    let (lhs_batch, lhs_contracting) = (dims.rhs_batch.clone(), dims.rhs_contracting.clone());
    let (rhs_batch, rhs_contracting) = (dims.lhs_batch.clone(), dims.lhs_contracting.clone());
    let exchanged = DotDims { lhs_contracting, rhs_contracting, lhs_batch, rhs_batch };
    let sides = [dot.operands[1], dot.operands[0]];
    let product = b.add_shaped(Opcode::Dot, instr.shape.clone(), &sides, Attrs::Dot(Box::new(exchanged)));
    let made = b.get_mut(product);
    made.origin = Origin::union_of([&dot.origin, &instr.origin]);
    made.notes = dot.notes;
    product
}
