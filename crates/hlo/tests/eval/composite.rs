//! Composite elements: complex numbers, alone and in tuples, loops, reducers and comparators.

use super::*;

#[test]
fn put_together_and_taken_apart() {
    assert_eq!(row("complex", "f32", "c64", &["1, 2", "3, -4"]), "1+3i, 2-4i");
    assert_eq!(row("real", "c128", "f64", &["(1, 3), (2, -4)"]), "1, 2");
    assert_eq!(row("imag", "c64", "f32", &["(1, 3), 2"]), "3, 0");
    assert_eq!(row("convert", "s32", "c64", &["1, -2"]), "1+0i, -2+0i");
    assert_eq!(row("convert", "c64", "c128", &["(1, -2)"]), "1-2i");
    assert_eq!(row("convert", "c64", "f32", &["(1.5, -2)"]), "1.5");
    assert_eq!(
        row("convert", "c64", "pred", &["(0, -2), (0.5, 0), (-0, 0), (nan, 0)"]),
        "true, true, false, true"
    );
}

#[test]
fn arithmetic() {
    let row = |op: &str, xs: &[&str]| self::row(op, "c64", "c64", xs);
    assert_eq!(row("add", &["(1, 2), (3, 4)", "(10, 20), 1"]), "11+22i, 4+4i");
    assert_eq!(row("subtract", &["(1, 2)", "(10, 20)"]), "-9-18i");
    assert_eq!(row("multiply", &["(1, 2), (0, 1)", "(3, 4), (0, 1)"]), "-5+10i, -1+0i");
    assert_eq!(row("negate", &["(1, -2)"]), "-1+2i");
}

#[test]
fn products_round_each_product_and_sum() {
    // (1 + 2⁻¹²)² is not exact in f32; contracted, the difference would not be zero.
    let x = 1.0 + (2f32).powi(-12);
    assert_eq!(
        row("multiply", "c64", "c64", &[&format!("({x}, {x})"), &format!("({x}, {x})")]),
        format!("0+{}i", 2.0 * (x * x))
    );
}

#[test]
fn magnitudes_neither_overflow_nor_vanish() {
    let abs = |x: &str| row("abs", "c64", "f32", &[x]);
    assert_eq!(abs("(3, 4), (-5, 12), (0, 0), (-0.0, -2)"), "5, 13, 0, 2");
    assert_eq!(
        abs("(1e30, 0), (3e-30, 4e-30)"),
        "1000000000000000000000000000000, 0.000000000000000000000000000005"
    );
    assert_eq!(abs("(inf, nan), (nan, -inf), (inf, inf), (nan, 1)"), "inf, inf, inf, NaN");
    let large = 2f64.powi(600);
    let x = format!("({:e}, {:e})", 3.0 * large, 4.0 * large);
    assert_eq!(row("abs", "c128", "f64", &[&x]), (5.0 * large).to_string());
}

#[test]
fn magnitudes_are_within_two_ulp() {
    let parts = noise(40_000);
    let pairs: Vec<(f32, f32)> = parts.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    let n = pairs.len();
    let shape = lawson_hlo::ArrayShape::new(DType::C64, [n as i64]);
    let values = pairs.iter().map(|&(re, im)| Scalar::Complex(re as f64, im as f64));
    let text = format!("x = c64[{n}] parameter(0)\nROOT a = f32[{n}] abs(x)");
    let argument = Value::Array(Literal::from_scalars(shape, values));
    let found = try_run(&text, &[argument], &Options::default()).expect("a value");
    for (&(re, im), found) in pairs.iter().zip(found.expect_array().scalars()) {
        let exact = (re as f64).hypot(im as f64);
        let found = found.as_f64() as f32;
        let ulp = (f32::from_bits(found.to_bits() + 1) - found) as f64;
        assert!((found as f64 - exact).abs() <= 2.0 * ulp, "|{re} + {im}i| = {found}, not {exact}");
    }
}

#[test]
fn only_equality_is_compared() {
    assert_eq!(
        row("compare direction=EQ", "c64", "pred", &["(1, 2), (1, 2), nan", "(1, 2), (1, 3), nan"]),
        "true, false, false"
    );
    assert_eq!(
        row("compare direction=NE", "c64", "pred", &["(1, 2), (1, 2), nan", "(1, 2), (1, 3), nan"]),
        "false, true, true"
    );
}

#[test]
fn whole_elements_move() {
    let text = "x = c64[2,2] constant({{(1,2),(3,4)},{(5,6),(7,8)}})
t = c64[2,2] transpose(x), dimensions={1,0}
p = pred[2,2] constant({{1,0},{0,1}})
z = c64[] constant((0,9))
zs = c64[2,2] broadcast(z), dimensions={}
s = c64[2,2] select(p, t, zs)
ROOT r = c64[4] reshape(s)";
    assert_eq!(run(text), "1+2i, 0+9i, 0+9i, 7+8i");
}

const PRODUCT: &str = "product {
  a = c64[] parameter(0)
  b = c64[] parameter(1)
  ROOT p = c64[] multiply(a, b)
}
";

#[test]
fn reductions_see_whole_elements() {
    let text = format!(
        "{PRODUCT}ENTRY main {{
  x = c64[3] constant({{(0,1),(0,1),(2,0)}})
  one = c64[] constant((1,0))
  ROOT r = c64[] reduce(x, one), dimensions={{0}}, to_apply=product
}}"
    );
    assert_eq!(run(&text), "-2+0i");
}

#[test]
fn scatters_combine_whole_elements() {
    let text = format!(
        "{PRODUCT}ENTRY main {{
  x = c64[3] constant({{(0,1),(1,0),(2,0)}})
  at = s32[2,1] constant({{{{0}},{{0}}}})
  u = c64[2] constant({{(0,1),(3,0)}})
  ROOT r = c64[3] scatter(x, at, u), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=product
}}"
    );
    assert_eq!(run(&text), "-3+0i, 1+0i, 2+0i");
}

#[test]
fn comparators_see_whole_elements_in_pairs() {
    let text = "less {
  a = c64[] parameter(0)
  b = c64[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  x = f32[] imag(a)
  y = f32[] imag(b)
  ROOT l = pred[] compare(x, y), direction=LT
}
ENTRY main {
  x = c64[3] constant({(1,3),(2,1),(3,2)})
  i = s32[3] iota(), iota_dimension=0
  ROOT s = (c64[3], s32[3]) sort(x, i), dimensions={0}, to_apply=less
}";
    assert_eq!(run(text), "(2+1i, 3+2i, 1+3i; 1, 2, 0)");
}

#[test]
fn loops_carry_them() {
    let text = "cond {
  s = (s32[], c64[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT l = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], c64[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  z = c64[2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  q = c64[2] multiply(z, z)
  ROOT t = (s32[], c64[2]) tuple(j, q)
}
ENTRY main {
  z = s32[] constant(0)
  x = c64[2] constant({(0,1),(1,1)})
  s = (s32[], c64[2]) tuple(z, x)
  w = (s32[], c64[2]) while(s), condition=cond, body=body
  ROOT r = c64[2] get-tuple-element(w), index=1
}";
    assert_eq!(run(text), "1-0i, 16-0i");
}

#[test]
fn what_has_no_meaning_is_an_error() {
    let text =
        "first { a = c64[] parameter(0)\n b = c64[] parameter(1)\n x = f32[] real(a)\n y = f32[] real(b)\n
                 ROOT r = pred[] compare(x, y), direction=GE }
product { a = c64[] parameter(0)\n b = c64[] parameter(1)\n ROOT p = c64[] multiply(a, b) }
ENTRY main { x = c64[2] constant({1, 2})\n s = c64[1] constant({1})\n i = c64[] constant(0)\n
  ROOT r = c64[2] select-and-scatter(x, s, i), window={size=2}, select=first, scatter=product }";
    let e = try_run(text, &[], &Options::default()).unwrap_err();
    assert!(e.message.contains("composites"), "{e}");
}
