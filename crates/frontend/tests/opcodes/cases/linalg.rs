//! Factors of matrices, triangular systems, Fourier transforms.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for lower in [true, false] {
        let body = format!("a = f64[2,3,3] parameter(0)\nROOT l = f64[2,3,3] cholesky(a), lower={lower}");
        all.push(Case::new(Cholesky, &body, &[PositiveDefinite]));
    }
    let complex = "a = c128[2,3,3] parameter(0)\nROOT l = c128[2,3,3] cholesky(a), lower=";
    for lower in [true, false] {
        all.push(Case::new(Cholesky, &format!("{complex}{lower}"), &[Dominant]));
    }
    let complex = "a = c128[3,3] parameter(0)\nb = c128[3,2] parameter(1)\n\
                   ROOT x = c128[3,2] triangular-solve(a, b), left_side=true, lower=true, transpose_a=";
    for transpose in ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"] {
        all.push(Case::new(
            TriangularSolve,
            &format!("{complex}{transpose}"),
            &[Dominant, Between(-1.0, 1.0)],
        ));
    }
    for left in [true, false] {
        for (lower, transpose, unit) in [
            (true, "NO_TRANSPOSE", false),
            (false, "NO_TRANSPOSE", true),
            (true, "TRANSPOSE", true),
            (false, "ADJOINT", false),
        ] {
            let b = if left { "2,3,2" } else { "2,2,3" };
            let body = format!(
                "a = f64[2,3,3] parameter(0)\nb = f64[{b}] parameter(1)\n\
                 ROOT x = f64[{b}] triangular-solve(a, b), left_side={left}, lower={lower}, unit_diagonal={unit}, \
                 transpose_a={transpose}"
            );
            all.push(Case::new(TriangularSolve, &body, &[Dominant, Between(-1.0, 1.0)]));
        }
    }
    for (kind, from, to, lengths, inner) in [
        ("FFT", "c128[2,3]", "c128[2,3]", "3", 0),
        ("IFFT", "c128[2,4]", "c128[2,4]", "2,4", 0),
        ("RFFT", "f64[2,5]", "c128[2,3]", "5", 0),
        ("RFFT", "f64[3,4]", "c128[3,3]", "3,4", 0),
        ("IRFFT", "c128[2,3]", "f64[2,5]", "5", 0),
        ("IRFFT", "c128[3,3]", "f64[3,4]", "3,4", 0),
        ("IRFFT", "c128[2,1]", "f64[2,1]", "1", 0),
        ("FFT", "c128[4,2]", "c128[4,2]", "4", 1),
        ("RFFT", "f64[5,2]", "c128[3,2]", "5", 1),
        ("IRFFT", "c128[3,2]", "f64[4,2]", "4", 1),
    ] {
        let body = format!(
            "x = {from} parameter(0)\nROOT y = {to} fft(x), fft_type={kind}, fft_length={{{lengths}}}, \
             inner_dimensions={inner}"
        );
        all.push(Case::new(Fft, &body, &[Between(-1.0, 1.0)]));
    }
    all
}
