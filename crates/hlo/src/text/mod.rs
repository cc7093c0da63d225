//! HLO text: reading what XLA and JAX write, printing what XLA reads.
//!
//! [`parse`] reads both dialects: JAX's lowering (names without `%`, computations without signatures) and
//! XLA's optimised dumps (`%`, signatures, stack frame tables, operand shapes). [`print`] writes the first.
//! `print → parse → print` is the identity, parsing never panics, and every error names its place.

mod cursor;
mod error;
mod float;
mod nearest;
mod parse;
mod print;

pub use error::ParseError;
pub use print::{print_computation, print_instruction};

use crate::module::Module;
use crate::shape::Shape;
use std::fmt;

/// Deepest nesting of tuples, literals, operands and inline bodies that is read.
pub const MAX_NESTING: usize = 1000;

/// What some editors put before a text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a module, a lone computation, or a single instruction. A byte-order mark before it is skipped.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    parse::module(text).map_err(|fault| ParseError::locate(fault, text))
}

/// The text of a module.
pub fn print(module: &Module) -> String {
    module.to_string()
}

impl Module {
    /// Reads HLO text: see [`parse`].
    pub fn parse(text: &str) -> Result<Module, ParseError> {
        parse(text)
    }
}

impl Shape {
    /// Reads a shape as it is printed: `f32[2,3]`, `(s32[], pred[])`.
    ///
    /// # Errors
    /// Text of another form.
    pub fn parse(text: &str) -> Result<Shape, ParseError> {
        parse::whole_shape(text).map_err(|fault| ParseError::locate(fault, text))
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::module(f, self)
    }
}

/// Attributes whose value is a computation or several.
fn names_computations(key: &str) -> bool {
    names_several(key)
        || matches!(
            key,
            "to_apply"
                | "calls"
                | "body"
                | "condition"
                | "select"
                | "scatter"
                | "true_computation"
                | "false_computation"
        )
}

/// Attributes whose value is always a braced list of computations.
fn names_several(key: &str) -> bool {
    matches!(key, "branch_computations" | "called_computations")
}
