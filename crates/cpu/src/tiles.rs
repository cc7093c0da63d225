//! Whether this process may use tile registers (Intel AMX).
//!
//! They are 8 KiB more that the system saves for a thread, so Linux lets a process use them only once it has asked
//! (Documentation/arch/x86/xstate.rst).

use std::sync::OnceLock;

/// Whether the processor multiplies tiles of bytes and of BF16, and the system lets this process do so. Asked once.
pub fn available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| is_there() && asked())
}

#[cfg(target_arch = "x86_64")]
fn is_there() -> bool {
    /// In the last word about features of leaf 7: BF16, tiles, bytes.
    const NEEDED: u32 = 1 << 22 | 1 << 24 | 1 << 25;
    raw_cpuid::cpuid!(0).eax >= 7 && raw_cpuid::cpuid!(7, 0).edx & NEEDED == NEEDED
}

#[cfg(not(target_arch = "x86_64"))]
fn is_there() -> bool {
    false
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn asked() -> bool {
    /// `ARCH_REQ_XCOMP_PERM`, of the state of tiles.
    const ASK: libc::c_ulong = 0x1023;
    const TILES: libc::c_ulong = 18;
    // SAFETY: the call takes two numbers, and changes no memory of the process.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ASK, TILES) == 0 }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn asked() -> bool {
    false
}
