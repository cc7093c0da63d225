//! Measures the elementary functions of f32 over the whole range: `math_sweep [STRIDE] [FUNCTION]`.
//!
//! Prints the greatest error of each function in units in the last place, and where it lies.

#[path = "../tests/math/reference.rs"]
mod reference;

use std::time::Instant;

use lawson_hlo::math::Function;
use reference::{reference, ulps_f32};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let stride: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(101);
    let name = arguments.next().unwrap_or_default();
    for function in Function::ALL {
        if !format!("{function:?}").eq_ignore_ascii_case(&name) && !name.is_empty() {
            continue;
        }
        let mut worst = (0.0, 0.0f32);
        for bits in (0..=u32::MAX).step_by(stride) {
            let x = f32::from_bits(bits);
            let error = ulps_f32(function.apply_f32(x), reference(function, f64::from(x)));
            if error > worst.0 {
                worst = (error, x);
            }
        }
        let start = Instant::now();
        let mut sum = 0.0;
        for i in 0..1_000_000u32 {
            sum += function.apply_f32(i as f32 * 1e-6);
        }
        let nanoseconds = start.elapsed().as_secs_f64() * 1e3;
        println!("{function:?}: {:.3} ulp at {:e}; {nanoseconds:.0} ns a call ({sum})", worst.0, worst.1);
    }
}
