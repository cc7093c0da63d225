//! Attributes and types of VHLO, the versioned form of StableHLO that artifacts are written in.

use super::cursor::Cursor;
use super::table::Table;
use super::tensor;
use crate::error::Result;
use crate::ir::{Attr, Signature, Type, dtype};
use lawson_hlo::Shape;
use std::sync::Arc;

const DIRECTIONS: &[&str] = &["EQ", "NE", "GE", "GT", "LE", "LT"];
const ORDERS: &[&str] = &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"];
const API_VERSIONS: &[&str] = &[
    "API_VERSION_UNSPECIFIED",
    "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI",
];
const TRANSFORMS: &[&str] = &["FFT", "IFFT", "RFFT", "IRFFT"];
const PRECISIONS: &[&str] = &["DEFAULT", "HIGH", "HIGHEST"];
const ALGORITHMS: &[&str] = &["DEFAULT", "THREE_FRY", "PHILOX"];
const DISTRIBUTIONS: &[&str] = &["", "UNIFORM", "NORMAL"];
const TRANSPOSES: &[&str] = &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"];
const ACCURACIES: &[&str] = &["DEFAULT", "HIGHEST", "TOLERANCE"];

/// One attribute, by its code.
pub fn attr(table: &mut Table, cursor: &mut Cursor) -> Result<Attr> {
    let at = *cursor;
    let code = cursor.varint()?;
    let name = |names: &[&str], cursor: &mut Cursor| {
        let n = cursor.index("alternative", names.len())?;
        Ok(Attr::string(names[n]))
    };
    match code {
        1 => Ok(Attr::Array(table.attrs(cursor)?.into())),
        2 => Ok(Attr::Bool(cursor.index("truth value", 2)? == 1)),
        3 => name(DIRECTIONS, cursor),
        4 => name(ORDERS, cursor),
        5 => name(API_VERSIONS, cursor),
        6 => dictionary(table, cursor),
        7 => name(TRANSFORMS, cursor),
        8 => {
            let ty = table.ty(cursor)?;
            tensor::float(&ty, cursor)
        }
        9 => {
            let ty = table.ty(cursor)?;
            tensor::integer(&ty, cursor)
        }
        10 => {
            let output = cursor.signed_list()?;
            let operand = cursor.signed()?;
            let of_operand = cursor.signed_list()?;
            let ints = |list: Vec<i64>| Attr::Ints(list.into());
            let parts = [
                ("output_tuple_indices", ints(output)),
                ("operand_index", Attr::Int(operand)),
                ("operand_tuple_indices", ints(of_operand)),
            ];
            Ok(Attr::Dict(parts.map(|(n, a)| (n.into(), a)).into()))
        }
        11 => name(PRECISIONS, cursor),
        12 => name(ALGORITHMS, cursor),
        13 => name(DISTRIBUTIONS, cursor),
        14 => Ok(Attr::String(table.string(cursor)?)),
        15 => {
            let ty = table.ty(cursor)?;
            tensor::dense(&ty, cursor)
        }
        16 => name(TRANSPOSES, cursor),
        17 => Ok(Attr::Type(table.ty(cursor)?)),
        18 => Ok(Attr::Ints(cursor.signed_list()?.into())),
        19 => name(ACCURACIES, cursor),
        // How exact a result is wanted, and which devices of a mesh work on it: nothing that changes a value here.
        20..=25 => Ok(Attr::Other("an attribute of results or meshes".into())),
        _ => at.fail(format!("attribute code {code} of VHLO is unknown")),
    }
}

fn dictionary(table: &mut Table, cursor: &mut Cursor) -> Result<Attr> {
    let n = cursor.count()?;
    let mut entries = Vec::with_capacity(n);
    for _ in 0..n {
        let at = *cursor;
        let (name, value) = (table.attr(cursor)?, table.attr(cursor)?);
        match name {
            Attr::String(name) => entries.push((name, value)),
            _ => return at.fail("a name is wanted here"),
        }
    }
    Ok(Attr::Dict(entries.into()))
}

/// One type, by its code.
pub fn ty(table: &mut Table, cursor: &mut Cursor) -> Result<Type> {
    let at = *cursor;
    let code = cursor.varint()?;
    let name = match code {
        0 => "i1",
        2 => "bf16",
        3 => "f16",
        4 => "f32",
        5 => "f64",
        6 => "f8E4M3FN",
        7 => "f8E5M2",
        9 => "index",
        10 => "i4",
        11 => "i8",
        12 => "i16",
        13 => "i32",
        14 => "i64",
        15 => "ui4",
        16 => "ui8",
        17 => "ui16",
        18 => "ui32",
        19 => "ui64",
        27 => "f8E4M3FNUZ",
        28 => "f8E5M2FNUZ",
        29 => "f8E4M3B11FNUZ",
        31 => "i2",
        32 => "ui2",
        34 => "tf32",
        35 => "f8E4M3",
        36 => "f8E3M4",
        37 => "f4E2M1FN",
        38 => "f6E2M3FN",
        39 => "f6E3M2FN",
        40 => "f8E8M0FNU",
        _ => return composed(table, cursor, at, code),
    };
    Ok(dtype(name).map_or_else(|| Type::refused(format!("the type {name}")), Type::Element))
}

/// Types that are made of others, and those that Lawson has no values of.
fn composed(table: &mut Table, cursor: &mut Cursor, at: Cursor, code: u64) -> Result<Type> {
    Ok(match code {
        1 => {
            let part = table.ty(cursor)?;
            Type::complex(&part)
        }
        8 => {
            let (inputs, outputs) = (table.types(cursor)?, table.types(cursor)?);
            Type::Function(Arc::new(Signature { inputs, outputs }))
        }
        20 | 21 => {
            let bounds = if code == 21 { Some(table.attr(cursor)?) } else { None };
            let dims = cursor.signed_list()?;
            let element = table.ty(cursor)?;
            match bounds {
                Some(Attr::Ints(_)) => Type::refused("a bounded dynamic shape: shapes must be static"),
                _ => Type::tensor(&element, dims),
            }
        }
        22 => Type::of(Shape::Token),
        23 => Type::tuple(&table.types(cursor)?),
        24 | 30 => Type::refused("quantized numbers"),
        25 => Type::refused("an array of unknown rank: shapes must be static"),
        26 => Type::refused("a witness of a shape: shapes must be static"),
        33 => Type::refused("nothing"),
        41 => Type::refused("a buffer"),
        42 => Type::refused("the future of an asynchronous operation"),
        _ => return at.fail(format!("type code {code} of VHLO is unknown")),
    })
}
