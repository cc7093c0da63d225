//! Modules of one instruction and fused groups, lowered for several machines and evaluated with tasks in both orders:
//! always the bits of the reference interpreter.

mod batch_lanes;
mod beside;
mod chosen_loads;
#[path = "../common/mod.rs"]
mod common;
mod contractions;
mod elements;
mod epilogues;
mod free_sums;
mod in_order;
mod inverses;
mod long_chains;
mod near;
mod nests;
mod pieces;
mod pooling;
mod positions;
mod prefetch;
mod products;
mod reciprocals;
mod reductions;
mod relaxed;
mod scans;
mod searches;
mod segments;
mod semirings;
mod short_axes;
mod short_rows;
mod sorts;
mod stage_by_stage;
mod stored;
mod streams;
mod sum_orders;
mod together;
mod turned_results;
