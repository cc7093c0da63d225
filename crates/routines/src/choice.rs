//! By which algorithm a routine is computed. The next routine is a case of [`approximate`], and of [`complex`] if it takes complex
//! matrices.

use crate::columns::Columns;
use crate::complex_factors;
use crate::element::Element;
use crate::scalar::{numbers, numbers_mut};
use crate::team::Team;
use crate::triangular_solve::{self, Way};
use crate::{cholesky, decompositions, fft, lu, reflectors, tridiagonal};
use lawson_hlo::attrs::TriangularSolve;
use lawson_hlo::library::{BLOCK, Call, GROUP, Input, Output, Routine};
use lawson_hlo::linalg::Linalg;
use num_complex::Complex;
use std::ops::Range;

/// Computes one matrix of the batch, row by row; `exact` asks for the bits of the reference algorithm.
pub(crate) fn run<T: Element>(
    call: &Call,
    exact: bool,
    team: &dyn Team,
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) {
    if let (Routine::TriangularSolve(how), [Input::Elements(a), Input::Elements(b)], [Output::Elements(x)]) =
        (call.routine, operands, &mut *results)
        && !call.dtype.is_complex()
        && let Some(way) = triangular_way(call, how, exact)
    {
        let size = (call.rows as usize, call.columns as usize);
        return triangular_solve::run(team, (a, b), (x, size), how, way);
    }
    match exact || call.is_small() {
        true => call.run(operands, results),
        false => approximate(call, team, operands, results),
    }
}

fn triangular_way(call: &Call, how: TriangularSolve, exact: bool) -> Option<Way> {
    let (rows, columns) = (call.rows as usize, call.columns as usize);
    let (n, sides) = if how.left_side { (rows, columns) } else { (columns, rows) };
    triangular_solve::way(n, sides, how, exact)
}

/// At least so many matrices, in whole groups of those that are computed side by side.
pub fn whole_groups(call: &Call, matrices: usize) -> usize {
    match call.routine {
        Routine::Fft { columns: false, .. } if matrices > 1 => matrices.next_multiple_of(GROUP),
        Routine::Cholesky { .. } if is_factored_beside(call, call.batch as usize) => {
            matrices.next_multiple_of(cholesky::LINE)
        }
        _ => matrices.max(1),
    }
}

/// Operations of a matrix beyond which several threads share them.
const WORTH_A_TEAM: i64 = 1 << 20;

/// Whether several threads share the work of one matrix: what a library computes as a whole is one thread's.
pub fn is_shared(call: &Call) -> bool {
    let shares = match call.routine {
        Routine::Fft { .. } => false,
        Routine::Linalg(Linalg::Qr | Linalg::HouseholderProduct | Linalg::Svd { .. }) => true,
        Routine::Linalg(Linalg::Lu | Linalg::Eigh { .. } | Linalg::Tridiagonal { .. })
        | Routine::Cholesky { .. }
        | Routine::TriangularSolve(_) => !call.dtype.is_complex(),
        Routine::Linalg(
            Linalg::Eig { .. } | Linalg::Hessenberg | Linalg::PivotedQr | Linalg::Schur { .. },
        ) => false,
    };
    shares && call.flops() > WORTH_A_TEAM
}

/// Whether Cholesky's factors of so many matrices are computed side by side, with the same bits as one by one.
fn is_factored_beside(call: &Call, matrices: usize) -> bool {
    let least = if call.unknowns() <= BLOCK { 2 } else { cholesky::LINE / 2 };
    matrices >= least && call.unknowns() <= cholesky::LEAF as i64 && !call.dtype.is_complex()
}

/// Computes matrices that follow each other in the operands and results.
pub(crate) fn run_several<T: Element>(
    call: &Call,
    exact: bool,
    team: &dyn Team,
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
    matrices: usize,
) {
    if let (Routine::Fft { kind, length, columns: false }, [Input::Elements(x)], [Output::Elements(y)]) =
        (call.routine, operands, &mut *results)
        && !exact
    {
        return fft::run_rows(kind, x, y, length as usize, matrices);
    }
    if let (Routine::Cholesky { lower }, [Input::Elements(a)], [Output::Elements(l)]) =
        (call.routine, operands, &mut *results)
        && is_factored_beside(call, matrices)
    {
        return cholesky::run_several(a, l, call.rows as usize, lower);
    }
    for n in 0..matrices {
        let operands: Vec<Input<'_, T>> = operands.iter().map(|o| o.part(n, matrices)).collect();
        let mut results: Vec<Output<'_, T>> = results.iter_mut().map(|r| r.part(n, matrices)).collect();
        run(call, exact, team, &operands, &mut results);
    }
}

/// Transforms columns of a matrix: a group of [`GROUP`], the first of which has a number that is a multiple of it.
pub(crate) fn run_columns<T: Element>(
    call: &Call,
    exact: bool,
    x: &[T],
    columns: Range<usize>,
    y: &mut Columns<'_, T>,
) {
    let Routine::Fft { kind, length, .. } = call.routine else { unreachable!("{} of columns", call.name()) };
    fft::run_columns(kind, (x, call.columns as usize), y, length as usize, columns, exact);
}

/// By an algorithm whose roundings are its own, whatever the order of the matrix.
pub(crate) fn approximate<T: Element>(
    call: &Call,
    team: &dyn Team,
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) {
    use Input::Elements as In;
    use Output::Elements as Out;
    let size = (call.rows as usize, call.columns as usize);
    match (call.routine, operands, results) {
        (Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Linalg(_), operands, results)
            if call.dtype.is_complex() =>
        {
            if !complex(call, team, operands, results) {
                call.run(operands, results);
            }
        }
        (Routine::Cholesky { lower }, [In(a)], [Out(l)]) => cholesky::run(team, a, l, (size.0, lower)),
        (Routine::TriangularSolve(how), [In(a), In(b)], [Out(x)]) => {
            let way = triangular_way(call, how, false).unwrap_or(Way::Blocks);
            triangular_solve::run(team, (a, b), (x, size), how, way);
        }
        (Routine::Fft { kind, length, columns: false }, [In(x)], [Out(y)]) => {
            fft::run(kind, x, y, length as usize);
        }
        (Routine::Fft { columns: true, .. }, [In(x)], [Out(y)]) => {
            let row = y.len() / size.0.max(1);
            let parts = row / size.1.max(1);
            for first in (0..size.1).step_by(GROUP) {
                let columns = first..(first + GROUP).min(size.1);
                let mut part = Columns::of(y, row, columns.start * parts..columns.end * parts);
                run_columns(call, false, x, columns, &mut part);
            }
        }
        (Routine::Linalg(how), operands, results) => {
            let done = match (how, operands, &mut *results) {
                (Linalg::Lu, [In(a)], [Out(factors), Output::Indices(pivots), Output::Indices(rows)]) => {
                    lu::run(team, (a, factors), size, pivots, rows)
                }
                (Linalg::Qr, [In(a)], [Out(packed), Out(taus)]) => {
                    reflectors::qr::<T>(team, (a, packed), size, taus)
                }
                (Linalg::HouseholderProduct, [In(packed), In(taus)], [Out(q)]) => {
                    reflectors::product::<T>(team, (packed, q), size, taus)
                }
                (Linalg::Tridiagonal { lower }, [In(a)], [Out(packed), Out(d), Out(e), Out(taus)]) => {
                    tridiagonal::packed(team, (a, packed), (size.0, lower), [d, e, taus])
                }
                _ => decompositions::run(call, team, operands, results),
            };
            if !done {
                call.run(operands, results);
            }
        }
        (Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Fft { .. }, operands, results) => {
            unreachable!("{} operands and {} results", operands.len(), results.len())
        }
    }
}

/// The same of a complex matrix, if this is the place for it: tells whether it was done.
fn complex<T: Element>(
    call: &Call,
    team: &dyn Team,
    operands: &[Input<'_, T>],
    results: &mut [Output<'_, T>],
) -> bool {
    use Input::Elements as In;
    use Output::Elements as Out;
    let size = (call.rows as usize, call.columns as usize);
    match (call.routine, operands, &mut *results) {
        (Routine::Cholesky { lower }, [In(a)], [Out(l)]) => {
            complex_factors::cholesky(numbers(a), numbers_mut(l), size.0, lower)
        }
        (Routine::TriangularSolve(how), [In(a), In(b)], [Out(x)]) => {
            complex_factors::solve(numbers(a), numbers(b), (numbers_mut(x), size), how)
        }
        (
            Routine::Linalg(Linalg::Lu),
            [In(a)],
            [Out(factors), Output::Indices(pivots), Output::Indices(rows)],
        ) => complex_factors::lu(numbers(a), numbers_mut(factors), size, pivots, rows),
        (Routine::Linalg(Linalg::Qr), [In(a)], [Out(packed), Out(taus)]) => {
            reflectors::qr::<Complex<T>>(team, (numbers(a), numbers_mut(packed)), size, numbers_mut(taus))
        }
        (Routine::Linalg(Linalg::HouseholderProduct), [In(packed), In(taus)], [Out(q)]) => {
            reflectors::product::<Complex<T>>(team, (numbers(packed), numbers_mut(q)), size, numbers(taus))
        }
        _ => decompositions::run(call, team, operands, results),
    }
}
