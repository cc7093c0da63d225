//! Scalar expressions: the nodes that stages evaluate.

use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::index::Affine;
use lawson_hlo::scalar::Bits;
use lawson_hlo::{DType, Opcode};

/// A scalar expression, by its position in [`super::Region::nodes`]. Operands have smaller positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// Where a loop writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Output(u32),
    /// An array of the lane's own: [`super::Region::private`].
    Private(u32),
}

/// Where a load reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Source {
    Input(u32),
    /// Result `output` of an earlier stage.
    Stage {
        stage: u32,
        output: u32,
    },
    /// An array that loops of the stage write: as it is when a trip begins, of which `after` is a carry, or when the loop within
    /// it has run of which `after` is a last value.
    Written {
        place: Place,
        after: NodeId,
    },
}

/// One operation on scalars. Axes are those of the stage the node is evaluated in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant, by its bits in memory.
    Constant {
        bits: Bits,
    },
    /// An index expression as an integer of the node's type (it wraps).
    Index(Affine),
    /// `lo <= value < hi`.
    InRange {
        value: Affine,
        lo: i64,
        hi: i64,
    },
    /// The element at a row-major offset, of an array of the lane's own among those of the lane. Where the mask is false nothing
    /// is read and the value is zero.
    Load {
        source: Source,
        offset: Affine,
        mask: Option<NodeId>,
    },
    /// An elementwise operation on operands of type `dtype`.
    Unary {
        opcode: Opcode,
        dtype: DType,
        x: NodeId,
    },
    Binary {
        opcode: Opcode,
        dtype: DType,
        x: NodeId,
        y: NodeId,
    },
    /// x · y + z, rounded once; of the node's type.
    Fma {
        x: NodeId,
        y: NodeId,
        z: NodeId,
    },
    Compare {
        direction: Direction,
        order: CompareOrder,
        dtype: DType,
        x: NodeId,
        y: NodeId,
    },
    Select {
        mask: NodeId,
        x: NodeId,
        y: NodeId,
    },
    Convert {
        from: DType,
        x: NodeId,
    },
    /// The same bits as another type of the same width.
    Bits {
        from: DType,
        x: NodeId,
    },
    ReducePrecision {
        exponent_bits: u32,
        mantissa_bits: u32,
        x: NodeId,
    },
    /// Argument of a combiner or comparator.
    Argument(u32),
    /// What a loop carries.
    Carry(Carried),
}

impl Node {
    /// Calls `f` for each node that this one names, in order; the run-time symbols of index expressions have nodes of their
    /// own ([`super::Symbol`]).
    pub fn operands_mut(&mut self, f: &mut dyn FnMut(&mut NodeId)) {
        match self {
            Node::Unary { x, .. }
            | Node::Convert { x, .. }
            | Node::Bits { x, .. }
            | Node::ReducePrecision { x, .. } => f(x),
            Node::Binary { x, y, .. } | Node::Compare { x, y, .. } => [x, y].into_iter().for_each(f),
            Node::Select { mask: x, x: y, y: z } | Node::Fma { x, y, z } => [x, y, z].into_iter().for_each(f),
            Node::Load { source, mask, .. } => {
                let after = match source {
                    Source::Written { after, .. } => Some(after),
                    Source::Input(_) | Source::Stage { .. } => None,
                };
                after.into_iter().chain(mask).for_each(f);
            }
            Node::Constant { .. }
            | Node::Index(_)
            | Node::InRange { .. }
            | Node::Argument(_)
            | Node::Carry(_) => {}
        }
    }
}

/// A scalar that a loop carries from trip to trip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Carried {
    /// 0 is the loop of the stage, `n` is [`super::Region::loops`]`[n - 1]`.
    pub of: u32,
    /// By its position in [`super::LoopStage::carries`].
    pub at: u32,
    /// The value after the last trip, of a loop within a loop; else the one a trip starts with. In
    /// [`super::LoopStage::finals`] the carries of the stage's loop have their last values.
    pub last: bool,
}

/// A function of scalars: the body of a reducer, a scatter combiner or a comparator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// Types of [`Node::Argument`] 0, 1, …
    pub arguments: Vec<DType>,
    pub results: Vec<NodeId>,
}

/// The operations of a product that is not one of fused multiply-adds, in the accumulator type. Neither has to distribute over the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Semiring {
    /// Makes an element of one of `lhs` and one of `rhs`.
    pub multiply: Function,
    /// Combines elements, in any order.
    pub add: Function,
    /// What a sum begins with.
    pub init: Bits,
}
