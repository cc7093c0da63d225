//! The kernels of a program: each distinct one is planned and lowered once.

use crate::fusion::cut::kernel_cut;
use crate::fusion::segments;
use crate::numbers::Numbers;
use crate::pass::Numerics;
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::figures::{self, Figures};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::plan::{self, Plan};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::Cut;
use lawson_kernel::region::relax::relax;
use lawson_kernel::target::Target;
use lawson_kernel::{lower, region::Region};
use rustc_hash::FxHashMap;

/// How an instruction calls its kernel. Kernel buffers are inputs, results, then scratch.
#[derive(Clone, Debug)]
pub struct Made {
    pub kernel: usize,
    /// Host-level values whose leaves are the inputs.
    pub operands: Vec<InstrId>,
    /// (result, input): the result starts as a copy of the input.
    pub aliases: Vec<(u32, u32)>,
    pub scratch: usize,
    /// Work of one launch.
    pub figures: Figures,
}

#[derive(Default)]
pub struct Kernels {
    kernels: Vec<Kernel>,
    numbers: Numbers,
    /// What was made of fused computations that do the same, whatever their names.
    of_code: FxHashMap<Vec<u32>, Planned>,
    /// What was made of regions that were met before.
    of_region: FxHashMap<Region, Planned>,
    /// Kernels by their code without names.
    known: FxHashMap<Kernel, usize>,
}

/// What a region became.
#[derive(Clone)]
struct Planned {
    kernel: usize,
    aliases: Vec<(u32, u32)>,
    scratch: usize,
    figures: Figures,
}

impl Kernels {
    /// The kernel of a host-level instruction, made or found.
    pub fn make(
        &mut self,
        module: &Module,
        comp: &Computation,
        id: InstrId,
        mode: (&Target, Numerics),
    ) -> Result<Made, Refusal> {
        let cut = kernel_cut(module, comp, id);
        let code = cut.fused.map(|f| self.numbers.code(module, f));
        let planned = match code.as_ref().and_then(|c| self.of_code.get(c)) {
            Some(planned) => planned.clone(),
            None => {
                let planned =
                    self.of_region(settled(module, comp, id, mode)?, symbol(&comp[id].name), mode.0)?;
                self.of_code.extend(code.map(|c| (c, planned.clone())));
                planned
            }
        };
        let Planned { kernel, aliases, scratch, figures } = planned;
        Ok(Made { kernel, operands: cut.operands, aliases, scratch, figures })
    }

    fn of_region(
        &mut self,
        (region, plan): (Region, Option<Plan>),
        symbol: String,
        target: &Target,
    ) -> Result<Planned, Refusal> {
        let key = region.nameless();
        if let Some(planned) = self.of_region.get(&key) {
            return Ok(planned.clone());
        }
        let plan = plan.map_or_else(|| plan::plan(&region, target), Ok)?;
        let name = format!("k{}_{symbol}", self.kernels.len());
        let kernel = lower::lower(&region, &plan, &name)?;
        let scratch = kernel.buffers.len() - region.inputs.len() - region.outputs.len();
        let next = self.kernels.len();
        let index = *self.known.entry(nameless(&kernel)).or_insert(next);
        if index == next {
            self.kernels.push(kernel);
        }
        let figures = figures::count(&region, &plan, target);
        let planned = Planned { kernel: index, aliases: region.aliases, scratch, figures };
        self.of_region.insert(key, planned.clone());
        Ok(planned)
    }

    /// Regions that were planned and lowered.
    pub fn planned(&self) -> usize {
        self.of_region.len()
    }

    pub fn finish(self) -> Vec<Kernel> {
        self.kernels
    }
}

/// The region of a host-level instruction, fused or not, as the mode computes it, and its plan.
///
/// # Errors
/// Why it is no kernel.
pub fn planned(
    module: &Module,
    comp: &Computation,
    id: InstrId,
    mode: (&Target, Numerics),
) -> Result<(Region, Plan), Refusal> {
    let (region, plan) = settled(module, comp, id, mode)?;
    let plan = plan.map_or_else(|| plan::plan(&region, mode.0), Ok)?;
    Ok((region, plan))
}

/// The region, with its plan where finding it took one.
fn settled(
    module: &Module,
    comp: &Computation,
    id: InstrId,
    (target, numerics): (&Target, Numerics),
) -> Result<(Region, Option<Plan>), Refusal> {
    if let Some(body) = segments::parts_of(module, &comp[id]) {
        let part = |body: &Computation, part| Ok(settled(module, body, part, (target, numerics))?.0);
        return Ok((segments::region(module, &comp[id].name, body, part)?, None));
    }
    let cut = kernel_cut(module, comp, id);
    let computation = cut.fused.map_or(comp, |f| &module[f]);
    let cut = Cut { computation, inputs: &cut.inputs, roots: &cut.roots };
    let (region, plan) = plan::settled(module, &comp[id].name, cut, target)?;
    Ok(if numerics == Numerics::Fast { (relax(&region), None) } else { (region, plan) })
}

/// A name as part of a symbol.
fn symbol(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(48).collect()
}

fn nameless(kernel: &Kernel) -> Kernel {
    let mut key = kernel.clone();
    key.name.clear();
    key.buffers.iter_mut().for_each(|b| b.name.clear());
    key.locals.iter_mut().for_each(|l| l.name.clear());
    key
}
