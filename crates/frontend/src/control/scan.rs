//! `scan`: a function applied to one row after the other, with a carry.

use super::carry;
use super::counted::{Counted, stacked};
use super::traced::{Place, Traced, run, specs, trace};
use crate::error::Error;
use crate::tensor::Tensor;
use crate::tensor::trace::Spec;
use crate::tree::{self, Tree};
use lawson_hlo::ArrayShape;
use std::panic::Location;

/// How [`scan_with`] goes over the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScanOptions {
    /// The number of trips. Needed where there are no `xs`; else that of their rows.
    pub length: Option<i64>,
    /// From the last row to the first; ys stand where their xs do.
    pub reverse: bool,
}

/// Applies `f` to a carry and one row of `xs` after the other: `(carry, y) = f(carry, x)`. Gives the last carry and
/// all ys, stacked along a new first dimension. Rows are along the first dimension of every leaf of `xs`.
///
/// The carry keeps its structure, shapes and types; weak types of `init` give way to those that the body gives. The
/// result carries an error that names the leaf otherwise, and where leaves of `xs` have different numbers of rows.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, scan};
///
/// let xs = Tensor::from([1f32, 2.0, 3.0]);
/// let (sum, sums) = scan(|sum: &Tensor, x: &Tensor| (sum + x, sum + x), &Tensor::from(0f32), &xs);
/// assert_eq!((sum.item(), sums.to_vec()), (Ok(6f32), Ok(vec![1f32, 3.0, 6.0])));
/// ```
#[track_caller]
pub fn scan<C: Tree, X: Tree, Y: Tree>(f: impl Fn(&C, &X) -> (C, Y), init: &C, xs: &X) -> (C, Y) {
    scan_at(Location::caller(), ScanOptions::default(), &f, init, xs)
}

/// As [`scan`], with options.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{ScanOptions, Tensor, scan_with};
///
/// let options = ScanOptions { reverse: true, ..ScanOptions::default() };
/// let (xs, zero) = (Tensor::from([1f32, 2.0, 3.0]), Tensor::from(0f32));
/// let (_, sums) = scan_with(options, |sum: &Tensor, x: &Tensor| (sum + x, sum + x), &zero, &xs);
/// assert_eq!(sums.to_vec(), Ok(vec![6f32, 5.0, 3.0]));
/// ```
#[track_caller]
pub fn scan_with<C: Tree, X: Tree, Y: Tree>(
    options: ScanOptions,
    f: impl Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
) -> (C, Y) {
    scan_at(Location::caller(), options, &f, init, xs)
}

/// As [`scan`], without `xs`: `length` times `(carry, y) = f(carry)`.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, scan_length};
///
/// let (_, powers) = scan_length(|x: &Tensor| (x * 2, x.clone()), &Tensor::from(1), 4);
/// assert_eq!(powers.to_vec(), Ok(vec![1i32, 2, 4, 8]));
/// ```
#[track_caller]
pub fn scan_length<C: Tree, Y: Tree>(f: impl Fn(&C) -> (C, Y), init: &C, length: i64) -> (C, Y) {
    let options = ScanOptions { length: Some(length), ..ScanOptions::default() };
    scan_at(Location::caller(), options, &|carry: &C, (): &()| f(carry), init, &())
}

fn scan_at<C: Tree, X: Tree, Y: Tree>(
    place: Place,
    options: ScanOptions,
    f: &dyn Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
) -> (C, Y) {
    let mut leaves = tree::leaves(init);
    let carries = leaves.len();
    leaves.extend(tree::leaves(xs));
    let record = |leaves: Vec<Tensor>| {
        let (carry, rows) = leaves.split_at(carries);
        record(place, options, f, (init, carry), (xs, rows))
    };
    let failed =
        |failed: &Tensor| f(&tree::map(init, |_| failed.clone()), &tree::map(xs, |_| failed.clone()));
    run(place, &leaves, record, failed)
}

fn record<C: Tree, X: Tree, Y: Tree>(
    place: Place,
    options: ScanOptions,
    f: &dyn Fn(&C, &X) -> (C, Y),
    (init, carry): (&C, &[Tensor]),
    (xs, rows): (&X, &[Tensor]),
) -> Result<(Vec<Tensor>, (C, Y)), Error> {
    let length = length(place, options, rows)?;
    let row_specs: Vec<Spec> = specs(rows)?.into_iter().map(row_of).collect();
    let mut carry = carry.to_vec();
    let Traced { function, result } = loop {
        let parameters = [specs(&carry)?, row_specs.clone()].concat();
        let traced = trace(place, "scan_body", &parameters, |leaves| {
            let (carry, row) = leaves.split_at(carry.len());
            Ok(f(&tree::rebuild(init, carry.to_vec()), &tree::rebuild(xs, row.to_vec())))
        })?;
        if !carry::promote(place, &mut carry, &traced.function.results)? {
            break traced;
        }
    };
    carry::check(place, "scan", init, &result.0, &carry, &function.results)?;
    if length == 0 {
        let ys = function.results[carry.len()..].iter().map(|y| {
            let shape = stacked(&y.shape, 0);
            Tensor::apply(place, &[], |e, _| e.zeros(&shape)).with_weak(y.weak)
        });
        let all = carry.iter().cloned().chain(ys).collect();
        return Ok((all, result));
    }
    let (start, limit, reverse) = (0, length, options.reverse);
    let counted =
        Counted { function: &function, start, limit, reverse, counter: false, carry: &carry, xs: rows };
    Ok((counted.record(place)?, result))
}

fn row_of(Spec { shape, weak }: Spec) -> Spec {
    Spec { shape: ArrayShape::new(shape.dtype, &shape.dims[1..]), weak }
}

/// The number of trips, on which options and all xs agree.
fn length(place: Place, options: ScanOptions, xs: &[Tensor]) -> Result<i64, Error> {
    let mut length = options.length;
    for (number, x) in xs.iter().enumerate() {
        let shape = x.shape()?;
        let Some(&rows) = shape.dims.first() else {
            let message = format!("`scan`: leaf {number} of xs is {shape}, which has no rows");
            return Err(Error::new(place, message));
        };
        let wanted = *length.get_or_insert(rows);
        if rows != wanted {
            let message = format!("`scan`: leaf {number} of xs is {shape}, of {rows} rows, not of {wanted}");
            return Err(Error::new(place, message));
        }
    }
    match length {
        Some(length) if (0..=i64::from(i32::MAX)).contains(&length) => Ok(length),
        Some(length) => Err(Error::new(place, format!("`scan`: {length} is no number of trips"))),
        None => Err(Error::new(place, "`scan` without xs needs a length")),
    }
}
