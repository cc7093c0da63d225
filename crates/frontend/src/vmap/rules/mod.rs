//! How each opcode is batched: one table.
//!
//! A rule gets the operands as they are for all examples. What it gives is batched as [`super::flags`] says: every array of
//! the result, except where the table of that file knows better.

mod batch_norm;
mod conditional;
mod convolution;
mod dot;
mod dynamic;
mod elementwise;
mod gather;
mod leading;
mod loops;
mod marks;
mod movement;
mod reduce;
mod scan;
mod sequential;
mod shield;
mod structure;
mod window;

pub(super) use dot::to_front;

use super::{Batched, Batcher};
use crate::error::Fault;
use lawson_hlo::{CompId, InstrId, Instruction, Module, Opcode};

/// What rules give.
pub type Made = Result<(InstrId, Batched), Fault>;

/// Makes an instruction for all examples, of whose operands at least one is batched.
pub type Rule = fn(&mut Batcher<'_, '_>, &Instruction, &[InstrId], &[Batched]) -> Made;

/// How an operation is batched.
#[derive(Clone, Copy)]
pub enum Batching {
    /// Made by a function.
    Rule(Rule),
    /// It cannot be, or never needs to be: the reason.
    None(&'static str),
}

const SOURCE: &str = "it has no operands, so it is the same for all examples";
const RANDOM: &str = "every example would draw the same numbers; random bits that are computed from a key, as threefry is, are \
                      data like any other";
const DEVICES: &str = "it is among devices: batch what each of them computes, before and after it";
const HOST: &str = "it exchanges data with the host or another device, once for all examples";
const ASYNCHRONOUS: &str =
    "it is one half of what runs beside the program: batch the operation before it is divided";
const DYNAMIC: &str = "its result has a dimension whose extent is not known before it runs";
const UNDEFINED: &str = "it has no meaning on any device here, nor in the interpreter";

/// How an instruction is batched.
pub fn of(instr: &Instruction) -> Batching {
    of_opcode(instr.opcode)
}

/// How an opcode is batched.
pub fn of_opcode(opcode: Opcode) -> Batching {
    use Batching::*;
    use Opcode::*;
    match opcode {
        Abs | Acos | Acosh | Asin | Asinh | Atanh | Cbrt | Ceil | CountLeadingZeros | Cosine | Cosh | Erf
        | Exponential | ExponentialMinusOne | Floor | Imag | Inverse | IsFinite | Log | LogPlusOne
        | Logistic | Negate | Not | PopulationCount | Real | RoundNearestAfz | RoundNearestEven | Rsqrt
        | Sign | Sine | Sinh | Sqrt | Tan | Tanh | Convert | ReducePrecision => Rule(elementwise::rule),
        // A ratio of widths is the last dimension, wherever there are others.
        BitcastConvert => Rule(elementwise::rule),
        Add | And | Atan2 | Compare | Complex | Divide | Maximum | Minimum | MulHi | Multiply | Or
        | Power | Remainder | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | StochasticConvert
        | Subtract | Xor => Rule(elementwise::rule),
        Clamp | Select => Rule(elementwise::with_scalars),
        Map => Rule(elementwise::map),

        Broadcast => Rule(movement::broadcast),
        Reshape | Bitcast => Rule(movement::reshape),
        Transpose => Rule(movement::transpose),
        BitReverse | Reverse | Concatenate => Rule(movement::along_dims),
        Slice => Rule(movement::slice),
        Pad => Rule(movement::pad),
        GetDimensionSize => Rule(movement::get_dimension_size),
        DynamicReshape | SetDimensionSize => None(DYNAMIC),
        DynamicSlice => Rule(dynamic::slice),
        DynamicUpdateSlice => Rule(dynamic::update_slice),
        Gather => Rule(gather::gather),
        Scatter => Rule(gather::scatter),

        Parameter => None("it is what the batched function is given"),
        Constant | Iota => None(SOURCE),
        Rng | RngGetAndUpdateState => None(RANDOM),
        RngBitGenerator => Rule(sequential::rule),

        BatchNormGrad | BatchNormInference | BatchNormTraining => Rule(batch_norm::rule),
        Convolution => Rule(convolution::rule),
        Dot => Rule(dot::rule),
        RaggedDot | ScaledDot => None(UNDEFINED),
        Reduce => Rule(reduce::rule),
        ReduceWindow => Rule(window::reduce_window),
        SelectAndScatter => Rule(window::select_and_scatter),
        Scan => Rule(scan::rule),
        Sort => Rule(leading::sort),
        TopK | Cholesky | Fft | Linalg | Ntt | TriangularSolve => Rule(leading::rule),

        Tuple | GetTupleElement | Call | Fusion | Copy | OptimizationBarrier | AddDependency | Domain => {
            Rule(structure::rule)
        }
        AfterAll => None("tokens hold no examples"),
        While => Rule(loops::rule),
        Conditional => Rule(conditional::rule),
        CustomCall => Rule(marks::custom_call),

        AllGather | AllReduce | AllToAll | CollectiveBroadcast | CollectivePermute | RaggedAllToAll
        | ReduceScatter => None(DEVICES),
        PartitionId | ReplicaId => None(SOURCE),
        AllGatherDone
        | AllGatherStart
        | AllReduceDone
        | AllReduceStart
        | AsyncDone
        | AsyncStart
        | AsyncUpdate
        | CollectivePermuteDone
        | CollectivePermuteStart
        | CopyDone
        | CopyStart => None(ASYNCHRONOUS),
        Infeed | Outfeed | Recv | RecvDone | Send | SendDone => None(HOST),
    }
}

/// Why an instruction may not even be computed once for all examples, if so: it does more than give a value.
pub(super) fn effect(module: &Module, instr: &Instruction, batched: &[Batched]) -> Option<&'static str> {
    match instr.opcode {
        Opcode::Rng | Opcode::RngGetAndUpdateState => Some(RANDOM),
        _ if instr.has_side_effect() => Some("it has an effect, which would happen once for all examples"),
        _ if batched.iter().all(Batched::is_no) => {
            instr.attrs.called().into_iter().find_map(|callee| effect_in(module, callee))
        }
        _ => None,
    }
}

/// Of a computation, and of those that it calls.
fn effect_in(module: &Module, comp: CompId) -> Option<&'static str> {
    module[comp].instrs.iter().find_map(|instr| effect(module, instr, &[]))
}
