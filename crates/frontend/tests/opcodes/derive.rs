//! Modules of derivatives: the transformations of the front end on the entry of a module.

use lawson_frontend::graph::{Emit, Graph};
use lawson_frontend::{Fault, grad};
use lawson_hlo::builder::Body;
use lawson_hlo::{ArrayShape, CompId, InstrId, Module, Shape};

/// Whether an array has tangents.
pub fn varies(shape: &ArrayShape) -> bool {
    grad::rules::varies(shape.dtype)
}

/// The shapes of the entry's parameters, all arrays.
pub fn parameters(module: &Module) -> Vec<ArrayShape> {
    module[module.entry].parameter_shapes().iter().map(|s| s.expect_array().clone()).collect()
}

/// A module whose entry takes these and computes what `f` makes of them and the entry of another.
pub fn module(
    from: &Module,
    parameters: &[ArrayShape],
    f: impl FnOnce(&mut Emit<'_>, CompId, &[InstrId]) -> Result<Vec<InstrId>, Fault>,
) -> Result<Module, Fault> {
    let (mut graph, mut body) = (Graph::of(from.clone()), Body::default());
    let mut e = Emit { graph: &mut graph, body: &mut body };
    let numbered = parameters.iter().enumerate();
    let ids: Vec<InstrId> = numbered.map(|(n, s)| e.parameter(n, Shape::Array(s.clone()))).collect();
    let results = f(&mut e, from.entry, &ids)?;
    let root = e.tuple(&results)?;
    let entry = graph.close("derived", body, root);
    Ok(graph.finish(entry, "derived"))
}

/// Takes the arguments, then tangents of those that vary; gives the tangents of the results that vary, zeros included.
pub fn jvp(from: &Module) -> Result<Module, Fault> {
    let own = parameters(from);
    let tangents = own.iter().filter(|s| varies(s)).cloned();
    let all: Vec<ArrayShape> = own.iter().cloned().chain(tangents).collect();
    module(from, &all, |e, comp, ids| {
        let (arguments, tangents) = ids.split_at(own.len());
        let mut tangents = tangents.iter().copied();
        let tangents: Vec<Option<InstrId>> =
            own.iter().map(|s| if varies(s) { tangents.next() } else { None }).collect();
        let (results, found) = grad::pullback::jvp(e, comp, arguments, &tangents)?;
        let mut all = Vec::new();
        for (result, tangent) in results.into_iter().zip(found) {
            let shape = e.array(result)?.clone();
            match tangent {
                Some(t) => {
                    assert!(e.array(t)?.same(&shape), "a tangent {} of {shape}", e.array(t)?);
                    all.push(t);
                }
                None if varies(&shape) => all.push(e.zeros(&shape)?),
                None => {}
            }
        }
        Ok(all)
    })
}

/// Takes the arguments, then cotangents of the results that vary; gives the cotangents of the arguments that vary.
pub fn vjp(from: &Module) -> Result<Module, Fault> {
    let own = parameters(from);
    let results = from[from.entry].root().shape.leaves().into_iter().cloned().collect::<Vec<_>>();
    let cotangents = results.iter().filter(|s| varies(s)).cloned();
    let all: Vec<ArrayShape> = own.iter().cloned().chain(cotangents).collect();
    module(from, &all, |e, comp, ids| {
        let (arguments, cotangents) = ids.split_at(own.len());
        let wrt: Vec<usize> = (0..own.len()).filter(|&n| varies(&own[n])).collect();
        let vjp = grad::pullback::vjp(e, comp, arguments, &wrt)?;
        let mut operands = vjp.residuals.clone();
        let mut cotangents = cotangents.iter();
        for (shape, varies_here) in results.iter().zip(&vjp.varies) {
            let given = if varies(shape) { cotangents.next() } else { None };
            if *varies_here {
                operands.push(*given.expect("what has a tangent has a cotangent"));
            }
        }
        let root = e.inline(vjp.pullback, &operands);
        let found = e.elements(root)?;
        for (&n, &ct) in wrt.iter().zip(&found) {
            assert!(e.array(ct)?.same(&own[n]), "a cotangent {} of {}", e.array(ct)?, own[n]);
        }
        Ok(found)
    })
}
