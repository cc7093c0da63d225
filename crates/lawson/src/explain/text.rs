//! The explanation as text for a terminal.
//!
//! ```text
//! softmax.hlo · f32[4096,1024] → f32[4096,1024] · cpu zen4, 2 threads, standard
//!
//!   7 instructions → 1 kernel
//!   bytes      unfused 128.0 MiB · fused 32.0 MiB · saved 96.0 MiB (75 %)
//!   2 × size   unfused 112.0 MiB · fused 16.0 MiB · saved 96.0 MiB (86 %)
//!              (the formula of the paper Operator Fusion in XLA)
//!   predicted  0.71 ms, bound by memory (47 GB/s)
//!
//!   kernel 0  reduction   rows 4096 × 1024, 3 stages in L1
//!             read 16.0 MiB  write 16.0 MiB  0.71 ms
//!             reduce.7 → exponential.9 → reduce.14 → divide.16
//!             from train.py:12
//!
//!   reduction: reductions over the same rows with what is between them
//!
//!   edges fused  6     save 96.0 MiB
//!   edges kept   0
//! ```
//!
//! A long report begins with a summary and shows the kernels that take the most time and the kept edges that would save
//! the most; [`Shown::All`] shows the others too. No line is longer than a terminal of 80 columns shows, a name that is longer itself apart.

use super::{Candidate, Compiled, Decision, Explanation, Kernel, Layout, Repeat, Repeated, residuals};
use super::{crossing, tuning};
use crate::memory::human;
use std::collections::BTreeMap;

/// Instructions named in the line of a kernel; of more the first and last are.
const NAMED: usize = 40;

/// Columns a line has.
const WIDTH: usize = 80;

/// Kernels, kept edges and the like of which a report shows the most important.
const MOST: usize = 10;

/// How much of a long report is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The ten most important.
    Most,
    /// Everything.
    All,
}

impl Shown {
    /// How many of so many are shown.
    pub(super) fn of(self, all: usize) -> usize {
        if self == Shown::All { all } else { all.min(MOST) }
    }

    /// The line about the others, if any.
    pub(super) fn rest(self, all: usize, what: &str) -> String {
        match all - self.of(all) {
            0 => String::new(),
            rest => format!("\n  … {rest} more {what}; --all shows them\n"),
        }
    }
}

/// What matters most.
impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&render(self, Shown::Most))
    }
}

/// The report as text.
pub fn render(e: &Explanation, shown: Shown) -> String {
    let head = [e.module.clone(), e.signature.clone(), e.machine.clone()];
    let mut out = match head.iter().all(|part| part.chars().count() + 2 <= WIDTH) {
        true => wrapped(&head, " · ", ""),
        false => filled(&head.join(" · "), "  "),
    };
    out.push('\n');
    out += &totals(e);
    let kept = e.decisions.iter().filter(|d| !d.fused).count();
    if e.kernels.len().max(kept) > MOST {
        out += &summary(e, shown);
    }
    out += &kernels(&e.kernels, shown);
    out += &categories(&e.kernels);
    out += &repeated(&e.repeated, shown);
    out += &edges(&e.decisions, shown);
    out += &residuals::section(&e.residuals, |all| shown.of(all));
    if e.residuals.tells() {
        out += &shown.rest(e.residuals.all.len(), "residuals");
    }
    out += &launches(&e.candidates);
    out += &layouts(&e.layouts);
    out += &e.tuning.as_ref().map_or_else(String::new, |t| tuning::text(t, shown));
    out
}

fn totals(e: &Explanation) -> String {
    let t = &e.totals;
    let mut counts = format!("  {} → {}", plural(t.instructions, "instruction"), plural(t.kernels, "kernel"));
    match t.launches {
        Some(1) if t.kernels == 1 => {}
        Some(1) => counts += ", 1 launch",
        Some(n) => counts += &format!(", {n} launches"),
        None => counts += ", launches unknown",
    }
    if t.copies > 0 {
        counts += &format!(", {} {}", t.copies, if t.copies == 1 { "copy" } else { "copies" });
    }
    let line = |label: &str, unfused: u64, fused: u64, saved: u64| {
        let percent = 100.0 * saved as f64 / unfused.max(1) as f64;
        format!(
            "  {label:<10} unfused {} · fused {} · saved {} ({percent:.0} %)\n",
            human(unfused),
            human(fused),
            human(saved)
        )
    };
    let mut out = counts + "\n";
    out += &line("bytes", t.bytes_unfused, t.bytes_fused, t.bytes_saved);
    out += &line("2 × size", t.bytes_unfused_formula, t.bytes_fused_formula, t.bytes_saved_formula);
    out += "             (the formula of the paper Operator Fusion in XLA)\n";
    let calibrated = if t.calibrated { " (this machine as measured)" } else { "" };
    out += &format!("  predicted  {}{calibrated}", time(t.predicted_us));
    if !t.bound.is_empty() {
        out += &format!(", bound by {}", t.bound);
    }
    out += "\n";
    if let Some(residence) = &e.residence {
        out += &crossing::text(residence);
    }
    out + &compiled(&e.compiled) + "\n"
}

/// How many kernels of each category, and verdicts of each kind.
fn summary(e: &Explanation, shown: Shown) -> String {
    let mut of_category: BTreeMap<&str, usize> = BTreeMap::new();
    e.kernels.iter().for_each(|k| *of_category.entry(&k.category).or_default() += 1);
    let categories: Vec<String> = of_category.iter().map(|(c, n)| format!("{n} {c}")).collect();
    let (fused, kept): (Vec<_>, Vec<_>) = e.decisions.iter().partition(|d| d.fused);
    const INDENT: &str = "             ";
    let mut out = filled(&format!("  kernels    {}", categories.join(", ")), INDENT);
    let kept = if kept.is_empty() { String::new() } else { format!(": {}", grounds(&kept)) };
    let number = e.decisions.len() - fused.len();
    out += &filled(&format!("  edges      {} fused, {number} kept{kept}", fused.len()), INDENT);
    if shown == Shown::Most {
        out += &filled(
            &format!(
                "  shown      the {MOST} kernels that take the most time and the {MOST} kept edges that would save \
                 the most bytes; --all shows all"
            ),
            INDENT,
        );
    }
    out + "\n"
}

/// `12 because separate kernels are faster, 3 because …`.
fn grounds(kept: &[&Decision]) -> String {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for ground in kept.iter().filter_map(|d| d.ground) {
        *counts.entry(ground).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let words = counts.iter().map(|(ground, n)| format!("{n} because {}", ground.because()));
    words.collect::<Vec<_>>().join(", ")
}

/// The kernels in their order; of many those that take the most time, the longest first.
fn kernels(all: &[Kernel], shown: Shown) -> String {
    let mut order: Vec<usize> = (0..all.len()).collect();
    if shown.of(all.len()) < all.len() {
        let time = |k: &Kernel| k.launches.unwrap_or(1) as f64 * k.predicted_us;
        order.sort_by(|&a, &b| time(&all[b]).total_cmp(&time(&all[a])));
        order.truncate(shown.of(all.len()));
    }
    let text: String = order.into_iter().map(|n| kernel(n, &all[n])).collect();
    text + &shown.rest(all.len(), "kernels")
}

/// What the categories of these kernels mean.
fn categories(kernels: &[Kernel]) -> String {
    const MEANINGS: [(&str, &str); 7] = [
        ("elementwise", "operations on the same elements of arrays of one shape"),
        ("loop", "operations without reductions that also move elements (broadcast, slice, transpose)"),
        ("input", "a reduction, product, sort or update with the operations on its input"),
        ("output", "a reduction or product with the operations on its result"),
        ("reduction", "several reductions or products, with the operations between them"),
        (
            "loop-carried",
            "a loop with its state in registers, and in arrays of which a trip changes a few elements",
        ),
        ("library", "a routine for whole matrices, which is called and not compiled"),
    ];
    let used = MEANINGS.iter().filter(|(name, _)| kernels.iter().any(|k| k.category == *name));
    let lines: String = used.map(|(name, meaning)| filled(&format!("  {name}: {meaning}"), "    ")).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// Instructions that several kernels list, and why.
fn repeated(all: &[Repeated], shown: Shown) -> String {
    let told = [
        (Repeat::Again, "computed again in each of several kernels, instead of being read"),
        (Repeat::Parts, "became several operations, which several kernels compute"),
    ];
    let mut out = String::new();
    for (how, title) in told {
        let mut groups: Vec<(&[usize], Vec<String>)> = Vec::new();
        for r in all.iter().filter(|r| r.how == how) {
            match groups.iter_mut().find(|(kernels, _)| *kernels == r.kernels) {
                Some((_, names)) => names.push(r.instruction.clone()),
                None => groups.push((&r.kernels, vec![r.instruction.clone()])),
            }
        }
        if groups.is_empty() {
            continue;
        }
        out += &format!("\n  {title}\n");
        for (kernels, names) in &groups[..shown.of(groups.len())] {
            let line = format!("    {}: {}", places(kernels), chain(names).join(", "));
            out += &filled(&line, "      ");
        }
        out += &shown.rest(groups.len(), "of these").replacen('\n', "", 1);
    }
    out
}

/// `kernels 0, 2`; none is for what the host does, and for transposes that are no longer computed.
pub(super) fn places(kernels: &[usize]) -> String {
    let numbers: Vec<String> = kernels.iter().map(usize::to_string).collect();
    match kernels.len() {
        0 => "no kernel".into(),
        1 => format!("kernel {}", numbers[0]),
        _ => format!("kernels {}", numbers.join(", ")),
    }
}

/// What each mode costs, where it was measured.
fn compiled(modes: &[Compiled]) -> String {
    match modes {
        [] => String::new(),
        _ => filled(&format!("  compiled   {}", costs(modes)), "             "),
    }
}

/// `full in 12.00 ms: plan 1.50 ms, code 10.50 ms; fast in …`.
pub(super) fn costs(modes: &[Compiled]) -> String {
    let one = |c: &Compiled| {
        let (plan, code) = (c.planning_ms * 1e3, c.code_ms * 1e3);
        format!("{} in {}: plan {}, code {}", c.mode, time(plan + code), time(plan), time(code))
    };
    modes.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn kernel(i: usize, k: &Kernel) -> String {
    const INDENT: &str = "            ";
    let label = format!("kernel {i}");
    let what = format!("  {label:<9} {:<11} {}", k.category, k.plan);
    let mut cost = vec![
        format!("read {}", human(k.bytes_read)),
        format!("write {}", human(k.bytes_written)),
        time(k.predicted_us),
    ];
    cost.extend(k.measured_us.map(|us| format!("measured {} ({:.2}x)", time(us), us / k.predicted_us)));
    cost.extend(k.occupancy.map(|o| format!("occupancy {:.0} %", 100.0 * o)));
    match k.launches {
        Some(1) => {}
        Some(n) => cost.push(format!("{n} launches")),
        None => cost.push("launches unknown".into()),
    }
    if k.phases > 1 {
        cost.push(format!("{} phases", k.phases));
    }
    let joined = cost.join("  ");
    let fits = what.chars().count() + joined.chars().count() + 4 <= WIDTH;
    let mut out = match fits {
        true => format!("{what}    {joined}\n"),
        false => filled(&what, INDENT) + &wrapped(&cost, "  ", INDENT),
    };
    let names: Vec<String> = k.instructions.iter().map(|i| i.name.clone()).collect();
    out += &wrapped(&chain(&names), " → ", INDENT);
    if !k.places.is_empty() {
        out += &filled(&format!("{INDENT}from {}", lines(&k.places)), &format!("{INDENT}     "));
    }
    out
}

/// Items joined on as many lines as they need, the first after `indent`.
fn wrapped(items: &[String], separator: &str, indent: &str) -> String {
    let (mut out, mut line) = (String::new(), indent.to_string());
    for (i, item) in items.iter().enumerate() {
        let more = separator.chars().count() + item.chars().count();
        // The separator stays at the end of a line that is full.
        let reserve = if i + 1 < items.len() { separator.trim_end().chars().count() } else { 0 };
        if i > 0 && line.chars().count() + more + reserve > WIDTH {
            out += &format!("{}{}\n", line, separator.trim_end());
            line = " ".repeat(indent.chars().count()) + item;
        } else {
            line += if i == 0 { "" } else { separator };
            line += item;
        }
    }
    out + &line + "\n"
}

/// Places in one text that can be broken after each comma: `m.hlo:6-8, 10, train.py:4`.
fn lines(places: &[String]) -> String {
    let joined = places.join(", ");
    if joined.chars().count() < WIDTH / 2 { joined } else { joined.replace(", ", ",").replace(',', ", ") }
}

/// A text broken between words; later lines stand after `indent`.
pub(super) fn filled(text: &str, indent: &str) -> String {
    let (mut out, mut line, mut words) = (String::new(), String::new(), 0);
    let start = text.len() - text.trim_start().len();
    line += &text[..start];
    for word in text[start..].split(' ') {
        if words > 0 && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += line.trim_end();
            out.push('\n');
            line = indent.to_string();
            words = 0;
        }
        line += if words == 0 { "" } else { " " };
        line += word;
        words += 1;
    }
    out + line.trim_end() + "\n"
}

/// All names, or of many the first and the last.
fn chain(names: &[String]) -> Vec<String> {
    if names.len() <= NAMED {
        return names.to_vec();
    }
    let mut shown = names[..NAMED - 2].to_vec();
    shown.push(format!("… {} more …", names.len() - NAMED + 1));
    shown.extend(names.last().cloned());
    shown
}

/// What fused edges save, and the kept ones, first those that would save the most.
fn edges(decisions: &[Decision], shown: Shown) -> String {
    let fused = decisions.iter().filter(|d| d.fused);
    let saved: u64 = fused.clone().map(|d| d.bytes_saved).sum();
    let mut kept: Vec<&Decision> = decisions.iter().filter(|d| !d.fused).collect();
    kept.sort_by_key(|d| std::cmp::Reverse(d.would_save_bytes));
    let mut out = format!("\n  edges fused  {:<5} save {}\n", fused.count(), human(saved));
    out += &format!("  edges kept   {}\n", kept.len());
    for d in &kept[..shown.of(kept.len())] {
        out += "\n";
        out += &kept_edge(d);
    }
    out + &shown.rest(kept.len(), "edges")
}

/// Of several kernels, which share a launch, and why the others do not.
fn launches(candidates: &[Candidate]) -> String {
    if candidates.len() < 2 {
        return String::new();
    }
    let alone: Vec<&Candidate> = candidates.iter().filter(|c| !c.joined).collect();
    let mut out = format!("\n  kernels that share a launch  {}\n", candidates.len() - alone.len());
    out += &format!("  kernels on their own         {}\n", alone.len());
    let mut reasons: Vec<(&Candidate, Vec<String>)> = Vec::new();
    for c in alone {
        match reasons.iter_mut().find(|(known, _)| known.refusal == c.refusal) {
            Some((_, kernels)) => kernels.push(c.kernel.clone()),
            None => reasons.push((c, vec![c.kernel.clone()])),
        }
    }
    for (first, kernels) in reasons {
        let refusal = first.refusal.as_deref().unwrap_or_default();
        out += &filled(&format!("\n  alone  {}", chain(&kernels).join(", ")), "         ");
        out += &filled(&format!("        {refusal}: {}", first.reason), "        ");
    }
    out
}

/// Arrays in another order, each with what that gains.
fn layouts(layouts: &[Layout]) -> String {
    if layouts.is_empty() {
        return String::new();
    }
    let mut out = format!("\n  arrays that lie in another order  {}\n", layouts.len());
    for l in layouts {
        let (before, now) = (time(l.us_in_order), time(l.us));
        let line =
            format!("\n  lies  {}  {}: the kernels around it take {now}, not {before}", l.array, l.shape);
        out += &filled(&line, "        ");
    }
    out
}

fn kept_edge(d: &Decision) -> String {
    const INDENT: &str = "        ";
    let (from, to) = (places(&d.from_kernels), places(&d.to_kernels));
    let mut out = format!("  kept  {} → {}     {from} → {to}", d.producer, d.consumer);
    let place = d.places.join(", ");
    let placed = out.chars().count() + place.chars().count() + 5 <= WIDTH;
    if placed && !place.is_empty() {
        out += &format!("     {place}");
    }
    if out.chars().count() > WIDTH {
        out = format!("  kept  {} → {}\n", d.producer, d.consumer);
        out += &filled(&format!("{INDENT}{from} → {to}"), INDENT);
    } else {
        out.push('\n');
    }
    let refusal = d.refusal.as_ref().map(|r| format!("{r}: ")).unwrap_or_default();
    out += &filled(&format!("{INDENT}{refusal}{}", d.reason), INDENT);
    if let Some(counterfactual) = &d.counterfactual {
        out += &filled(&format!("{INDENT}{counterfactual}"), INDENT);
    }
    if !placed {
        out += &filled(&format!("{INDENT}at {}", lines(&d.places)), &format!("{INDENT}   "));
    }
    out
}

fn plural(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `0.71 ms`.
pub fn time(us: f64) -> String {
    match us {
        us if us < 1000.0 => format!("{us:.1} µs"),
        us if us < 1e6 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn a_report_reads_well() {
        let expected = "\
rows.hlo · f32[4096,1024] → f32[4096,1024] · cpu zen4, 2 threads, standard

  4 instructions → 1 kernel, launches unknown
  bytes      unfused 128.0 MiB · fused 32.0 MiB · saved 96.0 MiB (75 %)
  2 × size   unfused 128.0 MiB · fused 16.0 MiB · saved 96.0 MiB (75 %)
             (the formula of the paper Operator Fusion in XLA)
  predicted  710.0 µs, bound by memory (47 GB/s)
  compiled   full in 12.00 ms: plan 1.50 ms, code 10.50 ms

  kernel 0  reduction   rows 4096 × 1024, 3 stages in L1
            read 16.0 MiB  write 16.0 MiB  710.0 µs
            exp.1 → sum.2 → div.3
            from train.py:12

  reduction: several reductions or products, with the operations between them

  computed again in each of several kernels, instead of being read
    kernels 0, 1: exp.1

  edges fused  1     save 32.0 MiB
  edges kept   1

  kept  sort.4 → mul.9     kernel 0 → kernel 1     model.py:31
        Sort: a sort reads its whole row before it writes
        Sort less. Fusion would save up to 8.0 MiB, 160.0 µs.

  residuals    0 saved, 0 B; 1 recomputed, 0 rewritten; all 16.0 MiB
  peak memory  4.0 MiB, 20.0 MiB if fusion left it at that

  recomputed  exp.1  f32[4096,1024]  16.0 MiB
              16.0 MiB need not wait

  kernels that share a launch  1
  kernels on their own         1

  alone  div.3
        LongByItself: it runs for 710 µs

  arrays that lie in another order  1

  lies  exp.1  f32[4096,1024]{0,1}: the kernels around it take 710.0 µs, not
        830.0 µs
";
        // What was measured has tests of its own.
        let e = Explanation { tuning: None, ..example() };
        assert_eq!(render(&e, Shown::Most), expected);
    }

    #[test]
    fn a_long_report_begins_with_a_summary_and_shows_the_most_important() {
        let mut e = Explanation { tuning: None, ..example() };
        let (kernel, kept) = (e.kernels[0].clone(), e.decisions[1].clone());
        e.kernels = (0..30).map(|n| Kernel { predicted_us: n as f64, ..kernel.clone() }).collect();
        e.decisions = (0..40)
            .map(|n| Decision { producer: format!("p.{n}"), would_save_bytes: n, ..kept.clone() })
            .collect();
        let most = render(&e, Shown::Most);
        assert!(
            most.contains("edges      0 fused, 40 kept: 40 because no kernel can compute both"),
            "{most}"
        );
        assert!(most.contains("  kernels    30 reduction\n"), "{most}");
        assert_eq!((most.matches("\n  kernel ").count(), most.matches("\n  kept  ").count()), (MOST, MOST));
        let first = |line: &str| most.lines().find(|l| l.starts_with(line)).unwrap_or_default();
        assert!(first("  kept  ").starts_with("  kept  p.39 → mul.9"), "{most}");
        assert!(first("  kernel ").starts_with("  kernel 29 "), "{most}");
        assert!(
            most.contains("… 20 more kernels; --all") && most.contains("… 30 more edges; --all"),
            "{most}"
        );
        let all = render(&e, Shown::All);
        assert_eq!((all.matches("\n  kernel ").count(), all.matches("\n  kept  ").count()), (30, 40));
        assert!(!all.contains("--all"));
    }

    #[test]
    fn long_chains_are_shortened_and_wrapped() {
        let names: Vec<String> = (0..100).map(|i| format!("instruction.{i}")).collect();
        let shown = chain(&names);
        assert_eq!(shown.len(), NAMED);
        assert_eq!(shown[NAMED - 2..], ["… 61 more …", "instruction.99"]);
        let text = wrapped(&shown, " → ", "    ");
        assert!(text.lines().count() > 3 && text.lines().all(|l| l.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().all(|l| l.starts_with("    i") || l.starts_with("    …")), "{text}");
    }
}
