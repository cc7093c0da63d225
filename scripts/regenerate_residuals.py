#!/usr/bin/env python3
"""Regenerates tests/residuals: JAX derivatives as HLO text, with the backward half marked.

Needs `pip install jax==0.10.2 numpy`. JAX writes `transpose(` into the op_name of what it makes by transposition; here
that becomes `frontend_attributes={lawson.phase="backward"}`, and all other metadata is left out. The tests of Lawson
never run this; they read the texts.
"""

import pathlib
import re

import jax
import jax.numpy as jnp

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests/residuals"
MARK = ', frontend_attributes={lawson.phase="backward"}'


def marked(text):
    """The text without tables of files and frames, with marks in place of metadata."""
    head, rest = text.split("\n", 1)
    rest = re.sub(r"(?ms)^(FileNames|FunctionNames|FileLocations|StackFrames)\n.*?\n\n", "", rest)

    def mark(match):
        return MARK if "transpose(" in match.group(0) else ""

    return head + "\n" + re.sub(r", metadata=\{[^}]*\}", mark, rest).rstrip() + "\n"


def write(name, function, *shapes):
    args = [jax.ShapeDtypeStruct(s, jnp.float32) for s in shapes]
    text = jax.jit(function).lower(*args).as_text(dialect="hlo", debug_info=True)
    (OUT / f"{name}.hlo").write_text(marked(text))


def relu(w, x):
    y = x @ w
    return jnp.sum(jax.nn.relu(y) + y)


def relu_before_product(w, v, x):
    y = x @ w
    return jnp.sum(jnp.tanh((jax.nn.relu(y) + y) @ v))


def relu_kept(w, x, t):
    def loss(w):
        h = jax.nn.relu(x @ w)
        return jnp.sum(h * t), h

    (value, h), gradient = jax.value_and_grad(loss, has_aux=True)(w)
    return value, h, gradient


def mlp(activation):
    def loss(weights, x):
        for w in weights:
            x = activation(x @ w)
        return jnp.sum(x * x)

    return lambda *args: jax.value_and_grad(loss)(args[:-1], args[-1])


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * labels, axis=-1))


def layer_norm(x, scale, bias, t):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return jnp.sum(((x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias) * t)


def attention(q, k, v, t):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 8.0
    return jnp.sum(jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v) * t)


def chain(x):
    for _ in range(5):
        x = jnp.sin(x) * 1.1
        x = jnp.tanh(x) + 0.5
    return x.sum()


def square(n, count):
    return [(n, n)] * count


def main():
    OUT.mkdir(exist_ok=True)
    with_gradient = jax.value_and_grad
    for suffix, large, middle in [("", 2048, 1024), ("_small", 96, 96)]:
        write("relu" + suffix, with_gradient(relu), *square(large, 2))
        write("relu_before_product" + suffix, with_gradient(relu_before_product), *square(middle, 3))
        write("relu_kept" + suffix, relu_kept, *square(large, 3))
        write("relu_mlp" + suffix, mlp(jax.nn.relu), *square(middle, 4))
    write("gelu_mlp", mlp(jax.nn.gelu), *square(1024, 9))
    write("gelu_mlp_small", mlp(jax.nn.gelu), *square(32, 4))
    write("cross_entropy", with_gradient(cross_entropy), *[(4096, 1024)] * 2)
    write("cross_entropy_small", with_gradient(cross_entropy), *[(24, 40)] * 2)
    write("layer_norm", with_gradient(layer_norm, (0, 1, 2)), (4096, 1024), (1024,), (1024,), (4096, 1024))
    write("layer_norm_small", with_gradient(layer_norm, (0, 1, 2)), (24, 40), (40,), (40,), (24, 40))
    for rows in [512, 2048]:
        write(f"attention_{rows}", with_gradient(attention, (0, 1, 2)), *[(8, rows, 64)] * 4)
    write("attention_small", with_gradient(attention, (0, 1, 2)), *[(2, 40, 4)] * 4)
    write("chain", with_gradient(chain), (1 << 24,))
    write("chain_forward", chain, (1 << 24,))
    write("chain_small", with_gradient(chain), (1000,))


if __name__ == "__main__":
    main()
