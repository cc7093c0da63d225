//! Checkpoints, and functions with derivatives of their own: batched, they keep them.

use crate::derive;
use crate::evaluate::evaluate;
use crate::examples::{close, stack};
use lawson_frontend::graph::{Emit, Graph};
use lawson_frontend::vmap::{Batched, Batcher};
use lawson_frontend::{grad, marks};
use lawson_hlo::{ArrayShape, CompId, DType, InstrId, Literal, Module, Opcode, Scalar, Shape};

const EXAMPLES: i64 = 3;

/// `f(x, w) = sin(x) · w` under a mark, whose derivatives, where it gives them, are ten and a hundred times too large.
const MARKS: &str = "HloModule m
f {
  x = f64[2] parameter(0)
  w = f64[2] parameter(1)
  s = f64[2] sine(x)
  ROOT y = f64[2] multiply(s, w)
}
jvp {
  x = f64[2] parameter(0)
  w = f64[2] parameter(1)
  dx = f64[2] parameter(2)
  dw = f64[2] parameter(3)
  s = f64[2] sine(x)
  y = f64[2] multiply(s, w)
  ten = f64[2] constant({10, 10})
  a = f64[2] multiply(dx, w)
  b = f64[2] multiply(dw, x)
  c = f64[2] add(a, b)
  dy = f64[2] multiply(c, ten)
  ROOT t = (f64[2], f64[2]) tuple(y, dy)
}
forward {
  x = f64[2] parameter(0)
  w = f64[2] parameter(1)
  s = f64[2] sine(x)
  y = f64[2] multiply(s, w)
  ROOT t = (f64[2], f64[2], f64[2]) tuple(y, x, w)
}
backward {
  x = f64[2] parameter(0)
  w = f64[2] parameter(1)
  ct = f64[2] parameter(2)
  hundred = f64[2] constant({100, 100})
  h = f64[2] multiply(ct, hundred)
  a = f64[2] multiply(h, w)
  b = f64[2] multiply(h, x)
  ROOT t = (f64[2], f64[2]) tuple(a, b)
}
ENTRY main {
  x = f64[2] parameter(0)
  w = f64[2] parameter(1)
  ROOT y = f64[2] custom-call(x, w), custom_call_target=\"TARGET\", called_computations={CALLED}
}";

fn marked(target: &str, called: &str) -> Module {
    let text = MARKS.replace("TARGET", target).replace("CALLED", called);
    let module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    lawson_hlo::verify::verify(&module).unwrap_or_else(|e| panic!("{}", e[0]));
    module
}

fn all() -> Vec<Module> {
    vec![
        marked(marks::CHECKPOINT, "f"),
        marked(marks::CUSTOM_JVP, "f, jvp"),
        marked(marks::CUSTOM_VJP, "f, forward, backward"),
    ]
}

/// The computation of all examples, with what marks it has.
fn batch(e: &mut Emit<'_>, comp: CompId, flags: &[bool]) -> CompId {
    let flags: Vec<Batched> = flags.iter().map(|&f| if f { Batched::Yes } else { Batched::No }).collect();
    e.computation("batched", |e| {
        let mut ids = Vec::new();
        for (n, flag) in flags.iter().enumerate() {
            let dims: &[i64] = if flag.is_no() { &[2] } else { &[EXAMPLES, 2] };
            ids.push(e.parameter(n, Shape::array(DType::F64, dims)));
        }
        let mut cx = Batcher::new(e, EXAMPLES);
        let (root, flag) = cx.inline(comp, &ids, &flags)?;
        assert_eq!(flag, Batched::Yes);
        Ok(root)
    })
    .unwrap_or_else(|e| panic!("{e}"))
}

fn shapes(flags: &[bool]) -> Vec<ArrayShape> {
    let dims = |&f: &bool| if f { vec![EXAMPLES, 2] } else { vec![2] };
    flags.iter().map(|f| ArrayShape::new(DType::F64, dims(f))).collect()
}

fn literal(dims: &[i64], first: f64) -> Literal {
    let shape = ArrayShape::new(DType::F64, dims);
    let n = shape.elements();
    Literal::from_scalars(shape, (0..n).map(|i| Scalar::Float(first + 0.25 * i as f64)))
}

/// Example `i` of an argument.
fn example(x: &Literal, i: i64) -> Literal {
    if x.dims().len() == 1 {
        return x.clone();
    }
    Literal::new(ArrayShape::new(DType::F64, [2]), &x.bytes()[16 * i as usize..16 * (i as usize + 1)])
}

const MASKS: [[bool; 2]; 3] = [[true, true], [true, false], [false, true]];

fn arguments(mask: [bool; 2]) -> [Literal; 2] {
    let dims = |f: bool| if f { vec![EXAMPLES, 2] } else { vec![2] };
    [literal(&dims(mask[0]), 0.3), literal(&dims(mask[1]), -0.7)]
}

#[test]
fn a_mark_stays_a_mark() {
    for module in all() {
        let mut graph = Graph::of(module.clone());
        let mut body = lawson_hlo::builder::Body::default();
        let comp = batch(&mut Emit { graph: &mut graph, body: &mut body }, module.entry, &[true, false]);
        let comp = graph.computation(comp);
        let before = marks::of(module.entry().root());
        assert_eq!(marks::of(comp.root()), before);
        assert!(before.is_some());
    }
}

/// The gradients of the sum of all results, batch inside and derivative outside.
fn gradients_of_batch(module: &Module, mask: [bool; 2]) -> Vec<Literal> {
    let ct = ArrayShape::new(DType::F64, [EXAMPLES, 2]);
    let all = [shapes(&mask), vec![ct]].concat();
    let derived = derive::module(module, &all, |e, comp, ids| {
        let batched = batch(e, comp, &mask);
        let vjp = grad::pullback::vjp(e, batched, &ids[..2], &[0, 1])?;
        let operands: Vec<InstrId> = [&vjp.residuals[..], &ids[2..]].concat();
        let root = e.inline(vjp.pullback, &operands);
        e.elements(root)
    });
    let derived = derived.unwrap_or_else(|e| panic!("{e}"));
    let [x, w] = arguments(mask);
    evaluate(&derived, &[x, w, literal(&[EXAMPLES, 2], 1.0)])
}

/// The gradients of each example.
fn gradients_of_each(module: &Module, mask: [bool; 2]) -> Vec<Literal> {
    let vjp = derive::vjp(module).unwrap_or_else(|e| panic!("{e}"));
    let [x, w] = arguments(mask);
    let ct = literal(&[EXAMPLES, 2], 1.0);
    let each: Vec<Vec<Literal>> =
        (0..EXAMPLES).map(|i| evaluate(&vjp, &[example(&x, i), example(&w, i), example(&ct, i)])).collect();
    let of = |n: usize| {
        let parts: Vec<Literal> = each.iter().map(|g| g[n].clone()).collect();
        if mask[n] {
            return stack(&parts);
        }
        let element = |k: usize| Scalar::Float(parts.iter().map(|p| p.get(k).as_f64()).sum());
        Literal::from_scalars(ArrayShape::new(DType::F64, [2]), (0..2).map(element))
    };
    vec![of(0), of(1)]
}

#[test]
fn gradients_of_batches_are_those_the_program_gives() {
    for module in all() {
        for mask in MASKS {
            let (found, wanted) = (gradients_of_batch(&module, mask), gradients_of_each(&module, mask));
            for (found, wanted) in found.iter().zip(&wanted) {
                close(found, wanted, || format!("mask {mask:?}\n{module}"));
            }
        }
    }
    // The derivative that is given is the one that is used.
    let scaled = marked(marks::CUSTOM_VJP, "f, forward, backward");
    let found = gradients_of_each(&scaled, [true, true])[1].get(0).as_f64();
    assert!((found - 100.0 * 0.3).abs() < 1e-12, "{found}");
}

/// The tangents of each example, with derivative inside or outside.
#[test]
fn tangents_of_batches_are_those_the_program_gives() {
    for module in &all()[..2] {
        let each = derive::jvp(module).unwrap_or_else(|e| panic!("{e}"));
        for mask in MASKS {
            let all = [shapes(&mask), shapes(&mask)].concat();
            let derived = derive::module(module, &all, |e, comp, ids| {
                let batched = batch(e, comp, &mask);
                let tangents = [Some(ids[2]), Some(ids[3])];
                let (_, found) = grad::pullback::jvp(e, batched, &ids[..2], &tangents)?;
                Ok(vec![found[0].expect("it varies")])
            });
            let derived = derived.unwrap_or_else(|e| panic!("{e}"));
            let given = [arguments(mask), arguments(mask)].concat();
            let wanted: Vec<Literal> = (0..EXAMPLES)
                .map(|i| {
                    let args: Vec<Literal> = given.iter().map(|x| example(x, i)).collect();
                    evaluate(&each, &args).swap_remove(0)
                })
                .collect();
            close(&evaluate(&derived, &given)[0], &stack(&wanted), || format!("mask {mask:?}\n{module}"));
        }
    }
}

#[test]
fn stopped_gradients_stay_stopped() {
    let text = "HloModule m\nENTRY main {
  x = f64[2] parameter(0)
  w = f64[2] parameter(1)
  s = f64[2] custom-call(x), custom_call_target=\"lawson.stop_gradient\"
  a = f64[2] multiply(s, x)
  ROOT y = f64[2] multiply(a, w)
}";
    let module = Module::parse(text).expect("it parses");
    let found = gradients_of_batch(&module, [true, true]);
    let [x, w] = arguments([true, true]);
    let ct = literal(&[EXAMPLES, 2], 1.0);
    let product = |k: usize| x.get(k).as_f64() * w.get(k).as_f64() * ct.get(k).as_f64();
    for k in 0..6 {
        assert!((found[0].get(k).as_f64() - product(k)).abs() < 1e-12);
    }
    assert!(text.contains(marks::STOP_GRADIENT) && module.entry().instrs[2].opcode == Opcode::CustomCall);
}
