//! Products of small matrices that the lanes of vectors hold together: what the matrix units of graphics processors do.
//!
//! Each 32 lanes, those of a warp, multiply 16 rows of 8 words by 8 columns of 8 words, and add 16 × 8 sums. A word holds one,
//! two or four factors that follow each other along the summed dimension, the first in its lowest bits. Lane 4·g + t of a warp
//! has (NVIDIA's PTX ISA 8.5, "Matrix Fragments for mma.m16n8k16"; the same for all types, counted in words):
//!
//! | vectors | what the lane has of them |
//! |---|---|
//! | left | word t of the rows g and g + 8, word t + 4 of the rows g and g + 8 |
//! | right | words t and t + 4 of column g |
//! | sums, results | columns 2t and 2t + 1 of row g, the same of row g + 8 |
//!
//! Sums of integers wrap. The order in which floats are added, and how sums in between are rounded, is the machine's own, so only
//! what is exact is the same everywhere: here it is `f64`, rounded once.

use super::{CopyAsync, Elem, Factor, MatrixProduct, Type, V};
use half::{bf16, f16};

/// Lanes that multiply one pair of matrices.
pub const WARP_LANES: u32 = 32;
/// Rows of the left matrix, columns of the right one, and words of each of those.
pub const ROWS: i64 = 16;
pub const COLUMNS: i64 = 8;
pub const WORDS: i64 = 8;

impl Factor {
    /// Factors of a word.
    pub fn in_word(self) -> i64 {
        match self {
            Factor::Tf32 => 1,
            Factor::F16 | Factor::Bf16 => 2,
            Factor::S8 | Factor::U8 => 4,
        }
    }

    /// The type of sums of products.
    pub fn sum(self) -> Elem {
        match self {
            Factor::F16 | Factor::Bf16 | Factor::Tf32 => Elem::F32,
            Factor::S8 | Factor::U8 => Elem::I32,
        }
    }

    /// The largest magnitude of a byte; of floats there is none.
    pub fn largest(self) -> i64 {
        match self {
            Factor::S8 => 128,
            Factor::U8 => 255,
            Factor::F16 | Factor::Bf16 | Factor::Tf32 => i64::MAX,
        }
    }

    /// The factor at a position in a word.
    fn value(self, word: u64, n: i64) -> f64 {
        let bits = (word as u32) >> (32 / self.in_word() * n);
        match self {
            Factor::F16 => f16::from_bits(bits as u16).to_f64(),
            Factor::Bf16 => bf16::from_bits(bits as u16).to_f64(),
            Factor::Tf32 => f32::from_bits(bits & !0x1fff).into(),
            Factor::S8 => (bits as i8).into(),
            Factor::U8 => (bits as u8).into(),
        }
    }
}

impl CopyAsync {
    /// Bytes that a lane copies.
    pub const BYTES: i64 = 16;
}

impl MatrixProduct {
    /// Whether factors of these types are multiplied.
    pub(super) fn has_unit(&self) -> bool {
        let [left, right] = self.factors;
        left == right || left.in_word() == 4 && right.in_word() == 4
    }

    pub(super) fn word_type(lanes: u32) -> Type {
        Type::vector(Elem::I32, lanes)
    }

    pub(super) fn sum_type(&self, lanes: u32) -> Type {
        Type::vector(self.factors[0].sum(), lanes)
    }

    /// The bits of each result, of vectors whose bits `lane` gives.
    pub(super) fn values(&self, lanes: usize, lane: impl Fn(V, usize) -> u64) -> [Vec<u64>; 4] {
        let mut results: [Vec<u64>; 4] = std::array::from_fn(|_| vec![0; lanes]);
        for warp in (0..lanes).step_by(WARP_LANES as usize) {
            for (row, column) in (0..ROWS as usize).flat_map(|i| (0..COLUMNS as usize).map(move |j| (i, j))) {
                let place = (row / 8 * 2 + column % 2, warp + row % 8 * 4 + column / 2);
                let first = lane(self.sums[place.0], place.1);
                let word = |k: usize| {
                    let left = lane(self.left[row / 8 + k / 4 * 2], warp + row % 8 * 4 + k % 4);
                    (left, lane(self.right[k / 4], warp + column * 4 + k % 4))
                };
                results[place.0][place.1] = sum_of_words(self.factors, first, (0..WORDS as usize).map(word));
            }
        }
        results
    }
}

/// The sum of the products of words of such factors, added to `first`.
pub(super) fn sum_of_words(
    [left, right]: [Factor; 2],
    first: u64,
    words: impl Iterator<Item = (u64, u64)>,
) -> u64 {
    let factors =
        words.flat_map(|(a, b)| (0..left.in_word()).map(move |n| (left.value(a, n), right.value(b, n))));
    if left.sum() == Elem::I32 {
        let sum = factors.fold(0, |sum: i64, (a, b)| sum + (a * b) as i64);
        return (first as u32).wrapping_add(sum as u32).into();
    }
    // Products of two factors are exact.
    let sum = factors.fold(f64::from(f32::from_bits(first as u32)), |sum, (a, b)| sum + a * b);
    (sum as f32).to_bits().into()
}
