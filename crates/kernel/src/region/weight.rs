//! What evaluating a node of a region weighs.

use super::{Node, NodeId, Region, Source};
use crate::rates::{Rates, SHIFTED};
use lawson_hlo::{DType, Opcode};

impl Rates {
    /// The weight of one evaluation of a node.
    pub fn node(&self, region: &Region, id: NodeId) -> i64 {
        let result = region.dtype(id);
        match *region.node(id) {
            Node::Constant { .. } | Node::Argument(_) | Node::Carry(_) => 0,
            // A result of an earlier stage is in a register or in the cache.
            Node::Load { source: Source::Input(_), .. } => self.load,
            Node::Load { source: Source::Stage { .. } | Source::Written { .. }, .. } => 1,
            Node::Binary { opcode: Opcode::Divide | Opcode::Remainder, dtype, y, .. }
                if dtype.is_integer() =>
            {
                match constant(region, y) {
                    Some(divisor) if divisor.is_power_of_two() => SHIFTED * self.scale(dtype),
                    Some(_) => self.constant_divide * self.scale(dtype),
                    None => self.weight(Opcode::Divide, dtype),
                }
            }
            // The shifts have their own weights: all three together are one operation.
            Node::Binary { opcode: Opcode::Or, dtype, x, y } if turns_around(region, dtype, x, y) => {
                (self.rotate - 2) * self.scale(dtype)
            }
            Node::Unary { opcode, dtype, .. } | Node::Binary { opcode, dtype, .. } => {
                self.weight(opcode, dtype)
            }
            Node::Compare { dtype, .. } if dtype.is_field() => self.weight(Opcode::Compare, dtype),
            Node::Compare { dtype, .. } => self.scale(dtype),
            Node::Convert { from, .. } if from.is_field() => self.weight(Opcode::Convert, from),
            Node::Convert { .. } if result.is_field() => self.weight(Opcode::Convert, result),
            Node::Convert { from, .. } => self.scale(result).max(self.scale(from)) + self.rounding(result),
            Node::ReducePrecision { .. } => 4 * self.scale(result),
            Node::Fma { .. }
            | Node::Index(_)
            | Node::InRange { .. }
            | Node::Select { .. }
            | Node::Bits { .. } => self.scale(result),
        }
    }
}

/// The bits of a constant of at most 64.
fn constant(region: &Region, id: NodeId) -> Option<u64> {
    match region.node(id) {
        Node::Constant { bits } if region.dtype(id).size() <= 8 => Some(bits[0]),
        _ => None,
    }
}

/// Whether two operands are one number of 32 or 64 bits, shifted to the left and to the right, by as many bits together as it has.
fn turns_around(region: &Region, dtype: DType, x: NodeId, y: NodeId) -> bool {
    let shifted = |id: NodeId| match *region.node(id) {
        Node::Binary { opcode: opcode @ (Opcode::ShiftLeft | Opcode::ShiftRightLogical), x, y, .. } => {
            Some((opcode, x, constant(region, y)?))
        }
        _ => None,
    };
    let (Some((a, of, left)), Some((b, same, right))) = (shifted(x), shifted(y)) else { return false };
    let bits = 8 * dtype.size() as u64;
    bits >= 32 && of == same && a != b && left.checked_add(right) == Some(bits)
}

#[cfg(test)]
mod tests {
    use super::super::build::{Cut, build};
    use super::*;
    use lawson_hlo::Module;

    /// What all nodes of a map over four elements weigh, beside the loads.
    fn weight(dtype: &str, lines: &str) -> i64 {
        let text = format!("HloModule m\nENTRY e {{\n  x = {dtype}[4] parameter(0)\n{lines}\n}}\n");
        let module = Module::parse(&text).expect("it parses");
        let computation = module.entry();
        let cut = Cut { computation, inputs: &computation.parameters(), roots: &[computation.root] };
        let region = build(&module, "e", cut).expect("it is a region");
        let rates = Rates::CPU;
        let all = (0..region.nodes.len() as u32).map(NodeId);
        all.map(|id| rates.node(&region, id)).sum::<i64>() - rates.load
    }

    fn divided(dtype: &str, opcode: &str, divisor: i64) -> i64 {
        weight(
            dtype,
            &format!(
                "  c = {dtype}[] constant({divisor})\n  b = {dtype}[4] broadcast(c), dimensions={{}}\n  \
                 ROOT r = {dtype}[4] {opcode}(x, b)"
            ),
        )
    }

    #[test]
    fn divisions_by_constants_are_products() {
        let rates = Rates::CPU;
        assert_eq!(divided("s32", "divide", 7), rates.constant_divide);
        assert_eq!(divided("u64", "remainder", 7), 2 * rates.constant_divide);
        assert_eq!(divided("u32", "remainder", 64), SHIFTED);
        assert_eq!(weight("s32", "  ROOT r = s32[4] divide(x, x)"), rates.integer_divide);
    }

    #[test]
    fn opposite_shifts_and_their_union_are_one_operation() {
        let rotated = |left: i64, right: i64, opcode: &str| {
            weight(
                "u32",
                &format!(
                    "  c = u32[] constant({left})\n  l = u32[4] broadcast(c), dimensions={{}}\n  \
                     d = u32[] constant({right})\n  m = u32[4] broadcast(d), dimensions={{}}\n  \
                     a = u32[4] shift-left(x, l)\n  b = u32[4] shift-right-logical(x, m)\n  \
                     ROOT r = u32[4] {opcode}(a, b)"
                ),
            )
        };
        assert_eq!(rotated(13, 19, "or"), Rates::CPU.rotate);
        assert_eq!(rotated(13, 18, "or"), 3, "other distances");
        assert_eq!(rotated(13, 19, "xor"), 3);
    }
}
