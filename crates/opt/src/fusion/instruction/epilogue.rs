//! What can be computed where the result of a reduction or contraction is made.
//!
//! ```text
//! d = f32[128,256] dot(x, w)          the exit of the epilogue is `m`: all that is made of `d` up to there is in place,
//! t = f32[128,256] tanh(d)            and nothing but `m` leaves it
//! m = f32[128,256] multiply(d, t)
//! e = f32[128,512] dot(m, v)
//! ```

use super::draft::View;
use lawson_hlo::{InstrId, Opcode};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most operations of an epilogue that has several paths.
const MAX_OPERATIONS: usize = 256;

/// For each instruction whether it is the exit of an epilogue: elementwise operations on a hero's result, with its
/// dimensions, of which nothing else is used from outside. After a reduction they are a chain: its kernel may do with
/// less than its result in memory, where that is a function of pairs that is reduced again.
pub fn epilogues(cx: View<'_>, users: &[Vec<InstrId>]) -> Vec<bool> {
    let mut exits = vec![false; cx.comp.instrs.len()];
    for (id, instr) in cx.comp.iter() {
        if matches!(instr.opcode, Opcode::Reduce | Opcode::Dot | Opcode::Convolution) {
            follow(cx, users, id, &mut exits);
        }
    }
    exits
}

/// Marks the exits of one hero's epilogue.
fn follow(cx: View<'_>, users: &[Vec<InstrId>], hero: InstrId, exits: &mut [bool]) {
    let Some(dims) = cx.comp[hero].shape.as_array().map(|a| &a.dims) else { return };
    // Values of the epilogue, with how many of their users are not in it.
    let mut open = FxHashMap::from_iter([(hero, users[hero.index()].len())]);
    let mut next: BTreeSet<InstrId> = users[hero.index()].iter().copied().collect();
    for _ in 0..MAX_OPERATIONS {
        let Some(id) = next.pop_first() else { return };
        let instr = &cx.comp[id];
        let chain = cx.comp[hero].opcode != Opcode::Reduce || open.values().all(|&left| left == 1);
        if !chain || !instr.opcode.is_elementwise() || instr.shape.as_array().map(|a| &a.dims) != Some(dims) {
            return;
        }
        let distinct: BTreeSet<InstrId> = instr.operands.iter().copied().collect();
        for operand in distinct {
            if let Some(left) = open.get_mut(&operand) {
                *left -= 1;
                if *left == 0 {
                    open.remove(&operand);
                }
            }
        }
        if open.is_empty() {
            exits[id.index()] = true;
        }
        open.insert(id, users[id.index()].len());
        next.extend(&users[id.index()]);
    }
}
