"""Iterative solvers, scans, simulations, image and signal operations, linear algebra."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from case import Array, Table, definite, f32

TABLE = Table("numerics")


def repeated(count, step):
    return lambda *state: lax.fori_loop(0, count, lambda _, s: step(*s), state)


def jacobi(a, b):
    d = jnp.diagonal(a)
    return lax.fori_loop(0, 50, lambda _, x: x + (b - a @ x) / d, jnp.zeros_like(b))


def conjugate_gradients(a, b):
    def step(_, state):
        x, r, p, rr = state
        ap = a @ p
        alpha = rr / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        new = r @ r
        return x, r, r + (new / rr) * p, new

    return lax.fori_loop(0, 20, step, (jnp.zeros_like(b), b, b, b @ b))[0]


def power_iteration(a, x):
    return lax.fori_loop(0, 50, lambda _, x: (a @ x) / jnp.sqrt(jnp.sum((a @ x) ** 2)), x)


def stencil(u):
    return u + 0.1 * (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u)


def blurred(x):
    w = jnp.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16
    rows = sum(w[k] * jnp.pad(x, ((2, 2), (0, 0)), mode="edge")[k:k + x.shape[0]] for k in range(5))
    return sum(w[k] * jnp.pad(rows, ((0, 0), (2, 2)), mode="edge")[:, k:k + x.shape[1]] for k in range(5))


def sobel(x):
    p = jnp.pad(x, 1, mode="edge")
    dx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    dy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return jnp.sqrt(dx * dx + dy * dy)


def rotated(q, v):
    w, u = q[0], q[1:]
    return v + 2 * jnp.cross(u, jnp.cross(u, v) + w * v)


def oscillator(x, v):
    def step(state, _):
        x, v = state
        v = v - 0.01 * (x + 0.1 * v)
        return (x + 0.01 * v, v), x

    return lax.scan(step, (x, v), None, 200)[1][-1]


def pair_distances(x):
    return jnp.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 1e-6)


def lennard_jones(x):
    r2 = ((x[:, None] - x[None]) ** 2).sum(-1) + jnp.eye(len(x)) * 1e3 + 0.1
    s6 = 1 / r2**3
    return 2 * jnp.sum(s6 * s6 - s6)


TABLE.add("jacobi", [Array((512, 512), fill=definite), f32(512)], jacobi, tolerance=1e-3)
TABLE.add("conjugate_gradients", [Array((1024, 1024), fill=definite), f32(1024)], conjugate_gradients, tolerance=1e-2)
TABLE.add("power_iteration", [Array((512, 512), fill=definite), f32(512)], power_iteration, tolerance=1e-2)
TABLE.add("heat_equation", [f32(512, 512)], lambda u: lax.fori_loop(0, 50, lambda _, u: stencil(u), u))
TABLE.add("gaussian_blur", [f32(1024, 1024)], blurred)
TABLE.add("sobel", [f32(1024, 1024)], sobel)
TABLE.add("bilinear_resize", [f32(8, 128, 128, 3)], lambda x: jax.image.resize(x, (8, 256, 256, 3), "bilinear"))
TABLE.add("running_mean", [f32(64, 8192)], lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 32), (1, 1), "VALID") / 32)
TABLE.add("fft_rows", [Array((256, 1024), "complex64")], lambda x: jnp.fft.fft(x, axis=1), lambda torch: lambda x: torch.fft.fft(x, dim=1),
          lambda x: np.fft.fft(x, axis=1))
TABLE.add("real_fft_rows", [f32(256, 4096)], lambda x: jnp.fft.rfft(x, axis=1), lambda torch: lambda x: torch.fft.rfft(x, dim=1),
          lambda x: np.fft.rfft(x, axis=1))
TABLE.add("rotations", [f32(1 << 18, 4), f32(1 << 18, 3)], jax.vmap(rotated))
TABLE.add("oscillators", [f32(65536), f32(65536)], oscillator)
TABLE.add("pair_distances", [f32(1024, 3)], pair_distances, lambda torch: lambda x: torch.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 1e-6))
TABLE.add("lennard_jones_gradient", [f32(512, 3)], jax.grad(lennard_jones), tolerance=1e-2)
TABLE.add("associative_scan", [f32(64, 1024)], lambda x: lax.associative_scan(jnp.logaddexp, x, axis=1), tolerance=1e-3)
TABLE.add("linear_recurrence", [Array((512, 256), fill=lambda r, s: r.random(s)), f32(512, 256)],
          lambda a, b: lax.scan(lambda h, ab: (ab[0] * h + ab[1],) * 2, jnp.zeros(256), (a, b))[1])
TABLE.add("cholesky_of_batch", [Array((64, 64, 64), fill=definite)], jnp.linalg.cholesky, lambda torch: torch.linalg.cholesky,
          np.linalg.cholesky)
TABLE.add("solve_512", [Array((512, 512), fill=definite), f32(512, 8)], jnp.linalg.solve, lambda torch: torch.linalg.solve,
          np.linalg.solve, tolerance=1e-3)
