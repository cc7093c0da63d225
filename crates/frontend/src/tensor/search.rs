//! Ranks: where elements stand in a sorted array, and which stand in the middle.

use super::gather::IndexMode;
use super::{Tensor, where_};
use crate::error::Error;
use lawson_hlo::DType;
use std::panic::Location;

/// Where an element goes among equal ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before them.
    Left,
    /// After them.
    Right,
}

impl Tensor {
    /// The index, as s32, before which each of these elements would keep this sorted vector sorted. NaN is the largest.
    ///
    /// The result carries an error where this is no vector.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::tensor::Side;
    ///
    /// let (sorted, x) = (Tensor::from([1f32, 2.0, 2.0, 5.0]), Tensor::from([2f32, 6.0]));
    /// assert_eq!(sorted.searchsorted(&x, Side::Left).to_vec(), Ok(vec![1i32, 4]));
    /// assert_eq!(sorted.searchsorted(&x, Side::Right).to_vec(), Ok(vec![3i32, 4]));
    /// ```
    #[track_caller]
    pub fn searchsorted(&self, elements: &Tensor, side: Side) -> Tensor {
        let count = match self.shape() {
            Ok(shape) if shape.rank() == 1 => shape.dims[0],
            Ok(shape) => {
                let message = format!("`searchsorted` in {shape}, which is no vector");
                return Tensor::failed(Error::new(Location::caller(), message));
            }
            Err(e) => return Tensor::failed(e),
        };
        // Between low and high lies the result: each step halves the distance.
        let mut low = Tensor::zeros(elements.dims(), DType::S32);
        let mut high = Tensor::full(elements.dims(), count, DType::S32);
        let steps = (count as u64 + 1).next_power_of_two().trailing_zeros();
        for _ in 0..steps {
            let middle = (&low + &high) >> 1;
            let there = self.take_mode(&middle, 0, IndexMode::Clip);
            let above = match side {
                Side::Left => comes_before(&there, elements),
                Side::Right => comes_before(elements, &there).logical_not(),
            };
            let open = low.less(&high);
            low = where_(open.logical_and(&above), &middle + 1, &low);
            high = where_(open.logical_and(above.logical_not()), &middle, &high);
        }
        low
    }

    /// The element below which a share `q` of all lies, with linear interpolation between neighbours; NaN where one
    /// is. Integers as f32.
    ///
    /// The result carries an error where `q` is not from 0 to 1, or there are no elements.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[4f32, 1.0], [2.0, 3.0]]);
    /// assert_eq!(x.quantile(0.25).item(), Ok(1.75f32));
    /// assert_eq!(x.median().item(), Ok(2.5f32));
    /// assert_eq!(x.median_axis(1).to_vec(), Ok(vec![2.5f32, 2.5]));
    /// assert_eq!(x.quantile_axis(1.0, 0).to_vec(), Ok(vec![4f32, 3.0]));
    /// ```
    #[track_caller]
    pub fn quantile(&self, q: f64) -> Tensor {
        self.flatten().quantile_axis(q, 0)
    }

    /// As [`Tensor::quantile`], along a dimension, which goes.
    #[track_caller]
    pub fn quantile_axis(&self, q: f64, axis: i64) -> Tensor {
        let place = Location::caller();
        let shape = match self.shape() {
            Ok(shape) => shape,
            Err(e) => return Tensor::failed(e),
        };
        let count = match super::axes::axis("quantile", axis, shape) {
            Ok(axis) => shape.dims[axis],
            Err(e) => return Tensor::failed(Error::new(place, e.0)),
        };
        if count == 0 || !(0.0..=1.0).contains(&q) {
            return Tensor::failed(Error::new(place, format!("`quantile` {q} of {shape} along axis {axis}")));
        }
        let dtype = match super::promote::averaged("quantile", shape.dtype) {
            Ok(dtype) => dtype,
            Err(e) => return Tensor::failed(Error::new(place, e.0)),
        };
        let sorted = self.astype(dtype).sort(axis).moveaxis(axis, 0);
        let rank = q * (count - 1) as f64;
        let share = rank.fract();
        let below = sorted.index(rank.floor() as i64);
        let above = sorted.index(rank.ceil() as i64);
        let between = if share == 0.0 { below } else { below * (1.0 - share) + above * share };
        let last = sorted.index(count - 1);
        where_(last.isnan(), &last, &between)
    }

    /// The middle element of all in order, of an even number the mean of two: [`Tensor::quantile`] of one half.
    #[track_caller]
    pub fn median(&self) -> Tensor {
        self.quantile(0.5)
    }

    /// As [`Tensor::median`], along a dimension, which goes.
    #[track_caller]
    pub fn median_axis(&self, axis: i64) -> Tensor {
        self.quantile_axis(0.5, axis)
    }
}

/// Whether elements come before others in the order of sorts.
#[track_caller]
fn comes_before(a: &Tensor, b: &Tensor) -> Tensor {
    let less = a.less(b);
    if !b.dtype().is_float() {
        return less;
    }
    less.logical_or(b.isnan().logical_and(a.isnan().logical_not()))
}
