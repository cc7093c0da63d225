//! `tests/programs/mlp_train_step` in Rust: JAX's results, and no more kernels or bytes than the module that JAX lowers.

use lawson::explain::explain;
use lawson::hlo::DType;
use lawson::{Options, Tensor, Tree, files, jit, load, value_and_grad};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/mlp_train_step")
}

/// Weights and biases of three layers.
#[derive(Clone, Tree)]
pub struct Mlp {
    pub layers: Vec<(Tensor, Tensor)>,
}

pub fn loss(model: &Mlp, x: &Tensor, y: &Tensor) -> Tensor {
    let mut h = x.clone();
    for (n, (w, b)) in model.layers.iter().enumerate() {
        h = h.dot(w) + b;
        if n + 1 < model.layers.len() {
            h = h.maximum(0.0);
        }
    }
    let shifted = &h - h.max_keepdims(-1);
    let log_p = &shifted - shifted.exp().sum_keepdims(-1).log();
    let labels = y.expand_dims(-1).equal(Tensor::arange(0..10, DType::S32)).astype(h.dtype());
    -(log_p * labels).sum_axes(-1).mean()
}

pub fn step(model: &Mlp, x: &Tensor, y: &Tensor) -> (Tensor, Mlp) {
    let (value, slopes) = value_and_grad(loss)(model, x, y);
    let layers = model.layers.iter().zip(&slopes.layers);
    let layers = layers.map(|((w, b), (dw, db))| (w - 0.1 * dw, b - 0.1 * db)).collect();
    (value, Mlp { layers })
}

fn inputs() -> (Mlp, Tensor, Tensor) {
    let arrays = files::load_npz(folder().join("inputs.npz")).expect("the inputs are there");
    let array = |n: usize| arrays[&format!("arg{n}")].clone();
    let layers = (0..3).map(|n| (array(2 * n), array(2 * n + 1))).collect();
    (Mlp { layers }, array(6), array(7))
}

#[test]
fn a_step_gives_what_jax_gives() {
    let (model, x, y) = inputs();
    let (value, next) = jit(step).call(&model, &x, &y).expect("it runs");
    let expected = files::load_npz(folder().join("outputs.npz")).expect("the outputs are there");
    let mut found = vec![value];
    next.leaves(&mut found);
    for (n, found) in found.iter().enumerate() {
        let (a, b): (Vec<f32>, Vec<f32>) =
            (found.to_vec().expect("floats"), expected[&format!("out{n}")].to_vec().expect("floats"));
        let wrong = a.iter().zip(&b).filter(|(a, b)| (*a - *b).abs() > 1e-6 + 1e-3 * b.abs()).count();
        assert_eq!((wrong, a.len()), (0, b.len()), "output {n}");
    }
}

#[test]
fn a_step_is_no_more_kernels_than_the_module_of_jax() {
    let (model, x, y) = inputs();
    let ours = jit(step).explain(&model, &x, &y).expect("it explains");
    let module = load::file(&folder().join("module.hlo")).expect("it loads");
    let theirs = explain(&module, &Options::default()).expect("it explains");
    assert!(ours.kernels.len() <= theirs.kernels.len(), "{} {}", ours.kernels.len(), theirs.kernels.len());
    let [ours, theirs] = [ours, theirs].map(|e| e.totals.bytes_fused);
    // But for an array of a number for each of the 32 rows, written and read once.
    assert!(ours <= theirs + 2 * 32 * 4, "{ours} bytes, {theirs} bytes");
}
