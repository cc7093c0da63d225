//! Layouts of arrays, as strides.

use crate::abi::failure::Failure;
use crate::args;
use crate::strided;

/// The strides in bytes of an array with this layout.
///
/// # Errors
/// It is tiled, or does not fit the dimensions.
pub fn strides(layout: &args::LayoutFields, dims: &[i64], size: usize) -> Result<Vec<i64>, Failure> {
    let numbers = layout.of.numbers.get();
    if numbers.len() != dims.len() {
        let (found, rank) = (numbers.len(), dims.len());
        return Err(Failure::invalid(format!("the layout has {found} dimensions, the array {rank}")));
    }
    if layout.kind == args::STRIDED {
        return Ok(numbers.to_vec());
    }
    if layout.of.tiles > 0 {
        return Err(Failure::unimplemented("tiled layouts of arrays are not supported"));
    }
    let mut order: Vec<usize> = numbers.iter().map(|&d| usize::try_from(d).unwrap_or(usize::MAX)).collect();
    let minor_to_major = order.clone();
    order.sort_unstable();
    if !order.into_iter().eq(0..dims.len()) {
        return Err(Failure::invalid("the layout is no order of the dimensions"));
    }
    Ok(strided::dense(dims, minor_to_major, size))
}
