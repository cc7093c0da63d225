//! The container of MLIR bytecode: a header, then sections by number.

use super::cursor::Cursor;
use crate::error::Result;

/// The first bytes of every artifact.
pub const MAGIC: [u8; 4] = *b"ML\xefR";

/// The newest version of the container that is read.
const NEWEST: u64 = 6;

/// What each version of the container brought.
pub const DIALECT_VERSIONS: u64 = 1;
pub const SECTIONS_OF_REGIONS: u64 = 2;
pub const USE_LIST_ORDERS: u64 = 3;
pub const FLAGGED_ARGUMENTS: u64 = 4;
pub const PROPERTIES: u64 = 5;

/// The sections that are read, by their number.
pub const STRINGS: usize = 0;
pub const DIALECTS: usize = 1;
pub const ENTRIES: usize = 2;
pub const OFFSETS: usize = 3;
pub const IR: usize = 4;
pub const PROPERTY_BLOBS: usize = 8;
const SECTIONS: usize = 9;

/// The artifact, divided.
pub struct Container<'a> {
    pub version: u64,
    sections: [Option<Cursor<'a>>; SECTIONS],
    end: Cursor<'a>,
}

impl<'a> Container<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Container<'a>> {
        let mut cursor = Cursor::new(bytes, 0);
        if !bytes.starts_with(&MAGIC) {
            return cursor.fail("this is no MLIR bytecode");
        }
        cursor.take(MAGIC.len())?;
        let at = cursor;
        let version = cursor.varint()?;
        if version > NEWEST {
            return at.fail(format!(
                "bytecode of format {version}; formats up to {NEWEST} are read: lower the target version"
            ));
        }
        cursor.zero_terminated()?;
        let mut sections = [None; SECTIONS];
        while !cursor.is_empty() {
            let at = cursor;
            let (number, section) = section(&mut cursor)?;
            match sections.get_mut(number) {
                None => return at.fail(format!("section number {number} is unknown")),
                Some(Some(_)) => return at.fail(format!("section number {number} stands there twice")),
                Some(slot) => *slot = Some(section),
            }
        }
        Ok(Container { version, sections, end: cursor })
    }

    /// The section of that number.
    pub fn section(&self, number: usize, name: &str) -> Result<Cursor<'a>> {
        match self.sections[number] {
            Some(section) => Ok(section),
            None => self.end.fail(format!("the section of {name} is missing")),
        }
    }

    pub fn optional(&self, number: usize) -> Option<Cursor<'a>> {
        self.sections[number]
    }
}

/// A section: its number, its length, padding where it is aligned, its bytes.
pub fn section<'a>(cursor: &mut Cursor<'a>) -> Result<(usize, Cursor<'a>)> {
    let head = cursor.byte()?;
    let at = *cursor;
    let length = cursor.varint()?;
    if head & 0x80 != 0 {
        let alignment = cursor.varint()?;
        if !alignment.is_power_of_two() {
            return at.fail(format!("an alignment of {alignment} bytes"));
        }
        cursor.align(alignment)?;
    }
    match usize::try_from(length) {
        Ok(length) if length <= cursor.remaining() => Ok(((head & 0x7f) as usize, cursor.part(length)?)),
        _ => at.fail(format!("a section of {length} bytes, where {} are left", cursor.remaining())),
    }
}
