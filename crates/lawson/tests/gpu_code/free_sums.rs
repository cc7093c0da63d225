//! Sums of rows that several warps share: outside of `strict` each thread has a part of them.

use crate::canonical::{layer_norm, softmax};
use crate::counters::run;
use crate::planned::{Planned, random};
use lawson::options::Numerics;
use lawson::{Options, explain, load};

/// How far a value may be from the interpreter's: some units in the last place of one.
const NEAR: f32 = 1e-5;

#[test]
fn they_take_fewer_instructions_and_less_time_and_stay_near() {
    for (rows, columns) in [(150, 1024), (20, 1000), (16, 4096), (18, 3001)] {
        for text in [softmax(rows, columns), layer_norm(rows, columns)] {
            let [strict, free] = [Numerics::Strict, Numerics::Standard].map(|numerics| {
                let planned = Planned::with(("rows", &text), numerics, random);
                let (measured, found) = run(&planned, 0);
                let floats = |bytes: &[u8]| -> Vec<f32> {
                    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
                };
                for (e, f) in floats(planned.expected[0].bytes()).into_iter().zip(floats(&found[0])) {
                    assert!((e - f).abs() <= NEAR * e.abs().max(1.0), "{rows} x {columns}: {e} and {f}");
                }
                (measured.instructions, predicted(&text, numerics))
            });
            println!("{rows} x {columns}: instructions and predicted times {strict:?} and {free:?}");
            assert!(free.0 < strict.0, "{rows} x {columns}: {free:?} and {strict:?}");
            assert!(free.1 <= strict.1, "{rows} x {columns}: {free:?} and {strict:?}");
        }
    }
}

/// Microseconds on an H100.
fn predicted(text: &str, numerics: Numerics) -> f64 {
    let loaded = load::text_of("rows".into(), text.into()).unwrap_or_else(|e| panic!("{e}"));
    let options = Options { target: Some("h100".into()), numerics, ..Options::default() };
    let explanation = explain::explain(&loaded, &options).unwrap_or_else(|e| panic!("{e}"));
    explanation.totals.predicted_us
}
