//! What loops and branches refuse: the line, the leaf and both shapes.

use crate::scalar;
use lawson_frontend::control::ScanOptions;
use lawson_frontend::control::{cond, fori_loop, scan, scan_length, scan_with, switch, while_loop};
use lawson_frontend::{Error, Tensor};

fn three() -> Tensor {
    Tensor::new(&[1f32, 2.0, 3.0], [3])
}

/// The tensor carries an error with these parts, from a line close to the caller's.
#[track_caller]
fn refused(t: &Tensor, parts: &[&str]) {
    let error: &Error = t.error().unwrap_or_else(|| panic!("{t:?} is no error"));
    let (place, here) = (error.place(), std::panic::Location::caller().line());
    assert!(place.file() == file!() && place.line().abs_diff(here) < 12, "{error}");
    for part in parts {
        assert!(error.message().contains(part), "{error} lacks {part:?}");
    }
}

#[test]
fn a_carry_keeps_its_shapes() {
    let init = (scalar(1.0), scalar(2.0));
    let (carry, y) =
        scan(|(a, b): &(Tensor, Tensor), x: &Tensor| ((a.clone(), b * &three()), x * x), &init, &three());
    refused(&carry.1, &["`scan`", "leaf 1", "f32[]", "f32[3]"]);
    refused(&y, &["leaf 1"]);
    let of = |c: &Tensor| c * &three();
    refused(&while_loop(|_| Tensor::new(&[true], []), of, &init.0), &["`while_loop`", "f32[]", "f32[3]"]);
    refused(&fori_loop(0, 3, |_, c| of(c), &init.0), &["`fori_loop`", "f32[]", "f32[3]"]);
    let integer = |_: &Tensor| Tensor::new(&[1i32], []);
    refused(&fori_loop(0, 3, |_, c| integer(c), &init.0), &["f32[]", "s32[]"]);
}

#[test]
fn a_carry_keeps_its_structure() {
    let init = vec![scalar(1.0)];
    let longer = |c: &Vec<Tensor>| vec![c[0].clone(), c[0].clone()];
    let found = fori_loop(0, 2, |_, c| longer(c), &init);
    refused(&found[0], &["1 leaves", "2", "structure"]);
}

#[test]
fn rows_agree() {
    let two = Tensor::new(&[1f32, 2.0], [2]);
    let f = |c: &Tensor, _: &(Tensor, Tensor)| (c.clone(), ());
    refused(&scan(f, &scalar(1.0), &(three(), two)).0, &["leaf 1 of xs", "f32[2]", "3"]);
    refused(&scan(f, &scalar(1.0), &(three(), scalar(1.0))).0, &["leaf 1 of xs", "f32[]", "no rows"]);
    let g = |c: &Tensor| (c.clone(), ());
    refused(&scan_length(g, &scalar(1.0), -1).0, &["-1"]);
    let options = ScanOptions::default();
    refused(&scan_with(options, |c: &Tensor, (): &()| g(c), &scalar(1.0), &()).0, &["length"]);
}

#[test]
fn conditions_are_one_truth_value() {
    refused(&while_loop(|c: &Tensor| c.clone(), Tensor::clone, &three()), &["f32[3]", "truth"]);
    let of = |p: &Tensor| cond(p, Tensor::clone, Tensor::clone, &three());
    refused(&of(&scalar(1.0)), &["`cond`", "f32[]"]);
    refused(&of(&Tensor::new(&[true, false], [2])), &["`cond`", "pred[2]"]);
    let index = scalar(1.0);
    refused(&switch(&index, [&Tensor::clone], &three()), &["`switch`", "f32[]"]);
}

#[test]
fn branches_give_the_same_tree() {
    let p = Tensor::new(&[true], []);
    let x = three();
    refused(&cond(&p, Tensor::clone, |_| scalar(1.0), &x), &["leaf 0", "f32[3]", "f32[]", "branch 1"]);
    let one = |x: &Tensor| vec![x.clone()];
    refused(&cond(&p, one, |x| vec![x.clone(); 2], &x)[0], &["branch 1 gives 2 leaves", "1"]);
}

#[test]
fn bounds_are_integers() {
    let found = fori_loop(scalar(1.0), 3, |_, c: &Tensor| c.clone(), &three());
    refused(&found, &["`fori_loop`", "f32[]"]);
    let found = fori_loop(0i64, i64::MAX, |_, c: &Tensor| c.clone(), &three());
    refused(&found, &["`fori_loop`", "32 bits"]);
}

#[test]
fn an_error_of_a_body_keeps_its_line() {
    let found = scan(
        |c: &Tensor, _: &Tensor| {
            let wrong = &three() * &Tensor::new(&[1f32, 2.0], [2]);
            (c * &wrong, ())
        },
        &scalar(1.0),
        &three(),
    );
    refused(&found.0, &["f32[3]", "f32[2]"]);
}
