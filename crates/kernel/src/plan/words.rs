//! Operands of a processor's product in words of 32 bits, each of the factors that follow each other along k: an instruction
//! multiplies those of a vector of words, or of tiles of them.

use super::matrices::{factor, is_exact};
use crate::loop_ir::Factor;
use crate::loop_ir::tiles::SIDE;
use crate::region::{Kind, NodeId, ProductOrder, Region, Stage, narrow};
use crate::target::Target;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// The operand along the lanes and the other, before they were converted to the type of the sums.
    pub vector: NodeId,
    pub scalar: NodeId,
    /// Their types.
    pub factors: [Factor; 2],
    /// Tile registers multiply them, else vectors.
    pub tiles: bool,
}

/// How many times as fast as fused multiply-adds of f32 tile registers multiply words: 16 rows of 16 words by 16 columns take 16
/// cycles, in each of which vectors would multiply two times 16 numbers (Intel's optimization manual, chapter 20).
const TILES: i64 = 8;

impl Words {
    /// The operands of a product as words, where the order of its sums permits it: sums of bytes have to be exact in the
    /// accumulators that the stage has, for then sums of integers are the same.
    pub(super) fn of(
        region: &Region,
        stage: &Stage,
        (vector, scalar): (NodeId, NodeId),
        length: i64,
    ) -> Option<Words> {
        let Kind::Contract { accumulator, order, semiring: None, .. } = stage.kind else { return None };
        let ((of_vector, vector), (of_scalar, scalar)) = (narrow(region, vector)?, narrow(region, scalar)?);
        let (of_vector, of_scalar) = (factor(of_vector)?, factor(of_scalar)?);
        let signed = accumulator.is_float() || accumulator.is_signed();
        let permitted = match (of_vector.in_word(), of_scalar.in_word()) {
            (4, 4) => signed && is_exact(accumulator, of_vector.largest() * of_scalar.largest(), length),
            _ => {
                let alike = of_vector == Factor::Bf16 && of_scalar == Factor::Bf16;
                alike && accumulator.is_f32() && order != ProductOrder::Sequential
            }
        };
        let words = Words { vector, scalar, factors: [of_vector, of_scalar], tiles: false };
        (permitted && length % words.in_word() == 0).then_some(words)
    }

    /// Elements of k of a word.
    pub fn in_word(&self) -> i64 {
        self.factors[0].in_word()
    }

    /// Products in the time of one multiply-add of vectors of f32.
    pub(super) fn speed(&self) -> i64 {
        self.in_word() * if self.tiles { TILES } else { 1 }
    }

    /// Whether vectors of the machine multiply them: bytes are unsigned by signed, of which the other operand is made unsigned.
    pub(super) fn by_vectors(&self, target: &Target) -> bool {
        match self.factors[0] {
            Factor::S8 => target.byte_dots,
            Factor::Bf16 => target.bf16_dots,
            Factor::U8 | Factor::F16 | Factor::Tf32 => false,
        }
    }

    /// Whether vectors multiply a signed operand that has to be made unsigned.
    pub fn is_shifted(&self) -> bool {
        !self.tiles && self.factors[1] == Factor::S8
    }

    /// Words of a block of so many elements of k, with those that fill the last tile.
    pub fn count(&self, block: i64) -> i64 {
        let words = block / self.in_word();
        if self.tiles { (words + SIDE - 1) / SIDE * SIDE } else { words }
    }
}
