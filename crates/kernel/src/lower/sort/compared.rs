//! What a sort by an order of numbers compares of the elements of a row, and what comes back from it.
//!
//! That is their keys. Of an element that does not come back from its key, a zero or a NaN, which all are equal, the row has the
//! others of its kind in the order they came in. Where other arrays go along, the place of each element stands below its key in
//! one word, which also keeps equal keys in order.

use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, Un, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::scalar::{self, OrderKey, reg_elem, to_bits};
use crate::refusal::Refusal;
use crate::region::{Function, Kind, Node, NodeId, Order, Source};
use lawson_hlo::index::Affine;
use lawson_hlo::{DType, Scalar};

/// The numbers whose keys may be those of several elements.
const TIES: [f64; 2] = [0.0, f64::NAN];

pub(super) struct Compared<'r> {
    pub(super) l: &'r Lowering<'r>,
    pub(super) values: &'r [NodeId],
    pub(super) dtypes: Vec<DType>,
    pub(super) order: Order,
    /// What is compared of an element, of the comparator's arguments.
    number: Option<Function>,
    /// Whether words of keys and places are sorted.
    with_places: bool,
    /// Elements of a row, and how many of them are wanted.
    pub(super) n: i64,
    pub(super) kept: i64,
    pub(super) position: &'r Affine,
}

impl<'r> Compared<'r> {
    /// A sort by an order of numbers.
    pub(super) fn of(l: &'r Lowering<'r>, with_places: bool) -> Option<Compared<'r>> {
        let Kind::Sort { values, less, kept, position } = &l.stage.kind else { return None };
        let order = Order::of(l.region, less)?;
        let dtypes = values.iter().map(|&v| l.region.dtype(v)).collect();
        let number = order.key.map(|k| Function { arguments: less.arguments.clone(), results: vec![k] });
        let n = l.stage.inner_points();
        Some(Compared { l, values, dtypes, order, number, with_places, n, kept: *kept, position })
    }

    /// What is sorted: its name and its type.
    pub(super) fn array(&self) -> (&'static str, Elem) {
        if self.with_places { ("words", Elem::I64) } else { ("keys", OrderKey(self.order).elem()) }
    }

    /// The key of an element, or those of elements in lanes.
    pub(super) fn key(&self, cx: &mut Emit<'r>, p: &Point<'r>, x: V) -> Result<V, Refusal> {
        let number = self.number(cx, p, x)?;
        Ok(OrderKey(self.order).of(&mut cx.b, number))
    }

    fn number(&self, cx: &mut Emit<'r>, p: &Point<'r>, x: V) -> Result<V, Refusal> {
        let Some(number) = &self.number else { return Ok(x) };
        let mut inner = Point::new(p.axes, p.at.clone());
        inner.lanes = cx.b.ty_of(x).lanes;
        inner.arguments = number.arguments.iter().map(|_| x).collect();
        let value = cx.value(&mut inner, number.results[0])?;
        Ok(cx.b.widen_to(value, inner.lanes))
    }

    /// What is sorted of the element at a point, which is at `place` in its row, and whether it does not come back from that,
    /// which `None` excludes. The greatest comes first.
    pub(super) fn sorted(
        &self,
        cx: &mut Emit<'r>,
        p: &mut Point<'r>,
        place: V,
    ) -> Result<(V, Option<V>), Refusal> {
        let x = cx.vector(p, self.values[self.order.array])?;
        let number = self.number(cx, p, x)?;
        let key = OrderKey(self.order).of(&mut cx.b, number);
        if self.with_places {
            return Ok((self.word(cx, key, place), None));
        }
        if self.number.is_none() {
            return Ok((key, None));
        }
        let [own, compared] = [x, number].map(|x| to_bits(&mut cx.b, x));
        let differs = cx.b.cmp(Cmp::Ne, own, compared);
        let exists = p.mask.map_or(differs, |mask| cx.b.bin(Bin::And, differs, mask));
        Ok((key, Some(exists)))
    }

    /// A key with a place below it: of equal keys the one that comes first is the greatest word.
    fn word(&self, cx: &mut Emit<'r>, key: V, place: V) -> V {
        let key = cx.b.cast(Cast::Sext, key, Elem::I64);
        let ty = cx.b.ty_of(key);
        let (thirty_two, below) = (cx.b.constant(ty, 32), cx.b.constant(ty, 0xffff_ffff));
        let key = cx.b.bin(Bin::Shl, key, thirty_two);
        let place = cx.b.widen_to(place, ty.lanes);
        let place = cx.b.bin(Bin::Xor, place, below);
        cx.b.bin(Bin::Or, key, place)
    }

    /// The element that has a key.
    pub(super) fn element(&self, cx: &mut Emit<'r>, key: V) -> V {
        OrderKey(self.order).element(&mut cx.b, key)
    }

    /// The elements of the arrays that are wanted, of what was sorted: with the numbers of their arrays. `moved` gives those of an
    /// array that went along, as they are in memory, from their places.
    pub(super) fn results(
        &self,
        cx: &mut Emit<'r>,
        sorted: V,
        moved: &dyn Fn(&mut Emit<'r>, Buf, V) -> V,
        copies: &Copies,
    ) -> Vec<(usize, V)> {
        if !self.with_places {
            return vec![(0, self.element(cx, sorted))];
        }
        let low = cx.b.cast(Cast::Trunc, sorted, Elem::I32);
        let place = cx.b.un(Un::Not, low);
        let mut out = Vec::new();
        for n in (0..self.dtypes.len()).filter(|&n| self.is_wanted(n)) {
            let (dtype, elem) = (self.dtypes[n], reg_elem(self.dtypes[n]));
            let value = match copies.0[n] {
                Some(copy) => {
                    let raw = moved(cx, copy, place);
                    scalar::from_memory(&mut cx.b, raw, dtype)
                }
                None if self.is_key(n) => {
                    let ty = cx.b.ty_of(sorted);
                    let thirty_two = cx.b.constant(ty, 32);
                    let key = cx.b.bin(Bin::AShr, sorted, thirty_two);
                    let key = cx.b.cast(Cast::Trunc, key, Elem::I32);
                    self.element(cx, key)
                }
                None if elem.bits() < 32 => cx.b.cast(Cast::Trunc, place, elem),
                None => cx.b.cast(Cast::Sext, place, elem),
            };
            out.push((n, value));
        }
        out
    }

    /// Private arrays of so many elements for those that are read again, at the places they go to.
    pub(super) fn copies(&self, cx: &mut Emit<'r>, elements: i64) -> Copies {
        let goes_along =
            |n: usize| self.with_places && self.is_wanted(n) && !self.is_place(n) && !self.is_key(n);
        let copy = |n: usize| {
            let elem = scalar::mem_elem(self.dtypes[n]);
            goes_along(n).then(|| cx.b.local(format!("row{n}"), elem, elements))
        };
        Copies((0..self.values.len()).map(copy).collect())
    }

    /// Keeps the elements at a point that go along.
    pub(super) fn copy(
        &self,
        cx: &mut Emit<'r>,
        p: &mut Point<'r>,
        at: V,
        copies: &Copies,
    ) -> Result<(), Refusal> {
        for (n, copy) in copies.0.iter().enumerate() {
            let Some(copy) = copy else { continue };
            let v = cx.vector(p, self.values[n])?;
            let raw = scalar::to_memory(&mut cx.b, v, self.dtypes[n]);
            cx.b.store(*copy, at, raw, p.mask);
        }
        Ok(())
    }

    /// Whether somebody reads this array in order.
    fn is_wanted(&self, n: usize) -> bool {
        let (region, key) = (self.l.region, (self.l.index, n as u32));
        let reads = |n: &Node| matches!(n, Node::Load { source: Source::Stage { stage, output }, .. } if (*stage, *output) == key);
        region.output_sources.contains(&key) || region.nodes.iter().any(reads)
    }

    /// Whether the elements of this array are their places in the row.
    fn is_place(&self, n: usize) -> bool {
        let row = Affine::axis(self.l.stage.space.len());
        matches!(self.l.region.node(self.values[n]), Node::Index(e) if *e == row)
            && self.dtypes[n].is_integer()
    }

    /// Whether the elements of this array come back from the keys.
    fn is_key(&self, n: usize) -> bool {
        n == self.order.array && self.order.key.is_none()
    }

    /// Whether several elements may have the key of some that does not give them back.
    pub(super) fn has_ties(&self) -> bool {
        self.number.is_some() && !self.with_places
    }

    /// Puts the keys of the zeros and the NaN of a row themselves where theirs are among the sorted keys, in the order they came
    /// in. `first` gives the first place that does not come before a key, `put` stores a key.
    pub(super) fn restore_ties(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        mut first: impl FnMut(&mut Emit<'r>, V) -> Result<V, Refusal>,
        mut put: impl FnMut(&mut Emit<'r>, V, V),
    ) -> Result<(), Refusal> {
        let keys = self.keys_of_ties(cx, point)?;
        let mut places = Vec::new();
        for &key in &keys {
            places.push(first(cx, key)?);
        }
        let (zero, n) = (cx.b.i64(0), cx.b.i64(self.n));
        cx.for_loop((zero, n, 1), &places, |cx, j, places| {
            let mut p = point.moved(self.l.region, self.l.axes.space, j);
            let x = cx.value(&mut p, self.values[0])?;
            let (key, own) = (self.key(cx, point, x)?, OrderKey(self.order).of(&mut cx.b, x));
            let mut next = Vec::new();
            for (&tie, &place) in keys.iter().zip(places) {
                let is_tie = cx.b.cmp(Cmp::Eq, key, tie);
                let store = |cx: &mut Emit<'r>| {
                    put(cx, place, own);
                    Ok(Vec::new())
                };
                cx.if_else(is_tie, store, |_| Ok(Vec::new()))?;
                let taken = cx.b.cast(Cast::Zext, is_tie, Elem::I64);
                next.push(cx.b.add(place, taken));
            }
            Ok(next)
        })?;
        Ok(())
    }

    /// The keys that several different elements may have.
    fn keys_of_ties(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<Vec<V>, Refusal> {
        let key = |number: &f64| {
            let x = scalar::constant(&mut cx.b, self.order.dtype, 1, Scalar::Float(*number));
            self.key(cx, point, x)
        };
        TIES.iter().map(key).collect()
    }
}

/// Private arrays of what goes along, for each array that does.
pub(super) struct Copies(Vec<Option<Buf>>);
