//! Structured code whose bodies may refuse: loops, conditionals, nests of loops.

use super::emit::Emit;
use crate::loop_ir::{Bin, V};
use crate::refusal::Refusal;

impl<'r> Emit<'r> {
    /// A counted loop.
    pub fn for_loop(
        &mut self,
        (lo, hi, step): (V, V, i64),
        inits: &[V],
        body: impl FnOnce(&mut Self, V, &[V]) -> Result<Vec<V>, Refusal>,
    ) -> Result<Vec<V>, Refusal> {
        let open = self.b.open_for(lo, hi, step, inits);
        let yields = body(self, open.var, &open.params)?;
        Ok(self.b.close_for(open, yields))
    }

    /// A conditional.
    pub fn if_else(
        &mut self,
        cond: V,
        then: impl FnOnce(&mut Self) -> Result<Vec<V>, Refusal>,
        otherwise: impl FnOnce(&mut Self) -> Result<Vec<V>, Refusal>,
    ) -> Result<Vec<V>, Refusal> {
        match self.b.const_bits(cond) {
            Some(1) => return then(self),
            Some(_) => return otherwise(self),
            None => {}
        }
        self.b.open();
        let yields = then(self)?;
        let then = self.b.close(yields);
        self.b.open();
        let yields = otherwise(self)?;
        let otherwise = self.b.close(yields);
        Ok(self.b.push_if(cond, then, otherwise))
    }

    /// Nested counted loops over a box, major axis first.
    pub fn nest(
        &mut self,
        extents: &[i64],
        at: &mut Vec<V>,
        body: &mut dyn FnMut(&mut Self, &[V]) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some((&extent, rest)) = extents.split_first() else { return body(self, at) };
        let (lo, hi) = (self.b.i64(0), self.b.i64(extent));
        self.for_loop((lo, hi, 1), &[], |cx, i, _| {
            at.push(i);
            cx.nest(rest, at, body)?;
            at.pop();
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The indices of a row-major position.
    pub fn delinearize(&mut self, position: V, extents: &[i64]) -> Vec<V> {
        let mut rest = position;
        let mut at = vec![position; extents.len()];
        for d in (0..extents.len()).rev() {
            let n = self.b.i64(extents[d].max(1));
            if d == 0 {
                at[d] = rest;
            } else {
                at[d] = self.b.bin(Bin::SRem, rest, n);
                rest = self.b.bin(Bin::SDiv, rest, n);
            }
        }
        at
    }
}
