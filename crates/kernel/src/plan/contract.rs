//! The loops of a contraction: a register tile of rows × vectors, one operand packed to the tile's shape.

use super::Axes;
use super::choice::Choice;
use super::dependence::{Dependence, point_dependence};
use super::map_schedule::Turn;
use super::product_tasks::{LEAST_ROWS, Over, Shape};
use super::register_tile::{register_tile, register_tiles, times, usual_tile};
use super::team::BlockTile;
use super::vector::{lane_axis_but, lanes_within};
use super::words::Words;
use crate::region::{Node, NodeId, Region, Source, Stage};
use crate::target::{LINE, Target};
use lawson_hlo::Opcode;
use std::cell::RefCell;

/// out[m, n] = Σ_k scalar[m, k] · vector[k, n]: lanes along n, `rows` × `tile` accumulators in registers.
///
/// Every accumulator is one chain in increasing k, whatever the tile.
#[derive(Clone, PartialEq, Debug)]
pub struct ContractSchedule {
    /// The axis along which lanes run.
    pub lane: Option<usize>,
    pub lanes: u32,
    /// Vectors of the register tile.
    pub tile: u32,
    /// The axis of the tile's rows, along which the vector operand does not change.
    pub row: Option<usize>,
    /// Rows of the register tile.
    pub rows: i64,
    /// Rows of one task, a multiple of `rows` or all; the last task has as many, some of them its neighbour's.
    pub rows_per_task: i64,
    /// Whether the vector operand is `rhs`.
    pub vector_is_rhs: bool,
    /// Elements of k of one pass; the accumulators rest in memory between passes.
    pub block: i64,
    /// Whether the vector operand is first packed: copied to an array in which the tile's vectors follow each other.
    pub pack: bool,
    /// Whether a phase before the tasks packs it, for all of them. Only of the products of a nest, whose blocks of rows would
    /// pack it one after the other.
    pub packed_once: bool,
    /// Columns of one task, a multiple of the tile's.
    pub columns_per_task: i64,
    /// Whether the other operand is computed into an array before the tiles run, for the rows of a task and a block of
    /// k.
    pub ahead: bool,
    /// The lanes with which it is computed: along k, or along the rows where its arrays lie in line along those.
    pub lanes_ahead: u32,
    pub ahead_along_rows: bool,
    /// Whether a phase before the tasks computes it, for all of them, and how many rows a task of that phase has: a multiple
    /// of the tile's, or all.
    pub ahead_once: Option<i64>,
    /// Loads of the vector operand that are read along k and turned while it is packed.
    pub turned: Vec<NodeId>,
    /// How they are turned.
    pub turn: Turn,
    /// Loads of the vector operand, which is not packed, that are brought near a block of k ahead: their rows are far
    /// apart, and come from memory.
    pub near: Vec<NodeId>,
    /// The load of the other operand of which the rows of the next tile are brought near while k goes on: they come from
    /// memory, one after the other, and each is multiplied with few columns.
    pub next_rows: Option<NodeId>,
    /// The operands before they were converted, where several elements of k are multiplied at a time.
    pub words: Option<Words>,
    /// Another axis along which the packed operand does not change: a task runs over some of its points.
    pub over: Option<Over>,
    /// The square of threads that share a tile, which is a task then: lanes are its threads, `tile` and `rows` the columns and
    /// rows of each.
    pub team: Option<BlockTile>,
}

/// How much of a product is computed how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// How often the elements of `lhs` and of `rhs` are computed in all.
    pub lhs: i64,
    pub rhs: i64,
    /// Elements that are copied to the tile's shape, or computed ahead.
    pub copied: i64,
    /// The operand that is computed one element after the other, without lanes.
    pub single: Option<NodeId>,
    /// Multiply-adds of a lane, with those of rows and columns that are computed twice.
    pub points: i64,
}

impl ContractSchedule {
    /// Columns of the register tile, or of the tile of a team.
    fn width(&self) -> i64 {
        self.team.map_or(self.lanes as i64, |team| team.columns) * self.tile as i64
    }

    /// Of a product of these operands in these loops, alone or in the rows of a nest.
    pub fn passes(&self, region: &Region, axes: &Axes, (lhs, rhs): (NodeId, NodeId)) -> Passes {
        let depends = |operand: NodeId| -> Vec<bool> {
            let mut changes = Dependence::default();
            (0..axes.extents.len()).map(|a| changes.on(region, axes, operand, a)).collect()
        };
        let is = |axis: usize, other: Option<usize>| other == Some(axis);
        let rows = if self.pack { self.rows_per_task } else { self.rows };
        // Along an axis that an operand does not have it is computed once for each task, or each point.
        let repeats = |used: &[bool]| {
            let unused = (0..axes.space).filter(|&a| !used[a]);
            unused.fold(1i64, |n, a| {
                let extent = axes.extents[a];
                n.saturating_mul(match () {
                    () if is(a, self.row) => times(extent, rows),
                    () if is(a, self.lane) => times(extent, self.columns_per_task),
                    () => self.over.filter(|o| o.axis == a).map_or(extent, |o| times(extent, o.points)),
                })
            })
        };
        let elements = |used: &[bool]| {
            let used = (0..used.len()).filter(|&a| used[a]);
            used.fold(1i64, |n, a| n.saturating_mul(axes.extents[a]))
        };
        let points = (0..axes.extents.len()).fold(1i64, |n, a| {
            let extent = axes.extents[a];
            n.saturating_mul(match () {
                () if is(a, self.row) => {
                    let per_task = self.rows_per_task.clamp(1, extent.max(1));
                    times(extent, per_task) * per_task
                }
                () if is(a, self.lane) => {
                    let width = self.width();
                    times(extent, width) * width
                }
                () => extent,
            })
        });
        let (of_lhs, of_rhs) = (depends(lhs), depends(rhs));
        let (mut l, mut r) = (repeats(&of_lhs), repeats(&of_rhs));
        let [of_vector, of_scalar] = if self.vector_is_rhs { [&mut r, &mut l] } else { [&mut l, &mut r] };
        if self.packed_once {
            *of_vector = 1;
        }
        if self.ahead_once.is_some() {
            *of_scalar = 1;
        }
        let (vector, scalar) =
            if self.vector_is_rhs { ((&of_rhs, r), (&of_lhs, l)) } else { ((&of_lhs, l), (&of_rhs, r)) };
        let copied = |needed: bool, (used, times): (&Vec<bool>, i64)| {
            if needed { elements(used).saturating_mul(times) } else { 0 }
        };
        let copied = copied(self.pack, vector).saturating_add(copied(self.ahead, scalar));
        // Elements of a word are copied together.
        let copied = copied / self.words.map_or(1, |words| words.in_word());
        let points = points / self.words.map_or(1, |words| words.speed());
        let points = points / self.team.and_then(|t| t.matrices).map_or(1, |m| m.speed());
        let other = if self.vector_is_rhs { lhs } else { rhs };
        let has_lanes = self.ahead || self.lanes == 1 || self.lane.is_none_or(|lane| scalar.0[lane]);
        let single = (!has_lanes).then_some(other);
        Passes { lhs: l, rhs: r, copied, single, points }
    }
}

/// The loops of a contraction. Within the row of a nest, whose rows are these loop axes, its tile holds rows of the
/// nest and its lanes run within the row.
pub(super) fn schedule(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    nest_rows: &[usize],
    (lhs, rhs): (NodeId, NodeId),
    target: &Target,
    choice: Option<Choice>,
) -> ContractSchedule {
    let changes = RefCell::new(Dependence::default());
    let depends = |id: NodeId, axis: usize| changes.borrow_mut().on(region, axes, id, axis);
    let extents = axes.space_extents();
    let length: i64 = axes.inner_extents().iter().product::<i64>().max(1);
    let max_lanes = product_lanes(stage, target);
    // Lanes along the last axis, unless another is long enough and this one is not.
    let lane = lane_axis_but(extents, nest_rows, max_lanes).map(|longest| {
        // Along an axis of both operands nothing is shared, and where they are not in line each lane is a line of its own.
        let last = (0..extents.len()).rev().find(|a| !nest_rows.contains(a)).unwrap_or(longest);
        let apart = |id: NodeId| depends(id, longest) && !lies_along(region, axes, id, longest);
        let shares = depends(lhs, last) != depends(rhs, last);
        if shares && extents[last] >= SHORT_LANES && apart(lhs) && apart(rhs) { last } else { longest }
    });
    let columns = lane.map_or(1, |l| extents[l]);
    let lanes = lanes_within(columns, max_lanes);
    let vector_is_rhs = lane.is_none_or(|l| depends(rhs, l));
    let (vector, scalar) = if vector_is_rhs { (rhs, lhs) } else { (lhs, rhs) };
    let both = lane.is_some_and(|l| depends(scalar, l));
    let row = (0..extents.len())
        .filter(|&a| nest_rows.is_empty() || nest_rows.contains(&a))
        .filter(|&a| Some(a) != lane && !both && depends(scalar, a) && !depends(vector, a))
        .max_by_key(|&a| (extents[a].min(16), a));
    let height = row.map_or(1, |r| extents[r]);
    let size = stage.results[0].accumulator().size() as i64;
    let registers = registers(stage, target);
    let vectors = times(columns, lanes as i64);
    let (tile, rows) = match height {
        1 => (vectors.clamp(1, registers / 4), 1),
        _ if !nest_rows.is_empty() => usual_tile(height.max(1), vectors, registers),
        // Tasks of as many rows each overlap too.
        _ => {
            register_tile(times(height.max(1), times(height.max(1), target.product_rows)), vectors, registers)
        }
    };
    let (tile, rows) = match choice {
        Some(Choice::Tile { vectors: tile, rows }) => {
            ((tile as i64).clamp(1, vectors.max(1)), (rows as i64).clamp(1, height.max(1)))
        }
        _ => (tile, rows),
    };
    let width = tile * lanes as i64;
    let inner = (!axes.inner_extents().is_empty()).then(|| axes.extents.len() - 1);
    let strided = |operand: NodeId, along: Option<(usize, usize)>, lanes: u32| {
        along.map_or_else(Vec::new, |along| super::map::strided(region, &[operand], axes, along, lanes))
    };
    let (dear_vector, dear_scalar) = (prologue(region, vector, target), prologue(region, scalar, target));
    // A narrow array in line has about the tile's shape already. In a nest each block of rows packs anew, so that one which
    // has the tile's shape and leaves the first-level cache stays where it is.
    let is_narrow = match nest_rows.is_empty() {
        true => columns <= 2 * width,
        false => columns <= width && columns * length * size > target.l1,
    };
    let in_shape = is_narrow && is_in_line(region, vector, axes, lane);
    // Lines of all columns of a tile that stay in the first-level cache are read from there, whichever way.
    let leaves_cache = |id: &NodeId| match (region.node(*id), lane) {
        (Node::Load { offset, .. }, Some(l)) => {
            let apart = axes.translate(offset).coefficient(l).unwrap_or(0);
            apart.saturating_mul(width * region.dtype(*id).size() as i64) > target.l1
        }
        _ => false,
    };
    let across = |block: i64| match lanes_along(axes.inner_extents(), block, lanes) >= lanes {
        true => strided(vector, lane.zip(inner), lanes).into_iter().filter(leaves_cache).collect(),
        false => Vec::new(),
    };
    // Another axis along which the vector operand does not change.
    let beside = |&a: &usize| Some(a) != lane && Some(a) != row && extents[a] > 1 && !depends(vector, a);
    let beside =
        (0..extents.len()).rev().find(beside).filter(|_| row.is_some() && nest_rows.is_empty() && !both);
    let all_rows = height * beside.map_or(1, |a| extents[a]);
    let many = row.is_some() && all_rows >= 2 * rows.max(2) && length >= 4;
    // Columns of a matrix that lie in line along k, for one row or a few: turned in blocks that stay in the first-level
    // cache.
    let few = !many && !both && nest_rows.is_empty() && lanes >= 4;
    let packed = match choice {
        Some(Choice::Packed(packed)) => Some(packed),
        _ => None,
    };
    let may_be_small = few && packed != Some(false);
    let small = SMALL_BLOCKS.into_iter().find(|&b| may_be_small && b < length && !across(b).is_empty());
    let pack = packed.unwrap_or(small.is_some() || many && !in_shape);
    let can_be_ahead = nest_rows.is_empty() && !both && columns > 1 && length >= 4;
    let along_rows = row.zip(inner).is_some_and(|(r, k)| {
        let lies = |along, across| lies_across(region, axes, scalar, (along, across));
        let short = lanes_along(axes.inner_extents(), length, max_lanes) < SHORT_AHEAD;
        rows >= SHORT_AHEAD as i64 && lies(r, k) && (short || !lies(k, r))
    });
    // Whether the other operand is read down columns so long that their cache lines are evicted before the next rows
    // read them again.
    let far = along_rows && height >= max_lanes as i64 && length * LINE > target.l1 / 2;
    let crowded = can_be_ahead && row.is_some_and(|r| is_crowded(region, scalar, axes, (r, rows), target));
    let ahead = crowded || can_be_ahead && (dear_scalar > 0 || far);
    // A packed block of k fits in half of the second-level cache, rows that are copied since they evict each other in half of
    // the first.
    let room =
        if crowded && dear_scalar == 0 && !far { target.l1 / 2 / rows } else { target.tile_bytes() / width };
    let block = if pack || ahead { (room / size).max(64) } else { length };
    let near = if few && small.is_none() { far_rows(region, vector, axes, lane, target) } else { Vec::new() };
    let block = if near.is_empty() { small.unwrap_or(block) } else { NEAR_BLOCK.min(length) };
    let block = if let Some(Choice::Pass(k)) = choice { k.min(length) } else { block };
    let block = if block < length { block / LANES_AHEAD * LANES_AHEAD } else { length };
    let copying = |dear: i64| target.rates.pack + dear;
    let mut shape = Shape {
        outer: extents.iter().product::<i64>() / (columns * height).max(1),
        height,
        columns,
        length,
        vector: copying(dear_vector),
        scalar: if ahead { copying(dear_scalar) } else { 0 },
        speed: 1,
    };
    // What costs something is computed once: the other operand for all columns, this one for all rows.
    let mut wide = match near.is_empty() {
        true if ahead => columns,
        // Nothing is kept for a tile of columns: tasks of a few of them would cost more to hand out than to do.
        true if !pack && nest_rows.is_empty() && target.gpu.is_none() => {
            let each = target.task() / 16 / height.max(1) / length;
            (each / width).clamp(1, times(columns, width).max(1)) * width
        }
        true => width,
        // The sums of all columns stay in the cache while k goes on.
        false => columns.min((target.tile_bytes() / 4 / (height * size)).max(width)),
    };
    let mut tall = if dear_vector > 0 { height } else { height.min(target.product_rows) };
    if ahead {
        let room = target.tile_bytes() / size;
        if block < length {
            wide = wide.min((room / LEAST_ROWS - block).max(width));
        }
        tall = tall.min(room / (block + if block < length { wide } else { 0 }));
    }
    let (mut tall, mut wide) = shape.divided((tall, wide), (rows, width), target);
    // What each of several tasks would compute for itself is computed for all of them, unless it displaces what is in cache.
    let of_all = shape.outer.saturating_mul(height).saturating_mul(length);
    let again = of_all.saturating_mul(times(columns, wide) - 1).saturating_mul(shape.scalar);
    let words = Words::of(region, stage, (vector, scalar), length);
    let is_once = ahead
        && words.is_none()
        && target.gpu.is_none()
        && again >= target.task()
        && of_all.saturating_mul(size) <= target.llc / 2;
    let ahead_once = is_once.then(|| {
        let each = target.task() / (shape.scalar * length).max(1);
        (times(each.max(LEAST_ROWS), rows) * rows).min(height)
    });
    if is_once {
        shape.scalar = 0;
        let most = if dear_vector > 0 { height } else { height.min(target.product_rows) };
        (tall, wide) = shape.divided((most, width), (rows, width), target);
    }
    let along_k = |limit: u32| lanes_along(axes.inner_extents(), block, limit);
    let turned = if pack { across(block) } else { Vec::new() };
    let ahead_along_rows = ahead && along_rows;
    let most_ahead = max_lanes.min(LANES_AHEAD as u32);
    let of_tile = (rows.min(tall).max(1) as u32).next_power_of_two().min(most_ahead);
    let lanes_ahead = if ahead_along_rows { of_tile } else { along_k(most_ahead) };
    let over =
        beside.filter(|_| pack && !ahead).and_then(|a| shape.over((a, extents[a]), (tall, wide), target));
    let in_words = pack && ahead && turned.is_empty() && !ahead_along_rows && nest_rows.is_empty();
    let in_words = in_words && axes.inner_extents().len() == 1;
    let words = words.filter(|words| {
        let whole = block % words.in_word() == 0 && lanes_ahead as i64 >= 2 * words.in_word();
        in_words && whole && words.by_vectors(target)
    });
    let one_pass = !ahead && !both && nest_rows.is_empty() && columns <= width && target.gpu.is_none();
    let next_rows =
        row.filter(|_| one_pass).and_then(|r| rows_in_line(region, scalar, axes, (r, rows), target));
    ContractSchedule {
        lane,
        lanes,
        tile: tile as u32,
        row,
        rows,
        rows_per_task: tall,
        vector_is_rhs,
        block,
        pack,
        packed_once: false,
        columns_per_task: wide,
        ahead,
        lanes_ahead,
        ahead_along_rows,
        ahead_once,
        turned,
        turn: Turn::of(target),
        near,
        next_rows,
        words,
        over,
        team: None,
    }
}

/// Operations of a product that hide the loads of its factors, and the registers of a tile of four of them with what it needs.
const LONG_PRODUCT: i64 = 64;
const FEW_REGISTERS: i64 = 7;

/// Vectors of a product that the registers hold.
fn registers(stage: &Stage, target: &Target) -> i64 {
    let accumulator = stage.results[0].accumulator();
    // Beside so much work loading its factors is little, and the driver takes long for the code of each.
    if target.gpu.is_some() && target.rates.weight(Opcode::Multiply, accumulator) >= LONG_PRODUCT {
        return FEW_REGISTERS;
    }
    let size = accumulator.size() as i64;
    let each = (size * product_lanes(stage, target) as i64 / target.vector_bytes as i64).max(1);
    target.registers as i64 / each
}

/// Vectors and rows of all register tiles that a product of these loops may have.
pub(super) fn tiles(stage: &Stage, axes: &Axes, s: &ContractSchedule, target: &Target) -> Vec<(i64, i64)> {
    let extent = |axis: Option<usize>| axis.map_or(1, |a| axes.extents[a]);
    let vectors = times(extent(s.lane), s.lanes as i64);
    register_tiles(extent(s.row), vectors, registers(stage, target)).collect()
}

/// Lanes of a product's vectors at most: a vector of f64 is one register of a processor too, so that a tile has as many of them.
pub fn product_lanes(stage: &Stage, target: &Target) -> u32 {
    let accumulator = stage.results[0].accumulator();
    let halved = accumulator.is_float() && accumulator.size() == 8 && target.gpu.is_none();
    target.lanes() / if halved { 2 } else { 1 }
}

/// Bytes of an operand that belong to one row of a nest, whose rows are these loop axes.
pub(super) fn bytes_beside(region: &Region, axes: &Axes, rows: &[usize], operand: NodeId) -> i64 {
    let mut changes = Dependence::default();
    let used = |a: &usize| !rows.contains(a) && changes.on(region, axes, operand, *a);
    let elements: i64 = (0..axes.extents.len()).filter(used).map(|a| axes.extents[a]).product();
    elements * region.dtype(operand).size() as i64
}

/// Fits the tile to blocks of so many rows: at least two tiles, for which the vector operand is packed once.
pub(super) fn in_block(s: &mut ContractSchedule, rows: i64) {
    s.rows = s.rows.min((rows / 2).max(4)).min(rows);
    s.rows_per_task = rows;
    s.pack &= rows >= 2 * s.rows.max(2);
}

/// Whether the blocks of rows of a nest, so many along each of these axes, would pack the vector operand again at a price, so that a
/// phase before them packs it: where it is made of inputs alone, and what a block needs of it stays near.
pub(super) fn is_packed_once(
    region: &Region,
    (axes, s): (&Axes, &ContractSchedule),
    (lhs, rhs): (NodeId, NodeId),
    blocks: &[(usize, i64)],
    target: &Target,
) -> bool {
    /// The part of the product's work that is worth a phase.
    const WORTH: i64 = 16;
    let vector = if s.vector_is_rhs { rhs } else { lhs };
    let apart = blocks.iter().filter(|(axis, _)| !point_dependence(region, axes, vector, *axis));
    let again = apart.map(|(_, count)| count).product::<i64>() - 1;
    let rows: Vec<usize> = blocks.iter().map(|(axis, _)| *axis).collect();
    let elements = bytes_beside(region, axes, &[], vector) / region.dtype(vector).size() as i64;
    let price = target.rates.pack + prologue(region, vector, target);
    let saved = elements.saturating_mul(again).saturating_mul(price);
    let work = axes.extents.iter().fold(1i64, |n, &e| n.saturating_mul(e));
    let is_input = |id: &NodeId| match region.node(*id) {
        Node::Load { source, .. } => matches!(source, Source::Input(_)),
        _ => true,
    };
    s.pack
        && target.gpu.is_none()
        && saved >= target.task().max(work / WORTH)
        && bytes_beside(region, axes, &rows, vector) <= target.tile_bytes() / 2
        && region.reachable(&[vector]).iter().all(is_input)
}

/// Fits the tile to single rows: where the contractions of a nest have no row axis in common.
pub(super) fn row_by_row(s: &mut ContractSchedule) {
    (s.row, s.rows, s.rows_per_task, s.pack, s.over) = (None, 1, 1, false, None);
    s.turned.clear();
}

/// Loads of an operand of one or a few rows that read rows of an array in line, larger than the caches: once each, so that
/// nothing is gained by packing. A tile of columns that went through all of k would touch another page with each element.
fn far_rows(
    region: &Region,
    vector: NodeId,
    axes: &Axes,
    lane: Option<usize>,
    target: &Target,
) -> Vec<NodeId> {
    let (Some(lane), &[length]) = (lane, axes.inner_extents()) else { return Vec::new() };
    let k = axes.extents.len() - 1;
    let elements = axes.extents[lane].saturating_mul(length);
    let is_far = |id: &NodeId| match region.node(*id) {
        Node::Load { source: Source::Input(_), offset, mask: None } => {
            let (offset, size) = (axes.translate(offset), region.dtype(*id).size() as i64);
            let apart = offset.coefficient(k).map_or(0, |n| n.saturating_mul(size));
            offset.coefficient(lane) == Some(1)
                && apart >= 16 * LINE
                && elements.saturating_mul(size) > target.l2
        }
        _ => false,
    };
    if target.gpu.is_some() || length < 4 * NEAR_BLOCK {
        return Vec::new();
    }
    region.reachable(&[vector]).into_iter().filter(is_far).collect()
}

/// The load of an operand whose rows, so many for each tile, follow each other in an array that comes from memory.
fn rows_in_line(
    region: &Region,
    operand: NodeId,
    axes: &Axes,
    (row, rows): (usize, i64),
    target: &Target,
) -> Option<NodeId> {
    let (&Node::Load { source: Source::Input(input), ref offset, mask: None }, &[length]) =
        (region.node(operand), axes.inner_extents())
    else {
        return None;
    };
    let (offset, size) = (axes.translate(offset), region.dtype(operand).size() as i64);
    let in_line =
        offset.coefficient(axes.extents.len() - 1) == Some(1) && offset.coefficient(row) == Some(length);
    let far = region.inputs[input as usize].elements.saturating_mul(size) > target.l2;
    // One line for each element of k brings all of them.
    (in_line && far && rows * size <= LINE).then_some(operand)
}

/// Whether the rows of a tile evict each other from the first-level cache, though each has a line there for many elements of
/// k: lines at multiples of a page share a set. (On graphics processors threads share the lines.)
fn is_crowded(
    region: &Region,
    operand: NodeId,
    axes: &Axes,
    (row, rows): (usize, i64),
    target: &Target,
) -> bool {
    let (&Node::Load { source: Source::Input(_), ref offset, .. }, Some(inner)) =
        (region.node(operand), axes.extents.len().checked_sub(1))
    else {
        return false;
    };
    let (offset, size) = (axes.translate(offset), region.dtype(operand).size() as i64);
    let apart = offset.coefficient(row).unwrap_or(0) * size;
    let in_line = offset.coefficient(inner) == Some(1);
    target.gpu.is_none() && in_line && rows > WAYS && apart != 0 && apart % PAGE == 0
}

/// Lines of a set of the first-level cache, at least, and how far apart those of one set lie.
const WAYS: i64 = 8;
const PAGE: i64 = 4096;

/// Whether an operand reads neighbours along an axis.
fn lies_along(region: &Region, axes: &Axes, operand: NodeId, axis: usize) -> bool {
    region.reachable(&[operand]).into_iter().any(|id| match region.node(id) {
        Node::Load { offset, .. } => axes.translate(offset).coefficient(axis) == Some(1),
        _ => false,
    })
}

/// Whether an operand reads neighbours along one axis, and others along another.
fn lies_across(region: &Region, axes: &Axes, operand: NodeId, (along, across): (usize, usize)) -> bool {
    region.reachable(&[operand]).into_iter().any(|id| match region.node(id) {
        Node::Load { offset, .. } => {
            let offset = axes.translate(offset);
            offset.coefficient(along) == Some(1) && offset.coefficient(across) != Some(0)
        }
        _ => false,
    })
}

/// Columns whose vectors are worth more than lanes that share nothing.
const SHORT_LANES: i64 = 4;
/// Rows of k that are read together where they are far apart: as many streams as a core follows.
const NEAR_BLOCK: i64 = 16;
/// Lanes along k are at most this many; blocks of k are multiples.
const LANES_AHEAD: i64 = 16;
/// Fewer lanes than these are about as slow as none.
const SHORT_AHEAD: u32 = 4;
/// Blocks of k that stay in the first-level cache, of which one leaves a rest of no less than a vector.
const SMALL_BLOCKS: [i64; 3] = [64, 48, 80];

/// As many lanes along the innermost axis as never reach beyond it, nor beyond a block of k: the last vector of one
/// may move back over its neighbour if there is but one axis.
fn lanes_along(inner: &[i64], block: i64, limit: u32) -> u32 {
    let length: i64 = inner.iter().product();
    match (inner, length % block.max(1)) {
        (&[n], 0) => lanes_within(n.min(block), limit),
        (&[_], rest) => lanes_within(rest.min(block), limit),
        (&[.., n], _) => 1 << n.trailing_zeros().min(limit.ilog2()),
        ([], _) => 1,
    }
}

/// Whether an operand is an array whose lines of lanes follow each other along k.
fn is_in_line(region: &Region, operand: NodeId, axes: &Axes, lane: Option<usize>) -> bool {
    let (Node::Load { offset, mask: None, .. }, Some(lane)) = (region.node(operand), lane) else {
        return false;
    };
    let (offset, last) = (axes.translate(offset), axes.extents.len().checked_sub(1));
    offset.coefficient(lane) == Some(1)
        && last.and_then(|k| offset.coefficient(k)) == Some(axes.extents[lane])
}

/// What one element of an operand costs beyond being read.
fn prologue(region: &Region, operand: NodeId, target: &Target) -> i64 {
    let free = |node: &Node| matches!(node, Node::Load { .. } | Node::InRange { .. } | Node::Index(_));
    let made = |id: &NodeId| !free(region.node(*id));
    region.reachable(&[operand]).into_iter().filter(made).map(|id| target.rates.node(region, id)).sum()
}
