//! A module without what nothing reaches: instructions that lead to no root, computations that nothing calls.

use lawson::hlo::builder::Builder;
use lawson::hlo::{CompId, Computation, InstrId, Module, Opcode};

/// Keeps all parameters.
pub fn prune(module: &Module) -> Module {
    let mut module = module.clone();
    for comp in &mut module.computations {
        *comp = prune_computation(comp);
    }
    let mut reached = vec![false; module.computations.len()];
    reached[module.entry.index()] = true;
    for (id, comp) in module.iter().rev() {
        if reached[id.index()] {
            comp.instrs.iter().flat_map(|i| i.attrs.called()).for_each(|c| reached[c.index()] = true);
        }
    }
    let new_id = |old: CompId| CompId(reached[..old.index()].iter().filter(|r| **r).count() as u32);
    for instr in module.computations.iter_mut().flat_map(|c| &mut c.instrs) {
        instr.attrs.map_called(new_id);
    }
    module.entry = new_id(module.entry);
    let mut keep = reached.iter();
    module.computations.retain(|_| keep.next() == Some(&true));
    module
}

fn prune_computation(comp: &Computation) -> Computation {
    let mut live = vec![false; comp.instrs.len()];
    live[comp.root.index()] = true;
    for (id, instr) in comp.iter().rev() {
        if instr.opcode == Opcode::Parameter {
            live[id.index()] = true;
        }
        if live[id.index()] {
            instr.operands.iter().for_each(|o| live[o.index()] = true);
        }
    }
    let empty = Module {
        name: "".into(),
        computations: Vec::new(),
        entry: CompId(0),
        header: Default::default(),
        sources: Vec::new(),
    };
    let mut b = Builder::new(&empty);
    let mut map: Vec<Option<InstrId>> = vec![None; comp.instrs.len()];
    for (id, instr) in comp.iter().filter(|(id, _)| live[id.index()]) {
        map[id.index()] = Some(b.clone_instr(instr, &map));
    }
    let root = map[comp.root.index()].expect("the root is live");
    b.finish(comp.name.clone(), root)
}
