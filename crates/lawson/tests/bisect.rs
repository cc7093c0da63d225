//! `bisect` on a pass with a deliberately broken rule, which stands here and in no build of Lawson.

use lawson::Error;
use lawson::bisect::{Fuel, Trial, Verdict, bisect};
use lawson::hlo::builder::rewrite;
use lawson::hlo::eval::{self, evaluate};
use lawson::hlo::{DType, Instruction, Literal, Module, Opcode, Scalar, Value};
use lawson_opt::rebuild::each_computation;
use lawson_opt::{Changed, Options, Pass, PassContext, Status, pipeline};

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

const SWAP: Pass = Pass { name: "swap", run: swap, why: "to be found", status: Status::Now };

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
        Ok(Trial { right: result(&after) == expected, report: cx.report })
    };
    bisect(&["swap".into()], &Fuel::new(), trial).expect("runs")
}

#[test]
fn the_first_broken_decision_is_found_in_logarithmic_time() {
    for n in [1usize, 2, 3, 100, 1000] {
        for at in [1, n / 3 + 1, n] {
            let (verdict, runs) = search(&chain(n, &[at, n]));
            let Verdict::Found(c) = verdict else { panic!("{verdict:?}") };
            assert_eq!((&*c.pass, c.decision, c.of), ("swap", at as u64, n as u64));
            assert_eq!(c.what, ["rule swap-difference"]);
            let bound = n.next_power_of_two().trailing_zeros() as usize + 2;
            assert!(runs <= bound, "{n}: {runs} runs, at most {bound}");
        }
    }
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(search(&chain(50, &[])), (Verdict::Right, 1));
}
