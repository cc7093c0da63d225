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
use lawson_hlo::dtype::Field;
use lawson_hlo::math::field::Arithmetic;
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
    let base = b.array(operands[0]).dtype.part();
    let of = Of { base, field: base.field().expect("the verifier lets only fields through") };
    let minor = dims.len() - 1;
    let mut x = operands[0];
    if !ntt.inverse && ntt.coset != 1 {
        x = of.scaled(b, x, 1, ntt.coset, ntt.length);
    }
    x = bit_reverse::along(b, x, &[minor]);
    x = of.butterflies(b, x, ntt);
    if ntt.inverse {
        let values = Arithmetic::new(Field::plain(of.field.prime));
        let first = values.inverse(ntt.length as u64);
        x = of.scaled(b, x, first, values.inverse(ntt.coset), ntt.length);
    }
    x
}

/// The prime field that is transformed over, in the storage of the array.
struct Of {
    base: DType,
    field: Field,
}

impl Of {
    /// first·ratioʲ for j = 0 … n − 1, given as values.
    fn powers(&self, b: &mut Builder<'_>, first: u64, ratio: u64, n: i64) -> InstrId {
        let values = Arithmetic::new(Field::plain(self.field.prime));
        let mut power = first;
        let all = (0..n).map(|_| {
            let own = Scalar::Unsigned(power);
            power = values.multiply(power, ratio);
            own
        });
        b.constant(Literal::from_scalars(ArrayShape::new(self.base, [n]), all))
    }

    /// Element j of the minor dimension times first·ratioʲ; one factor where the ratio is 1.
    fn scaled(&self, b: &mut Builder<'_>, x: InstrId, first: u64, ratio: u64, n: i64) -> InstrId {
        let dims = b.array(x).dims.clone();
        let factor = if ratio == 1 {
            let one = b.constant(Literal::scalar(self.base, Scalar::Unsigned(first)));
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
        let values = Arithmetic::new(Field::plain(self.field.prime));
        let root = self.field.prime.root_of_unity(n as u64);
        let root = if ntt.inverse { values.inverse(root) } else { root };
        let powers = self.powers(b, 1, root, n / 2);
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
