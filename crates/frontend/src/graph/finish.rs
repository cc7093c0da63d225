//! From a graph to a module: what the entry needs, without marks, each instruction with its place.

use super::Graph;
use crate::graph::marks;
use lawson_hlo::builder::rewrite;
use lawson_hlo::instruction::Notes;
use lawson_hlo::module::{Header, Source};
use lawson_hlo::{Attrs, CompId, Computation, Instruction, Module, Opcode, Origin};
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
    let mut sources = Vec::new();
    for comp in computations {
        for instr in &mut comp.instrs {
            let found = instr.origin.sources().iter().filter_map(|&s| old.get(s as usize));
            let location = found.filter_map(|s| s.location.clone()).next_back();
            if let Some((file, line)) = location.as_deref().and_then(|l| l.rsplit_once(':')) {
                annotate(instr, file, line);
            }
            instr.origin = Origin::single(sources.len() as u32);
            let (computation, name) = (comp.name.clone(), instr.name.clone());
            sources.push(Source { computation, name, location, ..Source::default() });
        }
    }
    sources
}

fn annotate(instr: &mut Instruction, file: &str, line: &str) {
    if matches!(instr.opcode, Opcode::Parameter | Opcode::Tuple | Opcode::GetTupleElement) {
        return;
    }
    let notes: &mut Notes = instr.notes.get_or_insert_default();
    if notes.metadata.is_empty() {
        notes.metadata.push(("source_file".into(), format!("{file:?}")));
        notes.metadata.push(("source_line".into(), line.into()));
    }
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
