//! Programs that JAX wrote, with the gradients that it computes: `scripts/record_gradients.py` makes them.

use crate::check::{close, directional, module, run, weighted};
use lawson_frontend::grad;
use lawson_hlo::{Literal, Module, Scalar};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Case {
    name: String,
    module: Module,
    arguments: Vec<Literal>,
    value: Vec<f64>,
    gradients: BTreeMap<usize, Vec<f64>>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/gradients");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|f| f.expect("an entry of the folder").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "hlo"));
    paths.sort();
    paths.iter().map(|p| case(p)).collect()
}

fn case(path: &Path) -> Case {
    let read = |p: &Path| std::fs::read_to_string(p).unwrap_or_else(|e| panic!("{}: {e}", p.display()));
    let module = module(&read(path));
    let shapes: Vec<_> = module.entry().parameter_shapes().iter().map(|s| s.expect_array().clone()).collect();
    let mut found = Case {
        name: path.file_stem().expect("a name").to_string_lossy().into(),
        module,
        arguments: Vec::new(),
        value: Vec::new(),
        gradients: BTreeMap::new(),
    };
    for line in read(&path.with_extension("txt")).lines() {
        let mut words = line.split_whitespace();
        let name = words.next().expect("a name");
        let numbers: Vec<f64> = words.map(|w| w.parse().expect("a number")).collect();
        if let Some(n) = name.strip_prefix("arg") {
            let shape = shapes[n.parse::<usize>().expect("the number of an argument")].clone();
            let element = |&v: &f64| match shape.dtype.is_float() {
                true => Scalar::Float(v),
                false => Scalar::Signed(v as i64),
            };
            found.arguments.push(Literal::from_scalars(shape.clone(), numbers.iter().map(element)));
        } else if let Some(n) = name.strip_prefix("grad") {
            found.gradients.insert(n.parse().expect("the number of an argument"), numbers);
        } else {
            found.value = numbers;
        }
    }
    found
}

#[test]
fn gradients_are_those_of_jax() {
    let cases = cases();
    assert!(cases.len() >= 15, "{} cases", cases.len());
    for case in cases {
        println!("{}", case.name);
        let wrt: Vec<usize> = case.gradients.keys().copied().collect();
        let derived = grad::module(&case.module, &wrt, true).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let again = module(&derived.to_string());
        let found = run(&again, &case.arguments);
        close(&found[0], &case.value, 1e-12);
        for (found, wanted) in found[1..].iter().zip(case.gradients.values()) {
            close(found, wanted, 1e-9);
        }
    }
}

#[test]
fn second_derivatives_agree_with_differences_of_the_first() {
    for case in cases() {
        println!("{}", case.name);
        let wrt: Vec<usize> = case.gradients.keys().copied().collect();
        let first = grad::module(&case.module, &wrt, false).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let combined = weighted(&first);
        let second = grad::module(&combined, &wrt, false).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let found = run(&second, &case.arguments);
        let (wanted, slope) = directional(&combined, &case.arguments, &wrt, &found);
        assert!((wanted - slope).abs() <= 1e-5 * slope.abs().max(1.0), "{}: {wanted} {slope}", case.name);
    }
}
