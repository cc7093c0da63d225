//! Where instructions come from: each is a source of its own, with the line of the user's program.

use crate::error::Place;
use crate::ir::{Loc, Location, MAX_NAME};
use lawson_hlo::instruction::Notes;
use lawson_hlo::module::Source;
use lawson_hlo::{Instruction, Module, Opcode, Origin};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The operations that instructions are made of, while they are made: their origins are numbers of these.
#[derive(Default)]
pub struct Sources {
    operations: Vec<Operation>,
    /// What is said of each location, in reports and in HLO text.
    said: FxHashMap<Loc, Said>,
}

struct Operation {
    line: u32,
    loc: Loc,
    at: Location,
    location: Option<Arc<str>>,
}

/// The place, and what HLO text says of it.
type Said = (Option<Arc<str>>, Option<Arc<Notes>>);

/// Where a computation is called.
#[derive(Clone, PartialEq)]
enum Called {
    Never,
    Once(Location),
    Often,
}

impl Sources {
    /// The origin and the notes of the instructions of an operation.
    pub fn operation(&mut self, place: Place, loc: Loc, location: &Location) -> (Origin, Option<Arc<Notes>>) {
        let line = match place {
            Place::Text { line, .. } => line,
            Place::Byte(_) | Place::Unknown => 0,
        };
        let (place, notes) = self.said.entry(loc).or_insert_with(|| said(location)).clone();
        self.operations.push(Operation { line, loc, at: location.clone(), location: place });
        (Origin::single(self.operations.len() as u32 - 1), notes)
    }

    /// Makes each instruction a source of the module. JAX does not say where operations of functions come from that it has
    /// outlined (`jnp.fft.fft`, `jax.nn.gelu`): where there is one call of such a function, they come from there.
    pub fn finish(self, mut module: Module) -> Module {
        let calls = self.calls(&module);
        let count = module.instruction_count();
        let mut sources = Vec::with_capacity(count);
        let mut within: FxHashMap<Loc, Said> = FxHashMap::default();
        for (comp, called) in module.computations.iter_mut().zip(calls) {
            within.clear();
            for instr in &mut comp.instrs {
                let from = self.of(instr);
                let mut location = from.and_then(|o| o.location.clone());
                if let (Called::Once(call), Some(from)) = (&called, from) {
                    let here = within.entry(from.loc).or_insert_with(|| said(&from.at.within(call)));
                    location = here.0.clone();
                    if let Some(notes) = &here.1 {
                        instr.notes_mut().metadata = notes.metadata.clone();
                    }
                }
                let line = from.map_or(0, |o| o.line);
                instr.origin = Origin::single(sources.len() as u32);
                sources.push(Source {
                    computation: comp.name.clone(),
                    name: instr.name.clone(),
                    line,
                    location,
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

    /// The operation that an instruction was made of.
    fn of(&self, instr: &Instruction) -> Option<&Operation> {
        self.operations.get(*instr.origin.sources().last()? as usize)
    }

    /// Where each computation is called: as a function, or as a region of one that is.
    fn calls(&self, module: &Module) -> Vec<Called> {
        let mut calls = vec![Called::Never; module.computations.len()];
        // Callers come after what they call.
        for (id, comp) in module.iter().rev() {
            let own = calls[id.index()].clone();
            for instr in &comp.instrs {
                for callee in instr.attrs.called() {
                    let at = match (instr.opcode, &own) {
                        (Opcode::Call, _) => {
                            let here = self.of(instr).map(|o| o.at.clone()).unwrap_or_default();
                            match &own {
                                Called::Once(outer) => Called::Once(here.within(outer)),
                                Called::Never | Called::Often => Called::Once(here),
                            }
                        }
                        (_, own) => own.clone(),
                    };
                    let known = &mut calls[callee.index()];
                    *known = match known {
                        Called::Never => at,
                        Called::Once(_) | Called::Often => Called::Often,
                    };
                }
            }
        }
        calls
    }
}

fn said(location: &Location) -> Said {
    (location.place().map(Arc::from), notes(location))
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
