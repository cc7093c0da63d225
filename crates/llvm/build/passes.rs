//! Compiles `src/passes.cpp` against LLVM's headers.

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::env;
use std::path::Path;

/// Compiles it into a library of this crate; gives the names that it needs of other libraries.
pub fn compile(headers: &str) -> BTreeSet<String> {
    const SOURCE: &str = "src/passes.cpp";
    println!("cargo:rerun-if-changed={SOURCE}");
    let mut build = cc::Build::new();
    build.cpp(true).file(SOURCE).flag("-isystem").flag(headers).flag("-std=c++17").warnings(true);
    // What LLVM itself is compiled with; and optimized in any case, since otherwise its headers name more of it.
    build.flag("-fno-rtti").flag("-fno-exceptions").define("NDEBUG", None).opt_level(2);
    // Otherwise the headers compare a variable of the library when a program is linked.
    build.define("LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING", "1");
    // It needs no C++ library, and loading one takes time.
    build.cpp_link_stdlib(None).compile("lawson_passes");
    let path = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("liblawson_passes.a");
    undefined(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn undefined(archive: &Path) -> Result<BTreeSet<String>, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(archive)?;
    let mut names = BTreeSet::new();
    for member in ArchiveFile::parse(&*bytes)?.members() {
        let file = object::File::parse(member?.data(&*bytes)?)?;
        let undefined = file.symbols().filter(|s| s.is_undefined());
        names.extend(undefined.filter_map(|s| s.name().ok()).filter(|n| !n.is_empty()).map(str::to_owned));
    }
    Ok(names)
}
