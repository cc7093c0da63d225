//! Gathers and scatters at positions that are known, or at one position only.

use super::list::list_values;
use super::query::{dtype, is, is_minus_zero, literal, made_by};
use super::{Rule, exact};
use crate::make;
use crate::progressions::runs;
use lawson_hlo::attrs::{Direction, GatherDims, PadDim, ScatterDims, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::Width;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Instruction, Literal, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact("gather-one", "gather at one position → dynamic-slice", &[Opcode::Gather], gather_one),
    exact(
        "gather-rows",
        "gather of rows at positions that go up in equal steps → slice; at few known positions → concatenate of slices",
        &[Opcode::Gather],
        gather_rows,
    ),
    exact(
        "scatter-one",
        "scatter to one position → dynamic-update-slice of what is there if the position is outside",
        &[Opcode::Scatter],
        scatter_one,
    ),
    exact(
        "scatter-rows",
        "scatter to neighbouring rows in order → dynamic-update-slice",
        &[Opcode::Scatter],
        scatter_rows,
    ),
    exact(
        "scatter-runs",
        "sums of rows scattered into zeros at positions that go up or down in equal steps, in up to three runs → sum of pads",
        &[Opcode::Scatter],
        scatter_runs,
    ),
    exact(
        "scatter-fill",
        "scatter of one element for each row of a filled array → select by position",
        &[Opcode::Scatter],
        scatter_fill,
    ),
];

/// The components of the only index vector, as scalars, of which it may have none; `None` if there are several vectors.
fn one_position(b: &mut Builder<'_>, indices: InstrId, vector_dim: usize) -> Option<Vec<InstrId>> {
    let shape = b.array(indices).clone();
    let components = shape.dims.get(vector_dim).copied().unwrap_or(1);
    let vectors = shape.dims.iter().enumerate().filter(|&(d, _)| d != vector_dim);
    if vectors.map(|(_, n)| n).product::<i64>() != 1 || !shape.dtype.is_integer() {
        return None;
    }
    if components == 0 {
        return Some(Vec::new());
    }
    let flat = b.reshape(indices, &[components]);
    let component = |b: &mut Builder<'_>, n: i64| {
        let one = if components == 1 { flat } else { make::slice(b, flat, 0, n, n + 1) };
        b.reshape(one, &[])
    };
    Some((0..components).map(|n| component(b, n)).collect())
}

/// A start index for each dimension of the operand.
fn starts(b: &mut Builder<'_>, rank: usize, map: &[usize], position: &[InstrId]) -> Option<Vec<InstrId>> {
    let index = position.first().map_or(Some(DType::S32), |&p| dtype(b, p))?;
    let zero = make::scalar(b, index, 0);
    let mut starts = vec![zero; rank];
    map.iter().zip(position).for_each(|(&d, &p)| starts[d] = p);
    Some(starts)
}

fn gather_one(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Gather(g) = &instr.attrs else { return None };
    let [x, indices] = instr.operands[..] else { return None };
    let position = one_position(b, indices, g.index_vector_dim)?;
    let mut operands = vec![x];
    let rank = b.array(x).rank();
    operands.extend(starts(b, rank, &g.start_index_map, &position)?);
    let window = b.add(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(g.slice_sizes.clone()));
    Some(b.reshape(window, &instr.shape.as_array()?.dims))
}

/// Whether index vectors of one component are one list.
fn is_one_list(shape: &ArrayShape, vector_dim: usize) -> bool {
    let one_list = shape.dims.iter().filter(|&&n| n != 1).count() <= 1;
    let one_component = shape.dims.get(vector_dim).is_none_or(|&n| n == 1);
    shape.dtype.is_integer() && shape.elements() >= 2 && one_list && one_component
}

/// Positions `start, start + step, …` of a list of `count` index vectors of one component.
fn progression(b: &Builder<'_>, indices: InstrId, vector_dim: usize) -> Option<(i64, i64, i64)> {
    let shape = b.array(indices);
    let count = shape.elements();
    if !is_one_list(shape, vector_dim) {
        return None;
    }
    if let Some(iota) = made_by(b, indices, Opcode::Iota) {
        let Attrs::Iota(dim) = iota.attrs else { return None };
        let width = shape.dtype.integer_width()?;
        let fits = width >= Width::W32 || count <= 1 << (width.bits() - 1);
        return (shape.dims[dim] == count && fits).then_some((0, 1, count));
    }
    let values = literal(b, indices)?;
    let at = |n: i64| values.get(n as usize).as_i128().and_then(|v| i64::try_from(v).ok());
    let (start, step) = (at(0)?, at(1)?.checked_sub(at(0)?)?);
    let equal = |n: i64| at(n) == step.checked_mul(n).and_then(|d| d.checked_add(start));
    (step > 0 && (2..count).all(equal)).then_some((start, step, count))
}

/// Few known positions of such a list among `rows`, as runs of a start and a count. Those outside are moved to the nearest row.
fn few_runs(b: &Builder<'_>, (indices, vector_dim): (InstrId, usize), rows: i64) -> Option<Vec<(i64, i64)>> {
    /// Positions of a list: more of them are read from an array as quickly.
    const FEW: i64 = 16;
    let shape = b.array(indices);
    let count = shape.elements();
    if !is_one_list(shape, vector_dim) || count > FEW || rows == 0 {
        return None;
    }
    let values = literal(b, indices)?;
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for n in 0..count {
        let at = values.get(n as usize).as_i128()?.clamp(0, rows as i128 - 1) as i64;
        match runs.last_mut() {
            Some((start, count)) if *start + *count == at => *count += 1,
            _ => runs.push((at, 1)),
        }
    }
    Some(runs)
}

/// The rows along a dimension that a gather takes one after the other, if it is known which these are, and how many.
fn rows_taken(
    b: &mut Builder<'_>,
    (x, row): (InstrId, usize),
    (indices, vector_dim): (InstrId, usize),
) -> Option<(InstrId, i64)> {
    let rows = b.array(x).dims[row];
    if let Some((start, step, count)) = progression(b, indices, vector_dim) {
        let last = start.checked_add(step.checked_mul(count - 1)?)?;
        if start >= 0 && last < rows {
            let whole = |&n: &i64| SliceDim { start: 0, limit: n, stride: 1 };
            let mut ranges: Vec<SliceDim> = b.array(x).dims.iter().map(whole).collect();
            ranges[row] = SliceDim { start, limit: last + 1, stride: step };
            return Some((b.add(Opcode::Slice, &[x], Attrs::Slice(ranges)), count));
        }
    }
    let runs = few_runs(b, (indices, vector_dim), rows)?;
    let count = runs.iter().map(|&(_, n)| n).sum();
    let parts: Vec<InstrId> = runs.iter().map(|&(at, n)| make::slice(b, x, row, at, at + n)).collect();
    let taken = match parts[..] {
        [one] => one,
        _ => b.add(Opcode::Concatenate, &parts, Attrs::Dims(vec![row])),
    };
    Some((taken, count))
}

fn gather_rows(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Gather(g) = &instr.attrs else { return None };
    let [x, indices] = instr.operands[..] else { return None };
    let whole = b.array(x).dims.clone();
    let [row] = g.start_index_map[..] else { return None };
    let rows = g.slice_sizes[row] == 1 && g.operand_batching_dims.is_empty();
    let others = (0..whole.len()).all(|d| d == row || g.slice_sizes[d] == whole[d]);
    if !rows || !others {
        return None;
    }
    let (taken, count) = rows_taken(b, (x, row), (indices, g.index_vector_dim))?;
    // The rows go where the result has its list; dimensions of one element need no place.
    let list = b.array(indices).dims.iter().position(|&n| n == count)?;
    let list = if list > g.index_vector_dim { list - 1 } else { list };
    let (mut lists, mut windows) = (0, windowed(g));
    let mut order = Vec::with_capacity(whole.len());
    for d in 0..instr.shape.as_array()?.rank() {
        match g.offset_dims.contains(&d) {
            true => order.extend(windows.next().filter(|&w| w != row)),
            false => {
                order.extend((lists == list).then_some(row));
                lists += 1;
            }
        }
    }
    let mut missing: Vec<usize> = (0..whole.len()).filter(|d| !order.contains(d)).collect();
    order.append(&mut missing);
    let moved = b.transpose(taken, &order);
    Some(b.reshape(moved, &instr.shape.as_array()?.dims))
}

/// The operand dimensions that the offset dimensions of a gather stand for.
fn windowed(g: &GatherDims) -> impl Iterator<Item = usize> {
    (0..g.slice_sizes.len()).filter(|d| !g.collapsed_slice_dims.contains(d))
}

/// Dimensions that count positions.
pub(super) fn batch_dims(rank: usize, window: &[usize]) -> Vec<usize> {
    (0..rank).filter(|d| !window.contains(d)).collect()
}

/// What a scatter makes of an old element and a new one.
pub(super) enum Combine {
    Replace,
    With(Opcode),
}

/// The parts of a scatter of one array.
fn scatter_parts(b: &Builder<'_>, instr: &Instruction) -> Option<(ScatterDims, Combine)> {
    let Attrs::Scatter(s) = &instr.attrs else { return None };
    if instr.operands.len() != 3 || b.array(instr.operands[0]).dtype != b.array(instr.operands[2]).dtype {
        return None;
    }
    let combiner = &b.module[s.to_apply];
    let combine = match combiner.root().attrs {
        Attrs::Parameter(1) => Combine::Replace,
        _ => Combine::With(combiner.as_simple_binary()?),
    };
    Some(((**s).clone(), combine))
}

/// The same, where every index vector counts from the start of the operand.
pub(super) fn unbatched_parts(b: &Builder<'_>, instr: &Instruction) -> Option<(ScatterDims, Combine)> {
    scatter_parts(b, instr).filter(|(s, _)| s.input_batching_dims.is_empty())
}

/// Fusible, where the scatter is not; the filled array is in nobody's memory yet, so nothing else is written again.
fn scatter_fill(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (s, combine) = scatter_parts(b, instr)?;
    let [x, indices, update] = instr.operands[..] else { return None };
    made_by(b, x, Opcode::Broadcast)?;
    let whole = b.array(x).clone();
    let [dim] = s.scatter_dims_to_operand_dims[..] else { return None };
    let rows: Vec<usize> = (0..whole.dims.len()).filter(|&d| d != dim).collect();
    let ascending = s.scatter_indices_batching_dims.is_sorted();
    if s.input_batching_dims != rows || s.inserted_window_dims != [dim] || !ascending {
        return None;
    }
    // One index and one update for each row; an index that counts to the end of the row.
    let extents: Vec<i64> = rows.iter().map(|&d| whole.dims[d]).collect();
    let count: i64 = extents.iter().product();
    let index = b.array(indices).dtype;
    let one_each = b.array(indices).elements() == count && b.array(update).elements() == count;
    if !one_each || index.integer_width() < Some(Width::W32) || whole.elements() == 0 {
        return None;
    }
    let position = b.reshape(indices, &extents);
    let position = b.broadcast(position, &whole.dims, &rows);
    let own = make::iota(b, ArrayShape::new(index, whole.dims.clone()), dim);
    let hit = make::compare(b, Direction::Eq, own, position);
    let new = b.reshape(update, &extents);
    let new = b.broadcast(new, &whole.dims, &rows);
    let new = combined(b, &combine, x, new);
    Some(make::select(b, hit, new, x))
}

/// The extents of one window, in the dimensions of the operand.
fn window_extents(b: &Builder<'_>, instr: &Instruction, s: &ScatterDims) -> Vec<i64> {
    let updates = &b.array(instr.operands[2]).dims;
    let mut window = s.update_window_dims.iter().map(|&d| updates[d]);
    let extent = |d| if s.inserted_window_dims.contains(&d) { 1 } else { window.next().unwrap_or(1) };
    (0..b.array(instr.operands[0]).rank()).map(extent).collect()
}

fn scatter_one(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (s, combine) = unbatched_parts(b, instr)?;
    let [x, indices, update] = instr.operands[..] else { return None };
    let position = one_position(b, indices, s.index_vector_dim)?;
    let window = window_extents(b, instr, &s);
    let whole = b.array(x).dims.clone();
    if window.contains(&0) || window.iter().zip(&whole).any(|(w, n)| w > n) {
        return None;
    }
    let starts = starts(b, whole.len(), &s.scatter_dims_to_operand_dims, &position)?;
    let mut operands = vec![x];
    operands.extend(&starts);
    let new = b.reshape(update, &window);
    let old = b.add(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(window.clone()));
    let new = combined(b, &combine, old, new);
    // An update that does not fit is dropped; the slice is moved until it fits.
    let inside = fits(b, &s, &position, &window, &whole)?;
    let inside = b.broadcast(inside, &window, &[]);
    let new = make::select(b, inside, new, old);
    operands.insert(1, new);
    Some(b.add(Opcode::DynamicUpdateSlice, &operands, Attrs::None))
}

fn combined(b: &mut Builder<'_>, combine: &Combine, old: InstrId, new: InstrId) -> InstrId {
    match *combine {
        Combine::Replace => new,
        Combine::With(opcode) => b.binary(opcode, old, new),
    }
}

/// Whether the window at this position lies inside, as a scalar.
fn fits(
    b: &mut Builder<'_>,
    s: &ScatterDims,
    position: &[InstrId],
    window: &[i64],
    whole: &[i64],
) -> Option<InstrId> {
    let mut all: Option<InstrId> = None;
    for (&d, &p) in s.scatter_dims_to_operand_dims.iter().zip(position) {
        let dtype = dtype(b, p)?;
        let last = whole[d] - window[d];
        let limit = dtype.integer_width()?.bits() - dtype.is_signed() as u32;
        let mut tests = Vec::new();
        if dtype.is_signed() {
            let zero = make::scalar(b, dtype, 0);
            tests.push(make::compare(b, Direction::Ge, p, zero));
        }
        // A narrow index cannot reach the end of a long array.
        if limit >= 63 || last < (1i64 << limit) - 1 {
            let last = make::scalar(b, dtype, last);
            tests.push(make::compare(b, Direction::Le, p, last));
        }
        for test in tests {
            all = Some(match all {
                None => test,
                Some(before) => b.binary(Opcode::And, before, test),
            });
        }
    }
    Some(match all {
        Some(test) => test,
        None => b.constant(Literal::scalar(DType::Pred, Scalar::Pred(true))),
    })
}

/// The updates of rows, where their list has the place of the rows: a window of the operand.
pub(super) fn in_rows(
    b: &mut Builder<'_>,
    s: &ScatterDims,
    update: InstrId,
    (row, window): (usize, &[i64]),
) -> Option<InstrId> {
    let updates = b.array(update).clone();
    let list = batch_dims(updates.rank(), &s.update_window_dims);
    let list = *list.iter().find(|&&d| updates.dims[d] == window[row])?;
    let mut windows = s.update_window_dims.iter().copied();
    let mut order: Vec<usize> = Vec::new();
    for d in 0..window.len() {
        let inserted = s.inserted_window_dims.contains(&d);
        let place = if inserted { None } else { windows.next() };
        match d == row {
            true => order.push(list),
            false => order.extend(place),
        }
    }
    let mut missing: Vec<usize> = (0..updates.rank()).filter(|d| !order.contains(d)).collect();
    order.append(&mut missing);
    let moved = b.transpose(update, &order);
    Some(b.reshape(moved, window))
}

/// The dimension of the operand whose rows a scatter changes, and the extents of a row.
pub(super) fn rows_changed(
    b: &Builder<'_>,
    instr: &Instruction,
    s: &ScatterDims,
) -> Option<(usize, Vec<i64>)> {
    let [row] = s.scatter_dims_to_operand_dims[..] else { return None };
    let (whole, window) = (&b.array(instr.operands[0]).dims, window_extents(b, instr, s));
    let others = (0..whole.len()).all(|d| d == row || window[d] == whole[d]);
    (window[row] == 1 && others && !window.contains(&0)).then_some((row, window))
}

fn scatter_rows(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (s, combine) = unbatched_parts(b, instr)?;
    let [x, indices, update] = instr.operands[..] else { return None };
    let (start, 1, count) = progression(b, indices, s.index_vector_dim)? else { return None };
    let whole = b.array(x).dims.clone();
    let (row, mut window) = rows_changed(b, instr, &s)?;
    if start < 0 || start + count > whole[row] {
        return None;
    }
    window[row] = count;
    let mut new = in_rows(b, &s, update, (row, &window))?;
    let starts: Vec<InstrId> =
        (0..whole.len()).map(|d| make::scalar(b, DType::S32, if d == row { start } else { 0 })).collect();
    if let Combine::With(_) = combine {
        let ranges = (0..whole.len()).map(|d| match d == row {
            true => SliceDim { start, limit: start + count, stride: 1 },
            false => SliceDim { start: 0, limit: whole[d], stride: 1 },
        });
        let ranges = ranges.collect();
        let old = b.add(Opcode::Slice, &[x], Attrs::Slice(ranges));
        new = combined(b, &combine, old, new);
    }
    let mut operands = vec![x, new];
    operands.extend(starts);
    Some(b.add(Opcode::DynamicUpdateSlice, &operands, Attrs::None))
}

/// Each element gets at most one of every run, in the order of the updates.
fn scatter_runs(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (s, Combine::With(Opcode::Add)) = unbatched_parts(b, instr)? else { return None };
    let [x, indices, update] = instr.operands[..] else { return None };
    let (row, mut window) = rows_changed(b, instr, &s)?;
    let shape = b.array(indices).clone();
    if !is(b, x, 0) || is_minus_zero(b, x) || !is_one_list(&shape, s.index_vector_dim) {
        return None;
    }
    let (rows, dtype) = (b.array(x).dims[row], b.array(x).dtype);
    let values = list_values(b, indices)?;
    let runs = runs(values.len(), &|n| Some(values[n]))?;
    let starts = [0].into_iter().chain(runs.iter().map(|run| run.0));
    let is_read_twice = starts.zip(&runs).any(|(start, &(end, _, step))| step == 0 && end - start > 1);
    if is_read_twice || !values.iter().all(|v| (0..rows).contains(v)) {
        return None;
    }
    window[row] = values.len() as i64;
    let new = in_rows(b, &s, update, (row, &window))?;
    let zero = make::scalar(b, dtype, 0);
    let (mut sum, mut start) = (x, 0);
    for (end, first, step) in runs {
        let mut part = make::slice(b, new, row, start as i64, end as i64);
        if step < 0 {
            part = b.add(Opcode::Reverse, &[part], Attrs::Dims(vec![row]));
        }
        let at = |n: usize| first + step * n as i64;
        let (low, high) = (at(start).min(at(end - 1)), at(start).max(at(end - 1)));
        let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; window.len()];
        padding[row] = PadDim { low, high: rows - 1 - high, interior: (step.abs() - 1).max(0) };
        let placed = b.add(Opcode::Pad, &[part, zero], Attrs::Pad(padding));
        sum = b.binary(Opcode::Add, sum, placed);
        start = end;
    }
    Some(sum)
}
