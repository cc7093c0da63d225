//! The explanation as text for a terminal.
//!
//! ```text
//! softmax.hlo · f32[4096,1024] → f32[4096,1024] · cpu zen4, 2 threads, standard
//!
//!   7 instructions → 1 kernel
//!   bytes      unfused 128.0 MiB · fused 32.0 MiB · saved 96.0 MiB (75 %)
//!   by formula unfused 112.0 MiB · fused 16.0 MiB · saved 96.0 MiB (86 %)
//!   predicted  0.71 ms, bound by memory (47 GB/s)
//!
//!   kernel 0  reduction   rows 4096 × 1024, 3 stages in L1
//!             read 16.0 MiB  write 16.0 MiB  0.71 ms
//!             reduce.7 → exponential.9 → reduce.14 → divide.16
//!             from train.py:12
//!
//!   edges fused  6     saves 96.0 MiB
//!   edges kept   0
//! ```
//!
//! No line is longer than a terminal of 80 columns shows, a name that is longer itself apart.

use super::{Candidate, Compiled, Decision, Explanation, Kernel, Layout};
use crate::memory::human;

/// Instructions named in the line of a kernel; of more the first and last are.
const NAMED: usize = 40;

/// Columns a line has.
const WIDTH: usize = 80;

pub fn render(e: &Explanation) -> String {
    let head = [e.module.clone(), e.signature.clone(), e.machine.clone()];
    let mut out = match head.iter().all(|part| part.chars().count() + 2 <= WIDTH) {
        true => wrapped(&head, " · ", ""),
        false => filled(&head.join(" · "), "  "),
    };
    out.push('\n');
    out += &totals(e);
    for (i, k) in e.kernels.iter().enumerate() {
        out += &kernel(i, k);
    }
    out += &edges(&e.decisions);
    out += &launches(&e.candidates);
    out += &layouts(&e.layouts);
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
    out += &line("by formula", t.bytes_unfused_formula, t.bytes_fused_formula, t.bytes_saved_formula);
    out += &format!("  predicted  {}", time(t.predicted_us));
    if !t.bound.is_empty() {
        out += &format!(", bound by {}", t.bound);
    }
    out + "\n" + &compiled(&e.compiled) + "\n"
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
fn filled(text: &str, indent: &str) -> String {
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

fn edges(decisions: &[Decision]) -> String {
    let fused = decisions.iter().filter(|d| d.fused);
    let saved: u64 = fused.clone().map(|d| d.bytes_saved).sum();
    let kept: Vec<&Decision> = decisions.iter().filter(|d| !d.fused).collect();
    let mut out = format!("\n  edges fused  {:<5} saves {}\n", fused.count(), human(saved));
    out += &format!("  edges kept   {}\n", kept.len());
    for d in kept {
        out += "\n";
        out += &kept_edge(d);
    }
    out
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
    let edge = format!("  kept  {} → {}", d.producer, d.consumer);
    let refusal = d.refusal.as_ref().map(|r| format!("{r}: ")).unwrap_or_default();
    let verdict = format!("{refusal}{}", d.reason);
    let place = d.places.join(", ");
    let fits = |line: &str, more: &str| line.chars().count() + more.chars().count() + 5 <= WIDTH;
    let mut out = match fits(&edge, &verdict) {
        true => format!("{edge}     {verdict}"),
        false => edge,
    };
    let told = out.ends_with(&verdict);
    let placed = !place.is_empty() && fits(&out, &place);
    if placed {
        out += &format!("     {place}");
    }
    out.push('\n');
    if !told {
        out += &filled(&format!("{INDENT}{verdict}"), INDENT);
    }
    if let Some(counterfactual) = &d.counterfactual {
        out += &filled(&format!("{INDENT}{counterfactual}"), INDENT);
    }
    if !placed && !place.is_empty() {
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
  by formula unfused 128.0 MiB · fused 16.0 MiB · saved 96.0 MiB (75 %)
  predicted  710.0 µs, bound by memory (47 GB/s)
  compiled   full in 12.00 ms: plan 1.50 ms, code 10.50 ms

  kernel 0  reduction   rows 4096 × 1024, 3 stages in L1
            read 16.0 MiB  write 16.0 MiB  710.0 µs
            exp.1 → sum.2 → div.3
            from train.py:12

  edges fused  1     saves 32.0 MiB
  edges kept   1

  kept  sort.4 → mul.9     Sort: a sort reads its whole row before it writes
        would fuse if mul.9 read sort.4 in row order; would save 8.0 MiB
        at model.py:31

  kernels that share a launch  1
  kernels on their own         1

  alone  div.3
        LongByItself: it runs for 710 µs

  arrays that lie in another order  1

  lies  exp.1  f32[4096,1024]{0,1}: the kernels around it take 710.0 µs, not
        830.0 µs
";
        assert_eq!(render(&example()), expected);
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
