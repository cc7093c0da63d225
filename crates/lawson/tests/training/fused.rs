//! What fusion makes of derivatives: kernels, launches and bytes that wait for the backward half.

use lawson::explain::Explanation;
use lawson::hlo::DType;
use lawson::{Jit, Tensor, grad, jit, nn, scan_length, value_and_grad, vmap};

/// An array of these dimensions; plans depend on no value.
fn zeros(dims: &[i64]) -> Tensor {
    Tensor::zeros(dims, DType::F32)
}

fn kernels(report: &Explanation) -> usize {
    report.kernels.len()
}

/// A damped oscillator in each of many lanes, which share stiffness and damping.
fn oscillator(x: &Tensor, v: &Tensor, stiffness: &Tensor, damping: &Tensor) -> Tensor {
    let step = |(x, v): &(Tensor, Tensor)| {
        let force = stiffness * x + damping * v;
        ((x + 0.01 * v, v - 0.01 * force), ())
    };
    let ((x, v), ()) = scan_length(step, &(x.clone(), v.clone()), 1000);
    (x.square() + v.square()).sum()
}

#[test]
fn the_gradient_of_a_loop_over_lanes_is_one_kernel_whose_carries_stay_in_cache() {
    let slopes = jit(|state: &(Tensor, Tensor), shared: &(Tensor, Tensor)| {
        grad(|all: &((Tensor, Tensor), (Tensor, Tensor))| oscillator(&all.0.0, &all.0.1, &all.1.0, &all.1.1))(
            &(state.clone(), shared.clone()),
        )
    });
    let lanes = (zeros(&[2048]), zeros(&[2048]));
    let report = slopes.explain(&lanes, &(zeros(&[]), zeros(&[]))).expect("it explains");
    let loops = report.kernels.iter().filter(|k| k.category == "loop-carried").count();
    assert_eq!((loops, kernels(&report)), (1, 2), "the second sums over the lanes");
    let launches: Option<u64> = report.kernels.iter().map(|k| k.launches).sum();
    assert_eq!(launches, Some(2));
    // What goes through memory are the first states, and the gradients of each lane, twice those that are summed.
    let state = 2048 * 4;
    assert_eq!(
        report.totals.bytes_fused,
        (2 + 4 + 2) * state + 4 * 4,
        "with the parameters and their gradients"
    );
    // Of each lane and trip 9 forward, the counter's among them, and 11 backward: the sign of a difference costs none.
    let flops: u64 = report.kernels.iter().map(|k| k.flops).sum();
    assert!(flops <= (9 + 11) * 1000 * 2048 + 16 * 2048, "{flops}");
}

/// Twenty elementwise operations, and the sum of what they make.
fn chain(x: &Tensor) -> Tensor {
    (0..5).fold(x.clone(), |y, _| (&y * 0.75 + 0.125) * (&y - 0.5)).sum()
}

#[test]
fn a_sum_and_its_gradient_read_once_and_write_once() {
    const BYTES: u64 = 4 << 20;
    let report = jit(|x: &Tensor| value_and_grad(chain)(x)).explain(&zeros(&[1 << 20])).expect("it explains");
    assert_eq!((kernels(&report), report.totals.bytes_fused), (1, 2 * BYTES + 4), "{report}");
}

/// Labels are compared with the classes, as `nn` does it.
fn cross_entropy(logits: &Tensor, labels: &Tensor) -> Tensor {
    let shifted = logits - logits.max_keepdims(-1);
    let log_p = &shifted - shifted.exp().sum_keepdims(-1).log();
    let classes = Tensor::arange(0..1000, DType::S32);
    -lawson::where_(labels.expand_dims(-1).equal(classes), log_p, 0.0).sum_axes(-1).mean()
}

#[test]
fn cross_entropy_with_its_gradient_is_two_kernels() {
    let both = jit(|z: &Tensor, y: &Tensor| value_and_grad(cross_entropy)(z, y));
    let labels = Tensor::zeros([1024], DType::S32);
    let report = both.explain(&zeros(&[1024, 1000]), &labels).expect("it explains");
    assert!(kernels(&report) <= 2, "{report}");
}

fn layer_norm(x: &Tensor, scale: &Tensor, shift: &Tensor) -> Tensor {
    let centred = x - x.mean_keepdims(-1);
    let variance = centred.square().mean_keepdims(-1);
    centred * (variance + 1e-5).rsqrt() * scale + shift
}

#[test]
fn the_gradient_of_a_layer_norm_is_two_kernels() {
    let slopes = jit(|args: &(Tensor, Tensor, Tensor), ct: &Tensor| {
        grad(|(x, scale, shift): &(Tensor, Tensor, Tensor)| (layer_norm(x, scale, shift) * ct).sum())(args)
    });
    let args = (zeros(&[4096, 1024]), zeros(&[1024]), zeros(&[1024]));
    let report = slopes.explain(&args, &zeros(&[4096, 1024])).expect("it explains");
    assert!(kernels(&report) <= 2, "{report}");
}

type Layers = Vec<(Tensor, Tensor)>;

/// Layers with a relu behind each, and a step of gradient descent.
fn training_step(
    relu: fn(&Tensor) -> Tensor,
) -> Jit<impl Fn(&Layers, &Tensor) -> Layers, (Layers, Tensor), Layers> {
    let mlp = move |layers: &Layers, x: &Tensor| {
        layers.iter().fold(x.clone(), |h, (w, b)| relu(&(h.dot(w) + b))).square().mean()
    };
    jit(move |layers: &Layers, x: &Tensor| {
        let slopes = grad(mlp)(layers, x);
        layers.iter().zip(slopes).map(|((w, b), (dw, db))| (w - 0.1 * dw, b - 0.1 * db)).collect::<Layers>()
    })
}

fn layers(depth: usize, width: i64) -> Layers {
    (0..depth).map(|_| (zeros(&[width, width]), zeros(&[width]))).collect()
}

#[test]
fn masks_of_an_mlp_are_its_outputs() {
    for relu in [nn::relu, |x: &Tensor| x.maximum(0.0)] {
        let report = training_step(relu).explain(&layers(6, 512), &zeros(&[256, 512])).expect("it explains");
        let residuals = &report.residuals;
        assert!(residuals.marked && !residuals.all.is_empty(), "{report}");
        let masks = residuals.all.iter().filter(|r| r.shape.starts_with("pred"));
        assert!(masks.map(|r| r.stored).sum::<u64>() == 0, "{report}");
    }
}

fn gelu_mlp(layers: &Layers, x: &Tensor) -> Tensor {
    let gelu = |z: Tensor| 0.5 * &z * (1.0 + (0.797_884_560_8 * (&z + 0.044715 * &z * &z * &z)).tanh());
    layers.iter().fold(x.clone(), |h, (w, b)| gelu(h.dot(w) + b)).sum()
}

#[test]
fn a_gelu_mlp_saves_one_array_for_each_layer() {
    let slopes = jit(|layers: &Layers, x: &Tensor| grad(gelu_mlp)(layers, x));
    let report = slopes.explain(&layers(8, 1024), &zeros(&[1024, 1024])).expect("it explains");
    let array = 1024 * 1024 * 4;
    assert!(report.residuals.bytes <= 8 * array, "{report}");
    assert!(report.residuals.bytes * 2 <= report.residuals.bytes_if_all_saved, "{report}");
}

#[test]
fn a_mask_before_products_waits_as_bits_or_not_at_all() {
    let f = |(x, w): &(Tensor, Tensor)| {
        let y = x.dot(w);
        (nn::relu(&y) + &y).sum()
    };
    let slopes = jit(move |args: &(Tensor, Tensor)| grad(f)(args));
    let report = slopes.explain(&(zeros(&[1024, 1024]), zeros(&[1024, 1024]))).expect("it explains");
    assert!(report.residuals.bytes * 32 <= 1024 * 1024 * 4, "{report}");
}

/// One step of a cart with a pole, for one environment.
fn cartpole(state: &(Tensor, Tensor, Tensor, Tensor)) -> (Tensor, Tensor, Tensor, Tensor) {
    let (x, v, angle, spin) = state;
    let force = lawson::where_(angle.greater(0.0), 10.0, -10.0);
    let (sine, cosine) = (angle.sin(), angle.cos());
    let push = (&force + 0.05 * spin.square() * &sine) / 1.1;
    let turn = (9.8 * &sine - &cosine * &push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine.square() / 1.1));
    let pull = &push - 0.05 * &turn * &cosine / 1.1;
    (x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * spin, spin + 0.02 * turn)
}

#[test]
fn a_batch_of_loops_is_one_kernel() {
    type State = (Tensor, Tensor, Tensor, Tensor);
    let roll = |s: &State| scan_length(|s: &State| (cartpole(s), ()), s, 200).0;
    let many = jit(move |s: &State| vmap(roll)(s));
    let lane = || zeros(&[4096]);
    let report = many.explain(&(lane(), lane(), lane(), lane())).expect("it explains");
    assert_eq!(kernels(&report), 1, "{report}");
}
