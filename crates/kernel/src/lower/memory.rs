//! Loads and stores at a point: of one element, of a vector in line, or of lanes that lie apart.

use super::emit::Emit;
use super::home::{Home, TileHome};
use super::index::Linear;
use super::interleave::{deinterleaved, interleaved};
use super::point::Point;
use super::prefetch;
use super::scalar;
use crate::loop_ir::legal::MAX_MOVED;
use crate::loop_ir::{Bin, Buf, Elem, Op, Type, V};
use crate::plan::{MOST_LOADED, is_loaded_apart, is_loaded_as_run, lanes_within, row_along, row_of};
use crate::refusal::Refusal;
use crate::region::{Node, NodeId, Place, Source};
use crate::target::WARP;
use lawson_hlo::index::Affine;
use lawson_hlo::{DType, Opcode};

impl<'r> Emit<'r> {
    pub(super) fn load(
        &mut self,
        point: &mut Point<'r>,
        id: NodeId,
        (source, offset, mask): (Source, &Affine, Option<NodeId>),
    ) -> Result<V, Refusal> {
        if let Source::Stage { stage, output } = source
            && let Some(&v) = self.register(point, (stage, output))
        {
            return Ok(v);
        }
        if let Source::Written { place: Place::Private(array), .. } = source {
            let mask = mask.map(|m| self.value(point, m)).transpose()?;
            let mask = self.both(mask, None, point.lanes);
            let (buf, at) = self.private(point, array, offset)?;
            let raw = self.b.load(buf, at, point.lanes, mask);
            return Ok(scalar::from_memory(&mut self.b, raw, self.region.dtype(id)));
        }
        let mut home = self.home(point, source).ok_or(Refusal::NotInPlace { opcode: Opcode::Fusion })?;
        let holds = self.condition(point, mask)?;
        let mut offset = point.axes.translate(offset);
        if home.tile.is_none()
            && self.starts_at_zero(id)
            && let Some(v) = self.short_row(point, (id, home.buf), &offset)?
        {
            return Ok(v);
        }
        if let Some(&start) = self.arrays.starts.get(&id) {
            home.start = Some(start);
            offset.constant = 0;
        }
        let linear = self.place(point, home, &offset, mask)?;
        self.load_placed(point, id, (source, home, linear), holds)
    }

    /// A condition, unless it always holds.
    pub(super) fn condition(
        &mut self,
        point: &mut Point<'r>,
        mask: Option<NodeId>,
    ) -> Result<Option<V>, Refusal> {
        let mask = mask.map(|m| self.value(point, m)).transpose()?;
        Ok(mask.filter(|m| self.b.const_bits(*m) != Some(1)))
    }

    /// A result of a stage that is held in a register.
    fn register<'e>(&'e self, point: &'e Point<'r>, key: (u32, u32)) -> Option<&'e V> {
        point.registers.get(&key).or_else(|| self.registers.get(&key))
    }

    /// The array that loads from a source read; `None` where that is a register, or not made yet.
    pub(super) fn home(&self, point: &Point<'r>, source: Source) -> Option<Home<'r>> {
        match source {
            Source::Input(n) => {
                let array = self.arrays.inputs[n as usize].into();
                Some(self.arrays.near.get(&n).copied().unwrap_or(array))
            }
            Source::Stage { stage, output } => {
                let held = self.register(point, (stage, output)).is_some();
                self.arrays.results.get(&(stage, output)).filter(|_| !held).copied()
            }
            Source::Written { place: Place::Output(n), .. } => Some(self.arrays.outputs[n as usize].into()),
            Source::Written { place: Place::Private(_), .. } => None,
        }
    }

    /// Whether a load counts from the beginning of its array, and not from a place that is known for it.
    pub(super) fn starts_at_zero(&self, load: NodeId) -> bool {
        !self.arrays.starts.contains_key(&load)
    }

    /// A load from a place, where a condition holds.
    pub(super) fn load_placed(
        &mut self,
        point: &mut Point<'r>,
        id: NodeId,
        (source, home, linear): (Source, Home<'r>, Linear),
        mask: Option<V>,
    ) -> Result<V, Refusal> {
        let dtype = self.region.dtype(id);
        if let Some(&ahead) = self.prefetch.get(&id).filter(|_| self.is_of_memory(source)) {
            prefetch::ahead_of_vector(self, (home.buf, dtype), (&linear, point.lanes), ahead);
        }
        let whole = home.tile.is_some_and(|t| t.whole);
        let masked = if whole { point.mask.take() } else { None };
        let raw = self.load_at(point, (home.buf, linear), mask)?;
        point.mask = point.mask.or(masked);
        Ok(scalar::from_memory(&mut self.b, raw, dtype))
    }

    /// Whether an array is read where it lies, and not from what was brought near of it.
    fn is_of_memory(&self, source: Source) -> bool {
        matches!(source, Source::Input(n) if !self.arrays.near.contains_key(&n))
    }

    /// A load of every `n`-th element together with those of the elements in between, if there are such for all of them: all
    /// of them are known at this point from now on.
    fn short_row(
        &mut self,
        point: &mut Point<'r>,
        (id, buf): (NodeId, Buf),
        translated: &Affine,
    ) -> Result<Option<V>, Refusal> {
        let Some(step) = point.lane.and_then(|lane| translated.coefficient(lane)) else { return Ok(None) };
        let Some(row) = row_of(self.region, id, step.abs()) else { return Ok(None) };
        let Node::Load { offset, .. } = self.region.node(row[0]) else { return Ok(None) };
        let mut first = point.axes.translate(offset);
        if step < 0 {
            first = first.add_constant(step * (point.lanes as i64 - 1));
        }
        let dtype = self.region.dtype(id);
        let Some(mut loaded) = self.rows_in_line(point, (buf, dtype), &first, step.abs())? else {
            return Ok(None);
        };
        if step < 0 {
            loaded = loaded.into_iter().map(|v| self.backwards(v, point.lanes)).collect();
        }
        point.known.extend(row.into_iter().zip(loaded));
        Ok(point.known.get(&id).copied())
    }

    /// Of a load of elements of short rows, one row for each lane and as long as the loop within, all elements: those that the
    /// load gives at the indices of that loop.
    pub fn row_within(&mut self, point: &Point<'r>, id: NodeId) -> Result<Option<Vec<V>>, Refusal> {
        let Some(step) = point.lane.and_then(|lane| row_along(self.region, point.axes, lane, id)) else {
            return Ok(None);
        };
        let &Node::Load { source: Source::Input(n), ref offset, .. } = self.region.node(id) else {
            return Ok(None);
        };
        if self.arrays.near.contains_key(&n) || self.arrays.starts.contains_key(&id) {
            return Ok(None);
        }
        let zero = self.b.i64(0);
        let mut first = point.moved(self.region, point.axes.space, zero);
        let (buf, dtype) = (self.arrays.inputs[n as usize], self.region.dtype(id));
        self.rows_in_line(&mut first, (buf, dtype), &point.axes.translate(offset), step)
    }

    /// The elements of rows of `length`, one row for each lane, that follow each other from this offset on: whole vectors, and
    /// shuffles.
    fn rows_in_line(
        &mut self,
        point: &mut Point<'r>,
        (buf, dtype): (Buf, DType),
        first: &Affine,
        length: i64,
    ) -> Result<Option<Vec<V>>, Refusal> {
        let lanes = point.lanes;
        // The lanes of a warp are threads, each of which has a row in its own cache lines.
        let fits = (4..WARP).contains(&(lanes as i64));
        if !fits || point.mask.is_some() || !self.b.only_reads(buf) {
            return Ok(None);
        }
        let first = self.linear(point, first)?;
        if first.vector.is_some() || first.step.abs() != length {
            return Ok(None);
        }
        let mut vectors = Vec::new();
        for n in 0..length {
            let at = self.b.i64(n * lanes as i64);
            let at = self.b.add(first.base, at);
            vectors.push(self.b.load(buf, at, lanes, None));
        }
        let raw = deinterleaved(self, &vectors);
        Ok(Some(raw.into_iter().map(|v| scalar::from_memory(&mut self.b, v, dtype)).collect()))
    }

    /// Where the lanes of a point have an element of an array of their own: side by side where it is the same for all, else each
    /// its own place.
    fn private(&mut self, point: &mut Point<'r>, array: u32, offset: &Affine) -> Result<(Buf, V), Refusal> {
        let (buf, width) = (self.arrays.private.0[array as usize], self.arrays.private.1);
        let offset = point.axes.translate(offset);
        let element = self.linear(point, &offset)?;
        let (width, first) = (self.b.i64(width), self.b.i64(point.first));
        if element.vector.is_none() && element.step == 0 {
            let row = self.b.mul(element.base, width);
            return Ok((buf, self.b.add(row, first)));
        }
        let elements = self.lanes_of(point, element);
        let iota = self.b.op(Op::Iota(Type::vector(Elem::I64, point.lanes)));
        let [elements, width, first] = [elements, width, first].map(|v| self.b.widen_to(v, point.lanes));
        let rows = self.b.mul(elements, width);
        let lanes = self.b.add(first, iota);
        Ok((buf, self.b.add(rows, lanes)))
    }

    /// Stores a value of type `dtype` to an element of an array of the lanes' own.
    pub fn store_private(
        &mut self,
        point: &mut Point<'r>,
        (array, dtype): (u32, DType),
        offset: &Affine,
        value: V,
        mask: Option<V>,
    ) -> Result<(), Refusal> {
        let (buf, at) = self.private(point, array, offset)?;
        let raw = scalar::to_memory(&mut self.b, value, dtype);
        let raw = self.b.widen_to(raw, point.lanes);
        let mask = self.both(mask, None, point.lanes);
        self.b.store(buf, at, raw, mask);
        Ok(())
    }

    /// The place in a buffer of an offset in its array, where a mask holds. A tile has strides of its own and holds the rows from
    /// `first` on.
    pub(super) fn place(
        &mut self,
        point: &mut Point<'r>,
        home: Home<'r>,
        offset: &Affine,
        mask: Option<NodeId>,
    ) -> Result<Linear, Refusal> {
        let Some(TileHome { strides, row, dims, .. }) = home.tile else {
            let mut linear = self.linear(point, offset)?;
            linear.base = home.start.map_or(linear.base, |start| self.b.add(start, linear.base));
            return Ok(linear);
        };
        let index = point.axes.index_of(offset, dims, (self.region, mask));
        let sum = index.iter().zip(strides);
        let offset = sum.fold(Affine::default(), |sum, (i, &stride)| sum.add(&i.mul(stride)));
        let mut linear = self.linear(point, &offset)?;
        if let (Some((_, stride)), Some(first)) = (row, self.row.as_ref().and_then(|r| r.first)) {
            let stride = self.b.i64(stride);
            let skipped = self.b.mul(first, stride);
            linear.base = self.b.sub(linear.base, skipped);
        }
        Ok(linear)
    }

    fn load_at(
        &mut self,
        point: &mut Point<'r>,
        (buf, linear): (Buf, Linear),
        mask: Option<V>,
    ) -> Result<V, Refusal> {
        let uniform_mask = mask.is_none_or(|m| self.b.ty_of(m).lanes == 1);
        if linear.step == 0 && linear.vector.is_none() && uniform_mask {
            return Ok(self.b.load(buf, linear.base, 1, mask));
        }
        let lanes = point.lanes;
        let (chosen, mask) = (mask.is_some(), self.both(mask, point.mask, lanes));
        if linear.vector.is_none() && linear.step == 1 {
            // The lanes of a warp are threads, of which those that are switched off touch nothing.
            let first = match chosen && (2..WARP).contains(&(lanes as i64)) {
                true => self.b.start_of_masked(buf, linear.base, lanes),
                false => linear.base,
            };
            return Ok(self.b.load(buf, first, lanes, mask));
        }
        let moved = linear.vector.is_none() && mask.is_none() && lanes <= MAX_MOVED;
        if moved && linear.step == -1 {
            let last = self.b.i64(lanes as i64 - 1);
            let first = self.b.sub(linear.base, last);
            let v = self.b.load(buf, first, lanes, None);
            return Ok(self.backwards(v, lanes));
        }
        // Elements in between may not be there yet, or be written meanwhile, where the kernel writes the array.
        let whole = moved && self.b.only_reads(buf);
        if whole && is_loaded_apart(linear.step) && lanes >= 4 {
            let step = linear.step.unsigned_abs() as u32;
            if linear.step > 0 {
                return Ok(self.load_apart(buf, linear.base, step, lanes));
            }
            let back = self.b.i64(linear.step * (lanes as i64 - 1));
            let lowest = self.b.add(linear.base, back);
            let v = self.load_apart(buf, lowest, step, lanes);
            return Ok(self.backwards(v, lanes));
        }
        let offsets = self.lanes_of(point, linear);
        let offsets = self.b.widen_to(offsets, lanes);
        let all = || Some(vec![1; lanes as usize].into());
        if let Some(chosen) = mask.map_or_else(all, |m| self.b.apart(m))
            && let Some(v) = self.load_known(buf, offsets, &chosen)
        {
            return Ok(match mask {
                Some(mask) => {
                    let zero = self.b.constant(self.b.ty_of(v), 0);
                    self.b.select(mask, v, zero)
                }
                None => v,
            });
        }
        Ok(self.b.load(buf, offsets, lanes, mask))
    }

    /// Lanes of which it is known how they lie to each other, where few loads have all of them that are chosen: runs in line, or a range
    /// of few vectors.
    fn load_known(&mut self, buf: Buf, offsets: V, chosen: &[i64]) -> Option<V> {
        let apart = self.b.apart(offsets)?;
        let lanes = apart.len() as u32;
        let read: Vec<i64> = apart.iter().zip(chosen).filter(|(_, c)| **c != 0).map(|(&at, _)| at).collect();
        let (least, greatest) = (*read.iter().min()?, *read.iter().max()?);
        let size = self.b.elem_of(buf).bytes();
        let in_runs = |n: &u32| is_loaded_as_run(*n as i64, size) && apart.chunks(*n as usize).all(is_run);
        let whole = read.len() == apart.len();
        if let Some(run) = [1, 2, 4, 8].map(|parts| lanes / parts).into_iter().find(|n| whole && in_runs(n)) {
            let base = self.b.shared(offsets)?;
            let firsts = apart.iter().step_by(run as usize);
            let loaded = firsts.map(|&first| self.load_from(buf, base, first, run)).collect();
            return Some(self.joined(loaded));
        }
        let span = greatest - least + 1;
        // Elements in between may not be there yet, or be written meanwhile, where the kernel writes the array.
        if !self.b.only_reads(buf) || lanes > MAX_MOVED || span > MOST_LOADED * lanes as i64 {
            return None;
        }
        let base = self.b.shared(offsets)?;
        let n = lanes_within(span, lanes);
        if n == 1 {
            let v = self.load_from(buf, base, least, 1);
            return Some(self.b.widen_to(v, lanes));
        }
        // Vectors from the first element on, of which the last one ends with the last element, and may overlap the one before.
        let count = (span + n as i64 - 1) / n as i64;
        let begins = |vector: i64| (vector * n as i64).min(span - n as i64);
        let place = |at: i64| (at - least).clamp(0, span - 1);
        let mut merged = self.load_from(buf, base, least, n);
        let places = |of: &dyn Fn(u32, i64) -> u32| {
            (0..).zip(&*apart).map(|(lane, &at)| of(lane, place(at))).collect()
        };
        if count == 1 {
            let lanes = places(&|_, at| at as u32);
            return Some(self.b.op(Op::Shuffle { a: merged, b: merged, lanes }));
        }
        for vector in 1..count {
            let b = self.load_from(buf, base, least + begins(vector), n);
            // Lanes of the vectors before are in place from the second round on; the first one puts those of vector 0 there too.
            let lanes = places(&|lane, at| match at / n as i64 {
                of if of == vector => n + (at - begins(vector)) as u32,
                _ if vector == 1 => (at % n as i64) as u32,
                _ => lane,
            });
            merged = self.b.op(Op::Shuffle { a: merged, b, lanes });
        }
        Some(merged)
    }

    fn load_from(&mut self, buf: Buf, base: V, first: i64, lanes: u32) -> V {
        let first = self.b.i64(first);
        let at = self.b.add(base, first);
        self.b.load(buf, at, lanes, None)
    }

    /// Vectors of one type as one; their number is a power of two.
    fn joined(&mut self, mut vectors: Vec<V>) -> V {
        while let [first, _, ..] = vectors[..] {
            let all: Vec<u32> = (0..2 * self.b.ty_of(first).lanes).collect();
            let mut both =
                |pair: &[V; 2]| self.b.op(Op::Shuffle { a: pair[0], b: pair[1], lanes: all.clone() });
            vectors = vectors.as_chunks::<2>().0.iter().map(&mut both).collect();
        }
        vectors[0]
    }

    /// The lanes of a vector from the last to the first.
    fn backwards(&mut self, v: V, lanes: u32) -> V {
        self.b.op(Op::Shuffle { a: v, b: v, lanes: (0..lanes).rev().collect() })
    }

    /// Every `step`-th element from `base` on, of whole vectors that end with the last of them.
    fn load_apart(&mut self, buf: Buf, base: V, step: u32, lanes: u32) -> V {
        let first = |vector: u32| (vector * lanes).min(step * (lanes - 1) + 1 - lanes);
        let merged = self.b.load(buf, base, lanes, None);
        (1..step).fold(merged, |merged, vector| {
            let at = self.b.i64(first(vector) as i64);
            let at = self.b.add(base, at);
            let b = self.b.load(buf, at, lanes, None);
            // Lanes of the vectors before are in place; the first round puts those of vector 0 there too.
            let of = |lane: u32| match lane * step / lanes {
                n if n == vector => lanes + lane * step - first(vector),
                0 if vector == 1 => lane * step,
                _ => lane,
            };
            self.b.op(Op::Shuffle { a: merged, b, lanes: (0..lanes).map(of).collect() })
        })
    }

    /// The conjunction of two masks as a vector; `None` is all lanes.
    pub fn both(&mut self, a: Option<V>, b: Option<V>, lanes: u32) -> Option<V> {
        let a = a.map(|m| self.b.widen_to(m, lanes));
        let b = b.map(|m| self.b.widen_to(m, lanes));
        let mask = match (a, b) {
            (Some(a), Some(b)) => Some(self.b.bin(Bin::And, a, b)),
            (a, b) => a.or(b),
        };
        mask.filter(|m| self.b.const_bits(*m) != Some(1))
    }

    /// An offset expression at a single point.
    pub fn scalar_offset(&mut self, point: &mut Point<'r>, offset: &Affine) -> Result<V, Refusal> {
        let offset = point.axes.translate(offset);
        Ok(self.linear(point, &offset)?.base)
    }

    /// What a load without mask reads, as it is in memory, in the lanes of the point.
    pub fn raw_load(&mut self, point: &mut Point<'r>, id: NodeId) -> Result<(Buf, V), Refusal> {
        let Node::Load { source: Source::Input(n), offset, .. } = self.region.node(id) else {
            return Err(Refusal::NotInPlace { opcode: Opcode::Fusion });
        };
        let buf = self.arrays.inputs[*n as usize];
        let offset = point.axes.translate(offset);
        let linear = self.place(point, buf.into(), &offset, None)?;
        Ok((buf, self.load_at(point, (buf, linear), None)?))
    }

    /// The element of type `dtype` at an offset expression.
    pub fn load_element(
        &mut self,
        point: &mut Point<'r>,
        (home, dtype): (Home<'r>, DType),
        offset: &Affine,
        mask: Option<V>,
    ) -> Result<V, Refusal> {
        let offset = point.axes.translate(offset);
        let linear = self.place(point, home, &offset, None)?;
        let raw = self.load_at(point, (home.buf, linear), mask)?;
        let v = scalar::from_memory(&mut self.b, raw, dtype);
        Ok(self.b.widen_to(v, point.lanes))
    }

    /// Where an offset expression of an array is in its buffer, in each lane of the point.
    pub fn places(&mut self, point: &mut Point<'r>, home: Home<'r>, offset: &Affine) -> Result<V, Refusal> {
        let offset = point.axes.translate(offset);
        let linear = self.place(point, home, &offset, None)?;
        let places = self.lanes_of(point, linear);
        Ok(self.b.widen_to(places, point.lanes))
    }

    /// Stores a value of type `dtype` at an offset expression, in the lanes of the point and of `mask`.
    pub fn store(
        &mut self,
        point: &mut Point<'r>,
        (home, dtype): (Home<'r>, DType),
        offset: &Affine,
        value: V,
        mask: Option<V>,
        streaming: bool,
    ) -> Result<(), Refusal> {
        let offset = point.axes.translate(offset);
        let linear = self.place(point, home, &offset, None)?;
        let (buf, lanes) = (home.buf, point.lanes);
        let raw = scalar::to_memory(&mut self.b, value, dtype);
        let raw = self.b.widen_to(raw, lanes);
        let beyond = point.mask.filter(|_| home.tile.is_none_or(|t| !t.whole));
        let mask = self.both(mask, beyond, lanes);
        let contiguous = linear.vector.is_none() && linear.step == 1;
        if streaming && contiguous && mask.is_none() {
            self.b.store_streaming(buf, linear.base, raw);
        } else if contiguous || lanes == 1 {
            let offset = linear.base;
            self.b.store(buf, offset, raw, mask);
        } else {
            let offsets = self.lanes_of(point, linear);
            let offsets = self.b.widen_to(offsets, lanes);
            let in_line = self.b.apart(offsets).filter(|apart| mask.is_none() && is_run(apart));
            match in_line.and_then(|apart| Some((self.b.shared(offsets)?, apart[0]))) {
                Some((base, first)) => {
                    let first = self.b.i64(first);
                    let at = self.b.add(base, first);
                    self.b.store(buf, at, raw, None);
                }
                None => self.b.store(buf, offsets, raw, mask),
            }
        }
        Ok(())
    }

    /// Stores vectors whose elements take turns in memory, the first element of the first one at an offset expression.
    pub fn store_in_turn(
        &mut self,
        point: &mut Point<'r>,
        (home, dtype): (Home<'r>, DType),
        offset: &Affine,
        values: &[V],
        streaming: bool,
    ) -> Result<(), Refusal> {
        let offset = point.axes.translate(offset);
        let first = self.place(point, home, &offset, None)?.base;
        let raw = |v: &V| {
            let raw = scalar::to_memory(&mut self.b, *v, dtype);
            self.b.widen_to(raw, point.lanes)
        };
        let vectors: Vec<V> = values.iter().map(raw).collect();
        for (k, v) in interleaved(self, &vectors).into_iter().enumerate() {
            let step = self.b.i64(k as i64 * point.lanes as i64);
            let at = self.b.add(first, step);
            match streaming {
                true => self.b.store_streaming(home.buf, at, v),
                false => self.b.store(home.buf, at, v, None),
            }
        }
        Ok(())
    }
}

/// Whether places follow each other.
fn is_run(places: &[i64]) -> bool {
    places.windows(2).all(|pair| pair[1] == pair[0] + 1)
}
