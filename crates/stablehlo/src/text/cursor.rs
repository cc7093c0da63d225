//! Walking over the text: words, numbers, strings and punctuation. Blanks and comments are skipped before each.

use crate::error::{Error, Place, Result};

/// A place in the text.
#[derive(Clone)]
pub struct Cursor<'a> {
    pub text: &'a str,
    pub pos: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, pos: 0 }
    }

    /// Skips blanks and comments.
    pub fn blank(&mut self) {
        loop {
            let rest = &self.text.as_bytes()[self.pos..];
            match rest {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.pos += 1,
                [b'/', b'/', ..] => {
                    self.pos += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// What comes next.
    pub fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.text.as_bytes().get(self.pos).copied()
    }

    /// The rest of the text, from what comes next.
    pub fn rest(&mut self) -> &'a str {
        self.blank();
        &self.text[self.pos..]
    }

    /// Takes this, if it comes next.
    pub fn eat(&mut self, what: &str) -> bool {
        let eaten = self.rest().starts_with(what);
        if eaten {
            self.pos += what.len();
        }
        eaten
    }

    /// Takes this word, if it comes next as a whole.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let Some(after) = self.rest().strip_prefix(word) else { return false };
        if after.bytes().next().is_some_and(is_word) {
            return false;
        }
        self.pos += word.len();
        true
    }

    pub fn expect(&mut self, what: &str) -> Result<()> {
        match self.eat(what) {
            true => Ok(()),
            false => self.fail(format!("`{what}` is expected, not {}", self.shown())),
        }
    }

    /// Letters, digits, `_`, `$`, `.` and `-` in between.
    pub fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let first = rest.bytes().next()?;
        if !first.is_ascii_alphabetic() && first != b'_' {
            return None;
        }
        let len = rest.bytes().position(|b| !is_word(b)).unwrap_or(rest.len());
        self.pos += len;
        Some(&rest[..len])
    }

    /// What follows `%`, `@`, `#` or `^`: a word that may begin with a digit.
    pub fn suffix(&mut self) -> &'a str {
        let rest = &self.text[self.pos..];
        let len = rest.bytes().position(|b| !is_word(b)).unwrap_or(rest.len());
        self.pos += len;
        &rest[..len]
    }

    /// A number as it is written, without the blanks before it.
    pub fn number(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut len = usize::from(bytes.first() == Some(&b'-'));
        if !bytes.get(len)?.is_ascii_digit() {
            return None;
        }
        if bytes[len..].starts_with(b"0x") {
            len += 2;
            len += bytes[len..].iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(bytes.len() - len);
        } else {
            while let Some(&b) = bytes.get(len) {
                let sign = matches!(b, b'+' | b'-') && matches!(bytes[len - 1], b'e' | b'E');
                if !b.is_ascii_digit() && !matches!(b, b'.' | b'e' | b'E') && !sign {
                    break;
                }
                len += 1;
            }
        }
        self.pos += len;
        Some(&rest[..len])
    }

    /// An integer; beyond 64 bits as their lowest ones.
    pub fn integer(&mut self) -> Result<i64> {
        let at = self.clone();
        let text = self.number().unwrap_or("");
        match int(text) {
            Some(value) => Ok(value as i64),
            None => at.fail(format!("an integer is expected, not {}", at.shown())),
        }
    }

    /// Text between quotes.
    pub fn string(&mut self) -> Result<String> {
        let at = self.clone();
        self.expect("\"")?;
        let mut bytes = Vec::new();
        let rest = &self.text.as_bytes()[self.pos..];
        let mut i = 0;
        while let Some(&b) = rest.get(i) {
            i += 1;
            match b {
                b'"' => {
                    self.pos += i;
                    return Ok(String::from_utf8_lossy(&bytes).into_owned());
                }
                b'\n' => break,
                b'\\' => {
                    let hex = rest.get(i..i + 2).and_then(|h| std::str::from_utf8(h).ok());
                    match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
                        Some(code) => {
                            bytes.push(code);
                            i += 2;
                        }
                        None => {
                            bytes.push(match rest.get(i) {
                                Some(b'n') => b'\n',
                                Some(b't') => b'\t',
                                Some(&other) => other,
                                None => break,
                            });
                            i += 1;
                        }
                    }
                }
                other => bytes.push(other),
            }
        }
        at.fail("a text has no end")
    }

    /// Skips from an opening bracket to the one that closes it; gives what is between.
    pub fn balanced(&mut self) -> Result<&'a str> {
        let at = self.clone();
        self.blank();
        let start = self.pos;
        if !matches!(self.peek(), Some(b'(' | b'[' | b'{' | b'<')) {
            return self.fail(format!("a bracket is expected, not {}", self.shown()));
        }
        let mut open = Vec::new();
        while let Some(&b) = self.text.as_bytes().get(self.pos) {
            match b {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'(' | b'[' | b'{' | b'<' => open.push(b),
                b'>' if self.text.as_bytes().get(self.pos.wrapping_sub(1)) == Some(&b'-') => {}
                b')' | b']' | b'}' | b'>' => {
                    let fits = matches!(
                        (open.pop(), b),
                        (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}') | (Some(b'<'), b'>')
                    );
                    if !fits {
                        break;
                    }
                }
                _ => {}
            }
            self.pos += 1;
            while !self.text.is_char_boundary(self.pos) {
                self.pos += 1;
            }
            if open.is_empty() {
                return Ok(&self.text[start + 1..self.pos - 1]);
            }
        }
        at.fail("a bracket is not closed")
    }

    pub fn place(&self) -> Place {
        let mut ahead = self.clone();
        ahead.blank();
        let before = &self.text[..ahead.pos];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Place::Text {
            line: 1 + before.bytes().filter(|&b| b == b'\n').count() as u32,
            column: 1 + before[line_start..].chars().count() as u32,
        }
    }

    pub fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::malformed(self.place(), message))
    }

    /// What comes next, for messages.
    pub fn shown(&self) -> String {
        let mut ahead = self.clone();
        let rest = ahead.rest();
        let line = rest.lines().next().unwrap_or("");
        match line.split([' ', ',', ')', '>', ']']).next().unwrap_or("") {
            "" if line.is_empty() => "the end of the text".into(),
            "" => format!("`{}`", line.chars().next().unwrap_or(' ')),
            word => format!("`{}`", word.chars().take(40).collect::<String>()),
        }
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')
}

/// An integer of up to 64 bits, signed or not.
pub fn int(text: &str) -> Option<i128> {
    let value = match (text.strip_prefix("0x"), text.strip_prefix("-0x")) {
        (Some(hex), _) => i128::from_str_radix(hex, 16).ok()?,
        (_, Some(hex)) => -i128::from_str_radix(hex, 16).ok()?,
        _ => text.parse().ok()?,
    };
    (i64::MIN as i128..=u64::MAX as i128).contains(&value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_strings() {
        let mut c = Cursor::new(" stablehlo.add // a comment\n -1.5e+03, 0x7F \"a\\22b\" <a -> (b)> x");
        assert_eq!(c.word(), Some("stablehlo.add"));
        assert_eq!(c.number(), Some("-1.5e+03"));
        assert!(c.eat(","));
        assert_eq!(c.number(), Some("0x7F"));
        assert_eq!(c.string().ok().as_deref(), Some("a\"b"));
        assert_eq!(c.balanced().ok(), Some("a -> (b)"));
        assert_eq!(c.place(), Place::Text { line: 2, column: 36 });
    }
}
