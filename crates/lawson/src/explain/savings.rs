//! What fusing an edge saves, counted on the plan in which each instruction is its own kernel: what the consumer reads
//! of the producer, and what the producer writes where nobody else needs that.
//!
//! So no edge saves more than that plan moves, nor do all edges together: each read and each write is counted once.
//! Times are those of as many threads as the report is about.

use super::Decision;
use super::listing::only_moves;
use crate::compile::Planned;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Opcode};
use lawson_kernel::cost::{figures, launch_us};
use lawson_opt::planning::cut::kernel_cut;
use lawson_opt::report;
use lawson_opt::schedule::LaunchSite;
use std::collections::BTreeMap;

/// Bytes, and the time that moving them and launching their kernel takes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Saved {
    pub bytes: u64,
    pub us: f64,
}

pub struct Savings<'a> {
    planned: &'a Planned,
    unfused: &'a Planned,
    threads: usize,
    /// The launches of an instruction's own kernel, by the names of its computation and itself.
    sites: BTreeMap<(&'a str, &'a str), Vec<&'a LaunchSite>>,
    /// For each of its kernels the bytes read of each input; nothing for a routine, which reads all of them.
    reads: Vec<Vec<i64>>,
    users: BTreeMap<CompId, Vec<Vec<InstrId>>>,
}

impl<'a> Savings<'a> {
    pub fn new(planned: &'a Planned, unfused: &'a Planned, threads: usize) -> Savings<'a> {
        let mut sites: BTreeMap<(&str, &str), Vec<&LaunchSite>> = BTreeMap::new();
        let mut users = BTreeMap::new();
        for site in &unfused.scheduled.sites {
            let comp = &unfused.module[site.computation];
            sites.entry((&comp.name, &comp[site.instruction].name)).or_default().push(site);
            users.entry(site.computation).or_insert_with(|| comp.users());
        }
        let kernels = unfused.scheduled.program.kernels.iter();
        let reads = kernels.map(|k| {
            let planned = k.source();
            planned.map_or(Vec::new(), |p| figures::bytes_of_inputs(&p.region, &p.plan, &unfused.prices))
        });
        Savings { planned, unfused, threads, sites, reads: reads.collect(), users }
    }

    /// Whether an operation only moves what it reads, and stands for nothing but what made that.
    pub fn only_moves(&self, computation: &str, name: &str) -> bool {
        let site = self.sites.get(&(computation, name)).and_then(|s| s.first());
        site.is_some_and(|s| only_moves(&self.unfused.module[s.computation], s.instruction))
    }

    /// What a fused edge saves.
    pub fn fused(&self, d: &report::Decision) -> Saved {
        let read = self.read(d);
        if d.unwritten { plus(read, self.written(d)) } else { read }
    }

    /// What fusing a kept edge would save at most.
    pub fn kept(&self, d: &report::Decision, report: &Decision) -> Saved {
        if report.to_kernels.is_empty() {
            return Saved::default();
        }
        // The kernels there are may read less of the value, or write it for several.
        let sites = &self.planned.scheduled.sites;
        let all = |kernels: &[usize], of: fn(&LaunchSite) -> i64| -> u64 {
            kernels.iter().map(|&k| moved(&sites[k], of(&sites[k]))).fold(0, u64::saturating_add)
        };
        let read = at_most(self.read(d), all(&report.to_kernels, |s| s.figures.bytes_read));
        if !self.has_one_user(d) {
            return read;
        }
        let written = at_most(self.written(d), all(&report.from_kernels, |s| s.figures.bytes_written));
        plus(read, written)
    }

    /// What the consumer's own kernel reads of the producer.
    fn read(&self, d: &report::Decision) -> Saved {
        let module = &self.unfused.module;
        self.sum(&d.consumer, d, |site| {
            let comp = &module[site.computation];
            let inputs = kernel_cut(module, comp, site.instruction).inputs;
            let leaves = inputs.iter().flat_map(|&i| comp[i].shape.leaves().into_iter().map(move |a| (i, a)));
            let known = &self.reads[site.kernel];
            let reads = leaves.enumerate().map(|(n, (i, a))| (i, known.get(n).copied().unwrap_or(a.bytes())));
            // Read as it is, or behind what costs nothing.
            let directly = inputs.iter().any(|&i| *comp[i].name == *d.producer);
            let is_producer = |i: InstrId| match directly {
                true => *comp[i].name == *d.producer,
                false => behind(comp, i).any(|i| *comp[i].name == *d.producer),
            };
            reads.filter(|(i, _)| is_producer(*i)).map(|(_, bytes)| bytes).fold(0i64, i64::saturating_add)
        })
    }

    /// What the producer's own kernel writes, and its launch.
    fn written(&self, d: &report::Decision) -> Saved {
        let mut saved = self.sum(&d.producer, d, |site| site.figures.bytes_written);
        for site in self.sites(&d.producer, d) {
            saved.us += launches(site) as f64 * launch_us(site.figures.work as f64, &self.unfused.prices);
        }
        saved
    }

    /// Bytes of all launches of an instruction's own kernel, and their share of the time to move all that it moves.
    fn sum(&self, name: &str, d: &report::Decision, bytes: impl Fn(&LaunchSite) -> i64) -> Saved {
        self.sites(name, d).iter().fold(Saved::default(), |sum, site| {
            let cost = site.figures.cost();
            let part = moved(site, bytes(site));
            let moving = cost.memory_us(&cost.alone(), self.threads, &self.unfused.prices);
            let rate = moving / cost.bytes().max(1) as f64;
            plus(sum, Saved { bytes: part, us: part as f64 * rate })
        })
    }

    /// The launches of an instruction's own kernel.
    fn sites<'s>(&'s self, name: &'s str, d: &'s report::Decision) -> &'s [&'a LaunchSite] {
        self.sites.get(&(&*d.computation, name)).map_or(&[], |s| s)
    }

    /// Whether nobody but the consumer uses the producer's value.
    fn has_one_user(&self, d: &report::Decision) -> bool {
        self.sites(&d.producer, d).iter().all(|site| {
            let comp = &self.unfused.module[site.computation];
            let users = self.users.get(&site.computation).map_or(&[][..], |u| &u[site.instruction.index()]);
            matches!(users, [user] if *comp[*user].name == *d.consumer) && comp.root != site.instruction
        })
    }
}

fn plus(a: Saved, b: Saved) -> Saved {
    Saved { bytes: a.bytes.saturating_add(b.bytes), us: a.us + b.us }
}

fn at_most(saved: Saved, bytes: u64) -> Saved {
    match saved.bytes <= bytes {
        true => saved,
        false => Saved { bytes, us: saved.us * bytes as f64 / saved.bytes as f64 },
    }
}

/// Launches in a run; a loop of unknown trip count counts as one trip.
fn launches(site: &LaunchSite) -> u64 {
    site.launches.unwrap_or(1)
}

fn moved(site: &LaunchSite, bytes: i64) -> u64 {
    launches(site).saturating_mul(bytes.max(0) as u64)
}

/// An instruction and those behind it, as far as they cost nothing.
fn behind(comp: &Computation, id: InstrId) -> impl Iterator<Item = InstrId> + '_ {
    std::iter::successors(Some(id), |&id| {
        let instr = &comp[id];
        match (instr.opcode, &instr.attrs) {
            (Opcode::GetTupleElement, Attrs::TupleIndex(n)) => {
                let whole = &comp[instr.operands[0]];
                let made = whole.opcode == Opcode::Tuple;
                Some(if made { whole.operands[*n] } else { instr.operands[0] })
            }
            (Opcode::Reshape | Opcode::Copy | Opcode::Bitcast, _) => instr.operands.first().copied(),
            _ => None,
        }
    })
}
