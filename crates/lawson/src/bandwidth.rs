//! The bandwidth this machine reaches now, measured with plain loops.

use lawson_cpu::Buffer;
use std::sync::Barrier;
use std::time::Instant;

/// GB/s, each array counted once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bandwidth {
    /// Of arrays that are read alone.
    pub read: f64,
    /// Half read, half written.
    pub copy: f64,
}

/// Bytes one round moves at least, so that it takes milliseconds.
const ROUND: usize = 64 << 20;
const ROUNDS: usize = 8;

/// The best of a few rounds over arrays of `bytes` together; `None` where there is no memory for them.
pub fn measure(threads: usize, bytes: usize) -> Option<Bandwidth> {
    let words = (bytes / 2 / threads).max(64).next_multiple_of(64);
    let mut parts = Vec::new();
    for _ in 0..threads {
        let (mut from, mut to) = (Buffer::new(words).ok()?, Buffer::new(words).ok()?);
        // Written once, so that no page is the shared zero page.
        from.fill(1);
        to.fill(2);
        parts.push((from, to));
    }
    // Reading halves of each pair in turn walks through as many bytes as copying does.
    let read = best(&mut parts, |from, to| sum(from).wrapping_add(sum(to)));
    let copy = best(&mut parts, |from, to| {
        to.copy_from_slice(from);
        to[0] as u64
    });
    Some(Bandwidth { read, copy })
}

impl Bandwidth {
    /// What memory gives at best: a plain copy also reads what it overwrites, which good code avoids.
    pub fn best(&self) -> f64 {
        self.read.max(self.copy)
    }
}

/// GB/s of the best round.
fn best(parts: &mut [(Buffer, Buffer)], work: fn(&[u8], &mut [u8]) -> u64) -> f64 {
    let bytes: usize = parts.iter().map(|(a, b)| a.len() + b.len()).sum();
    let turns = ROUND.div_ceil(bytes).max(1);
    let mut best = 0.0f64;
    for _ in 0..ROUNDS {
        let ready = Barrier::new(parts.len());
        let spans: Vec<(Instant, Instant)> = std::thread::scope(|s| {
            let workers: Vec<_> = parts
                .iter_mut()
                .map(|(from, to)| {
                    let ready = &ready;
                    s.spawn(move || {
                        ready.wait();
                        let start = Instant::now();
                        for _ in 0..turns {
                            std::hint::black_box(work(std::hint::black_box(from), to));
                        }
                        (start, Instant::now())
                    })
                })
                .collect();
            workers.into_iter().filter_map(|w| w.join().ok()).collect()
        });
        let (Some(start), Some(end)) = (spans.iter().map(|s| s.0).min(), spans.iter().map(|s| s.1).max())
        else {
            continue;
        };
        let seconds = end.duration_since(start).as_secs_f64();
        best = best.max((bytes * turns) as f64 / seconds / 1e9);
    }
    best
}

/// Several sums at once, as vector code wants them.
fn sum(bytes: &[u8]) -> u64 {
    let mut sums = [0u64; 16];
    for block in bytes.chunks_exact(128) {
        for (sum, word) in sums.iter_mut().zip(block.chunks_exact(8)) {
            *sum = sum.wrapping_add(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
    }
    sums.iter().fold(0, |a, b| a.wrapping_add(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_measured() {
        let found = measure(1, 64 << 10).expect("memory");
        // Slower than a floppy disk or faster than any cache would be a wrong clock.
        let sane = |x: f64| (0.01..1e5).contains(&x);
        assert!(sane(found.read) && sane(found.copy), "{found:?}");
        assert!(found.best() >= found.read && found.best() >= found.copy);
    }
}
