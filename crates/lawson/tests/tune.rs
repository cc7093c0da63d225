//! Measured plans: all candidates have the bits of the plan that was there, and measuring changes times alone.

use lawson::hlo::Module;
use lawson::options::{Device, Numerics};
use lawson::{Client, Options, compile, load, random_inputs, tune};
use lawson_cpu as cpu;
use lawson_hlo::ArrayShape;
use lawson_kernel::plan::alternatives;
use lawson_kernel::program::{NamedKernel, PlannedKernel, alone};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn strict() -> Options {
    Options { threads: 2, numerics: Numerics::Strict, ..Options::default() }
}

fn modules() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let folders = std::fs::read_dir(root).expect("tests/programs").flatten();
    let mut paths: Vec<PathBuf> = folders.map(|e| e.path().join("module.hlo")).collect();
    paths.sort();
    paths
}

/// The outputs of a kernel by itself, on random arrays.
fn outputs(kernel: NamedKernel, how: &cpu::CompileOptions) -> Vec<Vec<u8>> {
    let name = kernel.name.clone();
    let region = &kernel.source().expect("a plan").region;
    let shapes: Vec<ArrayShape> =
        region.inputs.iter().map(|a| ArrayShape::new(a.dtype, [a.elements])).collect();
    let inputs = random_inputs::literals(3, &shapes.iter().collect::<Vec<_>>());
    let inputs: Vec<&[u8]> = inputs.iter().map(|l| l.bytes()).collect();
    let program = alone(kernel).expect("a program");
    let pool = Arc::new(cpu::ThreadPool::new(2));
    let calls = cpu::CustomCalls::new();
    let executable = cpu::compile_and_load(program, how, None, pool, &calls).expect(&name);
    let outputs = executable.run(&inputs).expect(&name).outputs;
    outputs.iter().map(|o| o.to_vec()).collect()
}

#[test]
fn candidates_of_the_programs_have_the_same_bits() {
    let target = cpu::host(None).expect("a processor");
    let how = cpu::CompileOptions { target, effort: cpu::Effort::Full };
    let mut compared = 0;
    for path in modules() {
        let module = load::file(&path).expect("a module").module;
        let planned = compile::plan(&module, &strict()).expect("a plan");
        for kernel in &planned.scheduled.program.kernels {
            let Some(own) = kernel.source() else { continue };
            let others = alternatives(&own.region, &own.plan, &planned.target);
            if others.is_empty() {
                continue;
            }
            let expected = outputs(kernel.clone(), &how);
            for other in others {
                let plan = Arc::new(PlannedKernel::new(own.region.clone(), other.plan));
                let found = outputs(NamedKernel::planned("other", plan), &how);
                assert!(found == expected, "{}, {}: {}", path.display(), kernel.name, other.choice);
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "{compared} plans");
}

const PROGRAM: &str = "add { p = f32[] parameter(0) q = f32[] parameter(1) ROOT r = f32[] add(p, q) }
    ENTRY e {
      a = f32[96,128] parameter(0) b = f32[128,112] parameter(1) z = f32[] constant(0)
      c = f32[96,112] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
      s = f32[112] reduce(c, z), dimensions={0}, to_apply=add
      ROOT t = (f32[96,112], f32[112]) tuple(c, s) }";

fn program() -> Module {
    load::parse(PROGRAM).expect("well formed")
}

#[test]
fn measured_plans_have_the_same_results_and_are_known_afterwards() {
    let client = Client::cpu();
    let inputs = random_inputs::literals(1, &load::parameter_leaves(&program()));
    let plain = client.execute(&program(), &inputs, &strict()).expect("runs");
    let options = Options { tune: Some(Duration::from_secs(60)), ..strict() };
    assert_eq!(client.execute(&program(), &inputs, &options).expect("runs"), plain);
    let tuning = || {
        let executable = client.compile(&program(), &options).expect("compiles");
        executable.native().and_then(|n| n.planned.tuning.clone()).expect("measured")
    };
    let (first, second) = (tuning(), tuning());
    assert!(!first.kernels.is_empty() && first.left == 0, "{first:?}");
    assert_eq!(first.kernels, second.kernels);
    for kernel in &first.kernels {
        assert!(kernel.known && kernel.candidates.len() >= 2 && !kernel.sites.is_empty(), "{kernel:?}");
        assert_eq!(kernel.candidates[0].choice, None);
        assert!(kernel.candidates[kernel.chosen].measured_us.is_some());
        assert_eq!(kernel.chosen > 0, kernel.verdict == tune::Verdict::Faster);
    }
}

#[test]
fn without_time_everything_stays_as_planned() {
    // Other threads: nothing is known of these kernels.
    let options = Options { tune: Some(Duration::ZERO), threads: 3, ..strict() };
    let executable = Client::cpu().compile(&program(), &options).expect("compiles");
    let planned = &executable.native().expect("a plan").planned;
    let tuning = planned.tuning.as_ref().expect("asked for");
    assert!(tuning.kernels.is_empty() && tuning.left > 0, "{tuning:?}");
    let plain = compile::plan(&program(), &Options { tune: None, ..options }).expect("a plan");
    assert_eq!(planned.scheduled.program.to_string(), plain.scheduled.program.to_string());
}

#[test]
fn what_is_not_the_processor_is_refused() {
    let options = Options { tune: Some(tune::DEFAULT_LIMIT), ..strict() };
    let e = Client::interpreter().compile(&program(), &options).err().expect("refused");
    assert!(e.message.contains("--tune") && e.message.contains("--device cpu"), "{}", e.message);
    let e = Client::new(Device::CudaEmulated).expect("emulated").compile(&program(), &options).err();
    assert!(e.is_some_and(|e| e.message.contains("device cuda-emulated")));
}
