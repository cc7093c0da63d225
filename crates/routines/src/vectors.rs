//! Loops compiled for the vectors that the processor has. Each element has the same operations in the same order: to the bit.

/// Loops over elements.
pub(crate) trait Loops {
    type Result;
    /// Inlined as far as it loops: what is called is compiled for every processor.
    fn run(self) -> Self::Result;
}

/// Runs loops with AVX2 where the processor has it.
pub(crate) fn with_vectors<L: Loops>(loops: L) -> L::Result {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2(loops) };
    }
    loops.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<L: Loops>(loops: L) -> L::Result {
    loops.run()
}
