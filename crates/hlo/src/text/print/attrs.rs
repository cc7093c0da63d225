//! The meaning-bearing attributes as text, in the order in which XLA prints them.

use super::{Name, braced, devices, join};
use crate::attrs::*;
use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::text::names_several;
use std::fmt::{self, Write};

/// The opcode as it was written: `add-start` for some asynchronous forms.
pub(super) fn opcode_text(instr: &Instruction) -> &str {
    match &instr.attrs {
        Attrs::Verbatim { attrs, .. } => match attrs.first() {
            Some((key, opcode)) if key.is_empty() => opcode,
            _ => instr.opcode.name(),
        },
        Attrs::Linalg(_) => Opcode::CustomCall.name(),
        _ => instr.opcode.name(),
    }
}

/// Writes `, name=value` for each attribute.
pub(super) fn attrs(f: &mut impl Write, module: &Module, instr: &Instruction) -> fmt::Result {
    let call = |id: &CompId| Name(&module[*id].name).to_string();
    let calls = |ids: &[CompId]| join(ids.iter().map(call), ", ");
    match &instr.attrs {
        Attrs::None | Attrs::Parameter(_) | Attrs::Constant(_) => Ok(()),
        Attrs::Iota(dim) => write!(f, ", iota_dimension={dim}"),
        Attrs::Dims(dims) => write!(f, ", dimensions={}", braced(dims)),
        Attrs::Slice(slices) => write!(f, ", slice={{{}}}", join(slices.iter().map(slice), ", ")),
        Attrs::DynamicSlice(sizes) => write!(f, ", dynamic_slice_sizes={}", braced(sizes)),
        Attrs::Pad(dims) if dims.is_empty() => Ok(()),
        Attrs::Pad(dims) => write!(f, ", padding={}", join(dims.iter().map(padding), "x")),
        Attrs::Gather(g) => gather(f, g),
        Attrs::Scatter(s) => scatter(f, s, &call(&s.to_apply)),
        Attrs::Dot(d) => dot(f, d),
        Attrs::Convolution(c) => convolution(f, c),
        Attrs::Reduce { dims, to_apply } => {
            write!(f, ", dimensions={}, to_apply={}", braced(dims), call(to_apply))
        }
        Attrs::ReduceWindow { window, to_apply } => {
            self::window(f, window)?;
            write!(f, ", to_apply={}", call(to_apply))
        }
        Attrs::SelectAndScatter { window, select, scatter } => {
            self::window(f, window)?;
            write!(f, ", select={}, scatter={}", call(select), call(scatter))
        }
        Attrs::Sort { dim, is_stable, to_apply } => {
            write!(f, ", dimensions={{{dim}}}")?;
            flag(f, "is_stable", *is_stable)?;
            write!(f, ", to_apply={}", call(to_apply))
        }
        Attrs::TopK { k, largest } => write!(f, ", k={k}, largest={largest}"),
        Attrs::Scan { dim, to_apply, num_carries, is_reverse, is_associative } => {
            write!(f, ", dimensions={{{dim}}}")?;
            flag(f, "is_reverse", *is_reverse)?;
            if let Some(associative) = is_associative {
                write!(f, ", is_associative={associative}")?;
            }
            write!(f, ", num_carries={num_carries}, to_apply={}", call(to_apply))
        }
        Attrs::Map { dims, to_apply } => {
            write!(f, ", dimensions={}, to_apply={}", braced(dims), call(to_apply))
        }
        Attrs::Compare { direction, order } => {
            write!(f, ", direction={}", direction.name())?;
            match order {
                CompareOrder::Default => Ok(()),
                CompareOrder::Float => write!(f, ", type=FLOAT"),
                CompareOrder::TotalOrder => write!(f, ", type=TOTALORDER"),
                CompareOrder::Signed => write!(f, ", type=SIGNED"),
                CompareOrder::Unsigned => write!(f, ", type=UNSIGNED"),
            }
        }
        Attrs::ReducePrecision { exponent_bits, mantissa_bits } => {
            write!(f, ", exponent_bits={exponent_bits}, mantissa_bits={mantissa_bits}")
        }
        Attrs::TupleIndex(index) => write!(f, ", index={index}"),
        Attrs::While { condition, body } => {
            write!(f, ", condition={}, body={}", call(condition), call(body))
        }
        Attrs::Conditional { branches, predicated } => match &branches[..] {
            [yes, no] if *predicated => {
                write!(f, ", true_computation={}, false_computation={}", call(yes), call(no))
            }
            _ => write!(f, ", branch_computations={{{}}}", calls(branches)),
        },
        Attrs::Call { to_apply, is_composite } => {
            write!(f, ", to_apply={}", call(to_apply))?;
            flag(f, "is_composite", *is_composite)
        }
        Attrs::Fusion { kind, calls } => write!(f, ", kind={}, calls={}", kind.name(), call(calls)),
        Attrs::CustomCall(c) => custom_call(f, c, &calls(&c.called)),
        Attrs::Rng(distribution) => write!(f, ", distribution={distribution}"),
        Attrs::RngBitGenerator(algorithm) => write!(f, ", algorithm={algorithm}"),
        Attrs::RngState(delta) => write!(f, ", delta={delta}"),
        Attrs::BatchNorm { epsilon_bits, feature_index } => {
            let epsilon = crate::text::float::decode(crate::dtype::Float::F32, &epsilon_bits.to_le_bytes());
            write!(f, ", epsilon={epsilon}, feature_index={feature_index}")
        }
        Attrs::Linalg(routine) => {
            write!(f, ", custom_call_target=\"{routine}\"")?;
            routine.config().map_or(Ok(()), |config| write!(f, ", backend_config={config}"))
        }
        Attrs::Cholesky(lower) => flag(f, "lower", *lower),
        Attrs::TriangularSolve(t) => {
            flag(f, "left_side", t.left_side)?;
            flag(f, "lower", t.lower)?;
            flag(f, "unit_diagonal", t.unit_diagonal)?;
            write!(f, ", transpose_a={}", t.transpose_a.name())
        }
        Attrs::Fft { kind, lengths, inner } => {
            write!(f, ", fft_type={}, fft_length={}", kind.name(), braced(lengths))?;
            if *inner == 0 { Ok(()) } else { write!(f, ", inner_dimensions={inner}") }
        }
        Attrs::Ntt(ntt) => {
            let kind = if ntt.inverse { "INTT" } else { "NTT" };
            write!(f, ", ntt_type={kind}, ntt_length={{{}}}", ntt.length)?;
            if ntt.coset == 1 { Ok(()) } else { write!(f, ", coset={}", ntt.coset) }
        }
        Attrs::Collective(c) => devices::collective(f, c, c.to_apply.as_ref().map(call).as_deref()),
        Attrs::Transfer { channel_id, is_host_transfer } => {
            if let Some(id) = channel_id {
                write!(f, ", channel_id={id}")?;
            }
            flag(f, "is_host_transfer", *is_host_transfer)
        }
        Attrs::Domain(sides) => {
            write!(f, ", domain={{kind=\"sharding\", entry={}, exit={}}}", sides.0, sides.1)
        }
        Attrs::Verbatim { attrs, calls: named } => {
            for (key, value) in attrs.iter().filter(|(key, _)| !key.is_empty()) {
                write!(f, ", {key}={value}")?;
            }
            for (key, ids) in named {
                match &ids[..] {
                    [id] if !names_several(key) => write!(f, ", {key}={}", call(id))?,
                    _ => write!(f, ", {key}={{{}}}", calls(ids))?,
                }
            }
            Ok(())
        }
    }
}

fn flag(f: &mut impl Write, key: &str, value: bool) -> fmt::Result {
    if value { write!(f, ", {key}=true") } else { Ok(()) }
}

fn slice(s: &SliceDim) -> String {
    match s.stride {
        1 => format!("[{}:{}]", s.start, s.limit),
        stride => format!("[{}:{}:{stride}]", s.start, s.limit),
    }
}

fn padding(p: &PadDim) -> String {
    match p.interior {
        0 => format!("{}_{}", p.low, p.high),
        interior => format!("{}_{}_{interior}", p.low, p.high),
    }
}

fn gather(f: &mut impl Write, g: &GatherDims) -> fmt::Result {
    write!(f, ", offset_dims={}", braced(&g.offset_dims))?;
    write!(f, ", collapsed_slice_dims={}", braced(&g.collapsed_slice_dims))?;
    write!(f, ", start_index_map={}", braced(&g.start_index_map))?;
    list(f, "operand_batching_dims", &g.operand_batching_dims)?;
    list(f, "start_indices_batching_dims", &g.start_indices_batching_dims)?;
    write!(f, ", index_vector_dim={}, slice_sizes={}", g.index_vector_dim, braced(&g.slice_sizes))?;
    flag(f, "indices_are_sorted", g.indices_are_sorted)
}

fn scatter(f: &mut impl Write, s: &ScatterDims, to_apply: &str) -> fmt::Result {
    write!(f, ", update_window_dims={}", braced(&s.update_window_dims))?;
    write!(f, ", inserted_window_dims={}", braced(&s.inserted_window_dims))?;
    write!(f, ", scatter_dims_to_operand_dims={}", braced(&s.scatter_dims_to_operand_dims))?;
    list(f, "input_batching_dims", &s.input_batching_dims)?;
    list(f, "scatter_indices_batching_dims", &s.scatter_indices_batching_dims)?;
    write!(f, ", index_vector_dim={}", s.index_vector_dim)?;
    flag(f, "indices_are_sorted", s.indices_are_sorted)?;
    flag(f, "unique_indices", s.unique_indices)?;
    write!(f, ", to_apply={to_apply}")
}

fn dot(f: &mut impl Write, d: &DotDims) -> fmt::Result {
    list(f, "lhs_batch_dims", &d.lhs_batch)?;
    write!(f, ", lhs_contracting_dims={}", braced(&d.lhs_contracting))?;
    list(f, "rhs_batch_dims", &d.rhs_batch)?;
    write!(f, ", rhs_contracting_dims={}", braced(&d.rhs_contracting))
}

/// A list that is left out when empty.
fn list(f: &mut impl Write, key: &str, dims: &[usize]) -> fmt::Result {
    if dims.is_empty() { Ok(()) } else { write!(f, ", {key}={}", braced(dims)) }
}

fn convolution(f: &mut impl Write, c: &ConvDims) -> fmt::Result {
    window(f, &c.window)?;
    let input = labels('b', c.input_batch, 'f', c.input_feature, &c.input_spatial);
    let kernel = labels('i', c.kernel_input_feature, 'o', c.kernel_output_feature, &c.kernel_spatial);
    let output = labels('b', c.output_batch, 'f', c.output_feature, &c.output_spatial);
    write!(f, ", dim_labels={input}_{kernel}->{output}")?;
    if c.feature_group_count != 1 {
        write!(f, ", feature_group_count={}", c.feature_group_count)?;
    }
    if c.batch_group_count != 1 {
        write!(f, ", batch_group_count={}", c.batch_group_count)?;
    }
    Ok(())
}

/// Each letter and digit at its place.
fn labels(a: char, a_at: usize, b: char, b_at: usize, spatial: &[usize]) -> String {
    let mut placed: Vec<(usize, String)> = vec![(a_at, a.to_string()), (b_at, b.to_string())];
    placed.extend(spatial.iter().enumerate().map(|(n, &at)| (at, n.to_string())));
    placed.sort_unstable();
    placed.into_iter().map(|(_, label)| label).collect()
}

/// `, window={…}`; nothing for a window without dimensions.
fn window(f: &mut impl Write, window: &Window) -> fmt::Result {
    if window.is_empty() {
        return Ok(());
    }
    let numbers = |of: fn(&WindowDim) -> i64| join(window.iter().map(of), "x");
    write!(f, ", window={{size={}", numbers(|d| d.size))?;
    if window.iter().any(|d| d.stride != 1) {
        write!(f, " stride={}", numbers(|d| d.stride))?;
    }
    if window.iter().any(|d| (d.pad_low, d.pad_high) != (0, 0)) {
        let pads = window.iter().map(|d| format!("{}_{}", d.pad_low, d.pad_high));
        write!(f, " pad={}", join(pads, "x"))?;
    }
    if window.iter().any(|d| d.base_dilation != 1) {
        write!(f, " lhs_dilate={}", numbers(|d| d.base_dilation))?;
    }
    if window.iter().any(|d| d.window_dilation != 1) {
        write!(f, " rhs_dilate={}", numbers(|d| d.window_dilation))?;
    }
    if window.iter().any(|d| d.reversal) {
        write!(f, " rhs_reversal={}", numbers(|d| d.reversal as i64))?;
    }
    write!(f, "}}")
}

fn custom_call(f: &mut impl Write, c: &CustomCall, called: &str) -> fmt::Result {
    write!(f, ", custom_call_target=\"{}\"", c.target)?;
    flag(f, "custom_call_has_side_effect", c.has_side_effect)?;
    if !c.called.is_empty() {
        write!(f, ", called_computations={{{called}}}")?;
    }
    c.rest.iter().try_for_each(|(key, value)| write!(f, ", {key}={value}"))
}
