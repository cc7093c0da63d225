//! The printer: JAX's dialect, which XLA's parser reads too.
//!
//! Names stand without `%` unless the grammar would take them for something else, computations without
//! signatures, attributes in XLA's order, operands without shapes.

mod attrs;
mod devices;
mod literal;

use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::InstrId;
use crate::instruction::{Instruction, Notes};
use crate::module::{Computation, Donor, Header, Module};
use crate::shape::Shape;
use crate::text::cursor::is_word_byte;
use std::fmt::{self, Display, Formatter, Write};

/// Writes a module.
pub(super) fn module(f: &mut Formatter<'_>, module: &Module) -> fmt::Result {
    write!(f, "HloModule {}", Name(&module.name))?;
    header(f, &module.header)?;
    writeln!(f)?;
    if let Some(tables) = &module.header.tables {
        writeln!(f, "\n{tables}")?;
    }
    for (id, comp) in module.iter() {
        writeln!(f)?;
        computation(f, module, comp, id == module.entry)?;
    }
    Ok(())
}

/// The text of one computation, `ENTRY` before it if it is the entry.
pub fn print_computation(module: &Module, comp: &Computation) -> String {
    let mut out = String::new();
    computation(&mut out, module, comp, comp.name == module.entry().name).expect("writing to a string");
    out
}

/// The text of one instruction, without indentation and `ROOT`.
pub fn print_instruction(module: &Module, comp: &Computation, id: InstrId) -> String {
    let mut out = String::new();
    instruction(&mut out, module, comp, &comp[id]).expect("writing to a string");
    out
}

fn header(f: &mut Formatter<'_>, header: &Header) -> fmt::Result {
    if !header.aliases.is_empty() {
        let aliases = header.aliases.iter().map(|a| {
            let kind = if a.must { "must-alias" } else { "may-alias" };
            format!("{}: ({}, {}, {kind})", braced(&a.output), a.parameter, braced(&a.parameter_index))
        });
        write!(f, ", input_output_alias={{ {} }}", join(aliases, ", "))?;
    }
    if !header.donors.is_empty() {
        let donor = |d: &Donor| format!("({}, {})", d.parameter, braced(&d.parameter_index));
        write!(f, ", buffer_donor={{ {} }}", join(header.donors.iter().map(donor), ", "))?;
    }
    if let Some((parameters, result)) = &header.entry_layout {
        // A parameter list prints as a tuple shape does.
        write!(f, ", entry_computation_layout={{{}->{result}}}", Shape::Tuple(parameters.clone()))?;
    }
    header.rest.iter().try_for_each(|(key, value)| write!(f, ", {key}={value}"))
}

fn computation(f: &mut impl Write, module: &Module, comp: &Computation, is_entry: bool) -> fmt::Result {
    writeln!(f, "{}{} {{", if is_entry { "ENTRY " } else { "" }, Name(&comp.name))?;
    for (id, instr) in comp.iter() {
        write!(f, "  {}", if id == comp.root { "ROOT " } else { "" })?;
        instruction(f, module, comp, instr)?;
        writeln!(f)?;
    }
    write!(f, "}}")?;
    if let Some(thread) = &comp.execution_thread {
        write!(f, ", execution_thread=\"{thread}\"")?;
    }
    writeln!(f)
}

fn instruction(f: &mut impl Write, module: &Module, comp: &Computation, instr: &Instruction) -> fmt::Result {
    write!(f, "{} = {} {}(", Name(&instr.name), instr.shape, attrs::opcode_text(instr))?;
    match &instr.attrs {
        Attrs::Parameter(number) => write!(f, "{number}")?,
        Attrs::Constant(Some(value)) => literal::value(f, value)?,
        Attrs::Constant(None) => write!(f, "{{...}}")?,
        _ => write!(f, "{}", names(comp, &instr.operands))?,
    }
    write!(f, ")")?;
    attrs::attrs(f, module, instr)?;
    match &instr.notes {
        Some(n) => notes(f, comp, n),
        None => Ok(()),
    }
}

fn notes(f: &mut impl Write, comp: &Computation, notes: &Notes) -> fmt::Result {
    if let Some(id) = notes.channel_id {
        write!(f, ", channel_id={id}")?;
    }
    for (key, value) in &notes.rest {
        write!(f, ", {key}={value}")?;
    }
    if let Some(sharding) = &notes.sharding {
        write!(f, ", sharding={sharding}")?;
    }
    if !notes.frontend_attributes.is_empty() {
        write!(f, ", frontend_attributes={{{}}}", pairs(&notes.frontend_attributes, ","))?;
    }
    if !notes.control_predecessors.is_empty() {
        write!(f, ", control-predecessors={{{}}}", names(comp, &notes.control_predecessors))?;
    }
    if !notes.metadata.is_empty() {
        write!(f, ", metadata={{{}}}", pairs(&notes.metadata, " "))?;
    }
    if let Some(config) = &notes.backend_config {
        write!(f, ", backend_config={config}")?;
    }
    Ok(())
}

fn pairs(pairs: &[(String, String)], separator: &str) -> String {
    join(pairs.iter().map(|(key, value)| format!("{key}={value}")), separator)
}

fn names(comp: &Computation, ids: &[InstrId]) -> String {
    join(ids.iter().map(|id| Name(&comp[*id].name)), ", ")
}

fn braced<T: Display>(items: &[T]) -> String {
    format!("{{{}}}", join(items, ","))
}

fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|i| i.to_string()).collect();
    items.join(separator)
}

/// A name, with `%` where it would otherwise not be read as one.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain(self.0) { f.write_str(self.0) } else { write!(f, "%{}", self.0) }
    }
}

fn is_plain(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && name.bytes().all(is_word_byte) && !RESERVED.contains(&name) && DType::from_name(name).is_none()
}

/// Words with a meaning of their own in XLA's grammar.
const RESERVED: &[&str] = &[
    "ENTRY",
    "FileLocations",
    "FileNames",
    "FunctionNames",
    "HloModule",
    "ROOT",
    "StackFrames",
    "false",
    "inf",
    "last_tile_dim_replicate",
    "manual",
    "maximal",
    "nan",
    "opaque",
    "replicated",
    "shard_as",
    "shard_like",
    "token",
    "true",
    "unknown",
    "unreduced",
];
