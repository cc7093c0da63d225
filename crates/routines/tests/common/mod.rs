//! Matrices and calls for the tests of routines.
#![allow(dead_code, reason = "no test uses all of them")]

use lawson_hlo::attrs::{Transpose, TriangularSolve};
use lawson_hlo::library::{Call, Input, Output, elements};
use lawson_routines::{Routines, Team};

/// Numbers in [−1, 1) that look random, the same every time.
pub fn noise(count: usize, seed: u32) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f64 / f64::from(1 << 23) - 1.0
    };
    (0..count).map(|_| next()).collect()
}

pub trait Float: Routines {
    const UNIT: f64;
}

macro_rules! float {
    ($t:ident) => {
        impl Float for $t {
            const UNIT: f64 = $t::EPSILON as f64;
        }
    };
}

float!(f32);
float!(f64);

pub fn narrow<T: Float>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&x| T::of(x)).collect()
}

pub fn near<T: Float>([exact, rounded]: &[Vec<T>; 2], bound: f64, what: impl std::fmt::Debug) {
    for (n, (x, y)) in exact.iter().zip(rounded).enumerate() {
        let same = x.wide() == y.wide() || x.wide().is_nan() && y.wide().is_nan();
        let error = (x.wide() - y.wide()).abs();
        assert!(same || error <= bound, "{what:?}: element {n} is {} and {}", x.wide(), y.wide());
    }
}

/// All ways to ask for a triangle's solution.
pub fn ways() -> impl Iterator<Item = TriangularSolve> {
    let flags = (0..8).map(|n| [n & 1 != 0, n & 2 != 0, n & 4 != 0]);
    flags.flat_map(|[left_side, lower, unit_diagonal]| {
        [Transpose::No, Transpose::Transpose, Transpose::Adjoint].map(|transpose_a| TriangularSolve {
            left_side,
            lower,
            unit_diagonal,
            transpose_a,
        })
    })
}

/// What a routine writes for one matrix.
#[derive(PartialEq)]
pub enum Made<T> {
    Elements(Vec<T>),
    Indices(Vec<i32>),
}

impl<T: Float> Made<T> {
    pub fn is_finite(&self) -> bool {
        match self {
            Made::Elements(x) => x.iter().all(|x| x.wide().is_finite()),
            Made::Indices(_) => true,
        }
    }
}

/// Places for the results of a call.
pub fn unwritten<T: Float>(call: &Call) -> Vec<Made<T>> {
    let results = call.results();
    let places = results.iter().map(|shape| match shape.dtype.is_integer() {
        true => Made::Indices(vec![77; elements(shape)]),
        false => Made::Elements(vec![T::of(77.0); elements(shape)]),
    });
    places.collect()
}

pub fn outputs<T>(results: &mut [Made<T>]) -> Vec<Output<'_, T>> {
    let outputs = results.iter_mut().map(|made| match made {
        Made::Elements(x) => Output::Elements(x),
        Made::Indices(x) => Output::Indices(x),
    });
    outputs.collect()
}

/// The results by another algorithm than the reference's, by a team.
pub fn made_by<T: Float>(call: &Call, operands: &[&[T]], team: &dyn Team) -> Vec<Made<T>> {
    let mut results = unwritten(call);
    let inputs: Vec<Input<'_, T>> = operands.iter().map(|a| Input::Elements(a)).collect();
    T::approximate(call, team, &inputs, &mut outputs(&mut results));
    results
}
