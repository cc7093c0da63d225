//! Walking over the steps of a program, with what happens to a buffer later.

use super::touches::{Parts, Span, Touches};
use lawson_kernel::program::{BufId, Place, Program, Step};

/// What a step list is part of.
#[derive(Clone, Copy)]
pub enum Frame {
    /// The program, or a branch.
    Alone,
    Condition {
        body: Span,
    },
    Body {
        cond: Span,
    },
}

/// A step list and a step of it on the way to a copy.
#[derive(Clone, Copy)]
pub struct Level {
    pub list: Span,
    pub step: Span,
    pub frame: Frame,
}

impl Level {
    /// The steps after this one.
    pub fn rest(self) -> Span {
        Span { start: self.step.end, ..self.list }
    }
}

/// A walk over all steps, in order, that stops at each one without parts.
pub struct Walk<'p> {
    pub program: &'p Program,
    pub touches: Touches,
    /// The next moment, as [`Touches`] counts them.
    now: u32,
    /// Levels from the outermost to the step that is looked at.
    pub trail: Vec<Level>,
}

impl<'p> Walk<'p> {
    /// Calls `visit` with each step without parts; gives what is known at the end.
    pub fn over(program: &'p Program, visit: &mut dyn FnMut(&mut Walk<'p>, &Step)) -> Touches {
        let mut walk = Walk { touches: Touches::of(program), program, now: 0, trail: Vec::new() };
        walk.list(&program.steps, Frame::Alone, visit);
        walk.touches
    }

    fn list(&mut self, steps: &[Step], frame: Frame, visit: &mut dyn FnMut(&mut Walk<'p>, &Step)) {
        let start = self.now;
        let list = Span { start, end: start + Span::of(steps) };
        for step in steps {
            let step_span = Span { start: self.now, end: self.now + Span::of_step(step) };
            self.trail.push(Level { list, step: step_span, frame });
            match step {
                Step::While { cond, body, .. } => {
                    let cond_span = Span { start: self.now, end: self.now + Span::of(cond) };
                    // The predicate is read in between.
                    let body_span = Span { start: cond_span.end + 1, end: step_span.end };
                    self.list(cond, Frame::Condition { body: body_span }, visit);
                    self.now = body_span.start;
                    self.list(body, Frame::Body { cond: cond_span }, visit);
                }
                Step::Conditional { branches, .. } => {
                    self.now += 1;
                    branches.iter().for_each(|b| self.list(b, Frame::Alone, visit));
                }
                leaf => visit(self, leaf),
            }
            self.now = step_span.end;
            self.trail.pop();
        }
    }

    /// What the first step that matters does to the value of the buffer, in a list `depth` levels deep. A step with
    /// parts reads it where a part can see it, and overwrites it where it does so on every way through the step.
    fn first_event(&self, list: Span, depth: usize, id: BufId) -> Event {
        let mut rest = list;
        while let Some(touch) = self.touches.within(id, rest).next() {
            let event = match self.touches.parts(&touch, depth) {
                None if touch.reads => Event::Reads,
                None => Event::Overwrites,
                Some(parts) => {
                    rest.start = parts.step.end;
                    self.event_in(parts, depth + 1, id)
                }
            };
            if event != Event::None {
                return event;
            }
        }
        Event::None
    }

    fn event_in(&self, parts: &Parts, depth: usize, id: BufId) -> Event {
        let first = self.first_event(parts.first, depth, id);
        if first != Event::None {
            return first;
        }
        let mut overwritten = parts.one_happens;
        for list in &parts.lists {
            match self.first_event(*list, depth, id) {
                Event::Reads => return Event::Reads,
                Event::Overwrites => {}
                Event::None => overwritten = false,
            }
        }
        if overwritten { Event::Overwrites } else { Event::None }
    }

    /// Whether nobody reads the buffer, as it is after the step that the trail leads to.
    pub fn is_dead_after(&self, id: BufId) -> bool {
        for (depth, level) in self.trail.iter().enumerate().rev() {
            let so_far = Span { start: level.list.start, end: level.step.end };
            // The next trip sees the value too.
            let lists = match level.frame {
                Frame::Body { cond } => vec![level.rest(), cond, so_far],
                Frame::Condition { body } => vec![level.rest(), body, so_far],
                Frame::Alone => vec![level.rest()],
            };
            for (n, list) in lists.into_iter().enumerate() {
                match self.first_event(list, depth, id) {
                    Event::Reads => return false,
                    Event::Overwrites if n == 0 => return true,
                    // The loop may also end here.
                    Event::Overwrites => break,
                    Event::None => {}
                }
            }
        }
        // The end of the program reads its outputs.
        matches!(self.program.buffers[id.index()].place, Place::Arena(_))
    }
}

/// What happens to a value in a buffer first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Reads,
    Overwrites,
    None,
}
