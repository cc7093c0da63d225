//! What text cannot say: broken ids, order, origins. Faults that text can have are in `tests/hlo/verify`.

use super::*;
use crate::dtype::DType;
use crate::instruction::Origin;
use crate::literal::Literal;
use crate::module::{Alias, Header, Source};
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::{ArrayShape, Layout};

fn instr(name: &str, opcode: Opcode, shape: Shape, operands: &[u32], attrs: Attrs) -> Instruction {
    let operands = operands.iter().map(|&o| InstrId(o)).collect();
    Instruction::new(name, opcode, shape, operands, attrs, Origin::default())
}

fn parameter(n: usize, shape: &Shape) -> Instruction {
    instr(&format!("p{n}"), Opcode::Parameter, shape.clone(), &[], Attrs::Parameter(n))
}

fn module(computations: Vec<Vec<Instruction>>) -> Module {
    let computations: Vec<Computation> = computations
        .into_iter()
        .enumerate()
        .map(|(i, instrs)| Computation {
            name: format!("c{i}").into(),
            root: InstrId(instrs.len().max(1) as u32 - 1),
            instrs,
            execution_thread: None,
        })
        .collect();
    Module {
        name: "m".into(),
        entry: CompId(computations.len().max(1) as u32 - 1),
        computations,
        header: Header::default(),
        sources: vec![],
    }
}

/// A chain of `n` negations of one parameter.
fn chain(n: usize) -> Module {
    let shape = Shape::array(DType::F32, [4]);
    let mut instrs = vec![parameter(0, &shape)];
    for i in 1..=n {
        instrs.push(instr(&format!("n{i}"), Opcode::Negate, shape.clone(), &[i as u32 - 1], Attrs::None));
    }
    module(vec![instrs])
}

#[track_caller]
fn refuses(module: &Module, part: &str) {
    let faults = verify(module).expect_err("a fault");
    assert!(faults.iter().any(|f| f.to_string().contains(part)), "{faults:#?} lack {part:?}");
}

#[test]
fn a_good_module_passes() {
    assert_eq!(verify(&chain(3)), Ok(()));
    assert_eq!(supported(&chain(3)), Ok(()));
}

#[test]
fn ids_names_and_order() {
    let mut m = chain(3);
    m.computations[0].instrs[1].operands[0] = InstrId(2);
    refuses(&m, "c0.n1: operand n2 does not stand before its user");
    m.computations[0].instrs[1].operands[0] = InstrId(77);
    refuses(&m, "operand number 77 does not exist");
    let mut m = chain(3);
    m.computations[0].instrs[2].name = "n1".into();
    refuses(&m, "taken");
    m.computations[0].root = InstrId(4);
    refuses(&m, "c0: the computation has no root");
    m.computations[0].instrs[0].attrs = Attrs::Parameter(1);
    refuses(&m, "parameter(1) of a computation with 1 parameters");
    m.entry = CompId(1);
    refuses(&m, "no entry");
    refuses(&module(vec![]), "no entry");
    refuses(&module(vec![vec![]]), "no root");
}

#[test]
fn all_faults_are_reported_with_their_lines() {
    let mut m = chain(4);
    let source = |line| Source { line, ..Source::default() };
    m.sources = (1..=5).map(source).collect();
    for (i, instr) in m.computations[0].instrs.iter_mut().enumerate() {
        instr.origin = Origin::single(i as u32);
    }
    assert_eq!(verify(&m), Ok(()));
    m.computations[0].instrs[1].shape = Shape::array(DType::F32, [5]);
    m.computations[0].instrs[4].origin = Origin::default();
    let faults: Vec<String> = verify(&m).expect_err("faults").iter().map(Fault::to_string).collect();
    assert_eq!(
        faults,
        [
            "c0.n4: the instruction has no origin",
            "line 2: c0.n1: `negate` gives f32[4], not f32[5]",
            "line 3: c0.n2: `negate` gives f32[5], not f32[4]",
        ]
    );
    m.computations[0].instrs[4].origin = Origin::single(9);
    refuses(&m, "source that does not exist");
}

#[test]
fn callees_stand_before_callers() {
    let x = Shape::scalar(DType::F32);
    let call = |to: u32| {
        let attrs = Attrs::Call { to_apply: CompId(to), is_composite: false };
        vec![parameter(0, &x), instr("call", Opcode::Call, x.clone(), &[0], attrs)]
    };
    assert_eq!(verify(&module(vec![vec![parameter(0, &x)], call(0)])), Ok(()));
    refuses(&module(vec![call(1), call(0)]), "c0.call: computation c1 does not stand before its caller");
    refuses(&module(vec![call(0)]), "does not stand before");
    refuses(&module(vec![call(5)]), "computation number 5 does not exist");
    let mut deep = vec![vec![parameter(0, &x)]];
    deep.extend((0..=MAX_NESTING as u32).map(call));
    refuses(&module(deep.clone()), "calls nest more than 1000 deep");
    deep.pop();
    assert_eq!(verify(&module(deep)), Ok(()));
}

#[test]
fn sizes_are_limited() {
    let refused = |shape: Shape, part: &str| refuses(&module(vec![vec![parameter(0, &shape)]]), part);
    refused(Shape::array(DType::F32, [1_000_000_000, 1_000_000_000]), "2^40");
    refused(Shape::array(DType::F32, [i64::MAX, i64::MAX]), "2^40");
    refused(Shape::array(DType::F32, [0, i64::MAX]), "2^40");
    refused(Shape::array(DType::F32, [-1]), "negative");
    let layout = Some(Layout { minor_to_major: vec![0, 0], rest: String::new() });
    refused(Shape::Array(ArrayShape { layout, ..ArrayShape::new(DType::F32, [2, 2]) }), "layout");
    refused(Shape::Tuple(vec![Shape::scalar(DType::F32); MAX_PARTS]), "parts");
    let deep = (0..MAX_NESTING).fold(Shape::scalar(DType::F32), |s, _| Shape::Tuple(vec![s]));
    refused(deep, "nested");
}

/// Each tuple holds the one before twice: the shape rule stops it long before memory does.
#[test]
fn tuples_cannot_explode() {
    let x = Shape::scalar(DType::F32);
    let m = module(vec![vec![parameter(0, &x)]]);
    let mut shape = x;
    let grown = (0..60).try_for_each(|_| {
        shape = infer::infer(&m, Opcode::Tuple, &Attrs::None, &[&shape, &shape])?;
        Ok::<(), infer::ShapeError>(())
    });
    assert!(grown.is_err_and(|e| e.0.contains("parts")));
}

#[test]
fn the_header_agrees_with_the_entry() {
    let shape = Shape::array(DType::F32, [4]);
    let mut m = chain(1);
    m.header.entry_layout = Some((vec![shape.clone()], shape.clone()));
    m.header.aliases = vec![Alias { output: vec![], parameter: 0, parameter_index: vec![], must: false }];
    assert_eq!(verify(&m), Ok(()));
    m.header.aliases[0].output = vec![0];
    refuses(&m, "names output [0]");
    m.header.aliases[0].parameter = 1;
    m.header.aliases[0].output = vec![];
    refuses(&m, "names parameter 1 of 1");
    m.header.entry_layout = Some((vec![], Shape::scalar(DType::F32)));
    refuses(&m, "0 parameters, the entry 1");
    refuses(&m, "has the result f32[]");
}

#[test]
fn constants_have_their_declared_shape() {
    let literal = Literal::splat(ArrayShape::new(DType::F32, [2]), Scalar::Float(1.0));
    let value = Attrs::Constant(Some(crate::literal::Value::Array(literal)));
    let shape = Shape::array(DType::F32, [3]);
    refuses(&module(vec![vec![instr("c", Opcode::Constant, shape, &[], value)]]), "holds f32[2], not f32[3]");
}

#[test]
fn unsupported_things_are_named() {
    let f = Shape::Opaque;
    let c = Shape::array(DType::C64, [4, 4]);
    let m = module(vec![vec![
        parameter(0, &f),
        parameter(1, &c),
        instr("x", Opcode::Cholesky, c.clone(), &[1], Attrs::Cholesky(true)),
        instr("y", Opcode::Exponential, c, &[2], Attrs::None),
    ]]);
    assert_eq!(verify(&m), Ok(()));
    let faults: Vec<String> = supported(&m).expect_err("faults").iter().map(Fault::to_string).collect();
    assert_eq!(faults, ["c0.p0: an opaque value is not supported: `parameter` gives opaque[]"]);
    let unused =
        module(vec![m.computations[0].instrs.clone(), vec![parameter(0, &Shape::scalar(DType::F32))]]);
    assert_eq!(supported(&unused), Ok(()));
}

/// The verifier runs between passes: a large module takes a moment, not a second.
#[test]
fn time_is_linear() {
    let m = chain(100_000);
    let start = std::time::Instant::now();
    assert_eq!(verify(&m), Ok(()));
    assert!(start.elapsed().as_millis() < 2000, "took {:?}", start.elapsed());
}
