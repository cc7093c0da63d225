#!/usr/bin/env python3
"""Writes bench/results/gradients.md: the gradient of a long loop over lanes beside XLA:CPU, and what derivatives made
in Rust cost beside the bounds that hold for them (bench/peers-rust/src/promises).

    bench/gradients.py [--lawson target/release/lawson] [--promises PROGRAM] [--threads N] [--rounds N]

The loop is a damped oscillator in each of 2,048 lanes, 1,000 steps, with a stiffness and a damping that all lanes
share; the gradient is that of the energy at the end, with respect to positions, speeds, stiffness and damping. JAX
lowers the energy, `lawson grad` differentiates it, and Lawson runs that; XLA:CPU runs what jax.grad makes of the same
function. Both take turns. Exits with 1 if a value differs or a bound is missed. Needs JAX (scripts/python.sh has one).
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

LANES = 2048
STEPS = 1000
# Lawson's gradient is to be at least so many times faster than XLA's.
FASTER = 5.0
SECONDS = 1.0
ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "bench" / "results" / "gradients.md"


def energy(x, v, stiffness, damping):
    import jax.numpy as jnp
    from jax import lax

    def step(state, _):
        x, v = state
        force = stiffness * x + damping * v
        return (x + 0.01 * v, v - 0.01 * force), None

    (x, v), _ = lax.scan(step, (x, v), None, length=STEPS)
    return jnp.sum(x**2 + v**2)


def xla(run, args):
    """Seconds of runs for a while, each waited for."""
    import jax

    jax.block_until_ready(run(*args))
    times, until = [], time.perf_counter() + SECONDS
    while time.perf_counter() < until or len(times) < 3:
        start = time.perf_counter()
        jax.block_until_ready(run(*args))
        times.append(time.perf_counter() - start)
    return statistics.median(times), min(times)


def lawson(command):
    """The same of `lawson bench`, with what it says of kernels and bytes."""
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return (found["run_us"]["median"] / 1e6, found["run_us"]["min"] / 1e6), found


def oscillator(options, threads):
    """The lines of the table, and what is wrong."""
    import jax
    import numpy as np

    rng = np.random.default_rng(0)
    args = [rng.standard_normal(LANES).astype(np.float32) for _ in range(2)] + [np.float32(1.5), np.float32(0.2)]
    gradient = jax.jit(jax.grad(energy, (0, 1, 2, 3)))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        text = lambda f: f.lower(*args).compiler_ir("hlo").as_hlo_text(print_large_constants=True)  # noqa: E731
        (folder / "energy.hlo").write_text(text(jax.jit(energy)))
        (folder / "jax.hlo").write_text(text(gradient))
        grad = [options.lawson, "grad", str(folder / "energy.hlo"), "--wrt", "0,1,2,3"]
        subprocess.run([*grad, "--output", str(folder / "lawson.hlo")], check=True)
        np.savez(folder / "in.npz", **{f"arg{n}": a for n, a in enumerate(args)})
        np.savez(folder / "out.npz", **{f"out{n}": np.asarray(a) for n, a in enumerate(gradient(*args))})
        bad, commands = [], []
        for name in ["lawson.hlo", "jax.hlo"]:
            common = [str(folder / name), "--inputs", str(folder / "in.npz"), "--threads", str(threads)]
            agrees = ["--expect", str(folder / "out.npz"), "--rtol", "1e-4", "--atol", "1e-4"]
            run = subprocess.run([options.lawson, "run", *common, *agrees], capture_output=True, text=True)
            if run.returncode != 0:
                bad.append(f"{name}: {(run.stderr or run.stdout).strip()}")
            commands.append([options.lawson, "bench", *common, "--json"])
        args = [jax.device_put(a) for a in args]
        rounds = [(*(lawson(c) for c in commands), xla(gradient, args)) for _ in range(options.rounds)]
    ours, theirs, of_xla = zip(*rounds)
    rows = [("made by `lawson grad`, run by Lawson", ours), ("made by `jax.grad`, run by Lawson", theirs)]
    lines = []
    best = tuple(f(t[n] for t in of_xla) for n, f in enumerate([statistics.median, min]))
    for name, found in rows:
        us = [f(t[0][n] for t in found) for n, f in enumerate([statistics.median, min])]
        report = found[0][1]
        plan = f"{report['kernels']} | {report['launches']} | {report['bytes_moved'] / 2**20:.1f}"
        times = " | ".join(f"{x * 1e3:.2f}" for x in us)
        lines.append(f"| {name} | {threads} | {times} | {best[0] / us[0]:.1f} | {best[1] / us[1]:.1f} | {plan} |")
    lines.append(f"| made by `jax.grad`, run by XLA:CPU | {threads} | {best[0] * 1e3:.2f} | {best[1] * 1e3:.2f} "
                 "| 1.0 | 1.0 | | | |")
    times = best[1] / min(o[0][1] for o in ours)
    if times < FASTER:
        bad.append(f"the gradient of the oscillator is {times:.1f} times faster than XLA's, not {FASTER} ({threads} threads)")
    return lines, bad


def processor():
    names = [line.split(": ")[1] for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return names[0].strip() if names else "an unknown processor"


def one_number_of_threads(options):
    """In a process of its own, whose affinity tells XLA how many threads it has."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[:options.threads])
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    print(json.dumps(oscillator(options, options.threads)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(ROOT / "target" / "release" / "lawson"))
    parser.add_argument("--promises", default=str(ROOT / "bench/peers-rust/target/release/promises"))
    parser.add_argument("--threads", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    if options.threads:
        one_number_of_threads(options)
        return 0
    table, bad = [], []
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        print(f"the oscillator, {threads} threads", file=sys.stderr, flush=True)
        again = [sys.executable, __file__, "--lawson", options.lawson, "--rounds", str(options.rounds)]
        out = subprocess.run([*again, "--threads", str(threads)], check=True, capture_output=True, text=True).stdout
        lines, wrong = json.loads(out)
        table += lines
        bad += wrong
    print("promises", file=sys.stderr, flush=True)
    promises = subprocess.run([options.promises], stdout=subprocess.PIPE, text=True)
    if promises.returncode > 1:
        return promises.returncode
    if promises.returncode == 1:
        bad.append("a bound of the front end is missed: see the table")
    text = "\n".join([
        "<!-- Made by bench/gradients.py (`make gradients`). -->", "",
        "# Gradients", "",
        f"{len(os.sched_getaffinity(0))} cores of {processor()}, load {os.getloadavg()[0]:.2f}, on a host shared with others; jax {version('jax')}.", "",
        "## A loop over lanes, beside XLA:CPU", "",
        f"The gradient of the energy of {LANES} damped oscillators after {STEPS} steps, with respect to their first states and the",
        "two parameters they share. Times are medians and leasts of rounds in which both take turns; \"faster\" is how",
        "many times as long XLA takes.", "",
        "| gradient | threads | median ms | least ms | faster, median | faster, least | kernels | launches | MiB moved |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|", *table, "",
        "## What derivatives cost", "",
        "Derivatives of functions written in Rust. Figures are of least times; each pair takes turns.", "",
        promises.stdout,
    ])
    TABLE.write_text(text)
    print(text)
    print("\n".join(bad), file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
