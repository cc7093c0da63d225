//! Loops of few lanes, whose kernel computes each component of a value by itself: where values have many components and functions that
//! take long, kernels of whole vectors for each trip take less time, launches included.

use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::LoopStage;
use lawson_kernel::region::build::known_trips;
use lawson_kernel::target::Target;
use std::ops::Add;

/// What a launch of a small kernel takes in a loop on the host, in µs: measured, with the copies beside it.
const LAUNCH_US: f64 = 0.04;

/// What one trip takes, in µs.
#[derive(Clone, Copy, Default)]
struct Trip {
    /// In a kernel that has the loop.
    fused: f64,
    /// In kernels of its own.
    apart: f64,
}

impl Add for Trip {
    type Output = Trip;

    fn add(self, other: Trip) -> Trip {
        Trip { fused: self.fused + other.fused, apart: self.apart + other.apart }
    }
}

impl Trip {
    fn times(self, n: f64) -> Trip {
        Trip { fused: self.fused * n, apart: self.apart * n }
    }
}

/// Checks that one kernel is expected to take no longer than kernels for each trip.
///
/// # Errors
/// What the two are expected to take.
pub fn pays(
    module: &Module,
    comp: &Computation,
    loops: &[InstrId],
    (lanes, target): (i64, &Target),
) -> Result<(), Refusal> {
    if target.gpu.is_some() || lanes >= target.lanes() as i64 {
        return Ok(());
    }
    let of = |at: &InstrId| of_loop(module, &comp[*at], (lanes.max(1), target));
    let all = loops.iter().map(of).fold(Trip::default(), Trip::add);
    let ns = |us: f64| (us * 1e3) as u64;
    match all.fused > all.apart {
        true => Err(Refusal::NotFaster { joined_ns: ns(all.fused), apart_ns: ns(all.apart) }),
        false => Ok(()),
    }
}

/// All trips of a loop.
fn of_loop(module: &Module, instr: &Instruction, machine: (i64, &Target)) -> Trip {
    let trips = known_trips(instr).unwrap_or(LoopStage::ASSUMED_TRIPS).max(1);
    let trip = instr.attrs.called().into_iter().map(|c| of_trip(module, &module[c], machine));
    trip.fold(Trip::default(), Trip::add).times(trips as f64)
}

fn of_trip(module: &Module, comp: &Computation, (lanes, target): (i64, &Target)) -> Trip {
    // What makes the next state is one kernel at least.
    let mut all = Trip { fused: 0.0, apart: LAUNCH_US };
    for instr in &comp.instrs {
        if instr.opcode == Opcode::While {
            all = all + of_loop(module, instr, (lanes, target));
            continue;
        }
        let (elements, weight) = work(comp, instr, target);
        let vector_us = vector_us(weight, target);
        // A component of the few lanes takes as long as a whole vector.
        all.fused += (elements / lanes).max(1) as f64 * vector_us;
        all.apart += ((elements + target.lanes() as i64 - 1) / target.lanes() as i64) as f64 * vector_us;
        if has_kernel(instr) {
            all.apart += LAUNCH_US;
        }
    }
    all
}

/// What an operation of this weight takes on a vector, in µs.
pub fn vector_us(weight: i64, target: &Target) -> f64 {
    weight as f64 * target.lanes() as f64 / target.gops / 1e3
}

/// How often an instruction does something, and what that weighs.
pub fn work(comp: &Computation, instr: &Instruction, target: &Target) -> (i64, i64) {
    let array = |shape: &Shape| shape.leaves().first().map_or(0, |a| a.elements());
    let of_operand = || array(&comp.operand(instr, 0).shape);
    let Some(dtype) = instr.shape.leaves().first().map(|a| a.dtype) else { return (0, 0) };
    match (&instr.attrs, instr.opcode.class()) {
        (Attrs::Dot(dims), _) => {
            let lhs = comp.operand(instr, 0).shape.as_array();
            let summed = lhs.map_or(1, |a| dims.lhs_contracting.iter().map(|&d| a.dims[d]).product());
            (array(&instr.shape).saturating_mul(summed), 1)
        }
        (Attrs::Reduce { .. }, _) => (of_operand(), 1),
        (_, Class::Unary | Class::Binary | Class::Elementwise) => {
            (array(&instr.shape), target.rates.weight(instr.opcode, dtype))
        }
        _ => (0, 0),
    }
}

/// Whether an operation is the reason for a kernel.
fn has_kernel(instr: &Instruction) -> bool {
    use Opcode::*;
    matches!(instr.opcode, Reduce | ReduceWindow | Dot | Scatter | DynamicUpdateSlice)
}
