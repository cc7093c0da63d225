//! The QR factors of a panel of complex columns, and products of its reflectors: real and imaginary parts are vectors of their own.

use crate::element::Element;
use crate::vectors::{LANES, Line, Loops, dot, largest, subtract, with_vectors};
use lawson_hlo::library::Real;
use ndarray::ArrayViewMut2;
use num_complex::Complex;

/// Factors the columns that stand as rows of `columns`.
pub(crate) fn factor<T: Element>(columns: ArrayViewMut2<'_, Complex<T>>, taus: &mut [Complex<T>]) {
    in_parts(columns, |parts, height| with_vectors(Factor { parts, height, taus }));
}

/// Makes packed columns, that stand as rows, those of the product of their reflectors.
pub(crate) fn multiply<T: Element>(columns: ArrayViewMut2<'_, Complex<T>>, taus: &[Complex<T>]) {
    in_parts(columns, |parts, height| with_vectors(Multiply { parts, height, taus }));
}

/// Gives the rows to `change` as lines, so many of real parts and so many of imaginary ones, which end with zeros, and takes them
/// back.
fn in_parts<T: Element>(mut rows: ArrayViewMut2<'_, Complex<T>>, change: impl FnOnce(&mut [Line<T>], usize)) {
    let height = rows.ncols().div_ceil(LANES).max(1);
    let mut parts = vec![[<T as Real>::ZERO; LANES]; 2 * height * rows.nrows()];
    for (row, parts) in rows.rows().into_iter().zip(parts.chunks_exact_mut(2 * height)) {
        let (re, im) = parts.split_at_mut(height);
        for ((x, re), im) in row.iter().zip(re.as_flattened_mut()).zip(im.as_flattened_mut()) {
            (*re, *im) = (x.re, x.im);
        }
    }
    change(&mut parts, height);
    for (mut row, parts) in rows.rows_mut().into_iter().zip(parts.chunks_exact(2 * height)) {
        let (re, im) = parts.split_at(height);
        for ((x, &re), &im) in row.iter_mut().zip(re.as_flattened()).zip(im.as_flattened()) {
            *x = Complex::new(re, im);
        }
    }
}

/// `x − factor v`, where a vector is its real and its imaginary part.
#[inline(always)]
fn subtract_times<T: Element>(x: [&mut [Line<T>]; 2], factor: Complex<T>, v: [&[Line<T>]; 2]) {
    let ([re, im], [v_re, v_im]) = (x, v);
    subtract(re, factor.re, v_re);
    subtract(re, -factor.im, v_im);
    subtract(im, factor.re, v_im);
    subtract(im, factor.im, v_re);
}

/// Reflects the columns, from this line on, by `1 − tau v vᴴ`.
#[inline(always)]
fn reflect<T: Element>(
    columns: &mut [Line<T>],
    (height, line): (usize, usize),
    tau: Complex<T>,
    [re, im]: [&[Line<T>]; 2],
) {
    for column in columns.chunks_exact_mut(2 * height) {
        let (x, y) = column.split_at_mut(height);
        let (x, y) = (&mut x[line..], &mut y[line..]);
        let product = Complex::new(dot(re, x) + dot(im, y), dot(re, y) - dot(im, x));
        subtract_times([x, y], tau * product, [re, im]);
    }
}

/// A copy of a column from its diagonal element on, that of number `k`, in lines: what is above it is zero, since whole lines are
/// computed.
#[inline(always)]
fn below<'v, T: Element>(
    v: &'v mut [Line<T>],
    column: &[Line<T>],
    (height, k): (usize, usize),
) -> [&'v mut [Line<T>]; 2] {
    v.copy_from_slice(column);
    let (re, im) = v.split_at_mut(height);
    [re, im].map(|part| {
        let part = &mut part[k / LANES..];
        part[0][..k % LANES].fill(<T as Real>::ZERO);
        part
    })
}

/// A panel: a column is the lines of its real parts, then those of the imaginary ones; the last of each end with zeros.
struct Factor<'a, T> {
    parts: &'a mut [Line<T>],
    height: usize,
    taus: &'a mut [Complex<T>],
}

impl<T: Element> Loops for Factor<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let (height, zero) = (self.height, <T as Real>::ZERO);
        let mut v = vec![[zero; LANES]; 2 * height];
        for (k, tau) in self.taus.iter_mut().enumerate() {
            let (done, right) = self.parts.split_at_mut((k + 1) * 2 * height);
            let (line, lane) = (k / LANES, k % LANES);
            let own = &mut done[k * 2 * height..];
            let [re, im] = below(&mut v, own, (height, k));
            let beta;
            (beta, *tau) = reflector(re, im, lane);
            // The reflector's adjoint.
            reflect(right, (height, line), Complex::new(tau.re, -tau.im), [re, im]);
            for (own, v, first) in [(0, &*re, beta), (height, &*im, zero)].map(|(n, v, x)| (n + line, v, x)) {
                let own = &mut done[k * 2 * height + own..][..v.len()];
                let above = own[0];
                own.copy_from_slice(v);
                own[0][..lane].copy_from_slice(&above[..lane]);
                own[0][lane] = first;
            }
        }
    }
}

/// A packed panel, whose columns become those of the product of their reflectors.
struct Multiply<'a, T> {
    parts: &'a mut [Line<T>],
    height: usize,
    taus: &'a [Complex<T>],
}

impl<T: Element> Loops for Multiply<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let (height, zero, one) = (self.height, <T as Real>::ZERO, <T as Real>::ONE);
        let mut v = vec![[zero; LANES]; 2 * height];
        for (k, &tau) in self.taus.iter().enumerate().rev() {
            let (done, right) = self.parts.split_at_mut((k + 1) * 2 * height);
            let (line, lane) = (k / LANES, k % LANES);
            let own = &mut done[k * 2 * height..];
            let [re, im] = below(&mut v, own, (height, k));
            (re[0][lane], im[0][lane]) = (one, zero);
            own.fill([zero; LANES]);
            own[line][lane] = one;
            // What is packed where nothing is reflected is no vector.
            if (tau.re, tau.im) != (zero, zero) {
                let (x, y) = own.split_at_mut(height);
                subtract_times([&mut x[line..], &mut y[line..]], tau, [re, im]);
                reflect(right, (height, line), tau, [re, im]);
            }
        }
    }
}

/// As the reference algorithm makes it (`complex_householder::reflector`), but for the order of sums, of a vector whose first element
/// stands at `first`, after zeros.
#[inline(always)]
fn reflector<T: Element>(re: &mut [Line<T>], im: &mut [Line<T>], first: usize) -> (T, Complex<T>) {
    let (zero, one) = (<T as Real>::ZERO, <T as Real>::ONE);
    let alpha =
        Complex::new(std::mem::replace(&mut re[0][first], zero), std::mem::replace(&mut im[0][first], zero));
    let rest = greater(largest(re), largest(im));
    if rest == zero && alpha.im == zero {
        re[0][first] = one;
        return (alpha.re, Complex::new(zero, zero));
    }
    let most = greater(rest, greater(Real::abs(alpha.re), Real::abs(alpha.im)));
    // Subnormal numbers have too few digits to be divided by.
    let scale = most.power_of_two();
    for x in [&mut *re, &mut *im].into_iter().flat_map(|part| part.as_flattened_mut()) {
        *x /= scale;
    }
    let alpha = Complex::new(alpha.re / scale, alpha.im / scale);
    let length = Real::sqrt(dot(re, re) + dot(im, im));
    let beta = -Real::hypot(Real::hypot(alpha.re, alpha.im), length).with_sign(alpha.re);
    // Its absolute value is near one or more, as that of beta is.
    let divisor = Complex::new(alpha.re - beta, alpha.im);
    let square = divisor.re * divisor.re + divisor.im * divisor.im;
    let inverse = Complex::new(divisor.re / square, -divisor.im / square);
    for (x, y) in re.as_flattened_mut().iter_mut().zip(im.as_flattened_mut()) {
        (*x, *y) = (*x * inverse.re - *y * inverse.im, *x * inverse.im + *y * inverse.re);
    }
    (re[0][first], im[0][first]) = (one, zero);
    (beta * scale, Complex::new((beta - alpha.re) / beta, -alpha.im / beta))
}

#[inline(always)]
fn greater<T: Real>(x: T, y: T) -> T {
    if y > x { y } else { x }
}
