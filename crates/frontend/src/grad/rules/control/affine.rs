//! Integers of a loop's body as functions of the number of the trip: `scale · t + offset`.
//!
//! Looked through are sums, products with constants, conversions, and choices that fall the same way in every trip, as in the
//! `select(i < 0, i + n, i)` by which negative indices are written.

use super::flat;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, Computation, InstrId, Opcode};

/// `scale · t + offset` in trip `t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Affine {
    pub scale: i64,
    pub offset: i64,
}

impl Affine {
    pub fn constant(offset: i64) -> Affine {
        Affine { scale: 0, offset }
    }

    /// The value in a trip.
    pub fn at(self, trip: i64) -> Option<i64> {
        self.scale.checked_mul(trip)?.checked_add(self.offset)
    }

    fn combine(self, other: Affine, f: impl Fn(i64, i64) -> Option<i64>) -> Option<Affine> {
        Some(Affine { scale: f(self.scale, other.scale)?, offset: f(self.offset, other.offset)? })
    }
}

/// The integers of a body that runs `trips` times, at least once.
pub(super) struct Trip<'a> {
    pub comp: &'a Computation,
    pub trips: i64,
    /// Those of parameters that are known.
    pub parameter: &'a dyn Fn(usize) -> Option<Affine>,
}

impl Trip<'_> {
    /// The least and the greatest value.
    pub fn range(&self, a: Affine) -> Option<(i64, i64)> {
        let (first, last) = (a.at(0)?, a.at(self.trips - 1)?);
        Some((first.min(last), first.max(last)))
    }

    /// The integer that a scalar is.
    pub fn affine(&self, id: InstrId) -> Option<Affine> {
        let instr = &self.comp[id];
        let shape = instr.shape.as_array().filter(|s| s.elements() == 1 && s.dtype.is_integer())?;
        let operand = |n: usize| self.affine(instr.operands[n]);
        let value = match (instr.opcode, &instr.attrs) {
            (Opcode::Parameter, Attrs::Parameter(n)) => (self.parameter)(*n)?,
            (Opcode::Constant, _) => Affine::constant(flat::integer_in(&|id| &self.comp[id], id, &|_| None)?),
            (Opcode::Convert, _) if !self.is_integer(instr.operands[0]) => return None,
            (Opcode::Convert | Opcode::Copy | Opcode::Reshape | Opcode::Broadcast, _) => operand(0)?,
            (Opcode::Negate, _) => Affine::constant(0).combine(operand(0)?, i64::checked_sub)?,
            (Opcode::Add, _) => operand(0)?.combine(operand(1)?, i64::checked_add)?,
            (Opcode::Subtract, _) => operand(0)?.combine(operand(1)?, i64::checked_sub)?,
            (Opcode::Multiply, _) => match (operand(0)?, operand(1)?) {
                (a, Affine { scale: 0, offset }) | (Affine { scale: 0, offset }, a) => {
                    a.combine(a, |x, _| x.checked_mul(offset))?
                }
                _ => return None,
            },
            (Opcode::Select, _) => operand(if self.decided(instr.operands[0])? { 1 } else { 2 })?,
            (Opcode::Maximum, _) => self.larger(operand(0)?, operand(1)?)?,
            (Opcode::Minimum, _) => self.smaller(operand(0)?, operand(1)?)?,
            (Opcode::Clamp, _) => self.smaller(self.larger(operand(0)?, operand(1)?)?, operand(2)?)?,
            _ => return None,
        };
        let (low, high) = self.range(value)?;
        (flat::fits(shape, low) && flat::fits(shape, high)).then_some(value)
    }

    fn is_integer(&self, id: InstrId) -> bool {
        self.comp[id].shape.as_array().is_some_and(|s: &ArrayShape| s.dtype.is_integer())
    }

    fn larger(&self, a: Affine, b: Affine) -> Option<Affine> {
        Some(if self.always(Direction::Ge, a, b)? { a } else { b })
    }

    fn smaller(&self, a: Affine, b: Affine) -> Option<Affine> {
        Some(if self.always(Direction::Le, a, b)? { a } else { b })
    }

    /// A truth value that is the same in every trip.
    fn decided(&self, id: InstrId) -> Option<bool> {
        let instr = &self.comp[id];
        match (instr.opcode, &instr.attrs) {
            (Opcode::Compare, Attrs::Compare { direction, .. }) => {
                let (a, b) = (self.affine(instr.operands[0])?, self.affine(instr.operands[1])?);
                self.always(*direction, a, b)
            }
            (Opcode::Copy | Opcode::Reshape | Opcode::Broadcast, _) => self.decided(instr.operands[0]),
            _ => None,
        }
    }

    /// Whether a relation holds in every trip, or in none.
    fn always(&self, direction: Direction, a: Affine, b: Affine) -> Option<bool> {
        let (low, high) = self.range(a.combine(b, i64::checked_sub)?)?;
        let (every, none) = match direction {
            Direction::Lt => (high < 0, low >= 0),
            Direction::Le => (high <= 0, low > 0),
            Direction::Gt => (low > 0, high <= 0),
            Direction::Ge => (low >= 0, high < 0),
            Direction::Eq => (low == 0 && high == 0, low > 0 || high < 0),
            Direction::Ne => (low > 0 || high < 0, low == 0 && high == 0),
        };
        if every { Some(true) } else { none.then_some(false) }
    }
}
