//! Loops that make their state anew exchange two places instead of copying.
//!
//! A body that reads the carried array while it makes the next one ends with a copy of that one back. Where nobody reads
//! the source afterwards the two exchange their memory. A result of the program that took part is copied to its place at
//! the end, if it is not there; of results that exchange places with each other all but one begin in temporaries.

use super::walk::{Frame, Walk};
use lawson_kernel::program::walk::{map_buffers, visit_lists_mut};
use lawson_kernel::program::{BufId, Exchanges, Place, Program, Step};
use rustc_hash::FxHashSet;

/// A copy of fewer bytes costs no more than to hold two places through the loop.
const LEAST_BYTES: i64 = 256;

pub fn run(program: &mut Program) {
    let mut found: FxHashSet<(BufId, BufId)> = FxHashSet::default();
    let mut kept: FxHashSet<(BufId, BufId)> = FxHashSet::default();
    Walk::over(program, &mut |walk, step| {
        let Step::Copy { from, to } = *step else { return };
        let all = if may_swap(walk, from, to) { &mut found } else { &mut kept };
        all.insert((from, to));
    });
    found.retain(|pair| !kept.contains(pair));
    visit_lists_mut(&mut program.steps, &mut |list| {
        for step in list {
            if let Step::Copy { from, to } = *step
                && found.contains(&(from, to))
            {
                *step = Step::Swap { a: from, b: to };
            }
        }
    });
    let is_output = |b: &BufId| matches!(program.buffers[b.index()].place, Place::Output(_));
    let mut outputs: Vec<BufId> = found.iter().flat_map(|&(a, b)| [a, b]).filter(is_output).collect();
    outputs.sort_unstable();
    outputs.dedup();
    // What begins in the place of a result may end elsewhere. Of results that exchange places with each other only the
    // last to be copied begins in its own: no copy may overwrite what another one is still to read.
    let exchanges = Exchanges::of(program);
    let classes: Vec<usize> = outputs.iter().map(|o| exchanges.class(o.index())).collect();
    let first = program.buffers.len() as u32;
    let moving: Vec<BufId> = (first..).map(BufId).take(outputs.len()).collect();
    for (n, output) in outputs.iter().enumerate() {
        let mut slot = program.buffers[output.index()].clone();
        if classes[n + 1..].contains(&classes[n]) {
            slot.place = Place::Arena(0);
        }
        program.buffers.push(slot);
    }
    map_buffers(&mut program.steps, &|b| outputs.binary_search(&b).map_or(b, |n| moving[n]));
    program.steps.extend(moving.iter().zip(&outputs).map(|(&from, &to)| Step::Copy { from, to }));
}

/// Whether the copy that the trail leads to is done in each trip of a loop and may be an exchange.
fn may_swap(walk: &Walk<'_>, from: BufId, to: BufId) -> bool {
    let slot = |b: BufId| &walk.program.buffers[b.index()];
    let moves = |b: BufId| matches!(slot(b).place, Place::Arena(_) | Place::Output(_));
    let repeated = walk.trail.iter().any(|l| matches!(l.frame, Frame::Body { .. }));
    repeated
        && moves(from)
        && moves(to)
        && slot(from).bytes == slot(to).bytes
        && slot(to).bytes >= LEAST_BYTES
        && walk.is_dead_after(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem};
    use lawson_kernel::program::BufferSlot;

    const BYTES: i64 = 4096;

    /// A program of buffers of these places; kernel 0 reads its first and writes its second, kernel 1 reads two and writes
    /// its third. The last buffer is a predicate.
    fn program(places: Vec<Place>, steps: Vec<Step>) -> Program {
        let kernel = |name: &str, reads: usize| {
            let mut b = CodeBuilder::new(name);
            for n in 0..reads {
                b.buffer(format!("a{n}"), Elem::I32, BYTES / 4, Access::Read);
            }
            b.buffer("r", Elem::I32, BYTES / 4, Access::Write);
            b.finish().into()
        };
        let buffers = places.into_iter().map(|place| BufferSlot { bytes: BYTES, place }).collect();
        Program { kernels: vec![kernel("one", 1), kernel("two", 2)], buffers, steps, ..Program::default() }
    }

    fn b(n: u32) -> BufId {
        BufId(n)
    }

    fn map(from: u32, to: u32) -> Step {
        Step::Launch { kernel: 0, args: vec![b(from), b(to)] }
    }

    fn both(x: u32, y: u32, to: u32) -> Step {
        Step::Launch { kernel: 1, args: vec![b(x), b(y), b(to)] }
    }

    fn copy(from: u32, to: u32) -> Step {
        Step::Copy { from: b(from), to: b(to) }
    }

    fn swap(x: u32, y: u32) -> Step {
        Step::Swap { a: b(x), b: b(y) }
    }

    fn loop_of(body: Vec<Step>) -> Step {
        Step::While { cond: vec![], pred: b(0), body, trips: None }
    }

    fn swapped(mut p: Program) -> (Vec<Step>, Program) {
        run(&mut p);
        let body = p.steps.iter().find_map(|s| match s {
            Step::While { body, .. } => Some(body.clone()),
            _ => None,
        });
        (body.expect("a loop"), p)
    }

    #[test]
    fn an_array_made_from_itself_changes_places() {
        let places = vec![Place::Input(0), Place::Arena(0), Place::Arena(0), Place::Output(0)];
        let steps = vec![copy(0, 1), loop_of(vec![map(1, 2), copy(2, 1)]), map(1, 3)];
        let (body, p) = swapped(program(places, steps));
        assert_eq!(body, [map(1, 2), swap(2, 1)]);
        assert_eq!(p.steps[2], map(1, 3));
    }

    #[test]
    fn a_result_is_copied_to_its_place_once() {
        let places = vec![Place::Input(0), Place::Output(0), Place::Arena(0)];
        let steps = vec![copy(0, 1), loop_of(vec![map(1, 2), copy(2, 1)])];
        let (body, p) = swapped(program(places, steps));
        assert_eq!(body, [map(3, 2), swap(2, 3)]);
        assert_eq!((&p.steps[0], &p.steps[2]), (&copy(0, 3), &copy(3, 1)));
        assert_eq!(p.buffers[3].place, Place::Output(0), "and begins there");
    }

    #[test]
    fn two_steps_back_in_time_turn_in_a_ring() {
        // (before, now) becomes (now, next).
        let places =
            vec![Place::Input(0), Place::Arena(0), Place::Arena(0), Place::Arena(0), Place::Output(0)];
        let body = vec![both(1, 2, 3), copy(2, 1), copy(3, 2)];
        let steps = vec![copy(0, 1), map(0, 2), loop_of(body), both(1, 2, 4)];
        let (body, _) = swapped(program(places, steps));
        assert_eq!(body, [both(1, 2, 3), swap(2, 1), swap(3, 2)]);
    }

    /// As above, where both are results: with each in the place of the other, the copy of one would overwrite the other.
    #[test]
    fn of_results_that_exchange_places_one_begins_in_its_own() {
        let places = vec![Place::Input(0), Place::Output(0), Place::Output(1), Place::Arena(0)];
        let body = vec![both(1, 2, 3), copy(2, 1), copy(3, 2)];
        let (body, p) = swapped(program(places, vec![copy(0, 1), map(0, 2), loop_of(body)]));
        assert_eq!(body, [both(4, 5, 3), swap(5, 4), swap(3, 5)]);
        assert_eq!(p.steps[3..], [copy(4, 1), copy(5, 2)]);
        assert_eq!((&p.buffers[4].place, &p.buffers[5].place), (&Place::Arena(0), &Place::Output(1)));
    }

    #[test]
    fn what_is_read_again_is_copied() {
        let places = || vec![Place::Input(0), Place::Arena(0), Place::Arena(0), Place::Output(0)];
        // After the loop, in the rest of the trip, in the next trip.
        let after = vec![copy(0, 1), loop_of(vec![map(1, 2), copy(2, 1)]), map(2, 3)];
        let later = vec![copy(0, 1), loop_of(vec![map(1, 2), copy(2, 1), map(2, 3)])];
        let next = vec![copy(0, 1), map(0, 2), loop_of(vec![both(1, 2, 3), copy(2, 1)])];
        for steps in [after, later, next] {
            let (body, p) = swapped(program(places(), steps));
            assert!(body.contains(&copy(2, 1)), "{:?}", p.steps);
        }
    }

    #[test]
    fn what_a_loop_within_makes_before_it_reads_it_is_new_there() {
        let places =
            || vec![Place::Input(0), Place::Arena(0), Place::Arena(0), Place::Arena(0), Place::Output(0)];
        let is_swapped = |inner: Vec<Step>| {
            let body = vec![map(1, 2), copy(2, 1), loop_of(inner)];
            let (body, _) = swapped(program(places(), vec![copy(0, 1), loop_of(body), map(1, 4)]));
            body.contains(&swap(2, 1))
        };
        assert!(is_swapped(vec![map(1, 2), map(2, 3)]));
        assert!(!is_swapped(vec![map(2, 3), map(1, 2)]), "the first trip reads the old one");
    }

    #[test]
    fn every_branch_overwrites_or_none_does() {
        let places =
            || vec![Place::Input(0), Place::Arena(0), Place::Arena(0), Place::Arena(0), Place::Output(0)];
        let is_swapped = |branches: Vec<Vec<Step>>| {
            let chosen = Step::Conditional { selector: b(0), predicated: false, branches };
            let body = vec![map(1, 2), copy(2, 1), chosen, map(2, 3)];
            let (body, _) = swapped(program(places(), vec![copy(0, 1), loop_of(body), map(1, 4)]));
            body.contains(&swap(2, 1))
        };
        assert!(is_swapped(vec![vec![map(1, 2)], vec![map(3, 2)]]));
        assert!(!is_swapped(vec![vec![map(1, 2)], vec![]]), "the other branch keeps the old one");
        assert!(
            !is_swapped(vec![vec![map(1, 2)], vec![map(2, 3), map(1, 2)]]),
            "the other branch reads it first"
        );
    }

    #[test]
    fn copies_outside_loops_and_small_ones_stay() {
        let places = || vec![Place::Input(0), Place::Arena(0), Place::Arena(0)];
        let mut p = program(places(), vec![map(0, 1), copy(1, 2)]);
        run(&mut p);
        assert_eq!(p.steps, [map(0, 1), copy(1, 2)]);
        let mut p = program(places(), vec![copy(0, 1), loop_of(vec![map(1, 2), copy(2, 1)])]);
        p.buffers.iter_mut().for_each(|b| b.bytes = 4);
        assert_eq!(swapped(p).0, [map(1, 2), copy(2, 1)]);
    }
}
