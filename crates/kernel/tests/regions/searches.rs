//! The greatest or least element and its position, in rows of any length: the first one, also of equal elements, of zeros
//! of either sign and of NaNs.

use crate::common::region::{agree_module, plan_of, reassociated_module, region_of_module};
use lawson_hlo::Literal;
use lawson_kernel::region::reassociate::reassociated;
use lawson_kernel::target::Target;
use lawson_kernel::{plan, region};

/// A reduction as JAX writes it, along a dimension of what these lines make of `x`.
struct Search {
    element: &'static str,
    position: &'static str,
    direction: &'static str,
    dims: &'static str,
    result: &'static str,
    reduced: usize,
    lines: &'static str,
}

impl Search {
    fn of(dims: &'static str, result: &'static str, reduced: usize) -> Search {
        let (element, position, direction) = ("f32", "s32", "GT");
        Search { element, position, direction, dims, result, reduced, lines: "y = TYPE copy(x)" }
    }

    fn module(&self) -> String {
        let Search { element, position, direction, dims, result, reduced, lines } = self;
        let worst = match (*element, *direction) {
            ("f32" | "f64" | "bf16" | "f16", "GT") => "-inf",
            ("f32" | "f64" | "bf16" | "f16", _) => "inf",
            ("u8" | "u64", "GT") => "0",
            (_, "GT") => "-128",
            _ => "127",
        };
        let lines = lines.replace("TYPE", &format!("{element}[{dims}]"));
        format!(
            "HloModule m
first {{ a = {element}[] parameter(0)
  i = {position}[] parameter(1)
  b = {element}[] parameter(2)
  j = {position}[] parameter(3)
  beats = pred[] compare(a, b), direction={direction}
  nan = pred[] compare(a, a), direction=NE
  wins = pred[] or(beats, nan)
  v = {element}[] select(wins, a, b)
  equal = pred[] compare(a, b), direction=EQ
  before = pred[] compare(i, j), direction=LT
  tie = pred[] and(equal, before)
  keeps = pred[] or(wins, tie)
  p = {position}[] select(keeps, i, j)
  ROOT r = ({element}[], {position}[]) tuple(v, p) }}
ENTRY e {{
  x = {element}[{dims}] parameter(0)
{lines}
  n = {position}[{dims}] iota(), iota_dimension={reduced}
  worst = {element}[] constant({worst})
  zero = {position}[] constant(0)
  ROOT r = ({element}[{result}], {position}[{result}]) reduce(y, n, worst, zero), dimensions={{{reduced}}}, to_apply=first
}}"
        )
    }
}

/// Lengths around blocks, vectors and chunks; rows that are one task and rows whose chunks are tasks.
const SHAPES: [(&str, &str, usize); 12] = [
    ("3,5", "3", 1),
    ("3,24", "3", 1),
    ("3,64", "3", 1),
    ("3,127", "3", 1),
    ("70,128", "70", 1),
    ("3,129", "3", 1),
    ("5,2,200", "5,2", 2),
    ("2,1030", "2", 1),
    ("4096", "", 0),
    ("9000", "", 0),
    ("3,8200", "3", 1),
    ("300,20", "20", 0),
];

#[test]
fn integers_of_all_types_have_the_bits_of_the_interpreter() {
    for (dims, result, reduced) in SHAPES {
        for (element, position, direction) in [
            ("s8", "s32", "GT"),
            ("s32", "s32", "LT"),
            ("s64", "s64", "GT"),
            ("u8", "u32", "LT"),
            ("u64", "s32", "GT"),
            ("s16", "s64", "LT"),
        ] {
            let search = Search { element, position, direction, ..Search::of(dims, result, reduced) };
            let text = search.module();
            agree_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
    }
}

/// In `strict` floats have them too, whatever they are made of.
#[test]
fn floats_have_the_bits_of_the_interpreter() {
    for (dims, result, reduced) in SHAPES {
        for (element, lines) in [
            ("f32", "y = TYPE copy(x)"),
            ("bf16", "y = TYPE sqrt(x)"),
            ("f64", "y = TYPE copy(x)"),
            ("f32", "z = f32[] constant(0)\nw = TYPE broadcast(z), dimensions={}\ny = TYPE minimum(x, w)"),
        ] {
            let text = Search { element, lines, ..Search::of(dims, result, reduced) }.module();
            agree_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
    }
}

/// Where the order is free it does not show: every machine has the results of the region's evaluator.
#[test]
fn floats_of_all_types_in_a_free_order() {
    // Cheap elements and long ones, which stand once in the code; zeros of both signs, a few NaNs and many.
    const CHEAP: &str = "y = TYPE add(x, x)";
    const LONG: &str = "t = TYPE tanh(x)\nc = TYPE cosine(t)\ny = TYPE multiply(c, t)";
    const ZEROS: &str =
        "z = ELEMENT[] constant(0)\nw = TYPE broadcast(z), dimensions={}\ny = TYPE minimum(x, w)";
    const NANS: &str = "z = ELEMENT[] constant(1.95)\nw = TYPE broadcast(z), dimensions={}\nv = TYPE add(x, w)\ny = TYPE sqrt(v)";
    const MANY: &str = "y = TYPE sqrt(x)";
    for (dims, result, reduced) in SHAPES {
        for (element, direction, lines) in [
            ("f32", "GT", CHEAP),
            ("f32", "LT", ZEROS),
            ("f32", "GT", LONG),
            ("f32", "LT", NANS),
            ("f64", "GT", MANY),
            ("f64", "LT", CHEAP),
            ("bf16", "GT", NANS),
            ("bf16", "LT", LONG),
            ("f16", "GT", ZEROS),
        ] {
            let search = Search { element, direction, lines, ..Search::of(dims, result, reduced) };
            let text = search.module().replace("ELEMENT", element);
            let found = reassociated_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert!(found.is_some(), "{text}");
        }
    }
}

/// Those of the evaluator are the first element that is a NaN, or as great as any.
#[test]
fn the_first_of_equal_elements_or_nans_is_found() {
    let values = |l: &Literal| l.scalars().map(|s| s.as_f64()).collect::<Vec<_>>();
    for lines in [
        "y = TYPE copy(x)",
        "y = TYPE sqrt(x)",
        "z = f32[] constant(0)\nw = TYPE broadcast(z), dimensions={}\ny = TYPE minimum(x, w)",
    ] {
        for (dims, result, reduced, length) in [("9,300", "9", 1, 300), ("2,4500", "2", 1, 4500)] {
            let text = Search { lines, ..Search::of(dims, result, reduced) }.module();
            let (args, found) =
                reassociated_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}")).expect("free");
            let made: Vec<f64> = values(&args[0])
                .into_iter()
                .map(|x| match lines {
                    l if l.contains("sqrt") => x.sqrt(),
                    l if l.contains("minimum") => x.min(0.0),
                    _ => x,
                })
                .collect();
            for (row, position) in made.chunks(length).zip(values(&found[1])) {
                let best = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let first = row
                    .iter()
                    .position(|x| x.is_nan())
                    .or_else(|| row.iter().position(|&x| x == best))
                    .expect("an element");
                assert_eq!(first as f64, position, "{text}");
            }
        }
    }
}

/// Rows long enough are searched by blocks: integers as they are, floats where the order is free; not positions that do
/// not ascend.
#[test]
fn long_rows_are_searched_by_blocks() {
    let plan_of = |text: &str| {
        let region = region_of_module(text).expect("a region");
        let plan = |region: &region::Region| {
            plan::plan(region, &Target::zen4(), |_, _, _| 0).expect("a plan").to_string()
        };
        (plan(&region), reassociated(&region).map(|free| plan(&free)))
    };
    let blocks = |plan: &str| plan.contains("the first by blocks");
    let (strict, free) = plan_of(&Search::of("64,1000", "64", 1).module());
    assert!(!blocks(&strict) && free.as_deref().is_some_and(blocks), "{strict}");
    let (integers, free) = plan_of(&Search { element: "s32", ..Search::of("64,1000", "64", 1) }.module());
    assert!(blocks(&integers) && free.is_none(), "{integers}");
    let (short, _) = plan_of(&Search { element: "s32", ..Search::of("64,12", "64", 1) }.module());
    assert!(!blocks(&short), "{short}");
    // Elements that take long are not computed again.
    let lines =
        "a = TYPE logistic(x)\nb = TYPE tanh(a)\nc = TYPE log(b)\nd = TYPE sine(c)\ny = TYPE exponential(d)";
    let (_, slow) = plan_of(&Search { lines, ..Search::of("64,1000", "64", 1) }.module());
    assert!(slow.as_deref().is_some_and(|plan| !blocks(plan)), "{slow:?}");
    let descending = Search { element: "s32", ..Search::of("64,1000", "64", 1) }.module();
    let descending = descending.replace("reduce(y, n,", "reduce(y, m,");
    let descending = descending.replace("  worst =", "  m = s32[64,1000] negate(n)\n  worst =");
    assert!(!blocks(&plan_of(&descending).0), "{descending}");
}

/// Down columns, the running values of a tile stay in registers: of two results half as many vectors as of one.
#[test]
fn tiles_of_columns_hold_the_running_values_of_all_results() {
    let search = Search { element: "s32", ..Search::of("520,512", "512", 0) }.module();
    let one = "x = f32[520,512] parameter(0)\ni = f32[] parameter(1)\n\
               ROOT r = f32[512] reduce(x, i), dimensions={0}, to_apply=add";
    let two = plan::plan(&region_of_module(&search).expect("a region"), &Target::zen4(), |_, _, _| 0);
    let two = two.expect("a plan").to_string();
    assert!(two.contains(", 8 vectors at once"), "{two}");
    assert!(plan_of(one).contains(", 16 vectors at once"), "{}", plan_of(one));
    agree_module(&search).unwrap_or_else(|e| panic!("{e}\n{search}"));
}
