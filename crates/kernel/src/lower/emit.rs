//! The code of expressions at a point.
//!
//! Each node is emitted once for a point, and stays known while the point moves along axes it does not depend on. It is
//! a scalar where all lanes have the same value, else a vector.

use super::home::{Arrays, Row};
use super::point::Point;
use super::scalar;
use super::uses::Uses;
use crate::loop_ir::{Cache, CodeBuilder, Elem, Op, Type, V};
use crate::plan::{Dependence, RowLanes};
use crate::refusal::Refusal;
use crate::region::{Function, Node, NodeId, Region, Source};
use lawson_hlo::scalar::Bits;
use lawson_hlo::{DType, Opcode, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};

/// Emits the code of expressions.
pub struct Emit<'r> {
    pub b: CodeBuilder,
    pub region: &'r Region,
    pub arrays: Arrays<'r>,
    /// The row of the nest, and results of stages that are one value for it.
    pub row: Option<Row>,
    pub registers: FxHashMap<(u32, u32), V>,
    pub uses: Uses,
    /// What the stage at hand asks for ahead of its loads: so many elements.
    pub prefetch: FxHashMap<NodeId, (i64, Cache)>,
    /// Its divisions whose divisors are the same in all lanes.
    pub reciprocals: FxHashSet<NodeId>,
}

impl<'r> Emit<'r> {
    pub fn new(b: CodeBuilder, region: &'r Region, arrays: Arrays<'r>) -> Emit<'r> {
        Emit {
            b,
            region,
            arrays,
            row: None,
            registers: FxHashMap::default(),
            uses: Uses::of(region),
            prefetch: FxHashMap::default(),
            reciprocals: FxHashSet::default(),
        }
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
            Node::Load { source, offset, mask } => self.load(point, id, (*source, offset, *mask))?,
            Node::Unary { opcode, dtype, x } => {
                let x = self.value(point, *x)?;
                scalar::unary(&mut self.b, *opcode, *dtype, x)?
            }
            Node::Binary { opcode: Opcode::Add | Opcode::Subtract, .. }
                if let Some(v) = self.product_sum(point, id)? =>
            {
                v
            }
            Node::Binary { dtype, x, y, .. } if self.reciprocals.contains(&id) => {
                let (x, y) = (self.value(point, *x)?, self.value(point, *y)?);
                scalar::by_reciprocal(&mut self.b, *dtype, x, y)
            }
            Node::Binary { opcode, dtype, x, y } => {
                let (x, y) = self.in_order(point, *opcode, *x, *y)?;
                let (x, y) = self.pair(point, x, y)?;
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
                if let Some(v) = self.chosen_load(point, id)? {
                    point.known.insert(id, v);
                    return Ok(v);
                }
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
            // The lowering of a loop enters its carries in `known` before it asks for other nodes.
            Node::Carry(_) => return Err(Refusal::NotInPlace { opcode: Opcode::While }),
        };
        point.known.insert(id, v);
        Ok(v)
    }

    /// Skips selects whose masks are constant at this point: the node that is taken in the end.
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

    /// The factors of a product of a field with the one first that is the same in all lanes, or needed more often.
    fn in_order(
        &mut self,
        point: &mut Point<'r>,
        opcode: Opcode,
        x: NodeId,
        y: NodeId,
    ) -> Result<(NodeId, NodeId), Refusal> {
        if opcode != Opcode::Multiply || !self.region.dtype(x).is_field() {
            return Ok((x, y));
        }
        let mut key = |id: NodeId| -> Result<(bool, u32), Refusal> {
            let v = self.value(point, id)?;
            Ok((self.b.ty_of(v).lanes == 1, self.uses.count(id)))
        };
        Ok(if key(x)? < key(y)? { (y, x) } else { (x, y) })
    }

    fn pair(&mut self, point: &mut Point<'r>, x: NodeId, y: NodeId) -> Result<(V, V), Refusal> {
        let (x, y) = (self.value(point, x)?, self.value(point, y)?);
        let lanes = self.b.ty_of(x).lanes.max(self.b.ty_of(y).lanes);
        Ok((self.b.widen_to(x, lanes), self.b.widen_to(y, lanes)))
    }

    /// Evaluates everything the roots need that is the same along these axes, so that loops over them do not
    /// repeat it. What depends on a stage result that is not computed yet, or on an argument, is left out.
    pub fn hoist(&mut self, point: &mut Point<'r>, roots: &[NodeId], axes: &[usize]) -> Result<(), Refusal> {
        self.hoist_before(point, roots, axes, None)
    }

    /// The same before a stage is computed, whose results are left out too.
    pub fn hoist_before(
        &mut self,
        point: &mut Point<'r>,
        roots: &[NodeId],
        axes: &[usize],
        before: Option<u32>,
    ) -> Result<(), Refusal> {
        let mut changes = Dependence::default();
        let (region, loops) = (self.region, point.axes);
        self.hoist_but(point, roots, &mut |id| {
            let is_of_before = match region.node(id) {
                Node::Load { source: Source::Stage { stage, .. }, .. } => before == Some(*stage),
                _ => false,
            };
            is_of_before || axes.iter().any(|&a| changes.on(region, loops, id, a))
        })
    }

    /// The same where it is not `later` that a node and what rests on it is evaluated.
    pub fn hoist_but(
        &mut self,
        point: &mut Point<'r>,
        roots: &[NodeId],
        later: &mut dyn FnMut(NodeId) -> bool,
    ) -> Result<(), Refusal> {
        let mut waits: FxHashSet<NodeId> = FxHashSet::default();
        let at = point.axes;
        let live = self.region.live(roots, &|e, lo, hi| at.holds(e, lo, hi));
        for id in self.region.reachable(roots) {
            let unknown = match self.region.node(id) {
                Node::Argument(_) | Node::Carry(_) => true,
                Node::Load { source: Source::Stage { stage, output }, .. } => {
                    !self.is_made(point, (*stage, *output))
                }
                _ => false,
            };
            let mut below = false;
            self.region.operands(id, &mut |o| below |= waits.contains(&o));
            if unknown || below || later(id) {
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

    /// Whether the rows of the nest lie side by side in lanes from here on.
    pub fn set_lane(&mut self, lane: Option<RowLanes>) {
        if let Some(row) = &mut self.row {
            row.lane = lane;
        }
    }

    /// Whether this stage result is computed already.
    fn is_made(&self, point: &Point<'r>, key: (u32, u32)) -> bool {
        let in_register = point.registers.contains_key(&key) || self.registers.contains_key(&key);
        in_register || self.arrays.results.contains_key(&key)
    }

    /// The results of a function on these arguments, which all have the same number of lanes.
    pub fn call(&mut self, point: &Point<'r>, f: &Function, arguments: &[V]) -> Result<Vec<V>, Refusal> {
        self.call_where(point, f, arguments, &[])
    }

    /// The same where these comparisons of the function are known to hold.
    pub fn call_where(
        &mut self,
        point: &Point<'r>,
        f: &Function,
        arguments: &[V],
        holds: &[NodeId],
    ) -> Result<Vec<V>, Refusal> {
        let lanes = arguments.iter().map(|a| self.b.ty_of(*a).lanes).max().unwrap_or(1);
        let mut inner = Point::new(point.axes, point.at.clone());
        inner.lanes = lanes;
        inner.arguments = arguments.iter().map(|&a| self.b.widen_to(a, lanes)).collect();
        let ty = Type::vector(Elem::I1, lanes);
        inner.known.extend(holds.iter().map(|&id| (id, self.b.constant(ty, 1))));
        f.results.iter().map(|&r| self.vector(&mut inner, r)).collect()
    }

    fn constant(&mut self, dtype: DType, bits: Bits) -> V {
        let value = Scalar::from_bits(dtype, bits);
        scalar::constant(&mut self.b, dtype, 1, value)
    }

    /// A scalar constant of an HLO type.
    pub fn literal(&mut self, dtype: DType, value: Scalar) -> V {
        scalar::constant(&mut self.b, dtype, 1, value)
    }
}
