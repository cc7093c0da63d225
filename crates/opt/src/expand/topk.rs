//! `topk` becomes a stable sort of the values together with their indices, and slices.
//!
//! ```text
//! t = (f32[4,2], s32[4,2]) topk(x), k=2, largest=true
//! →
//! i = s32[4,8] iota(), iota_dimension=1
//! s = (f32[4,8], s32[4,8]) sort(x, i), dimensions={1}, is_stable=true, to_apply=greater
//! v = f32[4,8] get-tuple-element(s), index=0        j = s32[4,8] get-tuple-element(s), index=1
//! v.1 = f32[4,2] slice(v), slice={[0:4], [0:2]}     j.1 = s32[4,2] slice(j), slice={[0:4], [0:2]}
//! t = (f32[4,2], s32[4,2]) tuple(v.1, j.1)
//! ```
//!
//! Of equal values the lower index comes first. Floats are totally ordered: NaN is above everything.

use super::{Expander, Purpose};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Shape,
};

pub const EXPANDER: Expander = Expander { name: "topk", purpose: Purpose::Support, applies, helpers, expand };

fn applies(_: &Module, _: &Computation, instr: &Instruction) -> bool {
    instr.opcode == Opcode::TopK
}

/// The comparator: by value only, the sort being stable.
fn helpers(new: &mut Rebuild<'_>, comp: &Computation, instr: &Instruction) -> Vec<CompId> {
    let Attrs::TopK { largest, .. } = instr.attrs else { unreachable!("checked by applies") };
    let dtype = comp.operand(instr, 0).shape.expect_array().dtype;
    let mut b = Builder::new(new.module);
    b.origin = instr.origin.clone();
    let params: Vec<InstrId> = [dtype, dtype, DType::S32, DType::S32]
        .into_iter()
        .enumerate()
        .map(|(n, d)| make::parameter(&mut b, n, Shape::scalar(d)))
        .collect();
    let direction = if largest { Direction::Gt } else { Direction::Lt };
    let order = if dtype.is_float() { CompareOrder::TotalOrder } else { CompareOrder::Default };
    let root = b.add(Opcode::Compare, &params[..2], Attrs::Compare { direction, order });
    let comparator = b.finish(if largest { "greater" } else { "less" }, root);
    vec![new.add(comparator)]
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::TopK { k, .. } = instr.attrs else { unreachable!("checked by applies") };
    let x = operands[0];
    let dims = b.array(x).dims.clone();
    let dim = dims.len() - 1;
    let index = make::iota(b, ArrayShape::new(DType::S32, dims), dim);
    let attrs = Attrs::Sort { dim, is_stable: true, to_apply: helpers[0] };
    let sorted = b.add(Opcode::Sort, &[x, index], attrs);
    let parts = make::elements(b, sorted);
    let first: Vec<InstrId> = parts.into_iter().map(|p| make::slice(b, p, dim, 0, k)).collect();
    make::tuple(b, &first)
}
