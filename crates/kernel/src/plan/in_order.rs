//! Maps whose last axes are shorter than two vectors, in the order of memory: lanes lie along the last axes and the one before as along
//! one.
//!
//! ```text
//! y[i, c] = x[i, c] · w[c]     with 3 columns, the lanes of the first vector lie at i = 0, 0, 0, 1, … and c = 0, 1, 2, 0, …
//! ```
//!
//! After some vectors, a period, the lanes lie as in the first of them (3 vectors of 16 lanes are 16 rows of 3). They are written
//! out, so that it is a constant where the lanes of each lie: results are stored in line, masks are constants, and elements that do
//! not follow each other are shuffled out of a few whole vectors. The other form of such maps has the elements of a row as pieces,
//! one row for each lane ([`super::pieces`]): there what a row has in common is computed once, and everything is turned.
//!
//! Reductions whose lanes lie along short lines do the same, where all vectors are alike ([`of_reduction`]).

use super::Axes;
use super::dependence::Dependence;
use super::exprs::loops_of;
use super::short_rows::row_of;
use super::shuffle_rounds::rounds;
use super::vector::{is_loaded_apart, lane_axis};
use crate::region::{FoldOrder, Kind, Node, NodeId, Region, Source, Stage, roots_of};
use crate::target::Target;
use lawson_hlo::Opcode;
use lawson_hlo::index::{Affine, Atom, Space, gcd};

/// The vectors of a period, and what loads take that are not in line.
#[derive(Clone, PartialEq, Debug)]
pub struct InOrder {
    pub vectors: i64,
    /// Instructions beside a load for each vector, of all vectors of a period.
    pub shuffled: Vec<(NodeId, i64)>,
}

/// Whether so many lanes of elements of so many bytes, which are neighbours in memory, have a load of their own.
pub fn is_loaded_as_run(lanes: i64, size: i64) -> bool {
    lanes >= 4 || lanes * size >= 16
}

impl InOrder {
    /// Instructions beside a load for each of its vectors.
    pub fn of_load(&self, load: NodeId) -> i64 {
        let all = self.shuffled.iter().find(|(id, _)| *id == load).map_or(0, |&(_, n)| n);
        (all + self.vectors - 1) / self.vectors
    }
}

/// Elements of the last axes, and vectors of a period, at most: they are code.
const MOST_ELEMENTS: i64 = 64;
const MOST_VECTORS: i64 = 25;
/// Periods of a row, at the least: they are code, and of few a part would be computed twice.
const FEW: i64 = 8;
/// Nodes that are written out.
const MOST_CODE: i64 = 800;
/// Instructions that find the places of a row.
const OF_ROW: i64 = 8;
/// Vectors of which elements that do not follow each other are taken, at most.
pub const MOST_LOADED: i64 = 5;

/// The axes of such a map, with those that are in order as one, the last.
pub(super) fn of(region: &Region, s: usize, axes: &Axes, target: &Target) -> Option<(Axes, InOrder)> {
    let stage = &region.stages[s];
    let Kind::Map { values } = &stage.kind else { return None };
    let (extents, lanes) = (axes.space_extents(), target.lanes() as i64);
    let short = extents.last().is_some_and(|&last| last < 2 * lanes && last % lanes != 0);
    if target.gpu.is_some() || !short || stage.points() == 0 {
        return None;
    }
    let live = region.live(values, &|e, lo, hi| axes.holds(e, lo, hi));
    let types = live.iter().map(|&id| region.dtype(id)).chain(stage.results.iter().copied());
    if !types.into_iter().all(|d| d.is_pred() || d.is_integer() || d.is_float()) {
        return None;
    }
    for row in (0..axes.space - 1).rev() {
        let size: i64 = extents[row + 1..].iter().product();
        let vectors = size / gcd(size, lanes);
        if size > MOST_ELEMENTS {
            return None;
        }
        let code = vectors * live.len() as i64;
        if vectors > MOST_VECTORS
            || code > MOST_CODE
            || extents[row].saturating_mul(size) < FEW * vectors * lanes
        {
            continue;
        }
        let lying = Lying { region, axes, row, size, lanes, vectors };
        if let Some(shuffled) = lying.shuffled(&live)
            && lying.is_less_than_rows(&live, &shuffled, target)
        {
            let group: Vec<usize> = (row..axes.space).collect();
            return Some((axes.flattened(&group).0, InOrder { vectors, shuffled }));
        }
    }
    None
}

/// The inner axes of a reduction whose lanes lie along them, with the last ones as one, if a vector has several whole lines of the
/// last: the lanes of each vector lie alike.
///
/// ```text
/// sum of w[i] · x[2i + j]     with 2 elements in a line, the lanes lie at i = 0, 0, 1, 1, … and j = 0, 1, 0, 1, …
/// ```
pub(super) fn of_reduction(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    target: &Target,
) -> Option<(Axes, InOrder)> {
    let Kind::Reduce { values, order: FoldOrder::MinorReduced, mask: None, stored, .. } = &stage.kind else {
        return None;
    };
    let (extents, lanes) = (&axes.extents, target.lanes() as i64);
    let short = axes.inner_extents().len() > 1 && 2 * extents.last()? < lanes;
    let empty = stage.points() == 0 || stage.inner_points() == 0;
    if target.gpu.is_some() || !short || !stored.is_empty() || empty {
        return None;
    }
    let live = region.live(values, &|e, lo, hi| axes.holds(e, lo, hi));
    (axes.space..extents.len() - 1).rev().find_map(|row| {
        let size: i64 = extents[row + 1..].iter().product();
        let whole = lanes % size == 0 && extents[row] * size % lanes == 0;
        let lying = Lying { region, axes, row, size, lanes, vectors: 1 };
        let shuffled = whole.then(|| lying.shuffled(&live)).flatten()?;
        let group: Vec<usize> = (row..extents.len()).collect();
        Some((axes.flattened(&group).0, InOrder { vectors: 1, shuffled }))
    })
}

/// Whether a map takes less in order than in pieces, of which this is the region.
pub(super) fn is_less(region: &Region, axes: &Axes, joint: &Region, target: &Target) -> bool {
    let Some((_, order)) = of(region, 0, axes, target) else { return false };
    let roots = roots_of(&region.stages[0]);
    let live = region.live(&roots, &|e, lo, hi| axes.holds(e, lo, hi));
    let each: i64 = live.iter().map(|&id| target.rates.node(region, id)).sum();
    let shuffled: i64 = order.shuffled.iter().map(|&(_, n)| n).sum();
    let in_order = each * order.vectors + shuffled;
    of_pieces(joint, target).is_some_and(|(work, elements)| {
        in_order.saturating_mul(elements) < work.saturating_mul(order.vectors)
    })
}

/// What a vector of rows takes whose elements are pieces, and how many elements of each result a row has.
fn of_pieces(joint: &Region, target: &Target) -> Option<(i64, i64)> {
    let stage = &joint.stages[0];
    let axes = loops_of(joint, stage);
    let lane = lane_axis(axes.space_extents(), target.lanes())?;
    let all = joint.reachable(&roots_of(stage));
    let mut work: i64 = all.iter().map(|&id| target.rates.node(joint, id)).sum();
    for &id in &all {
        let Node::Load { offset, .. } = joint.node(id) else { continue };
        work += match axes.translate(offset).coefficient(lane) {
            Some(-1..=1) => 0,
            Some(step) if row_of(joint, id, step.abs()).is_some() => {
                rounds(step.unsigned_abs() as usize)? as i64
            }
            Some(step) if is_loaded_apart(step) => 2 * step.abs() - 2,
            _ => target.rates.gather,
        };
    }
    let parts = stage.stored().iter().map(|s| s.parts.len());
    let turned = |n: usize| rounds(n).map_or(target.rates.gather, |rounds| rounds as i64);
    work += parts.clone().map(|n| n as i64 * turned(n)).sum::<i64>();
    Some((work, parts.max()? as i64))
}

/// How the lanes of the vectors of a period lie: along the axes from `row` on, of which all after it have `size` elements.
struct Lying<'a> {
    region: &'a Region,
    axes: &'a Axes,
    row: usize,
    size: i64,
    lanes: i64,
    vectors: i64,
}

impl Lying<'_> {
    /// What loads take that are not in line; `None` where it is not known how the lanes of something lie, or they lie too far apart.
    fn shuffled(&self, live: &[NodeId]) -> Option<Vec<(NodeId, i64)>> {
        let mut found = Vec::new();
        for &id in live {
            match self.region.node(id) {
                Node::Load { source: Source::Input(_), offset, mask } => {
                    let size = self.region.dtype(id).size() as i64;
                    let n = self.of_load(&self.axes.translate(offset), *mask, size)?;
                    if n > 0 {
                        found.push((id, n));
                    }
                }
                Node::Load { .. } => return None,
                Node::Index(e) | Node::InRange { value: e, .. } => {
                    self.is_known(&self.axes.translate(e)).then_some(())?;
                }
                _ => {}
            }
        }
        Some(found)
    }

    /// Whether a vector takes less in order than where lanes lie along the last axis alone, or along the rows, one element of each.
    fn is_less_than_rows(&self, live: &[NodeId], shuffled: &[(NodeId, i64)], target: &Target) -> bool {
        let mut along = Dependence::default();
        let mut changes = |id: NodeId, axes: std::ops::Range<usize>| {
            axes.into_iter().any(|axis| along.on(self.region, self.axes, id, axis))
        };
        let (mut of_rows, mut of_elements, mut loads) = (0, 0, 0);
        for &id in live {
            let work = target.rates.node(self.region, id);
            let of_element = changes(id, self.row + 1..self.axes.extents.len());
            if of_element {
                of_elements += work;
                loads += i64::from(matches!(self.region.node(id), Node::Load { .. }));
            } else if changes(id, self.row..self.row + 1) {
                of_rows += work;
            }
        }
        let all: i64 = shuffled.iter().map(|&(_, n)| n).sum();
        let in_order = of_rows + of_elements + all / self.vectors;
        let last = self.axes.extents[self.axes.space - 1];
        let apart = match last >= self.lanes / 2 {
            // Vectors that overlap, or of half as many lanes; a row is computed by itself.
            true => 2 * of_elements + (of_rows + OF_ROW) * self.lanes / last,
            false => of_elements + of_rows / self.size + target.rates.gather * (loads + 1),
        };
        in_order <= apart
    }

    /// Whether lanes differ by constants: no quotient is of the row, or both of an axis before it and of one after it, and no data
    /// decides.
    fn is_known(&self, translated: &Affine) -> bool {
        let mut along = Dependence::default();
        let inner = self.row..self.axes.extents.len();
        let mut constant = |atom: &Atom| match atom {
            Atom::Axis(_) => true,
            Atom::Symbol(s) => {
                let node = self.region.symbols[*s as usize].node;
                !inner.clone().any(|axis| along.on(self.region, self.axes, node, axis))
            }
            Atom::Div(e, _) | Atom::Mod(e, _) => {
                let outside = (0..=self.row).any(|a| e.uses_axis(a));
                let inside = inner.clone().any(|a| e.uses_axis(a));
                let mut symbols = false;
                e.visit(&mut |atom| symbols |= matches!(atom, Atom::Symbol(_)));
                let mixed = outside && inside;
                !symbols && !mixed
            }
        };
        translated.terms.iter().all(|(atom, _)| constant(atom))
    }

    /// The value of an expression in a lane of the period, beside what all lanes share.
    fn at(&self, translated: &Affine, lane: i64) -> i64 {
        let mut axes = vec![(0, 0); self.axes.extents.len()];
        axes[self.row] = (lane / self.size, lane / self.size);
        let mut rest = lane % self.size;
        for axis in (self.row + 1..axes.len()).rev() {
            let extent = self.axes.extents[axis].max(1);
            axes[axis] = (rest % extent, rest % extent);
            rest /= extent;
        }
        let symbols = vec![(0, 0); self.region.symbols.len()];
        translated.range(&Space { axes, symbols }).0
    }

    /// Whether a mask holds in a lane; `None` where that is no constant.
    fn holds(&self, mask: NodeId, lane: i64) -> Option<bool> {
        match self.region.node(mask) {
            Node::Constant { bits } => Some(bits[0] != 0),
            Node::InRange { value, lo, hi } => {
                let value = self.axes.translate(value);
                if let Some(everywhere) = self.axes.within(&value, *lo, *hi) {
                    return Some(everywhere);
                }
                let varies = (0..=self.row).any(|a| value.uses_axis(a));
                let at = self.at(&value, lane);
                (!varies && self.is_known(&value)).then_some((*lo..*hi).contains(&at))
            }
            Node::Binary { opcode: Opcode::And, x, y, .. } => {
                Some(self.holds(*x, lane)? && self.holds(*y, lane)?)
            }
            _ => None,
        }
    }

    /// Instructions beside one load for each vector.
    fn of_load(&self, offset: &Affine, mask: Option<NodeId>, size: i64) -> Option<i64> {
        if !self.is_known(offset) {
            return None;
        }
        let changes = offset.uses_axis(self.row);
        let mut instructions = 0;
        for vector in 0..self.vectors {
            let lanes = vector * self.lanes..(vector + 1) * self.lanes;
            let places: Vec<i64> = lanes.clone().map(|lane| self.at(offset, lane)).collect();
            let in_line = places.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let valid = match mask {
                None => Some(vec![true; places.len()]),
                Some(mask) => lanes.map(|lane| self.holds(mask, lane)).collect::<Option<Vec<bool>>>(),
            };
            // A load in line may have any mask; for others it is a constant which lanes are read.
            let valid = match valid {
                Some(valid) => valid,
                None if in_line => continue,
                None => return None,
            };
            let read = || places.iter().zip(&valid).filter(|(_, valid)| **valid).map(|(&place, _)| place);
            let (Some(least), Some(greatest)) = (read().min(), read().max()) else { continue };
            let whole = valid.iter().all(|&v| v);
            let in_runs = |parts: &i64| {
                let mut runs = places.chunks((self.lanes / parts) as usize);
                whole && runs.all(|run| run.windows(2).all(|pair| pair[1] == pair[0] + 1))
            };
            let loaded = (greatest - least + self.lanes) / self.lanes;
            let mut parts = [1, 2, 4, 8].into_iter().filter(|n| is_loaded_as_run(self.lanes / n, size));
            let work = match parts.find(in_runs) {
                Some(parts) => 2 * (parts - 1),
                None if loaded > MOST_LOADED => return None,
                None => loaded - 1 + (loaded - 1).max(1) + i64::from(!whole),
            };
            // What is the same in all periods is computed before them.
            instructions += if changes { work } else { 0 };
        }
        Some(instructions)
    }
}
