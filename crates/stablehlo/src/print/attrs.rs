//! The attributes of operations, with the types that MLIR wants of them.

use lawson_hlo::attrs::{ConvDims, Direction, DotDims, FftKind, GatherDims, ScatterDims, WindowDim};

/// `array<i64: 1, 2>`
pub fn ints<T: std::fmt::Display>(values: impl IntoIterator<Item = T>) -> String {
    let list: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    match list.is_empty() {
        true => "array<i64>".into(),
        false => format!("array<i64: {}>", list.join(", ")),
    }
}

/// `[1, 2]`
fn list(values: &[usize]) -> String {
    format!("{values:?}")
}

pub fn int(value: i64) -> String {
    format!("{value} : i64")
}

/// Two numbers for each dimension of a window.
pub fn padding(window: &[WindowDim]) -> String {
    match window {
        [] => "dense<> : tensor<0x2xi64>".into(),
        _ => {
            let rows: Vec<String> =
                window.iter().map(|w| format!("[{}, {}]", w.pad_low, w.pad_high)).collect();
            format!("dense<[{}]> : tensor<{}x2xi64>", rows.join(", "), window.len())
        }
    }
}

pub fn direction(direction: Direction) -> String {
    format!("#stablehlo<comparison_direction {}>", direction.name())
}

pub fn fft(kind: FftKind) -> String {
    format!("#stablehlo<fft_type {}>", kind.name())
}

pub fn dot(d: &DotDims) -> String {
    format!(
        "#stablehlo.dot<lhs_batching_dimensions = {}, rhs_batching_dimensions = {}, lhs_contracting_dimensions = {}, rhs_contracting_dimensions = {}>",
        list(&d.lhs_batch),
        list(&d.rhs_batch),
        list(&d.lhs_contracting),
        list(&d.rhs_contracting)
    )
}

pub fn gather(g: &GatherDims) -> String {
    format!(
        "#stablehlo.gather<offset_dims = {}, collapsed_slice_dims = {}, operand_batching_dims = {}, start_indices_batching_dims = {}, start_index_map = {}, index_vector_dim = {}>",
        list(&g.offset_dims),
        list(&g.collapsed_slice_dims),
        list(&g.operand_batching_dims),
        list(&g.start_indices_batching_dims),
        list(&g.start_index_map),
        g.index_vector_dim
    )
}

pub fn scatter(s: &ScatterDims) -> String {
    format!(
        "#stablehlo.scatter<update_window_dims = {}, inserted_window_dims = {}, input_batching_dims = {}, scatter_indices_batching_dims = {}, scatter_dims_to_operand_dims = {}, index_vector_dim = {}>",
        list(&s.update_window_dims),
        list(&s.inserted_window_dims),
        list(&s.input_batching_dims),
        list(&s.scatter_indices_batching_dims),
        list(&s.scatter_dims_to_operand_dims),
        s.index_vector_dim
    )
}

/// `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`
pub fn convolution(c: &ConvDims) -> String {
    let labels = |a: (usize, &str), b: (usize, &str), spatial: &[usize]| {
        let mut all = vec![String::new(); spatial.len() + 2];
        for (at, label) in [a, b] {
            all[at] = label.into();
        }
        spatial.iter().enumerate().for_each(|(i, &at)| all[at] = i.to_string());
        all.join(", ")
    };
    format!(
        "#stablehlo.conv<[{}]x[{}]->[{}]>",
        labels((c.input_batch, "b"), (c.input_feature, "f"), &c.input_spatial),
        labels((c.kernel_input_feature, "i"), (c.kernel_output_feature, "o"), &c.kernel_spatial),
        labels((c.output_batch, "b"), (c.output_feature, "f"), &c.output_spatial)
    )
}
