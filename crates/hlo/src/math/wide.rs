//! Arithmetic in a prime field of more than 64 bits, on storage words: the meaning that generated code is compared with.

use crate::attrs::{Attrs, Direction};
use crate::dtype::{DType, Storage, TypeKind, U256, WideField, WidePrime};
use crate::opcode::Opcode;

/// The operations of a field. Operands are storage words below the modulus, and so are results.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic {
    field: WideField,
    modulus: U256,
}

impl Arithmetic {
    pub const fn new(field: WideField) -> Arithmetic {
        Arithmetic { field, modulus: field.prime.modulus() }
    }

    pub fn prime(self) -> WidePrime {
        self.field.prime
    }

    pub fn one(self) -> U256 {
        self.field.stored(U256::ONE)
    }

    pub fn add(self, x: U256, y: U256) -> U256 {
        x.plus_modulo(y, self.modulus)
    }

    pub fn subtract(self, x: U256, y: U256) -> U256 {
        let (difference, borrow) = x.minus(y);
        if borrow { difference.plus(self.modulus).0 } else { difference }
    }

    pub fn negate(self, x: U256) -> U256 {
        self.subtract(U256::ZERO, x)
    }

    pub fn multiply(self, x: U256, y: U256) -> U256 {
        // The value of a product of storages has one R too many in Montgomery form.
        match self.field.storage {
            Storage::Plain => self.field.prime.multiply(x, y),
            Storage::Montgomery => self.field.prime.montgomery_product(x, y),
        }
    }

    /// The power 0 is one, of 0 too.
    pub fn power(self, x: U256, exponent: U256) -> U256 {
        (0..256).rev().fold(self.one(), |power, n| {
            let square = self.multiply(power, power);
            if exponent.digit(n) { self.multiply(square, x) } else { square }
        })
    }

    /// The multiplicative inverse; that of 0 is 0.
    pub fn inverse(self, x: U256) -> U256 {
        self.power(x, self.modulus.minus(U256::small(2)).0)
    }

    /// x·y⁻¹; 0 where y is 0.
    pub fn divide(self, x: U256, y: U256) -> U256 {
        self.multiply(x, self.inverse(y))
    }

    pub fn value(self, storage: U256) -> U256 {
        self.field.value(storage)
    }

    /// The storage words of an integer, modulo p.
    pub fn stored(self, number: U256) -> U256 {
        self.field.stored(number)
    }

    /// The storage words of a signed integer, modulo p.
    pub fn stored_signed(self, number: i64) -> U256 {
        let magnitude = self.stored(U256::small(number.unsigned_abs()));
        if number < 0 { self.negate(magnitude) } else { magnitude }
    }

    /// Any words as storage words, modulo p.
    pub fn reduced(self, words: U256) -> U256 {
        WideField::plain(self.field.prime).stored(words)
    }
}

/// An elementwise operation on the words of its operands, all of them in a row; the words of the result go to the slice.
pub type Operation = Box<dyn Fn(&[u64], &mut [u64])>;

/// The meaning of an elementwise operation that takes or gives elements of such fields; `None` if it has none.
pub fn operation(opcode: Opcode, attrs: &Attrs, operands: &[DType], result: DType) -> Option<Operation> {
    match (opcode, attrs, operands) {
        (Opcode::Copy, _, [x]) if *x == result => Some(Box::new(|args, out| out.copy_from_slice(args))),
        (Opcode::Convert, _, [from]) => convert(*from, result),
        (Opcode::Compare, &Attrs::Compare { direction, .. }, [x, y]) if x == y => {
            let of = Arithmetic::new(x.wide_field()?);
            Some(Box::new(move |args, out| {
                let order = of.value(at(args, 0)).cmp(&of.value(at(args, 4)));
                out[0] = u64::from(match direction {
                    Direction::Eq => order.is_eq(),
                    Direction::Ne => order.is_ne(),
                    Direction::Lt => order.is_lt(),
                    Direction::Le => order.is_le(),
                    Direction::Gt => order.is_gt(),
                    Direction::Ge => order.is_ge(),
                });
            }))
        }
        (Opcode::Select, _, [mask, x, y]) if mask.is_pred() && x == y && *x == result => {
            Some(Box::new(|args, out| {
                out.copy_from_slice(if args[0] != 0 { &args[1..5] } else { &args[5..9] });
            }))
        }
        (Opcode::Clamp, _, [low, x, high]) if low == x && x == high && *x == result => {
            let of = Arithmetic::new(x.wide_field()?);
            Some(Box::new(move |args, out| {
                let raised = chosen(of, at(args, 0), at(args, 4), true);
                out.copy_from_slice(&chosen(of, raised, at(args, 8), false).0);
            }))
        }
        (Opcode::Power, _, [x, exponent]) if *x == result && exponent.is_unsigned() => {
            let of = Arithmetic::new(x.wide_field()?);
            Some(Box::new(move |args, out| {
                out.copy_from_slice(&of.power(at(args, 0), U256::small(args[4])).0);
            }))
        }
        (_, _, [x]) if *x == result => {
            let of = Arithmetic::new(x.wide_field()?);
            let f = match opcode {
                Opcode::Negate => Arithmetic::negate,
                Opcode::Inverse => Arithmetic::inverse,
                _ => return None,
            };
            Some(Box::new(move |args, out| out.copy_from_slice(&f(of, at(args, 0)).0)))
        }
        (_, _, [x, y]) if x == y && *x == result => {
            let of = Arithmetic::new(x.wide_field()?);
            let f = match opcode {
                Opcode::Add => Arithmetic::add,
                Opcode::Subtract => Arithmetic::subtract,
                Opcode::Multiply => Arithmetic::multiply,
                Opcode::Divide => Arithmetic::divide,
                Opcode::Maximum => |of, x, y| chosen(of, x, y, true),
                Opcode::Minimum => |of, x, y| chosen(of, x, y, false),
                _ => return None,
            };
            Some(Box::new(move |args, out| out.copy_from_slice(&f(of, at(args, 0), at(args, 4)).0)))
        }
        _ => None,
    }
}

/// x·y + z.
pub fn multiply_add(field: WideField) -> Operation {
    let of = Arithmetic::new(field);
    Box::new(move |args, out| {
        out.copy_from_slice(&of.add(of.multiply(at(args, 0), at(args, 4)), at(args, 8)).0);
    })
}

/// The element whose words begin there.
fn at(words: &[u64], first: usize) -> U256 {
    U256(std::array::from_fn(|n| words[first + n]))
}

/// The element of the greater or the lesser value.
fn chosen(of: Arithmetic, x: U256, y: U256, greater: bool) -> U256 {
    let (vx, vy) = (of.value(x), of.value(y));
    if (greater && vy > vx) || (!greater && vy < vx) { y } else { x }
}

/// Integers are taken modulo p; to integers it is the value, which wraps; to pred whether it is not zero.
fn convert(from: DType, to: DType) -> Option<Operation> {
    match (from.wide_field(), to.wide_field()) {
        (Some(own), Some(into)) if own.prime == into.prime => {
            let (own, into) = (Arithmetic::new(own), Arithmetic::new(into));
            Some(Box::new(move |args, out| out.copy_from_slice(&into.stored(own.value(at(args, 0))).0)))
        }
        (Some(own), None) => {
            let of = Arithmetic::new(own);
            match to.kind() {
                TypeKind::Pred => Some(Box::new(move |args, out| out[0] = u64::from(!at(args, 0).is_zero()))),
                TypeKind::Signed(width) => Some(Box::new(move |args, out| {
                    let unused = 64 - width.bits();
                    out[0] = ((of.value(at(args, 0)).0[0] << unused) as i64 >> unused) as u64;
                })),
                TypeKind::Unsigned(width) => Some(Box::new(move |args, out| {
                    out[0] = of.value(at(args, 0)).0[0] & width.greatest_unsigned();
                })),
                TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => None,
            }
        }
        (None, Some(into)) => {
            let of = Arithmetic::new(into);
            match from.kind() {
                TypeKind::Signed(_) => Some(Box::new(move |args, out| {
                    out.copy_from_slice(&of.stored_signed(args[0] as i64).0);
                })),
                TypeKind::Unsigned(_) | TypeKind::Pred => Some(Box::new(move |args, out| {
                    out.copy_from_slice(&of.stored(U256::small(args[0])).0);
                })),
                TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => None,
            }
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_storages_compute_the_same_values() {
        for &prime in WidePrime::ALL {
            let (plain, mont) =
                (Arithmetic::new(WideField::plain(prime)), Arithmetic::new(WideField::montgomery(prime)));
            let p = prime.modulus();
            let last = p.minus(U256::ONE).0;
            let edges = [U256::ZERO, U256::ONE, U256::small(u64::MAX), p.shifted_down(1), last];
            for x in edges {
                let on_one = |f: fn(Arithmetic, U256) -> U256| {
                    assert_eq!(mont.value(f(mont, mont.stored(x))), f(plain, x), "{prime:?} {x}");
                };
                on_one(Arithmetic::negate);
                on_one(Arithmetic::inverse);
                on_one(|a, x| a.power(x, U256::small(5)));
                for y in edges {
                    let on_two = |f: fn(Arithmetic, U256, U256) -> U256| {
                        let found = mont.value(f(mont, mont.stored(x), mont.stored(y)));
                        assert_eq!(found, f(plain, x, y), "{prime:?} {x} {y}");
                    };
                    on_two(Arithmetic::add);
                    on_two(Arithmetic::subtract);
                    on_two(Arithmetic::multiply);
                    on_two(Arithmetic::divide);
                }
            }
        }
    }

    #[test]
    fn edges_are_those_of_integers_modulo_p() {
        for &prime in WidePrime::ALL {
            for field in [WideField::plain(prime), WideField::montgomery(prime)] {
                let a = Arithmetic::new(field);
                let (zero, one) = (U256::ZERO, a.one());
                let last = a.negate(one);
                assert_eq!(a.value(last), prime.modulus().minus(U256::ONE).0);
                assert_eq!(a.multiply(last, last), one);
                assert_eq!(a.value(a.add(last, last)), prime.modulus().minus(U256::small(2)).0);
                assert_eq!(a.subtract(zero, one), last);
                assert_eq!((a.negate(zero), a.inverse(zero), a.power(zero, zero)), (zero, zero, one));
                assert_eq!(a.multiply(a.stored(U256::small(77)), a.inverse(a.stored(U256::small(77)))), one);
                assert_eq!(a.stored_signed(-1), last);
                assert_eq!(a.reduced(prime.modulus()), zero);
            }
        }
    }
}
