//! Literals of every type, there and back.

use crate::{entry, find, round_trip_entry};
use lawson_hlo::{Attrs, DType, Literal, Scalar, Value};

fn literal(text: &str) -> Literal {
    let module = entry(&format!("c = {text}"));
    match &find(&module, "c").attrs {
        Attrs::Constant(Some(Value::Array(l))) => l.clone(),
        other => panic!("no array: {other:?}"),
    }
}

/// The text of the constant after reading and printing.
#[track_caller]
fn printed(text: &str) -> String {
    let lines = round_trip_entry(&format!("c = {text}"));
    lines[0].trim_start_matches("ROOT c = ").to_string()
}

#[test]
fn scalars_print_as_xla_prints_them() {
    for (given, expected) in [
        ("f32[] constant(0.00001)", "f32[] constant(1e-05)"),
        ("f32[] constant(1)", "f32[] constant(1)"),
        ("f32[] constant(-inf)", "f32[] constant(-inf)"),
        ("f32[] constant(inf)", "f32[] constant(inf)"),
        ("f32[] constant(nan)", "f32[] constant(nan)"),
        ("f32[] constant(-nan)", "f32[] constant(-nan)"),
        ("f32[] constant(nan(0x1))", "f32[] constant(nan(0x1))"),
        ("f32[] constant(-0)", "f32[] constant(-0.0)"),
        ("f32[] constant(3.40282347e+38)", "f32[] constant(3.4028235e+38)"),
        ("f64[] constant(0.1)", "f64[] constant(0.1)"),
        ("f16[] constant(0.1)", "f16[] constant(0.1)"),
        ("bf16[] constant(3.14159)", "bf16[] constant(3.14)"),
        ("pred[] constant(1)", "pred[] constant(true)"),
        ("pred[] constant(false)", "pred[] constant(false)"),
        ("s64[] constant(-9223372036854775808)", "s64[] constant(-9223372036854775808)"),
        ("u64[] constant(18446744073709551615)", "u64[] constant(18446744073709551615)"),
        ("u64[] constant(-1)", "u64[] constant(18446744073709551615)"),
        ("s4[] constant(-8)", "s4[] constant(-8)"),
        ("u2[] constant(3)", "u2[] constant(3)"),
        ("s1[] constant(-1)", "s1[] constant(-1)"),
        ("c64[] constant((1, -2.5))", "c64[] constant((1, -2.5))"),
        ("c128[] constant(3)", "c128[] constant((3, 0))"),
        ("f8e4m3fn[] constant(448)", "f8e4m3fn[] constant(448)"),
        ("f8e5m2[] constant(0.1)", "f8e5m2[] constant(0.09)"),
        ("f4e2m1fn[] constant(6)", "f4e2m1fn[] constant(6)"),
    ] {
        assert_eq!(printed(given), expected);
    }
}

#[test]
fn arrays_nest_by_dimension() {
    assert_eq!(printed("s32[3] constant({1,2,3})"), "s32[3] constant({1, 2, 3})");
    let two = "f32[2,2] constant({ { 1, 2 }, { 3, 4 } })";
    assert_eq!(printed("f32[2,2] constant({{1,2},{3,4}})"), two);
    assert_eq!(printed("pred[2,1] constant({{true},{0}})"), "pred[2,1] constant({ { 1 }, { 0 } })");
    assert_eq!(
        printed("u8[2,1,3] constant({ { /*i0=0*/ {1,2,3} }, { {4,5,6} } })"),
        "u8[2,1,3] constant({ { { 1, 2, 3 } }, { { 4, 5, 6 } } })"
    );
    let l = literal("s16[2,3] constant({ { 1, 2, 3 }, { 4, 5, -6 } })");
    assert_eq!(l.get(5), Scalar::Signed(-6));
    assert_eq!(l.get(3), Scalar::Signed(4));
}

#[test]
fn arrays_without_elements() {
    assert_eq!(printed("f32[0] constant({})"), "f32[0] constant({})");
    assert_eq!(printed("f32[2,0] constant({ { }, {} })"), "f32[2,0] constant({ {}, {} })");
    assert_eq!(printed("f32[0,5] constant({})"), "f32[0,5] constant({})");
    assert_eq!(printed("f32[2,0,4,3] constant({ { /*i0=0*/ }, {} })"), "f32[2,0,4,3] constant({ {}, {} })");
    // Braces for each of the rows would be endless.
    assert_eq!(printed("f32[1000000000000,0] constant({})"), "f32[1000000000000,0] constant({})");
}

#[test]
fn tuples_and_elided_literals() {
    let text = "(s32[], (f32[2], pred[])) constant(( 1, ( {2, 3}, true ) ))";
    assert_eq!(printed(text), text);
    assert_eq!(printed("f32[1099511627776] constant({...})"), "f32[1099511627776] constant({...})");
    let module = entry("c = (s32[], f32[100]) constant((1, {...}))");
    assert_eq!(find(&module, "c").attrs, Attrs::Constant(None));
}

#[test]
fn one_scalar_gives_the_first_element_only() {
    // As XLA reads it.
    let l = literal("f32[3] constant(7)");
    assert_eq!(l.scalars().collect::<Vec<_>>(), [Scalar::Float(7.0), Scalar::Float(0.0), Scalar::Float(0.0)]);
}

#[test]
fn long_arrays_of_zeros_stay_short() {
    assert_eq!(printed("s32[64,64] constant(0)"), "s32[64,64] constant(0)");
    assert_eq!(printed("pred[2048] constant(true)"), "pred[2048] constant(true)");
    let zeros = format!("f32[2000] constant({{{}-0}})", "0, ".repeat(1999));
    assert!(printed(&zeros).ends_with("0, -0.0})"), "a negative zero is not zero");
}

#[test]
fn short_text_makes_no_unlimited_arrays() {
    let error = |text: &str| lawson_hlo::Module::parse(text).expect_err("too large").to_string();
    let one = "ENTRY e {\n a = f32[1099511627776] constant(1)\n}";
    assert_eq!(
        error(one),
        "line 2, column 34: for one scalar, f32[1099511627776] is too large; expected a broadcast of a scalar"
    );
    let many = format!(
        "ENTRY e {{\n{}}}",
        (0..50).map(|i| format!(" a{i} = f32[9999999] constant(1)\n")).collect::<String>()
    );
    assert!(error(&many).starts_with("line 8, "));
    let overflow = "ENTRY e {\n a = f32[9223372036854775807,9223372036854775807] constant({ {1} })\n}";
    assert!(error(overflow).contains("found only 1"));
}

#[test]
fn every_bit_pattern_of_narrow_types_survives() {
    for &dtype in DType::ALL.iter().filter(|d| d.size() == 1) {
        let codes = 1u32 << dtype.bits();
        // Signed narrow integers are held sign-extended.
        let bytes: Vec<u8> = (0..codes)
            .map(|c| {
                let shift = 32 - dtype.bits();
                if dtype.is_signed() { ((c << shift) as i32 >> shift) as u8 } else { c as u8 }
            })
            .collect();
        let shape = lawson_hlo::ArrayShape::new(dtype, [codes as i64]);
        let given = Literal::new(shape.clone(), bytes);
        let mut module = entry(&format!("c = {shape} constant({{...}})"));
        module.computations[0].instrs[0].attrs = Attrs::Constant(Some(Value::Array(given.clone())));
        let back = crate::parse(&module.to_string());
        assert_eq!(find(&back, "c").attrs, Attrs::Constant(Some(Value::Array(given))), "{dtype}");
    }
}
