//! Who may share a launch, and for whom a launch matters.

use crate::fusion::join::host::{Host, UnitId};
use crate::loops::element_read;
use crate::options::Options;
use crate::options::fusion::FusionBase;
use crate::planning::Plans;
use crate::planning::cut::kernel_cut;
use lawson_hlo::{Module, Opcode};
use lawson_kernel::cost::figures;
use lawson_kernel::cost::launch_us;
use lawson_kernel::plan::segments::{self, PartCode};
use lawson_kernel::plan::{Plan, may_take_over};
use lawson_kernel::program::PlannedKernel;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::Region;

/// A kernel that can be a part.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What a launch of its own costs, in µs.
    pub launch_us: f64,
    /// Its code, which parts may share.
    pub code: PartCode,
    /// Operations of its code.
    pub operations: i64,
    /// Why a group that it was in came to nothing.
    pub dissolved: Option<Refusal>,
}

/// Bytes of a state from which on a second place for it costs more than a launch saves.
const LARGE_STATE: i64 = 128 << 10;

/// Of a kernel's time, what its launch must be worth.
const WORTH: f64 = 0.01;

/// The verdict on each unit.
pub fn all(
    module: &Module,
    host: &Host<'_>,
    options: &Options,
    plans: &mut Plans,
) -> Vec<Result<Judged, Refusal>> {
    let units = 0..host.units.len() as UnitId;
    units.map(|unit| judge(module, host, unit, options, plans)).collect()
}

fn judge(
    module: &Module,
    host: &Host<'_>,
    unit: UnitId,
    options: &Options,
    plans: &mut Plans,
) -> Result<Judged, Refusal> {
    let (target, base) = (&options.target, options.fusion.base);
    host.unit(unit).kernel.clone()?;
    let mode = (target, options.numerics);
    let planned = plans.of(module, host.comp, host.unit(unit).instr, mode)?;
    let PlannedKernel { region, plan } = &**plans.get(planned);
    if !region.aliases.is_empty() {
        return Err(Refusal::UpdatedInPlace);
    }
    if target.gpu.is_none() && replaces_state(module, host, unit, (region, plan)) {
        return Err(Refusal::ReplacesState);
    }
    segments::fits(plan)?;
    if target.gpu.is_some() {
        // Where warps share tiles, a part has a plan of its own.
        segments::part(region, target)?;
    }
    let figures = figures::count(region, plan, target);
    let cost = figures.cost();
    let (launch_us, us) = (launch_us(cost.work, target), cost.us(target));
    let pays = match base.coin(unit.into()) {
        Some(heads) => heads,
        None => base == FusionBase::Max || launch_us >= WORTH * us,
    };
    if !pays {
        return Err(Refusal::LongByItself);
    }
    let code = segments::code(region, plan);
    Ok(Judged { launch_us, code, operations: figures.code, dissolved: None })
}

/// Whether a kernel alone can make a large state of a loop in its place, which a part of a launch cannot.
fn replaces_state(module: &Module, host: &Host<'_>, unit: UnitId, (region, plan): (&Region, &Plan)) -> bool {
    let root = host.comp.root();
    if root.opcode != Opcode::Tuple {
        return false;
    }
    let unit = host.unit(unit);
    let operands = kernel_cut(module, host.comp, unit.instr).operands;
    let inputs = || operands.iter().enumerate().take(region.inputs.len());
    let from_state = |n: usize, output: usize| {
        let of_state = inputs().filter(|(_, x)| element_read(host.comp, **x) == Some(n));
        of_state.map(|(input, _)| (output as u32, input as u32)).any(|pair| may_take_over(region, plan, pair))
    };
    let made = unit.defines.iter().enumerate().take(region.outputs.len());
    made.filter(|(_, array)| host.array(**array).bytes >= LARGE_STATE).any(|(output, array)| {
        let next = root.operands.iter().enumerate().filter(|(_, o)| host.leaves[o.index()] == [*array]);
        next.map(|(n, _)| n).any(|n| from_state(n, output))
    })
}
