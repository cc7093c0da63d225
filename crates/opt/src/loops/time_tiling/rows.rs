//! Which rows of its operands a row of a result reads. A row is an index of the first dimension.

use super::super::element_read;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Opcode, Scalar, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What row j of an instruction reads of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// Row j + this.
    Row(i64),
    /// The same for all rows.
    Whole,
}

/// What a row reads of each operand; `None` for an instruction whose rows are not computed one by one.
pub fn reads(comp: &Computation, instr: &Instruction) -> Option<Vec<Read>> {
    let shape = instr.shape.as_array()?;
    if shape.dims.is_empty() || !instr.attrs.called().is_empty() || instr.has_side_effect() {
        return None;
    }
    let operand = |n: usize| comp.operand(instr, n).shape.as_array();
    let all = |read: Read| Some(vec![read; instr.operands.len()]);
    match (instr.opcode, &instr.attrs) {
        (opcode, _) if opcode.is_elementwise() => {
            let read = |n: usize| Some(if operand(n)?.rank() == 0 { Read::Whole } else { Read::Row(0) });
            (0..instr.operands.len()).map(read).collect()
        }
        (Opcode::Iota, _) => all(Read::Whole),
        (Opcode::Constant, Attrs::Constant(Some(_))) => all(Read::Whole),
        (Opcode::Broadcast, Attrs::Dims(dims)) => match dims.iter().position(|&d| d == 0) {
            None => all(Read::Whole),
            Some(0) => all(Read::Row(0)),
            Some(_) => None,
        },
        (Opcode::Slice, Attrs::Slice(ranges)) if ranges[0].stride == 1 => all(Read::Row(ranges[0].start)),
        (Opcode::Concatenate, Attrs::Dims(dims)) if dims[..] != [0] => all(Read::Row(0)),
        (Opcode::Concatenate, _) => {
            let mut first = 0;
            let read = |n: usize| {
                let read = Read::Row(-first);
                first += operand(n)?.dims[0];
                Some(read)
            };
            (0..instr.operands.len()).map(read).collect()
        }
        (Opcode::Pad, Attrs::Pad(dims)) if dims[0].interior == 0 => {
            Some(vec![Read::Row(-dims[0].low), Read::Whole])
        }
        (Opcode::DynamicUpdateSlice, _) => {
            let starts = starts(comp, instr)?;
            let mut reads = vec![Read::Row(0), Read::Row(-starts[0])];
            reads.resize(instr.operands.len(), Read::Whole);
            Some(reads)
        }
        (Opcode::Reverse, Attrs::Dims(dims)) if !dims.contains(&0) => all(Read::Row(0)),
        (Opcode::Transpose, Attrs::Dims(dims)) if dims[0] == 0 => all(Read::Row(0)),
        (Opcode::Reshape, _) if operand(0)?.dims.first() == shape.dims.first() => all(Read::Row(0)),
        _ => None,
    }
}

/// Where an update in place begins, if that is known: as it is clamped.
pub fn starts(comp: &Computation, instr: &Instruction) -> Option<Vec<i64>> {
    let [base, update] = [0, 1].map(|n| comp.operand(instr, n).shape.as_array());
    let (base, update) = (base?, update?);
    let start = |(d, &id): (usize, &InstrId)| {
        let Attrs::Constant(Some(Value::Array(literal))) = &comp[id].attrs else { return None };
        let at = match literal.splat_value()? {
            Scalar::Signed(n) => n,
            Scalar::Unsigned(n) => i64::try_from(n).ok()?,
            _ => return None,
        };
        Some(at.clamp(0, base.dims[d] - update.dims[d]))
    };
    instr.operands[2..].iter().enumerate().map(start).collect()
}

/// The elements of a loop's state, each by what a trip does with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// Passed on as it is.
    Invariant,
    /// A number that depends on no array that advances.
    Counter,
    /// An array whose rows are computed from rows near them.
    Advancing,
}

/// How far rows of the next state reach, and what they need.
#[derive(Default, Debug)]
pub struct Reach {
    /// Rows before and after its own that a row of the next state reads of the state.
    pub before: i64,
    pub after: i64,
    /// The elements of the state that are read.
    pub used: BTreeSet<usize>,
    /// Instructions, each for one distance: the code of a trip.
    pub values: i64,
}

/// Rows that a row of the next state may reach in one trip.
const FAR: i64 = 8;
/// Instructions, each for one distance, that are looked at: a trip with more is work enough for a kernel of its own.
const MOST_READS: usize = 1024;

/// The reach of a body whose state has such elements, and so many rows; `None` where rows are not computed from those near them.
pub fn reach(body: &Computation, next: &[InstrId], elements: &[Element], rows: i64) -> Option<Reach> {
    let mut reach = Reach::default();
    let mut seen: FxHashSet<(InstrId, Option<Shift>)> = FxHashSet::default();
    let advancing = |n: &usize| elements[*n] == Element::Advancing;
    let mut stack: Vec<(InstrId, Option<Shift>)> =
        (0..next.len()).filter(advancing).map(|n| (next[n], Some(Shift::NONE))).collect();
    while let Some((id, shift)) = stack.pop() {
        if !seen.insert((id, shift)) {
            continue;
        }
        if seen.len() > MOST_READS {
            return None;
        }
        let instr = &body[id];
        if let Some(n) = element_read(body, id) {
            reach.used.insert(n);
            match (elements[n], shift) {
                (Element::Advancing, None) => return None,
                (Element::Advancing, Some(shift)) => {
                    reach.before = reach.before.max(-shift.round);
                    reach.after = reach.after.max(shift.round);
                }
                (Element::Counter, Some(_)) => return None,
                // Later trips of a kernel need the next ones, and what these are computed from.
                (Element::Counter, None) => stack.push((next[n], None)),
                (Element::Invariant, Some(_)) if instr.shape.as_array()?.dims[0] != rows => return None,
                (Element::Invariant, _) => {}
            }
            continue;
        }
        let Some(shift) = shift else {
            if instr.opcode == Opcode::Parameter
                || instr.has_side_effect()
                || !instr.attrs.called().is_empty()
            {
                return None;
            }
            stack.extend(instr.operands.iter().map(|&o| (o, None)));
            continue;
        };
        if instr.opcode == Opcode::Constant && instr.shape.as_array()?.dims[0] != rows {
            return None;
        }
        for (read, &operand) in reads(body, instr)?.into_iter().zip(&instr.operands) {
            let shift = match read {
                Read::Row(by) => Some(shift.of_operand(by, body[operand].shape.as_array()?.dims[0], rows)),
                Read::Whole => None,
            };
            stack.push((operand, shift));
        }
    }
    reach.values = seen.len() as i64;
    (reach.before.max(reach.after) <= FAR).then_some(reach)
}

/// Where rows of a value lie: as many as there are rows of the state further, round a circle, and then some rows further, where the
/// value has more rows than the state.
///
/// Rows before the first are the last ones of the state. Whoever reads rows that its operand does not have chooses by their numbers, and
/// takes no value from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shift {
    pub round: i64,
    pub beyond: i64,
}

impl Shift {
    pub const NONE: Shift = Shift { round: 0, beyond: 0 };

    /// That of an operand with so many rows, of which rows at this distance are read.
    pub fn of_operand(self, by: i64, extent: i64, rows: i64) -> Shift {
        let beyond = self.beyond + by;
        if extent > rows {
            return Shift { beyond, ..self };
        }
        let round = (self.round + beyond).rem_euclid(rows);
        Shift { round: if round > rows / 2 { round - rows } else { round }, beyond: 0 }
    }
}
