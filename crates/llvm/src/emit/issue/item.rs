//! Operations as the order sees them.

use lawson_kernel::loop_ir::{Cast, Kernel, Op, V};

/// What an operation takes of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// A constant, or a part of an address: emitted where it is needed.
    Scalar,
    /// A load, which needs no arithmetic unit.
    Load,
    Vector,
}

impl Work {
    pub fn of(kernel: &Kernel, v: V, op: &Op) -> Work {
        match op {
            Op::Const { .. } | Op::Iota(_) => Work::Scalar,
            _ if kernel.ty(v).lanes == 1 => Work::Scalar,
            Op::Load { .. } | Op::Splat { .. } | Op::Regroup { .. } | Op::Cast { op: Cast::Bits, .. } => {
                Work::Load
            }
            _ => Work::Vector,
        }
    }
}

/// Registers are of two kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    None,
    Vector,
    Mask,
}

impl Register {
    pub fn kind(self) -> Option<usize> {
        match self {
            Register::None => None,
            Register::Vector => Some(0),
            Register::Mask => Some(1),
        }
    }
}

pub struct Item {
    pub work: Work,
    pub register: Register,
    /// Registers of its result, and instructions that make them.
    pub size: usize,
    /// Cycles until the result is there.
    pub latency: u32,
    /// Places in the run.
    pub needs: Vec<usize>,
    pub users: Vec<usize>,
    /// Whether something after the run uses it.
    pub leaves: bool,
}
