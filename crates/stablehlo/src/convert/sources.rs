//! Where instructions come from: each is a source of its own, with the line of the user's program.

use crate::error::Place;
use crate::ir::{Loc, Location, MAX_NAME};
use lawson_hlo::instruction::Notes;
use lawson_hlo::module::Source;
use lawson_hlo::{Module, Opcode, Origin};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The operations that instructions are made of, while they are made: their origins are numbers of these.
#[derive(Default)]
pub struct Sources {
    operations: Vec<Operation>,
    /// What is said of each location, in reports and in HLO text.
    said: FxHashMap<Loc, (Option<Arc<str>>, Option<Arc<Notes>>)>,
}

struct Operation {
    line: u32,
    location: Option<Arc<str>>,
}

impl Sources {
    /// The origin and the notes of the instructions of an operation.
    pub fn operation(&mut self, place: Place, loc: Loc, location: &Location) -> (Origin, Option<Arc<Notes>>) {
        let line = match place {
            Place::Text { line, .. } => line,
            Place::Byte(_) | Place::Unknown => 0,
        };
        let said = self.said.entry(loc).or_insert_with(|| (location.place().map(Arc::from), notes(location)));
        let (place, notes) = said.clone();
        self.operations.push(Operation { line, location: place });
        (Origin::single(self.operations.len() as u32 - 1), notes)
    }

    /// Makes each instruction a source of the module.
    pub fn finish(self, mut module: Module) -> Module {
        let count = module.instruction_count();
        let mut sources = Vec::with_capacity(count);
        for comp in &mut module.computations {
            for instr in &mut comp.instrs {
                let from = instr.origin.sources().last().and_then(|&s| self.operations.get(s as usize));
                instr.origin = Origin::single(sources.len() as u32);
                sources.push(Source {
                    computation: comp.name.clone(),
                    name: instr.name.clone(),
                    line: from.map_or(0, |o| o.line),
                    location: from.and_then(|o| o.location.clone()),
                    backward: false,
                });
                if matches!(instr.opcode, Opcode::Parameter | Opcode::Tuple | Opcode::GetTupleElement) {
                    instr.notes = None;
                }
            }
        }
        module.sources = sources;
        module
    }
}

/// What HLO text says of a place in a program.
fn notes(location: &Location) -> Option<Arc<Notes>> {
    let mut metadata = Vec::new();
    if let Some(scope) = &location.scope {
        metadata.push(("op_name".to_string(), quoted(scope)));
    }
    if let Some((file, line)) = &location.file {
        metadata.push(("source_file".to_string(), quoted(file)));
        metadata.push(("source_line".to_string(), line.to_string()));
    }
    (!metadata.is_empty()).then(|| Arc::new(Notes { metadata, ..Notes::default() }))
}

/// A text between quotes, as HLO text has it.
fn quoted(text: &str) -> String {
    let plain = text.chars().take(MAX_NAME).map(|c| if c.is_control() { ' ' } else { c });
    let plain: String = plain.collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}
