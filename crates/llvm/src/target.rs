//! The processors code is generated for.

use crate::Error;
use inkwell::targets::{InitializationConfig, Target, TargetMachine};
use std::sync::Once;

/// A processor, in LLVM's words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TargetSpec {
    pub triple: String,
    pub cpu: String,
    /// `+name` and `-name`, joined by commas; what the CPU's name implies need not be repeated.
    pub features: String,
    /// 32-bit lanes of the widest registers.
    pub lanes_hint: u32,
}

/// What x86-64 must have: vectors of 256 bits, fused multiply-add, half-precision conversions.
const X86_MINIMUM: [&str; 3] = ["+avx2", "+fma", "+f16c"];

const LINUX_X86: &str = "x86_64-unknown-linux-gnu";
const LINUX_ARM: &str = "aarch64-unknown-linux-gnu";
const NVIDIA: &str = "nvptx64-nvidia-cuda";

/// NVIDIA's processors that LLVM 19 makes code for, with the version of PTX that it is written in: the least that knows
/// all of them. LLVM would silently take another processor for an old one, so these are all that are let through.
const GPUS: [&str; 6] = ["sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90"];
const PTX: &str = "+ptx78";

/// Shuffles across lanes of 128 bits are fast on every processor with AVX-512. LLVM 19 does not say so of AMD's, and then its
/// instruction selection fails on `shl (zext <8 x i32> (bitcast <8 x float>))` of which four elements are needed ("Cannot select
/// zero_extend_vector_inreg").
const FAST_SHUFFLES: &str = "+fast-variable-crosslane-shuffle";

/// What processors with tile registers have, in LLVM's words.
const TILES: [&str; 3] = ["amx-tile", "amx-int8", "amx-bf16"];

impl TargetSpec {
    /// The processor this runs on. An error where it lacks what Lawson needs.
    pub fn host() -> Result<TargetSpec, Error> {
        initialize()?;
        let text = |s: inkwell::support::LLVMString| s.to_string_lossy().into_owned();
        let triple = TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned();
        let mut features = text(TargetMachine::get_host_cpu_features());
        let has = |f: &str| features.split(',').any(|g| g == f);
        if triple.starts_with("x86_64") {
            let missing: Vec<&str> = X86_MINIMUM.into_iter().filter(|f| !has(f)).collect();
            if !missing.is_empty() {
                return Err(Error::Host(missing.join(" ").replace('+', "")));
            }
        }
        let lanes_hint = match () {
            _ if has("+avx512f") => 16,
            _ if triple.starts_with("x86_64") => 8,
            _ => 4,
        };
        if has("+avx512f") {
            features = format!("{features},{FAST_SHUFFLES}");
        }
        Ok(TargetSpec { triple, cpu: text(TargetMachine::get_host_cpu_name()), features, lanes_hint })
    }

    /// A processor by name: `haswell`, `skylake-avx512`, `icelake-server`, `sapphire-rapids`, `zen4` or `neoverse`; of NVIDIA `sm_75`, `sm_80`,
    /// `sm_86`, `sm_87`, `sm_89` or `sm_90`, the newest that LLVM 19 knows.
    pub fn named(name: &str) -> Option<TargetSpec> {
        if GPUS.contains(&name) {
            let lanes_hint = 32;
            return Some(TargetSpec {
                triple: NVIDIA.into(),
                cpu: name.into(),
                features: PTX.into(),
                lanes_hint,
            });
        }
        let (triple, cpu, lanes_hint) = match name {
            "haswell" => (LINUX_X86, "haswell", 8),
            "skylake-avx512" => (LINUX_X86, "skylake-avx512", 16),
            "icelake-server" => (LINUX_X86, "icelake-server", 16),
            "sapphire-rapids" => (LINUX_X86, "sapphirerapids", 16),
            "zen4" => (LINUX_X86, "znver4", 16),
            "neoverse" => (LINUX_ARM, "neoverse-n1", 4),
            _ => return None,
        };
        let features = if lanes_hint == 16 { FAST_SHUFFLES.into() } else { String::new() };
        Some(TargetSpec { triple: triple.into(), cpu: cpu.into(), features, lanes_hint })
    }

    /// Whether vectors of 512 bits multiply integers of 52 bits.
    pub fn has_ifma(&self) -> bool {
        self.features.split(',').any(|f| f == "+avx512ifma")
            || matches!(self.cpu.as_str(), "znver4" | "icelake-server" | "sapphirerapids")
    }

    /// Whether vectors of 512 bits multiply bytes and add four products (AVX-512 VNNI).
    pub fn has_byte_dots(&self) -> bool {
        self.features.split(',').any(|f| f == "+avx512vnni")
            || matches!(self.cpu.as_str(), "znver4" | "icelake-server" | "sapphirerapids")
    }

    /// Whether vectors multiply pairs of BF16 and add both products (AVX-512 BF16).
    pub fn has_bf16_dots(&self) -> bool {
        self.features.split(',').any(|f| f == "+avx512bf16")
            || matches!(self.cpu.as_str(), "znver4" | "sapphirerapids")
    }

    /// Whether vectors of f16 are computed with (AVX512-FP16).
    pub fn has_half_arithmetic(&self) -> bool {
        self.features.split(',').any(|f| f == "+avx512fp16") || self.cpu == "sapphirerapids"
    }

    /// Whether registers hold tiles of matrices of BF16 and of bytes, which are multiplied (Intel AMX).
    pub fn has_tiles(&self) -> bool {
        let has = |f: &str| self.features.split(',').any(|g| g == f);
        let named = self.cpu == "sapphirerapids" && self.features.split(',').all(|f| f == FAST_SHUFFLES);
        named || TILES.iter().all(|f| has(&format!("+{f}")))
    }

    /// The same processor without them.
    pub fn without_tiles(&self) -> TargetSpec {
        let off: Vec<String> = TILES.iter().map(|f| format!("-{f}")).collect();
        let others = self.features.split(',').filter(|f| !TILES.contains(&f.trim_start_matches(['+', '-'])));
        let features = others.chain(off.iter().map(String::as_str)).collect::<Vec<_>>().join(",");
        TargetSpec { features, ..self.clone() }
    }

    /// Whether an instruction picks elements out of two vectors of 512 bits by their numbers (AVX-512).
    pub fn has_permutations(&self) -> bool {
        self.has_avx512()
    }

    /// Whether an instruction multiplies by powers of two that it is given as exponents (AVX-512).
    pub fn has_scaling(&self) -> bool {
        self.has_avx512()
    }

    fn has_avx512(&self) -> bool {
        self.features.split(',').any(|f| f == "+avx512f")
            || matches!(self.cpu.as_str(), "znver4" | "icelake-server" | "sapphirerapids" | "skylake-avx512")
    }

    /// Whether instructions convert vectors of 64-bit integers to floats and back, and multiply them (AVX-512 DQ).
    pub fn has_word_conversions(&self) -> bool {
        self.features.split(',').any(|f| f == "+avx512dq")
            || matches!(self.cpu.as_str(), "znver4" | "icelake-server" | "sapphirerapids" | "skylake-avx512")
    }

    /// Whether a gather takes longer than a load for each of its lanes, and a scatter than a store: they are microcode on all of AMD's
    /// processors.
    pub fn gathers_slowly(&self) -> bool {
        self.cpu.starts_with("znver")
    }

    pub fn is_x86(&self) -> bool {
        self.triple.starts_with("x86_64")
    }

    /// Whether it is a graphics processor: its code is PTX, and its vectors are spread over the threads of a warp.
    pub fn is_gpu(&self) -> bool {
        self.triple == NVIDIA
    }

    /// Whether warps multiply matrices of all types that Loop IR has (`mma.sync`, compute capability 8.0).
    pub fn has_matrix_units(&self) -> bool {
        self.is_gpu() && self.cpu != "sm_75"
    }

    /// Whether LLVM would take it for another one.
    pub(crate) fn is_unknown_gpu(&self) -> bool {
        self.is_gpu() && !GPUS.contains(&self.cpu.as_str())
    }

    /// Vector registers of a processor; `None` on graphics processors, whose assembler orders instructions.
    pub fn vector_registers(&self) -> Option<usize> {
        match () {
            () if self.is_gpu() => None,
            // AVX2 has half as many as AVX-512 and NEON.
            () if self.is_x86() && self.vector_bits() < 512 => Some(16),
            () => Some(32),
        }
    }

    /// Bits of the widest registers; of a warp, a register of each thread.
    pub fn vector_bits(&self) -> u32 {
        self.lanes_hint * 32
    }
}

/// Loads LLVM's library and registers its back ends, once for the process.
pub(crate) fn initialize() -> Result<(), Error> {
    crate::library::load()?;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        crate::fatal::install();
        crate::options::set();
        let config = InitializationConfig::default();
        Target::initialize_x86(&config);
        Target::initialize_aarch64(&config);
        Target::initialize_nvptx(&config);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_described() {
        let host = TargetSpec::host().unwrap();
        assert!(!host.cpu.is_empty() && host.lanes_hint >= 4, "{host:?}");
    }

    #[test]
    fn names() {
        assert_eq!(TargetSpec::named("zen4").unwrap().vector_bits(), 512);
        assert!(!TargetSpec::named("neoverse").unwrap().is_x86());
        assert_eq!(TargetSpec::named("z80"), None);
        let tiles = TargetSpec::named("sapphire-rapids").unwrap();
        assert!(tiles.has_tiles() && !tiles.without_tiles().has_tiles());
        let host = TargetSpec { features: "+avx2,+amx-tile,+amx-int8,+amx-bf16".into(), ..tiles };
        assert!(host.has_tiles());
        assert_eq!(host.without_tiles().features, "+avx2,-amx-tile,-amx-int8,-amx-bf16");
        assert!(TargetSpec::named("sm_90").unwrap().is_gpu());
        assert_eq!(TargetSpec::named("sm_100"), None, "LLVM 19 does not know it");
    }
}
