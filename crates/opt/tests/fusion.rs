//! Fusion on the JAX programs under `tests/programs`, and what it costs on long ones.

use lawson_hlo::{Attrs, Module, Opcode};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};
use std::path::PathBuf;

fn program(name: &str) -> Module {
    program_text(name, "module.hlo")
}

fn program_text(name: &str, file: &str) -> Module {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(name).join(file);
    let text = std::fs::read_to_string(path).expect(file);
    Module::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn names() -> Vec<String> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let entries = std::fs::read_dir(dir).expect("tests/programs");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn fused(module: &Module) -> (Module, PassContext) {
    let mut module = module.clone();
    let mut cx = PassContext::new(Options::default());
    if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
        panic!("{}", e[0]);
    }
    (module, cx)
}

/// How many kernels the programs have.
const KERNELS: &[(&str, usize)] = &[
    ("square_minus_16m", 1),
    ("tanh_affine_16m", 1),
    ("gelu_bias", 1),
    ("babybear_mont_16m", 1),
    ("transpose_add", 1),
    ("sum_exp_16m", 1),
    ("column_sum", 1),
    ("mlp_layer_1024", 1),
    ("mlp_layer_128x784x256", 1),
    ("cartpole_table_split", 1),
    ("cartpole_table_stack", 1),
    ("cartpole_rng_stack", 1),
    ("mandelbrot", 1),
];

#[test]
fn simple_programs_are_one_kernel() {
    for &(name, kernels) in KERNELS {
        let (module, _) = fused(&program(name));
        let scheduled = schedule::schedule(&module, &Target::zen4(), Numerics::Standard)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(scheduled.sites.len(), kernels, "{name}");
    }
}

/// Threefry's inner loop of five rounds is unrolled, and what the generator and the normal distribution compute stays
/// in registers, whatever the size of the result.
#[test]
fn random_numbers_are_one_kernel() {
    let before = program_text("random_normal", "full.hlo");
    let (module, _) = fused(&before);
    let scheduled = schedule::schedule(&module, &Target::zen4(), Numerics::Standard).expect("a plan");
    let [site] = &scheduled.sites[..] else { panic!("one kernel") };
    let entry = before.entry();
    let shapes = entry.parameter_shapes().into_iter().chain([&entry.root().shape]);
    let outside: i64 = shapes.flat_map(|s| s.leaves()).map(|l| l.bytes()).sum();
    let moved = site.figures.bytes_read + site.figures.bytes_written;
    assert!(moved * 20 <= outside * 21, "{moved} of {outside} bytes");
}

/// The three generators inside the simulation are unrolled: what is left is the loop over time.
#[test]
fn a_loop_with_random_numbers_has_no_loop_inside() {
    let (module, _) = fused(&program("cartpole_rng_stack"));
    let loops = |c: &lawson_hlo::Computation| c.instrs.iter().filter(|i| i.opcode == Opcode::While).count();
    assert_eq!(module.computations.iter().map(loops).sum::<usize>(), 1);
}

/// A chain of `n` elementwise operations on a parameter; `wide` adds a new parameter in each.
fn chain(n: usize, wide: bool) -> Module {
    let mut text = String::from("HloModule chain\n\nENTRY main {\n  x0 = f32[1024] parameter(0)\n");
    for i in 1..=n {
        if wide {
            text += &format!("  p{i} = f32[1024] parameter({i})\n");
        }
        let root = if i == n { "ROOT " } else { "" };
        let other = if wide { format!("p{i}") } else { format!("x{}", i - 1) };
        text += &format!("  {root}x{i} = f32[1024] add(x{}, {other})\n", i - 1);
    }
    Module::parse(&(text + "}\n")).expect("valid")
}

fn instruction_fusion(mut module: Module) -> (Module, PassContext) {
    let pass = pipeline::find("instruction-fusion").expect("in the pipeline");
    let mut cx = PassContext::new(Options::default());
    if let Err(e) = pipeline::run(&mut cx, &mut module, &[*pass]) {
        panic!("{}", e[0]);
    }
    (module, cx)
}

fn kept(cx: &PassContext) -> Vec<&'static str> {
    cx.report.decisions.iter().filter_map(|d| d.refusal.as_ref()).map(|r| r.name()).collect()
}

#[test]
fn long_chains_are_cut_by_code_size() {
    let (module, cx) = instruction_fusion(chain(1000, false));
    assert_eq!(module.entry().instrs.len(), 1 + 3, "a parameter and three kernels");
    assert_eq!(kept(&cx), ["CodeSize", "CodeSize"]);
}

/// A chain of `n` operations in which three values are alive, but for one in every `every`.
fn braid(n: usize, every: usize) -> Module {
    let mut text = String::from("HloModule braid\n\nENTRY main {\n  x0 = f32[1024] parameter(0)\n");
    for i in 1..=n {
        let root = if i == n { "ROOT " } else { "" };
        // After a narrow point everything is made of its one value.
        let back = (i - 1) % every;
        let other = i - 1 - back.min(2);
        text += &format!("  {root}x{i} = f32[1024] maximum(x{}, x{other})\n", i - 1);
    }
    Module::parse(&(text + "}\n")).expect("valid")
}

#[test]
fn long_chains_are_cut_where_the_fewest_bytes_cross() {
    for every in [150, 250, 390] {
        let (module, cx) = instruction_fusion(braid(3000, every));
        let pieces = module.entry().instrs.len() - 1;
        assert_eq!(pieces, 3000usize.div_ceil(every * (400 / every)), "narrow every {every}");
        // Each kernel reads what the one before wrote, and nothing else.
        assert!(module.entry().instrs.iter().all(|i| i.operands.len() <= 1));
        assert!(kept(&cx).iter().all(|&r| r == "CodeSize"), "{:?}", kept(&cx));
    }
}

#[test]
fn wide_chains_are_cut_by_their_arrays() {
    let (module, cx) = instruction_fusion(chain(100, true));
    let fusions = module.entry().instrs.iter().filter(|i| matches!(i.attrs, Attrs::Fusion { .. }));
    assert!(fusions.clone().all(|f| f.operands.len() < 64));
    assert_eq!(fusions.count(), 2);
    assert_eq!(kept(&cx), ["TooManyArrays"]);
}

#[test]
fn planning_is_nearly_linear() {
    let work = |n: usize| {
        let (_, cx) = instruction_fusion(chain(n, false));
        let rules = cx.report.rules();
        (rules["plans"], rules["steps"])
    };
    let ((small_plans, small_steps), (plans, steps)) = (work(1_000), work(10_000));
    assert!(
        plans <= 12 * small_plans && steps <= 12 * small_steps,
        "{small_plans} {small_steps} {plans} {steps}"
    );
}

/// `n` layers x := tanh(x·w + b).
fn layers(n: usize) -> Module {
    let mut text = String::from(
        "HloModule layers\n\nENTRY main {\n  x0 = f32[64,64] parameter(0)\n  w = f32[64,64] parameter(1)\n  \
         b = f32[64] parameter(2)\n",
    );
    for i in 1..=n {
        let root = if i == n { "ROOT " } else { "" };
        text += &format!(
            "  d{i} = f32[64,64] dot(x{}, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  c{i} = f32[64,64] broadcast(b), dimensions={{1}}
  a{i} = f32[64,64] add(d{i}, c{i})
  {root}x{i} = f32[64,64] tanh(a{i})\n",
            i - 1
        );
    }
    Module::parse(&(text + "}\n")).expect("valid")
}

#[test]
fn identical_layers_are_planned_once() {
    let work = |n: usize| {
        let (module, cx) = instruction_fusion(layers(n));
        let scheduled = schedule::schedule(&module, &Target::zen4(), Numerics::Standard).expect("a plan");
        assert_eq!(scheduled.sites.len(), n);
        (cx.report.rules()["plans"], scheduled.program.kernels.len())
    };
    assert_eq!(work(64), work(1));
}

#[test]
fn a_long_function_of_a_scalar_has_code_in_one_of_many_kernels() {
    // The step of Adam: each parameter's kernel divides by 1 - decay^count.
    let step = |parameters: usize| {
        let mut text = String::from(
            "HloModule step\n\nENTRY main {\n  count = f32[] parameter(0)\n  decay = f32[] constant(0.9)\n  \
             one = f32[] constant(1)\n  power = f32[] power(decay, count)\n  rest = f32[] subtract(one, power)\n",
        );
        let of = |n: usize| 1000 * (n + 1);
        for n in 0..parameters {
            let shape = format!("f32[{}]", of(n));
            text += &format!(
                "  x{n} = {shape} parameter({})\n  b{n} = {shape} broadcast(rest), dimensions={{}}\n  \
                 r{n} = {shape} divide(x{n}, b{n})\n",
                n + 1
            );
        }
        let list = |f: &dyn Fn(usize) -> String| (0..parameters).map(f).collect::<Vec<_>>().join(", ");
        let (types, names) = (list(&|n| format!("f32[{}]", of(n))), list(&|n| format!("r{n}")));
        Module::parse(&format!("{text}  ROOT t = ({types}) tuple({names})\n}}\n")).expect("valid")
    };
    let powers = |parameters: usize| {
        let (module, _) = fused(&step(parameters));
        let all = module.computations.iter().flat_map(|c| &c.instrs);
        all.filter(|i| i.opcode == Opcode::Power).count()
    };
    assert_eq!([1, 5].map(powers), [1, 1]);
}

#[test]
fn every_edge_has_one_verdict() {
    for name in names() {
        let (_, cx) = fused(&program(&name));
        let mut edges = std::collections::BTreeSet::new();
        for d in &cx.report.decisions {
            assert!(edges.insert((&d.computation, &d.producer, &d.consumer)), "{name}: {d:?}");
            assert_eq!(d.fused, d.refusal.is_none(), "{name}: {d:?}");
            assert!(d.origins.iter().all(|o| !o.is_empty()), "{name}: {d:?}");
            assert!(d.fused || (!d.unwritten && d.bytes_saved_formula == 0), "{name}: {d:?}");
        }
    }
}

#[test]
fn a_fused_edge_saves_twice_its_intermediate() {
    let (_, cx) = instruction_fusion(chain(2, false));
    let [d] = &cx.report.decisions[..] else { panic!("one edge") };
    assert_eq!((d.unwritten, d.bytes_saved_formula), (true, 2 * 4096));
}

#[test]
fn a_kept_edge_has_its_limit() {
    let (_, cx) = instruction_fusion(chain(500, false));
    let kept: Vec<_> = cx.report.decisions.iter().filter_map(|d| d.refusal.as_ref()).collect();
    assert!(matches!(kept[..], [Refusal::CodeSize { limit: 400, .. }, ..]), "{kept:?}");
}

#[test]
fn every_program_has_a_plan() {
    for name in names() {
        let (module, _) = fused(&program(&name));
        let scheduled = schedule::schedule(&module, &Target::zen4(), Numerics::Standard)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        // Those within a fusion are parts of it.
        let mut within = vec![false; module.computations.len()];
        let fused = |c: &lawson_hlo::Computation| -> Vec<lawson_hlo::CompId> {
            let calls = c.instrs.iter().filter_map(|i| match i.attrs {
                Attrs::Fusion { calls, .. } => Some(calls),
                _ => None,
            });
            calls.collect()
        };
        module.computations.iter().flat_map(fused).for_each(|c| within[c.index()] = true);
        let host = module.iter().filter(|(id, _)| !within[id.index()]);
        let fusions: usize = host.map(|(_, c)| fused(c).len()).sum();
        assert!(scheduled.sites.len() >= fusions, "{name}");
    }
}
