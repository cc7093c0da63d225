//! Equal layers are compiled once: the training step of many needs no more kernels than that of 6.

use lawson::hlo::DType;
use lawson::nn::{AttentionOptions, MultiHead};
use lawson::{Client, Options, Tensor, Tree, grad, jit, nn, tree};
use std::collections::HashSet;

fn zeros(dims: &[i64]) -> Tensor {
    Tensor::zeros(dims, DType::F32)
}

/// Kernels whose code differs in more than names, of a step of gradient descent with so many equal layers.
fn compiled<P: Tree>(layer: fn(&P, &Tensor) -> Tensor, one: &P, x: &Tensor, depth: usize) -> usize {
    let loss =
        move |all: &Vec<P>, x: &Tensor| all.iter().fold(x.clone(), |h, p| layer(p, &h)).square().mean();
    let step = jit(move |all: &Vec<P>, x: &Tensor| {
        let slopes = tree::leaves(&grad(loss)(all, x));
        tree::rebuild(all, tree::leaves(all).into_iter().zip(slopes).map(|(p, dp)| p - 0.1 * dp))
    });
    let lowered = step.lower(&vec![one.clone(); depth], x).expect("it lowers");
    let executable = Client::cpu().compile(lowered.module(), &Options::default()).expect("it compiles");
    let native = executable.native().expect("it is code");
    let kernels = native.planned.scheduled.program.kernels.iter();
    let code: HashSet<_> = kernels.map(|k| k.lowered().expect("it was planned").nameless()).collect();
    code.len()
}

fn relu_layer((w, b): &(Tensor, Tensor), h: &Tensor) -> Tensor {
    nn::relu(&nn::linear(h, w, Some(b)))
}

#[test]
fn equal_layers_are_compiled_once() {
    let one = (zeros(&[64, 64]), zeros(&[64]));
    let kernels = |depth| compiled(relu_layer, &one, &zeros(&[32, 64]), depth);
    assert_eq!(kernels(48), kernels(6));
}

/// Two norms, attention, and a net of two layers.
#[derive(Clone, Tree)]
struct Block {
    norms: [(Tensor, Tensor); 2],
    attention: MultiHead,
    up: (Tensor, Tensor),
    down: (Tensor, Tensor),
}

fn block(p: &Block, x: &Tensor) -> Tensor {
    let normal = |x: &Tensor, n: usize| nn::layer_norm(x, Some(&p.norms[n].0), Some(&p.norms[n].1), -1, 1e-5);
    let options = AttentionOptions { causal: true, ..AttentionOptions::default() };
    let h = normal(x, 0);
    let x = x + nn::multi_head_attention(&p.attention, &h, &h, &options);
    let h = nn::gelu_tanh(&nn::linear(&normal(&x, 1), &p.up.0, Some(&p.up.1)));
    x + nn::linear(&h, &p.down.0, Some(&p.down.1))
}

#[test]
fn equal_transformer_blocks_are_compiled_once() {
    let vector = || zeros(&[32]);
    let heads = || zeros(&[32, 2, 16]);
    let one = Block {
        norms: [(vector(), vector()), (vector(), vector())],
        attention: MultiHead { query: heads(), key: heads(), value: heads(), out: zeros(&[2, 16, 32]) },
        up: (zeros(&[32, 128]), zeros(&[128])),
        down: (zeros(&[128, 32]), vector()),
    };
    let kernels = |depth| compiled(block, &one, &zeros(&[2, 16, 32]), depth);
    let few = kernels(6);
    assert!(kernels(12) <= few);
    assert!(kernels(48) <= few);
}
