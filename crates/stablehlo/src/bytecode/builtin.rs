//! Attributes and types of MLIR itself: mostly where operations come from.

use super::cursor::Cursor;
use super::table::Table;
use super::tensor;
use crate::error::Result;
use crate::ir::{Attr, Location, Signature, Type, dtype};
use lawson_hlo::DType;
use std::sync::Arc;

/// One attribute, by its code.
pub fn attr(table: &mut Table, cursor: &mut Cursor) -> Result<Attr> {
    let at = *cursor;
    let code = cursor.varint()?;
    Ok(match code {
        0 => Attr::Array(table.attrs(cursor)?.into()),
        1 => {
            let n = cursor.count()?;
            let entry = |_| Ok((name(table, cursor)?, table.attr(cursor)?));
            Attr::Dict((0..n).map(entry).collect::<Result<_>>()?)
        }
        2 => Attr::String(table.string(cursor)?),
        3 => {
            let text = table.string(cursor)?;
            table.ty(cursor)?;
            Attr::String(text)
        }
        4 => Attr::Symbol(name(table, cursor)?),
        5 => {
            let root = name(table, cursor)?;
            table.attrs(cursor)?;
            Attr::Symbol(root)
        }
        6 => Attr::Type(table.ty(cursor)?),
        7 => Attr::Unit,
        8 => {
            let ty = table.ty(cursor)?;
            tensor::integer(&ty, cursor)?
        }
        9 => {
            let ty = table.ty(cursor)?;
            tensor::float(&ty, cursor)?
        }
        10 => {
            let (callee, caller) = (table.location(cursor)?, table.location(cursor)?);
            let (callee, caller) = (table.locations.get(callee), table.locations.get(caller));
            let location = Location::call(callee, caller);
            table.located(location)
        }
        11 => {
            let (file, line) = (name(table, cursor)?, cursor.varint()?);
            cursor.varint()?;
            table.located(file_line(file, line))
        }
        12 | 13 => {
            let n = cursor.count()?;
            let mut fused = Location::default();
            for _ in 0..n {
                let next = table.location(cursor)?;
                fused = Location::call(&fused, table.locations.get(next));
            }
            if code == 13 {
                table.attr(cursor)?;
            }
            table.located(fused)
        }
        14 => {
            let (name, child) = (name(table, cursor)?, table.location(cursor)?);
            let location = Location::named(name, table.locations.get(child));
            table.located(location)
        }
        15 => table.located(Location::default()),
        16 => {
            table.ty(cursor)?;
            Attr::Other("data kept in a resource".into())
        }
        17 => {
            let ty = table.ty(cursor)?;
            let n = cursor.varint()?;
            tensor::array(&ty, n, cursor)?
        }
        18 => {
            let ty = table.ty(cursor)?;
            tensor::dense(&ty, cursor)?
        }
        19..=21 => Attr::Other("an attribute of another kind".into()),
        22 => {
            let file = name(table, cursor)?;
            let n = cursor.count()?;
            let numbers: Vec<u64> = (0..n).map(|_| cursor.varint()).collect::<Result<_>>()?;
            table.located(file_line(file, numbers.first().copied().unwrap_or(0)))
        }
        _ => return at.fail(format!("attribute code {code} is unknown")),
    })
}

/// A text that is an attribute.
fn name(table: &mut Table, cursor: &mut Cursor) -> Result<Arc<str>> {
    let at = *cursor;
    match table.attr(cursor)? {
        Attr::String(text) | Attr::Symbol(text) => Ok(text),
        _ => at.fail("a text is wanted here"),
    }
}

fn file_line(file: Arc<str>, line: u64) -> Location {
    Location { scope: None, file: Some((file, u32::try_from(line).unwrap_or(0))) }
}

/// One type, by its code.
pub fn ty(table: &mut Table, cursor: &mut Cursor) -> Result<Type> {
    let at = *cursor;
    let code = cursor.varint()?;
    let element = |dtype| Ok(Type::Element(dtype));
    match code {
        0 => {
            let n = cursor.varint()?;
            let prefix = if n & 3 == 2 { "ui" } else { "i" };
            let name = format!("{prefix}{}", n >> 2);
            Ok(dtype(&name).map_or_else(|| Type::refused(format!("the type {name}")), Type::Element))
        }
        1 => element(DType::S64),
        2 => {
            let (inputs, outputs) = (table.types(cursor)?, table.types(cursor)?);
            Ok(Type::Function(Arc::new(Signature { inputs, outputs })))
        }
        3 => element(DType::Bf16),
        4 => element(DType::F16),
        5 => element(DType::F32),
        6 => element(DType::F64),
        9 => {
            let part = table.ty(cursor)?;
            Ok(Type::complex(&part))
        }
        13 => {
            let dims = cursor.signed_list()?;
            let element = table.ty(cursor)?;
            Ok(Type::tensor(&element, dims))
        }
        14 => {
            table.attr(cursor)?;
            let dims = cursor.signed_list()?;
            let element = table.ty(cursor)?;
            Ok(Type::tensor(&element, dims))
        }
        15 => Ok(Type::tuple(&table.types(cursor)?)),
        7 | 8 | 10..=12 | 16..=20 => Ok(Type::refused("a type that StableHLO does not have")),
        _ => at.fail(format!("type code {code} is unknown")),
    }
}
