"""Records random numbers that JAX makes of keys: crates/frontend/tests/random/values.txt.

A line is `name dtype[dims] element …`; elements of floats are written as their bits in hexadecimal, so that nothing is rounded.
Run: scripts/python.sh scripts/record_random_values.py
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax import random
from recording import dtype_name, line

OUT = os.path.join(os.path.dirname(__file__), "../crates/frontend/tests/random/values.txt")
lines = []


def record(name, array):
    lines.append(line(name, array))


def data(key):
    return random.key_data(key)


SHAPES = [(), (1,), (7,), (2, 3), (3, 5, 2), (0, 4), (129,)]


def label(shape):
    return "x".join(map(str, shape)) or "scalar"


for seed in [0, 1, 42, -1, 2**31, 2**32 - 1]:
    record(f"key/{seed}", data(random.key(seed)))
key = random.key(42)
for n in [1, 2, 3, 5]:
    record(f"split/{n}", data(random.split(key, n)))
for n in [0, 1, 7, 2**31]:
    record(f"fold_in/{n}", data(random.fold_in(key, n)))
for shape in SHAPES:
    for dtype in [jnp.uint8, jnp.uint16, jnp.uint32]:
        record(f"bits/{dtype_name(np.dtype(dtype))}/{label(shape)}", random.bits(key, shape, dtype))
    for dtype in [jnp.float32, jnp.float16, jnp.bfloat16]:
        kind = dtype_name(jnp.dtype(dtype))
        record(f"uniform/{kind}/{label(shape)}", random.uniform(key, shape, dtype))
        record(f"uniform_between/{kind}/{label(shape)}", random.uniform(key, shape, dtype, -2.0, 6.0))
        record(f"normal/{kind}/{label(shape)}", random.normal(key, shape, dtype))
    for dtype, low, high in [
        (jnp.int32, -5, 17),
        (jnp.int32, -(2**31), 2**31 - 1),
        (jnp.int32, 3, 3),
        (jnp.uint8, 0, 256),
        (jnp.int8, -100, 90),
        (jnp.uint16, 0, 1000),
        (jnp.uint32, 0, 77),
    ]:
        name = f"randint/{dtype_name(np.dtype(dtype))}/{low}/{high}/{label(shape)}"
        record(name, random.randint(key, shape, low, high, dtype))
many = random.key(7)
record("normal/f32/many", random.normal(many, (600,)))
record("exponential/f32/many", random.exponential(many, (200,)))
record("gumbel/f32/many", random.gumbel(many, (200,)))
record("truncated_normal/f32/many", random.truncated_normal(many, -1.5, 0.75, (200,)))
record("truncated_normal/f32/rows", random.truncated_normal(many, jnp.array([-2.0, 0.0, 1.0]), 3.0, (4, 3)))
record("bernoulli/0.3", random.bernoulli(many, 0.3, (100,)))
record("bernoulli/rows", random.bernoulli(many, jnp.array([0.1, 0.5, 0.9]), (20, 3)))
logits = jnp.log(jnp.array([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]]))
record("categorical/last", random.categorical(many, logits))
record("categorical/first", random.categorical(many, logits, axis=0))
record("categorical/shaped", random.categorical(many, logits, shape=(30, 2)))
for n in [1, 2, 13, 1000]:
    record(f"permutation/{n}", random.permutation(many, n))
table = jnp.arange(24.0).reshape(6, 4)
record("shuffle/0", random.permutation(many, table, axis=0))
record("shuffle/1", random.permutation(many, table, axis=1))
record("choice", random.choice(many, table, (2, 5)))
record("choice_without_replacement", random.choice(many, table, (2, 2), replace=False))
weights = jnp.array([0.25, 0.0, 0.125, 1.0, 0.5, 0.125])
record("choice_weighted", random.choice(many, table, (3, 5), p=weights))
record("choice_weighted_without_replacement", random.choice(many, table, (2, 2), replace=False, p=weights))
for rows, columns in [(1, 1), (5, 5), (7, 3), (3, 7), (40, 40)]:
    record(f"orthogonal/{rows}x{columns}", random.orthogonal(many, rows, (), m=columns))
record("orthogonal_init", jax.nn.initializers.orthogonal(1.5)(many, (2, 3, 4)))

jax.config.update("jax_enable_x64", True)
for shape in SHAPES:
    record(f"bits/u64/{label(shape)}", random.bits(key, shape, jnp.uint64))
    record(f"uniform/f64/{label(shape)}", random.uniform(key, shape, jnp.float64))
    record(f"uniform_between/f64/{label(shape)}", random.uniform(key, shape, jnp.float64, -2.0, 6.0))
    record(f"normal/f64/{label(shape)}", random.normal(key, shape, jnp.float64))
    record(f"randint/s64/-5/17/{label(shape)}", random.randint(key, shape, -5, 17, jnp.int64))
record("normal/f64/many", random.normal(many, (300,), jnp.float64))
for dtype in [np.float32, np.float64]:
    last = np.nextafter(dtype(1), dtype(0))
    x = np.concatenate([np.linspace(-1, 1, 41), [last, -last, 1e-20, 0.99, 0.9999999, -0.999999]]).astype(dtype)
    record(f"erf_inv_x/{dtype_name(np.dtype(dtype))}", x)
    record(f"erf_inv/{dtype_name(np.dtype(dtype))}", jax.scipy.special.erfinv(jnp.asarray(x)))

os.makedirs(os.path.dirname(OUT), exist_ok=True)
with open(OUT, "w") as f:
    f.write("\n".join(lines) + "\n")
print(len(lines), "lines,", os.path.getsize(OUT), "bytes")
