"""Linear algebra from JAX: Lawson beside XLA:CPU, whose routines are LAPACK's.

    bench/jax_linalg.py [--orders 32,64,...] [--routines qr,svd,...] [--type float32]

Both run the same function in one process and take turns; the time of each is its least call. Wants the environment of
`make jax-programs`: LAWSON_LIBRARY, and python/ in PYTHONPATH. On one core: `taskset -c 0`.
"""

import argparse
import os
import time

os.environ.setdefault("JAX_PLATFORMS", "lawson,cpu")

import jax
import jax.numpy as jnp
import numpy as np

ROUTINES = {
    "qr": jnp.linalg.qr,
    "qr_r": lambda a: jnp.linalg.qr(a)[1],
    "svdvals": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "svd": lambda a: jnp.linalg.svd(a, full_matrices=False),
    "eigh": lambda a: jnp.linalg.eigh(a + a.T),
    "cholesky": lambda a: jnp.linalg.cholesky(a @ a.T + jnp.eye(len(a), dtype=a.dtype)),
    "solve": lambda a: jnp.linalg.solve(a, a),
}
PLATFORMS = ["lawson", "cpu"]
TURNS = 7
SECONDS = 0.03


def least(function, matrix):
    """The least time of a call on each platform, in seconds."""
    calls = {}
    for platform in PLATFORMS:
        placed = jax.device_put(matrix, jax.devices(platform)[0])
        compiled = jax.jit(function)
        jax.block_until_ready(compiled(placed))
        calls[platform] = (compiled, placed)
    best = dict.fromkeys(PLATFORMS, float("inf"))
    for _ in range(TURNS):
        for platform, (compiled, placed) in calls.items():
            end = time.perf_counter() + SECONDS
            while time.perf_counter() < end:
                start = time.perf_counter()
                jax.block_until_ready(compiled(placed))
                best[platform] = min(best[platform], time.perf_counter() - start)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", default="32,64,100,200,300,512")
    parser.add_argument("--routines", default=",".join(ROUTINES))
    parser.add_argument("--type", default="float32", choices=["float32", "float64"])
    args = parser.parse_args()
    jax.config.update("jax_enable_x64", args.type == "float64")
    names = args.routines.split(",")
    if unknown := set(names) - set(ROUTINES):
        parser.error(f"no routine {', '.join(sorted(unknown))}; there are {', '.join(ROUTINES)}")
    random = np.random.default_rng(0)
    print(f"{'routine':10}{'order':>6}{'Lawson us':>12}{'XLA us':>12}{'XLA / Lawson':>14}")
    for name in names:
        for order in map(int, args.orders.split(",")):
            best = least(ROUTINES[name], random.standard_normal((order, order)).astype(args.type))
            lawson, xla = (1e6 * best[platform] for platform in PLATFORMS)
            print(f"{name:10}{order:6}{lawson:12.1f}{xla:12.1f}{xla / lawson:14.2f}", flush=True)


if __name__ == "__main__":
    main()
