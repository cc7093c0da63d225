//! Pads that add nothing, or that only add.

use super::query::{extents, made_by};
use super::{Rule, exact};
use lawson_hlo::attrs::PadDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact("pad-nothing", "pad by 0 → x", &[Opcode::Pad], pad_nothing),
    exact("pad-empty", "pad of an empty array → broadcast of the padding value", &[Opcode::Pad], pad_empty),
    exact("pad-same", "pad(broadcast(v), v) → broadcast(v)", &[Opcode::Pad], pad_same),
];

fn padding(instr: &Instruction) -> &[PadDim] {
    match &instr.attrs {
        Attrs::Pad(padding) => padding,
        _ => &[],
    }
}

fn pad_nothing(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    let short = |d: usize| b.array(x).dims[d] <= 1;
    let nothing = |(d, p): (usize, &PadDim)| p.low == 0 && p.high == 0 && (p.interior == 0 || short(d));
    padding(instr).iter().enumerate().all(nothing).then_some(x)
}

fn pad_empty(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, value] = instr.operands[..] else { return None };
    b.array(x).dims.contains(&0).then(|| b.broadcast(value, extents(instr), &[]))
}

fn pad_same(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, value] = instr.operands[..] else { return None };
    let inner = made_by(b, x, Opcode::Broadcast)?.operands[0];
    let same = inner == value
        || (b.get(inner).opcode == Opcode::Constant && b.get(inner).attrs == b.get(value).attrs);
    same.then(|| b.broadcast(value, extents(instr), &[]))
}
