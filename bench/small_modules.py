#!/usr/bin/env python3
"""Writes bench/results/small_modules.md: what `--numerics fast` gains, what reading against an array's order costs, and
what choosing the order of arrays between kernels gains.

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


def cumulative(down):
    n = 2048
    window = f"size={n}x1 pad={n - 1}_0x0_0" if down else f"size=1x{n} pad=0_0x{n - 1}_0"
    return module([
        f"x = f32[{n},{n}] parameter(0)", "zero = f32[] constant(0)",
        f"ROOT r = f32[{n},{n}] reduce-window(x, zero), window={{{window}}}, to_apply=sum",
    ])


def turned_softmax():
    shape = "f32[2048,1024]"
    return module([
        "p = f32[1024,2048] parameter(0)", f"x = {shape} transpose(p), dimensions={{1,0}}",
        "low = f32[] constant(-inf)", "zero = f32[] constant(0)",
        "m = f32[1024] reduce(x, low), dimensions={0}, to_apply=max", f"mb = {shape} broadcast(m), dimensions={{1}}",
        f"d = {shape} subtract(x, mb)", f"e = {shape} exponential(d)",
        "s = f32[1024] reduce(e, zero), dimensions={0}, to_apply=sum", f"sb = {shape} broadcast(s), dimensions={{1}}",
        f"q = {shape} divide(e, sb)", "ROOT r = f32[1024,2048] transpose(q), dimensions={1,0}",
    ])


def picked():
    """Columns of a product, where data says; what is drawn for the data is below ten, so a counter spreads it."""
    gather = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}"
    return module([
        "a = f32[64,64] parameter(0)", "b = f32[64,20000] parameter(1)", "drawn = s32[16384] parameter(2)",
        "n = s32[16384] iota(), iota_dimension=0", "k = s32[] constant(7919)",
        "kb = s32[16384] broadcast(k), dimensions={}", "nk = s32[16384] multiply(n, kb)",
        "far = s32[16384] add(nk, drawn)", "w = s32[] constant(20000)", "wb = s32[16384] broadcast(w), dimensions={}",
        "at = s32[16384] remainder(far, wb)", "ids = s32[16384,1] reshape(at)",
        "d = f32[64,20000] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        "t = f32[20000,64] transpose(d), dimensions={1,0}",
        f"g = f32[16384,64] gather(t, ids), {gather}", "ROOT r = f32[16384,64] tanh(g)",
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
    ("the same with its result turned back", softmax(1024, 2048), turned_softmax()),
    ("cumulative sums, f32[2048,2048]: down columns, along rows", cumulative(True), cumulative(False)),
]
LAYOUTS = [
    ("16384 columns of a product [64,20000], where data says", picked()),
    ("mlp_train_step, small", (ROOT / "tests/programs/mlp_train_step/module.hlo").read_text()),
    ("mlp_train_step", (ROOT / "tests/programs/mlp_train_step/full.hlo").read_text()),
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
    lines += ["", "## What choosing the order of arrays between kernels gains", ""]
    lines += ["| program | kernels | in order | kernels | chosen |", "|---|---:|---:|---:|---:|"]
    for name, text in LAYOUTS:
        found = bench(lawson, text, "--vs", "no-layout")
        kept = found["variants"]["no-layout"]
        us = [x["run_us"]["min"] for x in (kept, found)]
        lines.append(f"| {name} | {kept['kernels']} | {time(us[0])} | {found['kernels']} | {time(us[1])} |")
    TABLE.write_text("\n".join(lines) + "\n")
    print(f"wrote {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
