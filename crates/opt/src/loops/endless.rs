//! Refuses loops that never end and do nothing one could see: a program that contains one gives no result.
//!
//! Only loops that certainly run are refused, and only where the condition is the constant `true`.

use super::parts;
use crate::effects::Effects;
use crate::pass::{Changed, Diagnostic, PassContext};
use lawson_hlo::{Attrs, Computation, Instruction, Module, Scalar, Value};

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let effects = Effects::of(module);
    let entry = module.entry();
    for (id, instr) in entry.iter() {
        let Some((condition, _)) = parts(instr) else { continue };
        if is_true(&module[condition]) && !effects.has(instr) {
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
    fn a_loop_that_may_not_run_is_left_alone() {
        assert_eq!(verdict("true", true), Ok(()));
    }
}
