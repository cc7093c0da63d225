//! Who may share a launch, and for whom a launch matters.

use crate::fusion::join::host::{Host, UnitId};
use crate::options::Options;
use crate::options::fusion::FusionBase;
use crate::planning::Plans;
use lawson_hlo::Module;
use lawson_kernel::cost::figures;
use lawson_kernel::cost::launch_us;
use lawson_kernel::plan::segments::{self, PartCode};
use lawson_kernel::program::PlannedKernel;
use lawson_kernel::refusal::Refusal;

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
