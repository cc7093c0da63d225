//! Loops and branches on the host.

use super::*;
use crate::loops::is_invariant;
use lawson_kernel::program::Place;
use lawson_kernel::region::build::known_trips;

impl Scheduler<'_> {
    /// A loop keeps its state in buffers of its own: the condition and the body read them, and the body's results
    /// are copied back into them. What the body passes on unchanged stays where it was before the loop.
    pub(super) fn while_loop(
        &mut self,
        instr: &Instruction,
        (condition, body): (CompId, CompId),
        inits: &[BufId],
        steps: &mut Vec<Step>,
    ) -> Result<Leaves, Diagnostic> {
        let mut carried = self.temporaries(&instr.shape);
        let passed_on = passed_on(self.module, instr, body);
        for ((&from, to), passed_on) in inits.iter().zip(&mut carried).zip(passed_on) {
            match passed_on {
                true => *to = from,
                false => steps.push(Step::Copy { from, to: *to }),
            }
        }
        let trips = known_trips(instr);
        let times = self.times;
        let mut cond_steps = Vec::new();
        self.times = times.zip(trips).map(|(t, n)| t.saturating_mul(n.max(0) as u64 + 1));
        let pred = self.computation(condition, std::slice::from_ref(&carried), &mut cond_steps)?[0];
        let mut body_steps = Vec::new();
        self.times = times.zip(trips).map(|(t, n)| t.saturating_mul(n.max(0) as u64));
        let next = self.computation(body, std::slice::from_ref(&carried), &mut body_steps)?;
        self.copy_back(&next, &carried, &mut body_steps);
        self.times = times;
        steps.push(Step::While { cond: cond_steps, pred, body: body_steps, trips });
        Ok(carried)
    }

    /// Copies all of `next` to `carried` as if at once: what another copy would overwrite first is saved.
    fn copy_back(&mut self, next: &[BufId], carried: &[BufId], steps: &mut Vec<Step>) {
        let mut sources = next.to_vec();
        for (n, source) in sources.iter_mut().enumerate() {
            if *source != carried[n] && carried.contains(source) {
                let saved = self.temporary(self.slots[source.index()].bytes);
                steps.push(Step::Copy { from: *source, to: saved });
                *source = saved;
            }
        }
        for (&from, &to) in sources.iter().zip(carried) {
            if from != to {
                steps.push(Step::Copy { from, to });
            }
        }
    }

    /// Every branch leaves its results in the same buffers.
    pub(super) fn conditional(
        &mut self,
        instr: &Instruction,
        branches: &[CompId],
        predicated: bool,
        operands: &[Leaves],
        steps: &mut Vec<Step>,
    ) -> Result<Leaves, Diagnostic> {
        let results = self.temporaries(&instr.shape);
        let mut all = Vec::new();
        for (n, &branch) in branches.iter().enumerate() {
            let mut inner = Vec::new();
            let made = self.computation(branch, &operands[n + 1..n + 2], &mut inner)?;
            for (&from, &to) in made.iter().zip(&results) {
                inner.push(Step::Copy { from, to });
            }
            all.push(inner);
        }
        let selector = match operands[0].first() {
            Some(&s) => s,
            None => self.slot(1, Place::Arena(0)),
        };
        steps.push(Step::Conditional { selector, predicated, branches: all });
        Ok(results)
    }
}

/// For each leaf of a loop's state whether the body hands it on as it is.
fn passed_on(module: &Module, instr: &Instruction, body: CompId) -> Vec<bool> {
    match &instr.shape {
        Shape::Tuple(parts) => {
            let leaf = |(n, part): (usize, &Shape)| vec![is_invariant(module, body, n); part.leaves().len()];
            parts.iter().enumerate().flat_map(leaf).collect()
        }
        other => vec![false; other.leaves().len()],
    }
}
