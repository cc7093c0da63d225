//! What products may do outside of `strict`, where a machine has units that multiply matrices: they add exact products in an order
//! of their own and round sums in between as they do.

use super::{Kind, Node, NodeId, ProductOrder, Region};
use lawson_hlo::DType;

/// The region with products in this order, where it makes a difference to the units; `None` where there are no such.
pub fn with_product_order(region: &Region, wanted: ProductOrder) -> Option<Region> {
    let mut new = region.clone();
    let mut changed = false;
    for stage in &mut new.stages {
        if let Kind::Contract { lhs, rhs, accumulator, order, semiring: None } = &mut stage.kind {
            // Their products are exact in f32.
            let halves = [*lhs, *rhs]
                .iter()
                .all(|&id| narrow(region, id).is_some_and(|(d, _)| d.is_float() && d.bits() == 16));
            let own = match wanted {
                ProductOrder::Sequential => ProductOrder::Sequential,
                _ if !accumulator.is_f32() => ProductOrder::Sequential,
                _ if halves => ProductOrder::Free,
                ProductOrder::Free => ProductOrder::Sequential,
                ProductOrder::FreeTf32 => ProductOrder::FreeTf32,
            };
            changed |= *order != own;
            *order = own;
        }
    }
    changed.then_some(new)
}

/// The operand of a product before it was converted, with its type.
pub fn narrow(region: &Region, operand: NodeId) -> Option<(DType, NodeId)> {
    match *region.node(operand) {
        Node::Convert { from, x } => Some((from, x)),
        _ => None,
    }
}
