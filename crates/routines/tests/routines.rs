//! Blocks against the reference algorithm: the same triangles, the same NaN, nearly the same numbers.

mod common;

use common::{Float, narrow, near, noise, ways};
use lawson_hlo::DType;
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::{Call, GROUP, Input, Output, Routine, elements, lines, residual};
use lawson_hlo::linalg::Linalg;
use lawson_routines::{Alone, Routines, with_narrow_vectors};

const SIZES: [usize; 7] = [1, 2, 3, 8, 33, 97, 200];

fn call<T: Float>(routine: Routine, rows: usize, columns: usize) -> Call {
    let dtype = if T::SIZE == 8 { DType::F64 } else { DType::F32 };
    Call { routine, dtype, batch: 1, rows: rows as i64, columns: columns as i64, reflectors: 0 }
}

/// The result by the reference algorithm, and by blocks however small.
fn both<T: Float>(call: &Call, operands: &[&[T]]) -> [Vec<T>; 2] {
    let garbage = || vec![T::of(77.0); (call.rows * call.columns) as usize];
    let (mut exact, mut rounded) = (garbage(), garbage());
    let operands: Vec<Input<'_, T>> = operands.iter().map(|a| Input::Elements(a)).collect();
    T::run(call, true, &operands, &mut [Output::Elements(&mut exact)]);
    T::approximate(call, &Alone, &operands, &mut [Output::Elements(&mut rounded)]);
    [exact, rounded]
}

/// A diagonal of 2 and small elements beside it: the condition stays near 1.
fn triangle(n: usize, is_read: impl Fn(usize, usize) -> bool) -> Vec<f64> {
    let element = |(at, x): (usize, f64)| match (at / n, at % n) {
        (i, j) if !is_read(i, j) => f64::NAN,
        (i, j) if i == j => 2.0 + x.abs(),
        _ => x / n as f64,
    };
    noise(n * n, 7).into_iter().enumerate().map(element).collect()
}

fn factors<T: Float>() {
    // The largest is turned by squares, of which the last ones are not whole.
    for n in SIZES.into_iter().chain([533]) {
        for lower in [true, false] {
            // Diagonally dominant; the other triangle is not read.
            let read = |i: usize, j: usize| if lower { j <= i } else { i <= j };
            let a: Vec<T> = narrow(&triangle(n, read));
            let call = call::<T>(Routine::Cholesky { lower }, n, n);
            let results = both(&call, &[&a]);
            assert!(results.iter().flatten().all(|x| x.is_finite()), "{n} {lower}");
            for (at, x) in results[1].iter().enumerate() {
                assert!(read(at / n, at % n) || x.wide() == 0.0, "{n} {lower}: the other triangle is zero");
            }
            near(&results, 32.0 * T::UNIT, (n, lower));
        }
    }
}

#[test]
fn blocks_give_the_factors_of_the_reference() {
    factors::<f32>();
    factors::<f64>();
}

/// Blocks that are not divided are factored by other loops with the same operations.
fn same_bits<T: Float>() {
    for n in [1, 7, 8, 9, 33, 64] {
        for lower in [true, false] {
            let a: Vec<T> = narrow(&triangle(n, |_, _| true));
            let [exact, found] = both(&call::<T>(Routine::Cholesky { lower }, n, n), &[&a]);
            let differs =
                exact.iter().zip(&found).position(|(x, y)| x.wide().to_bits() != y.wide().to_bits());
            assert_eq!(differs, None, "Cholesky, {n} {lower}");
        }
    }
    for (rows, columns) in [(1, 1), (5, 16), (16, 16), (33, 16), (200, 3)] {
        let mut a: Vec<T> = narrow(&noise(rows * columns, 5));
        // Equal pivots: the first is taken.
        a.iter_mut().step_by(columns).for_each(|x| *x = T::of(-0.5));
        let call = call::<T>(Routine::Linalg(Linalg::Lu), rows, columns);
        let [exact, found] = [true, false].map(|exact| {
            let (mut factors, mut pivots) = (vec![T::of(77.0); rows * columns], vec![77; rows.min(columns)]);
            let mut order = vec![77; rows];
            let outputs = &mut [
                Output::Elements(&mut factors),
                Output::Indices(&mut pivots),
                Output::Indices(&mut order),
            ];
            match exact {
                true => T::run(&call, true, &[Input::Elements(&a)], outputs),
                false => T::approximate(&call, &Alone, &[Input::Elements(&a)], outputs),
            }
            (factors.iter().map(|x| x.wide().to_bits()).collect::<Vec<_>>(), pivots, order)
        });
        assert_eq!(exact, found, "LU, {rows} × {columns}");
    }
}

#[test]
fn undivided_blocks_have_the_bits_of_the_reference() {
    same_bits::<f32>();
    same_bits::<f64>();
}

#[test]
fn a_pivot_that_is_not_positive_makes_all_nan_wherever_it_stands() {
    for (n, lower) in [(40, true), (40, false), (97, true)] {
        for (at, pivot) in [(0, -1.0), (35, 0.0), (n - 1, f64::NAN), (n - 1, f64::INFINITY)] {
            let mut a = triangle(n, |_, _| true);
            a[at * n + at] = pivot;
            let a: Vec<f32> = narrow(&a);
            let results = both(&call::<f32>(Routine::Cholesky { lower }, n, n), &[&a]);
            assert!(results.iter().flatten().all(|x| x.is_nan()), "{n}: {pivot} at {at}");
        }
    }
}

/// Every way to solve.
fn solutions<T: Float>(n: usize, m: usize, change: impl Fn(&mut [f64], &mut [f64])) {
    for how in ways() {
        let is_read = |i: usize, j: usize| if i == j { !how.unit_diagonal } else { (i > j) == how.lower };
        let (mut a, mut b) = (triangle(n, is_read), noise(n * m, 3));
        change(&mut a, &mut b);
        let (rows, columns) = if how.left_side { (n, m) } else { (m, n) };
        let call = call::<T>(Routine::TriangularSolve(how), rows, columns);
        let results = both::<T>(&call, &[&narrow(&a), &narrow(&b)]);
        near(&results, 32.0 * T::UNIT, (n, how));
    }
}

#[test]
fn blocks_give_the_solutions_of_the_reference() {
    for n in SIZES {
        solutions::<f32>(n, 5, |_, _| {});
        solutions::<f64>(n, 1, |_, _| {});
    }
    solutions::<f32>(97, 64, |_, _| {});
}

/// Triangles that are solved in vectors, along the right-hand sides or along the unknowns, beside the algorithm itself.
fn sides_in_vectors<T: Float>(n: usize, m: usize) {
    for how in ways() {
        let is_read = |i: usize, j: usize| if i == j { !how.unit_diagonal } else { (i > j) == how.lower };
        let (a, b): (Vec<T>, Vec<T>) = (narrow(&triangle(n, is_read)), narrow(&noise(n * m, 3)));
        let (rows, columns) = if how.left_side { (n, m) } else { (m, n) };
        let call = call::<T>(Routine::TriangularSolve(how), rows, columns);
        let operands = [Input::Elements(&a[..]), Input::Elements(&b[..])];
        let (mut one_by_one, mut found) = (vec![T::of(77.0); n * m], vec![T::of(77.0); n * m]);
        call.run(&operands, &mut [Output::Elements(&mut one_by_one)]);
        // Larger ones have roundings of their own where that is allowed.
        for exact in [true, false].into_iter().filter(|exact| *exact || n <= 32) {
            T::run(&call, exact, &operands, &mut [Output::Elements(&mut found)]);
            let bits = |x: &[T]| x.iter().map(|x| x.wide().to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&one_by_one), bits(&found), "{n} with {m} sides: {how:?}");
        }
    }
}

#[test]
fn many_sides_of_small_triangles_have_the_bits_of_the_reference() {
    for n in [1, 3, 17, 32] {
        sides_in_vectors::<f32>(n, 16);
        sides_in_vectors::<f64>(n, 41);
        // More than one panel.
        sides_in_vectors::<f32>(n, 8200 / n + 3);
    }
}

#[test]
fn few_sides_have_the_bits_of_the_reference() {
    for (n, m) in [(16, 1), (17, 1), (31, 3), (32, 5), (32, 15), (33, 2), (48, 1), (64, 15), (97, 1)] {
        sides_in_vectors::<f32>(n, m);
        sides_in_vectors::<f64>(n, m);
    }
}

#[test]
fn zeros_on_the_diagonal_and_infinities_give_nan_where_the_reference_does() {
    let at = 40;
    solutions::<f32>(97, 3, |a, _| a[at * 97 + at] = if a[at * 97 + at].is_nan() { f64::NAN } else { 0.0 });
    solutions::<f64>(97, 3, |_, b| b[at] = f64::INFINITY);
    solutions::<f64>(97, 3, |_, b| b[at] = f64::NAN);
}

/// Decompositions by the library, however small, judged by what they must fulfil.
fn decomposed<T: Float>(how: Linalg, (rows, columns): (usize, usize), a: &[T]) -> Option<f64> {
    let call = call::<T>(Routine::Linalg(how), rows, columns);
    let mut results: Vec<Vec<T>> = call.results().iter().map(|s| vec![T::of(77.0); elements(s)]).collect();
    let mut outputs: Vec<Output<'_, T>> = results.iter_mut().map(|x| Output::Elements(x)).collect();
    T::approximate(&call, &Alone, &[Input::Elements(a)], &mut outputs);
    residual(&call, &[Input::Elements(a)], &outputs)
}

fn decompositions<T: Float>() {
    let flags = [(true, true), (true, false), (false, true), (false, false)];
    for (a, b) in flags {
        for how in [
            Linalg::Eigh { vectors: b, lower: a },
            Linalg::Svd { vectors: a, full: b },
            Linalg::Eig { left: a, right: b },
            Linalg::Tridiagonal { lower: a },
        ] {
            // Further vectors of some wide matrices were not perpendicular.
            let tall =
                [(45, 1), (300, 2), (500, 5), (33, 16), (90, 40), (1, 45), (5, 60), (20, 39), (40, 90)];
            for (rows, columns) in [(33, 33), (150, 150), (64, 40), (40, 64)].into_iter().chain(tall) {
                if rows != columns && !matches!(how, Linalg::Svd { .. }) {
                    continue;
                }
                let noise: Vec<T> = narrow(&noise(rows * columns, 5));
                for factor in [1.0, 1e-30, 1e30, 0.0] {
                    let a: Vec<T> = noise.iter().map(|&x| x * T::of(factor)).collect();
                    let residual = decomposed(how, (rows, columns), &a).expect("it is finite");
                    let bound = 20.0 * T::UNIT * rows.max(columns) as f64;
                    assert!(residual <= bound, "{how:?} of {rows} × {columns}: {}", residual / T::UNIT);
                }
                let mut broken = noise;
                broken[0] = T::NAN;
                assert_eq!(decomposed(how, (rows, columns), &broken), None);
            }
        }
    }
}

/// Factors by blocks, their exchanges and their residual; `None` where they are not finite.
fn factored<T: Float>(a: &[T], (rows, columns): (usize, usize), exact: bool) -> (Option<f64>, Vec<i32>) {
    let call = call::<T>(Routine::Linalg(Linalg::Lu), rows, columns);
    let mut factors = vec![T::of(77.0); rows * columns];
    let (mut pivots, mut order) = (vec![77; rows.min(columns)], vec![77; rows]);
    let mut results =
        [Output::Elements(&mut factors), Output::Indices(&mut pivots), Output::Indices(&mut order)];
    match exact {
        true => call.run(&[Input::Elements(a)], &mut results),
        false => T::approximate(&call, &Alone, &[Input::Elements(a)], &mut results),
    }
    (residual(&call, &[Input::Elements(a)], &results), pivots)
}

fn exchanges<T: Float>() {
    for (rows, columns) in
        [(1, 1), (16, 16), (17, 17), (33, 33), (150, 150), (64, 40), (40, 64), (200, 8), (8, 200)]
    {
        let a: Vec<T> = narrow(&noise(rows * columns, 7));
        let (found, pivots) = factored(&a, (rows, columns), false);
        assert!(
            found.expect("it is finite") <= 20.0 * T::UNIT * rows.max(columns) as f64,
            "{rows} × {columns}"
        );
        assert_eq!(
            pivots,
            factored(&a, (rows, columns), true).1,
            "{rows} × {columns}: no two are nearly equal"
        );
        let mut broken = a.clone();
        broken[rows * columns / 2] = T::NAN;
        assert_eq!(factored(&broken, (rows, columns), false).0, None);
        // A column of zeros stays as it is.
        let mut singular = a;
        singular.iter_mut().step_by(columns).for_each(|x| *x = T::of(0.0));
        let (found, pivots) = factored(&singular, (rows, columns), false);
        assert!(
            found.expect("it is finite") <= 20.0 * T::UNIT * rows.max(columns) as f64,
            "{rows} × {columns}"
        );
        assert_eq!(pivots[0], 0);
    }
}

#[test]
fn blocks_give_the_exchanges_of_the_reference() {
    exchanges::<f32>();
    exchanges::<f64>();
}

#[test]
fn decompositions_of_the_library_multiply_to_the_matrix() {
    decompositions::<f32>();
    decompositions::<f64>();
}

/// QR factors and the product of their reflectors by panels; `None` where a factor is not finite.
fn reflected<T: Float>(a: &[T], (rows, columns): (usize, usize)) -> Option<[f64; 2]> {
    let factors = call::<T>(Routine::Linalg(Linalg::Qr), rows, columns);
    let count = rows.min(columns);
    let (mut packed, mut taus) = (vec![T::of(77.0); rows * columns], vec![T::of(77.0); count]);
    let mut results = [Output::Elements(&mut packed), Output::Elements(&mut taus)];
    T::approximate(&factors, &Alone, &[Input::Elements(a)], &mut results);
    let error = residual(&factors, &[Input::Elements(a)], &results)?;
    if rows < columns {
        return Some([error, 0.0]);
    }
    // Fewer reflectors than columns, too.
    let taus = &taus[..count.saturating_sub(columns % 3)];
    let routine = Routine::Linalg(Linalg::HouseholderProduct);
    let product = Call { reflectors: taus.len() as i64, ..call::<T>(routine, rows, columns) };
    let operands = [Input::Elements(&packed[..]), Input::Elements(taus)];
    let mut q = vec![T::of(77.0); rows * columns];
    T::approximate(&product, &Alone, &operands, &mut [Output::Elements(&mut q)]);
    Some([error, residual(&product, &operands, &[Output::Elements(&mut q)])?])
}

fn reflections<T: Float>() {
    for (rows, columns) in
        [(1, 1), (2, 2), (31, 31), (33, 33), (150, 150), (64, 40), (40, 64), (200, 8), (8, 200), (97, 65)]
            .into_iter()
            // Panels of few columns: one, groups of reflectors and a rest, the last square of rows not whole.
            .chain([(45, 1), (16, 1), (1500, 2), (1234, 5), (517, 9), (64, 16), (33, 30), (1, 7)])
    {
        let noise: Vec<T> = narrow(&noise(rows * columns, 9));
        let bound = 20.0 * T::UNIT * rows.max(columns) as f64;
        for factor in [1.0, 1e-30, 1e30, 0.0] {
            let a: Vec<T> = noise.iter().map(|&x| x * T::of(factor)).collect();
            let found = reflected(&a, (rows, columns)).expect("it is finite");
            assert!(found.iter().all(|&error| error <= bound), "{rows} × {columns}, {factor}: {found:?}");
        }
        // A column of zeros has nothing to reflect.
        let mut singular = noise.clone();
        singular.iter_mut().step_by(columns).for_each(|x| *x = T::of(0.0));
        let found = reflected(&singular, (rows, columns)).expect("it is finite");
        assert!(found.iter().all(|&error| error <= bound), "{rows} × {columns}: {found:?}");
        // Also where all other elements of its column are zero.
        for mut broken in [noise, singular] {
            let last = (rows - 1) * columns;
            broken[last] = T::NAN;
            assert_eq!(reflected(&broken, (rows, columns)), None);
        }
    }
}

#[test]
fn reflectors_by_panels_multiply_to_the_matrix() {
    reflections::<f32>();
    reflections::<f64>();
}

/// Singular values by the reference algorithm and by bisection.
fn singular_values<T: Float>(a: &[T], (rows, columns): (usize, usize)) -> [Vec<T>; 2] {
    let call = call::<T>(Routine::Linalg(Linalg::Svd { vectors: false, full: false }), rows, columns);
    let n = rows.min(columns);
    let (mut exact, mut found) = (vec![T::of(77.0); n], vec![T::of(77.0); n]);
    T::run(&call, true, &[Input::Elements(a)], &mut [Output::Elements(&mut exact)]);
    T::approximate(&call, &Alone, &[Input::Elements(a)], &mut [Output::Elements(&mut found)]);
    [exact, found]
}

fn values<T: Float>() {
    for (rows, columns) in
        [(1, 1), (2, 2), (3, 5), (33, 33), (130, 130), (64, 40), (40, 64), (200, 8), (8, 200)]
    {
        let n = rows.min(columns);
        let of = |a: &[T]| singular_values(a, (rows, columns));
        let mut a = noise(rows * columns, 13);
        let bound = 4.0 * T::UNIT * (rows + columns) as f64;
        near(&of(&narrow(&a)), bound * 10.0, (rows, columns));
        // Rows that are equal, of which all values but one are nothing.
        let row = a[..columns].to_vec();
        a.chunks_exact_mut(columns).for_each(|other| other.copy_from_slice(&row));
        near(&of(&narrow(&a)), bound * 10.0, (rows, columns));
        // Values that are equal come out exact.
        let diagonal: Vec<T> = narrow(
            &(0..rows * columns)
                .map(|at| f64::from(u8::from(at % (columns + 1) == 0 && at / columns < n)))
                .collect::<Vec<_>>(),
        );
        assert!(of(&diagonal)[1].iter().all(|s| s.wide() == 1.0), "{rows} × {columns}");
        a[rows * columns / 2] = f64::INFINITY;
        assert!(of(&narrow(&a)).iter().flatten().all(|s| s.is_nan()), "{rows} × {columns}");
    }
}

#[test]
fn singular_values_by_bisection_are_those_of_the_reference() {
    values::<f32>();
    values::<f64>();
    // The first place that is tried makes the first pivot zero.
    let element = 1.0 + f32::EPSILON;
    let a = [element, 0.5, 0.0, 0.0, 0.75, 0.0, 0.0, 0.0, 2.0];
    near(&singular_values(&a, (3, 3)), 4.0 * f64::from(f32::EPSILON), a);
}

/// Floats of a row that is read, of one that is made, and its columns.
fn row_of(kind: FftKind, n: usize) -> (usize, usize, usize) {
    let ((read, of_read), (made, of_made)) = lines(kind, n);
    (read * of_read, made * of_made, made)
}

/// With the vectors of this processor, and with those of others.
fn with_all_vectors(f: impl Fn()) {
    f();
    with_narrow_vectors(f);
}

fn transforms<T: Float>() {
    for n in [
        1usize, 2, 3, 4, 5, 16, 31, 37, 60, 97, 120, 128, 200, 230, 256, 496, 500, 512, 1001, 1024, 1456,
        2048, 4096, 8192,
    ] {
        for kind in [FftKind::Fft, FftKind::Ifft, FftKind::Rfft, FftKind::Irfft] {
            let (read, made, columns) = row_of(kind, n);
            let routine = Routine::Fft { kind, length: n as i64, columns: false };
            let call = Call { rows: 1, columns: columns as i64, ..call::<T>(routine, 1, columns) };
            let x: Vec<T> = narrow(&noise(read, 11));
            let garbage = || vec![T::of(77.0); made];
            let (mut exact, mut rounded) = (garbage(), garbage());
            T::run(&call, true, &[Input::Elements(&x)], &mut [Output::Elements(&mut exact)]);
            T::run(&call, false, &[Input::Elements(&x)], &mut [Output::Elements(&mut rounded)]);
            let size = exact.iter().fold(1.0f64, |m, x| m.max(x.wide().abs()));
            near(&[exact, rounded], 16.0 * T::UNIT * size, (n, kind));
        }
    }
}

#[test]
fn transforms_are_those_of_the_reference() {
    with_all_vectors(transforms::<f32>);
    with_all_vectors(transforms::<f64>);
}

/// Small matrices of a batch that are factored side by side have the bits of those that are factored alone; one of them is not
/// positive, one has a number that is none.
#[test]
fn small_factors_of_a_batch_are_those_of_the_reference() {
    fn check<T: Float>(n: usize, matrices: usize, lower: bool) {
        let call = call::<T>(Routine::Cholesky { lower }, n, n);
        let mut a: Vec<T> = narrow(&noise(n * n * matrices, 5));
        for (m, a) in a.chunks_exact_mut((n * n).max(1)).enumerate() {
            (0..n).for_each(|i| a[i * n + i] = T::of(n as f64 * if m == 1 { -1.0 } else { 1.0 }));
        }
        if matrices > 2 && n > 0 {
            a[2 * n * n] = T::NAN;
        }
        let mut together = vec![T::of(77.0); a.len()];
        let mut alone = together.clone();
        let operand = [Input::Elements(&a[..])];
        let mut rounded = together.clone();
        T::run_several(&call, true, &Alone, &operand, &mut [Output::Elements(&mut together)], matrices);
        T::run_several(&call, false, &Alone, &operand, &mut [Output::Elements(&mut rounded)], matrices);
        for (a, l) in a.chunks_exact((n * n).max(1)).zip(alone.chunks_exact_mut((n * n).max(1))) {
            T::run(&call, true, &[Input::Elements(a)], &mut [Output::Elements(l)]);
        }
        let same = |(x, y): (&T, &T)| {
            x.wide().to_bits() == y.wide().to_bits() || x.wide().is_nan() && y.wide().is_nan()
        };
        assert!(together.iter().zip(&alone).all(same), "{n} {matrices} {lower}");
        assert!(rounded.iter().zip(&alone).all(same), "{n} {matrices} {lower}");
    }
    for n in [0, 1, 2, 5, 16, 32, 33, 64] {
        for matrices in [1, 2, 7, 8, 19] {
            for lower in [false, true] {
                check::<f32>(n, matrices, lower);
                check::<f64>(n, matrices, lower);
            }
        }
    }
}

/// Rows that follow each other, however they are divided among calls; one of them is not finite.
fn rows_of_a_batch<T: Float>() {
    for n in [2usize, 4, 6, 8, 14, 16, 15, 22, 26, 32, 33, 45, 58, 60, 64, 92, 100, 128, 256, 294] {
        use FftKind::*;
        for (kind, rows) in [(Fft, 37), (Ifft, 20), (Fft, 3), (Rfft, 37), (Rfft, 16), (Irfft, 37), (Irfft, 5)]
        {
            let (read, made, columns) = row_of(kind, n);
            let routine = Routine::Fft { kind, length: n as i64, columns: false };
            let call = Call { rows: 1, columns: columns as i64, ..call::<T>(routine, 1, columns) };
            let mut x: Vec<T> = narrow(&noise(read * rows, 7));
            x[read * (rows - 1)] = T::NAN;
            let run = |parts: &[usize], exact: bool| -> Vec<T> {
                let mut y = vec![T::of(77.0); made * rows];
                let (mut from, mut to) = (&x[..], &mut y[..]);
                for &rows in parts {
                    let (now, rest) = std::mem::take(&mut to).split_at_mut(made * rows);
                    let (operand, left) = from.split_at(read * rows);
                    let mut results = [Output::Elements(now)];
                    T::run_several(&call, exact, &Alone, &[Input::Elements(operand)], &mut results, rows);
                    (from, to) = (left, rest);
                }
                y
            };
            let (exact, whole) = (run(&[rows], true), run(&[rows], false));
            let size = exact.iter().filter(|x| !x.wide().is_nan()).fold(1.0f64, |m, x| m.max(x.wide().abs()));
            let but_last = |y: &[T]| y[..made * (rows - 1)].to_vec();
            near(&[but_last(&exact), but_last(&whole)], 16.0 * T::UNIT * size, (n, kind, rows));
            assert!(
                [exact, whole.clone()]
                    .iter()
                    .all(|y| y[made * (rows - 1)..].iter().any(|x| x.wide().is_nan()))
            );
            // A group of numbers, which the row that is none did not send elsewhere.
            if rows > GROUP {
                let parts = run(&[GROUP, rows - GROUP], false);
                let same = |(a, b): (&T, &T)| {
                    a.wide().to_bits() == b.wide().to_bits() || a.wide().is_nan() && b.wide().is_nan()
                };
                assert!(parts.iter().zip(&whole).all(same), "{n} {kind:?}");
            }
        }
    }
}

#[test]
fn rows_of_a_batch_are_those_of_the_reference() {
    with_all_vectors(rows_of_a_batch::<f32>);
    with_all_vectors(rows_of_a_batch::<f64>);
}

/// Columns of a matrix, also fewer than a vector has lanes; one of them is not finite.
#[test]
fn columns_are_those_of_the_reference() {
    fn check<T: Float>() {
        for n in [0usize, 1, 2, 3, 4, 5, 6, 8, 14, 17, 30, 33, 38, 44, 52, 60, 64, 93, 105, 250, 512] {
            use FftKind::*;
            for (kind, columns) in [(Fft, 37), (Ifft, 16), (Rfft, 21), (Irfft, 37), (Fft, 2), (Irfft, 5)] {
                let (read, made, _) = row_of(kind, n);
                let rows = if kind == Irfft { n } else { made / 2 };
                let routine = Routine::Fft { kind, length: n as i64, columns: true };
                let call =
                    Call { rows: rows as i64, columns: columns as i64, ..call::<T>(routine, 1, columns) };
                let mut x: Vec<T> = narrow(&noise(read * columns, 7));
                let last = |i: usize, parts: usize| i / parts % columns == columns - 1;
                let (of_read, of_made) =
                    (if kind == Rfft { 1 } else { 2 }, if kind == Irfft { 1 } else { 2 });
                if n > 0 {
                    x[(columns - 1) * of_read] = T::NAN;
                }
                let transformed = |exact: bool| -> Vec<T> {
                    let mut y = vec![T::of(77.0); made * columns];
                    T::run(&call, exact, &[Input::Elements(&x)], &mut [Output::Elements(&mut y)]);
                    y
                };
                let (exact, rounded) = (transformed(true), transformed(false));
                let kept = |y: &[T]| -> Vec<T> {
                    y.iter().enumerate().filter(|&(i, _)| !last(i, of_made)).map(|(_, &x)| x).collect()
                };
                let size = kept(&exact).iter().fold(1.0f64, |m, x| m.max(x.wide().abs()));
                near(&[kept(&exact), kept(&rounded)], 16.0 * T::UNIT * size, (n, kind, columns));
                for y in [exact, rounded] {
                    let of_last = y.iter().enumerate().filter(|&(i, _)| last(i, of_made));
                    assert!(n == 0 || of_last.into_iter().any(|(_, x)| x.wide().is_nan()), "{n} {kind:?}");
                }
            }
        }
    }
    with_all_vectors(check::<f32>);
    with_all_vectors(check::<f64>);
}

/// The imaginary parts that a real row cannot have are not looked at, and NaN anywhere is NaN everywhere.
#[test]
fn transforms_keep_the_rules_of_the_reference() {
    for n in [6usize, 7] {
        let half = n / 2 + 1;
        let routine = Routine::Fft { kind: FftKind::Irfft, length: n as i64, columns: false };
        let call = call::<f64>(routine, 1, n);
        let mut x = noise(2 * half, 5);
        let mut plain = x.clone();
        plain[1] = 0.0;
        if n % 2 == 0 {
            plain[2 * half - 1] = 0.0;
        }
        let mut results = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        f64::run(&call, false, &[Input::Elements(&x)], &mut [Output::Elements(&mut results[0])]);
        f64::run(&call, false, &[Input::Elements(&plain)], &mut [Output::Elements(&mut results[1])]);
        assert_eq!(results[0], results[1]);
        x[2] = f64::NAN;
        for exact in [true, false] {
            f64::run(&call, exact, &[Input::Elements(&x)], &mut [Output::Elements(&mut results[2])]);
            assert!(results[2].iter().all(|x| x.is_nan()));
        }
    }
}
