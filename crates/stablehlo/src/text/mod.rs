//! Reading StableHLO text: what `jax.jit(f).lower(x).as_text()` prints, and MLIR's generic form.
//!
//! One lenient grammar for all operations: what stands between the name and the colon is operands, names with values, words
//! and lists (`items`), which `forms` gives the names that operations have in memory. Only regions, functions, `reduce` and
//! `while` have forms of their own. Errors name line and column.

mod attrs;
mod cursor;
mod forms;
mod function;
mod items;
mod literal;
mod location;
mod op;
mod regions;
mod types;

use crate::error::{Error, Place, Result};
use crate::ir::{Attr, Loc, Module, Op, Type, ValueId};
use cursor::Cursor;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Reads the text of a module.
pub fn read(text: &str) -> Result<Module> {
    let mut reader = Reader::new(text);
    reader.resources()?;
    let mut ops: Vec<Op> = Vec::new();
    while reader.more()? {
        ops.push(reader.operation()?);
    }
    let mut module = std::mem::take(&mut reader.module);
    match &mut ops[..] {
        [one] if &*one.name == "builtin.module" => {
            let one = ops.remove(0);
            module.fill(one)?;
        }
        // Functions without a module around them.
        _ => {
            let region = crate::ir::Region { ops, ..Default::default() };
            let op = Op { regions: vec![region], ..Op::named("builtin.module") };
            module.fill(op)?;
        }
    }
    if module.functions.is_empty() {
        return Err(Error::malformed(Place::Text { line: 1, column: 1 }, "the text has no function"));
    }
    Ok(module)
}

/// A text that is being read.
pub struct Reader<'a> {
    cursor: Cursor<'a>,
    /// Where each line begins.
    lines: Vec<usize>,
    /// `#name = …`, wherever it stands.
    aliases: FxHashMap<&'a str, Alias>,
    /// Bytes of arrays that stand at the end of the text.
    resources: FxHashMap<String, Arc<[u8]>>,
    /// What is known by name in each open region, the innermost last: the first value, and how many there are.
    scopes: Vec<FxHashMap<&'a str, (ValueId, usize)>>,
    /// The types of all values of the open function.
    types: Vec<Type>,
    module: Module,
    /// How many brackets, regions and locations are open, those of open aliases with them.
    depth: usize,
    /// How high the highest is of the attributes and types that the one being read has named so far.
    below: usize,
    /// How many aliases are being read, one within the other: calls of a deep stack.
    open_aliases: usize,
}

/// How deep aliases may refer to others.
const MAX_ALIASES: usize = 128;

/// How much deeper things may nest for each open alias: `loc(callsite(#a at #b))` takes three levels.
const LEVELS_OF_ALIAS: usize = 3;

#[derive(Clone)]
enum Alias {
    At(usize),
    /// Asked for by itself.
    Open,
    /// With its height: that of the highest that it is made of, and one.
    Known(Attr, usize),
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        let mut aliases = FxHashMap::default();
        for &start in &lines {
            let line = &text[start..];
            let Some(rest) = line.strip_prefix('#') else { continue };
            let Some(end) = rest.find([' ', '=', '\n']) else { continue };
            let after = rest[end..].trim_start_matches(' ');
            if let Some(value) = after.strip_prefix('=') {
                aliases.insert(&rest[..end], Alias::At(text.len() - value.len()));
            }
        }
        Reader {
            cursor: Cursor::new(text),
            lines,
            aliases,
            resources: FxHashMap::default(),
            scopes: Vec::new(),
            types: Vec::new(),
            module: Module::default(),
            depth: 0,
            below: 0,
            open_aliases: 0,
        }
    }

    /// Skips aliases and resources; whether an operation follows.
    fn more(&mut self) -> Result<bool> {
        loop {
            match self.cursor.peek() {
                None => return Ok(false),
                Some(b'#') => {
                    self.cursor.expect("#")?;
                    self.cursor.suffix();
                    self.cursor.expect("=")?;
                    self.attr()?;
                }
                Some(b'{') if self.cursor.rest().starts_with("{-#") => {
                    let rest = self.cursor.rest();
                    let Some(end) = rest.find("#-}") else {
                        return self.cursor.fail("the resources have no end");
                    };
                    self.cursor.pos += end + 3;
                }
                Some(_) => return Ok(true),
            }
        }
    }

    /// The attribute that an alias stands for.
    fn alias(&mut self, name: &str) -> Attr {
        let Some((&name, alias)) = self.aliases.get_key_value(name) else {
            return Attr::Other(format!("#{name}").into());
        };
        match alias.clone() {
            Alias::Known(attr, height) => {
                // Whoever asks is no higher: it is the same attribute.
                self.below = height - 1;
                attr
            }
            Alias::Open => Attr::Other("an alias of itself".into()),
            Alias::At(pos) => {
                self.aliases.insert(name, Alias::Open);
                let before = std::mem::replace(&mut self.cursor.pos, pos);
                let depth = self.depth;
                self.below = 0;
                self.open_aliases += 1;
                let attr = match self.open_aliases > MAX_ALIASES {
                    true => self.cursor.fail(format!("aliases refer to others more than {MAX_ALIASES} deep")),
                    false => self.attr(),
                };
                self.open_aliases -= 1;
                (self.cursor.pos, self.depth) = (before, depth);
                // What is wrong there is found when the line itself is read.
                let attr = attr.unwrap_or_else(|_| Attr::Other(format!("#{name}").into()));
                let height = if attr.is_made_of_others() { self.below } else { 1 };
                self.aliases.insert(name, Alias::Known(attr.clone(), height));
                self.below = height - 1;
                attr
            }
        }
    }

    fn location_alias(&mut self, name: &str) -> Loc {
        match self.alias(name) {
            Attr::Location(loc) => loc,
            _ => Loc::default(),
        }
    }

    /// The place of what comes next.
    fn place(&mut self) -> Place {
        self.cursor.blank();
        let line = self.lines.partition_point(|&start| start <= self.cursor.pos);
        let start = self.lines[line - 1];
        // Lines of megabytes are counted in bytes.
        let column = match self.cursor.pos - start {
            n if n < 4096 => self.cursor.text[start..self.cursor.pos].chars().count(),
            n => n,
        };
        Place::Text { line: line as u32, column: 1 + column as u32 }
    }

    /// Reads the bytes at the end of the text: `{-# dialect_resources: {builtin: {name: "0x…"}} #-}`.
    fn resources(&mut self) -> Result<()> {
        let text = self.cursor.text;
        let Some(start) = text.rfind("{-#") else { return Ok(()) };
        let mut ahead = Cursor { text, pos: start + 3 };
        let mut name = None;
        while let Some(next) = ahead.peek() {
            match next {
                b'"' => {
                    let at = ahead.clone();
                    let Some(bytes) = literal::hex(&ahead.string()?) else {
                        return at.fail("these are no hexadecimal bytes");
                    };
                    if let Some(name) = name.take() {
                        self.resources.insert(name, bytes.into());
                    }
                }
                b'#' => return Ok(()),
                _ => match ahead.word() {
                    Some(word) => name = Some(word.to_string()),
                    None => ahead.pos += 1,
                },
            }
            while !text.is_char_boundary(ahead.pos) {
                ahead.pos += 1;
            }
        }
        Ok(())
    }
}
