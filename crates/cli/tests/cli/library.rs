//! LLVM's library is loaded when code is made, and not before.

use super::Folder;
use std::process::Command;

const MODULE: &str = "ENTRY e { x = f32[8] parameter(0)  ROOT y = f32[8] add(x, x) }";

/// Whether the loader of the system finds LLVM's library during this call: with `LD_DEBUG=files` it names each one on stderr.
fn loads_llvm(args: &[&str], cache: &str) -> bool {
    let mut call = Command::new(env!("CARGO_BIN_EXE_lawson"));
    let output =
        call.args(args).env("LD_DEBUG", "files").env("LAWSON_CACHE", cache).output().expect("lawson runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("libc.so"), "{told}");
    told.contains("libLLVM")
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn llvm_is_loaded_only_to_make_code() {
    let folder = Folder::new();
    let (module, cache) = (folder.write("m.hlo", MODULE), folder.path("cache"));
    let run = ["run", module.as_str(), "--random", "1"];
    assert!(!loads_llvm(&["--help"], &cache) && !loads_llvm(&["opt", &module], &cache));
    assert!(!loads_llvm(&["explain", &module], &cache), "nothing is compiled to explain a module");
    assert!(loads_llvm(&run, &cache), "the first run makes code");
    assert!(!loads_llvm(&run, &cache), "the second finds it");
}
