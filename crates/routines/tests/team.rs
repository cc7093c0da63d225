//! Matrices that several threads work on have the bits that one thread gives them.

mod common;

use common::{Float, Made, made_by, narrow, noise};
use lawson_hlo::DType;
use lawson_hlo::attrs::{Transpose, TriangularSolve};
use lawson_hlo::library::{Call, Routine, elements};
use lawson_hlo::linalg::Linalg;
use lawson_routines::{Alone, Team};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads that are begun for each loop; counts the loops.
struct Threads {
    threads: usize,
    loops: AtomicUsize,
}

impl Team for Threads {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&self, tasks: usize, body: &(dyn Fn(usize) + Sync)) {
        self.loops.fetch_add(1, Ordering::Relaxed);
        std::thread::scope(|scope| (0..tasks).for_each(|n| drop(scope.spawn(move || body(n)))));
    }
}

/// One matrix by one thread, and by teams of two and five, of which each must have had loops to run.
fn same_bits<T: Float>(routine: Routine, complex: bool, (rows, columns): (usize, usize)) {
    let dtype = match (T::SIZE == 8, complex) {
        (false, false) => DType::F32,
        (true, false) => DType::F64,
        (false, true) => DType::C64,
        (true, true) => DType::C128,
    };
    let call = Call {
        routine,
        dtype,
        batch: 1,
        rows: rows as i64,
        columns: columns as i64,
        reflectors: columns.min(rows) as i64,
    };
    let operands: Vec<Vec<T>> = call
        .operands()
        .iter()
        .enumerate()
        .map(|(n, shape)| {
            // Small ones, so that products of reflectors stay so, and great ones on diagonals: definite, and triangles whose solutions
            // stay small.
            let mut a: Vec<f64> = noise(elements(shape), 7 + n as u32).iter().map(|x| x / 50.0).collect();
            if let &[.., m, n] = shape.dims.as_slice()
                && m == n
            {
                let parts = if complex { 2 } else { 1 };
                a.iter_mut().step_by(parts * (n as usize + 1)).for_each(|x| *x += n as f64);
            }
            narrow(&a)
        })
        .collect();
    let operands: Vec<&[T]> = operands.iter().map(Vec::as_slice).collect();
    let alone: Vec<Made<T>> = made_by(&call, &operands, &Alone);
    assert!(alone.iter().all(Made::is_finite), "{}", call.name());
    for threads in [2, 5] {
        let team = Threads { threads, loops: AtomicUsize::new(0) };
        let together = made_by(&call, &operands, &team);
        assert!(alone == together, "{} of {rows} x {columns} by {threads}", call.name());
        assert!(team.loops.into_inner() > 0, "{} of {rows} x {columns}", call.name());
    }
}

fn solve(left_side: bool, lower: bool) -> Routine {
    Routine::TriangularSolve(TriangularSolve {
        left_side,
        lower,
        unit_diagonal: false,
        transpose_a: Transpose::No,
    })
}

fn of_real<T: Float>() {
    same_bits::<T>(Routine::Cholesky { lower: true }, false, (300, 300));
    same_bits::<T>(Routine::Cholesky { lower: false }, false, (333, 333));
    same_bits::<T>(solve(true, true), false, (150, 222));
    same_bits::<T>(solve(false, false), false, (222, 150));
    for size in [(333, 333), (500, 270), (270, 500)] {
        same_bits::<T>(Routine::Linalg(Linalg::Lu), false, size);
        same_bits::<T>(Routine::Linalg(Linalg::Qr), false, size);
    }
    same_bits::<T>(Routine::Linalg(Linalg::HouseholderProduct), false, (400, 300));
    same_bits::<T>(Routine::Linalg(Linalg::Tridiagonal { lower: true }), false, (400, 400));
}

#[test]
fn real_matrices_have_the_same_bits_by_any_team() {
    of_real::<f32>();
    of_real::<f64>();
}

#[test]
fn complex_matrices_have_the_same_bits_by_any_team() {
    for size in [(200, 200), (260, 170)] {
        same_bits::<f32>(Routine::Linalg(Linalg::Qr), true, size);
        same_bits::<f64>(Routine::Linalg(Linalg::Qr), true, size);
    }
}

#[test]
fn singular_vectors_of_tall_matrices_have_the_same_bits_by_any_team() {
    same_bits::<f32>(Routine::Linalg(Linalg::Svd { full: true, vectors: true }), false, (400, 80));
}
