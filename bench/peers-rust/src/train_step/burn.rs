//! The step in burn, on one of its backends for processors, with the loss of burn-nn.

use crate::problem::{BATCH, Failure, Problem, RATE, SIZES, Trainer};
use burn::nn::loss::{CrossEntropyLoss, CrossEntropyLossConfig};
use burn::tensor::{Device, Int, Tensor, TensorData, activation};

pub struct Burn {
    name: &'static str,
    layers: Vec<(Tensor<2>, Tensor<2>)>,
    loss: CrossEntropyLoss,
    x: Tensor<2>,
    y: Tensor<1, Int>,
}

impl Burn {
    pub fn new(name: &'static str, problem: &Problem, device: Device) -> Burn {
        let device = device.autodiff();
        let matrix = |elements: &[f32], rows: i64, columns: i64| {
            let data = TensorData::new(elements.to_vec(), [rows as usize, columns as usize]);
            Tensor::<2>::from_data(data, &device)
        };
        let layers = problem.layers.iter().map(|l| {
            let weights = matrix(&l.weights, l.inputs, l.outputs).require_grad();
            (weights, matrix(&l.biases, 1, l.outputs).require_grad())
        });
        Burn {
            name,
            layers: layers.collect(),
            loss: CrossEntropyLossConfig::new().init(&device),
            x: matrix(&problem.x, BATCH, SIZES[0]),
            y: Tensor::from_data(TensorData::new(problem.y.clone(), [BATCH as usize]), &device),
        }
    }
}

impl Trainer for Burn {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(&mut self) -> Result<f32, Failure> {
        let mut h = self.x.clone();
        for (n, (w, b)) in self.layers.iter().enumerate() {
            h = h.matmul(w.clone()) + b.clone();
            if n + 1 < self.layers.len() {
                h = activation::relu(h);
            }
        }
        let value = self.loss.forward(h, self.y.clone());
        let mut slopes = value.backward();
        let mut updated = |p: &Tensor<2>| {
            let slope = p.grad_remove(&mut slopes).ok_or("a parameter has no gradient")?;
            Ok::<_, Failure>((p.clone().inner() - slope * RATE).autodiff().require_grad())
        };
        for (w, b) in &mut self.layers {
            (*w, *b) = (updated(w)?, updated(b)?);
        }
        Ok(value.into_scalar())
    }

    fn parameters(&self) -> Result<Vec<Vec<f32>>, Failure> {
        let tensors = self.layers.iter().flat_map(|(w, b)| [w, b]);
        tensors.map(|t| Ok(t.to_data().try_to_vec().map_err(|e| format!("{e:?}"))?)).collect()
    }
}
