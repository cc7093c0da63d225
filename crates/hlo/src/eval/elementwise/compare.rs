//! Comparisons.

use super::super::word::{Class, Wide};
use super::Fun;
use super::real::Real;
use crate::attrs::{CompareOrder, Direction};
use crate::dtype::DType;
use std::cmp::Ordering;

/// The meaning of a comparison of words of a type; `None` if the type has no order.
pub fn compare(direction: Direction, order: CompareOrder, dtype: DType) -> Option<Fun> {
    let total = order == CompareOrder::TotalOrder;
    Some(match Class::of(dtype)? {
        Class::Float32 if total => total_order::<f32>(direction),
        Class::Float64 if total => total_order::<f64>(direction),
        Class::Float32 => partial::<f32>(direction),
        Class::Float64 => partial::<f64>(direction),
        Class::Signed => partial::<i64>(direction),
        Class::Unsigned => partial::<u64>(direction),
        Class::Pred => partial::<bool>(direction),
        Class::Field(field) => super::field::compare(partial::<u64>(direction), field),
    })
}

/// The order of the language: with NaN everything is false but NE.
fn partial<T: Wide>(direction: Direction) -> Fun {
    let f: fn(&T, &T) -> bool = match direction {
        Direction::Eq => T::eq,
        Direction::Ne => T::ne,
        Direction::Ge => T::ge,
        Direction::Gt => T::gt,
        Direction::Le => T::le,
        Direction::Lt => T::lt,
    };
    Fun::two(move |a, b| f(&T::of(a), &T::of(b)).word())
}

fn total_order<F: Real>(direction: Direction) -> Fun {
    let f: fn(Ordering) -> bool = match direction {
        Direction::Eq => Ordering::is_eq,
        Direction::Ne => Ordering::is_ne,
        Direction::Ge => Ordering::is_ge,
        Direction::Gt => Ordering::is_gt,
        Direction::Le => Ordering::is_le,
        Direction::Lt => Ordering::is_lt,
    };
    Fun::two(move |a, b| f(F::of(a).total_cmp(&F::of(b))).word())
}
