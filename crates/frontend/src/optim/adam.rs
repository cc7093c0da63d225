//! Adam: steps by running means of gradients, over the roots of those of their squares.
//!
//! ```text
//! m = b1 · m + (1 − b1) · g;  v = b2 · v + (1 − b2) · g²;  t = t + 1
//! −rate · ((m / (1 − b1ᵗ)) / (√(v / (1 − b2ᵗ) + eps_root) + eps) + weight_decay · p)
//! ```
//!
//! Kingma and Ba, "Adam: A Method for Stochastic Optimization" (arXiv:1412.6980); with decay Loshchilov and Hutter, "Decoupled Weight
//! Decay Regularization" (arXiv:1711.05101).

use super::leaves::{failed, rate, together};
use crate::tensor::{AsTensor, Tensor};
use crate::tree::{self, Tree};
use lawson_hlo::DType;
use std::hash::Hasher;

/// The constants of Adam.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adam {
    /// How much of the mean of gradients stays.
    pub b1: f64,
    /// How much of the mean of their squares stays.
    pub b2: f64,
    /// Added to the root.
    pub eps: f64,
    /// Added below the root, so that derivatives through a step are finite.
    pub eps_root: f64,
}

impl Default for Adam {
    fn default() -> Adam {
        Adam { b1: 0.9, b2: 0.999, eps: 1e-8, eps_root: 0.0 }
    }
}

/// The state of [`Adam`].
#[derive(Clone, Debug)]
pub struct AdamState<T> {
    /// The number of steps so far: an s32 scalar.
    pub count: Tensor,
    /// The running mean of gradients.
    pub mean: T,
    /// The running mean of their squares.
    pub square: T,
}

impl<T: Tree> Tree for AdamState<T> {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        self.count.leaves(out);
        self.mean.leaves(out);
        self.square.leaves(out);
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> AdamState<T> {
        AdamState {
            count: self.count.rebuild(leaves),
            mean: self.mean.rebuild(leaves),
            square: self.square.rebuild(leaves),
        }
    }

    fn structure(&self, state: &mut dyn Hasher) {
        self.count.structure(state);
        self.mean.structure(state);
        self.square.structure(state);
    }
}

impl Adam {
    /// The state before the first step.
    #[track_caller]
    pub fn init<T: Tree>(&self, params: &T) -> AdamState<T> {
        let zeros = tree::map(params, |p| p.zeros_like());
        AdamState { count: Tensor::zeros([], DType::S32), mean: zeros.clone(), square: zeros }
    }

    /// The change of parameters by gradients, and the next state. Leaves carry an error where the trees differ.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::optim::{Adam, apply_updates};
    /// use lawson::{Tensor, grad};
    ///
    /// let loss = |x: &Tensor| (x - 3).square().sum();
    /// let (adam, mut x) = (Adam::default(), Tensor::from([0f32, 10.0]));
    /// let mut state = adam.init(&x);
    /// for _ in 0..200 {
    ///     let (updates, next) = adam.update(&grad(loss)(&x), &state, 0.1);
    ///     (x, state) = (apply_updates(&x, &updates), next);
    /// }
    /// assert!((x - 3).abs().max().item::<f32>()? < 0.1);
    /// assert_eq!(state.count.item(), Ok(200i32));
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn update<T: Tree>(
        &self,
        gradients: &T,
        state: &AdamState<T>,
        learning_rate: impl AsTensor,
    ) -> (T, AdamState<T>) {
        self.step(gradients, state, &learning_rate, None)
    }

    /// As [`Adam::update`], with decay of the parameters beside it: AdamW. 1e-4 is optax's default.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::optim::Adam;
    ///
    /// let (adam, params, zero) = (Adam::default(), Tensor::from([2f32]), Tensor::from([0f32]));
    /// let (updates, _) = adam.update_with_decay(&zero, &adam.init(&params), &params, 0.5, 0.25);
    /// assert_eq!(updates.to_vec(), Ok(vec![-0.25f32])); // −rate · decay · parameter
    /// ```
    #[track_caller]
    pub fn update_with_decay<T: Tree>(
        &self,
        gradients: &T,
        state: &AdamState<T>,
        params: &T,
        learning_rate: impl AsTensor,
        weight_decay: f64,
    ) -> (T, AdamState<T>) {
        self.step(gradients, state, &learning_rate, Some((params, weight_decay)))
    }

    #[track_caller]
    fn step<T: Tree>(
        &self,
        gradients: &T,
        state: &AdamState<T>,
        learning_rate: &dyn AsTensor,
        decay: Option<(&T, f64)>,
    ) -> (T, AdamState<T>) {
        let (params, weight_decay) = decay.unwrap_or((gradients, 0.0));
        let [grads, means, squares, params] =
            match together("adam", [gradients, &state.mean, &state.square, params]) {
                Ok(found) => found,
                Err(e) => return (failed(gradients, &e), failed(state, &e)),
            };
        let count = &state.count + 1;
        let (mut steps, mut next_means, mut next_squares) = (Vec::new(), Vec::new(), Vec::new());
        for (((g, m), v), p) in grads.iter().zip(&means).zip(&squares).zip(&params) {
            let m = self.b1 * m + (1.0 - self.b1) * g;
            let v = self.b2 * v + (1.0 - self.b2) * g.square();
            let root = (corrected(&v, self.b2, &count) + self.eps_root).sqrt();
            let mut step = corrected(&m, self.b1, &count) / (root + self.eps);
            if weight_decay != 0.0 {
                step += weight_decay * p;
            }
            steps.push(-rate(learning_rate, g) * step);
            next_means.push(m);
            next_squares.push(v);
        }
        let next = AdamState {
            count,
            mean: tree::rebuild(&state.mean, next_means),
            square: tree::rebuild(&state.square, next_squares),
        };
        (tree::rebuild(gradients, steps), next)
    }
}

/// A running mean that began at 0, over what of it is not that 0.
#[track_caller]
fn corrected(mean: &Tensor, decay: f64, count: &Tensor) -> Tensor {
    let wide = mean.dtype().accumulator();
    let part = 1.0 - Tensor::full([], decay, wide).pow(count.astype(wide));
    mean / part.astype(mean.dtype())
}
