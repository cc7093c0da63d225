//! Training steps of many equal layers: layers are planned and compiled once, whatever their number.

use crate::Line;
use lawson::hlo::{DType, Module};
use lawson::nn::{AttentionOptions, MultiHead};
use lawson::{Client, Error, Executable, Options, Tensor, Tree, grad, jit, nn, tree};
use std::collections::HashSet;
use std::time::Instant;

const SHALLOW: usize = 6;
const DEEP: usize = 48;
/// Times each is compiled, in turns; the least counts.
const ROUNDS: usize = 5;

fn zeros(dims: &[i64]) -> Tensor {
    Tensor::zeros(dims, DType::F32)
}

type Layer = (Tensor, Tensor);

fn layer((w, b): &Layer, h: &Tensor) -> Tensor {
    nn::relu(&nn::linear(h, w, Some(b)))
}

#[derive(Clone, Tree)]
struct Block {
    norms: [(Tensor, Tensor); 2],
    attention: MultiHead,
    up: Layer,
    down: Layer,
}

fn block(p: &Block, x: &Tensor) -> Tensor {
    let normal = |x: &Tensor, n: usize| nn::layer_norm(x, Some(&p.norms[n].0), Some(&p.norms[n].1), -1, 1e-5);
    let options = AttentionOptions { causal: true, ..AttentionOptions::default() };
    let h = normal(x, 0);
    let x = x + nn::multi_head_attention(&p.attention, &h, &h, &options);
    let h = nn::gelu_tanh(&nn::linear(&normal(&x, 1), &p.up.0, Some(&p.up.1)));
    x + nn::linear(&h, &p.down.0, Some(&p.down.1))
}

/// What differs between the two nets.
struct Net<P> {
    name: &'static str,
    layer: fn(&P, &Tensor) -> Tensor,
    parameters: P,
    x: Tensor,
    bound: f64,
}

pub fn lines() -> Result<Vec<Line>, Error> {
    const WIDTH: i64 = 128;
    const HEADS: i64 = 4;
    let mlp = Net {
        name: "relu layers",
        layer,
        parameters: (zeros(&[WIDTH, WIDTH]), zeros(&[WIDTH])),
        x: zeros(&[64, WIDTH]),
        bound: 3.0,
    };
    let vector = || zeros(&[WIDTH]);
    let heads = || zeros(&[WIDTH, HEADS, WIDTH / HEADS]);
    let transformer = Net {
        name: "transformer blocks",
        layer: block,
        parameters: Block {
            norms: [(vector(), vector()), (vector(), vector())],
            attention: MultiHead {
                query: heads(),
                key: heads(),
                value: heads(),
                out: zeros(&[HEADS, WIDTH / HEADS, WIDTH]),
            },
            up: (zeros(&[WIDTH, 4 * WIDTH]), zeros(&[4 * WIDTH])),
            down: (zeros(&[4 * WIDTH, WIDTH]), vector()),
        },
        x: zeros(&[2, 64, WIDTH]),
        bound: 4.0,
    };
    let mut lines = mlp.lines()?;
    lines.extend(transformer.lines()?);
    Ok(lines)
}

impl<P: Tree> Net<P> {
    fn lines(&self) -> Result<Vec<Line>, Error> {
        let mut least = [f64::INFINITY; 2];
        let mut kernels = [0; 2];
        for _ in 0..ROUNDS {
            for (n, depth) in [SHALLOW, DEEP].into_iter().enumerate() {
                let start = Instant::now();
                let executable = Client::cpu().compile(&self.traced(depth)?, &Options::default())?;
                least[n] = least[n].min(start.elapsed().as_secs_f64() * 1e3);
                kernels[n] = distinct(&executable);
            }
        }
        let [shallow, deep] = least;
        let name = self.name;
        let times = Line {
            what: format!("time to trace and compile a training step, {DEEP} {name} / {SHALLOW}"),
            figure: deep / shallow,
            bound: self.bound,
            from: format!("{deep:.0} ms, {shallow:.0} ms"),
        };
        let counts = Line {
            what: format!("kernels that are compiled, {DEEP} {name} / {SHALLOW}"),
            figure: kernels[1] as f64 / kernels[0] as f64,
            bound: 1.0,
            from: format!("{}, {}", kernels[1], kernels[0]),
        };
        Ok(vec![times, counts])
    }

    /// A step of gradient descent with so many layers.
    fn traced(&self, depth: usize) -> Result<Module, Error> {
        let layer = self.layer;
        let loss =
            move |all: &Vec<P>, x: &Tensor| all.iter().fold(x.clone(), |h, p| layer(p, &h)).square().mean();
        let step = jit(move |all: &Vec<P>, x: &Tensor| {
            let slopes = tree::leaves(&grad(loss)(all, x));
            let updated = tree::leaves(all).into_iter().zip(slopes).map(|(p, dp)| p - 0.1 * dp);
            tree::rebuild(all, updated)
        });
        Ok(step.lower(&vec![self.parameters.clone(); depth], &self.x)?.module().clone())
    }
}

/// Kernels whose code differs in more than names.
fn distinct(executable: &Executable) -> usize {
    let kernels = executable.native().map(|n| &n.planned.scheduled.program.kernels);
    let code = kernels.into_iter().flatten().filter_map(|k| k.lowered().ok());
    code.map(|k| k.nameless()).collect::<HashSet<_>>().len()
}
