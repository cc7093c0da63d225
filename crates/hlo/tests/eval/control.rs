//! Calls, loops, branches, custom-calls, and what a wrong call is told.

use super::{run, show, try_run};
use lawson_hlo::eval::{Options, Reason, evaluate_computation, evaluate_instruction};
use lawson_hlo::{ArrayShape, DType, Literal, Scalar, Value};
use std::sync::Arc;

fn s32(values: &[i64]) -> Value {
    let shape = ArrayShape::new(DType::S32, [values.len() as i64]);
    Value::Array(Literal::from_scalars(shape, values.iter().map(|&v| Scalar::Signed(v))))
}

const COUNT: &str = "cond { p = (s32[], s32[]) parameter(0)
                            n = s32[] get-tuple-element(p), index=0
                            limit = s32[] constant(5)
                            ROOT r = pred[] compare(n, limit), direction=LT }
                     body { p = (s32[], s32[]) parameter(0)
                            n = s32[] get-tuple-element(p), index=0
                            sum = s32[] get-tuple-element(p), index=1
                            one = s32[] constant(1)
                            m = s32[] add(n, one)
                            s = s32[] add(sum, n)
                            ROOT r = (s32[], s32[]) tuple(m, s) }";

#[test]
fn while_runs_until_the_condition_fails() {
    let start = |n: i64| {
        run(&format!(
            "{COUNT}
             ENTRY e {{ n = s32[] constant({n})
                       z = s32[] constant(0)
                       t = (s32[], s32[]) tuple(n, z)
                       ROOT w = (s32[], s32[]) while(t), condition=cond, body=body }}"
        ))
    };
    assert_eq!(start(0), "(5; 10)");
    assert_eq!(start(9), "(9; 0)");
}

#[test]
fn an_update_in_a_loop_does_not_reach_the_initial_value() {
    let text = "cond { p = (s32[], s32[3]) parameter(0)
                       n = s32[] get-tuple-element(p), index=0
                       limit = s32[] constant(3)
                       ROOT r = pred[] compare(n, limit), direction=LT }
                body { p = (s32[], s32[3]) parameter(0)
                       n = s32[] get-tuple-element(p), index=0
                       x = s32[3] get-tuple-element(p), index=1
                       one = s32[] constant(1)
                       m = s32[] add(n, one)
                       u = s32[1] reshape(m)
                       y = s32[3] dynamic-update-slice(x, u, n)
                       ROOT r = (s32[], s32[3]) tuple(m, y) }
                ENTRY e { z = s32[] constant(0)
                          x = s32[3] constant({7, 7, 7})
                          t = (s32[], s32[3]) tuple(z, x)
                          w = (s32[], s32[3]) while(t), condition=cond, body=body
                          y = s32[3] get-tuple-element(w), index=1
                          ROOT r = (s32[3], s32[3]) tuple(x, y) }";
    assert_eq!(run(text), "(7, 7, 7; 1, 2, 3)");
}

#[test]
fn a_branch_index_out_of_range_takes_the_last() {
    let choose = |index: &str| {
        run(&format!(
            "f {{ p = s32[] parameter(0)\n ROOT r = s32[] negate(p) }}
             g {{ p = s32[] parameter(0)\n ROOT r = s32[] add(p, p) }}
             h {{ p = s32[] parameter(0)\n ROOT r = s32[] multiply(p, p) }}
             ENTRY e {{ i = s32[] constant({index})
                       x = s32[] constant(5)
                       ROOT r = s32[] conditional(i, x, x, x), branch_computations={{f, g, h}} }}"
        ))
    };
    assert_eq!([choose("0"), choose("1"), choose("2")], ["-5", "10", "25"]);
    assert_eq!([choose("3"), choose("-1")], ["25", "25"]);
}

#[test]
fn a_predicate_takes_the_first_branch_when_true() {
    let choose = |p: &str| {
        run(&format!(
            "f {{ p = s32[] parameter(0)\n ROOT r = s32[] negate(p) }}
             g {{ ROOT p = s32[] parameter(0) }}
             ENTRY e {{ p = pred[] constant({p})
                       x = s32[] constant(5)
                       y = s32[] constant(6)
                       ROOT r = s32[] conditional(p, x, y), true_computation=f, false_computation=g }}"
        ))
    };
    assert_eq!([choose("true"), choose("false")], ["-5", "6"]);
}

#[test]
fn calls_fusions_barriers_and_tokens() {
    let text = "f { a = s32[2] parameter(0)
                    b = s32[2] parameter(1)
                    ROOT r = s32[2] subtract(a, b) }
                ENTRY e { x = s32[2] constant({5, 6})
                          y = s32[2] constant({1, 2})
                          c = s32[2] call(x, y), to_apply=f
                          d = s32[2] fusion(y, c), kind=kLoop, calls=f
                          t = (s32[2], s32[2]) tuple(c, d)
                          b = (s32[2], s32[2]) opt-barrier(t)
                          k = token[] after-all()
                          k2 = token[] after-all(k, k)
                          ROOT r = ((s32[2], s32[2]), token[]) tuple(b, k2) }";
    assert_eq!(run(text), "((4, 4; -3, -2); token)");
}

#[test]
fn custom_calls_run_registered_functions() {
    let text = "x = s32[3] parameter(0)
                ROOT r = s32[3] custom-call(x), custom_call_target=\"twice\"";
    let error = try_run(text, &[s32(&[1, 2, 3])], &Options::default()).unwrap_err();
    assert_eq!((error.reason, error.instruction.as_deref()), (Reason::Unsupported, Some("r")));
    assert!(error.message.contains("twice"), "{error}");

    let mut options = Options::default();
    options.custom_calls.insert(
        "twice".into(),
        Arc::new(|args, _| {
            let x = args[0].expect_array();
            let values: Vec<i64> = x.scalars().map(|s| 2 * s.as_i128().unwrap() as i64).collect();
            Ok(s32(&values))
        }),
    );
    assert_eq!(show(&try_run(text, &[s32(&[1, 2, 3])], &options).unwrap()), "2, 4, 6");

    options.custom_calls.insert("twice".into(), Arc::new(|_, _| Ok(s32(&[1]))));
    let error = try_run(text, &[s32(&[1, 2, 3])], &options).unwrap_err();
    assert!(error.message.contains("s32[1], not s32[3]"), "{error}");

    options.custom_calls.insert("twice".into(), Arc::new(|_, _| Err("out of ink".into())));
    let error = try_run(text, &[s32(&[1, 2, 3])], &options).unwrap_err();
    assert_eq!(error.reason, Reason::CustomCall);
    assert_eq!(error.to_string(), "r: custom-call \"twice\" failed: out of ink");
}

#[test]
fn one_computation_and_one_instruction() {
    let module = super::module(
        "f { a = s32[2] parameter(0)
             ROOT r = s32[2] negate(a) }
         ENTRY e { x = s32[2] parameter(0)
                   ROOT c = s32[2] call(x), to_apply=f }",
    );
    let f = module.find("f").unwrap();
    let args = [s32(&[3, -4])];
    assert_eq!(show(&evaluate_computation(&module, f, &args).unwrap()), "-3, 4");
    assert_eq!(show(&evaluate_instruction(&module, module.entry().root(), &args).unwrap()), "-3, 4");
    let negate = module[f].root();
    assert_eq!(show(&evaluate_instruction(&module, negate, &args).unwrap()), "-3, 4");
    let error = evaluate_instruction(&module, negate, &[]).unwrap_err();
    assert_eq!(error.instruction.as_deref(), Some("r"));
}

#[test]
fn wrong_arguments_are_told() {
    let text = "x = s32[2] parameter(0)\nROOT r = s32[2] negate(x)";
    let fail = |args: &[Value]| try_run(text, args, &Options::default()).unwrap_err();
    let error = fail(&[]);
    assert_eq!((error.reason, &*error.message), (Reason::Arguments, "main takes 1 arguments, not 0"));
    assert_eq!(fail(&[s32(&[1])]).message, "argument 0 is s32[1], not s32[2]");
    let float = super::floats(DType::F32, &[2], &[1.0, 2.0]);
    assert_eq!(fail(&[float]).message, "argument 0 is f32[2], not s32[2]");
}

#[test]
fn what_is_not_supported_is_named() {
    let error = |text: &str| try_run(text, &[], &Options::default()).unwrap_err();
    let e = error(
        "a = f32[2] constant({1, 2})\nr = u32[2] constant({1, 2})\nROOT c = bf16[2] stochastic-convert(a, r)",
    );
    assert_eq!((e.reason, e.instruction.as_deref()), (Reason::Unsupported, Some("c")));
    assert!(e.message.contains("stochastic-convert of f32, u32"), "{e}");
}

#[test]
fn long_windows_can_be_interrupted() {
    let text = "add { a = s32[] parameter(0)
                      b = s32[] parameter(1)
                      ROOT c = s32[] add(a, b) }
                ENTRY e { x = s32[4096] parameter(0)
                          z = s32[] constant(0)
                          ROOT r = s32[4096] reduce-window(x, z), window={size=4096 pad=4095_0}, to_apply=add }";
    let asked = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let own = asked.clone();
    // Instructions ask once each; the window asks more often.
    let interrupt = move || own.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 8;
    let options = Options { interrupt: Some(Arc::new(interrupt)), ..Options::default() };
    let error = try_run(text, &[s32(&[1; 4096])], &options).unwrap_err();
    assert_eq!((error.reason, error.instruction.as_deref()), (Reason::Interrupted, Some("r")));
}
