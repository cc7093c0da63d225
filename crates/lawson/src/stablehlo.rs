//! StableHLO: modules printed as it, and its errors as those of HLO text. [`crate::load`] reads it.

use crate::error::{Error, ErrorCode};
use lawson_hlo::{Module, text};
use lawson_stablehlo::{Kind, Place};

/// The module as StableHLO text, which JAX reads.
///
/// # Errors
/// An operation or an element type that StableHLO does not have.
pub fn text_of(module: &Module) -> Result<String, Error> {
    lawson_stablehlo::print(module).map_err(|e| {
        let origin = e.origin.map_or(String::new(), |o| format!(" (made at {o})"));
        Error::new(ErrorCode::Unsupported, e.message + &origin)
    })
}

/// The module of a program in StableHLO, artifact or text. Errors tell the line of the user's program that it came from.
///
/// # Errors
/// What is wrong, with its offset or line; what Lawson cannot do.
pub fn module_of(program: &[u8]) -> Result<Module, Error> {
    lawson_stablehlo::read(program)
        .map_err(|e| error("the program", std::str::from_utf8(program).unwrap_or_default(), e))
}

/// An error in StableHLO, with the guilty line of a text.
pub(crate) fn error(file: &str, text: &str, e: lawson_stablehlo::Error) -> Error {
    let code = match e.kind {
        Kind::Malformed => ErrorCode::Parse,
        Kind::Unsupported => ErrorCode::Unsupported,
    };
    let origin = e.origin.as_ref().map_or(String::new(), |o| format!("\n  made at {o}"));
    let Place::Text { line, column } = e.place else {
        return Error::new(code, format!("{file}: {}: {}{origin}", e.place, e.message));
    };
    let start = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum::<usize>();
    let at = text[start..].char_indices().nth(column as usize - 1).map_or(text.len(), |(i, _)| start + i);
    let located = text::ParseError { message: e.message, expected: None, line, column, span: at..at };
    let rendered = located.render(file, text);
    Error::new(code, rendered.trim_end().trim_start_matches("error: ").to_string() + &origin)
}
