//! Elements of fields as other libraries have them: by the values of their coefficients, converted by compiled code.

use super::Tensor;
use super::elementwise::Place;
use crate::error::Error;
use lawson_hlo::DType;

/// A tensor of `count` elements of a field or an extension, by the values of their coefficients; the error names the
/// function that the user called.
pub(super) fn from_values(
    place: Place,
    name: &str,
    dtype: DType,
    values: impl Iterator<Item = u64>,
    dims: &[i64],
) -> Tensor {
    let degree = dtype.extension().map(|e| i64::from(e.degree));
    let all = [dims, degree.as_slice()].concat();
    let parts = match dtype.part().bits() {
        32 => Tensor::new(&values.map(|v| v as u32).collect::<Vec<_>>(), &all),
        _ => Tensor::new(&values.collect::<Vec<_>>(), &all),
    };
    if parts.error().is_some() {
        let message = format!("`{name}`: the elements are not as many as the dimensions {dims:?} say");
        return Tensor::failed(Error::new(place, message));
    }
    let parts = parts.astype(dtype.part());
    if degree.is_some() { parts.from_coefficients(dtype) } else { parts }
}

/// The values of the coefficients of elements of the field or the extension of `dtype`, in either storage.
pub(super) fn to_values(place: Place, name: &str, x: &Tensor, dtype: DType) -> Result<Vec<u64>, Error> {
    let found = x.array()?.shape();
    let prime = |dtype: DType| dtype.part().field().map(|f| f.prime);
    if prime(found.dtype) != prime(dtype) || found.dtype.extension() != dtype.extension() {
        return Err(Error::new(place, format!("`{name}`: the array is {found}, not of {dtype}")));
    }
    let parts = if dtype.extension().is_some() { x.coefficients() } else { x.clone() };
    match dtype.part().bits() {
        32 => Ok(parts.astype(DType::U32).to_vec::<u32>()?.into_iter().map(u64::from).collect()),
        _ => parts.astype(DType::U64).to_vec(),
    }
}
