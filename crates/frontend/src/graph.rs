//! A module under construction: it owns its finished computations, and every step can fail.
//!
//! A [`Graph`] holds the computations that are finished, callees before callers. [`Emit`] appends instructions to one that
//! is not ([`Body`]); [`Emit::computation`] opens another inside of it, for the body of a loop or a reduction. Traced
//! programs and the transformations of [`crate::grad`] and [`crate::vmap`] make code through it alone.

mod emit;
mod finish;
mod import;
pub mod marks;

pub use emit::Emit;

use lawson_hlo::builder::Body;
use lawson_hlo::module::{Header, Source};
use lawson_hlo::{CompId, Computation, DType, InstrId, Module, Opcode, Origin};
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::Location;
use std::sync::Arc;

/// The finished computations of a module under construction.
#[derive(Debug)]
pub struct Graph {
    module: Module,
    names: FxHashSet<Arc<str>>,
    /// What instructions of each line of the user's program come from.
    places: FxHashMap<(&'static str, u32), Origin>,
    /// Computations of one operation on two scalars, which reductions call.
    scalar: FxHashMap<(Opcode, DType), CompId>,
}

impl Graph {
    /// A graph without computations.
    pub fn new() -> Graph {
        Graph::of(Module {
            name: "lawson".into(),
            computations: Vec::new(),
            entry: CompId(0),
            header: Header::default(),
            sources: Vec::new(),
        })
    }

    /// A graph with the computations of a module that is verified, under their numbers.
    pub fn of(module: Module) -> Graph {
        let names = module.computations.iter().map(|c| c.name.clone()).collect();
        Graph { module, names, places: FxHashMap::default(), scalar: FxHashMap::default() }
    }

    /// What is finished so far. Its entry means nothing.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// A finished computation.
    pub fn computation(&self, id: CompId) -> &Computation {
        &self.module[id]
    }

    /// Finishes a computation, under that name or one like it.
    pub fn close(&mut self, name: &str, body: Body, root: InstrId) -> CompId {
        let free = self.free_name(name);
        self.module.computations.push(body.finish(free, root));
        CompId(self.module.computations.len() as u32 - 1)
    }

    /// That name, or one like it that no computation has; taken from now on.
    fn free_name(&mut self, name: &str) -> Arc<str> {
        let mut free: Arc<str> = name.into();
        let mut number = 0;
        while !self.names.insert(free.clone()) {
            number += 1;
            free = format!("{name}.{number}").into();
        }
        free
    }

    /// The origin of instructions that a line of the user's program makes.
    pub fn origin(&mut self, place: &'static Location<'static>) -> Origin {
        let sources = &mut self.module.sources;
        let origin = self.places.entry((place.file(), place.line())).or_insert_with(|| {
            let location = Some(format!("{}:{}", place.file(), place.line()).into());
            sources.push(Source { location, ..Source::default() });
            Origin::single(sources.len() as u32 - 1)
        });
        origin.clone()
    }
}

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}
