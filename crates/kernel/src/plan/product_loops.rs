//! A product with its loops, and what is decided of them one after the other: the tile in registers, which operand is packed or
//! computed ahead, the block of k, the tasks.

use super::Axes;
use super::choice::Choice;
use super::dependence::Dependence;
use super::gather::step_along;
use super::product_reads::{
    NEAR_BLOCK, are_windows, far_rows, is_crowded, is_in_line, lies_across, lies_along, prologue, share_a_set,
};
use super::product_tasks::{LEAST_ROWS, Shape};
use super::register_tile::{product_lanes, register_tile, registers, times, turned_tile};
use super::vector::{lane_axis_but, lanes_within};
use crate::region::{Kind, Node, NodeId, Region, Stage};
use crate::target::{LINE, Target};

/// A product of two operands, of which `vector` has the lanes.
pub(super) struct Product<'r> {
    pub(super) region: &'r Region,
    pub(super) axes: &'r Axes,
    nest_rows: &'r [usize],
    pub(super) target: &'r Target,
    pub(super) lane: Option<usize>,
    pub(super) lanes: u32,
    /// Lanes that a vector of this type has at most.
    pub(super) max_lanes: u32,
    pub(super) row: Option<usize>,
    pub(super) vector_is_rhs: bool,
    pub(super) turns_results: bool,
    pub(super) vector: NodeId,
    pub(super) scalar: NodeId,
    /// Whether both operands change along the lanes.
    pub(super) both: bool,
    /// Another axis along which the vector operand does not change.
    pub(super) beside: Option<usize>,
    /// Points along the rows, along the lanes, and along k.
    pub(super) height: i64,
    pub(super) columns: i64,
    pub(super) length: i64,
    /// Bytes of a sum.
    pub(super) size: i64,
    /// What a pair of factors weighs, where a multiply-add of its type is one.
    pair: i64,
}

/// Whether the vector operand is copied to the tile's shape.
pub(super) struct Packing {
    pub(super) pack: bool,
    /// It is windows that overlap, in line.
    pub(super) windows: bool,
    /// A block of k that stays in the first-level cache, in which columns that lie along k are turned.
    small: Option<i64>,
    /// Too few rows share what is packed.
    few: bool,
    /// Another axis whose points share what is packed.
    pub(super) beside: Option<usize>,
}

/// Why the other operand is computed into an array first, beside what it costs, and how.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Rows of a tile evict each other from the first-level cache.
    crowded: bool,
    /// Its columns are so long that their lines are evicted before the next rows read them again.
    far: bool,
    /// With lanes along the rows.
    pub(super) along_rows: bool,
}

/// How a product is divided into tasks.
pub(super) struct Split {
    pub(super) rows: i64,
    pub(super) columns: i64,
    /// Rows of a task of the phase that computes the other operand for all of them.
    pub(super) ahead_once: Option<i64>,
    pub(super) shape: Shape,
}

/// Rows of a tile are at most about as many.
const MOST_ROWS: i64 = 16;
/// Columns whose vectors are worth more than lanes that share nothing.
const SHORT_LANES: i64 = 4;
/// Lanes along k are at most this many; blocks of k are multiples.
const LANES_AHEAD: i64 = 16;
/// Fewer lanes than these are about as slow as none.
const SHORT_AHEAD: u32 = 4;
/// Lines from an element of k to the next that a block of them may be apart to stay in the first-level cache.
const NEAR_LINES: i64 = 16;
/// Blocks of k that stay in the first-level cache, of which one leaves a rest of no less than a vector.
const SMALL_BLOCKS: [i64; 3] = [64, 48, 80];

impl<'r> Product<'r> {
    /// With lanes along the last axis, unless another is long enough and this one is not.
    pub(super) fn of(
        of: (&'r Region, &Stage, &'r Axes),
        nest_rows: &'r [usize],
        operands: (NodeId, NodeId),
        target: &'r Target,
    ) -> Product<'r> {
        Product::along(lane_axis_of(of, nest_rows, operands, target), of, nest_rows, operands, target)
    }

    /// With lanes along this axis.
    pub(super) fn along(
        lane: Option<usize>,
        (region, stage, axes): (&'r Region, &Stage, &'r Axes),
        nest_rows: &'r [usize],
        (lhs, rhs): (NodeId, NodeId),
        target: &'r Target,
    ) -> Product<'r> {
        let mut changes = Dependence::default();
        let mut depends = |id: NodeId, axis: usize| changes.on(region, axes, id, axis);
        let extents = axes.space_extents();
        let max_lanes = product_lanes(stage, target);
        let columns = lane.map_or(1, |l| extents[l]);
        let vector_is_rhs = lane.is_none_or(|l| depends(rhs, l));
        let (vector, scalar) = if vector_is_rhs { (rhs, lhs) } else { (lhs, rhs) };
        let both = lane.is_some_and(|l| depends(scalar, l));
        let crowds = |a: usize| share_a_set(region, scalar, axes, a, target);
        let row = (0..extents.len())
            .filter(|&a| nest_rows.is_empty() || nest_rows.contains(&a))
            .filter(|&a| Some(a) != lane && !both && depends(scalar, a) && !depends(vector, a))
            .max_by_key(|&a| (extents[a].min(MOST_ROWS), !crowds(a), a));
        let mut beside =
            |&a: &usize| Some(a) != lane && Some(a) != row && extents[a] > 1 && !depends(vector, a);
        let beside = (0..extents.len()).rev().find(|a| beside(a));
        Product {
            region,
            axes,
            nest_rows,
            target,
            lane,
            lanes: lanes_within(columns, max_lanes),
            max_lanes,
            row,
            vector_is_rhs,
            turns_results: false,
            vector,
            scalar,
            both,
            beside: beside.filter(|_| row.is_some() && nest_rows.is_empty() && !both),
            height: row.map_or(1, |r| extents[r]),
            columns,
            length: axes.inner_extents().iter().product::<i64>().max(1),
            size: stage.results[0].accumulator().size() as i64,
            pair: pair_weight(region, stage, target),
        }
    }

    pub(super) fn is_alone(&self) -> bool {
        self.nest_rows.is_empty()
    }

    /// The innermost of the axes that are summed over.
    fn inner(&self) -> Option<usize> {
        (!self.axes.inner_extents().is_empty()).then(|| self.axes.extents.len() - 1)
    }

    /// What an element of the vector operand costs beyond being read, and one of the other.
    pub(super) fn dear(&self) -> (i64, i64) {
        let of = |operand| prologue(self.region, operand, self.target);
        (of(self.vector), of(self.scalar))
    }

    /// Vectors and rows of the tile in registers.
    pub(super) fn tile(&self, stage: &Stage, choice: Option<Choice>) -> (i64, i64) {
        let (height, registers) = (self.height, registers(self.region, stage, self.target));
        let vectors = times(self.columns, self.lanes as i64);
        match (choice, height) {
            (Some(Choice::Tile { vectors: tile, rows }), _) => {
                let most = if self.turns_results { height.min(self.lanes as i64) } else { height };
                ((tile as i64).clamp(1, vectors.max(1)), (rows as i64).clamp(1, most.max(1)))
            }
            _ if self.turns_results => turned_tile((height, self.lanes as i64), vectors, registers),
            (_, 1) => (vectors.clamp(1, registers / 4), 1),
            _ if !self.is_alone() => register_tile(height.max(1), vectors, registers),
            // Tasks of as many rows each overlap too.
            _ => {
                let tasks = times(height.max(1), self.target.product_rows);
                register_tile(times(height.max(1), tasks), vectors, registers)
            }
        }
    }

    /// Whether the vector operand of a tile of `width` columns is packed.
    pub(super) fn packing(&self, (width, rows): (i64, i64), choice: Option<Choice>) -> Packing {
        let Product { columns, length, .. } = *self;
        // A narrow array in line has about the tile's shape already. In a nest each block of rows packs anew, so that one which
        // has the tile's shape and leaves the first-level cache stays where it is.
        let is_narrow = match self.is_alone() {
            true => columns <= 2 * width,
            false => columns <= width && columns * length * self.size > self.target.l1,
        };
        let in_shape = is_narrow && is_in_line(self.region, self.vector, self.axes, self.lane);
        let windows =
            self.target.gpu.is_none() && are_windows(self.region, self.vector, self.axes, self.lane, width);
        let all_rows = self.height * self.beside.map_or(1, |a| self.axes.extents[a]);
        let many = self.row.is_some() && all_rows >= 2 * rows.max(2) && length >= 4;
        // Columns of a matrix that lie in line along k, for one row or a few: turned in blocks that stay in the first-level
        // cache.
        let few = !many && !self.both && self.is_alone() && self.lanes >= 4;
        let packed = match choice {
            Some(Choice::Packed(packed)) => Some(packed),
            _ => None,
        };
        let may_be_small = few && packed != Some(false);
        let is_small = |&b: &i64| may_be_small && b < length && !self.across(b, width).is_empty();
        let small = SMALL_BLOCKS.into_iter().find(is_small);
        let pack = packed.unwrap_or(small.is_some() || many && !in_shape && !windows);
        Packing { pack, windows, small, few, beside: self.beside }
    }

    /// Loads of the vector operand that are read along k and turned while a block of it is packed. Lines of all columns of a tile
    /// that stay in the first-level cache are read from there, whichever way.
    pub(super) fn across(&self, block: i64, width: i64) -> Vec<NodeId> {
        let along = self.lane.zip(self.inner());
        let Some(along) = along.filter(|_| self.lanes_along_k(block, self.lanes) >= self.lanes) else {
            return Vec::new();
        };
        let leaves_cache = |id: &NodeId| match self.region.node(*id) {
            Node::Load { offset, .. } => {
                let apart = self.axes.translate(offset).coefficient(along.0).unwrap_or(0).abs();
                let size = self.region.dtype(*id).size() as i64;
                apart.saturating_mul(width * size) > self.target.l1
            }
            _ => false,
        };
        let strided = super::map::strided(self.region, &[self.vector], self.axes, along, self.lanes);
        strided.into_iter().filter(leaves_cache).collect()
    }

    /// Whether the other operand is computed into an array first.
    pub(super) fn ahead(&self, rows: i64) -> Option<Ahead> {
        let (region, axes, target) = (self.region, self.axes, self.target);
        if !self.is_alone() || self.both || self.columns <= 1 || self.length < 4 {
            return None;
        }
        let max_lanes = self.max_lanes;
        let along_rows = self.row.zip(self.inner()).is_some_and(|(r, k)| {
            let lies = |along, across| lies_across(region, axes, self.scalar, (along, across));
            let short = self.lanes_along_k(self.length, max_lanes) < SHORT_AHEAD;
            rows >= SHORT_AHEAD as i64 && lies(r, k) && (short || !lies(k, r))
        });
        let far = along_rows && self.is_long() && !self.has_near_lines();
        let crowded = self.row.is_some_and(|r| is_crowded(region, self.scalar, axes, (r, rows), target));
        (crowded || far || self.dear().1 > 0).then_some(Ahead { crowded, far, along_rows })
    }

    /// Whether what several rows of the other operand read in line is more than the first-level cache holds.
    fn is_long(&self) -> bool {
        self.height >= self.max_lanes as i64 && self.length * LINE > self.target.l1 / 2
    }

    /// Whether the other operand lies along the rows, in lines that are near each other along k and cost nothing but to be read: a
    /// block of k of them stays in the first-level cache.
    fn has_near_lines(&self) -> bool {
        let rows = self.row.zip(self.inner());
        self.is_alone()
            && self.target.gpu.is_none()
            && self.dear().1 == 0
            && rows.is_some_and(|(r, _)| lies_along(self.region, self.axes, self.scalar, r))
            && self.has_near_steps()
    }

    /// Whether what the other operand reads along k lies near each other.
    pub(super) fn has_near_steps(&self) -> bool {
        let near = |step: i64| step * self.region.dtype(self.scalar).size() as i64 <= NEAR_LINES * LINE;
        self.inner().is_some_and(|k| step_along(self.region, self.axes, self.scalar, k).is_some_and(near))
    }

    /// Elements of k of one pass, and the loads that are brought near a block ahead.
    pub(super) fn block(
        &self,
        (width, rows): (i64, i64),
        packing: &Packing,
        ahead: Option<Ahead>,
        choice: Option<Choice>,
    ) -> (i64, Vec<NodeId>) {
        let (length, target) = (self.length, self.target);
        if self.turns_results {
            return (length, Vec::new());
        }
        // A packed block of k fits in half of the second-level cache, rows that are copied since they evict each other in half of
        // the first.
        let only_crowded = ahead.is_some_and(|a| a.crowded && !a.far) && self.dear().1 == 0;
        let room = if only_crowded { target.l1 / 2 / rows } else { target.tile_bytes() / width };
        let by_lines = ahead.is_none() && self.is_long() && self.has_near_lines();
        let room = if by_lines { target.l1 / width } else { room };
        let in_blocks = packing.pack || ahead.is_some() || by_lines;
        let block = if in_blocks { (room / self.size).max(64) } else { length };
        let near = match packing.few && packing.small.is_none() {
            true => far_rows(self.region, self.vector, self.axes, self.lane, target),
            false => Vec::new(),
        };
        let block = if near.is_empty() { packing.small.unwrap_or(block) } else { NEAR_BLOCK.min(length) };
        let block = if let Some(Choice::Pass(k)) = choice { k.min(length) } else { block };
        (if block < length { self.whole_runs(block) } else { length }, near)
    }

    /// A block of about so many elements of k: of whole runs along the innermost axis of the sum, or parts of one, where there are
    /// others beside it.
    fn whole_runs(&self, block: i64) -> i64 {
        match *self.axes.inner_extents() {
            [_, .., run] if run <= block => block / run * run,
            [_, .., run] => {
                let parts = times(run, block);
                let divides = (parts..=2 * parts).find(|n| run % n == 0);
                divides.map_or(block / LANES_AHEAD * LANES_AHEAD, |n| run / n)
            }
            _ => block / LANES_AHEAD * LANES_AHEAD,
        }
    }

    /// The rows and columns of tasks, for tiles of so many. What costs something is computed once: the other operand for all
    /// columns, this one for all rows.
    pub(super) fn split(
        &self,
        tile: (i64, i64),
        (pack, ahead, is_near): (bool, Option<Ahead>, bool),
        block: i64,
        in_words: bool,
    ) -> Split {
        let (width, rows) = tile;
        let Product { target, height, columns, length, size, .. } = *self;
        let (dear_vector, dear_scalar) = self.dear();
        let ahead = ahead.is_some();
        let extents = self.axes.space_extents();
        let mut shape = Shape {
            outer: extents.iter().product::<i64>() / (columns * height).max(1),
            height,
            columns,
            length,
            vector: target.rates.pack + dear_vector,
            scalar: if ahead { target.rates.pack + dear_scalar } else { 0 },
            pair: self.pair,
            speed: 1,
        };
        let mut wide = match is_near {
            false if ahead => columns,
            // Nothing is kept for a tile of columns: tasks of a few of them would cost more to hand out than to do.
            false if !pack && self.is_alone() && target.gpu.is_none() => {
                let each = target.task() / 16 / self.pair / height.max(1) / length;
                (each / width).clamp(1, times(columns, width).max(1)) * width
            }
            false => width,
            // The sums of all columns stay in the cache while k goes on.
            true => columns.min((target.tile_bytes() / 4 / (height * size)).max(width)),
        };
        let all_rows = if dear_vector > 0 { height } else { height.min(target.product_rows) };
        let mut tall = all_rows;
        if ahead {
            let room = target.tile_bytes() / size;
            if block < length {
                wide = wide.min((room / LEAST_ROWS - block).max(width));
            }
            tall = tall.min(room / (block + if block < length { wide } else { 0 }));
        }
        (tall, wide) = shape.divided((tall, wide), (rows, width), target);
        // What each of several tasks would compute for itself is computed for all of them, unless it displaces what is in cache.
        let of_all = shape.outer.saturating_mul(height).saturating_mul(length);
        let again = of_all.saturating_mul(times(columns, wide) - 1).saturating_mul(shape.scalar);
        let is_once = ahead
            && !in_words
            && target.gpu.is_none()
            && again >= target.task()
            && of_all.saturating_mul(size) <= target.llc / 2;
        let ahead_once = is_once.then(|| {
            let each = target.task() / (shape.scalar * length).max(1);
            (times(each.max(LEAST_ROWS), rows) * rows).min(height)
        });
        if is_once {
            shape.scalar = 0;
            (tall, wide) = shape.divided((all_rows, width), (rows, width), target);
        }
        Split { rows: tall, columns: wide, ahead_once, shape }
    }

    /// Lanes with which the other operand is computed, for tiles of so many rows.
    pub(super) fn lanes_ahead(&self, rows: i64, along_rows: bool, block: i64) -> u32 {
        let most = self.max_lanes.min(LANES_AHEAD as u32);
        match along_rows {
            true => (rows.max(1) as u32).next_power_of_two().min(most),
            false => self.lanes_along_k(block, most),
        }
    }

    /// Whether a task goes through the rows of the other operand once, as they are.
    pub(super) fn is_one_pass(&self, width: i64) -> bool {
        !self.both && self.is_alone() && self.columns <= width && self.target.gpu.is_none()
    }

    fn lanes_along_k(&self, block: i64, limit: u32) -> u32 {
        lanes_along(self.axes.inner_extents(), block, limit)
    }
}

/// What a pair of factors weighs, where a multiply-add of its type is one.
fn pair_weight(region: &Region, stage: &Stage, target: &Target) -> i64 {
    match &stage.kind {
        Kind::Contract { semiring: Some(semiring), .. } => semiring.weight(region, &target.rates).max(1),
        _ => 1,
    }
}

fn lane_axis_of(
    (region, stage, axes): (&Region, &Stage, &Axes),
    nest_rows: &[usize],
    (lhs, rhs): (NodeId, NodeId),
    target: &Target,
) -> Option<usize> {
    let mut changes = Dependence::default();
    let mut depends = |id: NodeId, axis: usize| changes.on(region, axes, id, axis);
    let extents = axes.space_extents();
    let longest = lane_axis_but(extents, nest_rows, product_lanes(stage, target))?;
    // Along an axis of both operands nothing is shared, and where they are not in line each lane is a line of its own.
    let last = (0..extents.len()).rev().find(|a| !nest_rows.contains(a)).unwrap_or(longest);
    let shares = depends(lhs, last) != depends(rhs, last);
    let mut apart = |id: NodeId| depends(id, longest) && !lies_along(region, axes, id, longest);
    let is_last = shares && extents[last] >= SHORT_LANES && apart(lhs) && apart(rhs);
    Some(if is_last { last } else { longest })
}

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
