//! Reductions over windows: pooling.

use super::Tensor;
use super::elementwise::Place;
pub use super::window::Padding;
use super::window::{Numbers, windows};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Window, WindowDim};
use lawson_hlo::identity::identity;
use lawson_hlo::{Attrs, DType, InstrId, Literal, Opcode};
use std::panic::Location;

/// How the elements of a window are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reducer {
    /// The sum.
    Add,
    /// The product.
    Multiply,
    /// The greatest.
    Max,
    /// The least.
    Min,
}

impl Reducer {
    fn opcode(self) -> Opcode {
        match self {
            Reducer::Add => Opcode::Add,
            Reducer::Multiply => Opcode::Multiply,
            Reducer::Max => Opcode::Maximum,
            Reducer::Min => Opcode::Minimum,
        }
    }
}

/// The windows of [`reduce_window`], for each dimension. No strides or dilations are ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Windows {
    /// How many elements a window spans.
    pub sizes: Vec<i64>,
    /// How far windows are apart.
    pub strides: Vec<i64>,
    /// What stands around the array.
    pub padding: Padding,
    /// The distance of elements, with what leaves results as they are between them.
    pub base_dilation: Vec<i64>,
    /// The distance of the elements of a window.
    pub window_dilation: Vec<i64>,
}

/// Combines the elements in each window; padding holds what the reducer leaves as it is. A result element for each
/// position.
///
/// The result carries an error where there are not as many sizes, strides or dilations as dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::tensor::pool::{Reducer, Windows, reduce_window};
///
/// let x = Tensor::from([1f32, 5.0, 2.0, 3.0]);
/// let over = Windows { sizes: vec![2], ..Windows::default() };
/// assert_eq!(reduce_window(&x, Reducer::Max, &over).to_vec(), Ok(vec![5f32, 5.0, 3.0]));
/// ```
#[track_caller]
pub fn reduce_window(x: &Tensor, reducer: Reducer, over: &Windows) -> Tensor {
    let made = Tensor::apply(Location::caller(), &[x], |e, ids| {
        let shape = e.array(ids[0])?;
        let numbers = Numbers {
            strides: &over.strides,
            base_dilation: &over.base_dilation,
            window_dilation: &over.window_dilation,
        };
        let window = windows("reduce_window", shape, &shape.dims, &over.sizes, &numbers, &over.padding)?;
        reduced(e, ids[0], reducer, window)
    });
    made.with_weak(x.is_weak())
}

/// The largest element of each window over the spatial dimensions of `[N, spatial…, C]`. No strides are those of the
/// window's size: the windows lie side by side.
///
/// The result carries an error where there are not as many sizes as spatial dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::tensor::pool::{Padding, avg_pool, max_pool, min_pool};
///
/// let x = Tensor::from([1f32, 5.0, 2.0, 3.0]).reshape([1, 4, 1]);
/// assert_eq!(max_pool(&x, &[2], &[], &Padding::Valid).to_vec(), Ok(vec![5f32, 3.0]));
/// assert_eq!(min_pool(&x, &[2], &[], &Padding::Valid).to_vec(), Ok(vec![1f32, 2.0]));
/// assert_eq!(avg_pool(&x, &[2], &[], &Padding::Valid, false).to_vec(), Ok(vec![3f32, 2.5]));
/// ```
#[track_caller]
pub fn max_pool(x: &Tensor, sizes: &[i64], strides: &[i64], padding: &Padding) -> Tensor {
    pool(Location::caller(), "max_pool", x, (sizes, strides, padding), |e, x, window| {
        reduced(e, x, Reducer::Max, window)
    })
}

/// As [`max_pool`], the least element.
#[track_caller]
pub fn min_pool(x: &Tensor, sizes: &[i64], strides: &[i64], padding: &Padding) -> Tensor {
    pool(Location::caller(), "min_pool", x, (sizes, strides, padding), |e, x, window| {
        reduced(e, x, Reducer::Min, window)
    })
}

/// As [`max_pool`], the mean; integers as f32. Padding counts as zeros with `count_padding`, else not at all.
#[track_caller]
pub fn avg_pool(
    x: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    padding: &Padding,
    count_padding: bool,
) -> Tensor {
    pool(Location::caller(), "avg_pool", x, (sizes, strides, padding), |e, x, window| {
        let dtype = super::promote::averaged("avg_pool", e.dtype(x)?)?;
        let wide = if dtype.bits() < DType::F32.bits() { DType::F32 } else { dtype };
        let x = e.convert(x, wide)?;
        let sum = reduced(e, x, Reducer::Add, window.clone())?;
        let count = if count_padding {
            let size = window.iter().map(|w| w.size as f64).product();
            e.splat_like(sum, size)?
        } else {
            let ones = e.splat_like(x, 1.0)?;
            reduced(e, ones, Reducer::Add, window)?
        };
        let mean = e.div(sum, count)?;
        e.convert(mean, dtype)
    })
}

fn pool(
    place: Place,
    name: &str,
    x: &Tensor,
    (sizes, strides, padding): (&[i64], &[i64], &Padding),
    f: impl FnOnce(&mut Emit<'_>, InstrId, Window) -> Result<InstrId, Fault>,
) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let shape = e.array(ids[0])?;
        let Some(spatial) = shape.dims.get(1..shape.rank().max(2) - 1).filter(|_| shape.rank() >= 2) else {
            return fault!("`{name}` of {shape}, which has no batch and feature dimensions");
        };
        let strides = if strides.is_empty() { sizes } else { strides };
        let numbers = Numbers { strides, base_dilation: &[], window_dilation: &[] };
        let inner = windows(name, shape, spatial, sizes, &numbers, padding)?;
        let one = WindowDim::of_size(1);
        f(e, ids[0], [vec![one], inner, vec![one]].concat())
    })
}

fn reduced(e: &mut Emit<'_>, x: InstrId, reducer: Reducer, window: Window) -> Result<InstrId, Fault> {
    let (dtype, opcode) = (e.dtype(x)?, reducer.opcode());
    let init = neutral(e, opcode, dtype)?;
    let to_apply = e.scalar_computation(opcode, dtype)?;
    e.op(Opcode::ReduceWindow, &[x, init], Attrs::ReduceWindow { window, to_apply })
}

/// What an opcode leaves every number as it is with, as a scalar; of sums 0, not the -0 that keeps the bits of -0.
pub(super) fn neutral(e: &mut Emit<'_>, opcode: Opcode, dtype: DType) -> Result<InstrId, Fault> {
    match (opcode, identity(opcode, dtype)) {
        (Opcode::Add, _) => Ok(e.scalar(dtype, 0.0)),
        (Opcode::Multiply, _) => Ok(e.scalar(dtype, 1.0)),
        (_, Some(value)) => Ok(e.constant(Literal::scalar(dtype, value))),
        (_, None) => fault!("`{opcode}` does not combine elements of {dtype}"),
    }
}
