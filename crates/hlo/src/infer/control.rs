//! Shape rules of calls, loops and branches, tuples, tokens and barriers.

use super::ShapeError;
use super::args::{Site, fail, one_or_tuple, plural};
use super::callee::scalar;
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::shape::Shape;

/// Call and fusion: arguments are the parameters, the root is the result.
pub(super) fn call(site: &Site) -> Result<Shape, ShapeError> {
    let (Attrs::Call { to_apply: callee, .. } | Attrs::Fusion { calls: callee, .. }) = site.attrs else {
        return site.wrong_attrs();
    };
    let callee = site.callees.signature(*callee)?;
    callee.accepts(site.operands)?;
    Ok(callee.root.clone())
}

/// The state goes through condition and body unchanged in shape.
pub(super) fn while_loop(site: &Site) -> Result<Shape, ShapeError> {
    let [state] = site.operands()?;
    let Attrs::While { condition, body } = site.attrs else { return site.wrong_attrs() };
    let condition = site.callees.signature(*condition)?;
    condition.accepts(&[state])?;
    condition.returns(&Shape::scalar(DType::Pred))?;
    let body = site.callees.signature(*body)?;
    body.accepts(&[state])?;
    body.returns(state)?;
    Ok(state.clone())
}

/// A selector, then one argument for each branch; all branches return the same shape.
pub(super) fn conditional(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::Conditional { branches, predicated } = site.attrs else { return site.wrong_attrs() };
    let selector = site.array(0)?;
    let wanted = if *predicated { DType::Pred } else { DType::S32 };
    if scalar(site.operands[0]) != Some(wanted) {
        return fail!("needs {wanted}[] as operand 0, not {selector}");
    }
    if branches.is_empty() || (*predicated && branches.len() != 2) {
        return fail!("has {} branch{}", branches.len(), if branches.len() == 1 { "" } else { "es" });
    }
    let arguments = &site.operands[1..];
    if arguments.len() != branches.len() {
        let n = arguments.len();
        return fail!("has {n} argument{} for {} branches", plural(n), branches.len());
    }
    let first = site.callees.signature(branches[0])?;
    for (&branch, &argument) in branches.iter().zip(arguments) {
        let branch = site.callees.signature(branch)?;
        branch.accepts(&[argument])?;
        branch.returns(first.root)?;
    }
    Ok(first.root.clone())
}

pub(super) fn get_tuple_element(site: &Site) -> Result<Shape, ShapeError> {
    let [tuple] = site.operands()?;
    let Attrs::TupleIndex(index) = *site.attrs else { return site.wrong_attrs() };
    let Shape::Tuple(parts) = tuple else { return fail!("needs a tuple, not {tuple}") };
    match parts.get(index) {
        Some(part) => Ok(part.clone()),
        None => {
            fail!("takes element {index} of a tuple of {} element{}", parts.len(), plural(parts.len()))
        }
    }
}

/// The operand itself; several are a tuple.
pub(super) fn barrier(site: &Site) -> Result<Shape, ShapeError> {
    if site.operands.is_empty() {
        return fail!("takes at least one operand");
    }
    Ok(one_or_tuple(site.operands.iter().map(|s| (*s).clone()).collect()))
}

pub(super) fn same_as_operand(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.operands()?;
    Ok(x.clone())
}

/// `add-dependency(x, token)`.
pub(super) fn add_dependency(site: &Site) -> Result<Shape, ShapeError> {
    let [x, token] = site.operands()?;
    is_token(token)?;
    Ok(x.clone())
}

pub(super) fn after_all(site: &Site) -> Result<Shape, ShapeError> {
    site.operands.iter().try_for_each(|t| is_token(t))?;
    Ok(Shape::Token)
}

fn is_token(shape: &Shape) -> Result<(), ShapeError> {
    match shape {
        Shape::Token => Ok(()),
        other => fail!("needs a token, not {other}"),
    }
}
