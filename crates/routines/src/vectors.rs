//! Loops compiled for the vectors that the processor has, and the loops over lines that routines share. On every processor an element
//! has the same operations in the same order: to the bit.

use crate::element::Element;
use lawson_hlo::library::Real;

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

/// Elements of a line: partial results of a reduction, so many that the next one does not wait for the last.
pub(crate) const LANES: usize = 16;

pub(crate) type Line<T> = [T; LANES];

/// The sum of the products of elements, in an order of its own.
#[inline(always)]
pub(crate) fn dot<T: Element>(x: &[Line<T>], y: &[Line<T>]) -> T {
    let mut sums = [<T as Real>::ZERO; LANES];
    for (x, y) in x.iter().zip(y) {
        sums = std::array::from_fn(|lane| sums[lane] + x[lane] * y[lane]);
    }
    halved(sums, |a, b| a + b)
}

/// `x -= factor y`
#[inline(always)]
pub(crate) fn subtract<T: Element>(x: &mut [Line<T>], factor: T, y: &[Line<T>]) {
    for (x, &y) in x.as_flattened_mut().iter_mut().zip(y.as_flattened()) {
        *x -= factor * y;
    }
}

/// The largest absolute value of those that are numbers.
#[inline(always)]
pub(crate) fn largest<T: Element>(x: &[Line<T>]) -> T {
    let larger = |most: T, x: T| if x > most { x } else { most };
    let mut most = [<T as Real>::ZERO; LANES];
    for x in x {
        for (most, &x) in most.iter_mut().zip(x) {
            *most = larger(*most, Real::abs(x));
        }
    }
    halved(most, larger)
}

/// Lanes combined in halves, since one after the other would wait.
#[inline(always)]
pub(crate) fn halved<T: Element>(lanes: Line<T>, combine: impl Fn(T, T) -> T) -> T {
    // By way of memory: LLVM would compute what comes before in vectors of two too, as this ends.
    let mut lanes = std::hint::black_box(lanes);
    let mut half = LANES / 2;
    while half > 0 {
        let (first, last) = lanes.split_at_mut(half);
        for (x, y) in first.iter_mut().zip(last) {
            *x = combine(*x, *y);
        }
        half /= 2;
    }
    lanes[0]
}
