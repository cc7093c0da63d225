//! What loops in a kernel write: elements of results, or of arrays of the lanes' own.

use super::emit::Emit;
use super::lowering::Lowering;
use super::point::Point;
use crate::loop_ir::Buf;
use crate::plan::take_turns;
use crate::refusal::Refusal;
use crate::region::{Element, Place};
use lawson_hlo::DType;
use lawson_hlo::index::Affine;

/// More vectors are stored one by one: each has as many shuffles as there are rounds, so their code grows faster than they do.
const MAX_IN_TURN: usize = 64;

/// Stores elements at each point.
pub(super) fn elements<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    elements: &[Element],
    points: &mut [Point<'r>],
) -> Result<(), Refusal> {
    for run in elements.chunk_by(|a, b| a.to == b.to) {
        match run[0].to {
            Place::Output(n) => match in_turn(run, l, &points[0]) {
                Some(sorted) => store_in_turn(cx, l, (n as usize, &sorted), points)?,
                None => run.iter().try_for_each(|e| store(cx, l, (n as usize, e), points))?,
            },
            Place::Private(n) => {
                let to = (n, l.region.private[n as usize].dtype);
                for element in run {
                    for point in &mut *points {
                        let value = cx.value(point, element.value)?;
                        let mask = element.mask.map(|m| cx.value(point, m)).transpose()?;
                        cx.store_private(point, to, &element.offset, value, mask)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The elements of a result in the order of memory, where they follow each other there, point after point.
fn in_turn<'e>(elements: &'e [Element], l: &Lowering<'_>, point: &Point<'_>) -> Option<Vec<&'e Element>> {
    let masked = point.mask.is_some() || elements.iter().any(|e| e.mask.is_some());
    if point.lanes == 1 || masked || elements.len() > MAX_IN_TURN {
        return None;
    }
    let mut sorted: Vec<&Element> = elements.iter().collect();
    sorted.sort_by_key(|e| l.axes.translate(&e.offset).constant);
    let offsets: Vec<&Affine> = sorted.iter().map(|e| &e.offset).collect();
    take_turns(&offsets, &l.axes, point.lane).then_some(sorted)
}

fn store_in_turn<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    (result, elements): (usize, &[&Element]),
    points: &mut [Point<'r>],
) -> Result<(), Refusal> {
    let to = array(l, result);
    for point in points {
        let values: Result<Vec<_>, _> = elements.iter().map(|e| cx.value(point, e.value)).collect();
        cx.store_in_turn(point, (to.0.into(), to.1), &elements[0].offset, &values?, false)?;
    }
    Ok(())
}

fn store<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    (result, element): (usize, &Element),
    points: &mut [Point<'r>],
) -> Result<(), Refusal> {
    let (buf, dtype) = array(l, result);
    for point in &mut *points {
        let value = cx.value(point, element.value)?;
        let mask = element.mask.map(|m| cx.value(point, m)).transpose()?;
        let along = point.lane.filter(|&lane| l.axes.translate(&element.offset).uses_axis(lane));
        if along.is_some() || mask.is_some() || cx.b.ty_of(value).lanes > 1 {
            cx.store(point, (buf.into(), dtype), &element.offset, value, mask, false)?;
            continue;
        }
        // One element for all lanes.
        let mut single = point.clone();
        (single.lane, single.lanes, single.mask) = (None, 1, None);
        cx.store(&mut single, (buf.into(), dtype), &element.offset, value, None, false)?;
        break;
    }
    Ok(())
}

/// The buffer of a result, and the type of its elements.
fn array(l: &Lowering<'_>, result: usize) -> (Buf, DType) {
    (l.outputs[result], l.region.outputs[result].dtype)
}
