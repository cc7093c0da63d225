//! Regions as text, to be read by people: one block for each stage, one line for each expression it needs.
//!
//! ```text
//! region fused_exponential
//!   in0 x: f32[1024]
//!   out0 y: f32[1024] = stage 0
//!
//!   stage 0 y: map d0 < 1024
//!     %0 = f32 in0[d0]
//!     %1 = f32 exponential %0
//!     -> %1
//! ```

use super::{
    Array, Carried, Element, Function, Kind, LoopStage, Node, NodeId, Place, Region, SelectAndScatter,
    Source, Stage, Stored, roots_of,
};
use lawson_hlo::{Scalar, index::Affine};
use std::fmt;

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "region {}", self.name)?;
        for (n, array) in self.inputs.iter().enumerate() {
            writeln!(f, "  in{n} {array}")?;
        }
        for (n, array) in self.outputs.iter().enumerate() {
            write!(f, "  out{n} {array}")?;
            if let Some((stage, result)) = self.output_sources.get(n) {
                write!(f, " = stage {stage}")?;
                if self.stages[*stage as usize].results.len() > 1 {
                    write!(f, " result {result}")?;
                }
            }
            match self.aliases.iter().find(|a| a.0 as usize == n) {
                Some((_, input)) => writeln!(f, ", starts as in{input}")?,
                None => writeln!(f)?,
            }
        }
        for (n, array) in self.private.iter().enumerate() {
            writeln!(f, "  own{n} {array} of each lane")?;
        }
        for (n, symbol) in self.symbols.iter().enumerate() {
            let (lo, hi) = symbol.range;
            writeln!(f, "  s{n} = {} in {lo}..={hi}", symbol.node)?;
        }
        self.stages.iter().enumerate().try_for_each(|(n, stage)| self.stage(f, n, stage))?;
        for (n, part) in self.parts.iter().enumerate() {
            let inputs: Vec<String> = part.inputs.iter().map(|i| format!("in{i}")).collect();
            write!(f, "\n  part {n} of {}:\n{}", inputs.join(", "), part.region)?;
        }
        Ok(())
    }
}

impl Region {
    fn stage(&self, f: &mut fmt::Formatter<'_>, n: usize, stage: &Stage) -> fmt::Result {
        write!(f, "\n  stage {n} {}: {}", stage.name, stage.kind.name())?;
        for (axis, extent) in stage.space.iter().enumerate() {
            write!(f, "{} d{axis} < {extent}", if axis == 0 { "" } else { "," })?;
        }
        for (axis, extent) in stage.inner.iter().enumerate() {
            let first = if axis == 0 { " over" } else { "," };
            write!(f, "{first} d{} < {extent}", stage.space.len() + axis)?;
        }
        writeln!(f)?;
        for id in self.reachable(&roots_of(stage)) {
            writeln!(f, "    {id} = {} {}", self.dtype(id), NodeText(self, id))?;
        }
        self.kind(f, stage)
    }

    /// The lines that say what is done with the expressions.
    fn kind(&self, f: &mut fmt::Formatter<'_>, stage: &Stage) -> fmt::Result {
        let list = |ids: &[NodeId]| ids.iter().map(NodeId::to_string).collect::<Vec<_>>().join(", ");
        let mask = |mask: &Option<NodeId>| mask.map_or(String::new(), |m| format!(" where {m}"));
        match &stage.kind {
            Kind::Map { values } => writeln!(f, "    -> {}", list(values)),
            Kind::Pieces(stored) => self.stored(f, 0, stored),
            Kind::Reduce { values, inits, combiner, order, mask: m, stored } => {
                let order = order.name();
                writeln!(
                    f,
                    "    -> combine {} from {}, {order} order{}",
                    list(values),
                    list(inits),
                    mask(m)
                )?;
                self.stored(f, values.len(), stored)?;
                self.function(f, "combine", combiner)
            }
            Kind::Contract { lhs, rhs, accumulator, semiring: Some(of), .. } => {
                let init = Scalar::from_bits(*accumulator, of.init);
                writeln!(f, "    -> combine products of {lhs} and {rhs} from {init} in {accumulator}")?;
                self.function(f, "multiply", &of.multiply)?;
                self.function(f, "combine", &of.add)
            }
            Kind::Contract { lhs, rhs, accumulator, order, semiring: None } => {
                writeln!(f, "    -> sum of {lhs} * {rhs} in {accumulator}{}", order.name())
            }
            Kind::Update { values, offset, mask: m, combiner, unique } => {
                let order = if *unique { "" } else { ", one after the other" };
                writeln!(f, "    -> [{offset}] = {}{}{order}", list(values), mask(m))?;
                combiner.iter().try_for_each(|c| self.function(f, "combine", c))
            }
            Kind::Scan { values, inits, combiner, order, position } => {
                let (values, inits, order) = (list(values), list(inits), order.name());
                writeln!(f, "    -> running {values} from {inits} to [{position}], {order}")?;
                self.function(f, "combine", combiner)
            }
            Kind::Sort { values, less, kept, position } => {
                let all = *kept == stage.inner_points();
                let first = if all { String::new() } else { format!(", the first {kept}") };
                writeln!(f, "    -> sorted {} to [{position}]{first}", list(values))?;
                self.function(f, "less", less)
            }
            Kind::SelectAndScatter(s) => self.select_and_scatter(f, s),
            Kind::Loop(loop_stage) => {
                self.loop_stage(f, 0, loop_stage)?;
                self.loops.iter().enumerate().try_for_each(|(n, inner)| {
                    writeln!(f, "    loop {} in a trip of loop {}", n + 1, inner.around)?;
                    self.loop_stage(f, n as u32 + 1, inner)
                })
            }
        }
    }

    /// The lines of results, from one on, that are stored part by part.
    fn stored(&self, f: &mut fmt::Formatter<'_>, first: usize, stored: &[Stored]) -> fmt::Result {
        (first..).zip(stored).try_for_each(|(n, s)| {
            s.parts.iter().try_for_each(|(at, v)| writeln!(f, "    -> result {n} [{at}] = {v}"))
        })
    }

    fn loop_stage(&self, f: &mut fmt::Formatter<'_>, of: u32, loop_stage: &LoopStage) -> fmt::Result {
        let LoopStage { carries, condition, any, before, stores, finals, .. } = loop_stage;
        before.iter().try_for_each(|e| writeln!(f, "    first {e}"))?;
        for (at, c) in (0..).zip(carries) {
            writeln!(f, "    {} = {} then {}", Carried { of, at, last: false }, c.init, c.next)?;
        }
        condition.iter().try_for_each(|c| writeln!(f, "    while {c}"))?;
        any.iter().try_for_each(|c| writeln!(f, "    while any {c}"))?;
        stores.iter().try_for_each(|e| writeln!(f, "    each trip {e}"))?;
        finals.iter().try_for_each(|e| writeln!(f, "    -> {e}"))
    }

    fn select_and_scatter(&self, f: &mut fmt::Formatter<'_>, s: &SelectAndScatter) -> fmt::Result {
        let SelectAndScatter { operand, offset, value, init, .. } = s;
        writeln!(f, "    -> [{offset}] of the selected {operand} takes {value}, from {init}")?;
        self.function(f, "select", &s.select)?;
        self.function(f, "scatter", &s.scatter)
    }

    fn function(&self, f: &mut fmt::Formatter<'_>, name: &str, function: &Function) -> fmt::Result {
        let arguments: Vec<String> =
            function.arguments.iter().enumerate().map(|(n, t)| format!("a{n}: {t}")).collect();
        writeln!(f, "    {name}({})", arguments.join(", "))?;
        for id in self.reachable(&function.results) {
            writeln!(f, "      {id} = {} {}", self.dtype(id), NodeText(self, id))?;
        }
        let results: Vec<String> = function.results.iter().map(NodeId::to_string).collect();
        writeln!(f, "      -> {}", results.join(", "))
    }
}

impl Kind {
    /// The kind in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Map { .. } => "map",
            Kind::Pieces(_) => "pieces",
            Kind::Reduce { .. } => "reduce",
            Kind::Contract { .. } => "contract",
            Kind::Update { .. } => "update",
            Kind::Scan { .. } => "scan",
            Kind::Sort { .. } => "sort",
            Kind::SelectAndScatter(_) => "select-and-scatter",
            Kind::Loop(_) => "loop",
        }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}[{}]", self.name, self.dtype, self.elements)
    }
}

/// The right side of a node's line.
struct NodeText<'r>(&'r Region, NodeId);

impl fmt::Display for NodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NodeText(region, id) = self;
        match region.node(*id) {
            Node::Constant { bits } => write!(f, "{}", Scalar::from_bits(region.dtype(*id), *bits)),
            Node::Index(e) => write!(f, "index {e}"),
            Node::InRange { value, lo, hi } => write!(f, "{lo} <= {value} < {hi}"),
            Node::Load { source, offset, mask } => {
                write!(f, "{}", Load(*source, offset))?;
                mask.iter().try_for_each(|m| write!(f, " where {m}"))
            }
            Node::Unary { opcode, x, .. } => write!(f, "{opcode} {x}"),
            Node::Binary { opcode, x, y, .. } => write!(f, "{opcode} {x}, {y}"),
            Node::Compare { direction, x, y, .. } => {
                write!(f, "compare {x} {} {y}", format!("{direction:?}").to_lowercase())
            }
            Node::Select { mask, x, y } => write!(f, "select {mask}, {x}, {y}"),
            Node::Fma { x, y, z } => write!(f, "fma {x}, {y}, {z}"),
            Node::Convert { from, x } => write!(f, "convert {x} from {from}"),
            Node::Bits { from, x } => write!(f, "bits of {x} from {from}"),
            Node::ReducePrecision { exponent_bits, mantissa_bits, x } => {
                write!(f, "reduce-precision {x} to e{exponent_bits}m{mantissa_bits}")
            }
            Node::Argument(n) => write!(f, "a{n}"),
            Node::Carry(carried) => write!(f, "{carried}"),
        }
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Carried { of, at, last } = self;
        let last = if *last { "last " } else { "" };
        match of {
            0 => write!(f, "{last}c{at}"),
            of => write!(f, "{last}c{of}.{at}"),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] = {}", self.to, self.offset, self.value)?;
        self.mask.iter().try_for_each(|m| write!(f, " where {m}"))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Output(n) => write!(f, "out{n}"),
            Place::Private(n) => write!(f, "own{n}"),
        }
    }
}

struct Load<'r>(Source, &'r Affine);

impl fmt::Display for Load<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Source::Input(n) => write!(f, "in{n}[{}]", self.1),
            Source::Stage { stage, output: 0 } => write!(f, "stage {stage} at [{}]", self.1),
            Source::Stage { stage, output } => write!(f, "stage {stage} result {output} at [{}]", self.1),
            Source::Written { place, after } => write!(f, "{place}[{}] after {after}", self.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::region::build::{Cut, build};
    use lawson_hlo::Module;

    fn text(module: &str) -> String {
        let module = Module::parse(module).expect("valid");
        let comp = module.entry();
        let cut = Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] };
        build(&module, "r", cut).expect("a region").to_string()
    }

    #[test]
    fn a_map_reads_as_its_expressions() {
        let text = text(
            "HloModule m\nENTRY e {\n  x = f32[8] parameter(0)\n  y = f32[8] negate(x)\n  \
             ROOT z = f32[8] multiply(y, x)\n}\n",
        );
        let expected = "\
region r
  in0 x: f32[8]
  out0 z: f32[8] = stage 0

  stage 0 z: map d0 < 8
    %0 = f32 in0[d0]
    %1 = f32 negate %0
    %2 = f32 multiply %1, %0
    -> %2
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_reduction_shows_its_combiner() {
        let text = text(
            "HloModule m\nmax {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
             ROOT c = f32[] maximum(a, b)\n}\nENTRY e {\n  x = f32[4,8] parameter(0)\n  \
             i = f32[] constant(-inf)\n  ROOT r = f32[4] reduce(x, i), dimensions={1}, to_apply=max\n}\n",
        );
        for part in
            ["reduce d0 < 4 over d1 < 8", "in0[8*d0 + d1]", "f32 -inf", "maximum", "minor-reduced order"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
