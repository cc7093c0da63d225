"""124 Fourier transforms of one to three dimensions, on Lawson and on XLA:CPU in turns, one thread each.

    LAWSON_OPTIONS=threads=1 JAX_PLATFORMS=lawson,cpu taskset -c 0 target/python/bin/python bench/transforms.py [part of a name]

Prints the least time of each in µs, the slowest ones against XLA first, and the geometric mean. Values are compared.
"""

from in_turns import compare

import jax.numpy as jnp
import numpy as np

SECONDS = 0.15

RNG = np.random.default_rng(0)


def array(shape, dtype):
    x = RNG.standard_normal(shape)
    return (x + 1j * RNG.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


def cases():
    for t in ("complex64", "complex128"):
        for s in ((64, 64), (100, 100), (128, 128), (256, 256), (500, 500), (512, 512), (8, 256, 256)):
            yield "fft2", jnp.fft.fft2, s, t
            yield "ifft2", jnp.fft.ifft2, s, t
        for s in ((16, 16, 16), (32, 32, 32), (64, 64, 64), (48, 48, 48)):
            yield "fftn", jnp.fft.fftn, s, t
        for s in ((256, 64), (1000, 32), (60, 100), (1024, 8), (4096, 16), (97, 50)):
            yield "fft of axis 0", lambda x: jnp.fft.fft(x, axis=0), s, t
            yield "ifft of axis 0", lambda x: jnp.fft.ifft(x, axis=0), s, t
        for s in ((1000, 8), (1000, 16), (1000, 60), (1000, 64), (100, 1000), (10, 4096), (1, 65536)):
            yield "fft", jnp.fft.fft, s, t
    for t in ("float32", "float64"):
        for s in ((64, 64), (100, 100), (128, 128), (256, 256), (500, 500), (512, 512)):
            yield "rfft2", jnp.fft.rfft2, s, t
            yield "rfft2 and back", lambda x: jnp.fft.irfft2(jnp.fft.rfft2(x) * 2.0, s=x.shape), s, t
        for s in ((32, 32, 32), (64, 64, 64)):
            yield "rfftn", jnp.fft.rfftn, s, t
        for s in ((256, 64), (1000, 32), (60, 100)):
            yield "rfft of axis 0", lambda x: jnp.fft.rfft(x, axis=0), s, t
            yield "rfft of axis 0 and back", lambda x: jnp.fft.irfft(jnp.fft.rfft(x, axis=0), axis=0), s, t
        for s in ((1000, 8), (1000, 16), (1000, 64), (100, 1000), (10, 4096)):
            yield "rfft", jnp.fft.rfft, s, t


def named():
    for name, f, shape, dtype in cases():
        bound = 1e-4 if dtype in ("float32", "complex64") else 1e-11
        yield f"{name} {'×'.join(map(str, shape))} {dtype}", f, (array(shape, dtype),), bound


compare(named(), "transforms", SECONDS)
