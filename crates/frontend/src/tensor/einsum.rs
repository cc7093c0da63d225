//! `einsum`: products and sums by letters.

use super::Tensor;
use super::contract::typed;
use super::labelled::{Label, Labelled, labelled, ordered, product, summed};
use super::operand::AsTensor;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{DType, InstrId};
use std::panic::Location;

/// The products of elements of the operands, summed over the letters that the result lacks: `einsum("bij,bjk->bik",
/// &[&a, &b])`.
///
/// A letter names a dimension of each operand that has it, of one extent (1 stretches). `...` stands for further
/// dimensions, which broadcast. A letter that stands twice in one operand takes its diagonal. Without `->` the result
/// has the dimensions of `...`, then the letters that stand once, by the alphabet. Several operands are multiplied in
/// pairs, first those whose product is the least larger than they are. Element types are those of [`Tensor::matmul`].
///
/// The result carries an error that shows the subscripts and shapes where they do not fit.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, einsum};
///
/// let (a, b) = (Tensor::from([[1f32, 2.0], [3.0, 4.0]]), Tensor::from([[1f32, 0.0], [1.0, 1.0]]));
/// assert_eq!(einsum("ij,jk->ki", &[&a, &b]).to_vec(), Ok(vec![3f32, 7.0, 2.0, 4.0]));
/// assert_eq!(einsum("ii", &[&a]).item(), Ok(5f32));
/// ```
#[track_caller]
pub fn einsum(subscripts: &str, operands: &[&Tensor]) -> Tensor {
    let all: Vec<_> = operands.iter().map(|t| t.operand()).collect();
    typed(Location::caller(), "einsum", &all, |e, ids, dtype| {
        let shapes = ids.iter().map(|&id| Ok(e.array(id)?.clone())).collect::<Result<Vec<_>, Fault>>()?;
        let dims: Vec<&[i64]> = shapes.iter().map(|s| &s.dims[..]).collect();
        let terms = match Terms::parse(subscripts, &dims) {
            Ok(terms) => terms,
            Err(why) => {
                let shapes: Vec<String> = shapes.iter().map(ToString::to_string).collect();
                return fault!("`einsum` {subscripts:?} of {}: {why}", shapes.join(" and "));
            }
        };
        contracted(e, ids, &terms, dtype)
    })
}

/// The labels of each operand and of the result: letters, and above them the dimensions of `...`, from the last.
struct Terms {
    operands: Vec<Vec<Label>>,
    result: Vec<Label>,
}

/// The label of the last dimension of `...`; the one before has the next number.
const ELLIPSIS: Label = 1 << 24;

impl Terms {
    fn parse(subscripts: &str, dims: &[&[i64]]) -> Result<Terms, String> {
        let text: String = subscripts.chars().filter(|c| !c.is_whitespace()).collect();
        let (inputs, output) = match text.split_once("->") {
            Some((inputs, output)) => (inputs, Some(output)),
            None => (&text[..], None),
        };
        let inputs: Vec<&str> = inputs.split(',').collect();
        if inputs.len() != dims.len() {
            return Err(format!("there are {} terms for {} operands", inputs.len(), dims.len()));
        }
        let rest = |term: &str, rank: usize| {
            let named = term.replace("...", "").chars().count();
            let rest = rank.checked_sub(named).filter(|&rest| rest == 0 || term.contains("..."));
            rest.ok_or_else(|| format!("the term {term:?} does not name {rank} dimensions"))
        };
        let mut operands = Vec::new();
        let mut widest = 0;
        for (term, dims) in inputs.iter().zip(dims) {
            let rest = rest(term, dims.len())?;
            widest = widest.max(rest);
            operands.push(labels(term, rest)?);
        }
        let result = match output {
            Some(output) => labels(output, if output.contains("...") { widest } else { 0 })?,
            None => implicit(&operands, widest),
        };
        let terms = Terms { operands, result };
        terms.check(dims)?;
        Ok(terms)
    }

    fn check(&self, dims: &[&[i64]]) -> Result<(), String> {
        let mut extents: Vec<(Label, i64)> = Vec::new();
        for (&label, &extent) in self.operands.iter().flatten().zip(dims.iter().copied().flatten()) {
            match extents.iter_mut().find(|(l, _)| *l == label) {
                None => extents.push((label, extent)),
                Some((_, known)) if *known == extent || extent == 1 => {}
                Some((_, known)) if *known == 1 => *known = extent,
                Some((_, known)) => {
                    return Err(format!("{} has extents {known} and {extent}", name(label)));
                }
            }
        }
        for (n, &label) in self.result.iter().enumerate() {
            if self.result[..n].contains(&label) {
                return Err(format!("{} stands twice in the result", name(label)));
            }
            if !extents.iter().any(|(l, _)| *l == label) {
                return Err(format!("{} stands in the result alone", name(label)));
            }
        }
        Ok(())
    }
}

fn name(label: Label) -> String {
    match char::from_u32(label) {
        Some(letter) => format!("{letter:?}"),
        None => "a dimension of `...`".into(),
    }
}

/// The labels of a term, in which `...` stands for that many dimensions.
fn labels(term: &str, rest: usize) -> Result<Vec<Label>, String> {
    let (before, after) = term.split_once("...").unwrap_or((term, ""));
    if let Some(wrong) = before.chars().chain(after.chars()).find(|c| !c.is_alphabetic()) {
        return Err(format!("{wrong:?} is no letter"));
    }
    let ellipsis = (0..rest as Label).rev().map(|n| ELLIPSIS + n);
    Ok(before.chars().map(Label::from).chain(ellipsis).chain(after.chars().map(Label::from)).collect())
}

/// The result of subscripts without `->`.
fn implicit(operands: &[Vec<Label>], widest: usize) -> Vec<Label> {
    let all: Vec<Label> = operands.concat();
    let once = |l: &&Label| **l < ELLIPSIS && all.iter().filter(|k| k == l).count() == 1;
    let mut letters: Vec<Label> = all.iter().filter(once).copied().collect();
    letters.sort_unstable();
    (0..widest as Label).rev().map(|n| ELLIPSIS + n).chain(letters).collect()
}

/// Multiplies pair by pair.
fn contracted(e: &mut Emit<'_>, ids: &[InstrId], terms: &Terms, dtype: DType) -> Result<InstrId, Fault> {
    let mut left = Vec::new();
    for (&id, labels) in ids.iter().zip(&terms.operands) {
        left.push(labelled(e, id, labels)?);
    }
    while left.len() > 1 {
        let (i, j) = cheapest(e, &left, &terms.result)?;
        let (b, a) = (left.remove(j), left.remove(i));
        let keep = kept(&left, &terms.result);
        left.push(product(e, &a, &b, &keep, dtype)?);
    }
    let Some(last) = left.pop() else { return fault!("`einsum` needs an operand") };
    let last = summed(e, &last, &[], &terms.result)?;
    ordered(e, &last, &terms.result)
}

/// The labels that others or the result still need.
fn kept(others: &[Labelled], result: &[Label]) -> Vec<Label> {
    others.iter().flat_map(|x| &x.labels).chain(result).copied().collect()
}

/// The pair whose product exceeds the two by the fewest elements; of equal ones the first.
fn cheapest(e: &Emit<'_>, left: &[Labelled], result: &[Label]) -> Result<(usize, usize), Fault> {
    let mut best = None;
    for j in 1..left.len() {
        for i in 0..j {
            let (a, b) = (&left[i], &left[j]);
            let others: Vec<Labelled> =
                (0..left.len()).filter(|&k| k != i && k != j).map(|k| left[k].clone()).collect();
            let keep = kept(&others, result);
            let (of_a, of_b) = (e.array(a.id)?, e.array(b.id)?);
            let mut extents: Vec<(Label, i64)> = Vec::new();
            let all = a.labels.iter().zip(&of_a.dims).chain(b.labels.iter().zip(&of_b.dims));
            for (&label, &extent) in all.filter(|(l, _)| keep.contains(l)) {
                match extents.iter_mut().find(|(l, _)| *l == label) {
                    Some((_, known)) => *known = extent.max(*known),
                    None => extents.push((label, extent)),
                }
            }
            let size: f64 = extents.iter().map(|&(_, extent)| extent as f64).product();
            let cost = size - of_a.elements() as f64 - of_b.elements() as f64;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, (i, j)));
            }
        }
    }
    match best {
        Some((_, pair)) => Ok(pair),
        None => fault!("`einsum` needs two operands for a product"),
    }
}
