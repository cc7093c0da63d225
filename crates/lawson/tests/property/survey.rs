//! What the random modules contain: a test that tests nothing must be noticed.

use crate::generate;
use lawson::hlo::{DType, Opcode};
use std::collections::{BTreeMap, BTreeSet};

/// How often each operation and each element type occurs in the modules of these seeds.
#[derive(Default)]
pub struct Survey {
    pub opcodes: BTreeMap<&'static str, u64>,
    pub dtypes: BTreeMap<&'static str, u64>,
    /// (operation, element type of its result)
    pub both: BTreeSet<(Opcode, DType)>,
    pub instructions: u64,
}

pub fn survey(seeds: std::ops::Range<u64>) -> Survey {
    let mut s = Survey::default();
    for module in seeds.map(generate::module) {
        for instr in module.computations.iter().flat_map(|c| &c.instrs) {
            s.instructions += 1;
            *s.opcodes.entry(instr.opcode.name()).or_default() += 1;
            for leaf in instr.shape.leaves() {
                *s.dtypes.entry(leaf.dtype.name()).or_default() += 1;
                s.both.insert((instr.opcode, leaf.dtype));
            }
        }
    }
    s
}

/// Every operation that a device runs occurs, and the arithmetic on every type.
pub fn check(seeds: std::ops::Range<u64>) -> Result<(), String> {
    let s = survey(seeds);
    let missing: Vec<&str> =
        EXPECTED.iter().map(|o| o.name()).filter(|o| !s.opcodes.contains_key(o)).collect();
    if !missing.is_empty() {
        return Err(format!("no module has {}", missing.join(", ")));
    }
    for op in
        [Opcode::Add, Opcode::Multiply, Opcode::Compare, Opcode::Select, Opcode::Reduce, Opcode::Convert]
    {
        for d in generate::ALL.iter().filter(|d| op != Opcode::Compare || **d == DType::Pred) {
            if !s.both.contains(&(op, *d)) {
                return Err(format!("no module has {op} of {d}"));
            }
        }
    }
    Ok(())
}

use Opcode::*;

const EXPECTED: &[Opcode] = &[
    Abs,
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atanh,
    Cbrt,
    Ceil,
    CountLeadingZeros,
    Cosine,
    Cosh,
    Erf,
    Exponential,
    ExponentialMinusOne,
    Floor,
    Imag,
    IsFinite,
    Log,
    LogPlusOne,
    Logistic,
    Negate,
    Not,
    PopulationCount,
    Real,
    RoundNearestAfz,
    RoundNearestEven,
    Rsqrt,
    Sign,
    Sine,
    Sinh,
    Sqrt,
    Tan,
    Tanh,
    Copy,
    Convert,
    ReducePrecision,
    BitcastConvert,
    Add,
    And,
    Atan2,
    Compare,
    Divide,
    Maximum,
    Minimum,
    MulHi,
    Multiply,
    Or,
    Power,
    Remainder,
    ShiftLeft,
    ShiftRightArithmetic,
    ShiftRightLogical,
    Subtract,
    Xor,
    Clamp,
    Map,
    Select,
    Broadcast,
    Concatenate,
    DynamicSlice,
    DynamicUpdateSlice,
    Gather,
    Pad,
    Reshape,
    Reverse,
    Slice,
    Transpose,
    Constant,
    Iota,
    RngBitGenerator,
    Convolution,
    Dot,
    Reduce,
    ReduceWindow,
    Scatter,
    SelectAndScatter,
    Sort,
    TopK,
    Call,
    Conditional,
    Fusion,
    While,
    GetTupleElement,
    OptimizationBarrier,
    Parameter,
    Tuple,
    Cholesky,
    TriangularSolve,
];
