//! Contractions: a register tile of rows × vectors, every accumulator one chain in increasing k.
//!
//! A task goes through k block by block. For each block the operand that is the same along the lanes is computed
//! for all rows of the task, if the plan says so; then, for each tile of columns, the vector operand is copied to an
//! array of exactly the tile's shape and all rows run over it. Between blocks the accumulators rest in memory,
//! which keeps the chain.
//! Where lanes lie along an axis that both operands have, vectors of both are read as they lie (`batch_lanes`).
//! Where results lie in line along the rows, the sums of a tile are turned before they are stored (`turned`).
//! What is added to a sum, and how, is told by `sums`.
//! What the tasks would each compute or copy for themselves, phases before them may do for all (`before`).

mod batch_lanes;
mod before;
mod block;
mod block_of_k;
mod contraction;
mod matrices;
mod operand;
mod pack;
mod places;
mod share;
mod stages;
mod sum_loops;
mod sums;
mod task;
mod tile;
mod turned;
mod windows;
mod words;

use crate::loop_ir::Factor;
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::plan::ContractSchedule;
use crate::refusal::Refusal;
use crate::region::Kind;
use contraction::Contraction;
use lawson_hlo::DType;
use sums::Sums;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &'r ContractSchedule,
) -> Result<(), Refusal> {
    let Some(contraction) = contraction(l, s) else { return Ok(()) };
    if let Some(team) = &s.team {
        return contraction.tiles_of_blocks(cx, team);
    }
    if let (Some(row), Some(column), Some(lane)) = (s.row, s.column, s.lane) {
        return contraction.phase_of_batch(cx, (row, column, lane));
    }
    if l.in_row() {
        return contraction.block(cx);
    }
    if s.packed_once {
        pack_before(cx, l, s)?;
    }
    contraction.phase(cx)
}

/// A phase that packs the vector operand of a product for all tasks, or for the blocks of rows of a nest.
pub(super) fn pack_before<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &'r ContractSchedule,
) -> Result<(), Refusal> {
    let Some(contraction) = contraction(l, s) else { return Ok(()) };
    let packed = contraction.packed_for_all(cx)?;
    cx.arrays.packed.insert(l.index, packed);
    Ok(())
}

/// `None` where nothing is computed.
fn contraction<'r>(l: &'r Lowering<'r>, s: &'r ContractSchedule) -> Option<Contraction<'r>> {
    let Kind::Contract { lhs, rhs, accumulator, ref semiring, .. } = l.stage.kind else { return None };
    if l.stage.points() == 0 {
        return None;
    }
    let (vector, scalar) = if s.vector_is_rhs { (rhs, lhs) } else { (lhs, rhs) };
    let matrices = s.team.and_then(|team| team.matrices);
    let in_word = s.words.map(|w| w.in_word()).or(matrices.map(|m| m.in_word()));
    let of_bytes = in_word == Some(Factor::S8.in_word());
    let accumulator = if of_bytes && accumulator.is_float() { DType::S32 } else { accumulator };
    let sums = Sums::new(l.region, accumulator, semiring.as_ref());
    Some(Contraction::new(l, s, vector, scalar, sums))
}
