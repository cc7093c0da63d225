//! How well decompositions of complex matrices fit: as real matrices of twice the size, `((re, −im), (im, re))`, which multiply as
//! the complex ones do and whose transpose is the adjoint.

use super::residual::{Matrix, permutes};
use super::{Call, complex_householder};
use crate::linalg::Linalg;

/// The errors of the results for one matrix; `a` and `arrays` have the parts side by side where they are complex.
/// `given`: the order of columns was not free.
pub fn errors(call: &Call, how: Linalg, (a, given): (&Matrix, bool), arrays: &[Matrix]) -> Vec<f64> {
    let (rows, columns) = (call.rows as usize, call.columns as usize);
    let (k, scale) = (rows.min(columns), a.scale());
    let off = |product: &Matrix, a: &Matrix| product.distance(a) / scale;
    let whole = twice(a, rows, columns, |_, _| true);
    match (how, arrays) {
        (Linalg::Qr, [packed, taus]) => {
            let (q, r) = unpacked(packed, taus, (rows, columns));
            vec![off(&q.times(&r), &whole), q.skew()]
        }
        (Linalg::HouseholderProduct, [q]) => vec![twice(q, rows, columns, |_, _| true).skew()],
        (Linalg::Lu, [factors, _, permutation]) => {
            let mut lower = twice(factors, rows, k, |i, j| i > j);
            for i in 0..k {
                lower.elements[2 * k * i + i] = 1.0;
                lower.elements[2 * k * (rows + i) + k + i] = 1.0;
            }
            let upper = twice(factors, k, columns, |i, j| i <= j);
            let moved = permutation.elements.iter().flat_map(|&i| a.row(i as usize)).copied().collect();
            let moved = twice(&Matrix { elements: moved, columns: a.columns }, rows, columns, |_, _| true);
            let small = lower.elements.iter().all(|x| x.abs() <= std::f64::consts::SQRT_2);
            vec![off(&lower.times(&upper), &moved), if small { 0.0 } else { f64::INFINITY }]
        }
        (Linalg::Eigh { lower, .. }, [w]) => {
            let whole = hermitian(a, rows, lower);
            let sum = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x / scale).sum::<f64>();
            let trace = sum(&mut (0..2 * rows).map(|i| whole.at(i, i))) / 2.0;
            let squares = sum(&mut whole.elements.iter().map(|x| x * x / scale)) / 2.0;
            let found = sum(&mut w.elements.iter().map(|x| x * x / scale));
            let ascend = if w.elements.is_sorted() { 0.0 } else { f64::INFINITY };
            let size = if squares == 0.0 { 1.0 } else { squares };
            vec![ascend, (trace - sum(&mut w.elements.iter().copied())).abs(), (squares - found).abs() / size]
        }
        (Linalg::Eigh { lower, .. }, [v, w]) => {
            let whole = hermitian(a, rows, lower);
            let v = twice(v, rows, rows, |_, _| true);
            let scaled = Matrix::from(2 * rows, 2 * rows, |i, j| v.at(i, j) * w.elements[j % rows]);
            let ascend = if w.elements.is_sorted() { 0.0 } else { f64::INFINITY };
            vec![off(&whole.times(&v), &scaled), v.skew(), ascend]
        }
        (Linalg::PivotedQr, [packed, order, taus]) => {
            let moved = Matrix::from(rows, 2 * columns, |i, j| {
                a.at(i, 2 * (order.elements[j / 2] as usize - 1) + j % 2)
            });
            let moved = twice(&moved, rows, columns, |_, _| true);
            let (q, r) = unpacked(packed, taus, (rows, columns));
            let size = |i: usize| r.at(i, i).hypot(r.at(i, columns + i));
            let falls = given || (1..k).all(|i| size(i) <= size(i - 1) * (1.0 + 1e-3));
            let order = permutes(order, 1);
            vec![off(&q.times(&r), &moved), q.skew(), order, if falls { 0.0 } else { f64::INFINITY }]
        }
        (Linalg::Schur { .. }, [form, vectors @ ..]) => {
            let below = (0..rows).flat_map(|i| &form.row(i)[..2 * i]).all(|&x| x == 0.0);
            let trace =
                |m: &Matrix, n: usize| (0..rows).map(|i| m.elements[2 * (rows + 1) * i + n]).sum::<f64>();
            let mut errors = vec![if below { 0.0 } else { f64::INFINITY }];
            errors.extend([0, 1].map(|n| (trace(a, n) - trace(form, n)).abs() / scale));
            let [lengths, of_form] = [a, form].map(|m| m.scaled(1.0 / scale).squares());
            errors.push((lengths - of_form).abs() / if lengths == 0.0 { 1.0 } else { lengths });
            if let [q] = vectors {
                let (t, q) = (twice(form, rows, rows, |_, _| true), twice(q, rows, rows, |_, _| true));
                errors.extend([off(&q.times(&t).times(&q.transposed()), &whole), q.skew()]);
            }
            errors
        }
        (Linalg::Hessenberg, [packed, taus]) => {
            let pairs = |x: &[f64]| x.as_chunks::<2>().0.to_vec();
            let q = unitary(&pairs(&packed.elements), &pairs(&taus.elements), rows);
            let (q, h) = (twice(&q, rows, rows, |_, _| true), twice(packed, rows, rows, |i, j| i <= j + 1));
            vec![off(&q.times(&h).times(&q.transposed()), &whole), q.skew()]
        }
        (Linalg::Tridiagonal { lower }, [packed, d, e, taus]) => {
            let pairs = |x: &[f64]| x.as_chunks::<2>().0.to_vec();
            let (mut elements, mut taus) = (pairs(&packed.elements), pairs(&taus.elements));
            if !lower {
                elements.reverse();
                taus.reverse();
            }
            let mut q = unitary(&elements, &taus, rows);
            if !lower {
                q.elements.as_chunks_mut::<2>().0.reverse();
            }
            let q = twice(&q, rows, rows, |_, _| true);
            let t = Matrix::from(2 * rows, 2 * rows, |i, j| {
                match (i / rows == j / rows, (i % rows).abs_diff(j % rows)) {
                    (true, 0) => d.elements[i % rows],
                    (true, 1) => e.elements[(i % rows).min(j % rows)],
                    _ => 0.0,
                }
            });
            vec![off(&q.times(&t).times(&q.transposed()), &hermitian(a, rows, lower)), q.skew()]
        }
        (Linalg::Svd { full, .. }, [s, vectors @ ..]) => {
            let falls = s.elements.iter().rev().is_sorted() && s.elements.iter().all(|&s| s >= 0.0);
            let mut errors = vec![if falls { 0.0 } else { f64::INFINITY }];
            if let [u, vt] = vectors {
                let (left, right) = if full { (rows, columns) } else { (k, k) };
                let (u, vt) = (twice(u, rows, left, |_, _| true), twice(vt, right, columns, |_, _| true));
                let middle = Matrix::from(2 * left, 2 * right, |i, j| {
                    let same = i / left.max(1) == j / right.max(1) && i % left == j % right && i % left < k;
                    if same { s.elements[i % left] } else { 0.0 }
                });
                errors.extend([off(&u.times(&middle).times(&vt), &whole), u.skew(), vt.transposed().skew()]);
            }
            errors
        }
        (Linalg::Eig { left, right }, [values, vectors @ ..]) => {
            let diagonal = |i: usize, j: usize| if j / 2 == i { values.elements[j] } else { 0.0 };
            let w = twice(&Matrix::from(rows, 2 * rows, diagonal), rows, rows, |_, _| true);
            let sides = [(left, whole.transposed(), w.transposed()), (right, whole, w)];
            let sides = sides.iter().filter(|(wanted, ..)| *wanted);
            let errors = sides.zip(vectors).flat_map(|((_, a, w), v)| {
                let v = twice(v, rows, rows, |_, _| true);
                let length = |j: usize| (0..2 * rows).map(|i| v.at(i, j).powi(2)).sum::<f64>();
                let lengths = (0..rows).map(length).map(|l| (l - 1.0).abs());
                [vec![off(&a.times(&v), &v.times(w))], lengths.collect()].concat()
            });
            let trace = |n: usize| (0..rows).map(|i| a.elements[2 * (rows + 1) * i + n]).sum::<f64>();
            let sum = |n: usize| values.elements.iter().skip(n).step_by(2).sum::<f64>();
            errors.chain([0, 1].map(|n| (trace(n) - sum(n)).abs() / scale)).collect()
        }
        (_, arrays) => unreachable!("{how} of complex matrices has {} results", arrays.len()),
    }
}

/// Q and R of a packed matrix, as real ones.
fn unpacked(packed: &Matrix, taus: &Matrix, (rows, columns): (usize, usize)) -> (Matrix, Matrix) {
    let k = rows.min(columns);
    let r = twice(packed, k, columns, |i, j| i <= j);
    let mut q: Vec<f64> = (0..rows).flat_map(|i| packed.row(i)[..2 * k].iter().copied()).collect();
    complex_householder::product(&mut q, (rows, k), &taus.elements);
    (twice(&Matrix { elements: q, columns: 2 * k }, rows, k, |_, _| true), r)
}

/// The product of the reflectors of a packed matrix that begin one row below the diagonal: they leave the first element of a vector
/// alone.
fn unitary(packed: &[[f64; 2]], taus: &[[f64; 2]], n: usize) -> Matrix {
    let inner = n.saturating_sub(1);
    let mut within: Vec<f64> =
        (0..inner * inner).flat_map(|at| packed[(at / inner + 1) * n + at % inner]).collect();
    complex_householder::product(&mut within, (inner, inner), taus.as_flattened());
    let element = |at: usize| match (at / n, at % n) {
        (0, 0) => [1.0, 0.0],
        (0, _) | (_, 0) => [0.0, 0.0],
        (i, j) => [0, 1].map(|part| within[2 * ((i - 1) * inner + j - 1) + part]),
    };
    Matrix { elements: (0..n * n).flat_map(element).collect(), columns: 2 * n }
}

/// The Hermitian matrix that a triangle says, as a real one.
fn hermitian(a: &Matrix, rows: usize, lower: bool) -> Matrix {
    let half = twice(a, rows, rows, |i, j| if lower { i > j } else { i < j });
    let mut whole = Matrix::from(2 * rows, 2 * rows, |i, j| half.at(i, j) + half.at(j, i));
    (0..2 * rows).for_each(|i| {
        whole.elements[(2 * rows + 1) * i] = a.elements[2 * (rows + 1) * (i % rows)];
    });
    whole
}

/// The real matrix of the elements of a complex one that are wanted; the others are zero.
fn twice(a: &Matrix, rows: usize, columns: usize, wanted: impl Fn(usize, usize) -> bool) -> Matrix {
    Matrix::from(2 * rows, 2 * columns, |i, j| {
        let (row, column) = (i % rows, j % columns);
        let part = |n: usize| a.elements[row * a.columns + 2 * column + n];
        match (wanted(row, column), i < rows, j < columns) {
            (false, _, _) => 0.0,
            (true, true, true) | (true, false, false) => part(0),
            (true, true, false) => -part(1),
            (true, false, true) => part(1),
        }
    })
}
