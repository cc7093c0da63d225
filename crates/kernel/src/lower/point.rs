//! Points of the loops of a stage at which expressions are evaluated: one, or lanes along an axis.

use crate::loop_ir::V;
use crate::plan::{Axes, Dependence};
use crate::region::{NodeId, Region};
use rustc_hash::FxHashMap;

/// A point of the loop axes: a base for each, and lanes along one of them.
#[derive(Clone)]
pub struct Point<'r> {
    pub axes: &'r Axes,
    /// The index of lane 0 on each loop axis, I64 scalars.
    pub at: Vec<V>,
    /// The axis along which lanes run, when `lanes > 1`.
    pub lane: Option<usize>,
    pub lanes: u32,
    /// Which of the lanes in flight its first one is.
    pub first: i64,
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
            first: 0,
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
