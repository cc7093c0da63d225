//! Keeps the linker's names for the bounds of sections out of the exported symbols: another library in the process may have
//! the same.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,start-stop-visibility=hidden");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
