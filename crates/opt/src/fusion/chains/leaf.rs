//! What a chain reads: values of others, as kernels see them.

use crate::fusion::role::Role;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{Attrs, Computation, InstrId, Opcode};

/// A value that a chain reads.
pub enum Leaf {
    /// A constant that stands in the code.
    Code,
    /// A value that each kernel repeats along dimensions.
    Spread(InstrId),
    /// The same, of a constant that stands in the code.
    SpreadCode(InstrId),
    /// Some elements of an array: these ranges of it, reshaped.
    Part(InstrId, Vec<SliceDim>),
    /// An array in memory.
    Whole(InstrId),
}

impl Leaf {
    pub fn of(comp: &Computation, roles: &[Role], id: InstrId) -> Leaf {
        let instr = &comp[id];
        let kernel = |o: InstrId| matches!(roles[o.index()], Role::Map | Role::Rename);
        if roles[id.index()] == Role::Code {
            return Leaf::Code;
        }
        // What is asked to be apart, or waits for something, no kernel computes anew.
        if !kernel(id) {
            return Leaf::Whole(id);
        }
        match (instr.opcode, instr.operands.first()) {
            (Opcode::Broadcast, Some(&o)) if roles[o.index()] == Role::Code => return Leaf::SpreadCode(o),
            (Opcode::Broadcast, Some(&o)) => return Leaf::Spread(o),
            (Opcode::Slice, Some(&o)) if !kernel(o) => {
                if let Attrs::Slice(ranges) = &instr.attrs {
                    return Leaf::Part(o, ranges.clone());
                }
            }
            (Opcode::Reshape, Some(&o)) if comp[o].opcode == Opcode::Slice && kernel(o) => {
                if let (Attrs::Slice(ranges), &[of]) = (&comp[o].attrs, &comp[o].operands[..])
                    && !kernel(of)
                {
                    return Leaf::Part(of, ranges.clone());
                }
            }
            _ => {}
        }
        Leaf::Whole(id)
    }

    /// The value behind it, if it is no code.
    pub fn source(&self) -> Option<InstrId> {
        match *self {
            Leaf::Code | Leaf::SpreadCode(_) => None,
            Leaf::Spread(source) | Leaf::Part(source, _) | Leaf::Whole(source) => Some(source),
        }
    }
}
