//! From a graph to a module: what the entry needs, without marks, each instruction with its place.

use super::Graph;
use crate::graph::marks;
use lawson_hlo::builder::rewrite;
use lawson_hlo::instruction::Notes;
use lawson_hlo::module::{Header, Source};
use lawson_hlo::{Attrs, CompId, Computation, Instruction, Module, Opcode, Origin};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Graph {
    /// The module with this entry and the computations that it needs. Marks become what they mean; instructions get names of
    /// their own as sources, and the line of the user's program as `metadata`.
    pub fn finish(&self, entry: CompId, name: impl Into<Arc<str>>) -> Module {
        let old = &self.module;
        // What marks call beside the function itself is not needed any more, so they go first.
        let mut resolved: Vec<Option<Computation>> = vec![None; old.computations.len()];
        let mut needed = vec![false; old.computations.len()];
        needed[entry.index()] = true;
        for i in (0..=entry.index()).rev() {
            if needed[i] {
                let comp = without_marks(old, &old.computations[i]);
                comp.instrs
                    .iter()
                    .flat_map(|instr| instr.attrs.called())
                    .for_each(|c| needed[c.index()] = true);
                resolved[i] = Some(comp);
            }
        }
        let mut numbers = vec![CompId(0); resolved.len()];
        let mut computations = Vec::new();
        for (i, mut comp) in resolved.into_iter().enumerate().filter_map(|(i, c)| Some((i, c?))) {
            numbers[i] = CompId(computations.len() as u32);
            comp.instrs.iter_mut().for_each(|instr| instr.attrs.map_called(|c| numbers[c.index()]));
            computations.push(comp);
        }
        let sources = place(&mut computations, &old.sources);
        let entry = numbers[entry.index()];
        Module { name: name.into(), computations, entry, header: Header::default(), sources }
    }
}

/// Each instruction becomes a source of its own, as in a module that is read from text.
fn place(computations: &mut [Computation], old: &[Source]) -> Vec<Source> {
    let mut sources = Vec::with_capacity(computations.iter().map(|c| c.instrs.len()).sum());
    let mut annotated = FxHashMap::default();
    for comp in computations {
        for instr in &mut comp.instrs {
            let found = instr.origin.sources().iter().filter_map(|&s| old.get(s as usize));
            let location = found.filter_map(|s| s.location.clone()).next_back();
            if let Some(location) = &location {
                annotate(instr, location, &mut annotated);
            }
            instr.origin = Origin::single(sources.len() as u32);
            let (computation, name) = (comp.name.clone(), instr.name.clone());
            sources.push(Source { computation, name, location, ..Source::default() });
        }
    }
    sources
}

/// Notes as they were, and the line of the program that is added to them → notes that all such instructions share.
type Annotated = FxHashMap<(Option<Arc<Notes>>, Arc<str>), Arc<Notes>>;

fn annotate(instr: &mut Instruction, location: &Arc<str>, annotated: &mut Annotated) {
    let quiet = matches!(instr.opcode, Opcode::Parameter | Opcode::Tuple | Opcode::GetTupleElement);
    let known = instr.notes.as_ref().is_some_and(|n| !n.metadata.is_empty());
    let Some((file, line)) = location.rsplit_once(':').filter(|_| !quiet && !known) else { return };
    let key = (instr.notes.take(), location.clone());
    if let Some(notes) = annotated.get(&key) {
        instr.notes = Some(notes.clone());
        return;
    }
    let mut notes = key.0.as_deref().cloned().unwrap_or_default();
    notes.metadata.push(("source_file".into(), format!("{file:?}")));
    notes.metadata.push(("source_line".into(), line.into()));
    let notes = Arc::new(notes);
    instr.notes = Some(notes.clone());
    annotated.insert(key, notes);
}

fn without_marks(module: &Module, comp: &Computation) -> Computation {
    if !comp.instrs.iter().any(|instr| marks::of(instr).is_some()) {
        return comp.clone();
    }
    let (comp, _) = rewrite(module, comp, |b, _, instr, operands| {
        let mark = marks::of(instr)?;
        if mark == marks::STOP_GRADIENT {
            return Some(operands[0]);
        }
        let to_apply = instr.attrs.called()[0];
        let call = Attrs::Call { to_apply, is_composite: false };
        Some(b.add_shaped(Opcode::Call, instr.shape.clone(), operands, call))
    });
    comp
}
