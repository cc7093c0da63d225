//! Floats: arithmetic, comparisons, NaN, denormals, of all formats.

use crate::common::{Random, check, evaluate, pairs};

const SINGLES: [f32; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    3.0,
    1.5e-45,
    -1.0e-40,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1.0e-20,
    16_777_217.0,
    f32::MAX,
    -f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1.0000001,
];

fn singles() -> Vec<u64> {
    let mut random = Random(3);
    let random = (0..40).map(|_| random.next() & 0xffff_ffff);
    SINGLES.iter().map(|x| u64::from(x.to_bits())).chain(random).collect()
}

fn doubles() -> Vec<u64> {
    let mut random = Random(4);
    let random = (0..40).map(|_| random.next());
    SINGLES.iter().map(|&x| f64::from(x).to_bits()).chain([1, f64::MAX.to_bits()]).chain(random).collect()
}

fn s(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

/// A result as PTX gives it.
fn single(x: f32) -> u64 {
    if x.is_nan() { 0x7fff_ffff } else { x.to_bits().into() }
}

fn flush(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

fn triples(all: &[u64]) -> Vec<Vec<u64>> {
    let mut random = Random(8);
    (0..3000).map(|_| (0..3).map(|_| all[random.below(all.len())]).collect()).collect()
}

#[test]
fn arithmetic_of_singles_is_rounded_once() {
    let all = singles();
    let two = pairs(&all, &all);
    type Binary = fn(f32, f32) -> f32;
    let operations: [(&str, Binary); 4] = [
        ("add.rn", |a, b| a + b),
        ("sub.rn", |a, b| a - b),
        ("mul.rn", |a, b| a * b),
        ("div.rn", |a, b| a / b),
    ];
    for (op, f) in operations {
        let types = ["f32"; 3];
        check(&format!("{op}.f32 %d, %a, %b;"), &types, &two, |x| single(f(s(x[0]), s(x[1]))));
        check(&format!("{op}.ftz.f32 %d, %a, %b;"), &types, &two, |x| {
            single(flush(f(flush(s(x[0])), flush(s(x[1])))))
        });
    }
    check("add.sat.f32 %d, %a, %b;", &["f32"; 3], &two, |x| {
        let sum = s(x[0]) + s(x[1]);
        if sum.is_nan() || sum <= 0.0 { 0 } else { sum.min(1.0).to_bits().into() }
    });
    check("fma.rn.f32 %d, %a, %b, %c;", &["f32"; 4], &triples(&all), |x| {
        single(s(x[0]).mul_add(s(x[1]), s(x[2])))
    });
    let one: Vec<Vec<u64>> = all.iter().map(|&x| vec![x]).collect();
    check("sqrt.rn.f32 %d, %a;", &["f32"; 2], &one, |x| single(s(x[0]).sqrt()));
    check("rcp.rn.f32 %d, %a;", &["f32"; 2], &one, |x| single(1.0 / s(x[0])));
    check("neg.f32 %d, %a;", &["f32"; 2], &one, |x| x[0] ^ 0x8000_0000);
    check("abs.f32 %d, %a;", &["f32"; 2], &one, |x| x[0] & 0x7fff_ffff);
    check("copysign.f32 %d, %a, %b;", &["f32"; 3], &two, |x| x[1] & 0x7fff_ffff | x[0] & 0x8000_0000);
    // An immediate operand, as LLVM writes it.
    check("mul.rn.f32 %d, %a, 0f40000000;", &["f32"; 2], &one, |x| single(s(x[0]) * 2.0));
}

#[test]
fn arithmetic_of_doubles_is_rounded_once() {
    let all = doubles();
    let two = pairs(&all, &all);
    let d = f64::from_bits;
    // Which NaN comes out is left open; here it is one that went in, or that of invalid operations.
    let known = |x: f64, operands: &[u64]| {
        if !x.is_nan() {
            return x.to_bits();
        }
        let nan = operands.iter().find(|&&o| d(o).is_nan());
        nan.map_or(0xfff8_0000_0000_0000, |o| o | 0x8_0000_0000_0000)
    };
    check("add.rn.f64 %d, %a, %b;", &["f64"; 3], &two, |x| known(d(x[0]) + d(x[1]), x));
    check("sub.f64 %d, %a, %b;", &["f64"; 3], &two, |x| known(d(x[0]) - d(x[1]), x));
    check("mul.rn.f64 %d, %a, %b;", &["f64"; 3], &two, |x| known(d(x[0]) * d(x[1]), x));
    check("div.rn.f64 %d, %a, %b;", &["f64"; 3], &two, |x| known(d(x[0]) / d(x[1]), x));
    check("fma.rn.f64 %d, %a, %b, %c;", &["f64"; 4], &triples(&all), |x| {
        known(d(x[0]).mul_add(d(x[1]), d(x[2])), x)
    });
    let one: Vec<Vec<u64>> = all.iter().map(|&x| vec![x]).collect();
    check("sqrt.rn.f64 %d, %a;", &["f64"; 2], &one, |x| known(d(x[0]).sqrt(), x));
    check("neg.f64 %d, %a;", &["f64"; 2], &one, |x| x[0] ^ 1 << 63);
}

#[test]
fn extremes_prefer_numbers_or_nan_and_know_the_sign_of_zero() {
    let all = singles();
    let two = pairs(&all, &all);
    let least = |x: &[u64]| {
        let (a, b) = (s(x[0]), s(x[1]));
        match (a.is_nan(), b.is_nan()) {
            (true, true) => f32::NAN,
            (true, false) => b,
            (false, true) => a,
            _ if a == 0.0 && b == 0.0 => f32::from_bits((x[0] | x[1]) as u32),
            _ => a.min(b),
        }
    };
    check("min.f32 %d, %a, %b;", &["f32"; 3], &two, |x| single(least(x)));
    check("max.f32 %d, %a, %b;", &["f32"; 3], &two, |x| {
        let negated = |x: u64| x ^ 0x8000_0000;
        single(-least(&[negated(x[0]), negated(x[1])]))
    });
    check("min.NaN.f32 %d, %a, %b;", &["f32"; 3], &two, |x| {
        if s(x[0]).is_nan() || s(x[1]).is_nan() { 0x7fff_ffff } else { single(least(x)) }
    });
    check("max.ftz.f32 %d, %a, %b;", &["f32"; 3], &pairs(&[1, 0x8000_0001, 0], &[0x8000_0000, 0]), |x| {
        // Both are zeros then: the positive one wins.
        if x[0] >> 31 == 1 && x[1] >> 31 == 1 { 0x8000_0000 } else { 0 }
    });
    let d = f64::from_bits;
    let two = pairs(&doubles(), &doubles());
    check("max.f64 %d, %a, %b;", &["f64"; 3], &two, |x| {
        let (a, b) = (d(x[0]), d(x[1]));
        if a.is_nan() && b.is_nan() {
            return x[0] | 0x8_0000_0000_0000;
        }
        if a == 0.0 && b == 0.0 { x[0] & x[1] } else { a.max(b).to_bits() }
    });
}

#[test]
fn comparisons_say_what_they_do_with_nan() {
    let all = singles();
    let two = pairs(&all, &all);
    type Compare = fn(f32, f32) -> bool;
    let comparisons: [(&str, Compare); 14] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a.partial_cmp(&b).is_some_and(|order| order.is_ne())),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| a.is_nan() || b.is_nan() || a == b),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| a.is_nan() || b.is_nan() || a < b),
        ("leu", |a, b| a.is_nan() || b.is_nan() || a <= b),
        ("gtu", |a, b| a.is_nan() || b.is_nan() || a > b),
        ("geu", |a, b| a.is_nan() || b.is_nan() || a >= b),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ];
    for (name, f) in comparisons {
        check(&format!("setp.{name}.f32 %d, %a, %b;"), &["pred", "f32", "f32"], &two, |x| {
            f(s(x[0]), s(x[1])).into()
        });
        check(&format!("setp.{name}.ftz.f32 %d, %a, %b;"), &["pred", "f32", "f32"], &two, |x| {
            f(flush(s(x[0])), flush(s(x[1]))).into()
        });
        let wide: Vec<Vec<u64>> =
            two.iter().map(|x| x.iter().map(|&x| f64::from(s(x)).to_bits()).collect()).collect();
        check(&format!("setp.{name}.f64 %d, %a, %b;"), &["pred", "f64", "f64"], &wide, |x| {
            f(f64::from_bits(x[0]) as f32, f64::from_bits(x[1]) as f32).into()
        });
    }
    let one: Vec<Vec<u64>> = all.iter().map(|&x| vec![x]).collect();
    for (kind, f) in [
        ("finite", f32::is_finite as fn(f32) -> bool),
        ("infinite", f32::is_infinite),
        ("number", |x| !x.is_nan()),
        ("notanumber", f32::is_nan),
        ("normal", f32::is_normal),
        ("subnormal", f32::is_subnormal),
    ] {
        check(&format!("testp.{kind}.f32 %d, %a;"), &["pred", "f32"], &one, |x| f(s(x[0])).into());
    }
}

/// The values of all finite halves of a format, in order, each with its bits.
fn halves(bfloat: bool) -> Vec<(f64, u64)> {
    let value = |bits: u16| {
        if bfloat { half::bf16::from_bits(bits).to_f64() } else { half::f16::from_bits(bits).to_f64() }
    };
    let mut all: Vec<(f64, u64)> = (0..=u16::MAX)
        .map(|bits| (value(bits), u64::from(bits)))
        .filter(|(x, bits)| x.is_finite() && *bits != 0x8000)
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// The nearest half to the sum of two exact parts, by looking between all halves.
fn nearest(all: &[(f64, u64)], bfloat: bool, high: f64, low: f64) -> u64 {
    let infinity = if bfloat { 0x7f80 } else { 0x7c00 };
    if high.is_nan() {
        return 0x7fff;
    }
    if high == 0.0 {
        return if high.is_sign_negative() { 0x8000 } else { 0 };
    }
    // Compares high + low with a number that is exact in far fewer bits.
    let below = |x: f64| (high - x) + low > 0.0;
    let i = all.partition_point(|&(x, _)| below(x));
    let sign = if high < 0.0 { 0x8000 } else { 0 };
    let largest = all[all.len() - 1].0;
    let step = largest - all[all.len() - 2].0;
    if i == 0 || i == all.len() {
        let beyond = largest + step / 2.0;
        let is_infinite = high.is_infinite() || (high.abs() - beyond) + low * high.signum() >= 0.0;
        return sign | if is_infinite { infinity } else { infinity - 1 };
    }
    let ((a, a_bits), (b, b_bits)) = (all[i - 1], all[i]);
    let middle = f64::midpoint(a, b);
    let distance = (high - middle) + low;
    let bits = if distance < 0.0 || distance == 0.0 && a_bits & 1 == 0 { a_bits } else { b_bits };
    if bits == 0 { sign } else { bits }
}

#[test]
fn arithmetic_of_halves_is_rounded_once() {
    let mut random = Random(6);
    for (bfloat, t) in [(false, "f16"), (true, "bf16")] {
        let all = halves(bfloat);
        let infinity = if bfloat { 0x7f80 } else { 0x7c00 };
        let edges = [0, 0x8000, 1, 0x8001, 0x3c00, 0x3f80, infinity, infinity | 0x8000, infinity - 1, 0x7fff];
        let mut operands: Vec<Vec<u64>> =
            pairs(&edges, &edges).into_iter().map(|x| vec![x[0], x[1], x[0]]).collect();
        operands.extend((0..4000).map(|_| (0..3).map(|_| random.next() & 0xffff).collect()));
        // Products that lie near each other, so that sums cancel.
        operands.extend((0..2000).map(|_| {
            let a = 0x3c00 + (random.next() & 0x1ff);
            let b = 0x3c00 + (random.next() & 0x1ff);
            vec![a, b, 0xbc00 + (random.next() & 0x3ff)]
        }));
        let value = |x: u64| {
            if bfloat {
                half::bf16::from_bits(x as u16).to_f64()
            } else {
                half::f16::from_bits(x as u16).to_f64()
            }
        };
        let sum = |high: f64, c: f64| {
            let total = high + c;
            let back = total - high;
            let lost = if total.is_finite() { (high - (total - back)) + (c - back) } else { 0.0 };
            nearest(&all, bfloat, total, lost)
        };
        let types = ["b16"; 4];
        check(&format!("add.rn.{t} %d, %a, %b;"), &types[..3], &operands, |x| sum(value(x[0]), value(x[1])));
        check(&format!("sub.rn.{t} %d, %a, %b;"), &types[..3], &operands, |x| sum(value(x[0]), -value(x[1])));
        check(&format!("mul.rn.{t} %d, %a, %b;"), &types[..3], &operands, |x| {
            nearest(&all, bfloat, value(x[0]) * value(x[1]), 0.0)
        });
        check(&format!("fma.rn.{t} %d, %a, %b, %c;"), &types, &operands, |x| {
            sum(value(x[0]) * value(x[1]), value(x[2]))
        });
        check(&format!("neg.{t} %d, %a;"), &types[..2], &operands, |x| x[0] ^ 0x8000);
        check(&format!("setp.lt.{t} %d, %a, %b;"), &["pred", "b16", "b16"], &operands, |x| {
            u64::from(value(x[0]) < value(x[1]))
        });
        // Two in a register.
        let packed: Vec<Vec<u64>> =
            operands.iter().map(|x| vec![x[0] | x[1] << 16, x[2] | x[0] << 16]).collect();
        check(&format!("add.rn.{t}x2 %d, %a, %b;"), &["b32"; 3], &packed, |x| {
            let part = |shift: u32| sum(value(x[0] >> shift & 0xffff), value(x[1] >> shift & 0xffff));
            part(0) | part(16) << 16
        });
    }
}

#[test]
fn comparisons_of_two_halves_give_two_predicates() {
    let mut random = Random(12);
    for (bfloat, t) in [(false, "f16x2"), (true, "bf16x2")] {
        let value = |x: u64| {
            if bfloat {
                half::bf16::from_bits(x as u16).to_f64()
            } else {
                half::f16::from_bits(x as u16).to_f64()
            }
        };
        let mut operands: Vec<Vec<u64>> =
            (0..300).map(|_| (0..2).map(|_| random.next() & 0xffff_ffff).collect()).collect();
        operands.extend([vec![0x7fff_0000, 0x7fff_8000], vec![0x3c00_3c00, 0x3c00_7fff]]);
        let test = |name: &str, f: fn(f64, f64) -> bool| {
            let text = format!(
                "{{ .reg .pred low, high; setp.{name}.{t} low|high, %a, %b; selp.u32 %d, 1, 0, low; @high add.s32 %d, %d, 2; }}"
            );
            check(&text, &["b32"; 3], &operands, |x| {
                let half = |shift: u32| u64::from(f(value(x[0] >> shift), value(x[1] >> shift)));
                half(0) | half(16) << 1
            });
        };
        test("lt", |a, b| a < b);
        test("geu", |a, b| a >= b || a.is_nan() || b.is_nan());
        test("eq", |a, b| a == b);
        test("nan", |a, b| a.is_nan() || b.is_nan());
    }
}

#[test]
fn approximations_are_the_rounded_values() {
    let bits = |x: f32| vec![u64::from(x.to_bits())];
    for (name, x, expected) in [
        ("ex2.approx.f32", 3.5, 3.5f64.exp2()),
        ("ex2.approx.ftz.f32", -1.0, 0.5),
        ("lg2.approx.f32", 10.0, 10f64.log2()),
        ("sin.approx.f32", 0.5, 0.5f64.sin()),
        ("cos.approx.f32", 0.5, 0.5f64.cos()),
        ("tanh.approx.f32", 0.25, 0.25f64.tanh()),
        ("rsqrt.approx.f32", 2.0, 1.0 / 2f64.sqrt()),
        ("rcp.approx.ftz.f32", 3.0, 1.0 / 3.0),
        ("sqrt.approx.f32", 2.0, 2f64.sqrt()),
    ] {
        let found = evaluate(&format!("{name} %d, %a;"), &["f32", "f32"], &[bits(x)]);
        assert_eq!(found, bits(expected as f32), "{name}");
    }
    assert_eq!(evaluate("div.full.f32 %d, %a, 0f40400000;", &["f32", "f32"], &[bits(1.0)]), bits(1.0 / 3.0));
}
