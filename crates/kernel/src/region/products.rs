//! What products may do outside of `strict`, where a machine has units that multiply matrices: they add exact products in an order
//! of their own and round sums in between as they do.

use super::{Kind, Node, NodeId, Region};
use lawson_hlo::DType;
use lawson_hlo::dtype::{Float, TypeKind};

/// How the sums of a product are formed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProductOrder {
    /// One chain of fused multiply-adds for each sum, in order.
    Sequential,
    /// In any order.
    Free,
    /// That, of factors that are rounded to TF32: as F32 with ten bits of the mantissa.
    FreeTf32,
}

impl ProductOrder {
    /// The words in the text of a region.
    pub fn name(self) -> &'static str {
        match self {
            ProductOrder::Sequential => "",
            ProductOrder::Free => ", in any order",
            ProductOrder::FreeTf32 => ", in any order, factors rounded to tf32",
        }
    }
}

/// The region with products in this order, where it makes a difference to the units; `None` where there are no such.
pub fn with_product_order(region: &Region, wanted: ProductOrder) -> Option<Region> {
    let mut new = region.clone();
    let mut changed = false;
    for stage in &mut new.stages {
        if let Kind::Contract { lhs, rhs, accumulator, order } = &mut stage.kind {
            let halves = [*lhs, *rhs].iter().all(|&id| narrow(region, id).is_some_and(|(d, _)| is_half(d)));
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

/// Floats of 16 bits, whose products are exact in f32.
fn is_half(dtype: DType) -> bool {
    matches!(dtype.kind(), TypeKind::Float(Float::F16 | Float::Bf16))
}
