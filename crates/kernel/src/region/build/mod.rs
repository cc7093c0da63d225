//! From HLO to a region.
//!
//! [`build`] walks the instructions between a boundary and the roots. An operation that combines elements becomes a
//! stage (`hero`, `loop_stage` for a `while`), and so does a value that several stages need (`shared`); everything else
//! becomes part of the expression that reads it (`value`, `movement`). All of them add to one `builder`.

mod builder;
mod few;
mod hero;
mod instances;
mod memo;
mod movement;
mod position;
mod quotient;
mod scatter_dims;
mod shared;
mod update;
mod value;
mod while_loop;

pub use builder::is_hero;
pub use hero::cumulative_dim;
pub use movement::MAX_PIECES;
pub use update::reads_what_is_replaced;
pub use while_loop::known_trips;

use super::{Kind, Region, Stage};
use crate::refusal::Refusal;
use builder::{Builder, Output, SMALL, array_of, host};
use lawson_hlo::index::{Affine, Space};
use lawson_hlo::{Computation, InstrId, Module, Opcode};
use memo::Memo;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The instructions a region is made of: those that `roots` need, as far as `inputs`.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    pub computation: &'a Computation,
    /// Array values read from memory, in the order of the region's inputs.
    pub inputs: &'a [InstrId],
    /// Values written to memory; a tuple gives its elements, a multi-result operation all its results.
    pub roots: &'a [InstrId],
}

/// Builds the region of a cut.
///
/// # Errors
/// The refusal of the first instruction that cannot be part of a kernel.
pub fn build(module: &Module, name: &str, cut: Cut<'_>) -> Result<Region, Refusal> {
    build_as(module, name, cut, false)
}

/// The same, where a value that several stages need is evaluated in each: nothing but what combines elements is kept.
///
/// # Errors
/// As [`build`].
pub fn build_repeating(module: &Module, name: &str, cut: Cut<'_>) -> Result<Region, Refusal> {
    build_as(module, name, cut, true)
}

fn build_as(module: &Module, name: &str, cut: Cut<'_>, repeats: bool) -> Result<Region, Refusal> {
    let mut updates = Updates::InMemory;
    let built = build_with(module, name, cut, (repeats, &mut updates));
    match (built, updates) {
        (Err(refusal), Updates::Found) => {
            let in_registers = build_with(module, name, cut, (repeats, &mut Updates::InRegisters));
            in_registers.map_err(|_| refusal)
        }
        (built, _) => built,
    }
}

/// Where loops keep arrays of which a trip changes a few elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Updates {
    /// Where they lie, if there are such.
    InMemory,
    /// There are such.
    Found,
    InRegisters,
}

fn build_with(
    module: &Module,
    name: &str,
    cut: Cut<'_>,
    (repeats, updates): (bool, &mut Updates),
) -> Result<Region, Refusal> {
    let mut region = Region { name: name.to_string(), ..Region::default() };
    let mut inputs = FxHashMap::with_capacity_and_hasher(cut.inputs.len(), FxBuildHasher);
    region.inputs.reserve(cut.inputs.len());
    for (n, &id) in cut.inputs.iter().enumerate() {
        let instr = &cut.computation[id];
        region.inputs.push(array_of(&instr.name, instr.shape.as_array().ok_or(host(instr))?));
        inputs.insert(id, n as u32);
    }
    let mut cx = Builder {
        module,
        comp: cut.computation,
        region: &mut region,
        inputs,
        stages: FxHashMap::default(),
        memo: Memo::default(),
        space: Space::default(),
        guard: None,
        promote: false,
        in_function: false,
        repeats,
        pieces: 0,
        state: None,
    };
    let outputs = cx.outputs(cut.roots)?;
    let needed = cx.needed(&outputs);
    let loops = cx.loops_of(&needed)?;
    if loops.is_empty() {
        cx.heroes(&outputs, &needed)?;
        cx.finish(&outputs)?;
    } else {
        cx.loop_stage(&loops, &outputs, updates)?;
    }
    Ok(region)
}

impl Builder<'_> {
    /// Instructions the outputs need, operands first.
    fn needed(&self, outputs: &[Output]) -> Vec<InstrId> {
        let mut stack: Vec<InstrId> = outputs.iter().map(|o| o.0).collect();
        if self.comp.instrs.len() <= SMALL {
            let mut seen = [0u64; SMALL / 64];
            while let Some(id) = stack.pop() {
                let (word, bit) = (&mut seen[id.index() / 64], 1u64 << (id.index() % 64));
                if std::mem::replace(word, *word | bit) & bit == 0 && !self.inputs.contains_key(&id) {
                    stack.extend(&self.comp[id].operands);
                }
            }
            let all = (0..self.comp.instrs.len()).filter(|n| seen[n / 64] >> (n % 64) & 1 == 1);
            return all.map(|n| InstrId(n as u32)).collect();
        }
        // A set, since the region may be a small part of a large computation.
        let mut seen: FxHashSet<InstrId> = FxHashSet::default();
        let mut needed = Vec::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            needed.push(id);
            if !self.inputs.contains_key(&id) {
                stack.extend(&self.comp[id].operands);
            }
        }
        needed.sort_unstable();
        needed
    }

    /// Builds the stage of every operation that combines elements, and of values that several of them need.
    fn heroes(&mut self, outputs: &[Output], needed: &[InstrId]) -> Result<(), Refusal> {
        // Most instructions are one node.
        self.region.nodes.reserve(needed.len());
        self.region.types.reserve(needed.len());
        self.memo.nodes.reserve(needed.len());
        let sharing = self.sharing(outputs, needed);
        for &id in needed {
            let opcode = self.comp[id].opcode;
            let map = sharing.maps.contains(&id);
            let staged = map || is_hero(opcode) && !sharing.inlined.contains(&id);
            if self.inputs.contains_key(&id) || !staged {
                continue;
            }
            let stage = match opcode {
                _ if map => self.map_of(id)?,
                Opcode::DynamicUpdateSlice => match self.update_in_place(id, outputs)? {
                    Some(stage) => stage,
                    None => continue,
                },
                _ => self.hero(id)?,
            };
            self.stages.insert(id, self.region.stages.len() as u32);
            self.region.stages.push(stage);
        }
        Ok(())
    }

    /// Maps the outputs that are no stage's results, those of equal dimensions together.
    fn finish(&mut self, outputs: &[Output]) -> Result<(), Refusal> {
        let mut maps: Vec<(Vec<i64>, Vec<usize>)> = Vec::new();
        let mut sources = vec![(0, 0); outputs.len()];
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let instr = &self.comp[id];
            let shape = instr.shape.leaves()[result as usize].clone();
            self.region.outputs.push(array_of(&instr.name, &shape));
            if let Some(source) = self.stage_result(id, result) {
                sources[n] = source;
                continue;
            }
            match maps.iter_mut().find(|(dims, _)| *dims == shape.dims) {
                Some((_, members)) => members.push(n),
                None => maps.push((shape.dims.clone(), vec![n])),
            }
        }
        for (dims, members) in maps {
            self.enter(&dims, &[]);
            let index: Vec<Affine> = (0..dims.len()).map(Affine::axis).collect();
            let mut values = Vec::new();
            for &n in &members {
                sources[n] = (self.region.stages.len() as u32, values.len() as u32);
                values.push(self.value(outputs[n].0, &index)?);
            }
            let results = values.iter().map(|v| self.region.dtype(*v)).collect();
            let first = &self.comp[outputs[members[0]].0];
            let (name, opcode) = (first.name.to_string(), first.opcode);
            let elements = dims.iter().product();
            let kind = Kind::Map { values };
            self.region.stages.push(Stage {
                name,
                opcode,
                space: dims,
                inner: Vec::new(),
                kind,
                results,
                elements,
            });
        }
        self.region.output_sources = sources;
        self.alias_updates()?;
        super::siblings::join(self.region);
        super::factor_axes::factor_axes(self.region);
        Ok(())
    }
}
