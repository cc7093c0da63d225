//! How many vectors and rows a product has in registers.

use crate::region::{Kind, Node, NodeId, Region, Semiring, Stage};
use crate::target::Target;
use lawson_hlo::Opcode;

/// Vectors and rows of the register tile of so many rows and vectors: as many products as registers hold; of another shape
/// than most where clearly fewer of them are computed twice, since the last tiles overlap their neighbours.
pub(super) fn register_tile(height: i64, vectors: i64, registers: i64) -> (i64, i64) {
    let time = |(tile, rows): (i64, i64)| {
        times(height, rows) * times(vectors, tile) * (step((tile, rows)) * STEP + tile)
    };
    let usual = usual_tile(height, vectors, registers);
    let options =
        register_tiles(height, vectors, registers).map(|shape| (time(shape), -(shape.0 * shape.1), shape));
    let best = options.min().filter(|best| best.0 * 20 <= time(usual) * 19);
    best.map_or(usual, |(_, _, shape)| shape)
}

/// What an element of k takes of a tile: a core does two products or two loads at a time, and does not quite keep up with a load for
/// each product.
fn step((tile, rows): (i64, i64)) -> i64 {
    (tile * rows).max((tile + rows) * 5 / 4).max(IN_FLIGHT)
}

/// Vectors and rows of the tile where each row has a vector too: those of the columns stay in registers while those of the rows are
/// loaded one by one.
pub(super) fn tile_of_vectors((height, width): (i64, i64), registers: i64) -> (i64, i64) {
    let time = |(tile, rows): (i64, i64)| times(height, rows) * times(width, tile) * step((tile, rows));
    let most = |extent: i64| 1..=extent.clamp(1, MOST_EACH);
    let shapes = most(width).flat_map(|tile| most(height).map(move |rows| (tile, rows)));
    let fit = shapes.filter(|(tile, rows)| rows * tile + tile + 2 <= registers);
    fit.min_by_key(|&shape| (time(shape), -(shape.0 * shape.1), shape.0 + shape.1)).unwrap_or((1, 1))
}

/// All shapes that registers hold, one for each number of vectors.
pub(super) fn register_tiles(height: i64, vectors: i64, registers: i64) -> impl Iterator<Item = (i64, i64)> {
    // Beside the accumulators there are the vectors, an element of the other operand, and one to spare.
    let most = move |tile: i64| ((registers - 2 - tile) / tile).clamp(1, MOST_ROWS);
    let rows = move |tile: i64| times(height, times(height, most(tile).min(height)));
    (1..=vectors.clamp(1, MOST_VECTORS)).map(move |tile| (tile, rows(tile)))
}

/// The shape for sums that are turned in squares of so many lanes: of few vectors, so that the rows fill the squares.
pub(super) fn turned_tile((height, lanes): (i64, i64), vectors: i64, registers: i64) -> (i64, i64) {
    let tile = vectors.clamp(1, TURNED_VECTORS);
    let most = ((registers - 2 - tile) / tile).clamp(1, lanes);
    (tile, times(height, times(height, most.min(height).max(1))))
}

/// The shape that suits most products: vectors enough that each element of the other operand serves several.
fn usual_tile(height: i64, vectors: i64, registers: i64) -> (i64, i64) {
    let tile = vectors.clamp(1, if registers >= 32 { 4 } else { 2 });
    (tile, ((registers - 4 - tile) / tile).clamp(1, USUAL_ROWS).min(height))
}

/// How many of so many each make up `n`.
pub(super) fn times(n: i64, each: i64) -> i64 {
    (n + each - 1) / each.max(1)
}

/// Rows and vectors of a register tile at most, products that have to be under way, and what loading a vector from the
/// second-level cache costs, in parts of a product.
const MOST_ROWS: i64 = 16;
const MOST_VECTORS: i64 = 6;
/// Rows and vectors of a tile of vectors at most.
const MOST_EACH: i64 = 8;
/// Rows of the usual tile at most.
const USUAL_ROWS: i64 = 14;
/// Vectors of a tile whose sums are turned: with two each element of the other operand serves both, and 14 rows fit.
const TURNED_VECTORS: i64 = 2;
const IN_FLIGHT: i64 = 8;
const STEP: i64 = 8;

/// Operations of a product that hide the loads of its factors, and the registers of a tile of four of them with what it needs.
const LONG_PRODUCT: i64 = 64;
const FEW_REGISTERS: i64 = 7;
/// Registers that a tile has at least.
const LEAST_HELD: i64 = 8;

/// Vectors of a product that the registers hold, beside what its operations need.
pub(super) fn registers(region: &Region, stage: &Stage, target: &Target) -> i64 {
    let accumulator = stage.results[0].accumulator();
    // Beside so much work loading its factors is little, and the driver takes long for the code of each.
    if target.gpu.is_some() && target.rates.weight(Opcode::Multiply, accumulator) >= LONG_PRODUCT {
        return FEW_REGISTERS;
    }
    let size = accumulator.size() as i64;
    let each = (size * product_lanes(stage, target) as i64 / target.vector_bytes as i64).max(1);
    let held = target.registers as i64 / each;
    match &stage.kind {
        Kind::Contract { semiring: Some(semiring), .. } => {
            (held - taken_by(region, semiring)).max(LEAST_HELD)
        }
        _ => held,
    }
}

/// Registers that the operations of a semiring need beyond the one that a multiply-add leaves: a value between two of them, and masks
/// and constants where there is a NaN to be found.
fn taken_by(region: &Region, semiring: &Semiring) -> i64 {
    const OF_EXTREME: i64 = 4;
    let of = |id: NodeId| match region.node(id) {
        Node::Argument(_) => 0,
        Node::Binary { opcode: Opcode::Maximum | Opcode::Minimum, dtype, .. } if dtype.is_float() => {
            OF_EXTREME
        }
        _ => 1,
    };
    (semiring.nodes(region).into_iter().map(of).sum::<i64>() - 2).max(0)
}

/// Lanes of a product's vectors at most: a vector of f64 is one register of a processor too, so that a tile has as many of them.
pub fn product_lanes(stage: &Stage, target: &Target) -> u32 {
    let accumulator = stage.results[0].accumulator();
    let halved = accumulator.is_float() && accumulator.size() == 8 && target.gpu.is_none();
    target.lanes() / if halved { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::register_tile;

    /// Vectors and rows: with 32 registers, with 16, with two for each vector.
    #[test]
    fn register_tiles_compute_little_twice() {
        assert_eq!(register_tile(192, 4, 32), (4, 6));
        assert_eq!(register_tile(56, 4, 32), (2, 14), "four tiles of 14 rows");
        assert_eq!(register_tile(8, 4, 32), (2, 8), "not six rows and two that are computed twice");
        assert_eq!(register_tile(500, 5, 32), (5, 5), "all columns at once");
        assert_eq!(register_tile(500, 1, 32), (1, 14));
        assert_eq!(
            register_tile(64, 7, 32),
            (4, 6),
            "not a load for each product, though nothing would be computed twice"
        );
        assert_eq!(register_tile(512, 32, 16), (2, 5));
    }
}
