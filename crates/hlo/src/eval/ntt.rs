//! Number-theoretic transforms.
//!
//! With ω the root of unity of order n that the field's table of parameters gives, and g the coset, coefficients c₀ … become the
//! values Σ cⱼ·(g·ωⁱ)ʲ for i = 0, 1, …, and such values coefficients. Elements of an extension are transformed coefficient
//! by coefficient.

use super::error::Result;
use super::machine::Machine;
use crate::attrs::Ntt;
use crate::dtype::{U256, WideArithmetic};
use crate::literal::Literal;
use crate::math::field::Arithmetic;

/// The operations that a transform is made of.
trait Ring: Copy {
    type Element: Copy;
    fn one(self) -> Self::Element;
    fn add(self, x: Self::Element, y: Self::Element) -> Self::Element;
    fn subtract(self, x: Self::Element, y: Self::Element) -> Self::Element;
    fn multiply(self, x: Self::Element, y: Self::Element) -> Self::Element;
    fn inverse(self, x: Self::Element) -> Self::Element;
    /// The element of a number.
    fn stored(self, number: u64) -> Self::Element;
    /// The root of unity of this order.
    fn root(self, order: u64) -> Self::Element;
}

macro_rules! ring {
    ($ty:ty, $element:ty, |$of:ident, $n:ident| $stored:expr, $root:expr) => {
        impl Ring for $ty {
            type Element = $element;
            fn one(self) -> $element {
                <$ty>::one(self)
            }
            fn add(self, x: $element, y: $element) -> $element {
                <$ty>::add(self, x, y)
            }
            fn subtract(self, x: $element, y: $element) -> $element {
                <$ty>::subtract(self, x, y)
            }
            fn multiply(self, x: $element, y: $element) -> $element {
                <$ty>::multiply(self, x, y)
            }
            fn inverse(self, x: $element) -> $element {
                <$ty>::inverse(self, x)
            }
            fn stored(self, $n: u64) -> $element {
                let $of = self;
                $stored
            }
            fn root(self, $n: u64) -> $element {
                let $of = self;
                $root
            }
        }
    };
}

ring!(
    Arithmetic,
    u64,
    |of, n| Arithmetic::stored(of, n),
    Arithmetic::stored(of, of.prime().root_of_unity(n))
);
ring!(
    WideArithmetic,
    U256,
    |of, n| WideArithmetic::stored(of, U256::small(n)),
    WideArithmetic::stored(of, of.prime().root_of_unity(n))
);

/// The transform along the minor dimension.
pub fn transform(machine: &mut Machine, x: &Literal, ntt: Ntt) -> Result<Literal> {
    if x.dtype().is_split() {
        let parts = x.parts().iter().map(|p| transform(machine, p, ntt)).collect::<Result<Vec<_>>>()?;
        return Ok(Literal::from_parts(x.dtype(), &parts));
    }
    let digits = u64::from(ntt.length.trailing_zeros());
    machine.charge((x.elements() as u64).saturating_mul(1 + digits))?;
    if let Some(field) = x.dtype().wide_field() {
        let mut bytes = x.bytes().to_vec();
        let (elements, _) = bytes.as_chunks_mut::<32>();
        let mut values: Vec<U256> = elements.iter().map(|&b| U256::from_bytes(b)).collect();
        rows(WideArithmetic::new(field), &mut values, ntt);
        elements.iter_mut().zip(values).for_each(|(b, value)| *b = value.to_bytes());
        return Ok(Literal::new(x.shape().clone(), bytes));
    }
    let field = x.dtype().field().expect("the verifier lets only fields through");
    let mut words = machine.load(x)?;
    rows(Arithmetic::new(field), &mut words, ntt);
    machine.array(x.shape(), &words)
}

fn rows<R: Ring>(of: R, elements: &mut [R::Element], ntt: Ntt) {
    let n = ntt.length as usize;
    let root = of.root(ntt.length as u64);
    let (root, shift) = match ntt.inverse {
        false => (root, of.stored(ntt.coset)),
        true => (of.inverse(root), of.inverse(of.stored(ntt.coset))),
    };
    for row in elements.chunks_exact_mut(n) {
        if !ntt.inverse {
            scale(of, row, of.one(), shift);
        }
        let values = evaluate(of, row, root);
        row.copy_from_slice(&values);
        if ntt.inverse {
            scale(of, row, of.inverse(of.stored(n as u64)), shift);
        }
    }
}

/// Multiplies element j by first·ratioʲ.
fn scale<R: Ring>(of: R, row: &mut [R::Element], first: R::Element, ratio: R::Element) {
    let mut factor = first;
    for x in row {
        *x = of.multiply(*x, factor);
        factor = of.multiply(factor, ratio);
    }
}

/// The values of a polynomial at the powers of a root of unity of the order of its length, by those of its even and odd
/// halves (Cooley, Tukey 1965).
fn evaluate<R: Ring>(of: R, coefficients: &[R::Element], root: R::Element) -> Vec<R::Element> {
    let n = coefficients.len();
    if n <= 1 {
        return coefficients.to_vec();
    }
    let half =
        |first: usize| -> Vec<R::Element> { coefficients[first..].iter().step_by(2).copied().collect() };
    let square = of.multiply(root, root);
    let (even, odd) = (evaluate(of, &half(0), square), evaluate(of, &half(1), square));
    let mut values = even.clone();
    values.extend_from_slice(&even);
    let mut twiddle = of.one();
    for i in 0..n / 2 {
        let odd = of.multiply(odd[i], twiddle);
        values[i] = of.add(even[i], odd);
        values[i + n / 2] = of.subtract(even[i], odd);
        twiddle = of.multiply(twiddle, root);
    }
    values
}
