"""Records JAX's gradients of small programs: tests/gradients/NAME.hlo and, beside it, NAME.txt.

Usage: scripts/python.sh scripts/record_gradients.py

The text has a line for each argument (`arg0 …`), one for the value and one for each gradient (`grad0 …`, by the number of
its argument): names, then elements in row-major order. Everything is f64, but for integers.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "gradients"
CASES = {}


def case(*shapes, integers=()):
    def register(f):
        CASES[f.__name__] = (f, shapes, integers)
        return f

    return register


@case((3,), (5, 3), ())
def scan_rows(init, xs, w):
    def step(c, x):
        c = jnp.sin(c * w + x)
        return c, c * x

    last, ys = lax.scan(step, init, xs)
    return jnp.sum(last) + jnp.sum(ys * jnp.arange(15.0).reshape(5, 3))


@case((3,), (5, 3))
def scan_reverse(init, xs):
    def step(c, x):
        c = c * jnp.cos(x) + x
        return c, jnp.tanh(c)

    last, ys = lax.scan(step, init, xs, reverse=True)
    return jnp.sum(last * last) + jnp.sum(ys[1:] * ys[:-1])


@case((4,), ())
def fori(x, w):
    return jnp.sum(lax.fori_loop(2, 9, lambda i, x: jnp.sin(x) * w + i * 0.1, x))


@case((2, 3), (4, 2))
def nested_scans(w, xs):
    def outer(c, x):
        def inner(h, row):
            h = jnp.tanh(h * row + x[0])
            return h, h * x[1]

        h, hs = lax.scan(inner, c, w)
        return h, jnp.sum(hs)

    last, sums = lax.scan(outer, jnp.ones(3), xs)
    return jnp.sum(last) + jnp.sum(sums * sums)


@case((4, 3), (4, 4), (3, 4), (2, 6, 3))
def recurrent(wx, wh, wo, xs):
    def step(h, x):
        h = jnp.tanh(x @ wx.T[:, :4] + h @ wh)
        return h, h @ wo.T

    _, ys = lax.scan(step, jnp.zeros((2, 4)), xs.swapaxes(0, 1))
    return jnp.mean(jax.nn.logsumexp(ys, axis=-1))


@case((6,), (6,), (), ())
def oscillator(x, v, stiffness, damping):
    def step(state, _):
        x, v = state
        a = -stiffness * jnp.sin(x) - damping * v
        v = v + 0.05 * a
        return (x + 0.05 * v, v), None

    (x, v), _ = lax.scan(step, (x, v), None, length=20)
    return jnp.sum(x * x + v)


@case((3,), (), integers=(2,))
def branches(x, w, n):
    def scaled(x, n):
        return jnp.sin(x) * w * n

    def summed(x, n):
        return x * jnp.sum(jnp.exp(x)) + n

    def plain(x, n):
        return x

    y = lax.switch(n, [scaled, summed, plain], x, n)
    return jnp.sum(lax.cond(jnp.sum(y) > 0, lambda y: y * y, lambda y: jnp.cos(y) * w, y))


@case((3,), (5,))
def branch_in_loop(x, ps):
    def step(c, p):
        c = lax.cond(p > 0, lambda c: jnp.sin(c) * p, lambda c: c * c - p, c)
        return c, jnp.max(c)

    last, ys = lax.scan(step, x, ps)
    return jnp.sum(last) + jnp.dot(ys, ys)


@case((5,))
def no_trips(x):
    last, ys = lax.scan(lambda c, x: (c * x, c), x[0], x[:0])
    return last * last + jnp.sum(lax.fori_loop(3, 3, lambda i, y: y * y, x)) + jnp.sum(ys)


@case((6,))
def updates_in_place(x):
    def step(i, a):
        return a.at[i].set(a[i - 1] * 2.0 + jnp.sin(a[i]))

    return jnp.sum(lax.fori_loop(1, 6, step, x) ** 2)


@case((4,), (7, 4))
def state_that_does_not_vary(x, table):
    def step(state, _):
        c, i = state
        return (jnp.sin(c) + table[i % 7], (i * 5 + 3) % 7), i

    (c, _), order = lax.scan(step, (x, 1), None, length=9)
    return jnp.sum(c * c) + jnp.sum(order)


@case((3, 4), (3, 5, 4))
def batched_scan(init, xs):
    def one(c, xs):
        last, ys = lax.scan(lambda c, x: (jnp.tanh(c + x), c * x), c, xs)
        return jnp.sum(last) + jnp.sum(ys)

    return jnp.sum(jax.vmap(one)(init, xs) ** 2)


@case((2, 6, 6, 3), (3, 3, 3, 4), (4,))
def convolution(x, w, b):
    y = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b
    y = lax.reduce_window(jnp.maximum(y, 0.0), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "VALID")
    return jnp.mean(y * y)


@case((5, 3), integers=(1,))
def rows_by_index(table, n):
    ids = (jnp.arange(7) * 3 + n) % 5
    rows = jnp.take(table, ids, axis=0)
    return jnp.sum(jnp.sort(rows.ravel()) * jnp.arange(21.0)) + jnp.sum(jnp.cumsum(table, axis=0) ** 2)


@case((4, 5), (5, 3), integers=(2,))
def classifier(x, w, label):
    logits = jnp.tanh(x @ w)
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(4), label % 3])


def arguments(shapes, integers):
    rng = np.random.default_rng(7)
    args = []
    for n in range(len(shapes) + len(integers)):
        if n in integers:
            args.append(jnp.asarray(1))
        else:
            args.append(jnp.asarray(rng.uniform(-1.0, 1.0, shapes[n])))
    return args


def line(name, x):
    return " ".join([name] + [repr(v) for v in np.asarray(x).ravel().tolist()])


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name, (f, shapes, integers) in CASES.items():
        args = arguments(shapes, integers)
        wrt = tuple(n for n in range(len(args)) if n not in integers)
        text = jax.jit(f, keep_unused=True).lower(*args).as_text(dialect="hlo")
        value, gradients = jax.value_and_grad(f, argnums=wrt)(*args)
        lines = [line(f"arg{n}", x) for n, x in enumerate(args)]
        lines.append(line("value", value))
        lines += [line(f"grad{n}", g) for n, g in zip(wrt, gradients)]
        (OUT / f"{name}.hlo").write_text(text.rstrip() + "\n")
        (OUT / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
