//! The buffers of a kernel: its inputs and outputs.

use super::scalar;
use crate::loop_ir::{Access, Buf, CodeBuilder};
use crate::plan::Plan;
use crate::region::{Array, Kind, Region};

pub(super) fn declare_inputs(b: &mut CodeBuilder, inputs: &[Array]) -> Vec<Buf> {
    let declare = |a: &Array| b.buffer(&a.name, scalar::mem_elem(a.dtype), a.elements, Access::Read);
    inputs.iter().map(declare).collect()
}

pub(super) fn declare_outputs(b: &mut CodeBuilder, region: &Region, plan: &Plan) -> Vec<Buf> {
    let mut outputs = Vec::new();
    for (o, array) in region.outputs.iter().enumerate() {
        let stage = &region.stages[region.output_sources[o].0 as usize];
        let in_place = matches!(stage.kind, Kind::Update { .. } | Kind::SelectAndScatter(_));
        let reread = plan.reread.contains(&(o as u32));
        let kept = region.aliases.iter().any(|a| a.0 as usize == o);
        let access = if in_place || reread || kept { Access::ReadWrite } else { Access::Write };
        outputs.push(b.buffer(&array.name, scalar::mem_elem(array.dtype), array.elements, access));
    }
    outputs
}
