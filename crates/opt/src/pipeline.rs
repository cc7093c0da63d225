//! The pipeline as data, and the driver that runs it.
//!
//! The driver times each pass, removes computations that it left without a caller, verifies the module (in debug builds after
//! each pass, else after the last), fills the report, and turns a panic of a pass into a diagnostic. It stops at the first
//! pass that has something to say to the user. What happens to the program that is made of the module afterwards is listed here too, in
//! [`PROGRAM`].

use crate::pass::{Changed, Diagnostic, Pass, PassContext, Status};
use crate::report::PassReport;
use crate::{cse, dce, expand, fold, fusion, inline, layout, loops, progressions, ranges, simplify};
use lawson_hlo::Module;
use lawson_hlo::verify::verify;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

const fn now(
    name: &'static str,
    run: fn(&mut PassContext, &mut Module) -> Changed,
    why: &'static str,
) -> Pass {
    Pass { name, run, why, status: Status::Now, simplified: false }
}

/// A pass whose result is simplified.
const fn simplified(pass: Pass) -> Pass {
    Pass { simplified: true, ..pass }
}

const fn later(name: &'static str, why: &'static str) -> Pass {
    Pass { name, run: |_, _| Changed::No, why, status: Status::Later, simplified: false }
}

/// Every pass, in order. The names follow the paper "Operator Fusion in XLA".
pub const PIPELINE: &[Pass] = &[
    later(
        "spmd-partitioner",
        "sharded programs become one program for each device before anything else sees them",
    ),
    now(
        "phases",
        fusion::residual::phase::run,
        "which half of a derivative instructions belong to is noted before rewrites lose their marks",
    ),
    now(
        "layout",
        layout::forget::run,
        "inside, every array is row-major, so that no later pass thinks of layouts",
    ),
    now("inline", inline::run, "JAX outlines every jnp function; fusion must see through calls"),
    now("expand", expand::run, "what stands for other operations becomes those, before algebra sees it"),
    now(
        "split-composites",
        expand::composites::run,
        "complex numbers become their parts as soon as nothing stands for other operations any more",
    ),
    now(
        "simplification",
        simplification,
        "to a fixed point, so that later passes may assume canonical forms",
    ),
    now("endless-loops", loops::endless::run, "a program that certainly never ends has no plan"),
    simplified(now(
        "short-inner-loops",
        loops::short::in_loops,
        "short loops in loops are unrolled, so that time tiling sees what a trip of these does",
    )),
    simplified(now(
        "time-tiling",
        loops::time_tiling::run,
        "several trips over arrays that no cache holds are one kernel, before their bodies become kernels",
    )),
    simplified(now(
        "short-loops",
        loops::short::left,
        "those that time tiling has left are unrolled like all others",
    )),
    now(
        "progressions",
        progressions::run,
        "constants that are places are computed where they are used, once nothing folds them any more",
    ),
    now(
        "loop-tables",
        fusion::loop_fusion::tables::run,
        "what lanes look up in constants is data, which a loop that is one kernel finds in memory",
    ),
    now(
        "loop-fusion",
        fusion::loop_fusion::run,
        "a loop that works lane by lane is one kernel, before its body becomes many",
    ),
    now(
        "long-chains",
        fusion::chains::run,
        "chains of maps too long for one kernel are cut at once, before producers would join users one by one",
    ),
    now("instruction-fusion", fusion::instruction::run, "producers move into their consumers"),
    now("fusion-merger", fusion::merger::run, "a kernel moves into all its users when that saves time"),
    now(
        "multi-output-fusion",
        fusion::multi_output::run,
        "siblings and producers with several users share one kernel",
    ),
    now("staged-fusion", fusion::staged::run, "kernels over the same rows become stages of one"),
    now(
        "layout-assignment",
        layout::assign::run,
        "what is still in memory lies as its writer and its readers like it, who may join when they like the same",
    ),
    now(
        "residual-fusion",
        fusion::residual::run,
        "what backward kernels compute again is decided when kernels are formed, on what really goes through memory",
    ),
    now(
        "horizontal-fusion",
        fusion::horizontal::run,
        "many small independent kernels become one with a segment table",
    ),
    now("fusion-demands", fusion::demands::run, "what must fuse is known when nothing more can"),
    later("combine-collectives", "small collectives cost latency, not bandwidth"),
    later("remat", "recomputing is cheaper than spilling when memory is over its limit"),
];

/// A stage of making the program, which the driver of this file does not run.
pub struct Stage {
    pub name: &'static str,
    /// Its file, from `crates/opt/src`.
    pub file: &'static str,
    /// Why it stands where it stands.
    pub why: &'static str,
}

const fn stage(name: &'static str, file: &'static str, why: &'static str) -> Stage {
    Stage { name, file, why }
}

/// What makes a program of the module when all passes have run, in order: [`crate::schedule`] the first stage,
/// [`crate::buffers::assign`] the others.
pub const PROGRAM: &[Stage] = &[
    stage("schedule", "schedule/mod.rs", "no pass changes the kernels any more, so their order can be fixed"),
    stage(
        "in-place",
        "buffers/in_place.rs",
        "a state that is replaced element by element needs no second place; the copies this makes are the next stage's",
    ),
    stage(
        "coalesce-copies",
        "buffers/coalesce.rs",
        "the schedule copies wherever it might be needed; whether it is, the whole order tells",
    ),
    stage(
        "swap",
        "buffers/swap.rs",
        "of the copies that end loop bodies, those that are left may become exchanges",
    ),
    stage(
        "donation",
        "buffers/donate.rs",
        "which results may take the memory of arguments is known when no step reads others any more",
    ),
    stage(
        "arena",
        "buffers/arena.rs",
        "offsets need to know which temporaries are left and how long each lives",
    ),
];

/// The group that "simplification" repeats.
pub const SIMPLIFICATION: &[Pass] = &[
    now("fold", fold::run, "constants first: they open most other rewrites"),
    now(
        "loop-constants",
        loops::constants::run,
        "bounds and weights carried unchanged are constants inside the loop",
    ),
    now(
        "loop-invariants",
        loops::invariants::run,
        "what is the same on every trip is computed once, after constants have gone inside",
    ),
    now(
        "loop-last-values",
        loops::last_values::run,
        "what only the last trip makes for somebody is computed after the loop, before its parts are shared",
    ),
    now(
        "loop-rows",
        loops::rows::run,
        "of results that a loop stacks, the few rows that somebody reads are kept alone, before kernels store all",
    ),
    now(
        "ranges",
        ranges::run,
        "what counters and iotas say of indices is known before algebra, which then drops the choices that depend on it",
    ),
    now("simplify", simplify::run, "algebra, after constants are known"),
    now("cse", cse::run, "equal values become one, so that rules see shared operands"),
    now("dce", dce::run, "what is left over would count as a user"),
];

/// Rounds of the fixed point; each round does a whole walk, so real programs need two or three.
const MAX_ROUNDS: usize = 10;

/// Runs passes in order. Everything that happened is in `cx.report`.
pub fn run(cx: &mut PassContext, module: &mut Module, passes: &[Pass]) -> Result<(), Vec<Diagnostic>> {
    let mut changed = Changed::No;
    for (n, pass) in passes.iter().enumerate() {
        let now = step(cx, module, pass);
        changed = changed.or(now);
        if pass.simplified && now.any() && !cx.failed() {
            let _ = simplification(cx, module);
        }
        // A tenth of all passes, after each of them; `lawson bisect` finds which it was.
        if !cfg!(debug_assertions) && changed.any() && n + 1 == passes.len() {
            check(cx, module, pass);
        }
        let diagnostics = cx.take_diagnostics();
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
    }
    Ok(())
}

/// The pass of that name, in the pipeline or in its group.
pub fn find(name: &str) -> Option<&'static Pass> {
    PIPELINE.iter().chain(SIMPLIFICATION).find(|p| p.name == name)
}

/// The passes before the first that fuses, and the others. The former are the same whatever may be fused, but for fusions
/// of the input that are kept.
pub fn halves() -> (&'static [Pass], &'static [Pass]) {
    let first = PIPELINE.iter().position(|p| p.name == "time-tiling").unwrap_or(PIPELINE.len());
    PIPELINE.split_at(first)
}

/// Repeats the group until no pass has anything left to do.
fn simplification(cx: &mut PassContext, module: &mut Module) -> Changed {
    // How many changes there have been, and how many a pass had seen when it last found nothing to do.
    let mut changes = 0usize;
    let mut done_at = [None; SIMPLIFICATION.len()];
    for _ in 0..MAX_ROUNDS {
        for (pass, done) in SIMPLIFICATION.iter().zip(&mut done_at) {
            if *done == Some(changes) {
                continue;
            }
            match step(cx, module, pass) {
                Changed::Yes => changes += 1,
                Changed::No => *done = Some(changes),
            }
            if cx.failed() {
                return Changed::from(changes > 0);
            }
        }
        if done_at.iter().all(|done| *done == Some(changes)) {
            break;
        }
    }
    Changed::from(changes > 0)
}

/// Runs one pass, checks it and writes it down.
fn step(cx: &mut PassContext, module: &mut Module, pass: &Pass) -> Changed {
    if pass.status == Status::Later {
        return Changed::No;
    }
    let before = module.instruction_count();
    let outer = (std::mem::take(&mut cx.firings), std::mem::take(&mut cx.work));
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (pass.run)(cx, module)));
    let duration = start.elapsed();
    let changed = outcome.unwrap_or_else(|panic| {
        cx.error(Diagnostic::bug(pass.name, panic_text(&*panic)));
        Changed::No
    });
    if changed.any() && !cx.failed() {
        // Inlined bodies and loops that were rewritten would be most of many modules, and every pass would walk over them.
        dce::remove_uncalled(module);
        if cfg!(debug_assertions) {
            check(cx, module, pass);
        }
    }
    let rules = std::mem::replace(&mut cx.firings, outer.0);
    let work = std::mem::replace(&mut cx.work, outer.1);
    let wanted = changed.any() && cx.options.print_after.wants(pass.name);
    cx.report.passes.push(PassReport {
        name: pass.name,
        changed: changed.any(),
        duration,
        instructions_before: before,
        instructions_after: module.instruction_count(),
        rules,
        work,
        text: wanted.then(|| module.to_string()),
    });
    changed
}

/// Whether the module is well formed, after this pass or several.
fn check(cx: &mut PassContext, module: &Module, pass: &Pass) {
    let whose = if cfg!(debug_assertions) { "" } else { "or a pass before it " };
    if !cx.failed() {
        for fault in verify(module).err().into_iter().flatten() {
            cx.error(Diagnostic::bug(pass.name, format!("{whose}left an ill-formed module: {fault}")));
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("panicked").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Options, PrintAfter};
    use crate::pass::DiagnosticKind;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = PIPELINE.iter().chain(SIMPLIFICATION).map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PIPELINE.len() + SIMPLIFICATION.len());
    }

    #[test]
    fn the_stages_of_making_the_program_are_those_that_run() {
        let listed = PROGRAM.iter().map(|s| s.name);
        let run = crate::buffers::PASSES.iter().map(|(name, _)| *name);
        assert!(listed.eq(["schedule"].into_iter().chain(run)));
    }

    const TEXT: &str = "ENTRY main { x = f32[4] parameter(0) ROOT n = f32[4] negate(x) }";

    fn module() -> Module {
        Module::parse(TEXT).expect("well formed")
    }

    fn blame(pass: Pass) -> Diagnostic {
        let mut cx = PassContext::default();
        let mut found = run(&mut cx, &mut module(), &[pass]).expect_err("the pass is wrong");
        assert_eq!(found[0].kind, DiagnosticKind::Bug);
        found.swap_remove(0)
    }

    #[test]
    fn a_panic_is_blamed_on_the_pass() {
        let found = blame(now("careless", |_, _| panic!("no such {}", "thing"), "to fail"));
        assert_eq!((&*found.pass, &*found.message), ("careless", "no such thing"));
    }

    #[test]
    fn an_ill_formed_module_is_blamed_on_the_pass() {
        fn spoil(_: &mut PassContext, module: &mut Module) -> Changed {
            module.computations[0].instrs[1].shape = lawson_hlo::Shape::scalar(lawson_hlo::DType::F32);
            Changed::Yes
        }
        let found = blame(now("spoiler", spoil, "to fail"));
        assert!(found.message.contains("left an ill-formed module: "), "{}", found.message);
    }

    #[test]
    fn nothing_runs_after_a_user_error() {
        fn refuse(cx: &mut PassContext, module: &mut Module) -> Changed {
            cx.error(Diagnostic::user("refuser", module.entry(), module.entry().root, "not here"));
            Changed::No
        }
        let passes = [now("refuser", refuse, ""), now("never", |_, _| panic!("ran"), "")];
        let mut cx = PassContext::default();
        let found = run(&mut cx, &mut module(), &passes).expect_err("the user must hear");
        assert_eq!(found[0].to_string(), "main/n: not here");
        assert_eq!(cx.report.passes.len(), 1);
    }

    #[test]
    fn the_report_tells_what_happened() {
        let text = "ENTRY main { x = f32[4] parameter(0) c = f32[4] copy(x) ROOT n = f32[4] negate(c) }";
        let mut module = Module::parse(text).expect("well formed");
        let print_after = PrintAfter::Passes(vec!["simplify".into()]);
        let mut cx = PassContext::new(Options { print_after, ..Options::default() });
        run(&mut cx, &mut module, PIPELINE).expect("no errors");
        let first = |name: &str| cx.report.passes.iter().find(|p| p.name == name).expect("it ran");
        assert_eq!(first("simplify").rules, [("copy", 1)].into());
        assert!(first("simplify").text.as_ref().is_some_and(|t| t.contains("negate(x)")));
        let simplify = first("simplify");
        assert_eq!(
            (simplify.changed, simplify.instructions_before, simplify.instructions_after),
            (true, 3, 2)
        );
        assert!(!first("inline").changed && first("inline").to_string().ends_with("(unchanged)"));
    }

    #[test]
    fn calls_that_double_at_each_level_are_an_error() {
        let mut text = String::from("f0 { ROOT p = f32[] parameter(0) }\n");
        for i in 1..40 {
            text += &format!(
                "f{i} {{ p = f32[] parameter(0) a = f32[] call(p), to_apply=f{0} b = f32[] call(p), \
                 to_apply=f{0} ROOT s = f32[] add(a, b) }}\n",
                i - 1
            );
        }
        text += "ENTRY main { x = f32[] parameter(0) ROOT c = f32[] call(x), to_apply=f39 }";
        let mut module = Module::parse(&text).expect("well formed");
        let found = run(&mut PassContext::default(), &mut module, &[*find("inline").expect("built")]);
        let found = found.expect_err("too many instructions");
        assert_eq!((found.len(), found[0].kind), (1, DiagnosticKind::User));
    }
}
