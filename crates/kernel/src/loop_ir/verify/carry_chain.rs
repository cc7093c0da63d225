//! Words with carries between them.

use super::{Found, Verifier};
use crate::loop_ir::{CarryChain, Type};

impl Verifier<'_> {
    /// A chain of words of this type.
    pub(super) fn carry_chain(&self, chain: &CarryChain, ty: Type) -> Found {
        let (links, results) = (chain.links.len(), chain.results.len());
        ensure!(links > 0 && links == results, "{links} links make {results} words");
        ensure!(chain.is_of_one_kind(), "a carry is added and taken in one chain");
        chain.links.iter().flat_map(|link| link.operands()).try_for_each(|v| self.expect(v, ty))
    }
}
