//! What users call: axes of arguments and results, nesting, captured tensors, errors.

use crate::support::values;
use lawson_frontend::grad::grad;
use lawson_frontend::vmap::{BatchAxes, vmap, vmap_axes};
use lawson_frontend::{Tensor, trace};

/// The dimensions, and the elements 0, 1, 2 …
fn counting(dims: &[i64]) -> Tensor {
    let n: i64 = dims.iter().product();
    Tensor::new(&(0..n).map(|i| i as f32).collect::<Vec<_>>(), dims)
}

#[track_caller]
fn check(t: &Tensor, dims: &[i64], wanted: &[f64]) {
    assert_eq!(values(t), wanted);
    assert_eq!(t.dims(), dims);
}

#[test]
fn examples_lie_along_the_first_dimension() {
    let (x, y) = (counting(&[3, 2]), Tensor::new(&[1f32, 10.0, 100.0], [3]));
    let scaled = vmap(|x: &Tensor, s: &Tensor| x * s)(&x, &y);
    check(&scaled, &[3, 2], &[0.0, 1.0, 20.0, 30.0, 400.0, 500.0]);
    let sums = vmap(|x: &Tensor| x.sum())(&x);
    check(&sums, &[3], &[1.0, 5.0, 9.0]);
}

#[test]
fn axes_of_arguments() {
    let (x, w) = (counting(&[2, 3]), Tensor::new(&[1f32, 10.0], [2]));
    let f = |x: &Tensor, w: &Tensor| (x * w).sum();
    check(&vmap_axes(f, [Some(1), None])(&x, &w), &[3], &[30.0, 41.0, 52.0]);
    check(&vmap_axes(f, vec![Some(-1), None])(&x, &w), &[3], &[30.0, 41.0, 52.0]);
    let same = vmap_axes(f, BatchAxes::from(None).size(2))(&x.index_row(0), &x.index_row(0));
    check(&same, &[2], &[5.0, 5.0]);
}

trait Row {
    fn index_row(&self, i: usize) -> Tensor;
}

impl Row for Tensor {
    fn index_row(&self, i: usize) -> Tensor {
        let n = self.dims()[1] as usize;
        Tensor::new(&self.to_vec::<f32>().expect("f32")[i * n..(i + 1) * n], [n as i64])
    }
}

#[test]
fn axes_of_leaves_and_results() {
    let pair = (counting(&[2, 3]), counting(&[3, 2]));
    let f = |p: &(Tensor, Tensor), c: &Tensor| (&p.0 * &p.1, c * 2.0f32);
    let c = Tensor::new(&[1f32], [1]);
    let axes = BatchAxes::leaves([Some(1), Some(0), None]).out_leaves([Some(1), None]);
    let (products, doubled) = vmap_axes(f, axes)(&pair, &c);
    check(&products, &[2, 3], &[0.0, 2.0, 8.0, 3.0, 12.0, 25.0]);
    check(&doubled, &[1], &[2.0]);
    let spread = vmap_axes(f, BatchAxes::leaves([Some(1), Some(0), None]).out(-1))(&pair, &c).1;
    check(&spread, &[1, 3], &[2.0, 2.0, 2.0]);
}

#[test]
fn captured_tensors_are_the_same_for_all_examples() {
    let (x, w) = (counting(&[3, 2]), counting(&[2]));
    check(&vmap(|x: &Tensor| (x * &w).sum())(&x), &[3], &[1.0, 3.0, 5.0]);
    // Large ones are parameters of the program.
    let large = counting(&[100]);
    let sums = vmap(|s: &Tensor| (&large * s).sum())(&counting(&[3]));
    check(&sums, &[3], &[0.0, 4950.0, 9900.0]);
    // What depends on no example alone is computed once, and repeated.
    check(&vmap(|_: &Tensor| &w * 2.0f32)(&x), &[3, 2], &[0.0, 2.0, 0.0, 2.0, 0.0, 2.0]);
}

#[test]
fn examples_of_examples() {
    let (x, y) = (counting(&[2]), counting(&[3]));
    let sums = vmap(|a: &Tensor| vmap(|b: &Tensor| a * 10.0f32 + b)(&y))(&x);
    check(&sums, &[2, 3], &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
    let table = vmap_axes(
        |a: &Tensor, b: &Tensor| vmap_axes(|a: &Tensor, b: &Tensor| a * b, [None, Some(0)])(a, b),
        [Some(0), None],
    );
    check(&table(&x, &y), &[2, 3], &[0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
}

#[test]
fn gradients_of_examples_and_of_all() {
    let x = Tensor::new(&[1f32, 2.0, 3.0], [3]);
    let cube = |x: &Tensor| &(x * x) * x;
    check(&vmap(grad(cube))(&x), &[3], &[3.0, 12.0, 27.0]);
    check(&vmap(grad(grad(cube)))(&x), &[3], &[6.0, 12.0, 18.0]);
    let shared = Tensor::new(&[2f32], []);
    let each = vmap(|x: &Tensor| grad(|w: &Tensor| &(w * w) * x)(&shared))(&x);
    check(&each, &[3], &[4.0, 8.0, 12.0]);
}

#[test]
fn works_while_a_function_is_traced() {
    let specs = [counting(&[3, 2]).spec().expect("concrete"), counting(&[2]).spec().expect("concrete")];
    let (graph, function) = trace::program(&specs, |tensors| {
        let w = &tensors[1];
        Ok(vec![vmap(|x: &Tensor| (x * w).sum())(&tensors[0])])
    })
    .expect("traced");
    let module = graph.finish(function.comp, "main");
    lawson_hlo::verify::verify(&module).expect("verified");
    assert_eq!(module.entry().root().shape.to_string(), "(f32[3])");
}

#[test]
fn errors_name_arguments_sizes_and_the_line() {
    let (three, two) = (counting(&[3, 2]), counting(&[2, 2]));
    let message = |t: Tensor| t.error().expect("an error").to_string();
    let add = |a: &Tensor, b: &Tensor| a + b;
    let line = line!() + 1;
    let found = message(vmap(add)(&three, &two));
    assert!(
        found.ends_with(
            "argument 1, f32[2,2], has 2 examples along dimension 0, where argument 0, f32[3,2], has 3"
        ),
        "{found}"
    );
    assert!(found.contains(&format!("api.rs:{line}:")), "{found}");
    let of_pair = |p: &(Tensor, Tensor)| &p.0 + &p.1;
    assert!(
        message(vmap(of_pair)(&(three.clone(), two.clone()))).contains("tensor 1 of argument 0, f32[2,2],")
    );

    let scalar = Tensor::new(&[1f32], []);
    let found = message(vmap(add)(&three, &scalar));
    assert!(found.contains("argument 1 is f32[], which has no dimension 0 to batch along"), "{found}");
    let found = message(vmap_axes(add, [Some(2), None])(&three, &two));
    assert!(found.contains("argument 0 is f32[3,2], which has no dimension 2"), "{found}");
    let found = message(vmap_axes(add, [None, None])(&three, &two));
    assert!(found.contains("no argument has a dimension to batch along"), "{found}");
    let found = message(vmap_axes(add, [None])(&three, &two));
    assert!(found.contains("1 axes are given for 2 arguments"), "{found}");
    let found = message(vmap_axes(add, BatchAxes::from(0).size(5))(&three, &three));
    assert!(
        found.contains("argument 0, f32[3,2], has 3 examples along dimension 0, where the axes say 5"),
        "{found}"
    );
    let found = message(vmap_axes(add, BatchAxes::from(0).out(None))(&three, &three));
    assert!(found.contains("result 0 differs between examples, and its out axis is none"), "{found}");
    let found = message(vmap_axes(add, BatchAxes::from(0).out(2))(&three, &three));
    assert!(
        found.contains("result 0 has 2 dimensions with that of the examples, and no dimension 2"),
        "{found}"
    );
    let found = message(vmap_axes(add, BatchAxes::from(0).out_leaves([Some(0), None]))(&three, &three));
    assert!(found.contains("2 out axes are given for 1 results"), "{found}");
}

#[test]
fn an_error_of_the_function_is_that_of_its_results() {
    let x = counting(&[3, 2]);
    let wrong = vmap(|x: &Tensor| x + &counting(&[5]))(&x);
    let error = wrong.error().expect("an error").to_string();
    assert!(error.contains("f32[2]") && error.contains("f32[5]"), "{error}");
}
