//! `lawson bench`: times compilation and runs, against variants in the same minutes.

use crate::args::BenchArgs;
use crate::progress::Spinner;
use crate::{data, term};
use lawson::explain::text::time;
use lawson::hlo::{Module, Value};
use lawson::load::Loaded;
use lawson::memory::human;
use lawson::options::FusionSpec;
use lawson::{Counters, Error, Figures, Options, Prepared, Session, prepare};
use serde_json::{Map, json};
use std::time::{Duration, Instant};

/// Each variant is timed for about this long, and at least so often.
const TIME: Duration = Duration::from_secs(1);
const MIN_RUNS: usize = 5;

pub fn run(args: &BenchArgs) -> Result<(), Error> {
    let options = args.module.common.options();
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    let inputs = data::arguments(&loaded.module, &args.module.data, &options)?;
    let spinner = Spinner::start("compiling");
    let compiled = compile(&loaded.module, &options)?;
    let variants = prepare_variants(&loaded.module, &args.vs, &options)?;
    spinner.say("running");
    let mut timed = vec![Timed::new(&compiled.prepared, &inputs)?];
    for (_, prepared) in &variants {
        timed.push(Timed::new(prepared, &inputs)?);
    }
    measure(&mut timed, args.max_runs as usize)?;
    spinner.stop();
    let (main, others) = timed.split_first().map_or((None, &[][..]), |(m, o)| (Some(m), o));
    let Some(main) = main else { return Ok(()) };
    let others: Vec<(&str, &Timed)> = variants.iter().map(|(name, _)| name.as_str()).zip(others).collect();
    if args.json {
        term::print(&format!("{}\n", to_json(&loaded, &options, &compiled, main, &others)))
    } else {
        term::print(&to_text(&loaded, &options, &compiled, main, &others))
    }
}

/// A compiled module and what compiling took.
struct Compiled<'m> {
    prepared: Prepared<'m>,
    /// The first compilation of this process.
    cold_ms: f64,
    /// The best of a few more.
    warm_ms: f64,
}

fn compile<'m>(module: &'m Module, options: &Options) -> Result<Compiled<'m>, Error> {
    const WARM_COMPILES: usize = 3;
    let once = || {
        let start = Instant::now();
        prepare(module, options).map(|p| (p, start.elapsed().as_secs_f64() * 1e3))
    };
    let (mut prepared, cold_ms) = once()?;
    let mut warm_ms = f64::INFINITY;
    for _ in 0..WARM_COMPILES {
        let ms;
        (prepared, ms) = once()?;
        warm_ms = warm_ms.min(ms);
    }
    Ok(Compiled { prepared, cold_ms, warm_ms })
}

fn prepare_variants<'m>(
    module: &'m Module,
    specs: &[(String, FusionSpec)],
    options: &Options,
) -> Result<Vec<(String, Prepared<'m>)>, Error> {
    let variant = |(name, fusion): &(String, FusionSpec)| {
        let options = Options { fusion: fusion.clone(), ..options.clone() };
        Ok((name.clone(), prepare(module, &options)?))
    };
    specs.iter().map(variant).collect()
}

/// One variant with its times so far.
struct Timed<'p> {
    session: Session<'p>,
    figures: Figures,
    counters: Counters,
    first_us: f64,
    us: Vec<f64>,
}

impl<'p> Timed<'p> {
    /// Places the inputs and runs once.
    fn new(prepared: &'p Prepared<'_>, inputs: &[Value]) -> Result<Timed<'p>, Error> {
        let mut session = prepared.session(inputs)?;
        let start = Instant::now();
        let counters = session.run()?;
        let first_us = start.elapsed().as_secs_f64() * 1e6;
        Ok(Timed { session, figures: prepared.figures(), counters, first_us, us: Vec::new() })
    }

    fn step(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.session.run()?;
        self.us.push(start.elapsed().as_secs_f64() * 1e6);
        Ok(())
    }

    fn is_done(&self, max_runs: usize) -> bool {
        let spent: f64 = self.us.iter().sum();
        self.us.len() >= max_runs || (self.us.len() >= MIN_RUNS && spent >= TIME.as_secs_f64() * 1e6)
    }

    fn median_us(&self) -> f64 {
        let mut sorted = self.us.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => sorted[middle],
            _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
        }
    }

    fn min_us(&self) -> f64 {
        self.us.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Bytes moved in the median time, in GB/s.
    fn gbps(&self) -> Option<f64> {
        Some(self.figures.bytes_moved? as f64 / self.median_us() / 1e3)
    }
}

/// Lets the variants take turns, so that each sees the same machine.
fn measure(timed: &mut [Timed<'_>], max_runs: usize) -> Result<(), Error> {
    while timed.iter().any(|t| !t.is_done(max_runs)) {
        for t in timed.iter_mut().filter(|t| !t.is_done(max_runs)) {
            t.step()?;
        }
    }
    Ok(())
}

fn to_json(
    loaded: &Loaded,
    options: &Options,
    compiled: &Compiled,
    main: &Timed,
    others: &[(&str, &Timed)],
) -> serde_json::Value {
    let run_us = |t: &Timed| json!({"median": t.median_us(), "min": t.min_us(), "runs": t.us.len()});
    let variants: Map<String, serde_json::Value> = others
        .iter()
        .map(|(name, t)| {
            let value = json!({
                "run_us": run_us(t),
                "kernels": t.figures.kernels,
                "launches": t.counters.launches,
                "phases": t.counters.phases,
                "bytes_moved": t.figures.bytes_moved,
            });
            (name.to_string(), value)
        })
        .collect();
    let (f, c) = (&main.figures, &main.counters);
    json!({
        "module": loaded.file,
        "device": options.device.name(),
        "threads": options.threads,
        "compile_ms": compiled.warm_ms,
        "compile_cold_ms": compiled.cold_ms,
        "first_call_us": main.first_us,
        "run_us": run_us(main),
        "kernels": f.kernels,
        "launches": c.launches,
        "phases": c.phases,
        "copies": c.copies,
        "bytes_moved": f.bytes_moved,
        "bytes_unfused": f.bytes_unfused,
        "flops": f.flops,
        "temp_bytes": f.temp_bytes,
        "peak_bytes": f.peak_bytes,
        "predicted_us": f.predicted_us,
        "gbps": main.gbps(),
        "limit_us": f.limit_us,
        "variants": variants,
    })
}

fn to_text(
    loaded: &Loaded,
    options: &Options,
    compiled: &Compiled,
    main: &Timed,
    others: &[(&str, &Timed)],
) -> String {
    let threads = if options.threads == 1 { "thread" } else { "threads" };
    let mut out = format!("{} · {} · {} {threads}\n\n", loaded.file, options.device.name(), options.threads);
    let (warm, cold) = (compiled.warm_ms * 1e3, compiled.cold_ms * 1e3);
    out += &format!("  compile     {} (first in the process {})\n", time(warm), time(cold));
    out += &format!("  first call  {}\n", time(main.first_us));
    let spec = options.fusion.to_string();
    let width = others.iter().map(|(n, _)| n.len()).chain([spec.len(), 10]).max().unwrap_or(10);
    out += &format!("\n  {:<width$}  {:>10}  {:>10}  {:>6}", "fusion", "median", "least", "runs");
    out += &format!("  {:>7}  {:>8}  {:>10}  {:>10}\n", "kernels", "launches", "moved", "bandwidth");
    for (name, t) in std::iter::once((spec.as_str(), main)).chain(others.iter().copied()) {
        out += &row(name, width, t, main);
    }
    let f = &main.figures;
    if let (Some(limit), median) = (f.limit_us, main.median_us()) {
        out +=
            &format!("\n  {:.0} % of what this machine permits ({})\n", 100.0 * limit / median, time(limit));
    }
    if let Some(bytes) = f.peak_bytes {
        out += &format!("  peak memory {} beside the inputs\n", human(bytes));
    }
    out
}

fn row(name: &str, width: usize, t: &Timed, main: &Timed) -> String {
    let count = |n: Option<u64>| n.map_or("-".to_string(), |n| n.to_string());
    let mut out = format!(
        "  {name:<width$}  {:>10}  {:>10}  {:>6}  {:>7}  {:>8}  {:>10}  {:>10}",
        time(t.median_us()),
        time(t.min_us()),
        t.us.len(),
        count(t.figures.kernels),
        count(t.counters.launches),
        t.figures.bytes_moved.map_or("-".into(), human),
        t.gbps().map_or("-".into(), |g| format!("{g:.1} GB/s")),
    );
    if !std::ptr::eq(t, main) {
        out += &format!("  {:.2}x the time", t.median_us() / main.median_us());
    }
    out + "\n"
}
