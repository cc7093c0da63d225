//! Complex numbers, products, windows, indices, sorts and linear algebra: values against those that JAX recorded, and what is refused.

#[path = "../support/mod.rs"]
mod support;

mod complex;
mod contract;
mod custom;
mod decompositions;
mod gather;
mod linalg;
mod recorded;
mod sort;
mod windows;

use lawson_frontend::Tensor;

/// The tensor carries an error of this file's neighbours, from a line close to the caller's, with these parts.
#[track_caller]
fn refused(t: &Tensor, parts: &[&str]) {
    let here = std::panic::Location::caller();
    let error = t.error().unwrap_or_else(|| panic!("{t:?} is no error"));
    let place = error.place();
    assert!(place.file() == here.file() && place.line().abs_diff(here.line()) < 8, "{error}");
    for part in parts {
        assert!(error.message().contains(part), "{error} lacks {part:?}");
    }
}
