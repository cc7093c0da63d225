//! The step in candle, with the loss and the optimiser of candle-nn.

use crate::problem::{BATCH, Failure, Problem, RATE, SIZES, Trainer};
use candle_core::{Device, Tensor, Var};
use candle_nn::{Optimizer, SGD, loss};

pub struct Candle {
    layers: Vec<(Var, Var)>,
    optimizer: SGD,
    x: Tensor,
    y: Tensor,
}

impl Candle {
    pub fn new(problem: &Problem) -> Result<Candle, Failure> {
        let device = Device::Cpu;
        let mut layers = Vec::new();
        for layer in &problem.layers {
            let (inputs, outputs) = (layer.inputs as usize, layer.outputs as usize);
            layers.push((
                Var::from_slice(&layer.weights, (inputs, outputs), &device)?,
                Var::from_slice(&layer.biases, outputs, &device)?,
            ));
        }
        let variables = layers.iter().flat_map(|(w, b)| [w.clone(), b.clone()]).collect();
        let classes: Vec<u32> = problem.y.iter().map(|&y| y as u32).collect();
        Ok(Candle {
            layers,
            optimizer: SGD::new(variables, RATE)?,
            x: Tensor::from_slice(&problem.x, (BATCH as usize, SIZES[0] as usize), &device)?,
            y: Tensor::from_slice(&classes, BATCH as usize, &device)?,
        })
    }
}

impl Trainer for Candle {
    fn name(&self) -> &'static str {
        "candle"
    }

    fn step(&mut self) -> Result<f32, Failure> {
        let mut h = self.x.clone();
        for (n, (w, b)) in self.layers.iter().enumerate() {
            h = h.matmul(w)?.broadcast_add(b)?;
            if n + 1 < self.layers.len() {
                h = h.relu()?;
            }
        }
        let value = loss::cross_entropy(&h, &self.y)?;
        self.optimizer.backward_step(&value)?;
        Ok(value.to_scalar()?)
    }

    fn parameters(&self) -> Result<Vec<Vec<f32>>, Failure> {
        let variables = self.layers.iter().flat_map(|(w, b)| [w, b]);
        Ok(variables.map(|v| v.flatten_all()?.to_vec1()).collect::<Result<_, _>>()?)
    }
}
