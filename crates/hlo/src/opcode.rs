//! The opcodes of HLO: one table with the text name and the class of each.

use std::fmt;

/// What kind of operation an opcode is; shape rules, evaluators and reports group by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// One operand, same dimensions, one result element for each operand element.
    Unary,
    /// Two operands of the same dimensions.
    Binary,
    /// Elementwise with another number of operands or with scalar operands (select, clamp, map …).
    Elementwise,
    /// Moves elements without computing: reshape, slice, gather …
    Movement,
    /// Makes an array from nothing: constant, iota, rng.
    Source,
    /// Combines many elements: reduce, dot, sort, scatter …
    Reduction,
    /// Calls computations: while, conditional, call, fusion.
    Control,
    /// Tuples, parameters, tokens, barriers.
    Structure,
    /// Linear algebra and transforms: routines that are no kernels ([`crate::library`]).
    Library,
    /// Several devices, the host, or asynchronous execution.
    Communication,
}

macro_rules! opcodes {
    ($($variant:ident $name:literal $class:ident,)*) => {
        /// An HLO operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Opcode { $($variant,)* }

        impl Opcode {
            /// Every opcode, in the order of the table.
            pub const ALL: &[Opcode] = &[$(Opcode::$variant,)*];

            /// The name in HLO text.
            pub fn name(self) -> &'static str {
                match self { $(Opcode::$variant => $name,)* }
            }

            /// The opcode of that name, if there is one.
            pub fn from_name(name: &str) -> Option<Opcode> {
                match name { $($name => Some(Opcode::$variant),)* _ => None }
            }

            pub fn class(self) -> Class {
                match self { $(Opcode::$variant => Class::$class,)* }
            }
        }
    };
}

opcodes! {
    Abs "abs" Unary,
    Acos "acos" Unary,
    Acosh "acosh" Unary,
    Asin "asin" Unary,
    Asinh "asinh" Unary,
    Atanh "atanh" Unary,
    Cbrt "cbrt" Unary,
    Ceil "ceil" Unary,
    CountLeadingZeros "count-leading-zeros" Unary,
    Cosine "cosine" Unary,
    Cosh "cosh" Unary,
    Erf "erf" Unary,
    Exponential "exponential" Unary,
    ExponentialMinusOne "exponential-minus-one" Unary,
    Floor "floor" Unary,
    Imag "imag" Unary,
    Inverse "inverse" Unary,
    IsFinite "is-finite" Unary,
    Log "log" Unary,
    LogPlusOne "log-plus-one" Unary,
    Logistic "logistic" Unary,
    Negate "negate" Unary,
    Not "not" Unary,
    PopulationCount "popcnt" Unary,
    Real "real" Unary,
    RoundNearestAfz "round-nearest-afz" Unary,
    RoundNearestEven "round-nearest-even" Unary,
    Rsqrt "rsqrt" Unary,
    Sign "sign" Unary,
    Sine "sine" Unary,
    Sinh "sinh" Unary,
    Sqrt "sqrt" Unary,
    Tan "tan" Unary,
    Tanh "tanh" Unary,
    Copy "copy" Unary,
    Convert "convert" Unary,
    ReducePrecision "reduce-precision" Unary,
    BitcastConvert "bitcast-convert" Movement,

    Add "add" Binary,
    And "and" Binary,
    Atan2 "atan2" Binary,
    Compare "compare" Binary,
    Complex "complex" Binary,
    Divide "divide" Binary,
    Maximum "maximum" Binary,
    Minimum "minimum" Binary,
    MulHi "mulhi" Binary,
    Multiply "multiply" Binary,
    Or "or" Binary,
    Power "power" Binary,
    Remainder "remainder" Binary,
    ShiftLeft "shift-left" Binary,
    ShiftRightArithmetic "shift-right-arithmetic" Binary,
    ShiftRightLogical "shift-right-logical" Binary,
    StochasticConvert "stochastic-convert" Binary,
    Subtract "subtract" Binary,
    Xor "xor" Binary,

    Clamp "clamp" Elementwise,
    Map "map" Elementwise,
    Select "select" Elementwise,

    Bitcast "bitcast" Movement,
    BitReverse "bit-reverse" Movement,
    Broadcast "broadcast" Movement,
    Concatenate "concatenate" Movement,
    DynamicReshape "dynamic-reshape" Movement,
    DynamicSlice "dynamic-slice" Movement,
    DynamicUpdateSlice "dynamic-update-slice" Movement,
    Gather "gather" Movement,
    GetDimensionSize "get-dimension-size" Movement,
    Pad "pad" Movement,
    Reshape "reshape" Movement,
    Reverse "reverse" Movement,
    SetDimensionSize "set-dimension-size" Movement,
    Slice "slice" Movement,
    Transpose "transpose" Movement,

    Constant "constant" Source,
    Iota "iota" Source,
    Rng "rng" Source,
    RngBitGenerator "rng-bit-generator" Source,
    RngGetAndUpdateState "rng-get-and-update-state" Source,

    BatchNormGrad "batch-norm-grad" Reduction,
    BatchNormInference "batch-norm-inference" Reduction,
    BatchNormTraining "batch-norm-training" Reduction,
    Convolution "convolution" Reduction,
    Dot "dot" Reduction,
    Ntt "ntt" Reduction,
    RaggedDot "ragged-dot" Reduction,
    Reduce "reduce" Reduction,
    ReduceWindow "reduce-window" Reduction,
    ScaledDot "scaled-dot" Reduction,
    Scan "scan" Reduction,
    Scatter "scatter" Reduction,
    SelectAndScatter "select-and-scatter" Reduction,
    Sort "sort" Reduction,
    TopK "topk" Reduction,

    Call "call" Control,
    Conditional "conditional" Control,
    CustomCall "custom-call" Control,
    Fusion "fusion" Control,
    While "while" Control,

    AddDependency "add-dependency" Structure,
    AfterAll "after-all" Structure,
    Domain "domain" Structure,
    GetTupleElement "get-tuple-element" Structure,
    OptimizationBarrier "opt-barrier" Structure,
    Parameter "parameter" Structure,
    Tuple "tuple" Structure,

    Cholesky "cholesky" Library,
    Fft "fft" Library,
    Linalg "linalg" Library,
    TriangularSolve "triangular-solve" Library,

    AllGather "all-gather" Communication,
    AllGatherDone "all-gather-done" Communication,
    AllGatherStart "all-gather-start" Communication,
    AllReduce "all-reduce" Communication,
    AllReduceDone "all-reduce-done" Communication,
    AllReduceStart "all-reduce-start" Communication,
    AllToAll "all-to-all" Communication,
    AsyncDone "async-done" Communication,
    AsyncStart "async-start" Communication,
    AsyncUpdate "async-update" Communication,
    CollectiveBroadcast "collective-broadcast" Communication,
    CollectivePermute "collective-permute" Communication,
    CollectivePermuteDone "collective-permute-done" Communication,
    CollectivePermuteStart "collective-permute-start" Communication,
    CopyDone "copy-done" Communication,
    CopyStart "copy-start" Communication,
    Infeed "infeed" Communication,
    Outfeed "outfeed" Communication,
    PartitionId "partition-id" Communication,
    RaggedAllToAll "ragged-all-to-all" Communication,
    Recv "recv" Communication,
    RecvDone "recv-done" Communication,
    ReduceScatter "reduce-scatter" Communication,
    ReplicaId "replica-id" Communication,
    Send "send" Communication,
    SendDone "send-done" Communication,
}

impl Opcode {
    /// An elementary function, which costs tens of operations.
    pub fn is_transcendental(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            Acos | Acosh
                | Asin
                | Asinh
                | Atan2
                | Atanh
                | Cbrt
                | Cosine
                | Cosh
                | Erf
                | Exponential
                | ExponentialMinusOne
                | Log
                | LogPlusOne
                | Logistic
                | Power
                | Rsqrt
                | Sine
                | Sinh
                | Sqrt
                | Tan
                | Tanh
        )
    }

    /// One result element depends on the operand elements at the same index only.
    pub fn is_elementwise(self) -> bool {
        matches!(self.class(), Class::Unary | Class::Binary | Class::Elementwise)
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &op in Opcode::ALL {
            assert_eq!(Opcode::from_name(op.name()), Some(op));
        }
    }
}
