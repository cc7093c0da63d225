//! Which dimensions of a scatter go along which of its operand.

use lawson_hlo::attrs::ScatterDims;

/// The dimensions of its operand that the window of a scatter has, in order.
pub(super) fn windowed(dims: &ScatterDims, rank: usize) -> impl Iterator<Item = usize> {
    (0..rank).filter(|d| !dims.inserted_window_dims.contains(d) && !dims.input_batching_dims.contains(d))
}

/// For each dimension of the updates of a scatter the dimension of its operand that it goes along; `None` where it stands for places.
pub(super) fn operand_dims(dims: &ScatterDims, updates: usize, rank: usize) -> Vec<Option<usize>> {
    let mut window = windowed(dims, rank);
    let mut places = (0..).filter(|&d| d != dims.index_vector_dim);
    (0..updates)
        .map(|d| match dims.update_window_dims.contains(&d) {
            true => window.next(),
            false => {
                let place = places.next()?;
                let n = dims.scatter_indices_batching_dims.iter().position(|&b| b == place)?;
                Some(dims.input_batching_dims[n])
            }
        })
        .collect()
}
