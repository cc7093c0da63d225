//! The header: `HloModule name, attributes`, and the stack frame tables below it.

use super::Parser;
use super::{shape, values};
use crate::instruction::Notes;
use crate::module::{Alias, Donor};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};
use std::sync::Arc;

/// Header attributes kept as text.
const KNOWN: &[&str] = &[
    "alias_passthrough_params",
    "allow_spmd_sharding_propagation_to_output",
    "allow_spmd_sharding_propagation_to_parameters",
    "debug_attributes",
    "frontend_attributes",
    "is_scheduled",
    "num_partitions",
    "origin_recovery_table",
    "replica_count",
];

/// What the tables say about stack frames, as far as it is used.
#[derive(Default)]
pub(super) struct Frames {
    files: Vec<String>,
    /// File (from 1) and line.
    locations: Vec<(usize, usize)>,
    /// Location (from 1).
    frames: Vec<usize>,
}

impl Frames {
    /// The place in the user's program that metadata tells: base name of the file, and line.
    pub fn location(&self, notes: &Notes) -> Option<Arc<str>> {
        if let (Some(file), Some(line)) = (notes.metadata("source_file"), notes.metadata("source_line")) {
            return Some(place(file, line));
        }
        let frame = notes.metadata("stack_frame_id")?.parse::<usize>().ok()?;
        let location = self.frames.get(frame.checked_sub(1)?)?;
        let (file, line) = self.locations.get(location.checked_sub(1)?)?;
        Some(place(self.files.get(file.checked_sub(1)?)?, &line.to_string()))
    }
}

fn place(file: &str, line: &str) -> Arc<str> {
    let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
    format!("{base}:{line}").into()
}

impl<'t> Parser<'t> {
    /// Reads the header, if there is one.
    pub(super) fn header(&mut self) -> Parsed<()> {
        if !self.cur.eat_word("HloModule") {
            return Ok(());
        }
        self.module.name = self.cur.name("the name of the module")?.0.into();
        self.cur.eat(b':');
        let mut seen: Vec<&str> = Vec::new();
        while self.cur.eat(b',') {
            let (key, span) = values::key(&mut self.cur)?;
            if seen.contains(&key) {
                return Err(Fault::new(span, format!("a second `{key}=`")));
            }
            seen.push(key);
            match key {
                "input_output_alias" => {
                    self.module.header.aliases = self.cur.braced("to begin the aliases", alias)?;
                }
                "buffer_donor" => {
                    self.module.header.donors = self.cur.braced("to begin the donors", donor)?;
                }
                "entry_computation_layout" => {
                    self.module.header.entry_layout = Some(entry_layout(&mut self.cur)?);
                }
                _ if KNOWN.contains(&key) => {
                    let value = values::verbatim(&mut self.cur)?;
                    self.module.header.rest.push((key.to_string(), value));
                }
                _ => return Err(Fault::new(span, format!("a module has no attribute `{key}=`"))),
            }
        }
        self.tables()
    }

    fn tables(&mut self) -> Parsed<()> {
        self.cur.blank();
        let start = self.cur.pos;
        let mut end = start;
        for table in ["FileNames", "FunctionNames", "FileLocations", "StackFrames"] {
            // A computation may bear such a name; a table goes on with a number, or is empty.
            let mut ahead = self.cur.clone();
            if !ahead.eat_word(table) {
                continue;
            }
            let after_name = ahead.pos;
            if matches!(ahead.peek(), Some(b'{' | b'(')) {
                continue;
            }
            self.cur = ahead;
            end = after_name;
            let mut count = 0;
            while matches!(self.cur.peek(), Some(b'0'..=b'9')) {
                let at = self.cur.pos;
                count += 1;
                if self.cur.index("an entry number")? != count {
                    return Err(Fault::new(
                        at..self.cur.pos,
                        format!("entry {count} of {table} stands here"),
                    ));
                }
                self.table_entry(table)?;
                end = self.cur.pos;
            }
        }
        if end > start {
            self.module.header.tables = Some(self.cur.text(start..end).to_string());
        }
        Ok(())
    }

    fn table_entry(&mut self, table: &str) -> Parsed<()> {
        if matches!(table, "FileNames" | "FunctionNames") {
            let name = self.cur.string()?;
            if table == "FileNames" {
                self.frames.files.push(name[1..name.len() - 1].to_string());
            }
            return Ok(());
        }
        let fields = values::pairs(&mut self.cur)?;
        let number = |key: &str| {
            let value = fields.iter().find(|(k, _)| k == key).map(|(_, v)| v);
            value.and_then(|v| v.parse::<usize>().ok()).unwrap_or(0)
        };
        if table == "FileLocations" {
            self.frames.locations.push((number("file_name_id"), number("line")));
        } else {
            self.frames.frames.push(number("file_location_id"));
        }
        Ok(())
    }
}

/// `{out}: (parameter, {index}, may-alias)`; the kind may be left out.
fn alias(cur: &mut Cursor<'_>) -> Parsed<Alias> {
    let output = path(cur)?;
    cur.expect(b':', "after the index of the output")?;
    cur.expect(b'(', "to begin the parameter")?;
    let parameter = cur.index("a parameter number")?;
    cur.expect(b',', "after the parameter number")?;
    let parameter_index = path(cur)?;
    let kinds = [("may-alias", false), ("must-alias", true)];
    let must = if cur.eat(b',') { values::one_of(&kinds)(cur)? } else { false };
    cur.expect(b')', "to end the parameter")?;
    Ok(Alias { output, parameter, parameter_index, must })
}

/// `(parameter, {index})`.
fn donor(cur: &mut Cursor<'_>) -> Parsed<Donor> {
    cur.expect(b'(', "to begin the parameter")?;
    let parameter = cur.index("a parameter number")?;
    cur.expect(b',', "after the parameter number")?;
    let parameter_index = path(cur)?;
    cur.expect(b')', "to end the parameter")?;
    Ok(Donor { parameter, parameter_index })
}

fn path(cur: &mut Cursor<'_>) -> Parsed<Vec<usize>> {
    cur.braced("to begin the index of a leaf", |c| c.index("a tuple index"))
}

/// `{(shapes)->shape}`.
fn entry_layout(cur: &mut Cursor<'_>) -> Parsed<(Vec<crate::Shape>, crate::Shape)> {
    cur.expect(b'{', "to begin the layout of the entry")?;
    cur.expect(b'(', "to begin the parameter shapes")?;
    let mut parameters = Vec::new();
    if !cur.eat(b')') {
        loop {
            parameters.push(shape::shape(cur)?);
            if cur.eat(b')') {
                break;
            }
            cur.expect(b',', "or `)` after a parameter shape")?;
        }
    }
    if !cur.eat_symbol("->") {
        return Err(cur.unexpected("`->` and the result shape"));
    }
    let result = shape::shape(cur)?;
    cur.expect(b'}', "to end the layout of the entry")?;
    Ok((parameters, result))
}
