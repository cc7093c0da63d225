"""Equations with a tridiagonal matrix: elimination with exchanged rows, as `gtsv` of LAPACK, in operations of JAX.

JAX has this for the CPU by a call of LAPACK; what it lowers for other platforms exchanges no rows and perturbs no pivots.
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax._src.interpreters import mlir
from jax._src.lax import linalg


def install(platform: str) -> None:
    """Registers the rule; versions of JAX without the primitive are left alone."""
    primitive = getattr(linalg, "tridiagonal_solve_p", None)
    if primitive is not None:
        rule = mlir.lower_fun(_solve_batch, multiple_results=False)
        mlir.register_lowering(primitive, rule, platform=platform)


def _solve_batch(lower, diagonal, upper, b, *, perturb_singular=False, **_):
    solve = functools.partial(_solve, perturb_singular)
    for _ in range(diagonal.ndim - 1):
        solve = jax.vmap(solve)
    return solve(lower, diagonal, upper, b)


def _solve(perturb_singular, lower, diagonal, upper, b):
    """The solution for diagonals `[m]` and right-hand sides `[m, k]`; NaN where a pivot is zero, unless pivots are perturbed."""
    if diagonal.shape[0] == 0:
        return b

    def eliminate(row, below):
        """`row` has elements of two columns, the next row those of three."""
        (d, u, b), (low, d_below, u_below, b_below) = row, below
        keep = jnp.abs(d) >= jnp.abs(low)
        pivot, other = jnp.where(keep, d, low), jnp.where(keep, low, d)
        # Where both are zero there is nothing to eliminate.
        factor = jnp.where(pivot == 0, 0, other / jnp.where(pivot == 0, 1, pivot))
        beside, left = jnp.where(keep, u, d_below), jnp.where(keep, d_below, u)
        far, right = jnp.where(keep, 0, u_below), jnp.where(keep, u_below, 0)
        b_pivot, b_left = jnp.where(keep, b, b_below), jnp.where(keep, b_below, b)
        next_row = (left - factor * beside, right - factor * far, b_left - factor * b_pivot)
        return next_row, (pivot, beside, far, b_pivot)

    first = (diagonal[0], upper[0], b[0])
    last, rows = lax.scan(eliminate, first, (lower[1:], diagonal[1:], upper[1:], b[1:]))
    nothing = jnp.zeros_like(last[0])
    ends = (last[0], nothing, nothing, last[2])
    pivots, beside, far, b = (jnp.concatenate([x, e[None]]) for x, e in zip(rows, ends))
    if perturb_singular:
        largest = jnp.max(jnp.stack([jnp.abs(pivots), jnp.abs(beside), jnp.abs(far)]))
        info = jnp.finfo(largest.dtype)
        least = jnp.maximum(info.eps * largest, info.tiny)
        size = jnp.abs(pivots)
        sign = jnp.where(size == 0, 1, pivots / jnp.where(size == 0, 1, size).astype(pivots.dtype))
        pivots = jnp.where(size < least, sign * least.astype(pivots.dtype), pivots)

    def substitute(known, row):
        (x, x_below), (d, u, far, b) = known, row
        new = (b - u * x - far * x_below) / d
        return (new, x), new

    zeros = jnp.zeros_like(b[0])
    _, x = lax.scan(substitute, (zeros, zeros), (pivots, beside, far, b), reverse=True)
    return x if perturb_singular else jnp.where(jnp.any(pivots == 0), jnp.nan, x)
