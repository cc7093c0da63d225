//! Whether the rows of a nest lie side by side in lanes, and how many.

use super::loads::Loads;
use super::vector::lanes_within;
use crate::loop_ir::legal::MAX_MOVED;
use crate::refusal::Refusal;
use crate::region::{Kind, Region, Stage};
use crate::target::{LINE, Target};
use lawson_hlo::index::Affine;

/// Lanes along the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowLanes {
    /// Which of the row axes.
    pub row: usize,
    pub lanes: u32,
}

/// The most elements a row may have for whole rows to lie in lanes.
const SHORT: i64 = 16;
/// The most results of a row that are reduced one after the other while rows lie in lanes.
const COMPONENTS: i64 = 4;

/// Whether rows lie side by side in lanes, and which: where results are reduced down columns, where rows are too
/// short for vectors, and where nothing is reduced. Where some results are reduced down columns and others along rows,
/// the refusal that holds unless blocks of rows are copied to tiles first (`near`).
pub(super) fn row_lanes(
    region: &Region,
    axes: &[Vec<usize>],
    extents: &[i64],
    target: &Target,
) -> (Option<RowLanes>, Option<Refusal>) {
    if region.stages.iter().any(|s| matches!(s.kind, Kind::Contract { .. })) {
        return (None, None);
    }
    let mut rows_alone = true;
    let (mut down, mut long) = (None, None);
    let full = extents.last().is_some_and(|&n| n >= target.lanes() as i64);
    for (s, stage) in region.stages.iter().enumerate() {
        let others = (0..stage.space.len()).filter(|a| !axes[s].contains(a));
        let results: i64 = others.map(|a| stage.space[a]).product();
        rows_alone &= results == 1;
        if let Kind::Reduce { order, .. } = &stage.kind {
            let short = stage.inner_points() <= SHORT;
            match order {
                order if order.is_minor() && !short => long = Some(stage.opcode),
                order if order.is_minor() => {}
                _ if results == 1 || full && results <= COMPONENTS => down = Some(stage.opcode),
                _ => {}
            }
        }
    }
    let short = region.stages.iter().all(|s| {
        s.inner_points() <= SHORT && s.points() * s.inner_points() <= SHORT * extents.iter().product::<i64>()
    });
    let wanted = down.is_some() || short || rows_alone && long.is_none();
    if !wanted {
        return (None, None);
    }
    if let (Some(producer), Some(consumer)) = (down, long) {
        return (None, Some(Refusal::OtherRows { producer, consumer }));
    }
    // The last row axis is the one whose neighbours lie closest.
    let row = extents.len() - 1;
    let lanes = lanes_within(extents[row], target.lanes());
    ((lanes > 1 || down.is_some()).then_some(RowLanes { row, lanes }), None)
}

/// Wider choices, of several registers for each vector, widest first. They pay where columns are so long that a cache
/// line is fetched for the vector alone: more of each line is used, and the sums of the registers do not wait for each
/// other.
pub(super) fn wider(
    lane: RowLanes,
    (extents, work): (&[i64], i64),
    longest: i64,
    target: &Target,
) -> Vec<RowLanes> {
    /// Registers that the values of an element may need at once.
    const VALUES: u32 = 8;
    /// Bytes of lines of so few elements down a column that they follow each other.
    const SHORT_COLUMN: i64 = 512;
    // Short columns stay near, but what a processor prefetches along their rows is far: that pays for the code where there is work.
    let (column, is_small) = (longest.saturating_mul(LINE), work <= target.tasks() * target.task());
    let pays = column > target.l1 / 4 || column > SHORT_COLUMN && !is_small;
    if target.gpu.is_some() || !pays {
        return Vec::new();
    }
    let most = lane.lanes * (target.registers / VALUES).max(1);
    let others = extents.iter().product::<i64>() / extents[lane.row];
    let enough = |lanes: u32| {
        let (lanes, rows) = (lanes as i64, extents[lane.row]);
        let units = (rows + lanes - 1) / lanes;
        // The last unit overlaps the one before it.
        let twice = units * lanes - rows;
        lanes <= rows && 8 * twice <= rows && (is_small || units * others >= target.tasks())
    };
    let widths = std::iter::successors(Some(most.min(MAX_MOVED)), |w| Some(w / 2));
    let widths = widths.take_while(|&w| w > lane.lanes).filter(|&w| enough(w));
    widths.map(|lanes| RowLanes { lanes, ..lane }).collect()
}

/// How many elements stages read at most down an array along whose rows the lanes lie.
pub(super) fn longest_column(
    (region, loads): (&Region, &Loads<'_>),
    axes: &[Vec<usize>],
    lane: RowLanes,
) -> i64 {
    let of_stage = |(s, (stage, rows)): (usize, (&Stage, &Vec<usize>))| {
        let extents: Vec<i64> = stage.space.iter().chain(&stage.inner).copied().collect();
        let length = |offset: &Affine| {
            let moves = |a: usize| offset.coefficient(a) != Some(0);
            let down = (0..extents.len()).filter(|a| !rows.contains(a) && moves(*a));
            let elements = down.fold(1i64, |n, a| n.saturating_mul(extents[a]));
            if moves(rows[lane.row]) { elements } else { 1 }
        };
        loads.inputs(s).map(|(_, _, offset)| length(offset)).max().unwrap_or(1)
    };
    region.stages.iter().zip(axes).enumerate().map(of_stage).max().unwrap_or(1)
}
