//! The derivative of each opcode: one table.
//!
//! A rule makes the value of an instruction and its tangent by those of the operands. What is linear in tangents goes through
//! [`Linearizer::linear`] and its like; everything else is ordinary code, whose values become residuals where the
//! tangent reads them. So a rule reads as little as it can: masks rather than factors, results rather than operands.

mod batch_norm;
mod binary;
mod choice;
mod control;
mod dynamic;
mod expansion;
mod linalg;
mod map;
mod pool;
mod reduce;
mod reducer;
mod scan;
mod scatter;
mod selection;
mod sort;
mod structure;
mod tree;
mod unary;
mod window;

pub(super) use control::flat;
pub(super) use linalg::conjugate;
pub(super) use pool::kept_positions;
pub(super) use selection::take_flat;

use super::linearize::Arg;
use super::{Linearizer, Tan};
use crate::error::Fault;
use crate::fault;
use crate::graph::marks;
use lawson_hlo::{DType, InstrId, Instruction, Opcode};

/// Makes the value of an instruction on these operands, and its tangent by theirs, of which at least one is not zero.
pub type Rule =
    fn(&mut Linearizer<'_, '_>, &Instruction, &[InstrId], &[Tan]) -> Result<(InstrId, Tan), Fault>;

/// What the derivative of an operation is.
#[derive(Clone, Copy)]
pub enum Derivative {
    /// The operation itself, on tangents.
    Linear,
    /// Made by a function.
    Rule(Rule),
    /// Zero everywhere, or where there is one: the reason.
    Zero(&'static str),
    /// There is none, or none yet: the reason.
    None(&'static str),
}

/// The derivative of an instruction.
pub fn of(instr: &Instruction) -> Derivative {
    if marks::of(instr).is_none() && !instr.shape.leaves().iter().any(|leaf| varies(leaf.dtype)) {
        return Derivative::Zero("its result has no derivative: it is of integers or of truth values");
    }
    match marks::of(instr) {
        Some(marks::STOP_GRADIENT) => Derivative::Zero("the program says so"),
        Some(marks::CHECKPOINT) => Derivative::Rule(control::checkpoint),
        Some(marks::CUSTOM_JVP) => Derivative::Rule(control::custom_jvp),
        Some(marks::CUSTOM_VJP) => Derivative::Rule(control::custom_vjp),
        _ => of_opcode(instr.opcode),
    }
}

/// Whether elements of that type can have tangents: those of numbers between which there are others, and of prime fields and
/// their extensions, where derivatives are those of rational functions.
pub fn varies(dtype: DType) -> bool {
    dtype.is_continuous() || dtype.is_field()
}

/// Refuses order where it has no derivative: in a prime field nothing is near anything.
fn ordered(name: &str, dtype: DType) -> Result<(), Fault> {
    match dtype.is_field() {
        true => fault!(
            "`{name}` of {dtype} has no derivative: order has none in a prime field; stop gradients before it"
        ),
        false => Ok(()),
    }
}

/// The derivative of an opcode, where its results are numbers that vary.
pub fn of_opcode(opcode: Opcode) -> Derivative {
    use Derivative::*;
    use Opcode::*;
    match opcode {
        Abs | Acos | Acosh | Asin | Asinh | Atanh | Cbrt | Cosine | Cosh | Erf | Exponential
        | ExponentialMinusOne | Inverse | Log | LogPlusOne | Logistic | Rsqrt | Sign | Sine | Sinh | Sqrt
        | Tan | Tanh => Rule(unary::rule),
        Convert | Imag | Negate | Real | ReducePrecision => Linear,
        Ceil | Floor | RoundNearestAfz | RoundNearestEven => Zero("it is constant between its steps"),
        CountLeadingZeros | IsFinite | Not | PopulationCount => {
            Zero("its result is no floating-point number")
        }
        BitcastConvert => Rule(structure::bitcast_convert),

        Add | Atan2 | Complex | Divide | Power | Remainder | Subtract => Rule(binary::rule),
        Convolution | Dot | Multiply => Rule(binary::bilinear),
        Clamp | Maximum | Minimum | Select => Rule(choice::rule),
        And | Compare | MulHi | Or | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | Xor => {
            Zero("it works on bits, or its result is a truth value")
        }
        StochasticConvert => {
            None("it rounds at random; use `convert`, or a function with a derivative of its own")
        }
        Map => Rule(map::rule),

        BitReverse | Broadcast | Concatenate | Pad | Reshape | Reverse | Slice | Transpose => Linear,
        DynamicSlice | DynamicUpdateSlice | Gather => Rule(dynamic::rule),
        Bitcast => None("it reads memory as it lies; use `reshape`, `transpose` or `bitcast-convert`"),
        DynamicReshape | SetDimensionSize => {
            None("extents that are known only when the program runs are not differentiated")
        }
        GetDimensionSize => Zero("an extent is an integer"),

        Constant | Iota => Zero("it depends on nothing"),
        Rng => None("draw numbers between 0 and 1, and compute the bounds or moments from them"),
        RngBitGenerator | RngGetAndUpdateState => Zero("bits are integers"),

        BatchNormGrad | BatchNormInference | BatchNormTraining => Rule(batch_norm::rule),
        RaggedDot => None("it has no meaning here yet; use `dot` on each group"),
        ScaledDot => None("it has no meaning here yet; use `dot` on the scaled operands"),
        Reduce => Rule(reduce::rule),
        ReduceWindow => Rule(window::reduce_window),
        Scan => Rule(scan::rule),
        Scatter => Rule(scatter::rule),
        SelectAndScatter => Rule(pool::select_and_scatter),
        Sort => Rule(sort::sort),
        TopK => Rule(sort::topk),

        AddDependency | Call | Copy | Domain | Fusion | GetTupleElement | OptimizationBarrier | Parameter
        | Tuple => Rule(structure::rule),
        AfterAll => Zero("a token has no value"),
        Conditional => Rule(control::conditional),
        While => Rule(control::while_loop),
        CustomCall => None(
            "what it computes is not known; wrap it in a function with a derivative of its own (`custom_vjp`)",
        ),

        Cholesky => Rule(linalg::cholesky),
        Fft | Ntt => Linear,
        Linalg => None(
            "packed factors and vectors of any sign have none of their own; use the functions of `linalg`, which have",
        ),
        TriangularSolve => Rule(linalg::triangular_solve),

        AllGather
        | AllGatherDone
        | AllGatherStart
        | AllReduce
        | AllReduceDone
        | AllReduceStart
        | AllToAll
        | CollectiveBroadcast
        | CollectivePermute
        | CollectivePermuteDone
        | CollectivePermuteStart
        | RaggedAllToAll
        | ReduceScatter => None("programs are differentiated before they are divided among devices"),
        PartitionId | ReplicaId => Zero("the number of a device is an integer"),
        AsyncDone | AsyncStart | AsyncUpdate | CopyDone | CopyStart => {
            None("programs are differentiated before what runs asynchronously is started and ended apart")
        }
        Infeed | Outfeed | Recv | RecvDone | Send | SendDone => {
            None("what the program receives from outside, or sends, is not differentiated")
        }
    }
}

/// The tangent of an operand, zeros where it has none.
fn arg(cx: &mut Linearizer<'_, '_>, operand: InstrId, tangent: &Tan) -> Result<Arg, Fault> {
    Ok(match tangent.one() {
        Some(t) => Arg::Tangent(t),
        None => Arg::Primal(cx.emit.splat_like(operand, 0.0)?),
    })
}
