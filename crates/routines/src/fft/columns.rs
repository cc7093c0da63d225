//! Transforms of columns: where no code is for them as they lie, a group of neighbours is copied to lines, and their transforms back.

use super::{KEPT, grown, lanes, run};
use crate::columns::Columns;
use crate::element::Element;
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::{self, lines};
use std::ops::Range;

/// Floats between two lines: those of a power of two would share few sets of a cache.
const GAP: usize = 16;

/// Transforms these columns of a matrix of so many; `exact` asks for the bits of the reference algorithm.
pub fn run_columns<T: Element>(
    kind: FftKind,
    (x, columns): (&[T], usize),
    y: &mut Columns<'_, T>,
    n: usize,
    which: Range<usize>,
    exact: bool,
) {
    if n == 0 {
        return;
    }
    if !exact && lanes::run_columns(kind, (x, columns), y, n, which.clone()) {
        return;
    }
    let ((read, of_read), (written, of_written)) = lines(kind, n);
    let count = which.len();
    let (from, to) = (read * of_read + GAP, written * of_written + GAP);
    // Other transforms of this thread are made meanwhile.
    let [mut taken, mut made] = T::with_planners(|planners| std::mem::take(&mut planners.columns));
    let (taken_lines, made_lines) = (grown(&mut taken, from * count), grown(&mut made, to * count));
    let row = |k: usize| &x[(k * columns + which.start) * of_read..][..count * of_read];
    match of_read {
        1 => (0..read).for_each(|k| take::<T, 1>(row(k), taken_lines, from, k)),
        _ => (0..read).for_each(|k| take::<T, 2>(row(k), taken_lines, from, k)),
    }
    for (line, made) in taken_lines.chunks_exact(from).zip(made_lines.chunks_exact_mut(to)) {
        let (line, made) = (&line[..read * of_read], &mut made[..written * of_written]);
        match exact {
            true => library::fft(kind, line, made, n),
            false => run(kind, line, made, n),
        }
    }
    match of_written {
        1 => (0..written).for_each(|k| give::<T, 1>(y.of_row(k), made_lines, to, k)),
        _ => (0..written).for_each(|k| give::<T, 2>(y.of_row(k), made_lines, to, k)),
    }
    if taken.len().max(made.len()) <= KEPT {
        T::with_planners(|planners| planners.columns = [taken, made]);
    }
}

/// Elements of `PARTS` floats of a row become element `k` of each line.
fn take<T: Element, const PARTS: usize>(row: &[T], lines: &mut [T], line: usize, k: usize) {
    for (line, element) in lines.chunks_exact_mut(line).zip(row.as_chunks::<PARTS>().0) {
        if let Some(to) = line[k * PARTS..].first_chunk_mut() {
            *to = *element;
        }
    }
}

/// The other way.
fn give<T: Element, const PARTS: usize>(row: &mut [T], lines: &[T], line: usize, k: usize) {
    for (line, element) in lines.chunks_exact(line).zip(row.as_chunks_mut::<PARTS>().0) {
        if let Some(from) = line[k * PARTS..].first_chunk() {
            *element = *from;
        }
    }
}
