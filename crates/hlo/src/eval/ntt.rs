//! Number-theoretic transforms.
//!
//! With ω the root of unity of order n that the field's table of parameters gives, and g the coset, coefficients c₀ … become the
//! values Σ cⱼ·(g·ωⁱ)ʲ for i = 0, 1, …, and such values coefficients. Elements of an extension are transformed coefficient
//! by coefficient.

use super::error::Result;
use super::machine::Machine;
use crate::attrs::Ntt;
use crate::literal::Literal;
use crate::math::field::Arithmetic;

/// The transform along the minor dimension.
pub fn transform(machine: &mut Machine, x: &Literal, ntt: Ntt) -> Result<Literal> {
    if x.dtype().composite().is_some() {
        let parts = x.parts().iter().map(|p| transform(machine, p, ntt)).collect::<Result<Vec<_>>>()?;
        return Ok(Literal::from_parts(x.dtype(), &parts));
    }
    let field = x.dtype().field().expect("the verifier lets only fields through");
    let (of, n) = (Arithmetic::new(field), ntt.length as usize);
    let digits = u64::from(ntt.length.trailing_zeros());
    machine.charge((x.elements() as u64).saturating_mul(1 + digits))?;
    let root = field.prime.root_of_unity(ntt.length as u64);
    let (root, shift) = match ntt.inverse {
        false => (of.stored(root), of.stored(ntt.coset)),
        true => (of.inverse(of.stored(root)), of.inverse(of.stored(ntt.coset))),
    };
    let mut words = machine.load(x)?;
    for row in words.chunks_exact_mut(n) {
        if !ntt.inverse {
            scale(of, row, of.one(), shift);
        }
        let values = evaluate(of, row, root);
        row.copy_from_slice(&values);
        if ntt.inverse {
            scale(of, row, of.inverse(of.stored(n as u64)), shift);
        }
    }
    machine.array(x.shape(), &words)
}

/// Multiplies element j by first·ratioʲ.
fn scale(of: Arithmetic, row: &mut [u64], first: u64, ratio: u64) {
    let mut factor = first;
    for x in row {
        *x = of.multiply(*x, factor);
        factor = of.multiply(factor, ratio);
    }
}

/// The values of a polynomial at the powers of a root of unity of the order of its length, by those of its even and odd
/// halves (Cooley, Tukey 1965).
fn evaluate(of: Arithmetic, coefficients: &[u64], root: u64) -> Vec<u64> {
    let n = coefficients.len();
    if n <= 1 {
        return coefficients.to_vec();
    }
    let half = |first: usize| -> Vec<u64> { coefficients[first..].iter().step_by(2).copied().collect() };
    let square = of.multiply(root, root);
    let (even, odd) = (evaluate(of, &half(0), square), evaluate(of, &half(1), square));
    let mut values = vec![0; n];
    let mut twiddle = of.one();
    for i in 0..n / 2 {
        let odd = of.multiply(odd[i], twiddle);
        values[i] = of.add(even[i], odd);
        values[i + n / 2] = of.subtract(even[i], odd);
        twiddle = of.multiply(twiddle, root);
    }
    values
}
