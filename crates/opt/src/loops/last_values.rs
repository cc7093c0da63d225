//! Computes after a loop what only its last trip makes for somebody: an element of the state that no trip reads, whose value
//! follows from what the last trip leaves in the others.
//!
//! ```text
//! body { p = (s32[], f32[5], f32[]) parameter(0)        w = (s32[], f32[5], f32[]) while(t), body=body
//!        …                                              x = f32[5] get-tuple-element(w), index=1
//!        e = f32[] reduce(x, zero), …               →   e = f32[] reduce(x, zero), …
//!        t = (s32[], f32[5], f32[]) tuple(i, x, e) }
//! w = (s32[], f32[5], f32[]) while(t), body=body
//! r = f32[] get-tuple-element(w), index=2               (nobody reads element 2 of w any more: "dce" takes it away)
//! ```
//!
//! So it is with the energy of a step of leapfrog, of which the sampler wants the last, or the value of a loss beside its
//! gradient. The loop has to run: its trips are counted. What the loop computes anyway is computed once more after it, so the
//! trips that are saved have to weigh more than that.

use super::{element_read, next_values, parts, trip_count};
use crate::make;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::cost::{launch_us, work_us};
use lawson_kernel::rates::Rates;
use lawson_kernel::region::build::is_hero;
use lawson_kernel::target::Target;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, comp, _| {
        if !comp.instrs.iter().any(|i| i.opcode == Opcode::While) {
            return (comp, false);
        }
        let (users, target) = (comp.users(), cx.options.target.clone());
        rewrite(new.module, &comp, |b, id, instr, operands| {
            parts(instr)?;
            let read_after = elements_read(&comp, id, &users)?;
            let made = Instruction { operands: operands.to_vec(), ..instr.clone() };
            let found = Last::find(b, &made, &read_after, &target)?;
            cx.fuel("loop-last-values").then(|| found.emit(b, made))
        })
    });
    changed.into()
}

/// Which elements of a tuple are read, and by somebody; `None` if it is used as a whole.
fn elements_read(comp: &Computation, tuple: InstrId, users: &[Vec<InstrId>]) -> Option<Vec<bool>> {
    let Shape::Tuple(elements) = &comp[tuple].shape else { return None };
    let mut read = vec![false; elements.len()];
    for &user in &users[tuple.index()] {
        let Attrs::TupleIndex(n) = comp[user].attrs else { return None };
        read[n] |= comp.root == user || !users[user.index()].is_empty();
    }
    Some(read).filter(|_| comp.root != tuple)
}

/// Elements of a loop's state that are computed after it.
struct Last<'m> {
    body: &'m Computation,
    next: &'m [InstrId],
    /// For each element whether it is computed after the loop.
    after: Vec<bool>,
    /// Instructions of the body that this takes.
    copied: Vec<bool>,
}

impl<'m> Last<'m> {
    fn find(b: &Builder<'m>, instr: &Instruction, read_after: &[bool], target: &Target) -> Option<Last<'m>> {
        let (condition, body) = parts(instr)?;
        let module = b.module;
        let next = next_values(module, body)?;
        let trips = trip_count(b, instr).filter(|&n| n > 1)?;
        let read_by = |comp: &Computation| {
            let state = *comp.parameters().first()?;
            elements_read(comp, state, &comp.users())
        };
        let (in_condition, in_body) = (read_by(&module[condition])?, read_by(&module[body])?);
        let body = &module[body];
        let mut last =
            Last { body, next, after: vec![false; next.len()], copied: vec![false; body.instrs.len()] };
        for n in (0..next.len()).filter(|&n| read_after[n] && !in_condition[n] && !in_body[n]) {
            if let Some(taken) = last.taken(n).filter(|taken| last.pays((n, taken), trips, target)) {
                last.after[n] = true;
                last.copied.iter_mut().zip(taken).for_each(|(copied, taken)| *copied |= taken);
            }
        }
        last.after.contains(&true).then_some(last)
    }

    /// The element that has an instruction's value after the loop: the first, of several with the same.
    fn element_of(&self, id: InstrId) -> Option<usize> {
        self.next.iter().position(|&next| next == id)
    }

    /// Whether an instruction reads an element that every trip passes on.
    fn passed_on(&self, id: InstrId) -> Option<usize> {
        element_read(self.body, id).filter(|&n| element_read(self.body, self.next[n]) == Some(n))
    }

    /// Instructions of the body that make element `n` of what is known after the loop, if that is possible.
    fn taken(&self, n: usize) -> Option<Vec<bool>> {
        let mut taken = vec![false; self.body.instrs.len()];
        let mut open = vec![self.next[n]];
        while let Some(id) = open.pop() {
            let is_known = self.element_of(id).is_some_and(|m| m != n) || self.passed_on(id).is_some();
            if is_known || taken[id.index()] {
                continue;
            }
            let instr = &self.body[id];
            if !super::may_move(instr) || element_read(self.body, id).is_some() {
                return None;
            }
            taken[id.index()] = true;
            open.extend(&instr.operands);
        }
        Some(taken)
    }

    /// Whether the trips save more than it takes to compute once more what the loop computes anyway.
    fn pays(&self, (n, taken): (usize, &[bool]), trips: i64, target: &Target) -> bool {
        let others = (0..self.next.len()).filter(|&m| m != n && !self.after[m]).map(|m| self.next[m]);
        let mut needed = vec![false; self.body.instrs.len()];
        others.for_each(|id| needed[id.index()] = true);
        for (id, instr) in self.body.iter().rev() {
            if needed[id.index()] {
                instr.operands.iter().for_each(|o| needed[o.index()] = true);
            }
        }
        let (mut saved, mut again) = (0.0, 0.0);
        for (id, instr) in self.body.iter().filter(|(id, _)| taken[id.index()]) {
            let us = work_us(work(self.body, instr, &target.rates) as f64, target);
            match needed[id.index()] {
                true => again += us,
                // Most reductions and products in a loop are kernels of their own.
                false if is_hero(instr.opcode) => saved += us + launch_us(0.0, target),
                false => saved += us,
            }
        }
        saved * (trips - 1) as f64 >= again
    }

    /// The loop, and its result with the elements that are computed after it.
    fn emit(&self, b: &mut Builder<'m>, instr: Instruction) -> InstrId {
        let done = b.push(instr);
        b.get_mut(done).map_predecessors(|_| None);
        let mut elements = make::elements(b, done);
        let mut map: Vec<Option<InstrId>> = vec![None; self.body.instrs.len()];
        for (id, instr) in self.body.iter() {
            let known = self.element_of(id).filter(|&n| !self.after[n]).or_else(|| self.passed_on(id));
            map[id.index()] = match known {
                Some(n) => Some(elements[n]),
                None if self.copied[id.index()] => Some(b.clone_instr(instr, &map)),
                None => None,
            };
        }
        for (n, element) in elements.iter_mut().enumerate().filter(|(n, _)| self.after[*n]) {
            *element = map[self.next[n].index()].expect("taken, or known");
        }
        make::tuple(b, &elements)
    }
}

/// The operations of an instruction, weighed.
fn work(comp: &Computation, instr: &Instruction, rates: &Rates) -> i64 {
    let Some(result) = instr.shape.as_array() else { return 0 };
    let elements = |i: &Instruction| i.shape.as_array().map_or(0, |a| a.elements());
    let operands = || instr.operands.iter().map(|&o| elements(&comp[o]));
    let all = operands().fold(result.elements(), i64::max);
    let evaluated = match &instr.attrs {
        Attrs::Dot(dims) => {
            let lhs = &comp.operand(instr, 0).shape;
            let length = |d: &usize| lhs.as_array().map_or(1, |a| a.dims[*d]);
            result.elements().saturating_mul(dims.lhs_contracting.iter().map(length).product())
        }
        Attrs::Convolution(_) => all.saturating_mul(operands().fold(i64::MAX, i64::min)),
        _ => all,
    };
    evaluated.saturating_mul(rates.weight(instr.opcode, result.dtype))
}
