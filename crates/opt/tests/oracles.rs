//! Every level has an oracle: on the JAX programs the regions of the kernels, their Loop IR and the interpreter agree bit
//! for bit, and the text of a program is all of it.

mod support;

use lawson_hlo::eval::{self, evaluate};
use lawson_hlo::{Literal, Module};
use lawson_kernel::program::eval::{Level, Options};
use lawson_kernel::program::{self, Program, Step, text, walk};
use lawson_kernel::target::Target;
use lawson_opt::Numerics;
use lawson_opt::schedule::{Scheduled, schedule};
use std::path::PathBuf;
use support::run::run;
use support::values::{arguments, same_leaves};

/// Weighed operations of a run beyond which a program is left to the tests of compiled code.
const MAX_WORK: u64 = 4_000_000;

fn scheduled(module: &Module, fusion: &str) -> Scheduled {
    let (after, _) = run(module, fusion);
    schedule(&after, &Target::zen4(), Numerics::Strict).unwrap_or_else(|e| panic!("{e}"))
}

fn work(scheduled: &Scheduled) -> u64 {
    let of = |s: &lawson_opt::schedule::LaunchSite| s.launches.unwrap_or(64) * s.figures.work.max(0) as u64;
    scheduled.sites.iter().map(of).fold(0, u64::saturating_add)
}

/// The outputs of a program at a level, as the interpreter would give them.
fn outputs(
    program: &Program,
    level: Level,
    inputs: &[&[u8]],
    expected: &[&Literal],
) -> Result<Vec<Literal>, String> {
    let found = program::evaluate(program, inputs, Options { level, ..Options::default() })?;
    Ok(expected.iter().zip(found).map(|(e, bytes)| Literal::new(e.shape().clone(), bytes)).collect())
}

#[test]
fn regions_loop_ir_and_the_interpreter_agree_on_every_program() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("tests/programs").map(|e| e.expect("entry").path()).collect();
    paths.sort();
    let (mut evaluated, mut launched) = (0, 0);
    for path in &paths {
        let module = std::fs::read_to_string(path.join("module.hlo")).expect("module.hlo");
        let module = Module::parse(&module).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for fusion in ["on", "off"] {
            let scheduled = scheduled(&module, fusion);
            let place = format!("{}, fusion {fusion}", path.display());
            assert!(program::verify(&scheduled.program).is_ok(), "{place}");
            let printed = scheduled.program.to_string();
            let parsed = text::parse(&printed).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert!(parsed.to_string() == printed && program::verify(&parsed).is_ok(), "{place}");
            if work(&scheduled) > MAX_WORK {
                continue;
            }
            let args = arguments(&module, 1, true);
            let expected = evaluate(&module, &args, &eval::Options::default());
            let expected = expected.unwrap_or_else(|e| panic!("{place}: {e}"));
            let inputs: Vec<&[u8]> = args.iter().flat_map(|a| a.leaves()).map(|l| l.bytes()).collect();
            let forms = [
                (&scheduled.program, Level::Region),
                (&scheduled.program, Level::Code),
                (&parsed, Level::Code),
            ];
            for (program, level) in forms {
                let found = outputs(program, level, &inputs, &expected.leaves());
                let found = found.unwrap_or_else(|e| panic!("{place}, {level:?}: {e}"));
                let found: Vec<&Literal> = found.iter().collect();
                let same = same_leaves(&expected.leaves(), &found, Numerics::Strict);
                assert_eq!(same, Ok(()), "{place}, {level:?}");
            }
            evaluated += 1;
            walk::visit(&scheduled.program.steps, &mut |s| {
                launched += matches!(s, Step::Launch { .. }) as u32
            });
        }
    }
    assert!(evaluated >= 20 && launched >= 100, "{evaluated} programs of {launched} launches");
}
