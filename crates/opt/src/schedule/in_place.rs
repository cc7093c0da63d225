//! Launches that compute a result in the memory of an argument.
//!
//! ```text
//! launch k (in0, in1, out0)        copy in0 → out0          nothing where the two are one memory
//!                                  launch k' (in1, out0)    replaces each element of out0 once
//! ```

use super::LaunchSite;
use crate::buffers::{InPlace, before_launches};
use lawson_kernel::plan::taken_over;
use lawson_kernel::program::walk::visit_lists_mut;
use lawson_kernel::program::{NamedKernel, PlannedKernel, Program, Step};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Writes launches anew as far as their kernels can work in place, each after the copies it begins with. They are in order.
pub fn rewrite(program: &mut Program, wanted: &[InPlace], sites: &mut [LaunchSite]) {
    if wanted.is_empty() {
        return;
    }
    // By the kernel and what it was asked for.
    let mut known: FxHashMap<(usize, Pairs), Option<usize>> = FxHashMap::default();
    let mut wanted = wanted.iter().peekable();
    let mut steps = std::mem::take(&mut program.steps);
    before_launches(&mut steps, &mut 0, &mut |launch, step| {
        let Step::Launch { kernel, args } = step else { return Vec::new() };
        let Some(place) = wanted.next_if(|w| w.launch == launch) else { return Vec::new() };
        let made = known.entry((*kernel, place.pairs.clone())).or_insert_with(|| {
            let made = made_in_place(program, *kernel, &place.pairs)?;
            program.kernels.push(made);
            Some(program.kernels.len() - 1)
        });
        let Some(number) = *made else { return Vec::new() };
        let Some(planned) = program.kernels[number].source() else { return Vec::new() };
        let done = place.pairs.iter().filter(|p| planned.region.aliases.contains(p)).copied().collect();
        let done = InPlace { launch, pairs: done };
        (*kernel, sites[launch].kernel) = (number, number);
        let copies = done.buffers(planned.region.inputs.len(), args).into_iter();
        copies.map(|(from, to)| Step::Copy { from, to }).collect()
    });
    program.steps = steps;
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
