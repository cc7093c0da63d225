//! The table of operations: which opcode each becomes, and how.

use super::frame::Frame;
use super::{
    bitcast, chlo, collective, constant, contraction, control, custom, elementwise, indexing, lexicographic,
    library, movement, ragged, reduction,
};
use crate::error::{Error, Result};
use crate::ir::Op;
use lawson_hlo::{InstrId, Opcode};

/// Adds the instructions of an operation; gives its result, a tuple where it has several.
pub type Rule = for<'p> fn(&mut Frame<'_, 'p>, &'p Op, Opcode) -> Result<InstrId>;

/// Operations by name: those of StableHLO without its dialect.
pub const OPS: &[(&str, Opcode, Rule)] = {
    use Opcode::*;
    &[
        ("abs", Abs, elementwise::plain),
        ("add", Add, elementwise::plain),
        ("after_all", AfterAll, control::token),
        ("all_gather", AllGather, collective::grouped),
        ("all_reduce", AllReduce, collective::grouped),
        ("all_to_all", AllToAll, collective::grouped),
        ("and", And, elementwise::plain),
        ("atan2", Atan2, elementwise::plain),
        ("batch_norm_grad", BatchNormGrad, reduction::batch_norm),
        ("batch_norm_inference", BatchNormInference, reduction::batch_norm),
        ("batch_norm_training", BatchNormTraining, reduction::batch_norm),
        ("bitcast_convert", BitcastConvert, bitcast::bitcast_convert),
        ("broadcast", Broadcast, movement::broadcast),
        ("broadcast_in_dim", Broadcast, movement::broadcast_in_dim),
        ("builtin.unrealized_conversion_cast", Copy, control::identity),
        ("case", Conditional, control::branches),
        ("cbrt", Cbrt, elementwise::plain),
        ("ceil", Ceil, elementwise::plain),
        ("chlo.acos", Acos, elementwise::plain),
        ("chlo.acosh", Acosh, elementwise::plain),
        ("chlo.asin", Asin, elementwise::plain),
        ("chlo.asinh", Asinh, elementwise::plain),
        ("chlo.atan", Atan2, chlo::atan),
        ("chlo.atanh", Atanh, elementwise::plain),
        ("chlo.bessel_i1e", Exponential, chlo::bessel_i1e),
        ("chlo.conj", Complex, chlo::conj),
        ("chlo.cosh", Cosh, elementwise::plain),
        ("chlo.digamma", Log, chlo::digamma),
        ("chlo.erf", Erf, elementwise::plain),
        ("chlo.erf_inv", Erf, chlo::erf_inv),
        ("chlo.erfc", Erf, chlo::erfc),
        ("chlo.is_inf", Compare, chlo::is_infinite),
        ("chlo.is_neg_inf", Compare, chlo::is_infinite),
        ("chlo.is_pos_inf", Compare, chlo::is_infinite),
        ("chlo.lgamma", Log, chlo::lgamma),
        ("chlo.mulhi", MulHi, elementwise::plain),
        ("chlo.next_after", BitcastConvert, chlo::next_after),
        ("chlo.polygamma", Log, chlo::polygamma),
        ("chlo.ragged_dot", Dot, ragged::ragged_dot),
        ("chlo.scan", Scan, reduction::scan),
        ("chlo.sinh", Sinh, elementwise::plain),
        ("chlo.square", Multiply, chlo::square),
        ("chlo.tan", Tan, elementwise::plain),
        ("chlo.top_k", TopK, chlo::top_k),
        ("chlo.zeta", Power, chlo::zeta),
        ("cholesky", Cholesky, library::cholesky),
        ("clamp", Clamp, lexicographic::extreme),
        ("collective_broadcast", CollectiveBroadcast, collective::grouped),
        ("collective_permute", CollectivePermute, collective::permute),
        ("compare", Compare, elementwise::compare),
        ("complex", Complex, elementwise::plain),
        ("composite", Call, control::composite),
        ("concatenate", Concatenate, movement::along),
        ("constant", Constant, constant::constant),
        ("convert", Convert, elementwise::convert),
        ("convolution", Convolution, contraction::convolution),
        ("cosine", Cosine, elementwise::plain),
        ("count_leading_zeros", CountLeadingZeros, elementwise::plain),
        ("create_token", AfterAll, control::token),
        ("custom_call", CustomCall, custom::custom_call),
        ("divide", Divide, elementwise::plain),
        ("dot", Dot, contraction::dot),
        ("dot_general", Dot, contraction::dot_general),
        ("dynamic_slice", DynamicSlice, movement::dynamic_slice),
        ("dynamic_update_slice", DynamicUpdateSlice, elementwise::plain),
        ("exponential", Exponential, elementwise::plain),
        ("exponential_minus_one", ExponentialMinusOne, elementwise::plain),
        ("fft", Fft, library::fft),
        ("floor", Floor, elementwise::plain),
        ("func.call", Call, control::call),
        ("gather", Gather, indexing::gather),
        ("get_dimension_size", GetDimensionSize, movement::along),
        ("get_tuple_element", GetTupleElement, control::get_tuple_element),
        ("if", Conditional, control::branches),
        ("imag", Imag, elementwise::plain),
        ("iota", Iota, movement::iota),
        ("is_finite", IsFinite, elementwise::plain),
        ("log", Log, elementwise::plain),
        ("log_plus_one", LogPlusOne, elementwise::plain),
        ("logistic", Logistic, elementwise::plain),
        ("map", Map, elementwise::map),
        ("maximum", Maximum, lexicographic::extreme),
        ("minimum", Minimum, lexicographic::extreme),
        ("multiply", Multiply, elementwise::plain),
        ("negate", Negate, elementwise::plain),
        ("not", Not, elementwise::plain),
        ("optimization_barrier", OptimizationBarrier, control::barrier),
        ("or", Or, elementwise::plain),
        ("pad", Pad, movement::pad),
        ("partition_id", PartitionId, collective::number),
        ("popcnt", PopulationCount, elementwise::plain),
        ("power", Power, elementwise::plain),
        ("real", Real, elementwise::plain),
        ("reduce", Reduce, reduction::reduce),
        ("reduce_precision", ReducePrecision, elementwise::reduce_precision),
        ("reduce_scatter", ReduceScatter, collective::grouped),
        ("reduce_window", ReduceWindow, reduction::reduce_window),
        ("remainder", Remainder, elementwise::plain),
        ("replica_id", ReplicaId, collective::number),
        ("reshape", Reshape, movement::stated),
        ("reverse", Reverse, movement::reverse),
        ("rng", Rng, library::rng),
        ("rng_bit_generator", RngBitGenerator, library::rng_bit_generator),
        ("round_nearest_afz", RoundNearestAfz, elementwise::plain),
        ("round_nearest_even", RoundNearestEven, elementwise::plain),
        ("rsqrt", Rsqrt, elementwise::plain),
        ("scatter", Scatter, indexing::scatter),
        ("sdy.manual_computation", Call, control::inlined),
        ("sdy.propagation_barrier", Copy, control::identity),
        ("sdy.reshard", Copy, control::identity),
        ("sdy.sharding_constraint", Copy, control::identity),
        ("select", Select, elementwise::plain),
        ("select_and_scatter", SelectAndScatter, reduction::select_and_scatter),
        ("shift_left", ShiftLeft, elementwise::plain),
        ("shift_right_arithmetic", ShiftRightArithmetic, elementwise::plain),
        ("shift_right_logical", ShiftRightLogical, elementwise::plain),
        ("sign", Sign, elementwise::plain),
        ("sine", Sine, elementwise::plain),
        ("slice", Slice, movement::slice),
        ("sort", Sort, reduction::sort),
        ("sqrt", Sqrt, elementwise::plain),
        ("subtract", Subtract, elementwise::plain),
        ("tan", Tan, elementwise::plain),
        ("tanh", Tanh, elementwise::plain),
        ("transpose", Transpose, movement::transpose),
        ("triangular_solve", TriangularSolve, library::triangular_solve),
        ("tuple", Tuple, control::tuple),
        ("while", While, control::while_loop),
        ("xor", Xor, elementwise::plain),
    ]
};

/// Adds the instructions of an operation.
pub fn convert<'p>(f: &mut Frame<'_, 'p>, op: &'p Op) -> Result<InstrId> {
    let name = op.short_name();
    if let Ok(row) = OPS.binary_search_by_key(&name, |(n, _, _)| n) {
        let (_, opcode, rule) = OPS[row];
        return rule(f, op, opcode);
    }
    if name.starts_with("dynamic_") || matches!(name, "real_dynamic_slice" | "set_dimension_size") {
        return Err(f.unsupported(op, "dynamic shapes are not supported: shapes must be static"));
    }
    Err(Error::unsupported(op.place, format!("op {} is not supported yet", op.name)))
        .map_err(|e| f.located(op, e))
}

#[cfg(test)]
mod tests {
    use super::OPS;

    #[test]
    fn names_are_in_order() {
        assert!(OPS.is_sorted_by_key(|(name, _, _)| name));
    }
}
