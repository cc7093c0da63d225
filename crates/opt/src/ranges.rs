//! Integers of which the program says how far they go: comparisons and limits that follow from that are left out.
//!
//! ```text
//! i = s32[100] iota()                           i = s32[100] iota()
//! n = pred[100] compare(i, 0), direction=LT
//! j = s32[100] add(i, 100)                 →
//! k = s32[100] select(n, j, i)                  k = i
//! ```
//!
//! Iotas and counters of loops say it. Programs that index arrays are full of these: negative indices count from the end, those
//! beyond it are left out, quotients are rounded down.

use crate::loops::trips::{Counter, counter_of, fits, splat, step};
use crate::loops::{element_read, next_values, parts};
use crate::make;
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode};

pub const NAME: &str = "ranges";

/// The least and the greatest of the elements of an array of integers.
type Range = (i128, i128);

pub fn run(cx: &mut PassContext, module: &mut lawson_hlo::Module) -> Changed {
    let changed = each_computation(module, |new, mut comp, _| {
        if !comp.instrs.iter().any(|i| matches!(i.opcode, Opcode::While | Opcode::Iota)) {
            return (comp, false);
        }
        let changed = left_out(cx, new, &mut comp, &[]);
        (comp, changed)
    });
    changed.into()
}

/// Leaves out of a computation, and of its loops, what follows from the ranges of the elements of its parameter; whether there was
/// any.
fn left_out(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &mut Computation,
    elements: &[Option<Range>],
) -> bool {
    let known = ranges(comp, elements);
    let mut changed = loops_in(cx, new, comp, &known);
    let decided: Vec<Option<Decided>> = comp.iter().map(|(_, i)| decided(comp, i, &known)).collect();
    if decided.iter().any(Option::is_some) && cx.fuel(NAME) {
        (*comp, _) = rewrite(new.module, comp, |b, id, instr, operands| {
            Some(match decided[id.index()]? {
                Decided::Operand(n) => operands[n],
                Decided::Holds(holds) => truth(b, instr, holds)?,
            })
        });
        changed = true;
    }
    changed
}

/// Leaves out of the loops of a computation what is known in their trips; whether there was any.
fn loops_in(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &mut Computation,
    known: &[Option<Range>],
) -> bool {
    let mut changed = false;
    for n in 0..comp.instrs.len() {
        if let Some(attrs) = within(cx, new, comp, (&comp.instrs[n], known)) {
            comp.instrs[n].attrs = attrs;
            changed = true;
        }
    }
    changed
}

/// The computations of a loop without what is known in its trips.
fn within(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &Computation,
    (instr, known): (&Instruction, &[Option<Range>]),
) -> Option<Attrs> {
    let (condition, body) = parts(instr)?;
    let elements = of_state(new, comp, (instr, known))?;
    Some(Attrs::While { condition, body: without(cx, new, body, &elements)? })
}

/// The ranges that the elements of the state of a loop have while a trip runs.
fn of_state(
    new: &Rebuild<'_>,
    comp: &Computation,
    (instr, known): (&Instruction, &[Option<Range>]),
) -> Option<Vec<Option<Range>>> {
    let (_, body) = parts(instr)?;
    let state = comp.operand(instr, 0);
    let counter = counter_of(new.module, instr, |id| &comp[id]);
    let next = next_values(new.module, body)?;
    let body = &new.module[body];
    let range = |(n, &init): (usize, &InstrId)| {
        let (lo, hi) = known[init.index()]?;
        if element_read(body, next[n]) == Some(n) {
            return Some((lo, hi));
        }
        let Counter { trips, .. } = counter.as_ref().filter(|c| c.trips > 0)?;
        let way = step(body, n)?.checked_mul(i128::from(*trips) - 1)?;
        let range = (lo + way.min(0), hi + way.max(0));
        let dtype = comp[init].shape.as_array()?.dtype;
        (fits(range.0, dtype) && fits(range.1, dtype)).then_some(range)
    };
    (state.opcode == Opcode::Tuple).then(|| state.operands.iter().enumerate().map(range).collect())
}

/// A body, and the loops in it, without what follows from the ranges of the state; `None` if nothing does.
fn without(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    body: CompId,
    elements: &[Option<Range>],
) -> Option<CompId> {
    let mut comp = new.module[body].clone();
    left_out(cx, new, &mut comp, elements).then(|| new.add(comp))
}

fn truth(b: &mut Builder<'_>, instr: &Instruction, holds: bool) -> Option<InstrId> {
    Some(make::splat(b, instr.shape.as_array()?, holds.into()))
}

/// What an instruction gives for all values in the ranges of its operands.
#[derive(Clone, Copy)]
enum Decided {
    Operand(usize),
    Holds(bool),
}

fn decided(comp: &Computation, instr: &Instruction, known: &[Option<Range>]) -> Option<Decided> {
    let range = |n: usize| known[instr.operands.get(n)?.index()];
    let same_shape = |n: usize| comp.operand(instr, n).shape == instr.shape;
    match (&instr.attrs, instr.opcode) {
        (Attrs::Compare { direction, .. }, _) => {
            compared(*direction, range(0)?, range(1)?).map(Decided::Holds)
        }
        (_, Opcode::Maximum | Opcode::Minimum) => {
            let (x, y) = (range(0)?, range(1)?);
            let (greater, less) = if instr.opcode == Opcode::Maximum { (0, 1) } else { (1, 0) };
            match () {
                () if x.0 >= y.1 => Some(Decided::Operand(greater)),
                () if y.0 >= x.1 => Some(Decided::Operand(less)),
                () => None,
            }
        }
        (_, Opcode::Clamp) => {
            let (lo, x, hi) = (range(0)?, range(1)?, range(2)?);
            (x.0 >= lo.1 && x.1 <= hi.0).then_some(Decided::Operand(1))
        }
        (_, Opcode::Remainder) => {
            let (x, by) = (range(0)?, range(1)?);
            (x.0 >= 0 && x.1 < by.0).then_some(Decided::Operand(0))
        }
        (_, Opcode::And) if is_lowered(comp, instr, known) => Some(Decided::Holds(false)),
        (_, Opcode::Abs) => range(0).filter(|x| x.0 >= 0).map(|_| Decided::Operand(0)),
        _ => None,
    }
    .filter(|d| !matches!(d, Decided::Operand(n) if !same_shape(*n)))
}

/// Whether a condition says of a quotient that it has to be rounded down, `sign(x) ≠ 1 and x rem d ≠ 0`, where `x` is never negative:
/// of 0, the only one whose sign is not 1, nothing remains.
fn is_lowered(comp: &Computation, and: &Instruction, known: &[Option<Range>]) -> bool {
    let unequal = |n: usize, opcode: Opcode| {
        let compare = comp.operand(and, n);
        let is_unequal = matches!(compare.attrs, Attrs::Compare { direction: Direction::Ne, .. });
        let of =
            compare.operands.iter().map(|&o| &comp[o]).find(|o| o.opcode == opcode).filter(|_| is_unequal)?;
        let other = compare.operands.iter().find(|&&o| comp[o].opcode != opcode)?;
        Some((of.operands[0], known[other.index()]?))
    };
    let [Some((x, (1, 1))), Some((y, (0, 0)))] = (match unequal(0, Opcode::Sign) {
        Some(sign) => [Some(sign), unequal(1, Opcode::Remainder)],
        None => [unequal(1, Opcode::Sign), unequal(0, Opcode::Remainder)],
    }) else {
        return false;
    };
    x == y && known[x.index()].is_some_and(|range| range.0 >= 0)
}

/// Whether a comparison holds for all of both ranges, or for none.
fn compared(direction: Direction, x: Range, y: Range) -> Option<bool> {
    let less = |x: Range, y: Range| match () {
        () if x.1 < y.0 => Some(true),
        () if x.0 >= y.1 => Some(false),
        () => None,
    };
    let equal = match () {
        () if x.0 == x.1 && x == y => Some(true),
        () if x.1 < y.0 || y.1 < x.0 => Some(false),
        () => None,
    };
    match direction {
        Direction::Lt => less(x, y),
        Direction::Gt => less(y, x),
        Direction::Ge => less(x, y).map(|l| !l),
        Direction::Le => less(y, x).map(|l| !l),
        Direction::Eq => equal,
        Direction::Ne => equal.map(|e| !e),
    }
}

/// The range of each instruction of a computation, where those of the elements of its parameter are known.
fn ranges(comp: &Computation, elements: &[Option<Range>]) -> Vec<Option<Range>> {
    let mut known: Vec<Option<Range>> = Vec::with_capacity(comp.instrs.len());
    for (id, instr) in comp.iter() {
        let range = match element_read(comp, id) {
            Some(n) => elements.get(n).copied().flatten(),
            None => range_of(comp, (id, instr), &known),
        };
        let dtype = instr.shape.as_array().map(|a| a.dtype);
        let fits = |&(lo, hi): &Range| dtype.is_some_and(|d| fits(lo, d) && fits(hi, d));
        known.push(range.filter(fits));
    }
    known
}

fn range_of(
    comp: &Computation,
    (id, instr): (InstrId, &Instruction),
    known: &[Option<Range>],
) -> Option<Range> {
    let of = |n: usize| known[instr.operands.get(n)?.index()];
    let among = |all: [i128; 4]| Some((*all.iter().min()?, *all.iter().max()?));
    match instr.opcode {
        Opcode::Constant => splat(comp, id).map(|n| (n, n)),
        Opcode::Iota => match instr.attrs {
            Attrs::Iota(dim) => Some((0, i128::from(instr.shape.as_array()?.dims[dim].max(1)) - 1)),
            _ => None,
        },
        Opcode::Broadcast | Opcode::Reshape | Opcode::Transpose | Opcode::Copy | Opcode::Slice => of(0),
        Opcode::Reverse | Opcode::DynamicSlice | Opcode::Convert => of(0),
        Opcode::Negate => of(0).map(|x| (-x.1, -x.0)),
        Opcode::Sign => of(0).map(|x| (x.0.signum(), x.1.signum())),
        Opcode::Add => of(0).zip(of(1)).map(|(x, y)| (x.0 + y.0, x.1 + y.1)),
        Opcode::Subtract => of(0).zip(of(1)).map(|(x, y)| (x.0 - y.1, x.1 - y.0)),
        Opcode::Multiply => {
            let (x, y) = (of(0)?, of(1)?);
            let product = |a: i128, b: i128| a.checked_mul(b);
            among([product(x.0, y.0)?, product(x.0, y.1)?, product(x.1, y.0)?, product(x.1, y.1)?])
        }
        Opcode::Maximum => of(0).zip(of(1)).map(|(x, y)| (x.0.max(y.0), x.1.max(y.1))),
        Opcode::Minimum => of(0).zip(of(1)).map(|(x, y)| (x.0.min(y.0), x.1.min(y.1))),
        Opcode::Select => of(1).zip(of(2)).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1))),
        Opcode::Remainder => {
            let (x, by) = (of(0)?, of(1)?);
            (x.0 >= 0 && by.0 > 0).then(|| (0, x.1.min(by.1 - 1)))
        }
        Opcode::Divide => {
            let (x, by) = (of(0)?, of(1)?);
            (x.0 >= 0 && by.0 > 0).then(|| (x.0 / by.1, x.1 / by.0))
        }
        Opcode::And => {
            let most = [of(0), of(1)].into_iter().flatten().filter(|r| r.0 >= 0).map(|r| r.1).min();
            most.map(|most| (0, most))
        }
        _ => None,
    }
}
