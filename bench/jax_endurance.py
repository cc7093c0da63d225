"""Many compilations and calls in one process: whether memory stays level, and whether results stay right with many threads.

`make jax-endurance` runs it. The exit code is 1 where a result is wrong or memory grows.
"""

import argparse
import concurrent.futures
import gc
import resource
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

# How much more memory may be in use at the end than after a tenth of the work: allocators keep a little.
GROWTH, MARGIN = 1.05, 16 << 20


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiles", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=16)
    chosen = parser.parse_args()
    failed = [
        not level("compilations", chosen.compiles, compilation),
        not level("calls", chosen.calls, call()),
        not together(chosen.threads),
    ]
    sys.exit(any(failed))


def compilation(n):
    """A program of its own, called once."""
    found = jax.jit(lambda x: jnp.tanh(x * n).sum() + n)(jnp.zeros(100))
    if n % 50 == 49:
        jax.clear_caches()
        gc.collect()
    return float(found) == n


def call():
    function = jax.jit(lambda x: x + 1)
    x = jnp.zeros(64)

    def one(n):
        return (y := function(x)) is not None and (n % 1000 or float(y[0]) == 1)

    return one


def level(what, count, work):
    """Whether the work is right and memory stays level after its first tenth."""
    begin, wrong, first = time.perf_counter(), 0, 0
    for n in range(count):
        wrong += not work(n)
        if n == count // 10:
            first = in_use()
    last = in_use()
    seconds = time.perf_counter() - begin
    print(f"{count} {what} in {seconds:.0f} s: {wrong} wrong, {first >> 20} MiB after a tenth, {last >> 20} MiB at the end", flush=True)
    return not wrong and last <= GROWTH * first + MARGIN


def in_use():
    jax.clear_caches()
    gc.collect()
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def together(threads):
    """Each thread compiles programs of its own and calls them and one that all share."""
    shared = jax.jit(lambda x: jnp.cumsum(x) * 2)
    expected = np.cumsum(np.arange(1000.0)) * 2

    def work(thread):
        wrong = 0
        for n in range(50):
            scale = thread * 50 + n
            own = jax.jit(lambda x: jnp.sort(-x) * scale)
            x = jnp.arange(1000.0)
            wrong += not np.array_equal(own(x), np.arange(-999.0, 1) * scale)
            wrong += sum(not np.array_equal(shared(x), expected) for _ in range(20))
        return wrong

    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        wrong = sum(pool.map(work, range(threads)))
    print(f"{threads} threads with 50 programs each in {time.perf_counter() - begin:.0f} s: {wrong} results wrong")
    return not wrong


if __name__ == "__main__":
    main()
