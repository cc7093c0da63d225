//! Reading portable artifacts: MLIR bytecode whose operations are those of VHLO.
//!
//! The bytes are not trusted. What is damaged is an error with its offset; every count is bounded by the bytes that are
//! left, every nesting by a constant, so that memory and stack stay within a multiple of the input's size.

mod attributes;
mod body;
mod builtin;
mod cursor;
mod properties;
mod sections;
mod table;
mod tensor;
mod vhlo;

use crate::error::{Error, Result};
use crate::ir::Module;
use body::{Reader, Scope};
use properties::Properties;
use sections::Container;
use table::Table;

/// Reads an artifact.
pub fn read(bytes: &[u8]) -> Result<Module> {
    let container = Container::read(bytes)?;
    let table = Table::read(&container)?;
    let properties = match container.optional(sections::PROPERTY_BLOBS) {
        Some(section) => Properties::read(section)?,
        None => Properties::default(),
    };
    let mut reader = Reader { table, properties };
    let mut ir = container.section(sections::IR, "operations")?;
    let start = ir.place();
    let ops = reader.block(&mut ir, &mut Scope::default())?;
    let mut module = Module::default();
    for op in ops {
        match &*op.name {
            "builtin.module" => module.fill(op)?,
            name => return Err(Error::malformed(op.place, format!("{name} stands where a module should"))),
        }
    }
    if module.functions.is_empty() {
        return Err(Error::malformed(start, "the artifact has no function"));
    }
    module.locations = std::mem::take(&mut reader.table.locations);
    Ok(module)
}

/// Whether these bytes begin as an artifact does.
pub fn is_artifact(bytes: &[u8]) -> bool {
    bytes.starts_with(&sections::MAGIC)
}
