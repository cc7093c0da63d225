"""Single operations over many shapes and types: where a plan that is right for one shape is wrong for another.

Like everyday.py, which see; `run.py --everyday --class grid` compares them.
"""

import itertools

import jax
import jax.numpy as jnp
from case import Array, Case, positive
from jax import lax

CASES = []
# Results are relative to the largest element; sums of halves lose this much.
TOLERANCE = {"float32": 1e-3, "float64": 1e-6, "bfloat16": 3e-2, "float16": 1e-2}


def add(name, function, *inputs, tolerance=None):
    tolerance = tolerance or max(TOLERANCE.get(i.dtype, 1e-3) for i in inputs)
    CASES.append(Case(name, "grid", inputs, function, tolerance=tolerance))


def array(shape, dtype="float32", **more):
    return Array(shape, dtype, below=100, **more)


def named(shape, dtype="float32"):
    return f"{dtype}[{','.join(map(str, shape))}]"


REDUCED = [
    ((1000, 1000), 0), ((1000, 1000), 1), ((100001, 7), 0), ((100001, 7), 1), ((7, 100001), 0), ((7, 100001), 1),
    ((20000, 37), 1), ((37, 20000), 0), ((60, 130, 70), 1), ((60, 130, 70), (0, 2)), ((60, 130, 70), (0, 1)),
    ((64, 31, 5, 33), (1, 3)), ((333333,), 0), ((16, 28, 28, 48), (1, 2)), ((300, 300), (0, 1)), ((3, 400, 400), 0), ((400, 400, 3), 2),
]  # fmt: skip
REDUCTIONS = {
    "sum": jnp.sum,
    "max": jnp.max,
    "argmax": lambda x, axis: jnp.argmax(x, axis) if isinstance(axis, int) else jnp.argmax(x),
    "var": jnp.var,
    "logsumexp": jax.nn.logsumexp,
    "any": lambda x, axis: jnp.any(x > 3, axis),
    "norm": lambda x, axis: jnp.sqrt(jnp.sum(x * x, axis)),
}
for (shape, axis), (name, function) in itertools.product(REDUCED, REDUCTIONS.items()):
    add(f"{name} over {axis} of {named(shape)}", lambda x, f=function, a=axis: f(x, axis=a), array(shape))
for dtype in ("bfloat16", "float16", "float64", "int32", "int8", "uint8", "int64"):
    for shape, axis in [((1000, 1000), 0), ((1000, 1000), 1), ((100001, 7), 1), ((333333,), 0), ((60, 130, 70), 1)]:
        for name in ("sum", "max", "argmax"):
            add(f"{name} over {axis} of {named(shape, dtype)}", lambda x, f=REDUCTIONS[name], a=axis: f(x, axis=a), array(shape, dtype))

ALONG = [((1000, 1000), 0), ((1000, 1000), 1), ((50000, 11), 1), ((11, 50000), 1), ((60, 130, 70), 1), ((3, 400, 400), 0), ((400, 400, 3), 2), ((3000, 130), 1)]
ALONGS = {
    "softmax": jax.nn.softmax,
    "log_softmax": jax.nn.log_softmax,
    "standardize": jax.nn.standardize,
    "cumsum": jnp.cumsum,
    "cummax": lambda x, axis: lax.cummax(x, axis),
    "centred": lambda x, axis: x - jnp.mean(x, axis, keepdims=True),
    "share": lambda x, axis: x / jnp.sum(x, axis, keepdims=True),
    "flip": jnp.flip,
    "roll": lambda x, axis: jnp.roll(x, 1, axis),
    "diff": lambda x, axis: jnp.diff(x, axis=axis),
    "shift": lambda x, axis: jnp.concatenate([jnp.zeros_like(lax.slice_in_dim(x, 0, 1, axis=axis)), lax.slice_in_dim(x, 0, -1, axis=axis)], axis),
    "sort": lambda x, axis: jnp.sort(x, axis),
    "doubled": lambda x, axis: jnp.repeat(x, 2, axis),
    "twice": lambda x, axis: jnp.concatenate([x, x * 2], axis),
    "second": lambda x, axis: lax.slice_in_dim(x, 0, None, 2, axis),
    "pad": lambda x, axis: jnp.pad(x, [(1, 2) if i == axis else (0, 0) for i in range(x.ndim)]),
    "take": lambda x, axis: jnp.take(x, jnp.array([0, 2, 1, 1, 0]), axis),
    "one_hot_like": lambda x, axis: (x == jnp.max(x, axis, keepdims=True)).astype(jnp.float32),
}
for (shape, axis), (name, function) in itertools.product(ALONG, ALONGS.items()):
    add(f"{name} along {axis} of {named(shape)}", lambda x, f=function, a=axis: f(x, axis=a), array(shape))
for dtype in ("bfloat16", "float16", "int8", "float64"):
    for shape, axis in [((1000, 1000), 0), ((1000, 1000), 1), ((400, 400, 3), 2)]:
        for name in ("flip", "roll", "cumsum", "doubled", "twice", "second", "pad", "sort", "softmax"):
            if name == "softmax" and dtype == "int8":
                continue
            add(f"{name} along {axis} of {named(shape, dtype)}", lambda x, f=ALONGS[name], a=axis: f(x, axis=a), array(shape, dtype))

TRANSPOSED = [
    ((1000, 1000), (1, 0)), ((100001, 7), (1, 0)), ((7, 100001), (1, 0)), ((60, 130, 70), (2, 1, 0)), ((60, 130, 70), (0, 2, 1)), ((60, 130, 70), (1, 0, 2)),
    ((8, 64, 12, 48), (0, 2, 1, 3)), ((8, 64, 12, 48), (0, 2, 3, 1)), ((400, 400, 3), (2, 0, 1)), ((3, 400, 400), (1, 2, 0)), ((16, 28, 28, 48), (0, 3, 1, 2)),
    ((20, 20, 20, 5, 5), (0, 1, 2, 4, 3)), ((50, 4, 50, 4, 3), (0, 2, 1, 3, 4)), ((20000, 4, 4), (0, 2, 1)), ((20000, 3, 3), (0, 2, 1)),
]  # fmt: skip
for (shape, order), dtype in itertools.product(TRANSPOSED, ("float32", "bfloat16", "int8", "float64")):
    if dtype != "float32" and len(shape) > 3:
        continue
    add(f"transpose {order} of {named(shape, dtype)}", lambda x, o=order: jnp.transpose(x, o), array(shape, dtype))
    add(f"transpose {order} of {named(shape, dtype)} scaled", lambda x, o=order: jnp.transpose(x * 2, o) + 1, array(shape, dtype))

BROADCAST = [((1000, 1000), (1000,)), ((1000, 1000), (1000, 1)), ((100001, 7), (7,)), ((100001, 7), (100001, 1)), ((400, 400, 3), (3,)), ((60, 130, 70), (130, 1)), ((60, 130, 70), (60, 1, 70)), ((16, 28, 28, 48), (16, 1, 1, 48)), ((3, 400, 400), (3, 1, 1))]
for (a, b), (name, function) in itertools.product(BROADCAST, {"add": jnp.add, "outer_exp": lambda x, y: jnp.exp(x - y), "where": lambda x, y: jnp.where(x > y, x, 0)}.items()):
    add(f"{name} of {named(a)} and {named(b)}", function, array(a), array(b))

ELEMENTWISE = {
    "exp": jnp.exp, "log": lambda x: jnp.log(jnp.abs(x) + 1), "tanh": jnp.tanh, "sin": jnp.sin, "atan2": lambda x: jnp.arctan2(x, x + 1),
    "sigmoid": jax.nn.sigmoid, "gelu": jax.nn.gelu, "erf": lax.erf, "log1p": lambda x: jnp.log1p(x * x), "expm1": jnp.expm1, "power": lambda x: jnp.power(jnp.abs(x), 1.7),
    "cube": lambda x: x**3, "rsqrt": lambda x: lax.rsqrt(x * x + 1), "sqrt": lambda x: jnp.sqrt(jnp.abs(x)), "round": jnp.round, "floor": jnp.floor, "mod": lambda x: jnp.mod(x, 0.7),
    "sign": jnp.sign, "to_int": lambda x: x.astype(jnp.int32), "clip": lambda x: jnp.clip(x, -1, 1), "softplus": jax.nn.softplus, "isfinite": jnp.isfinite, "cbrt": jnp.cbrt,
    "asin": lambda x: jnp.arcsin(jnp.tanh(x)), "sinh": jnp.sinh, "atan": jnp.arctan, "tan": jnp.tan, "digamma": lambda x: jax.scipy.special.digamma(jnp.abs(x) + 1), "lgamma": lambda x: lax.lgamma(jnp.abs(x) + 1),
    "erf_inv": lambda x: lax.erf_inv(jnp.tanh(x)), "logit": lambda x: jax.scipy.special.logit(jax.nn.sigmoid(x)), "sinc": jnp.sinc, "nan_to_num": jnp.nan_to_num, "hypot": lambda x: jnp.hypot(x, x + 1),
}  # fmt: skip
for (name, function), dtype in itertools.product(ELEMENTWISE.items(), ("float32", "float64", "bfloat16", "float16")):
    add(f"{name} of {dtype}", function, array((100003,), dtype))
INTEGERS = {
    "add": lambda x: x + x, "multiply": lambda x: x * x, "divide": lambda x: x // 7, "remainder": lambda x: x % 10, "by_array": lambda x: x // (x + 1), "shift": lambda x: x >> 2, "xor": lambda x: x ^ (x << 1),
    "popcount": lax.population_count, "clz": lax.clz, "to_float": lambda x: x.astype(jnp.float32) * 0.5, "minmax": lambda x: jnp.minimum(jnp.maximum(x, 3), 50), "compare": lambda x: x > 50, "power": lambda x: x**3, "select": lambda x: jnp.where(x % 2 == 0, x // 2, 3 * x + 1),
}  # fmt: skip
for (name, function), dtype in itertools.product(INTEGERS.items(), ("int32", "uint8", "int16", "int64", "uint32", "int8")):
    add(f"{name} of {dtype}", function, array((100003,), dtype))

PRODUCTS = [(1, 512, 512), (512, 512, 1), (7, 300, 500), (100, 100, 100), (300, 17, 300), (33, 1000, 33), (513, 257, 129), (2, 2000, 400), (1000, 3, 1000), (5000, 4, 4), (64, 64, 64), (1000, 64, 10), (128, 784, 10)]
for (m, k, n), dtype in itertools.product(PRODUCTS, ("float32", "float64", "bfloat16", "int8", "int32")):
    wide = jnp.int32 if dtype == "int8" else None
    add(f"product {m}x{k}x{n} of {dtype}", lambda a, b, w=wide: jnp.matmul(a, b, preferred_element_type=w), array((m, k), dtype), array((k, n), dtype))
EINSUMS = [
    ("mk,nk->mn", (300, 200), (250, 200)), ("km,kn->mn", (300, 200), (300, 250)), ("bmk,bkn->bmn", (500, 8, 8), (500, 8, 8)), ("bmk,bkn->bmn", (20, 64, 64), (20, 64, 64)), ("bmk,bnk->bmn", (20, 64, 64), (20, 64, 64)),
    ("mbk,nbk->bmn", (64, 8, 32), (64, 8, 32)), ("bqhd,bkhd->bhqk", (2, 128, 8, 32), (2, 128, 8, 32)), ("bhqk,bkhd->bqhd", (2, 8, 128, 128), (2, 128, 8, 32)), ("bi,bi->b", (5000, 64), (5000, 64)), ("bi,bj->bij", (2000, 20), (2000, 20)),
    ("ij,jk,k->i", (200, 200), (200, 200), (200,)), ("bi,ij,bj->b", (500, 50), (50, 50), (500, 50)), ("ijk,kl->ijl", (50, 50, 50), (50, 50)), ("ijk,jl->ilk", (50, 50, 50), (50, 50)), ("ijk,il->ljk", (50, 50, 50), (50, 50)),
    ("bij,bj->bi", (1000, 30, 30), (1000, 30)), ("ijb,jkb->ikb", (20, 20, 500), (20, 20, 500)), ("ii->i", (1000, 1000)), ("ij->ji", (500, 700)), ("abc,abd->cd", (50, 60, 30), (50, 60, 20)), ("nhwc,cd->nhwd", (4, 32, 32, 48), (48, 24)),
]  # fmt: skip
for formula, *shapes in EINSUMS:
    add(f"einsum {formula} of {' and '.join(named(s) for s in shapes)}", lambda *x, f=formula: jnp.einsum(f, *x), *[array(s) for s in shapes])

CONVOLVED = [
    ((8, 32, 32, 3), (3, 3, 3, 16), 1, "SAME", 1), ((8, 32, 32, 16), (3, 3, 16, 32), 2, "SAME", 1), ((2, 56, 56, 64), (1, 1, 64, 64), 1, "VALID", 1), ((1, 112, 112, 32), (3, 3, 1, 32), 1, "SAME", 32),
    ((1, 57, 57, 24), (5, 5, 1, 24), 2, "SAME", 24), ((4, 17, 17, 40), (3, 3, 40, 24), 1, "VALID", 1), ((16, 14, 14, 10), (5, 5, 10, 20), 1, "VALID", 1), ((1, 224, 224, 1), (7, 7, 1, 1), 1, "SAME", 1), ((2, 33, 33, 32), (3, 3, 8, 32), 1, "SAME", 4),
]  # fmt: skip
for x, w, stride, padding, groups in CONVOLVED:

    def convolved(x, w, s=stride, p=padding, g=groups):
        return lax.conv_general_dilated(x, w, (s, s), p, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=g)

    add(f"convolution of {named(x)} by {named(w)} /{stride}", convolved, array(x), array(w))
    add(f"gradients of convolution of {named(x)} by {named(w)} /{stride}", jax.grad(lambda x, w, f=convolved: (f(x, w) ** 2).sum(), (0, 1)), array(x), array(w))
for shape, window, stride in [((8, 64, 64, 16), 2, 2), ((8, 64, 64, 16), 3, 2), ((8, 64, 64, 16), 3, 1), ((8, 63, 63, 3), 2, 2), ((32, 28, 28, 1), 2, 2), ((1, 300, 300, 1), 5, 1)]:

    def pooled(x, start, f, w=window, s=stride):
        return lax.reduce_window(x, start, f, (1, w, w, 1), (1, s, s, 1), "SAME")

    add(f"max pool {window}/{stride} of {named(shape)}", lambda x, p=pooled: p(x, -jnp.inf, lax.max), array(shape))
    add(f"mean pool {window}/{stride} of {named(shape)}", lambda x, p=pooled: p(x, 0.0, lax.add) / 4, array(shape))
    add(f"gradient of max pool {window}/{stride} of {named(shape)}", jax.grad(lambda x, p=pooled: (p(x, -jnp.inf, lax.max) ** 2).sum()), array(shape))

for (rows, width), count in itertools.product([(1000, 1), (1000, 3), (1000, 64), (1000, 100), (100000, 16)], [300, 20000]):
    table, at = array((rows, width)), Array((count,), "int32", below=rows)
    add(f"rows {count} of {named((rows, width))}", lambda x, i: x[i], table, at)
    add(f"rows {count} of {named((rows, width))} added", lambda x, i: x[i] + 1, table, at)
    add(f"scatter add {count} into {named((rows, width))}", lambda x, i, u: x.at[i].add(u), table, at, array((count, width)))
    add(f"scatter set {count} into {named((rows, width))}", lambda x, i, u: x.at[i].max(u), table, at, array((count, width)))
    add(f"segment sum {count} into {rows} rows of {width}", lambda i, u, n=rows: jax.ops.segment_sum(u, i, n), at, array((count, width)))
for n, k in [(1000, 100), (100, 3000), (30000, 20), (1, 100000)]:
    x = array((n, k))
    add(f"top 5 of {named((n, k))}", lambda x: lax.top_k(x, 5), x)
    add(f"argsort of {named((n, k))}", jnp.argsort, x)
    add(f"median of {named((n, k))}", lambda x: jnp.median(x, -1), x)
    add(f"take along of {named((n, k))}", lambda x, i: jnp.take_along_axis(x, i, -1), x, Array((n, max(k // 2, 1)), "int32", below=k))
    add(f"two channels picked of {named((n, k))}", lambda x: x[:, :2].sum(-1), x)
    add(f"positive powers of {named((n, k))}", lambda x: jnp.log(x).sum(-1), Array((n, k), fill=positive))

def layer_norm(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = ((x - m) ** 2).mean(-1, keepdims=True)
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b


def rms_norm(x, g):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g


def entropy(x, y):
    return -(jax.nn.log_softmax(x) * jax.nn.one_hot(y, x.shape[-1])).sum(-1).mean()


def picked_entropy(x, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()


# Patterns of layers and losses, with their gradients.
for rows, width in [(1000, 10), (4000, 48), (1000, 100), (300, 1000), (37, 4099), (20000, 5), (2000, 256)]:
    x, y, w = array((rows, width)), Array((rows,), "int32", below=width), array((width,))
    of = f"of {rows} rows of {width}"
    add(f"layer norm {of}", layer_norm, x, w, w)
    add(f"gradient of layer norm {of}", jax.grad(lambda x, g, b: (layer_norm(x, g, b) ** 2).sum(), (0, 1, 2)), x, w, w)
    add(f"rms norm {of}", rms_norm, x, w)
    add(f"gradient of rms norm {of}", jax.grad(lambda x, g: (rms_norm(x, g) ** 2).sum(), (0, 1)), x, w)
    add(f"cross entropy {of}", entropy, x, y)
    add(f"gradient of cross entropy {of}", jax.grad(entropy), x, y)
    add(f"gradient of picked cross entropy {of}", jax.grad(picked_entropy), x, y)
    add(f"softmax with mask {of}", lambda x, m: jax.nn.softmax(jnp.where(m > 0, x, -1e9), -1), x, x)
    add(f"dense of {rows} rows of {width}", lambda x, w, b: jax.nn.gelu(x @ w + b), x, array((width, 64)), array((64,)))
    add(f"gradient of dense {of}", jax.grad(lambda w, x: (jax.nn.relu(x @ w) ** 2).sum()), array((width, 64)), x)
    add(f"distances {of}", lambda x, c: ((x[:, None] - c[None]) ** 2).sum(-1).argmin(-1), x, array((20, width)))
    add(f"normalised {of}", lambda x: (x - x.mean(0)) / (x.std(0) + 1e-5), x)
    add(f"covariance {of}", lambda x: jnp.cov(x, rowvar=False), x)
    add(f"top 1 {of}", lambda x, y: (x.argmax(-1) == y).mean(), x, y)
    add(f"rank of labels {of}", lambda x, y: (x > jnp.take_along_axis(x, y[:, None], 1)).sum(-1), x, y)
    add(f"clipped gradient {of}", lambda g: g * jnp.minimum(1.0, 1.0 / jnp.sqrt((g * g).sum())), x)
    add(f"adam {of}", lambda p, g, m, v: (p - 0.01 * (0.9 * m + 0.1 * g) / (jnp.sqrt(0.99 * v * v + 0.01 * g * g) + 1e-8), 0.9 * m + 0.1 * g, 0.99 * v * v + 0.01 * g * g), x, x, x, x)
for shape in [(8, 16, 16, 24), (2, 56, 56, 64), (16, 7, 7, 40), (1, 100, 100, 3)]:
    x, c = array(shape), array(shape[-1:])
    of = f"of {named(shape)}"
    first = array((shape[0], shape[3], shape[1], shape[2]))
    add(f"batch norm {of}", lambda x, g, b: (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g + b, x, c, c)
    add(f"batch norm of channels first {of}", lambda x: (x - x.mean((0, 2, 3), keepdims=True)) * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5), first)
    add(f"gradient of batch norm {of}", jax.grad(lambda x, g: (((x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g) ** 3).sum(), (0, 1)), x, c)
    add(f"gradient of batch norm of channels first {of}", jax.grad(lambda x: (((x - x.mean((0, 2, 3), keepdims=True)) * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)) ** 3).sum()), first)
    add(f"instance norm {of}", lambda x: (x - x.mean((1, 2), keepdims=True)) * lax.rsqrt(x.var((1, 2), keepdims=True) + 1e-5), x)
    add(f"squeeze and excite {of}", lambda x, a, b: x * jax.nn.sigmoid(jax.nn.relu(x.mean((1, 2)) @ a) @ b)[:, None, None], x, array((shape[-1], 8)), array((8, shape[-1])))
    add(f"channels first {of}", lambda x: jnp.transpose(x / 255, (0, 3, 1, 2)), x)
    add(f"channels last {of}", lambda x: jnp.transpose(x - 1, (0, 2, 3, 1)), first)
    add(f"upsampled {of}", lambda x: jnp.repeat(jnp.repeat(x, 2, 1), 2, 2), x)
    add(f"mirrored {of}", lambda x: x[:, :, ::-1] * 2, x)
    add(f"blurred {of}", lambda x: sum(jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))[:, i : i + x.shape[1], j : j + x.shape[2]] for i in range(3) for j in range(3)) / 9, x)
    add(f"global pool {of}", lambda x: (x.mean((1, 2)), x.max((1, 2))), x)
    add(f"patches {of}", lambda x: x[:, : x.shape[1] // 2 * 2, : x.shape[2] // 2 * 2].reshape(x.shape[0], x.shape[1] // 2, 2, x.shape[2] // 2, 2, x.shape[3]).transpose(0, 1, 3, 2, 4, 5).reshape(x.shape[0], -1, 4 * x.shape[3]), x)
for batch, heads, length, size in [(2, 4, 50, 24), (1, 8, 200, 64), (16, 2, 17, 16), (4, 1, 128, 40)]:
    q = array((batch, heads, length, size))
    of = f"of {named(q.shape)}"
    attend = lambda q, k, v: jax.nn.softmax(q @ k.swapaxes(-1, -2) / 8, -1) @ v  # noqa: E731
    causal = lambda q, k, v: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((q.shape[2],) * 2, bool)), q @ k.swapaxes(-1, -2) / 8, -jnp.inf), -1) @ v  # noqa: E731
    add(f"attention {of}", attend, q, q, q)
    add(f"causal attention {of}", causal, q, q, q)
    add(f"gradient of attention {of}", jax.grad(lambda q, k, v, f=attend: (f(q, k, v) ** 2).sum(), (0, 1, 2)), q, q, q)
    add(f"rotary {of}", lambda x: jnp.concatenate([x[..., : x.shape[-1] // 2] * 0.6 - x[..., x.shape[-1] // 2 :] * 0.8, x[..., x.shape[-1] // 2 :] * 0.6 + x[..., : x.shape[-1] // 2] * 0.8], -1), q)
    add(f"rotary in pairs {of}", lambda x: jnp.stack([x[..., ::2] * 0.6 - x[..., 1::2] * 0.8, x[..., 1::2] * 0.6 + x[..., ::2] * 0.8], -1).reshape(x.shape), q)
    add(f"heads split {of}", lambda x, h=heads: x.reshape(x.shape[0], x.shape[1], h, -1).transpose(0, 2, 1, 3) * 2, array((batch, length, heads * size)))
    add(f"heads merged {of}", lambda x: x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1) * 2, q)
for n in (1000, 30000):
    x, y = array((n, 3)), array((n, 4))
    of = f"of {n} points"
    add(f"cross product {of}", jnp.cross, x, x)
    add(f"lengths {of}", lambda x: jnp.linalg.norm(x, axis=-1), x)
    add(f"unit vectors {of}", lambda x: x / jnp.linalg.norm(x, axis=-1, keepdims=True), x)
    add(f"quaternions multiplied {of}", lambda a, b: jnp.stack([a[:, 0] * b[:, 0] - (a[:, 1:] * b[:, 1:]).sum(-1), *(a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + jnp.cross(a[:, 1:], b[:, 1:])).T], -1), y, y)
    add(f"rotated {of}", lambda x, r: x @ r.T, x, array((3, 3)))
    add(f"homogeneous {of}", lambda x, m: (jnp.concatenate([x, jnp.ones_like(x[:, :1])], -1) @ m)[:, :3], x, array((4, 4)))
    add(f"outer products {of}", lambda x: x[:, :, None] * x[:, None, :], x)
    add(f"determinants {of}", lambda x: jnp.linalg.det(x.reshape(-1, 3, 3)), array((n // 3 * 3, 3)))
    add(f"bounding box {of}", lambda x: (x.min(0), x.max(0)), x)
    add(f"centred {of}", lambda x: x - x.mean(0), x)
    add(f"complex product {of}", lambda a, b: jnp.stack([a[:, 0] * b[:, 0] - a[:, 1] * b[:, 1], a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0]], -1), y, y)
