//! Sums of windows that overlap: the gradient of reading them.

use super::indexed::{Combine, batch_dims, in_rows, rows_changed, unbatched_parts};
use super::list::linear;
use super::query::{is, is_minus_zero};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::attrs::PadDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[exact(
    "scatter-windows",
    "sums of windows of neighbours scattered into zeros, each so many rows after the one before → sum of shifted pieces of windows",
    &[Opcode::Scatter],
    scatter_windows,
)];

/// Windows that overlap at one element: of more, each piece is read by a loop of its own.
const MOST: i64 = 16;
/// Windows in pieces as long as the way from one to the next: piece `n` of each lies where piece 0 of the n-th window after it does. An
/// element gets the later pieces first, as they are of earlier windows.
fn scatter_windows(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (s, Combine::With(Opcode::Add)) = unbatched_parts(b, instr)? else { return None };
    let [x, indices, update] = instr.operands[..] else { return None };
    let (row, mut window) = rows_changed(b, instr, &s)?;
    let shape = b.array(indices).clone();
    let lists: Vec<usize> = (0..shape.rank()).filter(|&d| d != s.index_vector_dim).collect();
    let [windows, elements] = lists[..] else { return None };
    if !is(b, x, 0) || is_minus_zero(b, x) || shape.dims.get(s.index_vector_dim).is_some_and(|&n| n != 1) {
        return None;
    }
    let (count, length) = (shape.dims[windows], shape.dims[elements]);
    let (first, by) = linear(b, indices)?;
    let (step, rows) = (by[windows], b.array(x).dims[row]);
    let updates = b.array(update).clone();
    let last = updates.rank().checked_sub(2)?;
    let are_last = batch_dims(updates.rank(), &s.update_window_dims) == [last, last + 1];
    let pieces = if step > 0 { (length + step - 1) / step } else { 0 };
    let end = (count - 1).checked_mul(step)?.checked_add(first)?.checked_add(length)?;
    if count < 2 || length < 2 || by[elements] != 1 || !are_last || first < 0 || end > rows {
        return None;
    }
    if !(1..=MOST).contains(&pieces) {
        return None;
    }
    let dims = [&updates.dims[..last], &[count * length]].concat();
    let flat = b.reshape(update, &dims);
    window[row] = count * length;
    let flat = in_rows(b, &s, flat, (row, &window))?;
    let parted = |n: i64, m: i64| [&window[..row], &[n, m], &window[row + 1..]].concat();
    let each = b.reshape(flat, &parted(count, length));
    let zero = make::scalar(b, b.array(x).dtype, 0);
    let whole = parted(count + pieces - 1, step);
    let mut sum = b.broadcast(zero, &whole, &[]);
    for n in (0..pieces).rev() {
        let (start, limit) = (n * step, length.min((n + 1) * step));
        let piece = make::slice(b, each, row + 1, start, limit);
        let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; whole.len()];
        padding[row] = PadDim { low: n, high: pieces - 1 - n, interior: 0 };
        padding[row + 1] = PadDim { low: 0, high: step - (limit - start), interior: 0 };
        let placed = b.add(Opcode::Pad, &[piece, zero], Attrs::Pad(padding));
        sum = b.binary(Opcode::Add, sum, placed);
    }
    window[row] = (count + pieces - 1) * step;
    let sum = b.reshape(sum, &window);
    let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; window.len()];
    padding[row] = PadDim { low: first, high: rows - first - window[row], interior: 0 };
    Some(b.add(Opcode::Pad, &[sum, zero], Attrs::Pad(padding)))
}
