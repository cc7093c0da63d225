//! Every kind of error, with its place. A caret line under the guilty line shows where the error begins.

use lawson_hlo::Module;

/// Reads a module written with a line `  ^ message` below the guilty line; expectations follow `; expected`.
#[track_caller]
fn check(annotated: &str) {
    let is_mark = |l: &str| l.trim_start().starts_with("^ ");
    let text: String = annotated.lines().filter(|l| !is_mark(l)).map(|l| format!("{l}\n")).collect();
    let (number, mark) =
        annotated.lines().enumerate().find(|(_, l)| is_mark(l)).expect("a line with a caret");
    let column = mark.find('^').expect("a caret") + 1;
    let expected = format!("line {number}, column {column}: {}", mark[column..].trim());
    let error = Module::parse(&text).expect_err("text with an error");
    assert_eq!(error.to_string(), expected, "\n{}", error.render("test", &text));
    let shown = error.render("test", &text);
    assert!(shown.contains(&format!("--> test:{number}:{column}\n")), "{shown}");
}

#[test]
fn unknown_opcode_with_a_guess() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] mutliply(x, x)
             ^ unknown opcode `mutliply`; expected perhaps `multiply`
}",
    );
}

#[test]
fn unknown_opcode_without_a_guess() {
    check(
        "ENTRY e {
  x = f32[2] frobnicate()
             ^ unknown opcode `frobnicate`
}",
    );
}

#[test]
fn unknown_attribute() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] add(x, x), dimensions={0}
                        ^ `add` has no attribute `dimensions=`
}",
    );
}

#[test]
fn attribute_given_twice() {
    check(
        "ENTRY e {
  x = f32[2] iota(), iota_dimension=0, iota_dimension=0
                                       ^ a second `iota_dimension=`
}",
    );
}

#[test]
fn missing_attribute() {
    check(
        "ENTRY e {
  x = f32[2] iota()
             ^ `iota` needs the attribute `iota_dimension=`
}",
    );
}

#[test]
fn how_equations_are_solved_is_stated() {
    check(
        "ENTRY e {
  a = f32[2,2] parameter(0)
  x = f32[2,2] triangular-solve(a, a), lower=true
               ^ `triangular-solve` needs the attribute `transpose_a=`
}",
    );
    check(
        "ENTRY e {
  a = f32[2,2] parameter(0)
  x = f32[2,2] triangular-solve(a, a), lower=true, transpose_a=TRANSPOSE_INVALID
                                                               ^ unexpected `TRANSPOSE_INVALID`; expected NO_TRANSPOSE, TRANSPOSE, ADJOINT
}",
    );
}

#[test]
fn unknown_element_type() {
    check(
        "ENTRY e {
  x = f33[2] parameter(0)
      ^ unknown element type `f33`; expected pred, s4 to s64, u4 to u64, f16, bf16, f32, f64, an f8 type, c64, c128, a prime field such as babybear, token or opaque
}",
    );
    check(
        "ENTRY e {
  x = babybaer[2] parameter(0)
      ^ unknown element type `babybaer`; expected perhaps babybear
}",
    );
    check(
        "ENTRY e {
  x = bn254_g1_affine[2] parameter(0)
      ^ `bn254_g1_affine` is a type of points on a curve, which are not supported; expected a field, such as goldilocks
}",
    );
}

/// What published texts of other systems have to have mended.
#[test]
fn extents_and_opcodes_of_other_systems() {
    check(
        "ENTRY e {
  x = babybear[n] parameter(0)
               ^ the dimension `n` is no number; expected its extent: shapes are known when a program is compiled
}",
    );
    check(
        "ENTRY e {
  x = babybear[2] paramter(0)
                  ^ unknown opcode `paramter`; expected perhaps `parameter`
}",
    );
    check(
        "ENTRY e {
  x = babybear[2] parameter(0)
  y = babybear[] msm(x, x)
                 ^ multi-scalar multiplication is not supported, since points on curves are not
}",
    );
}

#[test]
fn undefined_operand() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] add(x, z)
                    ^ no instruction `z` before this one
}",
    );
}

#[test]
fn forward_reference() {
    check(
        "ENTRY e {
  y = f32[2] negate(%x)
                    ^ no instruction `x` before this one
  x = f32[2] parameter(0)
}",
    );
}

#[test]
fn a_lone_instruction_of_itself() {
    check(
        "x = f32[2] negate(f32[2] x)
^ `x` is its own operand",
    );
}

#[test]
fn forward_control_predecessor() {
    check(
        "ENTRY e {
  y = f32[2] parameter(1), control-predecessors={x}
                                                 ^ no instruction `x` before this one
  x = f32[2] parameter(0)
}",
    );
}

#[test]
fn duplicate_instruction() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  x = f32[2] parameter(1)
  ^ a second instruction `x`
}",
    );
}

#[test]
fn duplicate_computation() {
    check(
        "f {
  x = f32[2] parameter(0)
}
f {
^ a second computation `f`
  x = f32[2] parameter(0)
}",
    );
}

#[test]
fn second_root_and_second_entry() {
    check(
        "ENTRY e {
  ROOT x = f32[2] parameter(0)
  ROOT y = f32[2] parameter(1)
  ^ a second ROOT in this computation
}",
    );
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
}
ENTRY f {
^ a second ENTRY computation
  x = f32[2] parameter(0)
}",
    );
}

#[test]
fn undefined_computation() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=f
                               ^ no computation `f`
}",
    );
}

#[test]
fn computations_that_call_each_other() {
    check(
        "f {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=g
}
g {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=f
                               ^ `f` would call itself
}",
    );
    check(
        "f {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=f
                               ^ `f` would call itself
}",
    );
}

#[test]
fn operand_shape_that_contradicts() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[3] negate(f32[3] x)
                    ^ `x` has the shape f32[2], not f32[3]
}",
    );
}

#[test]
fn signature_that_contradicts() {
    check(
        "ENTRY e (x: f32[2]) -> f32[3] {
                       ^ the root of `e` is f32[2], its signature says f32[3]
  x = f32[2] parameter(0)
}",
    );
}

#[test]
fn shape_that_cannot_be_left_out() {
    check(
        "ENTRY e {
  x = parameter(0)
      ^ a parameter needs a shape; expected a shape before `parameter`
}",
    );
    check(
        "ENTRY e {
  x = constant(0)
      ^ a constant needs a shape; expected a shape before `constant`
}",
    );
}

#[test]
fn shape_that_cannot_be_inferred() {
    let text = "ENTRY e {\n  x = f32[2] parameter(0)\n  y = f32[3] parameter(1)\n  z = add(x, y)\n}";
    let error = Module::parse(text).expect_err("shapes differ");
    assert_eq!((error.line, error.column), (4, 3));
    assert!(error.message.starts_with("no shape given, and "), "{error}");
    assert_eq!(&text[error.span], "z = add(x, y)");
}

#[test]
fn element_out_of_a_tuple() {
    check(
        "ENTRY e {
  t = (f32[], s32[]) parameter(0)
  y = f32[] negate(t#2)
                   ^ (f32[], s32[]) has no element 2
}",
    );
}

#[test]
fn literals_out_of_range() {
    check(
        "ENTRY e {
  x = s8[] constant(128)
                    ^ 128 is out of the range of s8; expected -128 to 127
}",
    );
    check(
        "ENTRY e {
  x = f16[2] constant({1, 65520})
                          ^ 65520 is out of the range of f16
}",
    );
    check(
        "ENTRY e {
  x = u4[] constant(-1)
                    ^ -1 is out of the range of u4; expected 0 to 15
}",
    );
}

#[test]
fn literals_of_the_wrong_kind() {
    check(
        "ENTRY e {
  x = s32[] constant(1.5)
                     ^ `1.5` is no s32; expected an integer
}",
    );
    check(
        "ENTRY e {
  x = pred[] constant(2)
                      ^ `2` is no pred; expected true or false
}",
    );
    check(
        "ENTRY e {
  x = f32[] constant(one)
                     ^ `one` is no f32; expected a number
}",
    );
}

#[test]
fn literals_with_the_wrong_number_of_elements() {
    check(
        "ENTRY e {
  x = f32[3] constant({1, 2})
                           ^ dimension 0 of a literal of f32[3] has 3 elements, found only 2
}",
    );
    check(
        "ENTRY e {
  x = f32[2,1] constant({ {1}, {2, 3} })
                                   ^ dimension 1 of a literal of f32[2,1] has 1 elements, found more
}",
    );
}

#[test]
fn shapes_that_are_none() {
    check(
        "ENTRY e {
  x = f32[-1] parameter(0)
          ^ the dimension -1 is negative
}",
    );
    check(
        "ENTRY e {
  x = f32[99999999999999999999] parameter(0)
          ^ 99999999999999999999 does not fit in 64 bits; expected a dimension
}",
    );
    check(
        "ENTRY e {
  x = f32[2,3]{1,1} parameter(0)
              ^ this layout does not order 2 dimensions; expected each dimension number once, the fastest varying first
}",
    );
    check(
        "ENTRY e {
  x = f32[?] parameter(0)
          ^ dimensions without a bound are not supported; expected a number, or a bound such as `<=8`
}",
    );
    // An empty layout is none: the brace is not part of the shape.
    check(
        "ENTRY e {
  x = f32[]{} parameter(0)
           ^ unexpected `{`; expected an opcode
}",
    );
}

#[test]
fn header_faults() {
    check(
        "HloModule m, colour=blue
             ^ a module has no attribute `colour=`
ENTRY e {
  x = f32[] parameter(0)
}",
    );
    check(
        "HloModule m, input_output_alias={ {}: (0, {}, shall-alias) }
                                              ^ unexpected `shall-alias`; expected may-alias, must-alias
ENTRY e {
  x = f32[] parameter(0)
}",
    );
    check(
        "HloModule m

FileNames
2 \"a.py\"
^ entry 1 of FileNames stands here
ENTRY e {
  x = f32[] parameter(0)
}",
    );
}

#[test]
fn punctuation() {
    check(
        "ENTRY e {
  x f32[] parameter(0)
    ^ unexpected `f32`; expected `=` after the name of an instruction
}",
    );
    check(
        "ENTRY e {
  x = f32[] parameter(0) y = f32[] negate(x),
}
^ unexpected `}`; expected an attribute",
    );
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] add(x x)
                   ^ unexpected `x`; expected `,` or `)` after an operand
}",
    );
    check(
        "ENTRY e {
}
^ a computation without instructions",
    );
}

#[test]
fn values_of_attributes() {
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = pred[2] compare(x, x), direction=XX
                                       ^ unexpected `XX`; expected EQ, NE, GE, GT, LE, LT
}",
    );
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] concatenate(x), dimensions={0,}
                                           ^ unexpected `}`; expected a dimension number
}",
    );
    check(
        "ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] slice(x), slice={[0:2:1:1]}
                                    ^ unexpected `:`; expected `]` to end a slice
}",
    );
    check(
        "f {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  z = f32[] add(x, y)
}
ENTRY e {
  x = f32[2,2] parameter(0)
  i = f32[] constant(0)
  y = f32[2,2] reduce-window(x, i), window={size=1x1 stride=0x1}, to_apply=f
                                           ^ a window needs sizes from 0, and strides and dilations from 1
}",
    );
}

#[test]
fn text_that_ends_early() {
    for text in
        ["", "HloModule m", "ENTRY", "ENTRY e {", "ENTRY e {\n x = f32[", "ENTRY e {\n x = f32[] parameter(0"]
    {
        let error = Module::parse(text).expect_err("unfinished text");
        assert_eq!(error.span, text.len()..text.len(), "{error}");
        assert!(error.message.starts_with("unexpected end"), "{error}");
    }
    let text = "ENTRY e {\n  x = f32[] parameter(0), metadata={op_name=\"never ends}\n}";
    let error = Module::parse(text).expect_err("a string without end");
    assert_eq!((error.line, error.message.as_str()), (2, "this string never ends"));
    for text in [
        "/* never ends",
        "ENTRY e { /* never ends",
        "ENTRY e { x = f32[] parameter(0), sharding={/* never ends",
    ] {
        assert!(Module::parse(text).is_err());
    }
}

#[test]
fn rendering_survives_long_lines_tabs_and_other_alphabets() {
    let long = format!(
        "ENTRY e {{\n\tx = f32[] parameter(0), metadata={{op_name=\"Ω{}\"}}, bogus=1\n}}",
        "é".repeat(500)
    );
    let error = Module::parse(&long).expect_err("an unknown attribute");
    let shown = error.render("m.hlo", &long);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "error: `parameter` has no attribute `bogus=`");
    let caret = lines[4].chars().position(|c| c == '^').expect("a caret");
    let under: String = lines[3].chars().skip(caret).take(5).collect();
    assert_eq!(under, "bogus", "{shown}");
    assert!(lines[3].chars().count() < 130, "{shown}");
    // A render with another text than the one that was read shows nonsense, but does not panic.
    let _ = error.render("m.hlo", "é");
    for text in
        ["é", "ENTRY é {", "ENTRY e { é }", "ENTRY e { x = é }", "x = f32[é]", "x = f32[2] constant({é})"]
    {
        let error = Module::parse(text).expect_err("no identifier");
        let _ = error.render("m.hlo", text);
    }
}
