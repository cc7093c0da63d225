//! The floating-point environment compiled code runs in: round to nearest even, no traps, and denormals as the user chose.

/// What operations do with denormal numbers, those too small to be normal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Denormals {
    /// They are numbers as all others.
    #[default]
    Keep,
    /// Operations in f32, f64, bf16 and complex numbers may take them for zero and give zero instead of them. On many
    /// processors that is faster.
    Flush,
}

impl Denormals {
    pub const ALL: [Denormals; 2] = [Denormals::Keep, Denormals::Flush];

    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Denormals::Keep => "keep",
            Denormals::Flush => "flush",
        }
    }

    /// The control register.
    fn control(self) -> u64 {
        match self {
            Denormals::Keep => DEFAULT,
            Denormals::Flush => DEFAULT | FLUSH,
        }
    }
}

/// Sets that environment on this thread until dropped.
pub struct FloatEnv {
    before: u64,
    inside: u64,
}

impl FloatEnv {
    pub fn enter(denormals: Denormals) -> FloatEnv {
        let (before, inside) = (read(), denormals.control());
        if before != inside {
            write(inside);
        }
        FloatEnv { before, inside }
    }
}

impl Drop for FloatEnv {
    fn drop(&mut self) {
        if self.before != self.inside {
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

/// Of MXCSR: results (FTZ) and operands (DAZ).
#[cfg(target_arch = "x86_64")]
const FLUSH: u64 = 0x8040;
/// Of FPCR: both (FZ), but for f16.
#[cfg(not(target_arch = "x86_64"))]
const FLUSH: u64 = 1 << 24;

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
    // SAFETY: an environment of [`Denormals::control`], or one the caller of `run` had itself.
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
    // SAFETY: an environment of [`Denormals::control`], or one the caller of `run` had itself.
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
            let _env = FloatEnv::enter(Denormals::Keep);
            black_box(f32::MIN_POSITIVE) * black_box(0.5)
        };
        let after = read();
        write(DEFAULT);
        assert!(inside > 0.0);
        assert_eq!(after, flush_to_zero);
    }

    #[test]
    fn denormals_are_flushed_where_asked_for() {
        let (result, operand, lifted) = {
            let _env = FloatEnv::enter(Denormals::Flush);
            let result = black_box(f32::MIN_POSITIVE) * black_box(0.5);
            let operand = black_box(f32::from_bits(1)) * black_box(1e30);
            let _kept = FloatEnv::enter(Denormals::Keep);
            (result, operand, black_box(f32::MIN_POSITIVE) * black_box(0.5))
        };
        assert_eq!((result, operand), (0.0, 0.0));
        assert!(lifted > 0.0 && black_box(f32::MIN_POSITIVE) * black_box(0.5) > 0.0);
    }
}
