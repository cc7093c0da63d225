//! Residuals: what the backward half of a derivative reads of the forward half is saved, or computed again in the
//! kernels that read it.
//!
//! ```text
//! h, t = (f32[8,8], f32[8,8]) fusion(y), …       h = f32[8,8] fusion(y), …
//! …                                         →    …
//! d = f32[8,8] fusion(g, y, t), …                d = f32[8,8] fusion(g, y), …
//! ```
//!
//! The pass stands behind the passes that form kernels, so that it decides on arrays that really go through memory.
//! [`phase`] says which values are backward, `graph` which kernels compute which values, `border` what backward kernels
//! need, `groups` which of it is decided together. For each group `network` finds the choice of least cost as a minimum
//! cut (`cut`), `proposal` says what it makes of the kernels, and `price` plans these; `decide` takes a choice when fewer
//! bytes wait and all kernels together take at most a twentieth more time. `bits` and `rewrite` are cheaper forms of masks.
//! No value changes: what is computed again is computed by the same operations.

mod bits;
mod body;
mod border;
mod cut;
mod decide;
mod emit;
mod graph;
mod groups;
mod memory;
mod network;
pub mod phase;
mod price;
mod proposal;
mod rewrite;
mod verdicts;

use crate::effects::{Effects, host_computations};
use crate::fusion::join::host::Host;
use crate::fusion::join::verdict;
use crate::make;
use crate::options::fusion::{FusionBase, Strategy};
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use decide::Residuals;
use graph::Graph;
use lawson_hlo::{ArrayShape, Attrs, CompId, Computation, DType, Instruction, Module, Opcode};

pub const NAME: &str = "residual-fusion";

/// Arrays of at most so many bytes are saved without a question.
const SMALL_BYTES: i64 = 1 << 12;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if !cx.options.allows(Strategy::Residual) || matches!(cx.options.fusion.base, FusionBase::Given) {
        return Changed::No;
    }
    let host = host_computations(module);
    let mut effects = Effects::default();
    let mut judge = std::mem::take(&mut cx.judge);
    judge.begin();
    let mut index = 0;
    let changed = each_computation(module, |rebuild, comp, is_entry| {
        effects.follow(rebuild.module);
        index += 1;
        if !host[index - 1] || comp.instrs.iter().all(|i| i.opcode == Opcode::Parameter) {
            return (comp, false);
        }
        let host = Host::of(rebuild.module, &effects, (&comp, is_entry));
        let before = rebuild.module.computations.len();
        let or = masks(rebuild, &comp);
        let graph = Graph::of(rebuild.module, &mut judge.numbers, &host);
        let mut pass = Residuals::new((graph, or), is_entry);
        if pass.matters(cx) {
            pass.decide(cx, &mut judge);
            verdicts::report(cx, &pass);
        }
        if pass.changed.is_empty() {
            drop(pass);
            drop(host);
            rebuild.take_back(before);
            judge.numbers.forget_positions();
            effects.take_back(before);
            return (comp, false);
        }
        let bodies = emit::bodies(&pass.graph, or, &pass.changed);
        let Residuals { graph, changed, .. } = pass;
        let parts = graph.detach();
        let fused = emit::add(rebuild, bodies);
        let graph = parts.attach(rebuild.module, &host);
        let new = emit::emit(rebuild.module, &graph, &changed, &fused);
        verdict::renew(NAME, &mut cx.report.decisions, rebuild.module, [&comp, &new]);
        (new, true)
    });
    cx.judge = judge;
    cx.fired_plans();
    Changed::from(changed)
}

/// The computation that combines words of bits, where kernels make masks: made when it is first needed.
fn masks(rebuild: &mut Rebuild<'_>, comp: &Computation) -> Option<CompId> {
    let module = &rebuild.module;
    let is_mask = |i: &Instruction| {
        let large = |s: &ArrayShape| s.dtype.is_pred() && s.bytes() > SMALL_BYTES;
        i.shape.as_array().is_some_and(large)
    };
    let made = |i: &Instruction| match i.attrs {
        Attrs::Fusion { calls, .. } => module[calls].instrs.iter().any(is_mask),
        _ => is_mask(i),
    };
    let first = comp.instrs.iter().find(|i| made(i))?;
    let or = make::scalar_binary(module, Opcode::Or, DType::U32, &first.origin);
    Some(rebuild.add(or))
}
