//! The kernels of a program: each distinct one is planned and lowered once.

use crate::fusion::cut::kernel_cut;
use crate::fusion::segments;
use crate::pass::Numerics;
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::figures::{self, Figures};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::plan::{self, plan};
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
    /// What was made of regions that were met before.
    planned: FxHashMap<Region, Planned>,
    /// Kernels by their code without names.
    known: FxHashMap<Kernel, usize>,
}

/// What a region became.
#[derive(Clone, Copy)]
struct Planned {
    kernel: usize,
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
        (target, numerics): (&Target, Numerics),
    ) -> Result<Made, Refusal> {
        let region = region_of(module, comp, id, (target, numerics))?;
        let cut = kernel_cut(module, comp, id);
        let key = region.nameless();
        let Planned { kernel, scratch, figures } = match self.planned.get(&key) {
            Some(&planned) => planned,
            None => {
                let planned = self.plan(&region, symbol(&comp[id].name), target)?;
                self.planned.insert(key, planned);
                planned
            }
        };
        Ok(Made { kernel, operands: cut.operands, aliases: region.aliases, scratch, figures })
    }

    fn plan(&mut self, region: &Region, symbol: String, target: &Target) -> Result<Planned, Refusal> {
        let plan = plan(region, target)?;
        let name = format!("k{}_{symbol}", self.kernels.len());
        let kernel = lower::lower(region, &plan, &name)?;
        let scratch = kernel.buffers.len() - region.inputs.len() - region.outputs.len();
        let next = self.kernels.len();
        let index = *self.known.entry(nameless(&kernel)).or_insert(next);
        if index == next {
            self.kernels.push(kernel);
        }
        let figures = figures::count(region, &plan, target);
        Ok(Planned { kernel: index, scratch, figures })
    }

    /// Regions that were planned and lowered.
    pub fn planned(&self) -> usize {
        self.planned.len()
    }

    pub fn finish(self) -> Vec<Kernel> {
        self.kernels
    }
}

/// The region of a host-level instruction, fused or not, as the mode computes it.
pub fn region_of(
    module: &Module,
    comp: &Computation,
    id: InstrId,
    (target, numerics): (&Target, Numerics),
) -> Result<Region, Refusal> {
    if let Some(body) = segments::parts_of(module, &comp[id]) {
        let part = |body: &Computation, part| region_of(module, body, part, (target, numerics));
        return segments::region(module, &comp[id].name, body, part);
    }
    let cut = kernel_cut(module, comp, id);
    let computation = cut.fused.map_or(comp, |f| &module[f]);
    let cut = Cut { computation, inputs: &cut.inputs, roots: &cut.roots };
    let region = plan::region(module, &comp[id].name, cut, target)?;
    Ok(if numerics == Numerics::Fast { relax(&region) } else { region })
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
