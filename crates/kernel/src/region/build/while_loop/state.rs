//! What is known of a loop while its expressions are built.

use super::parts::Parts;
use crate::region::build::instances::Instances;
use crate::region::build::memo::Memo;
use crate::region::{NodeId, Place};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{Computation, InstrId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What an element of the state is to a trip.
pub(in crate::region::build) enum Role {
    /// No trip changes it: the instruction outside that starts it.
    Invariant(InstrId),
    /// Carried in scalars: the first of them, and the lane axis of each dimension.
    Instances { first: u32, dims: Vec<i64>, axes: Vec<Option<usize>> },
    /// Written by each trip and read by none: where the lane has an array of its own, that.
    Stacked(Option<Private>),
    /// In memory: trips read it there, and may change it.
    InMemory(Storage),
}

/// Where an array of the state lies in memory.
#[derive(Clone)]
pub(in crate::region::build) enum Storage {
    /// It is an output, in which each lane has its place.
    Output {
        output: u32,
        dims: Vec<i64>,
        axes: Vec<Option<usize>>,
    },
    Private(Private),
}

impl Storage {
    pub fn place(&self) -> Place {
        match self {
            Storage::Output { output, .. } => Place::Output(*output),
            Storage::Private(private) => Place::Private(private.array),
        }
    }

    /// The dimensions of the array, and the lane axis of each.
    pub fn dims(&self) -> (&[i64], &[Option<usize>]) {
        match self {
            Storage::Output { dims, axes, .. } | Storage::Private(Private { dims, axes, .. }) => (dims, axes),
        }
    }

    /// Where an element lies; `None` where the index leaves the lane.
    pub fn offset(&self, index: &[Affine]) -> Option<Affine> {
        match self {
            Storage::Private(private) => private.offset(index),
            Storage::Output { dims, axes, .. } => {
                let stays = |(i, axis): (&Affine, &Option<usize>)| axis.is_none_or(|a| *i == Affine::axis(a));
                index.iter().zip(axes).all(stays).then(|| linearize(index, dims))
            }
        }
    }
}

/// An array of [`crate::region::Region::private`], with the lane axis of each dimension.
#[derive(Clone)]
pub(in crate::region::build) struct Private {
    pub array: u32,
    pub dims: Vec<i64>,
    pub axes: Vec<Option<usize>>,
}

impl Private {
    /// Where an element lies among those of its lane; `None` where the index leaves the lane.
    pub fn offset(&self, index: &[Affine]) -> Option<Affine> {
        let (mut at, mut dims) = (Vec::new(), Vec::new());
        for ((i, &extent), axis) in index.iter().zip(&self.dims).zip(&self.axes) {
            match axis {
                Some(axis) if *i == Affine::axis(*axis) => {}
                Some(_) => return None,
                None => {
                    at.push(i.clone());
                    dims.push(extent);
                }
            }
        }
        Some(linearize(&at, &dims))
    }
}

/// What the builder knows while it is in one of the computations.
pub(in crate::region::build) struct Frame<'a> {
    pub(in crate::region::build) comp: &'a Computation,
    pub(in crate::region::build) inputs: FxHashMap<InstrId, u32>,
    pub(in crate::region::build) memo: Memo,
}

/// The loop being built.
pub(in crate::region::build) struct State<'a> {
    pub(in crate::region::build) scope: usize,
    /// By scope, except the one the builder is in.
    pub(in crate::region::build) parked: Vec<Option<Frame<'a>>>,
    pub(in crate::region::build) parts: Rc<Parts<'a>>,
    pub(in crate::region::build) lanes: Rc<Instances>,
    /// Each loop's elements.
    pub(in crate::region::build) roles: Vec<Vec<Role>>,
    /// What positions of arrays that trips only write rest on: the same in all lanes.
    pub uniform: Vec<NodeId>,
    /// Each loop's carries.
    pub(in crate::region::build) nodes: Vec<Vec<NodeId>>,
    /// Which loops are built already.
    pub(in crate::region::build) built: Vec<bool>,
    /// For each loop a last value of each loop within it that stores: so that it runs even if nothing reads its
    /// results.
    pub(in crate::region::build) within: Vec<Vec<NodeId>>,
    /// Elements of the results of loops that are outputs of the kernel: the loop, the element, the output.
    pub(in crate::region::build) results: Vec<((usize, usize), u32)>,
}
