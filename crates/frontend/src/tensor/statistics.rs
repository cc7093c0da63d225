//! Averages and spreads. Integers and pred give floats; f16 and bf16 are computed in f32 and rounded once.

use super::Tensor;
use super::axes::Axes;
use super::elementwise::{Place, stretch};
use super::operand::AsTensor;
use super::promote::averaged;
use super::reduce::{Over, fold, reductions};
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::{InstrId, Opcode};
use std::panic::Location;

reductions! {
    //! Averages and spreads over all dimensions, over some (`…_axes`), and with the reduced ones kept as 1 (`…_keepdims`).
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([[1f32, 3.0], [5.0, 7.0]]);
    //! assert_eq!(x.mean().item(), Ok(4f32));
    //! assert_eq!(x.mean_axes(0).to_vec(), Ok(vec![3f32, 5.0]));
    //! assert_eq!(x.var_keepdims(1).to_vec(), Ok(vec![1f32, 1.0]));
    //! assert_eq!(x.std().item(), Ok(5f32.sqrt()));
    //! assert_eq!(Tensor::from([1000f32]).logsumexp().item(), Ok(1000f32));
    //! ```

    /// The arithmetic mean; NaN of no elements.
    mean mean_axes mean_keepdims = |place, x, over| reduced(place, "mean", x, over, mean);
    /// The variance: the mean of squared distances to the mean.
    var var_axes var_keepdims = |place, x, over| reduced(place, "var", x, over, |e, x, gone| var(e, x, gone, 0.0));
    /// The standard deviation: the root of the variance.
    std std_axes std_keepdims = |place, x, over| reduced(place, "std", x, over, |e, x, gone| {
        let variance = var(e, x, gone, 0.0)?;
        e.unary(Opcode::Sqrt, variance)
    });
    /// The logarithm of the sum of exponentials, without overflow.
    logsumexp logsumexp_axes logsumexp_keepdims = |place, x, over| reduced(place, "logsumexp", x, over, logsumexp);
}

impl Tensor {
    /// The variance over these dimensions as an estimate from samples: divided by their number less `ddof`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([1f32, 2.0, 3.0]).var_ddof(0, 1.0).item(), Ok(1f32));
    /// ```
    #[track_caller]
    pub fn var_ddof(&self, axes: impl Axes, ddof: f64) -> Tensor {
        let over = Over::Some(axes.axes());
        reduced(Location::caller(), "var_ddof", self, over, |e, x, gone| var(e, x, gone, ddof))
    }

    /// The mean over these dimensions by weights that broadcast to this tensor, which need not sum to 1.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1f32, 2.0]);
    /// assert_eq!(x.average(0, Tensor::from([3f32, 1.0])).item(), Ok(1.25f32));
    /// ```
    #[track_caller]
    pub fn average(&self, axes: impl Axes, weights: impl AsTensor) -> Tensor {
        let axes = axes.axes();
        let weighted = self.multiply(weights.operand());
        let weights = self.ones_like().multiply(weights.operand());
        weighted.sum_axes(&axes).divide(weights.sum_axes(&axes))
    }
}

/// A reduction in the floating-point type of the sums, rounded to that of the elements at the end.
fn reduced(
    place: Place,
    name: &str,
    x: &Tensor,
    over: Over,
    f: impl FnOnce(&mut Emit<'_>, InstrId, &[usize]) -> Result<InstrId, Fault>,
) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let dims = e.dims(ids[0])?;
        let gone = over.axes(name, e, ids[0])?;
        let result = averaged(name, e.dtype(ids[0])?)?;
        let wide = e.convert(ids[0], result.accumulator())?;
        let made = f(e, wide, &gone)?;
        let made = over.keep(e, made, &dims, &gone)?;
        e.convert(made, result)
    })
}

fn mean(e: &mut Emit<'_>, x: InstrId, gone: &[usize]) -> Result<InstrId, Fault> {
    divided_sum(e, x, gone, 0.0)
}

/// The sum over dimensions, divided by the number of elements less `ddof`.
fn divided_sum(e: &mut Emit<'_>, x: InstrId, gone: &[usize], ddof: f64) -> Result<InstrId, Fault> {
    let count: i64 = gone.iter().map(|&d| e.dims(x).map(|dims| dims[d])).product::<Result<i64, _>>()?;
    let sum = fold(e, "sum", Opcode::Add, x, gone)?;
    let count = e.splat_like(sum, count as f64 - ddof)?;
    e.div(sum, count)
}

fn var(e: &mut Emit<'_>, x: InstrId, gone: &[usize], ddof: f64) -> Result<InstrId, Fault> {
    let mean = mean(e, x, gone)?;
    let mean = back(e, mean, x, gone)?;
    let distance = e.sub(x, mean)?;
    let square = e.mul(distance, distance)?;
    divided_sum(e, square, gone, ddof)
}

/// The greatest element is taken out before exponentials and added after; its derivative cancels and is not taken.
fn logsumexp(e: &mut Emit<'_>, x: InstrId, gone: &[usize]) -> Result<InstrId, Fault> {
    let most = fold(e, "logsumexp", Opcode::Maximum, x, gone)?;
    let zero = e.splat_like(most, 0.0)?;
    let finite = e.unary(Opcode::IsFinite, most)?;
    let most = e.select(finite, most, zero)?;
    let most = e.stop_gradient(most)?;
    let from = back(e, most, x, gone)?;
    let less = e.sub(x, from)?;
    let exponentials = e.unary(Opcode::Exponential, less)?;
    let sum = fold(e, "logsumexp", Opcode::Add, exponentials, gone)?;
    let log = e.unary(Opcode::Log, sum)?;
    e.add(log, most)
}

/// What was reduced over dimensions, repeated along them.
fn back(e: &mut Emit<'_>, reduced: InstrId, x: InstrId, gone: &[usize]) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    let kept: Vec<usize> = (0..dims.len()).filter(|d| !gone.contains(d)).collect();
    match gone.is_empty() {
        true => stretch(e, reduced, &dims),
        false => e.broadcast(reduced, &dims, &kept),
    }
}
