//! Element types: one table of names and parameters, and what follows from it.
//!
//! What happens to elements is decided by the [`TypeKind`] of their type. A match on it names every kind, so that a new
//! kind is a compile error wherever something must be decided; a new type of a known kind is one line of the table.
//! `cargo xtask tidy` keeps wildcards out of such matches, and comparisons with variants in this file.

mod accumulate;
pub mod extension;
pub mod field;
pub mod format;
mod u256;
pub mod wide;
mod wide_arithmetic;

pub use extension::Extension;
pub use field::{Field, Prime, Storage};
pub use format::{Format, Specials};
pub use u256::U256;
pub use wide::{WideField, WidePrime};
pub use wide_arithmetic::WideArithmetic;

use std::fmt;

/// What the elements of a type are, with the parameters of the type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// True or false.
    Pred,
    /// Integers in two's complement; arithmetic wraps.
    Signed(Width),
    /// Integers from zero; arithmetic wraps.
    Unsigned(Width),
    Float(Float),
    /// Elements of a prime field of at most 64 bits.
    Field(Field),
    /// Several parts of one type that are one number together.
    Composite(Composite),
}

/// The width of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Width {
    W1,
    W2,
    W4,
    W8,
    W16,
    W32,
    W64,
}

/// A float type, by how it is computed in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Float {
    /// IEEE half precision; computed in f32 and rounded after each operation.
    F16,
    /// The upper half of an f32; computed in f32 and rounded after each operation.
    Bf16,
    F32,
    F64,
    /// 8 bits and narrower; computed in f32 and rounded after each operation.
    Small(Format),
}

/// A type of several parts, which lie one after the other in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Composite {
    /// The type of each part; no composite itself.
    pub part: DType,
    pub algebra: Algebra,
}

/// What the parts of a composite are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algebra {
    /// Real and imaginary part of a complex number.
    Complex,
    /// Coefficients of a polynomial over a prime field, the constant one first, modulo an irreducible one.
    Extension(Extension),
    /// Words of one number, the least significant first: an element of a prime field of more than 64 bits. Kernels compute
    /// on the whole element; other composites are split into arrays of their parts before fusion.
    Words(WideField),
}

/// Makes the enum, [`DType::ALL`] and the columns of the table, so that none can miss a type.
macro_rules! element_types {
    ($($variant:ident $name:literal $kind:expr;)*) => {
        /// The type of one element of an array.
        ///
        /// Sub-byte integers are stored one to a byte, sign- or zero-extended, in every buffer of Lawson.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum DType {
            $($variant,)*
        }

        impl DType {
            /// Every type, in the order of the table.
            pub const ALL: &[DType] = &[$(DType::$variant,)*];

            /// The name in HLO text.
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => $name,)*
                }
            }

            /// What the elements are.
            pub const fn kind(self) -> TypeKind {
                match self {
                    $(DType::$variant => $kind,)*
                }
            }
        }
    };
}

/// A float of 8 bits or fewer: bits of exponent and mantissa, bias of the exponent, codes that are no numbers.
const fn small(exponent: u32, mantissa: u32, bias: i32, specials: Specials) -> TypeKind {
    TypeKind::Float(Float::Small(Format { exponent, mantissa, bias, specials }))
}

const fn complex(part: DType) -> TypeKind {
    TypeKind::Composite(Composite { part, algebra: Algebra::Complex })
}

const fn extension(part: DType, extension: Extension) -> TypeKind {
    TypeKind::Composite(Composite { part, algebra: Algebra::Extension(extension) })
}

const fn plain(prime: Prime) -> TypeKind {
    TypeKind::Field(Field::plain(prime))
}

const fn montgomery(prime: Prime) -> TypeKind {
    TypeKind::Field(Field::montgomery(prime))
}

const fn words(field: WideField) -> TypeKind {
    TypeKind::Composite(Composite { part: DType::U64, algebra: Algebra::Words(field) })
}

element_types! {
    Pred             "pred"              TypeKind::Pred;
    S1               "s1"                TypeKind::Signed(Width::W1);
    S2               "s2"                TypeKind::Signed(Width::W2);
    S4               "s4"                TypeKind::Signed(Width::W4);
    S8               "s8"                TypeKind::Signed(Width::W8);
    S16              "s16"               TypeKind::Signed(Width::W16);
    S32              "s32"               TypeKind::Signed(Width::W32);
    S64              "s64"               TypeKind::Signed(Width::W64);
    U1               "u1"                TypeKind::Unsigned(Width::W1);
    U2               "u2"                TypeKind::Unsigned(Width::W2);
    U4               "u4"                TypeKind::Unsigned(Width::W4);
    U8               "u8"                TypeKind::Unsigned(Width::W8);
    U16              "u16"               TypeKind::Unsigned(Width::W16);
    U32              "u32"               TypeKind::Unsigned(Width::W32);
    U64              "u64"               TypeKind::Unsigned(Width::W64);
    F16              "f16"               TypeKind::Float(Float::F16);
    Bf16             "bf16"              TypeKind::Float(Float::Bf16);
    F32              "f32"               TypeKind::Float(Float::F32);
    F64              "f64"               TypeKind::Float(Float::F64);
    F4E2M1Fn         "f4e2m1fn"          small(2, 1, 1, Specials::Finite);
    F8E3M4           "f8e3m4"            small(3, 4, 3, Specials::Ieee);
    F8E4M3           "f8e4m3"            small(4, 3, 7, Specials::Ieee);
    F8E4M3Fn         "f8e4m3fn"          small(4, 3, 7, Specials::AllOnes);
    F8E4M3B11Fnuz    "f8e4m3b11fnuz"     small(4, 3, 11, Specials::MinusZero);
    F8E4M3Fnuz       "f8e4m3fnuz"        small(4, 3, 8, Specials::MinusZero);
    F8E5M2           "f8e5m2"            small(5, 2, 15, Specials::Ieee);
    F8E5M2Fnuz       "f8e5m2fnuz"        small(5, 2, 16, Specials::MinusZero);
    F8E8M0Fnu        "f8e8m0fnu"         small(8, 0, 127, Specials::AllOnes);
    C64              "c64"               complex(DType::F32);
    C128             "c128"              complex(DType::F64);
    BabyBear         "babybear"          plain(Prime::BabyBear);
    BabyBearMont     "babybear_mont"     montgomery(Prime::BabyBear);
    KoalaBear        "koalabear"         plain(Prime::KoalaBear);
    KoalaBearMont    "koalabear_mont"    montgomery(Prime::KoalaBear);
    Mersenne31       "mersenne31"        plain(Prime::Mersenne31);
    Goldilocks       "goldilocks"        plain(Prime::Goldilocks);
    GoldilocksMont   "goldilocks_mont"   montgomery(Prime::Goldilocks);
    BabyBearX4       "babybearx4"        extension(DType::BabyBear, extension::BABYBEAR_X4);
    BabyBearX4Mont   "babybearx4_mont"   extension(DType::BabyBearMont, extension::BABYBEAR_X4);
    KoalaBearX4      "koalabearx4"       extension(DType::KoalaBear, extension::KOALABEAR_X4);
    KoalaBearX4Mont  "koalabearx4_mont"  extension(DType::KoalaBearMont, extension::KOALABEAR_X4);
    Mersenne31X2     "mersenne31x2"      extension(DType::Mersenne31, extension::MERSENNE31_X2);
    GoldilocksX2     "goldilocksx2"      extension(DType::Goldilocks, extension::GOLDILOCKS_X2);
    GoldilocksX2Mont "goldilocksx2_mont" extension(DType::GoldilocksMont, extension::GOLDILOCKS_X2);
    GoldilocksX3     "goldilocksx3"      extension(DType::Goldilocks, extension::GOLDILOCKS_X3);
    GoldilocksX3Mont "goldilocksx3_mont" extension(DType::GoldilocksMont, extension::GOLDILOCKS_X3);
    Bn254Sf          "bn254_sf"          words(WideField::plain(WidePrime::Bn254Scalar));
    Bn254SfMont      "bn254_sf_mont"     words(WideField::montgomery(WidePrime::Bn254Scalar));
}

impl Width {
    pub const fn bits(self) -> u32 {
        match self {
            Width::W1 => 1,
            Width::W2 => 2,
            Width::W4 => 4,
            Width::W8 => 8,
            Width::W16 => 16,
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }

    /// The least and the greatest signed integer.
    pub const fn signed_range(self) -> (i64, i64) {
        let unused = 64 - self.bits();
        (i64::MIN >> unused, i64::MAX >> unused)
    }

    /// The greatest unsigned integer.
    pub const fn greatest_unsigned(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The unsigned integers of this width.
    pub const fn unsigned(self) -> DType {
        match self {
            Width::W1 => DType::U1,
            Width::W2 => DType::U2,
            Width::W4 => DType::U4,
            Width::W8 => DType::U8,
            Width::W16 => DType::U16,
            Width::W32 => DType::U32,
            Width::W64 => DType::U64,
        }
    }
}

impl Float {
    /// How the type lays out its bits.
    pub const fn format(self) -> Format {
        let (exponent, mantissa, bias) = match self {
            Float::F16 => (5, 10, 15),
            Float::Bf16 => (8, 7, 127),
            Float::F32 => (8, 23, 127),
            Float::F64 => (11, 52, 1023),
            Float::Small(format) => return format,
        };
        Format { exponent, mantissa, bias, specials: Specials::Ieee }
    }
}

impl Composite {
    /// The number of parts.
    pub const fn parts(self) -> usize {
        match self.algebra {
            Algebra::Complex => 2,
            Algebra::Extension(extension) => extension.degree as usize,
            Algebra::Words(_) => 4,
        }
    }
}

impl DType {
    /// The type of that name, if there is one. `_std` after the name of a field means plain storage, as no suffix does.
    pub fn from_name(name: &str) -> Option<DType> {
        let of = |name: &str| DType::ALL.iter().copied().find(|d| d.name() == name);
        of(name)
            .or_else(|| of(name.strip_suffix("_std")?).filter(|d| d.is_field() && !name.contains("_mont")))
    }

    /// The complex numbers with parts of this type, if there are any.
    pub fn complex_of(part: DType) -> Option<DType> {
        let wanted = TypeKind::Composite(Composite { part, algebra: Algebra::Complex });
        DType::ALL.iter().copied().find(|d| d.kind() == wanted)
    }

    /// Width of one element in bits, as arithmetic sees it: 1 for pred, 4 for s4, 64 for c64.
    pub const fn bits(self) -> u32 {
        match self.kind() {
            TypeKind::Pred => 1,
            TypeKind::Signed(width) | TypeKind::Unsigned(width) => width.bits(),
            TypeKind::Float(float) => float.format().bits(),
            TypeKind::Field(field) => field.prime.parameters().word.bits(),
            TypeKind::Composite(composite) => composite.parts() as u32 * composite.part.bits(),
        }
    }

    /// Width in bits as casts between types of different widths see it: what [`DType::bits`] says, but a pred is a byte.
    pub const fn cast_bits(self) -> u32 {
        if self.is_pred() { 8 } else { self.bits() }
    }

    /// Bytes of one element in a buffer.
    pub const fn size(self) -> usize {
        (self.bits() as usize).div_ceil(8)
    }

    /// The composite this type is, if it is one.
    pub const fn composite(self) -> Option<Composite> {
        match self.kind() {
            TypeKind::Composite(composite) => Some(composite),
            TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Float(_)
            | TypeKind::Field(_) => None,
        }
    }

    /// The type of the parts of a composite; of any other type the type itself.
    pub const fn part(self) -> DType {
        match self.composite() {
            Some(composite) => composite.part,
            None => self,
        }
    }

    /// The float this type is, if it is one.
    pub const fn float(self) -> Option<Float> {
        match self.kind() {
            TypeKind::Float(float) => Some(float),
            TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Field(_)
            | TypeKind::Composite(_) => None,
        }
    }

    /// The prime field this type is, if it is one.
    pub const fn field(self) -> Option<Field> {
        match self.kind() {
            TypeKind::Field(field) => Some(field),
            TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Float(_)
            | TypeKind::Composite(_) => None,
        }
    }

    /// The extension of a prime field this type is, if it is one.
    pub const fn extension(self) -> Option<Extension> {
        match self.kind() {
            TypeKind::Composite(Composite { algebra: Algebra::Extension(extension), .. }) => Some(extension),
            TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Words(_), .. }) => None,
            TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Float(_)
            | TypeKind::Field(_) => None,
        }
    }

    /// The prime field of more than 64 bits this type is, if it is one.
    pub const fn wide_field(self) -> Option<WideField> {
        match self.kind() {
            TypeKind::Composite(Composite { algebra: Algebra::Words(field), .. }) => Some(field),
            TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Extension(_), .. }) => None,
            TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Float(_)
            | TypeKind::Field(_) => None,
        }
    }

    /// Elements of a prime field or of an extension of one: sums and products are exact in any order.
    pub const fn is_field(self) -> bool {
        self.part().field().is_some() || self.wide_field().is_some()
    }

    /// The modulus of the prime field that this is, or that it is an extension of.
    pub const fn modulus(self) -> Option<U256> {
        match (self.part().field(), self.wide_field()) {
            (Some(field), _) => Some(U256::small(field.prime.modulus())),
            (None, Some(field)) => Some(field.prime.modulus()),
            (None, None) => None,
        }
    }

    /// A composite that is split into arrays of its parts before fusion.
    pub const fn is_split(self) -> bool {
        self.composite().is_some() && self.wide_field().is_none()
    }

    /// A signed or unsigned integer of 64 bits.
    pub const fn is_long_integer(self) -> bool {
        matches!(self.integer_width(), Some(Width::W64))
    }

    /// The width of a signed or unsigned integer type.
    pub const fn integer_width(self) -> Option<Width> {
        match self.kind() {
            TypeKind::Signed(width) | TypeKind::Unsigned(width) => Some(width),
            TypeKind::Pred | TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => None,
        }
    }

    /// Whether every element of `self` is also an element of `wider`, sign of zero included; false where nothing is computed
    /// in one of them, and for fields and composites.
    pub fn fits_in(self, wider: DType) -> bool {
        /// Sign, bits of an integer or of a float's fraction, and bits of a float's exponent.
        fn reach(dtype: DType) -> Option<(bool, u32, Option<u32>)> {
            match dtype.kind() {
                TypeKind::Pred => Some((false, 1, None)),
                TypeKind::Signed(width) => Some((true, width.bits() - 1, None)),
                TypeKind::Unsigned(width) => Some((false, width.bits(), None)),
                TypeKind::Float(float @ (Float::F16 | Float::Bf16 | Float::F32 | Float::F64)) => {
                    Some((true, float.format().mantissa + 1, Some(float.format().exponent)))
                }
                TypeKind::Float(Float::Small(_)) | TypeKind::Field(_) | TypeKind::Composite(_) => None,
            }
        }
        let (Some((signed, digits, exponent)), Some((can_sign, room, range))) = (reach(self), reach(wider))
        else {
            return false;
        };
        // The exponents of all floats reach beyond the integers that their fractions hold.
        let range = exponent.is_none_or(|e| range.is_some_and(|r| e <= r));
        !wider.is_pred() && (!signed || can_sign) && digits <= room && range
    }

    pub const fn is_pred(self) -> bool {
        matches!(self.kind(), TypeKind::Pred)
    }

    pub const fn is_float(self) -> bool {
        self.float().is_some()
    }

    pub const fn is_f16(self) -> bool {
        matches!(self, DType::F16)
    }

    pub const fn is_bf16(self) -> bool {
        matches!(self, DType::Bf16)
    }

    pub const fn is_f32(self) -> bool {
        matches!(self, DType::F32)
    }

    pub const fn is_f64(self) -> bool {
        matches!(self, DType::F64)
    }

    pub const fn is_s32(self) -> bool {
        matches!(self, DType::S32)
    }

    pub const fn is_u32(self) -> bool {
        matches!(self, DType::U32)
    }

    pub const fn is_u64(self) -> bool {
        matches!(self, DType::U64)
    }

    /// An 8-bit or narrower float.
    pub const fn is_small_float(self) -> bool {
        matches!(self.kind(), TypeKind::Float(Float::Small(_)))
    }

    pub const fn is_complex(self) -> bool {
        matches!(self.kind(), TypeKind::Composite(Composite { algebra: Algebra::Complex, .. }))
    }

    /// A signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self.kind(), TypeKind::Signed(_))
    }

    /// An unsigned integer; pred is none.
    pub const fn is_unsigned(self) -> bool {
        matches!(self.kind(), TypeKind::Unsigned(_))
    }

    /// A signed or unsigned integer; pred is none.
    pub const fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// Integers and pred: what bitwise operations work on.
    pub const fn has_bitwise(self) -> bool {
        match self.kind() {
            TypeKind::Pred | TypeKind::Signed(_) | TypeKind::Unsigned(_) => true,
            TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => false,
        }
    }

    /// What can be subtracted and divided: all but pred.
    pub const fn is_number(self) -> bool {
        match self.kind() {
            TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Float(_)
            | TypeKind::Field(_)
            | TypeKind::Composite(_) => true,
            TypeKind::Pred => false,
        }
    }

    /// What has a sign or an absolute value less than itself.
    pub const fn is_signed_number(self) -> bool {
        match self.kind() {
            TypeKind::Signed(_) | TypeKind::Float(_) => true,
            TypeKind::Composite(composite) => match composite.algebra {
                Algebra::Complex => true,
                Algebra::Extension(_) | Algebra::Words(_) => false,
            },
            TypeKind::Pred | TypeKind::Unsigned(_) | TypeKind::Field(_) => false,
        }
    }

    /// What has an order: maximum, minimum, clamp and all comparisons. Elements of a field have that of their values.
    pub const fn is_ordered(self) -> bool {
        match self.kind() {
            TypeKind::Pred
            | TypeKind::Signed(_)
            | TypeKind::Unsigned(_)
            | TypeKind::Float(_)
            | TypeKind::Field(_) => true,
            TypeKind::Composite(composite) => match composite.algebra {
                Algebra::Complex | Algebra::Extension(_) => false,
                Algebra::Words(_) => true,
            },
        }
    }

    /// What elementary functions take: floats and complex numbers.
    pub const fn is_continuous(self) -> bool {
        self.is_float() || self.is_complex()
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_round_trip() {
        for &d in DType::ALL {
            assert_eq!(DType::from_name(d.name()), Some(d));
        }
        assert_eq!(DType::from_name("f33"), None);
    }

    #[test]
    fn names_tell_the_width() {
        for &d in DType::ALL.iter().filter(|d| !d.is_pred() && !d.is_field()) {
            let digits: String = d
                .name()
                .chars()
                .skip_while(|c| !c.is_ascii_digit())
                .take_while(char::is_ascii_digit)
                .collect();
            assert_eq!(digits, d.bits().to_string(), "{d}");
        }
    }

    #[test]
    fn parts_are_no_composites() {
        for composite in DType::ALL.iter().filter_map(|d| d.composite()) {
            assert_eq!(composite.part.composite(), None);
        }
    }
}
