//! What this library allocates with. The process that loads it keeps its own allocator.

use std::ffi::c_int;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_arena_eager_commit` of mimalloc's `mimalloc.h`, which its bindings have no name for.
const ARENA_EAGER_COMMIT: c_int = 4;

/// Has memory made usable piece by piece, as it is asked for, instead of a GiB at a time: of a GiB the system hands out pages of 2 MiB
/// wherever a few bytes are written, 20 to 30 MiB in each process. Counts for what is allocated after the first call;
/// `MIMALLOC_ARENA_EAGER_COMMIT` in the environment goes before it.
pub fn commit_when_needed() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: sets a word that mimalloc reads when it reserves memory, before this library has threads.
    ONCE.call_once(|| unsafe { libmimalloc_sys::mi_option_set_default(ARENA_EAGER_COMMIT, 0) });
}

#[cfg(test)]
mod tests {
    #[test]
    fn memory_is_committed_when_it_is_needed() {
        super::commit_when_needed();
        // SAFETY: reads a number.
        assert_eq!(unsafe { libmimalloc_sys::mi_option_get(super::ARENA_EAGER_COMMIT) }, 0);
    }
}
