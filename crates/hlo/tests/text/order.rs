//! Computations in any order: callees get the smaller ids.

use crate::{parse, round_trip};

const BACKWARDS: &str = "HloModule m
ENTRY e {
  x = f32[] parameter(0)
  y = f32[] call(x), to_apply=f
  c = s32[] parameter(1)
  ROOT z = f32[] conditional(c, y, y), branch_computations={g, f}
}
f {
  x = f32[] parameter(0)
  ROOT y = f32[] call(x), to_apply=g
}
g {
  x = f32[] parameter(0)
  ROOT y = f32[] negate(x)
}
";

#[test]
fn used_before_defined() {
    let module = parse(BACKWARDS);
    let names: Vec<&str> = module.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["g", "f", "e"]);
    assert_eq!(&*module.entry().name, "e");
    for (id, comp) in module.iter() {
        assert!(comp.instrs.iter().flat_map(|i| i.attrs.called()).all(|callee| callee < id));
    }
    round_trip(BACKWARDS);
}

#[test]
fn the_last_of_the_text_is_the_entry_if_none_is_marked() {
    let text = "a {\n x = f32[] parameter(0)\n y = f32[] call(x), to_apply=b\n}\nb {\n x = f32[] parameter(0)\n}\n\
                c {\n x = f32[] parameter(0)\n}";
    assert_eq!(&*parse(text).entry().name, "c");
    let in_order =
        "b {\n x = f32[] parameter(0)\n}\na {\n x = f32[] parameter(0)\n y = f32[] call(x), to_apply=b\n}";
    assert_eq!(&*parse(in_order).entry().name, "a");
    // Printing says which it is, wherever it stands.
    round_trip(text);
}

#[test]
fn lines_are_right_whatever_the_order() {
    let module = parse(BACKWARDS);
    let line = |comp: &str, name: &str| {
        let found = module.sources.iter().find(|s| &*s.computation == comp && &*s.name == name);
        found.map(|s| s.line)
    };
    assert_eq!(line("e", "x"), Some(3));
    assert_eq!(line("g", "y"), Some(14));
}

#[test]
fn an_inline_body_may_name_what_follows() {
    let text = "ENTRY e {
  x = f32[] parameter(0)
  y = f32[] call(x), to_apply={
    p = f32[] parameter(0)
    q = f32[] call(p), to_apply=f
  }
}
f {
  x = f32[] parameter(0)
}";
    let module = parse(text);
    let names: Vec<&str> = module.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["f", "y_to_apply", "e"]);
}
