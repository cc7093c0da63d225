#!/usr/bin/env python3
"""The CartPole experiment of "Operator Fusion in XLA: Analysis and Evaluation", with Lawson and with JAX.

The paper climbs a ladder by changing the program until XLA fuses it: random numbers made beforehand, a
concatenate removed, the loop unrolled ten times. Here every rung is run with the fusion XLA would do there (other
strategies switched off), and the last two rungs are Lawson's own: the whole loop as one kernel, of the rewritten
program and of the program as it was first written. JAX runs each program beside, on the same machine and cores.

Needs `pip install jax==0.10.2 numpy matplotlib` and `cargo build --release`; `make cartpole` sees to both. Writes
a table, the figures as JSON and a plot; exits with 1 if launches or bytes rise anywhere along the paper's ladder.
"""

import argparse
import functools
import json
import pathlib
import statistics
import subprocess
import sys
import time

import jax
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from regenerate_programs import cartpole_rng_stack, cartpole_table_split, cartpole_table_stack, lower  # noqa: E402

# Environments and steps: fewer steps where a step is long, so that no rung takes minutes.
SIZES = [(70, 1000), (2048, 1000), (65536, 100)]

# In the paper random numbers come from a call that XLA cannot look into; a barrier keeps that boundary.
opaque_rng_stack = functools.partial(cartpole_rng_stack, drawn=jax.lax.optimization_barrier)

# Name, program (Lawson's and, where it is another, JAX's), Lawson's fusion, and the speed-up over the baseline that the
# paper reports for an RTX 2080 Ti.
RUNGS = [
    ("baseline", (opaque_rng_stack, cartpole_rng_stack), "only-instruction", 1.0),
    ("random numbers beforehand", cartpole_table_stack, "only-instruction", 1.87),
    ("concatenate forwarded", cartpole_table_stack, "no-loop", 2.06),
    ("no concatenate", cartpole_table_split, "no-loop", 3.41),
    ("unrolled 10 times", functools.partial(cartpole_table_split, unroll=10), "no-loop", 10.56),
    ("one kernel", cartpole_table_split, "on", None),
    ("one kernel, stacked state", cartpole_table_stack, "on", None),
    ("one kernel, program of the baseline", cartpole_rng_stack, "on", None),
]
# Along these launches and bytes must fall, or stay.
LADDER = 6


def time_jax(fn, args, seconds):
    """Median seconds of a compiled call, for about so long."""
    compiled = jax.jit(fn).lower(*args).compile()
    jax.block_until_ready(compiled(*args))
    times, start = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        jax.block_until_ready(compiled(*args))
        times.append(time.perf_counter() - before)
    return statistics.median(times)


def time_lawson(binary, text, args, fusion, folder, device):
    """What `lawson bench` says of a module with these inputs."""
    (folder / "module.hlo").write_text(text)
    arrays = {f"arg{i}": np.asarray(x) for i, x in enumerate(jax.tree.leaves(args))}
    np.savez(folder / "inputs.npz", **arrays)
    command = [binary, "bench", "--json", "--inputs", folder / "inputs.npz", "--fusion", fusion, "--device", device, folder / "module.hlo"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(binary, folder, sizes, device, seconds):
    rows = []
    for envs, steps in sizes:
        for name, make, fusion, paper in RUNGS:
            make, jax_make = make if isinstance(make, tuple) else (make, make)
            fn, args = make(np.random.default_rng(0), envs, steps)
            jax_fn, _ = jax_make(np.random.default_rng(0), envs, steps)
            report = time_lawson(binary, lower(fn, args), args, fusion, folder, device)
            row = dict(
                envs=envs,
                steps=steps,
                rung=name,
                fusion=fusion,
                paper=paper,
                jax_s=time_jax(jax_fn, args, seconds),
                lawson_s=report["run_us"]["median"] / 1e6,
                launches=report["launches"],
                kernels=report["kernels"],
                bytes=report["bytes_moved"],
            )
            rows.append(row)
            rate = envs * steps / row["lawson_s"]
            print(f"{envs:>6} environments  {name:<36} {rate:.3g} steps/s", file=sys.stderr)
    return rows


def of_size(rows, envs):
    return [r for r in rows if r["envs"] == envs]


def table(rows):
    """Markdown: one table for each number of environments."""
    lines = []
    for envs in dict.fromkeys(r["envs"] for r in rows):
        group = of_size(rows, envs)
        base, jax_base = group[0]["lawson_s"], group[0]["jax_s"]
        lines += [
            f"**{envs} environments, {group[0]['steps']} steps**",
            "",
            "| rung | `--fusion` | kernels | launches | MiB moved | Lawson steps/s | over its baseline | JAX steps/s "
            "| over its baseline | Lawson over JAX's baseline | paper |",
            "|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        for r in group:
            work = r["envs"] * r["steps"]
            paper = f"{r['paper']:.2f}" if r["paper"] else ""
            lines.append(
                f"| {r['rung']} | {r['fusion']} | {r['kernels']} | {r['launches']} | {r['bytes'] / 2**20:.2f} "
                f"| {work / r['lawson_s']:.3g} | {base / r['lawson_s']:.2f} | {work / r['jax_s']:.3g} "
                f"| {jax_base / r['jax_s']:.2f} | {jax_base / r['lawson_s']:.2f} | {paper} |"
            )
        lines.append("")
    return "\n".join(lines)


def plot(rows, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sizes = list(dict.fromkeys(r["envs"] for r in rows))
    figure, axes = plt.subplots(1, len(sizes), figsize=(5 * len(sizes), 4.6), sharey=True, layout="constrained")
    for axis, envs in zip(np.atleast_1d(axes), sizes):
        group = of_size(rows, envs)
        y = np.arange(len(group))[::-1]
        jax_base = group[0]["jax_s"]
        for offset, key, label, color in [(0.2, "lawson_s", "Lawson", "#1b6ca8"), (-0.2, "jax_s", "JAX", "#e0903a")]:
            ratio = [jax_base / r[key] for r in group]
            bars = axis.barh(y + offset, ratio, 0.38, label=label, color=color)
            axis.bar_label(bars, [f"{v:.3g}" for v in ratio], padding=2, fontsize=8)
        paper = [(p, r["paper"]) for p, r in zip(y, group) if r["paper"]]
        axis.plot([v for _, v in paper], [p for p, _ in paper], "k|", markersize=16, label="paper (GPU)")
        axis.set_xscale("log")
        axis.set_title(f"{envs} environments")
        axis.set_xlabel("speed over JAX's baseline")
        axis.set_yticks(y, [r["rung"] for r in group])
        axis.margins(x=0.15)
        axis.spines[["top", "right"]].set_visible(False)
    np.atleast_1d(axes)[0].legend(loc="lower right", fontsize=8)
    figure.savefig(file)


def rises(rows):
    """Where launches or bytes are more than on the rung before."""
    found = []
    for envs in dict.fromkeys(r["envs"] for r in rows):
        ladder = of_size(rows, envs)[:LADDER]
        for before, after in zip(ladder, ladder[1:]):
            for key in ("launches", "bytes"):
                if after[key] > before[key]:
                    found.append(f"{envs} environments, {after['rung']}: {key} {before[key]} -> {after[key]}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lawson", type=pathlib.Path, default=ROOT / "target" / "release" / "lawson")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "cartpole")
    parser.add_argument("--envs", type=int, action="append", help="only this number of environments")
    parser.add_argument("--device", default="cpu", help="of Lawson; JAX takes its own default device")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each time of JAX")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    sizes = [s for s in SIZES if not options.envs or s[0] in options.envs]
    rows = measure(options.lawson, options.out, sizes, options.device, options.seconds)
    (options.out / "cartpole.json").write_text(json.dumps(rows, indent=1))
    (options.out / "cartpole.md").write_text(table(rows))
    plot(rows, options.out / "cartpole.svg")
    print(table(rows))
    print(f"plot: {options.out / 'cartpole.svg'}")
    found = rises(rows)
    for line in found:
        print(f"rises: {line}", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
