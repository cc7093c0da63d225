//! Routines on the host: by the reference algorithm, by blocks whose products a library computes, or by a library.
//!
//! `choice` chooses, for each routine in one place. Both ways read the same elements and give NaN in the same places, and
//! a matrix has the same bits on any number of threads.
//!
//! A crate of its own, since the libraries are generic: [`Routines`] has their code made here, once, beside the compilation of the rest.

mod blocks;
mod choice;
mod cholesky;
mod columns;
mod complex_factors;
mod complex_panel;
mod decompositions;
mod eigenvalues;
mod element;
mod fft;
#[cfg(target_arch = "x86_64")]
mod instructions;
mod lines;
mod lu;
mod real_panel;
mod reflectors;
mod scalar;
mod scaling;
mod singular_values;
mod singular_vectors;
mod substitution;
mod team;
mod triangular_solve;
mod tridiagonal;
mod vectors;

pub use choice::{is_shared, whole_groups};
pub use columns::Columns;
pub use element::Element;
/// For tests.
#[doc(hidden)]
pub use fft::lanes::with_narrow_vectors;
pub use team::{Alone, Team};

use lawson_hlo::library::{Call, Input, Output};
use std::ops::Range;

/// The routines of matrices of one type, f32 or f64 and their complex numbers. A trait, so that the code for both is part of this crate:
/// generic functions would be compiled again wherever they are called.
pub trait Routines: Element {
    /// Computes one matrix of the batch, row by row; `exact` asks for the bits of the reference algorithm.
    fn run(call: &Call, exact: bool, operands: &[Input<'_, Self>], results: &mut [Output<'_, Self>]);

    /// Computes matrices that follow each other in the operands and results, each by all of a team.
    fn run_several(
        call: &Call,
        exact: bool,
        team: &dyn Team,
        operands: &[Input<'_, Self>],
        results: &mut [Output<'_, Self>],
        matrices: usize,
    );

    /// Transforms columns of a matrix: a group of [`lawson_hlo::library::GROUP`], the first of which has a number that is a multiple
    /// of it.
    fn run_columns(call: &Call, exact: bool, x: &[Self], columns: Range<usize>, y: &mut Columns<'_, Self>);

    /// By an algorithm whose roundings are its own, whatever the order of the matrix; by all of a team.
    fn approximate(
        call: &Call,
        team: &dyn Team,
        operands: &[Input<'_, Self>],
        results: &mut [Output<'_, Self>],
    );
}

macro_rules! routines {
    ($t:ident) => {
        impl Routines for $t {
            fn run(call: &Call, exact: bool, operands: &[Input<'_, $t>], results: &mut [Output<'_, $t>]) {
                choice::run(call, exact, &Alone, operands, results);
            }

            fn run_several(
                call: &Call,
                exact: bool,
                team: &dyn Team,
                operands: &[Input<'_, $t>],
                results: &mut [Output<'_, $t>],
                matrices: usize,
            ) {
                choice::run_several(call, exact, team, operands, results, matrices);
            }

            fn run_columns(
                call: &Call,
                exact: bool,
                x: &[$t],
                columns: Range<usize>,
                y: &mut Columns<'_, $t>,
            ) {
                choice::run_columns(call, exact, x, columns, y);
            }

            fn approximate(
                call: &Call,
                team: &dyn Team,
                operands: &[Input<'_, $t>],
                results: &mut [Output<'_, $t>],
            ) {
                choice::approximate(call, team, operands, results);
            }
        }
    };
}

routines!(f32);
routines!(f64);
