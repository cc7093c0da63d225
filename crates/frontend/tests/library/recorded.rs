//! Values that JAX gave for the same inputs: `values.txt`, which `scripts/record_frontend_values.py` writes.
//!
//! A line is `name dtype[dims] element …`. Inputs are not recorded: [`pattern`] and the script make the same.

use crate::support::values;
use lawson_frontend::{DType, Tensor};

/// f32 elements that are multiples of 1/8 between -2 and 2.
pub fn pattern(seed: i64, dims: &[i64]) -> Tensor {
    let count: i64 = dims.iter().product();
    let element = |i: i64| ((i * 37 + seed * 101 + i * i * 11) % 33 - 16) as f32 / 8.0;
    Tensor::new(&(0..count).map(element).collect::<Vec<_>>(), dims)
}

/// s32 elements from 0 up to a bound.
pub fn indices(seed: i64, bound: i64, dims: &[i64]) -> Tensor {
    let count: i64 = dims.iter().product();
    let element = |i: i64| ((i * 37 + seed * 101 + i * i * 11) % bound) as i32;
    Tensor::new(&(0..count).map(element).collect::<Vec<_>>(), dims)
}

/// The tensor is what was recorded under that name: type, dimensions and, but for roundings, elements.
#[track_caller]
pub fn same(name: &str, found: &Tensor) {
    let line = include_str!("values.txt").lines().find(|line| line.split(' ').next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("nothing is recorded as {name}"));
    let mut words = line.split(' ').skip(1);
    let shape = found.shape().unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(Some(&*shape.to_string()), words.next(), "{name}");
    let wanted: Vec<f64> = words.map(|w| w.parse().unwrap_or_else(|e| panic!("{name}: {w}: {e}"))).collect();
    let found = values(found);
    assert_eq!(found.len(), wanted.len(), "{name}");
    let tolerance = match shape.dtype {
        DType::F64 => 1e-12,
        DType::F16 | DType::Bf16 => 1e-2,
        _ if shape.dtype.is_float() => 2e-5,
        _ => 0.0,
    };
    for (i, (a, b)) in found.iter().zip(&wanted).enumerate() {
        let equal = a == b || (a.is_nan() && b.is_nan());
        assert!(
            equal || (a - b).abs() <= tolerance * b.abs().max(1.0),
            "{name}: element {i} is {a}, not {b}"
        );
    }
}
