//! Whether a join pays: what kernels cost before and after it.

use super::body::{Body, operands};
use super::clusters::ClusterId;
use super::{Engine, bound};
use crate::fusion::role::{Wish, wish};
use crate::options::fusion::{FusionBase, Strategy};
use crate::pass::PassContext;
use crate::planning::judge::{Quote, Stages, unspilled_us, us};
use lawson_hlo::InstrId;
use lawson_kernel::cost::Cost;
use lawson_kernel::cost::figures::{self, Strided};
use lawson_kernel::refusal::Refusal;

/// Times that differ by less than this share are taken as equal: the model knows no better.
const TIE: f64 = 0.05;

/// Operations for each element of an array from which on it counts as read often: what it then takes to store it in another
/// order is nothing beside reading it.
const OFTEN: i64 = 16;

impl Engine<'_, '_> {
    /// What a joint kernel costs.
    pub(super) fn quote_joint(&mut self, cx: &PassContext, body: &Body) -> Result<Quote, Refusal> {
        let staged = self.strategy == Strategy::Staged;
        self.quote_body(cx, body, if staged { Stages::Allowed } else { Stages::Refused })
    }

    pub(super) fn quote_body(
        &mut self,
        cx: &PassContext,
        body: &Body,
        stages: Stages,
    ) -> Result<Quote, Refusal> {
        let write = || body.sketch(self.module, &self.host);
        let quote = self.judge.quote(self.module, &body.code, write, (&cx.options.target, stages));
        if cfg!(debug_assertions)
            && let Ok(Quote { cost, .. }) = quote
            && let Some(least) = bound::least(body, self.module, &self.host, &cx.options)
        {
            debug_assert!(least.work <= cost.work && least.bytes() == cost.bytes(), "{least:?}: {cost:?}");
        }
        quote
    }

    pub(super) fn quote_of(&mut self, cx: &mut PassContext, c: ClusterId) -> Result<Quote, Refusal> {
        if let Some(known) = self.quotes.get(&c) {
            return known.clone();
        }
        let members = self.clusters.members(c).to_vec();
        let outputs = self.clusters.outputs(&self.host, &members, &[c]);
        let reads = operands(&self.host, &members);
        let body = self.body(&members, reads, outputs);
        let quote = self.holds(&body).and_then(|()| self.quote_body(cx, &body, Stages::Allowed));
        self.quotes.insert(c, quote.clone());
        quote
    }

    /// What a kernel costs that reads the result of another one again and again, as all pairs of its rows, if that lies as suits
    /// the reader: layouts are chosen once it is known what stays in memory.
    pub(super) fn quote_of_reader(
        &mut self,
        cx: &mut PassContext,
        reader: ClusterId,
        maker: ClusterId,
    ) -> Result<Quote, Refusal> {
        let quote = self.quote_of(cx, reader)?;
        let reads = operands(&self.host, self.clusters.members(reader));
        let makers = self.clusters.members(maker);
        let elements = |of: InstrId| self.host.comp[of].shape.as_array().map_or(0, |a| a.elements());
        let is_read_often = |strided: &&Strided| {
            let figures::Array::Input(n) = strided.array else { return false };
            let Some(&(array, operand)) = reads.get(n as usize) else { return false };
            let is_made_here = self.host.array(array).made_by.is_some_and(|m| makers.contains(&m));
            // An operation needs two elements at most.
            is_made_here && quote.cost.flops >= OFTEN * elements(operand)
        };
        let saved: i64 = quote.strided.iter().filter(is_read_often).map(|s| s.work).sum();
        let cost = Cost { work: quote.cost.work - saved as f64, ..quote.cost };
        Ok(Quote { cost, ..quote })
    }

    /// Whether the user demands that a kernel's result stays out of memory.
    pub(super) fn is_demanded(&self, cluster: ClusterId) -> bool {
        let members = self.clusters.members(cluster).iter();
        members.map(|&m| self.host.instr(m)).any(|i| wish(i) == Some(Wish::Always))
    }

    /// Whether the kernels take less time than before, as the cost model says.
    pub(super) fn pays(
        &self,
        cx: &PassContext,
        before: &[Result<Quote, Refusal>],
        after: &[&Quote],
    ) -> Result<(), Refusal> {
        let decision = (cx.report.joins.len() + self.refusals.len()) as u64;
        match cx.options.fusion.base.coin(decision) {
            Some(true) => return Ok(()),
            None if cx.options.fusion.base == FusionBase::Max => return Ok(()),
            None => {}
            Some(false) => return Err(Refusal::NotFaster { joined_ns: 1, apart_ns: 0 }),
        }
        let before =
            before.iter().map(|q| q.as_ref().map_err(|r| r.clone())).collect::<Result<Vec<_>, _>>()?;
        let updates = |all: &[&Quote]| all.iter().map(|q| q.updates).sum::<usize>();
        if updates(after) < updates(&before) {
            return Err(Refusal::UpdatedInPlace);
        }
        let target = &cx.options.target;
        let working_set = after.iter().map(|q| q.cost.bytes()).max().unwrap_or(0);
        let (apart, joined) = (us(&before, working_set, target), us(after, working_set, target));
        let bytes = |all: &[&Quote]| all.iter().map(|q| q.cost.bytes()).sum::<i64>();
        let flops = |all: &[&Quote]| all.iter().map(|q| q.cost.flops).sum::<i64>();
        let longest = before.iter().map(|q| q.cost.us_among(working_set, target)).fold(0.0, f64::max);
        // Work that is done again does not hide behind a kernel that takes long anyhow.
        let tie =
            if flops(after) > flops(&before) { (TIE * apart).min(apart - longest) } else { TIE * apart };
        if is_faster((apart, bytes(&before)), (joined, bytes(after)), tie) {
            return Ok(());
        }
        let live = after.iter().map(|q| q.cost.live).max().unwrap_or(0);
        if unspilled_us(after, working_set, target) < apart {
            return Err(Refusal::LiveValues { live, registers: target.registers as i64 });
        }
        Err(not_faster(joined, apart))
    }

    /// Whether the join can pay at all, from a lower bound of what the joint kernels cost. It spares planning them.
    pub(super) fn may_pay<'b>(
        &mut self,
        cx: &mut PassContext,
        apart: &[ClusterId],
        bodies: impl Iterator<Item = &'b Body>,
    ) -> Result<(), Refusal> {
        let least = |b: &Body| bound::least(b, self.module, &self.host, &cx.options);
        let Some(after) = bodies.map(least).collect::<Option<Vec<Cost>>>() else { return Ok(()) };
        let before = apart.iter().map(|&c| self.quote_of(cx, c).map(|q| q.cost));
        let Ok(before) = before.collect::<Result<Vec<Cost>, _>>() else { return Ok(()) };
        let target = &cx.options.target;
        let working_set = after.iter().map(Cost::bytes).max().unwrap_or(0);
        let us = |all: &[Cost]| all.iter().map(|c| c.us_among(working_set, target)).sum::<f64>();
        let bytes = |all: &[Cost]| all.iter().map(Cost::bytes).sum::<i64>();
        match is_faster((us(&before), bytes(&before)), (us(&after), bytes(&after)), TIE * us(&before)) {
            true => Ok(()),
            false => Err(not_faster(us(&after), us(&before))),
        }
    }
}

/// Whether less time passes than `before`, in µs and bytes. Where the times differ by less than `tie`, fewer bytes decide.
fn is_faster(before: (f64, i64), after: (f64, i64), tie: f64) -> bool {
    after.0 < before.0 || after.0 < before.0 + tie && after.1 < before.1
}

fn not_faster(joined_us: f64, apart_us: f64) -> Refusal {
    let ns = |us: f64| (us * 1e3).round() as u64;
    Refusal::NotFaster { joined_ns: ns(joined_us), apart_ns: ns(apart_us) }
}
