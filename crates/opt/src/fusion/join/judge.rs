//! Whether a joint computation is one kernel, and what it costs.

use super::body::Joint;
use crate::fusion::instruction::{MAX_ARRAYS, MAX_NODES};
use crate::fusion::legal::planned;
use lawson_hlo::{Attrs, Computation, Instruction, Module, Opcode, Shape};
use lawson_kernel::cost::Cost;
use lawson_kernel::figures;
use lawson_kernel::plan::roots_of;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::{Kind, Node, Region, Source, Stage};
use lawson_kernel::target::Target;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// What a kernel is and costs.
#[derive(Clone, Debug)]
pub struct Quote {
    pub cost: Cost,
    /// Rows that one stage combines are read again by another.
    pub staged: bool,
    /// Arrays updated in place.
    pub updates: usize,
}

/// What a computation does, whatever its names: for each instruction the number of its operation, how many operands
/// it has, and these; then the root.
type Key = Box<[u32]>;

/// Quotes of one walk over a module: equal computations are planned once.
#[derive(Default)]
pub struct Judge {
    known: FxHashMap<Key, Result<Quote, Refusal>>,
    /// Operations and their numbers, by hash.
    operations: FxHashMap<u64, Vec<(Opcode, Shape, Attrs, u32)>>,
    /// Operations that have a number.
    numbered: u32,
    /// Plans made.
    pub plans: u64,
}

impl Judge {
    /// Plans the kernel of a joint computation.
    pub fn quote(&mut self, module: &Module, joint: &Joint, target: &Target) -> Result<Quote, Refusal> {
        let key = self.key(&joint.computation);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.plans += 1;
        let quote = quote(module, joint, target);
        self.known.insert(key, quote.clone());
        quote
    }

    fn key(&mut self, comp: &Computation) -> Key {
        let mut key = Vec::with_capacity(4 * comp.instrs.len() + 1);
        for instr in &comp.instrs {
            key.extend([self.number(instr), instr.operands.len() as u32]);
            key.extend(instr.operands.iter().map(|o| o.0));
        }
        key.push(comp.root.0);
        key.into()
    }

    fn number(&mut self, instr: &Instruction) -> u32 {
        let mut hasher = FxHasher::default();
        (instr.opcode, &instr.shape, &instr.attrs).hash(&mut hasher);
        let alike = self.operations.entry(hasher.finish()).or_default();
        let equal = |(opcode, shape, attrs, _): &&(Opcode, Shape, Attrs, u32)| {
            (*opcode, shape, attrs) == (instr.opcode, &instr.shape, &instr.attrs)
        };
        if let Some((.., number)) = alike.iter().find(equal) {
            return *number;
        }
        self.numbered += 1;
        alike.push((instr.opcode, instr.shape.clone(), instr.attrs.clone(), self.numbered));
        self.numbered
    }
}

/// Whether a kernel can take so many arrays.
///
/// # Errors
/// That it cannot.
pub fn fits(arrays: usize) -> Result<(), Refusal> {
    match arrays > MAX_ARRAYS {
        true => Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS }),
        false => Ok(()),
    }
}

fn quote(module: &Module, joint: &Joint, target: &Target) -> Result<Quote, Refusal> {
    let (nodes, arrays) = (joint.nodes(), joint.arrays());
    if nodes > MAX_NODES {
        return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
    }
    fits(arrays)?;
    let (region, plan) = planned(module, &joint.computation, target)?;
    let cost = figures::count(&region, &plan, target).cost();
    Ok(Quote { cost, staged: is_staged(&region), updates: region.aliases.len() })
}

/// Whether what one stage combines is read by another that combines, or by one over other points.
fn is_staged(region: &Region) -> bool {
    let combines = |stage: &Stage| !matches!(stage.kind, Kind::Map { .. });
    region.stages.iter().any(|stage| {
        region.reachable(&roots_of(stage)).into_iter().any(|id| match region.node(id) {
            Node::Load { source: Source::Stage { stage: from, .. }, .. } => {
                let from = &region.stages[*from as usize];
                combines(from) && (combines(stage) || from.space != stage.space)
            }
            _ => false,
        })
    })
}

/// The time of kernels that use the same memory together, in µs.
pub fn us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.us_among(working_set, target)).sum()
}

/// The same on a machine that has registers enough.
pub fn unspilled_us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.unspilled().us_among(working_set, target)).sum()
}
