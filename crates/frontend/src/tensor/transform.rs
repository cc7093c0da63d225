//! Number-theoretic transforms along the last dimension, and what goes with them: roots of unity, powers, bit reversal.
//!
//! With ω the root of unity of order n that [`Tensor::roots_of_unity`] gives, a transform of n = 2^k coefficients c is the
//! values Σ cⱼ·(g·ωⁱ)ʲ for i = 0, 1, …: those of a polynomial on the coset g·⟨ω⟩. The order is that of the powers of ω.

use super::Tensor;
use super::axes::{self, Axes};
use super::elementwise::Place;
use super::operand::AsTensor;
use super::shapes::moved;
use crate::fault;
use lawson_hlo::attrs::Ntt;
use lawson_hlo::dtype::U256;
use lawson_hlo::dtype::field::multiply;
use lawson_hlo::{ArrayShape, Attrs, DType, Literal, Opcode, Scalar};
use std::panic::Location;

impl Tensor {
    /// The values of polynomials at the roots of unity, in the order of their powers: the last dimension has the
    /// coefficients, the constant one first. Elements of an extension are transformed too.
    ///
    /// Carries an error where the elements are of no prime field, or their number along that dimension is no power of two that
    /// the field has roots of unity for; so do all transforms.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let c = Tensor::from_values(DType::BabyBear, &[5u32, 0, 7, 0], [4]); // 5 + 7x²
    /// let y = c.ntt(); // at 1, ω, −1, −ω, whose squares are 1, −1, 1, −1
    /// let p = 2013265921;
    /// assert_eq!(y.values()?, [12, p - 2, 12, p - 2]);
    /// assert_eq!(y.intt().values()?, [5, 0, 7, 0]);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn ntt(&self) -> Tensor {
        transform(Location::caller(), self, false, 1)
    }

    /// The coefficients of the polynomials that have these values at the roots of unity: undoes [`Tensor::ntt`].
    #[track_caller]
    pub fn intt(&self) -> Tensor {
        transform(Location::caller(), self, true, 1)
    }

    /// As [`Tensor::ntt`], at the roots of unity times `coset`, a value of the field that is not 0.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// // The values of 1 + x at 3ωⁱ: a low-degree extension begins with coefficients and ends with zeros.
    /// let c = Tensor::from_values(DType::Goldilocks, &[1u32, 1], [2]).pad([(0, 2)], 0);
    /// let y = c.ntt_coset(3);
    /// assert_eq!(y.index(0).values()?, [4]);
    /// assert_eq!((&y.index(0) + y.index(2)).values()?, [2]); // at 3 and −3
    /// assert_eq!(y.intt_coset(3).values()?, [1, 1, 0, 0]);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn ntt_coset(&self, coset: u64) -> Tensor {
        transform(Location::caller(), self, false, coset)
    }

    /// Undoes [`Tensor::ntt_coset`].
    #[track_caller]
    pub fn intt_coset(&self, coset: u64) -> Tensor {
        transform(Location::caller(), self, true, coset)
    }

    /// What stands along these dimensions at the index whose binary digits are those of i in reverse order, at index i.
    /// Elements are of any type.
    ///
    /// Carries an error where a dimension is no power of two.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::arange(0..8, DType::S32);
    /// assert_eq!(x.bit_reverse(0).to_vec(), Ok(vec![0i32, 4, 2, 6, 1, 5, 3, 7]));
    /// assert!(Tensor::arange(0..6, DType::S32).bit_reverse(0).error().is_some());
    /// ```
    #[track_caller]
    pub fn bit_reverse(&self, axes: impl Axes) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let axes = axes::axes("bit_reverse", &axes.axes(), e.array(x)?)?;
            if axes.is_empty() {
                return Ok(x);
            }
            e.op(Opcode::BitReverse, &[x], Attrs::Dims(axes))
        })
    }

    /// The powers 1, ω, ω², … of the root of unity ω of order `n`, a power of two: where [`Tensor::ntt`] evaluates.
    ///
    /// Carries an error where the type is no prime field or extension of one, or has no such root.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let roots = Tensor::roots_of_unity(4, DType::KoalaBear);
    /// assert_eq!(roots.pow(4).values()?, [1; 4]);
    /// let x = Tensor::from_values(DType::KoalaBear, &[0u32, 1, 0, 0], [4]); // the polynomial x
    /// assert_eq!(x.ntt().values()?, roots.values()?);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn roots_of_unity(n: i64, dtype: DType) -> Tensor {
        Tensor::apply(Location::caller(), &[], |e, _| {
            let (field, wide) = (dtype.part().field(), dtype.wide_field());
            let digits = match (field, wide) {
                (Some(field), _) => field.prime.parameters().two_adicity,
                (_, Some(field)) => field.prime.parameters().two_adicity,
                (None, None) => return fault!("`roots_of_unity` of {dtype}, which is no prime field"),
            };
            let longest = 1i64 << digits;
            if n < 1 || !(n as u64).is_power_of_two() || n > longest {
                return fault!(
                    "`roots_of_unity` of {dtype} have an order that is a power of two up to {longest}, not {n}"
                );
            }
            // A power is the product of those by the high and by the low digits of the exponent: two short tables.
            let low = 1 << n.trailing_zeros().div_ceil(2);
            let powers = |of: i64, count: i64| match (field, wide) {
                (Some(field), _) => {
                    let root = field.prime.root_of_unity((n / of) as u64);
                    powers_of(dtype.part(), count, 1, |x| multiply(field.prime, x, root), Scalar::Unsigned)
                }
                (_, wide) => {
                    let prime = wide.expect("one of the two").prime;
                    let root = prime.root_of_unity((n / of) as u64);
                    powers_of(dtype, count, U256::ONE, |x| prime.multiply(x, root), Scalar::Wide)
                }
            };
            let (fine, coarse) = (e.constant(powers(1, low)), e.constant(powers(low, n / low)));
            let dims = [n / low, low];
            let (coarse, fine) = (e.broadcast(coarse, &dims, &[0])?, e.broadcast(fine, &dims, &[1])?);
            let powers = e.mul(coarse, fine)?;
            let powers = e.reshape(powers, &[n])?;
            e.convert(powers, dtype)
        })
    }

    /// The powers 1, x, x², … below x to the power `n` along a new last dimension, of elements of any type of numbers: those
    /// of a challenge that combines constraints, say.
    ///
    /// They take log₂ n steps, each of which multiplies the powers so far by the next one. Carries an error where `n` is
    /// negative.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let u = Tensor::from_values(DType::GoldilocksX2, &[0u32, 1], []); // u² = 7
    /// assert_eq!(u.powers(4).values()?, [1, 0, 0, 1, 7, 0, 0, 7]);
    /// assert_eq!(Tensor::from([2i32, 3]).powers(3).to_vec(), Ok(vec![1i32, 2, 4, 1, 3, 9]));
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn powers(&self, n: i64) -> Tensor {
        Tensor::apply(Location::caller(), &[self], |e, ids| {
            let shape = e.array(ids[0])?.clone();
            if n < 0 {
                return fault!("`powers` of {shape}: {n} of them");
            }
            let minor = shape.rank();
            let last = |n: i64| ArrayShape::new(shape.dtype, [&shape.dims[..], &[n]].concat());
            if n == 0 {
                return e.zeros(&last(0));
            }
            let mut powers = e.splat(&last(1), 1.0)?;
            // x to the power `count`, where there are so many powers.
            let (mut count, mut next) = (1, ids[0]);
            let map: Vec<usize> = (0..minor).collect();
            while count < n {
                let taken = count.min(n - count);
                let some = super::join::along(e, powers, minor, 0, taken)?;
                let factor = e.broadcast(next, &last(taken).dims, &map)?;
                let more = e.mul(some, factor)?;
                powers = e.concatenate(&[powers, more], minor)?;
                next = e.mul(next, next)?;
                count += taken;
            }
            Ok(powers)
        })
    }

    /// The value at `x` of the polynomials whose coefficients stand along the last dimension, the constant one first; `x` is
    /// one element or one for each polynomial.
    ///
    /// It is the sum of products with [`Tensor::powers`] of x.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let c = Tensor::from_values(DType::BabyBear, &[1u32, 2, 3, 4, 0, 0], [2, 3]);
    /// assert_eq!(c.evaluate(10).values()?, [321, 4]);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn evaluate(&self, x: impl AsTensor) -> Tensor {
        let place = Location::caller();
        let x = x.operand().tensor_of(place, self.dtype()).unwrap_or_else(Tensor::failed);
        match self.dims().last() {
            Some(&n) => (self * x.powers(n)).sum_axes(-1),
            None => moved(place, self, |e, x| {
                fault!("`evaluate` of {}, which has no dimension of coefficients", e.array(x)?)
            }),
        }
    }
}

/// `count` elements: one, and what each step makes of the one before.
fn powers_of<T: Copy>(
    dtype: DType,
    count: i64,
    one: T,
    step: impl Fn(T) -> T,
    scalar: impl Fn(T) -> Scalar,
) -> Literal {
    let powers = std::iter::successors(Some(one), |&x| Some(step(x))).take(count as usize);
    Literal::from_scalars(ArrayShape::new(dtype, [count]), powers.map(scalar))
}

fn transform(place: Place, x: &Tensor, inverse: bool, coset: u64) -> Tensor {
    moved(place, x, |e, x| {
        let length = e.dims(x)?.last().copied().unwrap_or(0);
        e.op(Opcode::Ntt, &[x], Attrs::Ntt(Ntt { inverse, length, coset }))
    })
}
