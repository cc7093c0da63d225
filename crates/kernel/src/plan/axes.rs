//! Loop axes: the axes of a stage, split where a quotient divides them and merged where memory allows.
//!
//! An axis of extent 12 that is only read as `d0 div 4` and `d0 mod 4` becomes two axes 3 × 4; two axes that every
//! expression reads as `8*d0 + d1` (8 the extent of `d1`) become one. What remains are long loops whose offsets
//! are linear, which is what vectors and prefetchers want.

use crate::region::{Node, NodeId, Region};
use lawson_hlo::index::{Affine, Atom, Space, delinearize};

/// The loop axes of a stage, and each axis of the stage as an expression of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Axes {
    pub extents: Vec<i64>,
    /// The first `space` loop axes make up the stage's space, the others its inner axes.
    pub space: usize,
    of: Vec<Affine>,
    ranges: Space,
}

impl Axes {
    /// The loop axes for a stage of these extents, in which `exprs` are evaluated.
    pub fn new(region: &Region, space: &[i64], inner: &[i64], exprs: &[Affine]) -> Axes {
        Axes::with_fixed(region, (space, inner), exprs, &[])
    }

    /// The same, where some axes of the space stay loop axes of their own.
    pub fn with_fixed(
        region: &Region,
        (space, inner): (&[i64], &[i64]),
        exprs: &[Affine],
        fixed: &[usize],
    ) -> Axes {
        let mut axes = Axes::unchanged(region, space, inner);
        axes.split(exprs, fixed);
        axes.drop_units();
        axes.merge(exprs, fixed);
        axes
    }

    /// Whether these are loop axes of a stage that has so many axes.
    pub fn are_of(&self, axes: usize) -> bool {
        self.of.len() == axes
    }

    /// The loop axis that is this axis of the stage.
    pub fn loop_of(&self, axis: usize) -> Option<usize> {
        match self.of[axis] {
            Affine { constant: 0, ref terms } => match terms[..] {
                [(Atom::Axis(a), 1)] => Some(a as usize),
                _ => None,
            },
            _ => None,
        }
    }

    /// The index, for an array of these dimensions, of an offset over the loop axes, where a mask holds.
    pub fn index_of(
        &self,
        translated: &Affine,
        dims: &[i64],
        (region, mask): (&Region, Option<NodeId>),
    ) -> Vec<Affine> {
        let mut ranges = self.ranges.clone();
        if let Some(mask) = mask {
            region.clip(mask, &mut ranges, &|e| self.translate(e));
        }
        delinearize(translated, dims, &ranges)
    }

    fn unchanged(region: &Region, space: &[i64], inner: &[i64]) -> Axes {
        let extents: Vec<i64> = space.iter().chain(inner).copied().collect();
        let of = (0..extents.len()).map(Affine::axis).collect();
        let symbols = region.symbols.iter().map(|s| s.range).collect();
        let mut axes = Axes { extents, space: space.len(), of, ranges: Space { axes: Vec::new(), symbols } };
        axes.set_ranges();
        axes
    }

    fn set_ranges(&mut self) {
        self.ranges.axes = self.extents.iter().map(|&n| (0, (n - 1).max(0))).collect();
    }

    /// An expression over the stage's axes as one over the loop axes.
    pub fn translate(&self, e: &Affine) -> Affine {
        e.substitute(&self.ranges, &|a| self.of[a as usize].clone(), &Affine::symbol)
    }

    /// Whether an expression over the loop axes reads this one and the next as one: it is the same wherever all of their number
    /// stands in the next, and this is 0.
    pub fn reads_as_one(&self, translated: &Affine, axis: usize) -> bool {
        reads_as_one(translated, axis as u32, self.extents[axis + 1])
    }

    /// Inclusive bounds of an expression over the loop axes.
    pub fn range(&self, translated: &Affine) -> (i64, i64) {
        translated.range(&self.ranges)
    }

    /// These axes with one of them restricted to `lo..hi`: the new axis counts from 0, and expressions add `lo`.
    pub fn part(&self, axis: usize, lo: i64, hi: i64) -> Axes {
        let mut part = self.clone();
        part.extents[axis] = hi - lo;
        let from = |a: usize| Affine::axis(a).add_constant(if a == axis { lo } else { 0 });
        let parts: Vec<Affine> = (0..self.extents.len()).map(from).collect();
        part.set_ranges();
        part.place(&parts);
        part
    }

    /// Whether `lo <= e < hi` everywhere, or nowhere; `e` is over the stage's axes.
    pub fn holds(&self, e: &Affine, lo: i64, hi: i64) -> Option<bool> {
        self.within(&self.translate(e), lo, hi)
    }

    /// Whether a mask is a test of an index that holds everywhere.
    pub fn always_holds(&self, region: &Region, mask: NodeId) -> bool {
        matches!(region.node(mask), Node::InRange { value, lo, hi } if self.holds(value, *lo, *hi) == Some(true))
    }

    /// The same as [`Axes::holds`] of an expression over the loop axes.
    pub fn within(&self, translated: &Affine, lo: i64, hi: i64) -> Option<bool> {
        let (min, max) = self.range(translated);
        match (min >= lo && max < hi, max < lo || min >= hi) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Extents of the space axes.
    pub fn space_extents(&self) -> &[i64] {
        &self.extents[..self.space]
    }

    /// Extents of the inner axes.
    pub fn inner_extents(&self) -> &[i64] {
        &self.extents[self.space..]
    }

    /// These with some axes of the space, or some inner ones, as one, row-major, which stands where the last of them stood; and
    /// where each axis is then.
    pub fn flattened(&self, group: &[usize]) -> (Axes, Vec<usize>) {
        let Some(&last) = group.last() else { return (self.clone(), (0..self.extents.len()).collect()) };
        let stays = |a: &usize| *a == last || !group.contains(a);
        let kept: Vec<usize> = (0..self.extents.len()).filter(stays).collect();
        let points: i64 = group.iter().map(|&a| self.extents[a]).product();
        let extents: Vec<i64> =
            kept.iter().map(|&a| if a == last { points } else { self.extents[a] }).collect();
        let is_at = |a: usize| kept.iter().position(|&k| k == a);
        let at: Vec<usize> = (0..self.extents.len()).map(|a| is_at(a).or(is_at(last)).unwrap_or(0)).collect();
        let ranges = Space {
            axes: extents.iter().map(|&n| (0, (n - 1).max(0))).collect(),
            symbols: self.ranges.symbols.clone(),
        };
        let whole = Affine::axis(at[last]);
        let parts: Vec<Affine> = (0..self.extents.len())
            .map(|a| match group.iter().position(|&g| g == a) {
                None => Affine::axis(at[a]),
                Some(n) => {
                    let minor: i64 = group[n + 1..].iter().map(|&a| self.extents[a]).product();
                    whole.div(minor.max(1), &ranges).rem(self.extents[a].max(1), &ranges)
                }
            })
            .collect();
        let mut new = self.clone();
        let space = kept.iter().filter(|&&a| a < self.space).count();
        new.replace(extents, space, &parts);
        (new, at)
    }

    /// Replaces the loop axes: `parts[k]` says what the old axis `k` is now.
    fn replace(&mut self, extents: Vec<i64>, space: usize, parts: &[Affine]) {
        self.extents = extents;
        self.space = space;
        self.set_ranges();
        self.place(parts);
    }

    /// Puts expressions of the loop axes in the place of old loop axes.
    fn place(&mut self, parts: &[Affine]) {
        for e in &mut self.of {
            *e = e.substitute(&self.ranges, &|a| parts[a as usize].clone(), &Affine::symbol);
        }
    }

    fn split(&mut self, exprs: &[Affine], fixed: &[usize]) {
        let mut divisors: Vec<Vec<i64>> = vec![Vec::new(); self.extents.len()];
        for e in exprs {
            e.visit(&mut |atom| {
                if let Atom::Div(inner, c) | Atom::Mod(inner, c) = atom
                    && let ([(Atom::Axis(a), 1)], 0) = (&inner.terms[..], inner.constant)
                    && !fixed.contains(&(*a as usize))
                    && self.extents[*a as usize] % c == 0
                    && !divisors[*a as usize].contains(c)
                {
                    divisors[*a as usize].push(*c);
                }
            });
        }
        if divisors.iter().all(|d| d.is_empty()) {
            return;
        }
        let (mut extents, mut parts, mut space) = (Vec::new(), Vec::new(), 0);
        for (k, mut wanted) in divisors.into_iter().enumerate() {
            wanted.sort_unstable();
            // Each divisor must divide the next one.
            let mut chain = vec![1];
            for c in wanted.into_iter().chain([self.extents[k].max(1)]) {
                if c % chain[chain.len() - 1] == 0 && c != chain[chain.len() - 1] {
                    chain.push(c);
                }
            }
            let mut whole = Affine::constant(0);
            for pair in chain.windows(2).rev() {
                whole = whole.add(&Affine::axis(extents.len()).mul(pair[0]));
                extents.push(if self.extents[k] == 0 { 0 } else { pair[1] / pair[0] });
            }
            if chain.len() == 1 {
                whole = Affine::axis(extents.len());
                extents.push(self.extents[k]);
            }
            parts.push(whole);
            if k + 1 == self.space {
                space = extents.len();
            }
        }
        self.replace(extents, space, &parts);
    }

    fn drop_units(&mut self) {
        if !self.extents.contains(&1) {
            return;
        }
        let (mut extents, mut parts, mut space) = (Vec::new(), Vec::new(), 0);
        for (k, &n) in self.extents.iter().enumerate() {
            if n == 1 {
                parts.push(Affine::constant(0));
            } else {
                parts.push(Affine::axis(extents.len()));
                extents.push(n);
            }
            if k + 1 == self.space {
                space = extents.len();
            }
        }
        self.replace(extents, space, &parts);
    }

    fn merge(&mut self, exprs: &[Affine], fixed: &[usize]) {
        let mut translated: Vec<Affine> = exprs.iter().map(|e| self.translate(e)).collect();
        let mut k = 0;
        while k + 1 < self.extents.len() {
            let same_class = (k < self.space) == (k + 1 < self.space);
            let minor = self.extents[k + 1];
            let alone = fixed.iter().filter_map(|&a| self.loop_of(a)).any(|a| a == k || a == k + 1);
            if !same_class || alone || !translated.iter().all(|e| reads_as_one(e, k as u32, minor)) {
                k += 1;
                continue;
            }
            // Only the merged axis m = minor·k + (k+1) stands in the expressions from here on.
            let mut extents = self.extents.clone();
            extents[k] *= minor;
            extents.remove(k + 1);
            let space = if k < self.space { self.space - 1 } else { self.space };
            let ranges = Space {
                axes: extents.iter().map(|&n| (0, (n - 1).max(0))).collect(),
                symbols: self.ranges.symbols.clone(),
            };
            let joined = |a: u32| match a as usize {
                a if a < k => Affine::axis(a),
                a if a == k => Affine::constant(0),
                a => Affine::axis(a - 1),
            };
            for e in &mut translated {
                *e = e.substitute(&ranges, &joined, &Affine::symbol);
            }
            // The stage's own axes still need both parts.
            let whole = Affine::axis(k);
            let parts: Vec<Affine> = (0..self.extents.len())
                .map(|a| match a {
                    a if a == k => whole.div(minor.max(1), &ranges),
                    a if a == k + 1 => whole.rem(minor.max(1), &ranges),
                    a if a > k => Affine::axis(a - 1),
                    a => Affine::axis(a),
                })
                .collect();
            self.replace(extents, space, &parts);
        }
    }
}

/// Whether every sum in `e` holds axes k and k+1 as `minor·k + (k+1)`.
fn reads_as_one(e: &Affine, k: u32, minor: i64) -> bool {
    let factor = |axis: u32| e.terms.iter().find(|(a, _)| *a == Atom::Axis(axis)).map_or(0, |(_, c)| *c);
    factor(k) == factor(k + 1).wrapping_mul(minor)
        && e.terms.iter().all(|(a, _)| match a {
            Atom::Div(inner, _) | Atom::Mod(inner, _) => reads_as_one(inner, k, minor),
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::index::linearize;

    fn two(a: i64, b: i64) -> Affine {
        Affine::axis(0).mul(a).add(&Affine::axis(1).mul(b))
    }

    #[test]
    fn contiguous_axes_merge_and_broadcast_ones_do_not() {
        let r = Region::default();
        let axes = Axes::new(&r, &[4, 8], &[], &[two(8, 1)]);
        assert_eq!(axes.extents, [32]);
        assert_eq!(axes.translate(&two(8, 1)), Affine::axis(0));
        assert_eq!(Axes::new(&r, &[4, 8], &[], &[two(8, 1), two(0, 1)]).extents, [4, 8]);
        assert_eq!(Axes::new(&r, &[4], &[8], &[two(8, 1)]).extents, [4, 8]);
        let three = linearize(&[Affine::axis(0), Affine::axis(1), Affine::axis(2)], &[2, 3, 40]);
        let axes = Axes::new(&r, &[2, 3, 40], &[], std::slice::from_ref(&three));
        assert_eq!((axes.translate(&three), &axes.extents[..]), (Affine::axis(0), &[240][..]));
    }

    #[test]
    fn quotients_split_an_axis() {
        let r = Region::default();
        let space = Space::of_extents(&[12]);
        let i = Affine::axis(0);
        // The transpose of a 3 × 4 array, flattened.
        let read = i.rem(4, &space).mul(3).add(&i.div(4, &space));
        let axes = Axes::new(&r, &[12], &[], &[read.clone(), i.clone()]);
        assert_eq!(axes.extents, [3, 4]);
        assert_eq!(axes.translate(&read), two(1, 3));
        assert_eq!(axes.translate(&i), linearize(&[Affine::axis(0), Affine::axis(1)], &[3, 4]));
    }

    #[test]
    fn a_part_counts_from_its_beginning() {
        let axes = Axes::new(&Region::default(), &[12, 5], &[], &[two(5, 1)]);
        let part = axes.part(0, 20, 50);
        assert_eq!(part.extents, [30]);
        assert_eq!(part.translate(&two(5, 1)), Affine::axis(0).add_constant(20));
        assert_eq!(part.holds(&two(5, 1), 20, 50), Some(true));
        assert_eq!(part.holds(&two(5, 1), 50, 60), Some(false));
        assert_eq!(part.holds(&Affine::axis(0), 4, 9), None);
    }

    #[test]
    fn flattened_axes_are_read_by_quotients_and_written_in_line() {
        let r = Region::default();
        // Windows of three along two dimensions of an image of 10 × 12, for 5 features.
        let read = [Affine::axis(0), Affine::axis(3)].iter().fold(Affine::default(), |a, b| a.add(b)).mul(12);
        let read = read.add(&Affine::axis(1)).add(&Affine::axis(4));
        let stored = linearize(&[Affine::axis(0), Affine::axis(1), Affine::axis(2)], &[8, 10, 5]);
        let axes = Axes::new(&r, &[8, 10, 5], &[3, 3], &[read.clone(), stored.clone()]);
        assert_eq!(axes.extents, [8, 10, 5, 3, 3]);
        let (flat, at) = axes.flattened(&[0, 1]);
        assert_eq!((&flat.extents[..], flat.space, at), (&[80, 5, 3, 3][..], 2, vec![0, 0, 1, 2, 3]));
        assert_eq!(flat.translate(&stored), two(5, 1));
        let ranges = Space::of_extents(&flat.extents);
        let row = Affine::axis(0).div(10, &ranges).add(&Affine::axis(2)).mul(12);
        let column = Affine::axis(0).rem(10, &ranges).add(&Affine::axis(3));
        assert_eq!(flat.translate(&read), row.add(&column));
    }

    #[test]
    fn unit_axes_vanish() {
        let r = Region::default();
        let axes = Axes::new(&r, &[1, 8, 1], &[], &[Affine::axis(1)]);
        assert_eq!(axes.extents, [8]);
        assert_eq!(axes.space, 1);
    }
}
