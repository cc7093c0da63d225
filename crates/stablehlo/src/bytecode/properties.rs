//! Properties of operations: attributes without names, in a fixed order.

use super::attributes;
use super::cursor::Cursor;
use super::table::{OpName, Table};
use crate::error::{Error, Result};
use crate::ir::Attr;
use std::sync::Arc;

/// The properties of an artifact, by number.
#[derive(Default)]
pub struct Properties<'a> {
    blobs: Vec<Cursor<'a>>,
}

impl<'a> Properties<'a> {
    pub fn read(mut cursor: Cursor<'a>) -> Result<Properties<'a>> {
        let n = cursor.count()?;
        let mut blobs = Vec::with_capacity(n);
        for _ in 0..n {
            let size = cursor.count()?;
            blobs.push(cursor.part(size)?);
        }
        Ok(Properties { blobs })
    }

    /// The attributes of an operation, whose properties have the number that comes next.
    pub fn of(&self, table: &mut Table, op: &OpName, cursor: &mut Cursor) -> Result<Vec<(Arc<str>, Attr)>> {
        let n = cursor.index("property", self.blobs.len())?;
        let mut blob = self.blobs[n];
        if !op.registered {
            let attr = table.attr(&mut blob)?;
            return Ok(attr.entries().to_vec());
        }
        if &*op.name == "builtin.module" {
            // The only ones that may be missing.
            let mut attrs = Vec::new();
            for name in ["sym_name", "sym_visibility"] {
                let at = blob;
                if let (n, true) = blob.flagged()? {
                    attrs.push((name.into(), table.attr_number(&at, n)?));
                }
            }
            return Ok(attrs);
        }
        // Operations of other dialects (`sdy`) have properties that nothing here needs.
        if op.versioned.is_empty() {
            return Ok(Vec::new());
        }
        let mut attrs = Vec::new();
        for name in attributes::attributes(&op.versioned).into_iter().flatten() {
            attrs.push((name.into(), table.attr(&mut blob)?));
        }
        // What is left are attributes of a version that is not known: defaults in their place would be wrong.
        match blob.is_empty() {
            true => Ok(attrs),
            false => Err(Error::unsupported(
                blob.place(),
                format!("op {}: attributes of another version: vhlo.{}", op.name, op.versioned),
            )),
        }
    }
}
