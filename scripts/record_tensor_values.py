#!/usr/bin/env python3
"""Records what JAX makes of the operations on tensors: types, shapes and values.

Needs `pip install jax==0.10.2 numpy`. Writes crates/frontend/tests/data/promotion.txt and tensor_values.txt, which the
tests of crates/frontend compare with. The tests never run this. 64-bit types are off as JAX's default and allowed
where a program names them, which is the rule of `lawson_frontend::tensor::promote`.
"""

import itertools
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_explicit_x64_dtypes", "allow")
DATA = pathlib.Path(__file__).parent.parent / "crates/frontend/tests/data"
NAMES = dict(
    bool="pred", int4="s4", int8="s8", int16="s16", int32="s32", int64="s64",
    uint4="u4", uint8="u8", uint16="u16", uint32="u32", uint64="u64", float8_e4m3fn="f8e4m3fn",
    float16="f16", bfloat16="bf16", float32="f32", float64="f64", complex64="c64", complex128="c128",
)


def kind(x):
    return NAMES[str(x.dtype)] + ("*" if x.weak_type else "")


def promotion():
    """One line for each pair: left, right, what their sum is made in; weak types have a star."""
    values = [jnp.ones((), dtype) for dtype in NAMES] + [jnp.asarray(1), jnp.asarray(1.0)]
    lines = []
    for a, b in itertools.product(values, values):
        try:
            result = kind(jnp.maximum(a, b)) if "c" not in (kind(a)[0], kind(b)[0]) else kind(a + b)
        except Exception as error:
            if "promotion" not in str(error):
                raise
            result = "none"
        lines.append(f"{kind(a)} {kind(b)} {result}\n")
    (DATA / "promotion.txt").write_text("".join(lines))


CASES = []


def case(name, f, *inputs):
    """Records a case; `f` is called with arrays of the inputs."""
    CASES.append((name, [jnp.asarray(x, dtype=getattr(x, "dtype", None)) for x in inputs], f))


def text(x):
    values = np.asarray(x).ravel()
    if x.dtype in (jnp.bfloat16, jnp.float16, jnp.float32, jnp.float64):
        values = values.astype(np.float64)
    written = " ".join(repr(v.item() if v.dtype != bool else int(v)) for v in values)
    return f"{NAMES[str(x.dtype)]}[{','.join(map(str, x.shape))}] {written}".rstrip()


def f32(*values, shape=None):
    return np.array(values, np.float32).reshape(shape or (len(values),))


def i32(*values, shape=None):
    return np.array(values, np.int32).reshape(shape or (len(values),))


OPEN = f32(-2.5, -1.0, -0.5, -0.0, 0.0, 0.3, 0.5, 1.5, 2.5, 7.0)
UNIT = f32(-0.9, -0.5, 0.0, 0.25, 0.99)
POSITIVE = f32(0.0, 0.1, 1.0, 2.5, 100.0)
SPECIAL = f32(np.nan, np.inf, -np.inf, 0.0, 3.0)
INTEGERS = i32(-7, -2, -1, 0, 1, 3, 100)

for name in "exp expm1 sin cos tan sinh cosh tanh asinh atan square abs sign floor ceil round trunc negative exp2".split():
    function = dict(round=jnp.round, asinh=jnp.arcsinh, atan=jnp.arctan).get(name) or getattr(jnp, name)
    case(name, function, OPEN)
    case(name, function, OPEN.astype(jnp.bfloat16))
    case(name, function, OPEN.astype(np.float64))
    case(name, function, INTEGERS)
for name, function in dict(erf=jax.scipy.special.erf, sigmoid=jax.nn.sigmoid).items():
    case(name, function, OPEN)
    case(name, function, OPEN.astype(np.float16))
for name in "log log1p log2 log10 sqrt rsqrt cbrt reciprocal acosh".split():
    function = dict(rsqrt=lax.rsqrt, acosh=jnp.arccosh).get(name) or getattr(jnp, name)
    case(name, function, POSITIVE + (name == "acosh"))
for name in "asin acos atanh".split():
    case(name, getattr(jnp, name), UNIT)
for name in "isnan isinf isfinite".split():
    case(name, getattr(jnp, name), SPECIAL)
    case(name, getattr(jnp, name), INTEGERS)
for name in "sign abs negative square".split():
    case(name, getattr(jnp, name), np.array([0, 1, 200], np.uint8))
case("clz", lax.clz, INTEGERS)
case("population_count", lax.population_count, INTEGERS)
case("bitwise_not", jnp.bitwise_not, INTEGERS)
case("bitwise_not", jnp.bitwise_not, np.array([True, False]))
case("logical_not", jnp.logical_not, INTEGERS)
case("sigmoid", jax.nn.sigmoid, SPECIAL)

A = f32(-7.5, -1.0, 0.0, 0.5, 3.0, 7.0, 7.0, np.inf, np.nan)
B = f32(2.0, -1.0, 5.0, -0.25, 3.0, -2.0, 0.0, 2.0, 1.0)
N, M = i32(-7, -7, 7, 7, 6, 0, -6), i32(2, -2, 2, -2, 3, 5, 3)
U, V = np.array([7, 200, 5], np.uint8), np.array([2, 7, 5], np.uint8)
for name in "floor_divide remainder".split():
    case(name, getattr(jnp, name), i32(5, 0, -5), i32(0, 0, 0))
BINARY = "add subtract multiply divide floor_divide remainder fmod maximum minimum equal not_equal less less_equal greater greater_equal"
for name in BINARY.split():
    function = getattr(jnp, name)
    case(name, function, A, B)
    case(name, function, N, M)
    case(name, function, U, V)
    case(name, function, N, np.float32(1.5))
    case(name, function, N[:, None], U[None])
for name in "logical_and logical_or logical_xor".split():
    case(name, getattr(jnp, name), A, f32(0, 1, 1, 0, 1, 0, 0, 0, 1))
    case(name, getattr(jnp, name), np.array([True, False]), np.array([[True], [False]]))
for name in "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split():
    case(name, getattr(jnp, name), N, np.abs(M))
    case(name, getattr(jnp, name), U, V)
case("right_shift_logical", lax.shift_right_logical, N, np.abs(M))
case("atan2", jnp.arctan2, A, B)
case("hypot", jnp.hypot, A, B)
case("logaddexp", jnp.logaddexp, A, B)
case("logaddexp", jnp.logaddexp, f32(-np.inf, np.inf, -np.inf), f32(-np.inf, np.inf, 2.0))
case("pow", jnp.power, f32(2.0, 0.0, -2.0, 4.0, 0.0), f32(0.5, 0.0, 3.0, -1.5, 2.0))
case("pow", jnp.power, N, np.abs(M))
case("pow", jnp.power, N, f32(2.0))
for n in (0, 1, 2, 3, 7, -1, -2):
    case(f"pow {n}", lambda x, n=n: jnp.power(x, n), OPEN)
    case(f"pow {n}", lambda x, n=n: jnp.power(x, n), OPEN.astype(jnp.bfloat16))
case("pow 3", lambda x: jnp.power(x, 3), N)
case("clip", jnp.clip, A, np.float32(-1.0), np.float32(5.0))
case("clip", jnp.clip, N, f32(-2.0, -1.0, 0.5, 1.0, 2.0, 3.0, 4.0), np.int32(3))
case("clamp", lambda x, a, b: lax.clamp(a, x, b), A, np.float32(-1.0), np.float32(5.0))
case("where", jnp.where, A > 0, A, B)
case("where", jnp.where, np.array([[True], [False]]), N, np.float32(0.5))
case("where", jnp.where, N, np.int32(1), U[:1])

X = (np.arange(24, dtype=np.float32).reshape(2, 3, 4) * 37 % 11 - 4).astype(np.float32) / 2
K = (np.arange(24, dtype=np.int32).reshape(2, 3, 4) * 37 % 11 - 4).astype(np.int32)
for name in "sum prod max min mean var std all any".split():
    for dtype in (np.float32, np.int32, np.int8, np.uint8, bool, np.float16, jnp.bfloat16, np.float64):
        if dtype in (bool,) and name in ("max", "min"):
            continue
        x = np.abs(K).astype(dtype) if dtype in (np.uint8, bool) else K.astype(dtype)
        x = x // 3 if name == "prod" and dtype != bool else x
        case(name, getattr(jnp, name), x)
    case(f"{name} 1", lambda x, f=getattr(jnp, name): f(x, axis=1), X)
    case(f"{name} -1 0", lambda x, f=getattr(jnp, name): f(x, axis=(-1, 0)), X)
    case(f"{name} kept 1", lambda x, f=getattr(jnp, name): f(x, axis=1, keepdims=True), X)
    case(f"{name} kept 2 0", lambda x, f=getattr(jnp, name): f(x, axis=(2, 0), keepdims=True), X)
case("max 1", lambda x: jnp.max(x, axis=1), f32(1, np.nan, 3, 4, 5, -np.inf, shape=(2, 3)))
case("sum 0", lambda x: jnp.sum(x, axis=0), np.zeros((0, 3), np.float32))
case("mean 0", lambda x: jnp.mean(x, axis=0), np.zeros((0, 2), np.float32))
case("sum", jnp.sum, np.full(600, 0.1, np.float16))
case("var_ddof 1", lambda x: jnp.var(x, axis=1, ddof=1), X)
case("logsumexp", jax.nn.logsumexp, X)
case("logsumexp 1", lambda x: jax.nn.logsumexp(x, axis=1), X * 100)
case("logsumexp 0", lambda x: jax.nn.logsumexp(x, axis=0), f32(-np.inf, np.inf, 1, -np.inf, 1, 1, shape=(2, 3)))
case("average 1", lambda x, w: jnp.average(x, axis=1, weights=w), X[0], f32(1, 2, 3, 4))
T = f32(3, 1, 3, np.nan, 2, np.nan, 0, 0, 0, -np.inf, -np.inf, -np.inf, shape=(4, 3))
for name in "argmax argmin".split():
    case(name, getattr(jnp, name), X)
    case(name, getattr(jnp, name), K)
    for axis in (0, 1, -1):
        case(f"{name} {axis}", lambda x, f=getattr(jnp, name), a=axis: f(x, axis=a), X)
    case(f"{name} 1", lambda x, f=getattr(jnp, name): f(x, axis=1), T)
    case(f"{name} kept 1", lambda x, f=getattr(jnp, name): f(x, axis=1, keepdims=True), X)
for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
    function = getattr(lax, name)
    for axis in (0, 2):
        case(f"{name} {axis}", lambda x, f=function, a=axis: f(x, axis=a), X)
    if name != "cumlogsumexp":
        case(f"{name} 1", lambda x, f=function: f(x, axis=1), K)
        case(f"{name} 1", lambda x, f=function: f(x, axis=1), K.astype(np.int8))
    case(f"{name} 1", lambda x, f=function: f(x, axis=1), X.astype(jnp.bfloat16))
    case(f"{name} 0", lambda x, f=function: f(x, axis=0), f32(-np.inf, -np.inf, 1.0, 2.0))

case("arange", lambda: jnp.arange(2, 7, dtype=jnp.float32))
case("arange_by", lambda: jnp.arange(1.0, 2.05, 0.25, dtype=jnp.float32))
case("linspace", lambda: jnp.linspace(-1.0, 2.0, 7, dtype=jnp.float32))
case("eye", lambda: jnp.eye(3, 4, 1, dtype=jnp.int32))
case("tri", lambda: jnp.tri(3, 4, -1, dtype=jnp.float32))
for k in (-1, 0, 2):
    case(f"tril {k}", lambda x, k=k: jnp.tril(x, k), X)
    case(f"triu {k}", lambda x, k=k: jnp.triu(x, k), X)
    case(f"diagonal {k}", lambda x, k=k: jnp.diagonal(x, k, axis1=-2, axis2=-1), X)
case("diagonal -7", lambda x: jnp.diagonal(x, -7, axis1=-2, axis2=-1), X)
case("trace", lambda x: jnp.trace(x, axis1=-2, axis2=-1), X)
case("diag", jnp.diag, f32(1, 2, 3))
case("flip 0 2", lambda x: jnp.flip(x, (0, 2)), X)
for shift in (1, -1, 5, 0):
    case(f"roll {shift}", lambda x, s=shift: jnp.roll(x, s, 2), X)
case("pad", lambda x: jnp.pad(x, ((1, 2), (0, 0), (3, 0)), constant_values=9), X)
case("pad_edge", lambda x: jnp.pad(x, ((1, 2), (0, 0), (3, 1)), mode="edge"), X)
case("diff", lambda x: jnp.diff(x, axis=1), X)
case("tile", lambda x: jnp.tile(x, (2, 1, 3, 2)), X)
case("tile short", lambda x: jnp.tile(x, (2,)), X)
case("repeat", lambda x: jnp.repeat(x, 2, axis=1), X)
case("concatenate", lambda x, y: jnp.concatenate([x, y], 1), X, K[:, :1])
case("stack", lambda x, y: jnp.stack([x, y], -1), X, K)
case("split", lambda x: jnp.split(x, 2, 2)[1], X)
case("split_at", lambda x: jnp.split(x, [1, 3], 2)[1], X)
case("reshape", lambda x: x.reshape(4, -1), X)
case("transpose", lambda x: x.transpose(2, 0, 1), X)
case("swapaxes", lambda x: x.swapaxes(0, -1), X)
case("moveaxis", lambda x: jnp.moveaxis(x, 0, -1), X)
case("t", lambda x: x.T, X)
case("expand_dims", lambda x: jnp.expand_dims(x, (0, -1)), X)
case("squeeze", lambda x: jnp.squeeze(x, 1), X[:, :1])
case("broadcast_to", lambda x: jnp.broadcast_to(x, (2, 2, 3, 4)), X[:, :1])
case("bitcast u32", lambda x: lax.bitcast_convert_type(x, jnp.uint32), OPEN)
case("bitcast u8", lambda x: lax.bitcast_convert_type(x, jnp.uint8), OPEN)
case("bitcast f32", lambda x: lax.bitcast_convert_type(x, jnp.float32), np.array([[0, 0, 128, 63]], np.uint8))
for name, dtype in dict(s32=np.int32, u8=np.uint8, pred=bool, bf16=jnp.bfloat16, f64=np.float64).items():
    case(f"astype {name}", lambda x, d=dtype: x.astype(d), np.abs(OPEN))

case("index integer", lambda x: x[1], X)
case("index parts", lambda x: x[0, 1:3, ::2], X)
case("index back", lambda x: x[..., ::-1], X)
case("index steps", lambda x: x[::-1, -1:0:-1, 3:0:-2], X)
case("index new", lambda x: x[:, None, 0, ..., None], X)
case("index negative", lambda x: x[-1, :-1, -3:], X)
case("index beyond", lambda x: x[5:, 1:100], X)
case("index scalar", lambda x, i: x[:, i, 1:3], X, np.int32(-1))
case("index scalar", lambda x, i: x[:, i, 1:3], X, np.int32(1))
case("index scalars", lambda x, i, j: x[i, ::-1, j], X, np.int32(0), np.int32(2))
case("at set integer", lambda x: x.at[1].set(9.0), X)
case("at set parts", lambda x, y: x.at[0, 1:3, ::2].set(y), X, f32(1, 2))
case("at set back", lambda x, y: x.at[:, ::-1, 1].set(y), X, f32(1, 2, 3))
case("at set empty", lambda x: x.at[:, 3:, ::2].set(1.0), X)
case("at add parts", lambda x: x.at[:, 1:, 3:0:-2].add(10.0), X)
case("at add block", lambda x: x.at[1:, :2].add(10.0), X)
case("at multiply block", lambda x: x.at[1:, :2].multiply(10.0), X)
case("at min block", lambda x: x.at[1:, :2].min(0.0), X)
case("at max block", lambda x: x.at[1:, :2].max(0.0), X)
case("at set scalar", lambda x, i: x.at[:, i, ::2].set(7.0), X, np.int32(-2))
case("at add scalar", lambda x, i: x.at[i, 1:].add(7.0), X, np.int32(1))
case("dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i, 1, -3), (1, 2, 2)), X, np.int32(1))
case("dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i, 1, -3), (1, 2, 2)), X, np.int32(9))
case("dynamic_update_slice", lambda x, i: lax.dynamic_update_slice(x, jnp.ones((1, 2, 2)), (i, 1, 3)), X, np.int32(1))


def values():
    """For each case its name, then `in` for each input and `out`: type, shape, elements row-major."""
    lines = ["# Written by scripts/record_tensor_values.py\n"]
    for name, inputs, function in CASES:
        lines.append(f"case {name}\n")
        lines += [f"in {text(x)}\n" for x in inputs]
        lines.append(f"out {text(function(*inputs))}\n")
    (DATA / "tensor_values.txt").write_text("".join(lines))


promotion()
values()
