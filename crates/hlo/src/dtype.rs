//! Element types, with their text names, widths and classes.

use std::fmt;

/// The type of one element of an array.
///
/// Sub-byte integers are stored one to a byte, sign- or zero-extended, in every buffer of Lawson.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DType {
    Pred,
    S1,
    S2,
    S4,
    S8,
    S16,
    S32,
    S64,
    U1,
    U2,
    U4,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
    F4E2M1Fn,
    F8E3M4,
    F8E4M3,
    F8E4M3Fn,
    F8E4M3B11Fnuz,
    F8E4M3Fnuz,
    F8E5M2,
    F8E5M2Fnuz,
    F8E8M0Fnu,
    C64,
    C128,
}

impl DType {
    /// Every type, in the order of the enum.
    pub const ALL: &[DType] = &[
        DType::Pred,
        DType::S1,
        DType::S2,
        DType::S4,
        DType::S8,
        DType::S16,
        DType::S32,
        DType::S64,
        DType::U1,
        DType::U2,
        DType::U4,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F16,
        DType::Bf16,
        DType::F32,
        DType::F64,
        DType::F4E2M1Fn,
        DType::F8E3M4,
        DType::F8E4M3,
        DType::F8E4M3Fn,
        DType::F8E4M3B11Fnuz,
        DType::F8E4M3Fnuz,
        DType::F8E5M2,
        DType::F8E5M2Fnuz,
        DType::F8E8M0Fnu,
        DType::C64,
        DType::C128,
    ];

    /// The name in HLO text.
    pub fn name(self) -> &'static str {
        match self {
            DType::Pred => "pred",
            DType::S1 => "s1",
            DType::S2 => "s2",
            DType::S4 => "s4",
            DType::S8 => "s8",
            DType::S16 => "s16",
            DType::S32 => "s32",
            DType::S64 => "s64",
            DType::U1 => "u1",
            DType::U2 => "u2",
            DType::U4 => "u4",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
            DType::F16 => "f16",
            DType::Bf16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::F4E2M1Fn => "f4e2m1fn",
            DType::F8E3M4 => "f8e3m4",
            DType::F8E4M3 => "f8e4m3",
            DType::F8E4M3Fn => "f8e4m3fn",
            DType::F8E4M3B11Fnuz => "f8e4m3b11fnuz",
            DType::F8E4M3Fnuz => "f8e4m3fnuz",
            DType::F8E5M2 => "f8e5m2",
            DType::F8E5M2Fnuz => "f8e5m2fnuz",
            DType::F8E8M0Fnu => "f8e8m0fnu",
            DType::C64 => "c64",
            DType::C128 => "c128",
        }
    }

    /// The type of that name, if there is one.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.iter().copied().find(|d| d.name() == name)
    }

    /// Width of one element in bits, as arithmetic sees it: 1 for pred, 4 for s4.
    pub fn bits(self) -> u32 {
        use DType::*;
        match self {
            Pred | S1 | U1 => 1,
            S2 | U2 => 2,
            S4 | U4 | F4E2M1Fn => 4,
            S8 | U8 | F8E3M4 | F8E4M3 | F8E4M3Fn | F8E4M3B11Fnuz | F8E4M3Fnuz | F8E5M2 | F8E5M2Fnuz
            | F8E8M0Fnu => 8,
            S16 | U16 | F16 | Bf16 => 16,
            S32 | U32 | F32 => 32,
            S64 | U64 | F64 | C64 => 64,
            C128 => 128,
        }
    }

    /// Bytes of one element in a buffer.
    pub fn size(self) -> usize {
        (self.bits() as usize).div_ceil(8)
    }

    pub fn is_float(self) -> bool {
        use DType::*;
        matches!(self, F16 | Bf16 | F32 | F64) || self.is_small_float()
    }

    /// An 8-bit or narrower float: read and printed, refused by the devices.
    pub fn is_small_float(self) -> bool {
        use DType::*;
        matches!(
            self,
            F4E2M1Fn
                | F8E3M4
                | F8E4M3
                | F8E4M3Fn
                | F8E4M3B11Fnuz
                | F8E4M3Fnuz
                | F8E5M2
                | F8E5M2Fnuz
                | F8E8M0Fnu
        )
    }

    pub fn is_complex(self) -> bool {
        matches!(self, DType::C64 | DType::C128)
    }

    /// A signed integer.
    pub fn is_signed(self) -> bool {
        use DType::*;
        matches!(self, S1 | S2 | S4 | S8 | S16 | S32 | S64)
    }

    /// An unsigned integer; pred is none.
    pub fn is_unsigned(self) -> bool {
        use DType::*;
        matches!(self, U1 | U2 | U4 | U8 | U16 | U32 | U64)
    }

    /// A signed or unsigned integer; pred is none.
    pub fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// The type sums and products of this type are accumulated in: f32 for f16 and bf16 (DESIGN 6.5).
    pub fn accumulator(self) -> DType {
        match self {
            DType::F16 | DType::Bf16 => DType::F32,
            other => other,
        }
    }

    /// The type in which products of `lhs` and `rhs` elements are summed to become a `result`: the widest float
    /// taking part (f32 at least), else the result's own type.
    pub fn product_accumulator(lhs: DType, rhs: DType, result: DType) -> DType {
        let all = [lhs, rhs, result];
        if all.contains(&DType::F64) {
            DType::F64
        } else if all.iter().any(|d| d.is_float()) {
            DType::F32
        } else {
            result
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_summed_in_the_widest_float() {
        use DType::*;
        for (lhs, rhs, result, sum) in [
            (Bf16, Bf16, Bf16, F32),
            (S8, Bf16, Bf16, F32),
            (F32, F32, S32, F32),
            (F64, F32, F32, F64),
            (F16, F16, F64, F64),
            (S8, U8, S32, S32),
            (Pred, Pred, Pred, Pred),
        ] {
            assert_eq!(DType::product_accumulator(lhs, rhs, result), sum, "{lhs} {rhs} {result}");
        }
    }

    #[test]
    fn names_are_distinct_and_round_trip() {
        for &d in DType::ALL {
            assert_eq!(DType::from_name(d.name()), Some(d));
        }
        assert_eq!(DType::from_name("f33"), None);
    }
}
