//! Folds that start from the identity of their operation: then no element is special, and the code of an element is
//! needed once.

use crate::loop_ir::V;
use crate::lower::emit::Emit;
use crate::lower::scalar;
use crate::region::{Function, Node, Region};
use lawson_hlo::identity::identity;
use lawson_hlo::{DType, Opcode};

/// The operation that combines result `n` of the elements before and of the next one, if it is one.
pub(in crate::lower) fn operation(region: &Region, combiner: &Function, n: usize) -> Option<(Opcode, DType)> {
    let Node::Binary { opcode, dtype, x, y } = *region.node(combiner.results[n]) else { return None };
    let arguments = (Node::Argument(n as u32), Node::Argument((n + combiner.results.len()) as u32));
    let (x, y) = (region.node(x), region.node(y));
    let combines = (x, y) == (&arguments.0, &arguments.1) || (y, x) == (&arguments.0, &arguments.1);
    combines.then_some((opcode, dtype))
}

/// The identity of each result of a combiner, as scalars; `None` where one of them has none.
pub(in crate::lower) fn of(cx: &mut Emit<'_>, combiner: &Function) -> Option<Vec<V>> {
    let mut out = Vec::new();
    for n in 0..combiner.results.len() {
        let (opcode, dtype) = operation(cx.region, combiner, n)?;
        let value = identity(opcode, dtype)?;
        out.push(scalar::constant(&mut cx.b, dtype, 1, value));
    }
    Some(out)
}
