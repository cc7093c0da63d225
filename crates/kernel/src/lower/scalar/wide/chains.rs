//! Numbers of eight words of 32 bits with carries between them, as threads of a graphics processor compute them: its multipliers
//! add a product of two words to two words, with a carry in and a carry out.
//!
//! The two halves of a product belong to two neighbouring words, so the products of a row that begin at even words make one chain,
//! and those that begin at odd words another ([`Sums`]): each adds a whole product to two words at a time.

use super::words::Words;
use crate::loop_ir::{Bin, CarryChain, Cast, Cmp, CodeBuilder, Elem, Link, V};
use lawson_hlo::dtype::{U256, WidePrime};

const WORDS: usize = 8;
const BITS: u64 = CarryChain::BITS as u64;

/// Words of I32, the least significant first.
type Short = [V; WORDS];

/// The sum, and the carry out of it.
pub fn add(b: &mut CodeBuilder, x: Words, y: Words) -> (Words, V) {
    through(b, x, y, Link::Add)
}

/// The difference, and the borrow out of it.
pub fn subtract(b: &mut CodeBuilder, x: Words, y: Words) -> (Words, V) {
    through(b, x, y, Link::Sub)
}

/// The words of such links, and whether the last of them carries.
fn through(b: &mut CodeBuilder, x: Words, y: Words, link: fn(V, V) -> Link) -> (Words, V) {
    let (x, y) = (short(b, x), short(b, y));
    let zero = b.constant(b.ty_of(x[0]), 0);
    let mut links: Vec<Link> = (0..WORDS).map(|n| link(x[n], y[n])).collect();
    links.push(link(zero, zero));
    let words = b.carry_chain(links);
    (long(b, &words[..WORDS]), b.cmp(Cmp::Ne, words[WORDS], zero))
}

/// x·y/2^256 modulo p or p more, of numbers below p (Montgomery 1985): to each word of y times x as many times p are added as make
/// the lowest word zero, which is dropped.
pub fn montgomery_product(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let (x, y) = (short(b, x), short(b, y));
    let p = constant(b, x[0], prime.modulus());
    let inverse = b.constant(b.ty_of(x[0]), prime.negated_inverse() & u64::from(u32::MAX));
    let mut sums = Sums::new(b, x[0], 2 * WORDS);
    for (n, &word) in y.iter().enumerate() {
        // What the other chain left in the lowest word is carried into the row.
        sums.add_row(b, &x, word, n, Lowest::OfBoth);
        let q = b.bin(Bin::Mul, sums.word(n % 2, n), inverse);
        sums.add_row(b, &p, q, n, Lowest::OfOne);
    }
    // Below 2·p, as what the rows so far are worth always is: so nothing is carried out of a row's last word.
    let total = sums.merged(b, WORDS..2 * WORDS);
    long(b, &total)
}

/// x·y modulo p or p more, of numbers below p, by [`WidePrime::reciprocal`]: of the product for the quotient those of words below
/// 2^224 are left out.
pub fn product(b: &mut CodeBuilder, prime: WidePrime, x: Words, y: Words) -> Words {
    let (x, y) = (short(b, x), short(b, y));
    let total = if x == y { square(b, &x) } else { whole_product(b, &x, &y) };
    let upper = upper_words(b, &total);
    let reciprocal = constant(b, x[0], prime.reciprocal());
    let mut sums = Sums::new(b, x[0], 2 * WORDS);
    for (n, &word) in upper.iter().enumerate() {
        sums.add_row_from(b, &reciprocal, (WORDS - 2).saturating_sub(n), word, n);
    }
    let quotient = sums.merged(b, WORDS - 2..2 * WORDS);
    let p = constant(b, x[0], prime.modulus());
    let mut sums = Sums::new(b, x[0], WORDS);
    for n in 0..WORDS {
        sums.add_row(b, &p, quotient[n + 2], n, Lowest::OfOne);
    }
    let multiple = sums.merged(b, 0..WORDS);
    let links = (0..WORDS).map(|n| Link::Sub(total[n], multiple[n])).collect();
    let rest = b.carry_chain(links);
    long(b, &rest)
}

/// The words that a quotient is made of.
fn upper_words(b: &mut CodeBuilder, total: &[V]) -> Short {
    let ty = b.ty_of(total[0]);
    let from = u64::from(WidePrime::QUOTIENT_FROM);
    let (first, within) = ((from / BITS) as usize, from % BITS);
    let (down, up) = (b.constant(ty, within), b.constant(ty, BITS - within));
    std::array::from_fn(|n| {
        let low = b.bin(Bin::LShr, total[first + n], down);
        let high = b.bin(Bin::Shl, total[first + n + 1], up);
        b.bin(Bin::Or, low, high)
    })
}

/// The sixteen words of x·y.
fn whole_product(b: &mut CodeBuilder, x: &Short, y: &Short) -> Vec<V> {
    let mut sums = Sums::new(b, x[0], 2 * WORDS);
    for (n, &word) in y.iter().enumerate() {
        sums.add_row(b, x, word, n, Lowest::OfOne);
    }
    sums.merged(b, 0..2 * WORDS)
}

/// The sixteen words of x²: products of different words count twice.
fn square(b: &mut CodeBuilder, x: &Short) -> Vec<V> {
    let mut sums = Sums::new(b, x[0], 2 * WORDS);
    for n in 0..WORDS - 1 {
        sums.add_row_from(b, x, n + 1, x[n], n);
    }
    let once = sums.merged(b, 1..2 * WORDS);
    let zero = b.constant(b.ty_of(x[0]), 0);
    let mut twice = vec![zero];
    twice.extend(b.carry_chain(once.iter().map(|&word| Link::Add(word, word)).collect()));
    let own = (0..WORDS)
        .flat_map(|n| [Link::Low(x[n], x[n], twice[2 * n]), Link::High(x[n], x[n], twice[2 * n + 1])]);
    b.carry_chain(own.collect())
}

fn constant(b: &mut CodeBuilder, like: V, number: U256) -> Short {
    let ty = b.ty_of(like);
    std::array::from_fn(|n| b.constant(ty, number.0[n / 2] >> (BITS * (n as u64 % 2)) & u64::from(u32::MAX)))
}

fn short(b: &mut CodeBuilder, x: Words) -> Short {
    let by = b.constant(b.ty_of(x[0]), BITS);
    std::array::from_fn(|n| {
        let word = if n % 2 == 0 { x[n / 2] } else { b.bin(Bin::LShr, x[n / 2], by) };
        b.cast(Cast::Trunc, word, Elem::I32)
    })
}

fn long(b: &mut CodeBuilder, x: &[V]) -> Words {
    std::array::from_fn(|n| {
        let [low, high] = [x[2 * n], x[2 * n + 1]].map(|word| b.cast(Cast::Zext, word, Elem::I64));
        let by = b.constant(b.ty_of(high), BITS);
        let high = b.bin(Bin::Shl, high, by);
        b.bin(Bin::Or, low, high)
    })
}

/// Which sums the lowest word of a row is added to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lowest {
    /// Those of the products that begin there.
    OfOne,
    /// Those of both kinds, which become one word.
    OfBoth,
}

/// Sums of products of words: those that begin at even words apart from those that begin at odd ones. A word that nothing was
/// added to yet is not there.
struct Sums {
    of: [Vec<Option<V>>; 2],
    zero: V,
}

impl Sums {
    /// Of so many words; what is beyond is dropped.
    fn new(b: &mut CodeBuilder, like: V, words: usize) -> Sums {
        Sums { of: [vec![None; words], vec![None; words]], zero: b.constant(b.ty_of(like), 0) }
    }

    fn word(&self, kind: usize, n: usize) -> V {
        self.of[kind][n].unwrap_or(self.zero)
    }

    /// Adds x·y at word `at`: a row of a product whose rows before began at words before.
    fn add_row(&mut self, b: &mut CodeBuilder, x: &Short, y: V, at: usize, lowest: Lowest) {
        let (own, other) = (at % 2, (at + 1) % 2);
        let both = lowest == Lowest::OfBoth && self.of[other][at].is_some();
        // The carry of the lowest word goes to the next one, where the other products begin.
        let folded = both.then(|| Link::Add(self.word(own, at), self.word(other, at)));
        self.chain(b, other, (x, 1), (y, at), folded);
        if both {
            self.of[own][at] = self.of[other][at].take();
        }
        self.chain(b, own, (x, 0), (y, at), None);
    }

    /// Adds the words of x from `first` on, times y, at word `at`.
    fn add_row_from(&mut self, b: &mut CodeBuilder, x: &Short, first: usize, y: V, at: usize) {
        for first in [first, first + 1] {
            self.chain(b, (at + first) % 2, (x, first), (y, at), None);
        }
    }

    /// One chain: every second word of x from `first` on, times y, to the sums of a kind. A link before it makes the word before.
    fn chain(
        &mut self,
        b: &mut CodeBuilder,
        kind: usize,
        (x, first): (&Short, usize),
        (y, at): (V, usize),
        before: Option<Link>,
    ) {
        let words = self.of[kind].len();
        let mut places = Vec::new();
        let mut links = Vec::new();
        if let Some(link) = before {
            places.push(at);
            links.push(link);
        }
        // Where nothing was added yet, nothing is carried out.
        let mut carries = before.is_some();
        for n in (first..WORDS).step_by(2).filter(|n| at + n < words) {
            let place = at + n;
            carries |= self.of[kind][place].is_some();
            places.push(place);
            links.push(Link::Low(x[n], y, self.word(kind, place)));
            if place + 1 < words {
                carries |= self.of[kind][place + 1].is_some();
                places.push(place + 1);
                links.push(Link::High(x[n], y, self.word(kind, place + 1)));
            }
        }
        let Some(&last) = places.last() else { return };
        // All rows so far have no more words than this row.
        let next = last + 1;
        if carries && next < words && next <= at + WORDS {
            places.push(next);
            links.push(Link::Add(self.word(kind, next), self.zero));
        }
        let made = b.carry_chain(links);
        for (place, word) in places.into_iter().zip(made) {
            self.of[kind][place] = Some(word);
        }
    }

    /// The words of both kinds together.
    fn merged(&self, b: &mut CodeBuilder, words: std::ops::Range<usize>) -> Vec<V> {
        b.carry_chain(words.map(|n| Link::Add(self.word(0, n), self.word(1, n))).collect())
    }
}
