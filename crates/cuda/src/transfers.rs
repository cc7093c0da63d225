//! What a run copies between the host and its device, told from the program: as [`crate::Counters`] count it.

use lawson_kernel::program::{Code, Program, Step};

/// What crosses in a run. Arguments and results are on the device before and after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Crossing {
    /// Routines by the names of their kernels, and functions of the host by theirs; each once.
    pub host_steps: Vec<String>,
    pub uploads: u64,
    pub upload_bytes: u64,
    pub downloads: u64,
    pub download_bytes: u64,
    /// Conditions of loops and branches that the host reads, among the downloads.
    pub conditions: u64,
    /// Trips are not known, or branches differ: loops count as one trip, branches as the one that copies most.
    pub varies: bool,
}

/// What a run of this program copies.
pub fn crossing(program: &Program) -> Crossing {
    let mut sum = Crossing::default();
    steps(program, &program.steps, 1, &mut sum);
    sum
}

fn steps(program: &Program, list: &[Step], times: u64, sum: &mut Crossing) {
    for step in list {
        match step {
            Step::Launch { kernel, args } => {
                let named = &program.kernels[*kernel];
                if !matches!(named.code, Code::Library(_)) {
                    continue;
                }
                let of = named.parameters.iter().map(|p| (p.len * p.elem.bytes(), p.access));
                let read = |a| a == lawson_kernel::loop_ir::Access::Read;
                host(sum, &named.name, times, of.zip(args).map(|((bytes, a), _)| (bytes, read(a))));
            }
            Step::CustomCall { target, args, results, .. } => {
                let bytes = |b: &lawson_kernel::program::BufId| program.buffers[b.index()].bytes;
                let read = args.iter().map(|(b, _)| (bytes(b), true));
                host(sum, target, times, read.chain(results.iter().map(|b| (bytes(b), false))));
            }
            Step::While { cond, body, trips, .. } => {
                let known = trips.and_then(|n| u64::try_from(n).ok());
                let trips = known.unwrap_or(1);
                let checks = times.saturating_mul(trips.saturating_add(1));
                steps(program, cond, checks, sum);
                steps(program, body, times.saturating_mul(trips), sum);
                if known.is_none_or(|n| n == 0) {
                    condition(sum, checks, 1);
                    sum.varies |= known.is_none();
                }
            }
            Step::Conditional { predicated, branches, .. } => {
                condition(sum, times, if *predicated { 1 } else { 4 });
                let all = branches.iter().map(|branch| {
                    let mut one = Crossing::default();
                    steps(program, branch, times, &mut one);
                    one
                });
                let all: Vec<Crossing> = all.collect();
                sum.varies |= all.windows(2).any(|w| w[0] != w[1]) || all.iter().any(|c| c.varies);
                if let Some(most) = all.into_iter().max_by_key(|c| c.upload_bytes + c.download_bytes) {
                    add(sum, most);
                }
            }
            Step::Copy { .. } | Step::Concatenate { .. } | Step::Swap { .. } => {}
        }
    }
}

fn host(sum: &mut Crossing, name: &str, times: u64, arrays: impl Iterator<Item = (i64, bool)>) {
    if !sum.host_steps.iter().any(|n| n == name) {
        sum.host_steps.push(name.into());
    }
    for (bytes, is_read) in arrays.filter(|(bytes, _)| *bytes > 0) {
        let bytes = times.saturating_mul(bytes as u64);
        match is_read {
            true => (sum.downloads, sum.download_bytes) = (sum.downloads + times, sum.download_bytes + bytes),
            false => (sum.uploads, sum.upload_bytes) = (sum.uploads + times, sum.upload_bytes + bytes),
        }
    }
}

fn condition(sum: &mut Crossing, times: u64, bytes: u64) {
    sum.conditions += times;
    sum.downloads += times;
    sum.download_bytes += times.saturating_mul(bytes);
}

fn add(sum: &mut Crossing, other: Crossing) {
    for name in other.host_steps {
        if !sum.host_steps.contains(&name) {
            sum.host_steps.push(name);
        }
    }
    sum.uploads += other.uploads;
    sum.upload_bytes += other.upload_bytes;
    sum.downloads += other.downloads;
    sum.download_bytes += other.download_bytes;
    sum.conditions += other.conditions;
}
