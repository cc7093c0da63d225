//! What the user demanded of fusion: an instruction marked `lawson.fuse="must_fuse"` whose result is written to
//! memory all the same is an error that says why.

use super::role::{Wish, wish};
use crate::effects::host_computations;
use crate::options::fusion::FusionSpec;
use crate::pass::{Changed, Diagnostic, PassContext};
use crate::report::Decision;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode};

pub const NAME: &str = "fusion-demands";

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    // Who switches fusion off does so knowingly.
    if cx.options.fusion != FusionSpec::default() {
        return Changed::No;
    }
    let host = host_computations(module);
    for (_, comp) in module.iter().filter(|(id, _)| host[id.index()]) {
        for (id, instr) in comp.iter() {
            let Attrs::Fusion { calls, .. } = instr.attrs else {
                if wish(instr) == Some(Wish::Always) && !is_free(instr) {
                    complain(cx, comp, id, instr);
                }
                continue;
            };
            let body = &module[calls];
            let root = body.root();
            let whole = [body.root];
            let written = if root.opcode == Opcode::Tuple { &root.operands[..] } else { &whole };
            for &w in written.iter().filter(|w| wish(&body[**w]) == Some(Wish::Always)) {
                complain(cx, comp, id, &body[w]);
            }
        }
    }
    Changed::No
}

/// Whether an instruction between kernels moves nothing.
fn is_free(instr: &Instruction) -> bool {
    matches!(instr.opcode, Opcode::Parameter | Opcode::Constant | Opcode::Tuple | Opcode::GetTupleElement)
}

fn complain(cx: &mut PassContext, comp: &Computation, at: InstrId, instr: &Instruction) {
    let about = |d: &&Decision| d.computation == comp.name && d.producer == instr.name && !d.fused;
    let why = match cx.report.decisions.iter().find(about) {
        Some(Decision { consumer, refusal: Some(why), .. }) => {
            format!("{} must fuse into {consumer} and cannot: {why}", instr.name)
        }
        _ => format!("{} must fuse and cannot: it is part of the result", instr.name),
    };
    let mut diagnostic = Diagnostic::user(NAME, comp, at, why);
    diagnostic.origin = instr.origin.clone();
    cx.error(diagnostic);
}
