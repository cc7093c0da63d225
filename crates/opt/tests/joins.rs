//! Kernels that become one: how many are left, what memory they need, what it costs to find out.

mod support;

use lawson_hlo::Module;
use lawson_kernel::target::Target;
use lawson_opt::schedule::LaunchSite;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};
use std::path::PathBuf;
use support::values::{Rng, same_results};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(path: &std::path::Path) -> Module {
    let text = std::fs::read_to_string(path).expect("a module");
    Module::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn programs() -> Vec<(Module, String)> {
    let entries = std::fs::read_dir(folder("../../tests/programs")).expect("tests/programs");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|p| (read(&p.join("module.hlo")), p.display().to_string())).collect()
}

/// What JAX makes of common functions, rounds of the sumcheck protocol, and a value with its gradient, under
/// `tests/kernels`: kernels, phases, and bytes moved for each 100 bytes of inputs and outputs.
const COMMON: &[(&str, usize, usize, i64)] = &[
    ("softmax", 1, 1, 105),
    ("layer_norm", 1, 1, 105),
    ("rms_norm", 1, 1, 105),
    ("log_sum_exp", 1, 1, 105),
    ("cross_entropy_grad", 2, 2, 105),
    ("moments", 1, 1, 105),
    ("moments_of_all", 1, 4, 205),
    ("sum_cos", 1, 2, 105),
    ("relu_layer", 1, 1, 105),
    ("gelu_mlp", 2, 2, 400),
    ("concatenate_two_users", 3, 3, 200),
    ("ntt", 3, 3, 320),
    ("sumcheck_fold", 1, 2, 100),
    ("sumcheck_rows", 1, 2, 100),
    ("sumcheck_product", 1, 2, 100),
    ("value_and_gradient", 1, 2, 100),
];

#[test]
fn common_functions_are_few_kernels() {
    for &(name, kernels, phases, percent) in COMMON {
        let before = read(&folder(&format!("tests/kernels/{name}.hlo")));
        let module = with(&before, "on", Numerics::Standard);
        let scheduled = schedule::schedule(&module, &Target::zen4(), Numerics::Standard).expect("it plans");
        let found: Vec<&str> =
            scheduled.sites.iter().map(|s| &*module[s.computation][s.instruction].name).collect();
        assert!(found.len() <= kernels, "{name}: {found:?}");
        let code = |s: &LaunchSite| scheduled.program.kernels[s.kernel].lowered().expect("it has code");
        let made: usize = scheduled.sites.iter().map(|s| code(s).phases.len()).sum();
        assert!(made <= phases, "{name}: {made} phases");
        let entry = module.entry();
        let arrays = entry.parameter_shapes().into_iter().chain([&entry.root().shape]);
        let least: i64 = arrays.flat_map(|s| s.leaves()).map(|l| l.bytes()).sum();
        let moved: i64 = scheduled.sites.iter().map(|s| s.figures.bytes_read + s.figures.bytes_written).sum();
        assert!(100 * moved <= percent * least, "{name}: {moved} bytes of {least}");
    }
}

/// A random graph of `n` operations on 64 x 64 arrays: elementwise, sums of rows repeated, transposes, products.
fn graph(seed: u64, n: usize) -> Module {
    let mut rng = Rng::new(seed);
    let mut below = |n: usize| (rng.next() >> 33) as usize % n;
    let mut text = String::from(
        "HloModule graph\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n\
         ENTRY main {\n  zero = f32[] constant(0)\n  x0 = f32[64,64] parameter(0)\n  x1 = f32[64,64] parameter(1)\n",
    );
    let binary = ["add", "subtract", "multiply", "maximum"];
    let unary = ["tanh", "sine", "negate", "logistic"];
    for i in 2..n {
        // Mostly what was made lately.
        let mut pick = || if below(8) == 0 { below(i) } else { i - 1 - below(i.min(12)) };
        let (a, b) = (pick(), pick());
        let op = match below(12) {
            0..5 => format!("{}(x{a}, x{b})", binary[below(4)]),
            5..9 => format!("{}(x{a})", unary[below(4)]),
            9 => format!("transpose(x{a}), dimensions={{1,0}}"),
            10 => {
                text += &format!("  r{i} = f32[64] reduce(x{a}, zero), dimensions={{1}}, to_apply=sum\n");
                format!("broadcast(r{i}), dimensions={{0}}")
            }
            _ => format!("dot(x{a}, x{b}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"),
        };
        text += &format!("  x{i} = f32[64,64] {op}\n");
    }
    let last: Vec<String> = (n - 4..n).map(|i| format!("x{i}")).collect();
    let shape = ["f32[64,64]"; 4].join(", ");
    text += &format!("  ROOT t = ({shape}) tuple({})\n}}\n", last.join(", "));
    Module::parse(&text).expect("well formed")
}

fn with(module: &Module, fusion: &str, numerics: Numerics) -> Module {
    let mut module = module.clone();
    let fusion = fusion.parse().expect("a specification");
    let mut cx = PassContext::new(Options { fusion, numerics, ..Options::default() });
    if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
        panic!("{}", e[0]);
    }
    module
}

/// The arena; outputs are the same whatever is fused.
fn arena(module: &Module) -> i64 {
    schedule::schedule(module, &Target::zen4(), Numerics::Standard)
        .unwrap_or_else(|e| panic!("{e}"))
        .program
        .arena_bytes
}

/// Every switch; what the user asks for with `max` may cost memory.
const SWITCHES: &[&str] = &[
    "on",
    "only-instruction",
    "only-multi-output",
    "only-staged",
    "only-horizontal",
    "no-instruction",
    "no-merger",
    "no-multi-output",
    "no-horizontal",
    "no-staged",
    "no-dot",
    "no-loop",
    "no-forward",
    "chance-1",
    "chance-2",
];

/// The arena as it is placed, not only what is in use.
#[test]
fn fusion_never_raises_the_peak_of_memory() {
    let mut raised = Vec::new();
    let programs = programs().into_iter().map(|(module, name)| (module, name, SWITCHES));
    // A few switches for each graph, each for a few graphs.
    let some = |seed: u64| &SWITCHES[seed as usize % 5 * 3..][..3];
    let graphs = (0..25).map(|seed| (graph(seed, 60), format!("graph {seed}"), some(seed)));
    for (module, name, switches) in programs.chain(graphs) {
        let unfused = arena(&with(&module, "off", Numerics::Standard));
        for fusion in switches {
            let fused = arena(&with(&module, fusion, Numerics::Standard));
            // Fusion weighs what is in use, not where it is placed: a row may come out on top.
            if fused > unfused + unfused / 100 {
                raised.push(format!("{name}, {fusion}: {fused} > {unfused}"));
            }
        }
    }
    assert_eq!(raised, Vec::<String>::new());
}

#[test]
fn joined_graphs_keep_their_values() {
    for seed in 0..6 {
        let module = graph(seed, 40);
        for fusion in ["on", "max", "only-merger", "only-multi-output", "only-staged"] {
            let after = with(&module, fusion, Numerics::Strict);
            let same = same_results(&module, &after, Numerics::Strict);
            assert_eq!(same, Ok(()), "graph {seed}, {fusion}");
        }
    }
}

#[test]
fn joining_is_nearly_linear() {
    let work = |n: usize| {
        let mut module = graph(7, n);
        let mut cx = PassContext::new(Options::default());
        let passes = ["instruction-fusion", "fusion-merger", "multi-output-fusion", "staged-fusion"];
        let passes: Vec<_> = passes.iter().map(|p| *pipeline::find(p).expect("in the pipeline")).collect();
        pipeline::run(&mut cx, &mut module, &passes).unwrap_or_else(|e| panic!("{}", e[0]));
        let rules = cx.report.rules();
        (rules["plans"], rules["steps"])
    };
    for n in [1_000, 10_000] {
        let (plans, steps) = work(n);
        assert!(plans <= 2 * n as u64 && steps <= 200 * n as u64, "{n}: {plans} plans, {steps} steps");
    }
}

/// `n` layers with barriers between them, each with an expensive value of two users and rows that are summed and read again.
fn layers(n: usize) -> Module {
    let mut text = String::from(
        "HloModule layers\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n\
         ENTRY main {\n  zero = f32[] constant(0)\n  y0 = f32[64,64] parameter(0)\n",
    );
    for i in 1..=n {
        let x = format!("y{}", i - 1);
        text += &format!(
            "  e{i} = f32[64,64] exponential({x})\n  r{i} = f32[64] reduce(e{i}, zero), dimensions={{1}}, to_apply=sum\n"
        );
        text += &format!(
            "  b{i} = f32[64,64] broadcast(r{i}), dimensions={{0}}\n  d{i} = f32[64,64] divide(e{i}, b{i})\n"
        );
        text += &format!("  y{i} = f32[64,64] opt-barrier(d{i})\n");
    }
    text += &format!("  ROOT n = f32[64,64] negate(y{n})\n}}\n");
    Module::parse(&text).expect("well formed")
}

#[test]
fn equal_layers_are_joined_for_the_price_of_few() {
    let plans = |n: usize| {
        let mut module = layers(n);
        let mut cx = PassContext::new(Options::default());
        pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).unwrap_or_else(|e| panic!("{}", e[0]));
        let joined = |p: &&lawson_opt::report::PassReport| p.name != "instruction-fusion";
        cx.report.passes.iter().filter(joined).filter_map(|p| p.rules.get("plans")).sum::<u64>()
    };
    let (few, many) = (plans(4), plans(64));
    assert!(many <= 2 * few, "{few} plans for 4 layers, {many} for 64");
}

/// Far too many users: the number of tries does not grow with them.
#[test]
fn a_value_of_many_users_is_given_up() {
    let users = 3000;
    let mut text = String::from(
        "HloModule hub\n\nENTRY main {\n  x = f32[64] parameter(0)\n  e = f32[64] exponential(x)\n",
    );
    for i in 0..users {
        text +=
            &format!("  c{i} = f32[] constant({i})\n  b{i} = f32[64] broadcast(c{i}), dimensions={{}}\n  ");
        text += &format!("u{i} = f32[64] multiply(e, b{i})\n  s{i} = f32[64] sine(u{i})\n");
    }
    let all: Vec<String> = (0..users).map(|i| format!("s{i}")).collect();
    text += &format!("  ROOT t = ({}) tuple({})\n}}\n", vec!["f32[64]"; users].join(", "), all.join(", "));
    let mut module = Module::parse(&text).expect("well formed");
    let mut cx = PassContext::new(Options::default());
    let passes = ["instruction-fusion", "multi-output-fusion"];
    let passes: Vec<_> = passes.iter().map(|p| *pipeline::find(p).expect("in the pipeline")).collect();
    pipeline::run(&mut cx, &mut module, &passes).unwrap_or_else(|e| panic!("{}", e[0]));
    let refused =
        |name: &str| cx.report.joins.iter().any(|j| j.verdict.as_ref().is_err_and(|r| r.name() == name));
    assert!(refused("TooManyTries"));
}

/// Two sums of one array, with so many products one after another in between: those that the second sum waits for, then
/// those that wait for the first. What became of the joins of the two.
fn sums_around(waiting: usize, waited_for: usize) -> Vec<Result<(), &'static str>> {
    let mut text = String::from(
        "HloModule far\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n\
         ENTRY main {\n  x = f32[512,16] parameter(0)\n  w = f32[16,16] parameter(1)\n  v0 = f32[16] parameter(2)\n  \
         m = f32[16,16] parameter(3)\n  zero = f32[] constant(0)\n  d0 = f32[16] reduce(x, zero), dimensions={0}, to_apply=add\n",
    );
    for (name, matrix, links) in [("v", "m", waited_for), ("d", "w", waiting)] {
        for i in 1..=links {
            let before = i - 1;
            text += &format!("  {name}{i} = f32[16] dot({name}{before}, {matrix}), ");
            text += "lhs_contracting_dims={0}, rhs_contracting_dims={0}\n";
        }
    }
    text += &format!("  y = f32[512,16] broadcast(v{waited_for}), dimensions={{1}}\n  ");
    text +=
        "z = f32[512,16] multiply(x, y)\n  last = f32[16] reduce(z, zero), dimensions={0}, to_apply=add\n  ";
    text += &format!("ROOT t = (f32[16], f32[16]) tuple(d{waiting}, last)\n}}\n");
    let mut module = Module::parse(&text).expect("well formed");
    let mut cx = PassContext::new(Options::default());
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).unwrap_or_else(|e| panic!("{}", e[0]));
    let of_both = |j: &&lawson_opt::report::Join| {
        let mut names = j.kernels.each_ref().map(|k| &**k);
        names.sort_unstable();
        names == ["d0", "last"]
    };
    let verdicts =
        cx.report.joins.iter().filter(of_both).map(|j| j.verdict.as_ref().map_err(|r| r.name()).copied());
    verdicts.collect()
}

/// All that waits for the one, or all that the other waits for, shows that neither waits for the other.
#[test]
fn kernels_far_from_each_other_are_joined() {
    for (waiting, waited_for) in [(3, 0), (0, 3), (3, 3), (600, 0), (0, 600), (600, 20), (20, 600)] {
        assert_eq!(sums_around(waiting, waited_for), [Ok(())], "{waiting} wait, {waited_for} are waited for");
    }
}

#[test]
fn a_long_search_is_given_up() {
    assert_eq!(sums_around(600, 600).last(), Some(&Err("SearchLimit")));
}

#[test]
fn what_must_fuse_and_cannot_is_an_error_with_the_reason() {
    let text = "HloModule m\n\nless {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
                ROOT p = pred[] compare(a, b), direction=LT\n}\n\nENTRY main {\n  x = f32[64] parameter(0)\n  \
                s = f32[64] sort(x), dimensions={0}, to_apply=less, frontend_attributes={lawson.fuse=\"must_fuse\"}\n  \
                ROOT n = f32[64] negate(s)\n}\n";
    let mut module = Module::parse(text).expect("well formed");
    let mut cx = PassContext::new(Options::default());
    let found = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).expect_err("a sort is not fused");
    assert_eq!(
        found[0].to_string(),
        "main/s: s must fuse into n and cannot: `sort` reads its whole operand before it writes its first result"
    );
}
