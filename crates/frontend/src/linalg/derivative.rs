//! Tangents of factors, from the factors and the tangent of the matrix.
//!
//! ```text
//! q r = a           w = qᵀ a' r⁻¹, x = tril(w) − tril(w)ᵀ     q' = q (x − w) + a' r⁻¹    r' = (w − x) r
//! l u = p a         w = l⁻¹ p a' u⁻¹                          l' = l tril(w)             u' = triu(w) u
//! a v = v w         x = vᵀ a' v                               w' = diag(x)               v' = v (f ∘ x), f = 1 / (wⱼ − wᵢ)
//! u s vᵀ = a        x = uᵀ a' v, f = 1 / (sⱼ² − sᵢ²)           s' = diag(x)
//!                   u' = u (f ∘ (x s + s xᵀ)) + (1 − u uᵀ) a' v s⁻¹, v' alike
//! ```
//!
//! Of f the factor 1 / (sⱼ + sᵢ) is multiplied by the values first, so that no product of two of them overflows or vanishes.
//!
//! `tril` is strict here. Those of symmetric matrices take the tangent of their symmetric part.

use super::decompose::triangles;
use crate::tensor::linalg::{Triangular, solve_triangular};
use crate::tensor::{Tensor, where_};

pub fn qr((q, r): (Tensor, Tensor), t: &Tensor) -> ((Tensor, Tensor), (Tensor, Tensor)) {
    let right = Triangular { right_side: true, ..Triangular::default() };
    let by_r = solve_triangular(&r, t, &right);
    let w = turned(&q).matmul(&by_r);
    let lower = w.tril(-1);
    let x = &lower - turned(&lower);
    let (dq, dr) = (q.matmul(&x - &w) + by_r, (w - x).matmul(&r));
    ((q, r), (dq, dr))
}

type Three = (Tensor, Tensor, Tensor);

/// Of the packed factors; numbers of rows have no tangents but zeros.
pub fn lu((factors, pivots, order): Three, t: &Tensor) -> (Three, Three) {
    let (l, u) = triangles(&factors);
    let moved = t.take_along_axis(&order.expand_dims(-1).broadcast_to(t.dims()), -2);
    let left = Triangular { lower: true, unit_diagonal: true, ..Triangular::default() };
    let right = Triangular { right_side: true, ..Triangular::default() };
    let w = solve_triangular(&u, &solve_triangular(&l, &moved, &left), &right);
    let tangent = l.matmul(w.tril(-1)) + w.triu(0).matmul(&u);
    let none = (pivots.zeros_like(), order.zeros_like());
    ((factors, pivots, order), (tangent, none.0, none.1))
}

pub fn eigh((w, v): (Tensor, Tensor), t: &Tensor) -> ((Tensor, Tensor), (Tensor, Tensor)) {
    let symmetric = (t + turned(t)) * 0.5;
    let x = turned(&v).matmul(symmetric).matmul(&v);
    let difference = w.expand_dims(-2) - w.expand_dims(-1);
    let tangent = v.matmul(&x * inverse_beside_diagonal(&difference));
    let values = x.diagonal(0);
    ((w, v), (values, tangent))
}

pub fn svd((u, s, vt): Three, t: &Tensor) -> (Three, Three) {
    let v = turned(&vt);
    let x = turned(&u).matmul(t).matmul(&v);
    let (rows, columns) = (s.expand_dims(-1), s.expand_dims(-2));
    let f = inverse_beside_diagonal(&(&columns - &rows));
    // What is added to the diagonal is part of no result.
    let k = s.dims().last().copied().unwrap_or(1);
    let sum = &columns + &rows + Tensor::eye(k, k, 0, s.dtype());
    let (xs, sx) = (&x * (&columns / &sum), &x * (&rows / &sum));
    let mut du = u.matmul(&f * (&xs + turned(&xs)));
    let mut dv = v.matmul(&f * (&sx + turned(&sx)));
    let [.., m, n] = *t.dims() else { return ((u.clone(), s.clone(), vt.clone()), (u, s, vt)) };
    if m > n {
        let av = t.matmul(&v);
        du += (&av - u.matmul(turned(&u).matmul(&av))) / &columns;
    }
    if n > m {
        let au = turned(t).matmul(&u);
        dv += (&au - v.matmul(vt.matmul(&au))) / &columns;
    }
    let values = x.diagonal(0);
    let tangent = turned(&dv);
    ((u, s, vt), (du, values, tangent))
}

fn turned(a: &Tensor) -> Tensor {
    a.swapaxes(-1, -2)
}

/// One divided by each element, zero on the diagonal.
fn inverse_beside_diagonal(x: &Tensor) -> Tensor {
    let n = x.dims().last().copied().unwrap_or(1);
    let diagonal = Tensor::eye(n, n, 0, x.dtype());
    // Nothing is divided by the zeros of the diagonal, not even what is not chosen.
    let safe = x + &diagonal;
    where_(diagonal.equal(1.0), 0.0, safe.reciprocal())
}
