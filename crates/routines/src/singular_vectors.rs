//! Singular values and vectors. Those of a matrix twice as tall as wide, or as wide as tall, come by way of its triangular factor; all
//! vectors are the thin ones and what completes them. The iteration is faer's, but for real values alone.

use crate::element::Element;
use crate::reflectors::{self, Panel};
use crate::scalar::{Scalar, numbers, numbers_mut};
use crate::scaling::{scaled, unscaled};
use crate::singular_values;
use crate::team::Team;
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::svd::{self, ComputeSvdVectors, SvdParams};
use faer::{Auto, MatMut, MatRef, Par};
use lawson_hlo::library::{Call, Input, Output, Real, Routine};
use lawson_hlo::linalg::Linalg;
use num_complex::Complex;

/// Up to this order singular vectors are found without a division in halves; by the library's own bound, 128, those of 100 rows
/// take more than twice as long.
const UNDIVIDED: usize = 32;

/// From so many rows for each column on, the triangular factor is taken first.
const TALL: usize = 2;

/// Computes one matrix: tells whether it did.
pub(crate) fn run<T: Element>(
    call: &Call,
    team: &dyn Team,
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) -> bool {
    use Input::Elements as In;
    use Output::Elements as Out;
    let (size, complex) = ((call.rows as usize, call.columns as usize), call.dtype.is_complex());
    match (call.routine, operands, results) {
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values)]) if complex => {
            singular::<Complex<T>>(numbers(a), size, values, None)
        }
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values)]) => {
            if is_tall(size) {
                return tall(call, team, a, size, [values]);
            }
            if is_tall((size.1, size.0)) {
                return tall(call, team, &transpose(a, size), (size.1, size.0), [values]);
            }
            let Some((a, scale)) = scaled::<T>(a) else { return false };
            let done = singular_values::run(&a, size, values);
            values.iter_mut().for_each(|x| *x *= scale);
            done
        }
        (Routine::Linalg(Linalg::Svd { full: true, .. }), [In(a)], [Out(values), Out(left), Out(right)]) => {
            let thin = Call { routine: Routine::Linalg(Linalg::Svd { full: false, vectors: true }), ..*call };
            match complex {
                true => full::<Complex<T>>(&thin, team, a, values, [numbers_mut(left), numbers_mut(right)]),
                false => full::<T>(&thin, team, a, values, [left, right]),
            }
        }
        (Routine::Linalg(Linalg::Svd { .. }), [In(a)], [Out(values), Out(left), Out(right)]) => {
            match complex {
                true => {
                    let vectors = [numbers_mut(left), numbers_mut(right)];
                    singular::<Complex<T>>(numbers(a), size, values, Some(vectors))
                }
                false if is_tall(size) => tall(call, team, a, size, [values, left, right]),
                false if is_tall((size.1, size.0)) => {
                    // Of the transpose the other vectors, each in a column where there it is in a row.
                    let (least, most) = size;
                    let mut of_right = vec![T::ZERO; right.len()];
                    let done =
                        tall(call, team, &transpose(a, size), (most, least), [values, &mut of_right, left]);
                    right.copy_from_slice(&transpose(&of_right, (most, least)));
                    left.copy_from_slice(&transpose(left, (least, least)));
                    done
                }
                false => singular::<T>(a, size, values, Some([left, right])),
            }
        }
        _ => false,
    }
}

fn is_tall((rows, columns): (usize, usize)) -> bool {
    columns > 0 && rows >= TALL * columns
}

fn transpose<S: Copy>(a: &[S], (rows, columns): (usize, usize)) -> Vec<S> {
    (0..columns * rows).map(|at| a[at % rows * columns + at / rows]).collect()
}

/// The values of a tall matrix are those of its triangular factor, as are the right vectors; the left ones are those of the factor,
/// with zeros below, as the reflectors change them.
fn tall<T: Element, const N: usize>(
    call: &Call,
    team: &dyn Team,
    a: &[T],
    (m, n): (usize, usize),
    mut results: [&mut [T]; N],
) -> bool {
    let (mut packed, mut taus) = (vec![T::ZERO; m * n], vec![T::ZERO; n]);
    if !reflectors::qr(team, (a, &mut packed), (m, n), &mut taus) {
        return false;
    }
    let factor: Vec<T> = (0..n * n).map(|at| if at % n < at / n { T::ZERO } else { packed[at] }).collect();
    let call = Call { rows: n as i64, columns: n as i64, ..*call };
    let mut of_factor: Vec<Output<'_, T>> = Vec::new();
    for x in &mut results {
        let len = x.len().min(n * n);
        of_factor.push(Output::Elements(&mut x[..len]));
    }
    let operands = [Input::Elements(&factor[..])];
    if call.is_small() || !run(&call, team, &operands, &mut of_factor) {
        call.run(&operands, &mut of_factor);
    }
    if let [_, left, _] = &mut results[..] {
        left[n * n..].fill(T::ZERO);
        reflectors::apply(team, &packed, (m, n), &taus, (left, n));
    }
    true
}

/// All singular vectors: those of `thin`, and others that are perpendicular to them. (faer's own of some wide matrices, of 5 × 60 and
/// of 20 × 39 among them, are not.)
fn full<S: Panel>(
    thin: &Call,
    team: &dyn Team,
    a: &[S::Part],
    values: &mut [S::Part],
    [left, right]: [&mut [S]; 2],
) -> bool {
    let (m, n) = (thin.rows as usize, thin.columns as usize);
    let k = m.min(n);
    let zero = S::of_real(<S::Part as Real>::ZERO);
    let (mut of_left, mut of_right) = (vec![zero; m * k], vec![zero; k * n]);
    let operands = [Input::Elements(a)];
    let parts: [&mut [S::Part]; 2] =
        [bytemuck::cast_slice_mut(&mut of_left), bytemuck::cast_slice_mut(&mut of_right)];
    let [first, last] = parts.map(Output::Elements);
    let mut results = [Output::Elements(values), first, last];
    if thin.is_small() {
        thin.run(&operands, &mut results);
    } else if !run(thin, team, &operands, &mut results) {
        return false;
    }
    // Right vectors are columns of the adjoint.
    let adjoint = |x: Vec<S>| -> Vec<S> { x.into_iter().map(S::conjugate).collect() };
    let columns = adjoint(transpose(&of_right, (k, n)));
    let (Some(of_left), Some(columns)) = (completed(team, of_left, (m, k)), completed(team, columns, (n, k)))
    else {
        return false;
    };
    left.copy_from_slice(&of_left);
    right.copy_from_slice(&adjoint(transpose(&columns, (n, n))));
    true
}

/// A square matrix that begins with these columns, which are perpendicular and as long as one, as are the others.
fn completed<S: Panel>(team: &dyn Team, columns: Vec<S>, (m, k): (usize, usize)) -> Option<Vec<S>> {
    if m == k {
        return Some(columns);
    }
    let [zero, one] = [<S::Part as Real>::ZERO, <S::Part as Real>::ONE].map(S::of_real);
    let (mut packed, mut taus) = (vec![zero; m * k], vec![zero; k]);
    if !reflectors::qr(team, (&columns, &mut packed), (m, k), &mut taus) {
        return None;
    }
    let mut all = vec![zero; m * m];
    (k..m).for_each(|i| all[i * m + i] = one);
    reflectors::apply(team, &packed, (m, k), &taus, (&mut all, m));
    for (row, columns) in all.chunks_exact_mut(m).zip(columns.chunks_exact(k)) {
        row[..k].copy_from_slice(columns);
    }
    Some(all)
}

/// Left vectors are written as columns, the adjoints of right ones as rows.
fn singular<S: Scalar>(
    a: &[S],
    (m, n): (usize, usize),
    values: &mut [S::Part],
    vectors: Option<[&mut [S]; 2]>,
) -> bool {
    let Some((a, scale)) = scaled(a) else { return false };
    let zero = S::of_real(<S::Part as Real>::ZERO);
    let mut diagonal = vec![zero; m.min(n)];
    let which = match &vectors {
        None => ComputeSvdVectors::No,
        Some(_) => ComputeSvdVectors::Thin,
    };
    // Row by row, the matrix and the right vectors are columns of transposes, which the library works on: of a = u s vᴴ the transpose
    // has the left vectors v̄ and the right ones ū.
    let parameters = SvdParams { recursion_threshold: UNDIVIDED, ..<SvdParams as Auto<S>>::auto() };
    let need = svd::svd_scratch::<S>(n, m, which, which, Par::Seq, parameters.into());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let a = MatRef::from_column_major_slice(&a, n, m);
    let found = DiagMut::from_slice_mut(&mut diagonal);
    let done = match vectors {
        None => svd::svd(a, found, None, None, Par::Seq, stack, parameters.into()).is_ok(),
        Some([left, right]) => {
            let mut columns = vec![zero; left.len()];
            let (of_left, of_right) = (left.len() / m.max(1), right.len() / n.max(1));
            let right = MatMut::from_column_major_slice_mut(right, n, of_right);
            let conjugates = MatMut::from_column_major_slice_mut(&mut columns, m, of_left);
            let done = svd::svd(a, found, Some(right), Some(conjugates), Par::Seq, stack, parameters.into());
            for (i, row) in left.chunks_exact_mut(of_left.max(1)).enumerate() {
                row.iter_mut().enumerate().for_each(|(j, x)| *x = columns[j * m + i].conjugate());
            }
            done.is_ok()
        }
    };
    unscaled(values, &diagonal, scale);
    done
}
