//! Convolutions, with JAX's dimension numbers, strides, paddings, dilations and groups.

use super::Tensor;
use super::contract::typed;
use super::elementwise::Place;
use super::operand::AsTensor;
pub use super::window::Padding;
use super::window::{Numbers, windows};
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::ConvDims;
use lawson_hlo::infer::infer;
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Shape};
use std::panic::Location;

/// How [`conv_general_dilated`] goes over its operand. The default is that of JAX: stride 1, no padding, no dilation,
/// one group, and dimensions `NCHW`, `OIHW`, `NCHW` with as many spatial ones as there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Convolution {
    /// One for each spatial dimension; none are ones. So are the dilations.
    pub strides: Vec<i64>,
    /// What stands around the operand.
    pub padding: Padding,
    /// Of the operand: zeros between its elements, as many as make their distance this.
    pub lhs_dilation: Vec<i64>,
    /// Of the kernel.
    pub rhs_dilation: Vec<i64>,
    /// A letter for each dimension of operand, kernel and result: `N` and `C` are batch and features of operand and
    /// result, `O` and `I` output and input features of the kernel, equal others the same spatial dimension. `None`:
    /// as above.
    pub dimensions: Option<[&'static str; 3]>,
    /// Features in groups, each with kernels of its own.
    pub feature_group_count: i64,
    /// Examples in groups, each with output features of its own.
    pub batch_group_count: i64,
    /// The element type of the result, and of its sums where it is wider.
    pub preferred: Option<DType>,
}

/// Convolves with a kernel: a sum of products over windows and input features, without flipping the kernel.
///
/// Operand `[N, C, spatial…]` and kernel `[O, C / groups, window…]` give `[N, O, positions…]`, in the order of
/// dimensions that [`Convolution::dimensions`] says. Element types are those of [`Tensor::matmul`]. Zero groups count
/// as one. The result carries an error that shows both shapes where they do not fit.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::tensor::convolve::{Convolution, Padding, conv_general_dilated};
/// use lawson::{DType, Tensor};
///
/// let x = Tensor::ones([1, 2, 5, 5], DType::F32);
/// let kernel = Tensor::ones([3, 2, 3, 3], DType::F32);
/// let how = Convolution { strides: vec![2, 2], padding: Padding::Same, ..Convolution::default() };
/// let y = conv_general_dilated(&x, &kernel, &how);
/// assert_eq!(y.dims(), [1, 3, 3, 3]);
/// assert_eq!(y.index((0, 0, 1, 1)).item(), Ok(18f32)); // 2 features · 3 · 3
/// ```
#[track_caller]
pub fn conv_general_dilated(lhs: &Tensor, rhs: &Tensor, how: &Convolution) -> Tensor {
    convolve(Location::caller(), "conv_general_dilated", lhs, rhs, how)
}

macro_rules! conveniences {
    ($($(#[$doc:meta])* $name:ident $n:literal $dimensions:expr;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(lhs: &Tensor, rhs: &Tensor, strides: [i64; $n], padding: Padding) -> Tensor {
            let how = Convolution {
                strides: strides.to_vec(),
                padding,
                dimensions: Some($dimensions),
                ..Convolution::default()
            };
            convolve(Location::caller(), stringify!($name), lhs, rhs, &how)
        }
    )*};
}

conveniences! {
    /// Operand `[N, W, C]` and kernel `[W, I, O]` give `[N, W, O]`.
    conv1d 1 ["NWC", "WIO", "NWC"];
    /// Operand `[N, H, W, C]` and kernel `[H, W, I, O]` give `[N, H, W, O]`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::tensor::convolve::{Padding, conv1d, conv1d_ncw, conv2d, conv2d_nchw, conv3d};
    /// use lawson::{DType, Tensor};
    ///
    /// let of = |dims: &[i64]| Tensor::ones(dims, DType::F32);
    /// let (x, kernel) = (of(&[1, 8, 8, 3]), of(&[3, 3, 3, 16]));
    /// assert_eq!(conv2d(&x, &kernel, [2, 2], Padding::Same).dims(), [1, 4, 4, 16]);
    /// assert_eq!(conv2d(&x, &kernel, [1, 1], Padding::Valid).dims(), [1, 6, 6, 16]);
    /// assert_eq!(conv2d_nchw(&of(&[1, 3, 8, 8]), &of(&[16, 3, 3, 3]), [2, 2], Padding::Same).dims(), [1, 16, 4, 4]);
    /// assert_eq!(conv1d(&of(&[1, 8, 3]), &of(&[3, 3, 4]), [1], Padding::Same).dims(), [1, 8, 4]);
    /// assert_eq!(conv1d_ncw(&of(&[1, 3, 8]), &of(&[4, 3, 3]), [1], Padding::Same).dims(), [1, 4, 8]);
    /// assert_eq!(conv3d(&of(&[1, 2, 2, 2, 3]), &of(&[2, 2, 2, 3, 5]), [1; 3], Padding::Valid).dims(), [1, 1, 1, 1, 5]);
    /// ```
    conv2d 2 ["NHWC", "HWIO", "NHWC"];
    /// Operand `[N, D, H, W, C]` and kernel `[D, H, W, I, O]` give `[N, D, H, W, O]`.
    conv3d 3 ["NDHWC", "DHWIO", "NDHWC"];
    /// Operand `[N, C, W]` and kernel `[O, I, W]` give `[N, O, W]`.
    conv1d_ncw 1 ["NCW", "OIW", "NCW"];
    /// Operand `[N, C, H, W]` and kernel `[O, I, H, W]` give `[N, O, H, W]`.
    conv2d_nchw 2 ["NCHW", "OIHW", "NCHW"];
}

/// The transposed convolution, which makes spatial dimensions larger by the stride: operand `[N, spatial…, C]` and
/// kernel `[window…, I, O]` give `[N, positions…, O]`. Paddings are those of the convolution that it undoes the shape
/// of, as in JAX: `Same` gives extent · stride.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::tensor::convolve::{Padding, conv_transpose};
/// use lawson::{DType, Tensor};
///
/// let (x, kernel) = (Tensor::ones([1, 4, 4, 2], DType::F32), Tensor::ones([3, 3, 2, 5], DType::F32));
/// assert_eq!(conv_transpose(&x, &kernel, &[2, 2], &Padding::Same).dims(), [1, 8, 8, 5]);
/// ```
#[track_caller]
pub fn conv_transpose(lhs: &Tensor, rhs: &Tensor, strides: &[i64], padding: &Padding) -> Tensor {
    let place = Location::caller();
    let (dims, spatial) = (rhs.dims().to_vec(), strides.len());
    let dimensions = match spatial {
        1 => ["NWC", "WIO", "NWC"],
        2 => ["NHWC", "HWIO", "NHWC"],
        3 => ["NDHWC", "DHWIO", "NDHWC"],
        n => {
            let message = format!("`conv_transpose` has {n} strides, and works on 1 to 3 spatial dimensions");
            return Tensor::failed(Error::new(place, message));
        }
    };
    let pads = |(&k, &s): (&i64, &i64)| {
        let (low, total) = match padding {
            Padding::Valid => (k - 1, k + s - 2 + (k - s).max(0)),
            _ if s > k - 1 => (k - 1, k + s - 2),
            _ => ((k + s - 1).div_euclid(2), k + s - 2),
        };
        (low, total - low)
    };
    let padding = match padding {
        Padding::Explicit(_) => padding.clone(),
        _ => Padding::Explicit(dims.iter().zip(strides).map(pads).collect()),
    };
    let how = Convolution {
        padding,
        lhs_dilation: strides.to_vec(),
        dimensions: Some(dimensions),
        ..Convolution::default()
    };
    convolve(place, "conv_transpose", lhs, rhs, &how)
}

fn convolve(place: Place, name: &str, lhs: &Tensor, rhs: &Tensor, how: &Convolution) -> Tensor {
    typed(place, name, &[lhs.operand(), rhs.operand()], |e, ids, _| emit(e, name, ids[0], ids[1], how))
}

fn emit(
    e: &mut Emit<'_>,
    name: &str,
    lhs: InstrId,
    rhs: InstrId,
    how: &Convolution,
) -> Result<InstrId, Fault> {
    let (x, kernel) = (e.array(lhs)?, e.array(rhs)?);
    let Some(spatial) = x.rank().checked_sub(2).filter(|_| x.rank() == kernel.rank()) else {
        return fault!(
            "`{name}` of {x} by {kernel}: both have batch or output, features and the same spatial dimensions"
        );
    };
    let Some(labels) = Labels::of(how.dimensions, spatial) else {
        let given = how.dimensions.unwrap_or_default();
        return fault!("`{name}` of {x} by {kernel}: the dimensions {given:?} do not name those");
    };
    let extents: Vec<i64> = labels.input[2..].iter().map(|&d| x.dims[d]).collect();
    let sizes: Vec<i64> = labels.kernel[2..].iter().map(|&d| kernel.dims[d]).collect();
    let numbers = Numbers {
        strides: &how.strides,
        base_dilation: &how.lhs_dilation,
        window_dilation: &how.rhs_dilation,
    };
    let window = windows(name, x, &extents, &sizes, &numbers, &how.padding)?;
    let dims = ConvDims {
        window,
        input_batch: labels.input[0],
        input_feature: labels.input[1],
        input_spatial: labels.input[2..].to_vec(),
        kernel_output_feature: labels.kernel[0],
        kernel_input_feature: labels.kernel[1],
        kernel_spatial: labels.kernel[2..].to_vec(),
        output_batch: labels.output[0],
        output_feature: labels.output[1],
        output_spatial: labels.output[2..].to_vec(),
        feature_group_count: groups(how.feature_group_count),
        batch_group_count: groups(how.batch_group_count),
    };
    let attrs = Attrs::Convolution(Box::new(dims));
    let shape = infer(e.graph.module(), Opcode::Convolution, &attrs, &[e.shape(lhs), e.shape(rhs)]);
    let shape = shape.map_err(|why| Fault(format!("`{name}` of {x} by {kernel}: {why}")))?;
    let found = shape.expect_array().clone();
    let shape = Shape::array(how.preferred.unwrap_or(found.dtype), found.dims);
    e.op_shaped(Opcode::Convolution, shape, &[lhs, rhs], attrs)
}

/// The default of a number is 0, which no count of groups is.
fn groups(count: i64) -> i64 {
    if count == 0 { 1 } else { count }
}

/// Where batch (or output features), features and spatial dimensions stand, in that order.
struct Labels {
    input: Vec<usize>,
    kernel: Vec<usize>,
    output: Vec<usize>,
}

impl Labels {
    fn of(dimensions: Option<[&str; 3]>, spatial: usize) -> Option<Labels> {
        let Some([input, kernel, output]) = dimensions else {
            let plain: Vec<usize> = (0..spatial + 2).collect();
            return Some(Labels { input: plain.clone(), kernel: plain.clone(), output: plain });
        };
        let names: Vec<char> = kernel.chars().filter(|c| !"OI".contains(*c)).collect();
        let find = |text: &str, first: [char; 2]| {
            let all = first.iter().chain(&names).map(|name| text.chars().position(|c| c == *name));
            let all = all.collect::<Option<Vec<usize>>>()?;
            let distinct = (0..all.len()).all(|i| !all[..i].contains(&all[i]));
            (distinct && text.chars().count() == spatial + 2 && all.len() == spatial + 2).then_some(all)
        };
        Some(Labels {
            input: find(input, ['N', 'C'])?,
            kernel: find(kernel, ['O', 'I'])?,
            output: find(output, ['N', 'C'])?,
        })
    }
}
