"""205 decompositions of tall matrices in f32, and what is made of them, on Lawson and on XLA:CPU in turns, one thread each.

    LAWSON_OPTIONS=threads=1 JAX_PLATFORMS=lawson,cpu taskset -c 0 target/python/bin/python bench/tall.py [part of a name]

Prints the least time of each in µs, the slowest ones against XLA first, and the geometric mean. Values are compared; of vectors, whose
signs are open, their sizes.
"""

from in_turns import compare

import jax
import jax.numpy as jnp
import numpy as np

SECONDS = 0.03
BOUND = 1e-2

RNG = np.random.default_rng(0)


def array(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def sizes(f):
    return lambda *inputs: jax.tree.map(jnp.abs, f(*inputs))


def cases():
    for m in (50, 200, 1000, 8000):
        for n in (1, 2, 3, 4, 8, 16, 32):
            a, b, of = array(m, n), array(m), f"of {m}×{n}"
            yield f"qr {of}", sizes(jnp.linalg.qr), (a,)
            yield f"r {of}", sizes(lambda a: jnp.linalg.qr(a, mode="r")), (a,)
            yield f"svd {of}", sizes(lambda a: jnp.linalg.svd(a, full_matrices=False)), (a,)
            yield f"svd of the transpose {of}", sizes(lambda a: jnp.linalg.svd(a.T, full_matrices=False)), (a,)
            yield f"svdvals {of}", jnp.linalg.svdvals, (a,)
            yield f"lstsq {of}", lambda a, b: jnp.linalg.lstsq(a, b)[0], (a, b)
            yield f"pinv {of}", jnp.linalg.pinv, (a,)
    for m in (100, 1000, 8000):
        yield f"polyfit of {m}", lambda x, y: jnp.polyfit(x, y, 3), (array(m), array(m))
        yield f"matrix_rank of {m}×8", jnp.linalg.matrix_rank, (array(m, 8),)
        yield f"norm of {m}×8", lambda a: jnp.linalg.norm(a, 2), (array(m, 8),)


compare(((*case, BOUND) for case in cases()), "decompositions", SECONDS)
