//! What the dialects write: signatures, `%`, tables, nested operands, inline bodies, text without a header.

use crate::{entry, find, parse, round_trip};
use lawson_hlo::{Attrs, Opcode, Shape};

/// In the manner of an optimised dump.
const DUMP: &str = r#"HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {2,0}, must-alias) }, entry_computation_layout={(f32[4,8]{1,0:T(8,128)})->(f32[], /*index=1*/s32[])}, allow_spmd_sharding_propagation_to_output={true}

FileNames
1 "/home/user/train.py"
2 "C:\\models\\step.py"

FunctionNames
1 "f.<locals>.<lambda>"
2 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=4 end_column=63}
2 {file_name_id=2, function_name_id=2, line=34}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=1}


%region_0.1 (a.1: f32[], b.1: f32[]) -> f32[] {
  %a.1 = f32[] parameter(0)
  %b.1 = f32[] parameter(1)
  ROOT %add.1 = f32[] add(f32[] %a.1, f32[] %b.1), metadata={op_name="jit(f)/reduce_sum" stack_frame_id=2}
}

%fused_computation (param_0: f32[4,8]) -> f32[] {
  %param_0 = f32[4,8]{1,0} parameter(0)
  %constant.1 = f32[] constant(0)
  ROOT %reduce.1 = f32[] reduce(f32[4,8]{1,0} %param_0, f32[] %constant.1), dimensions={0,1}, to_apply=%region_0.1
}

ENTRY %main.3 (x.1: f32[4,8]) -> (f32[], s32[]) {
  %x.1 = f32[4,8]{1,0} parameter(0), metadata={op_name="x" source_file="/home/user/train.py" source_line=7}
  %fusion = f32[] fusion(f32[4,8]{1,0} %x.1), kind=kLoop, calls=%fused_computation, metadata={op_name="jit(f)/sum" stack_frame_id=1}, backend_config={"outer_dimension_partitions":["2"],"name":"a, b } c"}
  %c = s32[] constant(7), control-predecessors={%fusion, %x.1}
  ROOT %tuple = (f32[], s32[]) tuple(f32[] %fusion, /*index=1*/s32[] %c)
}, execution_thread="main"
"#;

#[test]
fn optimised_dump() {
    let module = parse(DUMP);
    let names: Vec<&str> = module.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["region_0.1", "fused_computation", "main.3"]);
    assert_eq!(module.entry().execution_thread.as_deref(), Some("main"));
    let alias = &module.header.aliases[1];
    assert_eq!(
        (&alias.output[..], alias.parameter, &alias.parameter_index[..], alias.must),
        (&[1][..], 1, &[2, 0][..], true)
    );
    assert_eq!(module.header.rest.len(), 2);
    let fusion = find(&module, "fusion");
    let config = fusion.notes.as_ref().and_then(|n| n.backend_config.as_deref());
    assert_eq!(config, Some(r#"{"outer_dimension_partitions":["2"],"name":"a, b } c"}"#));
    assert_eq!(find(&module, "c").notes.as_ref().map(|n| n.control_predecessors.len()), Some(2));
    round_trip(DUMP);
}

#[test]
fn locations_come_from_metadata_or_tables() {
    let module = parse(DUMP);
    let location = |name: &str| module.locations(&find(&module, name).origin).first().map(|l| l.to_string());
    assert_eq!(location("x.1").as_deref(), Some("train.py:7"));
    assert_eq!(location("fusion").as_deref(), Some("step.py:34"));
    assert_eq!(location("c"), None);
    let add = &module.computations[0].instrs[2];
    assert_eq!(module.locations(&add.origin)[0].as_ref(), "train.py:12");
    let source = &module.sources[add.origin.sources()[0] as usize];
    assert_eq!((&*source.computation, &*source.name, source.line), ("region_0.1", "add.1", 23));
}

#[test]
fn printed_in_the_dialect_without_signatures() {
    let printed = round_trip(DUMP);
    assert!(printed.contains("\nENTRY main.3 {\n"), "{printed}");
    assert!(
        printed.contains("\n  fusion = f32[] fusion(x.1), kind=kLoop, calls=fused_computation, metadata="),
        "{printed}"
    );
    assert!(printed.contains("\n}, execution_thread=\"main\"\n"), "{printed}");
    assert!(
        printed.contains("input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {2,0}, must-alias) }"),
        "{printed}"
    );
    assert!(!printed.contains('%'), "{printed}");
}

#[test]
fn nested_operands() {
    let module = entry(
        "x = f32[] parameter(1)\nROOT y = f32[] add(negate(f32[] parameter(0)), f32[] multiply(x, f32[] constant(2)))",
    );
    let y = find(&module, "y");
    let comp = module.entry();
    assert_eq!(comp.operand(y, 0).opcode, Opcode::Negate);
    assert_eq!(comp.operand(y, 0).shape, Shape::scalar(lawson_hlo::DType::F32));
    assert_eq!(comp.operand(comp.operand(y, 1), 1).opcode, Opcode::Constant);
    assert!(comp.instrs.iter().all(|i| !i.name.is_empty()));
    round_trip(&module.to_string());
}

#[test]
fn names_made_up_avoid_all_names_of_the_text() {
    let module = entry(
        "y = f32[] negate(negate(negate(f32[] parameter(0))))\nnegate = f32[] add(y, y)\nnegate.1 = f32[] add(y, y)",
    );
    let names: Vec<&str> = module.entry().instrs.iter().map(|i| &*i.name).collect();
    assert_eq!(names, ["parameter", "negate.2", "negate.3", "y", "negate", "negate.1"]);
    assert_eq!(&*module.sources[1].name, "negate.2");
}

#[test]
fn tuple_elements_by_number() {
    let module = entry(
        "t = (f32[], (s32[], pred[])) parameter(0)\na = s32[] negate(s32[] %t#1#0)\nb = s32[] add(t#1#0, %t#1#0)",
    );
    let gtes = module.entry().instrs.iter().filter(|i| i.opcode == Opcode::GetTupleElement).count();
    assert_eq!(gtes, 2, "one for t#1, one for t#1#0, made once\n{module}");
    let b = find(&module, "b");
    assert_eq!(b.operands[0], b.operands[1]);
}

#[test]
fn inline_bodies() {
    let text = "HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  zero = f32[] constant(0)
  r = f32[] reduce(x, zero), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT s = f32[] add(a, b)
  }, metadata={op_name=\"sum\"}
  p = pred[] parameter(1)
  ROOT c = f32[] conditional(p, r, r), branch_computations={ { a = f32[] parameter(0) }, { a = f32[] parameter(0) b = f32[] negate(a) } }
}";
    let module = parse(text);
    let names: Vec<&str> = module.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["r_to_apply", "c_branch_computations", "c_branch_computations.1", "e"]);
    assert_eq!(module.computations[0].as_simple_binary(), Some(Opcode::Add));
    assert_eq!(
        &*module.sources.iter().find(|s| &*s.name == "s").expect("a source").computation,
        "r_to_apply"
    );
    assert!(
        matches!(&find(&module, "c").attrs, Attrs::Conditional { predicated: true, branches } if branches.len() == 2)
    );
    round_trip(text);
}

#[test]
fn an_inline_body_never_takes_the_name_of_a_later_computation() {
    let text = "ENTRY e {\n x = f32[] parameter(0)\n y = f32[] call(x), to_apply={ a = f32[] parameter(0) }\n}\n\
                y_to_apply {\n x = f32[] parameter(0)\n}";
    let module = parse(text);
    let names: Vec<&str> = module.computations.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["y_to_apply.1", "e", "y_to_apply"]);
}

#[test]
fn no_header_and_no_entry() {
    let module = parse(
        "f {\n x = f32[] parameter(0)\n}\ng {\n y = f32[] parameter(0)\n ROOT z = f32[] call(y), to_apply=f\n}",
    );
    assert_eq!((&*module.name, &*module.entry().name), ("module_g", "g"));
    assert_eq!(&*module.entry().root().name, "z");
    let module = parse("HloModule m:\nf { x = f32[] parameter(0) y = f32[] negate(x) }");
    assert_eq!(&*module.entry().root().name, "y");
}

#[test]
fn a_single_instruction() {
    let module = parse("%sum = f32[2]{0} add(f32[2]{0} %x, f32[2]{0} %y), metadata={op_name=\"s\"}");
    let names: Vec<&str> = module.entry().instrs.iter().map(|i| &*i.name).collect();
    assert_eq!(names, ["x", "y", "sum"]);
    assert_eq!(&*module.entry().root().name, "sum");
    round_trip(&module.to_string());
    // Without names, and one operand twice.
    let module = parse("f32[2] add(f32[2], f32[2])");
    assert_eq!(module.entry().parameters().len(), 2);
    let module = parse("add(f32[2] x, f32[2] x)");
    assert_eq!(module.entry().parameters().len(), 1);
    assert_eq!(module.entry().root().shape.to_string(), "f32[2]");
    let module = parse("(s32[], f32[2]) tuple(s32[] a, f32[2] negate(f32[2] b))");
    assert_eq!(module.entry().root().opcode, Opcode::Tuple);
}

#[test]
fn names_that_the_grammar_would_misread_keep_their_percent_sign() {
    let text = "HloModule m\nENTRY e {\n  %f32 = f32[] parameter(0)\n  %0 = f32[] negate(%f32)\n  %ROOT = f32[] negate(%0)\n  %-x.1 = f32[] negate(%ROOT)\n}";
    let printed = round_trip(text);
    assert!(printed.contains("%0 = f32[] negate(%f32)"), "{printed}");
    assert!(printed.contains("ROOT %-x.1 = f32[] negate(%ROOT)"), "{printed}");
}

#[test]
fn comments_and_blanks_anywhere() {
    let text = "// a\nHloModule /*b*/ m // c\n\nENTRY /* d\n e */ e{x=f32 [ 2 , 3 ] {1,0}parameter( 0 )/* f */\n// g\nROOT y = f32[2,3] negate ( x ) , metadata = { op_name = \"// not a comment\" }}";
    let module = parse(text);
    assert_eq!(
        find(&module, "y").notes.as_ref().and_then(|n| n.metadata("op_name")),
        Some("// not a comment")
    );
    assert_eq!(find(&module, "x").shape.to_string(), "f32[2,3]{1,0}");
    assert_eq!(module.sources[1].line, 7);
    round_trip(text);
}

#[test]
fn shapes_of_every_kind() {
    for shape in [
        "f32[]",
        "bf16[2,3]{0,1}",
        "s4[10]{0:E(4)}",
        "f32[2,<=8]{1,0}",
        "f32[8,128]{1,0:T(8,128)(2,1)S(1)}",
        "s32[]{:T(128)}",
        "(f32[], token[], (opaque[], pred[0]))",
        "()",
        "b(f32[4]{0})",
        "f8e4m3b11fnuz[9223372036854775807]",
        "f32[4,4]{1,0:D(D,C)}",
    ] {
        let module = entry(&format!("x = {shape} parameter(0)"));
        assert_eq!(find(&module, "x").shape.to_string(), shape);
        round_trip(&module.to_string());
    }
}

#[test]
fn shapes_left_out_are_inferred() {
    let module = entry(
        "x = f32[2,3] parameter(0)\ny = transpose(x), dimensions={1,0}\nz = add(y, y)\nt = tuple(z, x)\ng = get-tuple-element(t), index=0",
    );
    assert_eq!(find(&module, "g").shape.to_string(), "f32[3,2]");
    assert_eq!(find(&module, "t").shape.to_string(), "(f32[3,2], f32[2,3])");
}
