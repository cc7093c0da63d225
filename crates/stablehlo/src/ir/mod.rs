//! What both readers make: functions of operations with attributes and regions, as StableHLO has them.
//!
//! Operations are named as in StableHLO text (`stablehlo.add`, `func.call`, `chlo.erf`); attributes are flat, as VHLO has
//! them: what the text groups in `#stablehlo.gather<…>` are attributes of the operation. Values are numbered within a
//! function. Everything is shared where the input shares it, so that nothing grows beyond the size of the input.

mod attr;
mod location;
mod types;

pub use attr::{Attr, Dense, Entries};
pub use location::{Loc, Location, Locations, MAX_NAME};
pub use types::{Signature, Type, dtype};

use crate::error::Place;
use std::sync::Arc;

/// How deep regions may nest.
pub const MAX_DEPTH: usize = 100;

mod function;

/// A value of a function: an argument of a region or a result of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(pub u32);

impl ValueId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub name: Arc<str>,
    pub attrs: Vec<(Arc<str>, Attr)>,
    pub functions: Vec<Function>,
    pub locations: Locations,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Arc<str>,
    /// Its arguments are those of the function; its last operation returns.
    pub body: Region,
    pub results: Vec<Type>,
    /// What is said of each argument; empty where nothing is said of any.
    pub arg_attrs: Vec<Attr>,
    pub place: Place,
}

impl Function {
    pub fn type_of(&self, value: ValueId) -> &Type {
        &self.body.values[value.index()]
    }
}

/// One block of operations, the last of which returns.
#[derive(Clone, Debug, Default)]
pub struct Region {
    pub args: Vec<ValueId>,
    pub ops: Vec<Op>,
    /// The types of all values by number, of the body of a function; else empty.
    pub values: Vec<Type>,
}

#[derive(Clone, Debug)]
pub struct Op {
    pub name: Arc<str>,
    pub operands: Vec<ValueId>,
    pub results: Vec<ValueId>,
    /// What decides its meaning.
    pub attrs: Vec<(Arc<str>, Attr)>,
    /// Further attributes; many operations may share them.
    pub dict: Option<Entries>,
    pub regions: Vec<Region>,
    pub loc: Loc,
    pub place: Place,
}

impl Op {
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        let all = self.attrs.iter().chain(self.dict.iter().flat_map(|d| &**d));
        all.into_iter().find(|(n, _)| &**n == name).map(|(_, a)| a)
    }

    /// The name without the dialect where that is StableHLO's.
    pub fn short_name(&self) -> &str {
        self.name.strip_prefix("stablehlo.").unwrap_or(&self.name)
    }
}
