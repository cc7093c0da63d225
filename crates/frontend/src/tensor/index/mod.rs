//! Indexing as in numpy: `x.index((0, 1..3, .., NewAxis, (..).step(2)))`.
//!
//! An integer takes one element and its dimension goes; a range takes a part, with Python's rules: negative ends count from
//! the end, and what lies outside is left out. `..` is a whole dimension, [`Ellipsis`] as many whole ones as are left,
//! [`NewAxis`] a new dimension of 1. A scalar integer tensor takes one element too; one outside is the nearest inside, as
//! nothing is known of it before the program runs. A constant integer outside is an error. Tensors of more than one index
//! are for `take` and `gather`.
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::{DType, Ellipsis, NewAxis, Step, Tensor};
//!
//! let x = Tensor::arange(0..24, DType::S32).reshape([2, 3, 4]);
//! assert_eq!(x.index((1, -1, 0)).item(), Ok(20i32));
//! assert_eq!(x.index((.., 1..3)).dims(), [2, 2, 4]);
//! assert_eq!(x.index((Ellipsis, 0, NewAxis)).dims(), [2, 3, 1]);
//! assert_eq!(x.index((0, 0, (..).step(-1))).to_vec(), Ok(vec![3i32, 2, 1, 0]));
//! let row = Tensor::of(1); // known when the program runs
//! assert_eq!(x.index((&row, 0)).to_vec(), Ok(vec![12i32, 13, 14, 15]));
//! assert!(x.index(2).error().is_some());
//! ```

mod plan;
mod update;

pub use update::At;

use super::Tensor;
use super::shapes::moved;
use crate::error::Error;
use plan::Plan;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::panic::Location;

/// What is taken along one dimension.
#[derive(Clone, Debug)]
pub enum Item {
    /// One element; its dimension goes.
    One(i64),
    /// A scalar that is known when the program runs.
    Scalar(Tensor),
    /// A part of the dimension.
    Part(Part),
    /// A new dimension of 1.
    New,
    /// As many whole dimensions as are left.
    Rest,
}

/// A part of a dimension: every `step`th element from `start` until before `stop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first element; none is the first that the direction meets.
    pub start: Option<i64>,
    /// The end, which is not part; none is beyond the last.
    pub stop: Option<i64>,
    /// Negative ones go backward.
    pub step: i64,
}

impl Part {
    /// From `start` until before `stop`, where both may be left out: `Part::new(5, None, -1)`.
    pub fn new(start: impl Into<Option<i64>>, stop: impl Into<Option<i64>>, step: i64) -> Part {
        Part { start: start.into(), stop: stop.into(), step }
    }
}

/// A new dimension of 1: numpy's `newaxis`.
#[derive(Clone, Copy, Debug)]
pub struct NewAxis;

/// As many whole dimensions as are left: numpy's `...`.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsis;

/// One element of an index.
pub trait IndexItem {
    /// What is taken.
    fn item(&self) -> Item;
}

/// An index: one item, or a tuple of them.
pub trait Index {
    /// What is taken along each dimension.
    fn items(&self) -> Vec<Item>;
}

/// Ranges with steps: `(1..9).step(2)`, `(..).step(-1)`.
pub trait Step {
    /// Every `by`th element; backward where it is negative.
    fn step(self, by: i64) -> Part;
}

impl Tensor {
    /// The elements at an index.
    ///
    /// Carries an error where the index has too many items, or an integer lies outside.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::arange(0..6, DType::S32).reshape([2, 3]);
    /// assert_eq!(x.index(0).to_vec(), Ok(vec![0i32, 1, 2]));
    /// assert_eq!(x.index((.., -1)).to_vec(), Ok(vec![2i32, 5]));
    /// ```
    #[track_caller]
    pub fn index(&self, index: impl Index) -> Tensor {
        let place = Location::caller();
        let items = index.items();
        let plan = match self.shape().and_then(|s| Plan::new(&items, s).map_err(|e| Error::new(place, e.0))) {
            Ok(plan) => plan,
            Err(e) => return Tensor::failed(e),
        };
        if plan.scalars.is_empty() {
            return moved(place, self, |e, x| {
                let region = plan.region(e, x, &[])?;
                plan.view(e, region)
            });
        }
        let operands: Vec<&Tensor> =
            std::iter::once(self).chain(plan.scalars.iter().map(|(_, t)| t)).collect();
        let made = Tensor::apply(place, &operands, |e, ids| {
            let starts = plan.starts(e, &ids[1..])?;
            let region = plan.region(e, ids[0], &starts)?;
            plan.view(e, region)
        });
        made.with_weak(self.is_weak())
    }

    /// The place of an index, to be changed: `x.at(0).set(1.0)`, `x.at((.., 1..3)).add(&y)`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::zeros([2, 3], DType::S32);
    /// assert_eq!(x.at(0).set(1).to_vec(), Ok(vec![1i32, 1, 1, 0, 0, 0]));
    /// assert_eq!(x.at((.., 1)).add(Tensor::from([5i32, 6])).to_vec(), Ok(vec![0i32, 5, 0, 0, 6, 0]));
    /// ```
    #[track_caller]
    pub fn at(&self, index: impl Index) -> At<'_> {
        At::new(Location::caller(), self, index.items())
    }
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl IndexItem for $t {
            fn item(&self) -> Item {
                Item::One(wide(*self as i128))
            }
        }

        integers!(@range $t; Range r => Some(wide(r.start as i128)), Some(wide(r.end as i128)));
        integers!(@range $t; RangeFrom r => Some(wide(r.start as i128)), None);
        integers!(@range $t; RangeTo r => None, Some(wide(r.end as i128)));
        integers!(@range $t; RangeInclusive r => Some(wide(*r.start() as i128)), after(*r.end() as i128));
        integers!(@range $t; RangeToInclusive r => None, after(r.end as i128));
    )*};
    (@range $t:ty; $range:ident $r:ident => $start:expr, $stop:expr) => {
        impl IndexItem for $range<$t> {
            fn item(&self) -> Item {
                Item::Part(self.clone().step(1))
            }
        }

        impl Step for $range<$t> {
            fn step(self, by: i64) -> Part {
                let $r = self;
                Part { start: $start, stop: $stop, step: by }
            }
        }
    };
}

integers! { i32 i64 isize u32 usize }

/// Beyond every dimension where it does not fit.
fn wide(n: i128) -> i64 {
    n.clamp(i64::MIN as i128, i64::MAX as i128) as i64
}

/// Where a range ends that contains its end: −1 is the last element.
fn after(end: i128) -> Option<i64> {
    (end != -1).then(|| wide(end + 1))
}

impl Step for RangeFull {
    fn step(self, by: i64) -> Part {
        Part { start: None, stop: None, step: by }
    }
}

impl IndexItem for RangeFull {
    fn item(&self) -> Item {
        Item::Part((..).step(1))
    }
}

impl IndexItem for Part {
    fn item(&self) -> Item {
        Item::Part(*self)
    }
}

impl IndexItem for NewAxis {
    fn item(&self) -> Item {
        Item::New
    }
}

impl IndexItem for Ellipsis {
    fn item(&self) -> Item {
        Item::Rest
    }
}

impl IndexItem for Tensor {
    fn item(&self) -> Item {
        Item::Scalar(self.clone())
    }
}

impl IndexItem for Item {
    fn item(&self) -> Item {
        self.clone()
    }
}

impl<T: IndexItem + ?Sized> IndexItem for &T {
    fn item(&self) -> Item {
        (**self).item()
    }
}

impl<T: IndexItem> Index for T {
    fn items(&self) -> Vec<Item> {
        vec![self.item()]
    }
}

impl Index for [Item] {
    fn items(&self) -> Vec<Item> {
        self.to_vec()
    }
}

macro_rules! tuples {
    ($(($($name:ident $n:tt),*);)*) => {$(
        impl<$($name: IndexItem),*> Index for ($($name,)*) {
            fn items(&self) -> Vec<Item> {
                vec![$(self.$n.item()),*]
            }
        }
    )*};
}

tuples! {
    ();
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}
