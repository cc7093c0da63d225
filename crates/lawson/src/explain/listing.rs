//! Which kernels compute which instructions.
//!
//! A pass may make several operations of one instruction of the input, or one of several. A kernel lists the instruction
//! that each of its operations stands for best, those that have become part of others everywhere, and those whose
//! operations have become one with it. What only moves or renames a value that another kernel has made, as layouts want
//! it, is no operation of the input. A constant is listed where an operation makes it that stands for nothing else:
//!
//! ```text
//! c = f32[4] constant({1, 1, 1, 1})      →      one = f32[] constant(1)
//!                                               c = f32[4] broadcast(one), dimensions={}
//! ```

use super::names::{Names, is_control};
use super::{Operation, Repeat, Repeated};
use crate::compile::Planned;
use lawson_hlo::opcode::Class;
use lawson_hlo::{Computation, InstrId, Instruction, Module, Opcode, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// The instructions of each kernel.
pub struct Listing {
    /// For each kernel the input instructions it computes, by their numbers.
    sources: Vec<BTreeSet<usize>>,
    /// By name the operations that kernels compute.
    named: BTreeMap<String, Vec<Named>>,
    repeated: Vec<Repeated>,
}

/// An operation, and the kernels that compute it.
struct Named {
    computation: String,
    origin: Origin,
    kernels: BTreeSet<usize>,
}

/// For each instruction, by its number, the kernels of each operation that stands for it.
type Operations<'m> = BTreeMap<usize, BTreeMap<(&'m str, &'m str), BTreeSet<usize>>>;

impl Listing {
    /// Of the kernels of a plan, in their order; `unfused` has the operations before fusion.
    pub fn new(planned: &Planned, unfused: &Planned, names: &Names) -> Listing {
        let module = &planned.module;
        let sites = planned.scheduled.sites.iter();
        let kernels: Vec<Vec<Computed<'_>>> =
            sites.map(|s| computed(module, &module[s.computation], s.instruction)).collect();
        // Instructions that some operation stands for by itself.
        let moved = |o: &&Computed<'_>| !only_moves(o.comp, o.id);
        let stand: BTreeSet<usize> =
            kernels.iter().flatten().filter(moved).filter_map(|o| o.best(names)).collect();
        let before = Before::of(unfused);
        let mut listing = Listing { sources: Vec::new(), named: BTreeMap::new(), repeated: Vec::new() };
        let mut operations = Operations::new();
        for (n, kernel) in kernels.iter().enumerate() {
            let mut listed = BTreeSet::new();
            for o in kernel.iter().filter(|o| !only_renames(o.comp, o.id)) {
                let instr = o.instr();
                let of_name = listing.named.entry(instr.name.to_string()).or_default();
                // A constant is in very many kernels.
                match of_name.last_mut() {
                    Some(last) if last.computation == o.home && last.origin == instr.origin => {
                        last.kernels.insert(n);
                    }
                    _ => of_name.push(Named {
                        computation: o.home.to_owned(),
                        origin: instr.origin.clone(),
                        kernels: BTreeSet::from([n]),
                    }),
                }
                if only_moves(o.comp, o.id) {
                    continue;
                }
                let absorbed = names.all_working(&instr.origin).filter(|s| !stand.contains(s));
                let equal = before.merged(o).filter(|&s| names.works(s));
                let all: Vec<usize> = o.best(names).into_iter().chain(absorbed).chain(equal).collect();
                // What groups values has the same name everywhere.
                for &source in all.iter().filter(|_| !groups(instr.opcode)) {
                    let of_source = operations.entry(source).or_default();
                    of_source.entry((o.home, &instr.name)).or_default().insert(n);
                }
                listed.extend(all);
            }
            if listed.is_empty() {
                let all: Vec<&Origin> = kernel.iter().map(|o| &o.instr().origin).collect();
                listed.extend(names.all_working(&Origin::union_of(all)));
            }
            listing.sources.push(listed);
        }
        listing.repeated = listing.repeats(names, &operations);
        listing
    }

    /// What a kernel computes, in the order of the text.
    pub fn operations(&self, kernel: usize, names: &Names) -> Vec<Operation> {
        self.sources[kernel].iter().map(|&s| names.operation(s)).collect()
    }

    /// The kernels that compute an operation of the optimised module under its name.
    pub fn kernels(&self, computation: &str, name: &str, origin: &Origin) -> BTreeSet<usize> {
        let of_name = self.named.get(name).map_or(&[][..], |n| n).iter();
        let all: Vec<&Named> = of_name.filter(|n| is_part(origin, &n.origin)).collect();
        // Loops that are kernels have copies of their computations, under other names.
        let here = all.iter().any(|n| n.computation == computation);
        let all = all.into_iter().filter(|n| !here || n.computation == computation);
        all.flat_map(|n| n.kernels.iter().copied()).collect()
    }

    /// Whether a kernel lists an instruction.
    pub fn lists(&self, kernel: usize, source: usize) -> bool {
        self.sources[kernel].contains(&source)
    }

    /// The instructions that several kernels list.
    pub fn repeated(&self) -> Vec<Repeated> {
        self.repeated.clone()
    }

    fn repeats(&self, names: &Names, operations: &Operations<'_>) -> Vec<Repeated> {
        let mut kernels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (n, sources) in self.sources.iter().enumerate() {
            sources.iter().for_each(|&s| kernels.entry(s).or_default().push(n));
        }
        let several = kernels.into_iter().filter(|(_, kernels)| kernels.len() > 1);
        let repeated = several.map(|(source, kernels)| {
            let again = operations.get(&source).is_some_and(|o| o.values().any(|kernels| kernels.len() > 1));
            let how = if again { Repeat::Again } else { Repeat::Parts };
            Repeated { instruction: names.operation(source).name, kernels, how }
        });
        repeated.collect()
    }
}

/// The operations before fusion.
struct Before<'m> {
    origins: BTreeMap<(&'m str, &'m str), &'m Origin>,
}

impl<'m> Before<'m> {
    fn of(unfused: &'m Planned) -> Before<'m> {
        let all = unfused.module.computations.iter().flat_map(|c| c.instrs.iter().map(move |i| (c, i)));
        Before { origins: all.map(|(c, i)| ((&*c.name, &*i.name), &i.origin)).collect() }
    }

    /// The instructions whose operations have become one with this, as they compute the same.
    fn merged(&self, o: &Computed<'_>) -> impl Iterator<Item = usize> {
        let instr = o.instr();
        let own = self.origins.get(&(o.home, &*instr.name)).map_or(&[][..], |own| own.sources());
        let more = instr.origin.sources().iter().filter(move |s| !own.contains(s));
        more.map(|&s| s as usize)
    }
}

/// Whether all of an origin is in another.
fn is_part(part: &Origin, whole: &Origin) -> bool {
    part.sources().iter().all(|s| whole.sources().binary_search(s).is_ok())
}

/// An operation of a kernel.
struct Computed<'m> {
    /// The computation whose operation it was before fusion.
    home: &'m str,
    comp: &'m Computation,
    id: InstrId,
}

impl<'m> Computed<'m> {
    fn instr(&self) -> &'m Instruction {
        &self.comp[self.id]
    }

    /// The instruction of the input that it stands for best.
    fn best(&self, names: &Names) -> Option<usize> {
        let Instruction { opcode, name, origin, .. } = self.instr();
        let makes = *opcode != Opcode::Constant && !groups(*opcode);
        names.working(name, origin).or_else(|| makes.then(|| names.constant(name, origin)).flatten())
    }
}

/// Whether an operation computes nothing itself: others inside it do, or those that it puts together.
fn groups(opcode: Opcode) -> bool {
    is_control(opcode) || opcode.class() == Class::Structure
}

/// The operations of a kernel: of a fusion or a loop, all in it.
fn computed<'m>(module: &'m Module, comp: &'m Computation, id: InstrId) -> Vec<Computed<'m>> {
    let mut all = vec![Computed { home: &comp.name, comp, id }];
    let mut next = 0;
    while let Some(&Computed { home, comp, id }) = all.get(next) {
        next += 1;
        let instr = &comp[id];
        if !is_control(instr.opcode) {
            continue;
        }
        for called in instr.attrs.called() {
            let comp = &module[called];
            let home = if instr.opcode == Opcode::Fusion { home } else { &comp.name };
            let inside = comp.iter().filter(|(_, i)| i.opcode != Opcode::Parameter);
            all.extend(inside.map(|(id, _)| Computed { home, comp, id }));
        }
    }
    all
}

/// Whether an operation only renames the bytes of an array that the kernel reads, which costs nothing.
fn only_renames(comp: &Computation, mut id: InstrId) -> bool {
    let free = |id| {
        matches!(comp[id].opcode, Opcode::Reshape | Opcode::Copy | Opcode::Bitcast) || only_moves(comp, id)
    };
    while free(id) {
        id = comp[id].operands[0];
        if comp[id].opcode == Opcode::Parameter {
            return true;
        }
    }
    false
}

/// Whether an operation only moves what it reads, and stands for nothing but what made that.
pub fn only_moves(comp: &Computation, id: InstrId) -> bool {
    let instr = &comp[id];
    let moves = matches!(instr.opcode, Opcode::Transpose | Opcode::Reshape | Opcode::Copy);
    moves && instr.operands.first().is_some_and(|o| is_part(&instr.origin, &comp[*o].origin))
}
