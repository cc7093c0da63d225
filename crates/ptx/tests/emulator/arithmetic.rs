//! Integers: every width, at the edges.

use crate::common::{check, pairs};

const EDGES32: [u64; 11] =
    [0, 1, 2, 5, 31, 32, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];

#[test]
fn sums_and_products_wrap() {
    let operands = pairs(&EDGES32, &EDGES32);
    check("add.s32 %d, %a, %b;", &["b32", "b32", "b32"], &operands, |x| {
        u64::from((x[0] as u32).wrapping_add(x[1] as u32))
    });
    check("mul.hi.s32 %d, %a, %b;", &["b32", "b32", "b32"], &operands, |x| {
        let product = i64::from(x[0] as i32) * i64::from(x[1] as i32);
        u64::from((product >> 32) as u32)
    });
}
