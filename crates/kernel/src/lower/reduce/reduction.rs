//! A reduction being emitted: combining values, partial results in memory, and joining those of chunks.

use super::held::Held;
use crate::loop_ir::{Access, Bin, Buf, Cast, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::identity;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::scalar::{self, Extreme};
use crate::lower::sums::Products;
use crate::plan::ReduceSchedule;
use crate::refusal::Refusal;
use crate::region::{FoldOrder, Function, Node, NodeId, Stored};
use lawson_hlo::index::Affine;
use lawson_hlo::{DType, Opcode};

/// Running values of a chunk of a minor reduction.
pub(super) const RUNNING: i64 = 64;

/// A reduction being emitted.
pub(super) struct Reduction<'r> {
    pub(super) l: &'r Lowering<'r>,
    pub(super) s: &'r ReduceSchedule,
    pub(super) values: &'r [NodeId],
    /// How each running value is held.
    pub(super) held: Vec<Held>,
    /// Comparisons of the combiner that hold where the second element is a later one.
    pub(super) ascending: Vec<NodeId>,
    pub(super) inits: &'r [NodeId],
    pub(super) combiner: &'r Function,
    pub(super) mask: Option<NodeId>,
    pub(super) stored: &'r [Stored],
    /// Elements that one result combines.
    pub(super) length: i64,
    pub(super) order: FoldOrder,
}

impl<'r> Reduction<'r> {
    /// Combines running values.
    pub(super) fn combine(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        a: &[V],
        b: &[V],
    ) -> Result<Vec<V>, Refusal> {
        match self.keys() {
            Some(keys) => {
                Ok(keys.iter().zip(a).zip(b).map(|((k, &a), &b)| k.combine(&mut cx.b, a, b)).collect())
            }
            None => self.combine_values(cx, point, (a, b), &[]),
        }
    }

    /// Combines running values with elements that come after all of theirs.
    pub(super) fn append(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        a: &[V],
        b: &[V],
    ) -> Result<Vec<V>, Refusal> {
        match self.ascending.is_empty() {
            true => self.combine(cx, point, a, b),
            false => self.combine_values(cx, point, (a, b), &self.ascending),
        }
    }

    /// Combines values of the accumulators' types, where these comparisons are known to hold.
    fn combine_values(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (a, b): (&[V], &[V]),
        holds: &[NodeId],
    ) -> Result<Vec<V>, Refusal> {
        let arguments: Vec<V> = a.iter().chain(b).copied().collect();
        cx.call_where(point, self.combiner, &arguments, holds)
    }

    /// What the running values are keys of, if they are.
    pub(super) fn keys(&self) -> Option<Vec<Extreme>> {
        self.held.iter().map(|h| h.key()).collect()
    }

    /// The running values that the combiner leaves every element unchanged with, to start from; `None` where it has none,
    /// and they start from the first elements.
    pub(super) fn identity(&self, cx: &mut Emit<'r>, lanes: u32) -> Option<Vec<V>> {
        if let Some(keys) = self.keys() {
            return Some(keys.iter().map(|k| k.identity(&mut cx.b, lanes)).collect());
        }
        let scalars = identity::of(cx, self.combiner)?;
        Some(scalars.into_iter().map(|v| cx.b.widen_to(v, lanes)).collect())
    }

    /// Whether every result is one operation, by operands that have no roundings: of a combiner with an identity.
    pub(super) fn is_exact(&self, cx: &Emit<'r>) -> bool {
        let exact = |dtype: DType| dtype.is_integer() || dtype.is_field();
        self.keys().is_some()
            || self.combiner.results.iter().all(|&id| match *cx.region.node(id) {
                Node::Binary { dtype, .. } => exact(dtype),
                _ => false,
            })
    }

    /// The products of every value, where all are added and reduced once; `None` where values are combined otherwise.
    pub(super) fn products(&self, cx: &mut Emit<'r>) -> Option<Vec<Products>> {
        let adds = |id: &NodeId| matches!(cx.region.node(*id), Node::Binary { opcode: Opcode::Add, .. });
        if self.mask.is_some() || !self.stored.is_empty() || !self.combiner.results.iter().all(adds) {
            return None;
        }
        identity::of(cx, self.combiner)?;
        self.values.iter().map(|&v| cx.products_of(v)).collect()
    }

    /// Vectors of running values in a chunk of `length`.
    pub(super) fn vectors(&self, length: i64) -> i64 {
        let lanes = self.s.lanes as i64;
        (self.order.running().min(length) + lanes - 1) / lanes
    }

    /// Evaluates what is the same for all elements along the axes from `first` on, the last of those that are reduced.
    pub(super) fn hoist(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        first: usize,
    ) -> Result<(), Refusal> {
        let stored = self.stored.iter().flat_map(|s| &s.parts).map(|(_, value)| value);
        let roots: Vec<NodeId> = self.values.iter().chain(stored).copied().collect();
        let inner: Vec<usize> = (first..self.l.axes.extents.len()).collect();
        cx.hoist(point, &roots, &inner)
    }

    /// The elements at a point, in every lane, as running values; stores what is stored on the way. Asked for once for each point.
    pub(super) fn elements(&self, cx: &mut Emit<'r>, point: &mut Point<'r>) -> Result<Vec<V>, Refusal> {
        let element = |(&value, held): (&NodeId, &Held)| {
            let element = cx.vector(point, held.node(value))?;
            Ok(held.hold(&mut cx.b, element))
        };
        let elements = self.values.iter().zip(&self.held).map(element).collect();
        // Before anything is stored, so that an array may take the place of one that is read.
        let mut found = Vec::new();
        for stored in self.stored {
            let value = |(position, value): &'r (Affine, NodeId)| Ok((position, cx.value(point, *value)?));
            found.push(stored.parts.iter().map(value).collect::<Result<Vec<_>, Refusal>>()?);
        }
        for (result, parts) in (self.values.len()..).zip(found) {
            let to = ((self.l.index, result as u32), self.l.stage.results[result]);
            self.l.store_parts(cx, point, to, &parts, self.s.streaming)?;
        }
        elements
    }

    /// The inner indices of element `k`.
    pub(super) fn inner_indices(&self, cx: &mut Emit<'r>, k: V) -> Vec<V> {
        cx.delinearize(k, self.l.axes.inner_extents())
    }

    /// Applies init to the total and finishes the results at the point.
    pub(super) fn finish(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        total: Option<&[V]>,
    ) -> Result<(), Refusal> {
        let mut inits = Vec::new();
        for &i in self.inits {
            inits.push(cx.vector(point, i)?);
        }
        let result = match total {
            Some(total) => {
                let total = self.in_values(cx, total);
                self.combine_values(cx, point, (&inits, &total), &[])?
            }
            None => inits,
        };
        let mut rounded = Vec::new();
        for ((v, &id), &dtype) in result.into_iter().zip(self.values).zip(&self.l.stage.results) {
            rounded.push(scalar::convert(&mut cx.b, self.l.region.dtype(id), dtype, v)?);
        }
        self.l.finish(cx, point, &rounded, false)
    }

    /// Running values as values of the accumulators' types.
    fn in_values(&self, cx: &mut Emit<'r>, held: &[V]) -> Vec<V> {
        self.held.iter().zip(held).map(|(h, &v)| h.value(&mut cx.b, v)).collect()
    }

    /// Arrays of `len` partial results.
    pub(super) fn partials(&self, cx: &mut Emit<'r>, len: i64, local: bool) -> Vec<(Buf, Held)> {
        self.held
            .iter()
            .enumerate()
            .map(|(n, &held)| {
                let (name, elem) = (format!("{}.partial{n}", self.l.stage.name), held.elem());
                let buf = match local {
                    true => cx.b.local(name, elem, len),
                    false => cx.b.buffer(name, elem, len, Access::Scratch),
                };
                (buf, held)
            })
            .collect()
    }

    pub(super) fn load_partials(
        &self,
        cx: &mut Emit<'r>,
        arrays: &[(Buf, Held)],
        offset: V,
        lanes: u32,
    ) -> Vec<V> {
        arrays
            .iter()
            .map(|&(buf, held)| {
                let raw = cx.b.load(buf, offset, lanes, None);
                held.loaded(&mut cx.b, raw)
            })
            .collect()
    }

    pub(super) fn store_partials(&self, cx: &mut Emit<'r>, arrays: &[(Buf, Held)], offset: V, values: &[V]) {
        for (&(buf, held), &v) in arrays.iter().zip(values) {
            let raw = held.stored(&mut cx.b, v);
            cx.b.store(buf, offset, raw, None);
        }
    }

    /// The point of a row of the space that the loops run over, all inner indices zero.
    pub(super) fn row_point(&self, cx: &mut Emit<'r>, row: V) -> Point<'r> {
        let mut point = self.l.start(cx);
        self.place(cx, &mut point, row);
        point
    }

    /// Moves a point from where the loops begin to a row.
    pub(super) fn place(&self, cx: &mut Emit<'r>, point: &mut Point<'r>, row: V) {
        self.l.loops(&[]).place(cx, row, &mut point.at);
    }
}

/// `lane < count`; `None` where that is known of every lane.
pub(super) fn first_lanes(cx: &mut Emit<'_>, lanes: u32, count: V) -> Option<V> {
    let known = cx.b.const_i64(count);
    if known.is_some_and(|n| n >= lanes as i64) {
        return None;
    }
    let ty = Type::vector(Elem::I32, lanes);
    let count = cx.b.cast(Cast::Trunc, count, Elem::I32);
    let count = cx.b.widen_to(count, lanes);
    let lane = if lanes == 1 { cx.b.constant(ty, 0) } else { cx.b.op(Op::Iota(ty)) };
    Some(cx.b.cmp(Cmp::Slt, lane, count))
}

/// `min(a, b)` of indices.
pub(super) fn min(cx: &mut Emit<'_>, a: V, b: V) -> V {
    cx.b.bin(Bin::SMin, a, b)
}
