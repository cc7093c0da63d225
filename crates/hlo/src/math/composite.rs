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
//! | `inverse` `divide` | – | through the norm; that of 0 is 0 |
//! | `dot` | – | the same with sums of products |
//! | `abs` | m·√(1 + (n/m)²) of the greater and the lesser magnitude, within 2 ulp; infinite where a part is | – |
//! | `compare` | EQ where all parts are equal, NE where one is not | the same |
//! | `convert` | parts each; a real number has the imaginary part 0, a complex one becomes its real part | parts each; to one of no extension belong zeros |
//! | `complex` `real` `imag` | puts together and takes apart | – |

use super::extension::Base;
use super::wide;
use crate::attrs::{Attrs, CompareOrder, Direction};
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
        (Opcode::Multiply, _, [x, y]) => match result.composite()?.algebra {
            Algebra::Complex => Some(complex_product(b, x.parts, y.parts, result.part())),
            Algebra::Extension(e) => {
                Some(extension_product(Base::new(b, result.part()), e, x.parts, y.parts))
            }
            Algebra::Words(_) => None,
        },
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
        (Opcode::Abs, _, [x]) => match x.dtype.composite()?.algebra {
            Algebra::Complex => Some(vec![complex_magnitude(b, x.parts, result)]),
            Algebra::Extension(_) | Algebra::Words(_) => None,
        },
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
        (Opcode::Convert, _, [x]) => convert(b, x, result),
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

/// The parts of a `dot` of elements of an extension, or of such and elements of its prime field; `None` where the result
/// is no extension.
pub fn dot<B: PartOps>(
    b: &mut B,
    dims: &Attrs,
    x: &[B::Value],
    y: &[B::Value],
    result: DType,
) -> Option<Vec<B::Value>> {
    let base = Base::of_dot(b, result.part(), dims.clone());
    Some(extension_product(base, result.extension()?, x, y))
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

fn complex_product<B: PartOps>(b: &mut B, x: &[B::Value], y: &[B::Value], part: DType) -> Vec<B::Value> {
    let mut op = |opcode, x: &B::Value, y: &B::Value| b.op(opcode, Attrs::None, &[x, y], part);
    let ac = op(Opcode::Multiply, &x[0], &y[0]);
    let bd = op(Opcode::Multiply, &x[1], &y[1]);
    let ad = op(Opcode::Multiply, &x[0], &y[1]);
    let bc = op(Opcode::Multiply, &x[1], &y[0]);
    vec![op(Opcode::Subtract, &ac, &bd), op(Opcode::Add, &ad, &bc)]
}

/// Dividing by the greater part first keeps squares from overflowing.
fn complex_magnitude<B: PartOps>(b: &mut B, x: &[B::Value], part: DType) -> B::Value {
    let re = b.op(Opcode::Abs, Attrs::None, &[&x[0]], part);
    let im = b.op(Opcode::Abs, Attrs::None, &[&x[1]], part);
    let greater = b.op(Opcode::Maximum, Attrs::None, &[&re, &im], part);
    let lesser = b.op(Opcode::Minimum, Attrs::None, &[&re, &im], part);
    let ratio = b.op(Opcode::Divide, Attrs::None, &[&lesser, &greater], part);
    let square = b.op(Opcode::Multiply, Attrs::None, &[&ratio, &ratio], part);
    let one = b.constant(part, Scalar::Float(1.0), &square);
    let sum = b.op(Opcode::Add, Attrs::None, &[&one, &square], part);
    let root = b.op(Opcode::Sqrt, Attrs::None, &[&sum], part);
    let length = b.op(Opcode::Multiply, Attrs::None, &[&greater, &root], part);
    // 0/0 and ∞/∞ are the ratios that are none.
    let zero = b.constant(part, Scalar::Float(0.0), &length);
    let length = choose(b, (&greater, &zero), &zero, &length, part);
    let infinity = b.constant(part, Scalar::Float(f64::INFINITY), &length);
    let length = choose(b, (&re, &infinity), &infinity, &length, part);
    choose(b, (&im, &infinity), &infinity, &length, part)
}

/// `a == b ? then : otherwise`.
fn choose<B: PartOps>(
    b: &mut B,
    (x, y): (&B::Value, &B::Value),
    then: &B::Value,
    otherwise: &B::Value,
    part: DType,
) -> B::Value {
    let equal = Attrs::Compare { direction: Direction::Eq, order: CompareOrder::Default };
    let equal = b.op(Opcode::Compare, equal, &[x, y], DType::Pred);
    b.op(Opcode::Select, Attrs::None, &[&equal, then, otherwise], part)
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
