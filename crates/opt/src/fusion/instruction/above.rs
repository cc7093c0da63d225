//! How long the chains of cheap maps are that values come from.
//!
//! A chain that several kernels compute ends where it has grown too long, and what it starts from there goes to memory. Its last value
//! would need as much memory and no work: so a chain that will not be repeated from its inputs on is not repeated at all. Chains of
//! arrays of which the first-level cache holds several have no length: another kernel costs more than what is repeated.

use super::draft::View;
use crate::fusion::role::Role;
use lawson_hlo::{DType, InstrId};
use lawson_kernel::rates;

/// For each value the operations of the longest chain of maps that ends with it: over arrays of about its size, from what is in memory
/// anyway, or smaller, on.
pub fn chains_above(cx: View<'_>) -> Vec<u32> {
    let elements = |id: InstrId| cx.comp[id].shape.leaves().iter().map(|l| l.elements()).sum::<i64>();
    let mut above = vec![0; cx.comp.instrs.len()];
    for (id, instr) in cx.comp.iter().filter(|(id, _)| cx.roles[id.index()].is_kernel()) {
        let own = operations(cx, id);
        let repeated = |o: &&InstrId| {
            let role = &cx.roles[o.index()];
            let cheap = matches!(role, Role::Map | Role::Rename) && !rates::is_expensive(&cx.comp[**o]);
            cheap && elements(**o).saturating_mul(2) > elements(id)
        };
        let longest = instr.operands.iter().filter(repeated).map(|o| above[o.index()]).max();
        let bytes = instr.shape.leaves().iter().map(|l| l.bytes()).fold(0i64, i64::saturating_add);
        let far = bytes.saturating_mul(2) >= cx.target.l1;
        above[id.index()] = if far { own + longest.unwrap_or(0) } else { 0 };
    }
    above
}

/// What an instruction counts in a chain.
pub fn operations(cx: View<'_>, id: InstrId) -> u32 {
    (cx.target.rates.weight(cx.comp[id].opcode, DType::F32) > 0) as u32
}
