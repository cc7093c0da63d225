//! Shape rules of elementwise operations: one result element from the operand elements at the same index.

use super::ShapeError;
use super::args::{Site, class, fail, same_dims, same_dtype};
use crate::attrs::{Attrs, CompareOrder, Direction};
use crate::dtype::DType;
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

/// One operand; the same dimensions, and mostly the same element type.
pub(super) fn unary(site: &Site) -> Result<Shape, ShapeError> {
    use Opcode::*;
    let [x] = site.arrays()?;
    plain(site)?;
    let d = x.dtype;
    match site.opcode {
        Ceil | Erf | Floor | RoundNearestAfz | RoundNearestEven => class(d.is_float(), "floats", x)?,
        IsFinite => {
            class(d.is_float(), "floats", x)?;
            return Ok(Shape::Array(x.with_dtype(DType::Pred)));
        }
        CountLeadingZeros | PopulationCount => class(d.is_integer(), "integers", x)?,
        Not => class(d.has_bitwise(), "integers or pred", x)?,
        Negate => class(d.is_number(), "numbers", x)?,
        Inverse => class(d.is_field(), "elements of a prime field", x)?,
        Sign => class(d.is_signed_number(), "signed numbers", x)?,
        Abs | Real | Imag => {
            match site.opcode {
                Abs => class(d.is_signed_number(), "signed numbers", x)?,
                _ => class(d.is_continuous(), "complex numbers or floats", x)?,
            }
            return Ok(Shape::Array(x.with_dtype(d.part())));
        }
        _ => class(d.is_continuous(), "floats or complex numbers", x)?,
    }
    Ok(Shape::Array(x.clone()))
}

/// Two operands of one shape, which is the result's.
pub(super) fn binary(site: &Site) -> Result<Shape, ShapeError> {
    use Opcode::*;
    let [a, b] = site.arrays()?;
    plain(site)?;
    same_dims(&[a, b])?;
    if let Some(result) = in_field(site.opcode, a, b)? {
        return Ok(Shape::Array(a.with_dtype(result)));
    }
    same_dtype(a, b)?;
    let d = a.dtype;
    match site.opcode {
        And | Or | Xor => class(d.has_bitwise(), "integers or pred", a)?,
        ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | MulHi => class(d.is_integer(), "integers", a)?,
        Atan2 => class(d.is_continuous(), "floats or complex numbers", a)?,
        Maximum | Minimum => class(d.is_ordered(), "ordered elements", a)?,
        Remainder => class(d.is_number() && d.is_ordered() && !d.is_field(), "real numbers", a)?,
        Subtract | Divide | Power => class(d.is_number(), "numbers", a)?,
        _ => {}
    }
    Ok(Shape::Array(a.clone()))
}

/// Operations of fields on operands of two types: powers with unsigned exponents, and products and quotients of an
/// element of an extension and one of its prime field.
fn in_field(opcode: Opcode, a: &ArrayShape, b: &ArrayShape) -> Result<Option<DType>, ShapeError> {
    match opcode {
        Opcode::Power if a.dtype.is_field() => {
            class(
                b.dtype.is_unsigned(),
                "an unsigned integer as exponent of an element of a prime field",
                b,
            )?;
            Ok(Some(a.dtype))
        }
        Opcode::Multiply if b.dtype.extension().is_some() && b.dtype.part() == a.dtype => Ok(Some(b.dtype)),
        Opcode::Multiply | Opcode::Divide if a.dtype.extension().is_some() && a.dtype.part() == b.dtype => {
            Ok(Some(a.dtype))
        }
        _ => Ok(None),
    }
}

/// Refuses attributes where there are none.
fn plain(site: &Site) -> Result<(), ShapeError> {
    match site.attrs {
        Attrs::None => Ok(()),
        _ => fail!("takes no attributes"),
    }
}

pub(super) fn complex(site: &Site) -> Result<Shape, ShapeError> {
    let [re, im] = site.arrays()?;
    same_dims(&[re, im])?;
    same_dtype(re, im)?;
    match DType::complex_of(re.dtype) {
        Some(complex) => Ok(Shape::Array(re.with_dtype(complex))),
        None => fail!("needs f32 or f64, not {re}"),
    }
}

pub(super) fn compare(site: &Site) -> Result<Shape, ShapeError> {
    let [a, b] = site.arrays()?;
    same_dims(&[a, b])?;
    same_dtype(a, b)?;
    let Attrs::Compare { direction, order } = site.attrs else { return site.wrong_attrs() };
    let floating = a.dtype.is_continuous();
    match order {
        CompareOrder::Default => {}
        CompareOrder::Float => class(floating, "floats for type=FLOAT", a)?,
        CompareOrder::TotalOrder => class(a.dtype.is_float(), "floats for type=TOTALORDER", a)?,
        CompareOrder::Signed => class(a.dtype.has_bitwise(), "integers for type=SIGNED", a)?,
        CompareOrder::Unsigned => class(a.dtype.has_bitwise(), "integers for type=UNSIGNED", a)?,
    }
    if !a.dtype.is_ordered() && !matches!(direction, Direction::Eq | Direction::Ne) {
        return fail!("orders elements of {}; only EQ and NE are defined", a.dtype);
    }
    Ok(Shape::Array(a.with_dtype(DType::Pred)))
}

/// `clamp(min, x, max)`; the bounds may be scalars.
pub(super) fn clamp(site: &Site) -> Result<Shape, ShapeError> {
    let [min, x, max] = site.arrays()?;
    class(x.dtype.is_ordered(), "ordered elements", x)?;
    for bound in [min, max] {
        same_dtype(x, bound)?;
        if !bound.is_scalar() {
            same_dims(&[x, bound])?;
        }
    }
    Ok(Shape::Array(x.clone()))
}

/// `select(pred, on_true, on_false)`; the predicate may be a scalar.
pub(super) fn select(site: &Site) -> Result<Shape, ShapeError> {
    let [pred, on_true, on_false] = site.arrays()?;
    class(pred.dtype.is_pred(), "a pred as operand 0", pred)?;
    same_dtype(on_true, on_false)?;
    same_dims(&[on_true, on_false])?;
    if !pred.is_scalar() {
        same_dims(&[on_true, pred])?;
    }
    Ok(Shape::Array(on_true.clone()))
}

/// A scalar computation over the elements at each index.
pub(super) fn map(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Map { dims, to_apply } = site.attrs else { return site.wrong_attrs() };
    let arrays = site.all_arrays()?;
    let Some(first) = arrays.first() else { return fail!("takes at least one operand") };
    same_dims(&arrays)?;
    if !dims.is_empty() && !dims.iter().copied().eq(0..first.rank()) {
        return fail!("needs all dimensions in order, not {dims:?}");
    }
    let callee = site.callees.signature(*to_apply)?;
    let scalars: Vec<Shape> = arrays.iter().map(|a| Shape::scalar(a.dtype)).collect();
    callee.accepts(&scalars.iter().collect::<Vec<_>>())?;
    let results = callee.scalar_results(1)?;
    Ok(Shape::array(results[0], first.dims.clone()))
}

pub(super) fn reduce_precision(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    class(x.dtype.is_float(), "floats", x)?;
    match site.attrs {
        Attrs::ReducePrecision { exponent_bits: 0, .. } => fail!("needs at least one exponent bit"),
        Attrs::ReducePrecision { .. } => Ok(Shape::Array(x.clone())),
        _ => site.wrong_attrs(),
    }
}

/// `convert`: the same dimensions in the declared element type.
pub(super) fn convert(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let [x] = site.arrays()?;
    let (from, to) = (x.dtype, declared.dtype);
    if let (Some(own), Some(other)) = (from.modulus(), to.modulus()) {
        let same = from.extension().is_none() || from.extension() == to.extension();
        if own != other || !same {
            return fail!("has no meaning from {x} to {declared}: elements of different fields");
        }
    } else if from.is_field() != to.is_field() {
        let (field, other) = if from.is_field() { (from, to) } else { (to, from) };
        let by_value = field.extension().is_none() || to.is_field();
        if !by_value || !(other.is_pred() || other.is_integer()) {
            return fail!(
                "has no meaning from {x} to {declared}: only integers and elements of a prime field convert"
            );
        }
    }
    same_as(x, declared)
}

/// `stochastic-convert(x, random)`: as many random bits as `x` has.
pub(super) fn stochastic_convert(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let [x, random] = site.arrays()?;
    class(x.dtype.is_float(), "floats as operand 0", x)?;
    let fits = random.dtype.is_unsigned() && random.dtype.bits() == x.dtype.bits();
    class(fits, "unsigned integers as wide as operand 0 as operand 1", random)?;
    same_dims(&[x, random])?;
    same_as(x, declared)
}

fn same_as(x: &ArrayShape, declared: &ArrayShape) -> Result<(), ShapeError> {
    if x.dims != declared.dims {
        return fail!("cannot change the dimensions of {x} to those of {declared}");
    }
    Ok(())
}
