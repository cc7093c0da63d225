//! Whether a proposal is worth it, as plans of its kernels say.

use super::body::body;
use super::graph::{Graph, Kernel};
use super::proposal::Proposal;
use crate::fusion::limits::{MAX_ARRAYS, MAX_NODES};
use crate::pass::PassContext;
use crate::planning::judge::{Judge, Quote, Stages, operations, us};
use lawson_hlo::CompId;
use lawson_kernel::refusal::Refusal;

/// What a proposal changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    /// Time of the kernels that it changes, in µs.
    pub us_before: f64,
    pub us_after: f64,
}

/// Plans the kernels of a proposal and those in whose place they stand. `in_use` are the bytes that residuals wait
/// among.
///
/// # Errors
/// Why one of them is no kernel.
pub fn price(
    cx: &PassContext,
    judge: &mut Judge,
    (graph, or, in_use): (&Graph<'_>, Option<CompId>, i64),
    proposal: &Proposal,
) -> Result<Price, Refusal> {
    let mut after: Vec<Quote> = Vec::new();
    for kernel in proposal.values().filter(|k| !k.outputs.is_empty()) {
        after.push(quote(cx, judge, (graph, or), kernel)?);
    }
    let mut before: Vec<Quote> = Vec::new();
    for id in proposal.keys() {
        before.push(quote(cx, judge, (graph, or), &graph.kernels[*id as usize])?);
    }
    let sum = |all: &[Quote]| us(&all.iter().collect::<Vec<_>>(), in_use, &cx.options.target);
    Ok(Price { us_before: sum(&before), us_after: sum(&after) })
}

/// Time of all kernels whose operations are known, in µs.
pub fn total_us(
    cx: &PassContext,
    judge: &mut Judge,
    (graph, or, in_use): (&Graph<'_>, Option<CompId>, i64),
) -> f64 {
    let kernels = graph.kernels.iter().filter(|k| !k.values.is_empty() && !k.outputs.is_empty());
    let quotes: Vec<Quote> = kernels.filter_map(|k| quote(cx, judge, (graph, or), k).ok()).collect();
    us(&quotes.iter().collect::<Vec<_>>(), in_use, &cx.options.target)
}

fn quote(
    cx: &PassContext,
    judge: &mut Judge,
    (graph, or): (&Graph<'_>, Option<CompId>),
    kernel: &Kernel,
) -> Result<Quote, Refusal> {
    let arrays = kernel.reads.len() + kernel.outputs.len();
    if arrays > MAX_ARRAYS {
        return Err(Refusal::TooManyArrays { arrays, limit: MAX_ARRAYS });
    }
    let computation = body(graph, kernel, or);
    let nodes = operations(&computation);
    if nodes > MAX_NODES {
        return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
    }
    let code = judge.numbers.code_of(graph.module, &computation);
    judge.quote(graph.module, &code, || computation, (&cx.options.target, Stages::Allowed))
}
