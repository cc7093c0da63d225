//! How often a loop runs, where the text says so.
//!
//! ```text
//! condition: compare(i, limit), direction=LT     body: i + step     at the start: i = init
//! ```
//!
//! `init`, `step` and `limit` are integer constants, also such that the loop's state carries unchanged.

use super::flat::{self, Flat};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode};

/// A loop that counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trips {
    /// The leaf of the state that counts, and its type.
    pub counter: usize,
    pub shape: ArrayShape,
    pub init: i64,
    pub step: i64,
    pub count: i64,
}

impl Trips {
    /// Whether the counter is the number of the trip.
    pub fn counts_trips(&self) -> bool {
        self.init == 0 && self.step == 1
    }
}

/// The trips of a loop over these leaves; `known` says what those are at the start, of which that is known.
pub(super) fn count(condition: &Flat, body: &Flat, known: &dyn Fn(usize) -> Option<i64>) -> Option<Trips> {
    let test = &condition.comp[condition.results[0]];
    let Attrs::Compare { direction, .. } = test.attrs else { return None };
    let leaf = |id: InstrId| match condition.comp[id].attrs {
        Attrs::Parameter(n) => Some(n),
        _ => None,
    };
    let constant = |n: usize| if is_invariant(body, n) { known(n) } else { None };
    let limit = |id: InstrId| flat::integer_in(&|id| &condition.comp[id], id, &constant);
    let [a, b] = test.operands[..] else { return None };
    let (counter, limit, direction) = match (leaf(a), limit(b), leaf(b), limit(a)) {
        (Some(counter), Some(limit), _, _) => (counter, limit, direction),
        (_, _, Some(counter), Some(limit)) => (counter, limit, mirrored(direction)),
        _ => return None,
    };
    let shape = condition.comp[if leaf(a) == Some(counter) { a } else { b }].shape.as_array()?.clone();
    let init = known(counter)?;
    let next = &body.comp[body.results[counter]];
    let is_counter = |id: InstrId| body.comp[id].attrs == Attrs::Parameter(counter);
    let by = |id: InstrId| flat::integer_in(&|id| &body.comp[id], id, &constant);
    let step = match (next.opcode, &next.operands[..]) {
        (Opcode::Add, &[a, b]) if is_counter(a) => by(b)?,
        (Opcode::Add, &[a, b]) if is_counter(b) => by(a)?,
        (Opcode::Subtract, &[a, b]) if is_counter(a) => by(b)?.checked_neg()?,
        _ => return None,
    };
    let count = trips(init, step, limit, direction)?;
    // The counter must not wrap around on its way.
    let last = step.checked_mul(count).and_then(|way| way.checked_add(init))?;
    (flat::fits(&shape, last)).then_some(Trips { counter, shape, init, step, count })
}

/// Whether a body passes a leaf of the state on.
pub(super) fn is_invariant(body: &Flat, leaf: usize) -> bool {
    body.comp[body.results[leaf]].attrs == Attrs::Parameter(leaf)
}

fn mirrored(direction: Direction) -> Direction {
    match direction {
        Direction::Lt => Direction::Gt,
        Direction::Le => Direction::Ge,
        Direction::Gt => Direction::Lt,
        Direction::Ge => Direction::Le,
        same => same,
    }
}

/// The number of trips until `init + n · step` is no more in that relation to `limit`.
fn trips(init: i64, step: i64, limit: i64, direction: Direction) -> Option<i64> {
    let (init, step, limit) = (i128::from(init), i128::from(step), i128::from(limit));
    let up = |way: i128, step: i128| match (way <= 0, step > 0) {
        (true, _) => Some(0),
        (false, true) => Some((way + step - 1) / step),
        (false, false) => None,
    };
    let count = match direction {
        Direction::Lt => up(limit - init, step)?,
        Direction::Le => up(limit - init + 1, step)?,
        Direction::Gt => up(init - limit, -step)?,
        Direction::Ge => up(init - limit + 1, -step)?,
        Direction::Ne if init == limit => 0,
        Direction::Ne if step != 0 && (limit - init) % step == 0 && (limit - init) / step > 0 => {
            (limit - init) / step
        }
        Direction::Eq if init != limit => 0,
        Direction::Eq if step != 0 => 1,
        _ => return None,
    };
    i64::try_from(count).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trips_are_those_of_the_loop() {
        use Direction::*;
        for direction in [Lt, Le, Gt, Ge, Ne, Eq] {
            for (init, step, limit) in
                [(0, 1, 5), (0, 2, 5), (3, -1, 0), (5, -2, -1), (4, 1, 4), (0, -1, 3), (6, 1, 4), (1, 0, 0)]
            {
                let holds = |i: i64| match direction {
                    Lt => i < limit,
                    Le => i <= limit,
                    Gt => i > limit,
                    Ge => i >= limit,
                    Ne => i != limit,
                    Eq => i == limit,
                };
                let mut i = init;
                let run = (0..100).find(|_| {
                    let done = !holds(i);
                    i += step;
                    done
                });
                assert_eq!(trips(init, step, limit, direction), run, "{init} {step} {limit} {direction:?}");
            }
        }
    }
}
