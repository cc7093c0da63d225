//! Windows: sums, greatest and least elements, selections, running reductions.
//!
//! ```text
//! sum       t' = reduce-window-sum(t)
//! maximum   see `pool`
//! selection p = the same reduction of positions; t' = t at p
//! running   maximum: the place of the last new maximum is a running maximum of places; other: steps of 1, 2, 4 …
//! ```

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use super::pool;
use super::reducer::{self, Part};
use super::selection::{nowhere, position_type, positions, take_along, take_flat_tangent};
use super::{reduce, tree};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, PadDim, Window, WindowDim};
use lawson_hlo::{ArrayShape, Attrs, CompId, InstrId, Instruction, Literal, Opcode, Scalar, Shape};

pub(super) fn reduce_window(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::ReduceWindow { window, to_apply } = &instr.attrs else {
        return fault!("`reduce-window` lacks its computation");
    };
    let n = operands.len() / 2;
    let parts = reducer::parts(cx.emit.graph, *to_apply);
    let dims = cx.emit.dims(operands[0])?;
    let running = running(window, &dims);
    let results: Vec<ArrayShape> = instr.shape.leaves().into_iter().cloned().collect();
    let active =
        |i: usize| super::varies(results[i].dtype) && !(tangents[i].is_zero() && tangents[n + i].is_zero());
    let known = |part| matches!(part, Part::Sum | Part::Greatest | Part::Least | Part::Selection);
    if (0..n).any(|i| super::varies(results[i].dtype) && !known(parts[i])) {
        let Some(running) = running else {
            return fault!(
                "`reduce-window` has a derivative where it adds, or keeps one of the elements, or its windows hold all that \
                 came before"
            );
        };
        let value = cx.emit.again(instr, operands);
        let (_, tangent) = tree::running(cx, *to_apply, running, operands, tangents)?;
        return Ok((value, tangent));
    }
    let by_position =
        |i: usize| parts[i] != Part::Sum && !(n == 1 && (running.is_some() || is_plain(window)));
    let selections: Vec<usize> = (0..n).filter(|&i| active(i) && by_position(i)).collect();
    let (values, at) = match selections.is_empty() {
        true => {
            let value = cx.emit.again(instr, operands);
            (cx.emit.elements(value)?, Vec::new())
        }
        false => selected(cx.emit, operands, window, *to_apply, &selections)?,
    };
    let mut at = at.into_iter();
    let mut found = Vec::new();
    for i in 0..n {
        if !active(i) {
            found.push(Tan::Zero);
            continue;
        }
        let shape = &results[i];
        if matches!(parts[i], Part::Greatest | Part::Least) {
            super::ordered("reduce-window", shape.dtype)?;
        }
        let of_init = tangents[n + i].one();
        if of_init.is_some() && parts[i] != Part::Sum {
            return fault!("`reduce-window` by the initial value has a derivative where it adds");
        }
        let init = of_init.map(|t| reduce::initial(cx, t, shape)).transpose()?;
        let t = tangents[i].one().map(|t| reduce::convert(cx, t, shape.dtype)).transpose()?;
        let of_x = match (t, parts[i]) {
            (None, _) => None,
            (Some(t), Part::Sum) => Some(sum(cx, t, window)?),
            (Some(t), _) if by_position(i) => {
                take_flat_tangent(cx, t, at.next().expect("one for each selection"))?
            }
            (Some(t), part) => match running {
                Some(way) => running_extremum(cx, part, way, (values[i], operands[n + i]), t)?,
                None => pool::kept(cx, part, window, operands[i], t, shape)?,
            },
        };
        found.push(cx.sum([of_x, init])?);
    }
    Ok(match &instr.shape {
        Shape::Tuple(_) => (cx.emit.tuple(&values)?, Tan::of_parts(found)),
        _ => (values[0], found.swap_remove(0)),
    })
}

/// The dimension along which each window holds all elements up to its own, or from its own on (`true`).
fn running(window: &Window, dims: &[i64]) -> Option<(usize, bool)> {
    let plain = |w: &WindowDim| w.stride == 1 && w.base_dilation == 1 && w.window_dilation == 1;
    let mut long = window.iter().enumerate().filter(|(_, w)| **w != WindowDim::of_size(1));
    let (dim, w) = long.next()?;
    let n = dims[dim];
    if long.next().is_some() || !plain(w) || w.size != n {
        return None;
    }
    match (w.pad_low, w.pad_high) {
        (low, 0) if low == n - 1 => Some((dim, false)),
        (0, high) if high == n - 1 => Some((dim, true)),
        _ => None,
    }
}

/// Whether a window moves over elements as they lie, as `select-and-scatter` has it.
fn is_plain(window: &Window) -> bool {
    window.iter().all(|w| w.base_dilation == 1 && w.window_dilation == 1 && w.pad_low >= 0 && w.pad_high >= 0)
}

fn sum(cx: &mut Linearizer<'_, '_>, t: Tangent, window: &Window) -> Result<Tangent, Fault> {
    let dtype = cx.shape_of(Arg::Tangent(t))?.dtype;
    let zero = cx.emit.scalar(dtype, 0.0);
    let to_apply = cx.emit.scalar_computation(Opcode::Add, dtype)?;
    let attrs = Attrs::ReduceWindow { window: window.clone(), to_apply };
    cx.linear(Opcode::ReduceWindow, &[Arg::Tangent(t), Arg::Primal(zero)], attrs)
}

/// The results, and for each of these outputs the position of what each window keeps.
fn selected(
    e: &mut Emit<'_>,
    operands: &[InstrId],
    window: &Window,
    comp: CompId,
    of: &[usize],
) -> Result<(Vec<InstrId>, Vec<InstrId>), Fault> {
    let n = operands.len() / 2;
    let dims = e.dims(operands[0])?;
    let dtype = position_type(&dims);
    let all: Vec<usize> = (0..dims.len()).collect();
    let (counts, start) = (positions(e, &dims, &all)?, nowhere(e, dtype));
    let to_apply = reducer::with_positions(e, comp, of, dtype)?;
    let more = |half: &[InstrId], with| [half, &vec![with; of.len()][..]].concat();
    let all = [more(&operands[..n], counts), more(&operands[n..], start)].concat();
    let made = e.op(Opcode::ReduceWindow, &all, Attrs::ReduceWindow { window: window.clone(), to_apply })?;
    let mut values = e.elements(made)?;
    let at = values.split_off(n);
    Ok((values, at))
}

/// A new maximum stands where the result changes; the running maximum of these places is where the result comes from.
fn running_extremum(
    cx: &mut Linearizer<'_, '_>,
    part: Part,
    (dim, reverse): (usize, bool),
    (y, init): (InstrId, InstrId),
    t: Tangent,
) -> Result<Option<Tangent>, Fault> {
    let e = &mut *cx.emit;
    let shape = e.array(y)?.clone();
    let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; shape.rank()];
    let by = if reverse { -1 } else { 1 };
    padding[dim] = PadDim { low: by, high: -by, interior: 0 };
    let init = e.convert(init, shape.dtype)?;
    let before = e.op(Opcode::Pad, &[y, init], Attrs::Pad(padding))?;
    let better = if part == Part::Greatest { Direction::Gt } else { Direction::Lt };
    let fresh = e.compare(better, y, before)?;
    let dtype = position_type(&[shape.dims[dim]]);
    let places = e.iota(dtype, &shape.dims, dim)?;
    let (combine, worst) = match reverse {
        false => (Opcode::Maximum, 0),
        true => (Opcode::Minimum, shape.dims[dim] - 1),
    };
    let worst = e.constant(Literal::scalar(dtype, Scalar::Signed(worst)));
    let spread = if shape.is_scalar() { worst } else { e.broadcast(worst, &shape.dims, &[])? };
    let places = e.select(fresh, places, spread)?;
    let mut window = vec![WindowDim::of_size(1); shape.rank()];
    let n = shape.dims[dim];
    let (pad_low, pad_high) = if reverse { (0, n - 1) } else { (n - 1, 0) };
    window[dim] = WindowDim { pad_low, pad_high, ..WindowDim::of_size(n) };
    let to_apply = e.scalar_computation(combine, dtype)?;
    let from = e.op(Opcode::ReduceWindow, &[places, worst], Attrs::ReduceWindow { window, to_apply })?;
    take_along(cx, t, from, dim)
}
