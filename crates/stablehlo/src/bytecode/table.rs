//! Strings, dialects, names of operations, attributes and types: what the rest of an artifact refers to by number.
//!
//! Attributes and types are read when they are first asked for, each once, since they refer to one another in any order.

use super::cursor::Cursor;
use super::sections::{self, Container};
use super::{builtin, vhlo};
use crate::error::Result;
use crate::ir::{Attr, Loc, Location, Locations, Type};
use std::sync::Arc;

/// How deep attributes and types may refer to others, whatever the order in which they are read: what walks over them, if only to
/// drop them, calls itself as often.
const MAX_DEPTH: usize = 300;

/// The numbered things of an artifact.
pub struct Table<'a> {
    pub version: u64,
    pub strings: Vec<Arc<str>>,
    dialects: Vec<Arc<str>>,
    ops: Vec<OpName>,
    attrs: Vec<Entry<'a, Attr>>,
    types: Vec<Entry<'a, Type>>,
    /// Where attributes stand that are places in programs.
    pub locations: Locations,
    depth: usize,
    /// How high the highest is of those that the attribute or type being read has named so far.
    below: usize,
}

/// The name of an operation.
#[derive(Clone)]
pub struct OpName {
    /// As StableHLO text has it.
    pub name: Arc<str>,
    /// As VHLO has it, without the dialect; empty for an operation of another dialect.
    pub versioned: Arc<str>,
    /// Its properties have a form of their own.
    pub registered: bool,
}

impl OpName {
    fn new(dialect: &str, name: &Arc<str>, registered: bool) -> OpName {
        if dialect != "vhlo" {
            return OpName { name: format!("{dialect}.{name}").into(), versioned: "".into(), registered };
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let stem = stem.strip_suffix("_v").unwrap_or(name);
        let dialect = if matches!(stem, "func" | "call") { "func" } else { "stablehlo" };
        OpName { name: format!("{dialect}.{stem}").into(), versioned: name.clone(), registered }
    }
}

struct Entry<'a, T> {
    dialect: usize,
    /// In the form of its dialect; else as text.
    encoded: bool,
    bytes: Cursor<'a>,
    state: State<T>,
}

enum State<T> {
    Unread,
    /// Asked for by itself: an artifact that is damaged.
    Reading,
    /// With its height: that of the highest that it is made of, and one.
    Read(T, usize),
}

impl<'a> Table<'a> {
    pub fn read(container: &Container<'a>) -> Result<Table<'a>> {
        let strings = strings(container.section(sections::STRINGS, "texts")?)?;
        let mut table = Table {
            version: container.version,
            strings,
            dialects: Vec::new(),
            ops: Vec::new(),
            attrs: Vec::new(),
            types: Vec::new(),
            locations: Locations::default(),
            depth: 0,
            below: 0,
        };
        table.read_dialects(container.section(sections::DIALECTS, "dialects")?)?;
        let entries = container.section(sections::ENTRIES, "attributes and types")?;
        table.read_offsets(container.section(sections::OFFSETS, "offsets")?, entries)?;
        Ok(table)
    }

    /// The text whose number comes next.
    pub fn string(&self, cursor: &mut Cursor) -> Result<Arc<str>> {
        let n = cursor.index("text", self.strings.len())?;
        Ok(self.strings[n].clone())
    }

    /// The name of the operation whose number comes next.
    pub fn op_name(&self, cursor: &mut Cursor) -> Result<OpName> {
        let n = cursor.index("name of an operation", self.ops.len())?;
        Ok(self.ops[n].clone())
    }

    /// The attribute whose number comes next.
    pub fn attr(&mut self, cursor: &mut Cursor) -> Result<Attr> {
        let at = *cursor;
        let n = cursor.varint()?;
        self.attr_number(&at, n)
    }

    pub fn attrs(&mut self, cursor: &mut Cursor) -> Result<Vec<Attr>> {
        let n = cursor.count()?;
        (0..n).map(|_| self.attr(cursor)).collect()
    }

    pub fn attr_number(&mut self, at: &Cursor, n: u64) -> Result<Attr> {
        let n = at.in_range("attribute", n, self.attrs.len())?;
        let entry = &mut self.attrs[n];
        let (dialect, encoded, mut bytes) = (entry.dialect, entry.encoded, entry.bytes);
        match std::mem::replace(&mut entry.state, State::Reading) {
            State::Read(attr, height) => {
                entry.state = State::Read(attr.clone(), height);
                self.below = self.below.max(height);
                return Ok(attr);
            }
            State::Reading => return at.fail(format!("attribute {n} is made of itself")),
            State::Unread => {}
        }
        let beside = self.deeper(at)?;
        let attr = match (encoded, &*self.dialects[dialect]) {
            (false, _) => Attr::Other(text(bytes.zero_terminated()?)),
            (true, "builtin") => builtin::attr(self, &mut bytes)?,
            (true, "vhlo") => vhlo::attr(self, &mut bytes)?,
            (true, other) => Attr::Other(format!("an attribute of {other}").into()),
        };
        let height = self.height(at, attr.is_made_of_others(), beside)?;
        self.attrs[n].state = State::Read(attr.clone(), height);
        Ok(attr)
    }

    /// The type whose number comes next.
    pub fn ty(&mut self, cursor: &mut Cursor) -> Result<Type> {
        let at = *cursor;
        let n = cursor.varint()?;
        self.type_number(&at, n)
    }

    pub fn types(&mut self, cursor: &mut Cursor) -> Result<Vec<Type>> {
        let n = cursor.count()?;
        (0..n).map(|_| self.ty(cursor)).collect()
    }

    pub fn type_number(&mut self, at: &Cursor, n: u64) -> Result<Type> {
        let n = at.in_range("type", n, self.types.len())?;
        let entry = &mut self.types[n];
        let (dialect, encoded, mut bytes) = (entry.dialect, entry.encoded, entry.bytes);
        match std::mem::replace(&mut entry.state, State::Reading) {
            State::Read(ty, height) => {
                entry.state = State::Read(ty.clone(), height);
                self.below = self.below.max(height);
                return Ok(ty);
            }
            State::Reading => return at.fail(format!("type {n} is made of itself")),
            State::Unread => {}
        }
        let beside = self.deeper(at)?;
        let ty = match (encoded, &*self.dialects[dialect]) {
            (false, _) => {
                let name = text(bytes.zero_terminated()?);
                Type::refused(format!("the type {name}"))
            }
            (true, "builtin") => builtin::ty(self, &mut bytes)?,
            (true, "vhlo") => vhlo::ty(self, &mut bytes)?,
            (true, other) => Type::refused(format!("a type of {other}")),
        };
        let height = self.height(at, matches!(ty, Type::Function(_)), beside)?;
        self.types[n].state = State::Read(ty.clone(), height);
        Ok(ty)
    }

    /// Begins an attribute or a type; the height of what stands beside it.
    fn deeper(&mut self, at: &Cursor) -> Result<usize> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return too_deep(at);
        }
        Ok(std::mem::take(&mut self.below))
    }

    /// Ends it; its height.
    fn height(&mut self, at: &Cursor, made_of_others: bool, beside: usize) -> Result<usize> {
        self.depth -= 1;
        let height = if made_of_others { self.below + 1 } else { 1 };
        if height > MAX_DEPTH {
            return too_deep(at);
        }
        self.below = beside.max(height);
        Ok(height)
    }

    /// The place in a program whose number comes next.
    pub fn location(&mut self, cursor: &mut Cursor) -> Result<Loc> {
        let attr = self.attr(cursor)?;
        Ok(match attr {
            Attr::Location(loc) => loc,
            _ => Loc::default(),
        })
    }

    pub fn located(&mut self, location: Location) -> Attr {
        Attr::Location(self.locations.add(location))
    }

    /// Names of dialects, then names of operations in groups, each of one dialect.
    fn read_dialects(&mut self, mut cursor: Cursor<'a>) -> Result<()> {
        let n = cursor.count()?;
        for _ in 0..n {
            if self.version < sections::DIALECT_VERSIONS {
                let name = self.string(&mut cursor)?;
                self.dialects.push(name);
                continue;
            }
            let at = cursor;
            let (name, versioned) = cursor.flagged()?;
            let name = at.in_range("text", name, self.strings.len())?;
            self.dialects.push(self.strings[name].clone());
            if versioned {
                sections::section(&mut cursor)?;
            }
        }
        if self.version >= sections::FLAGGED_ARGUMENTS {
            cursor.varint()?;
        }
        while !cursor.is_empty() {
            let dialect = cursor.index("dialect", self.dialects.len())?;
            let n = cursor.count()?;
            for _ in 0..n {
                let at = cursor;
                let (name, registered) = match self.version >= sections::PROPERTIES {
                    true => cursor.flagged()?,
                    false => (cursor.varint()?, true),
                };
                let name = at.in_range("text", name, self.strings.len())?;
                let (dialect, name) = (&self.dialects[dialect], &self.strings[name]);
                if dialect.len() + name.len() > MAX_NAME {
                    return at.fail(format!("the name of an operation has more than {MAX_NAME} letters"));
                }
                self.ops.push(OpName::new(dialect, name, registered));
            }
        }
        Ok(())
    }

    /// The extents of attributes and types, in groups of one dialect, one after the other in their section.
    fn read_offsets(&mut self, mut cursor: Cursor<'a>, mut entries: Cursor<'a>) -> Result<()> {
        let (attrs, types) = (cursor.count()?, cursor.count()?);
        while self.attrs.len() < attrs {
            let (dialect, n) = self.group(&mut cursor)?;
            for _ in 0..n {
                let entry = entry(dialect, &mut cursor, &mut entries)?;
                self.attrs.push(entry);
            }
        }
        while self.types.len() < types {
            let (dialect, n) = self.group(&mut cursor)?;
            for _ in 0..n {
                let entry = entry(dialect, &mut cursor, &mut entries)?;
                self.types.push(entry);
            }
        }
        Ok(())
    }

    fn group(&self, cursor: &mut Cursor) -> Result<(usize, usize)> {
        let dialect = cursor.index("dialect", self.dialects.len())?;
        Ok((dialect, cursor.count()?))
    }
}

fn too_deep<T>(at: &Cursor) -> Result<T> {
    at.fail(format!("attributes and types refer to others more than {MAX_DEPTH} deep"))
}

/// Names of operations are no longer, whatever an artifact repeats.
const MAX_NAME: usize = 1000;

fn entry<'a, T>(dialect: usize, cursor: &mut Cursor, entries: &mut Cursor<'a>) -> Result<Entry<'a, T>> {
    let at = *cursor;
    let (size, encoded) = cursor.flagged()?;
    let size = at.in_range("an extent of", size, entries.remaining() + 1)?;
    Ok(Entry { dialect, encoded, bytes: entries.part(size)?, state: State::Unread })
}

/// The lengths of all texts, last first, then the texts; each ends with a zero, which is counted.
fn strings(mut cursor: Cursor) -> Result<Vec<Arc<str>>> {
    let n = cursor.count()?;
    let mut lengths = Vec::with_capacity(n);
    for _ in 0..n {
        let at = cursor;
        let length = cursor.varint()?;
        match usize::try_from(length) {
            Ok(length) if (1..=cursor.remaining()).contains(&length) => lengths.push(length),
            _ => return at.fail(format!("a text of {length} bytes, where {} are left", cursor.remaining())),
        }
    }
    let read = |length: &usize| Ok(text(&cursor.take(*length)?[..length - 1]));
    lengths.iter().rev().map(read).collect()
}

pub fn text(bytes: &[u8]) -> Arc<str> {
    String::from_utf8_lossy(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of nothing, and lists that hold the one before.
    fn lists(bytes: &[u8]) -> Table<'_> {
        let of = |n: usize| {
            let (start, len) = if n == 0 { (0, 2) } else { (2 + (n - 1) * 11, 11) };
            let bytes = Cursor::new(&bytes[start..start + len], start);
            Entry { dialect: 0, encoded: true, bytes, state: State::Unread }
        };
        Table {
            version: 6,
            strings: Vec::new(),
            dialects: vec!["builtin".into()],
            ops: Vec::new(),
            attrs: (0..1 + (bytes.len() - 2) / 11).map(of).collect(),
            types: Vec::new(),
            locations: Locations::default(),
            depth: 0,
            below: 0,
        }
    }

    #[test]
    fn attributes_are_no_higher_than_they_may_refer_to_others() {
        // Code 0, a number of elements, and a number of eight bytes, which follow a zero.
        let one = |n: u64| [&[1, 3, 0][..], &n.to_le_bytes()].concat();
        let bytes: Vec<u8> = [1, 1].into_iter().chain((0..100_000).flat_map(one)).collect();
        let mut table = lists(&bytes);
        let at = Cursor::new(&[], 7);
        let read = (0..100_000).map(|n| table.attr_number(&at, n)).take_while(Result::is_ok).count();
        assert_eq!(read, MAX_DEPTH);
        // From above, what is deep is refused as well.
        assert!(lists(&bytes).attr_number(&at, 99_999).is_err());
    }
}
