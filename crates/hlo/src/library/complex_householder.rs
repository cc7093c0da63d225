//! Elementary reflectors `1 − tau v vᴴ` of complex vectors, as those of [`super::householder`], and the QR factors that they
//! make, packed as LAPACK packs them.

use super::Real;
use super::householder::Block;
use super::number::Number;
use super::pair::{Pair, add, largest_part, length, mul, sub};
use super::qr::with_pivots;

/// The reflector whose adjoint takes a vector to a real multiple of the first unit vector. The vector becomes `v`, whose first
/// element is one; gives the multiple, and `tau`: zero where there is nothing to reflect.
pub fn reflector<T: Real>(x: &mut [Pair<T>]) -> (T, Pair<T>) {
    let most = largest_part(x);
    let [first, rest @ ..] = x else { return (T::ZERO, [T::ZERO; 2]) };
    let alpha = std::mem::replace(first, [T::ONE, T::ZERO]);
    if alpha[1] == T::ZERO && rest.iter().flatten().all(|&x| x == T::ZERO) {
        return (alpha[0], [T::ZERO; 2]);
    }
    // Subnormal numbers have too few digits to be divided by.
    let scale = most.power_of_two();
    let alpha = alpha.map(|x| x / scale);
    rest.iter_mut().flatten().for_each(|x| *x = *x / scale);
    let beta = -alpha[0].hypot(alpha[1]).hypot(length(rest)).with_sign(alpha[0]);
    let divisor = [alpha[0] - beta, alpha[1]];
    rest.iter_mut().for_each(|x| *x = x.over(divisor));
    (beta * scale, [(beta - alpha[0]) / beta, -alpha[1] / beta])
}

/// Multiplies the block from the left by the reflector; `v` has an element for each of its rows.
pub fn reflect_left<T: Real>(a: &mut [Pair<T>], block: Block, v: &[Pair<T>], tau: Pair<T>) {
    let Block { width, rows, columns } = block;
    if tau == [T::ZERO; 2] || columns.is_empty() {
        return;
    }
    let row = |i: usize| i * width + columns.start..i * width + columns.end;
    let mut products = vec![[T::ZERO; 2]; columns.len()];
    for (i, &v) in rows.clone().zip(v) {
        products.iter_mut().zip(&a[row(i)]).for_each(|(w, &x)| *w = add(*w, mul(v.conjugate(), x)));
    }
    for (i, &v) in rows.zip(v) {
        let factor = mul(tau, v);
        a[row(i)].iter_mut().zip(&products).for_each(|(x, &w)| *x = sub(*x, mul(factor, w)));
    }
}

/// Multiplies the block from the right by the reflector; `v` has an element for each of its columns.
pub fn reflect_right<T: Real>(a: &mut [Pair<T>], block: Block, v: &[Pair<T>], tau: Pair<T>) {
    let Block { width, rows, columns } = block;
    if tau == [T::ZERO; 2] {
        return;
    }
    for i in rows {
        let row = &mut a[i * width..][columns.clone()];
        let product = row.iter().zip(v).fold([T::ZERO; 2], |sum, (&x, &v)| add(sum, mul(x, v)));
        let factor = mul(tau, product);
        row.iter_mut().zip(v).for_each(|(x, &v)| *x = sub(*x, mul(factor, v.conjugate())));
    }
}

/// Packs the factors of `a`, `rows` × `columns` row by row, in its place.
pub fn qr<T: Real>(a: &mut [T], (rows, columns): (usize, usize), taus: &mut [T]) {
    let ((a, _), (taus, _)) = (a.as_chunks_mut(), taus.as_chunks_mut());
    taus.iter_mut().enumerate().for_each(|(j, tau)| *tau = step(a, (rows, columns), j));
}

/// The same with exchanged columns, as [`super::qr::pivoted_qr`].
pub fn pivoted_qr<T: Real>(a: &mut [T], size: (usize, usize), order: &mut [i32], taus: &mut [T]) {
    let ((a, _), (taus, _)) = (a.as_chunks_mut::<2>(), taus.as_chunks_mut());
    let length_from = |a: &[Pair<T>], row: usize, i: usize| {
        length(&(row..size.0).map(|row| a[row * size.1 + i]).collect::<Vec<_>>())
    };
    with_pivots(a, size.1, order, taus, length_from, |a, j| step(a, size, j));
}

/// Reflects column j and those to its right.
fn step<T: Real>(a: &mut [Pair<T>], (rows, columns): (usize, usize), j: usize) -> Pair<T> {
    let mut v: Vec<Pair<T>> = (j..rows).map(|i| a[i * columns + j]).collect();
    let (beta, tau) = reflector(&mut v);
    let rest = Block { width: columns, rows: j..rows, columns: j + 1..columns };
    reflect_left(a, rest, &v, tau.conjugate());
    v[0] = [beta, T::ZERO];
    v.iter().zip(j..).for_each(|(&v, i)| a[i * columns + j] = v);
    tau
}

/// Writes the product of the first reflectors of a packed matrix, `rows` × `columns`, in its place.
pub fn product<T: Real>(packed: &mut [T], (rows, columns): (usize, usize), taus: &[T]) {
    let ((packed, _), (taus, _)) = (packed.as_chunks_mut(), taus.as_chunks());
    for j in (0..columns).rev() {
        let rest = Block { width: columns, rows: j..rows, columns: j + 1..columns };
        let tau: Pair<T> = taus.get(j).copied().unwrap_or([T::ZERO; 2]);
        let mut v: Vec<Pair<T>> = (j..rows).map(|i| packed[i * columns + j]).collect();
        v[0] = [T::ONE, T::ZERO];
        if tau == [T::ZERO; 2] {
            // What is packed there is no reflector.
            v[1..].fill([T::ZERO; 2]);
        }
        reflect_left(packed, rest, &v, tau);
        for i in 0..rows {
            let element = if i < j { [T::ZERO; 2] } else { mul(tau, v[i - j]).map(|x| -x) };
            packed[i * columns + j] = if i == j { add([T::ONE, T::ZERO], element) } else { element };
        }
    }
}
