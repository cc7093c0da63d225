"""124 Fourier transforms of one to three dimensions, on Lawson and on XLA:CPU in turns, one thread each.

    LAWSON_OPTIONS=threads=1 JAX_PLATFORMS=lawson,cpu taskset -c 0 target/python/bin/python bench/transforms.py [part of a name]

Prints the least time of each in µs, the slowest ones against XLA first, and the geometric mean. Values are compared.
"""

import os
import sys
import time

os.environ.setdefault("JAX_ENABLE_X64", "1")

import jax
import jax.numpy as jnp
import numpy as np

ROUNDS = 2
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


def least(f, x, device):
    x = jax.device_put(x, device)
    f = jax.jit(f)
    value = np.asarray(f(x))
    best, start = float("inf"), time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        begin = time.perf_counter()
        f(x).block_until_ready()
        best = min(best, time.perf_counter() - begin)
    return best * 1e6, value


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    devices = [jax.devices("lawson")[0], jax.devices("cpu")[0]]
    rows = []
    for name, f, shape, dtype in cases():
        name = f"{name} {'×'.join(map(str, shape))} {dtype}"
        if only not in name:
            continue
        x = array(shape, dtype)
        times = [float("inf")] * 2
        for _ in range(ROUNDS):
            values = []
            for n, device in enumerate(devices):
                took, value = least(f, x, device)
                times[n] = min(times[n], took)
                values.append(value)
        bound = 1e-4 if dtype in ("float32", "complex64") else 1e-11
        assert np.abs(values[0] - values[1]).max() <= bound * np.abs(values[1]).max(), name
        rows.append((times[1] / times[0], *times, name))
    rows.sort()
    for ratio, own, xla, name in rows:
        print(f"{ratio:6.2f} {own:10.1f} {xla:10.1f}  {name}")
    ratios = np.array([row[0] for row in rows])
    print(f"{len(rows)} transforms: {np.exp(np.log(ratios).mean()):.2f} of XLA's speed in geometric mean, {(ratios < 0.95).sum()} behind")


main()
