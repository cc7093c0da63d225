//! Operands that are windows of an array: where their elements lie, and which of them are padding.
//!
//! Quotients and remainders, by which a row is a place of an image, are computed once for a tile, in 32 bits. What else changes with
//! the elements of the sum is linear.

use super::block_of_k::BlockOfK;
use super::contraction::Contraction;
use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::scalar;
use crate::plan::{Gathered, Parted};
use crate::refusal::Refusal;
use crate::region::{Node, NodeId, Source};

/// An operand as windows of an array.
pub(super) struct Windows {
    pub(super) array: Buf,
    pub(super) gathered: Gathered,
    /// Of what is computed once.
    elem: Elem,
}

/// The first element that a thread copies of a block of k: its point, which element of the block it is, and the quotients of its
/// offset and of what must be in range.
pub(super) struct Window<'r> {
    point: Point<'r>,
    within: V,
    offset: Option<V>,
    ranges: Vec<Option<V>>,
}

impl<'r> Contraction<'r> {
    /// The operand as windows, if it is such.
    pub(super) fn windows(&self, cx: &Emit<'r>, operand: NodeId) -> Option<Windows> {
        let gathered = Gathered::of(self.l.region, &self.l.axes, operand)?;
        let (array, input) = (cx.arrays.inputs[gathered.input as usize], gathered.input as usize);
        let fits = self.l.region.inputs[input].elements <= i64::from(i32::MAX);
        Some(Windows { array, gathered, elem: if fits { Elem::I32 } else { Elem::I64 } })
    }

    /// The windows of the rows of a point, from elements so many `within` a block of k on.
    pub(super) fn window(
        &self,
        cx: &mut Emit<'r>,
        windows: &Windows,
        mut point: Point<'r>,
        within: V,
    ) -> Result<Window<'r>, Refusal> {
        let mut once = |cx: &mut Emit<'r>, parted: &Parted| -> Result<Option<V>, Refusal> {
            if parted.quotients.terms.is_empty() {
                return Ok(None);
            }
            let linear = cx.linear(&mut point, &parted.quotients)?;
            let value = cx.lanes_of(&point, linear);
            let value = cx.b.widen_to(value, self.s.lanes);
            Ok(Some(narrowed(cx, value, windows.elem)))
        };
        let Gathered { offset, ranges, .. } = &windows.gathered;
        let offset = once(cx, offset)?;
        let ranges = ranges.iter().map(|(parted, _)| once(cx, parted)).collect::<Result<_, _>>()?;
        Ok(Window { point, within, offset, ranges })
    }

    /// Where the elements of a block of k lie that are so many `beyond` the first of each thread, and where there are such: all,
    /// unless it says so.
    pub(super) fn windows_at(
        &self,
        cx: &mut Emit<'r>,
        (windows, window): (&Windows, &Window<'r>),
        block: &BlockOfK,
        beyond: i64,
    ) -> Result<(V, Option<V>), Refusal> {
        let zero = cx.b.i64(0);
        let within = self.offset(cx, window.within, zero, beyond);
        let mut point = self.in_block(cx, &window.point, (block, within), 1);
        let mut inside = None;
        let mut and = |cx: &mut Emit<'r>, mask: V| {
            inside = Some(inside.map_or(mask, |inside| cx.b.bin(Bin::And, inside, mask)));
        };
        for ((parted, size), &once) in windows.gathered.ranges.iter().zip(&window.ranges) {
            let value = self.sum(cx, (&mut point, parted), once, windows.elem)?;
            let size = cx.b.constant(Type::vector(windows.elem, self.s.lanes), *size as u64);
            let mask = cx.b.cmp(Cmp::Ult, value, size);
            and(cx, mask);
        }
        if block.is_rest {
            let mask = self.is_there(cx, block, within);
            and(cx, mask);
        }
        let once = window
            .offset
            .map(|v| if windows.elem == Elem::I64 { v } else { cx.b.cast(Cast::Sext, v, Elem::I64) });
        Ok((self.sum(cx, (&mut point, &windows.gathered.offset), once, Elem::I64)?, inside))
    }

    /// What a load has at these places of its array; where it is not inside, zeros, instead of which the first element is read: so no
    /// thread of a warp waits for others.
    pub(super) fn read(
        &self,
        cx: &mut Emit<'r>,
        load: NodeId,
        (array, place): (Buf, V),
        inside: Option<V>,
    ) -> V {
        let dtype = self.l.region.dtype(load);
        let Some(inside) = inside else {
            let raw = cx.b.load(array, place, self.s.lanes, None);
            return scalar::from_memory(&mut cx.b, raw, dtype);
        };
        let first = cx.b.constant(Type::vector(Elem::I64, self.s.lanes), 0);
        let place = cx.b.select(inside, place, first);
        let raw = cx.b.load(array, place, self.s.lanes, None);
        let zero = cx.b.constant(cx.b.ty_of(raw), 0);
        let raw = cx.b.select(inside, raw, zero);
        scalar::from_memory(&mut cx.b, raw, dtype)
    }

    /// Makes loads known in this way that an operand does not need everywhere.
    pub(super) fn read_all(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        operand: NodeId,
    ) -> Result<(), Refusal> {
        let region = self.l.region;
        for id in region.reachable(&[operand]) {
            if let Node::Load { source: Source::Input(input), offset, mask: Some(mask) } = region.node(id)
                && region.inputs[*input as usize].elements > 0
                && !point.known.contains_key(&id)
            {
                let array = cx.arrays.inputs[*input as usize];
                let (mask, place) = (cx.vector(point, *mask)?, cx.places(point, array.into(), offset)?);
                let value = self.read(cx, id, (array, place), Some(mask));
                point.known.insert(id, value);
            }
        }
        Ok(())
    }

    /// An expression at a point, of which the quotients are known.
    fn sum(
        &self,
        cx: &mut Emit<'r>,
        (point, parted): (&mut Point<'r>, &Parted),
        once: Option<V>,
        elem: Elem,
    ) -> Result<V, Refusal> {
        let linear = cx.linear(point, &parted.linear)?;
        let linear = cx.lanes_of(point, linear);
        let linear = narrowed(cx, linear, elem);
        let linear = cx.b.widen_to(linear, self.s.lanes);
        Ok(once.map_or(linear, |once| cx.b.add(once, linear)))
    }
}

/// An index in this type.
fn narrowed(cx: &mut Emit<'_>, index: V, elem: Elem) -> V {
    if elem == Elem::I64 { index } else { cx.b.cast(Cast::Trunc, index, elem) }
}
