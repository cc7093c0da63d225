//! The kernels of a program, planned or of a library: those that do the same are one.

use crate::options::Numerics;
use crate::planning::cut::kernel_cut;
use crate::planning::{PlanId, Plans};
use lawson_hlo::library::Call;
use lawson_hlo::{Computation, InstrId, Instruction, Module};
use lawson_kernel::cost;
use lawson_kernel::cost::figures::{self, Figures};
use lawson_kernel::program::{LibraryKernel, NamedKernel};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;

/// How an instruction calls its kernel.
#[derive(Clone, Debug)]
pub struct Made {
    pub kernel: usize,
    /// Host-level values whose leaves are the inputs.
    pub operands: Vec<InstrId>,
    /// (result, input): the result starts as a copy of the input.
    pub aliases: Vec<(u32, u32)>,
    /// Work of one launch.
    pub figures: Figures,
}

pub struct Kernels {
    plans: Plans,
    kernels: Vec<NamedKernel>,
    /// The kernels of plans.
    of_plan: FxHashMap<PlanId, Known>,
    /// Those of regions, by their hashes.
    of_region: FxHashMap<u64, Vec<(PlanId, Known)>>,
    /// Those of routines.
    of_call: FxHashMap<Call, usize>,
}

/// A kernel of the program, by its position, and what every call of it needs to know.
#[derive(Clone)]
struct Known {
    kernel: usize,
    aliases: Vec<(u32, u32)>,
    figures: Figures,
}

impl Kernels {
    pub fn new(mut plans: Plans) -> Kernels {
        plans.begin();
        let (of_plan, of_region, of_call) = Default::default();
        Kernels { plans, kernels: Vec::new(), of_plan, of_region, of_call }
    }

    /// The kernel of a host-level instruction, made or found.
    pub fn make(
        &mut self,
        module: &Module,
        comp: &Computation,
        id: InstrId,
        mode: (&Target, Numerics),
    ) -> Result<Made, Refusal> {
        if let Some(call) = Call::within(comp, id) {
            return Ok(self.library(call, &comp[id], mode));
        }
        let plan = self.plans.of(module, comp, id, mode)?;
        let known = match self.of_plan.get(&plan) {
            Some(known) => known.clone(),
            None => {
                let known = self.named(plan, &comp[id].name, mode.0);
                self.of_plan.insert(plan, known.clone());
                known
            }
        };
        let Known { kernel, aliases, figures } = known;
        Ok(Made { kernel, operands: kernel_cut(module, comp, id).operands, aliases, figures })
    }

    /// The kernel of a routine. In `strict` it has the bits of the interpreter.
    fn library(&mut self, call: Call, instr: &Instruction, (target, numerics): (&Target, Numerics)) -> Made {
        let exact = numerics == Numerics::Strict;
        let next = self.kernels.len();
        let kernel = *self.of_call.entry(call).or_insert(next);
        if kernel == next {
            let name = format!("k{next}_{}", symbol(&instr.name));
            self.kernels.push(NamedKernel::library(name, LibraryKernel { call, exact }));
        }
        let figures = cost::library(&call, exact, target);
        Made { kernel, operands: instr.operands.clone(), aliases: Vec::new(), figures }
    }

    /// The kernel of a plan: that of another one for the same region, or one more of the program.
    fn named(&mut self, id: PlanId, name: &str, target: &Target) -> Known {
        let planned = self.plans.get(id).clone();
        let region = &planned.region;
        let hash = region.code_hash();
        let alike = self.of_region.get(&hash).into_iter().flatten();
        if let Some((_, known)) = alike.clone().find(|(k, _)| self.plans.get(*k).region.is_code_of(region)) {
            return known.clone();
        }
        let known = Known {
            kernel: self.kernels.len(),
            aliases: region.aliases.clone(),
            figures: figures::count(region, &planned.plan, target),
        };
        self.kernels.push(NamedKernel::planned(format!("k{}_{}", known.kernel, symbol(name)), planned));
        self.of_region.entry(hash).or_default().push((id, known.clone()));
        known
    }

    pub fn finish(self) -> Vec<NamedKernel> {
        self.kernels
    }
}

/// A name as part of a symbol.
fn symbol(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(48).collect()
}
