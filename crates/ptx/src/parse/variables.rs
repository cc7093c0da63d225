//! Declarations of variables and parameters: type, alignment, size, what is in them at first.

use crate::decode::{Scope, Symbol};
use crate::error::{Error, Result};
use crate::lex::{Number, Token};
use crate::program::{Initial, Space, Variable};
use crate::text::Cursor;
use crate::types::{Kind, Type};

/// A variable may be this large.
const MAX_BYTES: u64 = 1 << 30;

pub struct Declared {
    pub name: String,
    pub element: Type,
    pub align: u32,
    pub bytes: u64,
    /// Without a size: `x[]`.
    pub open: bool,
    pub initial: Vec<Initial>,
}

/// `.align 4 .b8 name[16] = {1, 2}`, the initial values if wanted.
pub fn declaration(cursor: &mut Cursor, with_initial: bool) -> Result<Declared> {
    let mut align = 0;
    let mut element = None;
    let name = loop {
        let word = cursor.name()?;
        match word.strip_prefix('.') {
            None => break word,
            Some("align") => align = cursor.count()?,
            // How a pointer will be used: `.ptr .global .align 16`.
            Some("ptr" | "global" | "const" | "shared" | "local" | "attribute" | "managed") => {}
            Some(t) => {
                element = Type::named(t).filter(|t| t.kind != Kind::Predicate);
                if element.is_none() {
                    return cursor.fail(format!("`{word}` is no type of a variable"));
                }
            }
        }
    };
    let Some(element) = element else { return cursor.fail(format!("`{name}` has no type")) };
    let align = if align == 0 { element.bytes() } else { align };
    if !align.is_power_of_two() || align > 1 << 12 {
        return cursor.fail(format!("an alignment of {align}"));
    }
    let (mut count, mut open) = (1u64, false);
    while cursor.takes('[') {
        if cursor.takes(']') {
            open = true;
            continue;
        }
        count = count.saturating_mul(cursor.count()?.into());
        cursor.expect(']')?;
    }
    let mut initial = Vec::new();
    if with_initial && cursor.takes('=') {
        values(cursor, &mut initial, 0)?;
    }
    if open {
        count = count.saturating_mul(initial.len() as u64);
    }
    let bytes = count.saturating_mul(element.bytes().into());
    if bytes > MAX_BYTES {
        return cursor.fail(format!("`{name}` is too large"));
    }
    if initial.len() as u64 > count {
        return cursor.fail(format!("`{name}` has more values than elements"));
    }
    Ok(Declared { name, element, align, bytes, open, initial })
}

fn values(cursor: &mut Cursor, into: &mut Vec<Initial>, depth: u32) -> Result<()> {
    if !cursor.takes('{') {
        into.push(value(cursor)?);
        return Ok(());
    }
    if depth > 4 {
        return cursor.fail("values nested too deeply");
    }
    if cursor.takes('}') {
        return Ok(());
    }
    loop {
        values(cursor, into, depth + 1)?;
        if cursor.takes('}') {
            return Ok(());
        }
        cursor.expect(',')?;
    }
}

fn value(cursor: &mut Cursor) -> Result<Initial> {
    let line = cursor.line();
    if !matches!(cursor.peek(), Some(Token::Name(_))) {
        return Ok(Initial::Number(cursor.number()?));
    }
    let mut variable = cursor.name()?;
    if variable == "generic" && cursor.takes('(') {
        variable = cursor.name()?;
        cursor.expect(')')?;
    }
    let offset = if cursor.is_mark('+') || cursor.is_mark('-') { cursor.integer()? } else { 0 };
    Ok(Initial::Address { variable, offset, line })
}

/// Places a variable behind those before it.
pub fn place(end: &mut u32, d: &Declared) -> std::result::Result<u32, String> {
    if d.open {
        return Err(format!("`{}` has no size", d.name));
    }
    let offset = end.next_multiple_of(d.align);
    let bytes = u32::try_from(d.bytes).ok();
    let behind = bytes.and_then(|bytes| offset.checked_add(bytes)).filter(|&b| b < 1 << 20);
    *end = behind.ok_or_else(|| format!("no place for `{}`", d.name))?;
    Ok(offset)
}

/// Initial values fit their elements, and addresses are those of variables with a fixed place.
pub fn check_initial(variables: &[Variable], symbols: &Scope) -> Result<()> {
    for v in variables {
        for initial in &v.initial {
            match initial {
                Initial::Number(number) => {
                    let bits = crate::decode::literal(*number, v.element);
                    let fits = bits.is_some() || matches!(number, Number::Integer(_));
                    if !fits {
                        return Err(Error::new(v.line, format!("`{}`: a value of another type", v.name)));
                    }
                }
                Initial::Address { variable, line, .. } => {
                    let fixed = matches!(
                        symbols.get(variable),
                        Some(Symbol::Variable(_, Space::Global | Space::Const))
                    );
                    if !fixed || v.element.bits != 64 {
                        return Err(Error::new(*line, format!("no address of `{variable}` here")));
                    }
                }
            }
        }
    }
    Ok(())
}
