//! Removes copies: two buffers become one where neither's value is needed while the other holds its own.
//!
//! Three rules, each sound by itself. An *output* is computed in place when a temporary is copied to it at the
//! end. A copy `F → T` goes when F is dead after it and T unused before it: an update in place of a value nobody
//! else reads. A copy `B → C` that ends a loop body goes when all uses of the carried C come before B is made.

use super::events::{rename, touch, touches};
use lawson_kernel::program::{BufId, Place, Program, Step};

pub fn run(program: &mut Program) {
    outputs(program);
    let mut path = Path::default();
    while let Some(found) = next_copy(program, &mut path) {
        match found {
            Some((gone, kept)) => merge(program, gone, kept),
            None => path.skipped += 1,
        }
    }
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
    rename(&mut program.steps, &|b| target[b.index()].unwrap_or(b));
}

fn is_temporary(program: &Program, id: BufId) -> bool {
    matches!(program.buffers[id.index()].place, Place::Arena(_))
}

fn is_output(program: &Program, id: BufId) -> bool {
    matches!(program.buffers[id.index()].place, Place::Output(_))
}

/// Makes `gone` the same buffer as `kept` and drops copies of a buffer to itself.
fn merge(program: &mut Program, gone: BufId, kept: BufId) {
    rename(&mut program.steps, &|b| if b == gone { kept } else { b });
    drop_self_copies(&mut program.steps);
}

fn drop_self_copies(steps: &mut Vec<Step>) {
    steps.retain(|s| !matches!(s, Step::Copy { from, to } if from == to));
    for step in steps {
        match step {
            Step::While { cond, body, .. } => {
                drop_self_copies(cond);
                drop_self_copies(body);
            }
            Step::Conditional { branches, .. } => branches.iter_mut().for_each(drop_self_copies),
            _ => {}
        }
    }
}

/// How many copies, in walking order, were looked at and stay.
#[derive(Default)]
struct Path {
    skipped: usize,
}

/// Step lists from the outermost to the one that holds a copy, with the position in each.
type Trail<'p> = Vec<(&'p [Step], usize, Frame<'p>)>;

/// What a step list is part of.
#[derive(Clone, Copy)]
enum Frame<'p> {
    Program,
    Condition(&'p [Step]),
    Body { cond: &'p [Step] },
    Branch,
}

/// The next copy that was not skipped: `Some((gone, kept))` if its buffers can be one. `None` at the end.
fn next_copy(program: &Program, path: &mut Path) -> Option<Option<(BufId, BufId)>> {
    let mut left = path.skipped;
    let mut trail = Vec::new();
    find(program, &program.steps, Frame::Program, &mut trail, &mut left)
}

fn find<'p>(
    program: &'p Program,
    steps: &'p [Step],
    frame: Frame<'p>,
    trail: &mut Trail<'p>,
    left: &mut usize,
) -> Option<Option<(BufId, BufId)>> {
    for (position, step) in steps.iter().enumerate() {
        trail.push((steps, position, frame));
        let found = match step {
            Step::Copy { from, to } if *left == 0 => Some(mergeable(program, trail, *from, *to)),
            Step::Copy { .. } => {
                *left -= 1;
                None
            }
            Step::While { cond, body, .. } => find(program, cond, Frame::Condition(body), trail, left)
                .or_else(|| find(program, body, Frame::Body { cond }, trail, left)),
            Step::Conditional { branches, .. } => {
                branches.iter().find_map(|b| find(program, b, Frame::Branch, trail, left))
            }
            _ => None,
        };
        trail.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

fn mergeable(program: &Program, trail: &Trail<'_>, from: BufId, to: BufId) -> Option<(BufId, BufId)> {
    let same_size = program.buffers[from.index()].bytes == program.buffers[to.index()].bytes;
    // The place of an output is fixed; a temporary's is not.
    let (gone, kept) = if is_temporary(program, from) { (from, to) } else { (to, from) };
    let movable = is_temporary(program, gone) && (is_temporary(program, kept) || is_output(program, kept));
    if !same_size || !movable {
        return None;
    }
    let direct = is_free_after(program, trail, from, to) && is_unused_before(program, trail, to);
    let at_end = is_temporary(program, from) && ends_body(program, trail, from, to);
    (direct || at_end).then_some((gone, kept))
}

/// Whether, after the copy that the trail leads to, the memory of `from` can be that of `to`: nobody reads `from`
/// again, and nothing else is written there while `to` is needed.
fn is_free_after(program: &Program, trail: &Trail<'_>, from: BufId, to: BufId) -> bool {
    let Some(&(innermost, at, _)) = trail.last() else { return false };
    let local = count(program, &innermost[at..], to) == count(program, &program.steps, to);
    for (level, &(steps, position, frame)) in trail.iter().rev().enumerate() {
        let rest = &steps[position + 1..];
        match first_event(program, rest, from) {
            Event::Reads => return false,
            Event::Overwrites(n) if level == 0 => {
                let returns = matches!(rest[n], Step::Copy { from: f, to: t } if f == to && t == from);
                return returns || local && count(program, &rest[n..], to) == 0;
            }
            Event::Overwrites(_) => return local,
            Event::None => {}
        }
        // The next trip sees the value too, unless something overwrites it first.
        let wrap: Vec<&[Step]> = match frame {
            Frame::Body { cond } => vec![cond, &steps[..=position]],
            Frame::Condition(body) => vec![body, &steps[..=position]],
            Frame::Program | Frame::Branch => Vec::new(),
        };
        for list in wrap {
            match first_event(program, list, from) {
                Event::Reads => return false,
                Event::Overwrites(_) if !local => return false,
                Event::Overwrites(_) => break,
                Event::None => {}
            }
        }
    }
    // The end of the program reads its outputs.
    is_temporary(program, from)
}

#[derive(PartialEq)]
enum Event {
    Reads,
    /// By the step at this position.
    Overwrites(usize),
    None,
}

/// What the first step that matters does to the buffer. Writes in inner lists may not happen: they kill nothing.
fn first_event(program: &Program, steps: &[Step], id: BufId) -> Event {
    for (n, step) in steps.iter().enumerate() {
        let inner = matches!(step, Step::While { .. } | Step::Conditional { .. });
        match touch(program, step, id) {
            (true, _) => return Event::Reads,
            (false, true) if !inner => return Event::Overwrites(n),
            _ => {}
        }
    }
    Event::None
}

/// Whether nothing touches `id` before the copy, in any list on the way to it.
fn is_unused_before(program: &Program, trail: &Trail<'_>, id: BufId) -> bool {
    trail.iter().all(|&(steps, position, frame)| {
        let cond: &[Step] = match frame {
            Frame::Body { cond } => cond,
            _ => &[],
        };
        steps[..position].iter().chain(cond).all(|s| touch(program, s, id) == (false, false))
    })
}

/// Whether the copy brings a body's result back to a carried buffer that nobody reads any more when the result
/// is made, and nobody else needs the result.
fn ends_body(program: &Program, trail: &Trail<'_>, from: BufId, to: BufId) -> bool {
    let Some(&(steps, position, Frame::Body { .. })) = trail.last() else { return false };
    let touched = |s: &Step, id: BufId| touch(program, s, id) != (false, false);
    let Some(made) = steps.iter().position(|s| touched(s, from)) else { return false };
    let first_is_write = touch(program, &steps[made], from) == (false, true)
        && !matches!(steps[made], Step::While { .. } | Step::Conditional { .. });
    let carried_later = steps.iter().enumerate().any(|(n, s)| n >= made && n != position && touched(s, to));
    let used_later = steps[position + 1..].iter().any(|s| touched(s, from));
    let inside: usize = count(program, steps, from);
    let everywhere = count(program, &program.steps, from);
    first_is_write && !carried_later && !used_later && inside == everywhere
}

/// Times the steps touch a buffer.
fn count(program: &Program, steps: &[Step], id: BufId) -> usize {
    let mut n = 0;
    for s in steps {
        touches(program, s, &mut |b, _, _| n += (b == id) as usize);
    }
    n
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
        Program { kernels: vec![r.finish(), u.finish()], buffers, steps, arena_bytes: 0 }
    }

    fn b(n: u32) -> BufId {
        BufId(n)
    }

    fn map(from: u32, to: u32) -> Step {
        Step::Launch { kernel: 0, args: vec![Some(b(from)), Some(b(to))] }
    }

    fn update(id: u32) -> Step {
        Step::Launch { kernel: 1, args: vec![Some(b(id))] }
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
