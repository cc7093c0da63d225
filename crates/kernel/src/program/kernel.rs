//! The kernels of a program: known by name and parameters, given as a planned region, as code, or as a routine.

use crate::loop_ir::{Access, Buffer, Elem, Kernel};
use crate::lower::{lower, parameters};
use crate::plan::{self, Plan};
use crate::refusal::Refusal;
use crate::region::{self, Region};
use lawson_hlo::ArrayShape;
use lawson_hlo::library::Call;
use lawson_hlo::math::composite::part_count;
use std::borrow::Cow;
use std::sync::Arc;

/// What a kernel computes, and how.
#[derive(Debug)]
pub struct PlannedKernel {
    pub region: Region,
    pub plan: Plan,
}

/// A routine that a back end has in a library. Launches call it like any kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LibraryKernel {
    pub call: Call,
    /// Its results have the bits of [`Call::run`]; else only their roundings may differ from those.
    pub exact: bool,
}

/// A kernel that launches call.
#[derive(Clone, Debug)]
pub struct NamedKernel {
    /// No two kernels of a program have the same.
    pub name: String,
    /// The arrays a launch passes: inputs, then outputs. Scratch memory is the back end's business.
    pub parameters: Vec<Buffer>,
    pub code: Code,
}

/// What is known of a kernel's code. A back end lowers what is planned.
#[derive(Clone, Debug)]
pub enum Code {
    Planned(Arc<PlannedKernel>),
    Lowered(Arc<Kernel>),
    /// There is none: the back end has the routine.
    Library(LibraryKernel),
}

impl LibraryKernel {
    /// The arrays that a launch passes.
    pub fn parameters(&self) -> Vec<Buffer> {
        let buffer = |name: String, shape: ArrayShape, access| {
            let elem = match (shape.dtype.part().is_f64(), shape.dtype.is_s32()) {
                (true, _) => Elem::F64,
                (_, true) => Elem::I32,
                _ => Elem::F32,
            };
            let parts = part_count(shape.dtype) as i64;
            Buffer { name, elem, len: shape.elements().saturating_mul(parts), access }
        };
        let inputs = self.call.operands().into_iter().enumerate();
        let inputs = inputs.map(|(n, shape)| buffer(format!("a{n}"), shape, Access::Read));
        let outputs = self.call.results().into_iter().enumerate();
        inputs.chain(outputs.map(|(n, shape)| buffer(format!("out{n}"), shape, Access::Write))).collect()
    }
}

impl PlannedKernel {
    /// A region with a plan of it. Debug builds verify both.
    pub fn new(region: Region, plan: Plan) -> PlannedKernel {
        debug_assert_eq!(region::verify(&region), Ok(()), "{region}");
        debug_assert_eq!(plan::verify(&region, &plan), Ok(()), "{region}\n{plan}");
        PlannedKernel { region, plan }
    }
}

impl NamedKernel {
    pub fn planned(name: impl Into<String>, planned: Arc<PlannedKernel>) -> NamedKernel {
        let parameters = parameters(&planned.region, &planned.plan);
        NamedKernel { name: name.into(), parameters, code: Code::Planned(planned) }
    }

    pub fn library(name: impl Into<String>, library: LibraryKernel) -> NamedKernel {
        NamedKernel { name: name.into(), parameters: library.parameters(), code: Code::Library(library) }
    }

    /// The region and its plan, if that is how the kernel is given.
    pub fn source(&self) -> Option<&PlannedKernel> {
        match &self.code {
            Code::Planned(planned) => Some(planned),
            Code::Lowered(_) | Code::Library(_) => None,
        }
    }

    /// The code: parameters come first among its buffers, scratch follows.
    ///
    /// # Errors
    /// A routine, which has no code. None for a region that [`crate::lower::Expansions`] accepts, which planning asks.
    pub fn lowered(&self) -> Result<Cow<'_, Kernel>, Refusal> {
        match &self.code {
            Code::Planned(planned) => lower(&planned.region, &planned.plan, &self.name).map(Cow::Owned),
            Code::Lowered(kernel) => Ok(Cow::Borrowed(kernel)),
            Code::Library(library) => Err(Refusal::Host { opcode: library.call.opcode() }),
        }
    }

    /// Phases with more than one task, at least one: the parallel regions of a launch.
    ///
    /// # Errors
    /// As [`NamedKernel::lowered`].
    pub fn parallel_regions(&self) -> Result<u64, Refusal> {
        match &self.code {
            // Of one phase nothing else needs to be known.
            Code::Planned(planned) if planned.plan.phases() <= 1 => Ok(1),
            // Its matrices are divided over the threads once.
            Code::Library(_) => Ok(1),
            Code::Planned(_) | Code::Lowered(_) => Ok(self.lowered()?.parallel_regions()),
        }
    }
}

impl From<Kernel> for NamedKernel {
    fn from(kernel: Kernel) -> NamedKernel {
        let parameters = kernel.buffers.iter().take_while(|b| b.access != Access::Scratch);
        NamedKernel {
            name: kernel.name.clone(),
            parameters: parameters.cloned().collect(),
            code: Code::Lowered(Arc::new(kernel)),
        }
    }
}
