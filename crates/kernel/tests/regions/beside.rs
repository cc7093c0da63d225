//! Reductions whose results lie beside each other and have most of their elements' work in common: graphics processors fold them
//! in one task.

use super::common::region::agree;
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

#[test]
fn what_they_have_in_common_is_computed_once() {
    let add = "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b) }";
    let text = format!("HloModule m\n{add}\nENTRY e {{\n{}\n}}\n", forces(290, 3));
    let module = lawson_hlo::text::parse(&text).expect("a module");
    let (entry, h100) = (module.entry(), Target::h100());
    let inputs = entry.parameters();
    let cut = Cut { computation: entry, inputs: &inputs, roots: &[entry.root] };
    let region = plan::region(&module, "r", cut, &h100).expect("a region");
    let plan = plan::plan(&region, &h100, figures::work).expect("a plan");
    let text = plan.to_string();
    assert!(text.contains("32 lanes along loop 0, 1 vectors at once of all points of loop 1"), "{text}");
    let kernel = lower(&region, &plan, "forces").expect("code");
    // Of the four elements that are under way together, and of those that are left, each has one for its three results.
    assert!(text.contains("4 elements under way"), "{text}");
    assert_eq!(kernel.to_string().matches("= sqrt").count(), 4 + 1, "{kernel}");
}
