//! How often a loop runs, where the text says it all: a counter that starts at a constant, takes constant
//! steps, and is compared with a constant.

use super::{element_read, parts};
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::{DType, TypeKind};
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Value};

/// The number of trips of a `while` with a tuple state.
pub fn trip_count(b: &Builder<'_>, instr: &Instruction) -> Option<i64> {
    trips_of(b.module, instr, |id| b.get(id))
}

/// The same, where `get` knows the instructions of the computation that the loop stands in.
pub fn trips_of<'i>(
    module: &Module,
    instr: &Instruction,
    get: impl Fn(InstrId) -> &'i Instruction,
) -> Option<i64> {
    counter_of(module, instr, get).map(|c| c.trips)
}

/// The element of a loop's state that counts its trips, and what it counts.
#[derive(Clone, Copy)]
pub struct Counter {
    pub element: usize,
    pub start: i128,
    pub step: i128,
    pub trips: i64,
}

impl Counter {
    /// What it counts in a trip.
    pub fn at(&self, trip: i64) -> i128 {
        self.start + i128::from(trip) * self.step
    }
}

/// The counter of a `while` with a tuple state.
pub fn counter_of<'i>(
    module: &Module,
    instr: &Instruction,
    get: impl Fn(InstrId) -> &'i Instruction,
) -> Option<Counter> {
    let (condition, body) = parts(instr)?;
    let (counter, direction, bound) = bound(&module[condition])?;
    let step = step(&module[body], counter)?;
    let init = get(instr.operands[0]);
    let start = match init.opcode {
        Opcode::Tuple => constant(get(init.operands[counter]))?,
        _ => return None,
    };
    let trips = trips(start, step, direction, bound)?;
    // A counter that wraps around goes on.
    let dtype = init.shape_of_element(counter)?;
    let last = start + trips * step;
    let trips = i64::try_from(trips).ok()?;
    fits(last, dtype).then_some(Counter { element: counter, start, step, trips })
}

trait ElementShape {
    fn shape_of_element(&self, index: usize) -> Option<DType>;
}

impl ElementShape for Instruction {
    fn shape_of_element(&self, index: usize) -> Option<DType> {
        match &self.shape {
            lawson_hlo::Shape::Tuple(parts) => Some(parts.get(index)?.as_array()?.dtype),
            _ => None,
        }
    }
}

/// `counter < bound`: the element compared, how, and the constant, with the counter on the left.
fn bound(condition: &Computation) -> Option<(usize, Direction, i128)> {
    let root = condition.root();
    let Attrs::Compare { direction, .. } = root.attrs else { return None };
    let [x, y] = root.operands[..] else { return None };
    let side = |id: InstrId| element_read(condition, id);
    match (side(x), side(y)) {
        (Some(i), None) => Some((i, direction, constant(&condition[y])?)),
        (None, Some(i)) => Some((i, swapped(direction), constant(&condition[x])?)),
        _ => None,
    }
}

fn swapped(direction: Direction) -> Direction {
    match direction {
        Direction::Lt => Direction::Gt,
        Direction::Gt => Direction::Lt,
        Direction::Le => Direction::Ge,
        Direction::Ge => Direction::Le,
        same => same,
    }
}

/// The constant that a trip adds to each element of a part of the state.
pub(crate) fn step(body: &Computation, element: usize) -> Option<i128> {
    let root = body.root();
    let next = &body[*root.operands.get(element).filter(|_| root.opcode == Opcode::Tuple)?];
    let [x, y] = next.operands[..] else { return None };
    let is_element = |id: InstrId| element_read(body, id) == Some(element);
    match next.opcode {
        Opcode::Add if is_element(x) => splat(body, y),
        Opcode::Add if is_element(y) => splat(body, x),
        Opcode::Subtract if is_element(x) => splat(body, y).map(|n| -n),
        _ => None,
    }
}

/// The integer that all elements of a constant are, or of the broadcast of one.
pub(crate) fn splat(comp: &Computation, id: InstrId) -> Option<i128> {
    let instr = &comp[id];
    match (&instr.attrs, instr.opcode) {
        (Attrs::Constant(Some(Value::Array(l))), _) if l.dtype().is_integer() => l.splat_value()?.as_i128(),
        (_, Opcode::Broadcast) => constant(comp.operand(instr, 0)),
        _ => None,
    }
}

/// The integer of a scalar constant.
pub(super) fn constant(instr: &Instruction) -> Option<i128> {
    match &instr.attrs {
        Attrs::Constant(Some(Value::Array(l))) if l.shape().is_scalar() && l.dtype().is_integer() => {
            l.get(0).as_i128()
        }
        _ => None,
    }
}

fn trips(start: i128, step: i128, direction: Direction, bound: i128) -> Option<i128> {
    let distance = match direction {
        Direction::Lt | Direction::Ne => bound - start,
        Direction::Le => bound - start + 1,
        Direction::Gt => start - bound,
        Direction::Ge => start - bound + 1,
        Direction::Eq => return (start != bound).then_some(0),
    };
    let towards = if matches!(direction, Direction::Gt | Direction::Ge) { -step } else { step };
    match direction {
        Direction::Ne if distance == 0 => Some(0),
        Direction::Ne => (step != 0 && distance % step == 0 && distance / step > 0).then(|| distance / step),
        _ if distance <= 0 => Some(0),
        _ => (towards > 0).then(|| (distance + towards - 1) / towards),
    }
}

pub(crate) fn fits(n: i128, dtype: DType) -> bool {
    match dtype.kind() {
        TypeKind::Signed(width) => i64::try_from(n).is_ok_and(|n| {
            let (least, greatest) = width.signed_range();
            (least..=greatest).contains(&n)
        }),
        TypeKind::Unsigned(width) => u64::try_from(n).is_ok_and(|n| n <= width.greatest_unsigned()),
        TypeKind::Pred | TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        use Direction::*;
        for (start, step, direction, bound, expected) in [
            (0, 1, Lt, 5, Some(5)),
            (0, 2, Lt, 5, Some(3)),
            (0, 2, Le, 4, Some(3)),
            (5, -1, Gt, 0, Some(5)),
            (5, -2, Ge, 0, Some(3)),
            (7, 1, Lt, 5, Some(0)),
            (0, -1, Lt, 5, None),
            (0, 0, Lt, 5, None),
            (0, 3, Ne, 9, Some(3)),
            (0, 2, Ne, 9, None),
            (4, 1, Eq, 5, Some(0)),
            (5, 1, Eq, 5, None),
        ] {
            assert_eq!(
                trips(start, step, direction, bound),
                expected,
                "{start} {step} {direction:?} {bound}"
            );
        }
    }

    #[test]
    fn wrapping_is_seen() {
        use DType::*;
        assert!(fits(127, S8) && !fits(128, S8) && fits(255, U8) && !fits(-1, U8));
    }
}
