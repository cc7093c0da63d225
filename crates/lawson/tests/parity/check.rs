//! Runs cases and compares what they give with what JAX recorded.

use crate::api::Tensor;
use crate::cases::{self, Case};
use crate::recorded::{Close, difference, recorded};
use std::collections::BTreeSet;

const VALUES: &str = include_str!("../../../../tests/parity/values.txt");

/// Every case gives what was recorded, computed by `run`; says of all that do not how they differ.
pub fn all(run: impl Fn(&Case) -> Result<Vec<Tensor>, String>) {
    let mut failures = Vec::new();
    for case in cases::all() {
        match run(case) {
            Ok(found) => failures.extend(differences(case, &found)),
            Err(e) => failures.push(format!("{}: {e}", case.name)),
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

fn differences(case: &Case, found: &[Tensor]) -> Vec<String> {
    let of_case = |line: &&str| line.split('/').next() == Some(case.name);
    let recordings = VALUES.lines().filter(of_case).count();
    if recordings != found.len() {
        return vec![format!("{}: {} results, not {recordings}", case.name, found.len())];
    }
    let one = |(number, found): (usize, &Tensor)| {
        let name = format!("{}/{number}", case.name);
        let difference = difference(found, &recorded(VALUES, &name), Close::Absolute(case.tolerance))?;
        Some(format!("{name}: {difference}"))
    };
    found.iter().enumerate().filter_map(one).collect()
}

/// What is recorded and what is run are the same cases.
#[test]
fn every_recording_has_a_case() {
    let recorded: BTreeSet<&str> = VALUES.lines().filter_map(|line| line.split('/').next()).collect();
    let run: BTreeSet<&str> = cases::all().iter().map(|case| case.name).collect();
    assert_eq!(recorded, run);
    assert!(run.len() >= 40, "{} cases", run.len());
}
