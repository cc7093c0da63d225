//! A `reduce-window` whose window is everything from each element on becomes one of everything up to each, backwards.
//!
//! ```text
//! s = f32[n] reduce-window(x, init), window={size=n pad=0_n-1}, to_apply=f
//! →
//! r = f32[n] reverse(x), dimensions={0}
//! t = f32[n] reduce-window(r, init), window={size=n pad=n-1_0}, to_apply=f with its sides exchanged
//! s = f32[n] reverse(t), dimensions={0}
//! ```
//!
//! So JAX writes `lax.cumsum(reverse=True)` and derivatives of `cumsum`. Kernels go through rows once for the second form, and
//! through a window for each element for the first. Elements are combined from the other end: not in `strict`.

use super::{Expander, Purpose};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::WindowDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};
use lawson_kernel::region::build::cumulative_dim;

pub const EXPANDER: Expander =
    Expander { name: "reverse-cumulative", purpose: Purpose::Order, applies, helpers, expand };

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let Attrs::ReduceWindow { window, .. } = &instr.attrs else { return false };
    let dims = &comp.operand(instr, 0).shape.expect_array().dims;
    let is_cumulative = |window: &[WindowDim]| cumulative_dim(window, dims).is_some();
    !is_cumulative(window) && is_cumulative(&mirrored(window))
}

/// The window seen from the other end of each dimension.
fn mirrored(window: &[WindowDim]) -> Vec<WindowDim> {
    window.iter().map(|w| WindowDim { pad_low: w.pad_high, pad_high: w.pad_low, ..*w }).collect()
}

/// The combiner that gets what comes first as its second operand.
fn helpers(new: &mut Rebuild<'_>, _: &Computation, instr: &Instruction) -> Vec<CompId> {
    let Attrs::ReduceWindow { to_apply, .. } = instr.attrs else { unreachable!("checked by applies") };
    let combiner = &new.module[to_apply];
    let arrays = combiner.parameters().len() / 2;
    let mut exchanged = combiner.clone();
    for instr in &mut exchanged.instrs {
        if let Attrs::Parameter(p) = &mut instr.attrs {
            *p = (*p + arrays) % (2 * arrays);
        }
    }
    vec![new.add(exchanged)]
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::ReduceWindow { window, .. } = &instr.attrs else { unreachable!("checked by applies") };
    let window = mirrored(window);
    let (arrays, inits) = operands.split_at(operands.len() / 2);
    let dim = cumulative_dim(&window, &b.array(arrays[0]).dims).expect("checked by applies");
    let turned = |b: &mut Builder<'_>, x: InstrId| b.add(Opcode::Reverse, &[x], Attrs::Dims(vec![dim]));
    let mut of: Vec<InstrId> = arrays.iter().map(|&x| turned(b, x)).collect();
    of.extend(inits);
    let attrs = Attrs::ReduceWindow { window, to_apply: helpers[0] };
    let scanned = b.add_shaped(Opcode::ReduceWindow, instr.shape.clone(), &of, attrs);
    match arrays.len() {
        1 => turned(b, scanned),
        _ => {
            let parts = make::elements(b, scanned);
            let parts: Vec<InstrId> = parts.into_iter().map(|part| turned(b, part)).collect();
            make::tuple(b, &parts)
        }
    }
}
