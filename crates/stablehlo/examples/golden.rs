//! Reads StableHLO's golden artifacts, one module of every operation in each of its versions: `golden STABLEHLO`, a checkout of its
//! repository. The one that an operation of a version to come is in has to be refused; `make stablehlo-suite` runs it.

use std::path::Path;
use std::process::ExitCode;

/// They are whole where this is all that is wrong, which is said once everything is decoded: their functions have names of their own.
const NO_MAIN: &str = "there is no function @main";

/// An operation of version 99.
const FUTURE: &str = "invalid_vhlo_future";

fn main() -> ExitCode {
    let checkout = std::env::args().nth(1).expect("a checkout of StableHLO");
    let folder = Path::new(&checkout).join("stablehlo/tests/vhlo");
    let entries = std::fs::read_dir(folder).expect("its golden artifacts");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.to_string_lossy().ends_with(".mlir.bc"));
    paths.sort();
    let mut wrong = 0;
    for path in &paths {
        let bytes = std::fs::read(path).expect("an artifact");
        let name = path.file_name().expect("a name").to_string_lossy();
        let found = lawson_stablehlo::read_artifact(&bytes);
        let whole = found.as_ref().err().is_none_or(|e| e.message.contains(NO_MAIN));
        if whole == name.contains(FUTURE) {
            wrong += 1;
            println!("{name}: {}", found.map_or_else(|e| e.to_string(), |_| "is read".into()));
        }
    }
    println!("golden artifacts: {} of {} as they should be", paths.len() - wrong, paths.len());
    if paths.is_empty() || wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
