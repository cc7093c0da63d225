//! A `conditional` whose branches are short computations on scalars becomes both, and a choice of the results.
//!
//! ```text
//! f { a = f32[] parameter(0)
//!     ROOT e = f32[] exponential(a) }
//! g { ROOT b = f32[] parameter(0) }
//!                                                          e = f32[] exponential(x)
//! c = f32[] conditional(p, x, y), branches {f, g}    →     c = f32[] select(p, e, y)
//! ```
//!
//! That costs less than a branch between kernels, and it is what lets a computation applied to each element
//! (of `map`, a reducer, a comparator) be part of a kernel.

use super::{Expander, no_helpers};
use crate::inline::inline_body;
use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander = Expander { name: "conditional", applies, helpers: no_helpers, expand };

/// Instructions of a short branch.
const SHORT: usize = 16;

fn applies(module: &Module, _: &Computation, instr: &Instruction) -> bool {
    let Attrs::Conditional { branches, .. } = &instr.attrs else { return false };
    branches.iter().all(|&b| module[b].instrs.len() <= SHORT && module[b].instrs.iter().all(of_scalars))
}

/// Computes on scalars, and has no effect.
fn of_scalars(instr: &Instruction) -> bool {
    use Opcode::*;
    let structure = matches!(instr.opcode, Parameter | Constant | Tuple | GetTupleElement | BitcastConvert);
    let elementwise = instr.opcode.is_elementwise() && instr.opcode != Map;
    (structure || elementwise) && all_scalars(&instr.shape)
}

fn all_scalars(shape: &Shape) -> bool {
    match shape {
        Shape::Array(a) => a.is_scalar(),
        Shape::Tuple(parts) => parts.iter().all(all_scalars),
        _ => false,
    }
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Conditional { branches, predicated } = &instr.attrs else {
        unreachable!("checked by applies")
    };
    let module = b.module;
    let mut results: Vec<InstrId> = branches
        .iter()
        .zip(&operands[1..])
        .map(|(&branch, &argument)| inline_body(b, &module[branch], &[argument]))
        .collect();
    // An index out of range takes the last branch, which is what is left when no other is meant.
    let mut chosen = results.pop().expect("a conditional has a branch");
    for (n, &result) in results.iter().enumerate().rev() {
        let taken = match predicated {
            true => operands[0],
            false => {
                let n = make::scalar(b, DType::S32, n as i64);
                make::compare(b, Direction::Eq, operands[0], n)
            }
        };
        chosen = choose(b, taken, result, chosen);
    }
    chosen
}

/// `select` of values of any shape, part by part.
fn choose(b: &mut Builder<'_>, pred: InstrId, x: InstrId, y: InstrId) -> InstrId {
    if !matches!(b.shape(x), Shape::Tuple(_)) {
        return make::select(b, pred, x, y);
    }
    let (xs, ys) = (make::elements(b, x), make::elements(b, y));
    let parts: Vec<InstrId> = xs.into_iter().zip(ys).map(|(x, y)| choose(b, pred, x, y)).collect();
    make::tuple(b, &parts)
}
