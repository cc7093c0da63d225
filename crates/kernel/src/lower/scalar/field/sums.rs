//! Sums of products that are reduced once: of Montgomery products modulo primes of 31 bits.
//!
//! A product is below p², two are below 2^32·p, which is what the reduction takes. With more of them the sum stays below
//! twice that, and the bound is subtracted where it can be: two instructions for two products, in place of a reduction
//! for each.

use super::montgomery31::reduced;
use super::products::Wide;
use super::words::word_like;
use crate::loop_ir::{Bin, CodeBuilder, V};
use lawson_hlo::DType;
use lawson_hlo::dtype::{Field, Prime, Storage};

/// A sum of products of elements of a field.
#[derive(Clone, Copy)]
pub struct ProductSum {
    field: Field,
    sum: Option<Wide>,
    /// Products by which the sum may exceed 2^32·p; negative while so many more fit.
    over: i32,
}

/// Products that are below 2^32·p together.
const TOGETHER: i32 = 2;

impl ProductSum {
    /// The empty sum; `None` for types whose products are reduced one by one.
    pub fn of(dtype: DType) -> Option<ProductSum> {
        let field = dtype.field()?;
        let montgomery = match field.prime {
            Prime::BabyBear | Prime::KoalaBear => true,
            Prime::Mersenne31 | Prime::Goldilocks => false,
        };
        montgomery.then_some(ProductSum { field, sum: None, over: -TOGETHER })
    }

    /// Adds x·y, or subtracts it, where x and y have as many lanes as the other factors.
    pub fn add(&mut self, b: &mut CodeBuilder, x: V, y: V, negative: bool) {
        let y = if negative {
            let p = word_like(b, y, self.field.prime.modulus());
            b.bin(Bin::Sub, p, y)
        } else {
            y
        };
        let (x, y) = (Wide::of(b, x), Wide::of(b, y));
        let product = x.times(b, y);
        if self.over == TOGETHER {
            self.settle(b);
        }
        self.over += 1;
        self.sum = Some(match self.sum {
            Some(sum) => sum.plus(b, product),
            None => product,
        });
    }

    /// Brings the sum below 2^32·p.
    fn settle(&mut self, b: &mut CodeBuilder) {
        if self.over > 0 {
            let p = self.field.prime.modulus();
            self.sum = self.sum.map(|sum| sum.wrapped_once(b, p));
        }
        self.over = 0;
    }

    /// What a loop carries of it: as many values for every sum of a type and number of lanes.
    pub fn carried(mut self, b: &mut CodeBuilder, lanes: u32) -> Vec<V> {
        self.settle(b);
        match self.sum {
            Some(sum) => sum.parts(),
            None => Wide::zero(b, lanes).parts(),
        }
    }

    /// The sum that a loop carries.
    pub fn of_carried(dtype: DType, parts: &[V]) -> Option<ProductSum> {
        Some(ProductSum { sum: Some(Wide::of_parts(parts)?), over: 0, ..ProductSum::of(dtype)? })
    }

    /// The element that it is; `None` for the empty sum.
    pub fn total(mut self, b: &mut CodeBuilder) -> Option<V> {
        self.settle(b);
        let of = self.field.prime;
        let total = reduced(b, of, self.sum?);
        Some(match self.field.storage {
            Storage::Montgomery => total,
            Storage::Plain => {
                let scale = word_like(b, total, of.r_squared());
                super::montgomery_product(b, of, total, scale)
            }
        })
    }
}
