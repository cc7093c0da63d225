//! The kernels of a program: each distinct one is lowered once.

use super::Depth;
use crate::options::Numerics;
use crate::planning::cut::kernel_cut;
use crate::planning::{PlanId, PlannedKernel, Plans};
use lawson_hlo::{Computation, InstrId, Module};
use lawson_kernel::cost::figures::{self, Figures};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::lower;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
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
    depth: Depth,
    kernels: Vec<Kernel>,
    /// What each kernel was lowered from.
    sources: Vec<Arc<PlannedKernel>>,
    /// What was made of plans.
    of_plan: FxHashMap<PlanId, Lowered>,
    /// Regions that were met, and what was made of them, by their hashes.
    of_region: FxHashMap<u64, Vec<(PlanId, Lowered)>>,
    planned: usize,
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
    pub fn new(mut plans: Plans, depth: Depth) -> Kernels {
        plans.begin();
        Kernels {
            plans,
            depth,
            kernels: Vec::new(),
            sources: Vec::new(),
            of_plan: FxHashMap::default(),
            of_region: FxHashMap::default(),
            planned: 0,
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

    fn lowered(&mut self, id: PlanId, symbol: String, target: &Target) -> Result<Lowered, Refusal> {
        let source = self.plans.get(id).clone();
        let (region, plan) = (&source.region, &source.plan);
        let hash = region.code_hash();
        let alike = self.of_region.get(&hash).into_iter().flatten();
        if let Some((_, known)) = alike.clone().find(|(k, _)| self.plans.get(*k).region.is_code_of(region)) {
            return Ok(known.clone());
        }
        let figures = figures::count(region, plan, target);
        let mut lowered =
            Lowered { kernel: self.sources.len(), aliases: region.aliases.clone(), scratch: 0, figures };
        let is_new = match self.depth {
            Depth::Figures => true,
            Depth::Program => {
                let name = format!("k{}_{symbol}", self.kernels.len());
                let kernel = lower::lower(region, plan, &name)?;
                lowered.scratch = kernel.buffers.len() - region.inputs.len() - region.outputs.len();
                let next = lowered.kernel;
                lowered.kernel = *self.known.entry(nameless(&kernel)).or_insert(next);
                let is_new = lowered.kernel == next;
                self.kernels.extend(Some(kernel).filter(|_| is_new));
                is_new
            }
        };
        self.sources.extend(Some(source).filter(|_| is_new));
        self.of_region.entry(hash).or_default().push((id, lowered.clone()));
        self.planned += 1;
        Ok(lowered)
    }

    /// Regions that were planned and lowered.
    pub fn planned(&self) -> usize {
        self.planned
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
