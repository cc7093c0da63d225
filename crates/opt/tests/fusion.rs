//! Fusion on the JAX programs under `tests/programs`, and what it costs on long ones.

use lawson_hlo::{Attrs, Module};
use lawson_kernel::target::Target;
use lawson_opt::{Options, PassContext, pipeline, schedule};
use std::path::PathBuf;

fn program(name: &str) -> Module {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(name).join("module.hlo");
    let text = std::fs::read_to_string(path).expect("module.hlo");
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

#[test]
fn every_program_has_a_plan() {
    for name in names() {
        let (module, _) = fused(&program(&name));
        let scheduled =
            schedule::schedule(&module, &Target::zen4()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let fusions = module.computations.iter().flat_map(|c| &c.instrs);
        let fusions = fusions.filter(|i| matches!(i.attrs, Attrs::Fusion { .. })).count();
        assert!(scheduled.sites.len() >= fusions, "{name}");
    }
}
