//! The kernels of a program: each distinct one is lowered once.

use super::plans::{PlanId, PlannedKernel, Plans};
use crate::fusion::cut::kernel_cut;
use crate::pass::Numerics;
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::figures::{self, Figures};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
use lawson_kernel::{lower, region::Region};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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

pub struct Kernels {
    plans: Plans,
    kernels: Vec<Kernel>,
    /// What each kernel was lowered from.
    sources: Vec<Arc<PlannedKernel>>,
    /// What was made of plans.
    of_plan: FxHashMap<PlanId, Lowered>,
    /// What was made of regions that were met before.
    of_region: FxHashMap<Region, Lowered>,
    /// Kernels by their code without names.
    known: FxHashMap<Kernel, usize>,
}

/// What a region became.
#[derive(Clone)]
struct Lowered {
    kernel: usize,
    aliases: Vec<(u32, u32)>,
    scratch: usize,
    figures: Figures,
}

impl Kernels {
    pub fn new(mut plans: Plans) -> Kernels {
        plans.begin();
        Kernels {
            plans,
            kernels: Vec::new(),
            sources: Vec::new(),
            of_plan: FxHashMap::default(),
            of_region: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// The kernel of a host-level instruction, made or found.
    pub fn make(
        &mut self,
        module: &Module,
        comp: &Computation,
        id: InstrId,
        mode: (&Target, Numerics),
    ) -> Result<Made, Refusal> {
        let plan = self.plans.of(module, comp, id, mode)?;
        let lowered = match self.of_plan.get(&plan) {
            Some(lowered) => lowered.clone(),
            None => {
                let lowered = self.lowered(plan, symbol(&comp[id].name), mode.0)?;
                self.of_plan.insert(plan, lowered.clone());
                lowered
            }
        };
        let Lowered { kernel, aliases, scratch, figures } = lowered;
        Ok(Made { kernel, operands: kernel_cut(module, comp, id).operands, aliases, scratch, figures })
    }

    fn lowered(&mut self, plan: PlanId, symbol: String, target: &Target) -> Result<Lowered, Refusal> {
        let source = self.plans.get(plan).clone();
        let (region, plan) = (&source.region, &source.plan);
        let key = region.nameless();
        if let Some(lowered) = self.of_region.get(&key) {
            return Ok(lowered.clone());
        }
        let name = format!("k{}_{symbol}", self.kernels.len());
        let kernel = lower::lower(region, plan, &name)?;
        let scratch = kernel.buffers.len() - region.inputs.len() - region.outputs.len();
        let figures = figures::count(region, plan, target);
        let aliases = region.aliases.clone();
        let next = self.kernels.len();
        let index = *self.known.entry(nameless(&kernel)).or_insert(next);
        if index == next {
            self.kernels.push(kernel);
            self.sources.push(source);
        }
        let lowered = Lowered { kernel: index, aliases, scratch, figures };
        self.of_region.insert(key, lowered.clone());
        Ok(lowered)
    }

    /// Regions that were planned and lowered.
    pub fn planned(&self) -> usize {
        self.of_region.len()
    }

    /// The kernels, and what each was lowered from.
    pub fn finish(self) -> (Vec<Kernel>, Vec<Arc<PlannedKernel>>) {
        (self.kernels, self.sources)
    }
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
