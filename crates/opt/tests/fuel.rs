//! No pass needs another to have run before it: with any pass out of fuel, at once or after some of its rewrites, every
//! module still becomes a program that gives the interpreter's results, to the bit in strict mode.
//!
//! The modules are those of `tests/programs`, `tests/findings` and `tests/hlo`, and random ones. `make test-long` (the
//! variable [`LONG`]) tries more of them, with more fuels.

mod support;

use lawson_hlo::eval::{self, evaluate};
use lawson_hlo::verify::{supported, verify};
use lawson_hlo::{Literal, Module, Value};
use lawson_kernel::program;
use lawson_opt::schedule::{Depth, Scheduled, schedule_planned};
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use support::modules;
use support::values::{Rng, arguments, same_leaves};

/// For each pass the rewrites it may do.
type Fuel = BTreeMap<String, u64>;

/// The environment variable that asks for the long campaign.
const LONG: &str = "LAWSON_LONG_TESTS";

/// How much is tried.
#[derive(Clone, Copy)]
struct Extent {
    /// Random fuels for each pass, besides none.
    fuels: u64,
    modules: u64,
    /// Weighed operations of a run beyond which a program is planned and verified, but not evaluated.
    work: u64,
}

const QUICK: Extent = Extent { fuels: 1, modules: 240, work: 200_000 };
const CAMPAIGN: Extent = Extent { fuels: 10, modules: 2_000, work: 2_000_000 };

/// Random modules in one trial.
const CHUNK: u64 = 40;

/// A finding that is refused: a loop without an end.
const ENDLESS: &str = "inf";

fn main() {
    let long = std::env::var_os(LONG).is_some();
    let extent = if long { CAMPAIGN } else { QUICK };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut trials = Vec::new();
    for folder in entries(&root.join("programs")) {
        trials.push(program(extent, &folder, &folder.join("module.hlo")));
    }
    for file in entries(&root.join("findings")).into_iter().filter(|p| is_hlo(p)) {
        if stem(&file) != ENDLESS {
            trials.push(program(extent, &file, &file));
        }
    }
    for file in entries(&root.join("hlo")).iter().flat_map(|area| entries(area)).filter(|p| is_hlo(p)) {
        trials.push(Trial::test(format!("cases::{}", stem(&file)), move || cases(extent, &file)));
    }
    for first in (0..extent.modules).step_by(CHUNK as usize) {
        let seeds = first..extent.modules.min(first + CHUNK);
        let each = move |seed| no_pass_needs_another(extent, &format!("seed {seed}"), &modules::random(seed));
        trials.push(Trial::test(format!("random::from_{first}"), move || all(seeds.map(each))));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("a readable entry").path()).collect();
    paths.sort();
    paths
}

fn is_hlo(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "hlo")
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

fn program(extent: Extent, named: &Path, file: &Path) -> Trial {
    let (name, file) = (stem(named), file.to_path_buf());
    Trial::test(format!("programs::{name}"), move || {
        let module = Module::parse(&std::fs::read_to_string(&file)?)?;
        Ok(no_pass_needs_another(extent, &name, &module)?)
    })
}

/// Every module of a file of cases that Lawson can run.
fn cases(extent: Extent, file: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let inputs = text.split("// -----\n").map(|case| case.split("// expect:\n").next().unwrap_or(case));
    let modules = inputs.filter_map(|input| Module::parse(input).ok());
    let sound = modules.filter(|m| verify(m).is_ok() && supported(m).is_ok());
    // What has no host functions here, cannot be evaluated.
    let work = |m: &Module| if m.to_string().contains("custom-call") { 0 } else { extent.work };
    let each = |(n, module): (usize, Module)| {
        let name = format!("case {n}");
        no_pass_needs_another(Extent { work: work(&module), ..extent }, &name, &module)
    };
    all(sound.enumerate().map(each))
}

fn all(results: impl Iterator<Item = Result<(), String>>) -> Result<(), Failed> {
    let failures: Vec<String> = results.filter_map(Result::err).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Runs the pipeline with each pass switched off, and cut short at random; all that goes wrong.
fn no_pass_needs_another(extent: Extent, name: &str, module: &Module) -> Result<(), String> {
    let mut oracle = Oracle { module, limit: extent.work, known: None };
    let full = oracle.check(&Fuel::new()).map_err(|e| format!("{name}: {e}"))?;
    let mut rng = Rng::new(full.values().sum());
    let mut failures = Vec::new();
    for (pass, &rewrites) in full.iter().filter(|(_, rewrites)| **rewrites > 0) {
        let mut amounts = vec![0];
        amounts.extend((0..extent.fuels).map(|_| rng.next() % rewrites));
        amounts.sort_unstable();
        amounts.dedup();
        for amount in amounts {
            if let Err(e) = oracle.check(&[(pass.clone(), amount)].into()) {
                failures.push(format!("{name}, --fuel {pass}={amount} of {rewrites}: {e}"));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// What a module means, found when it is first asked for.
struct Oracle<'a> {
    module: &'a Module,
    limit: u64,
    known: Option<(Vec<Value>, Value)>,
}

impl Oracle<'_> {
    /// Makes the program and compares what it gives; the rewrites that passes did.
    fn check(&mut self, fuel: &Fuel) -> Result<Fuel, String> {
        let options = Options { numerics: Numerics::Strict, fuel: fuel.clone(), ..Options::default() };
        let target = options.target.clone();
        let (mut after, mut cx) = (self.module.clone(), PassContext::new(options));
        pipeline::run(&mut cx, &mut after, pipeline::PIPELINE).map_err(|e| e[0].to_string())?;
        let machine = (&target, Numerics::Strict);
        let scheduled = schedule_planned(&after, machine, cx.plans, Depth::Program);
        let scheduled = scheduled.map_err(|e| e.to_string())?;
        program::verify(&scheduled.program).map_err(|faults| faults.join("\n"))?;
        if work(&scheduled) <= self.limit {
            self.compare(&scheduled)?;
        }
        Ok(cx.report.fuel)
    }

    fn compare(&mut self, scheduled: &Scheduled) -> Result<(), String> {
        let (args, expected) = match &mut self.known {
            Some(known) => known,
            unknown => {
                let args = arguments(self.module, 1, false);
                let value = evaluate(self.module, &args, &eval::Options::default());
                unknown.insert((args, value.map_err(|e| e.to_string())?))
            }
        };
        let inputs: Vec<&[u8]> = args.iter().flat_map(|a| a.leaves()).map(|l| l.bytes()).collect();
        let found = program::evaluate(&scheduled.program, &inputs, program::eval::Options::default())?;
        let expected = expected.leaves();
        let found: Vec<Literal> =
            expected.iter().zip(found).map(|(e, bytes)| Literal::new(e.shape().clone(), bytes)).collect();
        same_leaves(&expected, &found.iter().collect::<Vec<_>>(), Numerics::Strict)
    }
}

/// Weighed operations of a run; of a loop whose trips nobody knows those of many.
fn work(scheduled: &Scheduled) -> u64 {
    let of = |s: &lawson_opt::schedule::LaunchSite| {
        s.launches.unwrap_or(64).saturating_mul(s.figures.work.max(1) as u64)
    };
    scheduled.sites.iter().map(of).fold(0, u64::saturating_add)
}
