//! A `dot` of elements of a field in which every dimension is contracted or batched becomes a sum of products.
//!
//! ```text
//! d = babybear[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
//! →
//! p = babybear[n] multiply(x, y)
//! d = babybear[] reduce(p, 0), dimensions={0}, to_apply=add
//! ```
//!
//! No element is used twice, so that there is nothing a product of matrices would keep in registers; a sum divides its elements over
//! lanes and threads, which sums of floats may not do alike. With free dimensions on either side the operation stays.

use super::dots::arranged;
use super::{Expander, Purpose};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Literal, Module, Opcode};

pub const EXPANDER: Expander =
    Expander { name: "vector-dot", purpose: Purpose::Speed, applies, helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let rank = |n: usize| comp.operand(instr, n).shape.as_array().map_or(usize::MAX, |a| a.rank());
    instr.shape.as_array().is_some_and(|a| a.dtype.is_field())
        && rank(0) == dims.lhs_batch.len() + dims.lhs_contracting.len()
        && rank(1) == dims.rhs_batch.len() + dims.rhs_contracting.len()
}

fn helpers(new: &mut Rebuild<'_>, _: &Computation, instr: &Instruction) -> Vec<CompId> {
    let dtype = instr.shape.expect_array().dtype;
    let add = make::scalar_binary(new.module, Opcode::Add, dtype, &instr.origin);
    vec![new.add(add)]
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let result = instr.shape.expect_array();
    let x = arranged(b, operands[0], &[&dims.lhs_batch[..], &dims.lhs_contracting].concat());
    let y = arranged(b, operands[1], &[&dims.rhs_batch[..], &dims.rhs_contracting].concat());
    let products = b.add(Opcode::Multiply, &[x, y], Attrs::None);
    let zero = b.constant(Literal::scalar(result.dtype, lawson_hlo::Scalar::Unsigned(0)));
    let contracted = (result.rank()..b.array(products).rank()).collect();
    make::reduce(b, products, zero, contracted, helpers[0])
}
