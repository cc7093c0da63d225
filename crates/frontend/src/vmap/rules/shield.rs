//! Which arguments of a branch stay the same for all examples although the branch is not taken by all.
//!
//! A branch that some examples do not take may have infinite derivatives for them, so derivatives go to its arguments
//! through a `select` for each example ([`super::conditional`]), for which an argument that all examples share is
//! repeated. An array that the branch multiplies others by, or looks up rows of, is not: repeated it would turn one matrix
//! product into as many as there are examples, and its own derivative has the cotangents as factors, which are zero for the
//! examples that do not take the branch.

use super::super::paths;
use lawson_hlo::{Attrs, CompId, InstrId, Module, Opcode, Shape};

/// Of each leaf of its parameter, of that shape, whether a computation hands it to a product, a convolution or a gather.
pub(super) fn shared(module: &Module, comp: CompId, shape: &Shape) -> Vec<bool> {
    let mut found = vec![false; paths::leaf_count(shape)];
    mark(module, comp, &|_| paths::own(shape), &mut found);
    found
}

fn mark(module: &Module, comp: CompId, given: &dyn Fn(usize) -> Vec<Option<usize>>, found: &mut [bool]) {
    use Opcode::*;
    let comp = &module[comp];
    let values = paths::of(comp, given, |i| matches!(i.opcode, Reshape | Transpose | Convert | Copy));
    for instr in &comp.instrs {
        let of = |n: usize| {
            let operand: InstrId = instr.operands[n];
            values[operand.index()].clone()
        };
        let mut hand = |n: usize| of(n).into_iter().flatten().for_each(|leaf| found[leaf] = true);
        match (instr.opcode, &instr.attrs) {
            (Dot | Convolution, _) => (0..2).for_each(hand),
            (Gather | DynamicSlice, _) => hand(0),
            (Call, Attrs::Call { to_apply, .. }) => mark(module, *to_apply, &of, found),
            (While, Attrs::While { body, .. }) => mark(module, *body, &of, found),
            (Conditional, Attrs::Conditional { branches, .. }) => {
                for (i, branch) in branches.iter().enumerate() {
                    mark(module, *branch, &|n| of(n + i + 1), found);
                }
            }
            _ => {}
        }
    }
}
