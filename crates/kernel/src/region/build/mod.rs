//! From HLO to a region.
//!
//! [`build`] walks the instructions between a boundary and the roots. An operation that combines elements becomes
//! a stage ([`hero`]), and so does a value that several stages need ([`shared`]); everything else becomes part of the expression that reads it ([`value`], [`movement`]).

mod few;
mod hero;
mod lanes;
mod looped;
mod movement;
mod shared;
mod update;
mod value;

pub use hero::cumulative_dim;
pub use looped::known_trips;
pub use update::reads_what_is_replaced;

use super::{Array, Function, Kind, Node, NodeId, Region, Source, Stage};
use crate::refusal::Refusal;
use lawson_hlo::index::{Affine, Space, linearize};
use lawson_hlo::{ArrayShape, Attrs, Computation, DType, InstrId, Instruction, Module, Opcode};
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
        state: None,
    };
    let outputs = cx.outputs(cut.roots)?;
    let needed = cx.needed(&outputs);
    match cx.loop_of(&needed)? {
        Some(id) => cx.looped(id, &outputs)?,
        None => {
            cx.heroes(&outputs, &needed)?;
            cx.finish(&outputs)?;
        }
    }
    Ok(region)
}

/// An output: an instruction, and which of its results.
type Output = (InstrId, u32);

struct Builder<'a> {
    module: &'a Module,
    comp: &'a Computation,
    region: &'a mut Region,
    inputs: FxHashMap<InstrId, u32>,
    stages: FxHashMap<InstrId, u32>,
    /// Expressions of the stage being built.
    memo: Memo,
    /// Axes of the stage being built, and all symbols.
    space: Space,
    /// Loads happen only where this holds.
    guard: Option<NodeId>,
    /// f16 and bf16 are computed in f32 (combiners).
    promote: bool,
    /// Parameters are arguments.
    in_function: bool,
    /// No value is kept for several stages.
    repeats: bool,
    /// The loop whose expressions these are.
    state: Option<Box<looped::State<'a>>>,
}

/// Expressions by element and guard.
#[derive(Default)]
struct Memo {
    /// Elements by instruction and the number of the index.
    nodes: FxHashMap<(InstrId, u32, Option<NodeId>), NodeId>,
    /// The number of each index.
    numbers: FxHashMap<Vec<Affine>, u32>,
    /// The last one that was asked for: what an elementwise operation reads has its own index.
    last: Option<(Vec<Affine>, u32)>,
}

impl Memo {
    fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.last = None;
    }

    /// The number of an index.
    fn number(&mut self, index: &[Affine]) -> u32 {
        if let Some((last, number)) = &self.last
            && last == index
        {
            return *number;
        }
        let next = self.numbers.len() as u32;
        let number = match self.numbers.get(index) {
            Some(&known) => known,
            None => {
                self.numbers.insert(index.to_vec(), next);
                next
            }
        };
        self.last = Some((index.to_vec(), number));
        number
    }
}

fn array_of(name: &str, shape: &ArrayShape) -> Array {
    Array { name: name.to_string(), dtype: shape.dtype, elements: shape.elements() }
}

fn host(instr: &Instruction) -> Refusal {
    match instr.opcode {
        Opcode::OptimizationBarrier => Refusal::Barrier,
        opcode => Refusal::Host { opcode },
    }
}

/// A computation of so many instructions is a small one.
const SMALL: usize = 1024;

/// Operations that become stages of their own.
pub fn is_hero(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Reduce | ReduceWindow | Dot | Convolution | Scatter | Sort | SelectAndScatter | DynamicUpdateSlice
    )
}

impl Builder<'_> {
    /// The type arithmetic on `dtype` happens in here.
    fn working(&self, dtype: DType) -> DType {
        if self.promote { dtype.accumulator() } else { dtype }
    }

    fn outputs(&self, roots: &[InstrId]) -> Result<Vec<Output>, Refusal> {
        let mut outputs = Vec::new();
        for &root in roots {
            let instr = &self.comp[root];
            if instr.opcode == Opcode::Tuple {
                outputs.extend(self.outputs(&instr.operands)?);
            } else {
                let results = instr.shape.leaves().len() as u32;
                outputs.extend((0..results).map(|r| (root, r)));
            }
        }
        Ok(outputs)
    }

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
        super::split::split(self.region);
        Ok(())
    }

    /// The stage result an instruction is, directly or as the element of a multi-result operation.
    fn stage_result(&self, id: InstrId, result: u32) -> Option<(u32, u32)> {
        let instr = &self.comp[id];
        if self.inputs.contains_key(&id) {
            return None;
        }
        if let (Opcode::GetTupleElement, Attrs::TupleIndex(i)) = (instr.opcode, &instr.attrs) {
            return Some((*self.stages.get(&instr.operands[0])?, *i as u32));
        }
        Some((*self.stages.get(&id)?, result))
    }

    /// Begins a stage over these axes.
    fn enter(&mut self, space: &[i64], inner: &[i64]) {
        self.memo.clear();
        self.guard = None;
        self.space.axes = space.iter().chain(inner).map(|&n| (0, (n - 1).max(0))).collect();
    }

    fn shape(&self, id: InstrId) -> Result<&ArrayShape, Refusal> {
        let instr = &self.comp[id];
        instr.shape.as_array().ok_or_else(|| host(instr))
    }

    /// A load of the element at `index`, guarded unless the index is always in range.
    fn load(&mut self, source: Source, dtype: DType, dims: &[i64], index: &[Affine]) -> NodeId {
        let inside = |(i, &n): (&Affine, &i64)| {
            let (lo, hi) = i.range(&self.space);
            lo >= 0 && hi < n
        };
        let mask = if index.iter().zip(dims).all(inside) { None } else { self.guard };
        let offset = linearize(index, dims);
        let node = self.region.add(Node::Load { source, offset, mask }, dtype);
        let working = self.working(dtype);
        self.convert(node, working)
    }

    fn constant(&mut self, dtype: DType, bits: u64) -> NodeId {
        self.region.add(Node::Constant { bits }, dtype)
    }

    fn binary(&mut self, opcode: Opcode, x: NodeId, y: NodeId) -> NodeId {
        let dtype = self.region.dtype(x);
        self.region.add(Node::Binary { opcode, dtype, x, y }, dtype)
    }

    fn convert(&mut self, x: NodeId, to: DType) -> NodeId {
        let from = self.region.dtype(x);
        if from == to { x } else { self.region.add(Node::Convert { from, x }, to) }
    }

    /// The conjunction of two conditions; `None` is true.
    fn and(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.binary(Opcode::And, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// `lo <= value < hi`, or `None` where it always holds.
    fn in_range(&mut self, value: &Affine, lo: i64, hi: i64) -> Option<NodeId> {
        let (min, max) = value.range(&self.space);
        (min < lo || max >= hi)
            .then(|| self.region.add(Node::InRange { value: value.clone(), lo, hi }, DType::Pred))
    }

    /// The function of a called computation, with f16 and bf16 in f32 if `promote`.
    fn function(&mut self, computation: lawson_hlo::CompId, promote: bool) -> Result<Function, Refusal> {
        let comp = &self.module[computation];
        let mut cx = Builder {
            module: self.module,
            comp,
            region: self.region,
            inputs: FxHashMap::default(),
            stages: FxHashMap::default(),
            memo: Memo::default(),
            space: Space::default(),
            guard: None,
            promote,
            in_function: true,
            repeats: false,
            state: None,
        };
        let mut arguments = Vec::new();
        for shape in comp.parameter_shapes() {
            let array = shape.as_array().ok_or(Refusal::Host { opcode: Opcode::Tuple })?;
            arguments.push(cx.working(array.dtype));
        }
        let outputs = cx.outputs(&[comp.root])?;
        let mut results = Vec::new();
        for (id, _) in outputs {
            let index = vec![Affine::constant(0); cx.shape(id)?.rank()];
            results.push(cx.value(id, &index)?);
        }
        Ok(Function { arguments, results })
    }
}
