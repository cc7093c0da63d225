//! What integers that are computed of iotas and constants are: the numbers of a list, or where they begin and by what they go up.

use super::query::{literal, splat};
use crate::loops::trips::fits;
use crate::progressions::steps;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Opcode};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Numbers of a list: more are not computed to see what they are.
const MOST: i64 = 1 << 16;
/// Operations that a list is computed by.
const OPERATIONS: usize = 40;
/// How far up an expression is looked at.
const DEPTH: u32 = 12;

/// The integers of an array of which one dimension alone has several elements.
pub fn list_values(b: &Builder<'_>, id: InstrId) -> Option<Rc<[i64]>> {
    let shape = b.array(id);
    let one_list = shape.dims.iter().filter(|&&n| n != 1).count() <= 1;
    let mut lists = Lists { b, known: FxHashMap::default() };
    if one_list && (1..=MOST).contains(&shape.elements()) { lists.of(id) } else { None }
}

struct Lists<'l, 'b> {
    b: &'l Builder<'b>,
    /// What has been asked for.
    known: FxHashMap<InstrId, Option<Rc<[i64]>>>,
}

impl Lists<'_, '_> {
    fn of(&mut self, id: InstrId) -> Option<Rc<[i64]>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        if self.known.len() == OPERATIONS {
            return None;
        }
        // Counted before what it is computed of, so that long ones end.
        self.known.insert(id, None);
        let found = self.computed(id);
        self.known.insert(id, found.clone());
        found
    }

    fn computed(&mut self, id: InstrId) -> Option<Rc<[i64]>> {
        let instr = self.b.get(id);
        let shape = instr.shape.as_array()?;
        let count = usize::try_from(shape.elements()).ok()?;
        let number = |v: Option<i128>| v.and_then(|v| i64::try_from(v).ok());
        if let Some(one) = splat(self.b, id) {
            return Some(vec![number(one.as_i128())?; count].into());
        }
        let mut of = |n: usize| self.of(*instr.operands.get(n)?);
        let mut both = |f: &dyn Fn(i64, i64) -> Option<i64>| {
            let (x, y) = (of(0)?, of(1)?);
            x.iter().zip(y.iter()).map(|(&x, &y)| f(x, y)).collect::<Option<Rc<[i64]>>>()
        };
        let found: Rc<[i64]> = match (&instr.attrs, instr.opcode) {
            (Attrs::Constant(_), _) => {
                let literal = literal(self.b, id)?;
                (0..count).map(|n| number(literal.get(n).as_i128())).collect::<Option<_>>()?
            }
            (Attrs::Iota(dim), _) if shape.dims[*dim] == shape.elements() => (0..count as i64).collect(),
            // The elements of an operand in their order, but for dimensions of one element.
            (_, Opcode::Reshape | Opcode::Broadcast | Opcode::Copy) => {
                of(0).filter(|values| values.len() == count)?
            }
            (_, Opcode::Convert) if !shape.dtype.is_pred() => of(0)?,
            (_, Opcode::Add) => both(&|x, y| x.checked_add(y))?,
            (_, Opcode::Subtract) => both(&|x, y| x.checked_sub(y))?,
            (_, Opcode::Multiply) => both(&|x, y| x.checked_mul(y))?,
            (_, Opcode::Divide) => both(&|x, y| x.checked_div(y))?,
            (_, Opcode::Remainder) => both(&|x, y| x.checked_rem(y))?,
            (_, Opcode::Maximum) => both(&|x, y| Some(x.max(y)))?,
            (_, Opcode::Minimum) => both(&|x, y| Some(x.min(y)))?,
            (_, Opcode::And) => both(&|x, y| Some(x & y))?,
            (_, Opcode::Or) => both(&|x, y| Some(x | y))?,
            (Attrs::Compare { direction, .. }, _) => {
                let holds = |x: i64, y: i64| match direction {
                    Direction::Lt => x < y,
                    Direction::Le => x <= y,
                    Direction::Gt => x > y,
                    Direction::Ge => x >= y,
                    Direction::Eq => x == y,
                    Direction::Ne => x != y,
                };
                return both(&|x, y| Some(holds(x, y).into()));
            }
            (_, Opcode::Select) => {
                let (mask, x, y) = (of(0)?, of(1)?, of(2)?);
                (0..count)
                    .map(|n| if *mask.get(n)? != 0 { Some(x[n]) } else { Some(y[n]) })
                    .collect::<Option<_>>()?
            }
            _ => return None,
        };
        let is_truth = shape.dtype.is_pred();
        found.iter().all(|&v| is_truth || fits(v.into(), shape.dtype)).then_some(found)
    }
}

/// The first of some integers, and so much more for each position along each dimension.
pub fn linear(b: &Builder<'_>, id: InstrId) -> Option<(i64, Vec<i64>)> {
    linear_within(b, id, DEPTH)
}

fn linear_within(b: &Builder<'_>, id: InstrId, depth: u32) -> Option<(i64, Vec<i64>)> {
    let instr = b.get(id);
    let shape = instr.shape.as_array()?;
    let number = |v: Option<i128>| v.and_then(|v| i64::try_from(v).ok());
    if let Some(one) = splat(b, id) {
        return Some((number(one.as_i128())?, vec![0; shape.rank()]));
    }
    let below = depth.checked_sub(1)?;
    let of = |n: usize| linear_within(b, *instr.operands.get(n)?, below);
    let both = |sign: i64| {
        let ((x, a), (y, c)) = (of(0)?, of(1)?);
        let sums: Option<Vec<i64>> = a.iter().zip(&c).map(|(a, c)| a.checked_add(sign * c)).collect();
        Some((x.checked_add(sign * y)?, sums?))
    };
    let (first, by) = match (&instr.attrs, instr.opcode) {
        (Attrs::Constant(_), _) => {
            let literal = literal(b, id)?;
            steps(shape, &|n| number(literal.get(n).as_i128()))?
        }
        (Attrs::Iota(dim), _) => (0, (0..shape.rank()).map(|d| (d == *dim) as i64).collect()),
        (Attrs::Dims(dims), Opcode::Broadcast) => {
            let (first, own) = of(0)?;
            let mut by = vec![0; shape.rank()];
            dims.iter().zip(own).for_each(|(&d, step)| by[d] = step);
            (first, by)
        }
        (_, Opcode::Reshape) => {
            let from = b.array(instr.operands[0]);
            let (first, own) = of(0)?;
            let long = |dims: &[i64]| (0..dims.len()).filter(|&d| dims[d] != 1).collect::<Vec<usize>>();
            let (old, new) = (long(&from.dims), long(&shape.dims));
            if !old.iter().map(|&d| from.dims[d]).eq(new.iter().map(|&d| shape.dims[d])) {
                return None;
            }
            let mut by = vec![0; shape.rank()];
            old.iter().zip(&new).for_each(|(&o, &n)| by[n] = own[o]);
            (first, by)
        }
        (_, Opcode::Convert | Opcode::Copy) => of(0)?,
        (_, Opcode::Add) => both(1)?,
        (_, Opcode::Subtract) => both(-1)?,
        (_, Opcode::Multiply) => {
            let ((x, a), (y, c)) = (of(0)?, of(1)?);
            let (first, by, factor) = match (a.iter().any(|&n| n != 0), c.iter().any(|&n| n != 0)) {
                (_, false) => (x, a, y),
                (false, true) => (y, c, x),
                (true, true) => return None,
            };
            let by: Option<Vec<i64>> = by.iter().map(|step| step.checked_mul(factor)).collect();
            (first.checked_mul(factor)?, by?)
        }
        _ => return None,
    };
    let ways = || by.iter().zip(&shape.dims).map(|(&step, &n)| i128::from(step) * i128::from((n - 1).max(0)));
    let least = i128::from(first) + ways().filter(|w| *w < 0).sum::<i128>();
    let greatest = i128::from(first) + ways().filter(|w| *w > 0).sum::<i128>();
    (fits(least, shape.dtype) && fits(greatest, shape.dtype)).then_some((first, by))
}
