//! What a report states, each with a check that gives the sentences that are not so.

use lawson::explain::{Decision, Explanation, Ground, Kernel};
use lawson::load::Loaded;
use std::collections::{BTreeMap, BTreeSet};

/// One report, with what it is compared with.
pub struct Seen<'a> {
    pub loaded: &'a Loaded,
    pub report: &'a Explanation,
    /// The report on the same module and threads in which each instruction is its own kernel.
    pub unfused: &'a Explanation,
}

type Check = fn(&Seen<'_>) -> Vec<String>;

/// Every statement by name.
pub const STATEMENTS: &[(&str, Check)] = &[
    ("names are those of the module", names),
    ("kernels list every instruction that is computed", coverage),
    ("the kernels of an edge list its ends", ends),
    ("some kernel of the consumer of a kept edge does not compute the producer", kept),
    ("every kernel of the consumer of a fused edge computes the producer", fused),
    ("of an instruction in several kernels it is said why", repeated),
    ("edges save no more bytes than the program moves", bytes),
    ("fusing an edge would save no more bytes than its kernels move", possible_bytes),
    ("edges save no more time than the program takes", time),
    ("nothing is promised where separate kernels are faster", promises),
    ("a reason has no time and no number of phases, which depend on more than the edge", reasons),
    ("two loop nests are those of operations that need one", loop_nests),
    ("totals are the sums of their parts", totals),
];

fn holds(k: &Kernel, name: &str) -> bool {
    k.instructions.iter().any(|i| i.name == name)
}

fn edge(d: &Decision) -> String {
    let (from, to) = (&d.from_kernels, &d.to_kernels);
    let verdict = d.refusal.as_deref().unwrap_or("fused");
    format!("{} → {} ({from:?} → {to:?}): {verdict}: {}", d.producer, d.consumer, d.reason)
}

/// Every sentence of why something is not one kernel, with what it is about.
fn sentences(e: &Explanation) -> Vec<(String, &str)> {
    let mut all: Vec<(String, &str)> = e.decisions.iter().map(|d| (edge(d), &*d.reason)).collect();
    all.extend(e.joins.iter().map(|j| (format!("{:?}: {}", j.kernels, j.reason), &*j.reason)));
    all.extend(e.candidates.iter().map(|c| (format!("launch of {}: {}", c.kernel, c.reason), &*c.reason)));
    all
}

fn names(seen: &Seen<'_>) -> Vec<String> {
    let known: BTreeSet<&str> = seen.loaded.module.sources.iter().map(|s| &*s.name).collect();
    let e = seen.report;
    let mut said: Vec<(&str, String)> = Vec::new();
    for d in &e.decisions {
        said.extend([&d.producer, &d.consumer].map(|n| (&**n, edge(d))));
    }
    for k in &e.kernels {
        said.extend(k.instructions.iter().map(|i| (&*i.name, format!("kernel {}", k.name))));
    }
    for j in &e.joins {
        said.extend(j.kernels.iter().map(|n| (&**n, format!("join {:?}: {}", j.kernels, j.reason))));
    }
    said.extend(e.candidates.iter().map(|c| (&*c.kernel, format!("launch of {}: {}", c.kernel, c.reason))));
    said.extend(e.layouts.iter().map(|l| (&*l.array, format!("layout of {}", l.array))));
    said.extend(e.repeated.iter().map(|r| (&*r.instruction, format!("{r:?}"))));
    let wrong = said.into_iter().filter(|(name, _)| !known.contains(name));
    wrong.map(|(name, sentence)| format!("`{name}` in: {sentence}")).collect()
}

/// The optimised module is the same whatever may be fused, but for transposes: none is computed where an array lies in its
/// order.
fn coverage(seen: &Seen<'_>) -> Vec<String> {
    let here: BTreeSet<&str> =
        seen.report.kernels.iter().flat_map(|k| &k.instructions).map(|i| &*i.name).collect();
    let all = seen.unfused.kernels.iter().flat_map(|k| &k.instructions);
    // Nobody counts the trips of a loop whose kernels of several trips are few: it is none.
    let tiled = seen.report.decisions.iter().any(|d| d.pass == "time-tiling");
    let is_number = |text: &str| text.split_whitespace().any(|word| word.ends_with("[]"));
    let gone = |text: &str| text.contains(" transpose(") || tiled && is_number(text);
    let missing = all.filter(|i| !here.contains(&*i.name) && !gone(&i.text));
    missing.map(|i| format!("no kernel lists `{}`", i.name)).collect()
}

fn ends(seen: &Seen<'_>) -> Vec<String> {
    let kernels = &seen.report.kernels;
    // Loops and constants are no operations of a kernel, but may be ends of an edge.
    let operations: BTreeSet<&str> = kernels.iter().flat_map(|k| &k.instructions).map(|i| &*i.name).collect();
    let lists =
        |of: &[usize], name: &str| !operations.contains(name) || of.iter().all(|&k| holds(&kernels[k], name));
    let listed = |d: &&Decision| lists(&d.from_kernels, &d.producer) && lists(&d.to_kernels, &d.consumer);
    seen.report.decisions.iter().filter(|d| !listed(d)).map(edge).collect()
}

fn kept(seen: &Seen<'_>) -> Vec<String> {
    let apart =
        |d: &&Decision| d.to_kernels.is_empty() || d.to_kernels.iter().any(|k| !d.from_kernels.contains(k));
    seen.report.decisions.iter().filter(|d| !d.fused && !apart(d)).map(edge).collect()
}

fn fused(seen: &Seen<'_>) -> Vec<String> {
    // A transpose may be gone, where its operand lies as it would make it.
    let gone = |d: &Decision| d.from_kernels.is_empty() && d.reason.contains("no kernel computes");
    let inside = |d: &&Decision| d.to_kernels.iter().all(|k| d.from_kernels.contains(k)) || gone(d);
    seen.report.decisions.iter().filter(|d| d.fused && !inside(d)).map(edge).collect()
}

fn repeated(seen: &Seen<'_>) -> Vec<String> {
    let e = seen.report;
    let mut kernels: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (n, k) in e.kernels.iter().enumerate() {
        k.instructions.iter().for_each(|i| kernels.entry(&i.name).or_default().push(n));
    }
    let said = |name: &str, of: &[usize]| e.repeated.iter().any(|r| r.instruction == name && r.kernels == of);
    let silent = kernels.into_iter().filter(|(name, of)| of.len() > 1 && !said(name, of));
    silent.map(|(name, of)| format!("`{name}` is in kernels {of:?}")).collect()
}

fn bytes(seen: &Seen<'_>) -> Vec<String> {
    let (e, all) = (seen.report, seen.report.totals.bytes_unfused);
    let more = e.decisions.iter().filter(|d| d.bytes_saved > all);
    let mut wrong: Vec<String> =
        more.map(|d| format!("{} bytes of {all}: {}", d.bytes_saved, edge(d))).collect();
    let sum: u64 = e.decisions.iter().map(|d| d.bytes_saved).sum();
    if sum > all {
        wrong.push(format!("edges save {sum} of {all}"));
    }
    wrong
}

fn possible_bytes(seen: &Seen<'_>) -> Vec<String> {
    let kernels = &seen.report.kernels;
    let moved = |of: &[usize]| -> u64 {
        let bytes = |k: &Kernel| k.launches.unwrap_or(1) * (k.bytes_read + k.bytes_written);
        of.iter().map(|&k| bytes(&kernels[k])).sum()
    };
    let of_edge = |d: &Decision| moved(&d.from_kernels).saturating_add(moved(&d.to_kernels));
    let wrong = seen.report.decisions.iter().filter(|d| d.would_save_bytes > of_edge(d));
    wrong.map(|d| format!("{} bytes of {}: {}", d.would_save_bytes, of_edge(d), edge(d))).collect()
}

/// The program that fuses nothing, on as many threads.
fn time(seen: &Seen<'_>) -> Vec<String> {
    let sum: f64 = seen.report.decisions.iter().map(|d| d.us_saved).sum();
    let all = seen.unfused.totals.predicted_us * (1.0 + 1e-9);
    if sum > all { vec![format!("edges save {sum} of {all}")] } else { Vec::new() }
}

fn promises(seen: &Seen<'_>) -> Vec<String> {
    let kept = seen.report.decisions.iter().filter(|d| !d.fused);
    let told = kept.map(|d| (d, d.counterfactual.as_deref().unwrap_or_default()));
    let wrong = told.filter(|(d, told)| {
        let promised = d.would_save_bytes > 0 || told.contains("save");
        told.is_empty() || d.ground == Some(Ground::Cost) && promised
    });
    wrong.map(|(d, told)| format!("{}: {told}", edge(d))).collect()
}

fn reasons(seen: &Seen<'_>) -> Vec<String> {
    let units = [" ns", " µs", " ms", " phase"];
    let wrong = sentences(seen.report).into_iter().filter(|(_, s)| units.iter().any(|u| s.contains(u)));
    wrong.map(|(about, _)| about).collect()
}

/// The first of the two combines elements or loops; an elementwise operation alone never needs a nest of its own.
fn loop_nests(seen: &Seen<'_>) -> Vec<String> {
    const NEST: [&str; 9] = [
        "reduce",
        "reduce-window",
        "dot",
        "convolution",
        "sort",
        "scatter",
        "select-and-scatter",
        "dynamic-update-slice",
        "while",
    ];
    let wrong = sentences(seen.report).into_iter().filter(|(_, s)| {
        let first = s.split('`').nth(1).unwrap_or_default();
        s.contains("need a loop nest each") && !NEST.contains(&first)
    });
    wrong.map(|(about, _)| about).collect()
}

fn totals(seen: &Seen<'_>) -> Vec<String> {
    let (e, t) = (seen.report, &seen.report.totals);
    let launches = |k: &Kernel| k.launches.unwrap_or(1);
    let bytes: u64 = e.kernels.iter().map(|k| launches(k) * (k.bytes_read + k.bytes_written)).sum();
    let us: f64 = e.kernels.iter().map(|k| launches(k) as f64 * k.predicted_us).sum();
    let mut wrong = Vec::new();
    if bytes != t.bytes_fused {
        wrong.push(format!("kernels move {bytes} bytes, the total is {}", t.bytes_fused));
    }
    if t.bytes_saved != t.bytes_unfused.saturating_sub(t.bytes_fused) {
        wrong.push(format!("{} of {} leave {}", t.bytes_saved, t.bytes_unfused, t.bytes_fused));
    }
    if (us - t.predicted_us).abs() > 1e-6 * us {
        wrong.push(format!("kernels take {us} µs, the total is {}", t.predicted_us));
    }
    wrong
}
