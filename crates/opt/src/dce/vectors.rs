//! Decompositions whose vectors nobody reads compute values alone.
//!
//! ```text
//! e = (f32[8,8], f32[8]) custom-call(a), custom_call_target="lawson.eigh"
//! ROOT w = f32[8] get-tuple-element(e), index=1
//! →
//! ROOT w = f32[8] custom-call(a), custom_call_target="lawson.eigh", backend_config={"lower":true,"vectors":false}
//! ```

use crate::make;
use crate::pass::PassContext;
use crate::rebuild::each_computation;
use lawson_hlo::builder::rewrite;
use lawson_hlo::linalg::Linalg;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub fn run(cx: &mut PassContext, module: &mut Module) -> bool {
    let with_vectors =
        |i: &Instruction| matches!(i.attrs, Attrs::Linalg(_)) && matches!(i.shape, Shape::Tuple(_));
    if !module.computations.iter().flat_map(|c| &c.instrs).any(with_vectors) {
        return false;
    }
    each_computation(module, |new, comp, _| {
        let users = comp.users();
        let fewer: Vec<Option<Fewer>> = comp.iter().map(|(id, _)| fewer(cx, &comp, &users, id)).collect();
        if fewer.iter().all(Option::is_none) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, id, instr, operands| {
            if let Some(Fewer { how, .. }) = &fewer[id.index()] {
                return Some(b.add(Opcode::Linalg, operands, Attrs::Linalg(*how)));
            }
            let Fewer { kept, .. } = fewer[instr.operands.first()?.index()].as_ref()?;
            let Attrs::TupleIndex(n) = instr.attrs else { return None };
            let place = kept.iter().position(|&k| k == n)?;
            Some(if kept.len() == 1 { operands[0] } else { make::element(b, operands[0], place) })
        })
    })
}

/// A decomposition with fewer results.
struct Fewer {
    how: Linalg,
    /// Which of the results there were.
    kept: Vec<usize>,
}

fn fewer(cx: &mut PassContext, comp: &Computation, users: &[Vec<InstrId>], id: InstrId) -> Option<Fewer> {
    let instr = &comp[id];
    let (Attrs::Linalg(how), Shape::Tuple(results)) = (&instr.attrs, &instr.shape) else { return None };
    if comp.root == id {
        return None;
    }
    let mut read = vec![false; results.len()];
    for user in &users[id.index()] {
        let Attrs::TupleIndex(n) = comp[*user].attrs else { return None };
        read[n] = true;
    }
    let (how, kept) = needed(*how, &read)?;
    cx.fuel("dce").then_some(Fewer { how, kept })
}

/// The routine that makes only what is read, and which results those are; `None` where all of them are needed.
fn needed(how: Linalg, read: &[bool]) -> Option<(Linalg, Vec<usize>)> {
    let no_vectors = |vectors: std::ops::Range<usize>| !read[vectors].contains(&true);
    match how {
        Linalg::Eigh { vectors: true, lower } if no_vectors(0..1) => {
            Some((Linalg::Eigh { vectors: false, lower }, vec![1]))
        }
        Linalg::Svd { vectors: true, full } if no_vectors(1..3) => {
            Some((Linalg::Svd { vectors: false, full }, vec![0]))
        }
        Linalg::Schur { vectors: true } if no_vectors(1..2) => {
            Some((Linalg::Schur { vectors: false }, vec![0]))
        }
        Linalg::Eig { left, right } => {
            // A real matrix has real and imaginary parts of everything.
            let sides = left as usize + right as usize;
            let parts = read.len() / (1 + sides);
            let of_right = parts * (1 + left as usize);
            let keeps_left = left && !no_vectors(parts..2 * parts);
            let keeps_right = right && !no_vectors(of_right..of_right + parts);
            let kept = (0..read.len()).filter(|&n| match n / parts {
                0 => true,
                1 if left => keeps_left,
                _ => keeps_right,
            });
            let fewer = keeps_left != left || keeps_right != right;
            fewer.then(|| (Linalg::Eig { left: keeps_left, right: keeps_right }, kept.collect()))
        }
        _ => None,
    }
}
