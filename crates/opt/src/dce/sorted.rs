//! Shrinks sorts of several arrays: one whose sorted form nobody uses, and that the order does not depend on, is no
//! longer sorted.
//!
//! ```text
//! s = (f32[8], s32[8]) sort(x, i), to_apply=less          s = f32[8] sort(x), to_apply=less.1
//! ROOT r = f32[8] get-tuple-element(s), index=0      →    ROOT r = f32[8] …
//! ```

use crate::make;
use crate::pass::PassContext;
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub fn run(cx: &mut PassContext, module: &mut Module) -> bool {
    let several = |i: &Instruction| i.opcode == Opcode::Sort && i.operands.len() > 1;
    if !module.computations.iter().flat_map(|c| &c.instrs).any(several) {
        return false;
    }
    each_computation(module, |new, comp, _| {
        if !comp.instrs.iter().any(several) {
            return (comp, false);
        }
        let users = comp.users();
        let smaller: Vec<Option<Smaller>> =
            comp.iter().map(|(id, _)| shrink(cx, new, &comp, &users, id)).collect();
        if smaller.iter().all(Option::is_none) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, id, instr, operands| {
            if let Some(s) = &smaller[id.index()] {
                return Some(sort(b, instr, operands, s));
            }
            let s = smaller[instr.operands.first()?.index()].as_ref()?;
            let Attrs::TupleIndex(n) = instr.attrs else { return None };
            let place = s.kept.iter().position(|&k| k == n)?;
            Some(if s.kept.len() == 1 { operands[0] } else { make::element(b, operands[0], place) })
        })
    })
}

/// A sort of fewer arrays.
struct Smaller {
    /// The operands that are left.
    kept: Vec<usize>,
    comparator: CompId,
}

fn shrink(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &Computation,
    users: &[Vec<InstrId>],
    id: InstrId,
) -> Option<Smaller> {
    let instr = &comp[id];
    let Attrs::Sort { to_apply, .. } = instr.attrs else { return None };
    let count = instr.operands.len();
    if count < 2 || comp.root == id {
        return None;
    }
    let comparator = &new.module[to_apply];
    let mut needed = vec![false; count];
    for user in &users[id.index()] {
        let Attrs::TupleIndex(n) = comp[*user].attrs else { return None };
        needed[n] = true;
    }
    let read = comparator.users();
    for (p, parameter) in comparator.parameters().into_iter().enumerate() {
        needed[p / 2] |= !read[parameter.index()].is_empty() || parameter == comparator.root;
    }
    if needed.iter().all(|&n| n) || !needed.contains(&true) || !cx.fuel("dce") {
        return None;
    }
    let kept: Vec<usize> = (0..count).filter(|&n| needed[n]).collect();
    let comparator = of_kept(new.module, comparator, &kept);
    Some(Smaller { kept, comparator: new.add(comparator) })
}

/// The comparator with the parameters of the arrays that are left.
fn of_kept(module: &Module, comparator: &Computation, kept: &[usize]) -> Computation {
    let mut b = Builder::new(module);
    let mut map: Vec<Option<InstrId>> = vec![None; comparator.instrs.len()];
    for (id, instr) in comparator.iter() {
        let mut instr = instr.clone();
        if let Attrs::Parameter(p) = &mut instr.attrs {
            let Some(place) = kept.iter().position(|k| *k == *p / 2) else { continue };
            *p = 2 * place + *p % 2;
        }
        map[id.index()] = Some(b.clone_instr(&instr, &map));
    }
    let root = map[comparator.root.index()].expect("the root reads what is kept");
    b.finish(comparator.name.clone(), root)
}

fn sort(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], s: &Smaller) -> InstrId {
    let Attrs::Sort { dim, is_stable, .. } = instr.attrs else { unreachable!("only sorts shrink") };
    let operands: Vec<InstrId> = s.kept.iter().map(|&n| operands[n]).collect();
    let shapes: Vec<Shape> = operands.iter().map(|&o| b.shape(o).clone()).collect();
    let shape = if shapes.len() == 1 { shapes[0].clone() } else { Shape::Tuple(shapes) };
    b.add_shaped(Opcode::Sort, shape, &operands, Attrs::Sort { dim, is_stable, to_apply: s.comparator })
}
