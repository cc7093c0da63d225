//! Registers and code: fusions that are refused because the machine has too few of either.

use lawson_hlo::Module;
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};

/// Kernels of a module planned for a machine, and the refusals on the way.
fn kernels(text: &str, target: Target) -> (usize, Vec<&'static str>) {
    let mut module = Module::parse(text).expect("well formed");
    let mut cx = PassContext::new(Options { target: target.clone(), ..Options::default() });
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).expect("it passes");
    let scheduled = schedule::schedule(&module, &target, Numerics::default()).expect("it plans");
    let edges = cx.report.decisions.iter().filter_map(|d| d.refusal.as_ref());
    let joins = cx.report.joins.iter().filter_map(|j| j.verdict.as_ref().err());
    (scheduled.sites.len(), edges.chain(joins).map(|r| r.name()).collect())
}

/// So many sums over the rows of one array, each of another function of it.
fn sums(count: usize) -> String {
    let mut body = String::new();
    for n in 0..count {
        body += &format!(
            "  c{n} = f64[] constant({}.5)\n  b{n} = f64[512,512] broadcast(c{n}), dimensions={{}}\n  \
             m{n} = f64[512,512] maximum(x, b{n})\n  r{n} = f64[512] reduce(m{n}, zero), dimensions={{1}}, \
             to_apply=sum\n",
            n + 1
        );
    }
    let names: Vec<String> = (0..count).map(|n| format!("r{n}")).collect();
    let shapes = vec!["f64[512]"; count].join(", ");
    format!(
        "HloModule m\nsum {{\n  a = f64[] parameter(0)\n  b = f64[] parameter(1)\n  ROOT s = f64[] add(a, b)\n}}\n\
         ENTRY e {{\n  x = f64[512,512] parameter(0)\n  zero = f64[] constant(0)\n{body}  \
         ROOT t = ({shapes}) tuple({})\n}}\n",
        names.join(", ")
    )
}

#[test]
fn reductions_share_a_kernel_while_registers_hold_their_values() {
    let with = |registers| kernels(&sums(10), Target { registers, ..Target::zen4() });
    let (many, refusals) = with(128);
    assert_eq!(
        (many, refusals.contains(&"LiveValues")),
        (1, false),
        "each has four running vectors of two registers"
    );
    let (few, refusals) = with(16);
    assert!(few > 1 && refusals.contains(&"LiveValues"), "{few}: {refusals:?}");
}

#[test]
fn functions_share_a_kernel_while_their_code_fits() {
    let mut body = String::new();
    for n in 0..12 {
        body += &format!("  v{} = f32[65536] tanh(v{n})\n", n + 1);
    }
    let text = format!(
        "HloModule m\nENTRY e {{\n  v0 = f32[65536] parameter(0)\n{body}  ROOT r = f32[65536] negate(v12)\n}}\n"
    );
    let with = |code| kernels(&text, Target { code, ..Target::zen4() });
    assert_eq!(with(8192).0, 1);
    let (cut, refusals) = with(128);
    assert!(cut > 1 && refusals.contains(&"CodeSize"), "{cut}: {refusals:?}");
}
