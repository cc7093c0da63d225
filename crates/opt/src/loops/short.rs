//! Loops of few trips become their bodies, several times.
//!
//! The rule `while-unroll` does it while a module is simplified, but for loops that time tiling may take. Of those, the ones that
//! stand in other loops are unrolled before it, since it sees what a trip of a loop does only where no loop is in it, and the
//! ones that it has left after it.

use super::trips::step;
use super::{element_read, parts, trip_count};
use crate::inline::inline_body;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::opcode::Class;
use lawson_hlo::{Computation, InstrId, Instruction, Module, Opcode};

/// Loops of at most so many trips are unrolled …
pub const MAX_TRIPS: i64 = 8;
/// … if at most so many operations come of it.
const MAX_UNROLLED: usize = 300;
/// … and if at most so many updates of it go to places that only data tell: whoever reads the array then asks of each whether it was
/// there, and a loop that stays one changes the array where it lies.
const MAX_UPDATES: i64 = 4;

/// What a short loop does, without the loop.
pub fn unrolled(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (_, body) = parts(instr)?;
    let trips = trip_count(b, instr).filter(|&n| n <= MAX_TRIPS)?;
    let body = &b.module[body];
    if trips * updates_by_data(body) > MAX_UPDATES {
        return None;
    }
    let nested = body.instrs.iter().any(|i| i.opcode == Opcode::While);
    let work = body.instrs.iter().filter(|i| computes(i.opcode)).count();
    if trips > 1 && (nested || work * trips as usize > MAX_UNROLLED) {
        return None;
    }
    let mut state = instr.operands[0];
    for _ in 0..trips {
        state = inline_body(b, body, &[state]);
    }
    Some(state)
}

/// How many updates of a trip go to places that only data tell: not the counter alone.
fn updates_by_data(body: &Computation) -> i64 {
    let is_update = |i: &&Instruction| matches!(i.opcode, Opcode::DynamicUpdateSlice | Opcode::Scatter);
    if !body.instrs.iter().any(|i| is_update(&i)) {
        return 0;
    }
    let mut data = vec![false; body.instrs.len()];
    for (id, instr) in body.iter() {
        data[id.index()] = match element_read(body, id) {
            Some(n) => step(body, n).is_none(),
            None => instr.operands.iter().any(|o| data[o.index()]),
        };
    }
    let places = |i: &Instruction| match i.opcode {
        Opcode::Scatter => i.operands.len() / 2..i.operands.len() / 2 + 1,
        _ => 2..i.operands.len(),
    };
    let by_data = |i: &&Instruction| i.operands[places(i)].iter().any(|o| data[o.index()]);
    body.instrs.iter().filter(is_update).filter(by_data).count() as i64
}

/// Whether the operation does more than name, move or spread values.
fn computes(opcode: Opcode) -> bool {
    let free = matches!(opcode, Opcode::Reshape | Opcode::Broadcast | Opcode::Slice);
    !free && !matches!(opcode.class(), Class::Structure | Class::Source)
}

/// Unrolls those that stand in loops.
pub fn in_loops(cx: &mut PassContext, module: &mut Module) -> Changed {
    let mut bodies = vec![false; module.computations.len()];
    for (_, body) in module.computations.iter().flat_map(|c| &c.instrs).filter_map(parts) {
        bodies[body.index()] = true;
    }
    run(cx, module, "short-inner-loops", |index| bodies[index])
}

/// Unrolls those that no loop of time tiling has become.
pub fn left(cx: &mut PassContext, module: &mut Module) -> Changed {
    run(cx, module, "short-loops", |_| true)
}

/// Unrolls the short loops of some computations, by their numbers.
fn run(cx: &mut PassContext, module: &mut Module, pass: &str, within: impl Fn(usize) -> bool) -> Changed {
    let mut index = 0;
    each_computation(module, |new, comp, _| {
        index += 1;
        if !within(index - 1) || !comp.instrs.iter().any(|i| i.opcode == Opcode::While) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, _, instr, operands| {
            if instr.opcode != Opcode::While {
                return None;
            }
            let start = b.len();
            let result = unrolled(b, &Instruction { operands: operands.to_vec(), ..instr.clone() })?;
            if !cx.fuel(pass) {
                b.truncate(start);
                return None;
            }
            Some(result)
        })
    })
    .into()
}
