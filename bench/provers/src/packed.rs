//! The work as it is written by hand for Plonky3: loops over packed elements, each with all of its operations in one pass
//! unless it says otherwise.

use p3_field::{Field, PackedValue, PrimeCharacteristicRing, batch_multiplicative_inverse};

fn packed<F: Field>(x: &[F]) -> &[F::Packing] {
    F::Packing::pack_slice(x)
}

fn packed_mut<F: Field>(x: &mut [F]) -> &mut [F::Packing] {
    F::Packing::pack_slice_mut(x)
}

/// The sum over the lanes.
fn across<F: Field>(x: F::Packing) -> F {
    x.as_slice().iter().copied().sum()
}

/// x² − x.
#[inline(never)]
pub fn square_less<F: Field>(x: &[F], out: &mut [F]) {
    for (out, x) in packed_mut(out).iter_mut().zip(packed(x)) {
        *out = x.square() - *x;
    }
}

/// x² − x in two passes, as a library of operations on arrays has it.
#[inline(never)]
pub fn square_then_less<F: Field>(x: &[F], squares: &mut [F], out: &mut [F]) {
    for (out, x) in packed_mut(squares).iter_mut().zip(packed(x)) {
        *out = *x * *x;
    }
    for ((out, s), x) in packed_mut(out).iter_mut().zip(packed(squares)).zip(packed(x)) {
        *out = *s - *x;
    }
}

/// ((a·b·c − d)·α + a² − a)·α + b·(c − d).
#[inline(never)]
pub fn constraint<F: Field>([a, b, c, d]: [&[F]; 4], alpha: F, out: &mut [F]) {
    let alpha = F::Packing::from(alpha);
    let columns = packed(a).iter().zip(packed(b)).zip(packed(c)).zip(packed(d));
    for (out, (((&a, &b), &c), &d)) in packed_mut(out).iter_mut().zip(columns) {
        let (first, second, third) = (a * b * c - d, a.square() - a, b * (c - d));
        *out = (first * alpha + second) * alpha + third;
    }
}

/// A table with its first variable fixed, and the sums of the halves of what is left.
#[inline(never)]
pub fn fold_and_sums<F: Field>(table: &[F], r: F, out: &mut [F]) -> [F; 2] {
    let r = F::Packing::from(r);
    let (low, high) = table.split_at(table.len() / 2);
    let (low, high, out) = (packed(low), packed(high), packed_mut(out));
    let half = out.len() / 2;
    let mut sums = [F::Packing::ZERO; 2];
    for (n, sum) in sums.iter_mut().enumerate() {
        for i in n * half..(n + 1) * half {
            let fixed = low[i] + (high[i] - low[i]) * r;
            out[i] = fixed;
            *sum += fixed;
        }
    }
    sums.map(across)
}

/// Two tables with their first variable fixed, and the sum of the product of what is left at 0, 1 and 2.
#[inline(never)]
pub fn product_round<F: Field>([p, q]: [&[F]; 2], r: F, [out_p, out_q]: [&mut [F]; 2]) -> [F; 3] {
    let r = F::Packing::from(r);
    let (p, q, out_p, out_q) = (packed(p), packed(q), packed_mut(out_p), packed_mut(out_q));
    let (half, quarter) = (p.len() / 2, p.len() / 4);
    let mut sums = [F::Packing::ZERO; 3];
    for i in 0..quarter {
        let fix = |t: &[F::Packing], i: usize| t[i] + (t[i + half] - t[i]) * r;
        let ([p0, p1], [q0, q1]) = ([fix(p, i), fix(p, i + quarter)], [fix(q, i), fix(q, i + quarter)]);
        (out_p[i], out_p[i + quarter], out_q[i], out_q[i + quarter]) = (p0, p1, q0, q1);
        sums[0] += p0 * q0;
        sums[1] += p1 * q1;
        sums[2] += (p1 + p1 - p0) * (q1 + q1 - q0);
    }
    sums.map(across)
}

/// Σ x, by four sums at once.
#[inline(never)]
pub fn sum<F: Field>(x: &[F]) -> F {
    let mut sums = [F::Packing::ZERO; 4];
    for four in packed(x).chunks_exact(4) {
        sums.iter_mut().zip(four).for_each(|(s, &x)| *s += x);
    }
    across(sums.into_iter().sum())
}

/// Σ x·y, four products for each reduction.
#[inline(never)]
pub fn dot<F: Field>(x: &[F], y: &[F]) -> F {
    let (x, _) = packed(x).as_chunks::<4>();
    let (y, _) = packed(y).as_chunks::<4>();
    let products = x.iter().zip(y).map(|(x, y)| F::Packing::dot_product(x, y));
    across(products.fold(F::Packing::ZERO, |s, p| s + p))
}

/// 1/x of elements that are not zero, by Montgomery's trick: in blocks that stay in cache, with the products of four chains of
/// vectors, whose lanes are inverted together.
#[inline(never)]
pub fn inverse<F: Field>(x: &[F], out: &mut [F]) {
    const BLOCK: usize = 256;
    const CHAINS: usize = 4;
    for (x, out) in packed(x).chunks(BLOCK).zip(packed_mut(out).chunks_mut(BLOCK)) {
        let (x, _) = x.as_chunks::<CHAINS>();
        let (out, _) = out.as_chunks_mut::<CHAINS>();
        let mut products = [F::Packing::ONE; CHAINS];
        for (out, x) in out.iter_mut().zip(x) {
            for ((before, product), &x) in out.iter_mut().zip(&mut products).zip(x) {
                *before = *product;
                *product *= x;
            }
        }
        let lanes: Vec<F> = products.iter().flat_map(|p| p.as_slice()).copied().collect();
        products.copy_from_slice(packed(&batch_multiplicative_inverse(&lanes)));
        for (out, x) in out.iter_mut().zip(x).rev() {
            for ((before, product), &x) in out.iter_mut().zip(&mut products).zip(x) {
                *before *= *product;
                *product *= x;
            }
        }
    }
}
