//! Plans: how a region becomes a kernel. A plan is a value that can be printed; lowering follows it.

mod alternatives;
mod ascending;
mod axes;
mod batch_lanes;
mod beside;
mod block_squares;
mod block_tile;
mod branches;
mod choice;
mod contract;
mod dependence;
mod epilogue;
mod exprs;
mod free_sums;
mod gather;
mod halves;
mod halving;
mod in_order;
mod index_set_split;
mod inverses;
mod kernel;
mod line_by_line;
mod loads;
mod long_chains;
mod loop_schedule;
mod map;
mod map_schedule;
mod materialize;
mod matrices;
mod narrow;
pub mod nest;
mod next_row;
mod pieces;
mod prefetch;
mod prefetch_distance;
mod product_loops;
mod product_reads;
mod product_tasks;
mod readings;
mod reciprocals;
mod reduce;
mod register_tile;
mod row_ahead;
mod row_lanes;
mod rows;
mod rows_apart;
mod schedule;
mod scratchpad;
pub mod segments;
mod select_and_scatter;
mod short_rows;
mod shuffle_rounds;
mod side_by_side;
mod simple;
mod sort;
mod sort_method;
mod stages;
mod stored_together;
mod take_over;
mod tasks;
mod team;
mod text;
mod tile_registers;
mod turned_results;
mod under_way;
mod update;
mod vector;
mod verify;
mod words;
mod work;

pub use alternatives::{Alternative, alternatives};
pub use ascending::ascending_comparisons;
pub use axes::Axes;
pub use block_squares::BlockSquares;
pub use branches::Branch;
pub use choice::Choice;
pub use contract::{ContractSchedule, Passes};
pub use dependence::{Dependence, point_dependence, reach_of_data, varying};
pub use free_sums::free_sums;
pub use gather::{Gathered, Parted};
pub use in_order::{InOrder, MOST_LOADED, is_loaded_as_run};
pub use index_set_split::MAX_PARTS;
pub use inverses::{CHAINS, Inverses, is_inverse};
pub use kernel::{Body, Plan, PrefetchDistance, Price, Segments, Sizes};
pub use loop_schedule::{LoopSchedule, private_bytes};
pub use map_schedule::{IndexSetSplit, MapSchedule, Transpose, Turn};
pub use materialize::{Form, materialized, region};
pub use matrices::{Matrices, WORDS as MATRIX_WORDS, units_multiply};
pub use nest::{Block, Member, Nest, Tile};
pub use next_row::NextRow;
pub use pieces::take_turns;
pub use prefetch::Prefetch;
pub use product_tasks::Over;
pub use reduce::{Beside, ReduceSchedule, Shape as ReduceShape};
pub use register_tile::product_lanes;
pub use row_lanes::RowLanes;
pub use schedule::{Group, Schedule, Scheduled};
pub use scratchpad::{Role, Scratchpad};
pub use select_and_scatter::SelectAndScatterSchedule;
pub use short_rows::{row_along, row_of};
pub use shuffle_rounds::{least_factor, rounds};
pub use simple::ScanSchedule;
pub use sort::{MOST_COMPARED, MOST_IN_LANES, SortSchedule};
pub use sort_method::{SortMethod, Sorted};
pub use take_over::{may_take_over, taken_over};
pub use team::BlockTile;
pub use tile_registers::tiles_multiply_bytes;
pub use update::UpdateSchedule;
pub use vector::{is_loaded_apart, lanes_within};
pub use verify::verify;
pub use words::Words;
pub use work::point_cost;

use crate::refusal::Refusal;
use crate::region::Region;
use crate::target::Target;
use stages::plan_stages;

/// The plan of a region that nothing joins any more, where `plan` is what fusion was decided by.
pub fn settled(region: &Region, plan: Plan, target: &Target) -> Plan {
    let mut plan = stages::unjoined(region, plan, target);
    complete(region, &mut plan, target);
    plan
}

/// Decides what depends on nothing but a plan that stays: halves of vectors, divisions, and what is asked for ahead.
fn complete(region: &Region, plan: &mut Plan, target: &Target) {
    halves::choose(region, plan, target);
    reciprocals::choose(region, plan, target);
    prefetch_distance::choose(region, plan, target);
    row_ahead::choose(region, plan, target);
}

/// Plans a region for a target. Parts that share a launch are divided into tasks by their `price`.
///
/// # Errors
/// Never for a region of one instruction that [`crate::region::build`] accepts.
pub fn plan(region: &Region, target: &Target, price: Price) -> Result<Plan, Refusal> {
    if region.parts.is_empty() {
        return plan_stages(region, target);
    }
    let segments = Some(segments::segments(region, target, price)?);
    Ok(Plan { segments, lanes_are_threads: target.gpu.is_some(), ..Plan::default() })
}
