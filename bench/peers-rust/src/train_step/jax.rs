//! The step as JAX lowers it, `tests/programs/mlp_train_step/full.hlo`, under Lawson.

use crate::problem::{BATCH, Failure, Problem, SIZES, Trainer};
use lawson::explain::{Explanation, explain};
use lawson::load::{self, Loaded};
use lawson::{Buffer, Client, Executable, Options};
use std::path::Path;

pub struct Jax {
    loaded: Loaded,
    options: Options,
    executable: Executable,
    parameters: Vec<Buffer>,
    examples: [Buffer; 2],
}

impl Jax {
    pub fn new(problem: &Problem, options: &Options) -> Result<Jax, Failure> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/mlp_train_step");
        let loaded = load::file(&folder.join("full.hlo"))?;
        let client = Client::cpu();
        let mut parameters = Vec::new();
        for layer in &problem.layers {
            parameters.push(client.buffer(&layer.weights, &[layer.inputs, layer.outputs])?);
            parameters.push(client.buffer(&layer.biases, &[layer.outputs])?);
        }
        Ok(Jax {
            executable: client.compile(&loaded.module, options)?,
            loaded,
            options: options.clone(),
            parameters,
            examples: [client.buffer(&problem.x, &[BATCH, SIZES[0]])?, client.buffer(&problem.y, &[BATCH])?],
        })
    }

    pub fn explain(&self) -> Result<Explanation, Failure> {
        Ok(explain(&self.loaded, &self.options)?)
    }
}

impl Trainer for Jax {
    fn name(&self) -> &'static str {
        "Lawson, lowered by JAX"
    }

    fn step(&mut self) -> Result<f32, Failure> {
        let mut results = self.executable.run(self.parameters.iter().chain(&self.examples))?;
        self.parameters = results.split_off(1);
        Ok(results[0].as_slice()?[0])
    }

    fn parameters(&self) -> Result<Vec<Vec<f32>>, Failure> {
        Ok(self.parameters.iter().map(Buffer::to_vec).collect::<Result<_, _>>()?)
    }
}
