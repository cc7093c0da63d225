//! Which operation is legal on which type: one table, kept by the verifier and compiled whole by the test of the code
//! generator, because an operation that has no instructions would end the process there.
//!
//! | operations | elements |
//! |---|---|
//! | `and` `or` `xor` `not` `eq` `ne` | masks and integers |
//! | `smulwide` `umulwide` | I64 |
//! | `regroup` | vectors of I32 to I64 and back, of I8 and I16 to I32 |
//! | `word`, `join` | I256 to I64 and back |
//! | `madd52lo` `madd52hi` | I64 |
//! | `dotbytes`, links of `carry_chain` | I32 |
//! | `dotbf16` | two of I32, F32 |
//! | other integer operations and comparisons, `iota`, indices of tables, operands with a carry | integers |
//! | `f…`, `sqrt` and roundings, `fma`, `scale` | F32, F64 |
//! | `select`, `splat`, `pack`, `extract`, `shuffle`, constants | all |
//! | loads and stores | all but masks |
//! | offsets of loads and stores | I32 (signed), I64 |
//!
//! Everything is legal on 1 lane and on 2, 4, … 64 alike; what works lane by lane, and loads and stores in line, on up to
//! 256, which threads of a graphics processor have side by side.

use super::{Bin, Cast, Cmp, Elem, Type, Un};

/// Most lanes of a vector.
pub const MAX_LANES: u32 = 256;

/// Most lanes of a vector whose lanes are moved or told apart.
pub const MAX_MOVED: u32 = 64;

/// Whether a type may have so many lanes.
pub fn lanes(n: u32) -> bool {
    n.is_power_of_two() && n <= MAX_LANES
}

/// Whether so many warps may share a task: vectors whose lanes are moved are narrower than these have threads, so that each
/// warp has all of their lanes.
pub fn warps(n: u32) -> bool {
    /// Threads of a warp.
    const WARP: u32 = 32;
    n == 1 || n.is_power_of_two() && n * WARP > MAX_MOVED && n * WARP <= MAX_LANES
}

/// An integer; a mask is none.
pub fn int(elem: Elem) -> bool {
    matches!(elem, Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64)
}

/// An integer or a mask.
fn bitwise(elem: Elem) -> bool {
    int(elem) || elem == Elem::I1
}

pub fn bin(op: Bin, elem: Elem) -> bool {
    match op {
        Bin::And | Bin::Or | Bin::Xor => bitwise(elem),
        Bin::SMulWide | Bin::UMulWide => elem == Elem::I64,
        Bin::FAdd | Bin::FSub | Bin::FMul | Bin::FDiv => elem.is_float(),
        _ => int(elem),
    }
}

pub fn un(op: Un, elem: Elem) -> bool {
    match op {
        Un::Not => bitwise(elem),
        Un::Popcnt | Un::Clz => int(elem),
        Un::FNeg | Un::FAbs | Un::Sqrt | Un::Rint | Un::Floor | Un::Ceil | Un::FTrunc => elem.is_float(),
    }
}

pub fn cmp(op: Cmp, elem: Elem) -> bool {
    match op {
        Cmp::Eq | Cmp::Ne => bitwise(elem),
        Cmp::Slt | Cmp::Sle | Cmp::Ult | Cmp::Ule => int(elem),
        Cmp::FEq | Cmp::FNe | Cmp::FLt | Cmp::FLe => elem.is_float(),
    }
}

pub fn cast(op: Cast, from: Elem, to: Elem) -> bool {
    match op {
        Cast::Zext | Cast::Sext => bitwise(from) && int(to) && from.bits() < to.bits(),
        Cast::Trunc => bitwise(from) && bitwise(to) && to.bits() < from.bits(),
        Cast::Bits => from != to && from.bits() == to.bits(),
        Cast::Widen => (from, to) == (Elem::F32, Elem::F64),
        Cast::Narrow => (from, to) == (Elem::F64, Elem::F32),
        Cast::FloatToSigned | Cast::FloatToUnsigned => from.is_float() && int(to),
        Cast::SignedToFloat => int(from) && to.is_float(),
        Cast::UnsignedToFloat => bitwise(from) && to.is_float(),
        Cast::HalfToFloat => (from, to) == (Elem::I16, Elem::F32),
        Cast::FloatToHalf => (from, to) == (Elem::F32, Elem::I16),
    }
}

/// Whether the lanes of a vector regroup to lanes of another width.
pub fn regroup(from: Type, to: Elem) -> bool {
    let widths = from.lanes > 1 && (from.elem, to) == (Elem::I32, Elem::I64)
        || (from.elem, to) == (Elem::I64, Elem::I32) && from.lanes < MAX_MOVED
        || (from.elem, to) == (Elem::I16, Elem::I32) && from.lanes >= 4
        || (from.elem, to) == (Elem::I8, Elem::I32) && from.lanes >= 8;
    widths && from.lanes <= MAX_MOVED
}

/// Every legal cast from an element.
pub fn casts(from: Elem) -> impl Iterator<Item = (Cast, Elem)> {
    let all = Cast::ALL.iter().flat_map(|&op| Elem::ALL.iter().map(move |&to| (op, to)));
    all.filter(move |&(op, to)| cast(op, from, to))
}

/// The element of an offset.
pub fn offset(elem: Elem) -> bool {
    matches!(elem, Elem::I32 | Elem::I64)
}
