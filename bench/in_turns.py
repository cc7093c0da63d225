"""Functions on Lawson and on XLA:CPU in turns, in one process: what transforms.py and tall.py share."""

import os
import sys
import time

os.environ.setdefault("JAX_ENABLE_X64", "1")

import jax
import numpy as np

ROUNDS = 2


def least(f, inputs, device, seconds):
    inputs = jax.device_put(inputs, device)
    f = jax.jit(f)
    value = [np.asarray(x) for x in jax.tree.leaves(f(*inputs))]
    best, start = float("inf"), time.perf_counter()
    while time.perf_counter() - start < seconds:
        begin = time.perf_counter()
        jax.block_until_ready(f(*inputs))
        best = min(best, time.perf_counter() - begin)
    return best * 1e6, value


def compare(cases, what, seconds):
    """Measures cases of a name, a function, its inputs, and how far values may differ, in shares of the largest element.

    Of names the command line may give a part. Prints the slowest against XLA first.
    """
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    devices = [jax.devices("lawson")[0], jax.devices("cpu")[0]]
    rows = []
    for name, f, inputs, bound in cases:
        if only not in name:
            continue
        times = [float("inf")] * 2
        for _ in range(ROUNDS):
            values = []
            for n, device in enumerate(devices):
                took, value = least(f, inputs, device, seconds)
                times[n] = min(times[n], took)
                values.append(value)
        for own, xla in zip(*values):
            assert np.abs(own - xla).max() <= bound * np.abs(xla).max(), name
        rows.append((times[1] / times[0], *times, name))
    rows.sort()
    for ratio, own, xla, name in rows:
        print(f"{ratio:6.2f} {own:10.1f} {xla:10.1f}  {name}")
    ratios = np.array([row[0] for row in rows])
    speed = np.exp(np.log(ratios).mean())
    print(f"{len(rows)} {what}: {speed:.2f} of XLA's speed in geometric mean, {(ratios < 0.95).sum()} behind")
