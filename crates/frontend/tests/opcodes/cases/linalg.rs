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
    for (kind, from, to, lengths) in [
        ("FFT", "c128[2,3]", "c128[2,3]", "3"),
        ("IFFT", "c128[2,4]", "c128[2,4]", "2,4"),
        ("RFFT", "f64[2,5]", "c128[2,3]", "5"),
        ("RFFT", "f64[3,4]", "c128[3,3]", "3,4"),
        ("IRFFT", "c128[2,3]", "f64[2,5]", "5"),
        ("IRFFT", "c128[3,3]", "f64[3,4]", "3,4"),
        ("IRFFT", "c128[2,1]", "f64[2,1]", "1"),
    ] {
        let body = format!(
            "x = {from} parameter(0)\nROOT y = {to} fft(x), fft_type={kind}, fft_length={{{lengths}}}"
        );
        all.push(Case::new(Fft, &body, &[Between(-1.0, 1.0)]));
    }
    all
}
