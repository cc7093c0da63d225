//! One element as a number, and the bytes it has in an array.

use crate::dtype::{Algebra, DType, Float, TypeKind, U256, WideArithmetic, Width};
use half::{bf16, f16};
use std::fmt;

/// One element, as the widest type of its class. Floats of any width are exact in an `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Pred(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Values of the coefficients of an element of an extension of a prime field.
    Extension(Coefficients),
    /// The value of an element of a prime field of more than 64 bits.
    Wide(U256),
}

/// The bytes of an element as words, the least significant first; those it does not reach are zero.
pub type Bits = [u64; 4];

/// Coefficients of an element of an extension, the constant one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    values: [u64; 4],
    degree: u8,
}

impl Coefficients {
    /// Those of an extension of that degree, at most 4, that are given; zero for the others.
    pub fn new(degree: u32, given: impl IntoIterator<Item = u64>) -> Coefficients {
        let mut values = [0; 4];
        values[..degree as usize].iter_mut().zip(given).for_each(|(v, g)| *v = g);
        Coefficients { values, degree: degree as u8 }
    }

    pub fn values(&self) -> &[u64] {
        &self.values[..self.degree as usize]
    }
}

impl Scalar {
    /// The number as a float, as `convert` makes it: integers beyond 2^53 are rounded, of a complex number it is the
    /// real part.
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Pred(b) => b as u8 as f64,
            Scalar::Signed(i) => i as f64,
            Scalar::Unsigned(u) => u as f64,
            Scalar::Float(f) => f,
            Scalar::Complex(re, _) => re,
            Scalar::Extension(c) => c.values[0] as f64,
            Scalar::Wide(n) => n.as_f64(),
        }
    }

    /// The integer (pred: 0 or 1), `None` for a float, a complex number, an element of an extension, and what is wider.
    pub fn as_i128(self) -> Option<i128> {
        match self {
            Scalar::Pred(b) => Some(b as i128),
            Scalar::Signed(i) => Some(i as i128),
            Scalar::Unsigned(u) => Some(u as i128),
            Scalar::Wide(n) => n.as_i128(),
            Scalar::Float(_) | Scalar::Complex(..) | Scalar::Extension(_) => None,
        }
    }

    /// Zero, or false.
    pub fn zero(dtype: DType) -> Scalar {
        match dtype.kind() {
            TypeKind::Pred => Scalar::Pred(false),
            TypeKind::Signed(_) => Scalar::Signed(0),
            TypeKind::Unsigned(_) => Scalar::Unsigned(0),
            TypeKind::Float(_) => Scalar::Float(0.0),
            TypeKind::Field(_) => Scalar::Unsigned(0),
            TypeKind::Composite(composite) => match composite.algebra {
                Algebra::Complex => Scalar::Complex(0.0, 0.0),
                Algebra::Extension(e) => Scalar::Extension(Coefficients::new(e.degree, [])),
                Algebra::Words(_) => Scalar::Wide(U256::ZERO),
            },
        }
    }

    /// The element with these bits.
    pub fn from_bits(dtype: DType, bits: Bits) -> Scalar {
        Scalar::read(dtype, &U256(bits).to_bytes()[..dtype.size()])
    }

    /// Reads one element from exactly its bytes.
    pub fn read(dtype: DType, b: &[u8]) -> Scalar {
        fn le<const N: usize>(b: &[u8]) -> [u8; N] {
            b[..N].try_into().expect("element width")
        }
        match dtype.kind() {
            TypeKind::Pred => Scalar::Pred(b[0] != 0),
            TypeKind::Signed(width) => Scalar::Signed(match width {
                Width::W1 | Width::W2 | Width::W4 | Width::W8 => b[0] as i8 as i64,
                Width::W16 => i16::from_le_bytes(le(b)) as i64,
                Width::W32 => i32::from_le_bytes(le(b)) as i64,
                Width::W64 => i64::from_le_bytes(le(b)),
            }),
            TypeKind::Unsigned(width) => Scalar::Unsigned(match width {
                Width::W1 | Width::W2 | Width::W4 | Width::W8 => b[0] as u64,
                Width::W16 => u16::from_le_bytes(le(b)) as u64,
                Width::W32 => u32::from_le_bytes(le(b)) as u64,
                Width::W64 => u64::from_le_bytes(le(b)),
            }),
            TypeKind::Float(float) => Scalar::Float(match float {
                Float::F16 => f16::from_le_bytes(le(b)).to_f64(),
                Float::Bf16 => bf16::from_le_bytes(le(b)).to_f64(),
                Float::F32 => f32::from_le_bytes(le(b)) as f64,
                Float::F64 => f64::from_le_bytes(le(b)),
                Float::Small(format) => format.decode(b[0] as u64),
            }),
            TypeKind::Field(field) => Scalar::Unsigned(field.value(match dtype.size() {
                4 => u32::from_le_bytes(le(b)) as u64,
                _ => u64::from_le_bytes(le(b)),
            })),
            TypeKind::Composite(composite) => match composite.algebra {
                Algebra::Complex => {
                    let (re, im) = b.split_at(composite.part.size());
                    let part = |b| Scalar::read(composite.part, b).as_f64();
                    Scalar::Complex(part(re), part(im))
                }
                Algebra::Extension(e) => {
                    let size = composite.part.size();
                    let values =
                        b.chunks_exact(size).map(|b| Scalar::read(composite.part, b).as_wrapping_u64());
                    Scalar::Extension(Coefficients::new(e.degree, values))
                }
                Algebra::Words(field) => Scalar::Wide(field.value(U256::from_bytes(le(b)))),
            },
        }
    }

    /// Appends the bytes of this number as an element of the type; integers wrap to the width, floats round to nearest
    /// even, of a complex number the real part becomes a real one. An element of a field is the number modulo p.
    pub fn push(self, dtype: DType, out: &mut Vec<u8>) {
        match dtype.kind() {
            TypeKind::Pred => out.push(self.is_nonzero() as u8),
            TypeKind::Signed(width) | TypeKind::Unsigned(width) => {
                let n = match dtype.is_signed() {
                    true => wrapped(self.as_wrapping_i64(), width),
                    false => self.as_wrapping_u64() & (u64::MAX >> (64 - width.bits())),
                };
                out.extend_from_slice(&n.to_le_bytes()[..dtype.size()]);
            }
            TypeKind::Float(float) => match float {
                Float::F16 => out.extend(f16::from_f64(self.as_f64()).to_le_bytes()),
                Float::Bf16 => out.extend(bf16::from_f64(self.as_f64()).to_le_bytes()),
                Float::F32 => out.extend((self.as_f64() as f32).to_le_bytes()),
                Float::F64 => out.extend(self.as_f64().to_le_bytes()),
                Float::Small(format) => out.push(format.encode_wide(self.as_f64()) as u8),
            },
            TypeKind::Field(field) => {
                let p = i128::from(field.prime.modulus());
                let value = self.as_i128().unwrap_or(i128::from(self.as_wrapping_i64())).rem_euclid(p);
                out.extend_from_slice(&field.stored(value as u64).to_le_bytes()[..dtype.size()]);
            }
            TypeKind::Composite(composite) => match composite.algebra {
                Algebra::Complex => {
                    let (re, im) = match self {
                        Scalar::Complex(re, im) => (Scalar::Float(re), Scalar::Float(im)),
                        real => (real, Scalar::Float(0.0)),
                    };
                    re.push(composite.part, out);
                    im.push(composite.part, out);
                }
                Algebra::Extension(e) => match self {
                    Scalar::Extension(c) => {
                        let given = Coefficients::new(e.degree, c.values().iter().copied());
                        given.values().iter().for_each(|&v| Scalar::Unsigned(v).push(composite.part, out));
                    }
                    of_base => {
                        of_base.push(composite.part, out);
                        (1..e.degree).for_each(|_| Scalar::Unsigned(0).push(composite.part, out));
                    }
                },
                Algebra::Words(field) => {
                    let of = WideArithmetic::new(field);
                    let storage = match self {
                        Scalar::Wide(n) => of.stored(n),
                        Scalar::Unsigned(n) => of.stored(U256::small(n)),
                        other => of.stored_signed(other.as_wrapping_i64()),
                    };
                    out.extend_from_slice(&storage.to_bytes());
                }
            },
        }
    }

    fn is_nonzero(self) -> bool {
        match self {
            Scalar::Pred(b) => b,
            Scalar::Signed(i) => i != 0,
            Scalar::Unsigned(u) => u != 0,
            Scalar::Float(f) => f != 0.0,
            Scalar::Complex(re, im) => re != 0.0 || im != 0.0,
            Scalar::Extension(c) => c.values().iter().any(|&v| v != 0),
            Scalar::Wide(n) => !n.is_zero(),
        }
    }

    /// The low 64 bits of an integer; other numbers truncate, and saturate at the bounds of an i64.
    fn as_wrapping_i64(self) -> i64 {
        match self {
            Scalar::Pred(b) => b as i64,
            Scalar::Signed(i) => i,
            Scalar::Unsigned(u) => u as i64,
            Scalar::Float(f) | Scalar::Complex(f, _) => f as i64,
            Scalar::Extension(c) => c.values[0] as i64,
            Scalar::Wide(n) => n.0[0] as i64,
        }
    }

    /// The same with the bounds of a u64.
    fn as_wrapping_u64(self) -> u64 {
        match self {
            Scalar::Pred(_)
            | Scalar::Signed(_)
            | Scalar::Unsigned(_)
            | Scalar::Extension(_)
            | Scalar::Wide(_) => self.as_wrapping_i64() as u64,
            Scalar::Float(f) | Scalar::Complex(f, _) => f as u64,
        }
    }
}

/// The shortest text that reads back: of a float that an f32 holds exactly, as an f32.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Scalar::Pred(b) => write!(f, "{b}"),
            Scalar::Signed(i) => write!(f, "{i}"),
            Scalar::Unsigned(u) => write!(f, "{u}"),
            Scalar::Wide(n) => write!(f, "{n}"),
            Scalar::Float(x) if x as f32 as f64 == x => write!(f, "{}", x as f32),
            Scalar::Float(x) => write!(f, "{x}"),
            Scalar::Complex(re, im) => write!(f, "({}, {})", Scalar::Float(re), Scalar::Float(im)),
            Scalar::Extension(c) => {
                let parts: Vec<String> = c.values().iter().map(u64::to_string).collect();
                write!(f, "({})", parts.join(" "))
            }
        }
    }
}

/// The low bits of an integer, sign-extended.
fn wrapped(n: i64, width: Width) -> u64 {
    let unused = 64 - width.bits();
    (n << unused >> unused) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(dtype: DType, value: Scalar) -> Scalar {
        let mut bytes = Vec::new();
        value.push(dtype, &mut bytes);
        assert_eq!(bytes.len(), dtype.size(), "{dtype}");
        Scalar::read(dtype, &bytes)
    }

    #[test]
    fn every_type_holds_one() {
        for &dtype in DType::ALL {
            for value in [Scalar::Signed(1), Scalar::Unsigned(1), Scalar::Float(1.0), Scalar::Pred(true)] {
                // The one bit of s1 is its sign.
                let one = if dtype.is_signed() && dtype.bits() == 1 { -1.0 } else { 1.0 };
                assert_eq!(pushed(dtype, value).as_f64(), one, "{dtype} {value:?}");
            }
        }
    }

    #[test]
    fn complex_numbers_keep_both_parts() {
        for dtype in [DType::C64, DType::C128] {
            assert_eq!(pushed(dtype, Scalar::Complex(1.5, -2.0)), Scalar::Complex(1.5, -2.0));
            assert_eq!(pushed(dtype, Scalar::Float(3.0)), Scalar::Complex(3.0, 0.0));
        }
        assert_eq!(pushed(DType::F32, Scalar::Complex(1.5, -2.0)), Scalar::Float(1.5));
        assert_eq!(pushed(DType::Pred, Scalar::Complex(0.0, -2.0)), Scalar::Pred(true));
    }

    #[test]
    fn narrow_integers_wrap() {
        assert_eq!(pushed(DType::S4, Scalar::Signed(9)), Scalar::Signed(-7));
        assert_eq!(pushed(DType::U4, Scalar::Signed(-1)), Scalar::Unsigned(15));
        assert_eq!(pushed(DType::U32, Scalar::Signed(-1)), Scalar::Unsigned(u32::MAX as u64));
        assert_eq!(pushed(DType::S32, Scalar::Unsigned(1 << 31)), Scalar::Signed(i32::MIN as i64));
    }
}
