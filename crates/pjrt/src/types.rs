//! Element types by their numbers in PJRT.

use crate::abi::failure::Failure;
use lawson::hlo::DType;

const TYPES: [(u32, DType); 30] = [
    (1, DType::Pred),
    (2, DType::S8),
    (3, DType::S16),
    (4, DType::S32),
    (5, DType::S64),
    (6, DType::U8),
    (7, DType::U16),
    (8, DType::U32),
    (9, DType::U64),
    (10, DType::F16),
    (11, DType::F32),
    (12, DType::F64),
    (13, DType::Bf16),
    (14, DType::C64),
    (15, DType::C128),
    (16, DType::F8E5M2),
    (17, DType::F8E4M3Fn),
    (18, DType::F8E4M3B11Fnuz),
    (19, DType::F8E5M2Fnuz),
    (20, DType::F8E4M3Fnuz),
    (21, DType::S4),
    (22, DType::U4),
    (24, DType::S2),
    (25, DType::U2),
    (26, DType::F8E4M3),
    (27, DType::F8E3M4),
    (28, DType::F8E8M0Fnu),
    (29, DType::F4E2M1Fn),
    (30, DType::S1),
    (31, DType::U1),
];

/// What stands in place of an element type where there is a token.
pub const TOKEN: u32 = 23;

/// The element type of a number.
///
/// # Errors
/// Lawson does not have it.
pub fn of_number(number: u32) -> Result<DType, Failure> {
    let found = TYPES.iter().find(|(n, _)| *n == number).map(|&(_, dtype)| dtype);
    found.ok_or_else(|| {
        Failure::unimplemented(&format!("arrays of PJRT's element type {number} are not supported"))
    })
}

/// The number of an element type.
///
/// # Errors
/// PJRT does not have it.
pub fn number(dtype: DType) -> Result<u32, Failure> {
    let found = TYPES.iter().find(|(_, d)| *d == dtype).map(|&(n, _)| n);
    found.ok_or_else(|| {
        Failure::unimplemented(&format!("PJRT has no arrays of element type {}", dtype.name()))
    })
}

/// Whether elements of the type leave bits of their bytes open, which NumPy does not set.
pub fn has_open_bits(dtype: DType) -> bool {
    dtype.bits() < 8 && !dtype.is_pred()
}

/// Gives those bits the values that programs expect: copies of the sign in signed integers, zeros else.
pub fn settle(dtype: DType, bytes: &mut [u8]) {
    if !has_open_bits(dtype) {
        return;
    }
    let open = 8 - dtype.bits();
    if dtype.is_signed() {
        bytes.iter_mut().for_each(|b| *b = ((*b << open) as i8 >> open) as u8);
    } else {
        bytes.iter_mut().for_each(|b| *b &= 0xff >> open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_bits_are_settled() {
        let settled = |dtype| {
            let mut bytes = [0x0e, 0xf1, 0x87, 0x78];
            settle(dtype, &mut bytes);
            bytes
        };
        assert_eq!(settled(DType::S4), [0xfe, 0x01, 0x07, 0xf8]);
        assert_eq!(settled(DType::U4), [0x0e, 0x01, 0x07, 0x08]);
        assert_eq!(settled(DType::S2), [0xfe, 0x01, 0xff, 0x00]);
        assert_eq!(settled(DType::U2), [2, 1, 3, 0]);
        assert_eq!(settled(DType::S8), [0x0e, 0xf1, 0x87, 0x78]);
    }
}
