//! Functions that stand for those of LLVM's C interface and for those that `src/passes.cpp` calls, so that its library is loaded
//! when it is first needed and not when a process starts: each jumps to the address in its place of a table, which
//! `src/library.rs` fills.
//!
//! They are made for Linux where LLVM is a shared library. The linker then finds every function of it here, and takes the
//! library that the bindings ask for as not needed. Elsewhere LLVM is linked as the bindings say.

use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of the LLVM that this is built with, such as `19.1.7`.
pub fn version() -> String {
    ask(&["--version"]).unwrap_or_else(|| "19.1".into())
}

/// LLVM's shared library, where there is one and the processor has stubs.
pub fn shared_library() -> Option<PathBuf> {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let known = target("OS") == "linux" && ["x86_64", "aarch64"].contains(&target("ARCH").as_str());
    let own = env::var_os("HOST") == env::var_os("TARGET");
    if !(known && own) {
        return None;
    }
    let folder = ask(&["--libdir"])?;
    let names = ask(&["--link-shared", "--libnames"])?;
    let path = Path::new(&folder).join(names.split_whitespace().next()?);
    // Under the name that programs look for, which a later patch of the same version keeps.
    let path = path.canonicalize().ok()?;
    println!("cargo:rerun-if-changed={}", path.display());
    Some(path)
}

/// The folder of LLVM's headers.
pub fn headers() -> String {
    ask(&["--includedir"])
        .unwrap_or_else(|| panic!("llvm-config of LLVM 19 is missing: run scripts/setup.sh"))
}

/// What LLVM's own tool answers, which the bindings ask as well.
fn ask(question: &[&str]) -> Option<String> {
    let prefix = env::var_os("LLVM_SYS_191_PREFIX").map(|p| Path::new(&p).join("bin/llvm-config"));
    let tools = prefix.into_iter().chain(["llvm-config-19".into(), "llvm-config".into()]);
    let answer = tools.into_iter().find_map(|tool| Command::new(tool).args(question).output().ok())?;
    let text = String::from_utf8(answer.stdout).ok()?;
    (answer.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// Writes `stubs.s` and `library_facts.rs`: the stubs, their names in the table's order, where the library is. There are stubs
/// for its C interface and for what is needed beside it.
pub fn write(library: &Path, needed: &BTreeSet<String>) {
    let bytes = std::fs::read(library).unwrap_or_else(|e| panic!("{}: {e}", library.display()));
    let file = object::File::parse(&*bytes).unwrap_or_else(|e| panic!("{}: {e}", library.display()));
    let mut names = Vec::new();
    for symbol in file.dynamic_symbols().filter(|s| s.is_definition()) {
        let Ok(name) = symbol.name() else { continue };
        let is_needed = needed.contains(name);
        let is_function = symbol.kind() == SymbolKind::Text;
        assert!(!is_needed || is_function, "passes.cpp names data of a library that is loaded later: {name}");
        if is_needed || name.starts_with("LLVM") {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.dedup();
    // The names of versions (`LLVM_19.1`) are symbols too.
    names.retain(|n| n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
    let arm = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|a| a == "aarch64");
    let facts = format!(
        "const LIBRARY: &str = {:?};\nconst COUNT: usize = {};\nstatic NAMES: [&CStr; COUNT] = [{}];\n",
        library.display().to_string(),
        names.len(),
        names.iter().map(|n| format!("c{n:?},")).collect::<String>(),
    );
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for (name, text) in [("stubs.s", assembly(&names, arm)), ("library_facts.rs", facts)] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

fn assembly(names: &[&str], arm: bool) -> String {
    let mut text = String::from(".text\n");
    for (i, name) in names.iter().enumerate() {
        let at = format!("lawson_llvm_table + {}", 8 * i);
        let jump = match arm {
            true => format!("adrp x16, {at}\nldr x16, [x16, :lo12:{at}]\nbr x16"),
            false => format!("jmp qword ptr [rip + {at}]"),
        };
        // Hidden: another LLVM in the process keeps its own functions.
        let _ = writeln!(text, ".globl {name}\n.hidden {name}\n.type {name}, @function\n{name}:\n{jump}");
    }
    // Before the library is loaded every place has the address of a function that says so.
    let count = names.len();
    let _ = writeln!(
        text,
        ".hidden lawson_llvm_not_loaded\n.data\n.p2align 3\n.globl lawson_llvm_table\n.hidden lawson_llvm_table\nlawson_llvm_table:"
    );
    let _ = writeln!(text, ".rept {count}\n.quad lawson_llvm_not_loaded\n.endr\n.text");
    text
}
