//! Positions of instructions and computations: what refers to them names these, not the things themselves.

/// An instruction's index within its computation. Operands always have smaller indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct InstrId(pub u32);

impl InstrId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A computation's index within its module. Called computations always have smaller indices than callers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CompId(pub u32);

impl CompId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
