//! Functions from the number of a thread in its warp to a number below 32, computed in few operations.
//!
//! Which thread holds the lane that a thread wants is such a function. Most move the bits of the number: a reversal flips
//! them, halves mask them, interleaving shifts them. Where it does not matter what a thread gets, any number will do.

/// Threads of a warp.
pub const THREADS: usize = 32;

/// What each thread is to get; `None` where any number will do.
pub type Wanted = [Option<u32>; THREADS];

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadMap {
    /// Its own number.
    Own,
    /// One number for all.
    Constant(u32),
    /// Its own and another, modulo 32.
    Rotated(u32),
    /// Its own, moved to the left by each amount (to the right where it is negative) and masked; the sum of them; then
    /// with these bits flipped.
    Moved { parts: Vec<(i32, u32)>, flipped: u32 },
    /// For each bit of the result the threads that have it.
    Any([u32; 5]),
}

impl ThreadMap {
    pub fn of(wanted: &Wanted) -> ThreadMap {
        let is = |f: &dyn Fn(u32) -> u32| (0..).zip(wanted).all(|(t, w)| w.is_none_or(|w| w == f(t)));
        if is(&|t| t) {
            return ThreadMap::Own;
        }
        let first = wanted.iter().flatten().next().copied().unwrap_or(0);
        if is(&|_| first) {
            return ThreadMap::Constant(first);
        }
        if let Some(by) = (1..32).find(|by| is(&|t| (t + by) % 32)) {
            return ThreadMap::Rotated(by);
        }
        moved(wanted).unwrap_or_else(|| ThreadMap::Any(std::array::from_fn(|bit| threads_with(wanted, bit))))
    }
}

/// The threads whose number has this bit.
fn threads_with(wanted: &Wanted, bit: usize) -> u32 {
    let has = |t: usize| wanted[t].is_some_and(|w| w >> bit & 1 == 1);
    (0..THREADS).filter(|&t| has(t)).map(|t| 1 << t).sum()
}

/// Each bit of the number is one of the thread's, as it is or flipped, or is the same for all.
fn moved(wanted: &Wanted) -> Option<ThreadMap> {
    let mut parts: Vec<(i32, u32)> = Vec::new();
    let mut flipped = 0;
    for bit in 0..5 {
        let is = |f: &dyn Fn(u32) -> u32| {
            (0..).zip(wanted).all(|(t, w)| w.is_none_or(|w| w >> bit & 1 == f(t) & 1))
        };
        if is(&|_| 0) {
            continue;
        }
        if is(&|_| 1) {
            flipped |= 1 << bit;
            continue;
        }
        let (from, flips) =
            (0..5).flat_map(|b| [(b, 0), (b, 1)]).find(|&(b, flip)| is(&|t| t >> b ^ flip))?;
        flipped |= flips << bit;
        let by = bit - from;
        match parts.iter_mut().find(|part| part.0 == by) {
            Some(part) => part.1 |= 1 << bit,
            None => parts.push((by, 1 << bit)),
        }
    }
    Some(ThreadMap::Moved { parts, flipped })
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ThreadMap {
        fn apply(&self, t: u32) -> u32 {
            match self {
                ThreadMap::Own => t,
                ThreadMap::Constant(n) => *n,
                ThreadMap::Rotated(by) => (t + by) % 32,
                ThreadMap::Moved { parts, flipped } => {
                    let part = |&(by, mask): &(i32, u32)| (if by < 0 { t >> -by } else { t << by }) & mask;
                    parts.iter().map(part).sum::<u32>() ^ flipped
                }
                ThreadMap::Any(bits) => (0..5).map(|b| (bits[b] >> t & 1) << b).sum(),
            }
        }
    }

    #[track_caller]
    fn check(f: impl Fn(u32) -> Option<u32>) -> ThreadMap {
        let wanted: Wanted = std::array::from_fn(|t| f(t as u32));
        let map = ThreadMap::of(&wanted);
        for (t, w) in (0..).zip(wanted) {
            assert!(w.is_none_or(|w| w == map.apply(t)), "{map:?} of {t} is no {w:?}");
        }
        map
    }

    #[test]
    fn every_function_has_its_form() {
        let moved = |parts: &[(i32, u32)], flipped| ThreadMap::Moved { parts: parts.to_vec(), flipped };
        assert_eq!(check(Some), ThreadMap::Own);
        assert_eq!(check(|_| Some(7)), ThreadMap::Constant(7));
        assert_eq!(check(|t| Some((t + 31) % 32)), ThreadMap::Rotated(31));
        assert_eq!(check(|t| Some(31 - t)), moved(&[(0, 31)], 31));
        assert_eq!(check(|t| Some(t % 8 + 8)), moved(&[(0, 7)], 8));
        assert_eq!(check(|t| Some(t / 2 + t % 2 * 16)), moved(&[(-1, 15), (4, 16)], 0));
        assert_eq!(check(|t| (t < 16).then_some(2 * t + 1)), moved(&[(1, 30)], 1));
        assert!(matches!(check(|t| Some(t * t % 31)), ThreadMap::Any(_)));
        check(|t| Some(t.saturating_sub(1)));
        check(|_| None);
    }
}
