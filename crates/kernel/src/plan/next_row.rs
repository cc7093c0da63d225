//! Rows from which data chooses elements, brought near while the row before is computed.
//!
//! ```text
//! y[r, c] = x[r, i[c]]     row r + 1 of x is asked for line by line, some with each vector of row r
//! ```
//!
//! The lines of a row are read in the order of `i`, which hardware does not foresee. In the order of memory, a row earlier, each
//! is asked for once, whichever of its elements are chosen.

use super::Axes;
use super::dependence::varying;
use crate::loop_ir::Cache;
use crate::region::{Node, NodeId, Region, Source, Stage, roots_of};
use crate::target::{LINE, Target};
use lawson_hlo::index::{Affine, Atom};
use std::fmt;

/// What is brought near of an input.
#[derive(Clone, PartialEq, Debug)]
pub struct NextRow {
    pub input: u32,
    /// The first element of the next row that can be chosen, over the loop axes.
    pub first: Affine,
    /// For each vector of this row: whole lines.
    pub elements: i64,
    pub into: Cache,
}

impl fmt::Display for NextRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = match self.into {
            Cache::First => "near",
            Cache::Second => "in the second-level cache",
        };
        write!(f, "the next row of input {} {near}, {} elements for each vector", self.input, self.elements)
    }
}

/// Bytes of a row that still stay in the first-level cache until they are read, with the row before.
const LONGEST: i64 = 16 << 10;

/// The rows worth it: of arrays that are too large to stay in the caches, where no more lines come than elements are chosen.
/// From the last-level cache misses overlap enough without (4 MiB in rows of 1 KiB were a tenth slower with it).
pub(super) fn next_rows(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, lanes): (Option<usize>, u32),
    target: &Target,
) -> Vec<NextRow> {
    let Some(lane) = lane.filter(|_| target.gpu.is_none()) else { return Vec::new() };
    let Some(row) = (0..axes.space).rev().find(|&a| a != lane && axes.extents[a] > 1) else {
        return Vec::new();
    };
    let vectors = axes.extents[lane] / lanes as i64;
    let of = |id: NodeId| {
        let Node::Load { source: Source::Input(input), offset, mask: None } = region.node(id) else {
            return None;
        };
        let array = &region.inputs[*input as usize];
        let size = array.dtype.size() as i64;
        let offset = axes.translate(offset);
        let (first, chosen) = chosen(region, &offset, axes, lane)?;
        let by = first.coefficient(row).filter(|&by| by != 0)?;
        let lines = (chosen * size + LINE - 1) / LINE;
        let each = (lines + vectors - 1) / vectors.max(1);
        let large = array.elements * size > target.llc / 4 && chosen * size <= LONGEST;
        let worth = large && vectors > 0 && each <= lanes as i64 && lines >= vectors;
        let (first, elements) = (first.add_constant(by), each * LINE / size);
        worth.then_some(NextRow { input: *input, first, elements, into: Cache::First })
    };
    region.reachable(&roots_of(stage)).into_iter().filter_map(of).collect()
}

/// Where the elements begin from which an offset chooses one for each lane, and how many they are. They lie in line.
fn chosen(region: &Region, offset: &Affine, axes: &Axes, lane: usize) -> Option<(Affine, i64)> {
    let mut symbols = offset.terms.iter().filter_map(|(atom, k)| match atom {
        Atom::Symbol(s) => Some((*s, *k)),
        _ => None,
    });
    let (symbol, 1) = symbols.next()? else { return None };
    let others = offset.terms.iter().all(|(atom, _)| match atom {
        Atom::Symbol(s) => *s == symbol,
        Atom::Axis(a) => *a as usize != lane,
        _ => false,
    });
    let node = region.symbols[symbol as usize].node;
    let varies = !varying(region, axes, &[node], Some(lane)).is_empty();
    let (least, greatest) = region.symbols[symbol as usize].range;
    let first = offset.sub(&Affine::symbol(symbol)).add_constant(least);
    (others && varies).then_some((first, greatest.saturating_sub(least).saturating_add(1)))
}
