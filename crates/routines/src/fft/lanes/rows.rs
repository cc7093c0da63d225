//! Rows that follow each other, as many at once as a vector has lanes: they are transposed to lines, and their transforms back.

use super::lines::{
    MOST, Mirror, complex_numbers, is_zero, load_some, of_half, place, scale, store_some, to_half,
};
use super::passes::{C, between};
use super::plans::{Plans, with_plans};
use super::{FEW, LONGEST};
use crate::instructions::{Call, Instructions};
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::{Real, lines};

/// Transforms the first rows of so many, and says how many: those that are left are too few. None where a result is not finite.
pub fn run<S: Instructions>(
    s: S,
    kind: FftKind,
    x: &[S::Float],
    y: &mut [S::Float],
    (n, rows): (usize, usize),
) -> usize {
    let pairs = complex_numbers(kind, n);
    let (m, paired) = (pairs.unwrap_or(n), pairs.is_some());
    if !(1..=LONGEST).contains(&m) {
        return 0;
    }
    let ((read, of_read), (written, of_written)) = lines(kind, n);
    let (read, written) = (read * of_read, written * of_written);
    with_plans(|plans: &mut Plans<S>| {
        let Some((plan, mut lines)) = plans.of(s, m) else { return 0 };
        let mut first = 0;
        while rows - first >= FEW {
            let count = S::LANES.min(rows - first);
            let x = &x[first * read..][..count * read];
            let y = &mut y[first * written..][..count * written];
            let to = &mut *lines[0];
            match (kind, paired) {
                (FftKind::Fft | FftKind::Ifft, _) | (FftKind::Rfft, true) => {
                    s.call(Take { lines: to, x, read })
                }
                (FftKind::Rfft, false) => s.call(TakeReal { lines: to, x, read }),
                (FftKind::Irfft, true) => {
                    s.call(Take { lines: to, x, read });
                    of_half(s, to, &plan.half, s.load(&column(x, (read, 2 * m))));
                }
                (FftKind::Irfft, false) => {
                    s.call(Take { lines: &mut to[..m / 2 + 1], x, read });
                    s.call(Mirror { lines: to });
                }
            }
            between(s, &plan.passes, &mut lines);
            let lines = &mut *lines[0];
            let finite = match (kind, paired) {
                (FftKind::Rfft, true) => {
                    let last = Some(to_half(s, lines, &plan.half));
                    s.call(Give { kind, lines, last, y, written })
                }
                (FftKind::Rfft, false) => {
                    s.call(Give { kind, lines: &lines[..m / 2 + 1], last: None, y, written })
                }
                (FftKind::Irfft, false) => s.call(GiveReal { lines, y, written }),
                (FftKind::Fft | FftKind::Ifft, _) | (FftKind::Irfft, true) => {
                    s.call(Give { kind, lines, last: None, y, written })
                }
            };
            if !finite {
                return 0;
            }
            first += count;
        }
        first
    })
}

/// Element `at` of each row of so many.
fn column<T: Real>(x: &[T], (row, at): (usize, usize)) -> [T; MOST] {
    let mut column = [T::ZERO; MOST];
    column.iter_mut().zip(x.chunks_exact(row)).for_each(|(to, row)| *to = row[at]);
    column
}

/// The first complex numbers of each block of lines, half as many as there are lanes: the last block ends with the lines, unless they
/// are fewer.
#[inline(always)]
fn blocks(lines: usize, block: usize) -> impl Iterator<Item = usize> {
    (0..lines).step_by(block).map(move |first| first.min(lines.saturating_sub(block)))
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
                // Of a short row this has elements of those that follow it too.
                *v = load_some(s, &self.x[r.min(last) * self.read + 2 * first..]);
            }
            s.transpose(square);
            for (line, parts) in self.lines[first..].iter_mut().zip(square.as_chunks::<2>().0) {
                *line = C { re: parts[0], im: parts[1] };
            }
        }
    }
}

/// Reads real rows of `read` elements.
struct TakeReal<'a, S: Instructions> {
    lines: &'a mut [C<S>],
    x: &'a [S::Float],
    read: usize,
}

impl<S: Instructions> Call<S> for TakeReal<'_, S> {
    type Result = ();

    #[inline(always)]
    fn call(self, s: S) {
        let (last, zero) = ((self.x.len() / self.read).saturating_sub(1), s.splat(<S::Float as Real>::ZERO));
        for first in blocks(self.lines.len(), S::LANES) {
            let mut square = [zero; MOST];
            let square = &mut square[..S::LANES];
            for (r, v) in square.iter_mut().enumerate() {
                *v = load_some(s, &self.x[r.min(last) * self.read + first..]);
            }
            s.transpose(square);
            for (line, &re) in self.lines[first..].iter_mut().zip(&*square) {
                *line = C { re, im: zero };
            }
        }
    }
}

/// Writes the real parts of inverse transforms as rows of `written` elements; tells whether all are finite.
struct GiveReal<'a, S: Instructions> {
    lines: &'a [C<S>],
    y: &'a mut [S::Float],
    written: usize,
}

impl<S: Instructions> Call<S> for GiveReal<'_, S> {
    type Result = bool;

    #[inline(always)]
    fn call(self, s: S) -> bool {
        let GiveReal { lines, y, written } = self;
        let (n, rows) = (lines.len(), y.len() / written);
        let zero = s.splat(<S::Float as Real>::ZERO);
        let (mut check, scale) = (zero, s.splat(scale(FftKind::Irfft, n)));
        for first in blocks(n, S::LANES) {
            let mut square = [zero; MOST];
            let square = &mut square[..S::LANES];
            for (k, v) in square.iter_mut().enumerate().take(n) {
                *v = s.mul(lines[place(FftKind::Irfft, first + k, n)].re, scale);
            }
            s.transpose(square);
            for (r, &v) in square.iter().enumerate() {
                check = s.mul_add(v, zero, check);
                if r < rows {
                    store_some(s, &mut y[r * written + first..], v);
                }
            }
        }
        is_zero(s, check)
    }
}

/// Writes rows of `written` floats; tells whether all are finite.
struct Give<'a, S: Instructions> {
    kind: FftKind,
    lines: &'a [C<S>],
    /// The element of a real row's transform that has no line.
    last: Option<S::Vector>,
    y: &'a mut [S::Float],
    written: usize,
}

impl<S: Instructions> Call<S> for Give<'_, S> {
    type Result = bool;

    #[inline(always)]
    fn call(self, s: S) -> bool {
        let Give { kind, lines, last, y, written } = self;
        let (m, rows) = (lines.len(), y.len() / written);
        let zero = s.splat(<S::Float as Real>::ZERO);
        let (mut check, scale) = (zero, s.splat(scale(kind, m)));
        for first in blocks(m, S::LANES / 2) {
            let mut square = [zero; MOST];
            let square = &mut square[..S::LANES];
            for (k, parts) in square.as_chunks_mut::<2>().0.iter_mut().enumerate().take(m) {
                let C { re, im } = lines[place(kind, first + k, m)];
                *parts = [s.mul(re, scale), s.mul(im, scale)];
            }
            s.transpose(square);
            for (r, &v) in square.iter().enumerate() {
                check = s.mul_add(v, zero, check);
                // What a short row's vector has beyond it, the rows that follow replace.
                if r < rows {
                    store_some(s, &mut y[r * written + 2 * first..], v);
                }
            }
        }
        if let Some(last) = last {
            let mut values = [<S::Float as Real>::ZERO; MOST];
            s.store(&mut values, last);
            for (row, value) in y.chunks_exact_mut(written).zip(values) {
                (row[2 * m], row[2 * m + 1]) = (value, <S::Float as Real>::ZERO);
            }
            check = s.mul_add(last, zero, check);
        }
        is_zero(s, check)
    }
}
