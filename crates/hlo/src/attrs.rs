//! The attributes that decide what an instruction means, one variant for each group of opcodes.
//!
//! Attributes that change no value (metadata, sharding of the result, backend configuration …) are in
//! [`crate::instruction::Notes`].

use crate::devices::DeviceGroups;
use crate::ids::CompId;
use crate::linalg::Linalg;
use crate::literal::Value;
use crate::opcode::Opcode;
use crate::sharding::Sharding;
use std::cmp::Ordering;

/// The meaning-bearing attributes of one instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attrs {
    /// Opcodes without attributes.
    None,
    /// `parameter(number)`.
    Parameter(usize),
    /// `constant(literal)`. `None` where the text elided it (`{...}`): the verifier refuses to run that.
    Constant(Option<Value>),
    /// `iota_dimension=`.
    Iota(usize),
    /// `dimensions={}` of broadcast (operand → result dimension), transpose (permutation), reverse,
    /// concatenate (one), map, set-dimension-size and get-dimension-size (one).
    Dims(Vec<usize>),
    /// `slice={[start:limit:stride], …}`.
    Slice(Vec<SliceDim>),
    /// `dynamic_slice_sizes={}`.
    DynamicSlice(Vec<i64>),
    /// `padding=low_high_interior x …`.
    Pad(Vec<PadDim>),
    Gather(Box<GatherDims>),
    Scatter(Box<ScatterDims>),
    Dot(Box<DotDims>),
    Convolution(Box<ConvDims>),
    /// `dimensions={}, to_apply=` of reduce.
    Reduce {
        dims: Vec<usize>,
        to_apply: CompId,
    },
    ReduceWindow {
        window: Window,
        to_apply: CompId,
    },
    SelectAndScatter {
        window: Window,
        select: CompId,
        scatter: CompId,
    },
    Sort {
        dim: usize,
        is_stable: bool,
        to_apply: CompId,
    },
    TopK {
        k: i64,
        largest: bool,
    },
    /// `dimensions={d}, to_apply=, num_carries=, is_reverse=, is_associative=`: operands are the inputs, then the
    /// initial carries; `to_apply` takes (inputs…, carries…) slices and returns (outputs…, carries…).
    Scan {
        dim: usize,
        to_apply: CompId,
        num_carries: usize,
        is_reverse: bool,
        is_associative: Option<bool>,
    },
    Map {
        dims: Vec<usize>,
        to_apply: CompId,
    },
    Compare {
        direction: Direction,
        order: CompareOrder,
    },
    /// `exponent_bits=, mantissa_bits=`.
    ReducePrecision {
        exponent_bits: u32,
        mantissa_bits: u32,
    },
    /// `index=` of get-tuple-element.
    TupleIndex(usize),
    While {
        condition: CompId,
        body: CompId,
    },
    /// `branch_computations={}`; with `predicated` the operand is pred and there are two (true, false).
    Conditional {
        branches: Vec<CompId>,
        predicated: bool,
    },
    Call {
        to_apply: CompId,
        is_composite: bool,
    },
    Fusion {
        kind: FusionKind,
        calls: CompId,
    },
    CustomCall(Box<CustomCall>),
    /// `distribution=rng_uniform|rng_normal`, verbatim.
    Rng(String),
    /// `algorithm=rng_default|rng_three_fry|rng_philox`, verbatim.
    RngBitGenerator(String),
    /// `delta=`.
    RngState(i64),
    /// `epsilon=, feature_index=`; epsilon as the bits of an f32.
    BatchNorm {
        epsilon_bits: u32,
        feature_index: usize,
    },
    /// `lower=`.
    Cholesky(bool),
    /// A routine that text has as a custom call.
    Linalg(Linalg),
    TriangularSolve(TriangularSolve),
    /// `fft_type=, fft_length={}, inner_dimensions=`: a transform of as many dimensions as there are lengths, the minor-most ones but
    /// for `inner` of them, for each of whose elements there is one. XLA's text has no inner dimensions.
    Fft {
        kind: FftKind,
        lengths: Vec<i64>,
        inner: usize,
    },
    /// `ntt_type=, ntt_length={}, coset=`: a transform of the minor dimension over a prime field, of values on a coset.
    Ntt(Ntt),
    Collective(Box<Collective>),
    /// `channel_id=, is_host_transfer=` of send, recv and what ends them.
    Transfer {
        channel_id: Option<i64>,
        is_host_transfer: bool,
    },
    /// `domain={kind="sharding", entry=, exit=}`: shardings of the users' and of the operand's side.
    Domain(Box<(Sharding, Sharding)>),
    /// What Lawson reads, checks and prints but gives no meaning to: attribute name and value text, in order.
    /// Computations named inside are in `calls`, and print as their attribute with the names.
    Verbatim {
        attrs: Vec<(String, String)>,
        calls: Vec<(String, Vec<CompId>)>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SliceDim {
    pub start: i64,
    pub limit: i64,
    pub stride: i64,
}

/// Padding of one dimension, in elements; `low` and `high` may be negative (they crop).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PadDim {
    pub low: i64,
    pub high: i64,
    pub interior: i64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct GatherDims {
    pub offset_dims: Vec<usize>,
    pub collapsed_slice_dims: Vec<usize>,
    pub start_index_map: Vec<usize>,
    pub operand_batching_dims: Vec<usize>,
    pub start_indices_batching_dims: Vec<usize>,
    pub index_vector_dim: usize,
    pub slice_sizes: Vec<i64>,
    pub indices_are_sorted: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScatterDims {
    pub update_window_dims: Vec<usize>,
    pub inserted_window_dims: Vec<usize>,
    pub scatter_dims_to_operand_dims: Vec<usize>,
    pub input_batching_dims: Vec<usize>,
    pub scatter_indices_batching_dims: Vec<usize>,
    pub index_vector_dim: usize,
    pub indices_are_sorted: bool,
    pub unique_indices: bool,
    pub to_apply: CompId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DotDims {
    pub lhs_contracting: Vec<usize>,
    pub rhs_contracting: Vec<usize>,
    pub lhs_batch: Vec<usize>,
    pub rhs_batch: Vec<usize>,
}

/// One spatial dimension of a window.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WindowDim {
    pub size: i64,
    pub stride: i64,
    pub pad_low: i64,
    pub pad_high: i64,
    /// Dilation of the base (`lhs_dilate`): 1 is none.
    pub base_dilation: i64,
    /// Dilation of the window (`rhs_dilate`): 1 is none.
    pub window_dilation: i64,
    pub reversal: bool,
}

impl WindowDim {
    /// A window of this size with stride 1 and nothing else.
    pub fn of_size(size: i64) -> WindowDim {
        WindowDim {
            size,
            stride: 1,
            pad_low: 0,
            pad_high: 0,
            base_dilation: 1,
            window_dilation: 1,
            reversal: false,
        }
    }

    /// The number of positions of this window over a base of `extent` elements; `None` on overflow.
    pub fn output_extent(&self, extent: i64) -> Option<i64> {
        let dilated =
            if extent == 0 { 0 } else { (extent - 1).checked_mul(self.base_dilation)?.checked_add(1)? };
        let padded = dilated.checked_add(self.pad_low)?.checked_add(self.pad_high)?;
        let reach = if self.size == 0 {
            0
        } else {
            (self.size - 1).checked_mul(self.window_dilation)?.checked_add(1)?
        };
        Some(if reach > padded { 0 } else { (padded - reach) / self.stride + 1 })
    }
}

pub type Window = Vec<WindowDim>;

/// `dim_labels=` and groups of a convolution.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConvDims {
    pub window: Window,
    pub input_batch: usize,
    pub input_feature: usize,
    pub input_spatial: Vec<usize>,
    pub kernel_input_feature: usize,
    pub kernel_output_feature: usize,
    pub kernel_spatial: Vec<usize>,
    pub output_batch: usize,
    pub output_feature: usize,
    pub output_spatial: Vec<usize>,
    pub feature_group_count: i64,
    pub batch_group_count: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    Eq,
    Ne,
    Ge,
    Gt,
    Le,
    Lt,
}

impl Direction {
    /// Whether it holds for two values in this order.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Direction::Eq => order.is_eq(),
            Direction::Ne => order.is_ne(),
            Direction::Ge => order.is_ge(),
            Direction::Gt => order.is_gt(),
            Direction::Le => order.is_le(),
            Direction::Lt => order.is_lt(),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Direction::Eq => "EQ",
            Direction::Ne => "NE",
            Direction::Ge => "GE",
            Direction::Gt => "GT",
            Direction::Le => "LE",
            Direction::Lt => "LT",
        }
    }
}

/// `type=` of compare. `Default` follows the element type; only `TotalOrder` changes a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CompareOrder {
    #[default]
    Default,
    Float,
    TotalOrder,
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FusionKind {
    Loop,
    Input,
    Output,
    Custom,
}

impl FusionKind {
    pub fn name(self) -> &'static str {
        match self {
            FusionKind::Loop => "kLoop",
            FusionKind::Input => "kInput",
            FusionKind::Output => "kOutput",
            FusionKind::Custom => "kCustom",
        }
    }
}

/// `left_side=, lower=, unit_diagonal=, transpose_a=`: solves `op(a) x = b`, or `x op(a) = b` where the matrix of
/// coefficients stands on the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TriangularSolve {
    pub left_side: bool,
    /// Which triangle of `a` is read, before it is transposed.
    pub lower: bool,
    /// The diagonal of `a` is not read: its elements count as 1.
    pub unit_diagonal: bool,
    pub transpose_a: Transpose,
}

/// What is done to a matrix before it is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transpose {
    No,
    Transpose,
    /// Transposed, and complex numbers conjugated.
    Adjoint,
}

impl Transpose {
    pub fn name(self) -> &'static str {
        match self {
            Transpose::No => "NO_TRANSPOSE",
            Transpose::Transpose => "TRANSPOSE",
            Transpose::Adjoint => "ADJOINT",
        }
    }
}

/// A number-theoretic transform: of the coefficients of a polynomial to its values on a coset of the roots of unity, in
/// the order of the powers of the root, or back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ntt {
    /// From values to coefficients.
    pub inverse: bool,
    pub length: i64,
    /// The value that all points are multiplied by; 1 is the group of roots itself.
    pub coset: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FftKind {
    Fft,
    Ifft,
    Rfft,
    Irfft,
}

impl FftKind {
    pub fn name(self) -> &'static str {
        match self {
            FftKind::Fft => "FFT",
            FftKind::Ifft => "IFFT",
            FftKind::Rfft => "RFFT",
            FftKind::Irfft => "IRFFT",
        }
    }
}

/// An operation among devices. Those that are started and ended apart have the attributes at their start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Collective {
    pub channel_id: Option<i64>,
    pub peers: Peers,
    /// Groups name flattened numbers: replica · partitions + partition.
    pub use_global_device_ids: bool,
    /// Layouts are those that other programs expect.
    pub constrain_layout: bool,
    /// all-gather concatenates along it, reduce-scatter and all-to-all divide along it; all-to-all of a tuple has none.
    pub dim: Option<usize>,
    /// Of reductions.
    pub to_apply: Option<CompId>,
    /// Further attributes, verbatim.
    pub rest: Vec<(String, String)>,
}

/// Who takes part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Peers {
    /// `replica_groups=`
    Groups(DeviceGroups),
    /// `source_target_pairs=`
    Pairs(Vec<(i64, i64)>),
}

/// What the numbers in [`Peers`] are numbers of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupMode {
    /// Replicas; each partition by itself.
    Replicas,
    /// Partitions; each replica by itself.
    Partitions,
    /// Replicas; all partitions of a group's replicas together.
    ReplicasWithPartitions,
    /// Both, flattened.
    Flattened,
}

impl Collective {
    /// What device numbers mean: the channel and `use_global_device_ids` decide, which some opcodes have. `None` for
    /// flattened numbers without a channel, which have no meaning.
    pub fn group_mode(&self, opcode: Opcode) -> Option<GroupMode> {
        use Opcode::*;
        let has_flag =
            matches!(opcode, AllReduce | AllReduceStart | AllGather | AllGatherStart | ReduceScatter);
        match (self.channel_id, self.use_global_device_ids) {
            (None, false) => Some(GroupMode::Replicas),
            (None, true) => None,
            (Some(_), true) => Some(GroupMode::Flattened),
            (Some(_), false) if has_flag => Some(GroupMode::ReplicasWithPartitions),
            (Some(_), false) => Some(GroupMode::Partitions),
        }
    }

    /// The devices in each group, if the attributes tell and all groups are alike.
    pub fn group_size(&self) -> Option<i64> {
        match &self.peers {
            Peers::Groups(groups) => groups.group_size(),
            Peers::Pairs(_) => None,
        }
    }
}

/// A call of a function registered by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CustomCall {
    pub target: String,
    pub has_side_effect: bool,
    pub called: Vec<CompId>,
    /// Further attributes, verbatim.
    pub rest: Vec<(String, String)>,
}

impl Attrs {
    /// The computations this instruction names, in the order they print.
    pub fn called(&self) -> Vec<CompId> {
        match self {
            Attrs::Reduce { to_apply, .. }
            | Attrs::ReduceWindow { to_apply, .. }
            | Attrs::Sort { to_apply, .. }
            | Attrs::Scan { to_apply, .. }
            | Attrs::Map { to_apply, .. }
            | Attrs::Call { to_apply, .. } => vec![*to_apply],
            Attrs::Scatter(s) => vec![s.to_apply],
            Attrs::SelectAndScatter { select, scatter, .. } => vec![*select, *scatter],
            Attrs::While { condition, body } => vec![*condition, *body],
            Attrs::Conditional { branches, .. } => branches.clone(),
            Attrs::Fusion { calls, .. } => vec![*calls],
            Attrs::CustomCall(c) => c.called.clone(),
            Attrs::Collective(c) => c.to_apply.into_iter().collect(),
            Attrs::Verbatim { calls, .. } => calls.iter().flat_map(|(_, c)| c.iter().copied()).collect(),
            _ => Vec::new(),
        }
    }

    /// Renames every computation named here.
    pub fn map_called(&mut self, mut f: impl FnMut(CompId) -> CompId) {
        match self {
            Attrs::Reduce { to_apply, .. }
            | Attrs::ReduceWindow { to_apply, .. }
            | Attrs::Sort { to_apply, .. }
            | Attrs::Scan { to_apply, .. }
            | Attrs::Map { to_apply, .. }
            | Attrs::Call { to_apply, .. } => *to_apply = f(*to_apply),
            Attrs::Scatter(s) => s.to_apply = f(s.to_apply),
            Attrs::SelectAndScatter { select, scatter, .. } => {
                *select = f(*select);
                *scatter = f(*scatter);
            }
            Attrs::While { condition, body } => {
                *condition = f(*condition);
                *body = f(*body);
            }
            Attrs::Conditional { branches, .. } => branches.iter_mut().for_each(|b| *b = f(*b)),
            Attrs::Fusion { calls, .. } => *calls = f(*calls),
            Attrs::CustomCall(c) => c.called.iter_mut().for_each(|b| *b = f(*b)),
            Attrs::Collective(c) => c.to_apply.iter_mut().for_each(|b| *b = f(*b)),
            Attrs::Verbatim { calls, .. } => {
                calls.iter_mut().flat_map(|(_, c)| c.iter_mut()).for_each(|b| *b = f(*b))
            }
            _ => {}
        }
    }
}
