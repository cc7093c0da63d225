//! Products by tile registers, which some processors have beside vectors (Loop IR's `tiles`).

use super::Axes;
use super::choice::Choice;
use super::contract::ContractSchedule;
use super::dependence::point_dependence;
use super::matrices::factor;
use super::product_tasks::Shape;
use super::vector::lanes_within;
use super::words::Words;
use crate::loop_ir::Factor;
use crate::loop_ir::tiles::SIDE;
use crate::region::{Kind, Node, Region, Source, Stage};
use crate::target::Target;
use lawson_hlo::DType;

/// Tiles of rows and of columns: the sums of 2 × 2 and their factors are all that registers hold.
const TILES: i64 = 2;
/// What copying an element of an operand takes, in multiply-adds of a lane: words of the columns are made of elements of several
/// rows, those of the rows lie as they are.
const COLUMNS: i64 = 3;
const ROWS: i64 = 1;

/// The schedule of a product by tile registers, where the machine has them, the operands are of a type that they multiply,
/// and there are a tile of rows and one of columns; `choice` is of schedules without them.
///
/// All of k is one block: a task has its rows for all of it, and a tile of columns, in its second-level cache.
pub(super) fn of_tiles(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    s: ContractSchedule,
    choice: Option<Choice>,
    target: &Target,
) -> ContractSchedule {
    let (Some(row), Some(lane), &[length], Kind::Contract { lhs, rhs, .. }) =
        (s.row, s.lane, axes.inner_extents(), &stage.kind)
    else {
        return s;
    };
    let (vector, scalar) = if s.vector_is_rhs { (*rhs, *lhs) } else { (*lhs, *rhs) };
    let Some(words) = Words::of(region, stage, (vector, scalar), length).filter(|_| target.tiles) else {
        return s;
    };
    let words = Words { tiles: true, ..words };
    let (height, columns) = (axes.extents[row], axes.extents[lane]);
    if choice.is_some()
        || !are_enough([height, columns, length])
        || point_dependence(region, axes, scalar, lane)
    {
        return s;
    }
    let [down, across] = [height, columns].map(|n| TILES.min(n / SIDE));
    let (rows, width) = (down * SIDE, across * SIDE);
    // A row or a column of words, in elements of f32.
    let line = words.count(length);
    let room = target.tile_bytes() / 4 / line;
    if room < 2 * TILES * SIDE {
        return s;
    }
    let in_place = lies_in_words(region, axes, words, row);
    let shape = Shape {
        outer: axes.space_extents().iter().product::<i64>() / (height * columns).max(1),
        height,
        columns,
        length,
        vector: COLUMNS,
        scalar: if in_place { 0 } else { ROWS },
        pair: 1,
        speed: words.speed(),
    };
    let (tall, wide) = shape.divided((height.min(room - width), columns), (rows, width), target);
    ContractSchedule {
        lanes: SIDE as u32,
        tile: across as u32,
        rows,
        rows_per_task: tall,
        columns_per_task: wide,
        block: length,
        pack: true,
        windows: false,
        packed_once: false,
        ahead: !in_place,
        lanes_ahead: lanes_within(length, (SIDE * words.in_word()) as u32),
        ahead_along_rows: false,
        ahead_once: None,
        turned: Vec::new(),
        near: Vec::new(),
        next_rows: None,
        words: Some(words),
        over: None,
        ..s
    }
}

/// Whether the operand of the rows is an array that lies along k in whole tiles: registers are loaded from there.
fn lies_in_words(region: &Region, axes: &Axes, words: Words, row: usize) -> bool {
    let Node::Load { source: Source::Input(_), offset, mask: None } = region.node(words.scalar) else {
        return false;
    };
    let (offset, k) = (axes.translate(offset), axes.extents.len() - 1);
    let whole = axes.extents[k] % (SIDE * words.in_word()) == 0;
    whole && offset.coefficient(k) == Some(1) && offset.coefficient(row).is_some()
}

/// Whether tile registers multiply bytes of these types and so many rows, columns and products of each sum, on this target.
pub fn tiles_multiply_bytes(target: &Target, types: [DType; 2], [rows, columns, products]: [i64; 3]) -> bool {
    let are_bytes = types.iter().all(|&t| factor(t).is_some_and(|f| f.in_word() == Factor::S8.in_word()));
    let whole = products % Factor::S8.in_word() == 0;
    target.tiles && are_bytes && whole && are_enough([rows, columns, products])
}

/// Whether there are as many rows, columns and products as a tile has rows and words.
fn are_enough(extents: [i64; 3]) -> bool {
    extents.iter().all(|&n| n >= SIDE)
}
