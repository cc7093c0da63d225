//! What transforms of one length need: their passes, the factors between them, and memory to work in.

use super::long::Long;
use super::passes::{C, PRIMES, Pass};
use crate::instructions::Instructions;
use lawson_hlo::library::{Real, root_of_unity};
use std::any::Any;
use std::cell::RefCell;

/// Plans that a thread keeps; with a further length all are made anew.
const PLANS: usize = 32;

/// The plans of a thread, and the lines it works in.
pub struct Plans<S: Instructions> {
    plans: Vec<Plan<S::Float>>,
    lines: [Vec<C<S>>; 2],
    /// Those of single rows.
    pub long: Vec<Long<S>>,
}

/// Of a transform of `n` complex numbers.
pub struct Plan<T> {
    pub n: usize,
    pub passes: Vec<Pass<T>>,
    /// u_k = −i w_2n^k / 2 for k from 0 to n / 2, for rows of 2 n real numbers.
    pub half: Vec<[T; 2]>,
}

/// Calls a function with the plans of this thread.
pub fn with_plans<S: Instructions, R>(f: impl FnOnce(&mut Plans<S>) -> R) -> R {
    thread_local! {
        /// Of each kind of instructions.
        static ALL: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
    }
    ALL.with_borrow_mut(|all| {
        let at = all.iter().position(|plans| plans.is::<Plans<S>>()).unwrap_or_else(|| {
            all.push(Box::new(Plans::<S>::new()));
            all.len() - 1
        });
        f(all[at].downcast_mut().expect("of this type"))
    })
}

impl<S: Instructions> Plans<S> {
    fn new() -> Plans<S> {
        Plans { plans: Vec::new(), lines: [Vec::new(), Vec::new()], long: Vec::new() }
    }

    /// The plan for a transform of so many complex numbers, and lines to work in; `None` where they have a large prime factor.
    pub fn of(&mut self, s: S, n: usize) -> Option<(&Plan<S::Float>, [&mut [C<S>]; 2])> {
        let at = match self.plans.iter().position(|p| p.n == n) {
            Some(at) => at,
            None => {
                let plan = Plan::new(n)?;
                if self.plans.len() == PLANS {
                    self.plans.clear();
                }
                self.plans.push(plan);
                self.plans.len() - 1
            }
        };
        let zero = s.splat(<S::Float as Real>::ZERO);
        for lines in self.lines.iter_mut().filter(|lines| lines.len() < n) {
            lines.resize(n, C { re: zero, im: zero });
        }
        let [here, there] = &mut self.lines;
        Some((&self.plans[at], [&mut here[..n], &mut there[..n]]))
    }
}

impl<T: Real> Plan<T> {
    /// Of `n` complex numbers; `None` where they have a large prime factor.
    pub fn new(n: usize) -> Option<Plan<T>> {
        let (mut passes, mut left, mut stride) = (Vec::new(), n, 1);
        for radix in radices(n)? {
            let length = left / radix;
            let turns = (0..left).map(|at| turn((at / radix) * (at % radix), left)).collect();
            let roots = (0..radix).map(|k| turn(k, radix)).collect();
            passes.push(Pass { radix, length, stride, turns, roots });
            (left, stride) = (length, stride * radix);
        }
        Some(Plan { n, passes, half: (0..=n / 2).map(|k| of_pairs(k, n)).collect() })
    }
}

/// Whether so many numbers have no large prime factor.
pub fn is_smooth(n: usize) -> bool {
    in_primes(n, |_| ()).is_some()
}

/// Gives the odd prime factors to a function and the number of twos back; `None` where one is too large.
fn in_primes(n: usize, mut found: impl FnMut(usize)) -> Option<usize> {
    let twos = n.checked_ilog2().map(|_| n.trailing_zeros() as usize)?;
    let mut left = n >> twos;
    for prime in PRIMES {
        // Asked for each row: most lengths are powers of two, or nearly.
        if left == 1 {
            break;
        }
        while left.is_multiple_of(prime) {
            found(prime);
            left /= prime;
        }
    }
    (left == 1).then_some(twos)
}

/// The numbers of elements that the passes sum, whose product is `n`: odd ones first, then four and eight.
fn radices(n: usize) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    let twos = in_primes(n, |prime| all.push(prime))?;
    let (last, eights): (&[usize], usize) = match (twos % 3, twos / 3) {
        (1, 0) => (&[2], 0),
        (1, eights) => (&[4, 4], eights - 1),
        (2, eights) => (&[4], eights),
        (_, eights) => (&[], eights),
    };
    all.extend(last);
    all.extend(std::iter::repeat_n(8, eights));
    Some(all)
}

/// e^(−2πi k / n)
pub fn turn<T: Real>(k: usize, n: usize) -> [T; 2] {
    let (re, im) = root_of_unity(k % n, n, f64::sin_cos);
    [T::of(re), T::of(im)]
}

/// −i w_2n^k / 2
pub fn of_pairs<T: Real>(k: usize, n: usize) -> [T; 2] {
    let (re, im) = root_of_unity(k, 2 * n, f64::sin_cos);
    [T::of(im / 2.0), T::of(-re / 2.0)]
}
