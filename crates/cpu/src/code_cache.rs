//! Code that was made before: the key that decides its bytes, and where it is kept.

use lawson_kernel::loop_ir::Kernel;
use lawson_llvm::{Effort, TargetSpec};
use sha2::{Digest, Sha256};
use std::hash::{Hash, Hasher};

/// Where objects are kept between programs and processes. What cannot be kept is compiled again: neither side fails.
pub trait CodeCache: Send + Sync + std::fmt::Debug {
    /// The object that was kept under this key, whole and as it was.
    fn get(&self, key: &Key) -> Option<Vec<u8>>;
    /// Keeps an object, if it can.
    fn keep(&self, key: &Key, object: &[u8]);
}

/// What an object is kept under: SHA-256 of the kernel's code without names, of what it is compiled for and how, of LLVM's
/// library and of the sources that make the object. Equal keys have equal objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a kernel, whatever its name and those of its arrays are.
    pub fn of(kernel: &Kernel, target: &TargetSpec, effort: Effort) -> Key {
        let mut digest = ShaHasher(Sha256::new());
        lawson_llvm::CODEGEN.hash(&mut digest);
        lawson_llvm::identity().hash(&mut digest);
        target.hash(&mut digest);
        effort.hash(&mut digest);
        kernel.nameless().hash(&mut digest);
        Key(digest.0.finalize().into())
    }

    /// The key of what LLVM says of a processor that answers so when it is asked what it can do (`CPUID`).
    pub(crate) fn of_processor(answers: &[[u32; 4]]) -> Key {
        let mut digest = ShaHasher(Sha256::new());
        ("processor", lawson_llvm::CODEGEN, lawson_llvm::identity(), answers).hash(&mut digest);
        Key(digest.0.finalize().into())
    }

    /// The key of what is known of kernels with these keys that run on so many threads, one instead of another.
    pub fn of_candidates(kernels: &[Key], threads: usize) -> Key {
        let mut digest = ShaHasher(Sha256::new());
        ("candidates", threads, kernels).hash(&mut digest);
        Key(digest.0.finalize().into())
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// Feeds everything that is hashed to SHA-256: kernels derive `Hash`, which leaves no part of them out.
struct ShaHasher(Sha256);

impl Hasher for ShaHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Only the whole digest is of use.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem, Type};

    fn kernel(name: &str, array: &str, value: f32) -> Kernel {
        let mut b = CodeBuilder::new(name);
        let out = b.buffer(array, Elem::F32, 1, Access::Write);
        b.phase(1, |b, task| {
            let v = b.constant(Type::scalar(Elem::F32), u64::from(value.to_bits()));
            b.store(out, task, v, None);
        });
        b.finish()
    }

    #[test]
    fn keys_tell_apart_what_makes_other_code() {
        let key = |kernel: &Kernel, name, effort| Key::of(kernel, &TargetSpec::named(name).unwrap(), effort);
        let first = key(&kernel("a", "x", 1.0), "haswell", Effort::Full);
        assert_eq!(first, key(&kernel("b", "y", 1.0), "haswell", Effort::Full));
        let others = [
            key(&kernel("a", "x", 2.0), "haswell", Effort::Full),
            key(&kernel("a", "x", -1.0), "haswell", Effort::Full),
            key(&kernel("a", "x", 1.0), "zen4", Effort::Full),
            key(&kernel("a", "x", 1.0), "haswell", Effort::Fast),
        ];
        assert!(others.iter().all(|k| *k != first));
    }
}
