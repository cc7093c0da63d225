//! Refuses loops that never end and do nothing one could see: a program that contains one gives no result.
//!
//! Only loops that certainly run are refused, and only where the condition is the constant `true`, or the state is one
//! constant array that the body leaves as it is (of tuples, `constants` has made that a constant condition). A condition
//! that depends on nothing the body changes, but on an argument, holds no times or for ever: that is for the time limit of
//! a run.

use super::parts;
use crate::effects::Effects;
use crate::pass::{Changed, Diagnostic, PassContext};
use lawson_hlo::{Attrs, CompId, Computation, Instruction, Module, Opcode, Scalar, Value, eval};

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let effects = Effects::of(module);
    let entry = module.entry();
    for (id, instr) in entry.iter() {
        let Some((condition, body)) = parts(instr) else { continue };
        let stays_true = || match &entry.operand(instr, 0).attrs {
            Attrs::Constant(Some(start)) if module[body].root().opcode == Opcode::Parameter => {
                holds(module, condition, start)
            }
            _ => false,
        };
        if !effects.has(instr) && (is_true(&module[condition]) || stays_true()) {
            let message = "this loop never ends: its condition is always true, and it has no effect";
            cx.error(Diagnostic::user("endless-loops", entry, id, message));
        }
    }
    Changed::No
}

fn is_true(condition: &Computation) -> bool {
    let root: &Instruction = condition.root();
    let Attrs::Constant(Some(Value::Array(literal))) = &root.attrs else { return false };
    literal.splat_value() == Some(Scalar::Pred(true))
}

/// Whether a condition holds for this state. One that calls computations is not evaluated: they may loop.
fn holds(module: &Module, condition: CompId, state: &Value) -> bool {
    if module[condition].instrs.iter().any(|i| !i.attrs.called().is_empty()) {
        return false;
    }
    let alone = Module { entry: condition, ..module.clone() };
    let value = eval::evaluate(&alone, std::slice::from_ref(state), &eval::Options::default());
    matches!(value, Ok(Value::Array(literal)) if literal.splat_value() == Some(Scalar::Pred(true)))
}

#[cfg(test)]
mod tests {
    use crate::pass::PassContext;
    use crate::pipeline::{PIPELINE, run};
    use lawson_hlo::Module;

    fn verdict(step: &str, body_of_branch: bool) -> Result<(), String> {
        let looping = "t = (s32[]) tuple(n) w = (s32[]) while(t), condition=c, body=b
                       r = s32[] get-tuple-element(w), index=0";
        let (inner, entry) = match body_of_branch {
            false => (String::new(), format!("{looping} ROOT out = s32[] add(r, n)")),
            true => (
                format!(
                    "f {{ n = s32[] parameter(0) {looping} ROOT out = s32[] add(r, n) }}
                         g {{ ROOT n = s32[] parameter(0) }}"
                ),
                "p = pred[] parameter(1)
                 ROOT out = s32[] conditional(p, n, n), true_computation=f, false_computation=g"
                    .into(),
            ),
        };
        let text = format!(
            "c {{ p = (s32[]) parameter(0) ROOT y = pred[] constant({step}) }}
             b {{ p = (s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0
                 j = s32[] negate(i) ROOT t = (s32[]) tuple(j) }}
             {inner}
             ENTRY main {{ n = s32[] parameter(0) {entry} }}"
        );
        let mut module = Module::parse(&text).expect("well formed");
        run(&mut PassContext::default(), &mut module, PIPELINE).map_err(|e| e[0].to_string())
    }

    #[test]
    fn a_loop_that_never_ends_is_refused() {
        let message = verdict("true", false).expect_err("endless");
        assert_eq!(
            message,
            "main/w: this loop never ends: its condition is always true, and it has no effect"
        );
        assert_eq!(verdict("false", false), Ok(()));
    }

    #[test]
    fn a_state_that_stays_as_it_is_keeps_its_condition() {
        let verdict = |start: &str, step: &str| {
            let text = format!(
                "c {{ p = s32[] parameter(0) z = s32[] constant(0) ROOT r = pred[] compare(p, z), direction=GE }}
                 b {{ p = s32[] parameter(0) ROOT q = s32[] {step}(p) }}
                 ENTRY main {{ i = s32[] {start} ROOT w = s32[] while(i), condition=c, body=b }}"
            );
            let mut module = Module::parse(&text).expect("well formed");
            run(&mut PassContext::default(), &mut module, PIPELINE).map_err(|e| e[0].to_string())
        };
        assert!(verdict("constant(0)", "copy").is_err_and(|e| e.contains("main/w: this loop never ends")));
        for (start, step) in [("constant(-1)", "copy"), ("parameter(0)", "copy"), ("constant(0)", "not")] {
            assert_eq!(verdict(start, step), Ok(()), "{start} {step}");
        }
    }

    #[test]
    fn a_loop_that_may_not_run_is_left_alone() {
        assert_eq!(verdict("true", true), Ok(()));
    }
}
