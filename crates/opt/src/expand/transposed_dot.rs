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

use super::dots::{exchanged, exchanged_order, is_read_once};
use super::{Expander, Purpose, no_helpers};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Origin};

pub const EXPANDER: Expander =
    Expander { name: "transposed-dot", purpose: Purpose::Form, applies, helpers: no_helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let (Opcode::Transpose, Attrs::Dims(order)) = (instr.opcode, &instr.attrs) else { return false };
    let dot = comp.operand(instr, 0);
    let Attrs::Dot(dims) = &dot.attrs else { return false };
    let batch = dims.lhs_batch.len();
    let left = comp.operand(dot, 0).shape.expect_array().rank() - batch - dims.lhs_contracting.len();
    // A vector or a number on one side has nothing to exchange.
    left > 0
        && batch + left < order.len()
        && *order == exchanged_order(batch, left, order.len())
        && is_read_once(comp, instr.operands[0])
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Some((product, _)) = exchanged(b, operands[0]) else {
        return b.push(Instruction { operands: operands.to_vec(), ..instr.clone() });
    };
    let made = b.get_mut(product);
    made.origin = Origin::union_of([&made.origin, &instr.origin]);
    product
}
