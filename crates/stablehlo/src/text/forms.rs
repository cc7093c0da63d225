//! The names that attributes have in memory, from what stands in the pretty form of each operation.

use super::Reader;
use super::items::Items;
use crate::error::Result;
use crate::ir::Attr;
use std::sync::Arc;

type Named = Vec<(Arc<str>, Attr)>;

/// The attributes of an operation. What groups others is taken apart, as artifacts have it.
pub fn attributes(op: &str, items: Items) -> std::result::Result<Named, String> {
    let mut attrs = Named::new();
    let mut add = |name: &str, attr: Attr| attrs.push((name.into(), attr));
    let Items { named, words, symbols, strings, ranges, value, .. } = items;
    match op {
        "constant" => add("value", value.ok_or("has no value")?),
        "compare" => {
            let names = ["comparison_direction", "compare_type"];
            names.iter().zip(words).for_each(|(name, word)| add(name, Attr::String(word)));
        }
        "slice" => {
            if ranges.iter().any(|r| !(2..=3).contains(&r.len())) {
                return Err("has a range that is not start:limit or start:limit:stride".into());
            }
            let column = |i: usize| ranges.iter().map(|r| r.get(i).copied().unwrap_or(1)).collect();
            for (i, name) in ["start_indices", "limit_indices", "strides"].into_iter().enumerate() {
                add(name, Attr::Ints(column(i)));
            }
        }
        "get_tuple_element" => {
            let index = ranges.first().and_then(|r| r.first()).ok_or("has no index")?;
            add("index", Attr::Int(*index));
        }
        "func.call" => add("callee", Attr::Symbol(symbols.into_iter().next().ok_or("names no function")?)),
        "custom_call" => {
            add("call_target_name", Attr::String(symbols.into_iter().next().ok_or("names no function")?));
        }
        "composite" => add("name", Attr::String(strings.into_iter().next().ok_or("has no name")?)),
        _ => {}
    }
    for (name, attr) in named {
        renamed(op, &name, attr, &mut attrs)?;
    }
    Ok(flat(attrs))
}

/// What a name of the pretty form means for this operation.
fn renamed(op: &str, name: &str, attr: Attr, attrs: &mut Named) -> std::result::Result<(), String> {
    let mut add = |name: &str, attr: Attr| attrs.push((name.into(), attr));
    match (op, name) {
        ("broadcast_in_dim", "dims") => add("broadcast_dimensions", attr),
        ("transpose", "dims") => add("permutation", attr),
        ("reverse", "dims") => add("dimensions", attr),
        ("iota", "dim") => add("iota_dimension", attr),
        ("concatenate" | "get_dimension_size", "dim") => add("dimension", attr),
        ("dynamic_slice", "sizes") => add("slice_sizes", attr),
        ("broadcast", "sizes") => add("broadcast_sizes", attr),
        ("pad", "low") => add("edge_padding_low", attr),
        ("pad", "high") => add("edge_padding_high", attr),
        ("pad", "interior") => add("interior_padding", attr),
        ("fft", "type") => add("fft_type", attr),
        ("fft", "length") => add("fft_length", attr),
        ("rng", "distribution") => add("rng_distribution", attr),
        ("rng_bit_generator", "algorithm") => add("rng_algorithm", attr),
        ("dot_general", "contracting_dims" | "batching_dims") => {
            let Attr::Array(pair) = &attr else {
                return Err(format!("has `{name}` without a pair of lists"));
            };
            let [lhs, rhs] = &pair[..] else { return Err(format!("has `{name}` without a pair of lists")) };
            let kind = if name == "contracting_dims" { "contracting" } else { "batching" };
            add(&format!("lhs_{kind}_dimensions"), lhs.clone());
            add(&format!("rhs_{kind}_dimensions"), rhs.clone());
        }
        ("dot_general" | "dot", "precision") => add("precision_config", attr),
        ("reduce_precision", "format") => {
            let bits = attr.as_str().and_then(|t| t.strip_prefix('e')?.split_once('m'));
            let number = |t: &str| t.parse().ok().map(Attr::Int);
            let (e, m) = bits.ok_or("has a format that is not e5m10")?;
            add("exponent_bits", number(e).ok_or("has a format that is not e5m10")?);
            add("mantissa_bits", number(m).ok_or("has a format that is not e5m10")?);
        }
        ("convolution", "dim_numbers") => match &attr {
            Attr::Array(lists) if lists.len() == 3 => {
                attrs.extend(convolution_dims([&lists[0], &lists[1], &lists[2]])?);
            }
            _ => return Err("has dim_numbers that are not [..]x[..]->[..]".into()),
        },
        ("convolution", "window") => {
            for (name, attr) in attr.entries() {
                let name = match &**name {
                    "stride" => "window_strides",
                    "pad" => "padding",
                    "lhs_dilate" => "lhs_dilation",
                    "rhs_dilate" => "rhs_dilation",
                    "reverse" => "window_reversal",
                    _ => continue,
                };
                let numbers = attr
                    .numbers()
                    .ok_or_else(|| format!("has a window whose `{name}` is no list of numbers"))?;
                add(name, Attr::Ints(numbers.into()));
            }
        }
        _ => add(name, attr),
    }
    Ok(())
}

/// Attributes that only group others, taken apart.
pub fn flat(attrs: Named) -> Named {
    const GROUPS: &[&str] = &[
        "dimension_numbers",
        "scatter_dimension_numbers",
        "dot_dimension_numbers",
        "ragged_dot_dimension_numbers",
    ];
    let mut out = Named::with_capacity(attrs.len());
    for (name, attr) in attrs {
        match attr {
            Attr::Dict(entries) if GROUPS.contains(&&*name) => out.extend(entries.iter().cloned()),
            attr => out.push((name, attr)),
        }
    }
    out
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: which dimension is which.
fn convolution_dims(lists: [&Attr; 3]) -> std::result::Result<Named, String> {
    const NAMES: [(&str, [(&str, &str); 2]); 3] = [
        ("input", [("b", "input_batch_dimension"), ("f", "input_feature_dimension")]),
        ("kernel", [("i", "kernel_input_feature_dimension"), ("o", "kernel_output_feature_dimension")]),
        ("output", [("b", "output_batch_dimension"), ("f", "output_feature_dimension")]),
    ];
    let mut named = Named::new();
    for (list, (what, letters)) in lists.into_iter().zip(NAMES) {
        let Attr::Array(list) = list else {
            return Err(format!("has no list of the dimensions of its {what}"));
        };
        let mut spatial = vec![None; list.len()];
        for (position, attr) in list.iter().enumerate() {
            let position = position as i64;
            match attr {
                Attr::Int(n) => match usize::try_from(*n).ok().and_then(|n| spatial.get_mut(n)) {
                    Some(slot) => *slot = Some(position),
                    None => return Err(format!("has spatial dimension {n} in its {what}")),
                },
                other => match letters.iter().find(|(letter, _)| other.as_str() == Some(letter)) {
                    Some((_, name)) => named.push(((*name).into(), Attr::Int(position))),
                    None => return Err(format!("has an unknown letter among the dimensions of its {what}")),
                },
            }
        }
        let spatial: Vec<i64> = spatial.into_iter().flatten().collect();
        named.push((format!("{what}_spatial_dimensions").into(), Attr::Ints(spatial.into())));
    }
    Ok(named)
}

impl Reader<'_> {
    /// The inside of `#stablehlo.conv<…>`.
    pub fn convolution_dims(&mut self) -> Result<Named> {
        let at = self.cursor.clone();
        let input = self.attr()?;
        self.cursor.expect("x")?;
        let kernel = self.attr()?;
        self.cursor.expect("->")?;
        let output = self.attr()?;
        convolution_dims([&input, &kernel, &output]).or_else(|message| at.fail(format!("this {message}")))
    }
}
