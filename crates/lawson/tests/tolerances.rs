//! The default tolerances: correct programs pass them, wrong values do not.

use lawson::compare::{Tolerance, compare};
use lawson::hlo::{Literal, Scalar};
use lawson::precision::Precision;
use lawson::{Client, Options, load, npz};
use std::path::{Path, PathBuf};

/// Programs of `tests/findings` with inputs and XLA's results. One only copies, and takes long to compile.
fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/findings");
    let all = std::fs::read_dir(root).expect("tests/findings").flatten().map(|e| e.path());
    let mut found: Vec<PathBuf> = all
        .filter(|p| p.extension().is_some_and(|e| e == "hlo") && !p.ends_with("concat_doubling12.hlo"))
        .filter(|p| p.with_extension("in.npz").is_file() && p.with_extension("out.npz").is_file())
        .collect();
    found.sort();
    found
}

/// The array with its element of this number moved by a share of the largest one.
fn damaged(array: &Literal, at: usize, share: f64) -> Literal {
    let value = |s: Scalar| s.as_f64();
    let largest = array.scalars().map(value).map(f64::abs).fold(0.0, f64::max);
    let moved = array.scalars().enumerate().map(|(n, s)| match s {
        Scalar::Float(f) if n == at => Scalar::Float(f + share * largest),
        s => s,
    });
    Literal::from_scalars(array.shape().clone(), moved)
}

#[test]
fn correct_programs_agree_and_a_wrong_element_does_not() {
    let all = programs();
    assert!(all.len() >= 12, "{} programs", all.len());
    for path in all {
        let module = load::file(&path).expect("a module").module;
        let read = |ending: &str, prefix: &str, shapes: &[&lawson::hlo::ArrayShape]| {
            npz::read(&path.with_extension(ending), prefix, shapes).expect("arrays")
        };
        let inputs = read("in.npz", "arg", &load::parameter_leaves(&module));
        let expected = read("out.npz", "out", &load::result_leaves(&module));
        let results = Client::cpu().execute(&module, &inputs, &Options::default()).expect("it runs");
        let precision = Precision::of(&module);
        let tolerance = Tolerance { precision, ..Tolerance::default() };
        for (n, (actual, expected)) in results.iter().zip(&expected).enumerate() {
            let found = compare(n, actual, expected, &tolerance);
            assert!(found.agrees, "{}\n{found}", path.display());
            let share = if precision.is_half { 1e-1 } else { 1e-2 };
            let nonzero = expected.scalars().any(|s| s.as_f64() != 0.0);
            if expected.dtype().part().float().is_some() && nonzero {
                // Where the value is small: there the relative tolerance does not reach.
                let magnitudes: Vec<f64> = expected.scalars().map(|s| s.as_f64().abs()).collect();
                let at = (0..magnitudes.len())
                    .min_by(|&a, &b| magnitudes[a].total_cmp(&magnitudes[b]))
                    .unwrap_or(0);
                let wrong = compare(n, &damaged(expected, at, share), expected, &tolerance);
                assert!(!wrong.agrees, "{}\n{wrong}", path.display());
            }
        }
    }
}
