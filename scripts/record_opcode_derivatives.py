"""Records derivatives by JAX, which `crates/frontend/tests/opcodes/recorded.rs` compares with.

Each function becomes a module of HLO text, and values: of its arguments, of cotangents of its results, and of the
cotangents of its floating-point and complex arguments that JAX computes from them. Run with scripts/python.sh.
"""

import pathlib
import shutil

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
OUT = pathlib.Path(__file__).resolve().parent.parent / "crates/frontend/tests/opcodes/jax"
random = np.random.default_rng(7)


def floats(*shape, low=-1.0, high=1.0):
    return np.round(random.uniform(low, high, shape), 3)


TIES = np.array([[1.0, 3.0, 3.0, -2.0], [0.5, 0.5, 0.5, 0.5]])
ROWS = np.array([2, 0, 2, 4])


def conv(x, w, strides, padding, **rest):
    labels = ("NCHW", "OIHW", "NCHW")
    return lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=labels, **rest)


def overlapping(x, i):
    first = lax.dynamic_slice_in_dim(x, i, 2, axis=0)
    second = lax.dynamic_slice_in_dim(x, i + 1, 2, axis=0)
    return first * second


def solve(a, b):
    spd = a @ a.T + 3 * jnp.eye(3)
    l = lax.linalg.cholesky(spd)
    return lax.linalg.triangular_solve(l, b, left_side=True, lower=True, transpose_a=True)


PROGRAMS = {
    "max_of_ties": (lambda x: jnp.max(x, axis=1), TIES),
    "min_of_ties": (lambda x: jnp.min(x), TIES),
    "maximum_of_ties": (jnp.maximum, TIES, np.array([[1.0, 2.0, 4.0, -2.0], [0.5, 0.0, 1.0, 0.5]])),
    "clip_at_bounds": (lambda x: jnp.clip(x, -1.0, 1.0), np.array([-2.0, -1.0, 0.0, 1.0, 2.0])),
    "maximum_with_zero": (lambda x: jnp.maximum(x, 0.0), np.array([-1.0, 0.0, 2.0])),
    "abs_at_zero": (jnp.abs, np.array([-1.0, 0.0, 2.0])),
    "power": (jnp.power, np.array([0.0, 0.0, 2.0, 0.5, 0.0]), np.array([2.0, 1.0, 3.0, -1.5, 3.5])),
    "square_of_zero": (lambda x: x**2 + x**3, np.array([0.0, -1.5, 2.0])),
    "product_with_zeros": (lambda x: jnp.prod(x, axis=0), np.array([[0.0, 2.0, 3.0], [4.0, 0.0, 3.0], [5.0, 0.0, 3.0]])),
    "sort": (lambda x: jnp.sort(x, axis=0), floats(5, 3)),
    "sort_pairs": (lambda k, v: lax.sort((k, v), num_keys=1)[1] * 2, floats(6), floats(6)),
    "top_k": (lambda x: lax.top_k(x, 3)[0], floats(2, 6)),
    "argmax_value": (lambda x: jnp.take_along_axis(x, jnp.argmax(x, axis=1)[:, None], axis=1), floats(3, 4)),
    "take_out_of_range": (lambda x: jnp.take(x, jnp.array([0, 7, -1, 2]), axis=0, mode="clip"), floats(5, 2)),
    "take_fill": (lambda x: x.at[jnp.array([0, 7, 2])].get(mode="fill", fill_value=0.0), floats(5, 2)),
    "scatter_add": (lambda x, u: x.at[ROWS].add(u), floats(5, 2), floats(4, 2)),
    "scatter_set": (lambda x, u: x.at[ROWS].set(u), floats(5, 2), floats(4, 2)),
    "scatter_set_unique": (lambda x, u: x.at[np.array([3, 0])].set(u, unique_indices=True), floats(5, 2), floats(2, 2)),
    "scatter_multiply": (lambda x, u: x.at[np.array([3, 0])].multiply(u, unique_indices=True), floats(5, 2), floats(2, 2)),
    "scatter_max": (lambda x, u: x.at[ROWS].max(u), np.zeros((5, 2)), np.array([[1.0, -1.0], [0.0, 2.0], [1.0, -2.0], [3.0, 0.0]])),
    "dynamic_slices": (overlapping, floats(5, 4), np.int32(2)),
    "conv_strides_groups": (lambda x, w: conv(x, w, (2, 1), [(1, 0), (2, 1)], feature_group_count=2), floats(2, 4, 5, 6), floats(6, 2, 3, 2)),
    "conv_dilations": (lambda x, w: conv(x, w, (1, 2), [(2, 1), (0, 1)], lhs_dilation=(2, 1), rhs_dilation=(1, 2)), floats(1, 2, 4, 5), floats(3, 2, 2, 2)),
    "conv_batch_groups": (lambda x, w: conv(x, w, (1, 1), "VALID", batch_group_count=2), floats(4, 2, 3, 3), floats(4, 2, 2, 2)),
    "max_pool": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "SAME"), floats(1, 5, 4)),
    "mean_pool": (lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), "SAME") / 6, floats(4, 5)),
    "cumulative_sum": (lambda x: jnp.cumsum(x, axis=1), floats(2, 6)),
    "cumulative_max": (lambda x: lax.cummax(x, axis=0), floats(6, 2)),
    "cumulative_min_reverse": (lambda x: lax.cummin(x, axis=0, reverse=True), floats(6, 2)),
    "cumulative_product": (lambda x: jnp.cumprod(x, axis=0), floats(5, 2)),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, axis=1), np.array([[1.0, 2.0, 1000.0], [-1000.0, -1000.0, -1001.0]])),
    "softmax": (lambda x: jax.nn.softmax(x, axis=1), floats(2, 4)),
    "standard_deviation": (lambda x: jnp.std(x, axis=0), floats(5, 2)),
    "gelu": (lambda x: jax.nn.gelu(x, approximate=False), floats(4)),
    "einsum": (lambda a, b: jnp.einsum("bij,kjb->ibk", a, b), floats(2, 3, 4), floats(5, 4, 2)),
    "cholesky_solve": (solve, floats(3, 3), floats(3, 2)),
    "real_transform": (lambda x: jnp.abs(jnp.fft.rfft(x)) ** 2, floats(6)),
}


more = np.random.default_rng(11)


def complexes(*shape):
    parts = np.round(more.uniform(0.2, 1.2, (2, *shape)), 3)
    return parts[0] + 1j * parts[1]


def functions(z):
    all = (jnp.exp, jnp.expm1, jnp.log, jnp.log1p, jnp.sqrt, lax.rsqrt, jnp.sin, jnp.cos, jnp.tan, jnp.tanh, jnp.sinh, jnp.cosh, lax.logistic)
    return sum(f(z) * (1 + 2j * i) for i, f in enumerate(all))


def inverses(z):
    return sum(f(z) * (2 - 1j * i) for i, f in enumerate((jnp.arcsin, jnp.arccos, jnp.arcsinh, jnp.arccosh, jnp.arctanh)))


# Complex numbers, with generators of their own, so that the others stay as they are.
PROGRAMS |= {
    "complex_functions": (functions, complexes(5)),
    "complex_inverses": (inverses, complexes(5)),
    "complex_arithmetic": (lambda a, b: a * b / (a + 2 * b) - jnp.conj(a), complexes(2, 3), complexes(2, 3)),
    "complex_power": (jnp.power, complexes(4), complexes(4)),
    "complex_magnitude": (lambda z: jnp.abs(z) * jnp.angle(z) + z.real * z.imag, complexes(4)),
    "complex_matrices": (lambda a, b: jnp.einsum("ij,kj->ik", a, jnp.conj(b)), complexes(2, 3), complexes(4, 3)),
    "complex_product": (lambda z: jnp.prod(z, axis=1), complexes(2, 4)),
    "complex_running_sum": (lambda z: jnp.cumsum(z, axis=0), complexes(5, 2)),
    "transforms": (lambda z: jnp.fft.ifft(jnp.fft.fft2(z), axis=0), complexes(4, 3)),
    "filter": (lambda x, w: jnp.fft.irfft(jnp.fft.rfft(x) * w, n=7), complexes(2, 7).real, complexes(4)),
}


def line(name, role, x):
    x = np.asarray(x)
    dtype = {"complex128": "c128", "float64": "f64", "int64": "s64", "int32": "s32"}[str(x.dtype)]
    dims = ",".join(map(str, x.shape))
    # Of complex numbers both parts, one after the other.
    numbers = np.ascontiguousarray(x).view(np.float64) if dtype == "c128" else x
    values = " ".join(repr(v) for v in numbers.reshape(-1).tolist())
    return f"{name} {role} {dtype}[{dims}] {values}\n"


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    lines = []
    for name, (f, *arguments) in PROGRAMS.items():
        arguments = [jnp.asarray(a) for a in arguments]
        # The platform decides what linear algebra is lowered to; here it stays an operation of HLO.
        lowered = jax.jit(f).trace(*arguments).lower(lowering_platforms=("tpu",))
        text = lowered.compiler_ir("hlo").as_hlo_text()
        (OUT / f"{name}.hlo").write_text(text.rstrip() + "\n")
        varying = [i for i, a in enumerate(arguments) if jnp.issubdtype(a.dtype, jnp.inexact)]

        def of_varying(*some):
            all = list(arguments)
            for i, a in zip(varying, some):
                all[i] = a
            return f(*all)

        y, pullback = jax.vjp(of_varying, *[arguments[i] for i in varying])
        cotangent = jnp.asarray(complexes(*y.shape) if jnp.iscomplexobj(y) else floats(*y.shape))
        lines += [line(name, "argument", a) for a in arguments]
        lines.append(line(name, "cotangent", cotangent))
        lines += [line(name, "gradient", g) for g in pullback(cotangent)]
    (OUT / "values.txt").write_text("".join(lines))


main()
