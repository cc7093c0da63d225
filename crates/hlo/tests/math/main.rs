//! The elementary functions against higher precision: samples of all magnitudes, the neighbours of every threshold,
//! and the special values.

mod accuracy_f32;
mod accuracy_f64;
mod exact;
mod reference;
mod samples;
mod specials;

use lawson_hlo::math::Function;

/// The promised bound in units in the last place.
fn bound(function: Function) -> f64 {
    if function == Function::Tan { 4.0 } else { 2.0 }
}
