//! Positions that a program computes: integer arithmetic of iotas and constants that chooses what to read.
//!
//! ```text
//! %3 = s32 index d0                           in0[d1 + 512·((d0 + 1) mod 2048)]
//! %5 = s32 add %3, 1                     →
//! %6 = s32 remainder %5, 2048
//! in0[d1 + 512·s0], s0 = clamp %6
//! ```
//!
//! A load at a symbol takes each element by itself, and nothing is known of where the next one lies. At a position that follows
//! from the axes it is like any other load: in vectors, with neighbours and lines that planning can count. Where elements along the
//! last axis begin again or stop, at an edge, there is a piece up to there and one from there on.

use super::builder::Builder;
use crate::refusal::Refusal;
use crate::region::{Node, NodeId};
use lawson_hlo::attrs::Direction;
use lawson_hlo::index::Affine;
use lawson_hlo::{DType, InstrId, Opcode};

/// Nodes and pieces that are looked at for one position.
const MOST: u32 = 128;
/// Coefficients of 64 bits have room for the products of such numbers with the extents of arrays.
const GREATEST: i64 = 1 << 31;

/// A position along one dimension.
#[derive(Clone)]
pub(super) enum Position {
    At(Affine),
    Pieces(Box<Pieces>),
}

/// A position where a value is below zero, and one elsewhere.
#[derive(Clone)]
pub(super) struct Pieces {
    value: Affine,
    below: Position,
    from: Position,
}

impl Position {
    /// The position so much further on.
    pub(super) fn add(&self, by: &Affine) -> Position {
        match self {
            Position::At(index) => Position::At(index.add(by)),
            Position::Pieces(pieces) => Position::Pieces(Box::new(Pieces {
                value: pieces.value.clone(),
                below: pieces.below.add(by),
                from: pieces.from.add(by),
            })),
        }
    }
}

impl Builder<'_> {
    /// The integer of a node as arithmetic of the axes, where it is that and lies in `0..=max`.
    pub(super) fn position_of(&self, node: NodeId, max: i64) -> Option<Position> {
        let mut search = Search { builder: self, left: MOST, conditions: Vec::new() };
        let found = search.of(node)?;
        search.each(&found, &mut |search, index| {
            let (least, greatest) = search.range(&index);
            (least >= 0 && greatest <= max).then_some(Position::At(index))
        })
    }

    /// The element of an operand at such positions.
    pub(super) fn at_positions(&mut self, operand: InstrId, index: &[Position]) -> Result<NodeId, Refusal> {
        let mut whole = Vec::with_capacity(index.len());
        for (d, position) in index.iter().enumerate() {
            let pieces = match position {
                Position::At(index) => {
                    whole.push(index.clone());
                    continue;
                }
                Position::Pieces(pieces) => pieces,
            };
            let moved = |to: &Position| {
                let mut moved = index.to_vec();
                moved[d] = to.clone();
                moved
            };
            let (below, from) = (moved(&pieces.below), moved(&pieces.from));
            let inside = self.in_range(&pieces.value, i64::MIN, 0);
            return self.piece(
                inside,
                |cx| cx.at_positions(operand, &below),
                |cx| cx.at_positions(operand, &from),
            );
        }
        self.value(operand, &whole)
    }
}

/// A search through the nodes that an index is made of.
struct Search<'b, 'a> {
    builder: &'b Builder<'a>,
    left: u32,
    /// Values that are below zero in the piece that is looked at, and such that are not.
    conditions: Vec<(Affine, bool)>,
}

/// What is made of a position, or of a piece of it.
type Then<'f, 'b, 'a> = dyn FnMut(&mut Search<'b, 'a>, Affine) -> Option<Position> + 'f;

/// A condition on positions.
enum Condition {
    Known(bool),
    /// It is as given where a value is below zero, and not elsewhere.
    Below(Affine, bool),
}

impl<'b, 'a> Search<'b, 'a> {
    fn of(&mut self, id: NodeId) -> Option<Position> {
        self.left = self.left.checked_sub(1)?;
        let region = &self.builder.region;
        let dtype = region.dtype(id);
        dtype.integer_width()?;
        let found = match region.node(id) {
            Node::Constant { .. } => Position::At(Affine::constant(i64::try_from(region.integer(id)?).ok()?)),
            Node::Index(index) => Position::At(index.clone()),
            &Node::Convert { x, .. } => self.of(x)?,
            &Node::Unary { opcode: Opcode::Negate, x, .. } => {
                let x = self.of(x)?;
                self.each(&x, &mut |_, x| Some(Position::At(x.mul(-1))))?
            }
            &Node::Binary { opcode, x, y, .. } => {
                let (x, y) = (self.of(x)?, self.of(y)?);
                self.each(&x, &mut |s, x| s.each(&y, &mut |s, y| s.operation(opcode, &x, &y)))?
            }
            &Node::Select { mask, x, y } => self.select(mask, x, y)?,
            _ => return None,
        };
        self.each(&found, &mut |s, index| s.fits(&index, dtype).then_some(Position::At(index)))
    }

    fn operation(&mut self, opcode: Opcode, x: &Affine, y: &Affine) -> Option<Position> {
        let space = &self.builder.space;
        let by = y.as_constant();
        let power = || by.filter(|n| (0..31).contains(n)).map(|n| 1 << n);
        let (least, greatest) = self.range(x);
        let index = match opcode {
            Opcode::Add => x.add(y),
            Opcode::Subtract => x.sub(y),
            Opcode::Multiply => match (x.as_constant(), by) {
                (_, Some(by)) => x.mul(by),
                (Some(by), None) => y.mul(by),
                (None, None) => return None,
            },
            // Rounded towards zero, which is down from there on.
            Opcode::Divide if least >= 0 => x.div(by.filter(|&by| by > 0)?, space),
            Opcode::Remainder => {
                let by = by.filter(|&by| by > 0)?;
                match () {
                    () if least > -by && greatest < by => x.clone(),
                    () if least < 0 => return None,
                    () => return self.remainder(x, by),
                }
            }
            Opcode::And => return self.remainder(x, by.filter(|&by| by > 0 && by & (by + 1) == 0)? + 1),
            Opcode::ShiftLeft => x.mul(power()?),
            Opcode::ShiftRightArithmetic => x.div(power()?, space),
            Opcode::ShiftRightLogical if least >= 0 => x.div(power()?, space),
            Opcode::Maximum | Opcode::Minimum => {
                let (greater, less) = (|below| if below { y } else { x }, |below| if below { x } else { y });
                let is_greatest = opcode == Opcode::Maximum;
                let of = |below| if is_greatest { greater(below) } else { less(below) };
                return self.split(&x.sub(y), &mut |_, below| Some(Position::At(of(below).clone())));
            }
            _ => return None,
        };
        Some(Position::At(index))
    }

    /// The remainder in `0..by`: along the last axis in pieces, where it begins again once.
    fn remainder(&mut self, x: &Affine, by: i64) -> Option<Position> {
        let x = x.add_constant(-self.range(x).0.div_euclid(by).checked_mul(by)?);
        if self.range(&x).1 < 2 * by && self.is_along_last(&x) {
            let turn = x.add_constant(-by);
            return self
                .split(&turn, &mut |_, below| Some(Position::At(if below { &x } else { &turn }.clone())));
        }
        Some(Position::At(x.rem(by, &self.builder.space)))
    }

    fn select(&mut self, mask: NodeId, x: NodeId, y: NodeId) -> Option<Position> {
        let (value, holds) = match self.condition(mask)? {
            Condition::Known(holds) => return self.of(if holds { x } else { y }),
            Condition::Below(value, holds) => (value, holds),
        };
        let (below, from) = if holds { (x, y) } else { (y, x) };
        if self.is_along_last(&value) {
            return self.split(&value, &mut |s, is_below| s.of(if is_below { below } else { from }));
        }
        // Negative positions count from the end.
        let (Position::At(below), Position::At(from)) = (self.of(below)?, self.of(from)?) else {
            return None;
        };
        let length = below.sub(&from).as_constant()?;
        let (least, greatest) = self.range(&from);
        let wraps = value == from && least >= -length && greatest < length;
        wraps.then(|| Position::At(from.rem(length, &self.builder.space)))
    }

    fn condition(&mut self, id: NodeId) -> Option<Condition> {
        self.left = self.left.checked_sub(1)?;
        let region = &self.builder.region;
        let (value, holds) = match region.node(id) {
            Node::Constant { bits } => return Some(Condition::Known(bits[0] != 0)),
            Node::InRange { value, lo, hi } => match self.range(value) {
                (least, greatest) if greatest < *lo || least >= *hi => return Some(Condition::Known(false)),
                (least, _) if least >= *lo => (value.add_constant(hi.checked_neg()?), true),
                (_, greatest) if greatest < *hi => (value.add_constant(lo.checked_neg()?), false),
                _ => return None,
            },
            &Node::Binary { opcode: opcode @ (Opcode::And | Opcode::Or), x, y, .. } => {
                return self.both(opcode == Opcode::And, x, y);
            }
            &Node::Compare { direction, x, y, .. } => {
                let (Position::At(x), Position::At(y)) = (self.of(x)?, self.of(y)?) else { return None };
                let apart = x.sub(&y);
                match (direction, self.range(&apart)) {
                    (Direction::Lt, _) => (apart, true),
                    (Direction::Ge, _) => (apart, false),
                    (Direction::Le, _) => (apart.add_constant(-1), true),
                    (Direction::Gt, _) => (apart.add_constant(-1), false),
                    (Direction::Eq, (0, 0)) => return Some(Condition::Known(true)),
                    (Direction::Ne, (0, 0)) => return Some(Condition::Known(false)),
                    (Direction::Eq | Direction::Ne, (1.., _) | (_, ..=-1)) => {
                        return Some(Condition::Known(direction == Direction::Ne));
                    }
                    (Direction::Eq | Direction::Ne, _) => return None,
                }
            }
            _ => return None,
        };
        Some(match self.range(&value) {
            (_, ..=-1) => Condition::Known(holds),
            (0.., _) => Condition::Known(!holds),
            _ => Condition::Below(value, holds),
        })
    }

    /// Whether both conditions hold, or one of them does: where the second is known wherever it matters.
    fn both(&mut self, all: bool, x: NodeId, y: NodeId) -> Option<Condition> {
        let (value, holds) = match self.condition(x) {
            Some(Condition::Known(x)) if x == all => return self.condition(y),
            Some(Condition::Known(x)) => return Some(Condition::Known(x)),
            Some(Condition::Below(value, holds)) => (value, holds),
            None => return self.condition(y).filter(|y| matches!(y, Condition::Known(y) if *y != all)),
        };
        self.conditions.push((value.clone(), holds == all));
        let other = self.condition(y);
        self.conditions.pop();
        match other? {
            Condition::Known(y) if y == all => Some(Condition::Below(value, holds)),
            Condition::Known(y) => Some(Condition::Known(y)),
            Condition::Below(..) => None,
        }
    }

    /// Makes of each piece what `then` says.
    fn each(&mut self, position: &Position, then: &mut Then<'_, 'b, 'a>) -> Option<Position> {
        let pieces = match position {
            Position::At(index) => return then(self, index.clone()),
            Position::Pieces(pieces) => pieces,
        };
        let of = |is_below| if is_below { &pieces.below } else { &pieces.from };
        self.split(&pieces.value, &mut |s, is_below| s.each(of(is_below), then))
    }

    /// What `of` says where a value is below zero, and where it is not. Pieces are for the last axis, along which lanes run: along
    /// others a position that is computed for each line costs less.
    fn split(
        &mut self,
        value: &Affine,
        of: &mut dyn FnMut(&mut Self, bool) -> Option<Position>,
    ) -> Option<Position> {
        self.left = self.left.checked_sub(1)?;
        match self.range(value) {
            (_, ..=-1) => return of(self, true),
            (0.., _) => return of(self, false),
            _ if !self.is_along_last(value) => return None,
            _ => {}
        }
        let mut side = |is_below: bool| {
            self.conditions.push((value.clone(), is_below));
            let found = of(self, is_below);
            self.conditions.pop();
            found
        };
        let (below, from) = (side(true)?, side(false)?);
        Some(Position::Pieces(Box::new(Pieces { value: value.clone(), below, from })))
    }

    fn is_along_last(&self, index: &Affine) -> bool {
        let last = self.builder.space.axes.len().checked_sub(1);
        last.is_some_and(|last| matches!(index.coefficient(last), Some(1 | -1)))
    }

    /// The least and the greatest value in the piece that is looked at.
    fn range(&self, index: &Affine) -> (i64, i64) {
        let (mut least, mut greatest) = index.range(&self.builder.space);
        for (value, is_below) in &self.conditions {
            let apart = |sum: Affine| sum.as_constant();
            match (apart(index.sub(value)), apart(index.add(value)), is_below) {
                (Some(by), _, true) => greatest = greatest.min(by - 1),
                (Some(by), _, false) => least = least.max(by),
                (None, Some(by), true) => least = least.max(by + 1),
                (None, Some(by), false) => greatest = greatest.min(by),
                (None, None, _) => {}
            }
        }
        (least, greatest)
    }

    /// Whether a type has all values, and later arithmetic room for them.
    fn fits(&self, index: &Affine, dtype: DType) -> bool {
        let (least, greatest) = self.range(index);
        let Some(width) = dtype.integer_width() else { return false };
        let bits = (width.bits() - dtype.is_signed() as u32).min(31);
        let end = 1i64 << bits;
        let small = index.terms.iter().all(|(_, k)| k.abs() <= GREATEST) && index.constant.abs() <= GREATEST;
        small && greatest < end && least >= if dtype.is_signed() { -end } else { 0 }
    }
}
