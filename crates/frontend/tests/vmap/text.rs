//! Modules read from text: parameters, axes, what is kept, and what is refused with its line.

use crate::examples::stack;
use lawson_frontend::vmap;
use lawson_frontend::vmap::rules::{Batching, of_opcode};
use lawson_hlo::{Module, Opcode};

fn parse(text: &str) -> Module {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    lawson_hlo::verify::verify(&module).unwrap_or_else(|e| panic!("{}", e[0]));
    module
}

fn batch(text: &str, size: i64, axes: &[Option<usize>]) -> Module {
    let made = vmap::module(&parse(text), size, axes).unwrap_or_else(|e| panic!("{e}\n{text}"));
    lawson_hlo::verify::verify(&made).unwrap_or_else(|e| panic!("{}\n{made}", e[0]));
    parse(&made.to_string())
}

fn refused(text: &str, size: i64, axes: &[Option<usize>]) -> String {
    vmap::module(&parse(text), size, axes).expect_err("refused").to_string()
}

const TUPLES: &str = "HloModule m, num_partitions=1
ENTRY main {
  t = (f32[2], (s32[], f32[2,3])) parameter(0)
  c = f32[] parameter(1)
  a = f32[2] get-tuple-element(t), index=0
  u = (s32[], f32[2,3]) get-tuple-element(t), index=1
  b = f32[2,3] get-tuple-element(u), index=1
  d = f32[2,3] broadcast(a), dimensions={0}
  e = f32[2,3] add(b, d)
  f = f32[2,3] broadcast(c), dimensions={}
  g = f32[2,3] multiply(e, f)
  ROOT r = (f32[2,3], f32[]) tuple(g, c)
}";

#[test]
fn parameters_may_be_tuples() {
    let made = batch(TUPLES, 4, &[Some(0), None]);
    let shapes: Vec<String> = made.entry().parameter_shapes().iter().map(|s| s.to_string()).collect();
    assert_eq!(shapes, ["(f32[4,2], (s32[4], f32[4,2,3]))", "f32[]"]);
    assert_eq!(made.entry().root().shape.to_string(), "(f32[4,2,3], f32[4])");
    // One axis for each array: the examples of one lie behind.
    let made = batch(TUPLES, 4, &[None, None, Some(2), Some(0)]);
    let shapes: Vec<String> = made.entry().parameter_shapes().iter().map(|s| s.to_string()).collect();
    assert_eq!(shapes, ["(f32[2], (s32[], f32[2,3,4]))", "f32[4]"]);
    assert_eq!(made.entry().root().shape.to_string(), "(f32[4,2,3], f32[4])");
    assert_eq!(made.num_partitions(), Some(1), "the header stays");
}

#[test]
fn axes_that_do_not_fit_are_refused() {
    let of = |axes: &[Option<usize>]| refused(TUPLES, 4, axes);
    assert_eq!(of(&[Some(0)]), "1 axes are given for 2 parameters of 4 arrays");
    assert_eq!(of(&[None, None]), "no parameter has an axis to batch along");
    assert_eq!(of(&[None, Some(1)]), "line 4: c: f32[] for each example has 1 dimensions, and no axis 1");
    assert_eq!(refused(TUPLES, -1, &[Some(0), None]), "-1 examples are less than none");
}

#[test]
fn notes_stay_where_they_hold() {
    let text = "HloModule m\nENTRY main {
      a = f32[2,3] parameter(0)
      b = f32[3] parameter(1)
      ROOT d = f32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, sharding={replicated}, \
        frontend_attributes={key=\"v\"}, metadata={op_name=\"dot\"}, operand_precision={highest,highest}
    }";
    let made = batch(text, 5, &[None, Some(0)]);
    let dot = made.entry().instrs.iter().find(|i| i.opcode == Opcode::Dot).expect("a dot");
    let notes = dot.notes.as_ref().expect("notes");
    assert_eq!(notes.metadata("op_name"), Some("dot"));
    assert_eq!(notes.frontend_attribute("key"), Some("v"));
    assert_eq!(notes.rest[0].0, "operand_precision");
    assert!(notes.sharding.is_none(), "that of one example");
    let transpose = made.entry().root().notes.as_ref().expect("notes");
    assert!(transpose.rest.is_empty() && transpose.metadata("op_name") == Some("dot"));
}

#[test]
fn control_dependences_of_one_example_are_dropped() {
    let text = "HloModule m\nENTRY main {
      a = f32[2] parameter(0)
      b = f32[2] sine(a)
      c = f32[2] cosine(a), control-predecessors={b}
      ROOT d = f32[2] add(b, c)
    }";
    let made = batch(text, 5, &[Some(0)]);
    assert!(made.entry().instrs.iter().flat_map(|i| &i.notes).all(|n| n.control_predecessors.is_empty()));
}

/// One instruction that cannot be batched, of an opcode that has a reason.
const REFUSED: &[(Opcode, &str)] = &[
    (
        Opcode::Rng,
        "z = f32[] constant(0)\no = f32[] constant(1)\n\
                   r = f32[2] rng(z, o), distribution=rng_uniform\nROOT y = f32[2] add(x, r)",
    ),
    (
        Opcode::RngGetAndUpdateState,
        "s = u64[1] rng-get-and-update-state(), delta=1\nROOT t = (f32[2], u64[1]) tuple(x, s)",
    ),
    (
        Opcode::SetDimensionSize,
        "n = s32[] constant(1)\nROOT y = f32[<=2] set-dimension-size(x, n), dimensions={0}",
    ),
    (Opcode::DynamicReshape, "n = s32[] constant(2)\nROOT y = f32[<=2] dynamic-reshape(x, n)"),
    (Opcode::AllReduce, "ROOT y = f32[2] all-reduce(x), replica_groups={}, to_apply=add"),
    (Opcode::CollectivePermute, "ROOT y = f32[2] collective-permute(x), source_target_pairs={{0,0}}"),
    (Opcode::Outfeed, "k = token[] after-all()\nROOT o = token[] outfeed(x, k), outfeed_shape=f32[2]"),
    (Opcode::CopyStart, "ROOT c = (f32[2], f32[2], u32[]) copy-start(x)"),
];

#[test]
fn what_cannot_be_batched_is_named_with_its_reason_and_line() {
    for (op, body) in REFUSED {
        let text = format!(
            "HloModule m\nadd {{ a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b) }}\n\
             ENTRY main {{\nx = f32[2] parameter(0)\n{body}\n}}"
        );
        let Batching::None(why) = of_opcode(*op) else { panic!("`{op}` has a rule") };
        let line = text.lines().position(|l| l.contains(&format!("{op}("))).expect("its line") + 1;
        let error = refused(&text, 3, &[Some(0)]);
        assert!(error.starts_with(&format!("line {line}: ")), "{error}");
        let effect = "it has an effect, which would happen once for all examples";
        let text = [why, effect].map(|why| format!("`{op}` cannot be batched: {why}"));
        assert!(text.iter().any(|t| error.ends_with(t)), "{error}");
    }
}

#[test]
fn effects_are_refused_even_where_no_example_reaches_them() {
    let text = "HloModule m
effect { s = f32[] parameter(0)
  ROOT c = f32[] custom-call(s), custom_call_target=\"log\", custom_call_has_side_effect=true }
ENTRY main {
  x = f32[2] parameter(0)
  s = f32[] parameter(1)
  c = f32[] call(s), to_apply=effect
  b = f32[2] broadcast(c), dimensions={}
  ROOT y = f32[2] add(x, b)
}";
    let error = refused(text, 3, &[Some(0), None]);
    assert_eq!(
        error,
        "line 7: c: `call` cannot be batched: it has an effect, which would happen once for all examples"
    );
}

#[test]
fn memory_that_is_not_row_major_is_refused() {
    let text =
        "HloModule m\nENTRY main {\n  x = f32[2,3]{0,1} parameter(0)\n  ROOT y = f32[6]{0} bitcast(x)\n}";
    let error = refused(text, 3, &[Some(0)]);
    assert_eq!(error, "line 4: y: `bitcast` cannot be batched: it reads memory that is not row-major");
}

#[test]
fn functions_of_others_take_one_example_after_the_other() {
    use lawson_hlo::eval::{Options, evaluate};
    use lawson_hlo::{ArrayShape, DType, Literal, Scalar, Value};
    use std::sync::Arc;
    let text = "HloModule m\nENTRY main {
      x = f32[3] parameter(0)
      k = f32[] parameter(1)
      t = (f32[3], f32[]) tuple(x, k)
      ROOT y = (f32[], f32[3]) custom-call(t), custom_call_target=\"norm\"
    }";
    let mut options = Options::default();
    let shape = |args: &[Value]| args[0].leaves()[0].shape().clone();
    let run = move |args: &[Value], _: &lawson_hlo::Shape| {
        let x: Vec<f64> = args[0].leaves()[0].scalars().map(|s| s.as_f64()).collect();
        assert_eq!(shape(args), ArrayShape::new(DType::F32, [3]), "one example");
        let k = args[0].leaves()[1].get(0).as_f64();
        let norm = k * x.iter().map(|x| x * x).sum::<f64>();
        let scaled = x.iter().map(|x| Scalar::Float(x / norm));
        let of = |dims: &[i64]| ArrayShape::new(DType::F32, dims);
        Ok(Value::Tuple(vec![
            Value::Array(Literal::scalar(DType::F32, Scalar::Float(norm))),
            Value::Array(Literal::from_scalars(of(&[3]), scaled)),
        ]))
    };
    options.custom_calls.insert("norm".into(), Arc::new(run));
    let vector = |v: [f64; 3]| Literal::from_scalars(ArrayShape::new(DType::F32, [3]), v.map(Scalar::Float));
    let x = stack(&[vector([1.0, 2.0, 2.0]), vector([0.0, 3.0, 4.0])]);
    let k = Literal::scalar(DType::F32, Scalar::Float(2.0));
    let made = batch(text, 2, &[Some(0), None]);
    let found = evaluate(&made, &[Value::Array(x), Value::Array(k)], &options).expect("it runs");
    let norms: Vec<f64> = found.leaves()[0].scalars().map(|s| s.as_f64()).collect();
    assert_eq!(norms, [18.0, 50.0]);
    assert_eq!(found.leaves()[1].dims(), [2, 3]);
}

#[test]
fn no_examples_at_all() {
    for text in [
        "x = f32[2,3] parameter(0)\nk = f32[2] parameter(1)\n\
         ROOT y = f32[3] dot(x, k), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
        "x = f32[1,5,2] parameter(0)\nk = f32[3,2,4] parameter(1)\n\
         ROOT y = f32[1,3,4] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f",
        "x = f32[5] parameter(0)\ni = s32[] parameter(1)\nROOT y = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}",
    ] {
        let made = batch(&format!("HloModule m\nENTRY main {{\n{text}\n}}"), 0, &[Some(0), Some(0)]);
        assert_eq!(made.entry().root().shape.leaves()[0].dims[0], 0);
    }
}

/// Nothing runs it yet, but it has a shape.
#[test]
fn stochastic_conversion() {
    let text = "HloModule m\nENTRY main {\nx = f32[3] parameter(0)\nr = u32[3] parameter(1)\n\
                ROOT y = s8[3] stochastic-convert(x, r)\n}";
    assert_eq!(batch(text, 2, &[None, Some(0)]).entry().root().shape.to_string(), "s8[2,3]");
}
