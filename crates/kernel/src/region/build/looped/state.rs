//! What is known of a loop while its expressions are built.

use super::parts::Parts;
use crate::region::NodeId;
use crate::region::build::lanes::Lanes;
use crate::region::build::memo::Memo;
use lawson_hlo::{Computation, InstrId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What reading an element of the state gives.
pub(in crate::region::build) enum Role {
    /// The initial value, an instruction outside.
    Invariant(InstrId),
    /// Carries, from this one on, one for each component.
    Lanes { first: u32, dims: Vec<i64>, axes: Vec<Option<usize>> },
    /// Written only.
    Stacked,
}

/// The computation expressions are evaluated in.
pub(in crate::region::build) struct Frame<'a> {
    pub(in crate::region::build) comp: &'a Computation,
    pub(in crate::region::build) inputs: FxHashMap<InstrId, u32>,
    pub(in crate::region::build) memo: Memo,
}

/// The loop being built.
pub(in crate::region::build) struct State<'a> {
    pub(in crate::region::build) scope: usize,
    /// By scope, those not in use.
    pub(in crate::region::build) parked: Vec<Option<Frame<'a>>>,
    pub(in crate::region::build) parts: Rc<Parts<'a>>,
    pub(in crate::region::build) lanes: Rc<Lanes>,
    /// Each loop's elements.
    pub(in crate::region::build) roles: Vec<Vec<Role>>,
    /// Each loop's carries.
    pub(in crate::region::build) nodes: Vec<Vec<NodeId>>,
    /// Which loops are made of expressions already.
    pub(in crate::region::build) built: Vec<bool>,
    /// Of each loop the last values that stand for loops within it that write.
    pub(in crate::region::build) within: Vec<Vec<NodeId>>,
    /// Elements of the first loop's result that are outputs of the kernel.
    pub(in crate::region::build) results: Vec<(usize, u32)>,
}
