//! The QR factors of a matrix by reflectors, packed as LAPACK's `geqrf` and, with exchanged columns, `geqp3` pack them.
//!
//! For j = 0, 1, … the reflector of column j makes zeros below its diagonal; every column to the right is reflected. With
//! pivots, the column of the greatest length below row j is exchanged with column j first.

use super::Real;
use super::householder::{Block, column, norm, reflect_left, reflector, store};

/// Packs the factors of `a`, `rows` × `columns` row by row, in its place.
pub fn qr<T: Real>(a: &mut [T], (rows, columns): (usize, usize), taus: &mut [T]) {
    for (j, tau) in taus.iter_mut().enumerate() {
        *tau = step(a, (rows, columns), j);
    }
}

/// Reflects column j and those to its right.
fn step<T: Real>(a: &mut [T], (rows, columns): (usize, usize), j: usize) -> T {
    let mut v = column(a, columns, j..rows, j);
    let (beta, tau) = reflector(&mut v);
    let rest = Block { width: columns, rows: j..rows, columns: j + 1..columns };
    reflect_left(a, rest, &v, tau);
    store(a, columns, (j, j), beta, &v);
    tau
}

/// Packs the factors of `a` with its columns exchanged. `order` has a number that is not zero for each column that is to stand
/// first, and becomes the order of the columns, counted from one.
pub fn pivoted_qr<T: Real>(a: &mut [T], size: (usize, usize), order: &mut [i32], taus: &mut [T]) {
    let columns = size.1;
    let length = |a: &[T], row: usize, i: usize| norm((row..size.0).map(|row| a[row * columns + i]));
    with_pivots(a, columns, order, taus, length, |a, j| step(a, size, j));
}

/// The same by a step that factors one column, which gives its `tau`, and the length of a column from a row on.
pub fn with_pivots<N: Copy, T: PartialOrd>(
    a: &mut [N],
    columns: usize,
    order: &mut [i32],
    taus: &mut [N],
    length: impl Fn(&[N], usize, usize) -> T,
    step: impl Fn(&mut [N], usize) -> N,
) {
    let exchange = |a: &mut [N], order: &mut [i32], i: usize, j: usize| {
        order.swap(i, j);
        a.chunks_exact_mut(columns).for_each(|row| row.swap(i, j));
    };
    let mut given = 0;
    let wanted: Vec<bool> = order.iter().map(|&n| n != 0).collect();
    (1..).zip(&mut *order).for_each(|(n, o)| *o = n);
    for (j, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
        exchange(a, order, given, j);
        given += 1;
    }
    for (j, tau) in taus.iter_mut().enumerate() {
        if j >= given {
            let mut best = (j, length(a, j, j));
            for i in j + 1..columns {
                let length = length(a, j, i);
                if length > best.1 {
                    best = (i, length);
                }
            }
            exchange(a, order, j, best.0);
        }
        *tau = step(a, j);
    }
}
