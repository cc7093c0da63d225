//! Registers and code: fusions that are refused because the machine has too few of either.

use lawson_hlo::Module;
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, Options, PassContext, pipeline, schedule};

/// Kernels of a module planned for a machine, each by itself, and the refusals on the way.
fn kernels(text: &str, target: Target) -> (usize, Vec<&'static str>) {
    let mut module = Module::parse(text).expect("well formed");
    let fusion = "no-horizontal".parse().expect("a specification");
    let mut cx = PassContext::new(Options { target: target.clone(), fusion, ..Options::default() });
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).expect("it passes");
    let scheduled = schedule::schedule(&module, &target, Numerics::default()).expect("it plans");
    let edges = cx.report.decisions.iter().filter_map(|d| d.refusal.as_ref());
    let joins = cx.report.joins.iter().filter_map(|j| j.verdict.as_ref().err());
    (scheduled.sites.len(), edges.chain(joins).map(|r| r.name()).collect())
}

/// Three reductions over the rows of one array.
fn reductions() -> String {
    let (mut combiners, mut body) = (String::new(), String::new());
    for (opcode, first) in [("add", "0"), ("maximum", "-inf"), ("minimum", "inf")] {
        combiners += &format!(
            "of_{opcode} {{\n  a = f64[] parameter(0)\n  b = f64[] parameter(1)\n  ROOT c = f64[] {opcode}(a, b)\n}}\n"
        );
        body += &format!(
            "  i_{opcode} = f64[] constant({first})\n  r_{opcode} = f64[512] reduce(x, i_{opcode}), \
             dimensions={{1}}, to_apply=of_{opcode}\n"
        );
    }
    format!(
        "HloModule m\n{combiners}ENTRY e {{\n  x = f64[512,512] parameter(0)\n{body}  ROOT t = (f64[512], \
         f64[512], f64[512]) tuple(r_add, r_maximum, r_minimum)\n}}\n"
    )
}

#[test]
fn reductions_share_a_kernel_while_registers_hold_their_values() {
    let with = |registers| kernels(&reductions(), Target { registers, ..Target::zen4() });
    let (many, refusals) = with(128);
    assert_eq!(
        (many, refusals.contains(&"LiveValues")),
        (1, false),
        "four running vectors each, of two registers"
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
