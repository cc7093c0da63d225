//! The net that is trained: sizes, first weights and examples, the same for all, and what one of them offers.

use lawson::hlo::DType;
use lawson::{Error, Tensor, random};

pub const BATCH: i64 = 256;
pub const SIZES: [i64; 4] = [784, 512, 512, 10];
pub const RATE: f64 = 0.1;

pub type Failure = Box<dyn std::error::Error>;

/// Weights `[inputs, outputs]` and biases `[outputs]` of each layer, row by row, and a batch of examples with their classes.
pub struct Problem {
    pub layers: Vec<Layer>,
    pub x: Vec<f32>,
    pub y: Vec<i32>,
}

pub struct Layer {
    pub inputs: i64,
    pub outputs: i64,
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

impl Problem {
    /// With values like those of a net at its start, from a fixed seed.
    pub fn new() -> Result<Problem, Error> {
        let layer = |(n, pair): (usize, &[i64])| -> Result<Layer, Error> {
            let (inputs, outputs) = (pair[0], pair[1]);
            let weights = normal(n as i32, &[inputs, outputs]) / (inputs as f64).sqrt();
            let biases = vec![0.0; outputs as usize];
            Ok(Layer { inputs, outputs, weights: weights.to_vec()?, biases })
        };
        Ok(Problem {
            layers: SIZES.windows(2).enumerate().map(layer).collect::<Result<_, _>>()?,
            x: normal(10, &[BATCH, SIZES[0]]).to_vec()?,
            y: random::randint(&random::key(11), [BATCH], DType::S32, 0, SIZES[3] as i32).to_vec()?,
        })
    }

    /// Weights and biases in the order of the layers.
    pub fn parameters(&self) -> Vec<Vec<f32>> {
        self.layers.iter().flat_map(|l| [l.weights.clone(), l.biases.clone()]).collect()
    }
}

fn normal(seed: i32, dims: &[i64]) -> Tensor {
    random::normal(&random::key(seed), dims, DType::F32)
}

/// Somebody who trains the net.
pub trait Trainer {
    fn name(&self) -> &'static str;

    /// One step of gradient descent; the loss before it.
    fn step(&mut self) -> Result<f32, Failure>;

    /// As [`Problem::parameters`].
    fn parameters(&self) -> Result<Vec<Vec<f32>>, Failure>;
}
