//! Initial values in which trips look things up, as in the table of a checksum: they are made once, before the loop, where making an
//! element takes longer than reading it and trips ask for more elements than there are.

use super::few_lanes::{vector_us, work};
use super::group::Group;
use crate::loops::element_read;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::cost::launch_us;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::LoopStage;
use lawson_kernel::region::build::known_trips;
use lawson_kernel::target::Target;

/// What reading an element at a computed place weighs.
const READ: i64 = 4;

/// What trips read of one array at places that they compute.
#[derive(Clone, Copy, Default)]
struct Read {
    /// In all trips.
    elements: i64,
    /// With one operation, at most.
    at_once: i64,
}

/// The initial values that had better be made before the kernel of a loop, which reads them, with what both ways take. `group` has all
/// that could be part of the kernel.
pub fn made_before(
    module: &Module,
    comp: &Computation,
    group: &Group,
    target: &Target,
) -> Vec<(InstrId, Refusal)> {
    let state = &comp[comp[group.at].operands[0]].operands;
    let judged = state.iter().enumerate().filter_map(|(n, &init)| {
        let all = comp[init].shape.as_array()?.elements();
        let read = read(module, &comp[group.at], n);
        let weight = weight(comp, group, init, target) / all.max(1);
        if read.elements <= all || weight <= READ {
            return None;
        }
        let us = |elements: i64, weight: i64, lanes: i64| {
            let lanes = lanes.clamp(1, target.lanes() as i64);
            vector_us(weight, target) * (elements as f64 / lanes as f64).ceil()
        };
        let joined = us(read.elements, weight, read.at_once);
        let apart = us(all, weight, all) + launch_us(0.0, target) + us(read.elements, READ, read.at_once);
        let ns = |us: f64| (us * 1e3) as u64;
        (joined > apart).then(|| (init, Refusal::NotFaster { joined_ns: ns(joined), apart_ns: ns(apart) }))
    });
    judged.collect()
}

/// What all operations take that make a value and are part of the group, as a weight.
fn weight(comp: &Computation, group: &Group, value: InstrId, target: &Target) -> i64 {
    let (mut left, mut seen, mut sum) = (vec![value], vec![false; comp.instrs.len()], 0i64);
    while let Some(id) = left.pop() {
        if !group.members.contains(&id) || std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let (elements, weight) = work(comp, &comp[id], target);
        sum = sum.saturating_add(elements.saturating_mul(weight));
        left.extend(&comp[id].operands);
    }
    sum
}

/// What trips of a loop, and of loops within it, read at computed places of an element of its state that they never change.
fn read(module: &Module, instr: &Instruction, element: usize) -> Read {
    let none = Read::default();
    let Attrs::While { body, .. } = instr.attrs else { return none };
    let comp = &module[body];
    let is_element = |id: InstrId| element_read(comp, id) == Some(element);
    let kept = comp.root().operands.get(element).is_some_and(|&id| is_element(id));
    if !kept {
        return none;
    }
    let trips = known_trips(instr).unwrap_or(LoopStage::ASSUMED_TRIPS).max(0);
    let of = |i: &Instruction| match i.opcode {
        Opcode::Gather | Opcode::DynamicSlice if is_element(i.operands[0]) => {
            let elements = i.shape.as_array().map_or(0, |a| a.elements());
            Read { elements, at_once: elements }
        }
        Opcode::While => {
            let state = comp.operand(i, 0).operands.iter().enumerate().filter(|(_, o)| is_element(**o));
            state.map(|(n, _)| read(module, i, n)).fold(none, Read::and)
        }
        _ => none,
    };
    let trip = comp.instrs.iter().map(of).fold(none, Read::and);
    Read { elements: trip.elements.saturating_mul(trips), ..trip }
}

impl Read {
    fn and(self, other: Read) -> Read {
        let elements = self.elements.saturating_add(other.elements);
        Read { elements, at_once: self.at_once.max(other.at_once) }
    }
}
