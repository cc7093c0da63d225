//! Rows that follow each other, as many at once as a vector has lanes: they are transposed to lines, and their transforms back.

use super::lines::{
    MOST, Mirror, blocks, complex_numbers, is_zero, load_some, of_half, place, scale, store_some, to_half,
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

/// Elements of rows, from `at` on, as many rows and elements as there are lanes, transposed: of a short row also elements of those that
/// follow it; where there are fewer rows, the last one takes the place of others.
#[inline(always)]
fn read_square<S: Instructions>(s: S, x: &[S::Float], row: usize, at: usize) -> [S::Vector; MOST] {
    let last = (x.len() / row).saturating_sub(1);
    let mut square = [s.splat(<S::Float as Real>::ZERO); MOST];
    for (r, v) in square[..S::LANES].iter_mut().enumerate() {
        *v = load_some(s, &x[r.min(last) * row + at..]);
    }
    s.transpose(&mut square[..S::LANES]);
    square
}

/// The other way, to as many rows as there are; gives zero times what is written, added to `check`.
#[inline(always)]
fn write_square<S: Instructions>(
    s: S,
    mut square: [S::Vector; MOST],
    (y, row): (&mut [S::Float], usize),
    at: usize,
    mut check: S::Vector,
) -> S::Vector {
    let (rows, zero) = (y.len() / row, s.splat(<S::Float as Real>::ZERO));
    s.transpose(&mut square[..S::LANES]);
    for (r, &v) in square[..S::LANES].iter().enumerate() {
        check = s.mul_add(v, zero, check);
        // What a short row's vector has beyond it, the rows that follow replace.
        if r < rows {
            store_some(s, &mut y[r * row + at..], v);
        }
    }
    check
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
        // Complex numbers, half as many as there are lanes.
        for first in blocks(self.lines.len(), S::LANES / 2) {
            let square = read_square(s, self.x, self.read, 2 * first);
            let parts = square[..S::LANES].as_chunks::<2>().0;
            for (line, parts) in self.lines[first..].iter_mut().zip(parts) {
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
        let im = s.splat(<S::Float as Real>::ZERO);
        for first in blocks(self.lines.len(), S::LANES) {
            let square = read_square(s, self.x, self.read, first);
            for (line, &re) in self.lines[first..].iter_mut().zip(&square[..S::LANES]) {
                *line = C { re, im };
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
        let n = lines.len();
        let zero = s.splat(<S::Float as Real>::ZERO);
        let (mut check, scale) = (zero, s.splat(scale(FftKind::Irfft, n)));
        for first in blocks(n, S::LANES) {
            let mut square = [zero; MOST];
            for (k, v) in square[..S::LANES].iter_mut().enumerate().take(n) {
                *v = s.mul(lines[place(FftKind::Irfft, first + k, n)].re, scale);
            }
            check = write_square(s, square, (&mut *y, written), first, check);
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
        let m = lines.len();
        let zero = s.splat(<S::Float as Real>::ZERO);
        let (mut check, scale) = (zero, s.splat(scale(kind, m)));
        for first in blocks(m, S::LANES / 2) {
            let mut square = [zero; MOST];
            let parts = square[..S::LANES].as_chunks_mut::<2>().0;
            for (k, parts) in parts.iter_mut().enumerate().take(m) {
                let C { re, im } = lines[place(kind, first + k, m)];
                *parts = [s.mul(re, scale), s.mul(im, scale)];
            }
            check = write_square(s, square, (&mut *y, written), 2 * first, check);
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
