//! `ntt` becomes passes over butterflies, one for each binary digit of its length (Cooley, Tukey 1965).
//!
//! ```text
//! y = f[n] ntt(x), ntt_type=NTT, ntt_length={n}
//! →
//! r = f[n] bit-reverse(x), and for m = 1, 2, 4, … n/2:
//! v = f[n/2m,2,m] reshape(r)         a, b: the two slices of its middle dimension
//! w = b · (1, ω, ω², … ω^(m−1)), where ω has order 2m
//! r = f[n] reshape(concatenate(a + w, a − w))
//! ```
//!
//! The powers are slices of one constant, those of the last pass, of n/2 elements. A transform on a coset multiplies coefficient j
//! by gʲ first; the inverse one takes the inverse root and multiplies by g⁻ʲ/n last.

use super::{Expander, Purpose, bit_reverse, no_helpers};
use crate::make;
use lawson_hlo::attrs::{Ntt, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::{Field, U256, WideField};
use lawson_hlo::math::field::Arithmetic;
use lawson_hlo::math::wide;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Literal, Module, Opcode, Scalar,
};

pub const EXPANDER: Expander = Expander {
    name: "ntt",
    purpose: Purpose::Support,
    applies: |_: &Module, _: &Computation, instr: &Instruction| instr.opcode == Opcode::Ntt,
    helpers: no_helpers,
    expand,
};

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Ntt(ntt) = instr.attrs else { unreachable!("the verifier checks attributes") };
    let dims = b.array(operands[0]).dims.clone();
    let dtype = b.array(operands[0]).dtype;
    let base = if dtype.is_split() { dtype.part() } else { dtype };
    let of = Of { base };
    let minor = dims.len() - 1;
    let mut x = operands[0];
    if !ntt.inverse && ntt.coset != 1 {
        x = of.scaled(b, x, U256::ONE, of.number(ntt.coset), ntt.length);
    }
    x = bit_reverse::along(b, x, &[minor]);
    x = of.butterflies(b, x, ntt);
    if ntt.inverse {
        let (first, ratio) = (of.inverse(of.number(ntt.length as u64)), of.inverse(of.number(ntt.coset)));
        x = of.scaled(b, x, first, ratio, ntt.length);
    }
    x
}

/// The prime field that is transformed over, in the storage of the array.
struct Of {
    base: DType,
}

impl Of {
    /// A number modulo p.
    fn number(&self, n: u64) -> U256 {
        self.on_values(|values| U256::small(values.reduced(n)), |values| values.reduced(U256::small(n)))
    }

    fn inverse(&self, x: U256) -> U256 {
        self.on_values(|values| U256::small(values.inverse(x.0[0])), |values| values.inverse(x))
    }

    fn multiply(&self, x: U256, y: U256) -> U256 {
        self.on_values(|values| U256::small(values.multiply(x.0[0], y.0[0])), |values| values.multiply(x, y))
    }

    /// The root of unity of this order.
    fn root(&self, order: u64) -> U256 {
        self.on_values(
            |values| U256::small(values.prime().root_of_unity(order)),
            |values| values.prime().root_of_unity(order),
        )
    }

    /// Computes on values, in a field of one word or of several.
    fn on_values(
        &self,
        word: impl FnOnce(Arithmetic) -> U256,
        words: impl FnOnce(wide::Arithmetic) -> U256,
    ) -> U256 {
        match (self.base.field(), self.base.wide_field()) {
            (Some(field), _) => word(Arithmetic::new(Field::plain(field.prime))),
            (None, Some(field)) => words(wide::Arithmetic::new(WideField::plain(field.prime))),
            (None, None) => unreachable!("the verifier lets only fields through"),
        }
    }

    /// first·ratioʲ for j = 0 … n − 1, given as values.
    fn powers(&self, b: &mut Builder<'_>, first: U256, ratio: U256, n: i64) -> InstrId {
        let mut power = first;
        let all = (0..n).map(|_| {
            let own = Scalar::Wide(power);
            power = self.multiply(power, ratio);
            own
        });
        b.constant(Literal::from_scalars(ArrayShape::new(self.base, [n]), all))
    }

    /// Element j of the minor dimension times first·ratioʲ; one factor where the ratio is 1.
    fn scaled(&self, b: &mut Builder<'_>, x: InstrId, first: U256, ratio: U256, n: i64) -> InstrId {
        let dims = b.array(x).dims.clone();
        let factor = if ratio == U256::ONE {
            let one = b.constant(Literal::scalar(self.base, Scalar::Wide(first)));
            b.broadcast(one, &dims, &[])
        } else {
            let powers = self.powers(b, first, ratio, n);
            b.broadcast(powers, &dims, &[dims.len() - 1])
        };
        b.add(Opcode::Multiply, &[x, factor], Attrs::None)
    }

    fn butterflies(&self, b: &mut Builder<'_>, mut x: InstrId, ntt: Ntt) -> InstrId {
        let (dims, n) = (b.array(x).dims.clone(), ntt.length);
        if n == 1 {
            return x;
        }
        let minor = dims.len() - 1;
        let root = self.root(n as u64);
        let root = if ntt.inverse { self.inverse(root) } else { root };
        let powers = self.powers(b, U256::ONE, root, n / 2);
        let mut m = 1;
        while m < n {
            let view = [&dims[..minor], &[n / (2 * m), 2, m]].concat();
            let apart = b.reshape(x, &view);
            let (low, high) =
                (make::slice(b, apart, minor + 1, 0, 1), make::slice(b, apart, minor + 1, 1, 2));
            let high = if m == 1 {
                high
            } else {
                let every = SliceDim { start: 0, limit: n / 2, stride: n / (2 * m) };
                let twiddles = b.add(Opcode::Slice, &[powers], Attrs::Slice(vec![every]));
                let of = b.array(high).dims.clone();
                let twiddles = b.broadcast(twiddles, &of, &[of.len() - 1]);
                b.add(Opcode::Multiply, &[high, twiddles], Attrs::None)
            };
            let sum = b.binary(Opcode::Add, low, high);
            let difference = b.binary(Opcode::Subtract, low, high);
            let both = b.add(Opcode::Concatenate, &[sum, difference], Attrs::Dims(vec![minor + 1]));
            x = b.reshape(both, &dims);
            m *= 2;
        }
        x
    }
}
