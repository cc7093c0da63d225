#!/usr/bin/env python3
"""Regenerates tests/programs: JAX programs, their HLO, inputs and XLA's results.

Needs `pip install jax==0.10.2 numpy`. Run with no arguments for all programs, or with names; `--out DIR`
writes elsewhere, for a comparison with what is committed. The tests of Lawson never run this.

Each entry below is ordinary user code and two sizes: a small one, whose inputs and outputs are stored, and the
full one to time, of which only the text is stored. `BLOCKS` has a third one, for blocks of a graphics processor.
"""

import argparse
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

PROGRAMS = {}

# Sizes that fill several blocks of a graphics processor, none of them with a multiple of what a warp has: of these the text
# is stored, and the interpreter says what is right.
BLOCKS = dict(
    square_minus_16m=dict(n=40_003),
    tanh_affine_16m=dict(n=40_003),
    gelu_bias=dict(m=75, n=331),
    transpose_add=dict(n=203),
    babybear_mont_16m=dict(n=40_003),
    adam_64=dict(count=64, largest=1500),
    random_normal=dict(n=20_003),
    sum_exp_16m=dict(n=100_003),
    column_sum=dict(n=331),
    softmax_4096x1024=dict(m=75, n=331),
    nbody=dict(n=603),
    mlp_layer_1024=dict(m=130, k=70, n=201),
    mlp_layer_128x784x256=dict(m=75, k=203, n=77),
    mlp_train_step=dict(batch=75, sizes=[100, 70, 50, 10]),
    attention=dict(b=1, h=3, s=77, d=20),
    resnet_block=dict(b=1, c=5, hw=19),
    stencil_roll=dict(n=203, iters=3),
    mandelbrot=dict(n=51, limit=50),
    cartpole_table_stack=dict(envs=777, steps=10),
    cartpole_table_split=dict(envs=777, steps=10),
    cartpole_rng_stack=dict(envs=777, steps=10),
)


def program(what, small, full, rtol=1e-3, max_mismatch=0):
    """Registers `make(**size) -> (function, inputs)` under its name."""

    def register(make):
        PROGRAMS[make.__name__] = dict(
            make=make, what=what, small=small, full=full, rtol=rtol, max_mismatch=max_mismatch
        )
        return make

    return register


def normal(rng, *shape, scale=1.0):
    return (rng.standard_normal(shape, dtype=np.float32) * np.float32(scale)).astype(np.float32)


# Elementwise


@program("x^2 - x", dict(n=32768), dict(n=1 << 24))
def square_minus_16m(rng, n):
    return lambda x: x**2 - x, [normal(rng, n)]


@program("tanh(a*x+b)", dict(n=32768), dict(n=1 << 24))
def tanh_affine_16m(rng, n):
    return lambda a, x_b, x: jnp.tanh(a * x + x_b), [np.float32(1.7), np.float32(0.3), normal(rng, n)]


@program("gelu(x + bias), tanh form", dict(m=64, n=256), dict(m=4096, n=1024))
def gelu_bias(rng, m, n):
    return lambda x, b: jax.nn.gelu(x + b, approximate=True), [normal(rng, m, n), normal(rng, n)]


@program("x.T * 2 + y", dict(n=256), dict(n=4096))
def transpose_add(rng, n):
    return lambda x, y: x.T * 2 + y, [normal(rng, n, n), normal(rng, n, n)]


@program(
    "x*x/2^32 - x mod BabyBear, by Montgomery reduction in u64", dict(n=32768), dict(n=1 << 24), rtol=0
)
def babybear_mont_16m(rng, n):
    p, p_inv_neg = 2013265921, 2013265919

    def fn(x):
        wide = x.astype(jnp.uint64) * x.astype(jnp.uint64)
        m = wide.astype(jnp.uint32) * jnp.uint32(p_inv_neg)
        t = ((wide + m.astype(jnp.uint64) * jnp.uint64(p)) >> jnp.uint64(32)).astype(jnp.uint32)
        t = jnp.minimum(t, t - jnp.uint32(p))
        r = t + (jnp.uint32(p) - x)
        return jnp.minimum(r, r - jnp.uint32(p))

    return fn, [rng.integers(0, p, n, dtype=np.uint32)]


@program(
    "Adam step on 64 parameter arrays of various shapes",
    dict(count=64, largest=1024),
    dict(count=64, largest=65536),
)
def adam_64(rng, count, largest):
    def fn(p, g, m, v, step):
        m = [0.9 * m + 0.1 * g for m, g in zip(m, g)]
        v = [0.999 * v + 0.001 * g * g for v, g in zip(v, g)]
        c1, c2 = 1 - 0.9**step, 1 - 0.999**step
        p = [
            p - 0.001 * (m / c1) / (jnp.sqrt(v / c2) + 1e-8)
            for p, m, v in zip(p, m, v)
        ]
        return p, m, v

    def shape(i):
        n = max(16, largest >> (i % 7))
        return (max(1, n // 32), 32) if i % 2 == 0 else (n,)

    def arrays(make):
        return [make(*shape(i)) for i in range(count)]

    p, g, m = (arrays(lambda *s: normal(rng, *s, scale=0.1)) for _ in range(3))
    v = arrays(lambda *s: np.abs(normal(rng, *s, scale=0.01)))
    return fn, [p, g, m, v, np.float32(10)]


@program("normal random numbers by threefry2x32", dict(n=4096), dict(n=1_000_000), rtol=1e-5)
def random_normal(rng, n):
    return lambda key: jax.random.normal(key, (n,)), [np.array([0, 42], np.uint32)]


# Reductions


@program("sum(exp(x))", dict(n=65536), dict(n=1 << 24))
def sum_exp_16m(rng, n):
    return lambda x: jnp.sum(jnp.exp(x)), [normal(rng, n)]


@program("sum over the slow axis of a square matrix", dict(n=256), dict(n=8192))
def column_sum(rng, n):
    return lambda x: jnp.sum(x, axis=0), [normal(rng, n, n)]


@program("softmax over rows", dict(m=64, n=256), dict(m=4096, n=1024))
def softmax_4096x1024(rng, m, n):
    def fn(x):
        e = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True, initial=-jnp.inf))
        return e / jnp.sum(e, axis=-1, keepdims=True)

    return fn, [normal(rng, m, n)]


@program("one step of all-pairs gravity", dict(n=256), dict(n=4096))
def nbody(rng, n):
    def fn(pos, vel, mass):
        d = pos[None, :, :] - pos[:, None, :]
        inv = jax.lax.rsqrt(jnp.sum(d**2, axis=-1) + 0.01)
        acc = jnp.sum(d * (inv**3 * mass[None, :])[:, :, None], axis=1)
        vel = vel + 0.01 * acc
        return pos + 0.01 * vel, vel

    pos, vel = normal(rng, n, 3), normal(rng, n, 3, scale=0.1)
    return fn, [pos, vel, rng.uniform(0.1, 1.0, n).astype(np.float32)]


# Matrix products and convolutions


def mlp_layer(rng, m, k, n):
    fn = lambda x, w, b: jax.nn.relu(x @ w + b)
    return fn, [normal(rng, m, k), normal(rng, k, n, scale=0.05), normal(rng, n)]


@program("relu(x@w+b)", dict(m=128, k=128, n=128), dict(m=1024, k=1024, n=1024))
def mlp_layer_1024(rng, m, k, n):
    return mlp_layer(rng, m, k, n)


@program("relu(x@w+b)", dict(m=32, k=196, n=64), dict(m=128, k=784, n=256))
def mlp_layer_128x784x256(rng, m, k, n):
    return mlp_layer(rng, m, k, n)


@program(
    "three layers: loss, gradient and SGD update in one function",
    dict(batch=32, sizes=[196, 64, 64, 10]),
    dict(batch=256, sizes=[784, 512, 512, 10]),
)
def mlp_train_step(rng, batch, sizes):
    def loss(params, x, y):
        *hidden, last = zip(params[::2], params[1::2])
        for w, b in hidden:
            x = jax.nn.relu(x @ w + b)
        w, b = last
        log_p = jax.nn.log_softmax(x @ w + b)
        return -jnp.mean(jnp.sum(log_p * jax.nn.one_hot(y, sizes[-1]), axis=-1))

    def fn(params, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return value, [p - 0.1 * g for p, g in zip(params, grads)]

    params = []
    for a, b in zip(sizes, sizes[1:]):
        params += [normal(rng, a, b, scale=a**-0.5), np.zeros(b, np.float32)]
    return fn, [params, normal(rng, batch, sizes[0]), rng.integers(0, sizes[-1], batch, dtype=np.int32)]


@program("causal attention, forward", dict(b=1, h=2, s=64, d=32), dict(b=4, h=8, s=256, d=64))
def attention(rng, b, h, s, d):
    def fn(q, k, v):
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) * d**-0.5
        mask = jnp.tril(jnp.ones((s, s), bool))
        p = jax.nn.softmax(jnp.where(mask, scores, -1e30), axis=-1)
        return jnp.einsum("bhqk,bhkd->bhqd", p, v)

    return fn, [normal(rng, b, h, s, d) for _ in range(3)]


@program(
    "relu(x + bn(conv(relu(bn(conv(x)))))), 3x3, batch statistics",
    dict(b=1, c=16, hw=28),
    dict(b=8, c=64, hw=56),
)
def resnet_block(rng, b, c, hw):
    def conv(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))

    def bn(x, g, b):
        mean = jnp.mean(x, axis=(0, 2, 3), keepdims=True)
        var = jnp.var(x, axis=(0, 2, 3), keepdims=True)
        return (x - mean) * jax.lax.rsqrt(var + 1e-5) * g[None, :, None, None] + b[None, :, None, None]

    def fn(x, w1, g1, b1, w2, g2, b2):
        y = jax.nn.relu(bn(conv(x, w1), g1, b1))
        return jax.nn.relu(x + bn(conv(y, w2), g2, b2))

    scale = (9 * c) ** -0.5
    layer = lambda: [normal(rng, c, c, 3, 3, scale=scale), normal(rng, c), normal(rng, c)]
    return fn, [normal(rng, b, c, hw, hw), *layer(), *layer()]


# Loops


@program("5-point stencil, periodic, 10 iterations by jnp.roll", dict(n=256, iters=10), dict(n=4096, iters=10))
def stencil_roll(rng, n, iters):
    def step(_, x):
        near = jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) + jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1)
        return 0.25 * near + 0.1 * x

    return lambda x: jax.lax.fori_loop(0, iters, step, x), [normal(rng, n, n)]


@program(
    "escape counts: vmap of a scalar while_loop",
    dict(n=64, limit=200),
    dict(n=1024, limit=200),
    max_mismatch=0.005,
)
def mandelbrot(rng, n, limit):
    def escape(cr, ci):
        def go(state):
            zr, zi, count = state
            return (count < limit) & (zr * zr + zi * zi <= 4.0)

        def step(state):
            zr, zi, count = state
            return zr * zr - zi * zi + cr, 2.0 * zr * zi + ci, count + 1

        return jax.lax.while_loop(go, step, (jnp.float32(0), jnp.float32(0), jnp.int32(0)))[2]

    re = np.linspace(-2.0, 0.6, n, dtype=np.float32)
    im = np.linspace(-1.3, 1.3, n, dtype=np.float32)
    cr, ci = np.meshgrid(re, im)
    return jax.vmap(jax.vmap(escape)), [cr, ci]


def cartpole_step(x, v, angle, spin, action):
    """One Euler step of a pole on a cart; whether the episode ends."""
    force = action * 10.0 - (1.0 - action) * 10.0
    sin, cos = jnp.sin(angle), jnp.cos(angle)
    temp = (force + 0.05 * spin**2 * sin) / 1.1
    spin_acc = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
    acc = temp - 0.05 * spin_acc * cos / 1.1
    x, v = x + 0.02 * v, v + 0.02 * acc
    angle, spin = angle + 0.02 * spin, spin + 0.02 * spin_acc
    done = (x < -2.4) | (x > 2.4) | (angle < -0.209439516) | (angle > 0.209439516)
    return (x, v, angle, spin), done


def cartpole_inputs(rng, envs, steps):
    init = rng.uniform(-0.05, 0.05, (4, envs)).astype(np.float32)
    return [init, rng.integers(0, 2, (steps, envs)).astype(np.float32)]


@program(
    "CartPole, 2048 environments x 1000 steps, actions from a table, state stacked each step",
    dict(envs=64, steps=50),
    dict(envs=2048, steps=1000),
)
def cartpole_table_stack(rng, envs, steps):
    def fn(init, actions):
        def step(carry, action):
            state, episodes = carry
            new, done = cartpole_step(*state, action)
            return (jnp.where(done, init, jnp.stack(new)), episodes + done.astype(jnp.int32)), None

        return jax.lax.scan(step, (init, jnp.zeros(envs, jnp.int32)), actions)[0]

    return fn, cartpole_inputs(rng, envs, steps)


@program(
    "CartPole, 2048 environments x 1000 steps, actions from a table, state in 4 arrays",
    dict(envs=64, steps=50),
    dict(envs=2048, steps=1000),
)
def cartpole_table_split(rng, envs, steps, unroll=1):
    def fn(init, actions):
        start = tuple(init[i] for i in range(4))

        def step(carry, action):
            *state, episodes = carry
            new, done = cartpole_step(*state, action)
            kept = tuple(jnp.where(done, s, n) for s, n in zip(start, new))
            return (*kept, episodes + done.astype(jnp.int32)), None

        return jax.lax.scan(step, (*start, jnp.zeros(envs, jnp.int32)), actions, unroll=unroll)[0]

    return fn, cartpole_inputs(rng, envs, steps)


@program(
    "CartPole, 2048 environments x 1000 steps, threefry random numbers each step, state stacked each step",
    dict(envs=64, steps=50),
    dict(envs=2048, steps=1000),
)
def cartpole_rng_stack(rng, envs, steps, drawn=lambda numbers: numbers):
    def fresh(key):
        return drawn(jax.random.uniform(key, (4, envs), minval=-0.05, maxval=0.05))

    def fn(key):
        key, init_key = jax.random.split(key)

        def step(_, carry):
            key, state, episodes = carry
            key, action_key, reset_key = jax.random.split(key, 3)
            action = drawn(jax.random.bernoulli(action_key, 0.5, (envs,)).astype(jnp.float32))
            new, done = cartpole_step(*state, action)
            state = jnp.where(done, fresh(reset_key), jnp.stack(new))
            return key, state, episodes + done.astype(jnp.int32)

        start = (key, fresh(init_key), jnp.zeros(envs, jnp.int32))
        return jax.lax.fori_loop(0, steps, step, start)[1:]

    return fn, [np.array([0, 42], np.uint32)]


def lower(fn, args):
    return jax.jit(fn).lower(*args).compiler_ir("hlo").as_hlo_text(print_large_constants=True)


def write_blocks(name, entry, out):
    fn, args = entry["make"](np.random.default_rng(0), **BLOCKS[name])
    (out / name / "blocks.hlo").write_text(lower(fn, args))


def describe(array):
    return f"{array.dtype}{list(array.shape)}"


def write(name, entry, out):
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    fn, args = entry["make"](np.random.default_rng(0), **entry["small"])
    inputs = [np.asarray(x) for x in jax.tree.leaves(args)]
    outputs = [np.asarray(x) for x in jax.tree.leaves(jax.jit(fn)(*args))]
    text = lower(fn, args)
    (folder / "module.hlo").write_text(text)
    full_fn, full_args = entry["make"](np.random.default_rng(0), **entry["full"])
    (folder / "full.hlo").write_text(lower(full_fn, full_args))
    write_blocks(name, entry, out)
    np.savez_compressed(folder / "inputs.npz", **{f"arg{i}": x for i, x in enumerate(inputs)})
    np.savez_compressed(folder / "outputs.npz", **{f"out{i}": x for i, x in enumerate(outputs)})
    meta = dict(
        name=name,
        what=entry["what"],
        small=entry["small"],
        full=entry["full"],
        rtol=entry["rtol"],
        instructions=sum(" = " in line for line in text.splitlines()[1:]),
        **{"in": [describe(x) for x in inputs], "out": [describe(x) for x in outputs]},
        max_mismatch=entry["max_mismatch"],
    )
    (folder / "meta.json").write_text(json.dumps(meta, indent=1))
    print(name)


def main():
    repository = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="programs; all without")
    parser.add_argument("--out", type=pathlib.Path, default=repository / "tests" / "programs")
    options = parser.parse_args()
    for name in options.names or sorted(PROGRAMS):
        # The Montgomery program needs 64-bit integers, which JAX drops by default.
        with jax.enable_x64(name == "babybear_mont_16m"):
            write(name, PROGRAMS[name], options.out)


if __name__ == "__main__":
    main()
