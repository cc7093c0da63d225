//! From operations in memory to HLO: one computation for each function and for each region that an operation calls.
//!
//! `ops` is the table of operations; beside it stands a file for each family. A function of several results returns a
//! tuple. What happens on one device only is said there: shardings are nothing, collectives have one member.

mod approx_top_k;
mod bitcast;
mod chlo;
mod collective;
mod constant;
mod contraction;
mod control;
mod custom;
mod elementwise;
mod frame;
mod indexing;
mod lexicographic;
mod library;
mod movement;
mod ops;
mod ragged;
mod reduction;
mod region;
mod sources;

pub use ops::OPS;

use crate::error::{Error, Place, Result};
use crate::ir;
use frame::Frame;
use lawson_hlo::attrs::CompareOrder;
use lawson_hlo::module::{Alias, Donor, Header};
use lawson_hlo::verify::verify;
use lawson_hlo::{Attrs, CompId, Computation, Module, Shape};
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Sources;
use std::sync::Arc;

/// How deep calls and regions may nest together.
const MAX_NESTING: usize = 150;

/// The HLO module of a program, verified.
pub fn module(program: &ir::Module) -> Result<Module> {
    let mut functions = FxHashMap::default();
    for (i, function) in program.functions.iter().enumerate() {
        if functions.insert(&*function.name, i).is_some() {
            let message = format!("a second function {}", function.name);
            return Err(Error::malformed(function.place, message));
        }
    }
    let entry = match (functions.get("main"), &program.functions[..]) {
        (Some(&entry), _) => entry,
        (None, [_]) => 0,
        (None, all) => {
            let place = all.first().map_or(Place::Unknown, |f| f.place);
            return Err(Error::malformed(place, "there is no function @main, where the program begins"));
        }
    };
    let mut converter = Converter {
        program,
        out: Module {
            name: if program.name.is_empty() { "module".into() } else { identifier(&program.name).into() },
            computations: Vec::new(),
            entry: CompId(0),
            header: Header::default(),
            sources: Vec::new(),
        },
        functions,
        progress: vec![Progress::Unread; program.functions.len()],
        names: FxHashMap::default(),
        depth: 0,
        sources: Sources::default(),
    };
    converter.out.entry = converter.function(entry, program.functions[entry].place)?;
    converter.out.header = header(program, &program.functions[entry]);
    let module = converter.sources.finish(converter.out);
    // Operations were checked one by one; this is about what the module says of itself, and how large it is.
    match verify(&module) {
        Ok(()) => Ok(module),
        Err(faults) => {
            let fault = faults.first().map_or(String::new(), |f| f.to_string());
            Err(Error::malformed(program.functions[entry].place, fault))
        }
    }
}

/// What is made, and what it is made from.
pub struct Converter<'p> {
    program: &'p ir::Module,
    /// Callees before callers, so those that are called are there.
    out: Module,
    functions: FxHashMap<&'p str, usize>,
    progress: Vec<Progress>,
    /// The names of computations, with the number that was last tried after each.
    names: FxHashMap<Arc<str>, usize>,
    depth: usize,
    sources: Sources,
}

#[derive(Clone, Copy)]
enum Progress {
    Unread,
    Open,
    Done(CompId),
}

impl<'p> Converter<'p> {
    /// The computation of the function of that name.
    pub fn callee(&mut self, name: &str, place: Place) -> Result<CompId> {
        match self.functions.get(name) {
            Some(&number) => self.function(number, place),
            None => Err(Error::malformed(place, format!("there is no function @{name}"))),
        }
    }

    fn function(&mut self, number: usize, place: Place) -> Result<CompId> {
        let function = &self.program.functions[number];
        match self.progress[number] {
            Progress::Done(comp) => return Ok(comp),
            Progress::Open => {
                return Err(Error::malformed(place, format!("function @{} calls itself", function.name)));
            }
            Progress::Unread => {}
        }
        self.deeper(place)?;
        self.progress[number] = Progress::Open;
        let comp = Frame::of_function(self, function)?;
        self.depth -= 1;
        self.progress[number] = Progress::Done(comp);
        Ok(comp)
    }

    /// A computation whose comparisons of floats are those of the total order.
    pub fn in_total_order(&mut self, comp: CompId) -> CompId {
        let mut total = self.out[comp].clone();
        for at in 0..total.instrs.len() {
            let compared = total.instrs[at].operands.first().and_then(|&x| total[x].shape.as_array());
            let is_float = compared.is_some_and(|array| array.dtype.is_float());
            if let Attrs::Compare { order, .. } = &mut total.instrs[at].attrs
                && is_float
            {
                *order = CompareOrder::TotalOrder;
            }
        }
        self.add(total)
    }

    /// Counts one more level of calls and regions.
    fn deeper(&mut self, place: Place) -> Result<()> {
        self.depth += 1;
        match self.depth > MAX_NESTING {
            true => {
                Err(Error::unsupported(place, format!("calls and regions nest more than {MAX_NESTING} deep")))
            }
            false => Ok(()),
        }
    }

    /// Adds a finished computation under a name of its own.
    pub fn add(&mut self, mut computation: Computation) -> CompId {
        let wanted: Arc<str> = identifier(&computation.name).into();
        let mut free = wanted.clone();
        let mut number = self.names.get(&wanted).copied().unwrap_or(0);
        while self.names.contains_key(&free) {
            number += 1;
            free = format!("{wanted}.{number}").into();
        }
        self.names.insert(free.clone(), 0);
        self.names.insert(wanted, number);
        computation.name = free;
        self.out.computations.push(computation);
        CompId(self.out.computations.len() as u32 - 1)
    }
}

/// A name as HLO has them.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '_' };
    let name: String = name.chars().take(200).map(plain).collect();
    match name.chars().next() {
        Some(c) if c.is_ascii_alphabetic() || c == '_' => name,
        _ => format!("_{name}"),
    }
}

/// How many devices the program is for, and which arguments it gives up.
fn header(program: &ir::Module, entry: &ir::Function) -> Header {
    let mut header = Header::default();
    for (key, name) in [("mhlo.num_replicas", "replica_count"), ("mhlo.num_partitions", "num_partitions")] {
        let attr = program.attrs.iter().find(|(n, _)| &**n == key).and_then(|(_, a)| a.int());
        if let Some(n) = attr.filter(|&n| n != 1) {
            header.rest.push((name.into(), n.to_string()));
        }
    }
    let several = entry.results.len() != 1;
    let mut taken = FxHashSet::default();
    for (parameter, attrs) in entry.arg_attrs.iter().enumerate() {
        let aliased = attrs.get("tf.aliasing_output").and_then(|a| a.int());
        let output = aliased.and_then(|n| usize::try_from(n).ok()).filter(|&n| n < entry.results.len());
        if let Some(output) = output.filter(|n| taken.insert(*n)) {
            let output = if several { vec![output] } else { Vec::new() };
            header.aliases.push(Alias { output, parameter, parameter_index: Vec::new(), must: false });
        } else if attrs.get("jax.buffer_donor").and_then(|a| a.bool()) == Some(true) {
            header.donors.push(Donor { parameter, parameter_index: Vec::new() });
        }
    }
    header
}

/// The shape of several values together: bare where there is one.
fn together(shapes: Vec<Shape>) -> Shape {
    match <[Shape; 1]>::try_from(shapes) {
        Ok([one]) => one,
        Err(shapes) => Shape::Tuple(shapes),
    }
}
