//! `bit-reverse` becomes a transpose of binary digits.
//!
//! ```text
//! y = f32[8,3] bit-reverse(x), dimensions={0}
//! →
//! d = f32[2,2,2,3] reshape(x)
//! t = f32[2,2,2,3] transpose(d), dimensions={2,1,0,3}
//! y = f32[8,3] reshape(t)
//! ```

use super::{Expander, Purpose, no_helpers};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};

pub const EXPANDER: Expander = Expander {
    name: "bit-reverse",
    purpose: Purpose::Support,
    applies: |_: &Module, _: &Computation, instr: &Instruction| instr.opcode == Opcode::BitReverse,
    helpers: no_helpers,
    expand,
};

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Dims(dims) = &instr.attrs else { unreachable!("the verifier checks attributes") };
    along(b, operands[0], dims)
}

/// The array with the indices of these dimensions, powers of two, in the order of their digits reversed.
pub(super) fn along(b: &mut Builder<'_>, x: InstrId, dims: &[usize]) -> InstrId {
    let extents = b.array(x).dims.clone();
    let (mut digits, mut order) = (Vec::new(), Vec::new());
    for (d, &extent) in extents.iter().enumerate() {
        let first = digits.len();
        if dims.contains(&d) {
            digits.extend(std::iter::repeat_n(2, extent.trailing_zeros() as usize));
            order.extend((first..digits.len()).rev());
        } else {
            digits.push(extent);
            order.push(first);
        }
    }
    let apart = b.reshape(x, &digits);
    let turned = b.add(Opcode::Transpose, &[apart], Attrs::Dims(order));
    b.reshape(turned, &extents)
}
