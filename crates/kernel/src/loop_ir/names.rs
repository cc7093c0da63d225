//! The names of operations and types in text, and the list of all of each kind.

use super::{Access, Bin, Cast, Cmp, Elem, Factor, Half, Type, Un, WithCarry};
use std::fmt;

macro_rules! names {
    ($($ty:ident { $($variant:ident = $name:literal),+ $(,)? })+) => {$(
        impl $ty {
            pub const ALL: &[$ty] = &[$($ty::$variant),+];

            /// The name in text.
            pub fn name(self) -> &'static str {
                match self {
                    $($ty::$variant => $name),+
                }
            }

            /// The one of that name, if there is one.
            pub fn from_name(name: &str) -> Option<$ty> {
                match name {
                    $($name => Some($ty::$variant),)+
                    _ => None,
                }
            }
        }
    )+};
}

names! {
    Elem { I1 = "i1", I8 = "i8", I16 = "i16", I32 = "i32", I64 = "i64", I256 = "i256", F32 = "f32", F64 = "f64" }
    Access { Read = "in", Write = "out", ReadWrite = "inout", Scratch = "scratch" }
    Bin {
        Add = "add", Sub = "sub", Mul = "mul", SMulHi = "smulhi", UMulHi = "umulhi", SMulWide = "smulwide", UMulWide = "umulwide",
        SDiv = "sdiv", UDiv = "udiv", SRem = "srem", URem = "urem",
        And = "and", Or = "or", Xor = "xor", Shl = "shl", LShr = "lshr", AShr = "ashr",
        SMin = "smin", SMax = "smax", UMin = "umin", UMax = "umax",
        FAdd = "fadd", FSub = "fsub", FMul = "fmul", FDiv = "fdiv",
    }
    WithCarry {
        Add = "add_carry", CarryOut = "carry_out", Sub = "sub_borrow", BorrowOut = "borrow_out",
    }
    Factor { F16 = "f16", Bf16 = "bf16", Tf32 = "tf32", S8 = "s8", U8 = "u8" }
    Half { Low = "madd52lo", High = "madd52hi" }
    Un {
        FNeg = "fneg", FAbs = "fabs", Sqrt = "sqrt", Rint = "rint", Floor = "floor", Ceil = "ceil",
        FTrunc = "ftrunc", Popcnt = "popcnt", Clz = "clz", Not = "not",
    }
    Cmp {
        Eq = "eq", Ne = "ne", Slt = "slt", Sle = "sle", Ult = "ult", Ule = "ule",
        FEq = "feq", FNe = "fne", FLt = "flt", FLe = "fle",
    }
    Cast {
        Zext = "zext", Sext = "sext", Trunc = "trunc", Bits = "bits", Widen = "widen", Narrow = "narrow",
        FloatToSigned = "float_to_signed", FloatToUnsigned = "float_to_unsigned",
        SignedToFloat = "signed_to_float", UnsignedToFloat = "unsigned_to_float",
        HalfToFloat = "half_to_float", FloatToHalf = "float_to_half",
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `f32`, or `f32x16` for a vector.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            1 => write!(f, "{}", self.elem),
            n => write!(f, "{}x{n}", self.elem),
        }
    }
}

impl Type {
    /// The type of that text, with lanes as the verifier lets them through.
    pub fn from_name(text: &str) -> Option<Type> {
        let (elem, lanes) = match text.split_once('x') {
            Some((elem, lanes)) => (elem, lanes.parse().ok().filter(|&n| n > 1 && super::legal::lanes(n))?),
            None => (text, 1),
        };
        Some(Type { elem: Elem::from_name(elem)?, lanes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_round_trip() {
        for &elem in Elem::ALL {
            for lanes in [1, 2, 4, 64, 256] {
                let ty = Type { elem, lanes };
                assert_eq!(Type::from_name(&ty.to_string()), Some(ty));
            }
        }
        for text in ["", "f32x", "f32x1", "f32x3", "f32x512", "f31", "x4"] {
            assert_eq!(Type::from_name(text), None, "{text}");
        }
    }
}
