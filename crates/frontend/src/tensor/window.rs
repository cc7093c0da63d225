//! Windows that slide over dimensions: strides, paddings and dilations in JAX's words.

use crate::error::Fault;
use crate::fault;
use lawson_hlo::ArrayShape;
use lawson_hlo::attrs::WindowDim;

/// What stands around an array where windows reach beyond it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Padding {
    /// Nothing: windows stay within.
    #[default]
    Valid,
    /// As much as makes the result ⌈extent / stride⌉ long, the odd element at the end.
    Same,
    /// As [`Padding::Same`], the odd element at the start.
    SameLower,
    /// Before and after, for each windowed dimension; negative numbers crop.
    Explicit(Vec<(i64, i64)>),
}

/// Numbers for each windowed dimension; none at all are ones.
pub(super) struct Numbers<'a> {
    pub strides: &'a [i64],
    pub base_dilation: &'a [i64],
    pub window_dilation: &'a [i64],
}

/// The windows of these sizes over these extents of `shape`.
///
/// # Errors
/// Other counts of numbers than of sizes, or numbers that no window has.
pub(super) fn windows(
    name: &str,
    shape: &ArrayShape,
    extents: &[i64],
    sizes: &[i64],
    numbers: &Numbers<'_>,
    padding: &Padding,
) -> Result<Vec<WindowDim>, Fault> {
    let n = extents.len();
    if sizes.len() != n {
        return fault!("`{name}` of {shape} has {} window sizes for {n} dimensions", sizes.len());
    }
    let given = [
        ("strides", numbers.strides),
        ("base dilations", numbers.base_dilation),
        ("window dilations", numbers.window_dilation),
    ];
    for (what, list) in given {
        if !list.is_empty() && list.len() != n {
            return fault!("`{name}` of {shape} has {} {what} for {n} windowed dimensions", list.len());
        }
        if let Some(wrong) = list.iter().find(|&&x| x < 1) {
            return fault!("`{name}` of {shape} has {wrong} among its {what}");
        }
    }
    if let Padding::Explicit(pairs) = padding
        && pairs.len() != n
    {
        return fault!("`{name}` of {shape} has {} paddings for {n} windowed dimensions", pairs.len());
    }
    let at = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(1);
    let window = |i: usize| {
        let mut window = WindowDim {
            stride: at(numbers.strides, i),
            base_dilation: at(numbers.base_dilation, i),
            window_dilation: at(numbers.window_dilation, i),
            ..WindowDim::of_size(sizes[i])
        };
        (window.pad_low, window.pad_high) = pads(&window, extents[i], padding, i);
        window
    };
    Ok((0..n).map(window).collect())
}

fn pads(window: &WindowDim, extent: i64, padding: &Padding, i: usize) -> (i64, i64) {
    let total = || {
        let out = extent.div_euclid(window.stride) + i64::from(extent % window.stride != 0);
        let reach = window.size.saturating_sub(1).saturating_mul(window.window_dilation).saturating_add(1);
        (out - 1).saturating_mul(window.stride).saturating_add(reach).saturating_sub(extent).max(0)
    };
    match padding {
        Padding::Valid => (0, 0),
        Padding::Same => (total() / 2, total() - total() / 2),
        Padding::SameLower => (total() - total() / 2, total() / 2),
        Padding::Explicit(pairs) => pairs[i],
    }
}
