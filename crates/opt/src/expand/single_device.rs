//! Communication and asynchronous operations become what they mean on one device.
//!
//! ```text
//! f { p = f32[8] parameter(0)                                  x = f32[8] parameter(0)
//!     ROOT n = f32[8] negate(p) }                         →    n = f32[8] negate(x)
//! s = ((f32[8]), f32[8], u32[]) async-start(x), calls=f
//! ROOT d = f32[8] async-done(s)
//! r = f32[8] all-reduce(x), replica_groups={}, …          →    x
//! ```

use super::{Expander, Purpose, no_helpers};
use crate::inline::inline_body;
use crate::make;
use lawson_hlo::alone::{Alone, alone};
use lawson_hlo::builder::Builder;
use lawson_hlo::opcode::Class;
use lawson_hlo::{CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};

pub const EXPANDER: Expander =
    Expander { name: "single-device", purpose: Purpose::Support, applies, helpers: no_helpers, expand };

fn applies(module: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let shapes: Vec<&Shape> = instr.operands.iter().map(|&o| &comp[o].shape).collect();
    let among = instr.opcode == Opcode::Domain || instr.opcode.class() == Class::Communication;
    among && meaning(module, instr, &shapes).is_some()
}

/// A domain marks where a sharding begins; there is none.
fn meaning(module: &Module, instr: &Instruction, operands: &[&Shape]) -> Option<Alone> {
    match instr.opcode {
        Opcode::Domain => Some(Alone::Operands),
        _ => alone(module, instr, operands),
    }
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let shapes: Vec<&Shape> = operands.iter().map(|&o| b.shape(o)).collect();
    match meaning(b.module, instr, &shapes).expect("checked by applies") {
        Alone::Operands => together(b, operands),
        Alone::Zero => zeros(b, &instr.shape),
        Alone::Element(n) => make::element(b, operands[0], n),
        Alone::Copied => begun(b, instr, &[operands[0], operands[0]]),
        Alone::Called(computation) => {
            let result = inline_body(b, &b.module[computation], operands);
            let given = make::tuple(b, operands);
            begun(b, instr, &[given, result])
        }
    }
}

fn together(b: &mut Builder<'_>, operands: &[InstrId]) -> InstrId {
    match operands {
        [one] => *one,
        all => make::tuple(b, all),
    }
}

/// The state of what is under way: these parts, and then what nobody reads.
fn begun(b: &mut Builder<'_>, instr: &Instruction, known: &[InstrId]) -> InstrId {
    let Shape::Tuple(parts) = &instr.shape else { unreachable!("checked by applies") };
    let mut state = known.to_vec();
    for part in &parts[known.len()..] {
        state.push(zeros(b, part));
    }
    make::tuple(b, &state)
}

fn zeros(b: &mut Builder<'_>, shape: &Shape) -> InstrId {
    match shape {
        Shape::Array(a) => make::splat(b, a, 0),
        Shape::Tuple(parts) => {
            let parts: Vec<InstrId> = parts.iter().map(|p| zeros(b, p)).collect();
            make::tuple(b, &parts)
        }
        _ => b.add(Opcode::AfterAll, &[], lawson_hlo::Attrs::None),
    }
}
