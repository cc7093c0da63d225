//! Tables in loops that could be one kernel: a constant of which each lane reads another value is no code, but data that
//! a kernel reads from memory. The loop carries it.
//!
//! ```text
//! body { p = (s32[], f32[16]) parameter(0)            body.1 { p = (s32[], f32[16], f32[16]) parameter(0)
//!        x = f32[16] get-tuple-element(p), …    →              x = f32[16] get-tuple-element(p), …
//!        w = f32[16] constant({ 1, 2, … })                     w = f32[16] get-tuple-element(p), …
//!        y = f32[16] multiply(w, x)                            y = f32[16] multiply(w, x)
//! ```
//!
//! Constants stand in loops since [`crate::loops::constants`] has brought them there. Those of which all lanes read the same value,
//! as the matrix of a small product, stay.

use super::emit;
use super::group::Group;
use crate::loops::carry::{Lighter, carry, read_by_element, with_values_before};
use crate::loops::parts;
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Value};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::{Cut, build};

pub const NAME: &str = "loop-tables";

/// Sizes of tables in one loop.
const MOST_SIZES: usize = 4;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if !cx.options.fusion.base.fuses() || !cx.options.allows(Strategy::Loop) {
        return Changed::No;
    }
    // A refusal names the first table; behind it there may be others.
    let rounds = (0..MOST_SIZES).take_while(|_| round(cx, module)).count();
    Changed::from(rounds > 0)
}

fn round(cx: &mut PassContext, module: &mut Module) -> bool {
    each_computation(module, |new, comp, _| {
        let all = comp.iter().map(|(at, _)| at);
        let loops: Vec<Option<Lighter>> = all.map(|at| with_tables_outside(cx, new, &comp, at)).collect();
        match loops.iter().any(Option::is_some) {
            true => (with_values_before(new.module, &comp, &loops), true),
            false => (comp, false),
        }
    })
}

/// The loop that carries the tables for which its kernel is refused.
fn with_tables_outside(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &Computation,
    at: InstrId,
) -> Option<Lighter> {
    let (condition, body) = parts(&comp[at])?;
    let tables = |bytes: Option<i64>| -> Vec<InstrId> {
        let of_size = |i: &Instruction| table_bytes(i).is_some_and(|b| bytes.is_none_or(|bytes| b == bytes));
        new.module[body].iter().filter(|(_, i)| of_size(i)).map(|(id, _)| id).collect()
    };
    let readable = [condition, body].iter().all(|&c| read_by_element(&new.module[c]));
    if tables(None).is_empty() || !readable {
        return None;
    }
    let whole = emit::body_of(new.module, comp, &Group::bare(comp, at).ok()?).computation;
    let inputs = whole.parameters();
    let cut = Cut { computation: &whole, inputs: &inputs, roots: &[whole.root] };
    let Err(Refusal::LargeConstant { bytes }) = build(new.module, &whole.name, cut) else { return None };
    let refused = tables(Some(bytes));
    if refused.is_empty() || !cx.fuel(NAME) {
        return None;
    }
    carry(new, &comp[at], refused)
}

/// The size of a constant of several values.
fn table_bytes(instr: &Instruction) -> Option<i64> {
    match &instr.attrs {
        Attrs::Constant(Some(Value::Array(literal))) if literal.splat_value().is_none() => {
            Some(literal.shape().bytes())
        }
        _ => None,
    }
}
