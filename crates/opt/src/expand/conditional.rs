//! A `conditional` whose branches are short and cheap becomes both, and a choice of the results.
//!
//! ```text
//! f { a = f32[] parameter(0)
//!     ROOT e = f32[] exponential(a) }
//! g { ROOT b = f32[] parameter(0) }
//!                                                          e = f32[] exponential(x)
//! c = f32[] conditional(p, x, y), branches {f, g}    →     c = f32[] select(p, e, y)
//! ```
//!
//! That costs less than a branch between kernels, which also ends every fusion; and it is what lets a computation
//! applied to each element (of `map`, a reducer, a comparator) be part of a kernel.

use super::{Expander, Purpose, no_helpers};
use crate::inline::inline_body;
use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::rates::Rates;

pub const EXPANDER: Expander =
    Expander { name: "conditional", purpose: Purpose::Speed, applies, helpers: no_helpers, expand };

/// Instructions of all branches.
const SHORT: usize = 64;
/// Work of all branches, and of choosing, in operations on f32: about what a branch between kernels costs.
const CHEAP: i64 = 1 << 16;

fn applies(module: &Module, _: &Computation, instr: &Instruction) -> bool {
    let Attrs::Conditional { branches, .. } = &instr.attrs else { return false };
    let all = || branches.iter().flat_map(|&b| &module[b].instrs);
    let choosing = elements(&instr.shape).saturating_mul(branches.len() as i64);
    let work = all().fold(choosing, |sum, i| sum.saturating_add(work(i)));
    all().count() <= SHORT && work <= CHEAP && arrays(&instr.shape) && all().all(is_map)
}

/// Computes each element from a few, and has no effect.
fn is_map(instr: &Instruction) -> bool {
    use Opcode::*;
    let structure = matches!(instr.opcode, Parameter | Constant | Tuple | GetTupleElement | Iota);
    let movement = matches!(
        instr.opcode,
        Broadcast | Concatenate | DynamicSlice | Pad | Reshape | Reverse | Slice | Transpose
    );
    let elementwise = instr.opcode.is_elementwise() && !matches!(instr.opcode, Map | StochasticConvert);
    (structure || movement || elementwise) && arrays(&instr.shape)
}

fn work(instr: &Instruction) -> i64 {
    match instr.opcode.class() {
        Class::Structure | Class::Source => 0,
        _ => {
            let dtype = instr.shape.as_array().map_or(DType::F32, |a| a.dtype);
            elements(&instr.shape).saturating_mul(Rates::CPU.weight(instr.opcode, dtype))
        }
    }
}

fn elements(shape: &Shape) -> i64 {
    shape.leaves().iter().fold(0, |sum, leaf| sum.saturating_add(leaf.elements()))
}

fn arrays(shape: &Shape) -> bool {
    match shape {
        Shape::Array(a) => !a.is_dynamic(),
        Shape::Tuple(parts) => parts.iter().all(arrays),
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
        let dims = b.array(x).dims.clone();
        let pred = if dims.is_empty() { pred } else { b.broadcast(pred, &dims, &[]) };
        return make::select(b, pred, x, y);
    }
    let (xs, ys) = (make::elements(b, x), make::elements(b, y));
    let parts: Vec<InstrId> = xs.into_iter().zip(ys).map(|(x, y)| choose(b, pred, x, y)).collect();
    make::tuple(b, &parts)
}
