//! Batches and derivatives in either order: the gradients of all examples are those of each.

use crate::cases::{self, Case};
use crate::derive;
use crate::evaluate::{complex, evaluate};
use crate::examples::{EXAMPLES, close, compare, each, masks, of_case, stack, together};
use crate::further;
use crate::random::Random;
use lawson_frontend::vmap;
use lawson_hlo::{ArrayShape, Literal, Module, Scalar};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A case with its backward half, arguments of all examples, and cotangents of their results.
struct Backward {
    module: Module,
    /// Takes arguments and cotangents.
    vjp: Module,
    examples: Vec<Vec<Literal>>,
    cotangents: Vec<Vec<Literal>>,
}

fn backward(case: &Case, seed: u64) -> Option<Backward> {
    let module = case.module();
    let results = module[module.entry].root().shape.leaves().into_iter().cloned().collect::<Vec<_>>();
    let parameters = derive::parameters(&module);
    if !results.iter().any(derive::varies) || !parameters.iter().any(derive::varies) {
        return None;
    }
    let vjp = derive::vjp(&module).ok()?;
    let mut random = Random::new(7000 + seed);
    let varying: Vec<&ArrayShape> = results.iter().filter(|r| derive::varies(r)).collect();
    let cotangents =
        (0..EXAMPLES).map(|_| varying.iter().map(|r| random.between(r, -1.0, 1.0)).collect()).collect();
    Some(Backward { module, vjp, examples: of_case(case, seed), cotangents })
}

fn all_hold(least: usize, check: impl Fn(&Backward)) {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    let all = cases::all().into_iter().chain(further::cases());
    for (n, case) in all.enumerate() {
        let Some(backward) = backward(&case, n as u64) else { continue };
        tried += 1;
        if catch_unwind(AssertUnwindSafe(|| check(&backward))).is_err() {
            wrong.push(format!("{n} {}", case.opcode));
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
    assert!(tried >= least, "only {tried} cases have a derivative");
}

/// The gradients of each example, all at once.
#[test]
fn batches_of_gradients() {
    all_hold(CASES, |b| {
        let joint: Vec<Vec<Literal>> =
            b.examples.iter().zip(&b.cotangents).map(|(x, ct)| [&x[..], ct].concat()).collect();
        let arguments = b.examples[0].len();
        for mut mask in masks(arguments) {
            mask.resize(joint[0].len(), true);
            compare(&b.vjp, &joint, &mask);
        }
    });
}

/// The gradient of all examples together: for what they share, the sum of theirs.
#[test]
fn gradients_of_batches() {
    all_hold(CASES, |b| {
        for mask in masks(b.examples[0].len()) {
            gradient_of_batch(b, &mask);
        }
    });
}

/// At least so many cases have a derivative.
const CASES: usize = 100;

fn gradient_of_batch(b: &Backward, mask: &[bool]) {
    let axes: Vec<Option<usize>> = mask.iter().map(|&of| of.then_some(0)).collect();
    let batched = vmap::module(&b.module, EXAMPLES as i64, &axes).unwrap_or_else(|e| panic!("{e}"));
    let vjp = derive::vjp(&batched).unwrap_or_else(|e| panic!("{e}\n{batched}"));
    let of_results = vec![true; b.cotangents[0].len()];
    let arguments = [together(&b.examples, mask), together(&b.cotangents, &of_results)].concat();
    let found = evaluate(&vjp, &arguments);
    let of_each = each(&b.examples, mask);
    let wanted: Vec<Vec<Literal>> =
        of_each.iter().zip(&b.cotangents).map(|(x, ct)| evaluate(&b.vjp, &[&x[..], ct].concat())).collect();
    let parameters = derive::parameters(&b.module);
    let varying = (0..parameters.len()).filter(|&n| derive::varies(&parameters[n]));
    for (i, n) in varying.enumerate() {
        let parts: Vec<Literal> = wanted.iter().map(|g| g[i].clone()).collect();
        let wanted = if mask[n] { stack(&parts) } else { sum(&parts) };
        close(&found[i], &wanted, || format!("gradient {n}, mask {mask:?}\n{batched}\n{vjp}"));
    }
}

fn sum(parts: &[Literal]) -> Literal {
    let shape = parts[0].shape().clone();
    let mut total = vec![(0.0, 0.0); parts[0].elements()];
    for part in parts {
        total.iter_mut().zip(complex(part)).for_each(|(t, x)| *t = (t.0 + x.0, t.1 + x.1));
    }
    let element =
        |(re, im)| if shape.dtype.is_complex() { Scalar::Complex(re, im) } else { Scalar::Float(re) };
    Literal::from_scalars(shape.clone(), total.into_iter().map(element))
}
