//! Legality: a fusion is legal when its computation has a plan of one kernel whose code the machine can hold.

use lawson_hlo::{Computation, Module, Opcode};
use lawson_kernel::plan::{self, Plan, plan};
use lawson_kernel::pressure::pressure;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::Region;
use lawson_kernel::region::build::Cut;
use lawson_kernel::target::Target;

/// The region and the plan of a fused computation, if it is one kernel without memory of its own.
pub fn planned(module: &Module, comp: &Computation, target: &Target) -> Result<(Region, Plan), Refusal> {
    let inputs = comp.parameters();
    let cut = Cut { computation: comp, inputs: &inputs, roots: &[comp.root] };
    let (region, made) = plan::settled(module, &comp.name, cut, target)?;
    // An update of an array in memory that is not in place would copy all of it.
    let root = [comp.root];
    let outputs = if comp.root().opcode == Opcode::Tuple { &comp.root().operands[..] } else { &root };
    let updates = outputs.iter().map(|&o| &comp[o]).filter(|o| o.opcode == Opcode::DynamicUpdateSlice);
    if updates.filter(|u| comp.operand(u, 0).opcode == Opcode::Parameter).count() > region.aliases.len() {
        return Err(Refusal::UpdatedInPlace);
    }
    let plan = made.map_or_else(|| plan(&region, target), Ok)?;
    plan.one_kernel()?;
    let (code, limit) = (pressure(&region, &plan, target).code, target.code);
    if code > limit {
        return Err(Refusal::CodeSize { nodes: code as usize, limit: limit as usize });
    }
    Ok((region, plan))
}
