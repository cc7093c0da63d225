//! What decides the code of a kernel, as a digest, how LLVM gets into the process, and the part that is written in C++.

#[path = "build/digest.rs"]
mod digest;
#[path = "build/passes.rs"]
mod passes;
#[path = "build/stubs.rs"]
mod stubs;

fn main() {
    println!("cargo:rustc-env=LAWSON_CODEGEN={:016x}", digest::of_sources());
    println!("cargo:rustc-env=LAWSON_LLVM_VERSION={}", stubs::version());
    println!("cargo:rustc-check-cfg=cfg(llvm_on_first_use)");
    let needed = passes::compile(&stubs::headers());
    if let Some(library) = stubs::shared_library() {
        stubs::write(&library, &needed);
        println!("cargo:rustc-cfg=llvm_on_first_use");
    }
}
