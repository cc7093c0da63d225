//! Routines on complex matrices, by libraries and however small: factors that multiply to the matrix, triangles and solutions that
//! are nearly those of the reference algorithm.

mod common;

use common::{Float, Made, made_by, narrow, near, noise, outputs, unwritten, ways};
use lawson_hlo::DType;
use lawson_hlo::library::{Call, Input, Routine, residual};
use lawson_hlo::linalg::Linalg;
use lawson_routines::Alone;

fn call<T: Float>(routine: Routine, rows: usize, columns: usize) -> Call {
    let dtype = if T::SIZE == 8 { DType::C128 } else { DType::C64 };
    Call { routine, dtype, batch: 1, rows: rows as i64, columns: columns as i64, reflectors: 0 }
}

/// The results, by the reference algorithm or not.
fn made<T: Float>(call: &Call, operands: &[&[T]], exact: bool) -> Vec<Made<T>> {
    if !exact {
        return made_by(call, operands, &Alone);
    }
    let mut results = unwritten(call);
    let inputs: Vec<Input<'_, T>> = operands.iter().map(|a| Input::Elements(a)).collect();
    T::run(call, true, &inputs, &mut outputs(&mut results));
    results
}

fn floats<T: Clone>(made: &Made<T>) -> Vec<T> {
    match made {
        Made::Elements(x) => x.clone(),
        Made::Indices(_) => panic!("floats"),
    }
}

fn fits<T: Float>(call: &Call, a: &[&[T]]) -> Option<f64> {
    let mut results = made(call, a, false);
    let inputs: Vec<Input<'_, T>> = a.iter().map(|a| Input::Elements(a)).collect();
    residual(call, &inputs, &outputs(&mut results))
}

fn decompositions<T: Float>() {
    let flags = [(true, true), (true, false), (false, true), (false, false)];
    let of_flags = flags.into_iter().flat_map(|(a, b)| {
        [
            Linalg::Eigh { vectors: b, lower: a },
            Linalg::Svd { vectors: a, full: b },
            Linalg::Eig { left: a, right: b },
        ]
    });
    for how in of_flags.chain([Linalg::Lu, Linalg::Qr]) {
        for (rows, columns) in
            [(1, 1), (2, 2), (17, 17), (60, 60), (40, 25), (25, 40), (90, 3), (70, 35), (4, 40), (20, 39)]
        {
            if rows != columns && matches!(how, Linalg::Eigh { .. } | Linalg::Eig { .. }) {
                continue;
            }
            let noise: Vec<T> = narrow(&noise(2 * rows * columns, 5));
            let (call, bound) =
                (call::<T>(Routine::Linalg(how), rows, columns), 20.0 * T::UNIT * (rows.max(columns) as f64));
            for factor in [1.0, 1e-30, 1e30, 0.0] {
                let a: Vec<T> = noise.iter().map(|&x| x * T::of(factor)).collect();
                let residual = fits(&call, &[&a]).expect("it is finite");
                assert!(residual <= bound, "{how:?} of {rows} × {columns}, {factor}: {}", residual / T::UNIT);
            }
            // A column of zeros.
            let mut singular = noise.clone();
            for row in singular.chunks_exact_mut(2 * columns) {
                row[..2].fill(T::of(0.0));
            }
            let residual = fits(&call, &[&singular]).expect("it is finite");
            assert!(residual <= bound, "{how:?} of {rows} × {columns}: {}", residual / T::UNIT);
            let mut broken = noise;
            broken[rows * columns] = T::NAN;
            assert_eq!(fits(&call, &[&broken]), None, "{how:?} of {rows} × {columns}");
        }
    }
}

#[test]
fn decompositions_multiply_to_the_matrix() {
    decompositions::<f32>();
    decompositions::<f64>();
}

fn factors<T: Float>() {
    for (rows, columns) in [(1, 1), (13, 13), (60, 60), (40, 25), (25, 40), (90, 3)] {
        let a: Vec<T> = narrow(&noise(2 * rows * columns, 7));
        // No two pivots are nearly equal.
        let lu = call::<T>(Routine::Linalg(Linalg::Lu), rows, columns);
        let indices = |exact: bool| {
            let made = made(&lu, &[&a], exact).into_iter();
            made.filter_map(|made| match made {
                Made::Indices(x) => Some(x),
                Made::Elements(_) => None,
            })
            .collect::<Vec<_>>()
        };
        assert_eq!(indices(false), indices(true), "{rows} × {columns}");
        // As LAPACK has them: a triangle with a real diagonal, and reflectors of which some are multiplied.
        let qr = call::<T>(Routine::Linalg(Linalg::Qr), rows, columns);
        let both = [true, false].map(|exact| made(&qr, &[&a], exact));
        for (exact, found) in both[0].iter().zip(&both[1]) {
            near(&[floats(exact), floats(found)], 40.0 * T::UNIT * rows as f64, (rows, columns));
        }
        if rows < columns {
            continue;
        }
        let (packed, taus) = (floats(&both[1][0]), floats(&both[1][1]));
        for reflectors in [columns, columns - columns % 3] {
            let call = call::<T>(Routine::Linalg(Linalg::HouseholderProduct), rows, columns);
            let call = Call { reflectors: reflectors as i64, ..call };
            let operands = [&packed[..], &taus[..2 * reflectors]];
            let both = [true, false].map(|exact| floats(&made(&call, &operands, exact)[0]));
            near(&both, 40.0 * T::UNIT * rows as f64, (rows, columns, reflectors));
        }
    }
}

#[test]
fn factors_are_those_of_the_reference() {
    factors::<f32>();
    factors::<f64>();
}

/// A real diagonal of 2 and small elements beside it; what is not read is not a number.
fn triangle(n: usize, is_read: impl Fn(usize, usize) -> bool) -> Vec<f64> {
    let element = |(at, x): (usize, f64)| match (at / 2 / n, at / 2 % n, at % 2) {
        (i, j, _) if !is_read(i, j) => f64::NAN,
        (i, j, part) if i == j => (1 - part) as f64 * (2.0 + x.abs()),
        _ => x / n as f64,
    };
    noise(2 * n * n, 11).into_iter().enumerate().map(element).collect()
}

fn triangles<T: Float>() {
    for n in [1, 2, 9, 33, 100] {
        for lower in [true, false] {
            let a: Vec<T> = narrow(&triangle(n, |i, j| if lower { j <= i } else { i <= j }));
            let call = call::<T>(Routine::Cholesky { lower }, n, n);
            let both = [true, false].map(|exact| floats(&made(&call, &[&a], exact)[0]));
            assert!(both[0].iter().all(|x| x.is_finite()), "{n} {lower}");
            near(&both, 32.0 * T::UNIT, (n, lower));
            // A pivot that is not positive.
            let mut a = a;
            a[2 * (n - 1) * (n + 1)] = T::of(-1.0);
            assert!(floats(&made(&call, &[&a], false)[0]).iter().all(|x| x.is_nan()), "{n} {lower}");
        }
        for (how, sides) in ways().flat_map(|how| [1, 5, 40].map(|sides| (how, sides))) {
            let is_read = |i: usize, j: usize| if i == j { !how.unit_diagonal } else { (i > j) == how.lower };
            let (a, b): (Vec<T>, Vec<T>) = (narrow(&triangle(n, is_read)), narrow(&noise(2 * n * sides, 3)));
            let (rows, columns) = if how.left_side { (n, sides) } else { (sides, n) };
            let call = call::<T>(Routine::TriangularSolve(how), rows, columns);
            let both = [true, false].map(|exact| floats(&made(&call, &[&a, &b], exact)[0]));
            assert!(both[0].iter().all(|x| x.is_finite()), "{n} {how:?}");
            near(&both, 32.0 * T::UNIT, (n, how));
        }
    }
}

#[test]
fn triangles_and_solutions_are_those_of_the_reference() {
    triangles::<f32>();
    triangles::<f64>();
}
