//! Why no code is generated.

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("this processor lacks {0}, which Lawson needs (x86-64 with AVX2, FMA and F16C)")]
    Host(String),
    #[error(
        "the library of LLVM 19, which makes the code, cannot be loaded: {cause}; it is in the package libllvm19 or llvm-libs"
    )]
    Library { cause: String },
    #[error("LLVM does not know the target {triple} with CPU {cpu}")]
    Target { triple: String, cpu: String },
    #[error("LLVM makes no objects for {cpu}")]
    NoObjects { cpu: String },
    #[error("two kernels of one module are called {0:?}")]
    DuplicateName(String),
    #[error("kernel {name} is no legal Loop IR: {message}")]
    Illegal { name: String, message: String },
    #[error("kernel {name} has {arrays} arrays, more than a launch on a graphics processor can pass")]
    Arrays { name: String, arrays: usize },
    #[error("kernel {name} multiplies matrices, which {cpu} has no units for")]
    Matrices { name: String, cpu: String },
    #[error("LLVM refused the code of {kernels}: {message}")]
    Invalid { kernels: String, message: String },
}
