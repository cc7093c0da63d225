//! `bisect` on a pass with a deliberately broken rule, which stands here and in no build of Lawson.

use lawson::Error;
use lawson::bisect::{Fuel, Trial, Verdict, bisect, candidates};
use lawson::hlo::builder::rewrite;
use lawson::hlo::eval::{self, evaluate};
use lawson::hlo::{DType, Instruction, Literal, Module, Opcode, Scalar, Value};
use lawson::{load, random_inputs};
use lawson_opt::rebuild::each_computation;
use lawson_opt::report::Report;
use lawson_opt::{Changed, Numerics, Options, Pass, PassContext, Status, pipeline};

/// Swaps the operands of every binary operation: right for products, wrong for differences.
fn swap(cx: &mut PassContext, module: &mut Module) -> Changed {
    Changed::from(each_computation(module, |new, comp, _| {
        rewrite(new.module, &comp, |b, _, instr, operands| {
            let swaps = matches!(instr.opcode, Opcode::Multiply | Opcode::Subtract);
            if !swaps || !cx.fuel("swap") {
                return None;
            }
            cx.fired(if instr.opcode == Opcode::Multiply { "swap-product" } else { "swap-difference" });
            let operands = vec![operands[1], operands[0]];
            Some(b.push(Instruction { operands, ..instr.clone() }))
        })
    }))
}

const SWAP: Pass =
    Pass { name: "swap", run: swap, why: "to be found", status: Status::Now, simplified: false };

/// Takes products for sums: always wrong.
fn add(cx: &mut PassContext, module: &mut Module) -> Changed {
    Changed::from(each_computation(module, |new, comp, _| {
        rewrite(new.module, &comp, |b, _, instr, operands| {
            let wrong = instr.opcode == Opcode::Multiply && cx.fuel("add");
            wrong.then(|| b.binary(Opcode::Add, operands[0], operands[1]))
        })
    }))
}

const ADD: Pass =
    Pass { name: "add", run: add, why: "to be found too", status: Status::Now, simplified: false };

/// `n` products in a chain, but differences at these places (from 1).
fn chain(n: usize, wrong: &[usize]) -> Module {
    let mut text =
        String::from("HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n  v0 = f32[] parameter(1)\n");
    for i in 1..=n {
        let what = if wrong.contains(&i) { "subtract" } else { "multiply" };
        let root = if i == n { "ROOT " } else { "" };
        text += &format!("  {root}v{i} = f32[] {what}(v{}, x)\n", i - 1);
    }
    Module::parse(&(text + "}\n")).expect("well formed")
}

fn result(module: &Module) -> Value {
    let args = [1.0, 3.0].map(|v| Value::Array(Literal::scalar(DType::F32, Scalar::Float(v))));
    evaluate(module, &args, &eval::Options::default()).expect("it evaluates")
}

/// Runs the broken pass with that fuel.
fn search(module: &Module) -> (Verdict, usize) {
    let expected = result(module);
    let trial = |fuel: &Fuel| -> Result<Trial, Error> {
        let mut cx = PassContext::new(Options { fuel: fuel.clone(), ..Options::default() });
        let mut after = module.clone();
        pipeline::run(&mut cx, &mut after, &[SWAP]).expect("no errors");
        Ok(Trial { right: result(&after) == expected, report: Some(cx.report) })
    };
    bisect(&["swap".into()], &Fuel::new(), trial).expect("runs")
}

#[test]
fn the_first_broken_decision_is_found_in_logarithmic_time() {
    for n in [1usize, 2, 3, 100, 1000] {
        for at in [1, n / 3 + 1, n] {
            let (verdict, runs) = search(&chain(n, &[at, n]));
            let Verdict::Found(c) = verdict else { panic!("{verdict:?}") };
            assert_eq!((&*c.pass, c.decision, c.of), ("swap", at as u64, Some(n as u64)));
            assert_eq!(c.what, ["rule swap-difference"]);
            let bound = n.next_power_of_two().trailing_zeros() as usize + 2;
            assert!(runs <= bound, "{n}: {runs} runs, at most {bound}");
        }
    }
}

/// Runs these passes with that fuel on random inputs.
fn trial(module: &Module, passes: &[Pass], inputs: &[Value], fuel: &Fuel) -> (Value, Report) {
    let options = Options { fuel: fuel.clone(), numerics: Numerics::Strict, ..Options::default() };
    let (mut after, mut cx) = (module.clone(), PassContext::new(options));
    pipeline::run(&mut cx, &mut after, passes).unwrap_or_else(|e| panic!("{}", e[0]));
    let result = evaluate(&after, inputs, &eval::Options::default()).expect("it evaluates");
    (result, cx.report)
}

#[test]
fn a_wrong_decision_is_found_in_programs_of_users() {
    for name in ["scan_sum", "kalman_scan"] {
        let path = format!("{}/../../tests/findings/{name}.hlo", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the module");
        let module = Module::parse(&text).expect("well formed");
        let leaves = load::parameter_leaves(&module);
        let inputs: Vec<Value> = random_inputs::literals(1, &leaves).into_iter().map(Value::Array).collect();
        let passes: Vec<Pass> = pipeline::halves().0.iter().copied().chain([ADD]).collect();
        let names: Vec<String> = candidates().into_iter().chain(["add".to_owned()]).collect();
        let (expected, _) = trial(&module, &[], &inputs, &Fuel::new());
        let decisions = trial(&module, &passes, &inputs, &Fuel::new()).1.fuel["add"];
        let (verdict, _) = bisect(&names, &Fuel::new(), |fuel| {
            let (found, report) = trial(&module, &passes, &inputs, fuel);
            Ok(Trial { right: found == expected, report: Some(report) })
        })
        .expect("runs");
        let Verdict::Found(c) = verdict else { panic!("{name}: {verdict:?}") };
        assert_eq!((&*c.pass, &c.off[..]), ("add", &[][..]), "{name}");
        assert_eq!(c.of, Some(decisions), "{name}");
        // Right up to the decision, wrong from there.
        let found = |n| trial(&module, &passes, &inputs, &[("add".to_owned(), n)].into()).0;
        assert!(found(c.decision - 1) == expected && found(c.decision) != expected, "{name}");
    }
}

/// Runs both broken passes.
fn both(module: &Module, fuel: &Fuel) -> Trial {
    let expected = result(module);
    let mut cx = PassContext::new(Options { fuel: fuel.clone(), ..Options::default() });
    let mut after = module.clone();
    pipeline::run(&mut cx, &mut after, &[SWAP, ADD]).expect("no errors");
    Trial { right: result(&after) == expected, report: Some(cx.report) }
}

#[test]
fn of_two_passes_at_fault_the_first_is_searched_with_the_second_off() {
    let names = ["swap".to_owned(), "add".to_owned()];
    let module = chain(20, &[7]);
    let (verdict, _) = bisect(&names, &Fuel::new(), |fuel| Ok(both(&module, fuel))).expect("runs");
    let Verdict::Found(c) = verdict else { panic!("{verdict:?}") };
    assert_eq!((&*c.pass, c.decision, c.off), ("swap", 7, vec!["add".to_owned()]));
    // Asked about one of them, nothing is to be seen.
    let (verdict, runs) = bisect(&names[..1], &Fuel::new(), |fuel| Ok(both(&module, fuel))).expect("runs");
    assert_eq!((verdict, runs), (Verdict::NotThisPass, 2));
    // What is wrong without any pass is not for a pass to mend.
    let wrong = |fuel: &Fuel| Ok(Trial { right: false, ..both(&module, fuel) });
    assert_eq!(bisect(&names, &Fuel::new(), wrong).expect("runs").0, Verdict::NotAPass);
}

#[test]
fn a_decision_after_which_nothing_comes_back_is_found_too() {
    for (n, at) in [(1, 1), (30, 2), (30, 19), (1000, 1000)] {
        let module = chain(n, &[at]);
        let expected = result(&module);
        let run = |fuel: &Fuel| {
            let mut cx = PassContext::new(Options { fuel: fuel.clone(), ..Options::default() });
            let mut after = module.clone();
            pipeline::run(&mut cx, &mut after, &[SWAP]).expect("no errors");
            let right = result(&after) == expected;
            Ok(Trial { right, report: right.then_some(cx.report) })
        };
        let (verdict, runs) = bisect(&["swap".into()], &Fuel::new(), run).expect("runs");
        let Verdict::Found(c) = verdict else { panic!("{verdict:?}") };
        assert_eq!((c.decision, c.of), (at as u64, None), "{n}, {at}: {runs} runs");
    }
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(search(&chain(50, &[])), (Verdict::Right, 1));
}
