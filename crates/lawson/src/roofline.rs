//! What a kernel should take, and what no program that does the same could beat.

use lawson_hlo::{Module, Shape};
use lawson_kernel::figures::Figures;
use lawson_kernel::target::Target;

/// The expected time of one launch on so many threads, in µs: the longer of moving its bytes and doing its work.
pub fn launch_us(figures: &Figures, target: &Target, threads: usize) -> f64 {
    target.launch_us + memory_us(figures, target, threads).max(work_us(figures, target, threads))
}

/// Time to move the bytes of one launch, in µs. Small working sets stay in the last-level cache.
pub fn memory_us(figures: &Figures, target: &Target, threads: usize) -> f64 {
    let bytes = (figures.bytes_read + figures.bytes_written) as f64;
    bytes / bandwidth(bytes, target, threads) / 1e3
}

/// Time to do the operations of one launch, in µs.
pub fn work_us(figures: &Figures, target: &Target, threads: usize) -> f64 {
    figures.work as f64 / (target.gops * threads as f64) / 1e3
}

/// GB/s for a working set of so many bytes.
fn bandwidth(bytes: f64, target: &Target, threads: usize) -> f64 {
    let (one, all) = (target.bandwidth_1t, target.bandwidth);
    let memory = if threads <= 1 { one } else { all };
    if bytes <= target.llc as f64 { target.llc_bandwidth * memory / all } else { memory }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_of_bytes_and_work_counts() {
        let zen4 = Target::zen4();
        let copy = Figures { bytes_read: 64 << 20, bytes_written: 64 << 20, flops: 0, work: 16 << 20 };
        let tanh = Figures { work: copy.work * 60, ..copy };
        assert_eq!(launch_us(&copy, &zen4, 1), zen4.launch_us + memory_us(&copy, &zen4, 1));
        assert_eq!(launch_us(&tanh, &zen4, 1), zen4.launch_us + work_us(&tanh, &zen4, 1));
        assert!(work_us(&tanh, &zen4, 2) < work_us(&tanh, &zen4, 1));
        assert!((memory_us(&copy, &zen4, 1) - 2855.7).abs() < 1.0);
    }

    #[test]
    fn small_working_sets_move_faster() {
        let zen4 = Target::zen4();
        let small = Figures { bytes_read: 1 << 20, ..Figures::default() };
        let large = Figures { bytes_read: 1 << 30, ..Figures::default() };
        assert!(memory_us(&small, &zen4, 2) * 2.0 < memory_us(&large, &zen4, 2) / 1024.0);
    }
}
