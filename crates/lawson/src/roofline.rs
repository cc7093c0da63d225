//! What no program that does the same could beat.

use lawson_hlo::{Module, Shape};
use lawson_kernel::target::Target;

/// Bytes of the arguments and of the results, each once.
pub fn interface_bytes(module: &Module) -> (u64, u64) {
    let of = |s: &Shape| crate::memory::bytes(s);
    let read = module.entry().parameter_shapes().into_iter().map(of).fold(0, u64::saturating_add);
    (read, of(&module.entry().root().shape))
}

/// Time for so many floating-point operations at full rate, in µs; a multiply-add counts two.
pub fn peak_us(flops: u64, target: &Target, threads: usize) -> f64 {
    flops as f64 / (2.0 * target.gops * threads as f64) / 1e3
}
