//! The operation `scan`: everything that goes in and comes out is batched.

use super::super::{Batched, Batcher};
use super::Made;
use super::elementwise::spread_all;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Scan { dim, to_apply, num_carries, is_reverse, is_associative } = instr.attrs else {
        return fault!("`scan` has no dimension");
    };
    let all = spread_all(cx, operands, batched)?;
    let flags = vec![Batched::Yes; all.len()];
    let root = cx.emit.graph.computation(to_apply).root().shape.clone();
    let to_apply = cx.computation(to_apply, &flags, &Batched::all(&root))?;
    let attrs = Attrs::Scan { dim: dim + 1, to_apply, num_carries, is_reverse, is_associative };
    let shape: Shape = cx.spread_shape(&instr.shape);
    Ok((cx.emit.op_shaped(Opcode::Scan, shape, &all, attrs)?, Batched::all(&instr.shape)))
}
