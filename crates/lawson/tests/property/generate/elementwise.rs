//! Operations that work element by element, of every type that has them.

use super::Generator;
use lawson::hlo::attrs::{CompareOrder, Direction};
use lawson::hlo::{ArrayShape, Attrs, DType, InstrId, Opcode, Scalar, Shape};

use Opcode::*;

const FLOAT_UNARY: &[Opcode] = &[
    Abs,
    Negate,
    Sign,
    Ceil,
    Floor,
    RoundNearestAfz,
    RoundNearestEven,
    Copy,
    Real,
    Imag,
    IsFinite,
    Exponential,
    ExponentialMinusOne,
    Log,
    LogPlusOne,
    Logistic,
    Tanh,
    Tan,
    Sine,
    Cosine,
    Sqrt,
    Rsqrt,
    Cbrt,
    Erf,
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atanh,
    Cosh,
    Sinh,
];
const FLOAT_BINARY: &[Opcode] =
    &[Add, Subtract, Multiply, Divide, Maximum, Minimum, Power, Atan2, Remainder, Add, Multiply, Subtract];
const INT_UNARY: &[Opcode] = &[Negate, Not, PopulationCount, CountLeadingZeros, Copy];
const INT_BINARY: &[Opcode] = &[
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Maximum,
    Minimum,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRightLogical,
    ShiftRightArithmetic,
    MulHi,
    Power,
];
const PRED_BINARY: &[Opcode] = &[And, Or, Xor, Add, Multiply, Maximum, Minimum];

impl Generator<'_> {
    pub(super) fn elementwise(&mut self, x: InstrId) -> InstrId {
        if self.style.smooth && self.array(x).dtype.is_float() {
            return self.smooth(x);
        }
        match self.rng.below(10) {
            0..=2 => self.unary(x),
            3..=6 => self.binary(x),
            7 => self.compare(x),
            8 => self.select(x),
            _ => self.clamp(x),
        }
    }

    fn smooth(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        match self.rng.below(8) {
            0 | 1 => {
                let op = self.rng.pick(&[Abs, Negate, Tanh, Logistic, Sine, Cosine, Erf, Copy]);
                self.b.unary(op, x)
            }
            2 => {
                let two = self.b.splat(&shape, Scalar::Float(2.0));
                self.b.binary(Power, x, two)
            }
            3 => {
                let bounds =
                    [-0.5, 0.75].map(|v| self.b.splat(&ArrayShape::new(shape.dtype, []), Scalar::Float(v)));
                self.b.add(Clamp, &[bounds[0], x, bounds[1]], Attrs::None)
            }
            _ => {
                let y = self.like(&shape);
                let op = self.rng.pick(&[Add, Subtract, Multiply, Maximum, Minimum]);
                self.b.binary(op, x, y)
            }
        }
    }

    fn unary(&mut self, x: InstrId) -> InstrId {
        let d = self.b.array(x).dtype;
        let op = match d {
            DType::Pred => self.rng.pick(&[Not, Copy]),
            d if d.is_float() && self.rng.one_in(16) => return self.reduce_precision(x),
            d if d.is_float() => self.rng.pick(FLOAT_UNARY),
            d if d.is_signed() && self.rng.one_in(4) => self.rng.pick(&[Abs, Sign]),
            _ => self.rng.pick(INT_UNARY),
        };
        // A copy has no rule for pred in XLA's text, but is one of any shape.
        self.b.unary(op, x)
    }

    fn reduce_precision(&mut self, x: InstrId) -> InstrId {
        let (exponent_bits, mantissa_bits) =
            self.rng.pick(&[(5, 10), (8, 7), (8, 23), (4, 3), (11, 52), (3, 0)]);
        self.b.add(ReducePrecision, &[x], Attrs::ReducePrecision { exponent_bits, mantissa_bits })
    }

    fn binary(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        let y = self.like(&shape);
        let op = match shape.dtype {
            DType::Pred => self.rng.pick(PRED_BINARY),
            d if d.is_float() => self.rng.pick(FLOAT_BINARY),
            _ => self.rng.pick(INT_BINARY),
        };
        if self.rng.one_in(2) { self.b.binary(op, x, y) } else { self.b.binary(op, y, x) }
    }

    fn compare(&mut self, x: InstrId) -> InstrId {
        use Direction::*;
        let direction = self.rng.pick(&[Eq, Ne, Ge, Gt, Le, Lt]);
        let shape = self.array(x);
        let mut y = self.like(&shape);
        let mut x = x;
        let mut order = CompareOrder::Default;
        // The total order looks at the sign of a NaN, which has no meaning.
        if shape.dtype.is_float() && self.rng.one_in(4) {
            (x, y) = (self.number_only(x), self.number_only(y));
            order = CompareOrder::TotalOrder;
        }
        self.b.add(Compare, &[x, y], Attrs::Compare { direction, order })
    }

    fn select(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        let y = self.like(&shape);
        let p = if self.rng.one_in(4) {
            self.scalar(DType::Pred)
        } else {
            self.like(&shape.with_dtype(DType::Pred))
        };
        self.b.add(Select, &[p, x, y], Attrs::None)
    }

    fn clamp(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        let mut bound = || if self.rng.one_in(2) { self.scalar(shape.dtype) } else { self.like(&shape) };
        let (low, high) = (bound(), bound());
        self.b.add(Clamp, &[low, x, high], Attrs::None)
    }

    pub(super) fn convert(&mut self, x: InstrId) -> InstrId {
        // Of a module without steps: integers to floats, floats to wider ones.
        if self.style.smooth {
            return self.b.convert(x, DType::F64);
        }
        let to = self.dtype();
        self.b.convert(x, to)
    }

    /// `x` with 1.5 for every NaN: for what looks at bits.
    pub(super) fn number_only(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        if !shape.dtype.is_float() {
            return x;
        }
        let attrs = Attrs::Compare { direction: Direction::Eq, order: CompareOrder::Default };
        let is_number = self.b.add(Compare, &[x, x], attrs);
        let other = self.b.splat(&shape, Scalar::Float(1.5));
        self.b.add(Select, &[is_number, x, other], Attrs::None)
    }

    /// bitcast-convert to a type of the same, of half or of twice the width.
    pub(super) fn bits(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let bits = shape.dtype.bits();
        if shape.dtype == DType::Pred || bits < 8 {
            return None;
        }
        let to = self.rng.pick(&super::ALL.iter().copied().filter(|d| d.bits() >= 8).collect::<Vec<_>>());
        let mut dims = shape.dims.clone();
        if to.bits() < bits {
            dims.push((bits / to.bits()) as i64);
        } else if to.bits() > bits && dims.pop()? != (to.bits() / bits) as i64 {
            return None;
        }
        let x = self.number_only(x);
        Some(self.b.add_shaped(BitcastConvert, Shape::array(to, dims), &[x], Attrs::None))
    }

    /// A scalar function over the elements of one or two arrays.
    pub(super) fn map(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let fit: Vec<_> =
            self.library.maps.iter().filter(|f| f.parameters[0] == shape.dtype).cloned().collect();
        if fit.is_empty() {
            return None;
        }
        let f = self.rng.pick(&fit);
        let mut operands = vec![x];
        for &d in &f.parameters[1..] {
            operands.push(self.like(&shape.with_dtype(d)));
        }
        let dims = (0..shape.rank()).collect();
        Some(self.b.add(Map, &operands, Attrs::Map { dims, to_apply: f.comp }))
    }
}
