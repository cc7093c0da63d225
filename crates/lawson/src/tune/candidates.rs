//! Which plans of a kernel are measured: its own, and the few that differ from it in one decision and are predicted to take
//! not much longer.

use crate::compile::Planned;
use crate::options::Options;
use crate::tuning::Candidate;
use lawson_cpu::{CompileOptions, Key};
use lawson_kernel::cost::figures::{self, Figures};
use lawson_kernel::plan::{Choice, Plan, alternatives};
use lawson_kernel::program::{NamedKernel, PlannedKernel};
use lawson_kernel::target::Target;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// Plans that are measured of one kernel.
const MOST: usize = 8;
/// How much longer than its own plan another may be predicted to take. The model is right by about so much.
const FACTOR: f64 = 1.6;

/// The plans that a kernel might have, its own first.
pub struct Candidates {
    pub all: Vec<Made>,
}

/// A plan with its kernel.
pub struct Made {
    choice: Option<Choice>,
    pub kernel: NamedKernel,
    figures: Figures,
    predicted_us: f64,
    /// Of its code.
    key: Key,
}

impl Candidates {
    /// None but its own where there is nothing to choose, or where the kernel is no planned region.
    pub fn of(planned: &Planned, kernel: usize, options: &Options, how: &CompileOptions) -> Candidates {
        let named = &planned.scheduled.program.kernels[kernel];
        let Some(own) = named.source() else { return Candidates { all: Vec::new() } };
        let count = |plan: &Plan, target: &Target| figures::count(&own.region, plan, target);
        let made = |choice: Option<Choice>, kernel: NamedKernel| {
            let key = Key::of(&*kernel.lowered().ok()?, &how.target, how.effort);
            let figures = count(&kernel.source()?.plan, &planned.prices);
            let predicted_us = figures.cost().us_on(options.threads, &planned.prices);
            Some(Made { choice, kernel, figures, predicted_us, key })
        };
        let mut all: Vec<Made> = made(None, named.clone()).into_iter().collect();
        // Plans depend on the machine that is planned for alone.
        let us = |plan: &Plan| count(plan, &planned.target).cost().us_on(options.threads, &planned.target);
        let most = FACTOR * us(&own.plan);
        let others = alternatives(&own.region, &own.plan, &planned.target).into_iter();
        let others = others.map(|o| (o.choice, us(&o.plan), o)).filter(|o| o.1 <= most);
        for other in by_turns(others.collect()) {
            if all.is_empty() || all.len() == MOST {
                break;
            }
            let planned = Arc::new(PlannedKernel::new(own.region.clone(), other.plan));
            let kernel = NamedKernel::planned(named.name.clone(), planned);
            let same = kernel.parameters == named.parameters;
            let made = made(Some(other.choice), kernel);
            all.extend(made.filter(|m| same && all.iter().all(|known| known.key != m.key)));
        }
        Candidates { all }
    }

    /// What the outcome depends on.
    pub fn key(&self, threads: usize) -> Key {
        let keys: Vec<Key> = self.all.iter().map(|m| m.key).collect();
        Key::of_candidates(&keys, threads)
    }

    /// The plans as reports tell them.
    pub fn told(&self, us: &[Option<f64>]) -> Vec<Candidate> {
        let told = |(m, &measured_us): (&Made, &Option<f64>)| Candidate {
            choice: m.choice.map(|c| c.to_string()),
            predicted_us: m.predicted_us,
            measured_us,
        };
        self.all.iter().zip(us).map(told).collect()
    }

    /// Gives the program's kernel this plan.
    pub fn take(self, planned: &mut Planned, kernel: usize, chosen: usize) {
        let Some(made) = self.all.into_iter().nth(chosen) else { return };
        planned.scheduled.program.kernels[kernel] = made.kernel;
        for site in planned.scheduled.sites.iter_mut().filter(|s| s.kernel == kernel) {
            site.figures = made.figures.clone();
        }
    }
}

/// The best of each kind of choice, then the second of each, and so on: the model tells plans of one kind apart better than
/// kinds.
fn by_turns<T>(all: Vec<(Choice, f64, T)>) -> Vec<T> {
    let mut kinds: Vec<(Discriminant<Choice>, Vec<(f64, T)>)> = Vec::new();
    for (choice, us, what) in all {
        let kind = discriminant(&choice);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, list)) => list.push((us, what)),
            None => kinds.push((kind, vec![(us, what)])),
        }
    }
    let sorted = kinds.into_iter().map(|(_, mut list)| {
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list.into_iter()
    });
    let (mut lists, mut out): (Vec<_>, _) = (sorted.collect(), Vec::new());
    loop {
        let before = out.len();
        out.extend(lists.iter_mut().filter_map(Iterator::next).map(|(_, what)| what));
        if out.len() == before {
            return out;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_turn() {
        let all = [
            (Choice::Pass(1), 3.0),
            (Choice::Pass(2), 1.0),
            (Choice::Packed(true), 9.0),
            (Choice::Pass(3), 2.0),
        ];
        let all = all.into_iter().map(|(choice, us)| (choice, us, us)).collect();
        assert_eq!(by_turns(all), [1.0, 9.0, 2.0, 3.0]);
        assert!(by_turns::<()>(Vec::new()).is_empty());
    }
}
