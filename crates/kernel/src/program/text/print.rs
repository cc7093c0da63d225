//! Programs to text.

use crate::program::{BufId, Code, Place, Program, Step};
use std::fmt;
use std::fmt::Write;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program arena {} {{", self.arena_bytes)?;
        for (n, slot) in self.buffers.iter().enumerate() {
            writeln!(f, "  b{n} = {} : {} bytes", slot.place, slot.bytes)?;
        }
        for donation in &self.donations {
            writeln!(f, "  donate input {} to output {}", donation.input, donation.output)?;
        }
        steps(f, self, &self.steps, 1)?;
        writeln!(f, "}}")?;
        for kernel in &self.kernels {
            if let Code::Library(library) = &kernel.code {
                let bits = if library.exact { "exact" } else { "rounded" };
                write!(f, "\nlibrary {bits} {}", library.call.text(&kernel.name))?;
                continue;
            }
            match kernel.lowered() {
                Ok(code) => write!(f, "\n{code}")?,
                Err(refusal) => writeln!(f, "\n// {}: {refusal}", kernel.name)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for BufId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Input(n) => write!(f, "input {n}"),
            Place::Output(n) => write!(f, "output {n}"),
            Place::Arena(at) => write!(f, "arena {at}"),
            Place::Constant(literal) => {
                write!(f, "constant {} ", literal.shape())?;
                literal.bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

fn steps(f: &mut fmt::Formatter<'_>, program: &Program, list: &[Step], depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    let inner = |f: &mut fmt::Formatter<'_>, list: &[Step]| steps(f, program, list, depth + 1);
    for step in list {
        f.write_str(&indent)?;
        match step {
            Step::Launch { kernel, args } => {
                let name = program.kernels.get(*kernel).map_or("?", |k| &k.name);
                writeln!(f, "launch {name}({})", names(args))?;
            }
            Step::Copy { from, to } => writeln!(f, "copy {from} to {to}")?,
            Step::Concatenate { pieces, rows, to } => {
                let pieces: Vec<String> = pieces.iter().map(|(id, width)| format!("{id}: {width}")).collect();
                writeln!(f, "concatenate {rows} rows of ({}) to {to}", pieces.join(", "))?;
            }
            Step::Swap { a, b } => writeln!(f, "swap {a} and {b}")?,
            Step::While { cond, pred, body, trips } => {
                let trips = trips.map_or(String::new(), |n| format!(" trips {n}"));
                writeln!(f, "while {pred}{trips} {{")?;
                inner(f, cond)?;
                writeln!(f, "{indent}}} do {{")?;
                inner(f, body)?;
                writeln!(f, "{indent}}}")?;
            }
            Step::Conditional { selector, predicated, branches } => {
                let word = if *predicated { "if" } else { "switch" };
                for (n, branch) in branches.iter().enumerate() {
                    match n {
                        0 => writeln!(f, "{word} {selector} {{")?,
                        _ => writeln!(f, "{indent}}} else {{")?,
                    }
                    inner(f, branch)?;
                }
                writeln!(f, "{indent}}}")?;
            }
            Step::CustomCall { target, args, results, shape } => {
                let args: Vec<String> = args.iter().map(|(id, shape)| format!("{id}: {shape}")).collect();
                let (target, args) = (quoted(target)?, args.join(", "));
                writeln!(f, "call {target} ({args}) to ({}): {shape}", names(results))?;
            }
        }
    }
    Ok(())
}

fn names(ids: &[BufId]) -> String {
    ids.iter().map(BufId::to_string).collect::<Vec<_>>().join(", ")
}

/// Text between quotation marks, on one line.
fn quoted(text: &str) -> Result<String, fmt::Error> {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '{' | '}' => write!(out, "\\u{{{:x}}}", c as u32)?,
            c if c.is_control() => write!(out, "\\u{{{:x}}}", c as u32)?,
            c => out.push(c),
        }
    }
    out.push('"');
    Ok(out)
}
