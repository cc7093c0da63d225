//! Sorts of which only the first elements of each row are used become `topk`, which need not sort the rest.
//!
//! ```text
//! i = s32[4,80] iota(), iota_dimension=1
//! s = (f32[4,80], s32[4,80]) sort(x, i), dimensions={1}, to_apply=greater     t = (f32[4,2], s32[4,2]) topk(x), k=2
//! j = s32[4,80] get-tuple-element(s), index=1                              →  ROOT r = s32[4,2] get-tuple-element(t), index=1
//! ROOT r = s32[4,2] slice(j), slice={[0:4], [0:2]}
//! ```
//!
//! The comparator must be that of `topk`: of the numbers alone, floats in total order. More than half of a row is sorted.

use crate::make;
use crate::pass::PassContext;
use crate::rebuild::each_computation;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::builder::rewrite;
use lawson_hlo::{ArrayShape, Attrs, Computation, DType, InstrId, Module, Opcode, Shape};

pub fn run(cx: &mut PassContext, module: &mut Module) -> bool {
    if !module.computations.iter().flat_map(|c| &c.instrs).any(|i| i.opcode == Opcode::Sort) {
        return false;
    }
    each_computation(module, |new, comp, _| {
        let users = comp.users();
        let firsts = comp.iter().map(|(id, _)| {
            let found = first_elements(new.module, &comp, &users, id);
            found.filter(|_| cx.fuel("dce"))
        });
        let firsts: Vec<Option<First>> = firsts.collect();
        if firsts.iter().all(Option::is_none) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, id, instr, operands| {
            if let Some(first) = firsts[id.index()] {
                let attrs = Attrs::TopK { k: first.k, largest: first.largest };
                let both = b.add(Opcode::TopK, &operands[..1], attrs);
                return Some(if instr.operands.len() == 1 { make::element(b, both, 0) } else { both });
            }
            // What was the whole of a sorted array has its first elements now.
            let of = |id: InstrId| firsts[id.index()].is_some();
            let source = *instr.operands.first()?;
            match instr.attrs {
                Attrs::TupleIndex(n) if of(source) => Some(make::element(b, operands[0], n)),
                Attrs::Slice(_) if comp[source].opcode == Opcode::Sort && of(source) => Some(operands[0]),
                Attrs::Slice(_)
                    if comp[source].opcode == Opcode::GetTupleElement && of(comp[source].operands[0]) =>
                {
                    Some(operands[0])
                }
                _ => None,
            }
        })
    })
}

#[derive(Clone, Copy)]
struct First {
    k: i64,
    largest: bool,
}

fn first_elements(module: &Module, comp: &Computation, users: &[Vec<InstrId>], id: InstrId) -> Option<First> {
    let sort = &comp[id];
    let Attrs::Sort { dim, to_apply, .. } = sort.attrs else { return None };
    let dims = &comp.operand(sort, 0).shape.as_array()?.dims;
    let row = *dims.last()?;
    let numbered = match sort.operands.len() {
        1 => true,
        2 => {
            let places = comp.operand(sort, 1);
            let counted = Shape::Array(ArrayShape::new(DType::S32, dims.clone()));
            places.attrs == Attrs::Iota(dim) && places.shape == counted
        }
        _ => false,
    };
    if dim + 1 != dims.len() || !numbered || comp.root == id {
        return None;
    }
    let mut slices = Vec::new();
    for &user in &users[id.index()] {
        match comp[user].attrs {
            Attrs::TupleIndex(_) if comp.root != user => slices.extend(&users[user.index()]),
            Attrs::TupleIndex(_) => return None,
            _ => slices.push(user),
        }
    }
    let mut k = None;
    for slice in slices {
        let Attrs::Slice(bounds) = &comp[slice].attrs else { return None };
        let whole =
            bounds.iter().zip(dims).take(dim).all(|(s, &n)| (s.start, s.limit, s.stride) == (0, n, 1));
        let first = bounds.last().filter(|s| whole && s.start == 0 && s.stride == 1)?;
        if *k.get_or_insert(first.limit) != first.limit {
            return None;
        }
    }
    let k = k.filter(|&k| k >= 1 && k <= row / 2)?;
    let largest = largest_first(&module[to_apply])?;
    Some(First { k, largest })
}

/// Whether a comparator is that of `topk`, and which elements it puts first.
fn largest_first(comparator: &Computation) -> Option<bool> {
    let root = comparator.root();
    let Attrs::Compare { direction, order } = root.attrs else { return None };
    let number = |n: usize| match comparator.operand(root, n).attrs {
        Attrs::Parameter(p) => Some(p),
        _ => None,
    };
    let dtype = comparator.operand(root, 0).shape.as_array()?.dtype;
    let is_total = dtype.is_integer() || dtype.is_float() && order == CompareOrder::TotalOrder;
    match (number(0)?, number(1)?, direction) {
        (0, 1, Direction::Gt) | (1, 0, Direction::Lt) if is_total => Some(true),
        (0, 1, Direction::Lt) | (1, 0, Direction::Gt) if is_total => Some(false),
        _ => None,
    }
}
