//! Whether a joint kernel is small enough: arrays it takes, operations of its code.

use super::Engine;
use super::body::{Body, body, operands};
use super::clusters::ClusterId;
use super::host::{ArrayId, UnitId};
use crate::fusion::limits::{MAX_ARRAYS, MAX_NODES};
use lawson_hlo::InstrId;
use lawson_kernel::refusal::Refusal;

impl Engine<'_, '_> {
    /// The body of a joint kernel, if it is no more than a kernel can hold.
    pub(super) fn fitting(
        &mut self,
        members: &[UnitId],
        outputs: Vec<ArrayId>,
        [first, second]: [ClusterId; 2],
    ) -> Result<Body, Refusal> {
        // A lower bound, before any set is formed: arrays of the second that the first does not make remain arrays.
        let (made, [few, many]) = (self.arrays_of(first).1, [first, second].map(|c| self.arrays_of(c).0));
        fits(few.max(many).saturating_sub(made))?;
        let reads = operands(&self.host, members);
        fits(reads.len() + outputs.len())?;
        let body = self.body(members, reads, outputs);
        self.holds(&body)?;
        Ok(body)
    }

    pub(super) fn body(
        &mut self,
        members: &[UnitId],
        reads: Vec<(ArrayId, InstrId)>,
        outputs: Vec<ArrayId>,
    ) -> Body {
        let numbers = (&mut self.judge.numbers, &mut self.numbers);
        body(self.module, numbers, &self.host, members, (reads, outputs))
    }

    /// Whether a kernel can hold so much.
    pub(super) fn holds(&self, body: &Body) -> Result<(), Refusal> {
        let nodes = body.operations(self.module, &self.host);
        if nodes > MAX_NODES {
            return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
        }
        fits(body.arrays())
    }

    /// The arrays of a cluster, and how many of them it makes.
    pub(super) fn arrays_of(&mut self, c: ClusterId) -> (usize, usize) {
        let version = self.versions[c as usize];
        if let Some(&(then, arrays)) = self.arrays.get(&c)
            && then == version
        {
            return arrays;
        }
        let members = self.clusters.members(c);
        let outputs = self.clusters.outputs(&self.host, members, &[c]).len();
        let arrays = (operands(&self.host, members).len() + outputs, outputs);
        self.arrays.insert(c, (version, arrays));
        arrays
    }
}

/// Whether a kernel can take so many arrays.
fn fits(arrays: usize) -> Result<(), Refusal> {
    match arrays > MAX_ARRAYS {
        true => Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS }),
        false => Ok(()),
    }
}
