//! Attributes: values that are part of an operation. Cloning is cheap, whatever they hold.

use super::location::Loc;
use super::types::Type;
use lawson_hlo::dtype::{DType, TypeKind};
use lawson_hlo::{ArrayShape, Literal};
use std::sync::Arc;

/// Names and values of a dictionary, in order.
pub type Entries = Arc<[(Arc<str>, Attr)]>;

#[derive(Clone, Debug)]
pub enum Attr {
    /// Stands there and says nothing more.
    Unit,
    Bool(bool),
    /// An integer of at most 64 bits; unsigned ones as their bits.
    Int(i64),
    Float(f64),
    /// A text, or the name of an alternative: `LT`.
    String(Arc<str>),
    /// `@name`
    Symbol(Arc<str>),
    Array(Arc<[Attr]>),
    /// `array<i64: 1, 2>`
    Ints(Arc<[i64]>),
    Dict(Entries),
    Type(Type),
    Dense(Arc<Dense>),
    Location(Loc),
    /// What no operation that Lawson reads needs, as text.
    Other(Arc<str>),
}

/// Known elements: all of them, or the one that all are.
#[derive(Clone, Debug)]
pub struct Dense {
    pub shape: ArrayShape,
    /// As [`Literal`] has them; of a splat those of one element.
    pub bytes: Arc<[u8]>,
    pub splat: bool,
}

/// Lists of numbers that are part of operations are no longer than this.
const MAX_LIST: i64 = 1 << 20;

/// One number for so many places at most: those that repeat it are not longer for it.
const MAX_SPLAT: i64 = 1024;

impl Dense {
    /// An array whose elements lie in memory as MLIR has them: all, or one that all are. Truth values are bits, eight to a
    /// byte, or bytes. `None` where the number of bytes fits neither.
    pub fn from_memory(shape: ArrayShape, memory: &[u8]) -> Option<Dense> {
        let (dtype, size) = (shape.dtype, shape.dtype.size());
        let elements = usize::try_from(shape.checked_elements()?).ok()?;
        let of = |bytes: Arc<[u8]>, splat| Some(Dense { shape, bytes, splat });
        if elements == 0 {
            return of(Arc::new([]), false);
        }
        if dtype.is_pred() && (memory.len() != elements || elements == 1) {
            return match *memory {
                [all @ (0x00 | 0xff)] if elements > 1 => of(Arc::new([all & 1]), true),
                _ if memory.len() != elements.div_ceil(8) => None,
                _ => of((0..elements).map(|i| memory[i / 8] >> (i % 8) & 1).collect(), false),
            };
        }
        match memory.len() {
            n if Some(n) == elements.checked_mul(size) => of(extended(dtype, memory), false),
            n if n == size => of(extended(dtype, memory), true),
            _ => None,
        }
    }

    /// The element that all are.
    pub fn splat_value(&self) -> Option<Literal> {
        let scalar = ArrayShape::new(self.shape.dtype, []);
        self.splat.then(|| Literal::new(scalar, self.bytes.clone()))
    }

    /// All elements; a splat is written out, so this is for arrays known to be small or no splats.
    pub fn literal(&self) -> Literal {
        match self.splat {
            true => {
                Literal::new(self.shape.clone(), self.bytes.repeat(self.shape.elements().max(0) as usize))
            }
            false => Literal::new(self.shape.clone(), self.bytes.clone()),
        }
    }

    /// The elements as integers, if they are a list of reasonable length.
    pub fn ints(&self) -> Option<Vec<i64>> {
        let dtype = self.shape.dtype;
        let fits = dtype.is_integer() || dtype.is_pred();
        let most = if self.splat { MAX_SPLAT } else { MAX_LIST };
        if !fits || self.shape.checked_elements().is_none_or(|n| n > most) {
            return None;
        }
        self.literal().scalars().map(|s| s.as_i128().map(|i| i as i64)).collect()
    }
}

/// Integers narrower than a byte are extended to one.
fn extended(dtype: DType, bytes: &[u8]) -> Arc<[u8]> {
    let unused = 8u32.saturating_sub(dtype.bits());
    match dtype.kind() {
        TypeKind::Signed(_) if unused > 0 => {
            bytes.iter().map(|b| (((b << unused) as i8) >> unused) as u8).collect()
        }
        TypeKind::Unsigned(_) if unused > 0 => bytes.iter().map(|b| b << unused >> unused).collect(),
        TypeKind::Pred => bytes.iter().map(|b| (*b != 0) as u8).collect(),
        TypeKind::Signed(_)
        | TypeKind::Unsigned(_)
        | TypeKind::Float(_)
        | TypeKind::Field(_)
        | TypeKind::Composite(_) => bytes.into(),
    }
}

impl Attr {
    pub fn string(text: impl Into<Arc<str>>) -> Attr {
        Attr::String(text.into())
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Attr::String(s) | Attr::Symbol(s) => Some(s),
            _ => None,
        }
    }

    /// An integer, or the only element of an array of them.
    pub fn int(&self) -> Option<i64> {
        match self {
            Attr::Int(i) => Some(*i),
            Attr::Dense(d) if d.shape.checked_elements() == Some(1) => d.ints()?.first().copied(),
            _ => None,
        }
    }

    pub fn bool(&self) -> Option<bool> {
        match self {
            Attr::Bool(b) => Some(*b),
            Attr::Unit => Some(true),
            _ => None,
        }
    }

    /// A list of integers, in any of the forms of MLIR.
    pub fn ints(&self) -> Option<Vec<i64>> {
        match self {
            Attr::Ints(list) => Some(list.to_vec()),
            Attr::Array(list) => list
                .iter()
                .map(|a| match a {
                    Attr::Int(i) => Some(*i),
                    Attr::Bool(b) => Some(*b as i64),
                    _ => None,
                })
                .collect(),
            Attr::Dense(dense) => dense.ints(),
            _ => None,
        }
    }

    /// A list of lists of integers. Those that are named several times count as often.
    pub fn lists(&self) -> Option<Vec<Vec<i64>>> {
        let Attr::Array(lists) = self else { return None };
        let mut left = MAX_LIST as usize;
        let list = |list: &Attr| {
            let numbers = list.ints()?;
            left = left.checked_sub(numbers.len())?;
            Some(numbers)
        };
        lists.iter().map(list).collect()
    }

    /// The integers of a list, or of a list of lists.
    pub fn numbers(&self) -> Option<Vec<i64>> {
        self.ints().or_else(|| Some(self.lists()?.concat()))
    }

    /// Whether it is made of other attributes or types.
    pub fn is_made_of_others(&self) -> bool {
        matches!(self, Attr::Array(_) | Attr::Dict(_) | Attr::Type(Type::Function(_)))
    }

    pub fn entries(&self) -> &[(Arc<str>, Attr)] {
        match self {
            Attr::Dict(entries) => entries,
            _ => &[],
        }
    }

    /// The entry of a dictionary.
    pub fn get(&self, name: &str) -> Option<&Attr> {
        self.entries().iter().find(|(n, _)| &**n == name).map(|(_, a)| a)
    }
}
