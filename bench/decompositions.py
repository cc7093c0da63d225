"""Whether decompositions of matrices are right: by what they have to fulfil, since their vectors are unique up to signs and order.

`check` gives what is wrong, or nothing. Errors are in terms of the greatest element of the matrix and of its size.
"""

import numpy as np


def check(group, params, operand, results, tolerance):
    """`operand` is what the primitive of this name was given, `results` what it made."""
    a = wide(operand)
    if a.size == 0:
        return None
    results = [wide(r) if np.asarray(r).dtype.kind not in "iu" else np.asarray(r) for r in results]
    for what, error in CHECKS[group](params, a, *results):
        # A not-a-number is no small number.
        if not error <= tolerance * max(a.shape[-2:]):
            return f"{what} is wrong by {error:.1e}"
    return None


def wide(x):
    x = np.asarray(x)
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def adjoint(x):
    return x.conj().swapaxes(-1, -2)


def apart(x, y, scale=1.0):
    return float(np.max(np.abs(x - y), initial=0) / max(float(scale), np.finfo(np.float64).tiny))


def size(x):
    return np.abs(x).max(initial=0)


def orthonormal(q):
    """Of columns."""
    return apart(adjoint(q) @ q, np.eye(q.shape[-1]))


def qr(params, a, q, r):
    yield "q r", apart(q @ r, a, size(a))
    yield "the orthogonality of q", orthonormal(q)
    yield "the lower triangle of r", apart(np.tril(r, -1), 0)


def svd(params, a, s, u=None, vt=None):
    yield "the singular values", apart(s, np.linalg.svd(a, compute_uv=False), size(a))
    if u is None:
        return
    k = s.shape[-1]
    yield "u s v", apart((u[..., :k] * s[..., None, :]) @ vt[..., :k, :], a, size(a))
    yield "the orthogonality of u", orthonormal(u)
    yield "the orthogonality of v", orthonormal(adjoint(vt))


def eigh(params, a, v, w):
    half = np.tril(a) if params["lower"] else np.triu(a)
    a = half + adjoint(half) - np.eye(a.shape[-1]) * np.diagonal(half, axis1=-2, axis2=-1).real[..., None]
    yield "the eigenvalues", apart(w, np.linalg.eigvalsh(a), size(a))
    yield "the equation of the vectors", apart(a @ v, v * w[..., None, :], size(a))
    yield "the orthogonality of the vectors", orthonormal(v)


def eig(params, a, w, *vectors):
    yield "the eigenvalues", matched(np.linalg.eigvals(a), w) / size(a)
    vectors = iter(vectors)
    if params["compute_left_eigenvectors"]:
        v = next(vectors)
        yield "the equation of the left vectors", apart(adjoint(v) @ a, w[..., :, None] * adjoint(v), size(a))
        yield "the length of the left vectors", apart(np.linalg.norm(v, axis=-2), 1)
    if params["compute_right_eigenvectors"]:
        v = next(vectors)
        yield "the equation of the right vectors", apart(a @ v, v * w[..., None, :], size(a))
        yield "the length of the right vectors", apart(np.linalg.norm(v, axis=-2), 1)


def matched(expected, found):
    """The greatest distance of a number from that of the other list that is nearest of those left."""
    most = 0.0
    for e, f in zip(expected.reshape(-1, expected.shape[-1]), found.reshape(-1, found.shape[-1]), strict=True):
        left = list(f)
        for x in e:
            distances = np.abs(np.array(left) - x)
            if np.isnan(distances).any():
                return float("nan")
            most = max(most, float(distances.min()))
            left.pop(int(distances.argmin()))
    return most


def lu(params, a, packed, pivots, permutation):
    m, n = a.shape[-2:]
    k = min(m, n)
    lower = np.tril(packed[..., :, :k], -1) + np.eye(m, k)
    yield "l u", apart(lower @ np.triu(packed[..., :k, :]), np.take_along_axis(a, permutation[..., None], -2), size(a))
    # A larger factor was no pivot: of complex numbers the sums of parts are compared.
    yield "the size of l", max(0.0, float(size(lower)) - (2**0.5 if a.dtype.kind == "c" else 1))
    expected = np.broadcast_to(np.arange(m), permutation.shape).copy()
    for row, exchanges in zip(expected.reshape(-1, m), pivots.reshape(-1, k), strict=True):
        for i, j in enumerate(exchanges):
            row[[i, j]] = row[[j, i]]
    yield "the permutation", apart(expected, permutation)


def cholesky(params, a, l):
    # The upper triangle says nothing.
    l = np.tril(l)
    yield "l l*", apart(l @ adjoint(l), a, size(a))


CHECKS = {f.__name__: f for f in (qr, svd, eigh, eig, lu, cholesky)}
