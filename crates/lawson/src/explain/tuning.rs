//! What measuring plans found out, as a section of the report: for each kernel the plans that were tried, what was chosen and
//! why.

use super::text::{Shown, filled, places, time};
use crate::tuning::{Candidate, Tuned, Tuning};
use serde_json::{Value, json};

/// The plan of a candidate in words.
pub(super) fn name(candidate: &Candidate) -> &str {
    candidate.choice.as_deref().unwrap_or("as planned")
}

/// Why a kernel has its plan, and how much that gains.
pub(super) fn verdict(tuned: &Tuned) -> String {
    let chosen = tuned.candidates.get(tuned.chosen).map_or("as planned", name);
    let us = |n: usize| tuned.candidates.get(n).and_then(|c| c.measured_us);
    let gain = match (tuned.chosen, us(0), us(tuned.chosen)) {
        (1.., Some(own), Some(us)) if us > 0.0 => format!(", {:.2} times as fast", own / us),
        _ => String::new(),
    };
    let known = if tuned.known { " (known from before)" } else { "" };
    format!("{chosen}{gain}: {}{known}", tuned.verdict.because())
}

/// How many kernels were measured, in how much time, and what was not.
pub(super) fn summary(t: &Tuning) -> String {
    let changed = t.kernels.iter().filter(|k| k.chosen > 0).count();
    let mut out = format!(
        "{} measured in {}, at most {}; {changed} changed",
        kernels(t.kernels.len()),
        time(t.spent.as_secs_f64() * 1e6),
        time(t.limit.as_secs_f64() * 1e6)
    );
    if t.single > 0 {
        out += &format!("; {} with no other plan about as fast", kernels(t.single));
    }
    if t.left > 0 {
        out += &format!("; {} not reached in that time: --tune=SECONDS gives more", kernels(t.left));
    }
    out
}

fn kernels(n: usize) -> String {
    format!("{n} kernel{}", if n == 1 { "" } else { "s" })
}

/// The section of the report.
pub(super) fn text(t: &Tuning, shown: Shown) -> String {
    const INDENT: &str = "            ";
    let mut out = String::from("\n") + &filled(&format!("  plans tried  {}", summary(t)), "               ");
    for tuned in &t.kernels[..shown.of(t.kernels.len())] {
        out += "\n";
        out += &filled(&format!("  {}  {}", places(&tuned.sites), verdict(tuned)), INDENT);
        for (n, candidate) in tuned.candidates.iter().enumerate() {
            let mark = if n == tuned.chosen { "*" } else { " " };
            let measured = candidate.measured_us.map_or("no".into(), time);
            let predicted = time(candidate.predicted_us);
            out += &format!(
                "    {mark} {:<34} predicted {predicted:>9}  measured {measured:>9}\n",
                name(candidate)
            );
        }
    }
    out + &shown.rest(t.kernels.len(), "kernels with several plans")
}

/// The same as JSON.
pub(super) fn to_json(t: &Tuning) -> Value {
    let candidate = |(c, is_chosen): (&Candidate, bool)| {
        json!({
            "plan": name(c),
            "predicted_us": c.predicted_us,
            "measured_us": c.measured_us,
            "chosen": is_chosen,
        })
    };
    let kernel = |k: &Tuned| {
        let candidates = k.candidates.iter().enumerate().map(|(n, c)| (c, n == k.chosen));
        json!({
            "kernels": k.sites,
            "candidates": candidates.map(candidate).collect::<Vec<_>>(),
            "verdict": k.verdict.name(),
            "reason": k.verdict.because(),
            "cached": k.known,
        })
    };
    json!({
        "kernels": t.kernels.iter().map(kernel).collect::<Vec<_>>(),
        "without_choice": t.single,
        "not_reached": t.left,
        "limit_s": t.limit.as_secs_f64(),
        "spent_s": t.spent.as_secs_f64(),
    })
}

/// One that has one of everything; tests of the renderings share it.
#[cfg(test)]
pub(crate) fn example() -> Tuning {
    use crate::tuning::Verdict;
    use std::time::Duration;
    let candidate = |choice: Option<&str>, predicted_us, measured_us| Candidate {
        choice: choice.map(Into::into),
        predicted_us,
        measured_us,
    };
    Tuning {
        kernels: vec![Tuned {
            kernel: 0,
            sites: vec![0],
            candidates: vec![
                candidate(None, 710.0, Some(900.0)),
                candidate(Some("tile of 7 rows x 2 vectors"), 720.0, Some(600.0)),
                candidate(Some("operand <packed>"), 730.0, None),
            ],
            chosen: 1,
            verdict: Verdict::Faster,
            known: true,
        }],
        single: 2,
        left: 1,
        limit: Duration::from_secs(10),
        spent: Duration::from_millis(250),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_says_what_was_tried_and_why() {
        let told = text(&example(), Shown::All);
        let expected = "
  plans tried  1 kernel measured in 250.00 ms, at most 10.00 s; 1 changed; 2
               kernels with no other plan about as fast; 1 kernel not reached in
               that time: --tune=SECONDS gives more

  kernel 0  tile of 7 rows x 2 vectors, 1.50 times as fast: it was faster in
            both rounds (known from before)
      as planned                         predicted  710.0 µs  measured  900.0 µs
    * tile of 7 rows x 2 vectors         predicted  720.0 µs  measured  600.0 µs
      operand <packed>                   predicted  730.0 µs  measured        no
";
        assert_eq!(told, expected);
        let value = to_json(&example());
        assert_eq!(value["kernels"][0]["candidates"][1]["chosen"], true);
        assert_eq!(value["kernels"][0]["cached"], true);
        assert!(value["kernels"][0]["candidates"][2]["measured_us"].is_null());
        assert_eq!((&value["kernels"][0]["verdict"], &value["not_reached"]), (&json!("faster"), &json!(1)));
    }
}
