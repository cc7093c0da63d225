//! Operations on composite elements as operations on their parts, each written once over [`PartOps`].
//!
//! The interpreter makes them steps of a scalar program, the expansion of composites makes them instructions on
//! arrays, so that both give the same bits. What has no entry here has no meaning on composites. Words of one number are
//! no parts in this sense: [`wide`] has the operations on them.
//!
//! | operation | complex numbers | extensions of prime fields |
//! |---|---|---|
//! | `add` `subtract` `negate` `copy` `select` | part by part | the same |
//! | `multiply` | (ac − bd, ad + bc), each product and sum rounded | Karatsuba's; by an element of the prime field part by part |
//! | `inverse` | – | through the norm; that of 0 is 0 |
//! | `divide` | [`complex`] | by the inverse |
//! | `dot` `convolution` | (Σac − Σbd, Σad + Σbc) | `dot` like `multiply`, with sums of products |
//! | `abs` `sign` `power` `atan2`, elementary functions | [`complex`] | – |
//! | `compare` | EQ where all parts are equal, NE where one is not | the same |
//! | `convert` | parts each; a real number has the imaginary part 0, a complex one becomes its real part, in pred whether it differs from 0 | parts each; to one of no extension belong zeros |
//! | `complex` `real` `imag` | puts together and takes apart | – |

use super::complex;
use super::extension::Base;
use super::wide;
use crate::attrs::{Attrs, Direction};
use crate::dtype::{Algebra, DType, Extension};
use crate::opcode::Opcode;
use crate::scalar::Scalar;

/// Makes operations on values that are no composites.
pub trait PartOps {
    type Value: Clone;

    /// An elementwise operation with a result of this type.
    fn op(&mut self, opcode: Opcode, attrs: Attrs, operands: &[&Self::Value], result: DType) -> Self::Value;

    /// This number at each place of `like`.
    fn constant(&mut self, dtype: DType, value: Scalar, like: &Self::Value) -> Self::Value;
}

/// An operand: its parts, one where the type is no composite.
pub struct Operand<'v, V> {
    pub dtype: DType,
    pub parts: &'v [V],
}

/// The parts of the result of an elementwise operation that takes or gives composites; `None` where it has no meaning.
pub fn elementwise<B: PartOps>(
    b: &mut B,
    (opcode, attrs): (Opcode, &Attrs),
    operands: &[Operand<'_, B::Value>],
    result: DType,
) -> Option<Vec<B::Value>> {
    let each = |b: &mut B, parts: usize, part: DType| {
        let of = |n: usize| -> Vec<&B::Value> {
            operands.iter().map(|o| if o.parts.len() == parts { &o.parts[n] } else { &o.parts[0] }).collect()
        };
        (0..parts).map(|n| b.op(opcode, attrs.clone(), &of(n), part)).collect::<Vec<_>>()
    };
    match (opcode, attrs, operands) {
        (Opcode::Complex, _, [re, im]) if result.is_complex() => {
            Some(vec![re.parts.first()?.clone(), im.parts.first()?.clone()])
        }
        (Opcode::Real, _, [x]) if x.dtype.is_complex() => Some(vec![x.parts.first()?.clone()]),
        (Opcode::Imag, _, [x]) if x.dtype.is_complex() => Some(vec![x.parts.get(1)?.clone()]),
        (Opcode::Add | Opcode::Subtract | Opcode::Negate | Opcode::Copy | Opcode::Select, _, [.., last]) => {
            Some(each(b, last.parts.len(), result.part()))
        }
        (Opcode::Convert, _, [x]) => convert(b, x, result),
        (Opcode::Abs, _, [x]) if x.dtype.is_complex() => match x.parts {
            [re, im] => Some(vec![complex::abs(b, [re, im], result)]),
            _ => None,
        },
        (_, _, [x]) if result.is_complex() && x.dtype == result => match x.parts {
            [re, im] => complex::unary(b, opcode, [re, im], result.part()).map(Vec::from),
            _ => None,
        },
        (_, _, [x, y]) if result.is_complex() && x.dtype == result && y.dtype == result => {
            match (x.parts, y.parts) {
                ([a, b_of_x], [c, d]) => {
                    complex::binary(b, opcode, [a, b_of_x], [c, d], result.part()).map(Vec::from)
                }
                _ => None,
            }
        }
        (Opcode::Multiply, _, [x, y]) => {
            let e = result.extension()?;
            Some(extension_product(Base::new(b, result.part()), e, x.parts, y.parts))
        }
        (Opcode::Inverse, _, [x]) => {
            let e = x.dtype.extension()?;
            Some(Base::new(b, result.part()).extension_inverse(e, x.parts))
        }
        (Opcode::Divide, _, [x, y]) => {
            let e = result.extension()?;
            let mut base = Base::new(b, result.part());
            let inverse = match y.parts {
                [of_base] => vec![base.inverse(of_base)],
                parts => base.extension_inverse(e, parts),
            };
            Some(extension_product(base, e, x.parts, &inverse))
        }
        (Opcode::Compare, Attrs::Compare { direction, .. }, [x, _]) => {
            let joined = match direction {
                Direction::Eq => Opcode::And,
                Direction::Ne => Opcode::Or,
                Direction::Ge | Direction::Gt | Direction::Le | Direction::Lt => return None,
            };
            let mut parts = each(b, x.parts.len(), DType::Pred).into_iter();
            let first = parts.next()?;
            Some(vec![parts.fold(first, |all, part| b.op(joined, Attrs::None, &[&all, &part], DType::Pred))])
        }
        _ => None,
    }
}

fn convert<B: PartOps>(b: &mut B, x: &Operand<'_, B::Value>, result: DType) -> Option<Vec<B::Value>> {
    let to = result.part();
    let part = |b: &mut B, p: &B::Value| b.op(Opcode::Convert, Attrs::None, &[p], to);
    match (x.dtype.composite(), result.composite()) {
        (Some(from), Some(into)) if from.algebra == into.algebra => {
            Some(x.parts.iter().map(|p| part(b, p)).collect())
        }
        (Some(from), None) => match from.algebra {
            // Of a truth value all of it counts.
            Algebra::Complex if result.is_pred() => match x.parts {
                [re, im] => {
                    let (re, im) = (part(b, re), part(b, im));
                    Some(vec![b.op(Opcode::Or, Attrs::None, &[&re, &im], to)])
                }
                _ => None,
            },
            Algebra::Complex => Some(vec![part(b, x.parts.first()?)]),
            Algebra::Extension(_) | Algebra::Words(_) => None,
        },
        (None, Some(into)) => match into.algebra {
            Algebra::Complex => {
                let re = part(b, x.parts.first()?);
                let im = b.constant(to, Scalar::Float(0.0), &re);
                Some(vec![re, im])
            }
            Algebra::Extension(e) => {
                let first = part(b, x.parts.first()?);
                let zero = b.constant(to, Scalar::Unsigned(0), &first);
                Some(std::iter::once(first).chain((1..e.degree).map(|_| zero.clone())).collect())
            }
            Algebra::Words(_) => None,
        },
        _ => None,
    }
}

/// The parts of sums of products, `dot` or `convolution`; `None` where that has no meaning on elements of this type.
pub fn products<B: PartOps>(
    b: &mut B,
    (opcode, attrs): (Opcode, &Attrs),
    x: &[B::Value],
    y: &[B::Value],
    result: DType,
) -> Option<Vec<B::Value>> {
    let part = result.part();
    match (result.composite()?.algebra, x, y) {
        (Algebra::Complex, [a, b_of_x], [c, d]) => {
            let mut sum = |x, y| b.op(opcode, attrs.clone(), &[x, y], part);
            let (ac, bd, ad, bc) = (sum(a, c), sum(b_of_x, d), sum(a, d), sum(b_of_x, c));
            let re = b.op(Opcode::Subtract, Attrs::None, &[&ac, &bd], part);
            Some(vec![re, b.op(Opcode::Add, Attrs::None, &[&ad, &bc], part)])
        }
        (Algebra::Extension(e), ..) if opcode == Opcode::Dot => {
            Some(extension_product(Base::of_dot(b, part, attrs.clone()), e, x, y))
        }
        (Algebra::Complex | Algebra::Extension(_) | Algebra::Words(_), ..) => None,
    }
}

/// The product of two elements, or of one and an element of the prime field.
fn extension_product<B: PartOps>(
    mut base: Base<'_, B>,
    e: Extension,
    x: &[B::Value],
    y: &[B::Value],
) -> Vec<B::Value> {
    match (x, y) {
        ([of_base], parts) => base.scaled_from_left(of_base, parts),
        (parts, [of_base]) => base.scaled(parts, of_base),
        (x, y) => base.extension_product(e, x, y),
    }
}

/// Whether an elementwise operation on these types has a meaning: what [`elementwise`] answers, with nothing made.
pub fn has_meaning(opcode: Opcode, attrs: &Attrs, operands: &[DType], result: DType) -> bool {
    if operands.iter().chain([&result]).any(|d| d.wide_field().is_some()) {
        return wide::operation(opcode, attrs, operands, result).is_some();
    }
    struct Nothing;
    impl PartOps for Nothing {
        type Value = ();
        fn op(&mut self, _: Opcode, _: Attrs, _: &[&()], _: DType) {}
        fn constant(&mut self, _: DType, _: Scalar, _: &()) {}
    }
    let parts = vec![(); operands.iter().map(|&d| part_count(d)).max().unwrap_or(0)];
    let operands: Vec<Operand<()>> =
        operands.iter().map(|&d| Operand { dtype: d, parts: &parts[..part_count(d)] }).collect();
    elementwise(&mut Nothing, (opcode, attrs), &operands, result).is_some()
}

/// The number of parts of an element: one where the type is no composite.
pub fn part_count(dtype: DType) -> usize {
    dtype.composite().map_or(1, |c| c.parts())
}
