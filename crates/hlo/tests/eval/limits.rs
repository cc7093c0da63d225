//! Work, memory and nesting are bounded; running into a bound is an error.

use super::{module, show, try_run};
use lawson_hlo::attrs::Attrs;
use lawson_hlo::eval::{Options, Reason, evaluate};
use lawson_hlo::{CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Origin, Shape, Value};

fn limited(text: &str, max_bytes: u64, max_operations: Option<u64>) -> Result<Value, (Reason, String)> {
    let options = Options { max_bytes, max_operations, ..Options::default() };
    try_run(text, &[], &options).map_err(|e| (e.reason, e.to_string()))
}

#[test]
fn large_arrays_are_refused_before_they_are_made() {
    let text = "x = f32[] constant(0)\nROOT big = f32[1048576,1048576] broadcast(x), dimensions={}";
    let (reason, message) = limited(text, 8 << 30, None).unwrap_err();
    assert_eq!(reason, Reason::Limit);
    assert!(message.starts_with("big: a buffer of"), "{message}");
    let text = "x = f32[] constant(0)\nROOT r = f32[100] broadcast(x), dimensions={}";
    assert!(limited(text, 399, None).is_err());
    assert!(limited(text, 400, None).is_ok());
}

#[test]
fn endless_loops_run_out_of_operations() {
    let text = "cond { p = s32[] parameter(0)\n ROOT r = pred[] constant(true) }
                body { ROOT p = s32[] parameter(0) }
                ENTRY e { z = s32[] constant(0)
                          ROOT w = s32[] while(z), condition=cond, body=body }";
    let (reason, message) = limited(text, 1 << 20, Some(10_000)).unwrap_err();
    assert_eq!(reason, Reason::Limit);
    assert!(message.contains("10000 element operations"), "{message}");
}

#[test]
fn work_is_counted_by_elements() {
    let text = "x = f32[] constant(0)
                b = f32[100] broadcast(x), dimensions={}
                ROOT r = f32[100,100] dot(b, b)";
    assert!(limited(text, 1 << 20, Some(1_000)).is_err());
    assert!(limited(text, 1 << 20, Some(100_000)).is_ok());
}

/// A chain of computations, each calling the one before.
fn nested(levels: usize) -> Module {
    let mut module = module("ROOT r = s32[] constant(3)");
    let shape = Shape::scalar(DType::S32);
    let instr = |name: &str, opcode, operands: Vec<InstrId>, attrs| {
        Instruction::new(name, opcode, shape.clone(), operands, attrs, Origin::single(0))
    };
    for level in 1..levels {
        let attrs = Attrs::Call { to_apply: CompId(level as u32 - 1), is_composite: false };
        module.computations.push(Computation {
            name: format!("level{level}").into(),
            instrs: vec![
                instr("c", Opcode::Call, vec![], attrs),
                instr("r", Opcode::Negate, vec![InstrId(0)], Attrs::None),
            ],
            root: InstrId(1),
            execution_thread: None,
        });
    }
    module.entry = CompId(levels as u32 - 1);
    module
}

#[test]
fn a_thousand_levels_of_calls_are_allowed() {
    let run = |levels| evaluate(&nested(levels), &[], &Options::default());
    assert_eq!(show(&run(1000).unwrap()), "-3");
    let error = run(1001).unwrap_err();
    assert_eq!(error.reason, Reason::Limit);
    assert!(error.message.contains("1000"), "{error}");
}
