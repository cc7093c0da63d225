//! Removes copies: two buffers become one where neither's value is needed while the other holds its own.
//!
//! Three rules, each sound by itself. An *output* is computed in place when a temporary is copied to it at the
//! end. A copy `F → T` goes when F is dead after it and T unused before it: an update in place of a value nobody
//! else reads. A copy `B → C` that ends a loop body goes when all uses of the carried C come before B is made.
//!
//! Steps are looked at once, in order; what touches each buffer is known from [`Touches`], so that a copy costs the
//! same in a long program as in a short one.

use super::interference::Needed;
use super::touches::Span;
use super::walk::{Frame, Level, Walk};
use lawson_kernel::program::walk::{map_buffers, visit_lists_mut};
use lawson_kernel::program::{BufId, Place, Program, Step};

pub fn run(program: &mut Program) {
    outputs(program);
    let touches = Walk::over(program, &mut |walk, step| {
        if let Step::Copy { from, to } = *step {
            walk.merge(from, to);
        }
    });
    map_buffers(&mut program.steps, &|b| touches.name(b));
    visit_lists_mut(&mut program.steps, &mut |list| {
        list.retain(|s| !matches!(s, Step::Copy { from, to } if from == to));
    });
}

/// Temporaries that the program ends by copying to an output become that output.
fn outputs(program: &mut Program) {
    let mut target: Vec<Option<BufId>> = vec![None; program.buffers.len()];
    let mut kept = Vec::new();
    for step in std::mem::take(&mut program.steps) {
        match step {
            Step::Copy { from, to }
                if is_output(program, to)
                    && is_temporary(program, from)
                    && target[from.index()].is_none() =>
            {
                target[from.index()] = Some(to);
            }
            step => kept.push(step),
        }
    }
    program.steps = kept;
    map_buffers(&mut program.steps, &|b| target[b.index()].unwrap_or(b));
}

fn is_temporary(program: &Program, id: BufId) -> bool {
    matches!(program.buffers[id.index()].place, Place::Arena(_))
}

fn is_output(program: &Program, id: BufId) -> bool {
    matches!(program.buffers[id.index()].place, Place::Output(_))
}

impl Walk<'_> {
    /// Makes the buffers of the copy that the trail leads to one, if they can be.
    fn merge(&mut self, from: BufId, to: BufId) {
        let (from, to) = (self.touches.name(from), self.touches.name(to));
        if from == to {
            return;
        }
        let same_size = self.program.buffers[from.index()].bytes == self.program.buffers[to.index()].bytes;
        // The place of an output is fixed; a temporary's is not.
        let temporary = |id: BufId| is_temporary(self.program, id);
        let (gone, kept) = if temporary(from) { (from, to) } else { (to, from) };
        let movable = temporary(gone) && (temporary(kept) || is_output(self.program, kept));
        if !same_size || !movable {
            return;
        }
        let direct = self.is_free_after(from, to) && self.is_unused_before(to);
        if direct || temporary(from) && self.ends_body(from, to) {
            self.touches.merge(gone, kept);
        }
    }

    /// Whether, after the copy that the trail leads to, the memory of `from` can be that of `to`: nobody reads `from`
    /// again, and nothing else is written there while `to` is needed.
    fn is_free_after(&self, from: BufId, to: BufId) -> bool {
        let Some(innermost) = self.trail.last() else { return false };
        let local = self.touches.only_within(to, Span { start: innermost.step.start, ..innermost.list });
        for (depth, level) in self.trail.iter().enumerate().rev() {
            let innermost = depth + 1 == self.trail.len();
            for touch in self.touches.within(from, level.rest()) {
                if touch.reads {
                    return false;
                }
                let rest = Span { start: touch.at, ..level.list };
                let is_apart = local && !(innermost && self.touches.any(to, rest));
                // Writes in inner lists may not happen: they end nothing.
                let ends = touch.depth as usize == depth;
                let returns = touch.copied_from.map(|f| self.touches.name(f)) == Some(to);
                if ends && innermost && returns {
                    return true;
                }
                if ends || !is_apart {
                    return is_apart;
                }
            }
            // The next trip sees the value too, unless something overwrites it first.
            let so_far = Span { start: level.list.start, end: level.step.end };
            let wrap = match level.frame {
                Frame::Body { cond } => [cond, so_far],
                Frame::Condition { body } => [body, so_far],
                Frame::Alone => continue,
            };
            'wrap: for list in wrap {
                for touch in self.touches.within(from, list) {
                    if touch.reads || !local {
                        return false;
                    }
                    if touch.depth as usize == depth {
                        break 'wrap;
                    }
                }
            }
        }
        // The end of the program reads its outputs.
        is_temporary(self.program, from)
    }

    /// Whether nothing touches `id` before the copy, in any list on the way to it.
    fn is_unused_before(&self, id: BufId) -> bool {
        self.trail.iter().all(|level| {
            let before = Span { start: level.list.start, end: level.step.start };
            let condition = match level.frame {
                Frame::Body { cond } => self.touches.any(id, cond),
                _ => false,
            };
            !condition && !self.touches.any(id, before)
        })
    }

    /// Whether the copy brings a body's result back to a carried buffer whose value nobody needs any more when the
    /// result is made, and nobody else needs the result.
    fn ends_body(&self, from: BufId, to: BufId) -> bool {
        let Some(&Level { list, step, frame: Frame::Body { .. } }) = self.trail.last() else { return false };
        let (so_far, rest) = (Span { end: step.start, ..list }, Span { start: step.end, ..list });
        if self.touches.any(to, rest) || self.touches.any(from, rest) || !self.touches.only_within(from, list)
        {
            return false;
        }
        let result = Needed { a: true, b: false };
        let before = self.touches.needed_before((from, to), so_far, self.trail.len() - 1, result);
        // What a trip has not made is that of the trip before.
        before.is_some_and(|needed| !needed.a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem};
    use lawson_kernel::program::BufferSlot;

    /// A program of buffers of 4 bytes; kernels `r` (reads 0, writes 1) and `u` (updates 0).
    fn program(places: Vec<Place>, steps: Vec<Step>) -> Program {
        let mut r = CodeBuilder::new("r");
        r.buffer("a", Elem::I32, 1, Access::Read);
        r.buffer("b", Elem::I32, 1, Access::Write);
        let mut u = CodeBuilder::new("u");
        u.buffer("a", Elem::I32, 1, Access::ReadWrite);
        let buffers = places.into_iter().map(|place| BufferSlot { bytes: 4, place }).collect();
        Program { kernels: vec![r.finish().into(), u.finish().into()], buffers, steps, ..Program::default() }
    }

    fn b(n: u32) -> BufId {
        BufId(n)
    }

    fn map(from: u32, to: u32) -> Step {
        Step::Launch { kernel: 0, args: vec![b(from), b(to)] }
    }

    fn update(id: u32) -> Step {
        Step::Launch { kernel: 1, args: vec![b(id)] }
    }

    fn copy(from: u32, to: u32) -> Step {
        Step::Copy { from: b(from), to: b(to) }
    }

    fn temporaries(n: usize) -> Vec<Place> {
        let mut places = vec![Place::Input(0), Place::Output(0)];
        places.resize(n + 2, Place::Arena(0));
        places
    }

    #[test]
    fn an_output_is_computed_in_place() {
        let mut p = program(temporaries(1), vec![map(0, 2), copy(2, 1)]);
        run(&mut p);
        assert_eq!(p.steps, [map(0, 1)]);
    }

    #[test]
    fn an_input_is_copied_before_its_update() {
        let mut p = program(temporaries(1), vec![copy(0, 2), update(2), copy(2, 1)]);
        run(&mut p);
        assert_eq!(p.steps, [copy(0, 1), update(1)]);
    }

    #[test]
    fn a_value_read_later_is_copied_before_its_update() {
        let steps = vec![map(0, 2), copy(2, 3), update(3), map(2, 4), map(3, 5), copy(5, 1)];
        let mut p = program(temporaries(4), steps.clone());
        run(&mut p);
        assert!(p.steps.contains(&copy(2, 3)));
        let mut dead = steps;
        dead.remove(3);
        let mut p = program(temporaries(4), dead);
        run(&mut p);
        assert!(!p.steps.iter().any(|s| matches!(s, Step::Copy { .. })));
    }

    fn loop_of(cond: Vec<Step>, pred: u32, body: Vec<Step>) -> Step {
        Step::While { cond, pred: b(pred), body, trips: None }
    }

    #[test]
    fn a_carried_array_is_updated_in_place() {
        // carried 2, updated as 3; predicate 4.
        let body = vec![copy(2, 3), update(3), copy(3, 2)];
        let steps = vec![copy(0, 2), loop_of(vec![map(0, 4)], 4, body), copy(2, 1)];
        let mut p = program(temporaries(3), steps);
        run(&mut p);
        assert_eq!(p.steps, [copy(0, 1), loop_of(vec![map(0, 4)], 4, vec![update(1)])]);
    }

    #[test]
    fn a_body_result_made_from_the_carried_value_is_copied_back() {
        let body = vec![map(2, 3), copy(3, 2)];
        let steps = vec![copy(0, 2), loop_of(vec![map(2, 4)], 4, body), copy(2, 1)];
        let mut p = program(temporaries(3), steps);
        run(&mut p);
        let Step::While { body, .. } = &p.steps[1] else { panic!("a loop") };
        assert_eq!(body, &[map(1, 3), copy(3, 1)]);
    }

    #[test]
    fn a_body_result_made_after_the_last_use_is_made_in_place() {
        let body = vec![map(2, 5), map(5, 3), copy(3, 2)];
        let steps = vec![copy(0, 2), loop_of(vec![map(2, 4)], 4, body), copy(2, 1)];
        let mut p = program(temporaries(4), steps);
        run(&mut p);
        let Step::While { body, .. } = &p.steps[1] else { panic!("a loop") };
        assert_eq!(body, &[map(1, 5), map(5, 1)]);
    }

    fn branches(selector: u32, branches: &[&[Step]]) -> Step {
        let branches = branches.iter().map(|b| b.to_vec()).collect();
        Step::Conditional { selector: b(selector), predicated: true, branches }
    }

    /// The body of a loop that carries 2, with `later` between the branches and the copy to it.
    fn chosen(made: &[Step], later: &[Step]) -> Vec<Step> {
        let choice = branches(4, &[&[copy(2, 3)], made]);
        let body = [&[choice], later, &[copy(3, 2)]].concat();
        let steps = vec![copy(0, 2), loop_of(vec![map(0, 4)], 4, body), copy(2, 1)];
        let mut p = program(temporaries(5), steps);
        run(&mut p);
        let Step::While { body, .. } = &p.steps[1] else { panic!("a loop") };
        body.clone()
    }

    #[test]
    fn a_branch_that_keeps_the_carried_value_does_nothing() {
        let body = chosen(&[map(2, 5), map(5, 3)], &[map(3, 6)]);
        assert_eq!(body, [branches(4, &[&[], &[map(1, 5), map(5, 1)]]), map(1, 6)]);
    }

    #[test]
    fn a_carried_value_that_is_read_after_the_branches_stays() {
        for (made, later) in [(vec![map(0, 3)], vec![map(2, 6)]), (vec![map(2, 3)], vec![]), (vec![], vec![])]
        {
            let body = chosen(&made, &later);
            assert!(body.contains(&copy(3, 1)), "{body:?}");
        }
    }

    #[test]
    fn a_loop_within_may_read_the_carried_value_in_a_later_trip() {
        let inner = |body| loop_of(vec![map(0, 4)], 4, body);
        let body = chosen(&[map(0, 3), inner(vec![map(2, 5)])], &[]);
        assert!(body.contains(&copy(3, 1)), "{body:?}");
        let body = chosen(&[inner(vec![map(2, 5), map(0, 3)]), map(0, 3)], &[]);
        assert!(body.contains(&copy(3, 1)), "{body:?}");
        let body = chosen(&[inner(vec![map(2, 5)]), map(0, 3)], &[]);
        assert!(!body.contains(&copy(3, 1)), "{body:?}");
    }

    #[test]
    fn exchanged_carries_keep_a_copy() {
        // 2 and 3 change places each trip.
        let body = vec![copy(3, 5), copy(2, 6), copy(5, 2), copy(6, 3)];
        let steps = vec![map(0, 2), map(2, 3), loop_of(vec![map(2, 4)], 4, body), copy(2, 1)];
        let mut p = program(temporaries(5), steps);
        run(&mut p);
        let Step::While { body, .. } = p.steps.last().expect("steps") else { panic!("a loop") };
        let copies = body.iter().filter(|s| matches!(s, Step::Copy { .. })).count();
        assert!(copies >= 3, "{body:?}");
    }

    #[test]
    fn memory_that_a_loop_within_may_write_is_not_shared_with_what_is_read_later() {
        // 2 is copied to 3; a loop, which may make no trip, writes 2 for nobody; then 3 is read.
        let steps = vec![map(0, 2), copy(2, 3), loop_of(vec![], 0, vec![map(0, 2)]), map(3, 4), copy(4, 1)];
        let mut p = program(temporaries(3), steps);
        run(&mut p);
        assert!(p.steps.contains(&copy(2, 3)), "{:?}", p.steps);
    }

    #[test]
    fn a_value_that_the_next_trip_reads_stays() {
        // 5 is made before the loop and updated in it from the same start each trip.
        let body = vec![copy(5, 3), update(3), map(3, 2)];
        let steps = vec![map(0, 5), copy(0, 2), loop_of(vec![map(2, 4)], 4, body), copy(2, 1)];
        let mut p = program(temporaries(4), steps);
        run(&mut p);
        let Step::While { body, .. } = p.steps.last().expect("steps") else { panic!("a loop") };
        assert!(body.contains(&copy(5, 3)));
    }
}
