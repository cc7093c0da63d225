//! Regions and plans of kernels: those that do the same are built and planned once.

use super::cut::kernel_cut;
use super::legal::with_free_orders;
use super::segments;
use crate::numbers::Numbers;
use crate::options::Numerics;
use lawson_hlo::{Attrs, Computation, InstrId, Module, Opcode};
use lawson_kernel::cost::figures;
use lawson_kernel::lower::Expansions;
use lawson_kernel::plan::{self, Form, Plan};
use lawson_kernel::program::PlannedKernel;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::region::fast_math::relax;
use lawson_kernel::region::reassociate::reassociated;
use lawson_kernel::region::{ProductOrder, Region, with_product_order};
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A kernel, by its position among the distinct ones.
pub type PlanId = usize;

/// The distinct kernels of a module. Horizontal fusion, the last pass that changes kernels, begins them; the scheduler
/// and reports go on with them.
#[derive(Default)]
pub struct Plans {
    numbers: Numbers,
    known: FxHashMap<Vec<u32>, Result<PlanId, Refusal>>,
    all: Vec<Arc<PlannedKernel>>,
    expansions: Expansions,
}

impl Plans {
    /// Begins a walk over a module: computations may have moved since the last one.
    pub fn begin(&mut self) {
        self.numbers.forget_positions();
    }

    pub fn get(&self, id: PlanId) -> &Arc<PlannedKernel> {
        &self.all[id]
    }

    /// The kernel of a host-level instruction, fused or not, as the mode computes it: planned or found.
    ///
    /// # Errors
    /// Why it is no kernel.
    pub fn of(
        &mut self,
        module: &Module,
        comp: &Computation,
        id: InstrId,
        mode: (&Target, Numerics),
    ) -> Result<PlanId, Refusal> {
        let code = self.code(module, comp, id);
        if let Some(known) = self.known.get(&code) {
            return known.clone();
        }
        let made = self.planned(module, comp, id, mode).map(|planned| {
            self.all.push(Arc::new(planned));
            self.all.len() - 1
        });
        self.known.insert(code, made.clone());
        made
    }

    /// What a kernel does: equal for those that do the same.
    fn code(&mut self, module: &Module, comp: &Computation, id: InstrId) -> Vec<u32> {
        let instr = &comp[id];
        if let Attrs::Fusion { calls, .. } = instr.attrs {
            let mut code = self.numbers.code(module, calls);
            code.push(segments::parts_of(module, instr).is_some() as u32);
            return code;
        }
        // A mark that no code of a fusion starts with, whose numbers are above zero.
        let mut code = vec![0, self.numbers.of(module, instr)];
        let inputs = kernel_cut(module, comp, id).inputs;
        let inputs: FxHashMap<InstrId, u32> = inputs.into_iter().zip(0..).collect();
        for &operand in &instr.operands {
            let outer = &comp[operand];
            match inputs.get(&operand) {
                Some(&n) => {
                    code.extend([n, self.numbers.number(Opcode::Parameter, &outer.shape, &Attrs::None)])
                }
                None => code.extend([u32::MAX, self.numbers.of(module, outer)]),
            }
        }
        code
    }

    fn planned(
        &mut self,
        module: &Module,
        comp: &Computation,
        id: InstrId,
        (target, numerics): (&Target, Numerics),
    ) -> Result<PlannedKernel, Refusal> {
        let name = &comp[id].name;
        let (region, plan) = match segments::parts_of(module, &comp[id]) {
            Some(body) => {
                let mut part = |body: &Computation, part| {
                    let known = self.of(module, body, part, (target, numerics))?;
                    Ok(self.all[known].region.clone())
                };
                (segments::region(module, name, body, &mut part)?, None)
            }
            None => {
                let cut = kernel_cut(module, comp, id);
                let computation = cut.fused.map_or(comp, |f| &module[f]);
                let cut = Cut { computation, inputs: &cut.inputs, roots: &cut.roots };
                let region = build(module, name, cut)?;
                let (region, form) = plan::materialized(region, (module, name, cut), target)?;
                let plan = if let Form::Planned(plan) = form { Some(*plan) } else { None };
                let free = if numerics == Numerics::Strict { None } else { reassociated(&region) };
                let (region, plan) = free.map_or((region, plan), |free| (free, None));
                let free =
                    if numerics == Numerics::Strict { None } else { with_free_orders(&region, target) };
                let (region, plan) = free.map_or((region, plan), |free| (free, None));
                let free = with_product_order(&region, product_order(target, numerics));
                match free.map(|free| by_units(free, target, numerics)).transpose()?.flatten() {
                    Some(planned) => planned,
                    None if numerics == Numerics::Fast => (relax(&region), None),
                    None => (region, plan),
                }
            }
        };
        let mut plan = plan.map_or_else(|| plan::plan(&region, target, figures::work), Ok)?;
        let mut region = region;
        if numerics != Numerics::Strict
            && let Some(free) = plan::free_sums(&region, &plan, target)
        {
            plan = plan::plan(&free, target, figures::work)?;
            region = free;
        }
        let plan = plan::settled(&region, plan, target);
        // What a back end lowers later has code for every operation.
        self.expansions.check(&region)?;
        Ok(PlannedKernel::new(region, plan))
    }
}

/// A region whose products have the order of units, relaxed if the mode says so. `None` where a processor has none for them:
/// their factors would be rounded for nothing.
fn by_units(
    region: Region,
    target: &Target,
    numerics: Numerics,
) -> Result<Option<(Region, Option<Plan>)>, Refusal> {
    let region = if numerics == Numerics::Fast { relax(&region) } else { region };
    if target.gpu.is_some() {
        return Ok(Some((region, None)));
    }
    let plan = plan::plan(&region, target, figures::work)?;
    Ok(plan.multiplies_words().then_some((region, Some(plan))))
}

/// What the numerics let the units of the target do with products.
pub(crate) fn product_order(target: &Target, numerics: Numerics) -> ProductOrder {
    match (numerics, target.gpu) {
        (Numerics::Strict, _) => ProductOrder::Sequential,
        (Numerics::Standard, Some(gpu)) if gpu.matrix_units => ProductOrder::Free,
        (Numerics::Fast, Some(gpu)) if gpu.matrix_units => ProductOrder::FreeTf32,
        // Instructions for BF16 take numbers below the normal ones for zero.
        (Numerics::Fast, None) if target.tiles || target.bf16_dots => ProductOrder::Free,
        (Numerics::Standard | Numerics::Fast, _) => ProductOrder::Sequential,
    }
}
