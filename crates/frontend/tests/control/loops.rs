//! Values of loops.

use crate::scalar;
use crate::support::values;
use lawson_frontend::control::{ScanOptions, fori_loop, scan, scan_length, scan_with, while_loop};
use lawson_frontend::{DType, Tensor};

fn four() -> Tensor {
    Tensor::new(&[1f32, 2.0, 3.0, 4.0], [4])
}

#[test]
fn a_scan_carries_and_stacks() {
    let (last, ys) = scan(|c: &Tensor, x: &Tensor| (c * x, c * c), &scalar(1.0), &four());
    assert_eq!(values(&last), [24.0]);
    assert_eq!(values(&ys), [1.0, 1.0, 4.0, 36.0]);
    assert_eq!(ys.dims(), [4]);
}

#[test]
fn a_scan_in_reverse_stacks_where_its_rows_stand() {
    let options = ScanOptions { reverse: true, ..ScanOptions::default() };
    let (last, ys) = scan_with(options, |c: &Tensor, x: &Tensor| (c * x, c.clone()), &scalar(1.0), &four());
    assert_eq!(values(&last), [24.0]);
    assert_eq!(values(&ys), [24.0, 12.0, 4.0, 1.0]);
}

#[test]
fn a_scan_goes_over_trees() {
    let rows = Tensor::new(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2]);
    let factors = Tensor::new(&[1f32, 10.0, 100.0], [3]);
    let init = (Tensor::new(&[1f32, 1.0], [2]), vec![scalar(2.0)]);
    let (last, ys) = scan(
        |(product, unchanged): &(Tensor, Vec<Tensor>), (row, factor): &(Tensor, Tensor)| {
            let product = &(product * row) * factor;
            ((product.clone(), unchanged.clone()), [product, factor.clone()])
        },
        &init,
        &(rows, factors),
    );
    assert_eq!(values(&last.0), [15000.0, 48000.0]);
    assert_eq!(values(&last.1[0]), [2.0]);
    assert_eq!(values(&ys[0]), [1.0, 2.0, 30.0, 80.0, 15000.0, 48000.0]);
    assert_eq!(ys[0].dims(), [3, 2]);
    assert_eq!(values(&ys[1]), [1.0, 10.0, 100.0]);
}

#[test]
fn a_scan_without_rows_counts_its_trips() {
    let (last, ys) = scan_length(|c: &Tensor| (c * c, c.clone()), &scalar(2.0), 3);
    assert_eq!(values(&last), [256.0]);
    assert_eq!(values(&ys), [2.0, 4.0, 16.0]);
}

#[test]
fn a_scan_of_no_rows_gives_its_start() {
    let none = Tensor::new::<f32>(&[], [0, 2]);
    let (last, ys) = scan(|c: &Tensor, x: &Tensor| (c * c, x * x), &scalar(3.0), &none);
    assert_eq!(values(&last), [3.0]);
    assert_eq!(ys.dims(), [0, 2]);
}

#[test]
fn what_a_loop_captures_is_its_constant() {
    let captured = Tensor::new(&[2f32; 32], [32]);
    let (last, _) = scan(|c: &Tensor, x: &Tensor| (&(c * x) * &captured, ()), &captured, &four());
    assert_eq!(values(&last), [24.0 * 32.0; 32]);
}

#[test]
fn loops_nest() {
    let outer = |c: &Tensor, x: &Tensor| {
        let (inner, ys) = scan(|c: &Tensor, y: &Tensor| (&(c * y) * x, c * x), c, &four());
        (inner, ys)
    };
    let (last, ys) = scan(outer, &scalar(1.0), &Tensor::new(&[1f32, 2.0], [2]));
    // 24·1⁴, then 24·24·2⁴
    assert_eq!(values(&last), [9216.0]);
    assert_eq!(values(&ys), [1.0, 1.0, 2.0, 6.0, 48.0, 96.0, 384.0, 2304.0]);
    assert_eq!(ys.dims(), [2, 4]);
}

#[test]
fn a_while_loop_ends_with_its_condition() {
    let pred = |b: bool| Tensor::new(&[b], []);
    let init = (vec![pred(true), pred(true), pred(false)], scalar(2.0));
    let factor = Tensor::new(&[3f32; 20], [20]);
    let (_, last) = while_loop(
        |(flags, _): &(Vec<Tensor>, Tensor)| flags[0].clone(),
        |(flags, x)| (vec![flags[1].clone(), flags[2].clone(), flags[2].clone()], x * x),
        &init,
    );
    assert_eq!(values(&last), [16.0]);
    let init = (vec![pred(false); 3], factor.clone());
    let (_, last) = while_loop(
        |(flags, _): &(Vec<Tensor>, Tensor)| flags[0].clone(),
        |(flags, x)| (flags.clone(), x * &factor),
        &init,
    );
    assert_eq!(values(&last), [3.0; 20]);
}

#[test]
fn a_counter_goes_from_bound_to_bound() {
    let body = |i: &Tensor, c: &Tensor| c * i;
    let one = Tensor::new(&[1i32], []);
    assert_eq!(values(&fori_loop(2, 6, body, &one)), [120.0]);
    assert_eq!(values(&fori_loop(6, 2, body, &one)), [1.0]);
    let bound = |n: i32| Tensor::new(&[n], []);
    assert_eq!(values(&fori_loop(bound(2), bound(6), body, &one)), [120.0]);
    assert_eq!(values(&fori_loop(2, bound(6), body, &one)), [120.0]);
    assert_eq!(values(&fori_loop(bound(2), 6, body, &one)), [120.0]);
    assert_eq!(values(&fori_loop(bound(6), 2, body, &one)), [1.0]);
}

#[test]
fn weak_carries_take_the_type_that_the_body_gives() {
    let xs = Tensor::new(&[1f64, 2.0, 3.0], [3]);
    let (sum, sums) = scan(
        |c: &Tensor, x: &Tensor| {
            let s = c + x;
            (s.clone(), s)
        },
        &Tensor::of(0.0),
        &xs,
    );
    assert_eq!((sum.dtype(), sum.is_weak(), sums.dtype()), (DType::F64, false, DType::F64));
    assert_eq!(values(&sums), [1.0, 3.0, 6.0]);
    // An integer becomes a weak float, which the second leaf makes a strong one.
    let (a, b) = fori_loop(
        0,
        3,
        |i, (a, b): &(Tensor, Tensor)| (a * 0.5 + b, b + i),
        &(Tensor::of(1), Tensor::new(&[1f32], [])),
    );
    assert_eq!((a.dtype(), b.dtype()), (DType::F32, DType::F32));
    assert_eq!((values(&a), values(&b)), (vec![2.875], vec![4.0]));
    let kept = while_loop(|c: &Tensor| c.less(10), |c| c * 2, &Tensor::of(3));
    assert!(kept.is_weak() && values(&kept) == [12.0]);
}
