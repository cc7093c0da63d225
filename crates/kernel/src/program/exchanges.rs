//! Buffers that exchange their memory: each may be in the place of any other of its class.

use super::walk::visit;
use super::{Program, Step};

/// The classes of a program's buffers; most are alone in theirs.
pub struct Exchanges {
    /// Towards the buffer that stands for the class.
    parent: Vec<usize>,
}

impl Exchanges {
    pub fn of(program: &Program) -> Exchanges {
        let mut found = Exchanges { parent: (0..program.buffers.len()).collect() };
        visit(&program.steps, &mut |step| {
            if let Step::Swap { a, b } = step {
                let (a, b) = (found.class(a.index()), found.class(b.index()));
                found.parent[a] = b;
            }
        });
        found
    }

    /// The buffer that stands for the class of this one.
    pub fn class(&self, mut buffer: usize) -> usize {
        while self.parent[buffer] != buffer {
            buffer = self.parent[buffer];
        }
        buffer
    }
}
