//! States of loops that a launch makes anew in their place.
//!
//! ```text
//! launch k (s, y, out t)      copy s → t             none once s and t are one buffer
//! copy t → s                  launch k' (y, t)       replaces each element of t once
//!                             copy t → s             nor this one
//! ```
//!
//! Such a state has one place instead of two that it changes between, so that twice as much of it stays in a cache. It is
//! tried what the copies come to: a choice that leaves more of them than there were is none. Outside of loops nothing is made in
//! place of a temporary: fusion, which joins the launches that could, would take more memory than without it.

use super::walk::Walk;
use super::{coalesce, swap};
use lawson_kernel::plan::may_take_over;
use lawson_kernel::program::walk::{count, is_copy, visit};
use lawson_kernel::program::{BufId, Place, Program, Step};
use rustc_hash::FxHashMap;

/// Smaller arrays stay in the nearest cache in any case.
const LEAST_BYTES: i64 = 16 << 10;

/// A launch with the results that it makes in the memory of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InPlace {
    /// Its number among the launches, as they are written.
    pub launch: usize,
    /// Results and arguments, by their positions in the region of the kernel.
    pub pairs: Vec<(u32, u32)>,
}

impl InPlace {
    /// The buffers that are passed for the argument and the result of each pair.
    pub fn buffers(&self, inputs: usize, args: &[BufId]) -> Vec<(BufId, BufId)> {
        let passed = |&(output, input): &(u32, u32)| (args[input as usize], args[inputs + output as usize]);
        self.pairs.iter().map(passed).collect()
    }
}

/// What may be made in place of the states that it carries on.
pub fn of_states(program: &mut Program) -> Vec<InPlace> {
    let found = candidates(program);
    if found.is_empty() {
        return found;
    }
    let unchanged = program.steps.clone();
    let with_copies = with_copies(program, &found);
    let [before, after] = [unchanged, with_copies].map(|steps| copies_left(program, steps));
    if after > before { Vec::new() } else { found }
}

/// Calls `f` with each launch and its number, in order, and puts the steps it gives before it.
pub fn before_launches(
    steps: &mut Vec<Step>,
    number: &mut usize,
    f: &mut impl FnMut(usize, &mut Step) -> Vec<Step>,
) {
    let mut at = 0;
    while at < steps.len() {
        let mut before = Vec::new();
        if matches!(steps[at], Step::Launch { .. }) {
            before = f(*number, &mut steps[at]);
            *number += 1;
        }
        steps[at].lists_mut().into_iter().for_each(|list| before_launches(list, number, f));
        let added = before.len();
        steps.splice(at..at, before);
        at += added + 1;
    }
}

/// Pairs that the kernel allows, of a result that is copied to a state which is dead after the launch.
fn candidates(program: &Program) -> Vec<InPlace> {
    let targets = copy_targets(program);
    let mut found = Vec::new();
    let mut launch = 0;
    Walk::over(program, &mut |walk, step| {
        if let Step::Launch { kernel, args } = step {
            let pairs = pairs(walk, *kernel, args, &targets);
            if !pairs.is_empty() {
                found.push(InPlace { launch, pairs });
            }
            launch += 1;
        }
    });
    found
}

/// Where each buffer is copied to.
fn copy_targets(program: &Program) -> FxHashMap<BufId, Vec<BufId>> {
    let mut targets: FxHashMap<BufId, Vec<BufId>> = FxHashMap::default();
    visit(&program.steps, &mut |step| {
        if let Step::Copy { from, to } = step {
            targets.entry(*from).or_default().push(*to);
        }
    });
    targets
}

fn pairs(
    walk: &Walk<'_>,
    kernel: usize,
    args: &[BufId],
    targets: &FxHashMap<BufId, Vec<BufId>>,
) -> Vec<(u32, u32)> {
    let Some(planned) = walk.program.kernels[kernel].source() else { return Vec::new() };
    let (inputs, outputs) = args.split_at(planned.region.inputs.len());
    let slot = |id: BufId| &walk.program.buffers[id.index()];
    let once = |id: BufId| args.iter().filter(|&&a| a == id).count() == 1;
    let movable = |id: BufId| matches!(slot(id).place, Place::Arena(_)) && once(id);
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (output, &to) in outputs.iter().enumerate() {
        let is_carried_to = |from: BufId| targets.get(&to).is_some_and(|t| t.contains(&from));
        if slot(to).bytes < LEAST_BYTES || !movable(to) {
            continue;
        }
        let pair = |input: usize| (output as u32, input as u32);
        let input = inputs.iter().enumerate().position(|(input, &from)| {
            slot(from).bytes == slot(to).bytes
                && movable(from)
                && is_carried_to(from)
                && pairs.iter().all(|p| p.1 != input as u32)
                && may_take_over(&planned.region, &planned.plan, pair(input))
                && walk.is_dead_after(from)
        });
        pairs.extend(input.map(pair));
    }
    pairs
}

/// The steps with the copies that working in place begins with; kernels are what they were.
fn with_copies(program: &Program, found: &[InPlace]) -> Vec<Step> {
    let mut steps = program.steps.clone();
    let mut found = found.iter().peekable();
    before_launches(&mut steps, &mut 0, &mut |number, step| {
        let Step::Launch { kernel, args } = step else { return Vec::new() };
        let Some(place) = found.next_if(|f| f.launch == number) else { return Vec::new() };
        let inputs = program.kernels[*kernel].source().map_or(0, |k| k.region.inputs.len());
        let buffers = place.buffers(inputs, args);
        for (&(_, input), &(_, to)) in place.pairs.iter().zip(&buffers) {
            args[input as usize] = to;
        }
        buffers.into_iter().map(|(from, to)| Step::Copy { from, to }).collect()
    });
    steps
}

/// The copies in one run of these steps, after those are gone that nothing needs.
fn copies_left(program: &mut Program, steps: Vec<Step>) -> u64 {
    let mut trial = Program {
        kernels: std::mem::take(&mut program.kernels),
        buffers: program.buffers.clone(),
        steps,
        ..Program::default()
    };
    coalesce::run(&mut trial);
    swap::run(&mut trial);
    program.kernels = trial.kernels;
    count(&trial.steps, &is_copy)
}
