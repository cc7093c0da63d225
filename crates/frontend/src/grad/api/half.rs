//! The other half of a derivative: a computation that is called later, on what the first half left for it.

use super::Place;
use crate::error::Error;
use crate::graph::Graph;
use crate::tensor::Tensor;
use crate::tensor::trace;
use lawson_hlo::CompId;
use std::sync::Arc;

/// A computation that takes residuals, then other tensors; gives a tuple.
#[derive(Clone)]
pub(super) struct Half {
    place: Place,
    found: Found,
    residuals: Vec<Tensor>,
    results: usize,
}

/// Where the computation is.
#[derive(Clone)]
enum Found {
    /// In the program of that number, while it is traced.
    Here(u64, CompId),
    /// In a program that was traced and run: residuals are concrete.
    Kept(Arc<Graph>, CompId),
}

impl Half {
    /// One of the program that is being traced.
    pub fn here(place: Place, comp: CompId, residuals: Vec<Tensor>, results: usize) -> Half {
        let session = trace::session().expect("a function is being traced");
        Half { place, found: Found::Here(session, comp), residuals, results }
    }

    /// The same after the program was run, with its residuals.
    pub fn kept(self, graph: Graph, residuals: Vec<Tensor>) -> Half {
        let (Found::Here(_, comp) | Found::Kept(_, comp)) = self.found;
        Half { found: Found::Kept(Arc::new(graph), comp), residuals, ..self }
    }

    pub fn residuals(&self) -> &[Tensor] {
        &self.residuals
    }

    /// Calls it.
    ///
    /// # Errors
    /// An operand that carries an error or does not fit, or the program it belongs to is no more traced.
    pub fn apply(&self, rest: &[&Tensor]) -> Result<Vec<Tensor>, Error> {
        if let Found::Here(session, _) = self.found
            && trace::session() != Some(session)
        {
            let message = "the derivative belongs to a function that is not being traced here";
            return Err(Error::new(self.place, message));
        }
        let operands: Vec<&Tensor> = self.residuals.iter().chain(rest.iter().copied()).collect();
        let found = Tensor::apply_many(self.place, &operands, self.results, |e, ids| {
            let comp = match &self.found {
                Found::Here(_, comp) => *comp,
                Found::Kept(graph, comp) => e.graph.import(graph, *comp),
            };
            let root = e.inline(comp, ids);
            e.elements(root)
        });
        match found.iter().find_map(Tensor::error) {
            Some(error) => Err(error.clone()),
            None => Ok(found),
        }
    }
}
