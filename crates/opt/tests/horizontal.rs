//! Horizontal fusion on modules of many small kernels.

mod support;

use lawson_hlo::attrs::FusionKind;
use lawson_hlo::{Attrs, Module};
use lawson_kernel::target::Target;
use lawson_opt::schedule::{Scheduled, schedule};
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use std::path::PathBuf;
use support::run::run;
use support::values::{Rng, same_results};

fn scheduled(module: &Module) -> Scheduled {
    schedule(module, &Target::zen4(), Numerics::Standard).unwrap_or_else(|e| panic!("{e}\n{module}"))
}

fn tables(module: &Module) -> usize {
    let custom = |a: &Attrs| matches!(a, Attrs::Fusion { kind: FusionKind::Custom, .. });
    module.computations.iter().flat_map(|c| &c.instrs).filter(|i| custom(&i.attrs)).count()
}

/// Chains of a few operations on parameters of their own, some with a scalar that all read or a reduction between.
fn chains(seed: u64, n: usize) -> Module {
    const SHAPES: &[&str] =
        &["f32[]", "f32[5]", "f32[16]", "f32[3,40]", "f32[2,3,8]", "f32[300]", "s32[70]", "s32[]", "u8[33]"];
    let mut rng = Rng::new(seed);
    let mut text = String::from(
        "HloModule chains\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n\
         ENTRY main {\n  p0 = f32[] parameter(0)\n  zero = f32[] constant(0)\n",
    );
    let (mut results, mut shapes) = (Vec::new(), Vec::new());
    for chain in 1..=n {
        let shape = SHAPES[rng.next() as usize % SHAPES.len()];
        let float = shape.starts_with('f');
        text += &format!("  p{chain} = {shape} parameter({chain})\n");
        let mut last = format!("p{chain}");
        for step in 0..1 + rng.next() % 4 {
            let next = format!("c{chain}_{step}");
            text += &match rng.next() % 4 {
                0 if float => format!("  {next} = {shape} tanh({last})\n"),
                1 if float => format!(
                    "  b{next} = {shape} broadcast(p0), dimensions={{}}\n  {next} = {shape} multiply({last}, b{next})\n"
                ),
                2 if shape == "f32[3,40]" => format!(
                    "  r{next} = f32[3] reduce({last}, zero), dimensions={{1}}, to_apply=add\n  \
                     {next} = {shape} broadcast(r{next}), dimensions={{0}}\n"
                ),
                _ => format!("  {next} = {shape} add({last}, p{chain})\n"),
            };
            if rng.next().is_multiple_of(4) {
                results.push(next.clone());
                shapes.push(shape);
            }
            last = next;
        }
        results.push(last);
        shapes.push(shape);
    }
    text += &format!("  ROOT all = ({}) tuple({})\n}}\n", shapes.join(", "), results.join(", "));
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn random_chains_keep_their_bits_and_need_fewer_launches() {
    for seed in 0..40 {
        let before = chains(seed, 2 + seed as usize % 13);
        let (after, cx) = run(&before, "on");
        if let Err(e) = same_results(&before, &after, Numerics::Strict) {
            panic!("seed {seed}: {e}\nbefore:\n{before}\nafter:\n{after}");
        }
        let (apart, _) = run(&before, "no-horizontal");
        let (joined, apart) = (scheduled(&after), scheduled(&apart));
        let joins = cx.report.rules().get("joins").copied().unwrap_or(0);
        assert!(joined.sites.len() < apart.sites.len() && joins > 0, "seed {seed}\n{after}");
        let bytes = |s: &Scheduled| -> i64 {
            s.sites.iter().map(|s| s.figures.bytes_read + s.figures.bytes_written).sum()
        };
        assert!(bytes(&joined) <= bytes(&apart), "seed {seed}\n{after}");
    }
}

#[test]
fn the_text_of_a_segment_table_is_planned_again_as_one() {
    for seed in 0..8 {
        let (after, _) = run(&chains(seed, 8), "on");
        let again = Module::parse(&after.to_string()).expect("what was printed");
        assert_eq!(again.to_string(), after.to_string());
        let (given, _) = run(&again, "given");
        assert_eq!(tables(&given), tables(&after), "{given}");
        assert_eq!(scheduled(&given).sites.len(), scheduled(&after).sites.len());
    }
}

/// The derivatives of a layer of so many nodes and features by its weights and by what it reads, as in a network of graphs.
fn derivatives_of_a_layer(nodes: i64, features: i64) -> Module {
    let (x, w) = (format!("f32[{nodes},{features}]"), format!("f32[{features},{features}]"));
    let text = format!(
        "ENTRY main {{
           a = {x} parameter(0)
           s = {x} parameter(1)
           w = {w} parameter(2)
           n = f32[{nodes}] parameter(3)
           zero = f32[] constant(0)
           zeros = {x} broadcast(zero), dimensions={{}}
           r = {x} maximum(a, zeros)
           t = {w} dot(r, s), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
           d = {x} dot(s, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}
           p = pred[{nodes},{features}] compare(a, zeros), direction=GT
           e = {x} select(p, d, zeros)
           b = {x} broadcast(n), dimensions={{0}}
           q = {x} divide(e, b)
           ROOT o = ({w}, {x}) tuple(t, q)
         }}"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn products_that_share_a_launch_have_plans() {
    let targets = [Target::zen4(), Target::haswell(), Target::sapphire_rapids(), Target::h100()];
    for (target, nodes) in targets.iter().flat_map(|t| [20, 250, 1000, 3000].map(|n| (t, n))) {
        for features in [8, 64, 200] {
            let mut module = derivatives_of_a_layer(nodes, features);
            let options = Options { target: target.clone(), ..Options::default() };
            let mut cx = PassContext::new(options);
            if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
                panic!("{}", e[0]);
            }
            schedule(&module, target, Numerics::Standard)
                .unwrap_or_else(|e| panic!("{nodes} nodes of {features}, {}: {e}\n{module}", target.kind()));
        }
    }
}

#[test]
fn every_candidate_has_a_verdict() {
    for seed in 0..8 {
        let (after, cx) = run(&chains(seed, 8), "on");
        assert!(!cx.report.candidates.is_empty(), "{after}");
        for c in &cx.report.candidates {
            assert_eq!(c.joined, c.refusal.is_none(), "{c:?}");
        }
    }
}

#[test]
fn what_stays_alone_says_why() {
    let text = "HloModule m\n\nENTRY e {\n  x = f32[1048576] parameter(0)\n  y = f32[64] parameter(1)\n  \
                a = f32[1048576] exponential(x)\n  b = f32[64] exponential(y)\n  \
                ROOT t = (f32[1048576], f32[64]) tuple(a, b)\n}\n";
    let (_, cx) = run(&Module::parse(text).expect("well formed"), "on");
    let verdicts: Vec<(&str, &str)> = (cx.report.candidates.iter())
        .filter_map(|c| Some((&*c.kernel, c.refusal.as_ref()?.name())))
        .collect();
    assert_eq!(verdicts, [("a", "LongByItself"), ("b", "NothingBeside")]);
}

fn adam() -> Module {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/adam_64/module.hlo");
    Module::parse(&std::fs::read_to_string(path).expect("module.hlo")).expect("well formed")
}

#[test]
fn adam_over_many_arrays_is_one_launch_beside_its_scalars() {
    let module = adam();
    let (after, _) = run(&module, "on");
    let scheduled = scheduled(&after);
    assert!(scheduled.sites.len() <= 2, "{} kernels", scheduled.sites.len());
    let code: Vec<_> = scheduled.program.kernels.iter().map(|k| k.lowered().expect("it has code")).collect();
    assert!(code.iter().all(|k| k.phases.len() == 1));
    // Sixty-four arrays of many sizes, and the code of a few.
    let values: usize = code.iter().map(|k| k.types.len()).sum();
    assert!(values < 1500, "{values} values");
    let leaves = module.entry().parameter_shapes().into_iter().chain([&module.entry().root().shape]);
    let least: i64 = leaves.flat_map(|s| s.leaves()).map(|l| l.bytes()).sum();
    let moved: i64 = scheduled.sites.iter().map(|s| s.figures.bytes_read + s.figures.bytes_written).sum();
    assert!(moved * 100 <= least * 105, "{moved} bytes, not {least}");
}

#[test]
fn grouping_is_nearly_linear() {
    let steps = |n: usize| {
        let module = chains(1, n);
        let mut fused = module.clone();
        let mut cx = PassContext::default();
        let pass = pipeline::find("horizontal-fusion").expect("in the pipeline");
        if let Err(e) = pipeline::run(&mut cx, &mut fused, &[*pass]) {
            panic!("{}", e[0]);
        }
        (module.instruction_count() as u64, cx.report.rules()["steps"])
    };
    let ((small, few), (large, many)) = (steps(100), steps(1000));
    assert!(many * small <= 2 * few * large, "{few} steps for {small} instructions, {many} for {large}");
}
