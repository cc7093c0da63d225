//! What the module header says about the entry: its layout and its aliases.

use super::Faults;
use crate::module::Alias;
use crate::shape::Shape;
use rustc_hash::FxHashSet;

/// `entry_computation_layout`, `input_output_alias` and `buffer_donor` agree with parameters and root.
pub(super) fn check(faults: &mut Faults) {
    let module = faults.module;
    let Some(entry) = module.computations.get(module.entry.index()) else { return };
    let Some(root) = entry.instrs.get(entry.root.index()) else { return };
    let parameters = entry.parameter_shapes();
    if let Some((stated, result)) = &module.header.entry_layout {
        if stated.len() != parameters.len() {
            let (n, m) = (stated.len(), parameters.len());
            faults.module(format!("entry_computation_layout has {n} parameters, the entry {m}"));
        }
        for (i, (stated, found)) in stated.iter().zip(&parameters).enumerate() {
            if !stated.same(found) {
                faults.module(format!(
                    "entry_computation_layout has {stated} as parameter {i}, which is {found}"
                ));
            }
        }
        if !result.same(&root.shape) {
            faults.module(format!(
                "entry_computation_layout has the result {result}, the entry {}",
                root.shape
            ));
        }
    }
    for key in ["replica_count", "num_partitions"] {
        for (_, value) in module.header.rest.iter().filter(|(k, _)| k == key) {
            if value.trim().parse::<i64>().map_or(true, |n| n < 1) {
                faults.module(format!("{key} is {value}: it is a number from 1"));
            }
        }
    }
    let mut outputs = FxHashSet::default();
    let mut inputs = FxHashSet::default();
    for alias in &module.header.aliases {
        if let Err(message) = one_alias(alias, &parameters, &root.shape) {
            faults.module(format!("input_output_alias {message}"));
        }
        if !outputs.insert(&alias.output) || !inputs.insert((alias.parameter, &alias.parameter_index)) {
            faults.module("input_output_alias names an output or input twice".into());
        }
    }
    for donor in &module.header.donors {
        if let Err(message) = part(&parameters, donor.parameter, &donor.parameter_index) {
            faults.module(format!("buffer_donor {message}"));
        }
        if !inputs.insert((donor.parameter, &donor.parameter_index)) {
            faults.module("buffer_donor names an input that is named before".into());
        }
    }
}

fn one_alias(alias: &Alias, parameters: &[&Shape], root: &Shape) -> Result<(), String> {
    let Some(output) = at(root, &alias.output) else {
        return Err(format!("names output {:?} of {root}", alias.output));
    };
    let input = part(parameters, alias.parameter, &alias.parameter_index)?;
    if bytes(input) != bytes(output) {
        return Err(format!("puts {output} into the memory of {input}"));
    }
    Ok(())
}

/// The part of a parameter that is named.
fn part<'s>(parameters: &[&'s Shape], number: usize, index: &[usize]) -> Result<&'s Shape, String> {
    let Some(parameter) = parameters.get(number) else {
        return Err(format!("names parameter {number} of {}", parameters.len()));
    };
    at(parameter, index).ok_or_else(|| format!("names part {index:?} of {parameter}"))
}

/// Memory may be reused under another shape of the same size. Saturates where the shape itself is a fault.
fn bytes(shape: &Shape) -> i64 {
    let sizes = shape
        .leaves()
        .into_iter()
        .map(|a| a.checked_elements().unwrap_or(i64::MAX).saturating_mul(a.dtype.size() as i64));
    sizes.fold(0, i64::saturating_add)
}

/// The part of a shape at an index path.
fn at<'a>(shape: &'a Shape, path: &[usize]) -> Option<&'a Shape> {
    path.iter().try_fold(shape, |s, &i| match s {
        Shape::Tuple(parts) => parts.get(i),
        _ => None,
    })
}
