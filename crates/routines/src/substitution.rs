//! Triangular equations with few right-hand sides: vectors lie along the unknowns.
//!
//! By columns, as the reference algorithm has it: a known number times its column leaves the rest of the right-hand side, in
//! vectors, with the same bits. Where the rows of a large triangle lie in memory it goes by rows instead, without a copy
//! of the columns: a row times what is known, in an order of its own.

use crate::element::Element;
use crate::vectors::{LANES, Line, Loops, halved, with_vectors};
use lawson_hlo::library::Real;
use ndarray::{ArrayView2, ArrayViewMut2};

/// A triangular matrix, as it stands left of the unknowns.
pub struct Triangle<'a, T> {
    pub elements: ArrayView2<'a, T>,
    pub lower: bool,
    /// The diagonal is not read and counts as 1.
    pub unit_diagonal: bool,
}

/// A triangle without its elements.
#[derive(Clone, Copy)]
struct Form {
    n: usize,
    lower: bool,
    unit_diagonal: bool,
}

impl<T> Triangle<'_, T> {
    fn form(&self) -> Form {
        Form { n: self.elements.nrows(), lower: self.lower, unit_diagonal: self.unit_diagonal }
    }
}

/// Solves `t x = b` in place by columns, for right-hand sides that are the columns of `x`.
pub fn by_columns<T: Element>(t: &Triangle<'_, T>, x: ArrayViewMut2<'_, T>) {
    let form = t.form();
    let in_line = t.elements.t().to_slice();
    let copy;
    let columns = match in_line.map(|elements| elements.as_chunks()) {
        Some((lines, [])) if form.n.is_multiple_of(LANES) => lines,
        _ => {
            copy = columns_in_lines(t);
            &copy
        }
    };
    each_side(x, |side| with_vectors(ByColumns { form, columns, side }));
}

/// The columns of the triangle in lines of their own; those of the other triangle are zero.
fn columns_in_lines<T: Element>(t: &Triangle<'_, T>) -> Vec<Line<T>> {
    let n = t.elements.nrows();
    let width = n.div_ceil(LANES);
    let mut columns = vec![[<T as Real>::ZERO; LANES]; n * width];
    for (k, (to, from)) in columns.chunks_exact_mut(width).zip(t.elements.columns()).enumerate() {
        let read = if t.lower { k..n } else { 0..k + 1 };
        let to = &mut to.as_flattened_mut()[read.clone()];
        match from.to_slice() {
            Some(from) => to.copy_from_slice(&from[read]),
            None => to.iter_mut().zip(from.iter().skip(read.start)).for_each(|(to, &from)| *to = from),
        }
    }
    columns
}

/// Solves `t x = b` in place by rows.
pub fn by_rows<T: Element>(t: &Triangle<'_, T>, x: ArrayViewMut2<'_, T>) {
    let form = t.form();
    let rows = t.elements.as_standard_layout();
    let Some(rows) = rows.as_slice() else { unreachable!("rows that follow each other") };
    each_side(x, |side| with_vectors(ByRows { form, rows, side }));
}

/// Gives each column of `x` to `solve` in lines, of which the last is filled up with zeros, and takes the result back.
fn each_side<T: Element>(mut x: ArrayViewMut2<'_, T>, mut solve: impl FnMut(&mut [Line<T>])) {
    let mut lines = vec![[<T as Real>::ZERO; LANES]; x.nrows().div_ceil(LANES)];
    for mut side in x.columns_mut() {
        let flat = lines.as_flattened_mut();
        flat.iter_mut().zip(&side).for_each(|(to, &from)| *to = from);
        solve(&mut lines);
        side.iter_mut().zip(lines.as_flattened()).for_each(|(to, &from)| *to = from);
    }
}

struct ByColumns<'a, 'x, T> {
    form: Form,
    /// The columns of the triangle in lines, with anything in the other triangle.
    columns: &'a [Line<T>],
    side: &'x mut [Line<T>],
}

impl<T: Element> Loops for ByColumns<'_, '_, T> {
    type Result = ();

    /// Whole lines are computed: what that makes of unknowns that are known already is not kept.
    #[inline(always)]
    fn run(self) {
        let (n, width) = (self.form.n, self.side.len());
        let mut rest = self.side.to_vec();
        for step in 0..n {
            let k = if self.form.lower { step } else { n - 1 - step };
            let column = &self.columns[k * width..][..width];
            let (line, lane) = (k / LANES, k % LANES);
            let mut known = rest[line][lane];
            if !self.form.unit_diagonal {
                known /= column[line][lane];
            }
            self.side[line][lane] = known;
            let open = if self.form.lower { line..width } else { 0..line + 1 };
            for (x, c) in rest[open.clone()].iter_mut().zip(&column[open]) {
                // All of a line before it is stored: a vector.
                *x = std::array::from_fn(|e| x[e] - c[e] * known);
            }
        }
    }
}

struct ByRows<'a, 'x, T> {
    form: Form,
    rows: &'a [T],
    side: &'x mut [Line<T>],
}

impl<T: Element> Loops for ByRows<'_, '_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let n = self.form.n;
        // Zero where nothing is known yet.
        let mut known = vec![[<T as Real>::ZERO; LANES]; self.side.len()];
        for step in 0..n {
            let i = if self.form.lower { step } else { n - 1 - step };
            let row = &self.rows[i * n..][..n];
            let read = if self.form.lower { 0..i } else { i + 1..n };
            let mut sums = [<T as Real>::ZERO; LANES];
            let mut add = |line: usize, row: &Line<T>| {
                sums = std::array::from_fn(|e| sums[e] + row[e] * known[line][e]);
            };
            // Lines that are read in part, with zeros beside.
            let mut add_part = |line: usize, from: usize, to: usize| {
                let mut part = [<T as Real>::ZERO; LANES];
                part[from - line * LANES..to - line * LANES].copy_from_slice(&row[from..to]);
                add(line, &part);
            };
            let first = read.start.next_multiple_of(LANES).min(read.end);
            let last = (read.end / LANES * LANES).max(first);
            if read.start < first {
                add_part(read.start / LANES, read.start, first);
            }
            if last < read.end {
                add_part(last / LANES, last, read.end);
            }
            let (whole, _) = row[first.min(n)..last.max(first)].as_chunks();
            for (line, row) in (first / LANES..).zip(whole) {
                add(line, row);
            }
            let x = self.side.as_flattened()[i] - halved(sums, |a, b| a + b);
            known.as_flattened_mut()[i] = if self.form.unit_diagonal { x } else { x / row[i] };
        }
        self.side.copy_from_slice(&known);
    }
}
