"""JAX's primitive harnesses on Lawson and on XLA:CPU, in one process: how many agree, and what is the matter with the others.

`make jax-harnesses` runs all of them; `python bench/jax_harnesses.py --sample 300` a fixed sample. Harnesses are shipped in the jax
wheel. Those that XLA:CPU fails itself are left out. Tolerances are relative, by the type of the result; where an array has
elements near one or above, what is near zero beside them may be off by as much as if it were one. Decompositions are judged by
what they have to fulfil (`decompositions.py`). The exit code is 1 where fewer agree than `--floor` says.
"""

import argparse
import collections
import random
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

import decompositions

# By the bytes of a real number.
TOLERANCE = {1: 0.25, 2: 2e-2, 4: 1e-4, 8: 1e-9}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="this many, drawn with a fixed seed")
    parser.add_argument("--only", help="those of primitives with these names", nargs="+", metavar="NAME")
    parser.add_argument("--x64", action="store_true", help="with types of 64 bits")
    parser.add_argument("--floor", type=float, default=99.5, help="how many percent have to agree")
    chosen = parser.parse_args()
    jax.config.update("jax_enable_x64", chosen.x64)
    # Imported late: it draws the harnesses by the configuration.
    from jax._src.internal_test_util import test_harnesses

    harnesses = test_harnesses.all_harnesses
    if chosen.sample:
        harnesses = random.Random(3).sample(harnesses, chosen.sample)
    if chosen.only:
        harnesses = [h for h in harnesses if h.group_name in chosen.only]
    counts, causes = collections.Counter(), collections.Counter()
    took = collections.Counter()
    for harness in harnesses:
        verdict, cause = judge(harness, took)
        counts[verdict] += 1
        if cause:
            causes[(harness.group_name, cause)] += 1
    ran = counts["agree"] + counts["differ"] + counts["fail"]
    print(f"jax {jax.__version__}, x64 {'on' if chosen.x64 else 'off'}: {len(harnesses)} harnesses, {ran} run on XLA:CPU")
    share = 100 * counts["agree"] / max(ran, 1)
    print(f"agree {counts['agree']} ({share:.1f} %), differ {counts['differ']}, fail {counts['fail']}")
    print(f"compiled and run once in {took['lawson']:.0f} s on Lawson, {took['cpu']:.0f} s on XLA:CPU")
    for (group, cause), n in causes.most_common():
        print(f"  {n:4} {group}: {cause}")
    if share < chosen.floor:
        sys.exit(f"less than {chosen.floor} %")


def judge(harness, took):
    """`agree`, `differ` or `fail` with the cause; `left out` where XLA:CPU has no result."""
    try:
        arguments = harness.dyn_args_maker(np.random.RandomState(42))
        expected = timed("cpu", harness, arguments, took)
    except Exception:
        return "left out", None
    try:
        found = timed("lawson", harness, arguments, took)
    except Exception as e:
        return "fail", str(e).splitlines()[0][:160]
    difference = different(harness, arguments, expected, found)
    return ("differ", difference) if difference else ("agree", None)


def different(harness, arguments, expected, found):
    """What differs, or nothing."""
    if jax.tree.structure(expected) != jax.tree.structure(found):
        return "results of another structure"
    expected, found = jax.tree.leaves(expected), jax.tree.leaves(found)
    for e, f in zip(expected, found, strict=True):
        if (e.dtype, e.shape) != (f.dtype, f.shape):
            return f"{f.dtype}{list(f.shape)} is not {e.dtype}{list(e.shape)}"
    if harness.group_name in decompositions.CHECKS:
        tolerance = TOLERANCE[real_bytes(found[0].dtype)]
        return decompositions.check(harness.group_name, harness.params, arguments[0], found, tolerance)
    # XLA:CPU may sum products in the type of the operands whatever is preferred: its result is as precise as they are.
    wanted = harness.params.get("preferred_element_type") is not None
    bound = max(TOLERANCE[real_bytes(a.dtype)] for a in arguments if hasattr(a, "dtype")) if wanted else 0
    return next(filter(None, (compare(e, f, bound) for e, f in zip(expected, found, strict=True))), None)


def real_bytes(dtype):
    return dtype.itemsize // (2 if dtype.kind == "c" else 1)


def timed(platform, harness, arguments, took):
    with jax.default_device(jax.devices(platform)[0]):
        start = time.perf_counter()
        result = jax.block_until_ready(jax.jit(harness.dyn_fun)(*arguments))
        took[platform] += time.perf_counter() - start
    return result


def compare(expected, found, bound):
    """What differs of two arrays by more than rounding in their type, and than this, relatively; or nothing."""
    if jnp.issubdtype(expected.dtype, jax.dtypes.prng_key):
        expected, found = jax.random.key_data(expected), jax.random.key_data(found)
    e, f = np.asarray(expected), np.asarray(found)
    if not jnp.issubdtype(e.dtype, jnp.inexact):
        return None if np.array_equal(e, f) else "other integers"
    tolerance = max(TOLERANCE[real_bytes(e.dtype)], bound)
    if e.dtype.kind != "c":
        e, f = e.astype(np.float64), f.astype(np.float64)
    greatest = np.abs(e[np.isfinite(e)]).max(initial=0)
    close = np.isclose(f, e, rtol=tolerance, atol=tolerance * min(1, greatest), equal_nan=True)
    return None if close.all() else f"{np.count_nonzero(~close)} of {close.size} elements differ"


if __name__ == "__main__":
    main()
