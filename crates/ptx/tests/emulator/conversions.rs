//! `cvt` in every pair of types and every rounding.

use crate::common::{Random, check, evaluate};

const MODES: [&str; 4] = ["n", "z", "m", "p"];

fn round(x: f64, mode: &str) -> f64 {
    match mode {
        "n" => x.round_ties_even(),
        "z" => x.trunc(),
        "m" => x.floor(),
        _ => x.ceil(),
    }
}

fn doubles() -> Vec<f64> {
    let mut random = Random(1);
    let mut all = vec![
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        0.49999999,
        127.5,
        128.0,
        -128.5,
        -129.0,
        255.5,
        256.0,
        32767.5,
        65535.5,
        2147483647.0,
        2147483647.5,
        2147483648.0,
        -2147483648.5,
        4294967295.5,
        9.3e18,
        1.9e19,
        -9.3e18,
        1e300,
        -1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-310,
        -1e-310,
        1.0 + f64::EPSILON,
        1e-40,
        3.4028235e38,
        3.5e38,
        1.0000000596046448,
        1.0000000596046447,
        7e-46,
        7.1e-46,
        65504.0,
        65519.99,
        65520.0,
        5.96e-8,
        2.98e-8,
        2.99e-8,
    ];
    all.extend((0..300).map(|_| f64::from_bits(random.next())));
    all.extend((0..300).map(|_| (random.next() as i32) as f64 / 256.0));
    all
}

fn rows(all: impl IntoIterator<Item = u64>) -> Vec<Vec<u64>> {
    all.into_iter().map(|x| vec![x]).collect()
}

macro_rules! to_integers {
    ($from:ident, $t:literal, $all:expr, $($i:ident $name:literal $register:literal),*) => {
        for mode in MODES {
            $(check(&format!("cvt.r{mode}i.{}.{} %d, %a;", $name, $t), &[$register, $t], &$all, |x| {
                let value = f64::from($from::from_bits(x[0] as _));
                if value.is_nan() {
                    // As PTX 9.0 states it for all versions.
                    let long = $t == "f64" || $i::BITS == 64;
                    return if long { 1 << ($i::BITS - 1) } else { 0 };
                }
                round(value, mode) as $i as u64 & (u64::MAX >> (64 - $register[1..].parse::<u32>().unwrap()))
            });)*
        }
    };
}

#[test]
fn floats_to_integers_round_and_saturate() {
    let all = rows(doubles().into_iter().map(f64::to_bits));
    to_integers!(f64, "f64", all, i16 "s16" "b16", u16 "u16" "b16", i32 "s32" "b32", u32 "u32" "b32", i64 "s64" "b64", u64 "u64" "b64");
    let all = rows(doubles().into_iter().map(|x| u64::from((x as f32).to_bits())));
    to_integers!(f32, "f32", all, i16 "s16" "b16", u32 "u32" "b32", i32 "s32" "b32", i64 "s64" "b64", u64 "u64" "b64");
    // Bytes lie in wider registers, extended by their sign.
    to_integers!(f32, "f32", all, i8 "s8" "b32", u8 "u8" "b32", u8 "u8" "b16");
}

#[test]
fn floats_round_to_integral_values() {
    let all = rows(doubles().into_iter().map(f64::to_bits));
    let singles = rows(doubles().into_iter().map(|x| u64::from((x as f32).to_bits())));
    for mode in MODES {
        check(&format!("cvt.r{mode}i.f64.f64 %d, %a;"), &["f64", "f64"], &all, |x| {
            let value = f64::from_bits(x[0]);
            if value.is_nan() { 0x7fff_ffff_ffff_ffff } else { round(value, mode).to_bits() }
        });
        check(&format!("cvt.r{mode}i.f32.f32 %d, %a;"), &["f32", "f32"], &singles, |x| {
            let value = f64::from(f32::from_bits(x[0] as u32));
            if value.is_nan() { 0x7fff_ffff } else { (round(value, mode) as f32).to_bits().into() }
        });
    }
}

/// The nearest `f32` in a mode, from the nearest one and its neighbours.
fn to_single(x: f64, mode: &str) -> f32 {
    let near = x as f32;
    if f64::from(near) == x || x.is_nan() {
        return near;
    }
    let above = f64::from(near) > x;
    match mode {
        "n" => near,
        "z" if above == (x > 0.0) => {
            if x > 0.0 {
                near.next_down()
            } else {
                near.next_up()
            }
        }
        "m" if above => near.next_down(),
        "p" if !above => near.next_up(),
        _ => near,
    }
}

fn single(x: f32) -> u64 {
    if x.is_nan() { 0x7fff_ffff } else { x.to_bits().into() }
}

#[test]
fn doubles_to_singles_in_every_mode() {
    let all = rows(doubles().into_iter().map(f64::to_bits));
    for mode in MODES {
        check(&format!("cvt.r{mode}.f32.f64 %d, %a;"), &["f32", "f64"], &all, |x| {
            single(to_single(f64::from_bits(x[0]), mode))
        });
    }
    check("cvt.rn.ftz.f32.f64 %d, %a;", &["f32", "f64"], &all, |x| {
        let near = f64::from_bits(x[0]) as f32;
        single(if near.is_subnormal() { 0f32.copysign(near) } else { near })
    });
    check("cvt.rn.sat.f32.f64 %d, %a;", &["f32", "f64"], &all, |x| {
        let near = f64::from_bits(x[0]) as f32;
        if near.is_nan() || near <= 0.0 { 0 } else { single(near.min(1.0)) }
    });
    let singles = rows(doubles().into_iter().map(|x| u64::from((x as f32).to_bits())));
    check("cvt.f64.f32 %d, %a;", &["f64", "f32"], &singles, |x| {
        let value = f64::from(f32::from_bits(x[0] as u32));
        if value.is_nan() { 0x7fff_ffff_ffff_ffff } else { value.to_bits() }
    });
}

#[test]
fn integers_to_floats_round_once() {
    let mut random = Random(2);
    let mut all: Vec<u64> = vec![
        0,
        1,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        16_777_217,
        16_777_219,
        1 << 63,
        u64::MAX,
        i64::MAX as u64,
        0x8000_0080_0000_0001,
        0x20_0000_0000_0001,
    ];
    all.extend((0..500).map(|_| random.next() >> (random.next() % 64)));
    let words = rows(all.iter().map(|x| x & 0xffff_ffff));
    let longs = rows(all);
    check("cvt.rn.f32.u32 %d, %a;", &["f32", "b32"], &words, |x| (x[0] as u32 as f32).to_bits().into());
    check("cvt.rn.f32.s32 %d, %a;", &["f32", "b32"], &words, |x| (x[0] as i32 as f32).to_bits().into());
    check("cvt.rn.f32.u64 %d, %a;", &["f32", "b64"], &longs, |x| (x[0] as f32).to_bits().into());
    check("cvt.rn.f32.s64 %d, %a;", &["f32", "b64"], &longs, |x| (x[0] as i64 as f32).to_bits().into());
    check("cvt.rn.f64.u64 %d, %a;", &["f64", "b64"], &longs, |x| (x[0] as f64).to_bits());
    check("cvt.rn.f64.s64 %d, %a;", &["f64", "b64"], &longs, |x| (x[0] as i64 as f64).to_bits());
    check("cvt.rn.f64.s32 %d, %a;", &["f64", "b32"], &words, |x| f64::from(x[0] as i32).to_bits());
    check("cvt.rn.f32.u8 %d, %a;", &["f32", "b16"], &words, |x| f32::from(x[0] as u8).to_bits().into());
    check("cvt.rn.f32.s8 %d, %a;", &["f32", "b16"], &words, |x| f32::from(x[0] as i8).to_bits().into());
    for mode in MODES {
        check(&format!("cvt.r{mode}.f32.s32 %d, %a;"), &["f32", "b32"], &words, |x| {
            to_single(f64::from(x[0] as i32), mode).to_bits().into()
        });
    }
    check("cvt.rn.f16.s32 %d, %a;", &["b16", "b32"], &words, |x| {
        // Integers of 32 bits are exact in f64, and beyond the range the result is infinite.
        half::f16::from_f32(to_single(f64::from(x[0] as i32), "n")).to_bits().into()
    });
}

#[test]
fn integers_are_cut_extended_and_saturated() {
    let mut random = Random(7);
    let longs = rows((0..300).map(|_| random.next() >> (random.next() % 64)).chain([
        0,
        u64::MAX,
        0x80,
        0xff7f,
        1 << 31,
    ]));
    let words = rows(longs.iter().map(|x| x[0] & 0xffff_ffff));
    check("cvt.u32.u64 %d, %a;", &["b32", "b64"], &longs, |x| x[0] & 0xffff_ffff);
    check("cvt.u16.u64 %d, %a;", &["b16", "b64"], &longs, |x| x[0] & 0xffff);
    check("cvt.s64.s32 %d, %a;", &["b64", "b32"], &words, |x| x[0] as i32 as u64);
    check("cvt.u64.u32 %d, %a;", &["b64", "b32"], &words, |x| x[0]);
    check("cvt.s16.s8 %d, %a;", &["b16", "b16"], &rows(words.iter().map(|x| x[0] & 0xffff)), |x| {
        u64::from(i16::from(x[0] as i8) as u16)
    });
    check("cvt.s32.s8 %d, %a;", &["b32", "b32"], &words, |x| u64::from(i32::from(x[0] as i8) as u32));
    check("cvt.u8.u32 %d, %a;", &["b32", "b32"], &words, |x| x[0] & 0xff);
    check("cvt.s8.s32 %d, %a;", &["b32", "b32"], &words, |x| u64::from(i32::from(x[0] as i8) as u32));
    check("cvt.u16.s8 %d, %a;", &["b32", "b32"], &words, |x| u64::from(i16::from(x[0] as i8) as u16));
    check("cvt.sat.u8.s32 %d, %a;", &["b32", "b32"], &words, |x| (x[0] as i32).clamp(0, 255) as u64);
    check("cvt.sat.s16.s64 %d, %a;", &["b16", "b64"], &longs, |x| {
        u64::from((x[0] as i64).clamp(-32768, 32767) as i16 as u16)
    });
    check("cvt.sat.u32.s32 %d, %a;", &["b32", "b32"], &words, |x| (x[0] as i32).max(0) as u64);
}

#[test]
fn halves_in_and_out() {
    let all: Vec<u64> = (0..=0xffff).collect();
    let canonical = |x: u64, nan: bool| if nan { 0x7fff } else { x };
    check("cvt.f32.f16 %d, %a;", &["f32", "b16"], &rows(all.clone()), |x| {
        single(half::f16::from_bits(x[0] as u16).to_f32())
    });
    check("cvt.f32.bf16 %d, %a;", &["f32", "b16"], &rows(all.clone()), |x| {
        single(f32::from_bits((x[0] as u32) << 16))
    });
    // Every half, what lies between two of them, and a little beside that.
    let mut singles: Vec<u64> = Vec::new();
    for bits in (0..=0xffffu16).step_by(7) {
        for x in [half::f16::from_bits(bits).to_f32(), half::bf16::from_bits(bits).to_f32()] {
            let middle = u64::from(x.to_bits());
            singles.extend([0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001].map(|d| middle ^ d));
        }
    }
    let singles = rows(singles);
    check("cvt.rn.f16.f32 %d, %a;", &["b16", "f32"], &singles, |x| {
        let x = f32::from_bits(x[0] as u32);
        canonical(half::f16::from_f32(x).to_bits().into(), x.is_nan())
    });
    check("cvt.rn.bf16.f32 %d, %a;", &["b16", "f32"], &singles, |x| {
        let x = f32::from_bits(x[0] as u32);
        canonical(half::bf16::from_f32(x).to_bits().into(), x.is_nan())
    });
    check("cvt.rz.bf16.f32 %d, %a;", &["b16", "f32"], &singles, |x| {
        canonical(x[0] >> 16, f32::from_bits(x[0] as u32).is_nan())
    });
    check("cvt.rz.f16.f32 %d, %a;", &["b16", "f32"], &singles, |x| {
        let x = f32::from_bits(x[0] as u32);
        let near = half::f16::from_f32(x);
        let down = near.to_f32().abs() > x.abs();
        canonical(u64::from(near.to_bits()) - u64::from(down), x.is_nan())
    });
    let two: Vec<Vec<u64>> =
        singles.chunks(2).filter(|c| c.len() == 2).map(|c| vec![c[0][0], c[1][0]]).collect();
    check("cvt.rn.f16x2.f32 %d, %a, %b;", &["b32", "f32", "f32"], &two, |x| {
        // The first operand becomes the upper half.
        let part = |x: u64| {
            let x = f32::from_bits(x as u32);
            canonical(half::f16::from_f32(x).to_bits().into(), x.is_nan())
        };
        part(x[0]) << 16 | part(x[1])
    });
    check("cvt.rn.relu.f16.f32 %d, %a;", &["b16", "f32"], &singles, |x| {
        let x = f32::from_bits(x[0] as u32);
        if x.is_nan() { 0x7fff } else { half::f16::from_f32(x.max(0.0)).to_bits() as u64 & 0x7fff }
    });
    check("cvt.rzi.s32.f16 %d, %a;", &["b32", "b16"], &rows(all), |x| {
        u64::from(half::f16::from_bits(x[0] as u16).to_f32() as i32 as u32)
    });
}

#[test]
fn doubles_to_halves_are_rounded_once() {
    // Just above the middle of 1 and the next half: by way of f32 it would be a tie.
    let tie = 1.0 + 2f64.powi(-11);
    for (x, expected) in [(tie, 0x3c00), (tie + 2f64.powi(-40), 0x3c01), (tie - 2f64.powi(-40), 0x3c00)] {
        assert_eq!(evaluate("cvt.rn.f16.f64 %d, %a;", &["b16", "f64"], &[vec![x.to_bits()]]), [expected]);
    }
}

#[test]
fn singles_to_tf32() {
    for (x, expected) in
        [(0x3f80_0fff, 0x3f80_0000), (0x3f80_1000, 0x3f80_2000), (0x3f80_3000, 0x3f80_4000u64)]
    {
        assert_eq!(evaluate("cvt.rna.tf32.f32 %d, %a;", &["b32", "f32"], &[vec![x]]), [expected]);
    }
}
