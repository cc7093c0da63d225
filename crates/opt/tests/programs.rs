//! The passes before fusion, on the JAX programs under `tests/programs`.

mod support;

use lawson_hlo::{Module, Opcode};
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use std::path::PathBuf;

fn programs() -> Vec<(String, Module)> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("tests/programs").map(|e| e.expect("entry").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|p| {
            let text = std::fs::read_to_string(p.join("module.hlo")).expect("module.hlo");
            let name = p.file_name().expect("a name").to_string_lossy().into_owned();
            let module = Module::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            (name, module)
        })
        .collect()
}

#[test]
fn every_program_passes_in_every_mode() {
    for (name, program) in programs() {
        for numerics in [Numerics::Strict, Numerics::Standard, Numerics::Fast] {
            let mut module = program.clone();
            let mut cx = PassContext::new(Options { numerics, ..Options::default() });
            if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
                panic!("{name}: {}", e[0]);
            }
            let entry = module.entry();
            let gone = [Opcode::Call, Opcode::Copy, Opcode::Bitcast];
            assert!(!entry.instrs.iter().any(|i| gone.contains(&i.opcode)), "{name}");
            assert_eq!(entry.root().shape, program.entry().root().shape.without_layout(), "{name}");
        }
    }
}

/// To the bit in strict mode, in which no rule may change the order of a reduction.
#[test]
fn every_program_keeps_its_values() {
    for (name, program) in programs() {
        for numerics in [Numerics::Strict, Numerics::Standard] {
            let mut module = program.clone();
            let mut cx = PassContext::new(Options { numerics, ..Options::default() });
            pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).expect("see the test above");
            let same = support::values::same_results(&program, &module, numerics);
            assert_eq!(same, Ok(()), "{name}");
        }
    }
}
