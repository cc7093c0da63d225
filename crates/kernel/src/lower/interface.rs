//! The arrays that the kernel of a planned region is launched with: known from the plan, before there is code.

use super::scalar::mem_elem;
use crate::loop_ir::{Access, Buf, Buffer, CodeBuilder};
use crate::plan::Plan;
use crate::region::{Array, Kind, Place, Region, in_place};

/// The buffers of the kernel that its caller passes: inputs, then outputs. An input that an output takes the place of
/// has no elements: its values are found in the output.
pub fn parameters(region: &Region, plan: &Plan) -> Vec<Buffer> {
    let mut out: Vec<Buffer> = region.inputs.iter().map(|a| buffer(a, Access::Read)).collect();
    for (_, input) in in_place::shared(region) {
        out[input as usize].len = 0;
    }
    let Some(segments) = &plan.segments else {
        out.extend(outputs(region, Some(plan)));
        return out;
    };
    let mut plan_of = vec![None; region.parts.len()];
    for body in &segments.bodies {
        body.parts.iter().for_each(|&p| plan_of[p as usize] = Some(&body.plan));
    }
    let of_parts = region.parts.iter().zip(plan_of);
    out.extend(of_parts.flat_map(|(part, plan)| outputs(&part.region, plan)));
    out
}

/// The same, appended to a kernel; inputs first.
pub(super) fn declare(b: &mut CodeBuilder, region: &Region, plan: &Plan) -> Vec<Buf> {
    let parameters = parameters(region, plan).into_iter();
    parameters.map(|p| b.buffer(p.name, p.elem, p.len, p.access)).collect()
}

fn outputs(region: &Region, plan: Option<&Plan>) -> Vec<Buffer> {
    let outputs = region.outputs.iter().zip(&region.output_sources).enumerate();
    let access = |o: usize, stage: u32| {
        let kind = &region.stages[stage as usize].kind;
        let updated = matches!(kind, Kind::Update { .. } | Kind::SelectAndScatter(_));
        let reread = plan.is_some_and(|p| p.reread.contains(&(o as u32)));
        let kept = region.aliases.iter().any(|a| a.0 as usize == o);
        let read = matches!(kind, Kind::Loop(_)) && region.reads(Place::Output(o as u32));
        if updated || reread || kept || read { Access::ReadWrite } else { Access::Write }
    };
    outputs.map(|(o, (array, source))| buffer(array, access(o, source.0))).collect()
}

fn buffer(array: &Array, access: Access) -> Buffer {
    Buffer { name: array.name.clone(), elem: mem_elem(array.dtype), len: array.elements, access }
}
