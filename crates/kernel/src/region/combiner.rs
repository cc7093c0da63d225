//! What is known of functions that combine elements.

use super::{Function, Node, Region};
use lawson_hlo::identity::identity;
use lawson_hlo::{DType, Opcode, Scalar};

impl Function {
    /// The operation that combines result `n` of the elements before and of the next one, in either order, if it is one.
    pub fn operation(&self, region: &Region, n: usize) -> Option<(Opcode, DType)> {
        let Node::Binary { opcode, dtype, x, y } = *region.node(self.results[n]) else { return None };
        let arguments = (Node::Argument(n as u32), Node::Argument((n + self.results.len()) as u32));
        let (x, y) = (region.node(x), region.node(y));
        let combines = (x, y) == (&arguments.0, &arguments.1) || (y, x) == (&arguments.0, &arguments.1);
        combines.then_some((opcode, dtype))
    }

    /// The identity of each result; `None` where one of them has none.
    pub fn identities(&self, region: &Region) -> Option<Vec<(DType, Scalar)>> {
        let of = |n| {
            let (opcode, dtype) = self.operation(region, n)?;
            Some((dtype, identity(opcode, dtype)?))
        };
        (0..self.results.len()).map(of).collect()
    }
}
