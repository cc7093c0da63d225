//! Shape rules of operations among devices. How many devices take part only the groups tell; where they do not, the
//! declared shape does.

use super::ShapeError;
use super::args::{Site, fail, in_range, one_or_tuple};
use crate::attrs::{Attrs, Collective};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};

pub(super) fn rule(site: &Site, declared: &Shape) -> Result<(), ShapeError> {
    let Attrs::Collective(attrs) = site.attrs else { return site.wrong_attrs() };
    match site.opcode {
        Opcode::AllGather => along(site, attrs, declared, |operand, result| (operand, result)),
        Opcode::ReduceScatter => along(site, attrs, declared, |operand, result| (result, operand)),
        Opcode::AllToAll => all_to_all(site, attrs, declared),
        // Of several operands, some say where in others the rest goes.
        Opcode::CollectivePermute if site.operands.len() == 1 => same(site.operands[0], declared),
        _ => Ok(()),
    }
}

fn same(expected: &Shape, declared: &Shape) -> Result<(), ShapeError> {
    if !expected.same(declared) {
        return fail!("gives {}, not {declared}", expected.without_layout());
    }
    Ok(())
}

/// Along one dimension, one side is as many times larger as a group has devices. `order` puts the smaller side first.
fn along(
    site: &Site,
    attrs: &Collective,
    declared: &Shape,
    order: impl for<'s> Fn(&'s ArrayShape, &'s ArrayShape) -> (&'s ArrayShape, &'s ArrayShape),
) -> Result<(), ShapeError> {
    let Some(dim) = attrs.dim else { return site.wrong_attrs() };
    let operands = site.all_arrays()?;
    let results: Vec<&Shape> = match declared {
        Shape::Tuple(parts) if operands.len() != 1 || parts.len() == 1 => parts.iter().collect(),
        one => vec![one],
    };
    if results.len() != operands.len() {
        return fail!("gives {} results for {} operands", results.len(), operands.len());
    }
    for (operand, result) in operands.into_iter().zip(results) {
        let Some(result) = result.as_array() else { return fail!("gives an array, not {result}") };
        in_range("dimensions", dim, operand.rank())?;
        let (small, large) = order(operand, result);
        let others = |a: &ArrayShape| {
            a.dims.iter().enumerate().filter(|(d, _)| *d != dim).map(|(_, &n)| n).collect::<Vec<i64>>()
        };
        if operand.dtype != result.dtype || operand.rank() != result.rank() || others(small) != others(large)
        {
            return fail!("cannot give {result} of {operand} along dimension {dim}");
        }
        let (part, whole) = (small.dims[dim], large.dims[dim]);
        let fits = match attrs.group_size() {
            Some(devices) => part.checked_mul(devices) == Some(whole),
            None => part == whole || (part > 0 && whole % part == 0),
        };
        if !fits {
            let among = attrs.group_size().map_or(String::new(), |n| format!(" among {n} devices"));
            return fail!("cannot give {result} of {operand} along dimension {dim}{among}");
        }
    }
    Ok(())
}

/// Of an array, each device gets a part of every other's, so that the shape stays; of several operands, one each.
fn all_to_all(site: &Site, attrs: &Collective, declared: &Shape) -> Result<(), ShapeError> {
    let operands = site.all_arrays()?;
    let Some(first) = operands.first() else { return fail!("needs an operand") };
    let devices = attrs.group_size();
    if let Some(dim) = attrs.dim {
        let [x] = site.arrays()?;
        in_range("dimensions", dim, x.rank())?;
        if let Some(n) = devices.filter(|&n| n < 1 || x.dims[dim] % n != 0) {
            return fail!("cannot divide dimension {dim} of {x} among {n} devices");
        }
        return same(site.operands[0], declared);
    }
    if let Some(other) = operands.iter().find(|a| !a.same(first)) {
        return fail!("needs operands of one shape, not {first} and {other}");
    }
    if let Some(n) = devices.filter(|&n| n != operands.len() as i64) {
        return fail!("has {} operands for {n} devices", operands.len());
    }
    let parts: Vec<Shape> = operands.iter().map(|&a| Shape::Array(a.clone())).collect();
    match declared {
        // Of one operand there is a tuple of one as well.
        Shape::Tuple(_) => same(&Shape::Tuple(parts), declared),
        _ => same(&one_or_tuple(parts), declared),
    }
}
