//! What an instruction can be in a kernel.

use crate::effects::is_copied_together;
use crate::planning::cut::is_code;
use lawson_hlo::opcode::Class;
use lawson_hlo::{ArrayShape, Attrs, Computation, DType, InstrId, Instruction, Opcode, Shape};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{MAX_PIECES, is_hero};

/// What an instruction can be in a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// Each result element is a function of a few elements: part of whatever reads it.
    Map,
    /// A map that changes no byte. Between kernels it costs nothing.
    Rename,
    /// Combines elements; a kernel has at most one.
    Hero,
    /// A constant that stands in the code.
    Code,
    /// A value from outside: a parameter, an element of a tuple, a token.
    Outside,
    /// Never part of a kernel.
    Host(Refusal),
}

impl Role {
    /// Whether a kernel can be made of it.
    pub fn is_kernel(&self) -> bool {
        matches!(self, Role::Map | Role::Rename | Role::Hero)
    }
}

/// The role of an instruction. `pinned` tells that control dependences hold it, or hold others to it.
pub fn role(comp: &Computation, id: InstrId, pinned: bool) -> Role {
    let instr = &comp[id];
    let opcode = instr.opcode;
    if is_code(instr) {
        return Role::Code;
    }
    match (opcode, &instr.attrs) {
        (Opcode::Constant, Attrs::Constant(_)) => {
            let bytes = instr.shape.leaves().iter().map(|l| l.bytes()).sum();
            return Role::Host(Refusal::LargeConstant { bytes });
        }
        _ if wish(instr) == Some(Wish::Never) => return Role::Host(Refusal::Forbidden { opcode }),
        (Opcode::OptimizationBarrier, _) => return Role::Host(Refusal::Barrier),
        _ if instr.has_side_effect() => return Role::Host(Refusal::SideEffect { opcode }),
        _ if pinned => return Role::Host(Refusal::ControlDependence { opcode }),
        _ => {}
    }
    // A bitcast is the view of a composite's parts at the interface of the program: the same memory, like a parameter.
    if opcode.class() == Class::Structure || opcode == Opcode::Bitcast {
        return Role::Outside;
    }
    let operands = instr.operands.iter().map(|&o| &comp[o].shape);
    let arrays = operands.clone().all(|s| matches!(s, Shape::Array(_)));
    let control = matches!(opcode.class(), Class::Control | Class::Communication);
    if let Some(dtype) = operands.chain([&instr.shape]).flat_map(|s| s.leaves()).find_map(unsupported)
        && !control
    {
        return Role::Host(Refusal::UnsupportedType { opcode, dtype });
    }
    let hero = is_hero(opcode) && opcode != Opcode::DynamicUpdateSlice;
    if !arrays || (!hero && !is_map(opcode)) {
        return Role::Host(Refusal::Host { opcode });
    }
    match opcode {
        _ if is_copied_together(instr) => {
            Role::Host(Refusal::ManyPieces { pieces: instr.operands.len(), limit: MAX_PIECES })
        }
        _ if hero => Role::Hero,
        Opcode::Reshape | Opcode::Copy => Role::Rename,
        _ => Role::Map,
    }
}

fn unsupported(shape: &ArrayShape) -> Option<DType> {
    let dtype = shape.dtype;
    (dtype.is_split() || shape.is_dynamic()).then_some(dtype)
}

fn is_map(opcode: Opcode) -> bool {
    use Opcode::*;
    match opcode {
        Complex | Real | Imag | StochasticConvert | Map | DynamicReshape | GetDimensionSize
        | SetDimensionSize | Bitcast => false,
        Iota => true,
        _ => {
            matches!(opcode.class(), Class::Unary | Class::Binary | Class::Elementwise | Class::Movement)
        }
    }
}

/// What the user asks of fusion at one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// `frontend_attributes={lawson.fuse="no_fuse"}`: it shares a kernel with nobody.
    Never,
    /// `frontend_attributes={lawson.fuse="must_fuse"}`: its result never goes through memory.
    Always,
}

/// The wish written at an instruction.
pub fn wish(instr: &Instruction) -> Option<Wish> {
    match instr.frontend_attribute("lawson.fuse")? {
        "no_fuse" => Some(Wish::Never),
        "must_fuse" => Some(Wish::Always),
        _ => None,
    }
}

/// Whether operand `n` is memory that the result takes over.
pub fn is_updated(opcode: Opcode, operands: usize, n: usize) -> bool {
    match opcode {
        Opcode::DynamicUpdateSlice => n == 0,
        Opcode::Scatter => n < operands / 2,
        _ => false,
    }
}
