//! Reading and printing HLO text.

mod attributes;
mod devices;
mod dialects;
mod errors;
mod limits;
mod literals;
mod mutation;
mod order;
mod round_trip;

use lawson_hlo::{Computation, Instruction, Module, Origin};

/// Reads text that must be right.
#[track_caller]
fn parse(text: &str) -> Module {
    Module::parse(text).unwrap_or_else(|e| panic!("{}", e.render("test", text)))
}

/// Reads a module whose entry has these instructions.
#[track_caller]
fn entry(instructions: &str) -> Module {
    parse(&format!("HloModule m\nENTRY e {{\n{instructions}\n}}\n"))
}

/// The instruction of that name in the entry.
#[track_caller]
fn find<'m>(module: &'m Module, name: &str) -> &'m Instruction {
    let comp = module.entry();
    &comp[comp.find(name).unwrap_or_else(|| panic!("no {name} in\n{module}"))]
}

/// The module without what depends on the place of the text.
fn placeless(module: &Module) -> Module {
    let mut module = module.clone();
    module.sources.clear();
    module
        .computations
        .iter_mut()
        .flat_map(|c: &mut Computation| &mut c.instrs)
        .for_each(|i| i.origin = Origin::default());
    module
}

/// Reads, prints and reads again: both modules and both texts must be equal. Gives the printed text.
#[track_caller]
fn round_trip(text: &str) -> String {
    let module = parse(text);
    let printed = module.to_string();
    let again = parse(&printed);
    assert!(placeless(&module) == placeless(&again), "the module changed in\n{text}\nprinted as\n{printed}");
    assert_eq!(again.to_string(), printed);
    printed
}

/// Reads an entry with these instructions there and back; gives its printed instructions without indentation.
#[track_caller]
fn round_trip_entry(instructions: &str) -> Vec<String> {
    let printed = round_trip(&format!("HloModule m\nENTRY e {{\n{instructions}\n}}\n"));
    let body = printed.split("ENTRY e {\n").nth(1).and_then(|b| b.split("\n}").next()).unwrap_or_default();
    body.lines().map(|l| l.trim().to_string()).collect()
}
