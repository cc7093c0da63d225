//! dot: one chain of fused multiply-adds for each result element.
//!
//! The chain starts from +0 and takes k in increasing order, k being the row-major index over the contracting
//! dimensions in the order the attributes list them. f16 and bf16 accumulate in f32 and round once; integers
//! wrap; for pred the product is and, the sum or.

use super::elementwise::Real;
use super::error::{EvalError, Result};
use super::machine::Machine;
use super::movement::transpose;
use super::word::{Class, Wide, Word, narrow, wrapping_fma};
use crate::attrs::DotDims;
use crate::dtype::{DType, U256, WideArithmetic};
use crate::literal::Literal;
use crate::math::field::Arithmetic;
use crate::shape::ArrayShape;

pub fn dot(
    machine: &mut Machine,
    lhs: &Literal,
    rhs: &Literal,
    dims: &DotDims,
    shape: &ArrayShape,
) -> Result<Literal> {
    let (product, lhs, rhs) = matrices(machine, lhs, rhs, dims)?;
    let class = accumulator(lhs.dtype(), rhs.dtype(), shape.dtype)?;
    let words = match class {
        Class::Float32 => product.run(machine, &lhs, &rhs, class, f32::fma),
        Class::Float64 => product.run(machine, &lhs, &rhs, class, f64::fma),
        Class::Pred => product.run(machine, &lhs, &rhs, class, |a: bool, b, c| (a & b) | c),
        Class::Signed | Class::Unsigned => product.run(machine, &lhs, &rhs, class, wrapping_fma),
        Class::Field(field) => {
            let of = Arithmetic::new(field);
            product.run(machine, &lhs, &rhs, class, move |x, y, z| of.multiply_add(x, y, z))
        }
    }?;
    store_accumulated(machine, words, class, shape)
}

/// The same of elements of a prime field of more than 64 bits.
pub fn wide_dot(
    machine: &mut Machine,
    (lhs, rhs): (&Literal, &Literal),
    dims: &DotDims,
    shape: &ArrayShape,
) -> Result<Literal> {
    let field = shape.dtype.wide_field().filter(|_| lhs.dtype() == shape.dtype && rhs.dtype() == shape.dtype);
    let of = WideArithmetic::new(field.ok_or_else(|| EvalError::malformed("a product of two fields"))?);
    let (Product { batch, m, n, k }, lhs, rhs) = matrices(machine, lhs, rhs, dims)?;
    let element = |x: &Literal, i: usize| U256::from_bytes(x.bytes().as_chunks::<32>().0[i]);
    let mut out = machine.limits.with_capacity((batch * m * n).saturating_mul(shape.dtype.size()))?;
    for row in 0..batch * m {
        let b = row / m;
        for j in 0..n {
            let sum = (0..k).fold(U256::ZERO, |sum, kk| {
                let product = of.multiply(element(&lhs, row * k + kk), element(&rhs, (b * k + kk) * n + j));
                of.add(sum, product)
            });
            out.extend_from_slice(&sum.to_bytes());
        }
    }
    Ok(Literal::new(shape.clone(), out))
}

/// The operands as `[batch, m, k]` and `[batch, k, n]`.
fn matrices(
    machine: &mut Machine,
    lhs: &Literal,
    rhs: &Literal,
    dims: &DotDims,
) -> Result<(Product, Literal, Literal)> {
    let free = |x: &Literal, batch: &[usize], contracting: &[usize]| -> Vec<usize> {
        (0..x.dims().len()).filter(|d| !batch.contains(d) && !contracting.contains(d)).collect()
    };
    let extent = |x: &Literal, dims: &[usize]| dims.iter().map(|&d| x.dims()[d] as usize).product::<usize>();
    let lhs_free = free(lhs, &dims.lhs_batch, &dims.lhs_contracting);
    let rhs_free = free(rhs, &dims.rhs_batch, &dims.rhs_contracting);
    let [batch, m, n] = [extent(lhs, &dims.lhs_batch), extent(lhs, &lhs_free), extent(rhs, &rhs_free)];
    let k = extent(lhs, &dims.lhs_contracting);
    if k != extent(rhs, &dims.rhs_contracting) || batch != extent(rhs, &dims.rhs_batch) {
        return Err(EvalError::malformed("contracting or batch dimensions differ"));
    }
    machine.charge(batch as u64 * m as u64 * n as u64 * k as u64)?;
    let lhs = arrange(machine, lhs, &[&dims.lhs_batch, &lhs_free, &dims.lhs_contracting])?;
    let rhs = arrange(machine, rhs, &[&dims.rhs_batch, &dims.rhs_contracting, &rhs_free])?;
    Ok((Product { batch, m, n, k }, lhs, rhs))
}

/// The class products of these operands are summed in: the widest float taking part, or 64-bit integers.
pub fn accumulator(lhs: DType, rhs: DType, result: DType) -> Result<Class> {
    let classes = [Class::of(lhs), Class::of(rhs), Class::of(result)];
    let has = |c| classes.contains(&Some(c));
    match () {
        _ if classes.contains(&None) => {
            Err(EvalError::unsupported(format!("a product of {lhs} and {rhs} to {result} is not supported")))
        }
        // A field with anything else has no product.
        _ if classes.iter().flatten().any(|c| matches!(c, Class::Field(_))) => match classes {
            [Some(class), rhs, result] if rhs == Some(class) && result == rhs => Ok(class),
            _ => Err(EvalError::unsupported(format!(
                "a product of {lhs} and {rhs} to {result} is not supported"
            ))),
        },
        _ if has(Class::Float64) => Ok(Class::Float64),
        _ if has(Class::Float32) => Ok(Class::Float32),
        _ if has(Class::Signed) => Ok(Class::Signed),
        _ if has(Class::Unsigned) => Ok(Class::Unsigned),
        _ => Ok(Class::Pred),
    }
}

/// The words of an array in the class its elements are accumulated in.
pub fn load_as<T: Wide>(machine: &Machine, x: &Literal, accumulate: Class) -> Result<Vec<T>> {
    let wide = match accumulate {
        Class::Float64 => DType::F64,
        Class::Float32 => DType::F32,
        // Integers of any width extend to their words as they are.
        _ => x.dtype(),
    };
    let words = machine.load(&machine.convert(x, wide)?)?;
    let mut out = machine.limits.with_capacity(words.len())?;
    out.extend(words.into_iter().map(T::of));
    Ok(out)
}

/// The array of results accumulated in a class, each rounded or wrapped once.
pub fn store_accumulated(
    machine: &Machine,
    mut words: Vec<Word>,
    accumulated: Class,
    shape: &ArrayShape,
) -> Result<Literal> {
    match accumulated {
        Class::Float64 | Class::Float32 => {
            let wide = if accumulated == Class::Float64 { DType::F64 } else { DType::F32 };
            machine.convert(&machine.array(&shape.with_dtype(wide), &words)?, shape.dtype)
        }
        _ => {
            words.iter_mut().for_each(|w| *w = narrow(shape.dtype, *w));
            machine.array(shape, &words)
        }
    }
}

/// The array with its dimensions in groups, in this order.
pub fn arrange(machine: &Machine, x: &Literal, groups: &[&[usize]]) -> Result<Literal> {
    let permutation: Vec<usize> = groups.concat();
    if permutation.iter().copied().eq(0..x.dims().len()) {
        return Ok(x.clone());
    }
    let dims: Vec<i64> = permutation.iter().map(|&d| x.dims()[d]).collect();
    transpose(machine.limits, x, &permutation, &ArrayShape::new(x.dtype(), dims))
}

/// A batch of matrix products `[batch, m, k] · [batch, k, n]`.
struct Product {
    batch: usize,
    m: usize,
    n: usize,
    k: usize,
}

impl Product {
    fn run<T: Wide>(
        &self,
        machine: &Machine,
        lhs: &Literal,
        rhs: &Literal,
        class: Class,
        fma: impl Fn(T, T, T) -> T,
    ) -> Result<Vec<Word>> {
        let lhs: Vec<T> = load_as(machine, lhs, class)?;
        let rhs: Vec<T> = load_as(machine, rhs, class)?;
        let &Product { batch, m, n, k } = self;
        let mut out = machine.limits.with_capacity(batch * m * n)?;
        let mut row = machine.limits.filled(n, T::default())?;
        for b in 0..batch {
            for i in 0..m {
                row.fill(T::default());
                // Each element of the row is its own chain over k.
                for kk in 0..k {
                    let a = lhs[(b * m + i) * k + kk];
                    let rhs = &rhs[(b * k + kk) * n..][..n];
                    row.iter_mut().zip(rhs).for_each(|(c, &r)| *c = fma(a, r, *c));
                }
                out.extend(row.iter().map(|c| c.word()));
            }
        }
        Ok(out)
    }
}
