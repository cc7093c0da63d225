"""What a call costs, and what its result costs whoever reads it next: `y = f(y)` and numpy's sum beside calls whose results nobody reads.

With the environment of `make jax-dispatch` on Lawson, with JAX_PLATFORMS=cpu on XLA. Microseconds of a call, the least and the median.
"""

import time

import jax
import numpy as np


def timed(run, times, each=1):
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append((time.perf_counter() - start) * 1e6 / each)
    found.sort()
    return f"{found[0]:7.0f} {found[times // 2]:7.0f}"


def main():
    f = jax.jit(lambda x: jax.numpy.exp(x) * 0.1)
    for exponent in range(19, 24):
        x = jax.device_put(np.ones(1 << exponent, np.float32))
        f(x).block_until_ready()

        def chain():
            y = x
            for _ in range(20):
                y = f(y)
                y.block_until_ready()

        alone = timed(lambda: f(x).block_until_ready(), 60)
        summed = timed(lambda: np.asarray(f(x)).sum(), 40)
        print(f"{4 << exponent >> 20:3} MiB   alone {alone}   y = f(y) {timed(chain, 20, 20)}   summed {summed}", flush=True)


if __name__ == "__main__":
    main()
