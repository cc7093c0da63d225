//! What `bench` prints: one JSON object, or a table of at most 80 columns.

use super::timed::Timed;
use super::{Bench, Compiled, counters};
use lawson::Figures;
use lawson::explain::text::time;
use lawson::memory::human;
use lawson::options::Effort;
use serde_json::{Map, Value, json as object};

/// The contract's fields, in its order.
pub fn json(bench: &Bench<'_>) -> Value {
    let Bench { loaded, options, client, compiled, others, bytes_unfused, limit, counted, timed } = bench;
    let main = &timed[0];
    let Figures { kernels, bytes_moved, flops, temp_bytes, peak_bytes, predicted_us } = main.figures;
    let variants: Map<String, Value> =
        timed[1..].iter().zip(*others).map(|(t, c)| (t.name.clone(), variant(t, c))).collect();
    let mut all = object!({
        "module": loaded.file,
        "device": client.device().to_string(),
        "threads": options.threads,
        "compile_ms": compiled.warm_ms,
        "compile_cold_ms": compiled.cold_ms,
        "first_call_us": main.first_us,
        "run_us": run_us(main),
        "kernels": kernels,
        "launches": main.counters.launches,
        "phases": main.counters.phases,
        "copies": main.counters.copies,
        "bytes_moved": bytes_moved,
        "bytes_unfused": bytes_unfused,
        "flops": flops,
        "temp_bytes": temp_bytes,
        "peak_bytes": peak_bytes,
        "predicted_us": predicted_us,
        "gbps": main.gbps(),
        "limit_us": limit.as_ref().map(|l| l.us),
        "variants": variants,
        "compile": compile(options.effort, compiled),
    });
    // Fields of devices that have memory of their own.
    if let Some(t) = main.counters.transfers {
        all["submit_us"] = main.median_submit_us().into();
        all["queued_us"] = main.median_queued_us().into();
        all["copied_us"] = main.median_copied_us().into();
        all["transfers"] = object!({
            "host_steps": t.host_steps,
            "uploads": t.uploads,
            "upload_bytes": t.upload_bytes,
            "downloads": t.downloads,
            "download_bytes": t.download_bytes,
        });
    }
    if let Some(rows) = counted {
        all["emulated"] = counters::to_json(rows);
    }
    all
}

/// The mode, and what its plan and its code cost.
fn compile(mode: Effort, compiled: &Compiled) -> Value {
    let [planning, code] = parts(compiled);
    object!({"mode": mode.name(), "planning_ms": planning, "code_ms": code})
}

fn parts(compiled: &Compiled) -> [Value; 2] {
    compiled.parts().map_or([Value::Null, Value::Null], |parts| parts.map(Value::from))
}

fn run_us(t: &Timed<'_>) -> Value {
    object!({"median": t.median_us(), "min": t.min_us(), "runs": t.us.len()})
}

fn variant(t: &Timed<'_>, compiled: &Compiled) -> Value {
    let [planning, code] = parts(compiled);
    object!({
        "run_us": run_us(t),
        "kernels": t.figures.kernels,
        "launches": t.counters.launches,
        "phases": t.counters.phases,
        "bytes_moved": t.figures.bytes_moved,
        "compile_ms": compiled.warm_ms,
        "planning_ms": planning,
        "code_ms": code,
    })
}

pub fn text(bench: &Bench<'_>) -> String {
    let Bench { loaded, options, client, compiled, others, timed, .. } = bench;
    let threads = if options.threads == 1 { "thread" } else { "threads" };
    let machine = match compiled.executable.native() {
        Some(native) => format!("{} {}", client.device(), native.planned.target.name),
        None => client.device().to_string(),
    };
    let mut out =
        format!("{} · {machine}, {} {threads}, {}\n\n", loaded.file, options.threads, options.roundings());
    let cold = time(compiled.cold_ms * 1e3);
    out += &format!("  compile     {}\n", costs(compiled));
    out += &format!("              --compile {}; the first of the process {cold}\n", options.effort.name());
    for (t, other) in timed[1..].iter().zip(*others) {
        out += &format!("  {:<11} {}\n", t.name, costs(other));
    }
    let tuning = compiled.executable.native().and_then(|n| n.planned.tuning.as_ref());
    if let Some(tuning) = tuning {
        let changed = tuning.kernels.iter().filter(|k| k.chosen > 0).count();
        let measured = plural(tuning.kernels.len() as u64, "kernel");
        out += &format!("  tuning      {measured} with several plans, {changed} changed\n");
    }
    out += &format!("  first call  {}\n\n", time(timed[0].first_us));
    out += &table(timed);
    out += &summary(bench);
    out + &bench.counted.map_or_else(String::new, counters::text)
}

/// What compiling took.
fn costs(compiled: &Compiled) -> String {
    let ms = |ms: f64| time(ms * 1e3);
    match compiled.parts() {
        Some([plan, code]) => format!("{}: plan {}, code {}", ms(compiled.warm_ms), ms(plan), ms(code)),
        None => ms(compiled.warm_ms),
    }
}

/// One line for each variant.
fn table(timed: &[Timed<'_>]) -> String {
    let width = timed.iter().map(|t| t.name.chars().count()).chain([8]).max().unwrap_or(8);
    let mut out = format!(
        "  {:<width$} {:>9} {:>9} {:>7} {:>8} {:>9} {:>5} {:>6}\n",
        "fusion", "median", "least", "kernels", "launches", "moved", "GB/s", "time"
    );
    let dash = || "-".to_string();
    for t in timed {
        out += &format!(
            "  {:<width$} {:>9} {:>9} {:>7} {:>8} {:>9} {:>5} {:>6}\n",
            t.name,
            time(t.median_us()),
            time(t.min_us()),
            t.figures.kernels.map_or_else(dash, |n| n.to_string()),
            t.counters.launches.map_or_else(dash, |n| n.to_string()),
            t.figures.bytes_moved.map_or_else(dash, human),
            t.gbps().map_or_else(dash, |g| format!("{g:.1}")),
            format!("{:.2}x", t.median_us() / timed[0].median_us()),
        );
    }
    out
}

/// What the figures mean.
fn summary(bench: &Bench<'_>) -> String {
    let main = &bench.timed[0];
    let f = &main.figures;
    let mut out = format!(
        "\n  runs        {} of each{}\n",
        main.us.len(),
        if bench.timed.len() > 1 { ", in turns; the first of a turn are not counted" } else { "" }
    );
    if let (Some(kernels), Some(launches), Some(phases), Some(copies)) =
        (f.kernels, main.counters.launches, main.counters.phases, main.counters.copies)
    {
        let counts = [(kernels, "kernel"), (launches, "launch"), (phases, "phase"), (copies, "copy")];
        out += &format!("  program     {}\n", counts.map(|(n, what)| plural(n, what)).join(", "));
    }
    if let Some(t) = main.counters.transfers {
        let flow = |n: u64, bytes: u64| format!("{} of {}", plural(n, "copy"), human(bytes));
        let (to, from) = (flow(t.uploads, t.upload_bytes), flow(t.downloads, t.download_bytes));
        out += &format!("  submitting  {}, before the device is done\n", time(main.median_submit_us()));
        if let Some(us) = main.median_queued_us() {
            out += &format!("  in a queue  {} a call, many submitted and then waited for\n", time(us));
        }
        if let Some(us) = main.median_copied_us() {
            out += &format!("  copied      {} with arguments from the host and results to it\n", time(us));
        }
        out += &format!("  transfers   {to} to the device, {from} to the host in a run\n");
    }
    if let (Some(moved), Some(unfused)) = (f.bytes_moved, bench.bytes_unfused)
        && unfused > 0
    {
        let saved = 100.0 * (unfused as f64 - moved as f64) / unfused as f64;
        out += &format!(
            "  bytes       {} moved, {} without fusion: {saved:.0} % saved\n",
            human(moved),
            human(unfused)
        );
    }
    if let Some(limit) = bench.limit.as_ref().filter(|l| l.is_one(main.min_us())) {
        let what = match limit.by_memory {
            true => format!("inputs and outputs once, at {:.1} GB/s as measured", limit.bandwidth.best()),
            false => "arithmetic at full rate".into(),
        };
        out += &format!("  limit       {}: {what}\n", time(limit.us));
        let share = |us: f64| 100.0 * limit.us / us;
        let (median, least) = (share(main.median_us()), share(main.min_us()));
        out += &format!("              reached {median:.0} % of it, {least:.0} % at best\n");
    }
    if let Some(us) = f.predicted_us {
        let median = main.median_us();
        out += &format!("  predicted   {}, measured {}: {:.2}x\n", time(us), time(median), median / us);
    }
    if let (Some(peak), Some(temp)) = (f.peak_bytes, f.temp_bytes) {
        out += &format!("  memory      {} beside the inputs, {} of it temporary\n", human(peak), human(temp));
    }
    out
}

fn plural(n: u64, what: &str) -> String {
    match (n, what) {
        (1, _) => format!("1 {what}"),
        (_, "launch") => format!("{n} launches"),
        (_, "copy") => format!("{n} copies"),
        _ => format!("{n} {what}s"),
    }
}
