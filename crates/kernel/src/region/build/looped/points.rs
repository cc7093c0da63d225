//! The elements of an array that one lane has.

use lawson_hlo::index::Affine;

/// The elements of an array at one lane, row-major: along lane axes the lane, along others each index.
pub(super) fn points(dims: &[i64], axes: &[Option<usize>]) -> Vec<Vec<Affine>> {
    let mut out = vec![Vec::new()];
    for (&extent, axis) in dims.iter().zip(axes) {
        let choices: Vec<Affine> = match axis {
            Some(axis) => vec![Affine::axis(*axis)],
            None => (0..extent).map(Affine::constant).collect(),
        };
        out = out
            .iter()
            .flat_map(|index: &Vec<Affine>| {
                choices.iter().map(|c| [&index[..], std::slice::from_ref(c)].concat())
            })
            .collect();
    }
    out
}

/// How many elements [`points`] gives.
pub(super) fn components(dims: &[i64], axes: &[Option<usize>]) -> i64 {
    let extents = dims.iter().zip(axes).filter(|(_, axis)| axis.is_none()).map(|(&extent, _)| extent);
    extents.fold(1, i64::saturating_mul)
}

/// Elements of an output that each lane writes.
pub(super) const MAX_ELEMENTS: i64 = 64;
