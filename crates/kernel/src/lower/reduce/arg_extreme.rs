//! The greatest or least element of a chunk and its position, by blocks.
//!
//! A running value is the best element of its lane, with the number of the block that it is in: once for each block, not for
//! each element, something is done for positions. The first block that has the best of all has the first position too,
//! and it alone is read again.
//!
//! A NaN is better than any number, which costs more than all else. So floats are first taken for numbers, and added: where
//! the sum is a number, they are. Else (also where infinities of both signs were added) they are looked through again.

use super::chunk::{Chunk, Length, choose_first, left, part, point_at};
use super::reduction::{RUNNING, Reduction};
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::scalar;
use crate::refusal::Refusal;
use crate::region::ArgExtreme;
use lawson_hlo::Opcode;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::identity::identity;

pub(super) fn chunk<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    from: Chunk<'_, 'r>,
    len: Length,
    of: ArgExtreme,
) -> Result<Vec<V>, Refusal> {
    let size = if r.s.rolled { r.s.lanes as i64 } else { RUNNING };
    let blocks = Blocks { r, from, len, of, size, numbers: !of.dtype.is_float() };
    let best = match blocks.numbers || r.s.rolled {
        true => {
            let lanes = blocks.best_of_lanes(cx, None)?;
            blocks.best_of_all(cx, &lanes)?
        }
        false => blocks.first_as_numbers(cx)?,
    };
    let k = blocks.position(cx, &best)?;
    let mut point = point_at(cx, r, from, k, (1, None));
    r.elements(cx, &mut point)
}

struct Blocks<'a, 'r> {
    r: &'a Reduction<'r>,
    from: Chunk<'a, 'r>,
    len: Length,
    of: ArgExtreme,
    /// Elements of a block: where they are long to compute, a vector of them, whose code stands once.
    size: i64,
    /// Whether elements are taken for numbers.
    numbers: bool,
}

/// The best element, and where in the chunk the first block begins that has it.
struct Best {
    element: V,
    block: V,
}

impl<'r> Blocks<'_, 'r> {
    /// The best element, where elements are looked through again if they are not all numbers.
    fn first_as_numbers(&self, cx: &mut Emit<'r>) -> Result<Best, Refusal> {
        let numbers = Blocks { numbers: true, ..*self };
        let zero = cx.b.constant(Type::vector(scalar::reg_elem(self.of.dtype), self.r.s.lanes), 0);
        let lanes = numbers.best_of_lanes(cx, Some(zero))?;
        let [.., sum] = lanes[..] else { unreachable!("the sum is carried") };
        let others = cx.b.cmp(Cmp::FNe, sum, sum);
        let others = cx.b.any(others);
        let best = |found: Best| vec![found.element, found.block];
        let found = cx.if_else(
            others,
            |cx| {
                let lanes = self.best_of_lanes(cx, None)?;
                self.best_of_all(cx, &lanes).map(best)
            },
            |cx| numbers.best_of_all(cx, &lanes).map(best),
        )?;
        Ok(Best { element: found[0], block: found[1] })
    }

    /// The best element of each lane, and where in the chunk the first block begins in which the lane has it; then the sum of
    /// its elements and of what is given for it. Lanes without elements have one that none is worse than.
    fn best_of_lanes(&self, cx: &mut Emit<'r>, sum: Option<V>) -> Result<Vec<V>, Refusal> {
        let (dtype, lanes) = (self.of.dtype, self.r.s.lanes);
        let Some(worst) = identity(self.opcode(), dtype) else {
            return Err(Refusal::UnsupportedType { opcode: Opcode::Reduce, dtype });
        };
        let worst = scalar::constant(&mut cx.b, dtype, 1, worst);
        let worst = cx.b.widen_to(worst, lanes);
        let first = cx.b.constant(Type::vector(Elem::I32, lanes), 0);
        let inits: Vec<V> = [worst, first].into_iter().chain(sum).collect();
        let (zero, below) = (cx.b.i64(0), cx.b.i64(-self.size));
        let whole = cx.b.bin(Bin::And, self.len.now, below);
        if self.len.full < self.size {
            return self.rest(cx, &inits, zero);
        }
        let running = cx.for_loop((zero, whole, self.size), &inits, |cx, base, running| {
            let mut elements = Vec::new();
            for v in 0..self.vectors() {
                let k = self.vector_of(cx, base, v);
                elements.push(self.element_at(cx, k, None)?);
            }
            let best = by_pairs(&elements, |a, b| self.better(cx, a, b))?;
            let mut next = self.later(cx, running, best, base)?;
            if let Some(&sum) = running.get(2) {
                let new = by_pairs(&elements, |a, b| Ok(cx.b.bin(Bin::FAdd, a, b)))?;
                next.push(cx.b.bin(Bin::FAdd, sum, new));
            }
            Ok(next)
        })?;
        match self.len.is_multiple_of(self.size) {
            true => Ok(running),
            false => self.rest(cx, &running, whole),
        }
    }

    /// Running values after the last block, which is not whole.
    fn rest(&self, cx: &mut Emit<'r>, running: &[V], base: V) -> Result<Vec<V>, Refusal> {
        let (mut best, mut sum) = (running[0], running.get(2).copied());
        for v in 0..self.vectors() {
            let k = self.vector_of(cx, base, v);
            let Some(count) = left(cx, self.len.now, k) else { break };
            let next = self.element_at(cx, k, Some(count))?;
            let better = self.better(cx, best, next)?;
            best = choose_first(cx, Some(count), &[better], &[best])[0];
            if let Some(sum) = &mut sum {
                let new = cx.b.bin(Bin::FAdd, *sum, next);
                *sum = choose_first(cx, Some(count), &[new], &[*sum])[0];
            }
        }
        let mut next = self.later(cx, running, best, base)?;
        next.extend(sum);
        Ok(next)
    }

    /// The best elements and their blocks after those of a later block, which begins there.
    fn later(&self, cx: &mut Emit<'r>, running: &[V], best: V, base: V) -> Result<Vec<V>, Refusal> {
        let kept = self.keeps(cx, running[0], best)?;
        let base = cx.b.cast(Cast::Trunc, base, Elem::I32);
        let base = cx.b.widen_to(base, self.r.s.lanes);
        let element = match self.numbers {
            true => self.better(cx, running[0], best)?,
            false => cx.b.select(kept, running[0], best),
        };
        Ok(vec![element, cx.b.select(kept, running[1], base)])
    }

    /// The best of all lanes, and the first of their blocks that has it.
    fn best_of_all(&self, cx: &mut Emit<'r>, running: &[V]) -> Result<Best, Refusal> {
        let (lanes, first) = (running[0], running[1]);
        let element = halved(cx, lanes, |cx, a, b| self.better(cx, a, b))?;
        if self.len.full <= self.size {
            return Ok(Best { element, block: cx.b.i64(0) });
        }
        let is_best = self.is_best(cx, lanes, element)?;
        let beyond = cx.b.constant(cx.b.ty_of(first), i32::MAX as u64);
        let first = cx.b.select(is_best, first, beyond);
        let block = halved(cx, first, |cx, a, b| Ok(cx.b.bin(Bin::SMin, a, b)))?;
        Ok(Best { element, block: cx.b.cast(Cast::Sext, block, Elem::I64) })
    }

    /// The first position in the chunk of the best element.
    fn position(&self, cx: &mut Emit<'r>, best: &Best) -> Result<V, Refusal> {
        let lanes = self.r.s.lanes;
        let mut found = best.block;
        for v in (0..self.vectors()).rev() {
            let k = self.vector_of(cx, best.block, v);
            let count = (!self.len.is_multiple_of(self.size)).then(|| cx.b.sub(self.len.now, k));
            let elements = self.element_at(cx, k, count)?;
            let mut is_best = self.is_best(cx, elements, best.element)?;
            if let Some(count) = count {
                let none = cx.b.constant(Type::vector(Elem::I1, lanes), 0);
                is_best = choose_first(cx, Some(count), &[is_best], &[none])[0];
            }
            let (any, at) = match lanes {
                1 => (is_best, cx.b.i64(0)),
                _ => (cx.b.any(is_best), cx.b.op(Op::First(is_best))),
            };
            let here = cx.b.add(k, at);
            found = cx.b.select(any, here, found);
        }
        Ok(found)
    }

    fn vectors(&self) -> i64 {
        let lanes = self.r.s.lanes as i64;
        (self.size.min(self.len.full) + lanes - 1) / lanes
    }

    /// Where vector `v` of a block begins.
    fn vector_of(&self, cx: &mut Emit<'r>, base: V, v: i64) -> V {
        let offset = cx.b.i64(v * self.r.s.lanes as i64);
        cx.b.add(base, offset)
    }

    /// A vector of elements, without their positions.
    fn element_at(&self, cx: &mut Emit<'r>, k: V, count: Option<V>) -> Result<V, Refusal> {
        let mut point = point_at(cx, self.r, self.from, k, (self.r.s.lanes, count));
        cx.vector(&mut point, self.r.values[self.of.element])
    }

    fn opcode(&self) -> Opcode {
        if self.of.greatest { Opcode::Maximum } else { Opcode::Minimum }
    }

    /// The better of each two; either of equal floats.
    fn better(&self, cx: &mut Emit<'r>, a: V, b: V) -> Result<V, Refusal> {
        if self.of.dtype.is_integer() {
            return scalar::binary(&mut cx.b, self.opcode(), self.of.dtype, a, b);
        }
        if self.numbers {
            // One instruction of most processors.
            let direction = if self.of.greatest { Direction::Lt } else { Direction::Gt };
            let worse = self.compare(cx, direction, a, b)?;
            return Ok(cx.b.select(worse, b, a));
        }
        let kept = self.keeps(cx, a, b)?;
        Ok(cx.b.select(kept, a, b))
    }

    /// Whether the first of each two is at least as good as the second.
    fn keeps(&self, cx: &mut Emit<'r>, a: V, b: V) -> Result<V, Refusal> {
        let reaches = self.compare(cx, if self.of.greatest { Direction::Ge } else { Direction::Le }, a, b)?;
        self.or_no_number(cx, reaches, a)
    }

    /// Whether elements are equal to the best one, or no numbers, which it is if there are any.
    fn is_best(&self, cx: &mut Emit<'r>, elements: V, best: V) -> Result<V, Refusal> {
        let best = cx.b.widen_to(best, cx.b.ty_of(elements).lanes);
        let equal = self.compare(cx, Direction::Eq, elements, best)?;
        self.or_no_number(cx, equal, elements)
    }

    fn or_no_number(&self, cx: &mut Emit<'r>, holds: V, a: V) -> Result<V, Refusal> {
        if self.numbers {
            return Ok(holds);
        }
        let no_number = self.compare(cx, Direction::Ne, a, a)?;
        Ok(cx.b.bin(Bin::Or, holds, no_number))
    }

    fn compare(&self, cx: &mut Emit<'r>, direction: Direction, a: V, b: V) -> Result<V, Refusal> {
        scalar::compare(&mut cx.b, direction, CompareOrder::Default, self.of.dtype, a, b)
    }
}

/// What combining neighbours, and then what became of them, makes of vectors.
fn by_pairs(all: &[V], mut combine: impl FnMut(V, V) -> Result<V, Refusal>) -> Result<V, Refusal> {
    let mut all = all.to_vec();
    while all.len() > 1 {
        let pairs = all.chunks(2).map(|pair| match *pair {
            [a, b] => combine(a, b),
            _ => Ok(pair[0]),
        });
        all = pairs.collect::<Result<_, _>>()?;
    }
    Ok(all[0])
}

/// One value of all lanes of a vector, of which halves are combined.
fn halved<'r>(
    cx: &mut Emit<'r>,
    mut v: V,
    mut combine: impl FnMut(&mut Emit<'r>, V, V) -> Result<V, Refusal>,
) -> Result<V, Refusal> {
    let mut half = cx.b.ty_of(v).lanes as i64 / 2;
    while half >= 1 {
        let [low, high] = [0, half].map(|from| part(cx, v, from, half));
        v = combine(cx, low, high)?;
        half /= 2;
    }
    Ok(v)
}
