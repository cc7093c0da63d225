//! `lawson doctor`: the machine as Lawson sees it.

use crate::args::DoctorArgs;
use crate::progress::Spinner;
use crate::{machine, term};
use lawson::{Device, Error, bandwidth, calibrate, calibration, devices, memory, options, target};
use lawson_kernel::target::Target;

/// Larger than the caches of most machines.
const BUFFER_BYTES: usize = 256 << 20;

pub fn run(args: &DoctorArgs) -> Result<(), Error> {
    if args.calibrate {
        let measured = calibrated()?;
        if let Some(place) = machine::calibration() {
            calibration::keep(&place, &measured)?;
            eprintln!("kept in {}: `lawson explain` and `lawson bench` predict times by it", place.display());
        }
        return term::print(&target::render(&measured));
    }
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.into(), value));
    row("lawson", env!("CARGO_PKG_VERSION").into());
    row("processor", machine::cpu_name());
    row("features", machine::cpu_features().join(" "));
    row("threads", format!("{} (affinity and quota respected)", options::default_threads()));
    for cache in machine::caches() {
        row(&cache.name, format!("{} shared by processors {}", cache.size, cache.shared));
    }
    let ram = memory::total().map_or("unknown".into(), memory::human);
    row("memory", format!("{ram}, limit {} (--max-memory)", memory::human(memory::default_limit())));
    row("2 MiB pages", machine::huge_pages().unwrap_or("unknown".into()));
    row("LLVM", format!("{}, {}", machine::llvm(), machine::llvm_target()));
    row("planned as", format!("--target {}", target::host().name));
    let kept = machine::calibration().filter(|p| p.is_file());
    let predicted =
        kept.map_or("unmeasured (--calibrate)".into(), |p| format!("as measured, {}", p.display()));
    row("predicted", predicted);
    match devices::list() {
        Ok(all) => {
            all.iter().enumerate().for_each(|(n, d)| row(&format!("cuda:{n}"), device(n, d, args.quick)))
        }
        Err(e) => row("CUDA", e.to_string()),
    }
    if !args.quick && memory::total().is_none_or(|t| t > 4 * BUFFER_BYTES as u64) {
        let spinner = Spinner::start("measuring bandwidth");
        for threads in thread_counts() {
            let Some(found) = bandwidth::measure(threads, BUFFER_BYTES) else { continue };
            row(
                &format!("bandwidth, {threads} thr."),
                format!("read {:.1} GB/s, copy {:.1} GB/s (read + written)", found.read, found.copy),
            );
        }
        spinner.stop();
    }
    let width = rows.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
    let lines: String = rows.iter().map(|(n, v)| format!("{n:<width$}  {v}\n")).collect();
    term::print(&lines)
}

/// `NVIDIA H100, compute capability 9.0, 80.0 GiB, 132 multiprocessors, driver for CUDA 12.4, copy 2600 GB/s`.
fn device(number: usize, d: &devices::Properties, quick: bool) -> String {
    let measured = match u16::try_from(number) {
        Ok(number) if !quick => devices::copy_bandwidth(Device::Cuda(number), BUFFER_BYTES),
        _ => return described(d),
    };
    match measured {
        Ok(gbps) => format!("{}, copy {gbps:.0} GB/s (read + written)", described(d)),
        Err(e) => format!("{}, {e}", described(d)),
    }
}

fn described(d: &devices::Properties) -> String {
    format!(
        "{}, compute capability {}.{}, {}, {} multiprocessors, driver for CUDA {}",
        d.name,
        d.capability.0,
        d.capability.1,
        memory::human(d.memory_bytes),
        d.multiprocessors,
        devices::version(d.driver)
    )
}

/// The host with its own caches, rates and bandwidths.
fn calibrated() -> Result<Target, Error> {
    let spinner = Spinner::start("measuring");
    let mut target = target::host();
    for cache in machine::caches() {
        let Some(bytes) = options::parse_bytes(&cache.size).ok().filter(|b| *b > 0) else { continue };
        match cache.name.as_str() {
            "L1 data" => target.l1 = bytes as i64,
            "L2" => (target.l2, target.llc) = (bytes as i64, bytes as i64),
            _ => target.llc = bytes as i64,
        }
    }
    let found = calibrate::calibrate(target, options::default_threads(), &|doing| spinner.say(doing));
    spinner.stop();
    found
}

fn thread_counts() -> Vec<usize> {
    let mut counts = vec![1, options::default_threads()];
    counts.dedup();
    counts
}
