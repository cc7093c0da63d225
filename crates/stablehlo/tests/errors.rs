//! What is wrong with a program is said with its place; what Lawson cannot do is said by name.

// Each test uses a part of it.
#[allow(dead_code)]
mod support;

use lawson_stablehlo::{Kind, Place, read_artifact, read_text};
use support::folder;

#[test]
fn every_cut_of_an_artifact_is_an_error_with_an_offset() {
    let path = folder().join("branches.1.9.0.mlir.bc");
    let bytes = std::fs::read(path).expect("an artifact");
    for n in 0..bytes.len() {
        match read_artifact(&bytes[..n]).expect_err("a part is no artifact").place {
            Place::Byte(at) => assert!(at <= n),
            other => panic!("{other:?}"),
        }
    }
}

fn text_error(text: &str) -> (Kind, String) {
    let e = read_text(text).expect_err("an error");
    (e.kind, e.to_string())
}

#[test]
fn errors_of_texts_have_line_and_column() {
    let in_main =
        |ops: &str| format!("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n  {ops}\n}}\n");
    let cases = [
        ("return %y : tensor<2xf32>", "line 2, column 10: there is no value %y here"),
        (
            "%0 = stablehlo.add %x, %x : tensor<3xf32>\n  return %0 : tensor<3xf32>",
            "line 2, column 8: stablehlo.add gives f32[2], and its type says f32[3]",
        ),
        (
            "%0 = stablehlo.transpose %x, dims = [1] : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>",
            "line 2, column 8: stablehlo.transpose: `transpose` ",
        ),
        (
            "%0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<2xf32>",
            "line 2, column 33: 3 elements are given for f32[2]",
        ),
        (
            "%0 = stablehlo.slice %x [0] : (tensor<2xf32>) -> tensor<1xf32>",
            "line 2, column 8: stablehlo.slice has a range",
        ),
        ("return %x : tensor<2xf32", "line 3, column 1: `>` is expected, not `}`"),
        ("cf.br ^bb1", "line 2, column 9: jumps between blocks are not supported"),
    ];
    for (ops, message) in cases {
        let (kind, found) = text_error(&in_main(ops));
        assert!(found.starts_with(message), "{found}");
        assert_eq!(kind, Kind::Malformed, "{found}");
    }
    assert_eq!(text_error("").1, "line 1, column 1: the text has no function");
    let unclosed = "module {\n  func.func @main() {\n    return\n";
    assert!(text_error(unclosed).1.starts_with("line 4, column 1: `}` is expected"));
}

#[test]
fn what_lawson_cannot_do_is_named() {
    let of = |ty: &str, op: &str| {
        let text = format!(
            "func.func @main(%x: {ty}) -> {ty} {{\n  %0 = {op} loc(\"model.py\":7:3)\n  return %0 : {ty}\n}}"
        );
        let (kind, message) = text_error(&text);
        assert_eq!(kind, Kind::Unsupported, "{message}");
        message
    };
    assert_eq!(
        of("tensor<2xf32>", "stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2xf32>"),
        "line 2, column 8: STABLEHLO: op stablehlo.uniform_quantize is not supported yet (model.py:7)"
    );
    assert_eq!(
        of(
            "tensor<2xf32>",
            "stablehlo.dynamic_reshape %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"
        ),
        "line 2, column 8: STABLEHLO: op stablehlo.dynamic_reshape: dynamic shapes are not supported: shapes must be static (model.py:7)"
    );
    assert!(
        of("tensor<?xf32>", "stablehlo.add %x, %x : tensor<?xf32>")
            .contains("a dynamic shape: shapes must be static")
    );
    assert!(
        of("tensor<2x!quant.uniform<i8:f32, 0.5>>", "stablehlo.add %x, %x : tensor<2xf32>")
            .contains("!quant.uniform")
    );
}

#[test]
fn nesting_and_recursion_are_bounded() {
    let list = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let deep = format!("func.func @main() attributes {{a = {list}}} {{ return }}");
    assert!(text_error(&deep).1.contains("nest more than"));
    let regions = format!("func.func @main() {{ {} }}", "\"stablehlo.if\"() ({ ".repeat(5000));
    assert!(text_error(&regions).1.contains("nest more than"));
    let calls: String = (0..300)
        .map(|i| format!("func.func @f{i}() {{ call @f{}() : () -> ()\n return }}\n", i + 1))
        .collect();
    let calls = format!(
        "func.func @main() {{ call @f0() : () -> ()\n return }}\n{calls}func.func @f300() {{ return }}"
    );
    assert!(text_error(&calls).1.contains("deep"));
    let itself = "func.func @main() { call @main() : () -> ()\n return }";
    assert!(text_error(itself).1.contains("calls itself"));
}

/// `#a0 = 1`, and each of the others a list of the one before, as often as said.
fn aliases(count: usize, times: usize) -> String {
    let one = |i: usize| format!("#a{i} = [{}]\n", vec![format!("#a{}", i - 1); times].join(", "));
    "#a0 = 1\n".to_string() + &(1..=count).map(one).collect::<String>()
}

#[test]
fn attributes_are_no_higher_than_they_may_nest() {
    let of = |count: usize| {
        let used = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {a = #a80} { return %x : tensor<2xf32> }";
        format!("{}{used}\n", aliases(count, 1))
    };
    read_text(&of(80)).expect("no higher than allowed");
    let (_, message) = text_error(&of(100_000));
    assert!(
        message.starts_with("line 102, column 1: ") && message.contains("nests more than 100 deep"),
        "{message}"
    );
}
