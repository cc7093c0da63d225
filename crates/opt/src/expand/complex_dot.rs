//! A `dot` of complex matrices becomes one of real numbers, of matrices that hold parts beside each other.
//!
//! ```text
//! d = c64[m,n] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
//! →
//! a, b, c, e = f32 real(x), imag(x), real(y), imag(y)
//! p = f32[m,k,2]                                            a and b side by side: the memory of x
//! q = f32[k,2,n,2]                                          c and e side by side, and below them −e and c
//! r = f32[m,n,2] dot(p, q), lhs_contracting_dims={1,2}, rhs_contracting_dims={0,1}
//! d = c64[m,n] complex(r[:,:,0], r[:,:,1])                  the memory of r
//! ```
//!
//! It has as many multiply-adds as the four products of parts that `split-composites` makes otherwise, but reads and writes
//! elements as they lie in memory instead of every other one, and is one kernel instead of four. The sums of products
//! alternate between the two parts, which is another order: not in `strict`.

use super::dots::sides;
use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander =
    Expander { name: "complex-dot", purpose: Purpose::Order, applies, helpers: no_helpers, expand };

/// Sums of so few terms are unrolled and need no packed matrix: all of the product is one kernel.
const SHORT: i64 = 4;
/// Rows on the left that share the right matrix, which is written twice as large, at least.
const ROWS: i64 = 128;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::Dot(dims) = &instr.attrs else { return false };
    let [x, y, result] = [comp.operand(instr, 0), comp.operand(instr, 1), instr].map(|i| i.shape.as_array());
    let (Some(x), Some(y), Some(result)) = (x, y, result) else { return false };
    let (left, right) = sides(dims);
    let (rows, columns, terms) = (left.free(&x.dims), right.free(&y.dims), left.length(&x.dims));
    // Rows of the left matrix are read as they lie, and the columns of the right one.
    let lie = || left.contracting.contains(&(x.rank() - 1)) && right.is_free(y.rank() - 1);
    [x, y, result].iter().all(|a| a.dtype.is_complex() && a.dtype == result.dtype)
        && rows > 1
        && columns > 1
        && terms > 0
        && !dims.lhs_contracting.is_empty()
        && (terms <= SHORT || rows >= ROWS && lie())
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Dot(dims) = &instr.attrs else { unreachable!("checked by applies") };
    let [x, y] = operands[..] else { unreachable!("a dot has two operands") };
    let (left, right) = sides(dims);
    let short = left.length(&b.array(x).dims) <= SHORT;
    let behind = |places: &[usize]| places.iter().max().expect("sums have terms") + 1;
    let free: Vec<usize> = (0..b.array(y).rank()).filter(|&d| right.is_free(d)).collect();
    // Parts of a term come behind the innermost dimension of terms, parts of a column behind that of columns.
    let (of_x, of_y, of_column) =
        (behind(&dims.lhs_contracting), behind(&dims.rhs_contracting), behind(&free));
    let mut new = (**dims).clone();
    insert(&mut new.lhs_batch, &mut new.lhs_contracting, of_x);
    new.lhs_contracting.push(of_x);
    insert(&mut new.rhs_batch, &mut new.rhs_contracting, of_column);
    let of_y = of_y + usize::from(of_column < of_y);
    insert(&mut new.rhs_batch, &mut new.rhs_contracting, of_y);
    new.rhs_contracting.push(of_y);

    let (re, im) = parts(b, x, of_x);
    let left = pair(b, re, im, of_x);
    let (re, im) = parts(b, y, of_column);
    let turned = b.unary(Opcode::Negate, im);
    // In long sums the first of them is the memory of y, and only the other one is made. In short ones both are expressions of the same
    // elements, which are read once.
    let [first, second] = [(re, im), (turned, re)].map(|(re, im)| match short {
        true => {
            let [re, im] = [re, im].map(|part| with_dimension(b, part, of_y));
            pair(b, re, im, of_column + usize::from(of_y <= of_column))
        }
        false => {
            let row = pair(b, re, im, of_column);
            with_dimension(b, row, of_y)
        }
    });
    let right = pair(b, first, second, of_y);

    let result = instr.shape.expect_array();
    let mut extents = result.dims.to_vec();
    extents.push(2);
    let shape = Shape::array(result.dtype.part(), extents);
    let (attrs, operands) = (Attrs::Dot(Box::new(new)), vec![left, right]);
    let sums = b.push(Instruction { shape, operands, attrs, ..instr.clone() });
    let [re, im] = [0, 1].map(|n| {
        let part = make::slice(b, sums, result.rank(), n, n + 1);
        b.reshape(part, &result.dims)
    });
    b.add_shaped(Opcode::Complex, instr.shape.clone(), &[re, im], Attrs::None)
}

/// Counts a new dimension before those that it moves.
fn insert(batch: &mut [usize], contracting: &mut [usize], new: usize) {
    batch.iter_mut().chain(contracting).filter(|d| **d >= new).for_each(|d| *d += 1);
}

/// The real and the imaginary parts, with a new dimension of extent 1.
fn parts(b: &mut Builder<'_>, x: InstrId, new: usize) -> (InstrId, InstrId) {
    let shape = Shape::Array(b.array(x).with_dtype(b.array(x).dtype.part()));
    let [re, im] = [Opcode::Real, Opcode::Imag].map(|opcode| {
        let part = b.add_shaped(opcode, shape.clone(), &[x], Attrs::None);
        with_dimension(b, part, new)
    });
    (re, im)
}

fn with_dimension(b: &mut Builder<'_>, x: InstrId, new: usize) -> InstrId {
    let mut extents = b.array(x).dims.to_vec();
    extents.insert(new, 1);
    b.reshape(x, &extents)
}

/// The two arrays along a dimension.
fn pair(b: &mut Builder<'_>, first: InstrId, second: InstrId, dim: usize) -> InstrId {
    b.add(Opcode::Concatenate, &[first, second], Attrs::Dims(vec![dim]))
}
