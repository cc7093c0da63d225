#!/usr/bin/env python3
"""Writes bench/results/layers.md: layers, gradients and small simulations as people write them in JAX, fused against
unfused and against XLA:CPU, with the time that the cost model expects.

    bench/layers.py --lawson target/release/lawson [--only NAME,...] [--threads N]

Least times of one run; fused and unfused take turns. Exits with 1 if fusion makes a program slower by more than a
tenth, or if a value differs from XLA's. Needs JAX (scripts/python.sh has one).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax, nn  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "bench" / "results" / "layers.md"
SLOWER = 1.1
PROGRAMS = {}


def program(*shapes, tolerance=2e-3):
    """Adds a function of arrays of these shapes; one of two axes or more is scaled like weights."""

    def add(f):
        PROGRAMS[f.__name__] = (f, shapes, tolerance)
        return f

    return add


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b


def attention(x, wq, wk, wv, wo, heads):
    batch, time_, width = x.shape
    q, k, v = [(x @ w).reshape(batch, time_, heads, width // heads) for w in (wq, wk, wv)]
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / (width // heads) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((time_, time_), bool)), scores, -1e9)
    mixed = jnp.einsum("bhts,bshd->bthd", nn.softmax(scores, -1), v)
    return mixed.reshape(batch, time_, width) @ wo


def block(heads, x, g1, b1, wq, wk, wv, wo, g2, b2, w1, c1, w2, c2):
    x = x + attention(layer_norm(x, g1, b1), wq, wk, wv, wo, heads)
    return x + nn.gelu(layer_norm(x, g2, b2) @ w1 + c1) @ w2 + c2


def block_shapes(batch, time_, width):
    w, wide = (width, width), 4 * width
    return ((batch, time_, width), (width,), (width,), w, w, w, w, (width,), (width,), (width, wide), (wide,),
            (wide, width), (width,))


@program(*block_shapes(2, 256, 512))
def transformer_block(*a):
    return block(8, *a)


@program(*block_shapes(4, 128, 128))
def transformer_block_gradient(x, *p):
    return jax.grad(lambda p: jnp.mean(block(4, x, *p) ** 2))(p)


@program((2, 256, 512), (512, 512), (512, 512), (512, 512), (512, 512))
def multi_head_attention(x, wq, wk, wv, wo):
    return attention(x, wq, wk, wv, wo, 8)


@program((512, 512), (512, 1376), (512, 1376), (1376, 512))
def swiglu(x, w1, w2, w3):
    return (nn.silu(x @ w1) * (x @ w2)) @ w3


@program((2, 256, 512), (512,), (512, 512), (512, 512), (256, 1, 32), (256, 1, 32))
def rotary_queries_and_keys(x, g, wq, wk, c, s):
    y = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g

    def rotated(w):
        a, b = jnp.split((y @ w).reshape(2, 256, 8, 64), 2, -1)
        return jnp.concatenate([a * c - b * s, a * s + b * c], -1)

    return rotated(wq), rotated(wk)


def classifier_loss(params, x, y):
    for w, b in params[:-1]:
        x = nn.relu(x @ w + b)
    w, b = params[-1]
    return -jnp.mean(jnp.sum(nn.log_softmax(x @ w + b) * nn.softmax(y), -1))


@program((784, 512), (512,), (512, 512), (512,), (512, 10), (10,), (256, 784), (256, 10))
def classifier_gradient(w1, b1, w2, b2, w3, b3, x, y):
    return jax.value_and_grad(classifier_loss)([(w1, b1), (w2, b2), (w3, b3)], x, y)


@program((512, 1000), (256, 512), (256, 1000))
def cross_entropy_gradient(w, x, y):
    return jax.grad(lambda w: -jnp.mean(jnp.sum(nn.log_softmax(x @ w) * nn.softmax(y), -1)))(w)


@program((64, 32, 128), (128, 512), (128, 512), (512,))
def lstm(xs, wx, wh, b):
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ wx + h @ wh + b, 4, -1)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((32, 128))
    return lax.scan(step, (zero, zero), xs)[1]


@program((4, 196, 256), (256,), (256,), (196, 392), (392, 196), (256, 1024), (1024, 256))
def mlp_mixer(x, g, b, w1, w2, v1, v2):
    y = nn.gelu(jnp.einsum("bpc,pq->bqc", layer_norm(x, g, b), w1))
    x = x + jnp.einsum("bqc,qp->bpc", y, w2)
    return x + nn.gelu(layer_norm(x, g, b) @ v1) @ v2


def convolved(x, w, stride=1, form=("NHWC", "HWIO", "NHWC")):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=form)


@program((4, 28, 28, 64), (3, 3, 64, 64), (3, 3, 64, 64), (64,), (64,))
def residual_block(x, w1, w2, g, b):
    def normal(x):
        return (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g + b

    return nn.relu(x + normal(convolved(nn.relu(normal(convolved(x, w1))), w2)))


@program((4, 64, 28, 28), (64, 64, 3, 3), (64, 64, 3, 3))
def convolutions_channels_first(x, w1, w2):
    form = ("NCHW", "OIHW", "NCHW")
    return nn.relu(convolved(nn.relu(convolved(x, w1, form=form)), w2, form=form))


@program((4, 56, 56, 64), (3, 3, 1, 64), (64, 128))
def depthwise_separable(x, w, v):
    form = ("NHWC", "HWIO", "NHWC")
    x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=form, feature_group_count=64)
    return nn.relu6(x) @ v


@program((3, 3, 3, 32), (3, 3, 32, 64), (3, 3, 64, 64), (64, 10), (16, 32, 32, 3), (16, 10))
def convolutional_gradient(w1, w2, w3, w4, x, y):
    def loss(params):
        h = x
        for w in params[:-1]:
            h = nn.relu(convolved(h, w, 2))
        return -jnp.mean(jnp.sum(nn.log_softmax(h.mean((1, 2)) @ params[-1]) * nn.softmax(y), -1))

    return jax.value_and_grad(loss)([w1, w2, w3, w4])


@program((2048, 256), (256, 1024), (1024, 128))
def softmax_down_columns(x, w, v):
    return nn.softmax(jnp.tanh(x @ w), 0) @ v


@program((512, 1024))
def softmax_of_columns(x):
    return nn.softmax(x, 0)


@program((512, 768), (768,), (768,), (512, 768))
def layer_norm_gradient(x, g, b, dy):
    return jax.vjp(layer_norm, x, g, b)[1](dy)


@program((4096, 256), (256,), (4096, 256))
def batch_norm_gradient(x, g, dy):
    return jax.vjp(lambda x, g: (x - x.mean(0)) * lax.rsqrt(x.var(0) + 1e-5) * g, x, g)[1](dy)


@program((2048, 512), (2048, 512))
def softmax_gradient(x, dy):
    return jax.vjp(lambda x: nn.softmax(x, -1), x)[1](dy)


@program((2048, 512), (2048, 128))
def dense_gradient(dy, x):
    return dy.sum(0), x.T @ dy


@program((1000, 64), (4096,), (64, 64))
def embedding_gradient(table, ids, w):
    ids = (jnp.abs(ids) * 1e4).astype(jnp.int32) % 1000
    return jax.grad(lambda table: jnp.sum((table[ids] @ w) ** 2))(table)


@program((4096, 3), (3, 128))
def fourier_features(x, b):
    return jnp.concatenate([jnp.sin(x @ b), jnp.cos(x @ b)], -1)


@program((2048, 3), (3, 64), (128, 128), (128, 128), (128, 4))
def radiance_field(x, b, w1, w2, w3):
    f = jnp.concatenate([jnp.sin(x @ b), jnp.cos(x @ b)], -1)
    return nn.relu(nn.relu(f @ w1) @ w2) @ w3


@program((65536, 4), (4, 32), (32, 32), (32, 2))
def small_mlp(x, w1, w2, w3):
    return jnp.tanh(jnp.tanh(x @ w1) @ w2) @ w3


@program((256, 128), (128, 4), (4, 128, 256), (4, 256, 128))
def mixture_of_experts(x, gate, w1, w2):
    h = nn.relu(jnp.einsum("td,edf->etf", x, w1))
    return jnp.einsum("te,etd->td", nn.softmax(x @ gate, -1), jnp.einsum("etf,efd->etd", h, w2))


@program((8192, 16), (64, 16))
def k_means_step(x, centres):
    near = jnp.argmin(((x[:, None, :] - centres[None]) ** 2).sum(-1), 1)
    return jax.ops.segment_sum(x, near, num_segments=64)


@program((1024, 8), (1024, 8), (1024, 1))
def gaussian_process_mean(x, y, alpha):
    return jnp.exp(-0.5 * ((x[:, None] - y[None]) ** 2).sum(-1)) @ alpha


@program((4096, 128))
def correlation(x):
    z = (x - x.mean(0)) / x.std(0)
    return z.T @ z / z.shape[0]


@program((512, 512))
def heat_equation(u):
    def step(_, u):
        around = jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)
        return u + 0.1 * (around - 4 * u)

    return lax.fori_loop(0, 50, step, u)


@program((1 << 20,), (1 << 20,), (1 << 20,))
def black_scholes(s, k, t):
    s, k, t = [jnp.abs(a) + 0.5 for a in (s, k, t)]
    d1 = (jnp.log(s / k) + 0.07 * t) / (0.2 * jnp.sqrt(t))
    normal = lambda d: 0.5 * (1 + lax.erf(d / 2**0.5))  # noqa: E731
    return s * normal(d1) - k * jnp.exp(-0.05 * t) * normal(d1 - 0.2 * jnp.sqrt(t))


@program((64, 1024))
def running_log_sum(x):
    return lax.associative_scan(jnp.logaddexp, x, axis=1)


@program((128, 8, 256), (128, 8, 256), (128, 8, 256))
def linear_attention_scan(r, k, v):
    def step(state, now):
        a, b = state
        r, k, v = now
        out = nn.sigmoid(r) * (a / (b + 1e-6))
        return (a * 0.9 + jnp.exp(k) * v, b * 0.9 + jnp.exp(k)), out

    return lax.scan(step, (jnp.zeros((8, 256)), jnp.ones((8, 256))), (r, k, v))[1]


@program((1, 64, 64, 32), (1, 64, 64, 32))
def triangle_update(a, b):
    return jnp.einsum("bijc,bjkc->bikc", a, b)


@program((64, 48, 16), (64, 48, 16), (256, 32))
def outer_product_mean(a, b, w):
    return jnp.einsum("sic,sjd->ijcd", a, b).reshape(48, 48, -1) @ w / 64


def arrays(shapes):
    rng = np.random.default_rng(0)
    scale = lambda s: 1.0 if len(s) < 2 else s[-2] ** -0.5  # noqa: E731
    return [(rng.standard_normal(s) * scale(s)).astype(np.float32) for s in shapes]


def xla(f, args):
    """What XLA gives, and its least time in µs."""
    run = jax.jit(f)
    args = [jax.device_put(a) for a in args]
    out = jax.block_until_ready(run(*args))
    times, until = [], time.perf_counter() + 1.0
    while time.perf_counter() < until or len(times) < 3:
        start = time.perf_counter()
        jax.block_until_ready(run(*args))
        times.append(time.perf_counter() - start)
    return [np.asarray(x) for x in jax.tree.leaves(out)], min(times) * 1e6


def line(lawson, name, threads):
    f, shapes, tolerance = PROGRAMS[name]
    args = arrays(shapes)
    expected, xla_us = xla(f, args)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        module = folder / f"{name}.hlo"
        module.write_text(jax.jit(f, keep_unused=True).lower(*args).compiler_ir("hlo").as_hlo_text())
        np.savez(folder / "in.npz", **{f"arg{n}": a for n, a in enumerate(args)})
        np.savez(folder / "out.npz", **{f"out{n}": a for n, a in enumerate(expected)})
        common = [str(module), "--inputs", str(folder / "in.npz")] + (["--threads", str(threads)] if threads else [])
        agrees = ["--expect", str(folder / "out.npz"), "--rtol", str(tolerance), "--atol", str(tolerance)]
        run = subprocess.run([lawson, "run", *common, *agrees], capture_output=True, text=True)
        if run.returncode != 0:
            return name, None, (run.stderr or run.stdout).strip()
        out = subprocess.run([lawson, "bench", *common, "--vs", "off", "--json"], capture_output=True, text=True, check=True)
    found = json.loads(out.stdout)
    fused, unfused = found["run_us"]["min"], found["variants"]["off"]["run_us"]["min"]
    return name, (found["kernels"], found["predicted_us"], fused, unfused, xla_us), None


def milliseconds(us):
    return f"{us / 1e3:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(ROOT / "target" / "release" / "lawson"))
    parser.add_argument("--only", default="", help="names, with commas between")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    names = [n for n in options.only.split(",") if n] or list(PROGRAMS)
    rows, bad = [], []
    for n, name in enumerate(names):
        print(f"[{n + 1}/{len(names)}] {name}", file=sys.stderr, flush=True)
        name, row, error = line(options.lawson, name, options.threads)
        if error:
            bad.append(f"{name}: {error}")
            continue
        kernels, predicted, fused, unfused, xla_us = row
        if fused > SLOWER * unfused:
            bad.append(f"{name}: fused {milliseconds(fused)} ms, unfused {milliseconds(unfused)} ms")
        rows.append(f"| {name} | {kernels} | {milliseconds(predicted)} | {milliseconds(fused)} | {milliseconds(unfused)} "
                    f"| {unfused / fused:.2f} | {milliseconds(xla_us)} | {xla_us / fused:.2f} |")
    text = "\n".join([
        "# Layers, gradients and simulations", "",
        "`make layers`: programs as people write them in JAX, with values like those of a net at its start. Least times of",
        "one run in ms; fused and unfused take turns. \"XLA\" is XLA:CPU through JAX in the same minute.", "",
        "| program | kernels | predicted | fused | unfused | unfused / fused | XLA | XLA / fused |",
        "|---|---:|---:|---:|---:|---:|---:|---:|", *rows, "",
    ])
    if not options.only:
        TABLE.write_text(text)
    print(text)
    print("\n".join(bad), file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
