//! Tables of multilinear polynomials.

use super::{random_base, values};
use lawson::{Tensor, random};
use lawson_examples::provers::multilinear::{eq_table, evaluate, fix};
use lawson_examples::provers::{BASE, EXTENSION};

#[test]
fn eq_is_one_at_its_point_of_the_cube() {
    let corner = Tensor::from_values(BASE, &[1u32, 0, 1], [3]);
    assert_eq!(values(&eq_table(&corner)), [0, 0, 0, 0, 0, 1, 0, 0]);
    let point = random::field(&random::key(1), [5], EXTENSION);
    assert_eq!(values(&eq_table(&point).sum()), [1, 0, 0, 0]);
}

#[test]
fn variables_are_fixed_one_by_one_or_at_once() {
    let table = random_base(2, &[32]);
    let point = random::field(&random::key(3), [5], EXTENSION);
    let fixed = (0..5).fold(table.clone(), |table, i| fix(&table, &point.index(i)));
    assert_eq!(values(&evaluate(&table, &point)), values(&fixed));
    let corner = Tensor::from_values(BASE, &[0u32, 1, 1, 0, 1], [5]);
    assert_eq!(values(&evaluate(&table, &corner)), [values(&table)[0b01101]]);
}
