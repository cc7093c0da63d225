//! Which of several plans is the fastest, from times that have noise.
//!
//! All run in turns, and each is compared with the first turn by turn, so that it sees the same machine; what is far behind
//! after two turns is out. What is best then runs against the plan that was there in a second round: the best of many is
//! often best by chance. It is taken if it is faster in both rounds, by more than a few percent and in nearly every turn.

use crate::tuning::Verdict;

/// What a race found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The time of each in µs: of the first the lower quartile of its turns, since noise only adds; of the others as many times that
    /// as they took longer, turn by turn. `None` of those without turns.
    pub us: Vec<Option<f64>>,
    pub chosen: usize,
    pub verdict: Verdict,
}

/// Turns of the first round, and of the second.
pub const TURNS: usize = 7;
pub const SECOND: usize = 9;
/// Turns of the second round that the faster one may lose.
const LOST: usize = 1;
/// What has to be gained.
const GAIN: f64 = 0.03;
/// After so many turns, what is so many times behind is out.
const SIEVE: usize = 2;
const BEHIND: f64 = 1.25;

/// Lets plans race, the one that is there first: `time` gives the time of a turn of one of them in µs, or nothing once the
/// time is over. `runs` says which of them can run.
///
/// # Errors
/// Those of `time`.
pub fn race<E>(runs: &[bool], mut time: impl FnMut(usize) -> Result<Option<f64>, E>) -> Result<Outcome, E> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); runs.len()];
    let mut open: Vec<usize> = (0..runs.len()).filter(|&n| runs[n]).collect();
    let outcome = |times: &[Vec<f64>], chosen: usize, verdict: Verdict| {
        let own = quartile(&times[0]);
        let us = |n: usize| own.filter(|_| !times[n].is_empty()).map(|own| own * ratio(times, n));
        Ok(Outcome { us: (0..times.len()).map(us).collect(), chosen, verdict })
    };
    for turn in 1..=TURNS {
        for &n in &open {
            match time(n)? {
                Some(us) => times[n].push(us),
                None => return outcome(&times, 0, Verdict::Unfinished),
            }
        }
        if turn == SIEVE {
            let best = open.iter().map(|&n| ratio(&times, n)).fold(f64::INFINITY, f64::min);
            open.retain(|&n| n == 0 || ratio(&times, n) <= BEHIND * best);
        }
    }
    let best =
        open.iter().copied().min_by(|&a, &b| ratio(&times, a).total_cmp(&ratio(&times, b))).unwrap_or(0);
    if best == 0 || ratio(&times, best) > 1.0 - GAIN {
        return outcome(&times, 0, Verdict::NoneFaster);
    }
    let mut second = [Vec::new(), Vec::new()];
    for _ in 0..SECOND {
        let (Some(own), Some(other)) = (time(0)?, time(best)?) else {
            return outcome(&times, 0, Verdict::Unfinished);
        };
        second[0].push(own);
        second[1].push(other);
    }
    let lost = second[0].iter().zip(&second[1]).filter(|(own, other)| other >= own).count();
    let again = lost <= LOST && ratio(&second, 1) <= 1.0 - GAIN;
    let (chosen, verdict) = if again { (best, Verdict::Faster) } else { (0, Verdict::NotAgain) };
    let [own, other] = second;
    times[0].extend(own);
    times[best].extend(other);
    outcome(&times, chosen, verdict)
}

/// How much longer one takes than the first, turn by turn: the machine may have been faster in some turns than in others. The
/// median; no time is infinite.
fn ratio(times: &[Vec<f64>], n: usize) -> f64 {
    let mut ratios: Vec<f64> = times[n].iter().zip(&times[0]).map(|(us, own)| us / own).collect();
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.len().saturating_sub(1) / 2;
    ratios.get(middle).copied().unwrap_or(f64::INFINITY)
}

/// The lower quartile.
fn quartile(us: &[f64]) -> Option<f64> {
    let mut sorted = us.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().checked_sub(1)? / 4).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A race of plans whose turns take so long, in which turn `n` of each is multiplied by `noise(plan, n)`.
    fn raced(us: &[f64], noise: impl Fn(usize, usize) -> f64) -> (Outcome, Vec<usize>) {
        let mut turns = vec![0; us.len()];
        let time = |n: usize| {
            turns[n] += 1;
            Ok::<_, ()>(Some(us[n] * noise(n, turns[n])))
        };
        let outcome = race(&vec![true; us.len()], time).expect("no turn fails");
        (outcome, turns)
    }

    #[test]
    fn the_fastest_is_taken() {
        let (outcome, turns) = raced(&[100.0, 90.0, 95.0, 300.0], |_, n| if n % 4 == 0 { 1.2 } else { 1.0 });
        assert_eq!((outcome.chosen, outcome.verdict), (1, Verdict::Faster));
        assert_eq!(outcome.us, [Some(100.0), Some(90.0), Some(95.0), Some(300.0)]);
        assert_eq!(turns, [TURNS + SECOND, TURNS + SECOND, TURNS, SIEVE]);
    }

    #[test]
    fn a_little_is_noise() {
        let (outcome, turns) = raced(&[100.0, 98.0], |_, _| 1.0);
        assert_eq!((outcome.chosen, outcome.verdict), (0, Verdict::NoneFaster));
        assert_eq!(turns, [TURNS; 2]);
    }

    #[test]
    fn what_is_fast_once_is_not_taken() {
        let (outcome, _) = raced(&[100.0, 100.0], |plan, n| if plan == 1 && n <= TURNS { 0.8 } else { 1.0 });
        assert_eq!((outcome.chosen, outcome.verdict), (0, Verdict::NotAgain));
        // Faster on average, but not each time.
        let (outcome, _) = raced(&[100.0, 80.0], |plan, n| if plan == 1 && n % 3 == 0 { 2.0 } else { 1.0 });
        assert_eq!((outcome.chosen, outcome.verdict), (0, Verdict::NotAgain));
    }

    #[test]
    fn what_does_not_run_or_end_changes_nothing() {
        let outcome = race(&[true, false], |_| Ok::<_, ()>(Some(5.0))).expect("no turn fails");
        assert_eq!(outcome.us, [Some(5.0), None]);
        assert_eq!((outcome.chosen, outcome.verdict), (0, Verdict::NoneFaster));
        let mut left = 20;
        let time = |n: usize| {
            left -= 1;
            Ok::<_, ()>((left > 0).then_some([9.0, 3.0][n]))
        };
        let outcome = race(&[true, true], time).expect("no turn fails");
        assert_eq!((outcome.chosen, outcome.verdict), (0, Verdict::Unfinished));
        assert_eq!(race(&[true], |_| Err("memory")), Err("memory"));
    }
}
