//! Words with carries between them.

use super::{Parser, Result};
use crate::loop_ir::{CarryChain, Link, Stmt, V};

impl Parser<'_> {
    /// `carry_chain low (%0, %1, %2) high (%0, %1, %3) add (%4, %5) -> (%6, %7, %8)`
    pub(super) fn carry_chain(&mut self) -> Result<Stmt> {
        self.next();
        let mut links = Vec::new();
        while !self.take("->") {
            let name = self.next();
            self.expect("(")?;
            let operands = self.values()?;
            let Some(link) = Link::of(name, &operands) else { return self.fail("a link with its operands") };
            self.expect(")")?;
            links.push(link);
        }
        // The word of a link has the type of its operands.
        let Some(first) = links.first().and_then(|link| link.operands().next()) else {
            return self.fail("a link");
        };
        let ty = self.kernel.ty(first);
        self.expect("(")?;
        let mut results: Vec<V> = Vec::with_capacity(links.len());
        while results.len() < links.len() {
            if !results.is_empty() {
                self.expect(",")?;
            }
            results.push(self.define(ty)?);
        }
        self.expect(")")?;
        Ok(Stmt::CarryChain(Box::new(CarryChain { links, results })))
    }
}
