//! Parts of networks and steps of optimisation where the program makes a mistake, and at the edges of what they take.

mod support;

use lawson_frontend::grad::grad;
use lawson_frontend::optim::{Adam, Sgd, apply_updates, global_norm};
use lawson_frontend::{DType, Tensor, nn, optim, random, tree};
use support::values;

fn ones(dims: &[i64]) -> Tensor {
    Tensor::ones(dims, DType::F32)
}

/// The tensor carries an error from this file with these words.
#[track_caller]
fn refused(t: &Tensor, words: &str) {
    let error = t.error().unwrap_or_else(|| panic!("{t:?} is no error"));
    assert!(error.message().contains(words), "{error} lacks {words:?}");
    assert!(error.place().file().ends_with("networks.rs"), "{error}");
}

#[test]
fn mistakes_are_named_with_the_line_of_the_program() {
    let x = ones(&[4, 3]);
    refused(&nn::glu(&x, 1), "no halves");
    refused(&nn::glu(&x, 2), "no axis 2");
    refused(&nn::group_norm(&x, 2, None, None, 1e-5), "2 groups");
    refused(&nn::dropout(&random::key(0), 1.5, &x), "rate 1.5");
    refused(&nn::linear(&x, &ones(&[4, 2]), None), "f32[4,2]");
    refused(&nn::layer_norm(&x, Some(&ones(&[4])), None, -1, 1e-5), "f32[4]");
    refused(&nn::softmax(&x, 2), "no axis 2");
    refused(&nn::mse(&x, ones(&[2])), "f32[2]");
    refused(&nn::init::he_normal(&random::key(0), [3], DType::F32), "[3]");
    refused(&nn::embedding(&x, &ones(&[2])), "f32[2]");
}

#[test]
fn trees_that_differ_are_refused() {
    let params = (ones(&[3]), ones(&[2]));
    let adam = Adam::default();
    let state = adam.init(&params);
    let (updates, next) = adam.update(&(ones(&[3]), ones(&[4])), &state, 1e-3);
    refused(&updates.1, "leaf 1");
    refused(&next.count, "leaf 1");
    let few = vec![ones(&[3])];
    let sgd = Sgd { momentum: 0.9, nesterov: false };
    let (updates, _) = sgd.update(&vec![ones(&[3]); 2], &sgd.init(&few), 1e-3);
    refused(&updates[0], "different structures");
    refused(&apply_updates(&vec![ones(&[3])], &vec![ones(&[2])])[0], "leaf 0");
}

#[test]
fn a_label_that_names_no_class_gives_no_number() {
    let labels = Tensor::new(&[-1i32, 0, 2, 3], [4]);
    let found = values(&nn::softmax_cross_entropy_with_integer_labels(&ones(&[4, 3]), &labels));
    assert!(found[0].is_nan() && found[3].is_nan(), "{found:?}");
    assert!(found[1..3].iter().all(|x| (x - 3f64.ln()).abs() < 1e-6), "{found:?}");
}

#[test]
fn activations_keep_what_is_no_number_and_the_element_type() {
    let x = Tensor::new(&[f32::NAN, f32::NEG_INFINITY, f32::INFINITY], [3]);
    let found = values(&nn::relu(&x));
    assert!(found[0].is_nan() && found[1] == 0.0 && found[2] == f64::INFINITY, "{found:?}");
    assert_eq!(values(&nn::softplus(&x))[1..], [0.0, f64::INFINITY]);
    for dtype in [DType::F16, DType::Bf16, DType::F64] {
        let x = ones(&[2, 4]).astype(dtype);
        let scale = ones(&[4]).astype(dtype);
        let all = [
            nn::relu(&x),
            nn::gelu_tanh(&x),
            nn::selu(&x),
            nn::softmax(&x, -1),
            nn::layer_norm(&x, Some(&scale), Some(&scale), -1, 1e-5),
            nn::rms_norm(&x, Some(&scale), -1, 1e-6),
            nn::dropout(&random::key(0), 0.5, &x),
        ];
        assert!(all.iter().all(|t| t.dtype() == dtype), "{all:?}");
    }
}

#[test]
fn a_logit_of_zero_has_a_slope_as_any_other() {
    let at = |x: f32| Tensor::new(&[x], []);
    let slope = |x: f32| values(&grad(nn::softplus)(&at(x)))[0];
    let curvature = |x: f32| values(&grad(grad(nn::softplus))(&at(x)))[0];
    let third = |x: f32| values(&grad(grad(grad(nn::softplus)))(&at(x)))[0];
    for x in [-0.5f32, 0.0, 0.5] {
        let p = 1.0 / (1.0 + f64::from(-x).exp());
        assert!((slope(x) - p).abs() < 1e-6, "{x}: {}", slope(x));
        assert!((curvature(x) - p * (1.0 - p)).abs() < 1e-6, "{x}: {}", curvature(x));
        assert!((third(x) - p * (1.0 - p) * (1.0 - 2.0 * p)).abs() < 1e-6, "{x}: {}", third(x));
    }
    let loss = |x: &Tensor| nn::sigmoid_binary_cross_entropy(x, &ones(&[]));
    assert_eq!(values(&grad(loss)(&at(0.0))), [-0.5]);
    for (a, b, wanted) in [(f32::INFINITY, 0.0, [1.0, 0.0]), (0.0, f32::NEG_INFINITY, [1.0, 0.0])] {
        let both = grad(|(a, b): &(Tensor, Tensor)| a.logaddexp(b))(&(at(a), at(b)));
        assert_eq!([values(&both.0)[0], values(&both.1)[0]], wanted, "{a}, {b}");
    }
}

#[test]
fn a_softmax_of_large_numbers_sums_to_one() {
    let x = Tensor::new(&[1000f32, 1001.0, -1000.0, f32::NEG_INFINITY], [4]);
    let found = values(&nn::softmax(&x, 0));
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{found:?}");
    assert_eq!(found[3], 0.0);
}

#[test]
fn dropout_keeps_the_mean_and_drops_all_at_rate_one() {
    let x = ones(&[4000]);
    let mean = values(&nn::dropout(&random::key(1), 0.25, &x).mean())[0];
    assert!((mean - 1.0).abs() < 0.05, "{mean}");
    assert_eq!(values(&nn::dropout(&random::key(1), 1.0, &x).max()), [0.0]);
    assert_eq!(values(&nn::dropout(&random::key(1), 0.0, &x).min()), [1.0]);
}

#[test]
fn a_row_whose_keys_are_all_masked_is_the_mean_of_the_values() {
    let (q, v) = (ones(&[1, 2, 1, 3]), Tensor::new(&[1f32, 2.0, 3.0, 5.0, 6.0, 7.0], [1, 2, 1, 3]));
    let options =
        nn::AttentionOptions { mask: Some(Tensor::zeros([2, 2], DType::Pred)), ..Default::default() };
    assert_eq!(values(&nn::dot_product_attention(&q, &q, &v, &options)), [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]);
}

#[test]
fn states_are_trees_and_parameters_keep_their_type() {
    let params = (ones(&[3]).astype(DType::Bf16), ones(&[2]).astype(DType::F64));
    let adam = Adam::default();
    let state = adam.init(&params);
    assert_eq!(tree::leaves(&state).len(), 5);
    assert_eq!(tree::leaves(&tree::map(&state, |t| t)).len(), 5);
    let (updates, state) = adam.update(&params, &state, Tensor::new(&[0.5f32], []));
    assert_eq!(values(&state.count), [1.0]);
    let params = apply_updates(&params, &updates);
    assert_eq!([params.0.dtype(), params.1.dtype()], [DType::Bf16, DType::F64]);
    // The first step of Adam is the rate, whatever the gradient.
    assert!((values(&params.1)[0] - 0.5).abs() < 1e-6, "{:?}", values(&params.1));
    assert!(tree::leaves(&Sgd::default().init(&params)).is_empty());
}

#[test]
fn a_norm_of_nothing_is_zero_and_small_gradients_stay() {
    assert_eq!(values(&global_norm(&Vec::<Tensor>::new())), [0.0]);
    let small = vec![Tensor::new(&[3f32, 4.0], [2])];
    assert_eq!(values(&optim::clip_by_global_norm(&small, 6.0)[0]), [3.0, 4.0]);
    assert_eq!(values(&optim::clip_by_global_norm(&small, 2.5)[0]), [1.5, 2.0]);
}
