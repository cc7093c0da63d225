//! Folds that start from the identity of their operation: then no element is special, and the code of an element is
//! needed once.

use crate::loop_ir::V;
use crate::lower::emit::Emit;
use crate::lower::scalar;
use crate::region::{Function, Node};
use lawson_hlo::identity::identity;

/// The identity of each result of a combiner, as scalars; `None` where one of them has none.
pub(in crate::lower) fn of(cx: &mut Emit<'_>, combiner: &Function) -> Option<Vec<V>> {
    let mut out = Vec::new();
    for (n, &id) in combiner.results.iter().enumerate() {
        let Node::Binary { opcode, dtype, x, y } = *cx.region.node(id) else { return None };
        let arguments = (Node::Argument(n as u32), Node::Argument((n + combiner.results.len()) as u32));
        let (x, y) = (cx.region.node(x), cx.region.node(y));
        if (x, y) != (&arguments.0, &arguments.1) && (y, x) != (&arguments.0, &arguments.1) {
            return None;
        }
        let value = identity(opcode, dtype)?;
        out.push(scalar::constant(&mut cx.b, dtype, 1, value));
    }
    Some(out)
}
