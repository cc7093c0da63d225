//! Which order is best for each array: tried one array at a time, from the last to the first and back.

use super::body::body;
use super::kernels::{Between, KernelId, Kernels};
use super::{NAME, Orders};
use crate::pass::PassContext;
use crate::planning::judge::{Judge, Quote, Stages};
use crate::report::LayoutChoice;
use lawson_hlo::{Attrs, Computation, InstrId, Module, Opcode};
use lawson_kernel::cost::figures::{Array, Strided};
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

/// What a kernel around an array takes, in µs.
struct Price {
    kernel: KernelId,
    now: f64,
    /// Without the strided accesses that another order of the array may avoid.
    least: f64,
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
        if coin == Some(false) || between.users.len() > MAX_USERS {
            return None;
        }
        let target = cx.options.target.clone();
        let around = self.prices(between, &target).ok()?;
        let now: f64 = around.iter().map(|k| k.now).sum();
        // With a coin any order will do.
        let mut below = match coin {
            Some(_) => f64::INFINITY,
            None => now - (now * GAIN).max(launch_us(0.0, &target)),
        };
        if around.iter().map(|k| k.least).sum::<f64>() >= below {
            return None;
        }
        let kept = self.orders.get(&between.array).cloned();
        let mut best = None;
        for order in self.candidates(between).into_iter().filter(|order| *order != kept) {
            self.put(between, order.clone());
            if let Some(us) = self.us_below(&around, below, &target) {
                below = us;
                best = Some(order);
            }
        }
        self.put(between, kept);
        let order = best.filter(|_| cx.fuel(NAME))?;
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

    /// What the kernels around an array take, those first that have least to gain by its order.
    fn prices(&mut self, between: &Between, target: &Target) -> Result<Vec<Price>, Refusal> {
        let mut prices = Vec::new();
        for kernel in around(between) {
            let quote = self.quote(kernel, target)?;
            let now = quote.cost.us(target);
            let strided = self.strided(kernel, &quote, between.array);
            prices.push(Price { kernel, now, least: now - quote.saved_us(strided, target) });
        }
        prices.sort_by(|a, b| (a.now - a.least).total_cmp(&(b.now - b.least)));
        Ok(prices)
    }

    /// The part of a kernel's work that the order of an array may save: strided accesses to itself, and to arrays that have to
    /// lie as they do, in the stages that know it. Others have orders of their own.
    fn strided(&self, kernel: KernelId, quote: &Quote, array: InstrId) -> i64 {
        let kernel = &self.kernels.all[kernel];
        let behind = |a: Array| match a {
            Array::Input(n) => kernel.operands.get(n as usize).copied(),
            Array::Output(n) => kernel.results.get(n as usize).copied().flatten(),
        };
        let knows =
            |stage: u32| quote.strided.iter().any(|s| s.stage == stage && behind(s.array) == Some(array));
        let counts = |s: &&Strided| {
            let other = behind(s.array).filter(|&a| a != array);
            !other.is_some_and(|a| self.kernels.may_be_turned(a)) && knows(s.stage)
        };
        quote.strided.iter().filter(counts).fold(0, |sum, s| sum.saturating_add(s.work))
    }

    /// The time of these kernels in µs, if they all are kernels and it is below a limit; no kernel is planned once that is
    /// out of reach.
    fn us_below(&mut self, kernels: &[Price], limit: f64, target: &Target) -> Option<f64> {
        let mut us: f64 = kernels.iter().map(|k| k.least).sum();
        for price in kernels {
            if us >= limit {
                return None;
            }
            us += self.quote(price.kernel, target).ok()?.cost.us(target) - price.least;
        }
        (us < limit).then_some(us)
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
