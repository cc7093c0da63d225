//! Walks over the tokens of a text.

use crate::error::{Error, Result};
use crate::lex::{Number, Token};

pub struct Cursor {
    tokens: Vec<(Token, u32)>,
    at: usize,
}

impl Cursor {
    pub fn new(tokens: Vec<(Token, u32)>) -> Self {
        Self { tokens, at: 0 }
    }

    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(t, _)| t)
    }

    /// The token after the next.
    pub fn peek_second(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1).map(|(t, _)| t)
    }

    /// The line of the next token, at the end that of the last.
    pub fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    pub fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += usize::from(token.is_some());
        token
    }

    pub fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::new(self.line(), message))
    }

    pub fn is_mark(&self, mark: char) -> bool {
        self.peek() == Some(&Token::Mark(mark))
    }

    /// Whether the next token is that mark, which is then taken.
    pub fn takes(&mut self, mark: char) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, mark: char) -> Result<()> {
        if self.takes(mark) {
            return Ok(());
        }
        self.fail(format!("`{mark}` expected, found {}", self.found()))
    }

    pub fn peek_name(&self) -> Option<&str> {
        match self.peek() {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Whether the next token is that name, which is then taken.
    pub fn takes_name(&mut self, name: &str) -> bool {
        let found = self.peek_name() == Some(name);
        self.at += usize::from(found);
        found
    }

    pub fn name(&mut self) -> Result<String> {
        match self.peek_name() {
            Some(name) => {
                let name = name.to_string();
                self.at += 1;
                Ok(name)
            }
            None => self.fail(format!("a name expected, found {}", self.found())),
        }
    }

    /// A number with its sign, which may be repeated (`+-8`).
    pub fn number(&mut self) -> Result<Number> {
        let mut negative = false;
        while self.is_mark('-') || self.is_mark('+') {
            negative ^= self.takes('-');
            self.takes('+');
        }
        match self.peek() {
            Some(&Token::Number(number)) => {
                self.at += 1;
                Ok(if negative { number.negated() } else { number })
            }
            _ => self.fail(format!("a number expected, found {}", self.found())),
        }
    }

    pub fn integer(&mut self) -> Result<i64> {
        match self.number()? {
            Number::Integer(x) => Ok(x as i64),
            _ => self.fail("an integer expected"),
        }
    }

    /// A number that sizes and counts are made of.
    pub fn count(&mut self) -> Result<u32> {
        let value = self.integer()?;
        u32::try_from(value).or_else(|_| self.fail(format!("{value} is no size")))
    }

    /// Skips the tokens of the line of the next one.
    pub fn skip_line(&mut self) {
        let line = self.line();
        while self.at < self.tokens.len() && self.line() == line {
            self.at += 1;
        }
    }

    fn found(&self) -> String {
        match self.peek() {
            None => "the end".into(),
            Some(Token::Name(name)) => format!("`{name}`"),
            Some(Token::Number(_)) => "a number".into(),
            Some(Token::Text(_)) => "a string".into(),
            Some(Token::Mark(mark)) => format!("`{mark}`"),
        }
    }
}
