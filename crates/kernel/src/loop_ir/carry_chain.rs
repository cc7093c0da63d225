//! Words that are made one after the other, each with what the one before carries: sums, differences and products of numbers
//! of many words.
//!
//! As one statement a chain keeps its carry in the flag that machines have for it. [`super::WithCarry`] says the same word by
//! word, with the carry as a value, which graphics processors have to compare for.

use super::{CarryChain, Elem, Link, Type, V, WithCarry};

impl Link {
    /// Its name in text.
    pub fn name(&self) -> &'static str {
        match self {
            Link::Add(..) => "add",
            Link::Sub(..) => "sub",
            Link::Low(..) => "low",
            Link::High(..) => "high",
        }
    }

    /// The link of a name; `None` if there is none, or it has another number of operands.
    pub(super) fn of(name: &str, operands: &[V]) -> Option<Link> {
        match (name, operands) {
            ("add", &[a, b]) => Some(Link::Add(a, b)),
            ("sub", &[a, b]) => Some(Link::Sub(a, b)),
            ("low", &[a, b, c]) => Some(Link::Low(a, b, c)),
            ("high", &[a, b, c]) => Some(Link::High(a, b, c)),
            _ => None,
        }
    }

    pub fn operands(&self) -> impl Iterator<Item = V> + use<> {
        let (first, last) = match *self {
            Link::Add(a, b) | Link::Sub(a, b) => ([a, b], None),
            Link::Low(a, b, c) | Link::High(a, b, c) => ([a, b], Some(c)),
        };
        first.into_iter().chain(last)
    }

    /// The word and the carry out of it, of words that `word` gives.
    fn value(&self, word: impl Fn(V) -> u64, carry: u64) -> (u64, u64) {
        let wide = match *self {
            Link::Add(a, b) => word(a) + word(b) + carry,
            Link::Sub(a, b) => word(a).wrapping_sub(word(b)).wrapping_sub(carry),
            Link::Low(a, b, c) => ((word(a) * word(b)) & CarryChain::MASK) + word(c) + carry,
            Link::High(a, b, c) => ((word(a) * word(b)) >> CarryChain::BITS) + word(c) + carry,
        };
        (wide & CarryChain::MASK, wide >> CarryChain::BITS & 1)
    }
}

impl CarryChain {
    /// Bits of a word.
    pub const BITS: u32 = 32;
    const MASK: u64 = (1 << CarryChain::BITS) - 1;

    pub(super) fn word_type(lanes: u32) -> Type {
        Type::vector(Elem::I32, lanes)
    }

    /// Whether all its links mean the same by a carry, since what one takes another one may not add.
    pub(super) fn is_of_one_kind(&self) -> bool {
        let subtracts = |link: &Link| matches!(link, Link::Sub(..));
        self.links.iter().all(subtracts) || !self.links.iter().any(subtracts)
    }

    /// The bits of a lane of each result, of words that `word` gives.
    pub(super) fn values(&self, word: impl Fn(V) -> u64) -> Vec<u64> {
        let mut carry = 0;
        let of = |link: &Link| {
            let (value, out) = link.value(&word, carry);
            carry = out;
            value
        };
        self.links.iter().map(of).collect()
    }
}

impl WithCarry {
    /// The element of the result, of operands of this one.
    pub fn result(self, operands: Elem) -> Elem {
        match self {
            WithCarry::Add | WithCarry::Sub => operands,
            WithCarry::CarryOut | WithCarry::BorrowOut => Elem::I1,
        }
    }
}
