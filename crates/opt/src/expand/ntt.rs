//! `ntt` becomes passes of up to four binary digits of its length each (two of fields of several words), without a pass that reorders (Stockham's form of
//! Cooley, Tukey 1965; decimation in frequency).
//!
//! ```text
//! y = f[n] ntt(x), ntt_type=NTT, ntt_length={n}
//! →
//! for each radix r, with l = 1 at first, and m = n / (r·l):
//! v = f[r,m,l] reshape(x)            xₖ: the slices of its major dimension
//! zₚ = Σₖ xₖ·ω^(kp)                  the transform of r elements, by butterflies; ω has order r
//! wₚ = zₚ · (1, ρᵖ, ρ²ᵖ, …)          along m, where ρ has order r·m
//! x = f[n] reshape(f[m,r,l] of all wₚ)
//! l = r·l
//! ```
//!
//! A pass is one kernel that reads r elements at each point and writes r. A transform on a coset multiplies coefficient j
//! by gʲ first; the inverse one takes the inverse root and multiplies by g⁻ʲ/n last.

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::attrs::Ntt;
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::{Field, U256, WideArithmetic, WideField};
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

/// Elements that a pass combines at most: as many values as registers hold, with some for the work; of fields of several
/// words each takes several registers.
const RADIX: i64 = 16;
const WIDE_RADIX: i64 = 4;

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Ntt(ntt) = instr.attrs else { unreachable!("the verifier checks attributes") };
    let dtype = b.array(operands[0]).dtype;
    let of = Of { base: if dtype.is_split() { dtype.part() } else { dtype } };
    let mut x = operands[0];
    if !ntt.inverse && ntt.coset != 1 {
        x = of.scaled(b, x, U256::ONE, of.number(ntt.coset), ntt.length);
    }
    x = of.passes(b, x, ntt);
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

    fn power(&self, x: U256, n: u64) -> U256 {
        let bits = (0..u64::BITS - n.leading_zeros()).rev();
        bits.fold(U256::ONE, |power, bit| {
            let square = self.multiply(power, power);
            if n >> bit & 1 == 1 { self.multiply(square, x) } else { square }
        })
    }

    fn radix(&self) -> i64 {
        if self.base.wide_field().is_some() { WIDE_RADIX } else { RADIX }
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
        words: impl FnOnce(WideArithmetic) -> U256,
    ) -> U256 {
        match (self.base.field(), self.base.wide_field()) {
            (Some(field), _) => word(Arithmetic::new(Field::plain(field.prime))),
            (None, Some(field)) => words(WideArithmetic::new(WideField::plain(field.prime))),
            (None, None) => unreachable!("the verifier lets only fields through"),
        }
    }

    /// first·ratioʲ for j = 0 … n − 1, given as values.
    fn geometric(&self, first: U256, ratio: U256, n: i64) -> impl Iterator<Item = Scalar> {
        let next = move |power: &mut U256, _| {
            let own = *power;
            *power = self.multiply(own, ratio);
            Some(Scalar::Wide(own))
        };
        (0..n).scan(first, next)
    }

    /// Element j of the minor dimension times first·ratioʲ; one factor where the ratio is 1.
    fn scaled(&self, b: &mut Builder<'_>, x: InstrId, first: U256, ratio: U256, n: i64) -> InstrId {
        let dims = b.array(x).dims.clone();
        let factor = if ratio == U256::ONE {
            let one = b.constant(Literal::scalar(self.base, Scalar::Wide(first)));
            b.broadcast(one, &dims, &[])
        } else {
            let powers =
                Literal::from_scalars(ArrayShape::new(self.base, [n]), self.geometric(first, ratio, n));
            let powers = b.constant(powers);
            b.broadcast(powers, &dims, &[dims.len() - 1])
        };
        b.add(Opcode::Multiply, &[x, factor], Attrs::None)
    }

    /// All passes over the minor dimension.
    fn passes(&self, b: &mut Builder<'_>, mut x: InstrId, ntt: Ntt) -> InstrId {
        let (dims, n) = (b.array(x).dims.clone(), ntt.length);
        let root = self.root(n as u64);
        let mut root = if ntt.inverse { self.inverse(root) } else { root };
        let mut done = 1;
        while done < n {
            let radix = self.radix().min(n / done);
            // The root has order radix · m, the length of the transforms that are left.
            x = self.pass(b, x, (&dims, radix, done), root);
            root = self.power(root, radix as u64);
            done *= radix;
        }
        x
    }

    /// One pass over an array of these dimensions, `done` of whose minor elements are a transform already.
    fn pass(
        &self,
        b: &mut Builder<'_>,
        x: InstrId,
        (dims, radix, done): (&[i64], i64, i64),
        root: U256,
    ) -> InstrId {
        let (n, major) = (dims[dims.len() - 1], dims.len() - 1);
        let m = n / (radix * done);
        let view = [&dims[..major], &[radix, m, done]].concat();
        let apart = b.reshape(x, &view);
        let slices = (0..radix).map(|k| make::slice(b, apart, major, k, k + 1)).collect();
        let mut parts = self.transform(b, slices, self.power(root, m as u64));
        if m > 1 {
            let twiddles = self.twiddles(b, root, radix, m);
            for (p, part) in parts.iter_mut().enumerate().skip(1) {
                let of = b.array(*part).dims.clone();
                let row = make::slice(b, twiddles, 0, p as i64 - 1, p as i64);
                let row = b.reshape(row, &[m]);
                let row = b.broadcast(row, &of, &[major + 1]);
                *part = b.binary(Opcode::Multiply, *part, row);
            }
        }
        let turned = [&dims[..major], &[m, 1, done]].concat();
        let parts: Vec<InstrId> = parts.into_iter().map(|part| b.reshape(part, &turned)).collect();
        let all = b.add(Opcode::Concatenate, &parts, Attrs::Dims(vec![major + 1]));
        b.reshape(all, dims)
    }

    /// The transform of few arrays, element by element: by halves, the even results from sums and the odd ones from
    /// differences.
    fn transform(&self, b: &mut Builder<'_>, x: Vec<InstrId>, root: U256) -> Vec<InstrId> {
        if x.len() == 1 {
            return x;
        }
        let (low, high) = x.split_at(x.len() / 2);
        let mut factor = U256::ONE;
        let (mut sums, mut differences) = (Vec::new(), Vec::new());
        for (&low, &high) in low.iter().zip(high) {
            sums.push(b.binary(Opcode::Add, low, high));
            let difference = b.binary(Opcode::Subtract, low, high);
            differences.push(self.times(b, difference, factor));
            factor = self.multiply(factor, root);
        }
        let square = self.multiply(root, root);
        let (even, odd) = (self.transform(b, sums, square), self.transform(b, differences, square));
        even.into_iter().zip(odd).flat_map(|(even, odd)| [even, odd]).collect()
    }

    fn times(&self, b: &mut Builder<'_>, x: InstrId, factor: U256) -> InstrId {
        if factor == U256::ONE {
            return x;
        }
        let dims = b.array(x).dims.clone();
        let factor = b.constant(Literal::scalar(self.base, Scalar::Wide(factor)));
        let factor = b.broadcast(factor, &dims, &[]);
        b.add(Opcode::Multiply, &[x, factor], Attrs::None)
    }

    /// root^(p·j) in row p − 1, for p = 1 … radix − 1 and j = 0 … m − 1.
    fn twiddles(&self, b: &mut Builder<'_>, root: U256, radix: i64, m: i64) -> InstrId {
        // Written as they are made: there are nearly as many as elements.
        let row = |p: i64| self.geometric(U256::ONE, self.power(root, p as u64), m);
        let all = (1..radix).flat_map(row);
        b.constant(Literal::from_scalars(ArrayShape::new(self.base, [radix - 1, m]), all))
    }
}
