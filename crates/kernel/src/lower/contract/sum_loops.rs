//! Loops over the elements of k that carry the sums of a tile. Axes of the sum along which operands are read as along one are one loop, a
//! run, and no index is divided in the innermost one where blocks of k are whole runs or parts of one.

use super::contraction::Contraction;
use crate::loop_ir::{Bin, V};
use crate::lower::emit::Emit;
use crate::refusal::Refusal;
use crate::region::{Node, NodeId};
use lawson_hlo::index::Affine;

impl<'r> Contraction<'r> {
    /// A loop over the elements `lo..hi` of k that carries sums: `body` has the number of the element from `lo` on, and its
    /// inner indices, with which these operands are read. All of k is a loop for each run of axes, so that no index has to be
    /// divided.
    pub(super) fn each_k(
        &self,
        cx: &mut Emit<'r>,
        ((lo, hi), in_place): ((V, V), &[NodeId]),
        inits: &[V],
        body: &mut Step<'_, 'r>,
    ) -> Result<Vec<V>, Refusal> {
        if let Some(words) = self.s.words {
            let count = cx.b.sub(hi, lo);
            let (zero, word) = (cx.b.i64(0), cx.b.i64(words.in_word()));
            let count = cx.b.bin(Bin::SDiv, count, word);
            return cx.for_loop((zero, count, 1), inits, |cx, k, sums| body(cx, (k, &[]), sums));
        }
        let runs = self.runs_of_sum(in_place);
        if self.blocks() == 1 && self.length > 0 {
            let zero = cx.b.i64(0);
            return along(cx, &runs, (zero, &mut Vec::new()), inits, body);
        }
        let points: Vec<i64> = runs.iter().map(|run| run.points).collect();
        let block = self.s.block;
        match runs.split_last().filter(|_| self.length > 0) {
            // Blocks of whole runs: a loop along each.
            Some((last, outer)) if block % last.points == 0 => {
                cx.for_loop((lo, hi, last.points), inits, |cx, k, sums| {
                    let each = cx.b.i64(last.points);
                    let run = cx.b.bin(Bin::SDiv, k, each);
                    let at = cx.delinearize(run, &points[..outer.len()]);
                    let mut indices = indices_at(cx, outer, &at);
                    let from = cx.b.sub(k, lo);
                    along(cx, std::slice::from_ref(last), (from, &mut indices), sums, body)
                })
            }
            // Parts of a run: the indices along the others stay.
            Some((last, outer)) if last.points % block == 0 => {
                let at = cx.delinearize(lo, &points);
                let indices = indices_at(cx, outer, &at);
                let (zero, count) = (cx.b.i64(0), cx.b.sub(hi, lo));
                cx.for_loop((zero, count, 1), inits, |cx, from, sums| {
                    let mut indices = indices.clone();
                    let i = cx.b.add(at[outer.len()], from);
                    last.enter(cx, i, &mut indices);
                    body(cx, (from, &indices), sums)
                })
            }
            _ => cx.for_loop((lo, hi, 1), inits, |cx, k, sums| {
                let at = cx.delinearize(k, &points);
                let indices = indices_at(cx, &runs, &at);
                let from = cx.b.sub(k, lo);
                body(cx, (from, &indices), sums)
            }),
        }
    }

    /// The axes of the sum, as runs along which these operands are read as along one.
    fn runs_of_sum(&self, operands: &[NodeId]) -> Vec<Run> {
        let (region, axes) = (self.l.region, &self.l.axes);
        let nodes = region.reachable(operands).into_iter();
        let expressions: Vec<Affine> = nodes
            .filter_map(|id| match region.node(id) {
                Node::Load { offset: e, .. } | Node::Index(e) | Node::InRange { value: e, .. } => {
                    Some(axes.translate(e))
                }
                _ => None,
            })
            .collect();
        let mut runs: Vec<Run> = Vec::new();
        for (n, &points) in axes.inner_extents().iter().enumerate() {
            let before = (axes.space + n).wrapping_sub(1);
            match runs.last_mut() {
                Some(run) if expressions.iter().all(|e| axes.reads_as_one(e, before)) => {
                    (run.axes, run.points) = (run.axes + 1, run.points * points);
                }
                _ => runs.push(Run { axes: 1, points }),
            }
        }
        runs
    }
}

/// One element of k: its number, its inner indices, the sums before it; the sums after it.
pub(super) type Step<'s, 'r> = dyn FnMut(&mut Emit<'r>, (V, &[V]), &[V]) -> Result<Vec<V>, Refusal> + 's;

/// Neighbouring axes of a sum that are one loop.
struct Run {
    axes: usize,
    points: i64,
}

impl Run {
    /// Adds the indices along its axes at one of its points.
    fn enter(&self, cx: &mut Emit<'_>, point: V, indices: &mut Vec<V>) {
        let zero = cx.b.i64(0);
        indices.extend(vec![zero; self.axes - 1]);
        indices.push(point);
    }
}

/// The indices along the axes of runs at these points of them.
fn indices_at(cx: &mut Emit<'_>, runs: &[Run], at: &[V]) -> Vec<V> {
    let mut indices = Vec::new();
    runs.iter().zip(at).for_each(|(run, &point)| run.enter(cx, point, &mut indices));
    indices
}

/// Loops over the runs of axes that are left, from element `first` on, which has these indices along the others.
fn along<'r>(
    cx: &mut Emit<'r>,
    runs: &[Run],
    (first, indices): (V, &mut Vec<V>),
    inits: &[V],
    body: &mut Step<'_, 'r>,
) -> Result<Vec<V>, Refusal> {
    let Some((run, rest)) = runs.split_first() else { return body(cx, (first, indices), inits) };
    let (zero, end) = (cx.b.i64(0), cx.b.i64(run.points));
    cx.for_loop((zero, end, 1), inits, |cx, i, sums| {
        let each = cx.b.i64(rest.iter().map(|run| run.points).product());
        let from = cx.b.mul(i, each);
        let from = cx.b.add(first, from);
        let before = indices.len();
        run.enter(cx, i, indices);
        let sums = along(cx, rest, (from, indices), sums, body);
        indices.truncate(before);
        sums
    })
}
