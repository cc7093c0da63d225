//! Inverses of a block of vectors by one exponentiation (Montgomery's trick): products of all elements before each, the
//! inverse of the whole product, and back.
//!
//! ```text
//! for each vector n    before[n] = all; all = all · x[n]
//! all = 1 / all
//! for each vector n, the last first    inverse[n] = all · before[n]; all = all · x[n]
//! ```
//!
//! [`CHAINS`] such products run side by side, and share the exponentiation in the same way. Zeros take part as ones, and
//! their inverses are set to zero at the end.

use super::emit::Emit;
use super::point::Point;
use super::scalar;
use crate::loop_ir::{Bin, Buf, Elem, V};
use crate::plan::{CHAINS, Inverses};
use crate::refusal::Refusal;
use crate::region::{Node, NodeId};
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{DType, Opcode, Scalar};

/// The inverses of a block, in local arrays.
pub(super) struct Inverted {
    arrays: Vec<(NodeId, Buf)>,
}

impl Inverted {
    /// Computes the inverses of `elements` elements, in vectors of `lanes`; `at` gives the point of the vector that begins
    /// with an element, and some point that may be evaluated for elements beyond.
    pub(super) fn of_block<'r>(
        cx: &mut Emit<'r>,
        inverses: &Inverses,
        elements: V,
        lanes: u32,
        at: &mut dyn FnMut(&mut Emit<'r>, V) -> Point<'r>,
    ) -> Result<Inverted, Refusal> {
        let mut out = Inverted { arrays: Vec::new() };
        // One after the other they use the same operands.
        let mut scratch: Vec<(Elem, Buf)> = Vec::new();
        for &id in &inverses.nodes {
            let Node::Unary { x, dtype, .. } = *cx.region.node(id) else { continue };
            let step = CHAINS * lanes as i64;
            let (elem, len) = (scalar::mem_elem(dtype), inverses.vectors * lanes as i64);
            let operands = match scratch.iter().find(|(of, _)| *of == elem) {
                Some(&(_, known)) => known,
                None => {
                    let new = cx.b.local("operands", elem, len);
                    scratch.push((elem, new));
                    new
                }
            };
            let results = cx.b.local("inverses", elem, len);
            let zero = cx.b.i64(0);
            let one = scalar::constant(&mut cx.b, dtype, lanes, Scalar::Unsigned(1));
            let products =
                cx.for_loop((zero, elements, step), &[one; CHAINS as usize], |cx, first, all| {
                    let mut next = Vec::new();
                    for (chain, &all) in all.iter().enumerate() {
                        let element = place(cx, first, chain, lanes);
                        let mut point = at(cx, element);
                        out.enter(cx, &mut point, element, lanes);
                        let x = cx.vector(&mut point, x)?;
                        cx.b.store(operands, element, x, None);
                        cx.b.store(results, element, all, None);
                        let x = without_zero(cx, dtype, x)?.0;
                        next.push(product(cx, dtype, all, x)?);
                    }
                    Ok(next)
                })?;
            let all = inverted(cx, dtype, &products)?;
            // Where the last vectors begin, of which some may lie beyond the elements.
            let (one, whole) = (cx.b.i64(1), cx.b.i64(-step));
            let last = cx.b.sub(elements, one);
            let last = cx.b.bin(Bin::And, last, whole);
            cx.for_loop((zero, elements, step), &all, |cx, behind, all| {
                let first = cx.b.sub(last, behind);
                let mut next = Vec::new();
                for (chain, &all) in all.iter().enumerate() {
                    let element = place(cx, first, chain, lanes);
                    let x = cx.b.load(operands, element, lanes, None);
                    let before = cx.b.load(results, element, lanes, None);
                    let (x, is_zero) = without_zero(cx, dtype, x)?;
                    let inverse = product(cx, dtype, all, before)?;
                    let zero = scalar::constant(&mut cx.b, dtype, lanes, Scalar::Unsigned(0));
                    let inverse = cx.b.select(is_zero, zero, inverse);
                    cx.b.store(results, element, inverse, None);
                    next.push(product(cx, dtype, all, x)?);
                }
                Ok(next)
            })?;
            out.arrays.push((id, results));
        }
        Ok(out)
    }

    /// Makes the inverses known at the point of the vector that begins with an element of the block.
    pub(super) fn enter(&self, cx: &mut Emit<'_>, point: &mut Point<'_>, element: V, lanes: u32) {
        for &(id, array) in &self.arrays {
            let inverse = cx.b.load(array, element, lanes, None);
            point.known.insert(id, inverse);
        }
    }
}

/// The first element of the next vector of a chain.
fn place(cx: &mut Emit<'_>, first: V, chain: usize, lanes: u32) -> V {
    let offset = cx.b.i64(chain as i64 * lanes as i64);
    cx.b.add(first, offset)
}

/// One for zero, and where that was.
fn without_zero(cx: &mut Emit<'_>, dtype: DType, x: V) -> Result<(V, V), Refusal> {
    let lanes = cx.b.ty_of(x).lanes;
    let [zero, one] = [0, 1].map(|n| scalar::constant(&mut cx.b, dtype, lanes, Scalar::Unsigned(n)));
    let is_zero = scalar::compare(&mut cx.b, Direction::Eq, CompareOrder::Default, dtype, x, zero)?;
    Ok((cx.b.select(is_zero, one, x), is_zero))
}

fn product(cx: &mut Emit<'_>, dtype: DType, x: V, y: V) -> Result<V, Refusal> {
    scalar::binary(&mut cx.b, Opcode::Multiply, dtype, x, y)
}

/// The inverses of so many products that their number is a power of two, none of them zero, by one exponentiation.
fn inverted(cx: &mut Emit<'_>, dtype: DType, products: &[V]) -> Result<Vec<V>, Refusal> {
    if let [x] = products {
        return Ok(vec![scalar::unary(&mut cx.b, Opcode::Inverse, dtype, *x)?]);
    }
    let pairs = products.chunks(2).map(|p| product(cx, dtype, p[0], p[1])).collect::<Result<Vec<_>, _>>()?;
    let mut out = Vec::new();
    for (pair, inverse) in products.chunks(2).zip(inverted(cx, dtype, &pairs)?) {
        out.push(product(cx, dtype, inverse, pair[1])?);
        out.push(product(cx, dtype, inverse, pair[0])?);
    }
    Ok(out)
}
