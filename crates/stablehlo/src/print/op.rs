//! One instruction as an operation.

use super::{Known, Printer, Values, attrs, flat, function_name, literal, names, types};
use crate::error::Result;
use lawson_hlo::attrs::{CompareOrder, CustomCall, WindowDim};
use lawson_hlo::instruction::Instruction;
use lawson_hlo::{Attrs, CompId, Computation, Opcode, Shape, Value};

/// Attributes with their values.
type Named = Vec<(&'static str, String)>;

impl Printer<'_> {
    /// Prints an instruction; gives its values.
    pub(super) fn instruction(
        &mut self,
        comp: &Computation,
        instr: &Instruction,
        values: &Values,
    ) -> Result<Known> {
        use Opcode::*;
        let operand = |n: usize| values[instr.operands[n].index()].clone().unwrap_or(Known::Many(Vec::new()));
        match (instr.opcode, &instr.attrs) {
            // On paper only: values that are others.
            (Copy | Domain | Bitcast, _) if self.same(comp, instr) => return Ok(operand(0)),
            (AddDependency, _) => return Ok(operand(0)),
            (Tuple, _) => return Ok(Known::Many((0..instr.operands.len()).map(operand).collect())),
            (GetTupleElement, Attrs::TupleIndex(index)) => match operand(0) {
                Known::Many(parts) if *index < parts.len() => return Ok(parts[*index].clone()),
                _ => return Err(self.error(instr, "takes a part of no tuple")),
            },
            (Conditional, Attrs::Conditional { branches, predicated }) => {
                let arguments = (1..instr.operands.len()).map(operand).collect();
                return self.branches(comp, instr, values, (branches, *predicated, arguments));
            }
            _ => {}
        }
        let (name, attrs) = match names::plain(instr.opcode) {
            Some(name) => (name.to_string(), Named::new()),
            None => self.with_attrs(instr)?,
        };
        let operands = flat(values, &instr.operands);
        let inputs = self.types_of(comp, instr)?;
        self.operation(instr, (&name, &operands, &inputs), &attrs, &regions(instr))
    }

    /// Whether it gives its operand, under the same dimensions.
    fn same(&self, comp: &Computation, instr: &Instruction) -> bool {
        instr.operands.first().is_some_and(|&o| comp[o].shape.same(&instr.shape))
    }

    fn types_of(&self, comp: &Computation, instr: &Instruction) -> Result<Vec<String>> {
        let shapes = instr.operands.iter().flat_map(|&o| types::leaves(&comp[o].shape));
        shapes.map(types::of).collect()
    }

    /// `%r:2 = "name"(operands) <{attributes}> ({regions}) : (types) -> types`
    fn operation(
        &mut self,
        instr: &Instruction,
        (name, operands, inputs): (&str, &[String], &[String]),
        attrs: &Named,
        regions: &[CompId],
    ) -> Result<Known> {
        let outputs: Vec<String> =
            types::leaves(&instr.shape).into_iter().map(types::of).collect::<Result<_>>()?;
        let (known, left) = self.results(&instr.shape, outputs.len());
        let named: Vec<String> = attrs.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let named = if named.is_empty() { String::new() } else { format!(" <{{{}}}>", named.join(", ")) };
        let head = format!("{left}\"{name}\"({}){named}", operands.join(", "));
        let tail = format!(" : ({}) -> ({}){}", inputs.join(", "), outputs.join(", "), location(instr));
        if regions.is_empty() {
            self.line(&(head + &tail));
            return Ok(known);
        }
        self.line(&(head + " ({"));
        for (i, &region) in regions.iter().enumerate() {
            if i > 0 {
                self.line("}, {");
            }
            self.region(region)?;
        }
        self.line(&format!("}}){tail}"));
        Ok(known)
    }

    /// Names for so many results, and what stands on the left of the operation.
    fn results(&mut self, shape: &Shape, n: usize) -> (Known, String) {
        let name = self.fresh();
        let mut names = (0..n).map(|i| if n == 1 { name.clone() } else { format!("{name}#{i}") });
        let known = Known::of(shape, &mut names);
        let left = match n {
            0 => String::new(),
            1 => format!("{name} = "),
            n => format!("{name}:{n} = "),
        };
        (known, left)
    }

    /// Branches see the values of their arguments where they stand.
    fn branches(
        &mut self,
        comp: &Computation,
        instr: &Instruction,
        values: &Values,
        (branches, predicated, arguments): (&[CompId], bool, Vec<Known>),
    ) -> Result<Known> {
        let outputs: Vec<String> =
            types::leaves(&instr.shape).into_iter().map(types::of).collect::<Result<_>>()?;
        let selector = flat(values, &instr.operands[..1]).join("");
        let ty = types::of(&comp[instr.operands[0]].shape)?;
        let (known, left) = self.results(&instr.shape, outputs.len());
        let name = if predicated { "stablehlo.if" } else { "stablehlo.case" };
        self.line(&format!("{left}\"{name}\"({selector}) ({{"));
        for (i, (&branch, argument)) in branches.iter().zip(arguments).enumerate() {
            if i > 0 {
                self.line("}, {");
            }
            self.body(&self.module[branch], vec![argument], "stablehlo.return")?;
        }
        self.line(&format!("}}) : ({ty}) -> ({}){}", outputs.join(", "), location(instr)));
        Ok(known)
    }

    /// The name and the attributes of an operation that has some.
    fn with_attrs(&self, instr: &Instruction) -> Result<(String, Named)> {
        let (name, attrs): (&str, Named) = match (instr.opcode, &instr.attrs) {
            (_, Attrs::Constant(Some(Value::Array(value)))) => {
                ("constant", vec![("value", literal::dense(value)?)])
            }
            (_, Attrs::Iota(dim)) => ("iota", vec![("iota_dimension", attrs::int(*dim as i64))]),
            (Opcode::Broadcast, Attrs::Dims(dims)) => {
                ("broadcast_in_dim", vec![("broadcast_dimensions", attrs::ints(dims))])
            }
            (Opcode::Transpose, Attrs::Dims(dims)) => ("transpose", vec![("permutation", attrs::ints(dims))]),
            (Opcode::Reverse, Attrs::Dims(dims)) => ("reverse", vec![("dimensions", attrs::ints(dims))]),
            (Opcode::Concatenate, Attrs::Dims(dims)) => {
                ("concatenate", vec![("dimension", attrs::int(dims[0] as i64))])
            }
            (Opcode::GetDimensionSize, Attrs::Dims(dims)) => {
                ("get_dimension_size", vec![("dimension", attrs::int(dims[0] as i64))])
            }
            (_, Attrs::Slice(ranges)) => (
                "slice",
                vec![
                    ("start_indices", attrs::ints(ranges.iter().map(|r| r.start))),
                    ("limit_indices", attrs::ints(ranges.iter().map(|r| r.limit))),
                    ("strides", attrs::ints(ranges.iter().map(|r| r.stride))),
                ],
            ),
            (_, Attrs::DynamicSlice(sizes)) => ("dynamic_slice", vec![("slice_sizes", attrs::ints(sizes))]),
            (_, Attrs::Pad(dims)) => (
                "pad",
                vec![
                    ("edge_padding_low", attrs::ints(dims.iter().map(|d| d.low))),
                    ("edge_padding_high", attrs::ints(dims.iter().map(|d| d.high))),
                    ("interior_padding", attrs::ints(dims.iter().map(|d| d.interior))),
                ],
            ),
            (_, Attrs::Compare { direction, order }) => {
                let mut named = vec![("comparison_direction", attrs::direction(*direction))];
                if *order == CompareOrder::TotalOrder {
                    named.push(("compare_type", "#stablehlo<comparison_type TOTALORDER>".into()));
                }
                ("compare", named)
            }
            (_, Attrs::ReducePrecision { exponent_bits, mantissa_bits }) => (
                "reduce_precision",
                vec![
                    ("exponent_bits", format!("{exponent_bits} : i32")),
                    ("mantissa_bits", format!("{mantissa_bits} : i32")),
                ],
            ),
            (_, Attrs::Map { dims, .. }) => ("map", vec![("dimensions", attrs::ints(dims))]),
            (_, Attrs::Dot(dims)) => ("dot_general", vec![("dot_dimension_numbers", attrs::dot(dims))]),
            (_, Attrs::Convolution(c)) => {
                let reversal: Vec<String> = c.window.iter().map(|w| w.reversal.to_string()).collect();
                let mut named = window(&c.window, ["window_strides", "lhs_dilation", "rhs_dilation"]);
                if !reversal.is_empty() {
                    named.push(("window_reversal", format!("array<i1: {}>", reversal.join(", "))));
                }
                named.push(("dimension_numbers", attrs::convolution(c)));
                named.push(("feature_group_count", attrs::int(c.feature_group_count)));
                named.push(("batch_group_count", attrs::int(c.batch_group_count)));
                ("convolution", named)
            }
            (_, Attrs::Gather(g)) => (
                "gather",
                vec![
                    ("dimension_numbers", attrs::gather(g)),
                    ("slice_sizes", attrs::ints(&g.slice_sizes)),
                    ("indices_are_sorted", g.indices_are_sorted.to_string()),
                ],
            ),
            (_, Attrs::Scatter(s)) => (
                "scatter",
                vec![
                    ("scatter_dimension_numbers", attrs::scatter(s)),
                    ("indices_are_sorted", s.indices_are_sorted.to_string()),
                    ("unique_indices", s.unique_indices.to_string()),
                ],
            ),
            (_, Attrs::Reduce { dims, .. }) => ("reduce", vec![("dimensions", attrs::ints(dims))]),
            (_, Attrs::ReduceWindow { window: w, .. }) => {
                let mut named = window(w, ["window_strides", "base_dilations", "window_dilations"]);
                named.push(("window_dimensions", attrs::ints(w.iter().map(|w| w.size))));
                ("reduce_window", named)
            }
            (_, Attrs::SelectAndScatter { window: w, .. }) => (
                "select_and_scatter",
                vec![
                    ("window_dimensions", attrs::ints(w.iter().map(|w| w.size))),
                    ("window_strides", attrs::ints(w.iter().map(|w| w.stride))),
                    ("padding", attrs::padding(w)),
                ],
            ),
            (_, Attrs::Sort { dim, is_stable, .. }) => {
                ("sort", vec![("dimension", attrs::int(*dim as i64)), ("is_stable", is_stable.to_string())])
            }
            (_, Attrs::TopK { k, largest: true }) => {
                return Ok(("chlo.top_k".into(), vec![("k", attrs::int(*k))]));
            }
            (_, Attrs::BatchNorm { epsilon_bits, feature_index }) => {
                let name = match instr.opcode {
                    Opcode::BatchNormTraining => "batch_norm_training",
                    Opcode::BatchNormInference => "batch_norm_inference",
                    _ => "batch_norm_grad",
                };
                let epsilon = format!("0x{epsilon_bits:08X} : f32");
                (name, vec![("epsilon", epsilon), ("feature_index", attrs::int(*feature_index as i64))])
            }
            (_, Attrs::Cholesky(lower)) => ("cholesky", vec![("lower", lower.to_string())]),
            (_, Attrs::TriangularSolve(how)) => (
                "triangular_solve",
                vec![
                    ("left_side", how.left_side.to_string()),
                    ("lower", how.lower.to_string()),
                    ("unit_diagonal", how.unit_diagonal.to_string()),
                    ("transpose_a", format!("#stablehlo<transpose {}>", how.transpose_a.name())),
                ],
            ),
            (_, Attrs::Fft { inner: 1.., .. }) => {
                return Err(self.error(
                    instr,
                    "transforms other dimensions than the last ones, which StableHLO has no attribute for",
                ));
            }
            (_, Attrs::Fft { kind, lengths, inner: 0 }) => {
                ("fft", vec![("fft_type", attrs::fft(*kind)), ("fft_length", attrs::ints(lengths))])
            }
            (_, Attrs::RngBitGenerator(algorithm)) => {
                let algorithm = algorithm.trim_start_matches("rng_").to_uppercase();
                let value = format!("#stablehlo<rng_algorithm {algorithm}>");
                ("rng_bit_generator", vec![("rng_algorithm", value)])
            }
            (Opcode::While, _) => ("while", Named::new()),
            (Opcode::OptimizationBarrier, _) => ("optimization_barrier", Named::new()),
            (Opcode::Call | Opcode::Fusion, attrs) => {
                let callee = attrs.called().first().map(|&c| function_name(self.module, &self.module[c]));
                return Ok((
                    "func.call".into(),
                    vec![("callee", format!("@\"{}\"", callee.unwrap_or_default()))],
                ));
            }
            (_, Attrs::Linalg(routine)) => {
                let mut named = vec![("call_target_name", format!("\"{routine}\""))];
                named.extend(routine.config().map(|config| ("backend_config", format!("{config:?}"))));
                ("custom_call", named)
            }
            (_, Attrs::CustomCall(call)) => {
                // Without them it would be another call.
                if let Some(what) = unsaid(call) {
                    return Err(self.error(instr, format!("has {what}, for which there is no text here")));
                }
                let mut named = vec![
                    ("call_target_name", format!("{:?}", call.target)),
                    ("has_side_effect", call.has_side_effect.to_string()),
                ];
                if let Some(config) = instr.notes.as_ref().and_then(|n| n.backend_config.as_ref()) {
                    let quoted = if config.starts_with('"') { config.clone() } else { format!("{config:?}") };
                    named.push(("backend_config", quoted));
                }
                ("custom_call", named)
            }
            (_, Attrs::Collective(collective)) => {
                let Some(named) = super::collective::attributes(instr.opcode, collective) else {
                    return Err(self.error(instr, "is among devices in a way that has no text here"));
                };
                named
            }
            (_, Attrs::Rng(distribution)) => {
                return Err(self.error(
                    instr,
                    format!("draws numbers of its own ({distribution}): use `rng-bit-generator`"),
                ));
            }
            (_, Attrs::TopK { largest: false, .. }) => {
                return Err(self.error(instr, "finds the least elements, StableHLO has only the greatest"));
            }
            _ => {
                return Err(
                    self.error(instr, format!("is a `{}`, which StableHLO does not have", instr.opcode))
                );
            }
        };
        Ok((format!("stablehlo.{name}"), attrs))
    }
}

/// What a call has that is not printed.
fn unsaid(call: &CustomCall) -> Option<String> {
    match (call.called.is_empty(), call.rest.first()) {
        (false, _) => Some("computations that it calls".into()),
        (true, Some((name, _))) => Some(format!("`{name}`")),
        (true, None) => None,
    }
}

/// Strides, padding and dilations of a window under these names.
fn window(w: &[WindowDim], [strides, base, dilations]: [&'static str; 3]) -> Named {
    vec![
        (strides, attrs::ints(w.iter().map(|w| w.stride))),
        ("padding", attrs::padding(w)),
        (base, attrs::ints(w.iter().map(|w| w.base_dilation))),
        (dilations, attrs::ints(w.iter().map(|w| w.window_dilation))),
    ]
}

/// The computations that become regions of an operation.
fn regions(instr: &Instruction) -> Vec<CompId> {
    match instr.opcode {
        Opcode::Call | Opcode::Fusion | Opcode::CustomCall => Vec::new(),
        _ => instr.attrs.called(),
    }
}

/// The scope and the line of the user's program.
fn location(instr: &Instruction) -> String {
    let Some(notes) = &instr.notes else { return String::new() };
    let text = |key: &str| notes.metadata(key).map(|t| t.replace(['"', '\\', '\n'], "_"));
    let file = text("source_file").zip(notes.metadata("source_line").and_then(|l| l.parse::<u32>().ok()));
    match (text("op_name"), file) {
        (Some(scope), Some((file, line))) => format!(" loc(\"{scope}\"(\"{file}\":{line}:0))"),
        (Some(scope), None) => format!(" loc(\"{scope}\")"),
        (None, Some((file, line))) => format!(" loc(\"{file}\":{line}:0)"),
        (None, None) => String::new(),
    }
}
