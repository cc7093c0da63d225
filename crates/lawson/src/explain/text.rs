//! The explanation as text for a terminal.
//!
//! ```text
//! softmax.hlo · f32[4096,1024] → f32[4096,1024] · cpu zen4, 2 threads, standard
//!
//!   7 instructions → 1 kernel          unfused 128.0 MiB · fused 32.0 MiB · saved 75 %
//!   predicted 0.71 ms, bound by memory (47 GB/s)
//!
//!   kernel 0  reduction  rows 4096 × 1024, 3 stages in L1    read 16.0 MiB  write 16.0 MiB  0.71 ms
//!             reduce.7 → exponential.9 → reduce.14 → divide.16
//!             from train.py:12
//!
//!   edges fused  6     saves 96.0 MiB
//!   edges kept   0
//! ```

use super::{Decision, Explanation, Kernel};
use crate::memory::human;

/// Instructions named in the line of a kernel; of more the first and last are.
const NAMED: usize = 40;

/// Columns a line has.
const WIDTH: usize = 100;

pub fn render(e: &Explanation) -> String {
    let mut out = format!("{} · {} · {}\n\n", e.module, e.signature, e.machine);
    out += &totals(e);
    for (i, k) in e.kernels.iter().enumerate() {
        out += &kernel(i, k);
    }
    out += &edges(&e.decisions);
    out
}

fn totals(e: &Explanation) -> String {
    let t = &e.totals;
    let saved = if t.bytes_unfused == 0 {
        0.0
    } else {
        100.0 * (t.bytes_unfused as f64 - t.bytes_fused as f64) / t.bytes_unfused as f64
    };
    let counts = format!("{} → {}", plural(t.instructions, "instruction"), plural(t.kernels, "kernel"));
    let mut out = format!(
        "  {counts:<32}   unfused {} · fused {} · saved {saved:.0} %\n",
        human(t.bytes_unfused),
        human(t.bytes_fused),
    );
    out += &format!("  predicted {}", time(t.predicted_us));
    if !t.bound.is_empty() {
        out += &format!(", bound by {}", t.bound);
    }
    out + "\n\n"
}

fn kernel(i: usize, k: &Kernel) -> String {
    let label = format!("kernel {i}");
    let what = format!("  {label:<9} {:<11} {}", k.category, k.plan);
    let mut cost =
        format!("read {}  write {}  {}", human(k.bytes_read), human(k.bytes_written), time(k.predicted_us));
    if let Some(us) = k.measured_us {
        cost += &format!(", measured {}", time(us));
    }
    match k.launches {
        Some(1) => {}
        Some(n) => cost += &format!("  {n} launches"),
        None => cost += "  launches unknown",
    }
    if k.phases > 1 {
        cost += &format!("  {} phases", k.phases);
    }
    let one_line = what.chars().count() + cost.chars().count() + 4 <= WIDTH;
    let mut out = if one_line { format!("{what}    {cost}") } else { format!("{what}\n            {cost}") };
    out.push('\n');
    out += &wrapped(&chain(&k.instructions), " → ", "            ");
    if !k.places.is_empty() {
        out += &wrapped(&k.places, ", ", "            from ");
    }
    out
}

/// Names joined on as many lines as they need, the first after `indent`.
fn wrapped(words: &[String], separator: &str, indent: &str) -> String {
    let (mut out, mut line) = (String::new(), indent.to_string());
    let mut empty = true;
    for (i, word) in words.iter().enumerate() {
        let separator = if i == 0 { "" } else { separator };
        let more = separator.chars().count() + word.chars().count();
        if !empty && line.chars().count() + more > WIDTH {
            out += &format!("{}{}\n", line, separator.trim_end());
            line = " ".repeat(indent.chars().count()) + word;
        } else {
            line += separator;
            line += word;
        }
        empty = false;
    }
    out + &line + "\n"
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
        let refusal = d.refusal.as_ref().map(|r| format!("{r}: ")).unwrap_or_default();
        let mut verdict = format!("  kept  {} → {}     {refusal}{}", d.producer, d.consumer, d.reason);
        let place = d.places.join(", ");
        let fits = verdict.chars().count() + place.chars().count() + 6 <= WIDTH;
        if fits && !place.is_empty() {
            verdict += &format!("      {place}");
        }
        out += &format!("\n{verdict}\n");
        if let Some(counterfactual) = &d.counterfactual {
            out += &format!("        {counterfactual}\n");
        }
        if !fits && !place.is_empty() {
            out += &format!("        at {place}\n");
        }
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

  4 instructions → 1 kernel          unfused 128.0 MiB · fused 32.0 MiB · saved 75 %
  predicted 710.0 µs, bound by memory (47 GB/s)

  kernel 0  reduction   rows 4096 × 1024, 3 stages in L1    read 16.0 MiB  write 16.0 MiB  710.0 µs
            exp.1 → sum.2 → div.3
            from train.py:12

  edges fused  1     saves 32.0 MiB
  edges kept   1

  kept  sort.4 → mul.9     Sort: a sort reads its whole row before it writes      model.py:31
        would fuse if mul.9 read sort.4 in row order; would save 8.0 MiB
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
        assert!(text.lines().count() > 3 && text.lines().all(|l| l.chars().count() <= WIDTH + 2), "{text}");
        assert!(text.lines().all(|l| l.starts_with("    i") || l.starts_with("    …")), "{text}");
    }
}
