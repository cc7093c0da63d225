//! Commands on StableHLO: text and artifacts are told by what is in them, whatever their names end with.

use super::{Folder, plain, refused, run};
use std::path::Path;

fn recorded(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stablehlo");
    folder.join(name).display().to_string()
}

#[test]
fn all_forms_have_the_same_results() {
    let folder = Folder::new();
    let (text, artifact) = (recorded("attention.mlir"), recorded("attention.1.9.0.mlir.bc"));
    let results = folder.path("out.npz");
    run(0, &["run", &text, "--random", "1", "--output", &results]);
    run(0, &["run", &artifact, "--random", "1", "--expect", &results]);
    for form in [&["opt", &artifact, "--emit", "stablehlo"][..], &["opt", &text, "--passes", "inline"]] {
        let printed = folder.write("printed", plain(0, form));
        run(0, &["run", &printed, "--random", "1", "--expect", &results]);
    }
}

#[test]
fn reports_name_the_lines_of_the_program() {
    for name in ["attention.mlir", "attention.1.9.0.mlir.bc"] {
        let text = plain(0, &["explain", &recorded(name)]);
        assert!(text.contains("record_stablehlo.py:"), "{text}");
    }
}

#[test]
fn mistakes_have_a_place() {
    refused("module @m {\n}\n", &["m.hlo:1:1", "no function"]);
    refused(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %y = stablehlo.cosh %x : tensor<2xf32>\n  return %y : tensor<2xf32>\n}\n",
        &["m.hlo:2:8", "STABLEHLO: op stablehlo.cosh is not supported yet", "^"],
    );
    let folder = Folder::new();
    let mut artifact = std::fs::read(recorded("attention.1.9.0.mlir.bc")).expect("an artifact");
    artifact.truncate(500);
    assert!(run(2, &["run", &folder.write("cut.bc", artifact)]).contains("byte "));
    let kernel = ["opt", &recorded("attention.mlir"), "--emit", "stablehlo", "--kernel", "dot"];
    assert!(plain(2, &kernel).contains("--kernel"));
}
