//! The types of PTX: what instructions compute in and registers hold.

/// What the bits of a type mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bits without a meaning.
    Bits,
    Unsigned,
    Signed,
    /// IEEE floats of 16, 32 and 64 bits.
    Float,
    /// The upper half of an `f32`.
    Bfloat,
    /// An `f32` with ten bits of mantissa, in a register of 32 bits.
    Tf32,
    Predicate,
}

/// A type: its kind and the bits of the whole, for packed types those of both halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: Kind,
    pub bits: u32,
    /// Two of half the bits.
    pub packed: bool,
}

pub const B32: Type = Type::new(Kind::Bits, 32);
pub const B64: Type = Type::new(Kind::Bits, 64);
pub const U32: Type = Type::new(Kind::Unsigned, 32);
pub const F32: Type = Type::new(Kind::Float, 32);

impl Type {
    pub const fn new(kind: Kind, bits: u32) -> Self {
        Self { kind, bits, packed: false }
    }

    /// The type of that name, without the point.
    pub fn named(name: &str) -> Option<Self> {
        let scalar = |kind, bits| Some(Self::new(kind, bits));
        let packed = |kind| Some(Self { kind, bits: 32, packed: true });
        match name {
            "pred" => scalar(Kind::Predicate, 1),
            "b8" => scalar(Kind::Bits, 8),
            "b16" => scalar(Kind::Bits, 16),
            "b32" => scalar(Kind::Bits, 32),
            "b64" => scalar(Kind::Bits, 64),
            "u8" => scalar(Kind::Unsigned, 8),
            "u16" => scalar(Kind::Unsigned, 16),
            "u32" => scalar(Kind::Unsigned, 32),
            "u64" => scalar(Kind::Unsigned, 64),
            "s8" => scalar(Kind::Signed, 8),
            "s16" => scalar(Kind::Signed, 16),
            "s32" => scalar(Kind::Signed, 32),
            "s64" => scalar(Kind::Signed, 64),
            "f16" => scalar(Kind::Float, 16),
            "f32" => scalar(Kind::Float, 32),
            "f64" => scalar(Kind::Float, 64),
            "bf16" => scalar(Kind::Bfloat, 16),
            "tf32" => scalar(Kind::Tf32, 32),
            "f16x2" => packed(Kind::Float),
            "bf16x2" => packed(Kind::Bfloat),
            _ => None,
        }
    }

    pub fn bytes(self) -> u32 {
        self.bits.div_ceil(8)
    }

    pub fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float | Kind::Bfloat | Kind::Tf32)
    }

    pub fn is_signed(self) -> bool {
        self.kind == Kind::Signed
    }

    /// Integers and bits.
    pub fn is_integer(self) -> bool {
        matches!(self.kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
    }

    /// The bits that a value of this type may have set.
    pub fn mask(self) -> u64 {
        mask(self.bits)
    }

    /// Whether an operand of a register of type `register` may be used as this type: of the same size, and floats only
    /// as bits or as floats.
    pub fn accepts(self, register: Type) -> bool {
        self.accepts_kind(register) && self.bits == register.bits
    }

    /// The same without the size, for instructions that take wider registers.
    pub fn accepts_kind(self, register: Type) -> bool {
        let scalar_float = |t: Type| t.kind == Kind::Float && !t.packed;
        let bits = |t: Type| t.kind == Kind::Bits;
        (self.kind == Kind::Predicate) == (register.kind == Kind::Predicate)
            && (bits(self)
                || bits(register)
                || scalar_float(self) == scalar_float(register)
                // Halves live in registers of bits, older texts declare them as floats.
                || self.bits == 16)
    }
}

/// The lowest `bits` bits.
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
