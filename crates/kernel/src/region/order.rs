//! The order that a comparator puts rows in, where it is that of numbers made of the elements of one array.

use super::{Function, Node, NodeId, Region};
use lawson_hlo::DType;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::dtype::{Float, TypeKind};

/// A strict order of rows by one number of each, floats in total order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Order {
    /// Which array decides, by its position.
    pub array: usize,
    pub dtype: DType,
    pub descending: bool,
    /// What is made of the first of the two elements and compared with the same of the second; `None` where the elements
    /// themselves are compared.
    pub key: Option<NodeId>,
}

impl Order {
    /// The order of a comparator that compares the same of two elements; `None` for any other.
    pub fn of(region: &Region, less: &Function) -> Option<Order> {
        let [root] = less.results[..] else { return None };
        let Node::Compare { direction, order, dtype, x, y } = *region.node(root) else { return None };
        let is_total = match dtype.kind() {
            TypeKind::Signed(_) | TypeKind::Unsigned(_) => true,
            TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::F64) => {
                order == CompareOrder::TotalOrder
            }
            TypeKind::Float(Float::Small(_)) | TypeKind::Pred => false,
            TypeKind::Field(_) | TypeKind::Composite(_) => false,
        };
        let (first, second) = (argument(region, x)?, argument(region, y)?);
        let is_pair = first / 2 == second / 2 && first != second && mirrored(region, x, y);
        if !is_total || !is_pair {
            return None;
        }
        let descending = match direction {
            Direction::Lt => first % 2 == 1,
            Direction::Gt => first % 2 == 0,
            Direction::Le | Direction::Ge | Direction::Eq | Direction::Ne => return None,
        };
        // The expression of the first element, on whichever side it stands.
        let key = if first % 2 == 0 { x } else { y };
        let plain = matches!(region.node(key), Node::Argument(_));
        let key = (!plain).then_some(key);
        Some(Order { array: first as usize / 2, dtype, descending, key })
    }

    /// Whether elements that are not what is compared of them are zeros or NaN, each of which are equal in this order.
    pub fn has_few_ties(&self, region: &Region) -> bool {
        self.key.is_some_and(|key| is_canonical(region, key))
    }
}

/// Whether an expression is its argument, but for zeros, which all are one zero, and for NaN, which all are one NaN.
fn is_canonical(region: &Region, id: NodeId) -> bool {
    let is_argument = |id: NodeId| matches!(region.node(id), Node::Argument(_));
    let Node::Select { mask, x, y } = *region.node(id) else { return is_argument(id) };
    let (Some(number), Node::Compare { direction, order, x: a, y: b, .. }) =
        (region.number(x), region.node(mask))
    else {
        return false;
    };
    let replaced = match direction {
        Direction::Eq => number == 0.0 && region.number(*b) == Some(0.0),
        Direction::Ne => number.is_nan() && a == b,
        Direction::Lt | Direction::Le | Direction::Gt | Direction::Ge => false,
    };
    replaced && is_argument(*a) && *order != CompareOrder::TotalOrder && is_canonical(region, y)
}

/// The one argument that an expression depends on.
fn argument(region: &Region, id: NodeId) -> Option<u32> {
    let mut found = region.reachable(&[id]).into_iter().filter_map(|id| match region.node(id) {
        Node::Argument(n) => Some(*n),
        _ => None,
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Whether two expressions are the same but for the argument.
fn mirrored(region: &Region, x: NodeId, y: NodeId) -> bool {
    if x == y {
        return true;
    }
    if region.dtype(x) != region.dtype(y) {
        return false;
    }
    let parts = |id: NodeId| {
        let mut node = region.node(id).clone();
        let mut operands = Vec::new();
        node.operands_mut(&mut |o| operands.push(std::mem::replace(o, NodeId(0))));
        if let Node::Argument(n) = &mut node {
            *n = 0;
        }
        (node, operands)
    };
    let ((a, left), (b, right)) = (parts(x), parts(y));
    a == b && left.iter().zip(&right).all(|(&l, &r)| mirrored(region, l, r))
}
