//! Sorting along a dimension, alone or together with other arrays, and the largest elements.
//!
//! Floats are in one order: -inf first, both zeros equal, NaN last, as in JAX. Sorts are stable.

use super::Tensor;
use super::axes::axis as axis_of;
use super::elementwise::Place;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{Attrs, CompId, DType, InstrId, Opcode, Shape};
use std::panic::Location;

/// Which way a sort goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Ascending,
    Descending,
}

impl Tensor {
    /// The elements along a dimension in ascending order.
    ///
    /// The result carries an error where the array has no such axis. So it is with the other sorts.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([3f32, f32::NAN, 1.0]);
    /// assert_eq!(x.sort(0).to_vec::<f32>()?[..2], [1.0, 3.0]);
    /// assert_eq!(x.argsort(0).to_vec(), Ok(vec![2i32, 0, 1]));
    /// assert_eq!(x.argsort_descending(0).to_vec(), Ok(vec![1i32, 0, 2]));
    /// assert_eq!(Tensor::from([3i32, 1, 2]).sort_descending(0).to_vec(), Ok(vec![3i32, 2, 1]));
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn sort(&self, axis: i64) -> Tensor {
        sorted(Location::caller(), "sort", &[self], axis, 1, Order::Ascending).swap_remove(0)
    }

    /// The elements along a dimension in descending order: NaN first.
    #[track_caller]
    pub fn sort_descending(&self, axis: i64) -> Tensor {
        sorted(Location::caller(), "sort_descending", &[self], axis, 1, Order::Descending).swap_remove(0)
    }

    /// The indices along a dimension, as s32, in the order of the elements; of equal ones the first comes first.
    #[track_caller]
    pub fn argsort(&self, axis: i64) -> Tensor {
        self.indices_sorted(Location::caller(), "argsort", axis, Order::Ascending)
    }

    /// As [`Tensor::argsort`], from the largest element to the least; of equal ones the first comes first.
    #[track_caller]
    pub fn argsort_descending(&self, axis: i64) -> Tensor {
        self.indices_sorted(Location::caller(), "argsort_descending", axis, Order::Descending)
    }

    fn indices_sorted(&self, place: Place, name: &str, axis: i64, order: Order) -> Tensor {
        let indices = Tensor::apply(place, &[self], |e, ids| {
            let shape = e.array(ids[0])?.clone();
            let axis = axis_of(name, axis, &shape)?;
            e.iota(DType::S32, &shape.dims, axis)
        });
        sorted(place, name, &[self, &indices], axis, 1, order).swap_remove(1)
    }

    /// The `k` largest elements along the last dimension in descending order, and their indices as s32; of equal ones
    /// the first comes first, NaN counts as the largest.
    ///
    /// The results carry an error where there are fewer than `k`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let (values, indices) = Tensor::from([2i32, 9, 4]).top_k(2);
    /// assert_eq!((values.to_vec(), indices.to_vec()), (Ok(vec![9i32, 4]), Ok(vec![1i32, 2])));
    /// ```
    #[track_caller]
    pub fn top_k(&self, k: usize) -> (Tensor, Tensor) {
        let mut made = Tensor::apply_many(Location::caller(), &[self], 2, |e, ids| {
            let shape = e.array(ids[0])?;
            let k = k as i64;
            if shape.dims.last().is_none_or(|&n| n < k) {
                return fault!(
                    "`top_k` of {shape}, which has fewer than {k} elements along its last dimension"
                );
            }
            let top = e.op(Opcode::TopK, ids, Attrs::TopK { k, largest: true })?;
            e.elements(top)
        });
        let indices = made.pop().expect("two results");
        (made.swap_remove(0).with_weak(self.is_weak()), indices)
    }
}

/// Arrays of the same dimensions sorted together along one of them, by the first `keys` of them: the second decides
/// where the first are equal.
///
/// The results carry an error that shows the shapes where dimensions differ, and where there are fewer arrays than
/// keys, or no key.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::tensor::sort_by_keys;
///
/// let (keys, values) = (Tensor::from([2i32, 1, 2]), Tensor::from([10f32, 20.0, 30.0]));
/// let sorted = sort_by_keys(&[&keys, &values], 0, 1);
/// assert_eq!(sorted[1].to_vec(), Ok(vec![20f32, 10.0, 30.0]));
/// ```
#[track_caller]
pub fn sort_by_keys(arrays: &[&Tensor], axis: i64, keys: usize) -> Vec<Tensor> {
    sorted(Location::caller(), "sort_by_keys", arrays, axis, keys, Order::Ascending)
}

fn sorted(place: Place, name: &str, arrays: &[&Tensor], axis: i64, keys: usize, order: Order) -> Vec<Tensor> {
    let made = Tensor::apply_many(place, arrays, arrays.len(), |e, ids| {
        let shapes = ids.iter().map(|&id| Ok(e.array(id)?.clone())).collect::<Result<Vec<_>, Fault>>()?;
        if keys == 0 || keys > ids.len() {
            return fault!("`{name}` of {} arrays by {keys} of them", ids.len());
        }
        if let Some(other) = shapes.iter().find(|s| s.dims != shapes[0].dims) {
            return fault!("`{name}` of {} together with {other}, which has other dimensions", shapes[0]);
        }
        let dim = axis_of(name, axis, &shapes[0])?;
        let dtypes: Vec<DType> = shapes.iter().map(|s| s.dtype).collect();
        let to_apply = comparator(e, &dtypes, keys, order)?;
        let done = e.op(Opcode::Sort, ids, Attrs::Sort { dim, is_stable: true, to_apply })?;
        e.elements(done)
    });
    made.into_iter().zip(arrays).map(|(t, of)| t.with_weak(of.is_weak())).collect()
}

/// Whether the first of two elements of each array comes before the second, by the first `keys` arrays.
fn comparator(e: &mut Emit<'_>, dtypes: &[DType], keys: usize, order: Order) -> Result<CompId, Fault> {
    e.computation("comparator", |e| {
        let mut pairs = Vec::new();
        for (n, &dtype) in dtypes.iter().enumerate() {
            let a = e.parameter(2 * n, Shape::scalar(dtype));
            let b = e.parameter(2 * n + 1, Shape::scalar(dtype));
            if n < keys {
                for (a, b) in parts(e, a, b)? {
                    let (a, b) = (canonical(e, a)?, canonical(e, b)?);
                    pairs.push(if order == Order::Ascending { (a, b) } else { (b, a) });
                }
            }
        }
        let mut before: Option<InstrId> = None;
        for (a, b) in pairs.into_iter().rev() {
            let less = ordered(e, Direction::Lt, a, b)?;
            before = Some(match before {
                None => less,
                Some(before) => {
                    let equal = ordered(e, Direction::Eq, a, b)?;
                    let then = e.binary(Opcode::And, equal, before)?;
                    e.binary(Opcode::Or, less, then)?
                }
            });
        }
        before.ok_or_else(|| Fault("a sort needs a key".into()))
    })
}

/// Complex numbers are sorted by their real part, then by their imaginary part.
fn parts(e: &mut Emit<'_>, a: InstrId, b: InstrId) -> Result<Vec<(InstrId, InstrId)>, Fault> {
    if !e.dtype(a)?.is_complex() {
        return Ok(vec![(a, b)]);
    }
    let part = |e: &mut Emit<'_>, opcode| Ok::<_, Fault>((e.unary(opcode, a)?, e.unary(opcode, b)?));
    Ok(vec![part(e, Opcode::Real)?, part(e, Opcode::Imag)?])
}

/// One zero, and one NaN, which comes last in the total order.
fn canonical(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let dtype = e.dtype(x)?;
    if !dtype.is_float() {
        return Ok(x);
    }
    let (zero, nan) = (e.scalar(dtype, 0.0), e.scalar(dtype, f64::NAN));
    let is_zero = e.compare(Direction::Eq, x, zero)?;
    let is_nan = e.compare(Direction::Ne, x, x)?;
    let x = e.select(is_zero, zero, x)?;
    e.select(is_nan, nan, x)
}

fn ordered(e: &mut Emit<'_>, direction: Direction, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
    let order = if e.dtype(a)?.is_float() { CompareOrder::TotalOrder } else { CompareOrder::Default };
    e.op(Opcode::Compare, &[a, b], Attrs::Compare { direction, order })
}
