//! When the steps of a program touch each buffer, kept up to date while buffers become one.
//!
//! Moments are numbered as the steps are written: a step that holds others takes the moments of all its parts, and
//! one more at which it reads its predicate (between condition and body) or its selector (before the branches).

use lawson_kernel::program::{BufId, Program, Step};
use std::collections::BTreeMap;

/// Moments from `start` to before `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// How many moments a list takes.
    pub fn of(steps: &[Step]) -> u32 {
        steps.iter().map(Span::of_step).sum()
    }

    pub fn of_step(step: &Step) -> u32 {
        match step {
            Step::While { cond, body, .. } => Span::of(cond) + 1 + Span::of(body),
            Step::Conditional { branches, .. } => 1 + branches.iter().map(|b| Span::of(b)).sum::<u32>(),
            _ => 1,
        }
    }
}

/// What one step does with one buffer.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub at: u32,
    pub reads: bool,
    pub writes: bool,
    /// Lists around the one that holds the step; of a predicate or selector one more than its step, since it is no
    /// step of the list.
    pub depth: u32,
    /// The buffer that a copy to this one reads.
    pub copied_from: Option<BufId>,
}

/// The touches of every buffer.
pub struct Touches {
    /// By moment; those of buffers that became part of another are with it.
    of: Vec<BTreeMap<u32, Touch>>,
    /// The buffer that holds the touches of this one, in steps.
    holder: Vec<BufId>,
    /// Of a holder, the buffer that all of them are now.
    name: Vec<BufId>,
}

impl Touches {
    pub fn of(program: &Program) -> Touches {
        let all: Vec<BufId> = (0..program.buffers.len() as u32).map(BufId).collect();
        let mut touches = Touches { of: vec![BTreeMap::new(); all.len()], holder: all.clone(), name: all };
        touches.list(program, &program.steps, 0, &mut 0);
        touches
    }

    fn list(&mut self, program: &Program, steps: &[Step], depth: u32, now: &mut u32) {
        for step in steps {
            match step {
                Step::While { cond, pred, body, .. } => {
                    self.list(program, cond, depth + 1, now);
                    self.add(*pred, *now, (true, false), depth + 1, None);
                    *now += 1;
                    self.list(program, body, depth + 1, now);
                    continue;
                }
                Step::Conditional { selector, branches, .. } => {
                    self.add(*selector, *now, (true, false), depth + 1, None);
                    *now += 1;
                    branches.iter().for_each(|b| self.list(program, b, depth + 1, now));
                    continue;
                }
                Step::Copy { from, to } => {
                    self.add(*from, *now, (true, false), depth, None);
                    self.add(*to, *now, (false, true), depth, Some(*from));
                }
                leaf => {
                    leaf.uses(program, &mut |u| self.add(u.buffer, *now, (u.reads, u.writes), depth, None))
                }
            }
            *now += 1;
        }
    }

    fn add(
        &mut self,
        id: BufId,
        at: u32,
        (reads, writes): (bool, bool),
        depth: u32,
        copied_from: Option<BufId>,
    ) {
        let new = Touch { at, reads: false, writes: false, depth, copied_from };
        let touch = self.of[id.index()].entry(at).or_insert(new);
        touch.reads |= reads;
        touch.writes |= writes;
    }

    fn holder(&self, mut id: BufId) -> BufId {
        while self.holder[id.index()] != id {
            id = self.holder[id.index()];
        }
        id
    }

    /// The buffer that `id` is now.
    pub fn name(&self, id: BufId) -> BufId {
        self.name[self.holder(id).index()]
    }

    /// In order, what touches a buffer in these moments.
    pub fn within(&self, id: BufId, span: Span) -> impl Iterator<Item = Touch> + '_ {
        let known = &self.of[self.holder(id).index()];
        // An empty span may end before it starts.
        known.range(span.start..span.end.max(span.start)).map(|(_, touch)| *touch)
    }

    pub fn any(&self, id: BufId, span: Span) -> bool {
        self.within(id, span).next().is_some()
    }

    /// Whether nothing touches a buffer at other moments.
    pub fn only_within(&self, id: BufId, span: Span) -> bool {
        let known = &self.of[self.holder(id).index()];
        let first = known.first_key_value().is_none_or(|(&at, _)| at >= span.start);
        first && known.last_key_value().is_none_or(|(&at, _)| at < span.end)
    }

    /// Makes `gone` the same buffer as `kept`; copies between them touch nothing any more.
    pub fn merge(&mut self, gone: BufId, kept: BufId) {
        let (mut few, mut many) = (self.holder(gone), self.holder(kept));
        if self.of[few.index()].len() > self.of[many.index()].len() {
            std::mem::swap(&mut few, &mut many);
        }
        let moved = std::mem::take(&mut self.of[few.index()]);
        let known = &mut self.of[many.index()];
        for (at, touch) in moved {
            match known.get_mut(&at) {
                None => drop(known.insert(at, touch)),
                // A copy from one to the other.
                Some(other) if is_half_of_copy(&touch, other) => drop(known.remove(&at)),
                Some(other) => {
                    other.reads |= touch.reads;
                    other.writes |= touch.writes;
                }
            }
        }
        self.holder[few.index()] = many;
        self.name[many.index()] = kept;
    }
}

fn is_half_of_copy(a: &Touch, b: &Touch) -> bool {
    a.copied_from.is_some() || b.copied_from.is_some()
}
