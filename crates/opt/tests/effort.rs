//! `--compile fast` plans less than `full`, counted in work and not in time, and leaves a program that is fused all
//! the same.

use lawson_hlo::Module;
use lawson_opt::options::fusion::FusionSpec;
use lawson_opt::{Effort, Numerics, Options, PassContext, pipeline, schedule};
use std::path::PathBuf;

/// The programs of the repository by name.
fn programs() -> Vec<(String, Module)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("tests/programs").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let read = |p: PathBuf| {
        let text = std::fs::read_to_string(p.join("module.hlo")).expect("module.hlo");
        (p.display().to_string(), Module::parse(&text).expect("well formed"))
    };
    paths.into_iter().map(read).collect()
}

/// What planning a module took, and the kernels it has then.
struct Outcome {
    /// Plans made, pairs of kernels looked at, steps of the search for orders.
    work: [u64; 3],
    kernels: usize,
}

fn outcome(module: &Module, effort: Effort, fusion: &FusionSpec) -> Outcome {
    let mut module = module.clone();
    let options = Options { effort, fusion: fusion.clone(), ..Options::default() };
    let mut cx = PassContext::new(options.clone());
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).expect("it passes");
    let count = |name: &str| cx.report.rules().get(name).copied().unwrap_or(0);
    let work = [count("plans"), cx.report.joins.len() as u64, count("steps")];
    let scheduled = schedule::schedule(&module, &options.target, Numerics::Standard).expect("it plans");
    Outcome { work, kernels: scheduled.sites.len() }
}

#[test]
fn fast_plans_less_than_full_and_fuses_all_the_same() {
    let on = FusionSpec::default();
    let (mut less, mut total, mut more) = (0, [0u64; 2], Vec::new());
    for (name, module) in programs() {
        let [fast, full] = [Effort::Fast, Effort::Full].map(|e| outcome(&module, e, &on));
        let off = outcome(&module, Effort::Full, &FusionSpec::OFF);
        if fast.work[0] > full.work[0] {
            more.push((name.rsplit('/').next().unwrap_or_default().to_owned(), fast.work[0] - full.work[0]));
        }
        assert!(full.kernels <= fast.kernels, "{name}: {} kernels, {} in fast", full.kernels, fast.kernels);
        assert!(fast.kernels <= off.kernels, "{name}: {} kernels, {} unfused", fast.kernels, off.kernels);
        less += (fast.work != full.work) as usize;
        total[0] += fast.work.iter().sum::<u64>();
        total[1] += full.work.iter().sum::<u64>();
    }
    // A pass of `full` joins a pair of its kernels that `fast` has to plan once more with another one.
    assert_eq!(more, [("nbody".to_owned(), 1)]);
    assert!(less >= 5 && total[0] * 4 <= total[1] * 3, "{less} programs, {total:?}");
}

/// An Adam step over many arrays needs the horizontal search; a softmax does not.
#[test]
fn rows_are_staged_in_a_hurry_and_launches_are_not_shared() {
    let count = |name: &str, effort| {
        let (_, module) =
            programs().into_iter().find(|(p, _)| p.ends_with(name)).unwrap_or_else(|| panic!("{name}"));
        outcome(&module, effort, &FusionSpec::default()).kernels
    };
    assert_eq!(count("softmax_4096x1024", Effort::Fast), 1);
    assert!(count("adam_64", Effort::Fast) > count("adam_64", Effort::Full));
}
