//! What the tests compare with: finite differences of f64 on the reference interpreter.

use lawson_frontend::graph::{Emit, Graph};
use lawson_frontend::{Fault, grad};
use lawson_hlo::builder::Body;
use lawson_hlo::{InstrId, Literal, Module, Scalar, Shape, Value, eval};

/// A module of text.
#[track_caller]
pub fn module(text: &str) -> Module {
    let module = lawson_hlo::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
    if let Err(faults) = lawson_hlo::verify::verify(&module) {
        panic!("{}", faults[0]);
    }
    module
}

/// The numbers of all results, on arrays for the leaves of the parameters.
#[track_caller]
pub fn run(module: &Module, arguments: &[Literal]) -> Vec<Vec<f64>> {
    if let Err(faults) = lawson_hlo::verify::verify(module) {
        panic!("{}\n{module}", faults[0]);
    }
    let mut leaves = arguments.iter().cloned();
    let entry = module.entry();
    let values: Vec<Value> = entry
        .parameter_shapes()
        .iter()
        .map(|s| Value::from_leaves(s, &mut leaves).expect("an array for each leaf"))
        .collect();
    let result = eval::evaluate(module, &values, &eval::Options::default());
    let result = result.unwrap_or_else(|e| panic!("{e}\n{module}"));
    result.leaves().iter().map(|l| l.scalars().map(Scalar::as_f64).collect()).collect()
}

/// Derivatives of a scalar result by finite differences, with regard to one argument.
pub fn differences(module: &Module, arguments: &[Literal], wrt: usize) -> Vec<f64> {
    let at = |element: usize, by: f64| {
        let mut moved = arguments.to_vec();
        let x = &arguments[wrt];
        let elements = x
            .scalars()
            .enumerate()
            .map(|(i, s)| Scalar::Float(s.as_f64() + if i == element { by } else { 0.0 }));
        moved[wrt] = Literal::from_scalars(x.shape().clone(), elements);
        run(module, &moved)[0][0]
    };
    let step = 1e-5;
    (0..arguments[wrt].elements()).map(|i| (at(i, step) - at(i, -step)) / (2.0 * step)).collect()
}

/// Fails unless numbers agree to that relative error.
#[track_caller]
pub fn close(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    let scale = wanted.iter().fold(1e-3f64, |m, w| m.max(w.abs()));
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= tolerance * scale, "{found:?} is not {wanted:?}");
    }
}

/// The gradient of a module of f64 with regard to arguments agrees with finite differences, and so does the gradient of
/// what a fixed combination of the gradient's elements is.
#[track_caller]
pub fn gradients(text: &str, arguments: &[Literal], wrt: &[usize]) -> Module {
    let of = module(text);
    let first = grad::module(&of, wrt, true).unwrap_or_else(|e| panic!("{e}"));
    let found = run(&first, arguments);
    close(&found[0], &run(&of, arguments)[0], 1e-12);
    for (n, &argument) in wrt.iter().enumerate() {
        close(&found[n + 1], &differences(&of, arguments, argument), 1e-6);
    }
    first
}

/// An array of f64.
pub fn vector(values: &[f64]) -> Literal {
    let shape = lawson_hlo::ArrayShape::new(lawson_hlo::DType::F64, [values.len() as i64]);
    Literal::from_scalars(shape, values.iter().map(|&v| Scalar::Float(v)))
}

/// An array of one f64.
pub fn scalar(value: f64) -> Literal {
    Literal::scalar(lawson_hlo::DType::F64, Scalar::Float(value))
}

/// A module of one scalar: the elements of all results of another, each times a number of its own, summed.
pub fn weighted(of: &Module) -> Module {
    let (mut graph, mut body) = (Graph::of(of.clone()), Body::default());
    let mut e = Emit { graph: &mut graph, body: &mut body };
    let shapes: Vec<Shape> = of.entry().parameter_shapes().into_iter().cloned().collect();
    let ids: Vec<InstrId> = shapes.into_iter().enumerate().map(|(n, s)| e.parameter(n, s)).collect();
    let root = e.inline(of.entry, &ids);
    let mut combine = || -> Result<InstrId, Fault> {
        let mut sum = e.scalar(lawson_hlo::DType::F64, 0.0);
        for leaf in e.leaves(root)? {
            let shape = e.array(leaf)?.clone();
            let weights = (0..shape.elements()).map(|i| Scalar::Float((i as f64 * 1.7 + 0.3).sin()));
            let weights = e.constant(Literal::from_scalars(shape.clone(), weights));
            let product = e.mul(leaf, weights)?;
            let all: Vec<usize> = (0..shape.rank()).collect();
            let part = e.sum(product, &all)?;
            sum = e.add(sum, part)?;
        }
        Ok(sum)
    };
    let root = combine().unwrap_or_else(|e| panic!("{e}"));
    let entry = graph.close("weighted", body, root);
    graph.finish(entry, "weighted")
}

/// How a scalar changes along one direction: by finite differences, and by the gradients found.
pub fn directional(of: &Module, arguments: &[Literal], wrt: &[usize], gradients: &[Vec<f64>]) -> (f64, f64) {
    let along = |argument: usize, i: usize| ((argument * 31 + i) as f64 * 0.9 + 0.1).cos();
    let at = |by: f64| {
        let mut moved = arguments.to_vec();
        for &n in wrt {
            let x = &arguments[n];
            let elements = x.scalars().enumerate().map(|(i, s)| Scalar::Float(s.as_f64() + by * along(n, i)));
            moved[n] = Literal::from_scalars(x.shape().clone(), elements);
        }
        run(of, &moved)[0][0]
    };
    let step = 1e-5;
    let of_one = |(gradient, &n): (&Vec<f64>, &usize)| {
        gradient.iter().enumerate().map(|(i, g)| g * along(n, i)).sum::<f64>()
    };
    ((at(step) - at(-step)) / (2.0 * step), gradients.iter().zip(wrt).map(of_one).sum())
}
