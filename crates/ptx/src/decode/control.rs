//! What ends a thread or a function, and hints without an effect.

use super::builder::Builder;
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::program::Op;
use crate::text::Operand;

pub fn decode(_: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    m.takes("uni");
    let (op, operands) = match m.name() {
        "ret" => (Op::Return, 0),
        "exit" => (Op::Exit, 0),
        "trap" | "brkpt" => (Op::Trap, 0),
        "nanosleep" => {
            m.takes("u32");
            (Op::Nothing, 1)
        }
        _ => return Err(Bad::Unknown),
    };
    count(o, operands)?;
    Ok(Decoded::new(op, Class::Control))
}
