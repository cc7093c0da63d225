//! Instructions from their text: one file for each family.
//!
//! What is written wrongly is an error of the text. An instruction that is not known becomes [`Op::Refused`]: the other
//! kernels of the text can run.

mod arithmetic;
mod builder;
mod control;
mod convert;
mod logic;
mod memory;
mod modifiers;
mod moves;
mod sync;
mod tensor;

pub use builder::{Builder, Scope, Symbol, literal_bits as literal};

use crate::counters::Class;
use crate::program::Op;
use crate::text::Operand;
use modifiers::Modifiers;

/// Why an instruction was not decoded.
#[derive(Debug)]
pub enum Bad {
    Unknown,
    Wrong(String),
}

impl From<String> for Bad {
    fn from(message: String) -> Self {
        Self::Wrong(message)
    }
}

/// A decoded instruction without its guard and its place.
pub struct Decoded {
    pub op: Op,
    pub class: Class,
    pub contractible: bool,
}

impl Decoded {
    fn new(op: Op, class: Class) -> Self {
        Self { op, class, contractible: false }
    }
}

type Found = Result<Decoded, Bad>;

/// Decodes the instruction of that opcode, its modifiers included. Branches and calls are not among them: they need the
/// labels and functions of the text.
pub fn instruction(b: &mut Builder, opcode: &str, operands: &[Operand]) -> Result<Decoded, String> {
    let mut m = Modifiers::new(opcode);
    let found = family(b, &mut m, operands).and_then(|d| if m.is_done() { Ok(d) } else { Err(Bad::Unknown) });
    match found {
        Ok(decoded) => Ok(decoded),
        Err(Bad::Unknown) => Ok(Decoded::new(Op::Refused(opcode.into()), Class::Other)),
        Err(Bad::Wrong(message)) => Err(format!("`{opcode}`: {message}")),
    }
}

fn family(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    match m.name() {
        "add" | "sub" | "mul" | "div" | "fma" | "mad" | "min" | "max" | "abs" | "neg" | "sqrt" | "rcp"
        | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "copysign" | "rem" | "sad" | "mul24"
        | "mad24" | "addc" | "subc" | "madc" | "dp4a" => arithmetic::decode(b, m, o),
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "popc" | "clz" | "brev" | "bfe"
        | "bfi" | "bfind" | "prmt" | "lop3" | "setp" | "set" | "selp" | "slct" | "testp" => {
            logic::decode(b, m, o)
        }
        "cvt" => convert::decode(b, m, o),
        "mov" | "cvta" | "isspacep" => moves::decode(b, m, o),
        "ld" | "ldu" | "st" | "atom" | "red" | "cp" | "prefetch" | "prefetchu" | "discard"
        | "applypriority" => memory::decode(b, m, o),
        "bar" | "barrier" | "shfl" | "vote" | "match" | "redux" | "activemask" | "membar" | "fence" => {
            sync::decode(b, m, o)
        }
        "ret" | "exit" | "trap" | "nanosleep" | "brkpt" => control::decode(b, m, o),
        "mma" | "ldmatrix" => tensor::decode(b, m, o),
        _ => Err(Bad::Unknown),
    }
}

/// Exactly that many operands.
fn count(operands: &[Operand], expected: usize) -> Result<(), String> {
    if operands.len() == expected {
        return Ok(());
    }
    Err(format!("{expected} operands expected, found {}", operands.len()))
}
