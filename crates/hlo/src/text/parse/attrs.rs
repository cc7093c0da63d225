//! From the attributes in the text to [`Attrs`], opcode by opcode.

use super::devices::{domain, groups, source_target_pairs};
use super::fields::Fields;
use super::values::*;
use crate::attrs::{
    Attrs, Collective, CompareOrder, ConvDims, CustomCall, Direction, DotDims, FftKind, FusionKind,
    GatherDims, Ntt, Peers, ScatterDims, Transpose, TriangularSolve,
};
use crate::devices::DeviceGroups;
use crate::opcode::{Class, Opcode};
use crate::shape::{ArrayShape, Shape};
use crate::text::error::{Fault, Parsed};

/// Attributes that Lawson reads and prints, but gives no meaning to, of custom calls and of the opcodes that have
/// [`Attrs::Verbatim`], among them whatever operation an asynchronous one wraps (`reduce-scatter-start`).
const VERBATIM: &[&str] = &[
    "all_reduce_id",
    "api_version",
    "async_execution_thread",
    "async_group_id",
    "batch_group_count",
    "channel_id",
    "constrain_layout",
    "cross_program_prefetch_index",
    "custom_call_schedule",
    "debug_attributes",
    "dim_labels",
    "dimensions",
    "direction",
    "feature_group_count",
    "fft_length",
    "fft_type",
    "index",
    "infeed_config",
    "iota_dimension",
    "is_async",
    "is_host_transfer",
    "is_sync",
    "kind",
    "left_side",
    "lhs_batch_dims",
    "lhs_contracting_dims",
    "lhs_ragged_dims",
    "literal",
    "lower",
    "mode",
    "operand_layout_constraints",
    "outfeed_config",
    "outfeed_shape",
    "output_to_operand_aliasing",
    "padding",
    "padding_type",
    "replica_groups",
    "rhs_batch_dims",
    "rhs_contracting_dims",
    "rhs_group_dims",
    "schedule",
    "slice",
    "slice_sizes",
    "source_target_pairs",
    "split_dimension",
    "transpose_a",
    "type",
    "unit_diagonal",
    "use_global_device_ids",
    "window",
];

/// Attributes of collectives that are kept as text.
const COLLECTIVE_REST: &[&str] = &["all_reduce_id", "is_sync", "mode", "slice_sizes"];

/// Takes the meaning-bearing attributes of an opcode.
pub(super) fn read(f: &mut Fields<'_>, opcode: Opcode, operands: &[&Shape]) -> Parsed<Attrs> {
    use Opcode::*;
    Ok(match opcode {
        Iota => Attrs::Iota(f.need("iota_dimension", index)?),
        // A broadcast of a scalar maps nothing, and may leave that unsaid.
        Broadcast => Attrs::Dims(f.may("dimensions", dims)?.unwrap_or_default()),
        Transpose | Reverse | BitReverse | Concatenate | SetDimensionSize | GetDimensionSize => {
            Attrs::Dims(f.need("dimensions", dims)?)
        }
        Slice => Attrs::Slice(f.need("slice", slices)?),
        DynamicSlice => Attrs::DynamicSlice(f.need("dynamic_slice_sizes", sizes)?),
        // A scalar has no dimension to pad, and the list of none has no text.
        Pad if operands.first().is_some_and(|x| x.as_array().is_some_and(ArrayShape::is_scalar)) => {
            Attrs::Pad(f.may("padding", paddings)?.unwrap_or_default())
        }
        Pad => Attrs::Pad(f.need("padding", paddings)?),
        Gather => Attrs::Gather(Box::new(gather(f)?)),
        Scatter => Attrs::Scatter(Box::new(scatter(f)?)),
        Dot => Attrs::Dot(Box::new(DotDims {
            lhs_contracting: f.may("lhs_contracting_dims", dims)?.unwrap_or_default(),
            rhs_contracting: f.may("rhs_contracting_dims", dims)?.unwrap_or_default(),
            lhs_batch: f.may("lhs_batch_dims", dims)?.unwrap_or_default(),
            rhs_batch: f.may("rhs_batch_dims", dims)?.unwrap_or_default(),
        })),
        Convolution => Attrs::Convolution(Box::new(convolution(f)?)),
        Reduce => Attrs::Reduce { dims: f.need("dimensions", dims)?, to_apply: f.call("to_apply")? },
        ReduceWindow => Attrs::ReduceWindow {
            window: f.may("window", window)?.unwrap_or_default(),
            to_apply: f.call("to_apply")?,
        },
        SelectAndScatter => Attrs::SelectAndScatter {
            window: f.may("window", window)?.unwrap_or_default(),
            select: f.call("select")?,
            scatter: f.call("scatter")?,
        },
        Sort => Attrs::Sort {
            dim: f.need("dimensions", one_dim)?,
            is_stable: flag(f, "is_stable")?,
            to_apply: f.call("to_apply")?,
        },
        TopK => Attrs::TopK { k: f.need("k", int)?, largest: f.may("largest", boolean)?.unwrap_or(true) },
        Scan => Attrs::Scan {
            dim: f.need("dimensions", one_dim)?,
            to_apply: f.call("to_apply")?,
            num_carries: f.need("num_carries", index)?,
            is_reverse: flag(f, "is_reverse")?,
            is_associative: f.may("is_associative", boolean)?,
        },
        Map => {
            Attrs::Map { dims: f.may("dimensions", dims)?.unwrap_or_default(), to_apply: f.call("to_apply")? }
        }
        Compare => Attrs::Compare {
            direction: f.need("direction", one_of(&DIRECTIONS))?,
            order: f.may("type", one_of(&ORDERS))?.unwrap_or_default(),
        },
        ReducePrecision => Attrs::ReducePrecision {
            exponent_bits: f.need("exponent_bits", bits)?,
            mantissa_bits: f.need("mantissa_bits", bits)?,
        },
        GetTupleElement => Attrs::TupleIndex(f.need("index", index)?),
        While => Attrs::While { condition: f.call("condition")?, body: f.call("body")? },
        Conditional => conditional(f, operands)?,
        Call => Attrs::Call { to_apply: f.call("to_apply")?, is_composite: flag(f, "is_composite")? },
        Fusion => Attrs::Fusion { kind: f.need("kind", one_of(&KINDS))?, calls: f.call("calls")? },
        CustomCall | Linalg => custom_call(f)?,
        Rng => Attrs::Rng(f.need("distribution", verbatim)?),
        RngBitGenerator => Attrs::RngBitGenerator(f.need("algorithm", verbatim)?),
        RngGetAndUpdateState => Attrs::RngState(f.need("delta", int)?),
        BatchNormTraining | BatchNormInference | BatchNormGrad => Attrs::BatchNorm {
            epsilon_bits: f.need("epsilon", epsilon)?,
            feature_index: f.need("feature_index", index)?,
        },
        Fft => Attrs::Fft {
            kind: f.need("fft_type", one_of(&TRANSFORMS))?,
            lengths: f.need("fft_length", sizes)?,
            inner: f.may("inner_dimensions", index)?.unwrap_or(0),
        },
        Opcode::Ntt => Attrs::Ntt(self::Ntt {
            inverse: f.need("ntt_type", one_of(&DIRECTIONS_OF_NTT))?,
            length: f.need("ntt_length", size)?,
            coset: f.may("coset", natural)?.unwrap_or(1),
        }),
        AllGather
        | AllGatherStart
        | AllReduce
        | AllReduceStart
        | AllToAll
        | CollectiveBroadcast
        | CollectivePermute
        | CollectivePermuteStart
        | RaggedAllToAll
        | ReduceScatter => Attrs::Collective(Box::new(collective(f, opcode)?)),
        Send | SendDone | Recv | RecvDone => Attrs::Transfer {
            channel_id: f.may("channel_id", int)?,
            is_host_transfer: flag(f, "is_host_transfer")?,
        },
        Domain => Attrs::Domain(Box::new(f.need("domain", domain)?)),
        Cholesky => Attrs::Cholesky(flag(f, "lower")?),
        TriangularSolve => Attrs::TriangularSolve(self::TriangularSolve {
            left_side: flag(f, "left_side")?,
            lower: flag(f, "lower")?,
            unit_diagonal: flag(f, "unit_diagonal")?,
            transpose_a: f.need("transpose_a", one_of(&TRANSPOSES))?,
        }),
        _ if is_verbatim(opcode) => verbatim_attrs(f),
        _ => Attrs::None,
    })
}

pub(super) const DIRECTIONS: [(&str, Direction); 6] = [
    ("EQ", Direction::Eq),
    ("NE", Direction::Ne),
    ("GE", Direction::Ge),
    ("GT", Direction::Gt),
    ("LE", Direction::Le),
    ("LT", Direction::Lt),
];

const ORDERS: [(&str, CompareOrder); 4] = [
    ("FLOAT", CompareOrder::Float),
    ("TOTALORDER", CompareOrder::TotalOrder),
    ("SIGNED", CompareOrder::Signed),
    ("UNSIGNED", CompareOrder::Unsigned),
];

const KINDS: [(&str, FusionKind); 4] = [
    ("kLoop", FusionKind::Loop),
    ("kInput", FusionKind::Input),
    ("kOutput", FusionKind::Output),
    ("kCustom", FusionKind::Custom),
];

const TRANSPOSES: [(&str, Transpose); 3] =
    [("NO_TRANSPOSE", Transpose::No), ("TRANSPOSE", Transpose::Transpose), ("ADJOINT", Transpose::Adjoint)];

const TRANSFORMS: [(&str, FftKind); 4] =
    [("FFT", FftKind::Fft), ("IFFT", FftKind::Ifft), ("RFFT", FftKind::Rfft), ("IRFFT", FftKind::Irfft)];

/// Whether the transform is the inverse one.
const DIRECTIONS_OF_NTT: [(&str, bool); 2] = [("NTT", false), ("INTT", true)];

fn flag(f: &mut Fields<'_>, key: &str) -> Parsed<bool> {
    Ok(f.may(key, boolean)?.unwrap_or(false))
}

/// Opcodes whose attributes are kept as text.
fn is_verbatim(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, RaggedDot | ScaledDot) || opcode.class() == Class::Communication
}

fn verbatim_attrs(f: &mut Fields<'_>) -> Attrs {
    let mut attrs = Vec::new();
    if Opcode::from_name(f.word).is_none() {
        // `add-start` and the like: an attribute without a name keeps the opcode as it was written.
        attrs.push((String::new(), f.word.to_string()));
    }
    attrs.extend(std::iter::from_fn(|| f.next_text(|key| VERBATIM.contains(&key))));
    let calls: Vec<_> = std::iter::from_fn(|| f.next_calls()).collect();
    if attrs.is_empty() && calls.is_empty() { Attrs::None } else { Attrs::Verbatim { attrs, calls } }
}

fn collective(f: &mut Fields<'_>, opcode: Opcode) -> Parsed<Collective> {
    use Opcode::*;
    let permutes = matches!(opcode, CollectivePermute | CollectivePermuteStart);
    let reduces = matches!(opcode, AllReduce | AllReduceStart | ReduceScatter);
    let dim = match opcode {
        AllGather | AllGatherStart | ReduceScatter => Some(f.need("dimensions", one_dim)?),
        AllToAll => f.may("dimensions", one_dim)?,
        _ => None,
    };
    Ok(Collective {
        channel_id: f.may("channel_id", int)?,
        peers: match permutes {
            true => Peers::Pairs(f.need("source_target_pairs", source_target_pairs)?),
            false => Peers::Groups(f.may("replica_groups", groups)?.unwrap_or(DeviceGroups::All)),
        },
        use_global_device_ids: flag(f, "use_global_device_ids")?,
        constrain_layout: flag(f, "constrain_layout")?,
        dim,
        to_apply: if reduces { Some(f.call("to_apply")?) } else { None },
        rest: std::iter::from_fn(|| f.next_text(|key| COLLECTIVE_REST.contains(&key))).collect(),
    })
}

fn gather(f: &mut Fields<'_>) -> Parsed<GatherDims> {
    Ok(GatherDims {
        offset_dims: f.need("offset_dims", dims)?,
        collapsed_slice_dims: f.need("collapsed_slice_dims", dims)?,
        start_index_map: f.need("start_index_map", dims)?,
        operand_batching_dims: f.may("operand_batching_dims", dims)?.unwrap_or_default(),
        start_indices_batching_dims: f.may("start_indices_batching_dims", dims)?.unwrap_or_default(),
        index_vector_dim: f.need("index_vector_dim", index)?,
        slice_sizes: f.need("slice_sizes", sizes)?,
        indices_are_sorted: flag(f, "indices_are_sorted")?,
    })
}

fn scatter(f: &mut Fields<'_>) -> Parsed<ScatterDims> {
    Ok(ScatterDims {
        update_window_dims: f.need("update_window_dims", dims)?,
        inserted_window_dims: f.need("inserted_window_dims", dims)?,
        scatter_dims_to_operand_dims: f.need("scatter_dims_to_operand_dims", dims)?,
        input_batching_dims: f.may("input_batching_dims", dims)?.unwrap_or_default(),
        scatter_indices_batching_dims: f.may("scatter_indices_batching_dims", dims)?.unwrap_or_default(),
        index_vector_dim: f.need("index_vector_dim", index)?,
        indices_are_sorted: flag(f, "indices_are_sorted")?,
        unique_indices: flag(f, "unique_indices")?,
        to_apply: f.call("to_apply")?,
    })
}

fn convolution(f: &mut Fields<'_>) -> Parsed<ConvDims> {
    let window = f.may("window", window)?.unwrap_or_default();
    let [input, kernel, output] = f.need("dim_labels", dim_labels)?;
    Ok(ConvDims {
        window,
        input_batch: input.first,
        input_feature: input.second,
        input_spatial: input.spatial,
        kernel_input_feature: kernel.first,
        kernel_output_feature: kernel.second,
        kernel_spatial: kernel.spatial,
        output_batch: output.first,
        output_feature: output.second,
        output_spatial: output.spatial,
        feature_group_count: f.may("feature_group_count", int)?.unwrap_or(1),
        batch_group_count: f.may("batch_group_count", int)?.unwrap_or(1),
    })
}

fn conditional(f: &mut Fields<'_>, operands: &[&Shape]) -> Parsed<Attrs> {
    if let Some(branches) = f.calls("branch_computations") {
        let on_pred = operands.first().and_then(|s| s.as_array()).is_some_and(|a| a.dtype.is_pred());
        let predicated = on_pred && branches.len() == 2;
        return Ok(Attrs::Conditional { branches, predicated });
    }
    let branches = vec![f.call("true_computation")?, f.call("false_computation")?];
    Ok(Attrs::Conditional { branches, predicated: true })
}

/// A routine of linear algebra keeps its target and its options, which change no value of other calls.
fn custom_call(f: &mut Fields<'_>) -> Parsed<Attrs> {
    let target = f.need("custom_call_target", |c| c.string().map(|s| s[1..s.len() - 1].to_string()))?;
    let has_side_effect = flag(f, "custom_call_has_side_effect")?;
    let called = ["called_computations", "to_apply", "calls"].into_iter().find_map(|key| f.calls(key));
    let rest = std::iter::from_fn(|| f.next_text(|key| VERBATIM.contains(&key))).collect();
    if let Some(routine) = crate::linalg::Linalg::of_target(&target) {
        let config = f.may("backend_config", |c| {
            let span = c.value("a value")?;
            routine.with_config(c.text(span.clone())).map_err(|message| Fault::new(span, message))
        })?;
        return Ok(Attrs::Linalg(config.unwrap_or(routine)));
    }
    let called = called.unwrap_or_default();
    Ok(Attrs::CustomCall(Box::new(CustomCall { target, has_side_effect, called, rest })))
}
