//! Maps that choose between pieces, with all pieces of a point evaluated together.
//!
//! ```text
//! y = concatenate(a + b, a − b)      a point is an index of y: one of the two is evaluated
//! →
//! y[j] = a + b, y[n + j] = a − b     a point is an index j of both pieces: a and b are read once
//! ```
//!
//! The pieces have one extent and follow each other along one loop axis. That axis goes, and each piece is an expression of
//! its own over the others, so that what the pieces have in common is one node. This is worth it where they have much in
//! common, as in butterflies and rotations, or where elements of the pieces take turns in memory (a stack along the last
//! dimension): together they are stored as whole vectors, apart element by element. Else the loop over each piece alone is
//! as good ([`super::index_set_split`]).
//!
//! The points of axes behind the lanes, where those are too short for vectors, are such pieces too: they take turns. So are those of a
//! short axis before the lanes, where what is read has them side by side (a transpose of short rows).

use super::Axes;
use super::dependence::Dependence;
use super::exprs::loops_of;
use super::in_order;
use super::index_set_split::borders;
use super::short_rows::row_of;
use super::shuffle_rounds::rounds;
use super::vector::{lane_axis, lanes_within};
use crate::region::{Kind, Node, NodeId, Region, Stage, Stored, Symbol, roots_of};
use crate::target::Target;
use lawson_hlo::index::{Affine, Atom, gcd, linearize};
use rustc_hash::FxHashMap;

/// Most values of one point: they wait in registers until all are evaluated.
const MAX_VALUES: i64 = 16;
/// The work that is left must be at most this share of that of the pieces apart, in percent.
const MAX_WORK: i64 = 80;

/// The region of one map, or of one update at a fixed place, with its pieces together, where that is less work.
pub(super) fn together(region: &Region, target: &Target) -> Option<Region> {
    let [stage] = &region.stages[..] else { return None };
    let values = match &stage.kind {
        Kind::Map { values } => values,
        Kind::Update { values, offset, mask: None, combiner: None, unique: true } if is_fixed(offset) => {
            values
        }
        _ => return None,
    };
    if stage.points() == 0 {
        return None;
    }
    let axes = loops_of(region, stage);
    let joint = chosen(region, (stage, values), &axes, target)
        .or_else(|| short(region, (stage, values), &axes, target))
        .or_else(|| turned(region, (stage, values), &axes, target))?;
    (!in_order::is_less(region, &axes, &joint, target)).then_some(joint)
}

/// The region of a map whose last axes are short, with the points of these together, where their elements take turns in memory.
fn short(
    region: &Region,
    (stage, values): (&Stage, &[NodeId]),
    axes: &Axes,
    target: &Target,
) -> Option<Region> {
    let extents = axes.space_extents();
    let lane = lane_axis(extents, target.lanes())?;
    let count: i64 = extents[lane + 1..].iter().fold(1, |n, &e| n.saturating_mul(e));
    if target.gpu.is_some() || count < 2 || count.saturating_mul(values.len() as i64) > MAX_VALUES {
        return None;
    }
    if (lane + 1..extents.len()).any(|axis| chooses_along(region, axes, axis)) {
        return None;
    }
    let mut points = vec![axes.clone()];
    for (axis, &extent) in extents.iter().enumerate().skip(lane + 1) {
        let along = |of: &Axes| (0..extent).map(|p| of.part(axis, p, p + 1)).collect::<Vec<_>>();
        points = points.iter().flat_map(along).collect();
    }
    joined(region, stage, &points).filter(|joint| in_turns(joint, target))
}

/// The region of a map with the points of a short axis before the lanes together, which all lie in short rows of what is read: a row
/// is read whole, and each of its elements stored elsewhere.
fn turned(
    region: &Region,
    (stage, values): (&Stage, &[NodeId]),
    axes: &Axes,
    target: &Target,
) -> Option<Region> {
    let extents = axes.space_extents();
    let lane = lane_axis(extents, target.lanes())?;
    let columns = extents[lane];
    if target.gpu.is_some() || lane + 1 != extents.len() || columns < target.lanes() as i64 {
        return None;
    }
    for (axis, &extent) in extents[..lane].iter().enumerate() {
        let few = extent >= 2 && extent.saturating_mul(values.len() as i64) <= MAX_VALUES;
        if !few || chooses_along(region, axes, axis) {
            continue;
        }
        let points: Vec<Axes> = (0..extent).map(|p| axes.part(axis, p, p + 1)).collect();
        let Some(joint) = joined(region, stage, &points) else { continue };
        if in_line(&joint, lanes_of(axes, target), target) && reads_whole_rows(&joint, extent, target) {
            return Some(joint);
        }
    }
    None
}

/// Whether a stage of pieces reads rows of so many elements, one for each lane, and nothing else that is not in line.
fn reads_whole_rows(joint: &Region, length: i64, target: &Target) -> bool {
    let stage = &joint.stages[0];
    let axes = loops_of(joint, stage);
    let Some(lane) = lane_axis(axes.space_extents(), target.lanes()) else { return false };
    let mut rows = 0;
    let fits = joint.reachable(&roots_of(stage)).into_iter().all(|id| match joint.node(id) {
        Node::Load { offset, .. } => match axes.translate(offset).coefficient(lane) {
            Some(0 | 1) => true,
            Some(step) if step == length && row_of(joint, id, step).is_some() => {
                rows += 1;
                true
            }
            _ => false,
        },
        _ => true,
    });
    fits && rows > 0
}

/// The region of a map that chooses between pieces along an axis, with these together.
fn chosen(
    region: &Region,
    (stage, values): (&Stage, &[NodeId]),
    axes: &Axes,
    target: &Target,
) -> Option<Region> {
    let mut best: Option<(i64, Region)> = None;
    for (axis, at) in borders(region, values, axes) {
        if chooses_along(region, axes, axis) {
            continue;
        }
        let extent = axes.extents[axis];
        // The longest piece that no border cuts.
        let size = at.iter().fold(extent, |size, &border| gcd(size, border));
        let count = extent / size;
        if count * values.len() as i64 > MAX_VALUES {
            continue;
        }
        let pieces: Vec<Axes> = (0..count).map(|p| axes.part(axis, p * size, (p + 1) * size)).collect();
        let weigh = |ids: &[NodeId]| ids.iter().map(|&id| target.rates.node(region, id)).sum::<i64>();
        let live = |part: &Axes| region.live(values, &|e, lo, hi| part.holds(e, lo, hi));
        let apart: i64 = pieces.iter().map(|p| weigh(&live(p))).sum();
        let Some(joint) = joined(region, stage, &pieces) else { continue };
        let ids = joint.reachable(&roots_of(&joint.stages[0]));
        let work: i64 = ids.iter().map(|&id| target.rates.node(&joint, id)).sum();
        if !in_line(&joint, lanes_of(axes, target), target) {
            continue;
        }
        let whole = work.saturating_mul(joint.stages[0].points());
        let less = work.saturating_mul(100) <= apart.saturating_mul(MAX_WORK);
        let pays = less || target.gpu.is_none() && in_turns(&joint, target);
        if pays && best.as_ref().is_none_or(|(least, _)| whole < *least) {
            best = Some((whole, joint));
        }
    }
    best.map(|b| b.1)
}

/// Whether no data decides where an update goes.
fn is_fixed(offset: &Affine) -> bool {
    let mut fixed = true;
    offset.visit(&mut |atom| fixed &= matches!(atom, Atom::Axis(_)));
    fixed
}

/// Whether data chooses otherwise at other points along an axis: pieces have symbols in common.
fn chooses_along(region: &Region, axes: &Axes, axis: usize) -> bool {
    let mut along = Dependence::default();
    region.symbols.iter().any(|s| along.on(region, axes, s.node, axis))
}

/// Lanes of the vectors of a map over these axes.
fn lanes_of(axes: &Axes, target: &Target) -> u32 {
    let lane = lane_axis(axes.space_extents(), target.lanes());
    lane.map_or(1, |l| lanes_within(axes.extents[l], target.lanes()))
}

/// Whether a stage of pieces has vectors of so many lanes, which it stores in line.
fn in_line(region: &Region, lanes: u32, target: &Target) -> bool {
    let stage = &region.stages[0];
    let axes = loops_of(region, stage);
    let lane = lane_axis(axes.space_extents(), target.lanes());
    let in_line = |stored: &Stored| {
        let step = |e: &Affine| lane.and_then(|l| axes.translate(e).coefficient(l));
        let places: Vec<&Affine> = stored.parts.iter().map(|p| &p.0).collect();
        places.iter().all(|e| step(e) == Some(1)) || take_turns(&places, &axes, lane)
    };
    lanes_of(&axes, target) >= lanes && stage.stored().iter().all(in_line)
}

/// Whether vectors of all results of a stage of pieces are stored as whole vectors because they take turns.
fn in_turns(region: &Region, target: &Target) -> bool {
    let stage = &region.stages[0];
    let axes = loops_of(region, stage);
    let lane = lane_axis(axes.space_extents(), target.lanes());
    let places = |stored: &Stored| stored.parts.iter().map(|p| p.0.clone()).collect::<Vec<_>>();
    stage.stored().iter().all(|s| take_turns(&places(s).iter().collect::<Vec<_>>(), &axes, lane))
}

/// The region whose one stage has the values of all pieces; none where a piece has a choice left within it.
fn joined(region: &Region, stage: &Stage, pieces: &[Axes]) -> Option<Region> {
    let mut new = Region::with_arrays_of(region);
    // Symbols keep their numbers.
    let symbols: Vec<NodeId> = region.symbols.iter().map(|s| s.node).collect();
    let symbols = Piece { region, part: &pieces[0] }.rewrite(&mut new, &symbols)?;
    let of = |(node, s): (NodeId, &Symbol)| Symbol { node, range: s.range };
    new.symbols = symbols.into_iter().zip(&region.symbols).map(of).collect();
    let space = pieces[0].extents.clone();
    let values = roots_of(stage);
    let position = match &stage.kind {
        Kind::Update { offset, .. } => offset.clone(),
        _ => linearize(&(0..stage.space.len()).map(Affine::axis).collect::<Vec<_>>(), &stage.space),
    };
    let mut stored = vec![Stored { elements: stage.elements, parts: Vec::new() }; values.len()];
    for part in pieces {
        let rewritten = Piece { region, part }.rewrite(&mut new, &values)?;
        for (stored, value) in stored.iter_mut().zip(rewritten) {
            stored.parts.push((part.translate(&position), value));
        }
    }
    let kind = Kind::Pieces(stored);
    new.stages.push(Stage { space, inner: Vec::new(), kind, ..stage.clone() });
    Some(new)
}

/// Whether the elements of these values, in this order, follow each other in memory, point after point along the lanes:
/// then they are stored as whole vectors.
pub fn take_turns(offsets: &[&Affine], axes: &Axes, lane: Option<usize>) -> bool {
    let n = offsets.len();
    let Some(lane) = lane.filter(|_| n > 1 && rounds(n).is_some()) else { return false };
    let first = axes.translate(offsets[0]);
    let follows = |(k, e): (usize, &&Affine)| axes.translate(e) == first.add_constant(k as i64);
    first.coefficient(lane) == Some(n as i64) && offsets.iter().enumerate().all(follows)
}

/// One piece: its loop axes are the axes of the new stage.
struct Piece<'a> {
    region: &'a Region,
    part: &'a Axes,
}

impl Piece<'_> {
    /// The expressions within the piece, as new nodes.
    fn rewrite(&self, into: &mut Region, values: &[NodeId]) -> Option<Vec<NodeId>> {
        let region = self.region;
        let holds = |e: &Affine, lo: i64, hi: i64| self.part.holds(e, lo, hi);
        let known = region.known(values, &holds);
        let decided = |mask: NodeId| known[mask.0 as usize];
        // What is left of selects whose conditions are known.
        let taken = |mut id: NodeId| {
            while let Node::Select { mask, x, y } = *region.node(id)
                && let Some(first) = decided(mask)
            {
                id = if first { x } else { y };
            }
            id
        };
        let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in region.live(values, &holds) {
            let mut node = region.node(id).clone();
            match &mut node {
                Node::Index(e) => *e = self.part.translate(e),
                // A choice within the piece: another axis has borders too.
                Node::InRange { .. } => return None,
                Node::Load { offset, mask, .. } => {
                    *offset = self.part.translate(offset);
                    match mask.map(decided) {
                        None => {}
                        Some(Some(true)) => *mask = None,
                        // What is not read is zero.
                        Some(Some(false)) => node = Node::Constant { bits: [0; 4] },
                        Some(None) => return None,
                    }
                }
                Node::Argument(_) | Node::Carry(_) => return None,
                _ => node.operands_mut(&mut |o| *o = new[&taken(*o)]),
            }
            let made = into.add(node, region.dtype(id));
            new.insert(id, made);
        }
        Some(values.iter().map(|&v| new[&taken(v)]).collect())
    }
}
