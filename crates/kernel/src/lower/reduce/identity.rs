//! The identity of a combiner: the value that combines with any element to that element, bit for bit.
//!
//! Where there is one, a fold starts from it, and no first element needs code of its own. For sums of floats it is −0:
//! x + −0 is x for every x, while −0 + 0 is 0.

use crate::loop_ir::V;
use crate::lower::emit::Emit;
use crate::lower::scalar;
use crate::region::{Function, Node};
use lawson_hlo::{DType, Opcode, Scalar};

/// The identity of each result of a combiner, as scalars; `None` where one of them has none.
pub(super) fn of(cx: &mut Emit<'_>, combiner: &Function) -> Option<Vec<V>> {
    let mut out = Vec::new();
    for (n, &id) in combiner.results.iter().enumerate() {
        let Node::Binary { opcode, dtype, x, y } = *cx.region.node(id) else { return None };
        let arguments = (Node::Argument(n as u32), Node::Argument((n + combiner.results.len()) as u32));
        let (x, y) = (cx.region.node(x), cx.region.node(y));
        if (x, y) != (&arguments.0, &arguments.1) && (y, x) != (&arguments.0, &arguments.1) {
            return None;
        }
        let value = of_operation(opcode, dtype)?;
        out.push(scalar::constant(&mut cx.b, dtype, 1, value));
    }
    Some(out)
}

/// Of an operation that gives the other operand whichever side the identity is on.
fn of_operation(opcode: Opcode, dtype: DType) -> Option<Scalar> {
    let float = dtype.is_float();
    Some(match opcode {
        _ if dtype == DType::Pred => match opcode {
            Opcode::Add | Opcode::Or | Opcode::Xor | Opcode::Maximum => Scalar::Pred(false),
            Opcode::Multiply | Opcode::And | Opcode::Minimum => Scalar::Pred(true),
            _ => return None,
        },
        Opcode::Add if float => Scalar::Float(-0.0),
        Opcode::Multiply if float => Scalar::Float(1.0),
        Opcode::Maximum if float => Scalar::Float(f64::NEG_INFINITY),
        Opcode::Minimum if float => Scalar::Float(f64::INFINITY),
        _ if !dtype.is_integer() => return None,
        Opcode::Add | Opcode::Or | Opcode::Xor => Scalar::Unsigned(0),
        Opcode::Multiply => Scalar::Unsigned(1),
        Opcode::And => ones(dtype),
        Opcode::Maximum => least(dtype),
        Opcode::Minimum => greatest(dtype),
        _ => return None,
    })
}

fn ones(dtype: DType) -> Scalar {
    if dtype.is_signed() { Scalar::Signed(-1) } else { greatest(dtype) }
}

fn least(dtype: DType) -> Scalar {
    if dtype.is_signed() { Scalar::Signed(i64::MIN >> (64 - dtype.bits())) } else { Scalar::Unsigned(0) }
}

fn greatest(dtype: DType) -> Scalar {
    match dtype.is_signed() {
        true => Scalar::Signed(i64::MAX >> (64 - dtype.bits())),
        false => Scalar::Unsigned(u64::MAX >> (64 - dtype.bits())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_integers() {
        assert_eq!(least(DType::S8), Scalar::Signed(-128));
        assert_eq!(greatest(DType::S64), Scalar::Signed(i64::MAX));
        assert_eq!(greatest(DType::U16), Scalar::Unsigned(65535));
        assert_eq!(ones(DType::U8), Scalar::Unsigned(255));
    }
}
