//! Expressions that are sums of products of elements of a field: with one reduction for all products.

use super::emit::Emit;
use super::point::Point;
use super::scalar::ProductSum;
use crate::loop_ir::{CodeBuilder, V};
use crate::refusal::Refusal;
use crate::region::{Node, NodeId};
use lawson_hlo::{DType, Opcode};
use rustc_hash::FxHashMap;

/// A summand, with its sign.
struct Term {
    of: NodeId,
    negative: bool,
    /// The factors, of a product that nothing else needs.
    factors: Option<(NodeId, NodeId)>,
}

/// The products that an expression is the sum of.
pub(super) struct Products {
    dtype: DType,
    terms: Vec<Term>,
}

impl Products {
    /// Sums of such expressions as a loop carries them, from the empty sum on.
    pub(super) fn empty(all: &[Products], b: &mut CodeBuilder, lanes: u32) -> Vec<V> {
        let mut out = Vec::new();
        for sum in all.iter().filter_map(|p| ProductSum::of(p.dtype)) {
            out.extend(sum.carried(b, lanes));
        }
        out
    }

    /// The sums that a loop carries.
    pub(super) fn of_carried(all: &[Products], carried: &[V]) -> Vec<ProductSum> {
        let each = carried.len() / all.len().max(1);
        let sums = all.iter().zip(carried.chunks(each.max(1)));
        sums.filter_map(|(p, parts)| ProductSum::of_carried(p.dtype, parts)).collect()
    }
}

impl<'r> Emit<'r> {
    /// The value of a sum of at least two products; `None` for other nodes.
    pub(super) fn product_sum(&mut self, point: &mut Point<'r>, id: NodeId) -> Result<Option<V>, Refusal> {
        let dtype = self.region.dtype(id);
        let Some(mut sum) = ProductSum::of(dtype) else { return Ok(None) };
        let terms = self.terms(&point.known, id);
        if terms.iter().filter(|t| t.factors.is_some()).count() < 2 {
            return Ok(None);
        }
        self.add_products(point, None, &mut sum, &terms)?;
        let mut total = sum.total(&mut self.b);
        for term in terms.iter().filter(|t| t.factors.is_none()) {
            let x = self.vector(point, term.of)?;
            let (opcode, sum) = (if term.negative { Opcode::Subtract } else { Opcode::Add }, total);
            total = match sum {
                Some(sum) => Some(super::scalar::binary(&mut self.b, opcode, dtype, sum, x)?),
                None => None,
            };
        }
        Ok(total)
    }

    /// The products of a node that is a sum of nothing else.
    pub(super) fn products_of(&self, id: NodeId) -> Option<Products> {
        ProductSum::of(self.region.dtype(id))?;
        let terms = self.terms(&FxHashMap::default(), id);
        terms.iter().all(|t| t.factors.is_some()).then_some(Products { dtype: self.region.dtype(id), terms })
    }

    /// Adds products at a point, in the lanes of a mask.
    pub(super) fn accumulate(
        &mut self,
        point: &mut Point<'r>,
        products: &Products,
        sum: &mut ProductSum,
    ) -> Result<(), Refusal> {
        let mask = point.mask;
        self.add_products(point, mask, sum, &products.terms)
    }

    fn add_products(
        &mut self,
        point: &mut Point<'r>,
        mask: Option<V>,
        sum: &mut ProductSum,
        terms: &[Term],
    ) -> Result<(), Refusal> {
        for term in terms {
            let Some((x, y)) = term.factors else { continue };
            let (mut x, y) = (self.vector(point, x)?, self.vector(point, y)?);
            if let Some(mask) = mask {
                let ty = self.b.ty_of(x);
                let zero = self.b.constant(ty, 0);
                x = self.b.select(mask, x, zero);
            }
            sum.add(&mut self.b, x, y, term.negative);
        }
        Ok(())
    }

    /// The summands of a node, the leftmost first: of sums and differences that nothing else needs.
    fn terms(&self, known: &FxHashMap<NodeId, V>, id: NodeId) -> Vec<Term> {
        let mut out = Vec::new();
        let mut left = vec![(id, false)];
        while let Some((of, negative)) = left.pop() {
            let own = of == id || self.uses.count(of) == 1 && !known.contains_key(&of);
            match *self.region.node(of) {
                Node::Binary { opcode: Opcode::Add, x, y, .. } if own => {
                    left.extend([(y, negative), (x, negative)]);
                }
                Node::Binary { opcode: Opcode::Subtract, x, y, .. } if own => {
                    left.extend([(y, !negative), (x, negative)]);
                }
                Node::Binary { opcode: Opcode::Multiply, x, y, .. } if own => {
                    out.push(Term { of, negative, factors: Some((x, y)) });
                }
                _ => out.push(Term { of, negative, factors: None }),
            }
        }
        out
    }
}
