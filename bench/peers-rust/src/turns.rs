//! Times of several pieces of work that take turns, so that how fast the machine is at the moment is the same for all.

use std::time::{Duration, Instant};

/// Runs of one turn that count; one more comes before them, which finds the threads of others still spinning.
const TIMED: usize = 3;

/// How long each run of one piece of work took.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn least(&self) -> f64 {
        self.0.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
    }

    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
    }
}

/// Work that can fail.
pub type Work<'a, E> = Box<dyn FnMut() -> Result<(), E> + 'a>;

/// Runs all of them in turns, each three times and in an order that rotates, until `time` has passed and at least three
/// rounds are done.
///
/// # Errors
/// Those of the work.
pub fn take_turns<E>(all: &mut [Work<'_, E>], time: Duration) -> Result<Vec<Times>, E> {
    let mut times = vec![Times::default(); all.len()];
    let start = Instant::now();
    let mut round = 0;
    while round < 3 || start.elapsed() < time {
        for n in 0..all.len() {
            let n = (n + round) % all.len();
            all[n]()?;
            for _ in 0..TIMED {
                let begin = Instant::now();
                all[n]()?;
                times[n].0.push(begin.elapsed());
            }
        }
        round += 1;
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_run_as_often_and_a_failure_ends_it() {
        let mut counts = [0; 2];
        let [a, b] = &mut counts;
        let mut work: [Work<'_, ()>; 2] = [
            Box::new(|| {
                *a += 1;
                Ok(())
            }),
            Box::new(|| {
                *b += 1;
                Ok(())
            }),
        ];
        let times = take_turns(&mut work, Duration::ZERO).expect("it never fails");
        drop(work);
        assert_eq!(counts, [12, 12]);
        assert!(times.iter().all(|t| t.least() <= t.median()));
        let mut failing: [Work<'_, u8>; 1] = [Box::new(|| Err(7))];
        assert_eq!(take_turns(&mut failing, Duration::ZERO).err(), Some(7));
    }
}
