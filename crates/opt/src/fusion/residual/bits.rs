//! Masks as bits: 32 elements of a `pred` array in each `u32`, an eighth of its bytes, in plain HLO.
//!
//! ```text
//! r = pred[2,32,9] reshape(m)                     b = u32[2,32,9] broadcast(bits), dimensions={0,2}
//! c = u32[2,32,9] convert(r)                      h = u32[2,32,9] shift-right-logical(b, i)
//! i = u32[2,32,9] iota(), iota_dimension=1        a = u32[2,32,9] and(h, ones)
//! s = u32[2,32,9] shift-left(c, i)                n = pred[2,32,9] compare(a, zeros), direction=NE
//! bits = u32[2,9] reduce(s, 0), dimensions={1}    m = pred[64,9] reshape(n)
//! ```

use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Instruction, Opcode, Shape};

/// Elements of a word.
const WORD: i64 = 32;

/// Which elements share a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Packing {
    /// Those of 32 rows: lanes, which work along a row, find each a word of their own.
    Rows,
    /// Those of one row, for kernels that see a row at a time.
    Row,
}

/// Name, shape and origin of the bits of a mask; `None` where they are no whole words.
pub fn packed(mask: &Instruction, packing: Packing) -> Option<Instruction> {
    let shape = mask.shape.as_array()?;
    let axis = axis(&shape.dims, packing).filter(|_| shape.dtype.is_pred())?;
    let mut dims = shape.dims.to_vec();
    dims[axis] /= WORD;
    let name = format!("{}.bits", mask.name);
    let shape = Shape::array(DType::U32, dims);
    Some(Instruction::new(name, Opcode::Reduce, shape, Vec::new(), Attrs::None, mask.origin.clone()))
}

/// The dimension whose elements share words.
fn axis(dims: &[i64], packing: Packing) -> Option<usize> {
    let last = dims.len().checked_sub(1)?;
    let axis = match packing {
        Packing::Rows => last.checked_sub(1)?,
        Packing::Row => last,
    };
    (dims[axis] > 0 && dims[axis] % WORD == 0).then_some(axis)
}

/// Bytes of the bits of a mask, if it can be packed.
pub fn bytes(mask: &Instruction, packing: Packing) -> Option<i64> {
    packed(mask, packing).map(|p| p.shape.expect_array().bytes())
}

/// Appends what packs a mask; `or` is a computation that combines two words. The result has the name of `like`.
pub fn pack(b: &mut Builder<'_>, mask: InstrId, like: &Instruction, or: CompId) -> InstrId {
    b.origin = like.origin.clone();
    let (words, axis) = words(&like.shape, &b.array(mask).dims);
    let shaped = b.reshape(mask, &words.dims);
    let ones = b.convert(shaped, DType::U32);
    let position = make::iota(b, words.clone(), axis);
    let shifted = b.binary(Opcode::ShiftLeft, ones, position);
    let zero = make::scalar(b, DType::U32, 0);
    let operands = vec![shifted, zero];
    let attrs = Attrs::Reduce { dims: vec![axis], to_apply: or };
    let (name, origin) = (like.name.clone(), like.origin.clone());
    b.push(Instruction::new(name, Opcode::Reduce, like.shape.clone(), operands, attrs, origin))
}

/// Appends what makes a mask of this shape of its bits.
pub fn unpack(b: &mut Builder<'_>, bits: InstrId, mask: &Instruction) -> InstrId {
    b.origin = mask.origin.clone();
    let shape = b.shape(bits).clone();
    let (words, axis) = words(&shape, &mask.shape.expect_array().dims);
    let all: Vec<usize> = (0..words.dims.len()).filter(|&d| d != axis).collect();
    let spread = b.broadcast(bits, &words.dims, &all);
    let position = make::iota(b, words.clone(), axis);
    let shifted = b.binary(Opcode::ShiftRightLogical, spread, position);
    let (one, zero) = (make::splat(b, &words, 1), make::splat(b, &words, 0));
    let bit = b.binary(Opcode::And, shifted, one);
    let set = make::compare(b, Direction::Ne, bit, zero);
    b.reshape(set, &mask.shape.expect_array().dims)
}

/// The shape of bits with the elements of each word apart, of a mask with these dimensions, and the dimension of those
/// elements.
fn words(bits: &Shape, mask: &[i64]) -> (ArrayShape, usize) {
    let mut dims = bits.expect_array().dims.to_vec();
    let packed = dims.iter().zip(mask).position(|(b, m)| b != m).unwrap_or(dims.len() - 1);
    dims.insert(packed + 1, WORD);
    (ArrayShape::new(DType::U32, dims), packed + 1)
}
