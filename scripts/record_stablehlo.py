"""Records small JAX programs as StableHLO, with XLA:CPU's results: tests/stablehlo.

Of each program: `NAME.mlir` its text with places in this file, `NAME.plain.mlir` the text without, `NAME.portable.mlir` what jaxlib reads of the newest artifact, `NAME.generic.mlir` that in MLIR's generic form, `NAME.PIN.mlir.bc` the portable artifacts for some versions of
StableHLO, and `NAME.txt` arguments and results, a line `arg0 dtype[dims] element …` each (floats and complex numbers as the
bits of their parts). `crates/stablehlo/tests/programs.rs` reads them.
Run: scripts/python.sh scripts/record_stablehlo.py [FOLDER]
"""

import json
import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.interpreters import mlir
from jax._src.lax import linalg
from jaxlib._jax import mlir as xla
from jaxlib.mlir.dialects import stablehlo
from recording import dtype_name, indices, line, pattern

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../tests/stablehlo")
# The oldest, the one that plugins ask for, and that of this jaxlib.
PINS = ["0.9.0", "1.0.0", "1.9.0", stablehlo.get_current_version()]
# Places are those in this file, wherever it lies.
jax.config.update("jax_hlo_source_file_canonicalization_regex", HERE + "/")
COMPLEX = {"complex64": ("c64", np.uint32), "complex128": ("c128", np.uint64)}
programs = {}


def program(*arguments, x64=False):
    """Records the function, called with these."""

    def register(f):
        programs[f.__name__] = (f, arguments, x64)
        return f

    return register


def value_line(name, array):
    array = np.asarray(array)
    if str(array.dtype) not in COMPLEX:
        return line(name, array)
    kind, word = COMPLEX[str(array.dtype)]
    words = [format(int(b), "x") for b in array.reshape(-1).view(word)]
    return " ".join([name, f"{kind}[{','.join(map(str, array.shape))}]", *words])


def floats(*dims):
    return pattern(len(dims) + 1, *dims)


def ints(*dims):
    return indices(3, 20, *dims) - 10


def bools(*dims):
    return indices(5, 2, *dims) == 1


@program(floats(3, 4))
def unary(x):
    positive = jnp.abs(x) + 0.5
    return (
        jnp.abs(x), jnp.cbrt(x), jnp.ceil(x), jnp.cos(x), jnp.exp(x), jnp.expm1(x), jnp.floor(x), jnp.isfinite(x),
        jnp.log(positive), jnp.log1p(positive), jax.nn.sigmoid(x), -x, jnp.rint(x), lax.round(x), lax.rsqrt(positive),
        jnp.sign(x), jnp.sin(x), jnp.sqrt(positive), jnp.tan(x), jnp.tanh(x),
    )  # fmt: skip


@program(ints(3, 4), bools(5))
def unary_of_integers(i, p):
    return ~i, -i, abs(i), jnp.sign(i), lax.population_count(i), lax.clz(i), ~p


@program(floats(3, 4), floats(4, 3))
def binary(a, b):
    b = b.T
    return a + b, a - b, a * b, a / (b + 3), jnp.maximum(a, b), jnp.minimum(a, b), jnp.arctan2(a, b), jnp.abs(a) ** b, a % 3


@program(ints(6), indices(1, 5, 6) + 1, bools(6), bools(2, 3))
def binary_of_integers(a, b, p, q):
    q = q.reshape(6)
    return a & b, a | b, a ^ b, a << b, a >> b, lax.shift_right_logical(a, b), a // b, lax.rem(a, b), p & q, p | q, p ^ q


@program(floats(3, 4), floats(4, 3))
def compared(a, b):
    b = b.T
    return a == b, a != b, a < b, a <= b, a > b, a >= b, jnp.where(a < b, a, b), jnp.clip(a, -1.0, b.max())


@program(floats(4), ints(4), bools(4), x64=True)
def converted(x, i, p):
    return (
        x.astype(jnp.float64), x.astype(jnp.float16), x.astype(jnp.bfloat16), x.astype(jnp.int32), i.astype(jnp.float32),
        i.astype(jnp.int64), i.astype(jnp.int8), i.astype(jnp.uint16), p.astype(jnp.float32), x.astype(bool),
        lax.bitcast_convert_type(x, jnp.uint32), lax.bitcast_convert_type(i, jnp.uint8), lax.reduce_precision(x, 5, 2),
    )  # fmt: skip


@program(x64=True)
def constants():
    return (
        np.arange(6, dtype=np.float32).reshape(2, 3), np.full((2, 2), 7, np.int64), np.array([True, False, True]),
        np.array([[True] * 9, [False] * 9]), np.full((11,), True), np.array([1.5, -0.0, np.inf, np.nan, 1e-45], np.float32),
        np.array([0.1, 2.5e300]), np.array([1.5, 6e-8], np.float16), np.array([1 + 2j, -3j], np.complex64),
        np.complex128(1 - 1j), np.array([-128, 127], np.int8), np.array([2**64 - 1], np.uint64), np.zeros((0, 3), np.float32),
        jnp.array([1.0, 3.0], jnp.bfloat16), np.float64(0.1), np.int16(-5), np.arange(200, dtype=np.uint8),
        np.arange(150, dtype=np.float64) / 8,
    )  # fmt: skip


@program(floats(2, 3, 4), floats(1, 4))
def moved(x, row):
    return (
        x.transpose(2, 0, 1), x.reshape(4, 6), x[::-1, :, ::-1], jnp.concatenate([x, x * 2], 1), x[1:, ::2, 1:3],
        jnp.broadcast_to(row, (3, 4)), row + x, jnp.pad(x, ((1, 0), (0, 2), (0, 0))), lax.pad(x, 1.0, ((0, 0, 1), (-1, 1, 0), (0, 0, 0))),
        lax.iota(jnp.int32, 5), lax.broadcasted_iota(jnp.float32, (2, 3), 1), lax.broadcast(row, (2,)), jnp.stack([row, row]),
    )  # fmt: skip


@program(floats(4, 5), ints(1))
def sliced_at_run_time(x, i):
    i = i[0]
    return lax.dynamic_slice(x, (i, 2), (2, 3)), lax.dynamic_update_slice(x, jnp.ones((2, 2)), (1, i)), x[i], x.at[1].set(0.0)


@program(floats(3, 4), floats(4, 5), floats(2, 3, 4), floats(2, 4, 3))
def products(a, b, c, d):
    return (
        a @ b, jnp.einsum("bij,bjk->bik", c, d), jnp.vdot(a, a), jnp.tensordot(c, d, ((0, 2), (0, 1))), jnp.outer(a[0], b[0]),
        lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision="highest"),
        lax.dot_general(a.astype(jnp.bfloat16), b.astype(jnp.bfloat16), (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32),
    )  # fmt: skip


@program(floats(2, 3, 8, 6), floats(4, 3, 3, 2), floats(6, 1, 3), floats(2, 6, 9))
def convolutions(x, k, depthwise, y):
    return (
        lax.conv_general_dilated(x, k, (1, 1), "SAME"),
        lax.conv_general_dilated(x, k, (2, 1), ((1, 0), (2, 1)), lhs_dilation=(2, 1), rhs_dilation=(1, 2)),
        lax.conv_general_dilated(x.transpose(0, 2, 3, 1), k.transpose(2, 3, 1, 0), (1, 2), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        lax.conv_general_dilated(y, depthwise, (2,), "SAME", feature_group_count=6),
        lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")),
    )  # fmt: skip


@program(floats(3, 4), ints(3, 4), bools(3, 4))
def reduced(x, i, p):
    return x.sum(), x.max(1), x.min(0), jnp.prod(x), i.sum(0), p.all(1), p.any(0), jnp.argmax(x, 1), jnp.argmin(x), x.mean(1), x.std()


@program(floats(3, 8))
def windows(x):
    return (
        lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (1, 2), "SAME"), lax.reduce_window(x, 0.0, lax.add, (1, 4), (1, 1), "VALID"),
        jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 1, reverse=True), lax.cumlogsumexp(x, 1),
        jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID").sum())(x),
    )  # fmt: skip


@program(floats(4, 5), ints(7))
def sorted_values(x, i):
    return jnp.sort(x, 0), jnp.argsort(x, 1), lax.sort((i, jnp.arange(7)), num_keys=1), lax.top_k(x, 3), lax.approx_max_k(x, 2), jnp.unique(i, size=5), jnp.median(x)


@program(floats(5, 4), indices(1, 5, 3), indices(2, 4, 3), floats(3, 4))
def gathered(x, i, j, u):
    return x[i], x[i, j], x[:, j], jnp.take(x, i, 0, mode="clip"), jnp.take_along_axis(x, i[:, None], 0), jax.vmap(lambda r, n: r[n])(x[:3], j)


@program(floats(5, 4), indices(1, 5, 3), indices(2, 4, 3), floats(3, 4))
def scattered(x, i, j, u):
    return (
        x.at[i].add(u), x.at[i, j].set(1.0), x.at[:, j].multiply(2.0), x.at[i].max(u), x.at[i].min(u),
        jax.vmap(lambda r, n, v: r.at[n].add(v))(x[:3], j, u[:, 0]), jax.ops.segment_sum(u, i, 5), jnp.bincount(j, length=4),
    )  # fmt: skip


@program(floats(6, 3), floats(3))
def scanned(xs, w):
    def step(c, x):
        c = jnp.tanh(c * w + x)
        return c, c.sum()

    return lax.scan(step, jnp.zeros(3), xs), jax.grad(lambda w: lax.scan(lambda c, x: (c * w + x, None), jnp.zeros(3), xs)[0].sum())(w)


@program(indices(4, 100, 1), floats(3))
def loops(n, x):
    y = x * 2
    collatz = lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n[0] + 7, 0))
    return collatz, lax.fori_loop(0, 5, lambda i, c: c * 0.5 + y, x), lax.while_loop(lambda c: c.sum() < 10.0, lambda c: c + y * y + 1, x)


@program(ints(1), floats(3))
def branches(i, x):
    i = i[0]
    y = jnp.exp(x)
    return (
        lax.cond(i > 2, lambda: y + 1, lambda: x * y), lax.switch(i, [lambda v: v, lambda v: v * y, jnp.sin], x),
        lax.cond(i < 0, lambda v: (v, v.sum()), lambda v: (y, jnp.float32(1)), x), lax.cond(i == 0, lambda: 1, lambda: 2),
    )  # fmt: skip


@program(floats(2, 3) / 4)
def special_functions(x):
    positive = jnp.abs(x) + 0.25
    return (
        jax.scipy.special.erf(x), jax.scipy.special.erfc(x), lax.erf_inv(x), lax.lgamma(positive), lax.digamma(positive),
        jnp.arccos(x), jnp.arcsin(x), jnp.arctan(x), jnp.sinh(x), jnp.cosh(x), jnp.arcsinh(x), jnp.arccosh(positive + 1),
        jnp.arctanh(x), lax.square(x), jnp.tan(x), lax.bessel_i1e(x), lax.nextafter(x, positive), jax.scipy.special.zeta(positive + 2, positive),
        lax.polygamma(jnp.full_like(x, 2.0), positive), jax.nn.gelu(x), jax.scipy.special.gammaln(positive * 9),
    )  # fmt: skip


@program(floats(2, 3), floats(3, 2), x64=True)
def complex_numbers(a, b):
    z = lax.complex(a, b.T)
    return z, z + 1, z * z, jnp.conj(z), z.real, z.imag, jnp.abs(z), z == z.T.reshape(2, 3), z.astype(jnp.complex128), jnp.where(a > 0, z, 0)


@program(floats(3, 3))
def linear_algebra(a):
    spd = a @ a.T + 3 * jnp.eye(3)
    return jnp.linalg.cholesky(spd), lax.linalg.triangular_solve(jnp.tril(a) + 3 * jnp.eye(3), a, left_side=True, lower=True)


@program(np.array([1, 2], np.uint32))
def random_numbers(key):
    a, b = jax.random.split(key)
    return jax.random.normal(a, (5,)), jax.random.uniform(b, (3, 2)), jax.random.permutation(a, 6), jax.random.bits(b, (4,))


@program(floats(4, 8), floats(8, 8))
def attention(x, w):
    q, k, v = jnp.split(x @ w @ jnp.tile(w, (1, 3)), 3, 1)
    return jax.nn.softmax(q @ k.T / 8) @ v


@program(floats(5, 4), floats(4, 6), floats(6, 3), indices(2, 3, 5))
def training_step(x, w, v, labels):
    def loss(params):
        w, v = params
        logits = jax.nn.log_softmax(jax.nn.gelu(x @ w) @ v)
        return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], 1))

    value, grads = jax.value_and_grad(loss)((w, v))
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, (w, v), grads)


@program(floats(2, 3), floats(3))
def barriers(x, y):
    a, b = lax.optimization_barrier((x, y))
    return a + b, jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x), jax.grad(lambda v: jax.checkpoint(lambda u: jnp.sin(jnp.sin(u)))(v).sum())(x)


@program(floats(4, 6))
def on_one_device(x):
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")
    x = lax.with_sharding_constraint(x, jax.sharding.NamedSharding(mesh, spec))
    summed = jax.shard_map(lambda v: lax.psum(v * 2, "i"), mesh=mesh, in_specs=spec, out_specs=jax.sharding.PartitionSpec())
    return summed(x), x + 1


@program(jnp.asarray(floats(4), jnp.bfloat16), jnp.asarray(floats(4), jnp.float16))
def halves(b, h):
    return b * b + 1, jnp.exp(h), b.sum(), h.astype(jnp.float32) @ b.astype(jnp.float32), jnp.maximum(b, 0)


def small_arithmetic(xs):
    results = []
    for x in xs:
        y = x[::-1]
        results += [x + y, x * y, x - y, x / jnp.abs(y), jnp.maximum(x, y), x < y, x.astype(jnp.float32), -x]
    return results


EIGHT_BITS = [jnp.float8_e4m3b11fnuz, jnp.float8_e4m3fn, jnp.float8_e4m3fnuz, jnp.float8_e5m2, jnp.float8_e5m2fnuz]


@program(floats(9) * 7, *[jnp.asarray(floats(9) * 3, t) for t in EIGHT_BITS])
def floats_of_eight_bits(f, *xs):
    converted = [f.astype(t) for t in EIGHT_BITS] + [jnp.asarray(1.5, xs[0].dtype), xs[1].astype(xs[3].dtype)]
    return small_arithmetic(xs), converted, lax.bitcast_convert_type(xs[1], jnp.uint8)


NEW_FLOATS = [jnp.float8_e3m4, jnp.float8_e4m3, jnp.float4_e2m1fn]


@program(floats(9) * 7, *[jnp.asarray(floats(9), t) for t in NEW_FLOATS], jnp.exp2(floats(9)).astype(jnp.float8_e8m0fnu))
def newer_small_floats(f, *xs):
    return small_arithmetic(xs[:3]), [f.astype(t) for t in NEW_FLOATS], xs[3] * xs[3], f.astype(xs[3].dtype)


@program(jnp.asarray(ints(8) % 8, jnp.int4), jnp.asarray(ints(8) % 16, jnp.uint4))
def narrow_integers(s, u):
    return s + s, s * s, u - u[::-1], u * u, s // 2, s.astype(jnp.int32), u.astype(jnp.int8), s < s[::-1], (s.astype(jnp.int32) * 3).astype(jnp.int4), jnp.asarray([-8, 7], jnp.int4)


@program(floats(5, 3), floats(2, 4, 4))
def factors(a, b):
    return jnp.linalg.qr(a), jnp.linalg.qr(a.T), lax.linalg.lu(b), jnp.linalg.inv(b), jnp.linalg.slogdet(b)


def routine(target, **options):
    """The lowering of a primitive to a custom call of Lawson (docs/linear-algebra.md)."""

    def rule(ctx, *operands, **params):
        types = [mlir.aval_to_ir_type(ctx.module_context, a) for a in ctx.avals_out]
        chosen = {name: bool(params[key]) for name, key in options.items()}
        return mlir.custom_call(target, result_types=types, operands=operands, backend_config=json.dumps(chosen), api_version=2).results

    return rule


# As the rules of any platform without its own.
mlir.register_lowering(linalg.eigh_p, routine("lawson.eigh", lower="lower"))
mlir.register_lowering(linalg.svd_p, routine("lawson.svd", compute_uv="compute_uv", full_matrices="full_matrices"))
mlir.register_lowering(linalg.schur_p, routine("lawson.schur", vectors="compute_schur_vectors"))
mlir.register_lowering(linalg.hessenberg_p, routine("lawson.hessenberg"))
mlir.register_lowering(linalg.tridiagonal_p, routine("lawson.tridiagonal", lower="lower"))
mlir.register_lowering(linalg.geqp3_p, routine("lawson.geqp3"))


def is_zero(x):
    """Vectors have any sign: what they fulfil is recorded."""
    return jnp.max(jnp.abs(x)) < 1e-5


@program(floats(2, 4, 4), floats(5, 3))
def decompositions(a, b):
    spd = a + a.swapaxes(-1, -2)
    w, v = jnp.linalg.eigh(spd)
    u, s, vt = jnp.linalg.svd(b)
    thin = jnp.linalg.svd(b.T, full_matrices=False)
    t, q = jax.scipy.linalg.schur(a[0])
    h = jax.scipy.linalg.hessenberg(a)
    packed, d, e, taus = linalg.tridiagonal(spd, lower=True)
    qp, r, order = jax.scipy.linalg.qr(b, pivoting=True)
    return (
        (w, is_zero(spd @ v - v * w[:, None, :]), is_zero(v.swapaxes(-1, -2) @ v - jnp.eye(4))),
        (s, is_zero((u[:, :3] * s) @ vt - b), is_zero(u.T @ u - jnp.eye(5)), jnp.linalg.svd(b, compute_uv=False)),
        (thin[1], is_zero((thin[0] * thin[1]) @ thin[2] - b.T)),
        (is_zero(q @ t @ q.T - a[0]), is_zero(jnp.tril(t, -2)), h, packed, d, e, taus, order, r, is_zero(qp @ r - b[:, order])),
        jax.grad(lambda a: jnp.linalg.eigvalsh(a)[..., -1].sum())(spd),
    )


@program(np.array([1, 2, 3, 4], np.uint32), x64=True)
def random_bits(key):
    generators = [lax.RandomAlgorithm.RNG_THREE_FRY, lax.RandomAlgorithm.RNG_PHILOX, lax.RandomAlgorithm.RNG_DEFAULT]
    kinds = [((5,), jnp.uint8), ((3, 5), jnp.uint16), ((3, 4), jnp.uint32), ((2, 3), jnp.uint64), ((), jnp.uint32)]
    return [lax.rng_bit_generator(key, shape, dtype, algorithm=g) for g in generators for shape, dtype in kinds]


@program(floats(4, 40))
def largest_elements(x):
    return lax.top_k(x, 3), lax.approx_max_k(x, 3), lax.approx_min_k(x, 2, reduction_dimension=0)


def record(name, f, arguments, x64):
    with jax.enable_x64(x64):
        results = jax.tree.leaves(jax.jit(f, keep_unused=True)(*arguments))
        # For a platform that JAX knows nothing of: without calls of its own libraries.
        lowered = jax.jit(f, keep_unused=True).trace(*arguments).lower(lowering_platforms=("lawson",))
        bytecode = mlir.module_to_bytecode(lowered.compiler_ir("stablehlo"))
        with open(f"{OUT}/{name}.mlir", "w") as out:
            out.write(lowered.as_text(debug_info=True))
        with open(f"{OUT}/{name}.plain.mlir", "w") as out:
            out.write(lowered.as_text())
        sizes = []
        for pin in PINS:
            try:
                # As for a compiler: CHLO becomes composites, and dialects may be mixed.
                artifact = xla.serialize_portable_artifact(bytecode, pin, True)
            except Exception:
                continue  # An operation that this version does not have.
            with open(f"{OUT}/{name}.{pin}.mlir.bc", "wb") as out:
                out.write(artifact)
            sizes.append(len(artifact))
        with mlir.make_ir_context():
            module = xla.deserialize_portable_artifact(artifact)
            for form, generic in [("portable", False), ("generic", True)]:
                with open(f"{OUT}/{name}.{form}.mlir", "w") as out:
                    out.write(module.operation.get_asm(print_generic_op_form=generic))
    with open(f"{OUT}/{name}.txt", "w") as out:
        for kind, values in [("arg", arguments), ("out", results)]:
            for i, value in enumerate(values):
                out.write(value_line(f"{kind}{i}", value) + "\n")
    print(name, sizes)


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for name, (f, arguments, x64) in programs.items():
        record(name, f, arguments, x64)
