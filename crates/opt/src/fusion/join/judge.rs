//! Whether a joint computation is one kernel, and what it costs.

use super::body::Joint;
use crate::fusion::instruction::{MAX_ARRAYS, MAX_NODES};
use crate::fusion::legal::planned;
use lawson_hlo::{Attrs, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::cost::Cost;
use lawson_kernel::figures;
use lawson_kernel::plan::roots_of;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::{Kind, Node, Region, Source, Stage};
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;

/// What a kernel is and costs.
#[derive(Clone, Debug)]
pub struct Quote {
    pub cost: Cost,
    /// Rows that one stage combines are read again by another.
    pub staged: bool,
    /// Arrays updated in place.
    pub updates: usize,
}

/// What a computation does, whatever its names.
type Key = (Vec<(Opcode, Shape, Vec<InstrId>, Attrs)>, InstrId);

/// Quotes of one walk over a module: equal computations are planned once.
#[derive(Default)]
pub struct Judge {
    known: FxHashMap<Key, Result<Quote, Refusal>>,
    /// Plans made.
    pub plans: u64,
}

impl Judge {
    /// Plans the kernel of a joint computation.
    pub fn quote(&mut self, module: &Module, joint: &Joint, target: &Target) -> Result<Quote, Refusal> {
        let comp = &joint.computation;
        let what = |i: &Instruction| (i.opcode, i.shape.clone(), i.operands.clone(), i.attrs.clone());
        let key = (comp.instrs.iter().map(what).collect(), comp.root);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.plans += 1;
        let quote = quote(module, joint, target);
        self.known.insert(key, quote.clone());
        quote
    }
}

fn quote(module: &Module, joint: &Joint, target: &Target) -> Result<Quote, Refusal> {
    let (nodes, arrays) = (joint.nodes(), joint.arrays());
    if nodes > MAX_NODES {
        return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
    }
    if arrays > MAX_ARRAYS {
        return Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS });
    }
    let (region, plan) = planned(module, &joint.computation, target)?;
    let counted = figures::count(&region, &plan);
    let cost = Cost {
        bytes_read: counted.bytes_read,
        bytes_written: counted.bytes_written,
        work: counted.work as f64,
    };
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
