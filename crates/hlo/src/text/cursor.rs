//! A position in HLO text: skips blanks and comments, reads words, numbers, strings and balanced values.
//!
//! The grammar is read straight from the bytes; what a run of characters means depends on where it stands
//! (`b01f_01io->b01f` is one value, `a` before `=` a name), so there is no separate token stream.

use super::MAX_NESTING;
use super::error::{Fault, Parsed};
use std::ops::Range;

#[derive(Clone)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    pub pos: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, pos: 0, end: text.len() }
    }

    /// A cursor over a part of the same text: positions stay those of the whole.
    pub fn within(&self, span: Range<usize>) -> Cursor<'t> {
        Cursor { text: self.text, pos: span.start, end: span.end }
    }

    pub fn text(&self, span: Range<usize>) -> &'t str {
        &self.text[span]
    }

    /// The byte at the position, blanks included.
    pub fn byte(&self) -> Option<u8> {
        self.byte_at(self.pos)
    }

    fn byte_at(&self, at: usize) -> Option<u8> {
        if at < self.end { Some(self.text.as_bytes()[at]) } else { None }
    }

    /// Skips blanks and comments. A comment that never ends is not skipped, so that it becomes an error.
    pub fn blank(&mut self) {
        while let Some(b) = self.byte() {
            match b {
                b' ' | b'\t' | b'\r' | b'\n' => self.pos += 1,
                b'/' => match self.comment_end() {
                    Some(end) => self.pos = end,
                    None => return,
                },
                _ => return,
            }
        }
    }

    fn at_comment(&self) -> bool {
        self.byte() == Some(b'/') && matches!(self.byte_at(self.pos + 1), Some(b'/' | b'*'))
    }

    fn comment_end(&self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.pos..self.end];
        if rest.starts_with(b"//") {
            return Some(rest.iter().position(|&b| b == b'\n').map_or(self.end, |i| self.pos + i));
        }
        if !rest.starts_with(b"/*") {
            return None;
        }
        rest[2..].windows(2).position(|w| w == b"*/").map(|i| self.pos + 2 + i + 2)
    }

    /// The next byte that is not blank.
    pub fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.byte()
    }

    /// Steps over one character.
    pub fn skip_char(&mut self) {
        let width = self.text[self.pos..self.end].chars().next().map_or(0, char::len_utf8);
        self.pos += width;
    }

    pub fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    pub fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.pos += found as usize;
        found
    }

    /// Like [`Cursor::eat`] without skipping blanks.
    pub fn eat_here(&mut self, wanted: u8) -> bool {
        let found = self.byte() == Some(wanted);
        self.pos += found as usize;
        found
    }

    pub fn eat_symbol(&mut self, wanted: &str) -> bool {
        self.blank();
        let found = self.text.as_bytes()[self.pos..self.end].starts_with(wanted.as_bytes());
        if found {
            self.pos += wanted.len();
        }
        found
    }

    pub fn expect(&mut self, wanted: u8, place: &str) -> Parsed<()> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err(self.unexpected(format!("`{}` {place}", wanted as char)))
    }

    /// The fault "found this, expected that" at the position.
    pub fn unexpected(&mut self, expected: impl Into<String>) -> Fault {
        self.blank();
        let start = self.pos;
        let message = match self.byte() {
            None => "unexpected end".to_string(),
            Some(_) => {
                let word = self.clone().word().unwrap_or("");
                let end = start + word.len();
                let shown = if word.is_empty() {
                    self.text[start..].chars().next().map(String::from).unwrap_or_default()
                } else {
                    word.chars().take(60).collect()
                };
                return Fault::new(start..end.max(start + shown.len()), format!("unexpected `{shown}`"))
                    .expected(expected);
            }
        };
        Fault::new(start..start, message).expected(expected)
    }

    /// The run of identifier characters at the position (letters, digits, `_`, `.`, `-`), if not empty.
    pub fn word(&mut self) -> Option<&'t str> {
        self.blank();
        let start = self.pos;
        while let Some(b) = self.byte() {
            let arrow = b == b'-' && self.byte_at(self.pos + 1) == Some(b'>');
            if !is_word_byte(b) || arrow {
                break;
            }
            self.pos += 1;
        }
        (self.pos > start).then(|| &self.text[start..self.pos])
    }

    /// The word at the position, without moving.
    pub fn peek_word(&mut self) -> Option<&'t str> {
        self.blank();
        self.clone().word()
    }

    pub fn eat_word(&mut self, wanted: &str) -> bool {
        let found = self.peek_word() == Some(wanted);
        if found {
            self.pos += wanted.len();
        }
        found
    }

    /// An identifier: a word that begins with a letter or `_`.
    pub fn identifier(&mut self, what: &str) -> Parsed<&'t str> {
        match self.peek() {
            Some(b) if b.is_ascii_alphabetic() || b == b'_' => Ok(self.word().unwrap_or("")),
            _ => Err(self.unexpected(what)),
        }
    }

    /// A name, with or without `%`; the span covers both.
    pub fn name(&mut self, what: &str) -> Parsed<(&'t str, Range<usize>)> {
        self.blank();
        let start = self.pos;
        let name = if self.eat_here(b'%') {
            match self.byte() {
                Some(b) if is_word_byte(b) => self.word().unwrap_or(""),
                _ => return Err(self.unexpected("a name after `%`")),
            }
        } else {
            self.identifier(what)?
        };
        Ok((name, start..self.pos))
    }

    /// A decimal integer.
    pub fn int(&mut self, what: &str) -> Parsed<i64> {
        self.blank();
        self.int_here(what)
    }

    /// Like [`Cursor::int`] without skipping blanks.
    pub fn int_here(&mut self, what: &str) -> Parsed<i64> {
        let start = self.pos;
        self.eat_here(b'-');
        let digits = self.pos;
        while self.byte().is_some_and(|b| b.is_ascii_digit()) {
            self.pos += 1;
        }
        if self.pos == digits {
            self.pos = start;
            return Err(self.unexpected(what));
        }
        let text = &self.text[start..self.pos];
        text.parse().map_err(|_| {
            Fault::new(start..self.pos, format!("{text} does not fit in 64 bits")).expected(what)
        })
    }

    /// A dimension number, parameter number or the like: an integer that is not negative.
    pub fn index(&mut self, what: &str) -> Parsed<usize> {
        self.blank();
        let start = self.pos;
        let n = self.int(what)?;
        usize::try_from(n).map_err(|_| Fault::new(start..self.pos, format!("{n} is negative")).expected(what))
    }

    /// A quoted string; gives its text with the quotes.
    pub fn string(&mut self) -> Parsed<&'t str> {
        let start = self.pos;
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            return Err(self.unexpected("a string"));
        };
        let open = self.pos;
        self.pos += 1;
        while let Some(b) = self.byte() {
            self.pos += 1;
            match b {
                b'\\' => self.pos = (self.pos + 1).min(self.end),
                b if b == quote => return Ok(&self.text[open..self.pos]),
                _ => {}
            }
        }
        self.pos = start;
        Err(Fault::new(open..open + 1, "this string never ends"))
    }

    /// The value of an attribute: a string, a braced group, or a run without blanks and commas outside
    /// brackets (`[2,2]<=[4]T(1,0)`).
    pub fn value(&mut self, what: &str) -> Parsed<Range<usize>> {
        let first = self.peek();
        let start = self.pos;
        let mut open: Vec<u8> = Vec::new();
        while let Some(b) = self.byte() {
            match b {
                b'"' | b'\'' => {
                    self.string()?;
                }
                b'{' | b'[' | b'(' => {
                    if open.len() == MAX_NESTING {
                        return Err(too_deep(self.pos));
                    }
                    open.push(closing(b));
                    self.pos += 1;
                }
                b'}' | b']' | b')' => match open.pop() {
                    None => break,
                    Some(wanted) if wanted == b => self.pos += 1,
                    Some(wanted) => return Err(self.unexpected(format!("`{}`", wanted as char))),
                },
                b',' | b' ' | b'\t' | b'\r' | b'\n' if open.is_empty() => break,
                b'/' if self.at_comment() => {
                    if open.is_empty() {
                        break;
                    }
                    let start = self.pos;
                    self.blank();
                    if self.pos == start {
                        return Err(Fault::new(start..start + 2, "this comment never ends"));
                    }
                }
                _ => self.pos += 1,
            }
            if open.is_empty() && matches!(first, Some(b'{' | b'"' | b'\'')) {
                break;
            }
        }
        if let Some(wanted) = open.pop() {
            return Err(self.unexpected(format!("`{}`", wanted as char)));
        }
        if self.pos == start {
            return Err(self.unexpected(what));
        }
        Ok(start..self.pos)
    }

    /// `{a, b}` of whatever `item` reads.
    pub fn braced<T>(
        &mut self,
        what: &str,
        mut item: impl FnMut(&mut Cursor<'t>) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect(b'{', what)?;
        let mut out = Vec::new();
        if self.eat(b'}') {
            return Ok(out);
        }
        loop {
            out.push(item(self)?);
            if self.eat(b'}') {
                return Ok(out);
            }
            if !self.eat(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    /// Nothing but blanks may be left of a value.
    pub fn finish(&mut self) -> Parsed<()> {
        if self.at_end() { Ok(()) } else { Err(self.unexpected("the end of the value")) }
    }
}

pub(super) fn too_deep(at: usize) -> Fault {
    Fault::new(at..at + 1, format!("nested more than {MAX_NESTING} deep"))
}

pub(super) fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')
}

fn closing(open: u8) -> u8 {
    match open {
        b'{' => b'}',
        b'[' => b']',
        _ => b')',
    }
}
