//! Walking over the steps of a program: what they touch, what they hold, how often they run.

use super::{BufId, Program, Step};
use crate::loop_ir::Access;

/// What a step does with a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    pub buffer: BufId,
    pub reads: bool,
    pub writes: bool,
}

impl Step {
    /// The lists of steps that this one holds, in the order they are written.
    pub fn lists(&self) -> Vec<&[Step]> {
        match self {
            Step::While { cond, body, .. } => vec![cond, body],
            Step::Conditional { branches, .. } => branches.iter().map(Vec::as_slice).collect(),
            Step::Launch { .. }
            | Step::Copy { .. }
            | Step::Concatenate { .. }
            | Step::Swap { .. }
            | Step::CustomCall { .. } => vec![],
        }
    }

    /// The same, to be changed.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Step>> {
        match self {
            Step::While { cond, body, .. } => vec![cond, body],
            Step::Conditional { branches, .. } => branches.iter_mut().collect(),
            Step::Launch { .. }
            | Step::Copy { .. }
            | Step::Concatenate { .. }
            | Step::Swap { .. }
            | Step::CustomCall { .. } => vec![],
        }
    }

    /// Calls `f` for every buffer that the step itself touches: of a loop the predicate, of a conditional the selector.
    /// A kernel's buffer of no elements is not touched, whatever is passed for it.
    pub fn uses(&self, program: &Program, f: &mut impl FnMut(Use)) {
        let mut touch = |buffer: BufId, reads, writes| f(Use { buffer, reads, writes });
        match self {
            Step::Launch { kernel, args } => {
                for (parameter, &id) in program.kernels[*kernel].parameters.iter().zip(args) {
                    if parameter.len > 0 {
                        touch(id, parameter.access != Access::Write, parameter.access != Access::Read);
                    }
                }
            }
            Step::Copy { from, to } => {
                touch(*from, true, false);
                touch(*to, false, true);
            }
            Step::Concatenate { pieces, to, .. } => {
                pieces.iter().for_each(|(piece, _)| touch(*piece, true, false));
                touch(*to, false, true);
            }
            Step::Swap { a, b } => {
                touch(*a, true, true);
                touch(*b, true, true);
            }
            Step::While { pred: read, .. } | Step::Conditional { selector: read, .. } => {
                touch(*read, true, false)
            }
            Step::CustomCall { args, results, .. } => {
                args.iter().for_each(|(id, _)| touch(*id, true, false));
                results.iter().for_each(|id| touch(*id, false, true));
            }
        }
    }

    /// The names of the buffers in the step itself.
    fn buffers_mut(&mut self) -> Vec<&mut BufId> {
        match self {
            Step::Launch { args, .. } => args.iter_mut().collect(),
            Step::Copy { from: a, to: b } | Step::Swap { a, b } => vec![a, b],
            Step::Concatenate { pieces, to, .. } => pieces.iter_mut().map(|(b, _)| b).chain([to]).collect(),
            Step::While { pred: read, .. } | Step::Conditional { selector: read, .. } => vec![read],
            Step::CustomCall { args, results, .. } => {
                args.iter_mut().map(|(b, _)| b).chain(results).collect()
            }
        }
    }
}

/// Calls `f` for every step, those that others hold included, each before what it holds.
pub fn visit<'s>(steps: &'s [Step], f: &mut impl FnMut(&'s Step)) {
    for step in steps {
        f(step);
        step.lists().into_iter().for_each(|list| visit(list, f));
    }
}

/// The same for every list of steps, the given one first.
pub fn visit_lists_mut(steps: &mut Vec<Step>, f: &mut impl FnMut(&mut Vec<Step>)) {
    f(steps);
    for step in steps {
        step.lists_mut().into_iter().for_each(|list| visit_lists_mut(list, f));
    }
}

/// Applies `f` to every buffer that steps name.
pub fn map_buffers(steps: &mut Vec<Step>, f: &impl Fn(BufId) -> BufId) {
    visit_lists_mut(steps, &mut |list| {
        list.iter_mut().flat_map(Step::buffers_mut).for_each(|b| *b = f(*b));
    });
}

/// Whether a step only moves bytes.
pub fn is_copy(step: &Step) -> bool {
    matches!(step, Step::Copy { .. } | Step::Concatenate { .. })
}

/// How many of the steps that count one run does: loops by their trips, once where those are unknown; of a
/// conditional's branches the one with the most.
pub fn count(steps: &[Step], counts: &impl Fn(&Step) -> bool) -> u64 {
    let inner = |step: &Step| match step {
        Step::While { cond, body, trips, .. } => {
            let trips = trips.unwrap_or(1).max(0) as u64;
            let conditions = (trips + 1).saturating_mul(count(cond, counts));
            trips.saturating_mul(count(body, counts)).saturating_add(conditions)
        }
        other => other.lists().into_iter().map(|list| count(list, counts)).max().unwrap_or(0),
    };
    steps.iter().fold(0, |sum, s| sum.saturating_add(counts(s) as u64).saturating_add(inner(s)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(from: u32, to: u32) -> Step {
        Step::Copy { from: BufId(from), to: BufId(to) }
    }

    fn nested() -> Vec<Step> {
        let branches = vec![vec![copy(3, 4), copy(4, 5)], vec![copy(5, 6)]];
        let body = vec![copy(1, 2), Step::Conditional { selector: BufId(7), predicated: true, branches }];
        vec![copy(0, 1), Step::While { cond: vec![copy(2, 8)], pred: BufId(8), body, trips: Some(10) }]
    }

    #[test]
    fn copies_count_by_trips_and_branches() {
        assert_eq!(count(&nested(), &is_copy), 1 + 11 + 10 * (1 + 2));
    }

    #[test]
    fn every_buffer_is_renamed_and_every_step_is_met() {
        let mut steps = nested();
        map_buffers(&mut steps, &|b| BufId(b.0 + 100));
        let (mut met, mut least) = (0, u32::MAX);
        let program = Program::default();
        visit(&steps, &mut |s| {
            met += 1;
            s.uses(&program, &mut |u| least = least.min(u.buffer.0));
        });
        assert_eq!((met, least), (8, 100));
    }
}
