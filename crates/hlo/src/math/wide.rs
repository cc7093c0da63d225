//! Operations in a prime field of more than 64 bits, on storage words: the meaning that generated code is compared with.

use crate::attrs::Attrs;
use crate::dtype::{DType, TypeKind, U256, WideArithmetic, WideField};
use crate::opcode::Opcode;

/// An elementwise operation on the words of its operands, all of them in a row; the words of the result go to the slice.
pub type Operation = Box<dyn Fn(&[u64], &mut [u64])>;

/// The meaning of an elementwise operation that takes or gives elements of such fields; `None` if it has none.
pub fn operation(opcode: Opcode, attrs: &Attrs, operands: &[DType], result: DType) -> Option<Operation> {
    match (opcode, attrs, operands) {
        (Opcode::Copy, _, [x]) if *x == result => Some(Box::new(|args, out| out.copy_from_slice(args))),
        (Opcode::Convert, _, [from]) => convert(*from, result),
        (Opcode::Compare, &Attrs::Compare { direction, .. }, [x, y]) if x == y => {
            let of = WideArithmetic::new(x.wide_field()?);
            Some(Box::new(move |args, out| {
                let order = of.value(at(args, 0)).cmp(&of.value(at(args, 4)));
                out[0] = u64::from(direction.holds(order));
            }))
        }
        (Opcode::Select, _, [mask, x, y]) if mask.is_pred() && x == y && *x == result => {
            Some(Box::new(|args, out| {
                out.copy_from_slice(if args[0] != 0 { &args[1..5] } else { &args[5..9] });
            }))
        }
        (Opcode::Clamp, _, [low, x, high]) if low == x && x == high && *x == result => {
            let of = WideArithmetic::new(x.wide_field()?);
            Some(Box::new(move |args, out| {
                let raised = chosen(of, at(args, 0), at(args, 4), true);
                out.copy_from_slice(&chosen(of, raised, at(args, 8), false).0);
            }))
        }
        (Opcode::Power, _, [x, exponent]) if *x == result && exponent.is_unsigned() => {
            let of = WideArithmetic::new(x.wide_field()?);
            Some(Box::new(move |args, out| {
                out.copy_from_slice(&of.power(at(args, 0), U256::small(args[4])).0);
            }))
        }
        (_, _, [x]) if *x == result => {
            let of = WideArithmetic::new(x.wide_field()?);
            let f = match opcode {
                Opcode::Negate => WideArithmetic::negate,
                Opcode::Inverse => WideArithmetic::inverse,
                _ => return None,
            };
            Some(Box::new(move |args, out| out.copy_from_slice(&f(of, at(args, 0)).0)))
        }
        (_, _, [x, y]) if x == y && *x == result => {
            let of = WideArithmetic::new(x.wide_field()?);
            let f = match opcode {
                Opcode::Add => WideArithmetic::add,
                Opcode::Subtract => WideArithmetic::subtract,
                Opcode::Multiply => WideArithmetic::multiply,
                Opcode::Divide => WideArithmetic::divide,
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
    let of = WideArithmetic::new(field);
    Box::new(move |args, out| {
        out.copy_from_slice(&of.add(of.multiply(at(args, 0), at(args, 4)), at(args, 8)).0);
    })
}

/// The element whose words begin there.
fn at(words: &[u64], first: usize) -> U256 {
    U256(std::array::from_fn(|n| words[first + n]))
}

/// The element of the greater or the lesser value.
fn chosen(of: WideArithmetic, x: U256, y: U256, greater: bool) -> U256 {
    let (vx, vy) = (of.value(x), of.value(y));
    if (greater && vy > vx) || (!greater && vy < vx) { y } else { x }
}

/// Integers are taken modulo p; to integers it is the value, which wraps; to pred whether it is not zero.
fn convert(from: DType, to: DType) -> Option<Operation> {
    match (from.wide_field(), to.wide_field()) {
        (Some(own), Some(into)) if own.prime == into.prime => {
            let (own, into) = (WideArithmetic::new(own), WideArithmetic::new(into));
            Some(Box::new(move |args, out| out.copy_from_slice(&into.stored(own.value(at(args, 0))).0)))
        }
        (Some(own), None) => {
            let of = WideArithmetic::new(own);
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
            let of = WideArithmetic::new(into);
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
    use crate::dtype::WidePrime;

    #[test]
    fn both_storages_compute_the_same_values() {
        for &prime in WidePrime::ALL {
            let (plain, mont) = (
                WideArithmetic::new(WideField::plain(prime)),
                WideArithmetic::new(WideField::montgomery(prime)),
            );
            let p = prime.modulus();
            let last = p.minus(U256::ONE).0;
            let edges = [U256::ZERO, U256::ONE, U256::small(u64::MAX), p.shifted_down(1), last];
            for x in edges {
                let on_one = |f: fn(WideArithmetic, U256) -> U256| {
                    assert_eq!(mont.value(f(mont, mont.stored(x))), f(plain, x), "{prime:?} {x}");
                };
                on_one(WideArithmetic::negate);
                on_one(WideArithmetic::inverse);
                on_one(|a, x| a.power(x, U256::small(5)));
                for y in edges {
                    let on_two = |f: fn(WideArithmetic, U256, U256) -> U256| {
                        let found = mont.value(f(mont, mont.stored(x), mont.stored(y)));
                        assert_eq!(found, f(plain, x, y), "{prime:?} {x} {y}");
                    };
                    on_two(WideArithmetic::add);
                    on_two(WideArithmetic::subtract);
                    on_two(WideArithmetic::multiply);
                    on_two(WideArithmetic::divide);
                }
            }
        }
    }

    #[test]
    fn edges_are_those_of_integers_modulo_p() {
        for &prime in WidePrime::ALL {
            for field in [WideField::plain(prime), WideField::montgomery(prime)] {
                let a = WideArithmetic::new(field);
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
