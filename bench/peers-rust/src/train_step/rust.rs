//! The step in Lawson's Rust API.

use crate::problem::{BATCH, Failure, Problem, RATE, SIZES, Trainer};
use lawson::explain::Explanation;
use lawson::{Jit, Options, Tensor, jit, nn, tree, value_and_grad};

type Layers = Vec<(Tensor, Tensor)>;

fn loss(layers: &Layers, x: &Tensor, y: &Tensor) -> Tensor {
    let mut h = x.clone();
    for (n, (w, b)) in layers.iter().enumerate() {
        h = nn::linear(&h, w, Some(b));
        if n + 1 < layers.len() {
            h = nn::relu(&h);
        }
    }
    nn::softmax_cross_entropy_with_integer_labels(&h, y).mean()
}

fn step(layers: &Layers, x: &Tensor, y: &Tensor) -> (Tensor, Layers) {
    let (value, slopes) = value_and_grad(loss)(layers, x, y);
    let updated = layers.iter().zip(slopes).map(|((w, b), (dw, db))| (w - RATE * dw, b - RATE * db));
    (value, updated.collect())
}

type Step = fn(&Layers, &Tensor, &Tensor) -> (Tensor, Layers);

pub struct Rust {
    step: Jit<Step, (Layers, Tensor, Tensor), (Tensor, Layers)>,
    layers: Layers,
    x: Tensor,
    y: Tensor,
}

impl Rust {
    pub fn new(problem: &Problem, options: &Options) -> Rust {
        let layers = problem
            .layers
            .iter()
            .map(|l| (Tensor::new(&l.weights, [l.inputs, l.outputs]), Tensor::new(&l.biases, [l.outputs])));
        Rust {
            step: jit(step as Step).options(options.clone()),
            layers: layers.collect(),
            x: Tensor::new(&problem.x, [BATCH, SIZES[0]]),
            y: Tensor::new(&problem.y, [BATCH]),
        }
    }

    pub fn explain(&self) -> Result<Explanation, Failure> {
        Ok(self.step.explain(&self.layers, &self.x, &self.y)?)
    }
}

impl Trainer for Rust {
    fn name(&self) -> &'static str {
        "Lawson, written in Rust"
    }

    fn step(&mut self) -> Result<f32, Failure> {
        let (value, layers) = self.step.call(&self.layers, &self.x, &self.y)?;
        self.layers = layers;
        Ok(value.item()?)
    }

    fn parameters(&self) -> Result<Vec<Vec<f32>>, Failure> {
        Ok(tree::leaves(&self.layers).iter().map(Tensor::to_vec).collect::<Result<_, _>>()?)
    }
}
