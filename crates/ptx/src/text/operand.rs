//! Operands as they are written.

use super::Cursor;
use crate::error::Result;
use crate::lex::{Number, Token};

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, a variable, a label, or `_`.
    Name(String),
    Number(Number),
    /// `name+4`
    Sum(String, i64),
    /// `[name+4]`; `[16]` has no name.
    Address(Option<String>, i64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `p|q`
    Pair(String, String),
    /// `!p`
    Not(String),
    /// `(a, b)`, of calls.
    List(Vec<Operand>),
}

/// Everything up to the semicolon, which is taken.
pub fn operands(cursor: &mut Cursor) -> Result<Vec<Operand>> {
    let mut found = Vec::new();
    if cursor.takes(';') {
        return Ok(found);
    }
    loop {
        found.push(operand(cursor, 0)?);
        if cursor.takes(';') {
            return Ok(found);
        }
        cursor.expect(',')?;
    }
}

fn operand(cursor: &mut Cursor, depth: u32) -> Result<Operand> {
    if depth > 2 {
        return cursor.fail("operands nested too deeply");
    }
    if cursor.takes('[') {
        return address(cursor);
    }
    if cursor.takes('{') {
        return Ok(Operand::Vector(list(cursor, '}', depth)?));
    }
    if cursor.takes('(') {
        return Ok(Operand::List(list(cursor, ')', depth)?));
    }
    if cursor.takes('!') {
        return Ok(Operand::Not(cursor.name()?));
    }
    if cursor.peek_name().is_none() {
        return Ok(Operand::Number(cursor.number()?));
    }
    let name = cursor.name()?;
    if cursor.takes('|') {
        return Ok(Operand::Pair(name, cursor.name()?));
    }
    if cursor.is_mark('+') || cursor.is_mark('-') {
        return Ok(Operand::Sum(name, cursor.integer()?));
    }
    Ok(Operand::Name(name))
}

fn list(cursor: &mut Cursor, end: char, depth: u32) -> Result<Vec<Operand>> {
    let mut found = Vec::new();
    if cursor.takes(end) {
        return Ok(found);
    }
    loop {
        found.push(operand(cursor, depth + 1)?);
        if cursor.takes(end) {
            return Ok(found);
        }
        cursor.expect(',')?;
    }
}

fn address(cursor: &mut Cursor) -> Result<Operand> {
    let name = match cursor.peek() {
        Some(Token::Name(_)) => Some(cursor.name()?),
        _ => None,
    };
    let offset = if cursor.is_mark(']') { 0 } else { cursor.integer()? };
    cursor.expect(']')?;
    Ok(Operand::Address(name, offset))
}
