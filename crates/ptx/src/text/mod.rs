//! The grammar of instructions, without their meaning.

mod cursor;
mod operand;

pub use cursor::Cursor;
pub use operand::{Operand, operands};
