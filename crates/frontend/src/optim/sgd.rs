//! Gradient descent, with momentum where that is not 0.
//!
//! Momentum is that of Polyak, "Some methods of speeding up the convergence of iteration methods" (1964), and of Nesterov (1983), in the
//! form of Sutskever et al., "On the importance of initialization and momentum in deep learning" (ICML 2013).

use super::leaves::{failed, rate, together};
use crate::tensor::{AsTensor, Tensor};
use crate::tree::{self, Tree};
use std::hash::Hasher;

/// Gradient descent: `t = g + momentum · t`, then −rate · t, or for Nesterov's −rate · (g + momentum · t).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sgd {
    /// How much of the last step stays; 0 for none.
    pub momentum: f64,
    /// Nesterov's: the gradient of the place that momentum leads to.
    pub nesterov: bool,
}

/// The state of [`Sgd`]: the running sum of gradients, where there is momentum.
#[derive(Clone, Debug)]
pub struct SgdState<T> {
    /// Like the parameters; none without momentum.
    pub trace: Option<T>,
}

impl<T: Tree> Tree for SgdState<T> {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        self.trace.leaves(out);
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> SgdState<T> {
        SgdState { trace: self.trace.rebuild(leaves) }
    }

    fn structure(&self, state: &mut dyn Hasher) {
        self.trace.structure(state);
    }
}

impl Sgd {
    /// The state before the first step.
    #[track_caller]
    pub fn init<T: Tree>(&self, params: &T) -> SgdState<T> {
        let zeros = (self.momentum != 0.0).then(|| tree::map(params, |p| p.zeros_like()));
        SgdState { trace: zeros }
    }

    /// The change of parameters by gradients, and the next state. Leaves carry an error where the trees differ.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::optim::{Sgd, apply_updates};
    ///
    /// let (sgd, x, g) = (Sgd { momentum: 0.5, nesterov: false }, Tensor::from([1f32]), Tensor::from([2f32]));
    /// let (updates, state) = sgd.update(&g, &sgd.init(&x), 0.25);
    /// assert_eq!(apply_updates(&x, &updates).to_vec(), Ok(vec![0.5f32]));
    /// let (updates, _) = sgd.update(&g, &state, 0.25);
    /// assert_eq!(updates.to_vec(), Ok(vec![-0.75f32])); // −¼ · (2 + ½ · 2)
    /// ```
    #[track_caller]
    pub fn update<T: Tree>(
        &self,
        gradients: &T,
        state: &SgdState<T>,
        learning_rate: impl AsTensor,
    ) -> (T, SgdState<T>) {
        let Some(trace) = &state.trace else {
            let mut steps = Vec::new();
            for g in tree::leaves(gradients) {
                steps.push(-rate(&learning_rate, &g) * &g);
            }
            return (tree::rebuild(gradients, steps), state.clone());
        };
        let [g_leaves, t_leaves] = match together("sgd", [gradients, trace]) {
            Ok(found) => found,
            Err(e) => return (failed(gradients, &e), SgdState { trace: Some(failed(trace, &e)) }),
        };
        let (mut steps, mut next) = (Vec::new(), Vec::new());
        for (g, t) in g_leaves.iter().zip(&t_leaves) {
            let t = g + self.momentum * t;
            let step = if self.nesterov { g + self.momentum * &t } else { t.clone() };
            steps.push(-rate(&learning_rate, g) * step);
            next.push(t);
        }
        (tree::rebuild(gradients, steps), SgdState { trace: Some(tree::rebuild(trace, next)) })
    }
}
