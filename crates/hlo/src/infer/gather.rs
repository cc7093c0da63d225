//! Shape rules of gather and scatter.

use super::ShapeError;
use super::args::{Site, class, distinct, fail, increasing, one_or_tuple, same_dims, without};
use super::reduction::dtypes;
use crate::attrs::Attrs;
use crate::shape::{ArrayShape, Shape};

/// Result: batch dimensions of the indices, with slice dimensions at `offset_dims`.
pub(super) fn gather(site: &Site) -> Result<Shape, ShapeError> {
    let [x, indices] = site.arrays()?;
    let Attrs::Gather(g) = site.attrs else { return site.wrong_attrs() };
    let batch = Indexed {
        x,
        indices,
        index_vector_dim: g.index_vector_dim,
        dropped: ("collapsed_slice_dims", &g.collapsed_slice_dims),
        batching: ("operand_batching_dims", &g.operand_batching_dims),
        indices_batching: ("start_indices_batching_dims", &g.start_indices_batching_dims),
        index_map: ("start_index_map", &g.start_index_map),
    };
    let (batch, dropped) = batch.check()?;
    if g.slice_sizes.len() != x.rank() {
        return fail!("has {} slice_sizes for {x}", g.slice_sizes.len());
    }
    for (i, (&size, &extent)) in g.slice_sizes.iter().zip(&x.dims).enumerate() {
        if size < 0 || size > extent {
            return fail!("takes {size} elements of dimension {i}, which has {extent}");
        }
        if dropped[i] && size > 1 {
            return fail!("drops dimension {i}, whose slices have {size} elements");
        }
    }
    let slice = without(&g.slice_sizes, &dropped);
    let rank = batch.len() + slice.len();
    let offset = increasing("offset_dims", &g.offset_dims, rank)?;
    if g.offset_dims.len() != slice.len() {
        return fail!("has {} offset_dims for slices of {} dimensions", g.offset_dims.len(), slice.len());
    }
    let (mut slice, mut batch) = (slice.into_iter(), batch.into_iter());
    let dims: Vec<i64> = offset.iter().filter_map(|&o| if o { slice.next() } else { batch.next() }).collect();
    Ok(Shape::array(x.dtype, dims))
}

/// `scatter(x…, indices, updates…)`: results like the inputs.
pub(super) fn scatter(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Scatter(s) = site.attrs else { return site.wrong_attrs() };
    let arrays = site.all_arrays()?;
    if arrays.len() < 3 || arrays.len() % 2 == 0 {
        return fail!("takes inputs, indices and as many updates, not {} operands", arrays.len());
    }
    let n = arrays.len() / 2;
    let (inputs, indices, updates) = (&arrays[..n], arrays[n], &arrays[n + 1..]);
    same_dims(inputs)?;
    same_dims(updates)?;
    let (x, update) = (inputs[0], updates[0]);
    let batch = Indexed {
        x,
        indices,
        index_vector_dim: s.index_vector_dim,
        dropped: ("inserted_window_dims", &s.inserted_window_dims),
        batching: ("input_batching_dims", &s.input_batching_dims),
        indices_batching: ("scatter_indices_batching_dims", &s.scatter_indices_batching_dims),
        index_map: ("scatter_dims_to_operand_dims", &s.scatter_dims_to_operand_dims),
    };
    let (batch, dropped) = batch.check()?;
    let window_mask = increasing("update_window_dims", &s.update_window_dims, update.rank())?;
    let space = without(&x.dims, &dropped);
    if s.update_window_dims.len() != space.len() {
        let found = s.update_window_dims.len();
        return fail!("has {found} update_window_dims for windows of {} dimensions", space.len());
    }
    for (&d, &extent) in s.update_window_dims.iter().zip(&space) {
        if update.dims[d] > extent {
            return fail!(
                "writes {} elements into a dimension of {extent}: {update} into {x}",
                update.dims[d]
            );
        }
    }
    if without(&update.dims, &window_mask) != batch {
        return fail!("needs updates for the indices {batch:?}, not {update}");
    }
    site.callees.signature(s.to_apply)?.reduces(&dtypes(updates), &dtypes(inputs))?;
    Ok(one_or_tuple(inputs.iter().map(|&x| Shape::Array(x.clone())).collect()))
}

/// What gather and scatter say alike about an array and the indices into it, under their own names.
struct Indexed<'a> {
    x: &'a ArrayShape,
    indices: &'a ArrayShape,
    index_vector_dim: usize,
    /// Dimensions of `x` of which a window holds one element and that the window lacks.
    dropped: (&'static str, &'a [usize]),
    batching: (&'static str, &'a [usize]),
    indices_batching: (&'static str, &'a [usize]),
    index_map: (&'static str, &'a [usize]),
}

impl Indexed<'_> {
    /// The extents of the indices without the index vector, and a mask of the dimensions of `x` that windows lack.
    fn check(&self) -> Result<(Vec<i64>, Vec<bool>), ShapeError> {
        let Indexed { x, indices, index_vector_dim, .. } = *self;
        class(indices.dtype.is_integer(), "integer indices", indices)?;
        if index_vector_dim > indices.rank() {
            return fail!("has index_vector_dim {index_vector_dim} for indices {indices}");
        }
        increasing(self.dropped.0, self.dropped.1, x.rank())?;
        increasing(self.batching.0, self.batching.1, x.rank())?;
        let both = format!("{} and {}", self.dropped.0, self.batching.0);
        let lacking = distinct(&both, &[self.dropped.1, self.batching.1].concat(), x.rank())?;

        let (map_name, map) = self.index_map;
        let both = format!("{map_name} and {}", self.batching.0);
        distinct(&both, &[map, self.batching.1].concat(), x.rank())?;
        let depth = indices.dims.get(index_vector_dim).copied().unwrap_or(1);
        if map.len() as i64 != depth {
            return fail!("has {} numbers in {map_name} for index vectors of {depth}", map.len());
        }
        self.check_batching()?;
        let batch = indices.dims.iter().enumerate().filter(|(i, _)| *i != index_vector_dim);
        Ok((batch.map(|(_, &d)| d).collect(), lacking))
    }

    /// Batching dimensions of array and indices go in pairs of one extent.
    fn check_batching(&self) -> Result<(), ShapeError> {
        let Indexed { x, indices, .. } = *self;
        let ((a_name, a), (b_name, b)) = (self.batching, self.indices_batching);
        distinct(b_name, b, indices.rank())?;
        if b.contains(&self.index_vector_dim) {
            return fail!("has index_vector_dim among {b_name}");
        }
        if a.len() != b.len() {
            return fail!("has {} {a_name}, but {} {b_name}", a.len(), b.len());
        }
        match a.iter().zip(b).find(|&(&i, &j)| x.dims[i] != indices.dims[j]) {
            Some((i, j)) => fail!("pairs dimension {i} of {x} with dimension {j} of {indices}"),
            None => Ok(()),
        }
    }
}
