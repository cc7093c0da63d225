//! The sums of a product: what they begin with, how a pair of factors is added to one, and how they are held in registers and in memory.
//!
//! A sum is a value of the accumulator type. The greatest or least float of a semiring is an integer key, of which comparing takes one
//! instruction.

use crate::loop_ir::{Elem, Op, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::scalar::{self, Extreme};
use crate::plan::Axes;
use crate::refusal::Refusal;
use crate::region::{Region, Semiring};
use lawson_hlo::{DType, Opcode, Scalar};

/// The operations of a product.
#[derive(Clone, Copy)]
pub(super) struct Sums<'r> {
    /// The type in which factors are multiplied and added.
    pub(super) accumulator: DType,
    /// Other operations than multiply-adds.
    semiring: Option<&'r Semiring>,
    /// What sums are keys of.
    key: Option<Extreme>,
}

impl<'r> Sums<'r> {
    pub(super) fn new(region: &Region, accumulator: DType, semiring: Option<&'r Semiring>) -> Sums<'r> {
        let added = semiring.and_then(|s| s.add.operation(region, 0));
        let key = added.and_then(|(opcode, dtype)| Extreme::of(opcode, dtype, false));
        Sums { accumulator, semiring, key }
    }

    /// The element of an array of sums.
    pub(super) fn elem(&self) -> Elem {
        self.key.map_or(scalar::mem_elem(self.accumulator), Extreme::elem)
    }

    /// A sum as it is stored in such an array, and as it is loaded from it.
    pub(super) fn stored(&self, cx: &mut Emit<'r>, sum: V) -> V {
        if self.key.is_some() { sum } else { scalar::to_memory(&mut cx.b, sum, self.accumulator) }
    }

    pub(super) fn loaded(&self, cx: &mut Emit<'r>, raw: V) -> V {
        if self.key.is_some() { raw } else { scalar::from_memory(&mut cx.b, raw, self.accumulator) }
    }

    /// Sums before the first pair of factors.
    pub(super) fn initial(&self, cx: &mut Emit<'r>, lanes: u32) -> V {
        let zero = Scalar::zero(self.accumulator);
        let init = self.semiring.map_or(zero, |s| Scalar::from_bits(self.accumulator, s.init));
        let init = cx.literal(self.accumulator, init);
        let init = cx.b.widen_to(init, lanes);
        self.key.map_or(init, |key| key.key(&mut cx.b, init))
    }

    /// The sum with the product of elements of `lhs` and `rhs`: one fused multiply-add on floats.
    pub(super) fn with_product(
        &self,
        cx: &mut Emit<'r>,
        axes: &'r Axes,
        [lhs, rhs]: [V; 2],
        sum: V,
    ) -> Result<V, Refusal> {
        let accumulator = self.accumulator;
        let Some(semiring) = self.semiring else {
            if accumulator.is_float() {
                return Ok(cx.b.op(Op::Fma(lhs, rhs, sum)));
            }
            let product = scalar::binary(&mut cx.b, Opcode::Multiply, accumulator, lhs, rhs)?;
            return scalar::binary(&mut cx.b, Opcode::Add, accumulator, sum, product);
        };
        // Functions of factors know no axes.
        let zero = cx.b.i64(0);
        let point = Point::new(axes, vec![zero; axes.extents.len()]);
        let element = cx.call(&point, &semiring.multiply, &[lhs, rhs])?[0];
        match self.key {
            Some(extreme) => {
                let key = extreme.key(&mut cx.b, element);
                Ok(extreme.combine(&mut cx.b, sum, key))
            }
            None => Ok(cx.call(&point, &semiring.add, &[sum, element])?[0]),
        }
    }

    /// A sum as a result of this type.
    pub(super) fn rounded(&self, cx: &mut Emit<'r>, to: DType, sum: V) -> Result<V, Refusal> {
        let sum = self.key.map_or(sum, |key| key.element(&mut cx.b, sum));
        scalar::convert(&mut cx.b, self.accumulator, to, sum)
    }
}
