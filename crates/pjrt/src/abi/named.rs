//! Names with values: options that are given, and properties that are told.

use super::memory::{Pointer, Slice};
use std::ffi::c_void;

/// A value of an option or a property.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Text(String),
    Int(i64),
    Ints(Vec<i64>),
    Float(f64),
    Bool(bool),
}

/// A name with its value, as the C API has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NamedValue {
    struct_size: usize,
    extension: *const c_void,
    name: Slice<u8>,
    kind: u32,
    value: Raw,
    size: usize,
}

// SAFETY: what it points to is only read.
unsafe impl Send for NamedValue {}
// SAFETY: as above.
unsafe impl Sync for NamedValue {}

/// The value, by its kind.
#[repr(C)]
#[derive(Clone, Copy)]
union Raw {
    text: Pointer<u8>,
    int: i64,
    ints: Pointer<i64>,
    float: f32,
    bool: u8,
}

const TEXT: u32 = 0;
const INT: u32 = 1;
const INTS: u32 = 2;
const FLOAT: u32 = 3;
const BOOL: u32 = 4;

impl NamedValue {
    pub fn name(&self) -> String {
        self.name.to_text()
    }

    /// The value; nothing where its kind is unknown.
    pub fn value(&self) -> Option<Value> {
        // SAFETY: every reading below is of the kind that the value says it has.
        unsafe {
            Some(match self.kind {
                TEXT => Value::Text(String::from_utf8_lossy(self.value.text.array(self.size)).into_owned()),
                INT => Value::Int(self.value.int),
                INTS => Value::Ints(self.value.ints.array(self.size).to_vec()),
                FLOAT => Value::Float(self.value.float.into()),
                BOOL => Value::Bool(self.value.bool != 0),
                _ => return None,
            })
        }
    }

    /// A name and a value that their owner keeps longer than this.
    fn lend(name: &str, value: &Value) -> NamedValue {
        let (kind, raw, size) = match value {
            Value::Text(text) => (TEXT, Raw { text: Pointer::lend(text.as_bytes()) }, text.len()),
            Value::Int(int) => (INT, Raw { int: *int }, 1),
            Value::Ints(ints) => (INTS, Raw { ints: Pointer::lend(ints) }, ints.len()),
            Value::Float(float) => (FLOAT, Raw { float: *float as f32 }, 1),
            Value::Bool(bool) => (BOOL, Raw { bool: (*bool).into() }, 1),
        };
        NamedValue {
            struct_size: size_of::<NamedValue>(),
            extension: std::ptr::null(),
            name: Slice::text(name),
            kind,
            value: raw,
            size,
        }
    }
}

/// Properties with what they look like in the C API.
pub struct Properties {
    /// What `lent` points to.
    _own: Vec<(String, Value)>,
    lent: Vec<NamedValue>,
}

impl Properties {
    pub fn new(own: Vec<(String, Value)>) -> Properties {
        let lent = own.iter().map(|(name, value)| NamedValue::lend(name, value)).collect();
        Properties { _own: own, lent }
    }

    pub fn lent(&self) -> &[NamedValue] {
        &self.lent
    }
}
