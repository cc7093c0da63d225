//! Names, ids, order, parameters, calls and origins.

use super::{Faults, Place, exists, parameter_number};
use crate::opcode::Opcode;
use rustc_hash::FxHashSet;

/// An entry, and computations of distinct names.
pub(super) fn module(faults: &mut Faults) {
    let module = faults.module;
    if module.entry.index() >= module.computations.len() {
        faults.module("the module has no entry computation".into());
    }
    let mut names = FxHashSet::default();
    for comp in &module.computations {
        if !names.insert(&*comp.name) {
            faults.module(format!("two computations have the name {}", comp.name));
        }
    }
}

/// Everything about one computation that needs no shape.
pub(super) fn computation(faults: &mut Faults, place: Place) {
    let comp = place.comp;
    if !exists(comp, comp.root) {
        faults.computation(place, "the computation has no root".into());
    }
    let mut names = FxHashSet::default();
    for instr in &comp.instrs {
        if instr.name.is_empty() || !names.insert(&*instr.name) {
            faults.at(place, instr, format!("the name {:?} is taken or empty", &*instr.name));
        }
    }
    order(faults, place);
    parameters(faults, place);
    origins(faults, place);
}

/// Operands and control predecessors before users, callees before callers.
fn order(faults: &mut Faults, place: Place) {
    let comp = place.comp;
    for (id, instr) in comp.iter() {
        let predecessors = instr.notes.iter().flat_map(|n| n.control_predecessors.iter());
        let operands = instr.operands.iter().map(|o| ("operand", o));
        for (what, &before) in operands.chain(predecessors.map(|p| ("control predecessor", p))) {
            if !exists(comp, before) {
                faults.at(place, instr, format!("{what} number {} does not exist", before.0));
            } else if before >= id {
                let name = &comp[before].name;
                faults.at(place, instr, format!("{what} {name} does not stand before its user"));
            }
        }
        for callee in instr.attrs.called() {
            match faults.module.computations.get(callee.index()) {
                None => faults.at(place, instr, format!("computation number {} does not exist", callee.0)),
                Some(c) if callee >= place.id => faults.at(
                    place,
                    instr,
                    format!("computation {} does not stand before its caller", c.name),
                ),
                Some(_) => {}
            }
        }
    }
}

/// Numbers from 0 up, each once; only parameters have one.
fn parameters(faults: &mut Faults, place: Place) {
    let count = place.comp.instrs.iter().filter(|i| i.opcode == Opcode::Parameter).count();
    let mut seen = vec![false; count];
    for instr in &place.comp.instrs {
        match (instr.opcode == Opcode::Parameter, parameter_number(instr)) {
            (true, Some(n)) if n >= count => {
                faults.at(place, instr, format!("parameter({n}) of a computation with {count} parameters"))
            }
            (true, Some(n)) if seen[n] => faults.at(place, instr, format!("parameter({n}) occurs twice")),
            (true, Some(n)) => seen[n] = true,
            (false, Some(_)) => faults.at(place, instr, format!("`{}` has a parameter number", instr.opcode)),
            // A parameter without a number is caught by its shape rule.
            (_, None) => {}
        }
    }
}

/// Where the module knows its sources, every instruction comes from some of them.
fn origins(faults: &mut Faults, place: Place) {
    let known = faults.module.sources.len();
    for instr in &place.comp.instrs {
        if known > 0 && instr.origin.is_empty() {
            faults.at(place, instr, "the instruction has no origin".into());
        }
        // Sorted, so the last is the largest.
        if instr.origin.sources().last().is_some_and(|&s| s as usize >= known) {
            faults.at(place, instr, "the origin names a source that does not exist".into());
        }
    }
}
