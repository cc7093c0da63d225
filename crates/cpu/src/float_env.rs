//! The floating-point environment compiled code runs in: round to nearest even, denormals kept, no traps.

/// Sets that environment on this thread until dropped.
pub struct FloatEnv {
    before: u64,
}

impl FloatEnv {
    pub fn enter() -> FloatEnv {
        let before = read();
        if before != DEFAULT {
            write(DEFAULT);
        }
        FloatEnv { before }
    }
}

impl Drop for FloatEnv {
    fn drop(&mut self) {
        if self.before != DEFAULT {
            write(self.before);
        }
    }
}

/// MXCSR: all exceptions masked, nearest, no flush to zero, no denormals as zero.
#[cfg(target_arch = "x86_64")]
const DEFAULT: u64 = 0x1f80;
/// FPCR: nearest, no flush to zero, no traps.
#[cfg(not(target_arch = "x86_64"))]
const DEFAULT: u64 = 0;

#[cfg(target_arch = "x86_64")]
fn read() -> u64 {
    let mut value = 0u32;
    // SAFETY: stores the 32-bit control register; the low six bits are sticky flags that mean nothing here.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
    (value & !0x3f) as u64
}

#[cfg(target_arch = "x86_64")]
fn write(value: u64) {
    let value = value as u32;
    // SAFETY: the default environment, or one the caller of `run` had itself.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
fn read() -> u64 {
    let value: u64;
    // SAFETY: reads the control register.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

#[cfg(target_arch = "aarch64")]
fn write(value: u64) {
    // SAFETY: the default environment, or one the caller of `run` had itself.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) value, options(nomem, nostack, preserves_flags)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> u64 {
    DEFAULT
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn write(_: u64) {}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn flush_to_zero_is_lifted_and_restored() {
        let flush_to_zero = 0x8000 | DEFAULT;
        write(flush_to_zero);
        let inside = {
            let _env = FloatEnv::enter();
            black_box(f32::MIN_POSITIVE) * black_box(0.5)
        };
        let after = read();
        write(DEFAULT);
        assert!(inside > 0.0);
        assert_eq!(after, flush_to_zero);
    }
}
