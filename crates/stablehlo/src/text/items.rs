//! What stands between the name of an operation and the colon before its types.

use super::Reader;
use crate::error::Result;
use crate::ir::{Attr, ValueId};
use std::sync::Arc;

/// The parts of an operation, as they stand there.
#[derive(Default)]
pub struct Items {
    pub operands: Vec<ValueId>,
    /// `name = value`, and what a dictionary holds.
    pub named: Vec<(Arc<str>, Attr)>,
    /// `LT`, `FLOAT`
    pub words: Vec<Arc<str>>,
    /// `@f`
    pub symbols: Vec<Arc<str>>,
    /// `"chlo.erf"`
    pub strings: Vec<Arc<str>>,
    /// `[0:4:2, 1:3]`: three numbers for each range; an index alone is one number.
    pub ranges: Vec<Vec<i64>>,
    /// An attribute without a name, as of `constant`.
    pub value: Option<Attr>,
}

impl<'a> Reader<'a> {
    /// Reads up to the colon, or to the end of an operation that has no types.
    pub fn items(&mut self) -> Result<Items> {
        let mut items = Items::default();
        loop {
            let at = self.cursor.clone();
            match self.cursor.peek() {
                None | Some(b':' | b'}') => return Ok(items),
                Some(b',' | b'(' | b')') => self.cursor.pos += 1,
                Some(b'%') => items.operands.push(self.operand()?),
                Some(b'@') => items.symbols.push(self.symbol()?),
                Some(b'"') => items.strings.push(self.cursor.string()?.into()),
                Some(b'[') => self.ranges(&mut items)?,
                Some(b'{') => items.named.extend(self.dictionary()?),
                Some(b'<') => {
                    self.cursor.balanced()?;
                }
                Some(b'^') => return at.fail("jumps between blocks are not supported"),
                Some(b'-' | b'0'..=b'9' | b'#') => items.value = Some(self.attr()?),
                Some(_) => {
                    if self.trailing_location_follows() {
                        return Ok(items);
                    }
                    let Some(word) = self.cursor.word() else {
                        return at
                            .fail(format!("an operand or an attribute is expected, not {}", at.shown()));
                    };
                    if self.cursor.eat("=") {
                        let value = self.named_value()?;
                        items.named.push((word.into(), value));
                    } else if matches!(word, "dense" | "dense_resource") {
                        // The type of a constant is part of it: nothing follows.
                        self.cursor = at;
                        items.value = Some(self.attr()?);
                        return Ok(items);
                    } else if word != "init" && word != "across" {
                        items.words.push(word.into());
                    }
                }
            }
        }
    }

    fn trailing_location_follows(&mut self) -> bool {
        self.cursor.rest().starts_with("loc(")
    }

    /// The value of `name = value`. Several lists that belong together are a list of lists: `[0] x [1]`,
    /// `[b, f]x[i, o]->[b, f]`.
    fn named_value(&mut self) -> Result<Attr> {
        if matches!(self.cursor.peek(), Some(b'-' | b'0'..=b'9')) {
            // A colon after it begins the types of the operation.
            return Ok(Attr::Int(self.cursor.integer()?));
        }
        let first = self.attr()?;
        let mut all = vec![first];
        loop {
            let rest = self.cursor.rest();
            let list = |r: &str| r.trim_start().starts_with('[');
            if rest.strip_prefix('x').is_some_and(list) {
                self.cursor.expect("x")?;
            } else if rest.strip_prefix("->").is_some_and(list) {
                self.cursor.expect("->")?;
            } else {
                break;
            }
            all.push(self.attr()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Attr::Array(all.into()) })
    }

    /// `[0:4:2, 1:3]` or `[2]`
    fn ranges(&mut self, items: &mut Items) -> Result<()> {
        self.cursor.expect("[")?;
        while !self.cursor.eat("]") {
            let mut range = vec![self.cursor.integer()?];
            while self.cursor.eat(":") {
                range.push(self.cursor.integer()?);
            }
            items.ranges.push(range);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b']') {
                self.cursor.expect("]")?;
            }
        }
        Ok(())
    }

    /// `%name`, `%name#1`
    pub fn operand(&mut self) -> Result<ValueId> {
        let at = self.cursor.clone();
        self.cursor.expect("%")?;
        let name = self.cursor.suffix();
        let element = match self.cursor.text[self.cursor.pos..].starts_with('#') {
            true => {
                self.cursor.pos += 1;
                self.cursor.integer()?
            }
            false => 0,
        };
        let Some(&(first, count)) = self.scopes.iter().rev().find_map(|s| s.get(name)) else {
            return at.fail(format!("there is no value %{name} here"));
        };
        match usize::try_from(element) {
            Ok(element) if element < count => Ok(ValueId(first.0 + element as u32)),
            _ => at.fail(format!("%{name} has {count} parts")),
        }
    }

    /// Makes a name known, with values of these types.
    pub fn define(
        &mut self,
        name: &'a str,
        types: impl IntoIterator<Item = crate::ir::Type>,
    ) -> Vec<ValueId> {
        let first = self.types.len();
        self.types.extend(types);
        let ids: Vec<ValueId> = (first..self.types.len()).map(|i| ValueId(i as u32)).collect();
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, (ValueId(first as u32), ids.len()));
        }
        ids
    }
}
