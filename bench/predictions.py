#!/usr/bin/env python3
"""Writes bench/results/predictions.md: predicted and measured times of every program at full size, on this machine.

    bench/predictions.py --lawson target/release/lawson [--target FILE] [--threads N]

Without --target the machine is measured first (`lawson doctor --calibrate`). Needs Python alone.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
TABLE = ROOT / "bench" / "results" / "predictions.md"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def time(us):
    return f"{us:.1f} µs" if us < 1e3 else f"{us / 1e3:.2f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(ROOT / "target/release/lawson"))
    parser.add_argument("--target")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--max-runs", default="15")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        target = args.target
        if target is None:
            target = str(pathlib.Path(folder) / "calibrated.json")
            pathlib.Path(target).write_text(run([args.lawson, "doctor", "--calibrate"]))
        machine = json.loads(pathlib.Path(target).read_text())
        rows = [measured(args, target, path) for path in sorted(PROGRAMS.glob("*/full.hlo"))]
    TABLE.write_text(render(machine, rows))
    off = [name for name, ratio in ((r[0], r[4]) for r in rows) if not 1 / 3 <= ratio <= 3]
    print(f"wrote {TABLE.relative_to(ROOT)}; off by more than 3: {', '.join(off) or 'none'}")


def measured(args, target, path):
    command = [args.lawson, "bench", str(path), "--json", "--target", target, "--max-runs", args.max_runs]
    if args.threads:
        command += ["--threads", str(args.threads)]
    found = json.loads(run(command))
    predicted, median, least = found["predicted_us"], found["run_us"]["median"], found["run_us"]["min"]
    return path.parent.name, predicted, median, least, least / predicted, found["threads"]


def render(machine, rows):
    rates = machine["rates"]
    lines = [
        "# Predicted and measured times",
        "",
        "Written by `make predictions`: every program at its full size, planned for the machine it runs on, as",
        "`lawson doctor --calibrate` describes it. The ratio is the least measured time to the predicted one.",
        "",
        f"Measured machine: {machine['gops']} G f32 operations a second on one thread; memory {machine['bandwidth_1t']} GB/s",
        f"on one thread and {machine['bandwidth']} on {rows[0][5]}; last-level cache {machine['llc_bandwidth']},",
        f"second-level cache {machine['l2_bandwidth']} GB/s a core; a launch {machine['launch_us']} µs. Weights:",
        ", ".join(f"{name.replace('_', ' ')} {weight}" for name, weight in sorted(rates.items())) + ".",
        "",
        "| program | predicted | median | least | least / predicted |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, predicted, median, least, ratio, _ in rows:
        lines.append(f"| {name} | {time(predicted)} | {time(median)} | {time(least)} | {ratio:.2f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
