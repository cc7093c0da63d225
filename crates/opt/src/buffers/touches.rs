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
    /// The innermost step with parts around it, in [`Touches::parts`].
    within: Option<u32>,
}

/// A step that holds lists of steps.
pub struct Parts {
    /// All of its moments.
    pub step: Span,
    /// What always happens: the condition of a loop with its predicate, or the selector of branches.
    pub first: Span,
    /// The body of a loop, or the branches.
    pub lists: Vec<Span>,
    /// Whether one of the lists happens: false of a loop that may make no trip.
    pub one_happens: bool,
    /// The step with parts around this one.
    within: Option<u32>,
    /// Lists around this step.
    depth: u32,
}

/// The touches of every buffer.
pub struct Touches {
    parts: Vec<Parts>,
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
        let of = vec![BTreeMap::new(); all.len()];
        let mut touches = Touches { parts: Vec::new(), of, holder: all.clone(), name: all };
        touches.list(program, &program.steps, (0, None), &mut 0);
        touches
    }

    /// Adds what the steps of a list touch, which is this deep and part of this step.
    fn list(&mut self, program: &Program, steps: &[Step], around: (u32, Option<u32>), now: &mut u32) {
        for step in steps {
            match step {
                Step::While { cond, pred, body, trips } => {
                    let happens = trips.is_some_and(|n| n > 0);
                    let inner = self.enter(*now, Span::of(cond) + 1, &[body], happens, around);
                    self.list(program, cond, inner, now);
                    self.add(*pred, *now, (true, false), inner, None);
                    *now += 1;
                    self.list(program, body, inner, now);
                }
                Step::Conditional { selector, branches, .. } => {
                    let lists: Vec<&[Step]> = branches.iter().map(Vec::as_slice).collect();
                    let inner = self.enter(*now, 1, &lists, true, around);
                    self.add(*selector, *now, (true, false), inner, None);
                    *now += 1;
                    branches.iter().for_each(|b| self.list(program, b, inner, now));
                }
                Step::Copy { from, to } => {
                    self.add(*from, *now, (true, false), around, None);
                    self.add(*to, *now, (false, true), around, Some(*from));
                    *now += 1;
                }
                leaf => {
                    leaf.uses(program, &mut |u| self.add(u.buffer, *now, (u.reads, u.writes), around, None));
                    *now += 1;
                }
            }
        }
    }

    /// Notes a step with parts, which starts here, with so many moments before its lists; gives what is around those.
    fn enter(
        &mut self,
        start: u32,
        before: u32,
        lists: &[&[Step]],
        one_happens: bool,
        (depth, within): (u32, Option<u32>),
    ) -> (u32, Option<u32>) {
        let first = Span { start, end: start + before };
        let mut end = first.end;
        let mut next = |list: &&[Step]| {
            let start = end;
            end += Span::of(list);
            Span { start, end }
        };
        let lists = lists.iter().map(&mut next).collect();
        let step = Span { start, end };
        self.parts.push(Parts { step, first, lists, one_happens, within, depth });
        (depth + 1, Some(self.parts.len() as u32 - 1))
    }

    fn add(
        &mut self,
        id: BufId,
        at: u32,
        (reads, writes): (bool, bool),
        (depth, within): (u32, Option<u32>),
        copied_from: Option<BufId>,
    ) {
        let new = Touch { at, reads: false, writes: false, depth, copied_from, within };
        let touch = self.of[id.index()].entry(at).or_insert(new);
        touch.reads |= reads;
        touch.writes |= writes;
    }

    /// The step with parts, of a list this deep, in which the touch happens; none where it is a step of the list itself.
    pub fn parts(&self, touch: &Touch, depth: usize) -> Option<&Parts> {
        let mut around = touch.within.map(|n| &self.parts[n as usize])?;
        while around.depth as usize > depth {
            around = &self.parts[around.within? as usize];
        }
        (around.depth as usize == depth).then_some(around)
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
    pub fn within(&self, id: BufId, span: Span) -> impl DoubleEndedIterator<Item = Touch> + '_ {
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
