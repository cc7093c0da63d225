//! Launches that compute a result in the memory of an argument that is donated to it.
//!
//! ```text
//! launch k (in0, in1, out0)        copy in0 → out0          nothing where the two are one memory
//!                                  launch k' (in1, out0)    replaces each element of out0 once
//! ```

use super::LaunchSite;
use crate::buffers::Meeting;
use lawson_kernel::plan::taken_over;
use lawson_kernel::program::walk::{visit, visit_lists_mut};
use lawson_kernel::program::{BufId, NamedKernel, Place, PlannedKernel, Program, Step};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Writes launches anew where an argument and its result meet and the kernel can work in place.
pub fn rewrite(program: &mut Program, meetings: &[Meeting], sites: &mut [LaunchSite]) {
    // By the kernel and what it was asked for.
    let mut known: FxHashMap<(usize, Pairs), Option<usize>> = FxHashMap::default();
    // From the last on, since each adds steps before its launch.
    for met in meetings.chunk_by(|a, b| a.step == b.step).rev() {
        let step = met[0].step;
        let Step::Launch { kernel, args } = program.steps[step].clone() else { continue };
        let passed: Vec<Passed> = met.iter().filter_map(|m| pair(program, kernel, &args, m)).collect();
        let wanted: Pairs = passed.iter().map(|p| p.pair).collect();
        let made = known.entry((kernel, wanted.clone())).or_insert_with(|| {
            let made = made_in_place(program, kernel, &wanted)?;
            program.kernels.push(made);
            Some(program.kernels.len() - 1)
        });
        let Some(number) = *made else { continue };
        let Some(planned) = program.kernels[number].source() else { continue };
        let copies = passed.iter().filter(|p| planned.region.aliases.contains(&p.pair));
        let copies: Vec<Step> = copies.map(|p| Step::Copy { from: p.from, to: p.to }).collect();
        let mut launches = 0;
        visit(&program.steps[..step], &mut |s| launches += matches!(s, Step::Launch { .. }) as usize);
        sites[launches].kernel = number;
        program.steps[step] = Step::Launch { kernel: number, args };
        program.steps.splice(step..step, copies);
    }
    drop_unused(program, sites);
}

/// Results and the inputs whose memory they take, by their positions in the region of a kernel.
type Pairs = Vec<(u32, u32)>;

/// Drops the kernels that no launch names any more.
fn drop_unused(program: &mut Program, sites: &mut [LaunchSite]) {
    let mut used = vec![false; program.kernels.len()];
    each_kernel(&mut program.steps, &mut |kernel| used[*kernel] = true);
    let mut left = 0..;
    // Of what is dropped, the number is never asked for.
    let numbers: Vec<usize> =
        used.iter().map(|&used| if used { left.next() } else { None }.unwrap_or(0)).collect();
    each_kernel(&mut program.steps, &mut |kernel| *kernel = numbers[*kernel]);
    sites.iter_mut().for_each(|site| site.kernel = numbers[site.kernel]);
    let mut keep = used.iter();
    program.kernels.retain(|_| keep.next() == Some(&true));
}

/// A result and an input of a kernel, and the buffers that are passed for them.
struct Passed {
    pair: (u32, u32),
    from: BufId,
    to: BufId,
}

/// What meets in a launch, if each is passed once.
fn pair(program: &Program, kernel: usize, args: &[BufId], met: &Meeting) -> Option<Passed> {
    let region = &program.kernels[kernel].source()?.region;
    let only = |place: Place| {
        let mut at = args.iter().enumerate().filter(|(_, id)| program.buffers[id.index()].place == place);
        let (first, &id) = at.next()?;
        at.next().is_none().then_some((first, id))
    };
    let (input, from) = only(Place::Input(met.donation.input))?;
    let (output, to) = only(Place::Output(met.donation.output))?;
    let output = output.checked_sub(region.inputs.len()).filter(|&o| o < region.outputs.len())?;
    (input < region.inputs.len()).then_some(Passed { pair: (output as u32, input as u32), from, to })
}

/// The kernel that does the same in place, for as many of the pairs as it can.
fn made_in_place(program: &Program, kernel: usize, pairs: &[(u32, u32)]) -> Option<NamedKernel> {
    let known = program.kernels[kernel].source()?;
    let (region, plan) = taken_over(&known.region, &known.plan, pairs)?;
    let name = &program.kernels[kernel].name;
    let is_new = |name: &String| program.kernels.iter().all(|k| k.name != *name);
    let name = (0..).map(|n| format!("{name}_in_place{n}")).find(is_new)?;
    Some(NamedKernel::planned(name, Arc::new(PlannedKernel::new(region, plan))))
}

/// Calls `f` with every name of a kernel.
fn each_kernel(steps: &mut Vec<Step>, f: &mut impl FnMut(&mut usize)) {
    visit_lists_mut(steps, &mut |list| {
        for step in list {
            if let Step::Launch { kernel, .. } = step {
                f(kernel);
            }
        }
    });
}
