#!/usr/bin/env python3
"""Compile times of Lawson and of XLA:CPU, for the twenty programs of tests/programs, on this machine.

Needs `pip install jax==0.10.2 numpy` and `cargo build --release`. For each program and each compiler, in turns
and twice, a fresh process compiles the full size: once cold, then several times warm; the least counts. Prints a
Markdown table; exits with 1 if any warm compilation of Lawson is slower than XLA's.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

WARM = 5
ROUNDS = 2


def xla(name, size):
    """Cold and least warm milliseconds of lowered.compile(), in this process."""
    import jax
    import numpy as np
    from regenerate_programs import PROGRAMS

    entry = PROGRAMS[name]
    with jax.enable_x64(name == "babybear_mont_16m"):
        fn, args = entry["make"](np.random.default_rng(0), **entry[size])
        times = []
        for _ in range(1 + WARM):
            # A new function each time, so that no cache of JAX knows it.
            lowered = jax.jit(lambda *a: fn(*a)).lower(*args)
            start = time.perf_counter()
            lowered.compile()
            times.append((time.perf_counter() - start) * 1e3)
    return dict(cold=times[0], warm=min(times[1:]))


def lawson(binary, name, size):
    """The same of `lawson bench`."""
    file = ROOT / "tests" / "programs" / name / ("full.hlo" if size == "full" else "module.hlo")
    command = [binary, "bench", "--json", "--max-runs", "1", str(file)]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return dict(cold=result["compile_cold_ms"], warm=result["compile_ms"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="programs; all without")
    parser.add_argument("--lawson", default=str(ROOT / "target" / "release" / "lawson"))
    parser.add_argument("--size", choices=["small", "full"], default="full")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(xla(options.one, options.size)))
        return
    names = options.names or sorted(p.name for p in (ROOT / "tests" / "programs").iterdir())
    print("| program | Lawson warm ms | XLA warm ms | ratio | Lawson cold ms | XLA cold ms |")
    print("|---|---|---|---|---|---|")
    slower = 0
    for name in names:
        command = [sys.executable, __file__, "--one", name, "--size", options.size]
        rounds = []
        # In turns, since how fast the machine is changes by the minute.
        for _ in range(ROUNDS):
            ours = lawson(options.lawson, name, options.size)
            theirs = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            rounds.append((ours, json.loads(theirs)))
        ours, theirs = ({k: min(r[k] for r in each) for k in each[0]} for each in zip(*rounds))
        ratio = ours["warm"] / theirs["warm"]
        slower += ratio > 1
        row = [ours["warm"], theirs["warm"], ratio, ours["cold"], theirs["cold"]]
        print(f"| {name} | " + " | ".join(f"{x:.2f}" for x in row) + " |", flush=True)
    print(f"\n{slower} of {len(names)} programs compile slower than with XLA.")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
