//! Words with carries between them.

use super::CodeBuilder;
use crate::loop_ir::{CarryChain, Link, Stmt, V};

impl CodeBuilder {
    /// The words of the links, the least significant first; there is one at least.
    pub fn carry_chain(&mut self, links: Vec<Link>) -> Vec<V> {
        let first = links.first().and_then(|link| link.operands().next()).expect("a link");
        let ty = self.ty_of(first);
        let results: Vec<V> = links.iter().map(|_| self.fresh(ty)).collect();
        self.append(Stmt::CarryChain(Box::new(CarryChain { links, results: results.clone() })));
        results
    }
}
