"""The time of a call of a jitted scalar addition: what a call costs beside its work, on Lawson and on XLA:CPU in turns."""

import time

import jax

CALLS, ROUNDS = 20000, 9


def per_call(function, x):
    start = time.perf_counter()
    for _ in range(CALLS):
        y = function(x)
    jax.block_until_ready(y)
    return (time.perf_counter() - start) / CALLS * 1e6


def main():
    arrays = {p: jax.device_put(1.0, jax.devices(p)[0]) for p in ("lawson", "cpu")}
    functions = {p: jax.jit(lambda x: x + 1) for p in arrays}
    for p in arrays:
        functions[p](arrays[p])
    times = {p: [] for p in arrays}
    for _ in range(ROUNDS):
        for p in arrays:
            times[p].append(per_call(functions[p], arrays[p]))
    for p, all_times in times.items():
        print(f"{p}: {min(all_times):.2f} µs, median {sorted(all_times)[ROUNDS // 2]:.2f} µs")


if __name__ == "__main__":
    main()
