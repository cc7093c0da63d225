//! Machines: what plans assume of one, and the processor that code is made for, as one value.
//!
//! A machine is the host, a name, or a description in a file: a JSON object of numbers, as `lawson doctor --calibrate`
//! prints it; what it leaves out is that of the machine named in `base`. Code that can be read (`--emit asm`) is made
//! for the machine. Code that is run is made for the host, whatever machine the plan is for: any plan for a processor
//! runs on any processor.

use crate::error::{Error, ErrorCode, option_error};
use lawson_cpu::TargetSpec;
use lawson_kernel::rates::Rates;
use lawson_kernel::target::{Gpu, Target};
use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

/// The machines known by name.
const NAMES: &str = "host, avx512, avx512-ifma, avx2, zen4, sapphire-rapids, skylake-avx512, haswell, neon, h100, a100, rtx4060, sm_75, \
                     sm_80, sm_86, sm_87, sm_89, sm_90";

/// The oldest graphics processor that code is made for; the code runs on all newer ones.
const OLDEST_GPU: &str = "sm_75";

/// Bytes of a description that are read: more than any has.
const LONGEST: u64 = 1 << 20;

/// A machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// What plans assume of it.
    pub target: Target,
    /// The processor that code is made for.
    pub code: CodeFor,
}

/// The processor that the code of a machine is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeFor {
    /// The one this runs on, with all it has.
    Host,
    /// One that LLVM knows by this name ([`TargetSpec::named`]).
    Processor(&'static str),
}

impl Machine {
    /// The processor in LLVM's words.
    ///
    /// # Errors
    /// The host lacks what Lawson needs.
    pub fn spec(&self) -> Result<TargetSpec, Error> {
        let none = || option_error(format!("--target: there is no code for `{}`", self.target.name));
        match self.code {
            CodeFor::Host => {
                TargetSpec::host().map_err(|e| Error::new(ErrorCode::Unsupported, e.to_string()))
            }
            CodeFor::Processor(name) => TargetSpec::named(name).ok_or_else(none),
        }
    }
}

/// What `--target` says; the host without it.
pub fn machine(wanted: Option<&OsStr>) -> Result<Machine, Error> {
    let Some(wanted) = wanted else { return Ok(Machine { target: host(), code: CodeFor::Host }) };
    if let Some(machine) = wanted.to_str().and_then(named) {
        return Ok(machine);
    }
    let path = Path::new(wanted);
    let name = path.display();
    if !path.is_file() {
        if wanted.to_str().is_some_and(|w| w.starts_with("sm_")) {
            return Err(option_error(format!(
                "--target: LLVM 19 makes no code for `{name}`; take the newest of sm_75, sm_80, sm_86, sm_87, sm_89 and sm_90 \
                 that is not newer: drivers make code for newer processors of it"
            )));
        }
        return Err(option_error(format!("--target: `{name}` is neither a file nor one of {NAMES}")));
    }
    let read = File::open(path).and_then(|file| {
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = read.map_err(|e| Error::file(path, "read", e))?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not text".to_string());
    text.and_then(|text| parse(&text)).map_err(|e| {
        option_error(format!(
            "--target {name}: {e}\n--target takes one of {NAMES}, or a file with the description of a machine: a JSON \
             object, as `lawson doctor --calibrate` prints it"
        ))
    })
}

fn named(name: &str) -> Option<Machine> {
    let (target, code) = match name {
        "host" => (host(), CodeFor::Host),
        "zen4" => (Target::zen4(), CodeFor::Processor("zen4")),
        "sapphire-rapids" => (Target::sapphire_rapids(), CodeFor::Processor("sapphire-rapids")),
        "avx512-ifma" => (avx512_ifma(true), CodeFor::Processor("icelake-server")),
        "avx512" | "skylake-avx512" => (
            Target { name: name.into(), ifma: false, ..avx512_ifma(false) },
            CodeFor::Processor("skylake-avx512"),
        ),
        "avx2" => (Target { name: name.into(), ..Target::haswell() }, CodeFor::Processor("haswell")),
        "haswell" => (Target::haswell(), CodeFor::Processor("haswell")),
        "neon" => (Target::neon(), CodeFor::Processor("neoverse")),
        "h100" => (Target::h100(), CodeFor::Processor("sm_90")),
        "a100" => (Target::a100(), CodeFor::Processor("sm_80")),
        "rtx4060" => (Target::rtx4060(), CodeFor::Processor("sm_89")),
        "sm_90" => (Target { name: name.into(), ..Target::h100() }, CodeFor::Processor("sm_90")),
        "sm_80" => (Target { name: name.into(), ..Target::a100() }, CodeFor::Processor("sm_80")),
        "sm_86" => (Target { name: name.into(), ..Target::rtx4060() }, CodeFor::Processor("sm_86")),
        "sm_87" => (Target { name: name.into(), ..Target::rtx4060() }, CodeFor::Processor("sm_87")),
        "sm_89" => (Target { name: name.into(), ..Target::rtx4060() }, CodeFor::Processor("sm_89")),
        "sm_75" => (Target { name: name.into(), ..Target::turing() }, CodeFor::Processor(OLDEST_GPU)),
        _ => return None,
    };
    Some(Machine { target, code })
}

/// The description that has this machine's vectors.
pub fn host() -> Target {
    #[cfg(target_arch = "x86_64")]
    {
        let has_vectors = std::is_x86_feature_detected!("avx512f");
        let byte_dots = std::is_x86_feature_detected!("avx512vnni");
        match has_vectors && std::is_x86_feature_detected!("avx512ifma") {
            true if is_zen4() => Target::zen4(),
            true if lawson_cpu::has_tiles() => Target::sapphire_rapids(),
            true => avx512_ifma(byte_dots),
            false if has_vectors => Target { name: "avx512".into(), ifma: false, ..avx512_ifma(byte_dots) },
            false => Target { name: "avx2".into(), ..Target::haswell() },
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    Target::neon()
}

/// A processor of AVX-512 that is not Zen 4.
fn avx512_ifma(byte_dots: bool) -> Target {
    let name = "avx512-ifma".into();
    Target { name, byte_dots, bf16_dots: false, half_vectors: false, ..Target::zen4() }
}

/// Whether this is AMD's family 19h with vectors of 512 bits, which it computes in halves.
#[cfg(target_arch = "x86_64")]
fn is_zen4() -> bool {
    use std::arch::x86_64::__cpuid;
    // Asked once: a virtual machine may take long for each answer.
    static IS: LazyLock<bool> = LazyLock::new(|| {
        let (vendor, version) = (__cpuid(0), __cpuid(1).eax);
        let is_amd = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6e65, 0x444d_4163);
        is_amd && (version >> 8 & 0xf) + (version >> 20 & 0xff) == 0x19
    });
    *IS
}

/// A description as text that [`machine`] reads.
pub fn render(target: &Target) -> String {
    let mut value = json!({
        "name": target.name,
        "vector_bytes": target.vector_bytes,
        "ifma": target.ifma,
        "byte_dots": target.byte_dots,
        "bf16_dots": target.bf16_dots,
        "tiles": target.tiles,
        "half_vectors": target.half_vectors,
        "registers": target.registers,
        "l1": target.l1,
        "l2": target.l2,
        "llc": target.llc,
        "bandwidth_1t": target.bandwidth_1t,
        "bandwidth": target.bandwidth,
        "l2_bandwidth": target.l2_bandwidth,
        "llc_bandwidth_1t": target.llc_bandwidth_1t,
        "llc_bandwidth": target.llc_bandwidth,
        "writing": target.writing,
        "l2_writing": target.l2_writing,
        "llc_writing": target.llc_writing,
        "gops": target.gops,
        "code": target.code,
        "launch_us": target.launch_us,
        "rates": target.rates.fields().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    });
    if let Some(gpu) = target.gpu {
        value["gpu"] = json!({
            "sms": gpu.sms,
            "sm_threads": gpu.sm_threads,
            "sm_registers": gpu.sm_registers,
            "sm_shared": gpu.sm_shared,
            "block_shared": gpu.block_shared,
        });
    }
    format!("{value:#}\n")
}

fn parse(text: &str) -> Result<Machine, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("it is not JSON: {e}"))?;
    let Value::Object(fields) = value else { return Err("it is JSON, but no object".into()) };
    let base = fields.get("base").map_or(Ok("host"), |b| b.as_str().ok_or("`base` is not a name"))?;
    let Machine { mut target, mut code } = named(base).ok_or_else(|| format!("`base` is none of {NAMES}"))?;
    let base_is_gpu = target.gpu.is_some();
    for (name, value) in &fields {
        match name.as_str() {
            "base" => {}
            // Descriptions that earlier versions printed have it.
            "kept_results" => {}
            "name" => target.name = value.as_str().ok_or("`name` is not text")?.into(),
            "vector_bytes" => target.vector_bytes = vector_bytes(value)?,
            "byte_dots" => {
                target.byte_dots = value.as_bool().ok_or("`byte_dots` is neither true nor false")?;
            }
            "bf16_dots" => {
                target.bf16_dots = value.as_bool().ok_or("`bf16_dots` is neither true nor false")?;
            }
            "tiles" => target.tiles = value.as_bool().ok_or("`tiles` is neither true nor false")?,
            "half_vectors" => {
                target.half_vectors = value.as_bool().ok_or("`half_vectors` is neither true nor false")?;
            }
            "ifma" => target.ifma = value.as_bool().ok_or("`ifma` is neither true nor false")?,
            "registers" => target.registers = whole(name, value, 8, 1024)? as u32,
            "l1" => target.l1 = whole(name, value, 1, 1 << 40)?,
            "l2" => target.l2 = whole(name, value, 1, 1 << 40)?,
            "llc" => target.llc = whole(name, value, 1, 1 << 40)?,
            "bandwidth_1t" => target.bandwidth_1t = positive(name, value)?,
            "bandwidth" => target.bandwidth = positive(name, value)?,
            "l2_bandwidth" => target.l2_bandwidth = positive(name, value)?,
            "llc_bandwidth_1t" => target.llc_bandwidth_1t = positive(name, value)?,
            "llc_bandwidth" => target.llc_bandwidth = positive(name, value)?,
            "writing" => target.writing = positive(name, value)?,
            "l2_writing" => target.l2_writing = positive(name, value)?,
            "llc_writing" => target.llc_writing = positive(name, value)?,
            "gops" => target.gops = positive(name, value)?,
            "code" => target.code = whole(name, value, 1, 1 << 40)?,
            "launch_us" => target.launch_us = positive(name, value)?,
            "rates" => rates(&mut target.rates, value)?,
            "gpu" => gpu(target.gpu.get_or_insert(Target::H100), value)?,
            _ => return Err(format!("`{name}` is not a field of a machine")),
        }
    }
    // A processor that a description makes a graphics processor of.
    if target.gpu.is_some() && !base_is_gpu {
        code = CodeFor::Processor(OLDEST_GPU);
    }
    Ok(Machine { target, code })
}

fn vector_bytes(value: &Value) -> Result<u32, String> {
    match value.as_u64() {
        Some(n @ (16 | 32 | 64 | 128)) => Ok(n as u32),
        _ => Err("`vector_bytes` is none of 16, 32, 64, 128".into()),
    }
}

fn fields(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| "`rates` and `gpu` are objects".to_string())
}

fn rates(rates: &mut Rates, value: &Value) -> Result<(), String> {
    for (name, value) in fields(value)? {
        let weight = rates.field(name).ok_or_else(|| format!("`{name}` is not a weight"))?;
        *weight = whole(name, value, 0, 1 << 20)?;
    }
    Ok(())
}

fn gpu(gpu: &mut Gpu, value: &Value) -> Result<(), String> {
    for (name, value) in fields(value)? {
        let field = match name.as_str() {
            "sms" => &mut gpu.sms,
            "sm_threads" => &mut gpu.sm_threads,
            "sm_registers" => &mut gpu.sm_registers,
            "sm_shared" => &mut gpu.sm_shared,
            "block_shared" => &mut gpu.block_shared,
            _ => return Err(format!("`{name}` is not a field of a graphics processor")),
        };
        *field = whole(name, value, 1, 1 << 40)?;
    }
    Ok(())
}

fn whole(name: &str, value: &Value, lo: i64, hi: i64) -> Result<i64, String> {
    let n = value.as_i64().filter(|n| (lo..=hi).contains(n));
    n.ok_or_else(|| format!("`{name}` is not a whole number from {lo} to {hi}"))
}

fn positive(name: &str, value: &Value) -> Result<f64, String> {
    let x = value.as_f64().filter(|x| *x > 0.0 && x.is_finite());
    x.ok_or_else(|| format!("`{name}` is not a positive number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_reads_as_it_was_printed() {
        let odd = Target { name: "odd".into(), l2: 12345, gops: 1.5, ..Target::haswell() };
        for target in [odd, Target::h100(), Target::rtx4060()] {
            assert_eq!(parse(&render(&target)).map(|m| m.target), Ok(target));
        }
    }

    #[test]
    fn what_the_host_is_called_names_it() {
        assert_eq!(machine(Some(host().name.as_ref())).map(|m| m.target), Ok(host()));
    }

    #[test]
    fn plans_and_code_are_for_the_same_vectors() {
        for name in NAMES.split(", ") {
            let machine = named(name).expect(name);
            let spec = machine.spec().unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(spec.vector_bits(), 8 * machine.target.vector_bytes, "{name}");
            assert_eq!(spec.has_byte_dots(), machine.target.byte_dots, "{name}");
            assert!(spec.has_bf16_dots() || !machine.target.bf16_dots, "{name}");
            let lent = name != "host" || lawson_cpu::has_tiles();
            assert_eq!(spec.has_tiles() && lent, machine.target.tiles, "{name}");
            assert_eq!(spec.is_gpu(), machine.target.gpu.is_some(), "{name}");
        }
        let described = |text: &str| parse(text).map(|m| m.code);
        assert_eq!(described(&render(&Target::a100())), Ok(CodeFor::Processor(OLDEST_GPU)));
        assert_eq!(described(r#"{"base": "a100", "llc": 99}"#), Ok(CodeFor::Processor("sm_80")));
    }

    #[test]
    fn what_is_left_out_is_the_base() {
        let machine = parse(r#"{"base": "haswell", "llc": 99}"#).expect("valid");
        assert_eq!(machine.target, Target { llc: 99, ..Target::haswell() });
        let older = parse(r#"{"base": "haswell", "llc": 99, "kept_results": 4194304}"#);
        assert_eq!(older, Ok(machine.clone()));
        assert_eq!(machine.code, CodeFor::Processor("haswell"));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("{", "not JSON"),
            ("[1]", "no object"),
            (r#"{"base": "abacus"}"#, "`base`"),
            (r#"{"vector_bytes": 48}"#, "`vector_bytes`"),
            (r#"{"llc": -1}"#, "`llc`"),
            (r#"{"gops": 0}"#, "`gops`"),
            (r#"{"colour": 1}"#, "`colour`"),
            (r#"{"rates": {"tan": 1}}"#, "`tan`"),
            (r#"{"gpu": {"sms": 0}}"#, "`sms`"),
        ] {
            let e = parse(text).expect_err(text);
            assert!(e.contains(part), "{text}: {e}");
        }
        assert_eq!(machine(Some("no/such".as_ref())).map_err(|e| e.code), Err(ErrorCode::Option));
        let newer = machine(Some("sm_100".as_ref())).map_err(|e| e.to_string());
        assert!(newer.is_err_and(|e| e.contains("sm_90")));
    }
}
