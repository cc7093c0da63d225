//! Makes the explanation from a plan.

use super::names::{Names, origin_of, places};
use super::{Decision, Explanation, Kernel, Totals};
use crate::compile::{self, Planned};
use crate::error::{Error, ErrorCode};
use crate::execute::{Native, Prepared};
use crate::load::Loaded;
use crate::options::{Device, Options};
use crate::{figures, roofline};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{ArrayShape, Attrs, Module, Shape};
use lawson_kernel::plan::{Plan, plan};
use lawson_kernel::program::Step;
use lawson_kernel::region::{Kind, Node, Region, Stage};
use lawson_opt::report;
use lawson_opt::schedule::{LaunchSite, region_of};
use std::collections::BTreeMap;

/// Plans the module and tells what was decided. Starts no code generation.
pub fn explain(loaded: &Loaded, options: &Options) -> Result<Explanation, Error> {
    if options.device != Device::Cpu {
        return Err(unexplained(options));
    }
    let planned = compile::plan(&loaded.module, options)?;
    build(loaded, options, &planned)
}

/// The error where a device has nothing to explain.
pub(super) fn unexplained(options: &Options) -> Error {
    let message = format!("there are no kernels on device {}; use --device cpu", options.device.name());
    Error::new(ErrorCode::Unsupported, message)
}

/// The explanation of a module that is ready to run; nothing where its device has no plan.
pub fn explain_prepared(loaded: &Loaded, prepared: &Prepared<'_>) -> Result<Option<Explanation>, Error> {
    let Prepared::Cpu(native) = prepared else { return Ok(None) };
    let Native { options, planned, .. } = &**native;
    build(loaded, options, planned).map(Some)
}

fn build(loaded: &Loaded, options: &Options, planned: &Planned) -> Result<Explanation, Error> {
    let names = Names::new(&loaded.module);
    let sites = &planned.scheduled.sites;
    let file = &loaded.file;
    let kernels: Vec<Kernel> = sites.iter().map(|s| kernel(planned, options, &names, file, s)).collect();
    let decisions = decisions(planned, &names, file);
    let unfused = figures::unfused(&loaded.module, options)?;
    let threads = options.threads;
    let machine = format!(
        "{} {}, {threads} thread{}, {}",
        options.device.name(),
        planned.target.name,
        if threads == 1 { "" } else { "s" },
        options.numerics.name(),
    );
    Ok(Explanation {
        module: loaded.file.clone(),
        signature: signature(&loaded.module),
        machine,
        totals: totals(&loaded.module, options, planned, &unfused, &decisions),
        kernels,
        decisions,
    })
}

fn kernel(planned: &Planned, options: &Options, names: &Names, file: &str, site: &LaunchSite) -> Kernel {
    let comp = &planned.module[site.computation];
    let instr = &comp[site.instruction];
    let origin = origin_of(&planned.module, comp, site.instruction);
    let kind = match &instr.attrs {
        Attrs::Fusion { kind, .. } => kind.name(),
        _ => instr.opcode.name(),
    };
    let (mut category, mut words) = ("", String::new());
    if let Ok(region) = region_of(&planned.module, comp, site.instruction)
        && let Ok(plan) = plan(&region, &planned.target)
    {
        category = self::category(&region, &plan);
        words = plan.summary();
    }
    let mut instructions = names.of(&origin);
    if instructions.is_empty() {
        instructions.push(instr.name.to_string());
    }
    Kernel {
        name: instr.name.to_string(),
        kind: kind.into(),
        category: category.into(),
        plan: words,
        phases: planned.scheduled.program.kernels[site.kernel].phases.len() as u64,
        launches: site.launches,
        instructions,
        places: places(&planned.module, &origin, file),
        bytes_read: site.figures.bytes_read.max(0) as u64,
        bytes_written: site.figures.bytes_written.max(0) as u64,
        flops: site.figures.flops.max(0) as u64,
        predicted_us: roofline::launch_us(&site.figures, &planned.target, options.threads),
        measured_us: None,
    }
}

/// What kind of fusion a kernel is.
fn category(region: &Region, plan: &Plan) -> &'static str {
    let heroes = region.stages.iter().filter(|s| !matches!(s.kind, Kind::Map { .. })).count();
    let epilogue = plan.groups.iter().any(|g| g.epilogue.is_some());
    match (heroes, &region.stages[..]) {
        (0, [stage]) if is_pointwise(region, stage) => "elementwise",
        (0, _) => "loop",
        (1, _) if epilogue => "output",
        (1, _) => "input",
        _ => "reduction",
    }
}

/// Whether every array is read at the point that is written, or is one value.
fn is_pointwise(region: &Region, stage: &Stage) -> bool {
    let point: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
    let position = linearize(&point, &stage.space);
    region.nodes.iter().all(|node| match node {
        Node::Load { offset, .. } => *offset == position || offset.as_constant().is_some(),
        _ => true,
    })
}

/// One verdict for each edge of the input.
fn decisions(planned: &Planned, names: &Names, file: &str) -> Vec<Decision> {
    let mut all: Vec<Decision> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for d in &planned.report.decisions {
        let next = decision(planned, names, file, d);
        let edge = (next.producer.clone(), next.consumer.clone());
        match known.get(&edge) {
            // An instruction that became several: one verdict, and the refusal is what the user can act on.
            Some(&at) => {
                let old = &mut all[at];
                let saved = (
                    old.bytes_saved + next.bytes_saved,
                    old.bytes_saved_formula + next.bytes_saved_formula,
                    old.us_saved + next.us_saved,
                );
                if old.fused && !next.fused {
                    *old = next;
                }
                (old.bytes_saved, old.bytes_saved_formula, old.us_saved) = saved;
            }
            None => {
                known.insert(edge, all.len());
                all.push(next);
            }
        }
    }
    all
}

fn decision(planned: &Planned, names: &Names, file: &str, d: &report::Decision) -> Decision {
    let [from, to] = &d.origins;
    let (mut producer, mut consumer) = (names.best(&d.producer, from), names.best(&d.consumer, to));
    if producer == consumer {
        // Both stand for one instruction of the input: only their own names tell them apart.
        (producer, consumer) = (d.producer.to_string(), d.consumer.to_string());
    }
    let both = from.union(to);
    Decision {
        producer,
        consumer,
        fused: d.fused,
        pass: d.pass.into(),
        refusal: d.refusal.as_ref().map(|r| r.name().into()),
        reason: d.reason.clone(),
        counterfactual: (!d.counterfactual.is_empty()).then(|| d.counterfactual.clone()),
        places: places(&planned.module, &both, file),
        bytes_saved: d.bytes_saved.max(0) as u64,
        bytes_saved_formula: d.bytes_saved_formula.max(0) as u64,
        us_saved: d.us_saved,
    }
}

fn totals(
    input: &Module,
    options: &Options,
    planned: &Planned,
    unfused: &Planned,
    decisions: &[Decision],
) -> Totals {
    let sites = &planned.scheduled.sites;
    let once = |s: &LaunchSite| s.launches.unwrap_or(1);
    let moved = |p: &Planned| {
        let sites = p.scheduled.sites.iter();
        sites.fold(0u64, |sum, s| sum.saturating_add(once(s).saturating_mul(figures::bytes(s))))
    };
    let (bytes_unfused, bytes_fused) = (moved(unfused), moved(planned));
    let sum = |of: fn(&lawson_kernel::figures::Figures, &Planned, usize) -> f64| -> f64 {
        sites.iter().map(|s| once(s) as f64 * of(&s.figures, planned, options.threads)).sum()
    };
    let memory = sum(|f, p, n| roofline::memory_us(f, &p.target, n));
    let work = sum(|f, p, n| roofline::work_us(f, &p.target, n));
    let launching = sum(|_, p, _| p.target.launch_us);
    let bound = if sites.is_empty() {
        String::new()
    } else if launching > memory.max(work) {
        "launches".into()
    } else if memory >= work {
        format!("memory ({:.0} GB/s)", bytes_fused as f64 / memory / 1e3)
    } else {
        format!("arithmetic ({:.0} Gop/s)", planned.target.gops * options.threads as f64)
    };
    Totals {
        instructions: Names::count(input),
        kernels: sites.len() as u64,
        launches: sites.iter().map(|s| s.launches).sum(),
        copies: copies(&planned.scheduled.program.steps),
        bytes_unfused,
        bytes_fused,
        bytes_saved: bytes_unfused.saturating_sub(bytes_fused),
        bytes_saved_formula: decisions.iter().map(|d| d.bytes_saved_formula).sum(),
        flops: sites.iter().map(|s| once(s).saturating_mul(s.figures.flops.max(0) as u64)).sum(),
        predicted_us: sum(|f, p, n| roofline::launch_us(f, &p.target, n)),
        bound,
    }
}

/// Copies of one run; of a branch the most any takes.
fn copies(steps: &[Step]) -> u64 {
    let of = |step: &Step| match step {
        Step::Copy { .. } => 1,
        Step::While { cond, body, trips, .. } => {
            let trips = trips.unwrap_or(1).max(0) as u64;
            trips.saturating_mul(copies(body)).saturating_add((trips + 1).saturating_mul(copies(cond)))
        }
        Step::Conditional { branches, .. } => branches.iter().map(|b| copies(b)).max().unwrap_or(0),
        Step::Launch { .. } | Step::Swap { .. } | Step::CustomCall { .. } => 0,
    };
    steps.iter().map(of).fold(0, u64::saturating_add)
}

/// `f32[4096,1024] → f32[4096,1024]`.
fn signature(module: &Module) -> String {
    let parameters: Vec<&ArrayShape> =
        module.entry().parameter_shapes().into_iter().flat_map(Shape::leaves).collect();
    format!("{} → {}", shapes(&parameters), shapes(&module.entry().root().shape.leaves()))
}

/// Shapes without layouts; of many the first.
fn shapes(all: &[&ArrayShape]) -> String {
    const SHOWN: usize = 3;
    let one = |a: &&ArrayShape| {
        let dims: Vec<String> = a.dims.iter().map(i64::to_string).collect();
        format!("{}[{}]", a.dtype, dims.join(","))
    };
    match all {
        [single] => one(single),
        _ => {
            let mut words: Vec<String> = all.iter().take(SHOWN).map(one).collect();
            if all.len() > SHOWN {
                words.push(format!("… {} more", all.len() - SHOWN));
            }
            format!("({})", words.join(", "))
        }
    }
}
