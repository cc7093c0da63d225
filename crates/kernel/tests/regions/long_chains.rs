//! Points whose operations wait for each other, of which two vectors are computed together.

use super::common::region::{agree_in_place, agree_on, plan_of};
use lawson_kernel::target::Target;

/// So many rounds of a generator of random numbers over `x`; names of values end with `name`.
fn rounds(count: usize, shape: &str, name: &str) -> (String, String) {
    let (mut text, mut last) = (String::new(), "x".to_string());
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

/// The sum of what two such generators make of `x`.
fn two_chains(counts: [usize; 2], shape: &str) -> String {
    let [(first, x), (second, y)] =
        [(counts[0], "a"), (counts[1], "b")].map(|(n, name)| rounds(n, shape, name));
    format!(
        "  x = {shape} parameter(0)\n  c = u32[] constant(13)\n  by = {shape} broadcast(c), dimensions={{}}
{first}{second}  ROOT r = {shape} add({x}, {y})"
    )
}

#[test]
fn two_vectors_are_computed_together() {
    for (shape, together) in [
        // A whole number of pairs; a last pair that overlaps the one before, of whole vectors and of a part of one.
        ("u32[81920]", true),
        ("u32[81936]", true),
        ("u32[81951]", true),
        ("u32[3,27331]", true),
        // Too few points.
        ("u32[20000]", false),
    ] {
        let entry = two_chains([26, 0], shape);
        let plan = plan_of(&entry);
        assert_eq!(plan.contains("2 vectors together"), together, "{shape}: {plan}");
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
        assert!(plan_of(&entry).contains("2 vectors together"), "{shape}");
        agree_in_place(&entry, &[(0, 0)]).expect(shape);
    }
}

/// A processor sees the next vector where points are short, and a second chain fills the gaps of the first.
#[test]
fn others_are_computed_one_by_one() {
    let shape = "u32[2097152]";
    assert!(!plan_of(&two_chains([6, 0], shape)).contains("together"));
    assert!(!plan_of(&two_chains([13, 13], shape)).contains("together"));
    assert!(plan_of(&two_chains([26, 1], shape)).contains("together"));
    // Too few pairs in a row for one that is computed again.
    let rows = two_chains([26, 0], "u32[1720,48]");
    let parameter = "x = u32[1720,48] parameter(0)";
    let slice = "p = u32[1720,50] parameter(0)\n  x = u32[1720,48] slice(p), slice={[0:1720],[0:48]}";
    assert!(!plan_of(&rows.replace(parameter, slice)).contains("together"));
}
