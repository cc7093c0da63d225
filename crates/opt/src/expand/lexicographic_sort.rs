//! A sort by several arrays, of which each decides where those before it are equal, becomes a sort by each of them, the last first.
//!
//! ```text
//! s = (s32[n], s32[n], s32[n]) sort(x, y, i)     x₁ < x₂, or x₁ = x₂ and y₁ < y₂
//! →
//! t = (s32[n], s32[n], s32[n]) sort(x, y, i)     y₁ < y₂
//! s = (s32[n], s32[n], s32[n]) sort(t₀, t₁, t₂)  x₁ < x₂
//! ```
//!
//! Sorts keep elements that are equal in the order they came in, so the results are the same. Kernels sort by one number of at
//! most 32 bits in vectors, by any other comparator one element after the other. Graphics processors sort in one way alone.

use super::{Expander, Purpose};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};
use rustc_hash::FxHashSet;

pub const EXPANDER: Expander =
    Expander { name: "lexicographic-sort", purpose: Purpose::FormOnProcessors, applies, helpers, expand };

fn applies(module: &Module, _: &Computation, instr: &Instruction) -> bool {
    let Attrs::Sort { to_apply, .. } = instr.attrs else { return false };
    levels(&module[to_apply]).is_some_and(|levels| levels.len() > 1)
}

/// A comparator for each array that decides.
fn helpers(new: &mut Rebuild<'_>, _: &Computation, instr: &Instruction) -> Vec<CompId> {
    let Attrs::Sort { to_apply, .. } = instr.attrs else { unreachable!("checked by applies") };
    let comparator = &new.module[to_apply];
    let levels = levels(comparator).expect("checked by applies");
    let each = levels.into_iter().map(|root| rooted(new.module, comparator, root)).collect::<Vec<_>>();
    each.into_iter().map(|comparator| new.add(comparator)).collect()
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::Sort { dim, is_stable, .. } = instr.attrs else { unreachable!("checked by applies") };
    let mut arrays = operands.to_vec();
    let mut sorted = None;
    for &to_apply in helpers.iter().rev() {
        let attrs = Attrs::Sort { dim, is_stable, to_apply };
        let sort = b.add_shaped(Opcode::Sort, instr.shape.clone(), &arrays, attrs);
        arrays = (0..arrays.len()).map(|n| make::element(b, sort, n)).collect();
        sorted = Some(sort);
    }
    sorted.expect("there are two comparators")
}

/// The comparisons `<` or `>` of a comparator, that which decides first first; `None` of one that is no sequence of such.
fn levels(comparator: &Computation) -> Option<Vec<InstrId>> {
    let mut levels = Vec::new();
    let mut rest = comparator.root;
    loop {
        if is_strict(comparator, rest) {
            levels.push(rest);
            return Some(levels);
        }
        let (first, others) = pairs(comparator, rest, Opcode::Or)?.into_iter().find(|&(first, others)| {
            is_strict(comparator, first) && comparator[others].opcode == Opcode::And
        })?;
        let equal = |&(equal, _): &(InstrId, InstrId)| is_equality(comparator, equal, first);
        levels.push(first);
        rest = pairs(comparator, others, Opcode::And)?.into_iter().find(equal)?.1;
    }
}

/// The two operands of an operation, in both orders.
fn pairs(comp: &Computation, id: InstrId, opcode: Opcode) -> Option<[(InstrId, InstrId); 2]> {
    let instr = &comp[id];
    let [a, b] = instr.operands[..] else { return None };
    (instr.opcode == opcode).then_some([(a, b), (b, a)])
}

/// Whether this compares the same of two elements of one array, numbers of at most 32 bits in a total order, by `<` or `>`.
fn is_strict(comp: &Computation, id: InstrId) -> bool {
    let instr = &comp[id];
    let Attrs::Compare { direction: Direction::Lt | Direction::Gt, order } = instr.attrs else {
        return false;
    };
    let Some(array) = comp.operand(instr, 0).shape.as_array() else { return false };
    let is_total = array.dtype.is_integer() || array.dtype.is_float() && order == CompareOrder::TotalOrder;
    let [x, y] = [0, 1].map(|n| instr.operands[n]);
    is_total && array.dtype.bits() <= 32 && parameter(comp, x).is_some() && mirrored(comp, x, y)
}

/// Whether `id` says that what `other` compares is equal in the same order.
fn is_equality(comp: &Computation, id: InstrId, other: InstrId) -> bool {
    let (equal, strict) = (&comp[id], &comp[other]);
    let orders = |i: &Instruction| match i.attrs {
        Attrs::Compare { direction, order } => Some((direction, order)),
        _ => None,
    };
    let same = pairs(comp, id, Opcode::Compare)
        .is_some_and(|p| p.contains(&(strict.operands[0], strict.operands[1])));
    match (orders(equal), orders(strict)) {
        (Some((Direction::Eq, one)), Some((_, another))) => same && one == another,
        _ => false,
    }
}

/// The one parameter that a value depends on.
fn parameter(comp: &Computation, id: InstrId) -> Option<usize> {
    let mut found = None;
    let mut seen = vec![false; comp.instrs.len()];
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match comp[id].attrs {
            Attrs::Parameter(p) if found.is_none_or(|f| f == p) => found = Some(p),
            Attrs::Parameter(_) => return None,
            _ => open.extend(&comp[id].operands),
        }
    }
    found
}

/// Whether two values are the same but for the element that they are of.
fn mirrored(comp: &Computation, x: InstrId, y: InstrId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![(x, y)];
    while let Some((x, y)) = open.pop() {
        if !seen.insert((x, y)) {
            continue;
        }
        let (a, b) = (&comp[x], &comp[y]);
        let same = match (&a.attrs, &b.attrs) {
            (Attrs::Parameter(p), Attrs::Parameter(q)) => *p == (*q ^ 1),
            (of_a, of_b) => a.opcode == b.opcode && of_a == of_b && a.shape.same(&b.shape),
        };
        if !same || a.operands.len() != b.operands.len() {
            return false;
        }
        open.extend(a.operands.iter().copied().zip(b.operands.iter().copied()));
    }
    true
}

/// A comparator whose result is another of its values.
fn rooted(module: &Module, comparator: &Computation, root: InstrId) -> Computation {
    let mut b = Builder::new(module);
    let mut map: Vec<Option<InstrId>> = vec![None; comparator.instrs.len()];
    for (id, instr) in comparator.iter() {
        map[id.index()] = Some(b.clone_instr(instr, &map));
    }
    let root = map[root.index()].expect("each has a copy");
    b.finish(comparator.name.clone(), root)
}
