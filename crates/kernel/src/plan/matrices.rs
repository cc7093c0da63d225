//! Tiles of products that the matrix units of warps multiply.
//!
//! Factors lie in words of 32 bits, those that follow each other along k together. Both operands are copied to arrays of the
//! task, in one of two ways, and a warp has a part of the tile, of fragments of 16 rows and of 8 columns (Loop IR's `matrix`):
//!
//! - as words, computed by the threads, line by line of [`WORDS`] words;
//! - in pieces of 16 bytes, asynchronously, as they lie: arrays of halves and of f32 whose rows begin at multiples of that. Of halves
//!   whole matrices are loaded then, transposed where the operand does not lie along k; of f32 the threads load the words of their
//!   fragments, and round them.

use super::Axes;
use super::gather::Gathered;
use crate::loop_ir::Factor;
use crate::loop_ir::matrix::{COLUMNS, ROWS, WORDS as FRAGMENT};
use crate::region::{Kind, NodeId, ProductOrder, Region, Stage, narrow};
use crate::target::Target;
use lawson_hlo::DType;
use lawson_hlo::dtype::{Float, TypeKind, Width};

/// Words of k that are copied at once.
pub const WORDS: i64 = 2 * FRAGMENT;
/// Warps of a block along the rows of its tile; the others are along the columns.
const DOWN: i64 = 2;
/// Rows or columns of the smallest tile.
const LEAST_SIDE: i64 = 32;

/// The operands and the parts of the warps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matrices {
    /// The operand of the rows and that of the columns, before they were converted to the type of the sums.
    pub operands: [NodeId; 2],
    pub factors: [Factor; 2],
    /// Warps along the rows and along the columns of the tile.
    pub warps: [i64; 2],
    /// Which operands are copied in pieces.
    pub pieces: [bool; 2],
    /// Blocks of k that the arrays have room for: two, or more where both operands are halves in pieces.
    pub stages: i64,
}

/// Factors with places of their own that a thread copies at once, at most.
const MOST_APART: i64 = 8;
/// Words of a piece, and bytes of a word.
const PIECE: i64 = 4;
const BYTES: i64 = 4;
/// Blocks of k under way at most: the next ones arrive while one is multiplied; and at least for the widest tiles.
const MOST_STAGES: i64 = 4;
const STAGES_OF_WIDE: i64 = 3;

impl Matrices {
    /// Those of a product, if its operands have types that are multiplied and its order permits it.
    pub fn of(region: &Region, stage: &Stage, operands: [NodeId; 2], warps: i64) -> Option<Matrices> {
        let Kind::Contract { accumulator, order, semiring: None, .. } = stage.kind else { return None };
        let warps = [DOWN, warps / DOWN];
        if let [Some((l, a)), Some((r, b))] = operands.map(|id| narrow(region, id))
            && let Some(factors) = factors([l, r], (accumulator, order), stage.inner_points())
        {
            return Some(Matrices { operands: [a, b], factors, warps, pieces: [false; 2], stages: 2 });
        }
        let factors = [Factor::Tf32; 2];
        let pieces = [false; 2];
        let matrices = Matrices { operands, factors, warps, pieces, stages: 2 };
        is_tf32(accumulator, order).then_some(matrices)
    }

    /// Which operands lie in line, in rows that begin at multiples of a piece: `own` are the axes of the rows and of the columns.
    pub fn in_line(&self, region: &Region, axes: &Axes, own: [usize; 2]) -> [bool; 2] {
        let (k, piece) = (axes.extents.len() - 1, self.piece());
        std::array::from_fn(|d| {
            let gathered = Gathered::of(region, axes, self.operands[d]);
            let lies = |a: &usize| gathered.as_ref().is_some_and(|g| g.is_in_line(*a, piece));
            let along = [own[d], k].into_iter().find(lies);
            self.in_word() <= 2 && along.is_some_and(|a| axes.extents[a] % piece == 0)
        })
    }

    /// These, with the operands in pieces that lie [in line](Self::in_line) and of which all threads have as many in such a tile, and with
    /// as many of so many blocks of k under way as there is room for.
    pub fn in_pieces(
        self,
        in_line: [bool; 2],
        tile: [i64; 2],
        (blocks, threads, room): (i64, i64, i64),
    ) -> Matrices {
        let pieces =
            std::array::from_fn(|d| in_line[d] && tile[d] * self.block() % (self.piece() * threads) == 0);
        let of_block = (tile[0] + tile[1]) * WORDS * BYTES;
        let most = Matrices { pieces, ..self }.are_halves_in_pieces().then_some(room / of_block);
        let stages = most.map_or(2, |most| most.min(MOST_STAGES).min(blocks).max(2));
        Matrices { pieces, stages, ..self }
    }

    /// Whether both operands are halves that are copied in pieces: blocks of k are on their way to several parts of the arrays then.
    /// (Of f32 each word is loaded and rounded by itself, which takes so long that the next block has arrived.)
    pub fn are_halves_in_pieces(&self) -> bool {
        self.pieces == [true; 2] && self.in_word() == 2
    }

    /// Whether warps with 64 rows and columns each have enough to multiply until the next block of k is there, one on each scheduler.
    pub fn may_be_wide(&self) -> bool {
        self.pieces == [true; 2] && (self.in_word() == 1 || self.stages >= STAGES_OF_WIDE)
    }

    /// Whether threads have registers for what they copy of such a tile: of windows whose innermost axis of the sum fills no words,
    /// each factor has a place and ranges of its own.
    pub fn leaves_registers(
        &self,
        axes: &Axes,
        windows: [Option<i64>; 2],
        tile: [i64; 2],
        threads: i64,
    ) -> bool {
        let whole = axes.extents[axes.extents.len() - 1] % self.in_word() == 0;
        let few = |d: usize| tile[d] * self.block() <= MOST_APART * threads;
        (0..2).all(|d| whole || windows[d].is_none() || few(d))
    }

    /// Elements of k of a block.
    pub fn block(&self) -> i64 {
        WORDS * self.in_word()
    }

    /// Elements of a piece.
    pub fn piece(&self) -> i64 {
        PIECE * self.in_word()
    }

    /// Elements of k of a word.
    pub fn in_word(&self) -> i64 {
        self.factors[0].in_word()
    }

    /// How many times as fast as fused multiply-adds of the threads they are, about: of H100, and of TF32 half of it.
    pub fn speed(&self) -> i64 {
        4 * self.in_word()
    }

    /// Fragments of a warp along rows and columns, of a tile of these.
    pub fn fragments(&self, tile: [i64; 2]) -> [i64; 2] {
        [tile[0] / (ROWS * self.warps[0]), tile[1] / (COLUMNS * self.warps[1])]
    }

    /// Whether warps have whole fragments of such a tile.
    pub fn divides(&self, tile: [i64; 2]) -> bool {
        let [rows, columns] = self.warps;
        tile[0] % (ROWS * rows) == 0 && tile[1] % (COLUMNS * columns) == 0
    }
}

/// Whether units multiply matrices of these types and so many rows, columns and products of each sum, on this target, in this order.
pub fn units_multiply(
    target: &Target,
    types: [DType; 2],
    (accumulator, order): (DType, ProductOrder),
    [rows, columns, products]: [i64; 3],
) -> bool {
    let factors = match factors(types, (accumulator, order), products) {
        None if is_tf32(accumulator, order) => Some([Factor::Tf32; 2]),
        factors => factors,
    };
    let fits = factors.is_some_and(|[left, _]| products >= WORDS * left.in_word());
    target.gpu.is_some_and(|g| g.matrix_units) && fits && rows.min(columns) >= LEAST_SIDE
}

/// The factors of operands of these types, where they are multiplied as they are. Halves may be multiplied in any order in which
/// their sums are free; sums of bytes are exact in any.
fn factors(
    types: [DType; 2],
    (accumulator, order): (DType, ProductOrder),
    products: i64,
) -> Option<[Factor; 2]> {
    let [Some(l), Some(r)] = types.map(factor) else { return None };
    let fits = match (l.in_word(), r.in_word()) {
        (4, 4) => is_exact(accumulator, l.largest() * r.largest(), products),
        _ => l == r && accumulator.is_f32() && order != ProductOrder::Sequential,
    };
    fits.then_some([l, r])
}

/// Whether factors may be rounded to TF32.
fn is_tf32(accumulator: DType, order: ProductOrder) -> bool {
    order == ProductOrder::FreeTf32 && accumulator.is_f32()
}

/// The factor of a type.
pub(super) fn factor(dtype: DType) -> Option<Factor> {
    match dtype.kind() {
        TypeKind::Float(Float::F16) => Some(Factor::F16),
        TypeKind::Float(Float::Bf16) => Some(Factor::Bf16),
        TypeKind::Signed(Width::W8) => Some(Factor::S8),
        TypeKind::Unsigned(Width::W8) => Some(Factor::U8),
        TypeKind::Pred
        | TypeKind::Signed(Width::W1 | Width::W2 | Width::W4 | Width::W16 | Width::W32 | Width::W64)
        | TypeKind::Unsigned(Width::W1 | Width::W2 | Width::W4 | Width::W16 | Width::W32 | Width::W64)
        | TypeKind::Float(Float::F32 | Float::F64 | Float::Small(_))
        | TypeKind::Field(_)
        | TypeKind::Composite(_) => None,
    }
}

/// Whether sums of so many products of whole numbers, none larger, are in the accumulator what they are in 32-bit integers.
pub(super) fn is_exact(accumulator: DType, largest: i64, products: i64) -> bool {
    let whole = accumulator.is_integer() && accumulator.bits() == 32;
    whole || accumulator.is_f32() && products.saturating_mul(largest) <= 1 << 24
}
