//! How well the results of a routine fit its operands, whoever computed them.
//!
//! Decompositions are not unique: vectors have any sign, and equal values any basis. What they must fulfil is: factors multiply
//! to the matrix, bases are orthonormal, values are in order, triangles are zero where they have to be. Values without vectors have
//! the sums of powers that the elements of the matrix say: Σ s² and Σ s⁴, or Σ λ and Σ λ².

use super::householder::{largest, product};
use super::{Call, Input, Output, Real, Routine, complex_residual, hessenberg};
use crate::linalg::Linalg;
use crate::math::composite::part_count;
use crate::shape::ArrayShape;

/// The largest error of the results for one matrix, computed in f64, relative to the largest element where it is one of the
/// matrix; infinite where an order or a zero is violated. Of routines whose results are unique, and for matrices with
/// elements that are not finite, there is nothing to say: `None`.
pub fn residual<T: Real>(call: &Call, operands: &[Input<'_, T>], results: &[Output<'_, T>]) -> Option<f64> {
    let Routine::Linalg(how) = call.routine else { return None };
    let (rows, columns) = (call.rows as usize, call.columns as usize);
    let arrays: Vec<Matrix> = results.iter().zip(&call.results()).map(Matrix::of).collect();
    let Some(Input::Elements(a)) = operands.first() else { return None };
    let columns = columns * part_count(call.dtype);
    let a = Matrix { elements: a.iter().map(|x| x.wide()).collect(), columns };
    let scale = a.scale();
    if !scale.is_finite() {
        return None;
    }
    let given = matches!(operands, [_, Input::Indices(given)] if given.iter().any(|&n| n != 0));
    if call.dtype.is_complex() {
        return Some(greatest(complex_residual::errors(call, how, (&a, given), &arrays)));
    }
    let off = |product: &Matrix, a: &Matrix| product.distance(a) / scale;
    let errors = match (how, &arrays[..]) {
        (Linalg::Qr, [packed, taus]) => {
            let (q, r) = packed.unpacked(rows, taus);
            vec![off(&q.times(&r), &a), q.skew()]
        }
        (Linalg::PivotedQr, [packed, order, taus]) => {
            let (q, r) = packed.unpacked(rows, taus);
            let moved = Matrix::from(rows, columns, |i, j| a.at(i, order.elements[j] as usize - 1));
            let falls =
                (1..rows.min(columns)).all(|i| r.at(i, i).abs() <= r.at(i - 1, i - 1).abs() * (1.0 + 1e-3));
            vec![off(&q.times(&r), &moved), q.skew(), required(given || falls), permutes(order, 1)]
        }
        (Linalg::HouseholderProduct, [q]) => {
            let Some(Input::Elements(taus)) = operands.get(1) else { return None };
            let taus: Vec<f64> = taus.iter().map(|x| x.wide()).collect();
            let mut wanted = a.elements.clone();
            product(&mut wanted, (rows, columns), &taus);
            vec![q.distance(&Matrix { elements: wanted, columns })]
        }
        (Linalg::Lu, [factors, pivots, permutation]) => {
            let k = rows.min(columns);
            let lower = Matrix::from(rows, k, |i, j| match i.cmp(&j) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 1.0,
                std::cmp::Ordering::Greater => factors.at(i, j),
            });
            let upper = Matrix::from(k, columns, |i, j| if i <= j { factors.at(i, j) } else { 0.0 });
            let moved = Matrix::from(rows, columns, |i, j| a.at(permutation.elements[i] as usize, j));
            let mut order = vec![0; rows];
            let exchanges: Vec<i32> = pivots.elements.iter().map(|&p| p as i32).collect();
            super::order(&exchanges, &mut order);
            let same = order.iter().zip(&permutation.elements).all(|(&a, &b)| a as f64 == b);
            let small = lower.elements.iter().all(|x| x.abs() <= 1.0);
            vec![off(&lower.times(&upper), &moved), required(same && small)]
        }
        (Linalg::Eigh { lower, .. }, [w]) => {
            let unit = a.symmetric(lower).scaled(1.0 / scale);
            let values: Vec<f64> = w.elements.iter().map(|x| x / scale).collect();
            let squares: f64 = values.iter().map(|x| x * x).sum();
            vec![
                required(w.elements.is_sorted()),
                (unit.trace() - values.iter().sum::<f64>()).abs(),
                beside(squares, unit.squares(), unit.squares()),
            ]
        }
        (Linalg::Eigh { lower, .. }, [v, w]) => {
            let a = a.symmetric(lower);
            let scaled = Matrix::from(rows, rows, |i, j| v.at(i, j) * w.elements[j]);
            vec![off(&a.times(v), &scaled), v.skew(), required(w.elements.is_sorted())]
        }
        (Linalg::Svd { .. }, [s, vectors @ ..]) => {
            let falls = s.elements.iter().rev().is_sorted() && s.elements.iter().all(|&s| s >= 0.0);
            let mut errors = vec![required(falls)];
            let (unit, sizes) = (a.scaled(1.0 / scale), s.scaled(1.0 / scale));
            let gram = unit.transposed().times(&unit);
            let sum = |power: i32| sizes.elements.iter().map(|s| s.powi(power)).sum::<f64>();
            errors.extend([
                beside(sum(2), unit.squares(), unit.squares()),
                beside(sum(4), gram.squares(), gram.squares()),
            ]);
            if let [u, vt] = vectors {
                let scaled = Matrix::from(rows, s.columns, |i, j| u.at(i, j) * s.elements[j]);
                let right = Matrix::from(s.columns, columns, |i, j| vt.at(i, j));
                errors.extend([off(&scaled.times(&right), &a), u.skew(), vt.transposed().skew()]);
            }
            errors
        }
        (Linalg::Eig { left, right }, [re, im, vectors @ ..]) => {
            let mut parts = vectors.chunks_exact(2);
            let mut errors = Vec::new();
            let mut next = |wanted| if wanted { parts.next() } else { None };
            if let Some([x, y]) = next(left) {
                let flipped = im.elements.iter().map(|&x| -x).collect();
                errors.push(eigenvectors((&a.transposed(), scale), (&re.elements, flipped), (x, y)));
            }
            if let Some([x, y]) = next(right) {
                errors.push(eigenvectors((&a, scale), (&re.elements, im.elements.clone()), (x, y)));
            }
            errors.push((a.trace() - re.elements.iter().sum::<f64>()).abs() / scale);
            errors.push(im.elements.iter().sum::<f64>().abs() / scale);
            let unit = a.scaled(1.0 / scale);
            let values = re.elements.iter().zip(&im.elements).map(|(x, y)| (x / scale, y / scale));
            let squares = values.map(|(x, y)| x * x - y * y).sum();
            errors.push(beside(squares, unit.times(&unit).trace(), unit.squares()));
            errors
        }
        (Linalg::Schur { .. }, [form, vectors @ ..]) => {
            let (unit, of_form) = (a.scaled(1.0 / scale), form.scaled(1.0 / scale));
            let squares = [&of_form, &unit].map(|x| x.times(x).trace());
            let mut errors = vec![
                required(form.is_real_form()),
                (a.trace() - form.trace()).abs() / scale,
                beside(squares[0], squares[1], unit.squares()),
                beside(of_form.squares(), unit.squares(), unit.squares()),
            ];
            if let [q] = vectors {
                errors.extend([off(&q.times(form).times(&q.transposed()), &a), q.skew()]);
            }
            errors
        }
        (Linalg::Hessenberg, [packed, taus]) => {
            let q =
                Matrix { elements: hessenberg::orthogonal(&packed.elements, rows, &taus.elements), columns };
            let h = Matrix::from(rows, rows, |i, j| if i <= j + 1 { packed.at(i, j) } else { 0.0 });
            vec![off(&q.times(&h).times(&q.transposed()), &a), q.skew()]
        }
        (Linalg::Tridiagonal { lower }, [packed, d, e, taus]) => {
            let (mut elements, mut taus) = (packed.elements.clone(), taus.elements.clone());
            if !lower {
                elements.reverse();
                taus.reverse();
            }
            let mut q = hessenberg::orthogonal(&elements, rows, &taus);
            if !lower {
                q.reverse();
            }
            let q = Matrix { elements: q, columns };
            let t = Matrix::from(rows, rows, |i, j| match i.abs_diff(j) {
                0 => d.elements[i],
                1 => e.elements[i.min(j)],
                _ => 0.0,
            });
            let inner = (1..rows).all(|i| {
                let (i, j) = if lower { (i, i - 1) } else { (i - 1, i) };
                packed.at(i, j) == e.elements[i.min(j)]
            });
            let whole = a.symmetric(lower);
            vec![off(&q.times(&t).times(&q.transposed()), &whole), q.skew(), required(inner)]
        }
        (_, arrays) => unreachable!("{how} has {} results", arrays.len()),
    };
    Some(greatest(errors))
}

/// A not-a-number is the greatest.
fn greatest(errors: Vec<f64>) -> f64 {
    errors.into_iter().fold(0.0, |most: f64, e| if e.is_nan() { f64::INFINITY } else { most.max(e) })
}

fn required(fulfilled: bool) -> f64 {
    if fulfilled { 0.0 } else { f64::INFINITY }
}

/// The difference of two numbers, relative to a size, which may be zero.
fn beside(found: f64, wanted: f64, size: f64) -> f64 {
    (found - wanted).abs() / if size == 0.0 { 1.0 } else { size }
}

/// Whether numbers from `first` on stand each once.
pub fn permutes(order: &Matrix, first: usize) -> f64 {
    let mut numbers: Vec<usize> = order.elements.iter().map(|&x| x as usize).collect();
    numbers.sort_unstable();
    required(numbers.iter().enumerate().all(|(n, &x)| x == n + first))
}

/// The largest element of `a v − v w`, relative to those of `a`, and of what the vectors lack to length one.
fn eigenvectors((a, scale): (&Matrix, f64), (re, im): (&[f64], Vec<f64>), (x, y): (&Matrix, &Matrix)) -> f64 {
    let (ax, ay) = (a.times(x), a.times(y));
    let n = re.len();
    let mut most: f64 = 0.0;
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let (x, y) = (x.at(i, j), y.at(i, j));
        let error = (ax.at(i, j) - (x * re[j] - y * im[j])).hypot(ay.at(i, j) - (x * im[j] + y * re[j]));
        most = if error.is_nan() { f64::INFINITY } else { most.max(error / scale) };
    }
    for j in 0..n {
        let length: f64 = (0..n).map(|i| x.at(i, j).powi(2) + y.at(i, j).powi(2)).sum();
        most = most.max((length - 1.0).abs());
    }
    most
}

/// A matrix row by row, or a vector as one row; the parts of complex numbers as two elements.
pub struct Matrix {
    pub elements: Vec<f64>,
    pub columns: usize,
}

impl Matrix {
    fn of<T: Real>((result, shape): (&Output<'_, T>, &ArrayShape)) -> Matrix {
        let elements = match result {
            Output::Elements(x) => x.iter().map(|x| x.wide()).collect(),
            Output::Indices(x) => x.iter().map(|&x| x.into()).collect(),
        };
        let columns = shape.dims.last().map_or(1, |&n| n as usize);
        Matrix { elements, columns: columns * part_count(shape.dtype) }
    }

    /// The largest element; one where all are zero.
    pub fn scale(&self) -> f64 {
        let most = largest(self.elements.iter().copied());
        if most == 0.0 { 1.0 } else { most }
    }

    pub fn row(&self, i: usize) -> &[f64] {
        &self.elements[i * self.columns..][..self.columns]
    }

    pub fn from(rows: usize, columns: usize, element: impl Fn(usize, usize) -> f64) -> Matrix {
        let elements = (0..rows * columns).map(|at| element(at / columns, at % columns)).collect();
        Matrix { elements, columns }
    }

    fn rows(&self) -> usize {
        self.elements.len().checked_div(self.columns).unwrap_or(0)
    }

    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.elements[i * self.columns + j]
    }

    pub fn scaled(&self, by: f64) -> Matrix {
        Matrix { elements: self.elements.iter().map(|x| x * by).collect(), columns: self.columns }
    }

    fn trace(&self) -> f64 {
        (0..self.columns).map(|i| self.at(i, i)).sum()
    }

    /// The sum of the elements' squares.
    pub fn squares(&self) -> f64 {
        self.elements.iter().map(|x| x * x).sum()
    }

    pub fn transposed(&self) -> Matrix {
        Matrix::from(self.columns, self.rows(), |i, j| self.at(j, i))
    }

    /// The matrix whose one triangle this has.
    fn symmetric(&self, lower: bool) -> Matrix {
        let at = |i: usize, j: usize| if (i > j) == lower { self.at(i, j) } else { self.at(j, i) };
        Matrix::from(self.columns, self.columns, at)
    }

    pub fn times(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::from(self.rows(), other.columns, |_, _| 0.0);
        for (i, row) in out.elements.chunks_exact_mut(other.columns.max(1)).enumerate() {
            for (k, other) in other.elements.chunks_exact(other.columns).enumerate() {
                let factor = self.at(i, k);
                row.iter_mut().zip(other).for_each(|(x, &y)| *x += factor * y);
            }
        }
        out
    }

    /// The largest difference of two elements.
    pub fn distance(&self, other: &Matrix) -> f64 {
        largest(self.elements.iter().zip(&other.elements).map(|(x, y)| x - y))
    }

    /// What the columns lack to being orthonormal.
    pub fn skew(&self) -> f64 {
        let unit = Matrix::from(self.columns, self.columns, |i, j| (i == j) as u8 as f64);
        self.transposed().times(self).distance(&unit)
    }

    /// Q and R of a packed matrix.
    fn unpacked(&self, rows: usize, taus: &Matrix) -> (Matrix, Matrix) {
        let k = taus.elements.len();
        let mut q = Matrix::from(rows, k, |i, j| self.at(i, j));
        product(&mut q.elements, (rows, k), &taus.elements);
        (q, Matrix::from(k, self.columns, |i, j| if i <= j { self.at(i, j) } else { 0.0 }))
    }

    /// Blocks of order 1 on the diagonal, of order 2 with equal diagonal elements and complex eigenvalues; zeros below.
    fn is_real_form(&self) -> bool {
        let n = self.columns;
        let block = |i: usize| self.at(i, i - 1) != 0.0;
        (0..n).all(|i| (0..i.saturating_sub(1)).all(|j| self.at(i, j) == 0.0))
            && (2..n).all(|i| !(block(i) && block(i - 1)))
            && (1..n).filter(|&i| block(i)).all(|i| {
                self.at(i, i) == self.at(i - 1, i - 1) && self.at(i, i - 1) * self.at(i - 1, i) < 0.0
            })
    }
}
