//! HLO modules as StableHLO text, in MLIR's generic form, which JAX and StableHLO's tools read.
//!
//! Values that are tuples become several values: of functions, of loops and of branches. Computations that operations
//! apply become regions, those that are called become functions. What StableHLO has no operation for is an error with
//! its name.

mod attrs;
mod collective;
mod literal;
mod names;
mod op;
mod types;

use crate::error::{Error, Place, Result};
use lawson_hlo::instruction::Instruction;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Module, Opcode, Shape};
use std::fmt::Write;

/// The text of a module.
///
/// # Errors
/// An operation or an element type that StableHLO does not have.
pub fn text(module: &Module) -> Result<String> {
    let mut printer = Printer { module, out: String::new(), indent: 1, next: 0 };
    let name = module.name.replace(['"', '\\'], "_");
    let count = |n: Option<i64>| n.unwrap_or(1);
    let (replicas, partitions) = (count(module.replica_count()), count(module.num_partitions()));
    let _ = writeln!(
        printer.out,
        "module @\"{name}\" attributes {{mhlo.num_partitions = {partitions} : i32, mhlo.num_replicas = {replicas} : i32}} {{"
    );
    printer.function(module.entry, true)?;
    for callee in called(module) {
        printer.function(callee, false)?;
    }
    printer.out += "}\n";
    Ok(printer.out)
}

/// The computations that are functions of their own: what `call` and `fusion` name, from the entry on.
fn called(module: &Module) -> Vec<CompId> {
    let mut reached = vec![false; module.computations.len()];
    let mut functions = vec![false; module.computations.len()];
    if let Some(entry) = reached.get_mut(module.entry.index()) {
        *entry = true;
    }
    for (id, comp) in module.iter().rev().filter(|(id, _)| *id <= module.entry) {
        if !reached[id.index()] {
            continue;
        }
        for instr in &comp.instrs {
            for callee in instr.attrs.called() {
                reached[callee.index()] = true;
                functions[callee.index()] |= matches!(instr.opcode, Opcode::Call | Opcode::Fusion);
            }
        }
    }
    functions[module.entry.index()] = false;
    module.iter().map(|(id, _)| id).filter(|id| functions[id.index()]).collect()
}

/// What an instruction is in the text: a value, or several.
#[derive(Clone, Debug)]
enum Known {
    One(String),
    Many(Vec<Known>),
}

impl Known {
    fn flat(&self, out: &mut Vec<String>) {
        match self {
            Known::One(name) => out.push(name.clone()),
            Known::Many(parts) => parts.iter().for_each(|p| p.flat(out)),
        }
    }

    /// The values of this structure, from a list of them.
    fn of(shape: &Shape, names: &mut impl Iterator<Item = String>) -> Known {
        match shape {
            Shape::Tuple(parts) => Known::Many(parts.iter().map(|p| Known::of(p, names)).collect()),
            _ => Known::One(names.next().unwrap_or_default()),
        }
    }
}

/// Values that operands are: flat, by instruction.
type Values = Vec<Option<Known>>;

struct Printer<'m> {
    module: &'m Module,
    out: String,
    indent: usize,
    next: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.indent));
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// A function with an argument for each array among the parameters.
    fn function(&mut self, id: CompId, public: bool) -> Result<()> {
        let comp = &self.module[id];
        let (mut arguments, given) = self.arguments(comp)?;
        if public {
            donations(self.module).into_iter().zip(&mut arguments).for_each(|(donated, a)| *a += &donated);
        }
        let results: Vec<String> =
            types::leaves(&comp.root().shape).into_iter().map(types::of).collect::<Result<_>>()?;
        let name = if public { ENTRY.to_string() } else { function_name(self.module, comp) };
        let visibility = if public { "public" } else { "private" };
        self.line(&format!(
            "func.func {visibility} @\"{name}\"({}) -> ({}) {{",
            arguments.join(", "),
            results.join(", ")
        ));
        self.body(comp, given, "func.return")?;
        self.line("}");
        Ok(())
    }

    /// An argument, `name: type`, for each array among the parameters, and the parameters as these values.
    fn arguments(&mut self, comp: &Computation) -> Result<(Vec<String>, Vec<Known>)> {
        let mut arguments = Vec::new();
        let mut given = Vec::new();
        for shape in comp.parameter_shapes() {
            let mut names = Vec::new();
            for leaf in types::leaves(shape) {
                let name = self.fresh();
                arguments.push(format!("{name}: {}", types::of(leaf)?));
                names.push(name);
            }
            given.push(Known::of(shape, &mut names.into_iter()));
        }
        Ok((arguments, given))
    }

    /// The instructions of a computation with these values for its parameters, and what ends it.
    fn body(&mut self, comp: &Computation, given: Vec<Known>, end: &str) -> Result<()> {
        self.indent += 1;
        let mut values: Values = vec![None; comp.instrs.len()];
        for (id, instr) in comp.iter() {
            let known = match instr.attrs {
                Attrs::Parameter(n) => given.get(n).cloned(),
                _ => Some(self.instruction(comp, instr, &values)?),
            };
            values[id.index()] = known;
        }
        let names = flat(&values, &[comp.root]);
        let types: Vec<String> =
            types::leaves(&comp.root().shape).into_iter().map(types::of).collect::<Result<_>>()?;
        self.line(&format!("\"{end}\"({}) : ({}) -> ()", names.join(", "), types.join(", ")));
        self.indent -= 1;
        Ok(())
    }

    /// A region: a computation with an argument for each array of these shapes.
    fn region(&mut self, id: CompId) -> Result<()> {
        let comp = &self.module[id];
        let (arguments, given) = self.arguments(comp)?;
        self.line(&format!("^bb0({}):", arguments.join(", ")));
        self.body(comp, given, "stablehlo.return")
    }

    fn error(&self, instr: &Instruction, message: impl std::fmt::Display) -> Error {
        let origin = self.module.locations(&instr.origin).into_iter().next().map(|l| l.to_string());
        Error { origin, ..Error::unsupported(Place::Unknown, format!("`{}` {message}", instr.name)) }
    }
}

fn flat(values: &Values, ids: &[InstrId]) -> Vec<String> {
    let mut out = Vec::new();
    ids.iter().filter_map(|id| values[id.index()].as_ref()).for_each(|k| k.flat(&mut out));
    out
}

/// What the entry is called.
const ENTRY: &str = "main";

/// The name of a function that is not the entry.
fn function_name(module: &Module, comp: &Computation) -> String {
    let mut name = comp.name.replace(['"', '\\'], "_");
    if name == ENTRY {
        let taken = |name: &str| module.computations.iter().any(|c| &*c.name == name);
        while taken(&name) {
            name.push('.');
        }
    }
    name
}

/// For each array among the parameters of the entry, in brackets, what its memory may be used for.
fn donations(module: &Module) -> Vec<String> {
    let entry = &module[module.entry];
    let header = &module.header;
    let result = &entry.root().shape;
    let mut said = Vec::new();
    for (parameter, shape) in entry.parameter_shapes().into_iter().enumerate() {
        let mut paths = Vec::new();
        paths_of(shape, &mut Vec::new(), &mut paths);
        for path in paths {
            let mut outputs = Vec::new();
            paths_of(result, &mut Vec::new(), &mut outputs);
            let alias = header.aliases.iter().find(|a| a.parameter == parameter && a.parameter_index == path);
            let output = alias.and_then(|a| outputs.iter().position(|o| *o == a.output));
            let donor = header.donors.iter().any(|d| d.parameter == parameter && d.parameter_index == path);
            said.push(match output {
                Some(output) => format!(" {{tf.aliasing_output = {output} : i32}}"),
                None if donor => " {jax.buffer_donor = true}".into(),
                None => String::new(),
            });
        }
    }
    said
}

/// The path to each array of a shape, in order.
fn paths_of(shape: &Shape, at: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
    let Shape::Tuple(parts) = shape else { return out.push(at.clone()) };
    for (i, part) in parts.iter().enumerate() {
        at.push(i);
        paths_of(part, at, out);
        at.pop();
    }
}
