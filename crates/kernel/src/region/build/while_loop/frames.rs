//! Building expressions in one or another of the computations of a loop, each with what is known in it.

use super::state::Frame;
use crate::region::build::builder::Builder;

impl<'a> Builder<'a> {
    /// Evaluates in another of the loop's computations.
    pub(super) fn within<R>(&mut self, scope: usize, f: impl FnOnce(&mut Self) -> R) -> R {
        let back = self.switch(scope);
        let result = f(self);
        self.switch(back);
        result
    }

    fn switch(&mut self, scope: usize) -> usize {
        let Some(state) = &mut self.state else { return scope };
        let back = std::mem::replace(&mut state.scope, scope);
        if let Some(next) = state.parked[scope].take() {
            let comp = std::mem::replace(&mut self.comp, next.comp);
            let inputs = std::mem::replace(&mut self.inputs, next.inputs);
            let memo = std::mem::replace(&mut self.memo, next.memo);
            state.parked[back] = Some(Frame { comp, inputs, memo });
        }
        back
    }
}
