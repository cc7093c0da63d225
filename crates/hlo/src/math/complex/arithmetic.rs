//! Real arithmetic over [`PartOps`]: what functions of complex numbers are written in.

use crate::attrs::{Attrs, CompareOrder, Direction};
use crate::dtype::DType;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;
use crate::scalar::Scalar;

/// Makes operations on the parts of complex numbers, which are f32 or f64.
pub struct Arithmetic<'b, B: PartOps> {
    b: &'b mut B,
    part: DType,
}

/// The real and the imaginary part.
pub type Pair<V> = [V; 2];

impl<'b, B: PartOps> Arithmetic<'b, B> {
    pub fn new(b: &'b mut B, part: DType) -> Arithmetic<'b, B> {
        Arithmetic { b, part }
    }

    /// The value that belongs to the type: of f32, or of f64.
    pub fn of_type<T>(&self, narrow: T, wide: T) -> T {
        if self.part.is_f64() { wide } else { narrow }
    }

    pub fn op(&mut self, opcode: Opcode, operands: &[&B::Value]) -> B::Value {
        self.b.op(opcode, Attrs::None, operands, self.part)
    }

    pub fn of(&mut self, opcode: Opcode, x: &B::Value) -> B::Value {
        self.op(opcode, &[x])
    }

    pub fn number(&mut self, value: f64, like: &B::Value) -> B::Value {
        self.b.constant(self.part, Scalar::Float(value), like)
    }

    pub fn add(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Add, &[x, y])
    }

    pub fn sub(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Subtract, &[x, y])
    }

    pub fn mul(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Multiply, &[x, y])
    }

    pub fn div(&mut self, x: &B::Value, y: &B::Value) -> B::Value {
        self.op(Opcode::Divide, &[x, y])
    }

    pub fn square(&mut self, x: &B::Value) -> B::Value {
        self.mul(x, x)
    }

    pub fn abs(&mut self, x: &B::Value) -> B::Value {
        self.of(Opcode::Abs, x)
    }

    pub fn neg(&mut self, x: &B::Value) -> B::Value {
        self.of(Opcode::Negate, x)
    }

    pub fn sqrt(&mut self, x: &B::Value) -> B::Value {
        self.of(Opcode::Sqrt, x)
    }

    pub fn plus(&mut self, x: &B::Value, constant: f64) -> B::Value {
        let constant = self.number(constant, x);
        self.add(x, &constant)
    }

    pub fn times(&mut self, x: &B::Value, constant: f64) -> B::Value {
        let constant = self.number(constant, x);
        self.mul(x, &constant)
    }

    /// A truth value.
    pub fn compare(&mut self, x: &B::Value, direction: Direction, y: &B::Value) -> B::Value {
        let attrs = Attrs::Compare { direction, order: CompareOrder::Default };
        self.b.op(Opcode::Compare, attrs, &[x, y], DType::Pred)
    }

    pub fn is(&mut self, x: &B::Value, direction: Direction, constant: f64) -> B::Value {
        let constant = self.number(constant, x);
        self.compare(x, direction, &constant)
    }

    pub fn is_zero(&mut self, x: &B::Value) -> B::Value {
        self.is(x, Direction::Eq, 0.0)
    }

    pub fn is_infinite(&mut self, x: &B::Value) -> B::Value {
        let size = self.abs(x);
        self.is(&size, Direction::Eq, f64::INFINITY)
    }

    /// Neither a number nor one of the infinities.
    pub fn is_nan(&mut self, x: &B::Value) -> B::Value {
        self.compare(x, Direction::Ne, x)
    }

    /// Infinite or no number.
    pub fn is_unbounded(&mut self, x: &B::Value) -> B::Value {
        let finite = self.b.op(Opcode::IsFinite, Attrs::None, &[x], DType::Pred);
        self.negation(&finite)
    }

    pub fn negation(&mut self, p: &B::Value) -> B::Value {
        self.b.op(Opcode::Not, Attrs::None, &[p], DType::Pred)
    }

    pub fn both(&mut self, p: &B::Value, q: &B::Value) -> B::Value {
        self.b.op(Opcode::And, Attrs::None, &[p, q], DType::Pred)
    }

    pub fn either(&mut self, p: &B::Value, q: &B::Value) -> B::Value {
        self.b.op(Opcode::Or, Attrs::None, &[p, q], DType::Pred)
    }

    pub fn select(&mut self, p: &B::Value, yes: &B::Value, no: &B::Value) -> B::Value {
        self.op(Opcode::Select, &[p, yes, no])
    }

    /// The constant where `p` holds, else `no`.
    pub fn number_where(&mut self, p: &B::Value, constant: f64, no: &B::Value) -> B::Value {
        let constant = self.number(constant, no);
        self.select(p, &constant, no)
    }

    /// As many bits as the type has, in an unsigned integer.
    fn bits_type(&self) -> DType {
        self.of_type(DType::U32, DType::U64)
    }

    fn bits(&mut self, x: &B::Value) -> B::Value {
        self.b.op(Opcode::BitcastConvert, Attrs::None, &[x], self.bits_type())
    }

    fn of_bits(&mut self, x: &B::Value) -> B::Value {
        self.b.op(Opcode::BitcastConvert, Attrs::None, &[x], self.part)
    }

    fn on_bits(&mut self, opcode: Opcode, x: &B::Value, constant: u64) -> B::Value {
        let ty = self.bits_type();
        let constant = self.b.constant(ty, Scalar::Unsigned(constant), x);
        self.b.op(opcode, Attrs::None, &[x, &constant], ty)
    }

    /// The magnitude of one and the sign of another, zeros and NaN included.
    pub fn copy_sign(&mut self, size: &B::Value, sign: &B::Value) -> B::Value {
        let bit = self.of_type(1 << 31, 1 << 63);
        let (size, sign) = (self.abs(size), self.bits(sign));
        let (size, sign) = (self.bits(&size), self.on_bits(Opcode::And, &sign, bit));
        let both = self.b.op(Opcode::Or, Attrs::None, &[&size, &sign], self.bits_type());
        self.of_bits(&both)
    }

    /// A power of two by which a magnitude comes near 1, and its inverse: x·2ᵏ is in [1, 2) for normal numbers, and below
    /// 2 for smaller ones. Both factors are normal numbers; of the largest numbers the product is up to 4.
    pub fn scale(&mut self, size: &B::Value) -> (B::Value, B::Value) {
        let mantissa = self.of_type(23, 52);
        let (least, most) = self.of_type((1 << mantissa, 253 << mantissa), (1 << mantissa, 2045 << mantissa));
        let sum = self.of_type(254 << mantissa, 2046 << mantissa);
        let ty = self.bits_type();
        let bits = self.bits(size);
        let exponent = self.on_bits(Opcode::And, &bits, self.of_type(255 << mantissa, 2047 << mantissa));
        let exponent = self.on_bits(Opcode::Maximum, &exponent, least);
        let exponent = self.on_bits(Opcode::Minimum, &exponent, most);
        let sum = self.b.constant(ty, Scalar::Unsigned(sum), &exponent);
        let opposite = self.b.op(Opcode::Subtract, Attrs::None, &[&sum, &exponent], ty);
        (self.of_bits(&opposite), self.of_bits(&exponent))
    }
}
