//! Nesting is limited, never by the call stack; long modules take time in proportion.

use crate::{parse, round_trip};
use lawson_hlo::Module;
use std::fmt::Write;

/// `open` repeated around `core`.
fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

fn entry(line: &str) -> String {
    format!("HloModule m\nENTRY e {{\n  p = f32[] parameter(0)\n  x = {line}\n}}\n")
}

type Case = (&'static str, fn(usize) -> String);

/// Everything that nests, and how to write it so deep.
const CASES: &[Case] = &[
    ("tuple shapes", |n| entry(&format!("{} parameter(1)", nested("(", "f32[]", ")", n)))),
    ("buffers", |n| entry(&format!("{} parameter(1)", nested("b(", "f32[]", ")", n)))),
    ("operands", |n| entry(&format!("f32[] {}", nested("negate(", "p", ")", n + 1)))),
    ("values", |n| entry(&format!("f32[] negate(p), backend_config={}", nested("{", "", "}", n)))),
    ("inline bodies", |n| {
        let open = "call(q), to_apply={ q = f32[] parameter(0) r = f32[] ";
        entry(&format!("f32[] {}", nested(open, "negate(q)", "}", n))).replacen("call(q)", "call(p)", 1)
    }),
    ("layouts", |n| entry(&format!("f32[2]{{0:{}}} parameter(1)", nested("P(", "", ")", n)))),
    ("header values", |n| {
        format!(
            "HloModule m, debug_attributes={}\n{}",
            nested("{", "", "}", n),
            &entry("f32[] negate(p)")[12..]
        )
    }),
];

#[test]
fn up_to_the_limit_is_read() {
    for (what, text) in CASES {
        let text = text(1000);
        let module = Module::parse(&text).unwrap_or_else(|e| panic!("{what}: {e}"));
        let printed = module.to_string();
        assert_eq!(parse(&printed).to_string(), printed, "{what}");
    }
}

#[test]
fn beyond_the_limit_is_an_error() {
    for (what, text) in CASES {
        for depth in [1001, 20_000] {
            let error = Module::parse(&text(depth)).expect_err(what);
            assert_eq!(error.message, "nested more than 1000 deep", "{what} {depth}: {error}");
        }
    }
}

#[test]
fn unclosed_nesting_is_an_error() {
    for open in ["{", "(", "[", "f32[] negate(", "to_apply={ q = f32[] call(), ", "\"", "/*", "x = (", "b("] {
        assert!(Module::parse(&open.repeat(20_000)).is_err());
        assert!(Module::parse(&entry(&open.repeat(20_000))).is_err());
    }
}

#[test]
fn a_literal_of_high_rank_costs_no_stack() {
    let ones = vec!["1"; 20_000].join(",");
    let text = entry(&format!("f32[{ones}] constant({})", nested("{", "7", "}", 20_000)));
    round_trip(&text);
}

#[test]
fn inferred_tuples_cannot_grow_without_bound() {
    let mut doubling = String::from("ENTRY e {\n  t0 = f32[] parameter(0)\n");
    let mut deepening = doubling.clone();
    for i in 1..2000 {
        writeln!(doubling, "  t{i} = tuple(t{}, t{})", i - 1, i - 1).expect("to a string");
        writeln!(deepening, "  t{i} = tuple(t{})", i - 1).expect("to a string");
    }
    let error = Module::parse(&(doubling + "}")).expect_err("2^2000 parts");
    assert!(error.message.contains("parts") && error.line < 40, "{error}");
    let error = Module::parse(&(deepening + "}")).expect_err("2000 deep");
    assert_eq!(error.message, "a tuple nested more than 1000 deep");
    assert_eq!(error.line, 3 + 1000);
}

#[test]
fn a_hundred_thousand_instructions() {
    let count = 100_000;
    let mut text = String::from("HloModule m\nENTRY e {\n  x0 = f32[1024]{0} parameter(0)\n");
    for i in 1..count {
        writeln!(text, "  x{i} = f32[1024]{{0}} add(x{}, x{}), metadata={{op_name=\"add\"}}", i - 1, i / 2)
            .expect("to a string");
    }
    text.push_str("}\n");
    let module = parse(&text);
    assert_eq!(module.instruction_count(), count);
    assert_eq!(module.sources[count - 1].line, count as u32 + 2);
    assert_eq!(parse(&module.to_string()).instruction_count(), count);
}

#[test]
fn ten_thousand_computations_backwards() {
    let count = 10_000;
    let mut text = String::from("HloModule m\n");
    for i in 0..count {
        let root = if i + 1 < count { format!("call(x), to_apply=f{}", i + 1) } else { "negate(x)".into() };
        writeln!(text, "f{i} {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] {root}\n}}")
            .expect("to a string");
    }
    let module = parse(&text);
    assert_eq!(&*module.computations[0].name, format!("f{}", count - 1));
    assert_eq!(&*module.entry().name, format!("f{}", count - 1));
}
