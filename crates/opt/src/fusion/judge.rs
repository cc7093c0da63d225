//! Whether a computation is one kernel, and what that costs: whichever pass asks, equal computations are planned once.

use super::legal::planned;
use crate::numbers::Numbers;
use lawson_hlo::{Computation, Module, Opcode};
use lawson_kernel::cost::Cost;
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
    /// Operations of its code.
    pub operations: usize,
    /// Whether some of its time is for elements that do not lie as it reads or writes them.
    pub strided: bool,
}

/// What is known of computations as kernels, from the first pass that fuses to the last.
#[derive(Default)]
pub struct Judge {
    pub numbers: Numbers,
    /// By the numbers of their operations: see [`Numbers::code`].
    known: FxHashMap<Vec<u32>, Result<Quote, Refusal>>,
    /// Plans made since the running pass began.
    plans: u64,
}

impl Judge {
    /// Begins a pass.
    pub fn begin(&mut self) {
        self.numbers.forget_positions();
        self.plans = 0;
    }

    /// Plans made since then.
    pub fn plans(&self) -> u64 {
        self.plans
    }

    /// Plans the kernel of the computation that has this code, unless that is known. Parameters stand first, in their
    /// order, and are numbered by their shapes.
    pub fn quote(
        &mut self,
        module: &Module,
        code: &[u32],
        write: impl FnOnce() -> Computation,
        target: &Target,
    ) -> Result<Quote, Refusal> {
        if let Some(known) = self.known.get(code) {
            return known.clone();
        }
        self.plans += 1;
        let quote = quote(module, &write(), target);
        self.known.insert(code.to_vec(), quote.clone());
        quote
    }
}

fn quote(module: &Module, body: &Computation, target: &Target) -> Result<Quote, Refusal> {
    let (region, figures) = planned(module, body, target)?;
    Ok(Quote {
        cost: figures.cost(),
        staged: is_staged(&region),
        updates: region.aliases.len(),
        operations: operations(body),
        strided: figures.strided > 0,
    })
}

/// Operations of the code of a fused computation.
pub fn operations(computation: &Computation) -> usize {
    computation.instrs.iter().filter(|i| !is_quiet(i.opcode)).count()
}

/// Whether an instruction of a fused computation is no code.
pub fn is_quiet(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Parameter | Opcode::Constant | Opcode::Tuple)
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
