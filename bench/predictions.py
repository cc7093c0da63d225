#!/usr/bin/env python3
"""Writes bench/results/predictions.md: predicted and measured times of every kernel of the benchmark, on this machine.

    scripts/python.sh bench/predictions.py [--lawson FILE] [--threads N] [--rounds N] [--class PART]

Modules and inputs are those of bench/suite, as JAX lowers them; they lie in target/bench/modules (3 GiB). The machine is measured first
(`lawson doctor --calibrate`); plans are those without it. The time of a kernel is the least of some runs in each round; rounds go over all
modules, so that what disturbs the machine for a while disturbs a kernel in one of them.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ROOT / "target" / "bench" / "modules"
TABLE = ROOT / "bench" / "results" / "predictions.md"

# Of a kernel that takes less, what is measured is mostly its launch.
LEAST_US = 2.0
NEAR = [1.3, 1.5]
CLASSES = "layers of models", "elementwise", "reductions", "movement", "sorting", "indexing", "products", "convolutions", "layers", "numerics", "programs"


def made(part):
    """The modules of the benchmark, each with its inputs beside it."""
    command = [sys.executable, ROOT / "bench" / "suite" / "modules.py", MODULES, "--inputs", "--class", part]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit("the modules could not be made")
    return sorted(MODULES.glob("*.mlir"))


def class_of(path):
    name = path.stem
    return next(c for c in CLASSES if name.startswith(c.replace(" ", "_") + "_"))


def measured(args, environment, path):
    """Its kernels, those that ran; none where the module calls LAPACK, which Lawson has no functions for without its plugin."""
    command = [args.lawson, "explain", path, "--measure", "--json", "--inputs", path.with_suffix(".npz"), "--threads", str(args.threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        if "lapack_" in done.stderr:
            return []
        raise SystemExit(f"{path.name}: {done.stderr.strip()}")
    return [k for k in json.loads(done.stdout)["kernels"] if k["measured_us"]]


def time(us):
    return f"{us:.1f} µs" if us < 1e3 else f"{us / 1e3:.2f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=ROOT / "target/release/lawson")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--class", dest="part", default="", help="only cases whose `class/name` has this in it; nothing is written")
    args = parser.parse_args()
    paths = [p for p in made(args.part) if args.part.replace("/", "_").replace(" ", "_") in p.stem]
    with tempfile.TemporaryDirectory() as folder:
        # The description is kept where the cache of code is.
        environment = dict(os.environ, LAWSON_CACHE=folder)
        done = subprocess.run([args.lawson, "doctor", "--calibrate"], capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            raise SystemExit(f"doctor --calibrate: {done.stderr.strip()}")
        machine = json.loads(done.stdout)
        kernels = {}
        for n in range(args.rounds):
            for p, path in enumerate(paths):
                if sys.stderr.isatty():
                    print(f"\rround {n + 1} of {args.rounds}, {p + 1} of {len(paths)}", end="", file=sys.stderr, flush=True)
                for k, kernel in enumerate(measured(args, environment, path)):
                    known = kernels.setdefault((path, k), kernel)
                    known["measured_us"] = min(known["measured_us"], kernel["measured_us"])
    rows = [(path, k) for (path, _), k in kernels.items() if k["measured_us"] >= LEAST_US]
    text = render(machine, rows, args.threads)
    if args.part:
        print(text)
        return
    TABLE.write_text(text)
    near = [share(rows, bound) for bound in NEAR]
    print(f"wrote {TABLE.relative_to(ROOT)}: {len(rows)} kernels, within 30 % {near[0]}, within 50 % {near[1]}")


def ratio(kernel):
    return kernel["measured_us"] / kernel["predicted_us"]


def is_near(kernel, bound):
    return 1 / bound <= ratio(kernel) <= bound


def share(rows, bound):
    return f"{100 * sum(is_near(k, bound) for _, k in rows) / max(len(rows), 1):.0f} %"


def mean(rows):
    return math.exp(sum(math.log(ratio(k)) for _, k in rows) / max(len(rows), 1))


def render(machine, rows, threads):
    rates = machine["rates"]
    of_class = collections.defaultdict(list)
    for path, kernel in rows:
        of_class[class_of(path)].append((path, kernel))
    lines = [
        "# Predicted and measured times",
        "",
        "Written by `make predictions`: every kernel of the benchmark that takes at least 2 µs, with the inputs of the benchmark, on",
        f"{threads} thread{'' if threads == 1 else 's'}, for this machine as `lawson doctor --calibrate` describes it. The ratio is the least",
        "measured time to the predicted one.",
        "",
        f"Measured machine: {machine['gops']} G f32 operations a second on one thread; memory is read at {machine['bandwidth_1t']} GB/s",
        f"by one thread and at {machine['bandwidth']} by all, the last-level cache ({machine['llc'] >> 20} MiB of it) at",
        f"{machine['llc_bandwidth_1t']} and {machine['llc_bandwidth']}, the second-level cache at {machine['l2_bandwidth']} a core; a byte",
        f"that is written takes {machine['writing']}, {machine['llc_writing']} and {machine['l2_writing']} times as long; a launch {machine['launch_us']} µs. Weights:",
        ", ".join(f"{name.replace('_', ' ')} {weight}" for name, weight in sorted(rates.items())) + ".",
        "",
        "| class | kernels | within 30 % | within 50 % | measured / predicted |",
        "|---|---:|---:|---:|---:|",
    ]
    table = [(c, of_class[c]) for c in sorted(of_class)] + [("**all**", rows)]
    for name, own in table:
        lines.append(f"| {name} | {len(own)} | {share(own, NEAR[0])} | {share(own, NEAR[1])} | {mean(own):.2f} |")
    far = sorted((r for r in rows if not is_near(r[1], NEAR[1])), key=lambda r: ratio(r[1]))
    lines += ["", "Those that are off by more than half:", "", "| kernel | predicted | measured | ratio | plan |", "|---|---:|---:|---:|---|"]
    for path, k in far:
        lines.append(f"| {path.stem}: {k['name']} | {time(k['predicted_us'])} | {time(k['measured_us'])} | {ratio(k):.2f} | {k['plan']} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
