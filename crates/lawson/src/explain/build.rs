//! Makes the explanation from a plan.

use super::crossing::Residence;
use super::decisions::{candidates, decisions, joins, layouts};
use super::listing::Listing;
use super::names::{Names, origin_of, places};
use super::residuals::residuals;
use super::savings::Savings;
use super::totals::totals;
use super::{Explanation, Kernel, Operation, PassOutcome, graph};
use crate::compile::{self, Planned};
use crate::error::{Error, ErrorCode};
use crate::executable::{Executable, Native};
use crate::figures;
use crate::load::Loaded;
use crate::options::{Device, Effort, Options};
use crate::traffic;
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{ArrayShape, Attrs, Module, Shape};
use lawson_kernel::cost::Moved;
use lawson_kernel::plan::{Body, Plan};
use lawson_kernel::program::{Code, LibraryKernel, NamedKernel};
use lawson_kernel::region::{Kind, Node, Region, Stage};
use lawson_opt::report::PassReport;
use lawson_opt::schedule::LaunchSite;

/// Plans the module and tells what was decided. Starts no code generation.
pub fn explain(loaded: &Loaded, options: &Options) -> Result<Explanation, Error> {
    let [planned, unfused] = compile::plan_both(&loaded.module, options, &figures::as_unfused(options))?;
    build(loaded, options, &planned, &unfused)
}

/// The error where a device has nothing to explain.
pub fn unexplained(device: Device) -> Error {
    let message = format!("there are no kernels on device {device}; use --device cpu");
    Error::new(ErrorCode::Unsupported, message)
}

/// The explanation of a module that is compiled; nothing where its device has no plan.
pub fn explain_compiled(loaded: &Loaded, executable: &Executable) -> Result<Option<Explanation>, Error> {
    let Some(Native { options, planned, .. }) = executable.native() else { return Ok(None) };
    build(loaded, options, planned, &figures::unfused(&loaded.module, options)?).map(Some)
}

fn build(
    loaded: &Loaded,
    options: &Options,
    planned: &Planned,
    unfused: &Planned,
) -> Result<Explanation, Error> {
    let names = Names::new(loaded);
    let sites = &planned.scheduled.sites;
    let file = &loaded.file;
    let known = planned.scheduled.program.kernels.iter().map(Known::of).collect::<Result<Vec<_>, _>>()?;
    let listing = Listing::new(planned, unfused, &names);
    let moved = traffic::of(planned);
    let kernel = |(n, s): (usize, &LaunchSite)| {
        let instructions = listing.operations(n, &names);
        kernel(planned, options, (instructions, file), (s, &moved[n], &known[s.kernel]))
    };
    let kernels: Vec<Kernel> = sites.iter().enumerate().map(kernel).collect();
    let threads = options.threads;
    let savings = Savings::new(planned, unfused, threads);
    let (target, numerics) = (&planned.target, options.roundings());
    let machine = match target.gpu {
        Some(_) => format!("gpu {}, {numerics}", target.name),
        None => {
            let s = if threads == 1 { "" } else { "s" };
            let fast = if options.effort == Effort::Fast { ", compiled fast" } else { "" };
            format!("{} {}, {threads} thread{s}, {numerics}{fast}", Device::Cpu.name(), target.name)
        }
    };
    Ok(Explanation {
        module: loaded.file.clone(),
        signature: signature(&loaded.module),
        machine,
        mode: options.effort.name().into(),
        totals: totals(&loaded.module, options, (planned, &moved), unfused),
        kernels,
        decisions: decisions(planned, (&names, file), &listing, &savings),
        joins: joins(planned, &names),
        candidates: candidates(planned, &names),
        layouts: layouts(planned, &names),
        residuals: residuals(planned, (&names, file)),
        residence: target.gpu.map(|_| Residence::of(planned)),
        tuning: planned.tuning.clone(),
        repeated: listing.repeated(),
        compiled: Vec::new(),
        passes: passes(&planned.report.passes),
        before: graph::before(unfused, planned, &names),
        after: graph::after(planned),
    })
}

/// What is the same of a kernel wherever it is launched.
struct Known {
    category: &'static str,
    plan: String,
    /// Parallel regions of a launch.
    phases: u64,
}

impl Known {
    fn of(kernel: &NamedKernel) -> Result<Known, Error> {
        let bug = |refusal| Error::new(ErrorCode::Internal, format!("{}: {refusal}", kernel.name));
        let phases = kernel.parallel_regions().map_err(bug)?;
        Ok(match &kernel.code {
            Code::Planned(p) => {
                Known { category: category(&p.region, &p.plan), plan: p.plan.summary(), phases }
            }
            Code::Lowered(_) => Known { category: "loop", plan: "given as code".into(), phases },
            Code::Library(library) => Known { category: "library", plan: routine(library), phases },
        })
    }
}

/// `7 routines of 33 × 33`.
fn routine(library: &LibraryKernel) -> String {
    let call = &library.call;
    let size = format!("{} × {}", call.rows, call.columns);
    match call.batch {
        1 => format!("a routine of {size}"),
        n => format!("{n} routines of {size}"),
    }
}

fn kernel(
    planned: &Planned,
    options: &Options,
    (mut instructions, file): (Vec<Operation>, &str),
    (site, moved, known): (&LaunchSite, &[Moved], &Known),
) -> Kernel {
    let comp = &planned.module[site.computation];
    let instr = &comp[site.instruction];
    let origin = origin_of(&planned.module, comp, site.instruction);
    let kind = match &instr.attrs {
        Attrs::Fusion { kind, .. } => kind.name(),
        _ => instr.opcode.name(),
    };
    if instructions.is_empty() {
        instructions.push(Operation { name: instr.name.to_string(), ..Operation::default() });
    }
    let cost = site.figures.cost();
    Kernel {
        name: instr.name.to_string(),
        kind: kind.into(),
        category: known.category.into(),
        plan: known.plan.clone(),
        phases: known.phases,
        launches: site.launches,
        instructions,
        places: places(&planned.module, &origin, file),
        bytes_read: site.figures.bytes_read.max(0) as u64,
        bytes_written: site.figures.bytes_written.max(0) as u64,
        flops: site.figures.flops.max(0) as u64,
        predicted_us: cost.us_moving(moved, options.threads, &planned.prices),
        memory_us: cost.memory_us(moved, options.threads, &planned.prices),
        work_us: cost.work_us(options.threads, &planned.prices),
        measured_us: None,
        live: site.figures.live.max(0) as u64,
        code: site.figures.code.max(0) as u64,
        occupancy: planned.target.occupancy(site.figures.live, site.figures.shared),
    }
}

/// Each pass once, in the order of their first runs.
fn passes(reports: &[PassReport]) -> Vec<PassOutcome> {
    let mut out: Vec<PassOutcome> = Vec::new();
    for r in reports {
        let at = out.iter().position(|p| p.name == r.name).unwrap_or_else(|| {
            let instructions_before = r.instructions_before as u64;
            out.push(PassOutcome { name: r.name.into(), instructions_before, ..PassOutcome::default() });
            out.len() - 1
        });
        let pass = &mut out[at];
        pass.changed |= r.changed;
        pass.instructions_after = r.instructions_after as u64;
        for (&rule, &n) in &r.rules {
            match pass.rules.iter_mut().find(|(known, _)| known == rule) {
                Some((_, times)) => *times += n,
                None => pass.rules.push((rule.into(), n)),
            }
        }
    }
    out
}

/// What kind of fusion a kernel is.
fn category(region: &Region, plan: &Plan) -> &'static str {
    if let Some(segments) = &plan.segments {
        // Of several parts the one that does most.
        const RISING: [&str; 5] = ["elementwise", "loop", "input", "output", "reduction"];
        let of = |b: &Body| category(&region.parts[b.parts[0] as usize].region, &b.plan);
        let rank = |c: &&str| RISING.iter().position(|r| r == c);
        return segments.bodies.iter().map(of).max_by_key(rank).unwrap_or("elementwise");
    }
    let maps = |s: &&Stage| matches!(s.kind, Kind::Map { .. } | Kind::Pieces(_));
    let heroes = region.stages.len() - region.stages.iter().filter(maps).count();
    let epilogue = plan.groups.iter().any(|g| g.epilogue.is_some());
    let dependent = plan.nest.is_some() || plan.groups.len() > 1;
    if region.stages.iter().any(|s| matches!(s.kind, Kind::Loop(_))) {
        return "loop-carried";
    }
    match (heroes, &region.stages[..]) {
        (0, [stage]) if is_pointwise(region, stage) => "elementwise",
        (0, _) => "loop",
        _ if dependent => "reduction",
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

/// `f32[4096,1024] → f32[4096,1024]`.
fn signature(module: &Module) -> String {
    let parameters: Vec<&ArrayShape> =
        module.entry().parameter_shapes().into_iter().flat_map(Shape::leaves).collect();
    format!("{} → {}", shapes(&parameters), shapes(&module.entry().root().shape.leaves()))
}

/// Shapes without layouts; of many the first.
pub(super) fn shapes(all: &[&ArrayShape]) -> String {
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
