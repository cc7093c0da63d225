//! Integers of every width at their edges, against Rust's integers.

use crate::common::{Random, check, evaluate, pairs};

const WORDS: [u64; 12] =
    [0, 1, 2, 5, 31, 32, 0x1234_5678, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
const LONGS: [u64; 12] = [
    0,
    1,
    3,
    63,
    64,
    0xffff_ffff,
    0x1_0000_0000,
    0x0123_4567_89ab_cdef,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fffe,
    0xffff_ffff_ffff_ffff,
];
const HALVES: [u64; 9] = [0, 1, 7, 0xff, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff];

/// Edges and random pairs.
fn some(edges: &[u64]) -> Vec<Vec<u64>> {
    let mut random = Random(edges.len() as u64);
    let mask = edges[edges.len() - 1];
    let mut found = pairs(edges, edges);
    found.extend((0..200).map(|_| {
        let narrow = random.next() % 64;
        vec![random.next() >> narrow & mask, random.next() & mask]
    }));
    found
}

macro_rules! binary {
    ($edges:expr, $u:ident, $i:ident, $wide:ident, $swide:ident, $b:literal, $s:literal, $ut:literal) => {{
        let all = some(&$edges);
        let types = [$b, $b, $b];
        let test = |op: &str, t: &str, f: &dyn Fn($u, $u) -> $u| {
            check(&format!("{op}.{t} %d, %a, %b;"), &types, &all, |x| f(x[0] as $u, x[1] as $u) as u64);
        };
        test("add", $s, &|a, b| a.wrapping_add(b));
        test("sub", $s, &|a, b| a.wrapping_sub(b));
        test("mul.lo", $s, &|a, b| a.wrapping_mul(b));
        test("mul.hi", $ut, &|a, b| ((a as $wide * b as $wide) >> $u::BITS) as $u);
        test("mul.hi", $s, &|a, b| ((a as $i as $swide * b as $i as $swide) >> $u::BITS) as $u);
        test("and", $b, &|a, b| a & b);
        test("or", $b, &|a, b| a | b);
        test("xor", $b, &|a, b| a ^ b);
        test("min", $ut, &|a, b| a.min(b));
        test("max", $ut, &|a, b| a.max(b));
        test("min", $s, &|a, b| (a as $i).min(b as $i) as $u);
        test("max", $s, &|a, b| (a as $i).max(b as $i) as $u);
        test("div", $ut, &|a, b| a.checked_div(b).unwrap_or($u::MAX));
        test("div", $s, &|a, b| if b == 0 { $u::MAX } else { (a as $i).wrapping_div(b as $i) as $u });
        test("rem", $ut, &|a, b| a.checked_rem(b).unwrap_or(a));
        test("rem", $s, &|a, b| if b == 0 { a } else { (a as $i).wrapping_rem(b as $i) as $u });
        for (name, f) in [
            ("not.".to_string() + $b, (|a| !a) as fn($u) -> $u),
            ("neg.".to_string() + $s, |a| a.wrapping_neg()),
            ("abs.".to_string() + $s, |a| (a as $i).wrapping_abs() as $u),
            ("cnot.".to_string() + $b, |a| <$u>::from(a == 0)),
        ] {
            check(&format!("{name} %d, %a;"), &types, &all, |x| f(x[0] as $u) as u64);
        }
        for (name, signed) in
            [("lt", true), ("le", true), ("gt", false), ("ge", false), ("eq", true), ("ne", true)]
        {
            let t = if signed { $s } else { $ut };
            check(&format!("setp.{name}.{t} %d, %a, %b;"), &["pred", $b, $b], &all, |x| {
                let (a, b) = (x[0] as $u, x[1] as $u);
                let order = if signed { (a as $i).cmp(&(b as $i)) } else { a.cmp(&b) };
                u64::from(match name {
                    "lt" => order.is_lt(),
                    "le" => order.is_le(),
                    "gt" => order.is_gt(),
                    "ge" => order.is_ge(),
                    "eq" => order.is_eq(),
                    _ => order.is_ne(),
                })
            });
        }
        let shifts: Vec<Vec<u64>> = $edges
            .iter()
            .flat_map(|&a| [0, 1, 5, 15, 16, 31, 32, 33, 63, 64, 65, 255, 0xffff_ffff].map(|s| vec![a, s]))
            .collect();
        let types = [$b, $b, "b32"];
        check(&format!("shl.{} %d, %a, %b;", $b), &types, &shifts, |x| {
            (x[0] as $u).checked_shl(x[1] as u32).unwrap_or(0) as u64
        });
        check(&format!("shr.{} %d, %a, %b;", $ut), &types, &shifts, |x| {
            (x[0] as $u).checked_shr(x[1] as u32).unwrap_or(0) as u64
        });
        check(&format!("shr.{} %d, %a, %b;", $s), &types, &shifts, |x| {
            let a = x[0] as $u as $i;
            a.checked_shr(x[1] as u32).unwrap_or(if a < 0 { -1 } else { 0 }) as $u as u64
        });
    }};
}

#[test]
fn integers_of_16_bits() {
    binary!(HALVES, u16, i16, u32, i32, "b16", "s16", "u16");
}

#[test]
fn integers_of_32_bits() {
    binary!(WORDS, u32, i32, u64, i64, "b32", "s32", "u32");
}

#[test]
fn integers_of_64_bits() {
    binary!(LONGS, u64, i64, u128, i128, "b64", "s64", "u64");
}

#[test]
fn wide_products_and_what_is_added_to_them() {
    let all = some(&WORDS);
    check("mul.wide.u32 %d, %a, %b;", &["b64", "b32", "b32"], &all, |x| x[0] * x[1]);
    check("mul.wide.s32 %d, %a, %b;", &["b64", "b32", "b32"], &all, |x| {
        (i64::from(x[0] as i32) * i64::from(x[1] as i32)) as u64
    });
    check("mul.wide.s16 %d, %a, %b;", &["b32", "b16", "b16"], &some(&HALVES), |x| {
        u64::from((i32::from(x[0] as i16) * i32::from(x[1] as i16)) as u32)
    });
    let mut random = Random(5);
    let three: Vec<Vec<u64>> = all.iter().map(|x| vec![x[0], x[1], random.next() & 0xffff_ffff]).collect();
    check("mad.lo.s32 %d, %a, %b, %c;", &["b32"; 4], &three, |x| {
        u64::from((x[0] as u32).wrapping_mul(x[1] as u32).wrapping_add(x[2] as u32))
    });
    check("mad.hi.u32 %d, %a, %b, %c;", &["b32"; 4], &three, |x| {
        u64::from((((x[0] * x[1]) >> 32) as u32).wrapping_add(x[2] as u32))
    });
    check("mad.wide.s32 %d, %a, %b, %c;", &["b64", "b32", "b32", "b64"], &three, |x| {
        ((i64::from(x[0] as i32) * i64::from(x[1] as i32)) as u64).wrapping_add(x[2])
    });
    check("sad.s32 %d, %a, %b, %c;", &["b32"; 4], &three, |x| {
        let difference = (i64::from(x[0] as i32) - i64::from(x[1] as i32)).unsigned_abs();
        u64::from((difference as u32).wrapping_add(x[2] as u32))
    });
    check("add.sat.s32 %d, %a, %b;", &["b32"; 3], &all, |x| {
        u64::from((x[0] as i32).saturating_add(x[1] as i32) as u32)
    });
    check("sub.sat.s32 %d, %a, %b;", &["b32"; 3], &all, |x| {
        u64::from((x[0] as i32).saturating_sub(x[1] as i32) as u32)
    });
    check("dp4a.s32.u32 %d, %a, %b, %c;", &["b32"; 4], &three, |x| {
        let products =
            (0..4).map(|i| i64::from((x[0] >> (8 * i)) as i8) * i64::from((x[1] >> (8 * i)) as u8));
        u64::from((x[2] as u32).wrapping_add(products.sum::<i64>() as u32))
    });
}

#[test]
fn two_integers_in_a_register() {
    let all = some(&WORDS);
    let test = |op: &str, f: fn(u16, u16) -> u16| {
        check(&format!("{op} %d, %a, %b;"), &["b32"; 3], &all, |x| {
            let half = |shift: u32| u64::from(f((x[0] >> shift) as u16, (x[1] >> shift) as u16)) << shift;
            half(0) | half(16)
        });
    };
    test("add.s16x2", |a, b| a.wrapping_add(b));
    test("min.s16x2", |a, b| (a as i16).min(b as i16) as u16);
    test("max.u16x2", |a, b| a.max(b));
    test("max.relu.s16x2", |a, b| (a as i16).max(b as i16).max(0) as u16);
}

#[test]
fn carries_go_through_numbers_of_several_words() {
    // Four words are two numbers of 128 bits, low word first.
    let mut random = Random(9);
    let operands: Vec<Vec<u64>> = (0..300)
        .map(|_| (0..4).map(|_| if random.below(3) == 0 { u64::MAX } else { random.next() }).collect())
        .collect();
    let number =
        |x: &[u64]| (u128::from(x[1]) << 64 | u128::from(x[0]), u128::from(x[3]) << 64 | u128::from(x[2]));
    let types = ["b64", "b64", "b64", "b64", "b64"];
    for (part, shift) in [("mov.b64 %d, %y;", 0), ("", 64)] {
        check(&format!("add.cc.s64 %y, %a, %c; addc.cc.s64 %d, %b, %e; {part}"), &types, &operands, |x| {
            let (a, b) = number(x);
            (a.wrapping_add(b) >> shift) as u64
        });
        check(&format!("sub.cc.u64 %y, %a, %c; subc.u64 %d, %b, %e; {part}"), &types, &operands, |x| {
            let (a, b) = number(x);
            (a.wrapping_sub(b) >> shift) as u64
        });
    }
    // The carry that comes out of the highest word.
    check("add.cc.u64 %y, %a, %c; addc.cc.u64 %y, %b, %e; addc.u64 %d, 0, 0;", &types, &operands, |x| {
        let (a, b) = number(x);
        u64::from(a.overflowing_add(b).1)
    });
    check("mad.lo.cc.u64 %y, %a, %b, %c; madc.hi.u64 %d, %a, %b, %e;", &types, &operands, |x| {
        let sum = u128::from(x[0]) * u128::from(x[1]);
        (sum.wrapping_add(u128::from(x[3]) << 64 | u128::from(x[2])) >> 64) as u64
    });
}

#[test]
fn fields_and_counts_of_bits() {
    let mut fields = Vec::new();
    for &a in &WORDS {
        for start in [0, 1, 7, 31, 32, 40, 255, 256] {
            for length in [0, 1, 8, 31, 32, 33, 255] {
                fields.push(vec![a, start, length]);
            }
        }
    }
    // Bit by bit, as the ISA defines it.
    let extract = |x: &[u64], width: u64, signed: bool| {
        let (start, length) = (x[1] & 255, x[2] & 255);
        let bit = |i: u64| x[0] >> i & 1;
        let sign = if signed && length > 0 { bit((start + length - 1).min(width - 1)) } else { 0 };
        (0..width).fold(0, |d, i| {
            let inside = i < length && start + i < width;
            d | (if inside { bit(start + i) } else { sign }) << i
        })
    };
    let types = ["b32"; 4];
    check("bfe.u32 %d, %a, %b, %c;", &types, &fields, |x| extract(x, 32, false));
    check("bfe.s32 %d, %a, %b, %c;", &types, &fields, |x| extract(x, 32, true));
    let wide = ["b64", "b64", "b32", "b32"];
    check("bfe.s64 %d, %a, %b, %c;", &wide, &fields, |x| extract(x, 64, true));
    let inserted: Vec<Vec<u64>> = fields.iter().map(|x| vec![x[0], 0x5555_aaaa, x[1], x[2]]).collect();
    check("bfi.b32 %d, %a, %b, %c, %e;", &["b32"; 5], &inserted, |x| {
        let (start, length) = (x[2] & 255, x[3] & 255);
        let inside = |i: u64| i >= start && i < start + length && i < 32;
        (0..32).fold(0, |d, i| d | (if inside(i) { x[0] >> (i - start) } else { x[1] >> i } & 1) << i)
    });
    let words: Vec<Vec<u64>> = WORDS.iter().map(|&a| vec![a]).collect();
    let longs: Vec<Vec<u64>> = LONGS.iter().map(|&a| vec![a]).collect();
    check("popc.b32 %d, %a;", &["b32", "b32"], &words, |x| x[0].count_ones().into());
    check("popc.b64 %d, %a;", &["b32", "b64"], &longs, |x| x[0].count_ones().into());
    check("clz.b32 %d, %a;", &["b32", "b32"], &words, |x| (x[0] as u32).leading_zeros().into());
    check("clz.b64 %d, %a;", &["b32", "b64"], &longs, |x| x[0].leading_zeros().into());
    check("brev.b32 %d, %a;", &["b32", "b32"], &words, |x| (x[0] as u32).reverse_bits().into());
    check("brev.b64 %d, %a;", &["b64", "b64"], &longs, |x| x[0].reverse_bits());
    let highest = |x: u32| if x == 0 { u32::MAX } else { x.ilog2() };
    check("bfind.u32 %d, %a;", &["b32", "b32"], &words, |x| highest(x[0] as u32).into());
    check("bfind.s32 %d, %a;", &["b32", "b32"], &words, |x| {
        let a = x[0] as i32;
        highest(if a < 0 { !a } else { a } as u32).into()
    });
    check("bfind.shiftamt.u64 %d, %a;", &["b32", "b64"], &longs, |x| {
        u64::from(if x[0] == 0 { u32::MAX } else { x[0].leading_zeros() })
    });
}

#[test]
fn bytes_are_permuted_and_words_shifted_together() {
    let bytes = vec![vec![0x8877_6655, 0x4433_a211]];
    for (selector, expected) in [
        (0x3210, 0x8877_6655),
        (0x7654, 0x4433_a211),
        (0x0123, 0x5566_7788),
        (0xd5f4, 0xffa2_0011),
        (0x8888, 0),
    ] {
        check(&format!("prmt.b32 %d, %a, %b, {selector};"), &["b32"; 3], &bytes, |_| expected);
    }
    let mut shifts = Vec::new();
    for by in [0, 1, 13, 31, 32, 33, 64, 0xffff_ffff] {
        shifts.push(vec![0x1234_5678, 0x9abc_def0, by]);
    }
    let both = |x: &[u64]| x[1] << 32 | x[0];
    let types = ["b32"; 4];
    check("shf.l.wrap.b32 %d, %a, %b, %c;", &types, &shifts, |x| both(x) << (x[2] & 31) >> 32);
    check("shf.r.wrap.b32 %d, %a, %b, %c;", &types, &shifts, |x| both(x) >> (x[2] & 31) & 0xffff_ffff);
    check("shf.l.clamp.b32 %d, %a, %b, %c;", &types, &shifts, |x| both(x) << x[2].min(32) >> 32);
    check("shf.r.clamp.b32 %d, %a, %b, %c;", &types, &shifts, |x| both(x) >> x[2].min(32) & 0xffff_ffff);
    let mixed = vec![vec![0b1111_0000, 0b1100_1100, 0b1010_1010]];
    for table in [0x80u64, 0xfe, 0x96, 0x1b, 0] {
        check(&format!("lop3.b32 %d, %a, %b, %c, {table};"), &types, &mixed, |_| {
            // The inputs are those that make the table itself the result of each byte.
            table | if table & 1 == 1 { 0xffff_ff00 } else { 0 }
        });
    }
}

#[test]
fn selections_and_predicates() {
    let all = pairs(&[0, 1], &[0, 1]);
    for (op, f) in
        [("and", (|a, b| a & b) as fn(u64, u64) -> u64), ("or", |a, b| a | b), ("xor", |a, b| a ^ b)]
    {
        check(&format!("{op}.pred %d, %a, %b;"), &["pred"; 3], &all, |x| f(x[0], x[1]));
    }
    check("not.pred %d, %a;", &["pred", "pred"], &all, |x| 1 - x[0]);
    check("mov.pred %d, %a;", &["pred", "pred"], &all, |x| x[0]);
    let choose: Vec<Vec<u64>> = [0, 1].map(|p| vec![17, 23, p]).to_vec();
    check("selp.b32 %d, %a, %b, %c;", &["b32", "b32", "b32", "pred"], &choose, |x| {
        if x[2] == 1 { 17 } else { 23 }
    });
    check(
        "selp.u16 %d, 5, 9, %c;",
        &["b16", "b16", "b16", "pred"],
        &choose,
        |x| if x[2] == 1 { 5 } else { 9 },
    );
    let signs: Vec<Vec<u64>> = [0, 1, 0xffff_ffff].map(|c| vec![17, 23, c]).to_vec();
    check("slct.b32.s32 %d, %a, %b, %c;", &["b32"; 4], &signs, |x| if x[2] as i32 >= 0 { 17 } else { 23 });
    let words = pairs(&WORDS, &WORDS);
    check("setp.lt.and.u32 %d, %a, %b, %q;", &["pred", "b32", "b32"], &words, |_| 0);
    check("setp.lt.or.u32 %d, %a, %b, !%q;", &["pred", "b32", "b32"], &words, |_| 1);
    check("setp.lt.u32 %q|%d, %a, %b;\nsetp.ne.u32 %q, 0, 0;", &["pred", "b32", "b32"], &words, |x| {
        u64::from(x[0] >= x[1])
    });
    check("set.le.u32.s32 %d, %a, %b;", &["b32"; 3], &words, |x| {
        if (x[0] as i32) <= x[1] as i32 { 0xffff_ffff } else { 0 }
    });
    check("setp.hs.u32 %d, %a, %b;", &["pred", "b32", "b32"], &words, |x| u64::from(x[0] >= x[1]));
}

#[test]
fn vectors_of_registers_are_packed_and_taken_apart() {
    let longs: Vec<Vec<u64>> = LONGS.iter().map(|&a| vec![a]).collect();
    check(
        "{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %a; mov.b64 %d, {hi, lo}; }",
        &["b64", "b64"],
        &longs,
        |x| x[0].rotate_left(32),
    );
    check("mov.b64 {_, %d}, %a;", &["b32", "b64"], &longs, |x| x[0] >> 32);
    check(
        "{ .reg .b16 p<4>; mov.b64 {p0, p1, p2, p3}, %a; mov.b64 %d, {p3, p2, p1, p0}; }",
        &["b64", "b64"],
        &longs,
        |x| {
            let a = x[0];
            a >> 48 | a >> 16 & 0xffff_0000 | a << 16 & 0xffff_0000_0000 | a << 48
        },
    );
    assert_eq!(evaluate("mov.b32 %d, 0x10;", &["b32"], &[vec![]]), [16]);
    assert_eq!(evaluate("mov.b64 %d, -3;", &["b64"], &[vec![]]), [3u64.wrapping_neg()]);
    assert_eq!(evaluate("mov.f32 %d, 0f3F800000;", &["f32"], &[vec![]]), [0x3f80_0000]);
    assert_eq!(evaluate("mov.f64 %d, -1.5;", &["f64"], &[vec![]]), [(-1.5f64).to_bits()]);
}
