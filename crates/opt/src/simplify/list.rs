//! The numbers of a list that is computed of iotas and constants.

use super::query::{literal, splat};
use crate::loops::trips::fits;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Opcode};

/// Numbers of a list: more are not computed to see what they are.
const MOST: i64 = 1 << 16;
/// Operations that a list is computed by.
const DEPTH: u32 = 12;

/// The integers of an array of which one dimension alone has several elements.
pub fn list_values(b: &Builder<'_>, id: InstrId) -> Option<Vec<i64>> {
    let shape = b.array(id);
    let one_list = shape.dims.iter().filter(|&&n| n != 1).count() <= 1;
    (one_list && (1..=MOST).contains(&shape.elements())).then(|| values(b, id, DEPTH))?
}

fn values(b: &Builder<'_>, id: InstrId, depth: u32) -> Option<Vec<i64>> {
    let instr = b.get(id);
    let shape = instr.shape.as_array()?;
    let count = usize::try_from(shape.elements()).ok()?;
    if let Some(one) = splat(b, id) {
        return Some(vec![one.as_i128().and_then(|v| i64::try_from(v).ok())?; count]);
    }
    let below = depth.checked_sub(1)?;
    let of = |n: usize| values(b, *instr.operands.get(n)?, below);
    let both = |f: &dyn Fn(i64, i64) -> Option<i64>| {
        let (x, y) = (of(0)?, of(1)?);
        x.into_iter().zip(y).map(|(x, y)| f(x, y)).collect::<Option<Vec<i64>>>()
    };
    let found = match (&instr.attrs, instr.opcode) {
        (Attrs::Constant(_), _) => {
            let literal = literal(b, id)?;
            let at = |n: usize| literal.get(n).as_i128().and_then(|v| i64::try_from(v).ok());
            (0..count).map(at).collect::<Option<Vec<i64>>>()?
        }
        (Attrs::Iota(dim), _) if shape.dims[*dim] == shape.elements() => (0..count as i64).collect(),
        // The elements of an operand in their order, but for dimensions of one element.
        (_, Opcode::Reshape | Opcode::Broadcast | Opcode::Convert | Opcode::Copy) => {
            of(0).filter(|values| values.len() == count)?
        }
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
            let chosen = mask.into_iter().zip(x.into_iter().zip(y));
            chosen.map(|(mask, (x, y))| if mask != 0 { x } else { y }).collect()
        }
        _ => return None,
    };
    let is_truth = shape.dtype.is_pred();
    found.iter().all(|&v| is_truth || fits(v.into(), shape.dtype)).then_some(found)
}
