//! Sorts of rows by keys in vectors. Where the elements do not come back from the keys, or others go along, the place of
//! each stands below its key in one word, which also keeps equal keys in order.

use super::by_merging::merge_row;
use super::network::SortedKeys;
use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, Op, Type, Un, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::rows::{block, left};
use crate::lower::scalar::{self, OrderKey, reg_elem};
use crate::plan::{SortSchedule, Sorted};
use crate::refusal::Refusal;
use crate::region::{Function, Kind, Node, NodeId, Order};
use lawson_hlo::DType;
use lawson_hlo::index::Affine;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    sorted: Sorted,
) -> Result<(), Refusal> {
    let Kind::Sort { values, less, kept, position } = &l.stage.kind else { return Ok(()) };
    let Some(order) = Order::of(l.region, less) else { return Ok(()) };
    let dtypes: Vec<DType> = values.iter().map(|&v| l.region.dtype(v)).collect();
    let n = l.stage.inner_points();
    let key = order.key.map(|k| Function { arguments: less.arguments.clone(), results: vec![k] });
    let row = Row { l, values, dtypes, order, key, n, kept: *kept, position };
    // Words of a key and a place are twice as long as keys.
    let half = if sorted == Sorted::KeysAndPlaces { s.lanes } else { (s.lanes / 2).max(2) };
    let keys = |cx: &mut Emit<'r>| {
        let elem = OrderKey(order).elem();
        SortedKeys::new(cx, "keys", elem, s.lanes, n)
    };
    let words = |cx: &mut Emit<'r>| SortedKeys::new(cx, "words", Elem::I64, half, n);
    let rows: i64 = l.axes.space_extents().iter().product();
    let (keys, words) = match sorted {
        Sorted::Keys | Sorted::KeysIfPlain { packed: false } => (Some(keys(cx)), None),
        Sorted::KeysAndPlaces => (None, Some(words(cx))),
        Sorted::KeysIfPlain { packed: true } => (Some(keys(cx)), Some(words(cx))),
    };
    let copies = if words.is_some() { row.copies(cx) } else { Vec::new() };
    let task = cx.b.open_phase((rows + s.rows_per_task - 1) / s.rows_per_task);
    let (first, end) = block(cx, task, s.rows_per_task, rows);
    cx.for_loop((first, end, 1), &[], |cx, r, _| {
        let mut at = cx.delinearize(r, l.axes.space_extents());
        at.push(cx.b.i64(0));
        let mut point = Point::new(&l.axes, at);
        cx.hoist(&mut point, values, &[l.axes.space])?;
        let by_words = |cx: &mut Emit<'r>, words: SortedKeys| {
            row.make_words(cx, &point, &words, &copies)?;
            row.store_words(cx, &point, &words, &copies)
        };
        match (keys, words) {
            (Some(keys), words) => {
                let plain = row.make_keys(cx, &point, &keys)?;
                let sorted = |cx: &mut Emit<'r>| row.store_keys(cx, &point, &keys).map(|()| Vec::new());
                cx.if_else(plain, sorted, |cx| {
                    match words {
                        Some(words) => by_words(cx, words)?,
                        None => merge_row(cx, l, &point)?,
                    }
                    Ok(Vec::new())
                })?;
            }
            (None, Some(words)) => by_words(cx, words)?,
            (None, None) => {}
        }
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

struct Row<'r> {
    l: &'r Lowering<'r>,
    values: &'r [NodeId],
    dtypes: Vec<DType>,
    order: Order,
    /// What is compared of the elements, of the comparator's arguments.
    key: Option<Function>,
    /// Elements of a row, and how many of them are wanted.
    n: i64,
    kept: i64,
    position: &'r Affine,
}

impl<'r> Row<'r> {
    /// Calls `body` for each vector of `lanes` of the first `n` elements: with its point, and whether some of its lanes lie
    /// past them, which its mask says too.
    fn each_vector(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (n, lanes): (i64, u32),
        inits: &[V],
        body: &dyn Fn(&mut Emit<'r>, Point<'r>, V, &[V]) -> Result<Vec<V>, Refusal>,
    ) -> Result<Vec<V>, Refusal> {
        let (region, axis, width) = (self.l.region, self.l.axes.space, lanes as i64);
        let whole = n / width * width;
        let (zero, end) = (cx.b.i64(0), cx.b.i64(whole));
        let mut carried = inits.to_vec();
        if whole > 0 {
            carried = cx.for_loop((zero, end, width), inits, |cx, j, carried| {
                let p = point.spread(region, axis, j, lanes);
                body(cx, p, j, carried)
            })?;
        }
        if whole < n {
            let mut p = point.spread(region, axis, end, lanes);
            p.mask = Some(left(cx, end, n, lanes));
            carried = body(cx, p, end, &carried)?;
        }
        Ok(carried)
    }

    /// The number that decides, of an element.
    fn number(&self, cx: &mut Emit<'r>, p: &Point<'r>, x: V) -> Result<V, Refusal> {
        let Some(key) = &self.key else { return Ok(x) };
        let arguments: Vec<V> = key.arguments.iter().map(|_| x).collect();
        let mut inner = Point::new(p.axes, p.at.clone());
        inner.lanes = p.lanes;
        inner.arguments = arguments;
        cx.vector(&mut inner, key.results[0])
    }

    /// Keeps the keys; gives whether every element is its own key.
    fn make_keys(&self, cx: &mut Emit<'r>, point: &Point<'r>, keys: &SortedKeys) -> Result<V, Refusal> {
        let least = keys.least(cx);
        keys.fill(cx, self.n);
        let make = OrderKey(self.order);
        let none = cx.b.constant(Type::vector(Elem::I1, keys.lanes), 0);
        let inits = if self.key.is_some() { vec![none] } else { Vec::new() };
        let body = |cx: &mut Emit<'r>, mut p: Point<'r>, at: V, other: &[V]| {
            let x = cx.vector(&mut p, self.values[self.order.array])?;
            let mut key = make.of(&mut cx.b, x);
            let mut yields = Vec::new();
            if let Some(&before) = other.first() {
                let number = self.number(cx, &p, x)?;
                let number = make.of(&mut cx.b, number);
                let mut differs = cx.b.cmp(Cmp::Ne, number, key);
                if let Some(mask) = p.mask {
                    differs = cx.b.bin(Bin::And, differs, mask);
                }
                yields.push(cx.b.bin(Bin::Or, before, differs));
            }
            if let Some(mask) = p.mask {
                key = cx.b.select(mask, key, least);
            }
            cx.b.store(keys.buf, at, key, None);
            Ok(yields)
        };
        let differs = self.each_vector(cx, point, (self.n, keys.lanes), &inits, &body)?;
        match differs.first() {
            Some(&differs) => {
                let some = cx.b.any(differs);
                Ok(cx.b.un(Un::Not, some))
            }
            None => Ok(cx.b.bool(true)),
        }
    }

    fn store_keys(&self, cx: &mut Emit<'r>, point: &Point<'r>, keys: &SortedKeys) -> Result<(), Refusal> {
        let first = keys.sort(cx)?;
        let l = self.l;
        let body = |cx: &mut Emit<'r>, mut p: Point<'r>, at: V, _: &[V]| {
            let from = cx.b.add(first, at);
            let key = cx.b.load(keys.buf, from, keys.lanes, None);
            let x = OrderKey(self.order).element(&mut cx.b, key);
            l.store(cx, &mut p, l.index, &self.dtypes, self.position, &[x], false)?;
            Ok(Vec::new())
        };
        self.each_vector(cx, point, (self.kept, keys.lanes), &[], &body)?;
        Ok(())
    }

    /// Whether somebody reads this array in order.
    fn is_wanted(&self, n: usize) -> bool {
        let key = (self.l.index, n as u32);
        self.l.region.output_sources.contains(&key) || self.reader(key)
    }

    /// Whether a later stage reads this result.
    fn reader(&self, (stage, output): (u32, u32)) -> bool {
        use crate::region::Source;
        let reads = |n: &Node| matches!(n, Node::Load { source: Source::Stage { stage: s, output: o }, .. } if (*s, *o) == (stage, output));
        self.l.region.nodes.iter().any(reads)
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

    /// Private arrays for the elements that are read again, at the places they go to.
    fn copies(&self, cx: &mut Emit<'r>) -> Vec<Option<Buf>> {
        let needs = |n: &usize| self.is_wanted(*n) && !self.is_place(*n) && !self.is_key(*n);
        let copy = |n: usize| {
            needs(&n).then(|| cx.b.local(format!("row{n}"), scalar::mem_elem(self.dtypes[n]), self.n + 64))
        };
        (0..self.values.len()).map(copy).collect()
    }

    /// Keeps the words, and copies of the elements that go along.
    fn make_words(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        words: &SortedKeys,
        copies: &[Option<Buf>],
    ) -> Result<(), Refusal> {
        let least = words.least(cx);
        words.fill(cx, self.n);
        let body = |cx: &mut Emit<'r>, mut p: Point<'r>, at: V, _: &[V]| {
            let x = cx.vector(&mut p, self.values[self.order.array])?;
            let number = self.number(cx, &p, x)?;
            let key = OrderKey(self.order).of(&mut cx.b, number);
            for (n, copy) in copies.iter().enumerate() {
                let Some(copy) = copy else { continue };
                let v = cx.vector(&mut p, self.values[n])?;
                let raw = scalar::to_memory(&mut cx.b, v, self.dtypes[n]);
                cx.b.store(*copy, at, raw, p.mask);
            }
            let key = cx.b.cast(Cast::Sext, key, Elem::I64);
            let ty = cx.b.ty_of(key);
            let thirty_two = cx.b.constant(ty, 32);
            let key = cx.b.bin(Bin::Shl, key, thirty_two);
            // Of equal keys the one that comes first is the largest word.
            let each = cx.b.op(Op::Iota(ty));
            let at_each = cx.b.widen_to(at, words.lanes);
            let place = cx.b.add(at_each, each);
            let below = cx.b.constant(ty, 0xffff_ffff);
            let place = cx.b.bin(Bin::Xor, place, below);
            let mut word = cx.b.bin(Bin::Or, key, place);
            if let Some(mask) = p.mask {
                word = cx.b.select(mask, word, least);
            }
            cx.b.store(words.buf, at, word, None);
            Ok(Vec::new())
        };
        self.each_vector(cx, point, (self.n, words.lanes), &[], &body)?;
        Ok(())
    }

    fn store_words(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        words: &SortedKeys,
        copies: &[Option<Buf>],
    ) -> Result<(), Refusal> {
        let first = words.sort(cx)?;
        let l = self.l;
        let body = |cx: &mut Emit<'r>, mut p: Point<'r>, at: V, _: &[V]| {
            let from = cx.b.add(first, at);
            let word = cx.b.load(words.buf, from, words.lanes, None);
            let low = cx.b.cast(Cast::Trunc, word, Elem::I32);
            let place = cx.b.un(Un::Not, low);
            let mut values = Vec::new();
            for (n, &dtype) in self.dtypes.iter().enumerate() {
                let elem = reg_elem(dtype);
                let value = match copies[n] {
                    Some(copy) => {
                        let raw = cx.b.load(copy, place, words.lanes, p.mask);
                        scalar::from_memory(&mut cx.b, raw, dtype)
                    }
                    None if self.is_place(n) && elem.bits() < 32 => cx.b.cast(Cast::Trunc, place, elem),
                    None if self.is_place(n) => cx.b.cast(Cast::Sext, place, elem),
                    None if self.is_key(n) => {
                        let ty = cx.b.ty_of(word);
                        let thirty_two = cx.b.constant(ty, 32);
                        let key = cx.b.bin(Bin::AShr, word, thirty_two);
                        let key = cx.b.cast(Cast::Trunc, key, Elem::I32);
                        OrderKey(self.order).element(&mut cx.b, key)
                    }
                    // Nobody wants it.
                    None => cx.b.constant(Type::vector(elem, words.lanes), 0),
                };
                values.push(value);
            }
            for (n, value) in values.into_iter().enumerate().filter(|(n, _)| self.is_wanted(*n)) {
                l.store_one(cx, &mut p, ((l.index, n as u32), self.dtypes[n]), self.position, value, false)?;
            }
            Ok(Vec::new())
        };
        self.each_vector(cx, point, (self.kept, words.lanes), &[], &body)?;
        Ok(())
    }
}
