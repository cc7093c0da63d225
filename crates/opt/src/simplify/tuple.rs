//! Tuples taken apart and put together again.

use super::query::made_by;
use super::{Rule, exact};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact(
        "element-of-tuple",
        "get-tuple-element(tuple(x, y), 1) → y",
        &[Opcode::GetTupleElement],
        element_of_tuple,
    ),
    exact("tuple-of-elements", "tuple(t#0, t#1) → t", &[Opcode::Tuple], tuple_of_elements),
];

fn element_of_tuple(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::TupleIndex(i) = instr.attrs else { return None };
    made_by(b, instr.operands[0], Opcode::Tuple).map(|t| t.operands[i])
}

fn tuple_of_elements(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let whole = made_by(b, *instr.operands.first()?, Opcode::GetTupleElement)?.operands[0];
    let in_place = |(i, &o): (usize, &InstrId)| {
        made_by(b, o, Opcode::GetTupleElement)
            .is_some_and(|g| g.operands[0] == whole && g.attrs == Attrs::TupleIndex(i))
    };
    (b.shape(whole).same(&instr.shape) && instr.operands.iter().enumerate().all(in_place)).then_some(whole)
}
