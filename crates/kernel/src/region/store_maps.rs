//! Maps that reductions store on the way, so that one pass over memory makes both.
//!
//! ```text
//! stage 0: reduce over d0 < 8: in0[d0]           stage 0: reduce over d0 < 8: in0[d0]
//! stage 1: map d0 < 16: -in0[d0]            →      result 1 [d0] = -in0[d0], result 1 [d0 + 8] = -in0[d0 + 8]
//! ```
//!
//! The elements of the reduction are laid over the map so that both read the same element of an array at the same time.
//! Where they cover one of several equal parts of the map, all of its parts are stored at each element: halves, or every
//! second element. What is common to the expressions is evaluated once.

use super::moved::moved;
use super::{FoldOrder, Kind, Node, NodeId, Region, Source, Stage, Stored, all_roots_of, siblings};
use lawson_hlo::index::{Affine, Atom, delinearize};

/// The most parts of a map that are stored at each element of a reduction: each is code of its own, and a place in
/// memory to write on.
const PARTS: i64 = 4;

/// The region whose reductions store what maps make, as far as they can; none where no reduction stores a map.
pub fn store_maps(region: &Region) -> Option<Region> {
    if !region.symbols.is_empty() {
        return None;
    }
    let mut region = region.clone();
    let before = region.stages.len();
    for map in (0..before).rev() {
        if let Some((reduction, parts)) = place(&region, map) {
            store(&mut region, map, reduction, &parts);
        }
    }
    if region.stages.len() == before {
        return None;
    }
    region.index_nodes();
    siblings::join(&mut region);
    Some(region)
}

/// The reduction that can store a map in the fewest parts, with the place of each part over the reduction's axes.
fn place(region: &Region, map: usize) -> Option<(usize, Vec<Affine>)> {
    let stage = &region.stages[map];
    if !matches!(stage.kind, Kind::Map { .. }) || stage.points() <= 1 || is_read(region, map) {
        return None;
    }
    let own = loads(region, stage);
    let needed = |source: &Source| match source {
        Source::Stage { stage, .. } => *stage as usize + 1,
        Source::Input(_) | Source::Written { .. } => 0,
    };
    // A map that needs a result is made after it.
    let first = own.iter().map(|(source, _)| needed(source)).max().unwrap_or(0);
    let at = |n: usize| Some((n, laid_over(region, stage, &own, &region.stages[n])?));
    (first..map).filter_map(at).min_by_key(|(_, parts)| parts.len())
}

/// The places of the parts of a map over the axes of a reduction that reads an array as the map does.
fn laid_over(region: &Region, map: &Stage, own: &[(Source, Affine)], to: &Stage) -> Option<Vec<Affine>> {
    let Kind::Reduce { order, mask: None, .. } = &to.kind else { return None };
    if *order == FoldOrder::Sequential {
        return None;
    }
    let theirs = loads(region, to);
    let alike = own.iter().flat_map(|own| theirs.iter().map(move |other| (own, other)));
    let places = alike.filter(|(own, other)| own.0 == other.0).filter_map(|((_, own), (_, other))| {
        let position = position_of(own, other, map)?;
        parts(&position, to, map.points())
    });
    places.min_by_key(Vec::len)
}

/// The row-major position in a map at which it reads what is read at `other`, where it reads at `own`.
fn position_of(own: &Affine, other: &Affine, map: &Stage) -> Option<Affine> {
    // Along all axes of the map, reads are `step` times as far apart as its elements.
    let (mut step, mut stride) = (None, 1);
    for a in (0..map.space.len()).rev() {
        if map.space[a] > 1 {
            let k = own.coefficient(a).filter(|k| k % stride == 0)? / stride;
            if *step.get_or_insert(k) != k {
                return None;
            }
        }
        stride *= map.space[a];
    }
    let step = step.filter(|&k| k > 0)?;
    let offset = other.add_constant(own.constant.checked_neg()?);
    let exact = |(atom, k): &(Atom, i64)| matches!(atom, Atom::Axis(_)) && k % step == 0;
    if offset.constant % step != 0 || !offset.terms.iter().all(exact) {
        return None;
    }
    let terms = offset.terms.into_iter().map(|(atom, k)| (atom, k / step)).collect();
    Some(Affine { constant: offset.constant / step, terms })
}

/// The positions of all equal parts of `points` elements of which one is that at `position`, for all elements of a
/// reduction: none where these do not cover each element once.
fn parts(position: &Affine, to: &Stage, points: i64) -> Option<Vec<Affine>> {
    let extents: Vec<i64> = to.space.iter().chain(&to.inner).copied().collect();
    let mut digits = Vec::new();
    for (a, &extent) in extents.iter().enumerate().filter(|(_, extent)| **extent != 1) {
        digits.push((position.coefficient(a).filter(|&k| k > 0 && extent > 0)?, extent));
    }
    digits.sort_unstable();
    // Positions are numbers whose digits are the axes; the digit that is missing says which part it is.
    let (mut stride, mut missing) = (1i64, None);
    for (k, extent) in digits.into_iter().chain([(points, 1)]) {
        if k != stride {
            if missing.is_some() || k % stride != 0 {
                return None;
            }
            missing = Some((stride, k / stride));
        }
        stride = k.checked_mul(extent)?;
    }
    let (distance, count) = missing.unwrap_or((1, 1));
    let own = position.constant;
    if count > PARTS || own % distance != 0 || !(0..count).contains(&(own / distance)) {
        return None;
    }
    Some((0..count).map(|n| position.add_constant(n * distance - own)).collect())
}

/// Lets a reduction store what a map makes, part by part; the map is gone.
fn store(region: &mut Region, map: usize, reduction: usize, parts: &[Affine]) {
    let gone = region.stages.remove(map);
    let Kind::Map { values } = &gone.kind else { return };
    let ranges = region.stages[reduction].ranges();
    let space = region.space_of(&ranges);
    let mut stored = vec![Stored { elements: gone.elements, parts: Vec::new() }; values.len()];
    for position in parts {
        let index = delinearize(position, &gone.space, &space);
        let new = moved(region, values, &space, &|a| index[a as usize].clone());
        stored.iter_mut().zip(values).for_each(|(s, v)| s.parts.push((position.clone(), new[v])));
    }
    let stage = &mut region.stages[reduction];
    let first = stage.results.len() as u32;
    if let Kind::Reduce { stored: all, .. } = &mut stage.kind {
        all.extend(stored);
    }
    stage.results.extend(gone.results);
    let new = |s: u32| if s as usize > map { s - 1 } else { s };
    region.renumber_results(|(s, result)| match s as usize == map {
        true => (reduction as u32, first + result),
        false => (new(s), result),
    });
}

/// What a stage reads, and where.
fn loads(region: &Region, stage: &Stage) -> Vec<(Source, Affine)> {
    let load = |id: NodeId| match region.node(id) {
        Node::Load { source, offset, .. } => Some((*source, offset.clone())),
        _ => None,
    };
    region.loads(&all_roots_of(region, stage)).into_iter().filter_map(load).collect()
}

/// Whether a stage reads what this one makes.
fn is_read(region: &Region, stage: usize) -> bool {
    let reads = |(source, _): (Source, Affine)| matches!(source, Source::Stage { stage: s, .. } if s as usize == stage);
    region.stages.iter().any(|s| loads(region, s).into_iter().any(reads))
}
