//! What waits for the backward half of a derivative: the texts of `tests/residuals`, made by JAX, at full size as plans for
//! the pinned target, and small ones evaluated.

mod support;

use lawson_hlo::{Attrs, Instruction, Module, Opcode};
use lawson_opt::report::{Report, Residual, ResidualFate, ResidualReason};
use lawson_opt::schedule::schedule;
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use support::values::same_results;

/// How a text marks what is backward.
const MARK: &str = "frontend_attributes={lawson.phase=\"backward\"}";
/// How JAX marks it, where its text has metadata.
const JAX: &str = "metadata={op_name=\"jit(f)/transpose(jvp())/mul\"}";

fn text(name: &str) -> String {
    let path = format!("{}/../../tests/residuals/{name}.hlo", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn parsed(text: &str) -> Module {
    Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A planned module, and what its kernels cost.
struct Plan {
    report: Report,
    kernels: usize,
    /// Kernels that compute something of the backward half.
    backward: usize,
    us: f64,
}

fn plan(module: &Module, fusion: &str, max_memory: Option<i64>) -> Plan {
    let fusion = fusion.parse().expect("a specification");
    let options = Options { fusion, max_memory, ..Options::default() };
    let target = options.target.clone();
    let (mut module, mut cx) = (module.clone(), PassContext::new(options));
    if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
        panic!("{}", e[0]);
    }
    let scheduled = schedule(&module, &target, Numerics::Standard).unwrap_or_else(|e| panic!("{e}"));
    let made_backward = |i: &Instruction| {
        let sources = i.origin.sources();
        let moves = matches!(i.opcode, Opcode::Parameter | Opcode::Constant | Opcode::Tuple);
        !moves && !sources.is_empty() && sources.iter().all(|&s| module.sources[s as usize].backward)
    };
    let backward = |site: &&lawson_opt::schedule::LaunchSite| {
        let instr = &module[site.computation][site.instruction];
        match instr.attrs {
            Attrs::Fusion { calls, .. } => module[calls].instrs.iter().any(made_backward),
            _ => made_backward(instr),
        }
    };
    let backward = scheduled.sites.iter().filter(backward).count();
    let us = scheduled.sites.iter().map(|s| s.figures.cost().us(&target)).sum();
    Plan { report: cx.report, kernels: scheduled.sites.len(), backward, us }
}

fn full(name: &str) -> Plan {
    plan(&parsed(&text(name)), "on", None)
}

fn stored(report: &Report) -> i64 {
    report.residuals.iter().map(|r| r.stored).sum()
}

fn peaks(report: &Report) -> (i64, i64) {
    let most = |of: fn(&lawson_opt::report::ResidualPlan) -> i64| report.residual_plans.iter().map(of).max();
    (most(|p| p.peak_before).unwrap_or(0), most(|p| p.peak_after).unwrap_or(0))
}

fn of<'r>(report: &'r Report, name: &str) -> &'r Residual {
    let found = report.residuals.iter().find(|r| &*r.value == name);
    found.unwrap_or_else(|| panic!("{name}: {:#?}", report.residuals))
}

/// The backward half needs only to know where y was positive: one bit for each element, a 32nd of the bytes of y.
#[test]
fn a_mask_waits_as_bits() {
    let report = full("relu_before_product").report;
    let mask = of(&report, "gt.1");
    assert_eq!((mask.fate, mask.stored), (ResidualFate::Saved, 1024 * 1024 / 8));
    assert_eq!(mask.reason, ResidualReason::Bits);
    let others = report.residuals.iter().filter(|r| r.stored > 0 && &*r.value != "gt.1");
    assert_eq!(others.map(|r| &*r.value).collect::<Vec<_>>(), ["tanh.1"]);
    // Where what it is made of waits anyhow, nothing of it does.
    let report = full("relu").report;
    let mask = of(&report, "gt.1");
    assert_eq!((mask.fate, mask.stored), (ResidualFate::Recomputed, 0));
}

/// What is positive is known where the result of the layer is.
#[test]
fn a_mask_of_a_result_that_is_there_costs_nothing() {
    let report = full("relu_kept").report;
    let mask = of(&report, "gt.1");
    assert_eq!((mask.fate, mask.stored), (ResidualFate::Rewritten, 0));
    assert_eq!(stored(&report), 0, "the result of the layer is a result of the program");
    let Plan { report, us, .. } = full("relu_mlp");
    let masks = report.residuals.iter().filter(|r| r.value.starts_with("gt."));
    assert!(masks.clone().count() > 0 && masks.clone().all(|r| r.stored == 0), "{:#?}", report.residuals);
    assert!(stored(&report) <= 3 * 4 * 1024 * 1024, "one array for each layer");
    let without = plan(&parsed(&text("relu_mlp")), "no-residual", None).us;
    assert!(us <= without, "{us} us, {without} us if nothing is computed again");
}

/// Instruction fusion leaves no more: it repeats no part of a chain as long as that of `gelu` and its derivative.
#[test]
fn of_a_layer_one_array_waits() {
    const ARRAY: i64 = 4 * 1024 * 1024;
    let marked = text("gelu_mlp");
    for text in [marked.clone(), marked.replace(MARK, JAX)] {
        let module = parsed(&text);
        let (with, without) = (plan(&module, "on", None), plan(&module, "no-residual", None));
        let waiting = stored(&with.report);
        assert!(waiting <= 8 * ARRAY, "{waiting} bytes");
        let all: i64 = with.report.residuals.iter().map(|r| r.bytes).sum();
        assert!(2 * waiting <= all, "{waiting} of {all} bytes");
        assert!(
            with.us <= 1.05 * without.us,
            "{} us, {} us if nothing is computed again",
            with.us,
            without.us
        );
        let (before, after) = peaks(&with.report);
        assert!(after <= before && after <= 14 * ARRAY, "{before} bytes before, {after} after");
    }
    // Without marks memory shows what waits.
    let bare = parsed(&marked.replace(&format!(", {MARK}"), ""));
    let report = plan(&bare, "on", None).report;
    assert!(report.residual_plans.iter().all(|p| !p.marked));
    let (before, after) = peaks(&report);
    assert!(after <= before && after <= 14 * ARRAY, "{before} bytes before, {after} after");
}

#[test]
fn combined_derivatives_are_few_kernels() {
    assert!(full("cross_entropy").kernels <= 2);
    let norm = full("layer_norm");
    assert!(norm.backward <= 2, "{} of {} kernels", norm.backward, norm.kernels);
    assert!(stored(&norm.report) <= 2 * 4096 * 4, "two numbers of each row");
}

#[test]
fn long_attention_does_not_save_its_scores() {
    let scores = |rows: i64| 8 * rows * rows * 4;
    let report = full("attention_2048").report;
    assert!(report.residuals.iter().all(|r| r.stored < scores(2048) / 1000), "{:#?}", report.residuals);
    let (before, after) = peaks(&report);
    assert!(2 * after <= before, "{before} bytes before, {after} after");
    // A short one is decided by the cost model, which says what computing it again would take.
    let module = parsed(&text("attention_512"));
    let report = plan(&module, "on", None).report;
    let saved = of(&report, "exp.1");
    assert_eq!((saved.fate, saved.stored), (ResidualFate::Saved, scores(512)));
    assert!(
        matches!(saved.reason, ResidualReason::Slower { saved_us, again_us } if saved_us < again_us),
        "{saved:?}"
    );
    // Where memory is scarce, time does not count: four arguments, three gradients and what lies between kernels.
    let (before, _) = peaks(&report);
    let report = plan(&module, "on", Some(before + 7 * 8 * 512 * 64 * 4)).report;
    assert!(report.residuals.iter().all(|r| r.stored < scores(512) / 100), "{:#?}", report.residuals);
}

#[test]
fn a_chain_and_its_derivative_share_a_kernel() {
    let (both, forward) = (full("chain"), full("chain_forward"));
    assert!(both.us <= 3.0 * forward.us, "{} us, {} us", both.us, forward.us);
    assert_eq!(stored(&both.report), 0);
}

const SMALL: [&str; 8] = [
    "relu_small",
    "relu_before_product_small",
    "relu_kept_small",
    "relu_mlp_small",
    "gelu_mlp_small",
    "cross_entropy_small",
    "layer_norm_small",
    "attention_small",
];

/// Whatever is decided, and by whichever marks: in strict to the bit.
#[test]
fn no_decision_changes_a_value() {
    let mut fates = [0; 3];
    for name in SMALL.iter().chain(["chain_small"].iter()) {
        let marked = text(name);
        let bare = marked.replace(&format!(", {MARK}"), "");
        for (module, memory) in [(&marked, None), (&marked, Some(0)), (&bare, Some(0))] {
            let module = parsed(module);
            let seeds = (0..4).map(|n| format!("chance-{n},no-staged,no-merger"));
            // Products in kernels of their own leave masks between them.
            let given = ["on", "on,no-staged,no-merger", "on,no-dot"].map(String::from);
            for fusion in given.into_iter().chain(seeds) {
                let spec = fusion.parse().expect("a specification");
                let numerics = Numerics::Strict;
                let options = Options { fusion: spec, max_memory: memory, numerics, ..Options::default() };
                let (mut after, mut cx) = (module.clone(), PassContext::new(options));
                pipeline::run(&mut cx, &mut after, pipeline::PIPELINE).unwrap_or_else(|e| panic!("{}", e[0]));
                assert_eq!(same_results(&module, &after, numerics), Ok(()), "{name}, {fusion}\n{after}");
                let (before, after) = peaks(&cx.report);
                assert!(after <= before, "{name}, {fusion}: {before} bytes before, {after} after");
                let count = |fate| cx.report.residuals.iter().filter(|r| r.fate == fate).count();
                fates[0] += count(ResidualFate::Recomputed);
                fates[1] += count(ResidualFate::Rewritten);
                fates[2] += cx.report.residuals.iter().filter(|r| r.reason == ResidualReason::Bits).count();
            }
        }
    }
    assert!(fates.iter().all(|n| *n > 0), "{fates:?}");
}

/// `n` layers of a product and tanh, and their derivative.
fn layers(n: usize) -> Module {
    let mut text = String::from("HloModule layers\n\nENTRY main {\n  h0 = f32[128,128] parameter(0)\n");
    for i in 1..=n {
        let (before, dims) = (i - 1, "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
        text += &format!(
            "  w{i} = f32[128,128] parameter({i})\n  y{i} = f32[128,128] dot(h{before}, w{i}), {dims}\n"
        );
        text += &format!("  s{i} = f32[128,128] sine(y{i})\n  h{i} = f32[128,128] add(s{i}, y{i})\n");
    }
    text += &format!("  g{n} = f32[128,128] negate(h{n}), {MARK}\n");
    for i in (1..=n).rev() {
        let before = i - 1;
        text += &format!(
            "  c{i} = f32[128,128] cosine(y{i})\n  d{i} = f32[128,128] multiply(g{i}, c{i}), {MARK}\n"
        );
        text += &format!("  e{i} = f32[128,128] add(d{i}, g{i}), {MARK}\n");
        text += &format!(
            "  g{before} = f32[128,128] dot(e{i}, w{i}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}, {MARK}\n"
        );
        text += &format!(
            "  v{i} = f32[128,128] dot(h{before}, e{i}), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}, {MARK}\n"
        );
    }
    let all: Vec<String> = (1..=n).map(|i| format!("v{i}")).collect();
    text += &format!("  ROOT t = ({}) tuple({})\n}}\n", vec!["f32[128,128]"; n].join(", "), all.join(", "));
    parsed(&text)
}

#[test]
fn deciding_is_nearly_linear() {
    let counts = |n: usize| {
        let report = plan(&layers(n), "on,no-staged", None).report;
        let pass = report.passes.iter().find(|p| p.name == "residual-fusion").expect("it ran");
        (pass.work, pass.rules.get("plans").copied().unwrap_or(0))
    };
    let (few, many) = (counts(16), counts(256));
    assert!(many.0 > 0 && many.0 <= 17 * few.0, "{few:?} for 16 layers, {many:?} for 256");
    assert!(many.1 <= 2 * few.1 + 16, "{few:?} for 16 layers, {many:?} for 256");
}

#[test]
fn fuel_stops_after_each_group() {
    let module = parsed(&text("relu_before_product"));
    let stored_with = |fuel: u64| {
        let fuel = [("residual-fusion".to_string(), fuel)].into();
        let mut cx = PassContext::new(Options { fuel, ..Options::default() });
        let mut module = module.clone();
        pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).unwrap_or_else(|e| panic!("{}", e[0]));
        stored(&cx.report)
    };
    let each: Vec<i64> = (0..3).map(stored_with).collect();
    assert!(each[0] > each[1] && each[1] >= each[2], "{each:?}");
    let (before, after) = peaks(&plan(&module, "on", None).report);
    assert!(after < before, "{before} bytes before, {after} after");
}
