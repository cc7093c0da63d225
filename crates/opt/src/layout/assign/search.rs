//! Which order is best for each array: tried one array at a time, from the last to the first and back.

use super::body::body;
use super::kernels::{Between, KernelId, Kernels};
use super::{NAME, Orders};
use crate::pass::PassContext;
use crate::planning::judge::{Judge, Quote, Stages};
use crate::report::LayoutChoice;
use lawson_hlo::{Attrs, Computation, Module, Opcode};
use lawson_kernel::cost::launch_us;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;

/// Kernels that may read an array for its order to be asked about.
const MAX_USERS: usize = 16;
/// Orders that are tried for an array.
const MAX_ORDERS: usize = 6;
/// Walks over the arrays: the order of one may decide that of its neighbours.
const MAX_WALKS: usize = 3;
/// An order is changed for a gain of this share of the kernels' time, and of a launch at least: kernels around arrays
/// that lie alike are joined more easily.
const GAIN: f64 = 0.02;

/// The search in one computation.
pub struct Search<'a> {
    module: &'a Module,
    comp: &'a Computation,
    kernels: &'a Kernels,
    judge: &'a mut Judge,
    /// Of kernels as they are now.
    quotes: FxHashMap<KernelId, Result<Quote, Refusal>>,
    orders: Orders,
}

impl<'a> Search<'a> {
    pub fn new(
        module: &'a Module,
        comp: &'a Computation,
        kernels: &'a Kernels,
        judge: &'a mut Judge,
    ) -> Search<'a> {
        Search { module, comp, kernels, judge, quotes: FxHashMap::default(), orders: Orders::default() }
    }

    /// The orders of the arrays that lie otherwise than their shapes say.
    pub fn run(mut self, cx: &mut PassContext, number: u64) -> Orders {
        let kernels = self.kernels;
        let mut before: FxHashMap<usize, f64> = FxHashMap::default();
        for walk in 0..MAX_WALKS {
            let mut changed = false;
            for n in 0..kernels.between.len() {
                // Readers decide first, then writers.
                let n = if walk % 2 == 0 { kernels.between.len() - 1 - n } else { n };
                let coin = cx.options.fusion.base.coin(number << 32 | (n * MAX_WALKS + walk) as u64);
                if let Some(us) = self.improve(cx, &kernels.between[n], coin) {
                    before.entry(n).or_insert(us);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (n, us_before) in sorted(before) {
            let between = &kernels.between[n];
            if let Some(order) = self.orders.get(&between.array).cloned() {
                let us_after = self.us(&around(between), &cx.options.target.clone()).unwrap_or(us_before);
                cx.fired("arrays");
                cx.report.layouts.push(LayoutChoice {
                    computation: self.comp.name.clone(),
                    array: self.comp[between.array].name.clone(),
                    origin: self.comp[between.array].origin.clone(),
                    shape: self.comp[between.array].shape.clone(),
                    order,
                    us_before,
                    us_after,
                });
            }
        }
        self.orders
    }

    /// Changes the order of an array if that saves time, or as the coin says; gives the time before.
    fn improve(&mut self, cx: &mut PassContext, between: &Between, coin: Option<bool>) -> Option<f64> {
        let around = around(between);
        if coin == Some(false) || between.users.len() > MAX_USERS {
            return None;
        }
        let target = cx.options.target.clone();
        let now = self.us(&around, &target).ok()?;
        let least = (now * GAIN).max(launch_us(0.0, &target));
        if coin.is_none() && self.strided_us(&around, &target).ok()? <= least {
            return None;
        }
        let kept = self.orders.get(&between.array).cloned();
        let mut best: Option<(f64, Option<Vec<usize>>)> = None;
        for order in self.candidates(between).into_iter().filter(|order| *order != kept) {
            self.put(between, order.clone());
            let Ok(us) = self.us(&around, &target) else { continue };
            if best.as_ref().is_none_or(|(least, _)| us < *least) {
                best = Some((us, order));
            }
        }
        self.put(between, kept);
        let (us, order) = best?;
        if !(now - us > least || coin.is_some()) || !cx.fuel(NAME) {
            return None;
        }
        self.put(between, order);
        Some(now)
    }

    /// Orders worth trying: each dimension as the innermost, those that a kernel around turns the array to, and that of
    /// the shape.
    fn candidates(&self, between: &Between) -> Vec<Option<Vec<usize>>> {
        let dims = &self.comp[between.array].shape.expect_array().dims;
        let mut found: Vec<Option<Vec<usize>>> = vec![None];
        let mut add = |order: Vec<usize>| {
            let wide = order.iter().filter(|&&d| dims[d] > 1);
            if !wide.is_sorted() && found.len() <= MAX_ORDERS && !found.contains(&Some(order.clone())) {
                found.push(Some(order));
            }
        };
        for &user in &between.users {
            let kernel = &self.kernels.all[user];
            let Attrs::Fusion { calls, .. } = self.comp[kernel.instr].attrs else { continue };
            let inner = &self.module[calls];
            for instr in inner.instrs.iter().filter(|i| i.opcode == Opcode::Transpose) {
                if let (Attrs::Parameter(n), Attrs::Dims(order)) =
                    (&inner.operand(instr, 0).attrs, &instr.attrs)
                    && kernel.operands[*n] == between.array
                {
                    add(order.clone());
                }
            }
        }
        for d in (0..dims.len()).rev().filter(|&d| dims[d] > 1) {
            add((0..dims.len()).filter(|&e| e != d).chain([d]).collect());
        }
        found
    }

    /// Lets an array lie in this order; what is known of the kernels around it is forgotten.
    fn put(&mut self, between: &Between, order: Option<Vec<usize>>) {
        match order {
            Some(order) => self.orders.insert(between.array, order),
            None => self.orders.remove(&between.array),
        };
        for kernel in around(between) {
            self.quotes.remove(&kernel);
        }
    }

    /// The time of these kernels, in µs.
    fn us(&mut self, kernels: &[KernelId], target: &Target) -> Result<f64, Refusal> {
        kernels.iter().map(|&k| Ok(self.quote(k, target)?.cost.us(target))).sum()
    }

    /// What their strided accesses cost, in µs. Another order is sought to avoid those: where they cost less than it has to
    /// save, none is.
    fn strided_us(&mut self, kernels: &[KernelId], target: &Target) -> Result<f64, Refusal> {
        kernels.iter().map(|&k| Ok(self.quote(k, target)?.strided_us(target))).sum()
    }

    /// What a kernel costs as arrays lie now.
    fn quote(&mut self, kernel: KernelId, target: &Target) -> Result<Quote, Refusal> {
        if let Some(known) = self.quotes.get(&kernel) {
            return known.clone();
        }
        let made = &self.kernels.all[kernel];
        let as_it_is = !made.arrays().any(|a| self.orders.contains_key(&a));
        let quote = match self.comp[made.instr].attrs {
            Attrs::Fusion { calls, .. } if as_it_is && has_parameters_first(&self.module[calls]) => {
                let body = &self.module[calls];
                let code = self.judge.numbers.code_of(self.module, body);
                self.judge.quote(self.module, &code, || body.clone(), (target, Stages::Allowed))
            }
            _ => {
                let body = body(self.module, self.comp, made, &self.orders);
                let code = self.judge.numbers.code_of(self.module, &body);
                self.judge.quote(self.module, &code, || body, (target, Stages::Allowed))
            }
        };
        self.quotes.insert(kernel, quote.clone());
        quote
    }
}

fn has_parameters_first(body: &Computation) -> bool {
    let first = body.instrs.iter().enumerate().take_while(|(n, i)| i.attrs == Attrs::Parameter(*n));
    first.count() == body.parameters().len()
}

/// The kernels that know an array, each once.
fn around(between: &Between) -> Vec<KernelId> {
    between.made_by.into_iter().chain(between.users.iter().copied()).collect()
}

fn sorted(map: FxHashMap<usize, f64>) -> Vec<(usize, f64)> {
    let mut all: Vec<(usize, f64)> = map.into_iter().collect();
    all.sort_by_key(|(n, _)| *n);
    all
}
