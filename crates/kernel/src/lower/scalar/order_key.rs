//! Signed integers that order as the elements of a type, from which the elements come back.

use super::binary::total_order_key;
use super::like::{from_bits, int_like};
use super::reg_elem;
use crate::loop_ir::{Bin, Cast, CodeBuilder, Elem, Un, V};
use crate::region::Order;
use lawson_hlo::dtype::{TypeKind, Width};

/// The keys of an order: what comes first has the largest.
#[derive(Clone, Copy)]
pub struct OrderKey(pub Order);

impl OrderKey {
    /// I32, or I64 for elements of 64 bits.
    pub fn elem(self) -> Elem {
        match reg_elem(self.0.dtype).bits() {
            64 => Elem::I64,
            _ => Elem::I32,
        }
    }

    /// The key of an element in registers.
    pub fn of(self, b: &mut CodeBuilder, x: V) -> V {
        let key = match self.0.dtype.kind() {
            TypeKind::Float(_) => total_order_key(b, x),
            TypeKind::Unsigned(Width::W32 | Width::W64) => self.turned(b, x),
            TypeKind::Unsigned(Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16) => {
                b.cast(Cast::Zext, x, Elem::I32)
            }
            TypeKind::Signed(Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16) => {
                b.cast(Cast::Sext, x, Elem::I32)
            }
            TypeKind::Signed(Width::W32 | Width::W64) => x,
            // No order is one of such elements.
            TypeKind::Pred | TypeKind::Field(_) | TypeKind::Composite(_) => x,
        };
        if self.0.descending { key } else { b.un(Un::Not, key) }
    }

    /// The element that has this key.
    pub fn element(self, b: &mut CodeBuilder, key: V) -> V {
        let key = if self.0.descending { key } else { b.un(Un::Not, key) };
        match self.0.dtype.kind() {
            // The map of floats is its own inverse.
            TypeKind::Float(_) => {
                let x = from_bits(b, key);
                let bits = total_order_key(b, x);
                from_bits(b, bits)
            }
            TypeKind::Unsigned(Width::W32 | Width::W64) => self.turned(b, key),
            TypeKind::Unsigned(Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16)
            | TypeKind::Signed(_) => b.cast(Cast::Trunc, key, reg_elem(self.0.dtype)),
            TypeKind::Pred | TypeKind::Field(_) | TypeKind::Composite(_) => key,
        }
    }

    /// The other highest bit: unsigned integers as signed ones in the same order, and back.
    fn turned(self, b: &mut CodeBuilder, x: V) -> V {
        let top = b.ty_of(x).elem.bits() - 1;
        let top = int_like(b, x, (1u64 << top) as i64);
        b.bin(Bin::Xor, x, top)
    }
}
