//! Evaluating expressions of a region at a point, or at a vector of points along one axis.

use super::home::{Arrays, Home, Row, TileHome};
use super::scalar;
use crate::loop_ir::{Bin, Buf, Cast, Cmp, CodeBuilder, Elem, Op, Type, V};
use crate::plan::{Axes, Dependence, Lane};
use crate::refusal::Refusal;
use crate::region::{Function, Node, NodeId, Region, Source};
use lawson_hlo::index::{Affine, Atom};
use lawson_hlo::{DType, Opcode, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};

/// A point of the loop axes: a base for each, and lanes along one of them.
#[derive(Clone)]
pub struct Point<'r> {
    pub axes: &'r Axes,
    /// The index of lane 0 on each loop axis, I64 scalars.
    pub at: Vec<V>,
    /// The axis along which lanes run, when `lanes > 1`.
    pub lane: Option<usize>,
    pub lanes: u32,
    /// Lanes that exist; loads and stores of others do not happen.
    pub mask: Option<V>,
    pub known: FxHashMap<NodeId, V>,
    /// Results of stages that are in registers at this point.
    pub registers: FxHashMap<(u32, u32), V>,
    pub arguments: Vec<V>,
}

impl<'r> Point<'r> {
    pub fn new(axes: &'r Axes, at: Vec<V>) -> Point<'r> {
        Point {
            axes,
            at,
            lane: None,
            lanes: 1,
            mask: None,
            known: FxHashMap::default(),
            registers: FxHashMap::default(),
            arguments: Vec::new(),
        }
    }

    /// This point with one axis elsewhere. Values that do not depend on the axis stay known.
    pub fn moved(&self, region: &Region, axis: usize, at: V) -> Point<'r> {
        let mut point = self.clone();
        point.at[axis] = at;
        point.forget(region, axis);
        point
    }

    /// This point as the first of `lanes` along an axis.
    pub fn spread(&self, region: &Region, axis: usize, at: V, lanes: u32) -> Point<'r> {
        let mut point = self.moved(region, axis, at);
        (point.lane, point.lanes) = (Some(axis), lanes);
        point
    }

    fn forget(&mut self, region: &Region, axis: usize) {
        let (axes, mut deps) = (self.axes, Dependence::default());
        self.known.retain(|id, _| !deps.on(region, axes, *id, axis));
    }
}

/// A value along the lanes: `base + step · lane`, plus a vector when it is not linear.
struct Linear {
    base: V,
    step: i64,
    vector: Option<V>,
}

/// Emits the code of expressions.
pub struct Emit<'r> {
    pub b: CodeBuilder,
    pub region: &'r Region,
    pub arrays: Arrays<'r>,
    /// The row of the nest, and results of stages that are one value for it.
    pub row: Option<Row>,
    pub registers: FxHashMap<(u32, u32), V>,
}

impl<'r> Emit<'r> {
    pub fn new(b: CodeBuilder, region: &'r Region, arrays: Arrays<'r>) -> Emit<'r> {
        Emit { b, region, arrays, row: None, registers: FxHashMap::default() }
    }

    /// The value of a node at a point: a scalar when it is the same in all lanes, else a vector.
    pub fn value(&mut self, point: &mut Point<'r>, id: NodeId) -> Result<V, Refusal> {
        if let Some(&v) = point.known.get(&id) {
            return Ok(v);
        }
        let taken = self.taken(point, id)?;
        if taken != id {
            let v = self.value(point, taken)?;
            point.known.insert(id, v);
            return Ok(v);
        }
        let region = self.region;
        let dtype = region.dtype(id);
        let v = match region.node(id) {
            Node::Constant { bits } => self.constant(dtype, *bits),
            Node::Index(e) => self.index(point, e, dtype)?,
            Node::InRange { value, lo, hi } => self.in_range(point, value, *lo, *hi)?,
            Node::Load { source, offset, mask } => self.load(point, *source, offset, *mask, dtype)?,
            Node::Unary { opcode, dtype, x } => {
                let x = self.value(point, *x)?;
                scalar::unary(&mut self.b, *opcode, *dtype, x)?
            }
            Node::Binary { opcode, dtype, x, y } => {
                let (x, y) = self.pair(point, *x, *y)?;
                scalar::binary(&mut self.b, *opcode, *dtype, x, y)?
            }
            Node::Fma { x, y, z } => {
                let (x, y) = self.pair(point, *x, *y)?;
                let z = self.value(point, *z)?;
                let lanes = self.b.ty_of(x).lanes.max(self.b.ty_of(z).lanes);
                let [x, y, z] = [x, y, z].map(|v| self.b.widen_to(v, lanes));
                self.b.op(Op::Fma(x, y, z))
            }
            Node::Compare { direction, order, dtype, x, y } => {
                let (x, y) = self.pair(point, *x, *y)?;
                scalar::compare(&mut self.b, *direction, *order, *dtype, x, y)?
            }
            Node::Select { mask, x, y } => {
                let mask = self.value(point, *mask)?;
                let (x, y) = self.pair(point, *x, *y)?;
                let lanes = self.b.ty_of(mask).lanes.max(self.b.ty_of(x).lanes);
                let (x, y) = (self.b.widen_to(x, lanes), self.b.widen_to(y, lanes));
                let mask = if self.b.ty_of(mask).lanes == 1 { mask } else { self.b.widen_to(mask, lanes) };
                self.b.select(mask, x, y)
            }
            Node::Convert { from, x } => {
                let x = self.value(point, *x)?;
                scalar::convert(&mut self.b, *from, dtype, x)?
            }
            Node::Bits { from, x } => {
                let x = self.value(point, *x)?;
                scalar::bits(&mut self.b, *from, dtype, x)?
            }
            Node::ReducePrecision { exponent_bits, mantissa_bits, x } => {
                let x = self.value(point, *x)?;
                scalar::reduce_precision(&mut self.b, dtype, *exponent_bits, *mantissa_bits, x)?
            }
            Node::Argument(n) => point.arguments[*n as usize],
            // Loops make these known before anything asks.
            Node::Carry(_) => return Err(Refusal::NotInPlace { opcode: Opcode::While }),
        };
        point.known.insert(id, v);
        Ok(v)
    }

    /// The side that selects take whose masks are constant here, of any number of them.
    fn taken(&mut self, point: &mut Point<'r>, mut id: NodeId) -> Result<NodeId, Refusal> {
        while let Node::Select { mask, x, y } = *self.region.node(id) {
            let mask = self.value(point, mask)?;
            match self.b.const_bits(mask) {
                Some(1) => id = x,
                Some(_) => id = y,
                None => break,
            }
        }
        Ok(id)
    }

    /// The value in all lanes of the point.
    pub fn vector(&mut self, point: &mut Point<'r>, id: NodeId) -> Result<V, Refusal> {
        let v = self.value(point, id)?;
        Ok(self.b.widen_to(v, point.lanes))
    }

    fn pair(&mut self, point: &mut Point<'r>, x: NodeId, y: NodeId) -> Result<(V, V), Refusal> {
        let (x, y) = (self.value(point, x)?, self.value(point, y)?);
        let lanes = self.b.ty_of(x).lanes.max(self.b.ty_of(y).lanes);
        Ok((self.b.widen_to(x, lanes), self.b.widen_to(y, lanes)))
    }

    /// Evaluates everything the roots need that is the same along these axes, so that loops over them do not
    /// repeat it. What rests on a stage result in a register, or on an argument, waits.
    pub fn hoist(&mut self, point: &mut Point<'r>, roots: &[NodeId], axes: &[usize]) -> Result<(), Refusal> {
        let mut deps: Vec<Dependence> = axes.iter().map(|_| Dependence::default()).collect();
        let mut waits: FxHashSet<NodeId> = FxHashSet::default();
        let at = point.axes;
        let live = self.region.live(roots, &|e, lo, hi| at.holds(e, lo, hi));
        for id in self.region.reachable(roots) {
            let late = match self.region.node(id) {
                Node::Argument(_) | Node::Carry(_) => true,
                Node::Load { source: Source::Stage { stage, output }, .. } => {
                    self.row.is_none() || !self.is_made(point, (*stage, *output))
                }
                _ => false,
            };
            let mut below = false;
            self.region.operands(id, &mut |o| below |= waits.contains(&o));
            if late || below || axes.iter().zip(&mut deps).any(|(&a, d)| d.on(self.region, point.axes, id, a))
            {
                waits.insert(id);
            } else if live.binary_search(&id).is_ok() {
                self.value(point, id)?;
            }
        }
        Ok(())
    }

    /// Moves the row along one of its axes.
    pub fn move_row(&mut self, axis: usize, at: V) {
        if let Some(row) = &mut self.row {
            row.at[axis] = at;
        }
    }

    /// Puts rows side by side in lanes, or takes them one by one.
    pub fn set_lane(&mut self, lane: Option<Lane>) {
        if let Some(row) = &mut self.row {
            row.lane = lane;
        }
    }

    /// Whether the row has come to where this result is known.
    fn is_made(&self, point: &Point<'r>, key: (u32, u32)) -> bool {
        let in_register = point.registers.contains_key(&key) || self.registers.contains_key(&key);
        in_register || self.arrays.results.contains_key(&key)
    }

    /// The results of a function on these arguments, which all have the same number of lanes.
    pub fn call(&mut self, point: &Point<'r>, f: &Function, arguments: &[V]) -> Result<Vec<V>, Refusal> {
        let lanes = arguments.iter().map(|a| self.b.ty_of(*a).lanes).max().unwrap_or(1);
        let mut inner = Point::new(point.axes, point.at.clone());
        inner.lanes = lanes;
        inner.arguments = arguments.iter().map(|&a| self.b.widen_to(a, lanes)).collect();
        f.results.iter().map(|&r| self.vector(&mut inner, r)).collect()
    }

    fn constant(&mut self, dtype: DType, bits: u64) -> V {
        let bytes = bits.to_le_bytes();
        let value = lawson_hlo::literal::read_scalar(dtype, &bytes);
        scalar::constant(&mut self.b, dtype, 1, value)
    }

    /// An index expression, evaluated for all lanes in I64.
    fn linear(&mut self, point: &mut Point<'r>, translated: &Affine) -> Result<Linear, Refusal> {
        let mut base = self.b.i64(translated.constant);
        let mut step = 0;
        let mut vector: Option<V> = None;
        for (atom, k) in &translated.terms {
            let v = match atom {
                Atom::Axis(a) => {
                    if point.lane == Some(*a as usize) {
                        step += k;
                    }
                    point.at[*a as usize]
                }
                Atom::Symbol(s) => self.value(point, self.region.symbols[*s as usize].node)?,
                Atom::Div(e, c) => self.quotient(point, e, *c, Bin::SDiv)?,
                Atom::Mod(e, c) => self.quotient(point, e, *c, Bin::SRem)?,
            };
            let factor = self.b.i64(*k);
            if self.b.ty_of(v).lanes == 1 {
                let term = self.b.mul(v, factor);
                base = self.b.add(base, term);
            } else {
                let factor = self.b.widen_to(factor, point.lanes);
                let term = self.b.mul(v, factor);
                vector = Some(vector.map_or(term, |sum| self.b.add(sum, term)));
            }
        }
        Ok(Linear { base, step, vector })
    }

    /// Quotient or remainder by a constant of an expression that may be negative.
    fn quotient(&mut self, point: &mut Point<'r>, e: &Affine, c: i64, op: Bin) -> Result<V, Refusal> {
        let (lo, _) = point.axes.range(e);
        let linear = self.linear(point, e)?;
        let mut v = self.lanes_of(point, linear);
        let lanes = self.b.ty_of(v).lanes;
        // Floor and truncation agree once a multiple of c makes the value non-negative.
        let lift = if lo < 0 { (-lo as i128 + c as i128 - 1) / c as i128 } else { 0 } as i64;
        if lift > 0 {
            let up = self.b.i64(lift.wrapping_mul(c));
            let up = self.b.widen_to(up, lanes);
            v = self.b.add(v, up);
        }
        let divisor = self.b.i64(c);
        let divisor = self.b.widen_to(divisor, lanes);
        let q = if c > 0 && c & (c - 1) == 0 {
            let (op, by) = match op {
                Bin::SDiv => (Bin::LShr, c.trailing_zeros() as i64),
                _ => (Bin::And, c - 1),
            };
            let by = self.b.i64(by);
            let by = self.b.widen_to(by, lanes);
            self.b.bin(op, v, by)
        } else {
            self.b.bin(op, v, divisor)
        };
        if lift > 0 && op == Bin::SDiv {
            let down = self.b.i64(lift);
            let down = self.b.widen_to(down, lanes);
            return Ok(self.b.sub(q, down));
        }
        Ok(q)
    }

    /// A linear value as a scalar, or as a vector when it varies along the lanes.
    fn lanes_of(&mut self, point: &Point<'r>, linear: Linear) -> V {
        if linear.step == 0 && linear.vector.is_none() {
            return linear.base;
        }
        let ty = Type::vector(Elem::I64, point.lanes);
        let mut v = self.b.widen_to(linear.base, point.lanes);
        if linear.step != 0 {
            let iota = self.b.op(Op::Iota(ty));
            let step = self.b.constant(ty, linear.step as u64);
            let ramp = self.b.mul(iota, step);
            v = self.b.add(v, ramp);
        }
        match linear.vector {
            Some(x) => self.b.add(v, x),
            None => v,
        }
    }

    fn index(&mut self, point: &mut Point<'r>, e: &Affine, dtype: DType) -> Result<V, Refusal> {
        let translated = point.axes.translate(e);
        let linear = self.linear(point, &translated)?;
        let elem = scalar::reg_elem(dtype);
        // Ramps of narrow integers are added in their own type: it wraps, and half the width is twice the speed.
        if linear.vector.is_none() && linear.step != 0 && elem == Elem::I32 {
            let ty = Type::vector(elem, point.lanes);
            let base = self.b.cast(Cast::Trunc, linear.base, elem);
            let base = self.b.widen_to(base, point.lanes);
            let iota = self.b.op(Op::Iota(ty));
            let step = self.b.constant(ty, linear.step as u64);
            let ramp = if linear.step == 1 { iota } else { self.b.mul(iota, step) };
            return Ok(self.b.add(base, ramp));
        }
        let v = self.lanes_of(point, linear);
        scalar::convert(&mut self.b, DType::S64, dtype, v)
    }

    fn in_range(&mut self, point: &mut Point<'r>, e: &Affine, lo: i64, hi: i64) -> Result<V, Refusal> {
        let translated = point.axes.translate(e);
        if let Some(known) = point.axes.within(&translated, lo, hi) {
            return Ok(self.b.bool(known));
        }
        let (min, max) = point.axes.range(&translated);
        let linear = self.linear(point, &translated)?;
        let v = self.lanes_of(point, linear);
        let lanes = self.b.ty_of(v).lanes;
        let mut inside = self.b.bool(true);
        inside = self.b.widen_to(inside, lanes);
        if min < lo {
            let lo = self.b.i64(lo);
            let lo = self.b.widen_to(lo, lanes);
            inside = self.b.cmp(Cmp::Sle, lo, v);
        }
        if max >= hi {
            let hi = self.b.i64(hi);
            let hi = self.b.widen_to(hi, lanes);
            let below = self.b.cmp(Cmp::Slt, v, hi);
            inside = self.b.bin(Bin::And, inside, below);
        }
        Ok(inside)
    }

    fn load(
        &mut self,
        point: &mut Point<'r>,
        source: Source,
        offset: &Affine,
        mask: Option<NodeId>,
        dtype: DType,
    ) -> Result<V, Refusal> {
        let home = match source {
            Source::Input(n) => {
                let array = self.arrays.inputs[n as usize].into();
                self.arrays.near.get(&n).copied().unwrap_or(array)
            }
            Source::Stage { stage, output } => {
                let key = (stage, output);
                if let Some(&v) = point.registers.get(&key).or_else(|| self.registers.get(&key)) {
                    return Ok(v);
                }
                *self
                    .arrays
                    .results
                    .get(&(stage, output))
                    .ok_or(Refusal::NotInPlace { opcode: Opcode::Fusion })?
            }
        };
        let mask = mask.map(|m| self.value(point, m)).transpose()?;
        let mask = mask.filter(|m| self.b.const_bits(*m) != Some(1));
        let offset = point.axes.translate(offset);
        let raw = self.load_at(point, home, &offset, mask)?;
        Ok(scalar::from_memory(&mut self.b, raw, dtype))
    }

    /// An offset of an array where it lies; that in a tile counts from the row.
    fn place(&mut self, point: &mut Point<'r>, home: Home<'r>, offset: &Affine) -> Result<Linear, Refusal> {
        let Some(TileHome { strides, row, dims }) = home.tile else { return self.linear(point, offset) };
        let index = point.axes.index_of(offset, dims);
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
        home: Home<'r>,
        offset: &Affine,
        mask: Option<V>,
    ) -> Result<V, Refusal> {
        let buf = home.buf;
        let linear = self.place(point, home, offset)?;
        let uniform_mask = mask.is_none_or(|m| self.b.ty_of(m).lanes == 1);
        if linear.step == 0 && linear.vector.is_none() && uniform_mask {
            return Ok(self.b.load(buf, linear.base, 1, mask));
        }
        let lanes = point.lanes;
        let mask = self.both(mask, point.mask, lanes);
        if linear.vector.is_none() && linear.step == 1 {
            return Ok(self.b.load(buf, linear.base, lanes, mask));
        }
        if linear.vector.is_none() && linear.step == -1 && mask.is_none() {
            let last = self.b.i64(lanes as i64 - 1);
            let first = self.b.sub(linear.base, last);
            let v = self.b.load(buf, first, lanes, None);
            return Ok(self.b.op(Op::Shuffle { a: v, b: v, lanes: (0..lanes).rev().collect() }));
        }
        let offsets = self.lanes_of(point, linear);
        let offsets = self.b.widen_to(offsets, lanes);
        Ok(self.b.load(buf, offsets, lanes, mask))
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
        Ok((buf, self.load_at(point, buf.into(), &offset, None)?))
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
        let raw = self.load_at(point, home, &offset, mask)?;
        let v = scalar::from_memory(&mut self.b, raw, dtype);
        Ok(self.b.widen_to(v, point.lanes))
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
        let linear = self.place(point, home, &offset)?;
        let (buf, lanes) = (home.buf, point.lanes);
        let raw = scalar::to_memory(&mut self.b, value, dtype);
        let raw = self.b.widen_to(raw, lanes);
        let mask = self.both(mask, point.mask, lanes);
        let contiguous = linear.vector.is_none() && linear.step == 1;
        if streaming && contiguous && mask.is_none() {
            self.b.store_streaming(buf, linear.base, raw);
        } else if contiguous || lanes == 1 {
            let offset = linear.base;
            self.b.store(buf, offset, raw, mask);
        } else {
            let offsets = self.lanes_of(point, linear);
            let offsets = self.b.widen_to(offsets, lanes);
            self.b.store(buf, offsets, raw, mask);
        }
        Ok(())
    }

    /// A scalar constant of an HLO type.
    pub fn literal(&mut self, dtype: DType, value: Scalar) -> V {
        scalar::constant(&mut self.b, dtype, 1, value)
    }
}
