//! Short forms of [`Ops`] with a constant operand, and polynomials.
//!
//! Constants take the type of the value beside them. Conditions are arranged so that x86 selects min, max and
//! fused negations where it has them.

use super::Ops;

impl<O: Ops> Words for O {}

pub(super) trait Words: Ops {
    /// The float constant `c` in the type of `like`.
    #[inline(always)]
    fn num(&mut self, like: Self::V, c: f64) -> Self::V {
        let ty = self.ty(like);
        self.float(ty, c)
    }

    /// The integer constant `c` in the type of `like`.
    #[inline(always)]
    fn word(&mut self, like: Self::V, c: i64) -> Self::V {
        let ty = self.ty(like);
        self.int(ty, c)
    }

    /// a + c
    #[inline(always)]
    fn add_c(&mut self, a: Self::V, c: f64) -> Self::V {
        let c = self.num(a, c);
        self.fadd(a, c)
    }

    /// a − c
    #[inline(always)]
    fn sub_c(&mut self, a: Self::V, c: f64) -> Self::V {
        let c = self.num(a, c);
        self.fsub(a, c)
    }

    /// c − a
    #[inline(always)]
    fn c_sub(&mut self, c: f64, a: Self::V) -> Self::V {
        let c = self.num(a, c);
        self.fsub(c, a)
    }

    /// a·c
    #[inline(always)]
    fn mul_c(&mut self, a: Self::V, c: f64) -> Self::V {
        let c = self.num(a, c);
        self.fmul(a, c)
    }

    /// a·m + b
    #[inline(always)]
    fn fma_c(&mut self, a: Self::V, m: f64, b: Self::V) -> Self::V {
        let m = self.num(a, m);
        self.fma(a, m, b)
    }

    /// a·b + c
    #[inline(always)]
    fn fma_plus(&mut self, a: Self::V, b: Self::V, c: f64) -> Self::V {
        let c = self.num(a, c);
        self.fma(a, b, c)
    }

    /// a·m + c
    #[inline(always)]
    fn linear(&mut self, a: Self::V, m: f64, c: f64) -> Self::V {
        let c = self.num(a, c);
        self.fma_c(a, m, c)
    }

    /// a·b − c
    #[inline(always)]
    fn fms(&mut self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        let c = self.fneg(c);
        self.fma(a, b, c)
    }

    /// c − a·b
    #[inline(always)]
    fn fnma(&mut self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        let a = self.fneg(a);
        self.fma(a, b, c)
    }

    /// Σ coefficients\[i\]·xⁱ, by Horner's rule.
    #[inline(always)]
    fn poly(&mut self, x: Self::V, coefficients: &[f64]) -> Self::V {
        let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
        let mut sum = self.num(x, *last);
        for c in rest.iter().rev() {
            sum = self.fma_plus(sum, x, *c);
        }
        sum
    }

    /// x < c
    #[inline(always)]
    fn less_c(&mut self, x: Self::V, c: f64) -> Self::V {
        let c = self.num(x, c);
        self.flt(x, c)
    }

    /// m ? c : b
    #[inline(always)]
    fn select_c(&mut self, m: Self::V, c: f64, b: Self::V) -> Self::V {
        let c = self.num(b, c);
        self.select(m, c, b)
    }

    /// min(x, c); NaN stays.
    #[inline(always)]
    fn min_c(&mut self, x: Self::V, c: f64) -> Self::V {
        let c = self.num(x, c);
        let above = self.flt(c, x);
        self.select(above, c, x)
    }

    /// max(x, c); NaN stays.
    #[inline(always)]
    fn max_c(&mut self, x: Self::V, c: f64) -> Self::V {
        let c = self.num(x, c);
        let below = self.flt(x, c);
        self.select(below, c, x)
    }

    /// i + c
    #[inline(always)]
    fn iadd_c(&mut self, i: Self::V, c: i64) -> Self::V {
        let c = self.word(i, c);
        self.iadd(i, c)
    }

    /// c − i
    #[inline(always)]
    fn c_isub(&mut self, c: i64, i: Self::V) -> Self::V {
        let c = self.word(i, c);
        self.isub(c, i)
    }

    #[inline(always)]
    fn and_c(&mut self, i: Self::V, c: i64) -> Self::V {
        let c = self.word(i, c);
        self.iand(i, c)
    }

    #[inline(always)]
    fn shl_c(&mut self, i: Self::V, by: i64) -> Self::V {
        let by = self.word(i, by);
        self.shl(i, by)
    }

    #[inline(always)]
    fn lshr_c(&mut self, i: Self::V, by: i64) -> Self::V {
        let by = self.word(i, by);
        self.lshr(i, by)
    }

    /// The sign bit of a float, alone, as an integer.
    #[inline(always)]
    fn sign(&mut self, x: Self::V) -> Self::V {
        let bits = self.to_bits(x);
        let wide = self.ty(bits) == super::Ty::I64;
        self.and_c(bits, if wide { i64::MIN } else { i64::from(i32::MIN) })
    }

    /// The float `a` with its sign flipped where `sign` (an integer) has the sign bit.
    #[inline(always)]
    fn flip(&mut self, a: Self::V, sign: Self::V) -> Self::V {
        let bits = self.to_bits(a);
        let bits = self.ixor(bits, sign);
        self.from_bits(bits)
    }

    /// −|x|
    #[inline(always)]
    fn minus_abs(&mut self, x: Self::V) -> Self::V {
        let bits = self.to_bits(x);
        let wide = self.ty(bits) == super::Ty::I64;
        let sign = self.word(bits, if wide { i64::MIN } else { i64::from(i32::MIN) });
        let bits = self.ior(bits, sign);
        self.from_bits(bits)
    }
}
