#!/usr/bin/env python3
"""Writes bench/results/small_modules.md: what `--numerics fast` gains, and what reading against an array's order costs.

    bench/small_modules.py --lawson target/release/lawson

One thread, least times, the two of a line in turn. Needs Python alone.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "bench" / "results" / "small_modules.md"
FUNCTIONS = """HloModule m
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
"""


def module(lines):
    return FUNCTIONS + "ENTRY e {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def polynomial(dtype, degree=24, n=65536):
    lines = [f"x = {dtype}[{n}] parameter(0)", f"v0 = {dtype}[{n}] parameter(1)"]
    for i in range(degree):
        lines += [
            f"c{i} = {dtype}[] constant({1 + i / 8})",
            f"b{i} = {dtype}[{n}] broadcast(c{i}), dimensions={{}}",
            f"p{i} = {dtype}[{n}] multiply(v{i}, x)",
            f"v{i + 1} = {dtype}[{n}] add(p{i}, b{i})",
        ]
    return module(lines + [f"ROOT r = {dtype}[{n}] copy(v{degree})"])


def scaled():
    return module([
        "x = f32[64,1024] parameter(0)", "s = f32[64] parameter(1)", "one = f32[] constant(1)",
        "ones = f32[64] broadcast(one), dimensions={}", "t = f32[64] add(s, ones)",
        "sb = f32[64,1024] broadcast(s), dimensions={0}", "tb = f32[64,1024] broadcast(t), dimensions={0}",
        "q = f32[64,1024] divide(x, sb)", "w = f32[64,1024] divide(x, tb)", "ROOT r = f32[64,1024] add(q, w)",
    ])


def softmax(rows, columns, transposed=False):
    shape = f"f32[{rows},{columns}]"
    first = [f"x = {shape} parameter(0)"]
    if transposed:
        first = [f"p = f32[{columns},{rows}] parameter(0)", f"x = {shape} transpose(p), dimensions={{1,0}}"]
    return module(first + [
        "low = f32[] constant(-inf)", "zero = f32[] constant(0)",
        f"m = f32[{rows}] reduce(x, low), dimensions={{1}}, to_apply=max", f"mb = {shape} broadcast(m), dimensions={{0}}",
        f"d = {shape} subtract(x, mb)", f"e = {shape} exponential(d)",
        f"s = f32[{rows}] reduce(e, zero), dimensions={{1}}, to_apply=sum", f"sb = {shape} broadcast(s), dimensions={{0}}",
        f"ROOT r = {shape} divide(e, sb)",
    ])


def added(transposed):
    n = 2048
    y = "yt" if transposed else "y"
    return module([
        f"x = f32[{n},{n}] parameter(0)", f"y = f32[{n},{n}] parameter(1)",
        *([f"yt = f32[{n},{n}] transpose(y), dimensions={{1,0}}"] if transposed else []),
        f"ROOT r = f32[{n},{n}] add(x, {y})",
    ])


def product(transposed):
    n = 1024
    return module([
        f"x = f32[{n},{n}] parameter(0)", f"y = f32[{n},{n}] parameter(1)",
        f"ROOT r = f32[{n},{n}] dot(x, y), lhs_contracting_dims={{{0 if transposed else 1}}}, "
        f"rhs_contracting_dims={{{1 if transposed else 0}}}",
    ])


MODES = [
    ("polynomial of degree 24, f32[65536]", polynomial("f32"), "contraction"),
    ("the same in bf16", polynomial("bf16"), "excess precision, contraction"),
    ("x / s + x / (s + 1), a scale for each row, f32[64,1024]", scaled(), "reciprocals"),
    ("softmax, f32[64,1024]", softmax(64, 1024), "reciprocals"),
    ("n-body, 4096 bodies", (ROOT / "tests/programs/nbody/full.hlo").read_text(), "contraction"),
]
ORDERS = [
    ("x @ y, 1024 x 1024", product(False), product(True)),
    ("x + y, f32[2048,2048]", added(False), added(True)),
    ("softmax of rows, f32[1024,2048]", softmax(1024, 2048), softmax(1024, 2048, transposed=True)),
]


def bench(lawson, text, *more):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "module.hlo"
        path.write_text(text)
        command = [lawson, "bench", str(path), "--json", "--threads", "1", "--max-runs", "200", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def time(us):
    return f"{us:.1f} µs" if us < 1e3 else f"{us / 1e3:.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(ROOT / "target/release/lawson"))
    lawson = parser.parse_args().lawson
    lines = ["# Small modules", "", "Written by `make small-modules`: one thread, least times.", ""]
    lines += ["## What `--numerics fast` gains", "", "| program | standard | fast | by |", "|---|---:|---:|---|"]
    for name, text, by in MODES:
        found = bench(lawson, text, "--vs", "numerics-fast")
        fast = found["variants"]["numerics-fast"]["run_us"]["min"]
        lines.append(f"| {name} | {time(found['run_us']['min'])} | {time(fast)} | {by} |")
    lines += ["", "## What reading against the order of an array costs", "", "| program | along | against |", "|---|---:|---:|"]
    for name, along, against in ORDERS:
        us = [bench(lawson, text)["run_us"]["min"] for text in (along, against)]
        lines.append(f"| {name} | {time(us[0])} | {time(us[1])} |")
    TABLE.write_text("\n".join(lines) + "\n")
    print(f"wrote {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
