//! Functions of the host in programs: registered by name, called as `custom-call`.
//!
//! A registered function is data: whoever runs programs ([`crate::backend`]) reads [`registered`] when it compiles.
//! The compiler knows nothing of it but the shapes of its results, so nothing is fused with it, and it has no
//! derivative: a function with a derivative of its own (`custom_vjp`) around the call gives it one.

use super::Tensor;
use crate::array::Element;
use crate::error::Error;
use bytemuck::checked;
use lawson_hlo::attrs::CustomCall;
use lawson_hlo::{ArrayShape, Attrs, DType, Opcode, Shape};
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

/// An operand of a host function, row-major.
#[derive(Clone, Copy, Debug)]
pub struct HostOperand<'a> {
    pub shape: &'a ArrayShape,
    /// Little-endian.
    pub bytes: &'a [u8],
}

/// A result of a host function, to be written; it begins with unspecified elements.
#[derive(Debug)]
pub struct HostResult<'a> {
    pub shape: &'a ArrayShape,
    /// Little-endian.
    pub bytes: &'a mut [u8],
}

impl HostOperand<'_> {
    /// The elements, row-major.
    ///
    /// # Errors
    /// They are of another type.
    pub fn elements<T: Element>(&self) -> Result<Vec<T>, String> {
        typed::<T>(self.shape)?;
        let size = std::mem::size_of::<T>();
        Ok(self.bytes.chunks_exact(size).map(|c| checked::pod_read_unaligned(c)).collect())
    }
}

impl HostResult<'_> {
    /// Writes the elements, row-major.
    ///
    /// # Errors
    /// They are of another type, or not as many.
    pub fn write<T: Element>(&mut self, elements: &[T]) -> Result<(), String> {
        typed::<T>(self.shape)?;
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        if bytes.len() != self.bytes.len() {
            return Err(format!("{} elements are given for {}", elements.len(), self.shape));
        }
        self.bytes.copy_from_slice(bytes);
        Ok(())
    }
}

fn typed<T: Element>(shape: &ArrayShape) -> Result<(), String> {
    if T::DTYPE == shape.dtype { Ok(()) } else { Err(format!("the array is {shape}, not of {}", T::DTYPE)) }
}

/// Reads the operands and writes the results, or says what went wrong. Of equal operands it makes equal results:
/// programs call it as often as they need, perhaps not at all.
pub type HostFunction = dyn Fn(&[HostOperand<'_>], &mut [HostResult<'_>]) -> Result<(), String> + Send + Sync;

static REGISTERED: Mutex<BTreeMap<String, Arc<HostFunction>>> = Mutex::new(BTreeMap::new());

/// Registers a function under a name, for the whole process.
///
/// # Errors
/// The name is taken, is empty, or begins with `lawson.`, as those of the front end itself do.
#[track_caller]
pub fn register(
    name: &str,
    function: impl Fn(&[HostOperand<'_>], &mut [HostResult<'_>]) -> Result<(), String> + Send + Sync + 'static,
) -> Result<(), Error> {
    let mut known = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    if name.is_empty() || name.starts_with(RESERVED) || known.contains_key(name) {
        return Err(Error::new(Location::caller(), format!("no function can be registered as {name:?}")));
    }
    known.insert(name.to_string(), Arc::new(function));
    Ok(())
}

/// Names that begin so are those of marks.
const RESERVED: &str = "lawson.";

/// All functions that are registered, by name.
pub fn registered() -> Vec<(String, Arc<HostFunction>)> {
    let known = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().map(|(name, f)| (name.clone(), f.clone())).collect()
}

/// Calls the function that is registered under a name when the program runs; gives results of these types and
/// dimensions.
///
/// The results carry an error where the name is none that [`register`] takes. That no function is registered is an
/// error of the run.
#[track_caller]
pub fn custom_call(name: &str, operands: &[&Tensor], results: &[(DType, &[i64])]) -> Vec<Tensor> {
    let place = Location::caller();
    let failed = |message: String| vec![Tensor::failed(Error::new(place, message)); results.len()];
    if name.is_empty() || name.starts_with(RESERVED) {
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
