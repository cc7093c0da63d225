//! Constants that count are computed: arrays of indices that a program has from its host language, and short ones that were folded.
//!
//! ```text
//! n = s32[4] constant({3, 11, 19, 27})            i = s32[4] iota()
//! y = f32[4] gather(x, n)                    →    n = s32[4] add(multiply(i, 8), 3)
//!                                                 y = f32[4] gather(x, n)
//! ```
//!
//! Where a kernel computes an index from its own position it knows where the next one lies, and loads what follows in line as one.
//! Constants of up to three progressions, one after the other, are chosen from: what is rolled, and edges that repeat. Those alone that
//! a gather reads at, once simplification, which folds short ones, has ended.

use crate::loops::trips::fits;
use crate::make;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::opcode::Class;
use lawson_hlo::{ArrayShape, Attrs, Computation, InstrId, Instruction, Literal, Module, Opcode};

pub const NAME: &str = "progressions";

/// Progressions that a list may consist of.
const RUNS: usize = 3;
/// Elements of a list for each of several.
const LONG: usize = 4;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    each_computation(module, |new, comp, _| {
        if !comp.instrs.iter().any(|i| i.opcode == Opcode::Gather) {
            return (comp, false);
        }
        let are_indices = indices(&comp);
        rewrite(new.module, &comp, |b, id, instr, _| {
            let literal = literal(instr).filter(|_| are_indices[id.index()])?;
            let shape = instr.shape.as_array()?;
            let known = Counted::of(literal, shape)?;
            cx.fuel(NAME).then(|| known.made(b, shape))
        })
    })
    .into()
}

fn literal(instr: &Instruction) -> Option<&Literal> {
    match &instr.attrs {
        Attrs::Constant(value) => value.as_ref()?.as_array(),
        _ => None,
    }
}

/// What the places that gathers read at are made of, element by element.
fn indices(comp: &Computation) -> Vec<bool> {
    let mut are = vec![false; comp.instrs.len()];
    for (id, instr) in comp.iter().collect::<Vec<_>>().into_iter().rev() {
        if instr.opcode == Opcode::Gather {
            are[instr.operands[1].index()] = true;
        }
        let passes = matches!(
            instr.opcode.class(),
            Class::Unary | Class::Binary | Class::Elementwise | Class::Movement
        );
        if are[id.index()] && passes && instr.opcode != Opcode::Gather {
            instr.operands.iter().for_each(|o| are[o.index()] = true);
        }
    }
    are
}

/// A progression of a list: where it ends, what it would begin with at position 0, and its step.
pub(crate) type Run = (usize, i64, i64);

/// How the elements of a constant are computed.
#[derive(PartialEq, Debug)]
enum Counted {
    /// A number, and so much more for each position along each dimension.
    Steps(i64, Vec<i64>),
    /// Progressions along one dimension.
    Runs(usize, Vec<Run>),
}

impl Counted {
    fn of(literal: &Literal, shape: &ArrayShape) -> Option<Counted> {
        let count = literal.elements();
        let along: Vec<usize> = (0..shape.rank()).filter(|&d| shape.dims[d] > 1).collect();
        let fit = shape.dims.iter().all(|&n| fits(n.into(), shape.dtype));
        if count < 2 || !fit || literal.splat_value().is_some() {
            return None;
        }
        let at = |n: usize| literal.get(n).as_i128().and_then(|v| i64::try_from(v).ok());
        let steps = steps(shape, &at).map(|(first, steps)| Counted::Steps(first, steps));
        match along[..] {
            [one] => steps.or_else(|| Some(Counted::Runs(one, runs(count, &at)?))),
            _ => steps,
        }
    }

    fn made(&self, b: &mut Builder<'_>, shape: &ArrayShape) -> InstrId {
        match self {
            Counted::Steps(first, steps) => {
                let along = steps.iter().enumerate().filter(|(_, step)| **step != 0);
                let parts: Vec<InstrId> = along.map(|(d, &step)| times(b, shape, d, step)).collect();
                let sum = parts.into_iter().reduce(|sum, part| b.binary(Opcode::Add, sum, part));
                plus(b, shape, sum, *first)
            }
            Counted::Runs(dim, runs) => {
                let run = |b: &mut Builder<'_>, (_, first, step): Run| {
                    let counted = (step != 0).then(|| times(b, shape, *dim, step));
                    plus(b, shape, counted, first)
                };
                let mut runs = runs.iter().rev();
                let last = runs.next().map(|&last| run(b, last));
                let chosen = |b: &mut Builder<'_>, later: InstrId, of: Run| {
                    let (own, end) = (make::iota(b, shape.clone(), *dim), make::splat(b, shape, of.0 as i64));
                    let is_here = make::compare(b, Direction::Lt, own, end);
                    let here = run(b, of);
                    make::select(b, is_here, here, later)
                };
                let none = || unreachable!("a constant with elements has a progression");
                runs.fold(last.unwrap_or_else(none), |later, &of| chosen(b, later, of))
            }
        }
    }
}

/// The first number of an array, and so much more for each position along each dimension.
pub(crate) fn steps(shape: &ArrayShape, at: &dyn Fn(usize) -> Option<i64>) -> Option<(i64, Vec<i64>)> {
    let first = at(0)?;
    let mut steps = vec![0; shape.rank()];
    let mut apart = 1;
    for d in (0..shape.rank()).rev() {
        if shape.dims[d] > 1 {
            steps[d] = at(apart)?.checked_sub(first)?;
        }
        apart *= shape.dims[d] as usize;
    }
    let value = |mut n: usize| {
        let mut sum = first;
        for d in (0..shape.rank()).rev() {
            let extent = shape.dims[d] as usize;
            sum = sum.checked_add(steps[d].checked_mul((n % extent) as i64)?)?;
            n /= extent;
        }
        Some(sum)
    };
    (0..apart).all(|n| at(n) == value(n)).then_some((first, steps))
}

/// The few progressions that a list consists of.
pub(crate) fn runs(count: usize, at: &dyn Fn(usize) -> Option<i64>) -> Option<Vec<Run>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < count {
        if runs.len() == RUNS {
            return None;
        }
        let first = at(start)?;
        let step = if start + 1 < count { at(start + 1)?.checked_sub(first)? } else { 0 };
        let value = |n: usize| first.checked_add(step.checked_mul((n - start) as i64)?);
        // Two elements are always a progression: the second may be the first of a longer one.
        let (step, end) = match (start..count).find(|&n| at(n) != value(n)) {
            Some(end) if end == start + 2 => (0, start + 1),
            end => (step, end.unwrap_or(count)),
        };
        runs.push((end, first.checked_sub(step.checked_mul(start as i64)?)?, step));
        start = end;
    }
    (count >= LONG * runs.len()).then_some(runs)
}

fn times(b: &mut Builder<'_>, shape: &ArrayShape, dim: usize, step: i64) -> InstrId {
    let own = make::iota(b, shape.clone(), dim);
    match step {
        1 => own,
        _ => {
            let step = make::splat(b, shape, step);
            b.binary(Opcode::Multiply, own, step)
        }
    }
}

fn plus(b: &mut Builder<'_>, shape: &ArrayShape, sum: Option<InstrId>, more: i64) -> InstrId {
    match sum {
        Some(sum) if more == 0 => sum,
        Some(sum) => {
            let more = make::splat(b, shape, more);
            b.binary(Opcode::Add, sum, more)
        }
        None => make::splat(b, shape, more),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::DType;

    fn counted(dims: &[i64], values: &[i32]) -> Option<Counted> {
        let shape = ArrayShape::new(DType::S32, dims.to_vec());
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Counted::of(&Literal::new(shape.clone(), bytes), &shape)
    }

    #[test]
    fn steps_and_runs_are_found() {
        assert_eq!(counted(&[4], &[3, 11, 19, 27]), Some(Counted::Steps(3, vec![8])));
        assert_eq!(counted(&[2, 1, 3], &[5, 4, 3, 15, 14, 13]), Some(Counted::Steps(5, vec![10, 0, -1])));
        let rolled: Vec<i32> = (0..16).map(|n| (n + 15) % 16).collect();
        assert_eq!(counted(&[16, 1], &rolled), Some(Counted::Runs(0, vec![(1, 15, 0), (16, -1, 1)])));
        let edges: Vec<i32> = (0..20).map(|n| (n - 3).clamp(0, 12)).collect();
        let runs = vec![(4, 0, 0), (16, -3, 1), (20, 12, 0)];
        assert_eq!(counted(&[20], &edges), Some(Counted::Runs(0, runs)));
    }

    #[test]
    fn what_does_not_count_stays() {
        assert_eq!(counted(&[8], &[1, 2, 4, 8, 16, 32, 64, 128]), None);
        assert_eq!(counted(&[3], &[7, 7, 7]), None);
        assert_eq!(counted(&[1], &[7]), None);
        assert_eq!(counted(&[0], &[]), None);
        assert_eq!(counted(&[2, 2], &[0, 1, 2, 4]), None);
        assert_eq!(counted(&[6], &[0, 1, 5, 6, 2, 3]), None);
    }
}
