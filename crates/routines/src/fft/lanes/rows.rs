//! Rows that follow each other, as many at once as a vector has lanes: they are transposed to lines, and their transforms back.

use super::LONGEST;
use super::columns::is_zero;
use super::instructions::{Call, Instructions};
use super::lines::{Lines, complex_numbers};
use super::passes::C;
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::{Real, lines};

/// Transforms rows; tells whether it did, and all results are finite.
pub fn run<S: Instructions>(
    s: S,
    kind: FftKind,
    x: &[S::Float],
    y: &mut [S::Float],
    (n, rows): (usize, usize),
) -> bool {
    // Blocks of transposes are of half as many complex numbers as there are lanes.
    let lengths = S::LANES / 2..=LONGEST;
    let Some(m) = complex_numbers(kind, n).filter(|m| lengths.contains(m)) else { return false };
    let ((read, of_read), (written, of_written)) = lines(kind, n);
    let (read, written) = (read * of_read, written * of_written);
    S::with_plans(|plans| {
        let Some((plan, [from, to])) = plans.of(s, m) else { return false };
        let mut lines = Lines { plan, kind, from, to, last: s.splat(<S::Float as Real>::ZERO) };
        let mut finite = true;
        for first in (0..rows).step_by(S::LANES) {
            let count = S::LANES.min(rows - first);
            let x = &x[first * read..][..count * read];
            let y = &mut y[first * written..][..count * written];
            s.call(Take { lines: lines.from, x, read });
            if kind == FftKind::Irfft {
                lines.last = s.load(&column(x, (read, 2 * m)));
            }
            lines.run(s);
            finite &= s.call(Give { lines: &lines, y, written });
        }
        finite
    })
}

/// The most lanes of any vector.
const MOST: usize = 16;

/// Element `at` of each row of so many.
fn column<T: Real>(x: &[T], (row, at): (usize, usize)) -> [T; MOST] {
    let mut column = [T::ZERO; MOST];
    column.iter_mut().zip(x.chunks_exact(row)).for_each(|(to, row)| *to = row[at]);
    column
}

/// The first complex numbers of each block of lines: the last one begins where it ends with the lines.
#[inline(always)]
fn blocks(lines: usize, block: usize) -> impl Iterator<Item = usize> {
    (0..lines).step_by(block).map(move |first| first.min(lines - block))
}

/// Reads rows of `read` floats.
struct Take<'a, S: Instructions> {
    lines: &'a mut [C<S>],
    x: &'a [S::Float],
    read: usize,
}

impl<S: Instructions> Call<S> for Take<'_, S> {
    type Result = ();

    #[inline(always)]
    fn call(self, s: S) {
        // Where there are fewer rows, the last one takes the place of others.
        let last = (self.x.len() / self.read).saturating_sub(1);
        for first in blocks(self.lines.len(), S::LANES / 2) {
            let mut square = [s.splat(<S::Float as Real>::ZERO); MOST];
            let square = &mut square[..S::LANES];
            for (r, v) in square.iter_mut().enumerate() {
                *v = s.load(&self.x[r.min(last) * self.read + 2 * first..]);
            }
            s.transpose(square);
            for (line, parts) in self.lines[first..].iter_mut().zip(square.as_chunks::<2>().0) {
                *line = C { re: parts[0], im: parts[1] };
            }
        }
    }
}

/// Writes rows of `written` floats; tells whether all are finite.
struct Give<'a, 'l, S: Instructions> {
    lines: &'a Lines<'l, S>,
    y: &'a mut [S::Float],
    written: usize,
}

impl<S: Instructions> Call<S> for Give<'_, '_, S> {
    type Result = bool;

    #[inline(always)]
    fn call(self, s: S) -> bool {
        let Give { lines, y, written } = self;
        let zero = s.splat(<S::Float as Real>::ZERO);
        let (mut check, scale) = (zero, s.splat(lines.scale()));
        let (m, rows) = (lines.plan.n, y.len() / written);
        for first in blocks(m, S::LANES / 2) {
            let mut square = [zero; MOST];
            let square = &mut square[..S::LANES];
            for (k, parts) in square.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let C { re, im } = lines.result(first + k);
                *parts = [s.mul(re, scale), s.mul(im, scale)];
            }
            s.transpose(square);
            for (r, &v) in square.iter().enumerate() {
                check = s.mul_add(v, zero, check);
                if r < rows {
                    s.store(&mut y[r * written + 2 * first..], v);
                }
            }
        }
        if lines.kind == FftKind::Rfft {
            let mut last = [<S::Float as Real>::ZERO; MOST];
            s.store(&mut last, lines.last);
            for (row, value) in y.chunks_exact_mut(written).zip(last) {
                (row[2 * m], row[2 * m + 1]) = (value, <S::Float as Real>::ZERO);
            }
            check = s.mul_add(lines.last, zero, check);
        }
        is_zero(s, check)
    }
}
