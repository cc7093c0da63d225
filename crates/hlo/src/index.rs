//! Indexing maps: which element of an operand is read for an element of the result.
//!
//! An [`Affine`] is a constant plus integer multiples of atoms; an atom is an axis of the iteration space, a
//! symbol (a value known only at run time, with a known range), or a quotient or remainder by a constant. Sums
//! are kept in one normal form, and quotients and remainders are simplified by ranges, so that a reshape that
//! splits or merges whole dimensions leaves no division behind: equal expressions are equal maps.

use crate::shape::row_major_strides;
use std::fmt;
use std::sync::Arc;

/// What a sum is made of.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// An axis of the iteration space.
    Axis(u32),
    /// A run-time value, by the number the owner of the space gave it.
    Symbol(u32),
    /// Floor of the quotient by a positive constant.
    Div(Arc<Affine>, i64),
    /// Remainder in `0..c` by a positive constant.
    Mod(Arc<Affine>, i64),
}

/// constant + Σ coefficient · atom, atoms distinct and sorted, no coefficient zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Affine {
    pub constant: i64,
    pub terms: Vec<(Atom, i64)>,
}

/// The values axes and symbols range over, as inclusive bounds. Empty axes count as `0..=0`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Space {
    /// Axis `k` runs over these values.
    pub axes: Vec<(i64, i64)>,
    pub symbols: Vec<(i64, i64)>,
}

impl Space {
    /// Axes from zero to each extent.
    pub fn of_extents(extents: &[i64]) -> Space {
        Space { axes: extents.iter().map(|&n| (0, (n - 1).max(0))).collect(), symbols: Vec::new() }
    }
}

impl Affine {
    pub fn constant(value: i64) -> Affine {
        Affine { constant: value, terms: Vec::new() }
    }

    pub fn axis(k: usize) -> Affine {
        Affine::atom(Atom::Axis(k as u32))
    }

    pub fn symbol(s: u32) -> Affine {
        Affine::atom(Atom::Symbol(s))
    }

    fn atom(atom: Atom) -> Affine {
        Affine { constant: 0, terms: vec![(atom, 1)] }
    }

    /// The value, if nothing varies.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub fn add(&self, other: &Affine) -> Affine {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some((x, i)), Some((y, j))) if x == y => {
                    if i.wrapping_add(*j) != 0 {
                        terms.push((x.clone(), i.wrapping_add(*j)));
                    }
                    a.next();
                    b.next();
                }
                (Some((x, _)), Some((y, _))) if x > y => terms.extend(b.next().cloned()),
                (Some(_), _) => terms.extend(a.next().cloned()),
                (None, Some(_)) => terms.extend(b.next().cloned()),
                (None, None) => break,
            }
        }
        Affine { constant: self.constant.wrapping_add(other.constant), terms }.recombined()
    }

    /// c·(e div c) + e mod c is e again, also where e is a quotient itself.
    fn recombined(self) -> Affine {
        let pair = self.terms.iter().find_map(|(atom, k)| {
            let Atom::Mod(e, c) = atom else { return None };
            let quotient = match (&e.terms[..], e.constant) {
                ([(Atom::Div(whole, d), 1)], 0) => Atom::Div(whole.clone(), d.checked_mul(*c)?),
                _ => Atom::Div(e.clone(), *c),
            };
            let found = self.terms.iter().any(|(a, n)| *a == quotient && *n == k.wrapping_mul(*c));
            found.then(|| (atom.clone(), quotient, e.mul(*k)))
        });
        let Some((remainder, quotient, whole)) = pair else { return self };
        let terms = self.terms.into_iter().filter(|(a, _)| *a != remainder && *a != quotient).collect();
        Affine { constant: self.constant, terms }.add(&whole)
    }

    pub fn add_constant(&self, c: i64) -> Affine {
        Affine { constant: self.constant.wrapping_add(c), terms: self.terms.clone() }
    }

    pub fn sub(&self, other: &Affine) -> Affine {
        self.add(&other.mul(-1))
    }

    pub fn mul(&self, c: i64) -> Affine {
        if c == 0 {
            return Affine::constant(0);
        }
        Affine {
            constant: self.constant.wrapping_mul(c),
            terms: self.terms.iter().map(|(a, k)| (a.clone(), k.wrapping_mul(c))).collect(),
        }
    }

    /// The sum, in the memory of one of them where the other has no terms.
    fn plus(self, other: Affine) -> Affine {
        let constant = self.constant.wrapping_add(other.constant);
        match (self.terms.last(), other.terms.first()) {
            (_, None) => Affine { constant, terms: self.terms },
            (None, _) => Affine { constant, terms: other.terms }.recombined(),
            (Some((last, _)), Some((first, _))) if last < first => {
                let mut terms = self.terms;
                terms.extend(other.terms);
                Affine { constant, terms }.recombined()
            }
            _ => self.add(&other),
        }
    }

    /// `self + k·other`, in the memory of `self` where all terms of the other come after its own.
    fn plus_multiple(mut self, other: &Affine, k: i64) -> Affine {
        if k == 0 {
            return self;
        }
        if let (Some((last, _)), Some((first, _))) = (self.terms.last(), other.terms.first())
            && last >= first
        {
            return self.add(&other.mul(k));
        }
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(k));
        self.terms.extend(other.terms.iter().map(|(a, c)| (a.clone(), c.wrapping_mul(k))));
        self.recombined()
    }

    /// The multiple, in the same memory.
    fn times(mut self, c: i64) -> Affine {
        if c == 0 {
            return Affine::constant(0);
        }
        if c != 1 {
            self.constant = self.constant.wrapping_mul(c);
            self.terms.iter_mut().for_each(|(_, k)| *k = k.wrapping_mul(c));
        }
        self
    }

    /// Inclusive bounds of the value over the space.
    pub fn range(&self, space: &Space) -> (i64, i64) {
        let (mut lo, mut hi) = (self.constant as i128, self.constant as i128);
        for (atom, k) in &self.terms {
            let (l, h) = atom.range(space);
            let (x, y) = (l as i128 * *k as i128, h as i128 * *k as i128);
            lo += x.min(y);
            hi += x.max(y);
        }
        (
            lo.clamp(i64::MIN as i128, i64::MAX as i128) as i64,
            hi.clamp(i64::MIN as i128, i64::MAX as i128) as i64,
        )
    }

    /// Splits into `c · quotient + rest` where every coefficient of `rest` is in `0..c`.
    fn split(&self, c: i64) -> (Affine, Affine) {
        let mut quotient = Affine::constant(self.constant.div_euclid(c));
        let mut rest = Affine::constant(self.constant.rem_euclid(c));
        for (atom, k) in &self.terms {
            let (q, r) = (k.div_euclid(c), k.rem_euclid(c));
            // -1·x stays a subtraction: (c-1)·x - c·x would only widen the range of the rest.
            let (q, r) = if r > c / 2 && q < 0 { (q + 1, r - c) } else { (q, r) };
            if q != 0 {
                quotient.terms.push((atom.clone(), q));
            }
            if r != 0 {
                rest.terms.push((atom.clone(), r));
            }
        }
        (quotient, rest)
    }

    /// Floor of the quotient by `c > 0`.
    pub fn div(&self, c: i64, space: &Space) -> Affine {
        if c == 1 {
            return self.clone();
        }
        let (quotient, rest) = self.split(c);
        let (lo, hi) = rest.range(space);
        if lo.div_euclid(c) == hi.div_euclid(c) {
            return quotient.add_constant(lo.div_euclid(c));
        }
        if let ([(Atom::Div(inner, d), 1)], 0) = (&rest.terms[..], rest.constant)
            && let Some(product) = d.checked_mul(c)
        {
            return quotient.add(&inner.div(product, space));
        }
        if let Some((g, high, _)) = rest.parted(c, space) {
            return quotient.add(&high.div(c / g, space));
        }
        // A common factor of the coefficients cancels: (4a + 2b + 1) div 6 = (2a + b) div 3.
        let g = rest.terms.iter().fold(c, |g, (_, k)| gcd(g, k.abs()));
        let (reduced, c) = if g > 1 {
            let terms = rest.terms.iter().map(|(a, k)| (a.clone(), k / g)).collect();
            (Affine { constant: rest.constant.div_euclid(g), terms }, c / g)
        } else {
            (rest, c)
        };
        if g > 1 {
            return quotient.add(&reduced.div(c, space));
        }
        quotient.add(&Affine::atom(Atom::Div(Arc::new(reduced), c)))
    }

    /// Remainder in `0..c` by `c > 0`.
    pub fn rem(&self, c: i64, space: &Space) -> Affine {
        if c == 1 {
            return Affine::constant(0);
        }
        let (_, rest) = self.split(c);
        let (lo, hi) = rest.range(space);
        if lo.div_euclid(c) == hi.div_euclid(c) {
            return rest.add_constant(-lo.div_euclid(c).wrapping_mul(c));
        }
        if let ([(Atom::Mod(inner, d), 1)], 0) = (&rest.terms[..], rest.constant)
            && d % c == 0
        {
            return inner.rem(c, space);
        }
        if let Some((g, high, low)) = rest.parted(c, space) {
            return high.rem(c / g, space).mul(g).add(&low);
        }
        Affine::atom(Atom::Mod(Arc::new(rest), c))
    }

    /// A factor g of `c` with the sum as g·high + low, 0 <= low < g: then only `high` takes part in the division.
    /// (64a + 8b + d) div 256 = a div 4, for b and d below 8.
    fn parted(&self, c: i64, space: &Space) -> Option<(i64, Affine, Affine)> {
        let mut factors: Vec<i64> =
            self.terms.iter().map(|(_, k)| gcd(c, k.abs())).filter(|&g| g > 1).collect();
        factors.sort_unstable();
        factors.dedup();
        factors.into_iter().rev().find_map(|g| {
            let (high, low): (Vec<_>, Vec<_>) = self.terms.iter().cloned().partition(|(_, k)| k % g == 0);
            let low = Affine { constant: self.constant.rem_euclid(g), terms: low };
            let high = high.into_iter().map(|(a, k)| (a, k / g)).collect();
            let high = Affine { constant: self.constant.div_euclid(g), terms: high };
            let (lo, hi) = low.range(space);
            let parts = !low.terms.is_empty() && lo >= 0 && hi < g;
            parts.then_some((g, high, low))
        })
    }

    /// Replaces axes and symbols; quotients and remainders are simplified over `space`, that of the replacements.
    pub fn substitute(
        &self,
        space: &Space,
        axis: &impl Fn(u32) -> Affine,
        symbol: &impl Fn(u32) -> Affine,
    ) -> Affine {
        let mut out = Affine::constant(self.constant);
        for (atom, k) in &self.terms {
            let value = match atom {
                Atom::Axis(a) => axis(*a),
                Atom::Symbol(s) => symbol(*s),
                Atom::Div(e, c) => e.substitute(space, axis, symbol).div(*c, space),
                Atom::Mod(e, c) => e.substitute(space, axis, symbol).rem(*c, space),
            };
            out = out.plus(value.times(*k));
        }
        out
    }

    /// Calls `f` for every atom, inner ones included.
    pub fn visit(&self, f: &mut impl FnMut(&Atom)) {
        for (atom, _) in &self.terms {
            f(atom);
            if let Atom::Div(e, _) | Atom::Mod(e, _) = atom {
                e.visit(f);
            }
        }
    }

    /// Whether the axis occurs, at any depth.
    pub fn uses_axis(&self, axis: usize) -> bool {
        let mut found = false;
        self.visit(&mut |a| found |= *a == Atom::Axis(axis as u32));
        found
    }

    /// The factor of the axis when the expression is linear in it; `None` when it also stands inside an atom.
    pub fn coefficient(&self, axis: usize) -> Option<i64> {
        let mut found = 0;
        for (atom, k) in &self.terms {
            match atom {
                Atom::Axis(a) if *a as usize == axis => found = *k,
                Atom::Div(e, _) | Atom::Mod(e, _) if e.uses_axis(axis) => return None,
                _ => {}
            }
        }
        Some(found)
    }
}

impl Atom {
    fn range(&self, space: &Space) -> (i64, i64) {
        match self {
            Atom::Axis(a) => space.axes[*a as usize],
            Atom::Symbol(s) => space.symbols[*s as usize],
            Atom::Div(e, c) => {
                let (lo, hi) = e.range(space);
                (lo.div_euclid(*c), hi.div_euclid(*c))
            }
            Atom::Mod(e, c) => {
                let (lo, hi) = e.range(space);
                if lo.div_euclid(*c) == hi.div_euclid(*c) {
                    (lo.rem_euclid(*c), hi.rem_euclid(*c))
                } else {
                    (0, c - 1)
                }
            }
        }
    }
}

/// The greatest common divisor; of 0 and a number, that number.
pub fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The row-major position of an index. Dimensions of one element have no part in it, so that positions that differ
/// in such alone are equal.
pub fn linearize(index: &[Affine], dims: &[i64]) -> Affine {
    let strides = row_major_strides(dims);
    let moving = index.iter().zip(strides).zip(dims).filter(|(_, n)| **n != 1);
    let zero = Affine { constant: 0, terms: Vec::with_capacity(index.iter().map(|i| i.terms.len()).sum()) };
    moving.fold(zero, |sum, ((i, s), _)| sum.plus_multiple(i, s))
}

/// The index of a row-major position in `0..Π dims`.
pub fn delinearize(position: &Affine, dims: &[i64], space: &Space) -> Vec<Affine> {
    let strides = row_major_strides(dims);
    dims.iter()
        .zip(strides)
        .enumerate()
        .map(|(i, (&extent, stride))| {
            let quotient = position.div(stride.max(1), space);
            // The leading index needs no remainder: the position is in range.
            if i == 0 { quotient } else { quotient.rem(extent.max(1), space) }
        })
        .collect()
}

/// The index in an array of dimensions `from` of the element that `index` names in its reshape to `to`. Dimensions that stay as
/// they are keep their index without a division. It may lie outside of them: of a piece of a concatenation a kernel computes
/// indices of all points, also of those that take another piece.
pub fn reshape(index: &[Affine], to: &[i64], from: &[i64], space: &Space) -> Vec<Affine> {
    let whole = || vec![(0..from.len(), 0..to.len())];
    let groups = common_factors(from, to).unwrap_or_else(whole);
    let mut all = vec![Affine::default(); from.len()];
    for (old, new) in groups {
        let wide = |dims: &[i64], range: &std::ops::Range<usize>| {
            let mut wide = range.clone().filter(|&d| dims[d] != 1);
            wide.next().filter(|_| wide.next().is_none())
        };
        match (wide(from, &old), wide(to, &new)) {
            (Some(d), Some(e)) if from[d] == to[e] => all[d] = index[e].clone(),
            _ => {
                let position = linearize(&index[new.clone()], &to[new]);
                all[old.clone()].clone_from_slice(&delinearize(&position, &from[old], space));
            }
        }
    }
    all
}

type Group = (std::ops::Range<usize>, std::ops::Range<usize>);

/// Cuts two lists of extents with one product into the finest groups of equal products, in order.
/// `None` for empty arrays.
pub fn common_factors(from: &[i64], to: &[i64]) -> Option<Vec<Group>> {
    if from.contains(&0) || to.contains(&0) {
        return None;
    }
    let mut groups = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < from.len() || j < to.len() {
        let (start_i, start_j) = (i, j);
        let (mut p, mut q) = (1i64, 1i64);
        if i < from.len() {
            p = from[i];
            i += 1;
        }
        if j < to.len() && (p != 1 || start_i == from.len()) {
            q = to[j];
            j += 1;
        }
        while p != q {
            if p < q {
                p *= *from.get(i)?;
                i += 1;
            } else {
                q *= *to.get(j)?;
                j += 1;
            }
        }
        groups.push((start_i..i, start_j..j));
    }
    Some(groups)
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (atom, k) in &self.terms {
            match (*k, first) {
                (1, true) => write!(f, "{atom}")?,
                (1, false) => write!(f, " + {atom}")?,
                (-1, false) => write!(f, " - {atom}")?,
                (k, false) if k < 0 => write!(f, " - {}*{atom}", -k)?,
                (k, true) => write!(f, "{k}*{atom}")?,
                (k, false) => write!(f, " + {k}*{atom}")?,
            }
            first = false;
        }
        match (self.constant, first) {
            (c, true) => write!(f, "{c}"),
            (0, false) => Ok(()),
            (c, false) if c < 0 => write!(f, " - {}", -c),
            (c, false) => write!(f, " + {c}"),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Axis(a) => write!(f, "d{a}"),
            Atom::Symbol(s) => write!(f, "s{s}"),
            Atom::Div(e, c) => write!(f, "({e}) div {c}"),
            Atom::Mod(e, c) => write!(f, "({e}) mod {c}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reshaped(from: &[i64], to: &[i64]) -> Vec<String> {
        let space = Space::of_extents(to);
        let index: Vec<Affine> = (0..to.len()).map(Affine::axis).collect();
        reshape(&index, to, from, &space).iter().map(|a| a.to_string()).collect()
    }

    #[test]
    fn reshapes_of_whole_dimensions_need_no_division() {
        assert_eq!(reshaped(&[6, 4], &[2, 3, 4]), ["3*d0 + d1", "d2"]);
        assert_eq!(reshaped(&[2, 12], &[2, 3, 4]), ["d0", "4*d1 + d2"]);
        assert_eq!(reshaped(&[1, 5, 1], &[5]), ["0", "d0", "0"]);
        assert_eq!(reshaped(&[3, 4], &[12]), ["(d0) div 4", "(d0) mod 4"]);
    }

    #[test]
    fn dimensions_that_stay_keep_an_index_beside_them() {
        let (space, d) = (Space::of_extents(&[32, 256]), Affine::axis);
        let index = reshape(&[d(0), d(1)], &[32, 128], &[1, 32, 128], &space);
        assert_eq!(index, [Affine::default(), d(0), d(1)]);
    }

    #[test]
    fn groups_are_the_finest() {
        assert_eq!(common_factors(&[2, 3, 4], &[6, 4]), Some(vec![(0..2, 0..1), (2..3, 1..2)]));
        assert_eq!(common_factors(&[8], &[2, 4]), Some(vec![(0..1, 0..2)]));
        assert_eq!(common_factors(&[], &[1, 1]), Some(vec![(0..0, 0..1), (0..0, 1..2)]));
        assert_eq!(common_factors(&[1, 5], &[5]), Some(vec![(0..1, 0..0), (1..2, 0..1)]));
        assert_eq!(common_factors(&[5], &[1, 5]), Some(vec![(0..1, 0..2)]));
        assert_eq!(common_factors(&[0, 2], &[0]), None);
    }

    #[test]
    fn dimensions_of_one_element_are_not_in_positions() {
        let index: Vec<Affine> = (0..4).map(Affine::axis).collect();
        assert_eq!(linearize(&index, &[1, 3, 1, 5]).to_string(), "5*d1 + d3");
    }

    #[test]
    fn splitting_and_merging_again_is_the_identity() {
        let space = Space::of_extents(&[24]);
        let i = Affine::axis(0);
        let parts = delinearize(&i, &[2, 3, 4], &space);
        // 12·(d0 div 12) + 4·(d0 div 4 mod 3) + d0 mod 4 is d0 for every point.
        for v in 0..24 {
            let at = |e: &Affine| e.substitute(&space, &|_| Affine::constant(v), &Affine::symbol);
            assert_eq!(at(&linearize(&parts, &[2, 3, 4])).as_constant(), Some(v));
        }
        assert_eq!(linearize(&parts, &[2, 3, 4]), i);
        let parts = delinearize(&Affine::axis(0), &[3, 2, 4, 5], &Space::of_extents(&[120]));
        assert_eq!(linearize(&parts, &[3, 2, 4, 5]), Affine::axis(0));
    }

    #[test]
    fn negative_terms_divide_by_floor() {
        let space = Space::of_extents(&[7]);
        let e = Affine::constant(5).sub(&Affine::axis(0));
        for v in 0..7 {
            let at =
                |e: Affine| e.substitute(&space, &|_| Affine::constant(v), &Affine::symbol).as_constant();
            assert_eq!(at(e.div(3, &space)), Some((5 - v).div_euclid(3)));
            assert_eq!(at(e.rem(3, &space)), Some((5 - v).rem_euclid(3)));
        }
    }

    #[test]
    fn small_terms_take_no_part_in_a_division() {
        let space = Space::of_extents(&[6, 8, 8]);
        let e = linearize(&[Affine::axis(0), Affine::axis(1), Affine::axis(2)], &[6, 8, 8]);
        assert_eq!(e.div(128, &space).to_string(), "(d0) div 2");
        assert_eq!(e.add_constant(64).div(192, &space).to_string(), "(d0 + 1) div 3");
        for v in 0..6 * 64 {
            let axis = |a: u32| Affine::constant([v / 64, v / 8 % 8, v % 8][a as usize]);
            let at = |e: Affine| e.substitute(&space, &axis, &Affine::symbol).as_constant();
            for c in [16, 128, 192, 100] {
                assert_eq!(at(e.add_constant(70).div(c, &space)), Some((v + 70).div_euclid(c)));
                assert_eq!(at(e.add_constant(70).rem(c, &space)), Some((v + 70).rem_euclid(c)));
            }
        }
        assert_eq!(e.div(128, &space).mul(128).add(&e.rem(128, &space)), e);
    }

    #[test]
    fn coefficients() {
        let space = Space::of_extents(&[8, 8]);
        let e = Affine::axis(0).mul(3).add(&Affine::axis(1).div(3, &space));
        assert_eq!(e.coefficient(0), Some(3));
        assert_eq!(e.coefficient(1), None);
    }
}
