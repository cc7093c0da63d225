//! What a scalar integer of the body of a loop is in a trip, where the counter and constants say it.

use super::element_read;
use super::trips::{Counter, constant, fits};
use lawson_hlo::{Attrs, Computation, InstrId, Opcode};

/// Operands of operands that are looked at.
const MOST_DEEP: usize = 8;

/// The value of an instruction in a trip, if it is made of the counter and of constants and does not leave its type.
pub(super) fn value_in(body: &Computation, id: InstrId, (counter, trip): (Counter, i64)) -> Option<i128> {
    evaluated(body, id, (counter.element, counter.at(trip)), 0)
}

fn evaluated(body: &Computation, id: InstrId, counter: (usize, i128), depth: usize) -> Option<i128> {
    if let Some(element) = element_read(body, id) {
        return (element == counter.0).then_some(counter.1);
    }
    let instr = &body[id];
    if let Some(value) = constant(instr) {
        return Some(value);
    }
    if depth == MOST_DEEP {
        return None;
    }
    let dtype = instr.shape.as_array().filter(|a| a.is_scalar())?.dtype;
    let operand = |n: usize| evaluated(body, instr.operands[n], counter, depth + 1);
    let value = match (instr.opcode, &instr.attrs) {
        (Opcode::Add, _) => operand(0)? + operand(1)?,
        (Opcode::Subtract, _) => operand(0)? - operand(1)?,
        (Opcode::Multiply, _) => operand(0)?.checked_mul(operand(1)?)?,
        (Opcode::Maximum, _) => operand(0)?.max(operand(1)?),
        (Opcode::Minimum, _) => operand(0)?.min(operand(1)?),
        (Opcode::Convert, _) => operand(0)?,
        (Opcode::Select, _) => {
            let chosen = if holds(body, instr.operands[0], counter, depth + 1)? { 1 } else { 2 };
            operand(chosen)?
        }
        _ => return None,
    };
    fits(value, dtype).then_some(value)
}

/// Whether a comparison of such integers holds.
fn holds(body: &Computation, id: InstrId, counter: (usize, i128), depth: usize) -> Option<bool> {
    let instr = &body[id];
    let Attrs::Compare { direction, .. } = instr.attrs else { return None };
    let [x, y] = instr.operands[..] else { return None };
    let order = evaluated(body, x, counter, depth)?.cmp(&evaluated(body, y, counter, depth)?);
    Some(direction.holds(order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::Module;

    #[test]
    fn indices_of_trips() {
        let text = "ENTRY b { p = (s32[], s8[]) parameter(0) i = s32[] get-tuple-element(p), index=0
            other = s8[] get-tuple-element(p), index=1
            zero = s32[] constant(0) n = s32[] constant(20) end = s32[] subtract(n, i)
            negative = pred[] compare(end, zero), direction=LT
            wrapped = s32[] add(end, n) ROOT index = s32[] select(negative, wrapped, end)
            small = s8[] convert(index) of_data = s8[] add(small, other) }";
        let module = Module::parse(text).expect("well formed");
        let body = module.entry();
        let named = |name: &str| body.iter().find(|(_, i)| &*i.name == name).expect("it is there").0;
        let counter = Counter { element: 0, start: 1, step: 3, trips: 60 };
        let value = |name: &str, trip| value_in(body, named(name), (counter, trip));
        assert_eq!([0, 6, 7].map(|trip| value("index", trip)), [Some(19), Some(1), Some(18)]);
        assert_eq!(value("small", 7), Some(18));
        // It leaves its type; it is of data.
        assert_eq!((value("small", 59), value("of_data", 0)), (None, None));
    }
}
