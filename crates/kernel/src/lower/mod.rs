//! From a region and its plan to Loop IR.
//!
//! Lowering follows the plan and decides nothing. `phases` walks over the groups of a plan or its row nest, `stage`
//! calls the file of each kind of stage, `segments` lowers parts that share a launch. What all of them use: `lowering`
//! is the stage at hand, `emit` the code of its expressions at a `point`, `index` and `memory` that of offsets, loads
//! and stores, [`scalar`] and [`math`] that of single operations.

mod chosen_load;
mod contract;
mod elements;
mod emit;
mod expansions;
mod home;
mod identity;
mod in_turn;
mod index;
mod interface;
mod interleave;
mod inverses;
mod loop_trips;
mod lowering;
mod map;
pub mod math;
mod memory;
mod nest;
mod phases;
mod point;
mod prefetch;
mod reduce;
mod rows;
pub mod scalar;
mod scan;
mod scratchpad;
mod segments;
mod select_and_scatter;
mod sort;
mod stage;
mod structured;
mod sums;
mod to_lane;
mod transpose;
mod under_way;
mod update;
mod uses;

use crate::loop_ir::{Access, CodeBuilder, Kernel};
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::region::{Region, in_place};
use emit::Emit;
pub use expansions::Expansions;
use home::Arrays;
use interface::declare;
pub use interface::parameters;
use phases::{lower_stages, lowerings};

/// The code of a region under a plan. Buffers of the kernel: inputs, outputs, then scratch. Where an output is computed
/// in the memory of an input, the buffer of the input has no elements, and its values are read from the output.
///
/// # Errors
/// An operation that has no expansion for its type, which [`Expansions`] tells beforehand.
pub fn lower(region: &Region, plan: &Plan, name: &str) -> Result<Kernel, Refusal> {
    let mut b = CodeBuilder::new(name);
    b.lanes_are_threads = plan.lanes_are_threads;
    if let Some(segments) = &plan.segments {
        return segments::lower(b, region, plan, segments);
    }
    let mut inputs = declare(&mut b, region, plan);
    let outputs = inputs.split_off(region.inputs.len());
    let mut arrays = Arrays { inputs, outputs, ..Arrays::default() };
    for (output, input) in in_place::shared(region) {
        arrays.inputs[input as usize] = arrays.outputs[output as usize];
    }
    for (&source, &buf) in region.output_sources.iter().zip(&arrays.outputs) {
        arrays.results.entry(source).or_insert(buf.into());
    }
    for &(stage, result) in &plan.scratch {
        let s = &region.stages[stage as usize];
        let elem = scalar::mem_elem(s.results[result as usize]);
        let buf = b.buffer(format!("{}.{result}", s.name), elem, s.elements, Access::Scratch);
        arrays.results.insert((stage, result), buf.into());
    }
    let outputs = arrays.outputs.clone();
    let lowerings = lowerings(region, plan, &outputs);
    let mut cx = Emit::new(b, region, arrays);
    lower_stages(&mut cx, &lowerings, plan)?;
    let kernel = cx.b.finish();
    debug_assert!(kernel.phases.len() <= plan.phases(), "{} phases of {plan}", kernel.phases.len());
    Ok(kernel)
}
