//! Prime fields in Rust: values, operations, derivatives and batches, compared with arithmetic on wide integers.

#[path = "../support/mod.rs"]
mod support;

mod batches;
mod control;
mod derivatives;
mod errors;
mod exact;
mod operations;
mod random_elements;
mod transforms;
mod values;
mod wide;

use exact::Random;
use lawson_frontend::{DType, Tensor, trace};
use lawson_hlo::ArrayShape;

/// Every prime field, in each of its forms.
fn fields() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied().filter(|d| d.field().is_some())
}

/// Every extension, in each of its forms.
fn extensions() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied().filter(|d| d.extension().is_some())
}

fn modulus(dtype: DType) -> u64 {
    dtype.part().field().expect("a field").prime.modulus()
}

/// Random elements of a field or of an extension.
fn random(dtype: DType, dims: &[i64], random: &mut Random) -> Tensor {
    let each = dtype.extension().map_or(1, |e| i64::from(e.degree));
    let count = dims.iter().product::<i64>() * each;
    let p = modulus(dtype);
    let values: Vec<u64> = (0..count).map(|_| random.next() % p).collect();
    Tensor::from_values(dtype, &values, dims)
}

#[track_caller]
fn values(t: &Tensor) -> Vec<u64> {
    t.values().unwrap_or_else(|e| panic!("{e}"))
}

/// Equal types, dimensions and values.
#[track_caller]
fn same(found: &Tensor, wanted: &Tensor) {
    assert_eq!(found.shape().unwrap_or_else(|e| panic!("{e}")), wanted.shape().unwrap());
    assert_eq!(values(found), values(wanted));
}

/// The text of a function of arrays of these types and dimensions, traced.
fn text(parameters: &[(DType, &[i64])], f: impl FnOnce(&[Tensor]) -> Tensor) -> String {
    let specs: Vec<trace::Spec> =
        parameters.iter().map(|&(d, dims)| ArrayShape::new(d, dims).into()).collect();
    let made = trace::program(&specs, |x| Ok(vec![f(&x)])).unwrap_or_else(|e| panic!("{e}"));
    made.0.finish(made.1.comp, "traced").to_string()
}
