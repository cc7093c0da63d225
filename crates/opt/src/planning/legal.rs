//! Legality: a fusion is legal when its computation has a plan of one kernel whose code the machine can hold.

use lawson_hlo::{Computation, Module, Opcode};
use lawson_kernel::cost::figures::{self, Figures};
use lawson_kernel::plan::{self, Form, plan};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::region::{Region, as_products, in_memory_order};
use lawson_kernel::target::Target;

/// The region of a fused computation, where values that several stages need are kept.
///
/// # Errors
/// The first instruction that cannot be part of a kernel.
pub fn region(module: &Module, comp: &Computation) -> Result<Region, Refusal> {
    build(module, &comp.name, Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] })
}

/// The region with what orders of combination let be otherwise on processors, as all modes but `strict` compute it and every mode
/// prices it, so that all decide alike: reductions of pairs as products, the sums of products in the order of memory. Blocks of
/// graphics processors read k along the features, wherever these come.
pub(super) fn with_free_orders(region: &Region, target: &Target) -> Option<Region> {
    if target.gpu.is_some() {
        return None;
    }
    let products = as_products(region, target);
    in_memory_order(products.as_ref().unwrap_or(region)).or(products)
}

/// The region of a fused computation in the form that is one kernel, and its work.
///
/// # Errors
/// Why it is not one kernel, or one whose results between stages would need memory of their own.
pub fn planned(
    kept: Region,
    (module, comp): (&Module, &Computation),
    target: &Target,
) -> Result<(Region, Figures), Refusal> {
    let inputs = comp.parameters();
    let cut = Cut { computation: comp, inputs: &inputs, roots: &[comp.root] };
    let (region, form) = plan::materialized(kept, (module, &comp.name, cut), target)?;
    let (region, form) = match (form, with_free_orders(&region, target)) {
        (Form::Only | Form::Planned(_), Some(ordered)) => (ordered, Form::Only),
        (form, _) => (region, form),
    };
    // An update of an array in memory that is not in place would copy all of it.
    let root = [comp.root];
    let outputs = if comp.root().opcode == Opcode::Tuple { &comp.root().operands[..] } else { &root };
    let updates = outputs.iter().map(|&o| &comp[o]).filter(|o| o.opcode == Opcode::DynamicUpdateSlice);
    if updates.filter(|u| comp.operand(u, 0).opcode == Opcode::Parameter).count() > region.aliases.len() {
        return Err(Refusal::UpdatedInPlace);
    }
    let plan = match form {
        Form::Planned(plan) => *plan,
        Form::Apart(refusal) => return Err(refusal),
        Form::Only => plan(&region, target, figures::work)?,
    };
    plan.one_kernel()?;
    let figures = figures::count(&region, &plan, target);
    if figures.code > target.code {
        return Err(Refusal::CodeSize { nodes: figures.code as usize, limit: target.code as usize });
    }
    Ok((region, figures))
}
