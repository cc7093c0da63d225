//! Quotients of bytes by a constant without a division: x / c = fma(x, h, x · l), where h is the float nearest to 1 / c and l the
//! one nearest to what h lacks (N. Brisebarre, J.-M. Muller, S. Raina, "Accelerating correctly rounded floating-point division when
//! the divisor is known in advance", 2004). All 256 quotients are compared with those of the division: they are the same bits.

use super::builder::Builder;
use crate::region::{Node, NodeId};
use lawson_hlo::{DType, Opcode};

/// The quotient, where `x` is a byte in f32 and `y` a constant for which all quotients are right.
pub(super) fn of_bytes(builder: &mut Builder<'_>, x: NodeId, y: NodeId) -> Option<NodeId> {
    let region = &builder.region;
    let Node::Convert { from, .. } = *region.node(x) else { return None };
    let Node::Constant { bits } = *region.node(y) else { return None };
    if !region.dtype(x).is_f32() || !from.is_integer() || from.size() != 1 {
        return None;
    }
    let divisor = f32::from_bits(bits[0] as u32);
    let (high, low) = reciprocal(divisor);
    let is_right = |n: i16| {
        let n = f32::from(n);
        n.mul_add(high, n * low).to_bits() == (n / divisor).to_bits()
    };
    let bytes = if from.is_signed() { -128..=127 } else { 0..=255 };
    if !bytes.into_iter().all(is_right) {
        return None;
    }
    let [high, low] = [high, low].map(|f| builder.constant(DType::F32, u64::from(f.to_bits())));
    let rest = builder.binary(Opcode::Multiply, x, low);
    Some(builder.region.add(Node::Fma { x, y: high, z: rest }, DType::F32))
}

/// 1 / c as a sum of two floats.
fn reciprocal(c: f32) -> (f32, f32) {
    let exact = 1.0 / f64::from(c);
    let high = exact as f32;
    (high, (exact - f64::from(high)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_nearer_than_a_float() {
        let (high, low) = reciprocal(255.0);
        assert!(high == 1.0 / 255.0 && low != 0.0);
        assert!((f64::from(high) + f64::from(low) - 1.0 / 255.0).abs() < 1e-17);
        // Nothing is right by a constant without a reciprocal.
        assert!(reciprocal(0.0).0.is_infinite());
    }
}
