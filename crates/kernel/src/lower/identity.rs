//! Folds that start from the identity of their operation: then no element is special, and the code of an element is
//! needed once.

use crate::loop_ir::V;
use crate::lower::emit::Emit;
use crate::lower::scalar;
use crate::region::Function;

/// The identity of each result of a combiner, as scalars; `None` where one of them has none.
pub(in crate::lower) fn of(cx: &mut Emit<'_>, combiner: &Function) -> Option<Vec<V>> {
    let identities = combiner.identities(cx.region)?;
    Some(identities.into_iter().map(|(dtype, value)| scalar::constant(&mut cx.b, dtype, 1, value)).collect())
}
