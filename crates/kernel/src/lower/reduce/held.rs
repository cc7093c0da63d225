//! How running values are held while elements are combined: as they are, or, of a greatest or least float, as integers in
//! its order.
//!
//! The greater of two floats is five instructions: a NaN wins, and -0 is below +0. Of such integers it is one, and three
//! make one of a float. The order in which they are combined does not show in the result.

use crate::loop_ir::{CodeBuilder, Elem, V};
use crate::lower::scalar::{self, Extreme};
use crate::region::{Function, Node, NodeId, Region};
use lawson_hlo::DType;

/// How one running value is held.
#[derive(Clone, Copy)]
pub(super) enum Held {
    /// As a value of its type.
    Value(DType),
    /// As a key of the node that the value is, or is converted from.
    Key(Extreme, NodeId),
}

impl Held {
    /// How those of each result of a combiner are held: all as keys, or none; those of eight bytes as
    /// keys only where the machine compares such (`wide`).
    pub(super) fn of(region: &Region, values: &[NodeId], combiner: &Function, wide: bool) -> Vec<Held> {
        let key = |(n, &value): (usize, &NodeId)| {
            let (opcode, _) = combiner.operation(region, n)?;
            let exact = match *region.node(value) {
                Node::Convert { from, x } if from.is_bf16() && region.dtype(value).is_f32() => x,
                _ => value,
            };
            Some(Held::Key(Extreme::of(opcode, region.dtype(exact), wide)?, exact))
        };
        let keys: Option<Vec<Held>> = values.iter().enumerate().map(key).collect();
        keys.unwrap_or_else(|| values.iter().map(|&v| Held::Value(region.dtype(v))).collect())
    }

    pub(super) fn key(self) -> Option<Extreme> {
        match self {
            Held::Value(_) => None,
            Held::Key(extreme, _) => Some(extreme),
        }
    }

    /// The node that an element is made of, whose value is this one.
    pub(super) fn node(self, value: NodeId) -> NodeId {
        match self {
            Held::Value(_) => value,
            Held::Key(_, node) => node,
        }
    }

    /// An element of this node as it is held.
    pub(super) fn hold(self, b: &mut CodeBuilder, element: V) -> V {
        match self {
            Held::Value(_) => element,
            Held::Key(extreme, _) => extreme.key(b, element),
        }
    }

    /// A running value in registers.
    pub(super) fn value(self, b: &mut CodeBuilder, held: V) -> V {
        match self {
            Held::Value(_) => held,
            Held::Key(extreme, _) => extreme.element(b, held),
        }
    }

    /// The element of an array of them.
    pub(super) fn elem(self) -> Elem {
        match self {
            Held::Value(dtype) => scalar::mem_elem(dtype),
            Held::Key(extreme, _) => extreme.elem(),
        }
    }

    /// One as it is stored in such an array, and as it is loaded from it.
    pub(super) fn stored(self, b: &mut CodeBuilder, held: V) -> V {
        match self {
            Held::Value(dtype) => scalar::to_memory(b, held, dtype),
            Held::Key(..) => held,
        }
    }

    pub(super) fn loaded(self, b: &mut CodeBuilder, raw: V) -> V {
        match self {
            Held::Value(dtype) => scalar::from_memory(b, raw, dtype),
            Held::Key(..) => raw,
        }
    }
}
