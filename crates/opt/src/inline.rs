//! Replaces calls by the bodies they call, in every computation, reducers and comparators included.
//!
//! ```text
//! f { p = f32[4] parameter(0)           ENTRY main { x = f32[4] parameter(0)
//!     ROOT n = f32[4] negate(p) }   →     ROOT n = f32[4] negate(x) }
//! ENTRY main { x = f32[4] parameter(0)
//!     ROOT c = f32[4] call(x), to_apply=f }
//! ```
//!
//! `fusion` instructions of the input are inlined likewise, because fusion is decided here, unless the user
//! asked to keep the given ones. Composite calls are ordinary calls.
//!
//! Only calls of the host take fuel, since it can run their bodies between kernels: within a kernel nothing is called, and
//! a given fusion need not be a kernel of ours.

use crate::effects::host_computations;
use crate::pass::{Changed, Diagnostic, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};

/// Calls that call twice what they call double at each level: a limit turns that into an error.
const MAX_INSTRUCTIONS: usize = 1_000_000;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let mut total = module.instruction_count();
    let host = host_computations(module);
    let mut index = 0;
    let changed = each_computation(module, |new, comp, _| {
        index += 1;
        let on_host = host[index - 1];
        let fusions = !cx.options.keep_fusions;
        if !comp.instrs.iter().any(|i| callee(i, fusions).is_some()) {
            return (comp, false);
        }
        rewrite(new.module, &comp, |b, id, instr, operands| {
            let body = &b.module[callee(instr, fusions)?];
            total += body.instrs.len();
            if total > MAX_INSTRUCTIONS {
                if !cx.failed() {
                    cx.error(too_large(&comp, id));
                }
                return None;
            }
            let optional = on_host && instr.opcode == Opcode::Call;
            (!optional || cx.fuel("inline")).then(|| inline_body(b, body, operands))
        })
    });
    changed.into()
}

/// Appends the instructions of `body` with `operands` for its parameters, and gives its root.
pub fn inline_body(b: &mut Builder<'_>, body: &Computation, operands: &[InstrId]) -> InstrId {
    let mut map: Vec<Option<InstrId>> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        map.push(Some(match instr.attrs {
            Attrs::Parameter(n) => operands[n],
            _ => b.clone_instr(instr, &map),
        }));
    }
    map[body.root.index()].expect("every instruction is mapped")
}

/// The computation to put in place of the instruction.
fn callee(instr: &Instruction, fusions: bool) -> Option<CompId> {
    match instr.attrs {
        Attrs::Call { to_apply, .. } => Some(to_apply),
        Attrs::Fusion { calls, .. } if fusions => Some(calls),
        _ => None,
    }
}

fn too_large(comp: &Computation, id: InstrId) -> Diagnostic {
    let message = format!("inlining this call makes more than {MAX_INSTRUCTIONS} instructions");
    Diagnostic::user("inline", comp, id, message)
}
