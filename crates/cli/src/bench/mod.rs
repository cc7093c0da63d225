//! `lawson bench`: times compilation and runs, against variants in the same minutes.

mod counters;
mod profile;
mod report;
mod timed;

use crate::args::BenchArgs;
use crate::progress::{COMPILING, RUNNING, Spinner};
use crate::{data, term};
use lawson::bandwidth::{self, Bandwidth};
use lawson::hlo::Module;
use lawson::load::Loaded;
use lawson::options::{FusionBase, FusionSpec};
use lawson::{Client, Device, Error, Executable, Figures, Options, figures, roofline};
use std::time::Instant;
use timed::Timed;

pub fn run(args: &BenchArgs) -> Result<(), Error> {
    let options = args.tune.of(args.module.common.predicting()?);
    if let Some(path) = &args.profile {
        data::check_output("--profile", path, &args.module, None)?;
    }
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    let client = args.module.common.client()?;
    let inputs = data::arguments(&loaded.module, &args.module.data, &options, &client)?;
    let spinner = Spinner::start(COMPILING);
    let watching = spinner.watching(&client, COMPILING);
    let compiled = compile(&watching, &loaded.module, &options, WARM_COMPILES)?;
    let mut variants = Vec::new();
    for variant in &args.vs {
        // LLVM is warm by now.
        variants.push(compile(&watching, &loaded.module, &variant.of(&options), WARM_COMPILES - 1)?);
    }
    spinner.say(RUNNING);
    let limits = args.limit.options();
    let mut timed =
        vec![Timed::new(&options.fusion.to_string(), &client, &compiled.executable, &inputs, &limits)?];
    for (variant, compiled) in args.vs.iter().zip(&variants) {
        timed.push(Timed::new(&variant.name, &client, &compiled.executable, &inputs, &limits)?);
    }
    timed::measure(&mut timed, args.max_runs as usize)?;
    if let Some(path) = &args.profile {
        spinner.say("tracing");
        profile::write(path, &loaded, &compiled.executable, &inputs, &limits)?;
    }
    let counted = counters::count(&client, &compiled.executable, &inputs, &limits)?;
    spinner.say("measuring the machine");
    let bench = Bench {
        loaded: &loaded,
        options: &options,
        client: &client,
        compiled: &compiled,
        others: &variants,
        bytes_unfused: bytes_unfused(&loaded, &options, args, &timed)?,
        limit: match client.device() {
            // What is measured is the memory of the host.
            Device::Cpu => {
                Limit::of(&loaded.module, &compiled.executable, &timed[0].figures, options.threads)
            }
            Device::Cuda(_) | Device::CudaEmulated | Device::Interpreter => None,
        },
        counted: counted.as_deref(),
        timed: &timed,
    };
    spinner.stop();
    term::print(&if args.json { format!("{}\n", report::json(&bench)) } else { report::text(&bench) })
}

/// Everything that was found out.
struct Bench<'a> {
    loaded: &'a Loaded,
    options: &'a Options,
    client: &'a Client,
    compiled: &'a Compiled,
    /// The variants, as `timed` has them.
    others: &'a [Compiled],
    bytes_unfused: Option<u64>,
    limit: Option<Limit>,
    /// What each kernel did, on the device that is emulated.
    counted: Option<&'a [counters::Row]>,
    /// The module as asked for, then the variants.
    timed: &'a [Timed<'a>],
}

/// A compiled module and what compiling took.
struct Compiled {
    executable: Executable,
    /// The first compilation of this process.
    cold_ms: f64,
    /// The best of a few more.
    warm_ms: f64,
}

/// Compilations of each variant after its first.
const WARM_COMPILES: usize = 5;

fn compile(client: &Client, module: &Module, options: &Options, times: usize) -> Result<Compiled, Error> {
    const ENOUGH_MS: f64 = 2000.0;
    let once = || {
        let start = Instant::now();
        client.compile(module, options).map(|e| (e, start.elapsed().as_secs_f64() * 1e3))
    };
    let (mut executable, cold_ms) = once()?;
    let (mut warm_ms, mut spent) = (f64::INFINITY, 0.0);
    for _ in 0..times {
        let (again, ms) = once()?;
        if ms < warm_ms {
            (executable, warm_ms) = (again, ms);
        }
        spent += ms;
        if spent > ENOUGH_MS {
            break;
        }
    }
    Ok(Compiled { executable, cold_ms, warm_ms })
}

impl Compiled {
    /// Of the best compilation: for the plan, for the code; in ms.
    fn parts(&self) -> Option<[f64; 2]> {
        let native = self.executable.native()?;
        Some([native.planned.planning, native.coding].map(|d| d.as_secs_f64() * 1e3))
    }
}

/// Bytes the unfused program moves: by its plan, or counted where it runs anyhow.
fn bytes_unfused(
    loaded: &Loaded,
    options: &Options,
    args: &BenchArgs,
    timed: &[Timed<'_>],
) -> Result<Option<u64>, Error> {
    let off = |f: &FusionSpec| f.base == FusionBase::Off;
    let specs = std::iter::once(options.fusion.clone()).chain(args.vs.iter().map(|v| v.of(options).fusion));
    match specs.zip(timed).find(|(spec, _)| off(spec)) {
        Some((_, t)) => Ok(t.figures.bytes_moved),
        None if timed[0].figures.kernels.is_none() => Ok(None),
        None => figures::bytes_unfused(&loaded.module, options),
    }
}

/// What no program with these inputs and outputs can beat here.
struct Limit {
    us: f64,
    /// Reading the inputs and writing the outputs once, as fast as memory goes; without it arithmetic at full rate.
    by_memory: bool,
    /// The inputs and outputs do not fit the last-level cache.
    far: bool,
    bandwidth: Bandwidth,
}

impl Limit {
    /// The machine is measured now, with as many bytes as the module has inputs and outputs.
    fn of(module: &Module, executable: &Executable, figures: &Figures, threads: usize) -> Option<Limit> {
        const LARGEST: u64 = 256 << 20;
        const LEAST: u64 = 64 << 10;
        let native = executable.native()?;
        let (read, written) = roofline::interface_bytes(module);
        let size = read.saturating_add(written).clamp(LEAST, LARGEST);
        let bandwidth = bandwidth::measure(threads, size as usize)?;
        let memory = read.saturating_add(written) as f64 / bandwidth.best() / 1e3;
        let target = &native.planned.target;
        let far = read.saturating_add(written) > target.llc.max(0) as u64;
        let peak = roofline::peak_us(figures.flops.unwrap_or(0), target, threads);
        Some(Limit { us: memory.max(peak), by_memory: memory >= peak, far, bandwidth })
    }

    /// Whether it limits a program that took this long at best: memory does not where arrays stay in a cache, and the full
    /// rate of arithmetic is that of a description, which the machine may exceed.
    fn is_one(&self, least_us: f64) -> bool {
        (self.far || !self.by_memory) && self.us <= least_us
    }
}
