//! What a user may choose, with the words of the command line.

use crate::calibration;
use crate::error::Error;
pub use crate::error::option_error;
use crate::memory;
use crate::target::{self, Machine};
pub use lawson_cpu::Denormals;
use lawson_kernel::target::Target;
pub use lawson_opt::options::fusion::{FusionBase, FusionSpec, Strategy};
pub use lawson_opt::{Effort, Numerics};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How a module is compiled and run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The machine to plan for: a name, or the path of a description; without it the host.
    pub target: Option<OsString>,
    /// A description of the host by which times are predicted where no target is named ([`crate::calibration`]); plans do not
    /// depend on it.
    pub calibration: Option<PathBuf>,
    /// Threads that kernels may use.
    pub threads: usize,
    /// What roundings may change.
    pub numerics: Numerics,
    /// What kernels on the processor do with denormal numbers. Graphics processors and the interpreter keep them; `Flush` and
    /// [`Numerics::Strict`] exclude each other.
    pub denormals: Denormals,
    /// What may be fused.
    pub fusion: FusionSpec,
    /// For each pass named here the number of rewrites it may do.
    pub fuel: BTreeMap<String, u64>,
    /// How much time compilation may take.
    pub effort: Effort,
    /// In bytes.
    pub max_memory: u64,
    /// How long plans may be measured on this machine before code is made ([`crate::tune`]), on the processor; `None` leaves
    /// them as they are planned. Results stay the same.
    pub tune: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            target: None,
            calibration: None,
            threads: default_threads(),
            numerics: Numerics::Standard,
            denormals: Denormals::Keep,
            fusion: FusionSpec::default(),
            fuel: BTreeMap::new(),
            effort: Effort::Full,
            max_memory: memory::default_limit(),
            tune: None,
        }
    }
}

impl Options {
    /// The machine to plan for, and to make code for that is read.
    pub fn machine(&self) -> Result<Machine, Error> {
        target::machine(self.target.as_deref())
    }

    /// The machine to plan for, where the plan is going to run here.
    ///
    /// # Errors
    /// It is a graphics processor: plans for it run there.
    pub fn machine_that_runs(&self) -> Result<Machine, Error> {
        let machine = self.machine()?;
        match machine.target.gpu {
            None => Ok(machine),
            Some(_) => Err(option_error(format!(
                "--target: `{}` is a graphics processor, and the program is to run on the processor; \
                 `--device cuda` runs it there, `lawson explain` plans for it, `lawson opt --emit ptx` makes code",
                machine.target.name
            ))),
        }
    }

    /// The host as it was measured, where times are predicted for it.
    ///
    /// # Errors
    /// Those of [`calibration::read`].
    pub fn measured(&self) -> Result<Option<Target>, Error> {
        let kept = self.calibration.as_ref().filter(|_| self.target.is_none());
        kept.map(|place| calibration::read(place)).transpose()
    }

    /// The words of the command line that choose the same, but for what is left at its default.
    pub fn words(&self) -> Vec<OsString> {
        let defaults = Options::default();
        let mut words: Vec<OsString> = vec!["--threads".into(), self.threads.to_string().into()];
        let mut add = |differs: bool, name: &str, value: OsString| {
            if differs {
                words.extend([name.into(), value]);
            }
        };
        let target = self.target.clone().unwrap_or_default();
        add(self.target.is_some(), "--target", target);
        add(self.numerics != defaults.numerics, "--numerics", self.numerics.name().into());
        add(self.denormals != defaults.denormals, "--denormals", self.denormals.name().into());
        add(self.fusion != defaults.fusion, "--fusion", self.fusion.to_string().into());
        add(self.effort != defaults.effort, "--compile", self.effort.name().into());
        add(self.max_memory != defaults.max_memory, "--max-memory", self.max_memory.to_string().into());
        self.fuel.iter().for_each(|(pass, n)| add(true, "--fuel", format!("{pass}={n}").into()));
        words.extend(self.tune.map(|limit| format!("--tune={}", limit.as_secs_f64()).into()));
        words
    }

    /// What a report says about the values: the numerics, and what differs from the default beside them.
    pub fn roundings(&self) -> String {
        match self.denormals {
            Denormals::Keep => self.numerics.name().into(),
            Denormals::Flush => format!("{}, denormals flushed", self.numerics.name()),
        }
    }

    /// What the passes need to know.
    pub fn passes(&self) -> Result<lawson_opt::Options, Error> {
        for name in self.fuel.keys() {
            if lawson_opt::pipeline::find(name).is_none() {
                return Err(option_error(format!("--fuel: no pass is called `{name}`")));
            }
        }
        if self.numerics == Numerics::Strict && self.denormals == Denormals::Flush {
            return Err(option_error(
                "--denormals: `flush` is for --numerics standard and fast; `strict` gives the bits of the interpreter, \
                 which keeps denormals",
            ));
        }
        Ok(lawson_opt::Options {
            target: self.machine()?.target,
            numerics: self.numerics,
            fuel: self.fuel.clone(),
            keep_fusions: self.fusion.base == FusionBase::Given,
            fusion: self.fusion.clone(),
            effort: self.effort,
            max_memory: Some(self.max_memory.min(i64::MAX as u64) as i64),
            ..lawson_opt::Options::default()
        })
    }
}

/// The available parallelism: affinity and quota respected.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where a module runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The processor of the host.
    Cpu,
    /// NVIDIA's processor of this number, counted from 0.
    Cuda(u16),
    /// One that is emulated on the host, in builds that have the emulator (the feature `emulated`): slow, and for tests.
    CudaEmulated,
    /// The reference interpreter.
    Interpreter,
}

impl Device {
    /// The name that `--device` takes, without a number.
    pub fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda(_) => "cuda",
            Device::CudaEmulated => "cuda-emulated",
            Device::Interpreter => "interpreter",
        }
    }

    /// Whether it is a graphics processor: it has memory of its own, and programs for it are planned for one.
    pub fn is_cuda(self) -> bool {
        matches!(self, Device::Cuda(_) | Device::CudaEmulated)
    }

    /// Reads what `--device` takes: a name, or `cuda:1` for the second of NVIDIA's processors.
    pub fn parse(text: &str) -> Result<Device, String> {
        match text {
            "cpu" => Ok(Device::Cpu),
            "cuda" => Ok(Device::Cuda(0)),
            "cuda-emulated" => Ok(Device::CudaEmulated),
            "interpreter" => Ok(Device::Interpreter),
            _ => match text.strip_prefix("cuda:").map(str::parse) {
                Some(Ok(number)) => Ok(Device::Cuda(number)),
                Some(Err(_)) => Err(format!("`{text}`: expected the number of a device, as in cuda:0")),
                None => Err(format!("`{text}` is none of cpu, cuda, cuda:N and interpreter")),
            },
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cuda(n) if *n > 0 => write!(f, "cuda:{n}"),
            other => f.write_str(other.name()),
        }
    }
}

/// Reads `PASS=N`.
pub fn parse_fuel(text: &str) -> Result<(String, u64), String> {
    let (pass, n) = text.split_once('=').ok_or_else(|| format!("`{text}` is not PASS=N"))?;
    let n = n.parse().map_err(|_| format!("`{n}` is not a number of rewrites"))?;
    Ok((pass.to_string(), n))
}

/// Reads a number of seconds: `10`, `0.5`.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    number.ok_or_else(|| "a number of seconds is needed".into())
}

/// Reads a number of bytes: `1000`, `512M`, `8GiB`; the units are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is not a unit of bytes (K, M, G, T)")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is not a number of bytes"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_differs() {
        let plain = Options { threads: 3, ..Options::default() };
        let flushed = Options { denormals: Denormals::Flush, ..plain.clone() };
        assert_eq!(flushed.words(), ["--threads", "3", "--denormals", "flush"]);
        assert_eq!(plain.words(), ["--threads", "3"]);
        let fuel = [("cse".to_string(), 4)].into();
        let all = Options { numerics: Numerics::Strict, effort: Effort::Fast, fuel, max_memory: 5, ..plain };
        let words = all.words().join(" ".as_ref());
        assert_eq!(words, "--threads 3 --numerics strict --compile fast --max-memory 5 --fuel cse=4");
    }

    #[test]
    fn bytes_and_fuel() {
        assert_eq!(parse_bytes("12"), Ok(12));
        assert_eq!(parse_bytes("3KiB"), Ok(3072));
        assert_eq!(parse_bytes("8g"), Ok(8 << 30));
        for device in
            [Device::Cpu, Device::Cuda(0), Device::Cuda(3), Device::CudaEmulated, Device::Interpreter]
        {
            assert_eq!(Device::parse(&device.to_string()), Ok(device));
        }
        assert!(Device::parse("gpu").is_err() && Device::parse("cuda:x").is_err());
        for wrong in ["", "x", "1X", "-1", "99999999999T", "1.5G"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_fuel("cse=17"), Ok(("cse".into(), 17)));
        assert!(parse_fuel("cse").is_err() && parse_fuel("cse=x").is_err());
    }
}
