//! What the backward half of a derivative needs of the forward half: saved, or computed again, with the reason; and
//! the memory of a step with the decisions and without.

use super::names::{Names, places};
use super::text::{filled, time};
use crate::compile::Planned;
use crate::memory::human;
use lawson_opt::report::{self, ResidualFate, ResidualReason};
use serde_json::{Value, json};

/// The residuals of a module; empty where nothing waits in memory for later.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Residuals {
    /// Each of them.
    pub all: Vec<Residual>,
    /// Whether marks of the text told the halves apart (`lawson.phase="backward"`, `transpose(` in metadata); else what
    /// waits across the peak of memory counts as residual.
    pub marked: bool,
    /// Bytes that wait for the backward half.
    pub bytes: u64,
    /// Bytes that would wait if each value that the backward half uses were saved.
    pub bytes_if_all_saved: u64,
    /// The most bytes in use at once between kernels, with the decisions; arguments and results apart.
    pub peak: u64,
    /// The same if all were saved that fusion leaves in memory.
    pub peak_without: u64,
}

impl Residuals {
    /// Whether there is something to say: where no marks tell a backward half, only if something is computed again.
    pub fn tells(&self) -> bool {
        !self.all.is_empty() && (self.marked || self.peak < self.peak_without)
    }
}

/// One of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Residual {
    /// The instruction that makes it.
    pub value: String,
    /// Its shape as HLO writes it.
    pub shape: String,
    /// Its size, saved or not.
    pub bytes: u64,
    /// What of it waits in memory: all of it, its bits, or nothing.
    pub stored: u64,
    /// `saved`, `recomputed` or `rewritten`.
    pub fate: String,
    /// Why, as a sentence.
    pub reason: String,
    /// Backward kernels that use it.
    pub readers: u64,
    /// The user's source lines.
    pub places: Vec<String>,
}

/// What the report of the passes has about residuals.
pub fn residuals(planned: &Planned, (names, file): (&Names, &str)) -> Residuals {
    let report = &planned.report;
    let of = |r: &report::Residual| Residual {
        value: names.best(&r.value, &r.origin),
        shape: r.shape.to_string(),
        bytes: r.bytes.max(0) as u64,
        stored: r.stored.max(0) as u64,
        fate: fate(r.fate).into(),
        reason: reason(&r.reason),
        readers: r.readers,
        places: places(&planned.module, &r.origin, file),
    };
    let most = |of: fn(&report::ResidualPlan) -> i64| {
        report.residual_plans.iter().map(of).max().unwrap_or(0).max(0) as u64
    };
    Residuals {
        all: report.residuals.iter().map(of).collect(),
        marked: report.residual_plans.iter().any(|p| p.marked),
        bytes: report.residuals.iter().map(|r| r.stored.max(0) as u64).sum(),
        bytes_if_all_saved: report.residuals.iter().map(|r| r.bytes.max(0) as u64).sum(),
        peak: most(|p| p.peak_after),
        peak_without: most(|p| p.peak_before),
    }
}

fn fate(fate: ResidualFate) -> &'static str {
    match fate {
        ResidualFate::Saved => "saved",
        ResidualFate::Recomputed => "recomputed",
        ResidualFate::Rewritten => "rewritten",
    }
}

fn reason(reason: &ResidualReason) -> String {
    match reason {
        ResidualReason::Cheapest => "no choice lets fewer bytes wait at so little cost".into(),
        ResidualReason::Fused => "the kernels that use it compute it of what is there anyhow".into(),
        ResidualReason::Again { us, bytes } => format!(
            "{} need not wait, and the kernels take {} {}",
            human(bytes.max(&0).unsigned_abs()),
            time(us.abs()),
            if *us > 0.0 { "more" } else { "less" }
        ),
        ResidualReason::Slower { saved_us, again_us } => format!(
            "computing it again, the kernels would take {} instead of {}",
            time(*again_us),
            time(*saved_us)
        ),
        ResidualReason::NoPlan(refusal) => format!("no kernel computes it again: {refusal}"),
        ResidualReason::Result => "it is part of the result".into(),
        ResidualReason::Bits => "one bit for each element of a mask is enough".into(),
        ResidualReason::Available => "the same in terms of a result that is available anyhow".into(),
        ResidualReason::Small => "it is small".into(),
        ResidualReason::Opaque { opcode } => format!("`{opcode}` is not computed twice"),
    }
}

/// The section of the text report; of many residuals the largest, as many as `shown` gives of them.
pub fn section(r: &Residuals, shown: impl Fn(usize) -> usize) -> String {
    if !r.tells() {
        return String::new();
    }
    let count = |fate: &str| r.all.iter().filter(|r| r.fate == fate).count();
    let title = if r.marked { "residuals" } else { "what waits" };
    let mut out = format!("\n  {title:<12} {} saved, {}", count("saved"), human(r.bytes));
    out += &format!("; {} recomputed, {} rewritten;", count("recomputed"), count("rewritten"));
    out += &format!(" all {}\n", human(r.bytes_if_all_saved));
    out +=
        &format!("  peak memory  {}, {} if fusion left it at that\n", human(r.peak), human(r.peak_without));
    if !r.marked {
        out += "               (no marks tell the backward half: what waits while much is in use)\n";
    }
    let mut order: Vec<&Residual> = r.all.iter().collect();
    order.sort_by_key(|r| (r.fate != "saved", std::cmp::Reverse(r.bytes)));
    for r in &order[..shown(order.len())] {
        let size = match r.stored {
            0 => human(r.bytes),
            stored if stored == r.bytes => human(r.bytes),
            stored => format!("{} of {}", human(stored), human(r.bytes)),
        };
        let line = format!("  {:<10}  {}  {}  {size}", r.fate, r.value, r.shape);
        out.push('\n');
        out += &filled(&line, "              ");
        out += &filled(&format!("              {}", r.reason), "              ");
    }
    out
}

/// The same as JSON.
pub fn to_json(r: &Residuals) -> Value {
    let one = |r: &Residual| {
        json!({
            "value": r.value,
            "shape": r.shape,
            "bytes": r.bytes,
            "stored": r.stored,
            "fate": r.fate,
            "reason": r.reason,
            "readers": r.readers,
            "places": r.places,
        })
    };
    json!({
        "all": r.all.iter().map(one).collect::<Vec<_>>(),
        "marked": r.marked,
        "bytes": r.bytes,
        "bytes_if_all_saved": r.bytes_if_all_saved,
        "peak_bytes": r.peak,
        "peak_bytes_without": r.peak_without,
    })
}
