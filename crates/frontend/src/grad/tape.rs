//! What is linear in the tangents, recorded so that it can be transposed.

use super::Transposer;
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode, Origin};
use rustc_hash::FxHashMap;

/// A tangent: an entry of the tape or, in forward mode, an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tangent(pub u32);

impl Tangent {
    /// Its place on the tape.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operand of what is linear: a value of the computation, or a tangent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A value of the computation.
    Primal(InstrId),
    /// A tangent.
    Tangent(Tangent),
}

impl Arg {
    /// The tangent, if it is one.
    pub fn tangent(self) -> Option<Tangent> {
        match self {
            Arg::Tangent(t) => Some(t),
            Arg::Primal(_) => None,
        }
    }
}

/// An operation on arrays that is linear in its tangents, taken together.
#[derive(Clone, Debug)]
pub struct Linear {
    /// What is done to the operands.
    pub opcode: Opcode,
    /// At least one of them is a tangent.
    pub operands: Vec<Arg>,
    /// As in the instruction.
    pub attrs: Attrs,
}

/// Something linear that is no single operation: a loop, a conditional, a function with a derivative of its own.
pub trait Structured {
    /// The tangents that it reads.
    fn operands(&self) -> Vec<Tangent>;

    /// The values of the computation that it reads.
    fn residuals(&self) -> Vec<InstrId>;

    /// Makes the results from those of the operands; `residuals` are where the values are now.
    fn apply(
        &self,
        emit: &mut Emit<'_>,
        residuals: &FxHashMap<InstrId, InstrId>,
        operands: &[InstrId],
    ) -> Result<Vec<InstrId>, Fault>;

    /// Contributes to the cotangents of the operands, by those of the results, of which at least one is there.
    fn transpose(&self, cx: &mut Transposer<'_, '_>, cotangents: &[Option<InstrId>]) -> Result<(), Fault>;
}

/// How an entry comes about.
pub enum Definition {
    Input,
    Linear(Linear),
    /// The result of that number of [`Tape::structured`]'s entry.
    Result {
        structured: usize,
        number: usize,
    },
}

pub struct Entry {
    pub definition: Definition,
    pub shape: ArrayShape,
    pub origin: Origin,
}

/// Operations in order, each linear in what stands before it.
#[derive(Default)]
pub struct Tape {
    /// In order.
    pub entries: Vec<Entry>,
    /// What entries of several operations refer to.
    pub structured: Vec<Box<dyn Structured>>,
}

impl Tape {
    /// Appends an entry; its tangent.
    pub fn push(&mut self, definition: Definition, shape: ArrayShape, origin: Origin) -> Tangent {
        self.entries.push(Entry { definition, shape, origin });
        Tangent(self.entries.len() as u32 - 1)
    }

    /// Appends something structured with results of these shapes.
    pub fn push_structured(
        &mut self,
        structured: Box<dyn Structured>,
        results: &[ArrayShape],
        origin: &Origin,
    ) -> Vec<Tangent> {
        self.structured.push(structured);
        let number_of_it = self.structured.len() - 1;
        let result = |(number, shape): (usize, &ArrayShape)| {
            let definition = Definition::Result { structured: number_of_it, number };
            self.push(definition, shape.clone(), origin.clone())
        };
        results.iter().enumerate().map(result).collect()
    }

    /// Of each entry, whether these tangents depend on it.
    pub fn needed(&self, of: &[Tangent]) -> Vec<bool> {
        let mut needed = vec![false; self.entries.len()];
        of.iter().for_each(|t| needed[t.index()] = true);
        for i in (0..self.entries.len()).rev() {
            if !needed[i] {
                continue;
            }
            match &self.entries[i].definition {
                Definition::Input => {}
                Definition::Linear(op) => {
                    op.operands.iter().filter_map(|a| a.tangent()).for_each(|t| needed[t.index()] = true);
                }
                Definition::Result { structured, .. } => {
                    self.structured[*structured].operands().iter().for_each(|t| needed[t.index()] = true);
                }
            }
        }
        needed
    }

    /// The values of the computation that entries read on which these tangents depend: in order, each once.
    pub fn residuals(&self, of: &[Tangent]) -> Vec<InstrId> {
        let needed = self.needed(of);
        let mut found = Vec::new();
        for (entry, _) in self.entries.iter().zip(needed).filter(|(_, needed)| *needed) {
            match &entry.definition {
                Definition::Input => {}
                Definition::Linear(op) => found.extend(op.operands.iter().filter_map(|arg| match *arg {
                    Arg::Primal(id) => Some(id),
                    Arg::Tangent(_) => None,
                })),
                Definition::Result { structured, .. } => {
                    found.extend(self.structured[*structured].residuals())
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
