//! What decides the code of a kernel, as a digest, and how LLVM gets into the process.

#[path = "build/digest.rs"]
mod digest;
#[path = "build/stubs.rs"]
mod stubs;

fn main() {
    println!("cargo:rustc-env=LAWSON_CODEGEN={:016x}", digest::of_sources());
    println!("cargo:rustc-env=LAWSON_LLVM_VERSION={}", stubs::version());
    println!("cargo:rustc-check-cfg=cfg(llvm_on_first_use)");
    if let Some(library) = stubs::shared_library() {
        stubs::write(&library);
        println!("cargo:rustc-cfg=llvm_on_first_use");
    }
}
