//! Parse errors: what is wrong, what was expected, and where.

use std::fmt;
use std::ops::Range;

/// An error in HLO text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub message: String,
    /// What would have been right, where one thing would.
    pub expected: Option<String>,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The guilty bytes of the text.
    pub span: Range<usize>,
}

impl ParseError {
    /// Finds the line and column of a fault.
    pub(super) fn locate(fault: Fault, text: &str) -> ParseError {
        let Fault(data) = fault;
        let start = floor_boundary(text, data.span.start);
        let end = floor_boundary(text, data.span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            message: data.message,
            expected: data.expected,
            line: 1 + text[..start].bytes().filter(|&b| b == b'\n').count() as u32,
            column: 1 + text[line_start..start].chars().count() as u32,
            span: start..end,
        }
    }

    /// The message, the place, and the line of `text` with the guilty part underlined.
    pub fn render(&self, file: &str, text: &str) -> String {
        let start = floor_boundary(text, self.span.start);
        let end = floor_boundary(text, self.span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let (shown, caret) = excerpt(&text[line_start..line_end], start - line_start);
        let guilty = &text[start..end.min(line_end).max(start)];
        let room = shown.chars().count().saturating_sub(caret).max(1);
        let marks = guilty.chars().count().clamp(1, room);
        let number = self.line.to_string();
        let gutter = " ".repeat(number.len());
        let mut out = format!("error: {}\n", self.message);
        out += &format!("{gutter}--> {file}:{}:{}\n{gutter} |\n", self.line, self.column);
        out += &format!("{number} | {shown}\n");
        out += &format!("{gutter} | {}{}\n", " ".repeat(caret), "^".repeat(marks));
        if let Some(expected) = &self.expected {
            out += &format!("{gutter} = expected {expected}\n");
        }
        out
    }
}

/// The part of a long line around byte `at`, tabs as blanks, and the caret's column in it.
fn excerpt(line: &str, at: usize) -> (String, usize) {
    const BEFORE: usize = 60;
    const WIDTH: usize = 110;
    let caret = line[..at].chars().count();
    let skip = if line.chars().count() > WIDTH { caret.saturating_sub(BEFORE) } else { 0 };
    let mut shown: String =
        line.chars().skip(skip).take(WIDTH).map(|c| if c == '\t' { ' ' } else { c }).collect();
    shown.truncate(shown.trim_end().len());
    if skip > 0 { (format!("… {shown}"), caret - skip + 2) } else { (shown, caret) }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)?;
        match &self.expected {
            Some(expected) => write!(f, "; expected {expected}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// An error before its line is known. Boxed so that results stay small.
#[derive(Debug)]
pub(super) struct Fault(pub Box<FaultData>);

#[derive(Debug)]
pub(super) struct FaultData {
    pub message: String,
    pub expected: Option<String>,
    pub span: Range<usize>,
    /// A computation was named that is not defined yet: it may be defined further down.
    pub undefined_computation: bool,
}

pub(super) type Parsed<T> = Result<T, Fault>;

impl Fault {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultData {
            message: message.into(),
            expected: None,
            span,
            undefined_computation: false,
        }))
    }

    pub fn expected(mut self, what: impl Into<String>) -> Fault {
        self.0.expected = Some(what.into());
        self
    }
}
