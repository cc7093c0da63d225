//! LLVM's shared library, loaded when code is first made: what is found in a cache, and a program that only reads or
//! explains, need none of its 120 MB.
//!
//! Every function of LLVM that is called jumps through a table (`build/stubs.rs`), which [`load`] fills; so it comes first
//! wherever this crate begins to use LLVM. Where LLVM is linked into the program there is nothing to load.

use crate::Error;

/// The version of LLVM that this was built with, such as `19.1.7`. The library in use may be a later patch of it.
pub const BUILT_WITH: &str = env!("LAWSON_LLVM_VERSION");

#[cfg(not(llvm_on_first_use))]
pub(crate) fn load() -> Result<(), Error> {
    Ok(())
}

/// What tells LLVM's libraries apart, without loading them.
#[cfg(not(llvm_on_first_use))]
pub fn identity() -> String {
    BUILT_WITH.into()
}

#[cfg(llvm_on_first_use)]
pub use on_first_use::identity;
#[cfg(llvm_on_first_use)]
pub(crate) use on_first_use::load;

#[cfg(llvm_on_first_use)]
mod on_first_use {
    use super::{BUILT_WITH, Error};
    use libloading::Library;
    use std::ffi::CStr;
    use std::path::Path;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::SystemTime;

    include!(concat!(env!("OUT_DIR"), "/library_facts.rs"));
    std::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/stubs.s")));

    /// What the system's own search finds where the library that Lawson was built with is no more.
    const ELSEWHERE: [&str; 2] = ["libLLVM.so.19.1", "libLLVM-19.so"];

    unsafe extern "C" {
        #[link_name = "lawson_llvm_table"]
        static TABLE: [AtomicUsize; COUNT];
    }

    /// What a function of LLVM jumps to before the library is loaded: a bug of ours.
    #[unsafe(no_mangle)]
    extern "C" fn lawson_llvm_not_loaded() -> ! {
        eprintln!(
            "lawson: internal error: a function of LLVM is called before its library is loaded, or it has none"
        );
        std::process::abort()
    }

    /// Loads LLVM's library; after that its functions may be called. It stays loaded.
    pub(crate) fn load() -> Result<(), Error> {
        static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
        LOADED.get_or_init(fill).clone().map_err(|cause| Error::Library { cause })
    }

    fn fill() -> Result<(), String> {
        let library = Box::leak(Box::new(open()?));
        for (i, name) in NAMES.iter().enumerate() {
            // SAFETY: only the address is taken; it is called with the type that the bindings declare for this name.
            let found = unsafe { library.get::<*const ()>(name.to_bytes_with_nul()) };
            if let Ok(function) = found {
                // SAFETY: the stubs define the table with one place for each name, and all access to it is atomic.
                unsafe { TABLE[i].store(*function as usize, Ordering::Release) };
            }
        }
        Ok(())
    }

    fn open() -> Result<Library, String> {
        let mut causes = Vec::new();
        for path in [LIBRARY].iter().chain(&ELSEWHERE) {
            // SAFETY: LLVM's library runs only the constructors of its own globals when it is loaded.
            match unsafe { Library::new(*path) } {
                Ok(library) => return Ok(library),
                Err(e) => causes.push(e.to_string()),
            }
        }
        Err(causes.join("; "))
    }

    /// What tells LLVM's libraries apart, without loading them.
    pub fn identity() -> String {
        let changed = |path: &Path| {
            let found = path.metadata().ok()?;
            let since = found.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
            Some(format!("{} {}", found.len(), since.as_nanos()))
        };
        format!("{BUILT_WITH} {}", changed(Path::new(LIBRARY)).unwrap_or_default())
    }
}
