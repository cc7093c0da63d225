//! Points whose operations wait for each other, of which several vectors are computed together.

use super::common::region::{agree_in_place, agree_on, plan_and_code, plan_of, plan_on, region_of};
use lawson_hlo::{Opcode, math};
use lawson_kernel::target::Target;

/// So many rounds of a generator of random numbers over a value; names of values end with the second name.
fn rounds(count: usize, shape: &str, [of, name]: [&str; 2]) -> (String, String) {
    let (mut text, mut last) = (String::new(), of.to_string());
    for n in 0..count {
        let [up, sum, down, value] = ["up", "sum", "down", "value"].map(|what| format!("{what}{n}{name}"));
        text += &format!(
            "  {up} = {shape} shift-left({last}, by)\n  {sum} = {shape} add({last}, {up})
  {down} = {shape} shift-right-logical({sum}, by)\n  {value} = {shape} xor({sum}, {down})\n"
        );
        last = value;
    }
    (text, last)
}

/// The sum of what two such generators make of `x` and of what it lacks.
fn two_chains(counts: [usize; 2], shape: &str) -> String {
    let [(first, x), (second, y)] =
        [(counts[0], ["x", "a"]), (counts[1], ["z", "b"])].map(|(n, names)| rounds(n, shape, names));
    format!(
        "  x = {shape} parameter(0)\n  z = {shape} not(x)\n  c = u32[] constant(13)\n  by = {shape} broadcast(c), dimensions={{}}
{first}{second}  ROOT r = {shape} add({x}, {y})"
    )
}

#[test]
fn vectors_are_computed_together() {
    for (shape, together) in [
        // A whole number of fours; a last four that overlaps the one before, of whole vectors and of a part of one.
        ("u32[81920]", true),
        ("u32[81936]", true),
        ("u32[81951]", true),
        ("u32[3,27331]", true),
        // Too few points.
        ("u32[8192]", false),
    ] {
        let entry = two_chains([26, 0], shape);
        let plan = plan_of(&entry);
        assert_eq!(plan.contains("4 vectors together"), together, "{shape}: {plan}");
        for target in [Target::zen4(), Target::haswell()] {
            agree_on(&entry, &target).expect(shape);
        }
    }
}

/// No vector is computed again where results replace what they are made of.
#[test]
fn in_place_each_is_computed_once() {
    for shape in ["u32[81936]", "u32[81951]"] {
        let entry = two_chains([26, 0], shape);
        assert!(plan_of(&entry).contains("4 vectors together"), "{shape}");
        agree_in_place(&entry, &[(0, 0)]).expect(shape);
    }
}

/// What `math::branches` says of functions is what their code does.
#[test]
fn functions_that_branch_are_known() {
    use Opcode::{
        Acos, Asin, Atan2, Cbrt, Cosh, Cosine, Divide, Erf, Exponential, ExponentialMinusOne, Log,
        LogPlusOne, Logistic, Power, Remainder, Rsqrt, Sine, Sinh, Sqrt, Tan, Tanh,
    };
    let unary = [
        Acos,
        Asin,
        Cbrt,
        Cosh,
        Cosine,
        Erf,
        Exponential,
        ExponentialMinusOne,
        Log,
        LogPlusOne,
        Logistic,
        Rsqrt,
        Sine,
        Sinh,
        Sqrt,
        Tan,
        Tanh,
    ];
    let unary = unary.map(|opcode| (opcode, "x"));
    for (opcode, operands) in unary.into_iter().chain([Atan2, Divide, Power, Remainder].map(|o| (o, "x, x")))
    {
        let entry = format!("  x = f32[64] parameter(0)\n  ROOT r = f32[64] {opcode}({operands})");
        let code = &plan_and_code(&entry)[1];
        assert_eq!(code.contains(" if "), math::branches(opcode), "{opcode}: {code}");
    }
}

/// A processor sees the next vector where points are short, and a second chain fills the gaps of the first.
#[test]
fn others_are_computed_one_by_one() {
    let shape = "u32[2097152]";
    assert!(!plan_of(&two_chains([6, 0], shape)).contains("together"));
    assert!(!plan_of(&two_chains([13, 13], shape)).contains("together"));
    assert!(plan_of(&two_chains([26, 1], shape)).contains("together"));
    // Where registers are few, or a row is short.
    assert!(
        plan_on(&region_of(&two_chains([26, 1], shape)), &Target::haswell()).contains("2 vectors together")
    );
    // Powers branch for special cases, and nothing is interleaved across that.
    let powers = |n: usize| {
        (0..n).fold("  p = f32[1048576] parameter(0)\n  v0 = f32[1048576] abs(p)\n".to_string(), |text, k| {
            text + &format!("  v{} = f32[1048576] power(v{k}, p)\n", k + 1)
        })
    };
    assert!(!plan_of(&(powers(4) + "  ROOT r = f32[1048576] negate(v4)")).contains("together"));
    // Too few pairs in a row for one that is computed again.
    let rows = two_chains([26, 0], "u32[1720,48]");
    let parameter = "x = u32[1720,48] parameter(0)";
    let slice = "p = u32[1720,50] parameter(0)\n  x = u32[1720,48] slice(p), slice={[0:1720],[0:48]}";
    assert!(!plan_of(&rows.replace(parameter, slice)).contains("together"));
}
