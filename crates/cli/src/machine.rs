//! What the operating system says about this machine.

use lawson::{calibration, options};
use std::fs;
use std::path::{Path, PathBuf};

/// The processor's name.
pub fn cpu_name() -> String {
    let field = |key: &str| cpu_info(key).filter(|v| !v.is_empty());
    field("model name").or_else(|| field("CPU part")).unwrap_or_else(|| std::env::consts::ARCH.into())
}

/// Where the description of this machine is kept.
pub fn calibration() -> Option<PathBuf> {
    calibration::place(&cpu_name(), options::default_threads())
}

/// The instruction sets that decide which code is made.
pub fn cpu_features() -> Vec<&'static str> {
    let mut found = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! probe {
            ($($name:tt)*) => { $(if std::is_x86_feature_detected!($name) { found.push($name); })* };
        }
        probe!("sse4.2" "avx" "avx2" "fma" "f16c" "bmi2" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vnni" "avx512bf16" "avx512fp16");
    }
    #[cfg(target_arch = "aarch64")]
    found.push("neon");
    found
}

/// The version of LLVM this binary uses.
pub fn llvm() -> String {
    lawson_llvm::version().unwrap_or_else(|e| e.to_string())
}

/// The processor as code generation calls it, or why it cannot be used.
pub fn llvm_target() -> String {
    match lawson_llvm::TargetSpec::host() {
        Ok(target) => format!("{}, vectors of {} bits", target.cpu, target.vector_bits()),
        Err(e) => e.to_string(),
    }
}

/// One cache of the first processor.
pub struct Cache {
    /// `L1 data`, `L2`, ….
    pub name: String,
    /// As the system writes it: `32K`.
    pub size: String,
    /// Processors that share it: `0-1`.
    pub shared: String,
}

/// The data and unified caches, nearest first.
pub fn caches() -> Vec<Cache> {
    let folder = Path::new("/sys/devices/system/cpu/cpu0/cache");
    let read = |i: usize, what: &str| {
        fs::read_to_string(folder.join(format!("index{i}/{what}"))).ok().map(|s| s.trim().to_string())
    };
    (0..8)
        .filter_map(|i| {
            let (level, kind, size) = (read(i, "level")?, read(i, "type")?, read(i, "size")?);
            let name = match kind.as_str() {
                "Instruction" => return None,
                "Data" => format!("L{level} data"),
                _ => format!("L{level}"),
            };
            Some(Cache { name, size, shared: read(i, "shared_cpu_list").unwrap_or_default() })
        })
        .collect()
}

/// Whether the kernel gives 2 MiB pages: `always`, `madvise`, `never`.
pub fn huge_pages() -> Option<String> {
    let text = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_string())
}

fn cpu_info(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_string())
    })
}
