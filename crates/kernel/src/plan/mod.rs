//! Plans: how a region becomes a kernel. A plan is a value that can be printed; lowering follows it.

mod axes;
mod branches;
mod contract;
mod dependence;
mod epilogue;
mod exprs;
mod kernel;
mod lane;
mod loads;
mod looped;
mod map;
mod map_schedule;
mod near;
pub mod nest;
mod prefetch;
mod reduce;
mod rows;
mod schedule;
pub mod segments;
mod settle;
mod simple;
mod split;
mod stages;
mod take_over;
mod text;
mod vector;
mod verify;
mod work;

pub use axes::Axes;
pub use branches::Branch;
pub use contract::{ContractSchedule, Passes};
pub use dependence::{Dependence, point_dependence, varying};
pub use kernel::{Body, Plan, Price, Segments, Sizes};
pub use lane::Lane;
pub use looped::LoopSchedule;
pub use map_schedule::{MapSchedule, Split, Transpose};
pub use near::{Near, Role};
pub use nest::{Block, Member, Nest, Tile};
pub use prefetch::Prefetch;
pub use reduce::{ReduceSchedule, Shape as ReduceShape};
pub use schedule::{Group, Schedule, Scheduled};
pub use settle::{region, settled};
pub use simple::{ScanSchedule, SortSchedule, UpdateSchedule};
pub use split::MAX_PARTS;
pub use take_over::taken_over;
pub use vector::lanes_within;
pub use verify::verify;
pub use work::point_cost;

use crate::refusal::Refusal;
use crate::region::Region;
use crate::target::Target;
use stages::plan_stages;

/// Plans a region for a target. Parts that share a launch are divided into tasks by their `price`.
///
/// # Errors
/// Never for a region of one instruction that [`crate::region::build`] accepts.
pub fn plan(region: &Region, target: &Target, price: Price) -> Result<Plan, Refusal> {
    if region.parts.is_empty() {
        return plan_stages(region, target);
    }
    let segments = Some(segments::segments(region, target, price)?);
    Ok(Plan { segments, ..Plan::default() })
}
