//! Reductions whose results lie beside each other and have most of their elements' work in common: they are folded in one task.

use super::common::region::{agree, agree_as_planned};
use lawson_kernel::cost::figures;
use lawson_kernel::lower::lower;
use lawson_kernel::plan;
use lawson_kernel::region::build::Cut;
use lawson_kernel::target::Target;

/// What bodies in a few dimensions pull at each other with.
fn forces(bodies: i64, dimensions: i64) -> String {
    let (position, each, pairs) = (
        format!("f32[{bodies},{dimensions}]"),
        format!("f32[{bodies},{bodies},{dimensions}]"),
        format!("f32[{bodies},{bodies}]"),
    );
    format!(
        "  x = {position} parameter(0)
  zero = f32[] constant(0)
  one = f32[] constant(1)
  a = {each} broadcast(x), dimensions={{1,2}}
  b = {each} broadcast(x), dimensions={{0,2}}
  d = {each} subtract(a, b)
  p = {each} multiply(d, d)
  s = {pairs} reduce(p, zero), dimensions={{2}}, to_apply=add
  ones = {pairs} broadcast(one), dimensions={{}}
  n = {pairs} add(s, ones)
  q = {pairs} rsqrt(n)
  w = {pairs} multiply(q, q)
  v = {pairs} multiply(w, q)
  f = {each} broadcast(v), dimensions={{0,1}}
  g = {each} multiply(d, f)
  ROOT r = {position} reduce(g, zero), dimensions={{1}}, to_apply=add"
    )
}

#[test]
fn they_have_the_bits_of_the_interpreter() {
    for (bodies, dimensions) in [(2, 3), (31, 2), (33, 3), (70, 4), (290, 3)] {
        agree(&forces(bodies, dimensions)).unwrap_or_else(|e| panic!("{bodies} in {dimensions}: {e}"));
    }
}

/// The same with a second force, scaled by the first one, so that two reductions read what each pair has in common.
fn forces_twice(bodies: i64, dimensions: i64) -> String {
    let (position, each) =
        (format!("f32[{bodies},{dimensions}]"), format!("f32[{bodies},{bodies},{dimensions}]"));
    format!(
        "{}
  rb = {each} broadcast(r), dimensions={{0,2}}
  h = {each} multiply(g, rb)
  ROOT t = {position} reduce(h, zero), dimensions={{1}}, to_apply=add",
        forces(bodies, dimensions).replace("ROOT r", "r")
    )
}

#[test]
fn two_reductions_have_the_bits_of_the_interpreter() {
    for (bodies, dimensions) in [(2, 3), (33, 3), (70, 4), (290, 3)] {
        let entry = forces_twice(bodies, dimensions);
        agree_as_planned(&entry).unwrap_or_else(|e| panic!("{bodies} in {dimensions}: {e}"));
    }
}

/// The plan of an entry computation on a machine, and its code.
fn planned(entry: &str, target: &Target) -> [String; 2] {
    let add = "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b) }";
    let text = format!("HloModule m\n{add}\nENTRY e {{\n{entry}\n}}\n");
    let module = lawson_hlo::text::parse(&text).expect("a module");
    let entry = module.entry();
    let inputs = entry.parameters();
    let cut = Cut { computation: entry, inputs: &inputs, roots: &[entry.root] };
    let region = plan::region(&module, "r", cut, target).expect("a region");
    let plan = plan::plan(&region, target, figures::work).expect("a plan");
    let kernel = lower(&region, &plan, "forces").expect("code");
    [plan.to_string(), kernel.to_string()]
}

#[test]
fn what_they_have_in_common_is_computed_once() {
    let [plan, code] = planned(&forces(290, 3), &Target::h100());
    assert!(plan.contains("32 lanes along loop 0, 1 vectors at once of all points of loop 1"), "{plan}");
    // Of the four elements that are under way together, and of those that are left, each has one for its three results.
    assert!(plan.contains("4 elements under way"), "{plan}");
    assert_eq!(code.matches("= sqrt").count(), 4 + 1, "{code}");

    // Nothing of it is kept either, on a processor.
    let [plan, code] = planned(&forces(290, 3), &Target::zen4());
    assert!(plan.contains("16 lanes along loop 0, 1 vectors at once of all points of loop 1"), "{plan}");
    assert!(!plan.contains("in tile"), "{plan}");
    assert_eq!(code.matches("= sqrt").count(), 1, "{code}");
}

/// Where it is kept since two reductions read it, the components are still folded side by side.
#[test]
fn components_of_a_row_are_folded_side_by_side() {
    let [plan, code] = planned(&forces_twice(290, 3), &Target::zen4());
    let side_by_side = "no lanes, 1 vectors at once of all points of loop 1";
    assert_eq!(plan.matches(side_by_side).count(), 2, "{plan}");
    assert!(plan.contains("in tile"), "{plan}");
    assert_eq!(code.matches("= sqrt").count(), 1, "{code}");
}

/// Of many components each is folded by itself.
#[test]
fn only_few_are_folded_side_by_side() {
    let [plan, _] = planned(&forces(290, 5), &Target::zen4());
    assert!(!plan.contains("of all points"), "{plan}");
}
