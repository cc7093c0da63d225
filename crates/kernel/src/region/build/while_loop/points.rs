//! The elements of an array that one lane has.

use lawson_hlo::index::Affine;

/// The most elements of one array that a lane may have: each becomes an expression of its own.
pub(super) const MAX_ELEMENTS: i64 = 64;

/// The elements of an array that lanes have in registers though trips change a few of them, or take one at a place that they compute:
/// with that many a select for each takes less time than memory does.
pub(super) const FEW_ELEMENTS: i64 = 12;

/// The indices of the elements of an array that belong to one lane, row-major: the lane's own index along lane axes,
/// every index along the others.
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
