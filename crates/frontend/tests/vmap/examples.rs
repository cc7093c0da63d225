//! Modules on several examples: one after the other, or all at once.

use crate::cases::{Case, Input};
use crate::evaluate::{complex, evaluate};
use crate::random::Random;
use lawson_frontend::vmap;
use lawson_hlo::{ArrayShape, Literal, Module, Scalar};

/// The number of examples.
pub const EXAMPLES: usize = 3;

/// The arguments of each example, all different.
pub fn of_case(case: &Case, seed: u64) -> Vec<Vec<Literal>> {
    (0..EXAMPLES).map(|e| arguments(case, e, &mut Random::new(100 * seed + e as u64))).collect()
}

fn arguments(case: &Case, example: usize, random: &mut Random) -> Vec<Literal> {
    let mut case = Case { text: case.text.clone(), inputs: case.inputs.clone(), ..*case };
    let shapes: Vec<bool> = {
        let module = case.module();
        let parameters = module[module.entry].parameter_shapes();
        parameters.iter().map(|s| s.expect_array().dtype.is_pred()).collect()
    };
    for (input, is_pred) in case.inputs.iter_mut().zip(shapes) {
        if let Input::Exactly(values) = input {
            let n = values.len().max(1);
            values.rotate_left(example % n);
            for (i, v) in values.iter_mut().enumerate() {
                *v = match is_pred {
                    true => (*v + ((i + example) % 2) as i64) % 2,
                    false if n == 1 => *v + example as i64,
                    false => *v,
                };
            }
        }
    }
    case.arguments(random)
}

/// Compares the batched module with a loop, where the arguments of the mask differ between examples and the others are those
/// of the first.
#[track_caller]
pub fn compare(module: &Module, examples: &[Vec<Literal>], mask: &[bool]) {
    let axes: Vec<Option<usize>> = mask.iter().map(|&of| of.then_some(0)).collect();
    let batched = vmap::module(module, examples.len() as i64, &axes)
        .unwrap_or_else(|e| panic!("{e}\nmask {mask:?} of\n{module}"));
    let read = Module::parse(&batched.to_string()).unwrap_or_else(|e| panic!("{e}\n{batched}"));
    assert_eq!(read.to_string(), batched.to_string(), "what is printed is read");
    let found = evaluate(&batched, &together(examples, mask));
    let wanted: Vec<Vec<Literal>> = each(examples, mask).iter().map(|args| evaluate(module, args)).collect();
    assert_eq!(found.len(), wanted[0].len());
    for (i, found) in found.iter().enumerate() {
        let wanted = stack(&wanted.iter().map(|results| results[i].clone()).collect::<Vec<_>>());
        close(found, &wanted, || format!("result {i}, mask {mask:?}\n{module}\n{batched}"));
    }
}

/// The arguments of all examples: stacked where they differ.
pub fn together(examples: &[Vec<Literal>], mask: &[bool]) -> Vec<Literal> {
    let argument = |(n, &of): (usize, &bool)| match of {
        true => stack(&examples.iter().map(|e| e[n].clone()).collect::<Vec<_>>()),
        false => examples[0][n].clone(),
    };
    mask.iter().enumerate().map(argument).collect()
}

/// The arguments of each example, where only those of the mask differ.
pub fn each(examples: &[Vec<Literal>], mask: &[bool]) -> Vec<Vec<Literal>> {
    let of = |example: &Vec<Literal>| {
        let argument = |(n, &of): (usize, &bool)| (if of { example } else { &examples[0] })[n].clone();
        mask.iter().enumerate().map(argument).collect()
    };
    examples.iter().map(of).collect()
}

/// All choices of arguments that differ, at least one of them; of many arguments, one or all but one.
pub fn masks(arguments: usize) -> Vec<Vec<bool>> {
    if arguments <= 3 {
        let bits = 1..1usize << arguments;
        return bits.map(|b| (0..arguments).map(|n| b >> n & 1 == 1).collect()).collect();
    }
    let one = |n: usize, of: bool| (0..arguments).map(|m| (m == n) == of).collect::<Vec<bool>>();
    let mut all: Vec<Vec<bool>> = (0..arguments).flat_map(|n| [one(n, true), one(n, false)]).collect();
    all.push(vec![true; arguments]);
    all
}

/// Arrays of one shape as one, along a dimension in front.
pub fn stack(parts: &[Literal]) -> Literal {
    let first = parts[0].shape();
    let dims: Vec<i64> = std::iter::once(parts.len() as i64).chain(first.dims.iter().copied()).collect();
    let bytes: Vec<u8> = parts.iter().flat_map(|p| p.bytes()).copied().collect();
    Literal::new(ArrayShape::new(first.dtype, dims), bytes)
}

/// Equal but for rounding; integers and truth values exactly.
#[track_caller]
pub fn close(found: &Literal, wanted: &Literal, what: impl Fn() -> String) {
    assert!(
        found.shape().same(wanted.shape()),
        "{} instead of {}: {}",
        found.shape(),
        wanted.shape(),
        what()
    );
    let dtype = wanted.dtype();
    if !(dtype.is_float() || dtype.is_complex()) {
        let same = found.bytes() == wanted.bytes();
        let show = |x: &Literal| x.scalars().collect::<Vec<Scalar>>();
        assert!(same, "{:?} instead of {:?}: {}", show(found), show(wanted), what());
        return;
    }
    let tolerance = match dtype.part().bits() {
        64 => 1e-9,
        32 => 1e-5,
        _ => 5e-3,
    };
    for (f, w) in complex(found).into_iter().zip(complex(wanted)) {
        for (f, w) in [(f.0, w.0), (f.1, w.1)] {
            let equal = f == w || (f.is_nan() && w.is_nan());
            assert!(equal || (f - w).abs() <= tolerance * (1.0 + w.abs()), "{f} instead of {w}: {}", what());
        }
    }
}
