//! One rule for mixed element types: JAX's lattice, with 64-bit types only where the program names them.
//!
//! ```text
//! pred → integers* → u8 → u16 → u32 → u64 → floats* → bf16 ┐
//!                    s8 → s16 → s32 → s64 ↗         → f16  ┴→ f32 → f64
//!                    uN → the s of twice the width            └→ c64 → c128 ← f64
//! ```
//!
//! An operation on several types takes the least type that all of them lead to. `integers*` and `floats*` are the weak
//! types: those of Rust's numbers, and of what is computed from them alone. They give way to any type of their own
//! class, and are s32 and f32 where nothing else decides. So `x * 0.1` keeps the type of a bf16 or f64 tensor `x`, and
//! is a weak f32 where `x` is of integers. u32 with a narrower signed type is s32, as JAX has it while 64-bit types are
//! off. Elements of a prime field go with whole numbers, with their own kind and with an extension of it. Integers below 8
//! bits and small floats have no common type with others, but that small floats take integers.

use crate::error::Fault;
use crate::fault;
use lawson_hlo::DType;

/// An element type, and whether it is weak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The element type.
    pub dtype: DType,
    /// It gives way to others of its class.
    pub weak: bool,
}

impl Kind {
    /// A type that does not give way.
    pub fn strong(dtype: DType) -> Kind {
        Kind { dtype, weak: false }
    }

    /// A weak type.
    pub fn weak(dtype: DType) -> Kind {
        Kind { dtype, weak: true }
    }
}

/// The type of an operation on elements of these types.
///
/// # Errors
/// Two of them lead to no common type.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::DType;
/// use lawson::tensor::promote::{Kind, result_type};
///
/// let found = result_type(&[Kind::strong(DType::Bf16), Kind::weak(DType::F32)]);
/// assert_eq!(found, Ok(Kind::strong(DType::Bf16)));
/// let found = result_type(&[Kind::strong(DType::F16), Kind::strong(DType::Bf16)]);
/// assert_eq!(found, Ok(Kind::strong(DType::F32)));
/// ```
pub fn result_type(kinds: &[Kind]) -> Result<Kind, Fault> {
    let mut found = Node::Pred;
    let mut seen = Kind::strong(DType::Pred);
    for &kind in kinds {
        found = match join(found, Node::of(kind)) {
            Some(node) => node,
            None => {
                let (a, b) = (seen.dtype, kind.dtype);
                if (a.is_field() && b.is_continuous()) || (b.is_field() && a.is_continuous()) {
                    return fault!(
                        "{a} and {b} have no common element type: a prime field has whole numbers alone"
                    );
                }
                return fault!("{a} and {b} have no common element type: convert one of them by `astype`");
            }
        };
        seen = kind;
    }
    let long = kinds.iter().any(|k| k.dtype.is_long_integer());
    Ok(match found {
        Node::Pred => Kind::strong(DType::Pred),
        Node::WeakInteger => Kind::weak(DType::S32),
        Node::WeakFloat => Kind::weak(DType::F32),
        Node::Strong(dtype) if dtype.is_long_integer() && !long => Kind::strong(DType::S32),
        Node::Strong(dtype) => Kind::strong(dtype),
    })
}

/// The type in which elements of a type are divided or exponentiated: itself of floats, complex numbers and fields, whose
/// quotients are exact, f64 of 64-bit integers, else f32.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::DType;
/// use lawson::tensor::promote::inexact;
///
/// assert_eq!((inexact(DType::S32), inexact(DType::S64)), (DType::F32, DType::F64));
/// assert_eq!(inexact(DType::Bf16), DType::Bf16);
/// ```
pub fn inexact(dtype: DType) -> DType {
    match dtype.is_continuous() || dtype.is_field() {
        true => dtype,
        false if dtype.is_long_integer() => DType::F64,
        false => DType::F32,
    }
}

/// As [`inexact`], for what lies between elements: averages and quantiles.
///
/// # Errors
/// The elements are of a prime field, where nothing lies between others.
pub(super) fn averaged(name: &str, dtype: DType) -> Result<DType, Fault> {
    match dtype.is_field() {
        true => fault!("`{name}` of {dtype}: a prime field has no averages; sums and quotients are exact"),
        false => Ok(inexact(dtype)),
    }
}

/// Whether an element of the first type is multiplied with one of the second as it is: an element of a prime field with
/// one of its extension.
pub(super) fn multiplies(from: DType, with: DType) -> bool {
    with.extension().is_some() && with.part() == from
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Pred,
    WeakInteger,
    WeakFloat,
    Strong(DType),
}

impl Node {
    fn of(kind: Kind) -> Node {
        let dtype = kind.dtype;
        if dtype.is_pred() {
            Node::Pred
        } else if kind.weak && dtype.is_integer() {
            Node::WeakInteger
        } else if kind.weak && dtype.is_float() {
            Node::WeakFloat
        } else {
            Node::Strong(dtype)
        }
    }
}

fn join(a: Node, b: Node) -> Option<Node> {
    Some(match (a, b) {
        (x, y) if x == y => x,
        (Node::Pred, x) | (x, Node::Pred) => x,
        (Node::WeakInteger, x) | (x, Node::WeakInteger) => x,
        (Node::WeakFloat, Node::Strong(d)) | (Node::Strong(d), Node::WeakFloat) => match d.is_continuous() {
            true => Node::Strong(d),
            false if is_narrow(d) || d.is_field() => return None,
            false => Node::WeakFloat,
        },
        (Node::Strong(x), Node::Strong(y)) => return strong(x, y),
        (Node::WeakFloat, Node::WeakFloat) => Node::WeakFloat,
    })
}

/// Of two types that differ.
fn strong(x: DType, y: DType) -> Option<Node> {
    if is_narrow(x) || is_narrow(y) {
        let (small, other) = if x.is_small_float() { (x, y) } else { (y, x) };
        let takes = small.is_small_float() && other.is_integer() && !is_narrow(other);
        return takes.then_some(Node::Strong(small));
    }
    if x.is_field() || y.is_field() {
        // A field goes with itself, and with an extension of it.
        let wider = [x, y].into_iter().find(|d| d.extension().is_some())?;
        return (x.part() == y || y.part() == x).then_some(Node::Strong(wider));
    }
    let class = |d: DType| (d.is_complex() as u8) * 2 + d.is_float() as u8;
    let (low, high) = if class(x) <= class(y) { (x, y) } else { (y, x) };
    Some(match (class(low), class(high)) {
        (0, 0) => integers(low, high),
        (0, _) => Node::Strong(high),
        (1, 1) if low.bits() == high.bits() => Node::Strong(DType::F32),
        (1, 2) => Node::Strong(if low.is_f64() { DType::C128 } else { high }),
        _ => Node::Strong(if low.bits() > high.bits() { low } else { high }),
    })
}

fn integers(x: DType, y: DType) -> Node {
    if x.is_signed() == y.is_signed() {
        return Node::Strong(if x.bits() > y.bits() { x } else { y });
    }
    let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
    if signed.bits() > unsigned.bits() {
        return Node::Strong(signed);
    }
    let twice = DType::ALL.iter().find(|d| d.is_signed() && d.bits() == 2 * unsigned.bits());
    twice.map_or(Node::WeakFloat, |&d| Node::Strong(d))
}

/// Integers and floats of fewer bits than hardware computes in.
fn is_narrow(dtype: DType) -> bool {
    dtype.is_small_float() || (dtype.is_integer() && dtype.bits() < 8)
}
