//! Text to tokens, each with its line. Comments are dropped.

use crate::error::{Error, Result};

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name, a directive (`.reg`), an opcode with its modifiers (`ld.global.f32`), a register (`%r1`).
    Name(String),
    Number(Number),
    Text(String),
    Mark(char),
}

/// A literal. Which bits it gives depends on the type that is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// The two's complement of an integer.
    Integer(u64),
    Float(f64),
    /// `0f3F800000`: the bits of an `f32`.
    Single(u32),
    /// `0d3FF0000000000000`: the bits of an `f64`.
    Double(u64),
}

pub fn tokens(text: &str) -> Result<Vec<(Token, u32)>> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut found = Vec::new();
    while let Some(token) = lexer.next()? {
        found.push(token);
    }
    Ok(found)
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<(Token, u32)>> {
        self.skip_blanks()?;
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let token = if first.is_ascii_digit() {
            Token::Number(self.number()?)
        } else if is_part(first) {
            Token::Name(self.name())
        } else if first == '"' {
            Token::Text(self.text()?)
        } else if first.is_ascii() {
            self.rest = &self.rest[1..];
            Token::Mark(first)
        } else {
            return Err(Error::new(line, format!("`{first}` is no character of PTX")));
        };
        Ok(Some((token, line)))
    }

    fn take(&mut self, bytes: usize) -> &str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|&b| b == b'\n').count() as u32;
        self.rest = rest;
        taken
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/");
                let end = end.ok_or_else(|| Error::new(self.line, "a comment without an end"))?;
                self.take(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    /// Names hold points, and `::` between the parts of a modifier.
    fn name(&mut self) -> String {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() {
            if is_part(bytes[end].into()) {
                end += 1;
            } else if end > 0 && bytes[end..].starts_with(b"::") {
                end += 2;
            } else {
                break;
            }
        }
        self.take(end).to_string()
    }

    fn text(&mut self) -> Result<String> {
        let line = self.line;
        let end = self.rest[1..].find(['"', '\n']).filter(|&e| self.rest.as_bytes()[e + 1] == b'"');
        let end = end.ok_or_else(|| Error::new(line, "a string without an end"))?;
        let quoted = self.take(end + 2);
        Ok(quoted[1..=end].to_string())
    }

    fn number(&mut self) -> Result<Number> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() {
            let signed = matches!(bytes[end], b'+' | b'-')
                && matches!(bytes[end - 1], b'e' | b'E')
                && !self.rest.starts_with("0x");
            if !(bytes[end].is_ascii_alphanumeric() || bytes[end] == b'.' || signed) {
                break;
            }
            end += 1;
        }
        let line = self.line;
        let text = self.take(end).to_string();
        number(&text).ok_or_else(|| Error::new(line, format!("`{text}` is no number")))
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.')
}

fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| {
        let digits = digits.strip_suffix('U').unwrap_or(digits);
        let plain = digits.bytes().all(|b| b.is_ascii_alphanumeric());
        plain.then(|| u64::from_str_radix(digits, radix).ok()).flatten()
    };
    if let Some(bits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
        return (bits.len() == 8).then(|| radix(bits, 16).map(|b| Number::Single(b as u32))).flatten();
    }
    if let Some(bits) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0D")) {
        return (bits.len() == 16).then(|| radix(bits, 16).map(Number::Double)).flatten();
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return radix(digits, 16).map(Number::Integer);
    }
    if let Some(digits) = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B")) {
        return radix(digits, 2).map(Number::Integer);
    }
    if text.contains(['.', 'e', 'E']) {
        return text.parse().ok().map(Number::Float);
    }
    let octal = text.len() > 1 && text.starts_with('0');
    radix(text, if octal { 8 } else { 10 }).map(Number::Integer)
}

impl Number {
    pub fn negated(self) -> Self {
        match self {
            Self::Integer(x) => Self::Integer(x.wrapping_neg()),
            Self::Float(x) => Self::Float(-x),
            Self::Single(x) => Self::Single(x ^ 1 << 31),
            Self::Double(x) => Self::Double(x ^ 1 << 63),
        }
    }
}
