//! Functions of the host in programs: registered by name, called as `custom-call`.
//!
//! The compiler knows nothing of it but the shapes of its results, so nothing is fused with it, and it has no
//! derivative: a function with a derivative of its own (`custom_vjp`) around the call gives it one.

use super::Tensor;
use crate::error::Error;
use crate::host;
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::{ArrayShape, Attrs, DType, Opcode, Shape};
use std::panic::Location;

pub use crate::host::register;

/// Calls the function that is registered under a name when the program runs; gives results of these types and
/// dimensions.
///
/// The results carry an error where the name is none that [`register`] takes. That no function is registered is an
/// error of the run.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, Tensor, tensor::custom};
///
/// custom::register("reversed", |operands, results| {
///     let from = operands[0].as_slice::<f32>()?.iter().rev();
///     results[0].as_mut_slice::<f32>()?.iter_mut().zip(from).for_each(|(to, x)| *to = *x);
///     Ok(())
/// })?;
/// let x = Tensor::from([1f32, 2.0, 3.0]);
/// let y = custom::custom_call("reversed", &[&x], &[(DType::F32, &[3])]).remove(0);
/// assert_eq!(y.to_vec(), Ok(vec![3f32, 2.0, 1.0]));
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn custom_call(name: &str, operands: &[&Tensor], results: &[(DType, &[i64])]) -> Vec<Tensor> {
    let place = Location::caller();
    let failed = |message: String| vec![Tensor::failed(Error::new(place, message)); results.len()];
    if !host::is_name(name) {
        return failed(format!("`custom_call` of {name:?}, which is no name of a function"));
    }
    let shapes: Vec<ArrayShape> = results.iter().map(|&(dtype, dims)| ArrayShape::new(dtype, dims)).collect();
    if shapes.is_empty() {
        return Vec::new();
    }
    Tensor::apply_many(place, operands, shapes.len(), |e, ids| {
        let parts: Vec<Shape> = shapes.iter().cloned().map(Shape::Array).collect();
        let shape = match &parts[..] {
            [one] => one.clone(),
            _ => Shape::Tuple(parts),
        };
        let call = CustomCall { target: name.to_string(), ..CustomCall::default() };
        let called = e.op_shaped(Opcode::CustomCall, shape, ids, Attrs::CustomCall(Box::new(call)))?;
        e.elements(called)
    })
}
