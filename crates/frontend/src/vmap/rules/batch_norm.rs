//! Batch normalisation: each example has statistics of its own, so the examples become features.

use super::super::{Batched, Batcher};
use super::Made;
use super::convolution::{fold, unfold};
use super::elementwise::spread_all;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::BatchNorm { epsilon_bits, feature_index } = instr.attrs else {
        return fault!("`{}` has no feature_index", instr.opcode);
    };
    let given = batched[1..].iter().all(Batched::is_no);
    if instr.opcode == Opcode::BatchNormInference && given {
        let attrs = Attrs::BatchNorm { epsilon_bits, feature_index: feature_index + 1 };
        return Ok((cx.emit.op(instr.opcode, operands, attrs)?, Batched::Yes));
    }
    let mut folded = Vec::with_capacity(operands.len());
    for (i, x) in spread_all(cx, operands, batched)?.into_iter().enumerate() {
        // Beside vectors of features there are the input and, for its gradient, that of the output.
        let whole = i == 0 || (instr.opcode == Opcode::BatchNormGrad && i == 4);
        folded.push(fold(cx, x, if whole { feature_index } else { 0 }, 1)?);
    }
    let made = cx.emit.op(instr.opcode, &folded, instr.attrs.clone())?;
    let mut results = Vec::new();
    for (i, x) in cx.emit.elements(made)?.into_iter().enumerate() {
        results.push(unfold(cx, x, if i == 0 { feature_index } else { 0 }, 1)?);
    }
    let result = match instr.opcode {
        Opcode::BatchNormInference => results[0],
        _ => cx.emit.tuple(&results)?,
    };
    Ok((result, Batched::all(&instr.shape)))
}
