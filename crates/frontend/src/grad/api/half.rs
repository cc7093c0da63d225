//! The other half of a derivative: a computation that is called later, on what the first half left for it.

use super::Place;
use crate::error::Error;
use crate::function::{Args, Function};
use crate::grad::rules::varies;
use crate::graph::Graph;
use crate::tensor::trace;
use crate::tensor::{Tensor, staged};
use crate::tree::{self, Tree};
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

/// A derivative whose first half is done.
pub(super) trait Halved: Sized {
    fn half(&self) -> &Half;

    /// How many leaves the function's result has.
    fn results(&self) -> usize;

    fn with_half(self, half: Half) -> Self;
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

/// The result of a function, and what `derive` makes of its derivative with regard to the leaves that vary: while a
/// function is traced in it, else as a program that is run at once and whose residuals are kept.
pub(super) fn prepared<A, R, F, D>(
    place: Place,
    f: &F,
    args: &A,
    derive: impl FnOnce(&mut dyn FnMut(Vec<Tensor>) -> Vec<Tensor>, &[Tensor]) -> Result<(Vec<Tensor>, D), Error>,
) -> Result<(R, D), Error>
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
    D: Halved,
{
    let mut made = None;
    let leaves = tree::leaves(args);
    let wrt = varying(&leaves);
    let record = |leaves: Vec<Tensor>| {
        let mut template = None;
        let mut of = |given: Vec<Tensor>| {
            let result = f.apply(&tree::rebuild(args, with(&leaves, &wrt, given)));
            let found = tree::leaves(&result);
            template = Some(result);
            found
        };
        let given: Vec<Tensor> = wrt.iter().map(|&n| leaves[n].clone()).collect();
        let (results, derivative) = derive(&mut of, &given)?;
        let all = results.iter().chain(derivative.half().residuals()).cloned().collect();
        made = Some((tree::rebuild(&template.expect("the function was called"), results), derivative));
        Ok(all)
    };
    if trace::active() {
        record(leaves)?;
        return Ok(made.expect("it was recorded"));
    }
    let (mut found, graph) = staged(place, &leaves, record)?;
    let (template, derivative) = made.expect("it was recorded");
    let residuals = found.split_off(derivative.results());
    let half = derivative.half().clone().kept(graph, residuals);
    Ok((tree::rebuild(&template, found), derivative.with_half(half)))
}

/// The leaves of arguments that vary.
pub(super) fn varying(leaves: &[Tensor]) -> Vec<usize> {
    (0..leaves.len()).filter(|&n| varies(leaves[n].dtype())).collect()
}

/// The leaves with others at these places.
pub(super) fn with(leaves: &[Tensor], at: &[usize], others: Vec<Tensor>) -> Vec<Tensor> {
    let mut all = leaves.to_vec();
    at.iter().zip(others).for_each(|(&n, leaf)| all[n] = leaf);
    all
}
