//! What operations compute of their operands, lane by lane.

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Bin {
    Add,
    Sub,
    Mul,
    /// The high word of the product, which is twice as wide; `Mul` is its low word. Signed and unsigned.
    SMulHi,
    UMulHi,
    /// The whole product of the low 32 bits of each operand, signed and unsigned, of I64.
    SMulWide,
    UMulWide,
    /// Divisions: the divisor is not zero, and the quotient fits.
    SDiv,
    UDiv,
    SRem,
    URem,
    And,
    Or,
    Xor,
    /// Shifts: the amount is below the width.
    Shl,
    LShr,
    AShr,
    SMin,
    SMax,
    UMin,
    UMax,
    FAdd,
    FSub,
    FMul,
    FDiv,
}

/// Links of a chain that adds or subtracts numbers of several words, the least significant first. The word and the
/// carry of one link are two operations on the same operands; targets that have an instruction for both use one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum WithCarry {
    /// a + b + carry, wrapping.
    Add,
    /// Whether a + b + carry wraps, of unsigned words; a mask.
    CarryOut,
    /// a − b − carry, wrapping.
    Sub,
    /// Whether a − b − carry wraps, of unsigned words; a mask.
    BorrowOut,
}

/// Of a product of two numbers of 52 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Half {
    /// The low 52 bits.
    Low,
    /// Those above.
    High,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Un {
    FNeg,
    FAbs,
    Sqrt,
    /// To an integral value, ties to even.
    Rint,
    Floor,
    Ceil,
    /// To an integral value, towards zero.
    FTrunc,
    Popcnt,
    /// Leading zeros; the width for 0.
    Clz,
    /// Bitwise (masks: logical) complement.
    Not,
}

/// Comparisons give a mask. Float comparisons are ordered (false on NaN) but `FNe` (true on NaN).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cmp {
    Eq,
    Ne,
    Slt,
    Sle,
    Ult,
    Ule,
    FEq,
    FNe,
    FLt,
    FLe,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cast {
    /// To a wider integer; I1 to 0 or 1.
    Zext,
    Sext,
    /// To a narrower integer; to I1: the low bit.
    Trunc,
    /// Same bits, int ↔ float of one width.
    Bits,
    /// F32 → F64.
    Widen,
    /// F64 → F32, nearest even.
    Narrow,
    /// Float → signed/unsigned integer, towards zero; the value is in range.
    FloatToSigned,
    FloatToUnsigned,
    /// Integer → float, nearest even.
    SignedToFloat,
    UnsignedToFloat,
    /// IEEE half (as I16) → F32, exact; F32 → half, nearest even.
    HalfToFloat,
    FloatToHalf,
}
