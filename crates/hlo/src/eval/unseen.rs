//! Loops whose trips change nothing that is used: they need not run, and may never end, as in compiled programs.
//!
//! ```text
//! w = (s32[], f32[]) while(t), condition=always, body=b      b leaves element 1 as it is, and has no effect
//! r = f32[] get-tuple-element(w), index=1                    r is element 1 of t
//! ```

use crate::attrs::Attrs;
use crate::ids::{CompId, InstrId};
use crate::module::{Computation, Module};
use crate::opcode::Opcode;

/// Whether a loop has an effect, or something is used that its trips change.
pub fn is_seen(module: &Module, comp: &Computation, id: InstrId) -> bool {
    let Attrs::While { condition, body } = comp[id].attrs else { return true };
    if has_effect(module, condition) || has_effect(module, body) {
        return true;
    }
    let changes = |index: usize| {
        let body = &module[body];
        let root = body.root();
        let kept = root.operands.get(index).filter(|_| root.opcode == Opcode::Tuple).map(|&o| &body[o]);
        !kept.is_some_and(|x| {
            x.attrs == Attrs::TupleIndex(index) && body.operand(x, 0).opcode == Opcode::Parameter
        })
    };
    let used = |user: &crate::Instruction| match (&user.attrs, user.operands.contains(&id)) {
        (_, false) => false,
        (&Attrs::TupleIndex(index), true) => changes(index),
        (_, true) => true,
    };
    comp.root == id || comp.instrs.iter().any(used)
}

fn has_effect(module: &Module, comp: CompId) -> bool {
    let of = |called: Vec<CompId>| called.into_iter().any(|c| has_effect(module, c));
    module[comp].instrs.iter().any(|i| i.has_side_effect() || of(i.attrs.called()))
}
