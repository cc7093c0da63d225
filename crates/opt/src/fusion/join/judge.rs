//! Whether a body is one kernel, and what it costs.

use super::body::Body;
use super::host::Host;
use crate::fusion::instruction::{MAX_ARRAYS, MAX_NODES};
use crate::fusion::legal::planned;
use crate::numbers::Numbers;
use lawson_hlo::Module;
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
    /// Operations of its code.
    pub operations: usize,
}

/// Quotes of one walk over a module: equal bodies are planned once.
#[derive(Default)]
pub struct Judge {
    pub numbers: Numbers,
    known: FxHashMap<Vec<u32>, Result<Quote, Refusal>>,
    /// Plans made.
    pub plans: u64,
}

impl Judge {
    /// Plans the kernel of a body.
    pub fn quote(
        &mut self,
        (module, host): (&Module, &Host<'_>),
        body: Body,
        target: &Target,
    ) -> Result<Quote, Refusal> {
        if let Some(known) = self.known.get(&body.code) {
            return known.clone();
        }
        self.plans += 1;
        let quote = quote((module, host), &body, target);
        self.known.insert(body.code, quote.clone());
        quote
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

fn quote((module, host): (&Module, &Host<'_>), body: &Body, target: &Target) -> Result<Quote, Refusal> {
    let operations = body.operations(module, host);
    if operations > MAX_NODES {
        return Err(Refusal::CodeSize { nodes: operations, limit: MAX_NODES });
    }
    fits(body.arrays())?;
    let (region, plan) = planned(module, &body.write(module, host), target)?;
    let cost = figures::count(&region, &plan, target).cost();
    Ok(Quote { cost, staged: is_staged(&region), updates: region.aliases.len(), operations })
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
