//! One warp goes on: instructions are executed for the lanes that are together, until it waits or has had its turn.

use super::block::Block;
use super::collect::{self, Ballot, Shuffle};
use super::warp::{Level, State, Warp};
use super::{Machine, Step, stop};
use crate::fault::FaultKind;
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW, from_generic};
use crate::program::{BarrierVote, Call, Combine, Inst, Logic, NOWHERE, Op, Pred, Row, Space};

/// Calls of a thread, one in the other.
const MAX_DEPTH: usize = 64;

impl<'a> Machine<'a> {
    /// Executes up to `quantum` instructions of the warp.
    pub(super) fn advance(&mut self, block: &mut Block<'a>, warp: &mut Warp<'a>, quantum: u64) -> Step<()> {
        let module = self.module;
        for _ in 0..quantum {
            let Some(frame) = warp.frames.last_mut() else {
                warp.state = State::Done;
                return Ok(());
            };
            let Some(level) = frame.levels.last_mut() else {
                warp.leave();
                continue;
            };
            if level.mask == 0 || level.pc == level.until {
                frame.levels.pop();
                continue;
            }
            let inst = &module.functions[frame.function].code[level.pc as usize];
            let mut mask = level.mask;
            if let Some(guard) = inst.guard {
                let p = frame.preds[guard.by as usize];
                mask &= if guard.negated { !p } else { p };
            }
            self.count(inst, mask)?;
            self.execute(block, warp, inst, mask)?;
            if warp.state != State::Ready {
                return Ok(());
            }
        }
        Ok(())
    }

    #[inline]
    fn count(&mut self, inst: &Inst, mask: u32) -> Step<()> {
        let c = &mut self.counters;
        c.warp_instructions += 1;
        c.thread_instructions += u64::from(mask.count_ones());
        c.classes[inst.class as usize] += 1;
        c.contractible += u64::from(inst.contractible);
        if c.warp_instructions > self.options.max_steps {
            return stop(mask.trailing_zeros() & 31, FaultKind::StepLimit);
        }
        Ok(())
    }

    fn execute(&mut self, block: &mut Block<'a>, warp: &mut Warp<'a>, inst: &'a Inst, mask: u32) -> Step<()> {
        let line = inst.line;
        match &inst.op {
            Op::Branch { target } => {
                self.branch(warp, inst, *target, mask);
                return Ok(());
            }
            // An instruction for no lane does nothing, whatever it is.
            _ if mask == 0 => {}
            Op::Return => {
                let frame = warp.frame();
                frame.levels.iter_mut().for_each(|l| l.mask &= !mask);
                if warp.frames.len() == 1 {
                    warp.live &= !mask;
                }
            }
            Op::Exit => warp.end(mask),
            Op::Trap => return stop(mask.trailing_zeros(), FaultKind::Trap),
            Op::Refused(opcode) => {
                return stop(mask.trailing_zeros(), FaultKind::Unknown(opcode.to_string()));
            }
            Op::Call(call) => return self.call(warp, call, mask),
            Op::Barrier { id, threads, vote } => {
                return self.barrier(warp, (*id, *threads), *vote, mask);
            }
            Op::WarpBarrier { mask: row } => {
                for group in collect::groups(warp, *row, mask)? {
                    warp.synchronise(group);
                    self.counters.warp_barriers += 1;
                }
            }
            Op::Shuffle { mode, to, valid, a, b, c, mask: row } => {
                let s = Shuffle { mode: *mode, to: *to, valid: *valid, a: *a, b: *b, c: *c };
                collect::shuffle(warp, &s, *row, mask)?;
                self.counters.shuffles += 1;
            }
            Op::Vote { mode, to, to_pred, a, negated, mask: row } => {
                let p = warp.frame().preds[*a as usize];
                let votes = if *negated { !p } else { p };
                let ballot = Ballot { mode: *mode, to: *to, to_pred: *to_pred, votes };
                collect::vote(warp, &ballot, *row, mask)?;
                self.counters.votes += 1;
            }
            Op::Match { all, to, valid, a, mask: row } => {
                collect::matching(warp, *all, (*to, *valid), *a, *row, mask)?;
                self.counters.votes += 1;
            }
            Op::Reduce { f, to, a, mask: row } => {
                collect::reduce(warp, *f, (*to, *a), *row, mask)?;
                self.counters.shuffles += 1;
            }
            Op::Load(load) => self.load(block, warp, load, mask, line)?,
            Op::Store(store) => self.store(block, warp, store, mask, line)?,
            Op::Atomic(atomic) => self.atomic(block, warp, atomic, mask, line)?,
            Op::Fence { device } => self.fence(block, warp, mask, *device),
            Op::CopyAsync { to, from, size, source } => {
                self.copy_async(block, warp, (to, from), *size, *source, mask, line)?;
            }
            Op::CopyCommit => self.copy_commit(warp, mask),
            Op::CopyWait { pending } => self.copy_wait(block, warp, *pending, mask)?,
            Op::Matrix(m) => collect::multiply(warp, m, mask)?,
            Op::LoadMatrix { from, to, transposed } => {
                self.load_matrix(block, warp, from, to, *transposed, mask, line)?;
            }
            Op::Special { to, what } => {
                for lane in 0..32 {
                    let value = self.special(*what, block, warp.index, lane);
                    if mask >> lane & 1 == 1 {
                        warp.frame().rows[*to as usize][lane as usize] = value;
                    }
                }
            }
            Op::ActiveMask { to } => {
                let level = warp.frame().levels.last().map_or(0, |l| l.mask);
                each(warp, *to, mask, |_| level.into());
            }
            other => self.compute(warp, other, mask),
        }
        warp.pass();
        Ok(())
    }

    /// What only registers take part in.
    fn compute(&self, warp: &mut Warp<'a>, op: &Op, mask: u32) {
        let module = self.module;
        let frame = warp.frame();
        let width = |to: Row| module.functions[frame.function].widths[to as usize];
        match op {
            Op::Lanes { f, to, a, b, c, d } => {
                let cut = width(*to);
                let [a, b, c, d] = [a, b, c, d].map(|&row| &frame.rows[row as usize]);
                let mut result = frame.rows[*to as usize];
                if mask == u32::MAX {
                    for l in 0..32 {
                        result[l] = f(a[l], b[l], c[l], d[l]) & cut;
                    }
                } else {
                    for l in (0..32).filter(|l| mask >> l & 1 == 1) {
                        result[l] = f(a[l], b[l], c[l], d[l]) & cut;
                    }
                }
                frame.rows[*to as usize] = result;
            }
            Op::Carried { f, to, a, b, c, writes } => {
                let cut = width(*to);
                for l in (0..32).filter(|l| mask >> l & 1 == 1) {
                    let [a, b, c] = [a, b, c].map(|&row| frame.rows[row as usize][l]);
                    let (value, carry) = f(a, b, c, frame.carry >> l & 1 == 1);
                    frame.rows[*to as usize][l] = value & cut;
                    if *writes {
                        frame.carry = frame.carry & !(1 << l) | u32::from(carry) << l;
                    }
                }
            }
            Op::Test { f, to, inverse, a, b, with } => {
                let (a, b) = (&frame.rows[*a as usize], &frame.rows[*b as usize]);
                let mut holds = 0;
                for l in 0..32 {
                    holds |= u32::from(f(a[l], b[l])) << l;
                }
                let mut not = !holds;
                if let Some((combine, p, negated)) = with {
                    let p = frame.preds[*p as usize];
                    let p = if *negated { !p } else { p };
                    let both = |x: u32| match combine {
                        Combine::And => x & p,
                        Combine::Or => x | p,
                        Combine::Xor => x ^ p,
                    };
                    (holds, not) = (both(holds), both(not));
                }
                for (to, value) in [(to, holds), (inverse, not)] {
                    to.iter().for_each(|&to| set(&mut frame.preds, to, value, mask));
                }
            }
            Op::Set { f, to, one, a, b } => {
                for l in (0..32).filter(|l| mask >> l & 1 == 1) {
                    let holds = f(frame.rows[*a as usize][l], frame.rows[*b as usize][l]);
                    frame.rows[*to as usize][l] = if holds { *one } else { 0 };
                }
            }
            Op::Logic { f, to, a, b } => {
                let (a, b) = (frame.preds[*a as usize], frame.preds[*b as usize]);
                let value = match f {
                    Logic::And => a & b,
                    Logic::Or => a | b,
                    Logic::Xor => a ^ b,
                    Logic::Not => !a,
                    Logic::Copy => a,
                };
                set(&mut frame.preds, *to, value, mask);
            }
            Op::PredConst { to, value } => {
                set(&mut frame.preds, *to, if *value { u32::MAX } else { 0 }, mask);
            }
            Op::Select { to, a, b, by } => {
                let by = frame.preds[*by as usize];
                for l in (0..32).filter(|l| mask >> l & 1 == 1) {
                    let from = if by >> l & 1 == 1 { a } else { b };
                    frame.rows[*to as usize][l] = frame.rows[*from as usize][l];
                }
            }
            Op::SelectPred { to, a, b, by } => {
                let [a, b, by] = [a, b, by].map(|&p| frame.preds[p as usize]);
                set(&mut frame.preds, *to, a & by | b & !by, mask);
            }
            Op::Pack { to, from, bits } => {
                for l in (0..32).filter(|l| mask >> l & 1 == 1) {
                    let parts = from.iter().enumerate();
                    let whole =
                        parts.fold(0, |w, (i, &r)| w | frame.rows[r as usize][l] << (i as u32 * bits));
                    frame.rows[*to as usize][l] = whole;
                }
            }
            Op::Unpack { to, from, bits } => {
                let whole = frame.rows[*from as usize];
                for (i, &to) in to.iter().enumerate() {
                    let Some(to) = to else { continue };
                    for l in (0..32).filter(|l| mask >> l & 1 == 1) {
                        let part = whole[l] >> (i as u32 * bits);
                        frame.rows[to as usize][l] = part & crate::types::mask(*bits);
                    }
                }
            }
            Op::Convert { to, from, space, to_generic } => {
                let window = match space {
                    Space::Shared => SHARED_WINDOW,
                    Space::Local => LOCAL_WINDOW,
                    _ => 0,
                };
                let window = if *to_generic { window } else { window.wrapping_neg() };
                let from = frame.rows[*from as usize];
                each(warp, *to, mask, |l| from[l].wrapping_add(window));
            }
            Op::IsSpace { to, from, space } => {
                let from = &frame.rows[*from as usize];
                let constant = |address| {
                    let found = self.memory.locate(address, 1);
                    found.is_some_and(|(a, _)| self.memory.get(a).constant)
                };
                let holds = |address: u64| match (space, from_generic(address).0) {
                    (Space::Const, Space::Global) => constant(address),
                    (Space::Global, Space::Global) => !constant(address),
                    (space, found) => *space == found,
                };
                let bits = (0..32).fold(0, |bits, l| bits | u32::from(holds(from[l])) << l);
                set(&mut frame.preds, *to, bits, mask);
            }
            // The rest was executed before.
            _ => {}
        }
    }

    /// Splits the lanes that go two ways; they meet again where all ways lead.
    fn branch(&mut self, warp: &mut Warp<'a>, inst: &Inst, target: u32, taken: u32) {
        let first = self.random.next() & 1 == 0;
        let frame = warp.frame();
        let Some(level) = frame.levels.last_mut() else { return };
        let left = level.mask & !taken;
        let next = level.pc + 1;
        if inst.guard.is_some() {
            self.counters.branches += 1;
        }
        if left == 0 {
            level.pc = target;
            return;
        }
        if taken == 0 {
            level.pc = next;
            return;
        }
        self.counters.divergent_branches += 1;
        let mut until = inst.meet;
        if until == NOWHERE || until == level.until {
            until = level.until;
            frame.levels.pop();
        } else {
            level.pc = until;
        }
        let mut ways = [Level { pc: target, until, mask: taken }, Level { pc: next, until, mask: left }];
        if first {
            ways.reverse();
        }
        frame.levels.extend(ways.iter().filter(|way| way.pc != until));
    }

    fn call(&mut self, warp: &mut Warp<'a>, call: &'a Call, mask: u32) -> Step<()> {
        if warp.frames.len() >= MAX_DEPTH {
            return stop(mask.trailing_zeros(), FaultKind::StackOverflow);
        }
        warp.pass();
        warp.enter(self, call.function, mask, Some(call));
        let depth = warp.frames.len();
        let [.., caller, callee] = &mut warp.frames[..depth] else { return Ok(()) };
        for lane in 0..32 {
            for &(from, to, bytes) in &call.arguments {
                let from = &caller.params[lane * caller.param_bytes + from as usize..][..bytes as usize];
                callee.params[lane * callee.param_bytes + to as usize..][..bytes as usize]
                    .copy_from_slice(from);
            }
        }
        Ok(())
    }

    /// The warp waits until all warps of the block do.
    fn barrier(
        &mut self,
        warp: &mut Warp<'a>,
        (id, threads): (Row, Option<Row>),
        vote: Option<(BarrierVote, Pred, bool)>,
        mask: u32,
    ) -> Step<()> {
        let lane = mask.trailing_zeros();
        if mask != warp.live {
            let absent = (warp.live & !mask).trailing_zeros();
            let why = format!("thread {:?} is not there", self.thread(warp.index, absent));
            return stop(lane, FaultKind::DivergentBarrier(why));
        }
        let all = self.counters.threads;
        let frame = warp.frame();
        if let Some(threads) = threads
            && frame.rows[threads as usize][lane as usize] != all
        {
            return stop(lane, FaultKind::Unknown("a barrier for a part of the block".into()));
        }
        let id = frame.rows[id as usize][lane as usize];
        let place = (frame.function, frame.levels.last().map_or(0, |l| l.pc));
        if let Some((_, p, negated)) = vote {
            let p = frame.preds[p as usize];
            warp.votes = if negated { !p } else { p } & warp.full;
        }
        warp.state = State::AtBarrier { id, place, vote: vote.map(|(v, ..)| v) };
        Ok(())
    }
}

/// Writes what a function gives for each lane.
fn each(warp: &mut Warp, to: Row, mask: u32, f: impl Fn(usize) -> u64) {
    let row = &mut warp.frame().rows[to as usize];
    for l in (0..32).filter(|l| mask >> l & 1 == 1) {
        row[l] = f(l);
    }
}

#[inline]
fn set(preds: &mut [u32], to: Pred, value: u32, mask: u32) {
    let bits = &mut preds[to as usize];
    *bits = *bits & !mask | value & mask;
}
