//! The order that a comparator puts rows in, where it is that of the numbers in one of their arrays.

use super::{Function, Node, NodeId, Region};
use lawson_hlo::DType;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::dtype::{Float, TypeKind};

/// A strict order of rows by the elements of one array, those of floats in total order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Order {
    /// By its position among the arrays.
    pub array: usize,
    pub dtype: DType,
    pub descending: bool,
}

impl Order {
    /// The order of a comparator that is one comparison of two elements; `None` for any other.
    pub fn of(region: &Region, less: &Function) -> Option<Order> {
        let [root] = less.results[..] else { return None };
        let Node::Compare { direction, order, dtype, x, y } = *region.node(root) else { return None };
        let argument = |id: NodeId| match region.node(id) {
            Node::Argument(n) => Some(*n as usize),
            _ => None,
        };
        let (x, y) = (argument(x)?, argument(y)?);
        let descending = match direction {
            Direction::Lt => x % 2 == 1,
            Direction::Gt => x % 2 == 0,
            Direction::Le | Direction::Ge | Direction::Eq | Direction::Ne => return None,
        };
        let is_total = match dtype.kind() {
            TypeKind::Signed(_) | TypeKind::Unsigned(_) => true,
            TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::F64) => {
                order == CompareOrder::TotalOrder
            }
            TypeKind::Float(Float::Small(_)) | TypeKind::Pred => false,
            TypeKind::Field(_) | TypeKind::Composite(_) => false,
        };
        (is_total && x / 2 == y / 2 && x != y).then_some(Order { array: x / 2, dtype, descending })
    }
}
