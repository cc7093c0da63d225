#!/usr/bin/env python3
"""Writes bench/results/decisions.md: times of tests/findings with all of fusion, without, and with each pass switched off.

    bench/decisions.py --lawson target/release/lawson [--only NAME,...] [--threads N]

Least times of one run; variants take turns. Needs Python alone.
"""

import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "findings"
TABLE = ROOT / "bench" / "results" / "decisions.md"
SPECS = ["off", "only-instruction", "no-instruction", "no-merger", "no-multi-output", "no-horizontal", "no-staged",
         "no-dot", "no-loop"]
# Modules that show compile times, not fusion.
OTHERS = {"ey10", "ey12", "ey14", "concat_doubling12", "stack1000", "inf", "add", "mid"}


def measured(args, path):
    command = [args.lawson, "bench", str(path), "--json", "--threads", str(args.threads), "--max-runs", "200",
               "--vs", ",".join(SPECS)]
    inputs = path.with_suffix(".in.npz")
    if inputs.exists():
        command += ["--inputs", str(inputs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    least = found["run_us"]["min"]
    return least, found["predicted_us"], [found["variants"][s]["run_us"]["min"] / least for s in SPECS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(ROOT / "target/release/lawson"))
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    only = {n for n in args.only.split(",") if n}
    rows = []
    for path in sorted(PROGRAMS.glob("*.hlo")):
        if path.stem in OTHERS or (only and path.stem not in only):
            continue
        us, predicted, ratios = measured(args, path)
        rows.append(f"| {path.stem} | {us:.1f} | {us / predicted:.2f} | {' | '.join(f'{r:.2f}' for r in ratios)} |")
        print(rows[-1], flush=True)
    text = "\n".join([
        "# Decisions", "",
        "`make decisions`: programs of new users (tests/findings), least times with everything on in µs, beside the",
        "prediction, and how many times as long the others take: below 1 fusion, or the pass, costs time.", "",
        f"| program | on | measured / predicted | {' | '.join(SPECS)} |", "|---|" + "---:|" * (len(SPECS) + 2), *rows, "",
    ])
    if not only:
        TABLE.write_text(text)


if __name__ == "__main__":
    main()
