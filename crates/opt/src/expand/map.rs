//! `map` becomes the operations of its computation, on whole arrays.
//!
//! ```text
//! f { a = f32[] parameter(0)
//!     one = f32[] constant(1)              one = f32[] constant(1)
//!     ROOT s = f32[] add(a, one) }     →   b = f32[8] broadcast(one), dimensions={}
//! m = f32[8] map(x), to_apply=f            m = f32[8] add(x, b)
//! ```
//!
//! A computation whose result needs anything but elementwise operations on scalars is left as it is.

use super::{Expander, Purpose, no_helpers};
use crate::dce::live_instructions;
use crate::effects::Effects;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander =
    Expander { name: "map", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

fn applies(module: &Module, _: &Computation, instr: &Instruction) -> bool {
    let Attrs::Map { to_apply, .. } = instr.attrs else { return false };
    let body = &module[to_apply];
    body.instrs.iter().zip(live(module, body)).all(|(instr, live)| !live || lifts(instr))
}

/// For each instruction whether the result needs it.
fn live(module: &Module, body: &Computation) -> Vec<bool> {
    live_instructions(body, &Effects::of(module))
}

/// Whether an operation on scalars has the same meaning on arrays, element by element.
fn lifts(instr: &Instruction) -> bool {
    // Only the root can be a tuple of one: another spelling of its element.
    if instr.opcode == Opcode::Tuple {
        return instr.operands.len() == 1;
    }
    let scalar = instr.shape.as_array().is_some_and(|a| a.is_scalar());
    let elementwise = instr.opcode.is_elementwise() && instr.opcode != Opcode::Map;
    use Opcode::*;
    scalar
        && (elementwise
            || matches!(instr.opcode, Parameter | Constant | BitcastConvert | Reshape | Broadcast))
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let Attrs::Map { to_apply, .. } = instr.attrs else { unreachable!("checked by applies") };
    let module = b.module;
    let body = &module[to_apply];
    let dims = instr.shape.expect_array().dims.clone();
    let mut map: Vec<Option<InstrId>> = Vec::with_capacity(body.instrs.len());
    for (scalar, live) in body.instrs.iter().zip(live(module, body)) {
        if !live {
            map.push(None);
            continue;
        }
        let first = scalar.operands.first().and_then(|o| map[o.index()]);
        map.push(Some(match (scalar.opcode, first) {
            (Opcode::Parameter, _) => match scalar.attrs {
                Attrs::Parameter(n) => operands[n],
                _ => unreachable!("a parameter has a number"),
            },
            (Opcode::Constant, _) => {
                let c = b.clone_instr(scalar, &map);
                if dims.is_empty() { c } else { b.broadcast(c, &dims, &[]) }
            }
            // Of scalars these three make nothing new.
            (Opcode::Reshape | Opcode::Broadcast | Opcode::Tuple, Some(x)) => x,
            _ => {
                let shape = Shape::array(scalar.shape.expect_array().dtype, dims.clone());
                b.clone_instr(&Instruction { shape, ..scalar.clone() }, &map)
            }
        }));
    }
    map[body.root.index()].expect("the root is mapped")
}
