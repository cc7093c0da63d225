//! `--profile`: one run as a trace for `chrome://tracing` and Perfetto, each kernel with what it computes.

use lawson::explain::{Kernel, explain_compiled};
use lawson::load::Loaded;
use lawson::options::option_error;
use lawson::{Buffer, Error, Executable, RunOptions, output};
use lawson_cpu::{Span, Traced};
use serde_json::{Value as Json, json};
use std::path::Path;

/// Runs once more, traced, and writes the trace.
pub fn write(
    path: &Path,
    loaded: &Loaded,
    executable: &Executable,
    inputs: &[Buffer],
    limits: &RunOptions,
) -> Result<(), Error> {
    let spans = executable.trace(&inputs.iter().collect::<Vec<_>>(), limits)?;
    let (Some(spans), Some(explanation), Some(native)) =
        (spans, explain_compiled(loaded, executable)?, executable.native())
    else {
        return Err(option_error("--profile: only --device cpu runs kernels that can be traced"));
    };
    // Sites of one kernel run the same code; the first one names it.
    let sites = &native.planned.scheduled.sites;
    let of = |kernel: usize| {
        let site = sites.iter().position(|s| s.kernel == kernel)?;
        explanation.kernels.get(site)
    };
    let events: Vec<Json> = spans.iter().map(|s| event(s, of)).collect();
    let trace = json!({
        "displayTimeUnit": "ns",
        "otherData": { "module": loaded.file, "machine": explanation.machine },
        "traceEvents": events,
    });
    output::write(path, |sink| writeln!(sink, "{trace}"))
}

/// A complete event: name, category, start and duration in µs.
fn event<'e>(span: &Span, of: impl Fn(usize) -> Option<&'e Kernel>) -> Json {
    let us = span.took.as_secs_f64() * 1e6;
    let (name, category, args) = match &span.what {
        Traced::Launch(kernel) => match of(*kernel) {
            Some(k) => (k.name.clone(), "kernel", arguments(k, us)),
            None => (format!("kernel {kernel}"), "kernel", json!({})),
        },
        Traced::Copy(bytes) => ("copy".into(), "copy", json!({ "bytes": bytes })),
        Traced::CustomCall(target) => (target.clone(), "custom-call", json!({})),
    };
    json!({
        "name": name,
        "cat": category,
        "ph": "X",
        "ts": span.start.as_secs_f64() * 1e6,
        "dur": us,
        "pid": 1,
        "tid": 1,
        "args": args,
    })
}

fn arguments(k: &Kernel, us: f64) -> Json {
    json!({
        "category": k.category,
        "instructions": k.instructions.iter().map(|i| &i.name).collect::<Vec<_>>(),
        "places": k.places,
        "bytes_read": k.bytes_read,
        "bytes_written": k.bytes_written,
        "flops": k.flops,
        "predicted_us": k.predicted_us,
        "gbps": (k.bytes_read + k.bytes_written) as f64 / us.max(1e-3) / 1e3,
    })
}
