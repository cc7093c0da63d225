//! Running combinations along a dimension: element `i` of the result is of elements 0 to `i`.
//!
//! ```text
//! cumsum(x) = reduce-window(x, 0), window={size=n pad=(n-1)_0}, to_apply=add
//! ```
//!
//! A running sum is linear and its own derivative. Of the others the derivative is that of log₂ n steps, each of which
//! combines every element with the one 1, 2, 4, … before it: the windows are under a mark that says so
//! ([`crate::graph::marks::CUSTOM_JVP`]).

use super::Tensor;
use super::axes;
use super::elementwise::Place;
use super::join::along;
use super::logarithms::{logaddexp, part, with_derivative};
use super::promote::inexact;
use super::reduce::start;
use crate::error::Fault;
use crate::graph::Emit;
use crate::graph::marks;
use lawson_hlo::attrs::{CustomCall, Direction, WindowDim};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar, Shape};
use std::panic::Location;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Running {
    Sum,
    Product,
    Most,
    Least,
    LogSumExp,
}

macro_rules! methods {
    ($(#![$family:meta])* $($(#[$doc:meta])* $name:ident $running:ident;)*) => {
        $(#[$family])*
        impl Tensor {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $name(&self, axis: i64) -> Tensor {
                    running(Location::caller(), stringify!($name), self, axis, Running::$running)
                }
            )*
        }
    };
}

methods! {
    //! Running combinations along a dimension: the result has the dimensions of this array, and carries an error where the
    //! array has no such dimension.
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([3i32, 1, 4]);
    //! assert_eq!(x.cumsum(0).to_vec(), Ok(vec![3i32, 4, 8]));
    //! assert_eq!(x.cumprod(0).to_vec(), Ok(vec![3i32, 3, 12]));
    //! assert_eq!(x.cummax(0).to_vec(), Ok(vec![3i32, 3, 4]));
    //! assert_eq!(x.cummin(0).to_vec(), Ok(vec![3i32, 1, 1]));
    //! assert_eq!(Tensor::from([0f32]).cumlogsumexp(0).to_vec(), Ok(vec![0f32]));
    //! ```

    /// Running sums along a dimension; those of pred are s32.
    cumsum Sum;
    /// Running products along a dimension; those of pred are s32.
    cumprod Product;
    /// The greatest element so far along a dimension.
    cummax Most;
    /// The least element so far along a dimension.
    cummin Least;
    /// The logarithm of the sum of exponentials so far along a dimension, without overflow.
    cumlogsumexp LogSumExp;
}

fn running(place: Place, name: &str, x: &Tensor, axis: i64, how: Running) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let shape = e.array(ids[0])?.clone();
        let axis = axes::axis(name, axis, &shape)?;
        let dtype = match how {
            Running::LogSumExp => inexact(shape.dtype),
            Running::Sum | Running::Product if shape.dtype.is_pred() => DType::S32,
            Running::Sum | Running::Product | Running::Most | Running::Least => shape.dtype,
        };
        let x = e.convert(ids[0], dtype)?;
        if shape.dims[axis] < 2 {
            return Ok(x);
        }
        // The order of a field has no derivative.
        let varies = match how {
            Running::Sum => false,
            Running::Product => dtype.is_continuous() || dtype.is_field(),
            Running::Most | Running::Least | Running::LogSumExp => dtype.is_continuous(),
        };
        if varies { marked(e, name, x, axis, how) } else { windows(e, x, axis, how) }
    })
}

fn windows(e: &mut Emit<'_>, x: InstrId, axis: usize, how: Running) -> Result<InstrId, Fault> {
    let shape = e.array(x)?.clone();
    let (opcode, to_apply) = match how {
        Running::Sum => (Opcode::Add, None),
        Running::Product => (Opcode::Multiply, None),
        Running::Most => (Opcode::Maximum, None),
        Running::Least => (Opcode::Minimum, None),
        Running::LogSumExp => {
            let comp = e.computation("logaddexp", |e| {
                let [a, b] = [0, 1].map(|n| e.parameter(n, Shape::scalar(shape.dtype)));
                logaddexp(e, a, b)
            })?;
            (Opcode::Maximum, Some(comp))
        }
    };
    let first: Scalar = start(opcode, shape.dtype)?;
    let init = e.constant(Literal::scalar(shape.dtype, first));
    let to_apply = match to_apply {
        Some(comp) => comp,
        None => e.scalar_computation(opcode, shape.dtype)?,
    };
    let mut window = vec![WindowDim::of_size(1); shape.rank()];
    window[axis] = WindowDim { pad_low: shape.dims[axis] - 1, ..WindowDim::of_size(shape.dims[axis]) };
    e.op(Opcode::ReduceWindow, &[x, init], Attrs::ReduceWindow { window, to_apply })
}

/// The windows as a function with a derivative of its own.
fn marked(e: &mut Emit<'_>, name: &str, x: InstrId, axis: usize, how: Running) -> Result<InstrId, Fault> {
    let shape = Shape::Array(e.array(x)?.clone());
    let f = e.computation(name, |e| {
        let x = e.parameter(0, shape.clone());
        let made = windows(e, x, axis, how)?;
        e.tuple(&[made])
    })?;
    let jvp = e.computation(&format!("{name}.jvp"), |e| {
        let (x, tangent) = (e.parameter(0, shape.clone()), e.parameter(1, shape.clone()));
        let (made, tangent) = steps(e, x, tangent, axis, how)?;
        e.tuple(&[made, tangent])
    })?;
    let call = CustomCall { target: marks::CUSTOM_JVP.into(), called: vec![f, jvp], ..CustomCall::default() };
    let result = Shape::Tuple(vec![shape]);
    let made = e.op_shaped(Opcode::CustomCall, result, &[x], Attrs::CustomCall(Box::new(call)))?;
    e.element(made, 0)
}

/// The running combination and its tangent: after the step by `d` of what the last 2 · d elements give.
fn steps(
    e: &mut Emit<'_>,
    mut x: InstrId,
    mut tangent: InstrId,
    axis: usize,
    how: Running,
) -> Result<(InstrId, InstrId), Fault> {
    let extent = e.array(x)?.dims[axis];
    let mut by = 1;
    while by < extent {
        let parts = |e: &mut Emit<'_>, y: InstrId| -> Result<[InstrId; 3], Fault> {
            Ok([
                along(e, y, axis, 0, by)?,
                along(e, y, axis, 0, extent - by)?,
                along(e, y, axis, by, extent)?,
            ])
        };
        let ([first, before, here], [t_first, t_before, t_here]) = (parts(e, x)?, parts(e, tangent)?);
        let (rest, t_rest) = both(e, how, (before, t_before), (here, t_here))?;
        x = e.concatenate(&[first, rest], axis)?;
        tangent = e.concatenate(&[t_first, t_rest], axis)?;
        by *= 2;
    }
    Ok((x, tangent))
}

/// Two values with their tangents, combined.
fn both(
    e: &mut Emit<'_>,
    how: Running,
    (a, ta): (InstrId, InstrId),
    (b, tb): (InstrId, InstrId),
) -> Result<(InstrId, InstrId), Fault> {
    let (value, wa, wb) = match how {
        Running::Sum => return Ok((e.add(a, b)?, e.add(ta, tb)?)),
        Running::Product => (e.mul(a, b)?, b, a),
        Running::Most => {
            let value = e.binary(Opcode::Maximum, a, b)?;
            (value, share(e, a, b, Direction::Gt)?, share(e, b, a, Direction::Gt)?)
        }
        Running::Least => {
            let value = e.binary(Opcode::Minimum, a, b)?;
            (value, share(e, a, b, Direction::Lt)?, share(e, b, a, Direction::Lt)?)
        }
        Running::LogSumExp => {
            let value = with_derivative(e, a, b, 2)?;
            (value, part(e, a, b)?, part(e, b, a)?)
        }
    };
    let (ta, tb) = (e.mul(ta, wa)?, e.mul(tb, wb)?);
    Ok((value, e.add(ta, tb)?))
}

/// The derivative of the extreme of `a` and `b` by `a`: 1, 0, or half where they are equal.
fn share(e: &mut Emit<'_>, a: InstrId, b: InstrId, how: Direction) -> Result<InstrId, Fault> {
    let shape: ArrayShape = e.array(a)?.clone();
    let (one, half, zero) = (e.splat(&shape, 1.0)?, e.splat(&shape, 0.5)?, e.splat(&shape, 0.0)?);
    let (beyond, equal) = (e.compare(how, a, b)?, e.compare(Direction::Eq, a, b)?);
    let otherwise = e.select(equal, half, zero)?;
    e.select(beyond, one, otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::trace::{self, Spec};
    use lawson_hlo::{Value, eval};

    const N: i64 = 6;

    /// The windows of `x + t · direction`, and the steps of `x` with their tangent by the direction.
    fn computed(how: Running, x: &[f64], direction: &[f64], t: f64) -> [Vec<f64>; 3] {
        let spec = Spec::from(ArrayShape::new(DType::F64, [N]));
        let (graph, function) = trace::program(&[spec.clone(), spec.clone(), spec], |tensors| {
            let operands: Vec<&Tensor> = tensors.iter().collect();
            Ok(Tensor::apply_many(Location::caller(), &operands, 3, |e, ids| {
                let (x, tangent) = steps(e, ids[1], ids[2], 0, how)?;
                Ok(vec![windows(e, ids[0], 0, how)?, x, tangent])
            }))
        })
        .unwrap();
        let moved: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + t * d).collect();
        let array = |values: &[f64]| {
            let values = values.iter().map(|&v| Scalar::Float(v));
            Value::Array(Literal::from_scalars(ArrayShape::new(DType::F64, [N]), values))
        };
        let arguments = [array(&moved), array(x), array(direction)];
        let module = graph.finish(function.comp, "steps");
        let made = eval::evaluate(&module, &arguments, &eval::Options::default()).unwrap();
        let results: Vec<Vec<f64>> =
            made.leaves().iter().map(|l| l.scalars().map(|s| s.as_f64()).collect()).collect();
        results.try_into().unwrap()
    }

    #[test]
    fn steps_are_the_windows_and_their_derivative() {
        let x = [0.7, -1.3, 2.1, 0.4, 2.6, -0.9];
        let direction = [0.3, -0.8, 0.5, 1.1, -0.2, 0.9];
        let all = [Running::Sum, Running::Product, Running::Most, Running::Least, Running::LogSumExp];
        for how in all {
            let [below, same, tangent] = computed(how, &x, &direction, -1e-5);
            let [here, ..] = computed(how, &x, &direction, 0.0);
            let [above, ..] = computed(how, &x, &direction, 1e-5);
            for i in 0..N as usize {
                assert!((here[i] - same[i]).abs() < 1e-12, "{how:?} {i}: {here:?} and {same:?}");
                let slope = (above[i] - below[i]) / 2e-5;
                assert!((tangent[i] - slope).abs() < 1e-8, "{how:?} {i}: {tangent:?} is not {slope}");
            }
        }
    }

    #[test]
    fn equal_elements_share_and_infinities_have_no_part() {
        let [_, made, tangent] = computed(Running::Most, &[1.0; 6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0);
        assert_eq!(made, [1.0; 6]);
        assert_eq!(tangent[..2], [1.0, 0.5]);
        let nothing = f64::NEG_INFINITY;
        let x = [nothing, nothing, 0.0, 0.0, nothing, 0.0];
        let [_, _, tangent] = computed(Running::LogSumExp, &x, &[1.0; 6], 0.0);
        assert_eq!(tangent[..2], [1.0, 0.0]);
        assert!((tangent[5] - 1.0).abs() < 1e-12, "{tangent:?}");
    }
}
