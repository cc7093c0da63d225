//! Whether a joint computation is one kernel, and what it costs.

use super::body::Joint;
use crate::fusion::instruction::{MAX_ARRAYS, MAX_NODES};
use crate::fusion::legal::planned;
use lawson_hlo::Module;
use lawson_kernel::cost::Cost;
use lawson_kernel::figures;
use lawson_kernel::plan::roots_of;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::{Kind, Node, Region, Source, Stage};
use lawson_kernel::target::Target;

/// What a kernel is and costs.
#[derive(Clone, Debug)]
pub struct Quote {
    pub cost: Cost,
    /// Its stages follow each other on every row.
    pub staged: bool,
    /// Arrays updated in place.
    pub updates: usize,
}

/// Plans the kernel of a joint computation.
pub fn quote(module: &Module, joint: &Joint, target: &Target) -> Result<Quote, Refusal> {
    let (nodes, arrays) = (joint.nodes(), joint.arrays());
    if nodes > MAX_NODES {
        return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
    }
    if arrays > MAX_ARRAYS {
        return Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS });
    }
    let (region, plan) = planned(module, &joint.computation, target)?;
    let counted = figures::count(&region);
    let cost = Cost {
        bytes_read: counted.bytes_read,
        bytes_written: counted.bytes_written,
        work: counted.work as f64,
    };
    Ok(Quote { cost, staged: plan.nest.is_some(), updates: region.aliases.len() })
}

/// The time of kernels that use the same memory together, in µs.
pub fn us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.us_among(working_set, target)).sum()
}
