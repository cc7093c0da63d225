//! How many shuffles put vectors whose elements take turns in the order of memory, or take them from it: a round for each prime
//! factor of their number.

/// The largest prime factor of the number of vectors that are shuffled into the order of memory: it takes as many shuffles for
/// each of them.
const MAX_FACTOR: usize = 7;

/// The least prime factor of a number, 1 of 1.
pub fn least_factor(n: usize) -> usize {
    (2..=n).find(|p| n.is_multiple_of(*p)).unwrap_or(1)
}

/// The shuffles of each of so many vectors that are put in the order of memory, or taken from it; `None` where it takes too many.
pub fn rounds(mut n: usize) -> Option<usize> {
    let mut rounds = 0;
    while n > 1 {
        let p = least_factor(n);
        if p > MAX_FACTOR {
            return None;
        }
        rounds += p - 1;
        n /= p;
    }
    Some(rounds)
}
