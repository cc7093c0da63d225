#!/usr/bin/env python3
"""Writes bench/results/planning.md: how long Lawson plans generated modules of 1,000, 10,000 and 100,000 instructions.

    bench/planning.py --lawson target/release/lawson [--sizes 1000,10000] [--only chain,pieces]

The command timed is `lawson explain --target zen4`: parsing, all passes, the plan that fuses nothing beside it, and the
report; the least of three runs, of one at 100,000. Modules are the same in every run. Needs Python alone.
"""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "bench" / "results" / "planning.md"
SUM = "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"
MAX = "max {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] maximum(a, b)\n}\n"
ROWS = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"


def module(lines, functions=SUM):
    """The last line is the root."""
    lines = [*lines[:-1], "ROOT " + lines[-1]]
    return "HloModule m\n" + functions + "ENTRY main {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def together(made):
    """A tuple of (name, shape)."""
    return f"t = ({', '.join(s for _, s in made)}) tuple({', '.join(n for n, _ in made)})"


def chain(n):
    """maps, one after the other"""
    names = ["negate", "tanh", "abs", "cosine"]
    lines = [f"x{i} = f32[1024] {names[i % 4]}(x{i - 1})" for i in range(1, n)]
    return module(["x0 = f32[1024] parameter(0)", *lines])


def fan_out(n):
    """one value with a quarter as many users as instructions, each a result"""
    lines = ["x = f32[64,64] parameter(0)", "e = f32[64,64] exponential(x)"]
    for i in range(n // 4):
        lines += [
            f"c{i} = f32[] constant({i})",
            f"b{i} = f32[64,64] broadcast(c{i}), dimensions={{}}",
            f"u{i} = f32[64,64] multiply(e, b{i})",
            f"s{i} = f32[64,64] sine(u{i})",
        ]
    return module([*lines, together([(f"s{i}", "f32[64,64]") for i in range(n // 4)])])


def layers(n):
    """equal layers: a product, a sum of rows, a residual"""
    lines = ["x0 = f32[64,128] parameter(0)", "w = f32[128,128] parameter(1)", "zero = f32[] constant(0)"]
    for i in range(n // 7):
        lines += [
            f"d{i} = f32[64,128] dot(x{i}, w), {ROWS}",
            f"e{i} = f32[64,128] exponential(d{i})",
            f"r{i} = f32[64] reduce(e{i}, zero), dimensions={{1}}, to_apply=sum",
            f"b{i} = f32[64,128] broadcast(r{i}), dimensions={{0}}",
            f"q{i} = f32[64,128] divide(e{i}, b{i})",
            f"t{i} = f32[64,128] tanh(q{i})",
            f"x{i + 1} = f32[64,128] add(t{i}, x{i})",
        ]
    return module(lines)


def layered(n):
    """equal layers with a softmax of twelve instructions"""
    lines = ["x0 = f32[64,128] parameter(0)", "w = f32[128,128] parameter(1)"]
    lines += ["zero = f32[] constant(0)", "least = f32[] constant(-inf)"]
    for i in range(n // 12):
        lines += [
            f"d{i} = f32[64,128] dot(x{i}, w), {ROWS}",
            f"m{i} = f32[64] reduce(d{i}, least), dimensions={{1}}, to_apply=max",
            f"mb{i} = f32[64,128] broadcast(m{i}), dimensions={{0}}",
            f"s{i} = f32[64,128] subtract(d{i}, mb{i})",
            f"e{i} = f32[64,128] exponential(s{i})",
            f"r{i} = f32[64] reduce(e{i}, zero), dimensions={{1}}, to_apply=sum",
            f"rb{i} = f32[64,128] broadcast(r{i}), dimensions={{0}}",
            f"q{i} = f32[64,128] divide(e{i}, rb{i})",
            f"t{i} = f32[64,128] tanh(q{i})",
            f"y{i} = f32[64,128] add(t{i}, x{i})",
            f"n{i} = f32[64,128] negate(y{i})",
            f"x{i + 1} = f32[64,128] multiply(n{i}, y{i})",
        ]
    return module(lines, SUM + MAX)


def pieces(n, each=3):
    """one concatenation of all there is"""
    lines = ["x = f32[64] parameter(0)"]
    count = n // each
    for i in range(count):
        lines += [
            f"c{i} = f32[] constant({i})",
            f"b{i} = f32[64] broadcast(c{i}), dimensions={{}}",
            f"m{i} = f32[64] multiply(x, b{i})",
        ]
    names = ", ".join(f"m{i}" for i in range(count))
    return module([*lines, f"t = f32[{64 * count}] concatenate({names}), dimensions={{0}}"])


def many_pieces(n):
    """the same with a piece for every two instructions"""
    return pieces(n, 2)


def calls(n):
    """equal functions, called one after the other"""
    functions, lines = "", ["x0 = f32[32,64] parameter(0)"]
    for i in range(n // 5):
        functions += f"block{i} {{\n  a = f32[32,64] parameter(0)\n  t = f32[32,64] tanh(a)\n"
        functions += "  n = f32[32,64] negate(t)\n  ROOT r = f32[32,64] add(n, a)\n}\n"
        lines.append(f"x{i + 1} = f32[32,64] call(x{i}), to_apply=block{i}")
    return module(lines, functions)


def optimiser(n):
    """an update of many parameters of 35 shapes"""
    lines, made = [], []
    for i in range(n // 14):
        shape = f"f32[{32 + i % 7},{16 + i % 5}]"
        lines += [f"{name}{i} = {shape} parameter({4 * i + k})" for k, name in enumerate("pgmv")]
        lines += [
            f"c{i} = f32[] constant(0.9)",
            f"cb{i} = {shape} broadcast(c{i}), dimensions={{}}",
            f"a{i} = {shape} multiply(m{i}, cb{i})",
            f"b{i} = {shape} add(a{i}, g{i})",
            f"q{i} = {shape} multiply(g{i}, g{i})",
            f"r{i} = {shape} add(v{i}, q{i})",
            f"s{i} = {shape} sqrt(r{i})",
            f"d{i} = {shape} divide(b{i}, s{i})",
            f"o{i} = {shape} subtract(p{i}, d{i})",
        ]
        made += [(f"{name}{i}", shape) for name in "obr"]
    return module([*lines, together(made)])


def updates(n):
    """an array whose rows are written one by one"""
    lines = ["a0 = f32[1000,16] parameter(0)", "x = f32[1,16] parameter(1)", "z = s32[] constant(0)"]
    for i in range(n // 4):
        row = ",".join([str(i)] * 16)
        lines += [
            f"i{i} = s32[] constant({i % 1000})",
            f"c{i} = f32[1,16] constant({{{{{row}}}}})",
            f"m{i} = f32[1,16] multiply(x, c{i})",
            f"a{i + 1} = f32[1000,16] dynamic-update-slice(a{i}, m{i}, i{i}, z)",
        ]
    return module(lines)


def scalars(n):
    """arithmetic on numbers, each of two of the last fifty"""
    pick = random.Random(3)
    lines = ["x0 = f32[] parameter(0)", "x1 = f32[] parameter(1)"]
    for i in range(2, n):
        name = pick.choice(["add", "multiply", "subtract"])
        a, b = pick.randrange(max(0, i - 50), i), pick.randrange(max(0, i - 50), i)
        lines.append(f"x{i} = f32[] {name}(x{a}, x{b})")
    return module(lines)


def rand(n):
    """maps and sums of rows, each of the last thirty"""
    pick = random.Random(1)
    values = ["v0", "v1"]
    lines = ["v0 = f32[64,128] parameter(0)", "v1 = f32[64,128] parameter(1)", "zero = f32[] constant(0)"]
    for i in range(2, n):
        kind, a, b = pick.random(), pick.choice(values[-30:]), pick.choice(values[-30:])
        if kind < 0.5:
            name = pick.choice(["add", "multiply", "subtract", "maximum"])
            lines.append(f"v{i} = f32[64,128] {name}({a}, {b})")
        elif kind < 0.8:
            lines.append(f"v{i} = f32[64,128] {pick.choice(['negate', 'tanh', 'abs', 'cosine'])}({a})")
        else:
            lines.append(f"r{i} = f32[64] reduce({a}, zero), dimensions={{1}}, to_apply=sum")
            lines.append(f"v{i} = f32[64,128] broadcast(r{i}), dimensions={{0}}")
        values.append(f"v{i}")
    return module([*lines, f"out = f32[64,128] add({values[-1]}, {values[-2]})"])


def long(n):
    """maps of the last value and any one before"""
    pick = random.Random(5)
    names = ["add", "multiply", "subtract", "maximum"]
    lines = ["v0 = f32[64,128] parameter(0)", "v1 = f32[64,128] parameter(1)"]
    lines += [f"v{i} = f32[64,128] {names[i % 4]}(v{pick.randrange(i)}, v{i - 1})" for i in range(2, n)]
    return module(lines)


def diffs(n):
    """small softmaxes of thousands of shapes, so that few kernels are equal"""
    lines, made = ["zero = f32[] constant(0)"], []
    for i in range(n // 6):
        rows, shape = f"f32[{8 + i % 97}]", f"f32[{8 + i % 97},{16 + i % 89}]"
        lines += [
            f"p{i} = {shape} parameter({i})",
            f"e{i} = {shape} exponential(p{i})",
            f"r{i} = {rows} reduce(e{i}, zero), dimensions={{1}}, to_apply=sum",
            f"b{i} = {shape} broadcast(r{i}), dimensions={{0}}",
            f"d{i} = {shape} divide(e{i}, b{i})",
        ]
        made.append((f"d{i}", shape))
    return module([*lines, together(made)])


FAMILIES = [chain, fan_out, layers, layered, pieces, many_pieces, calls, optimiser, updates, scalars, rand, long, diffs]
# How often all modules are measured, and how often each time.
ROUNDS = 3
RUNS = 3
# Families that take more than a few seconds at 100,000 are left out there.
QUICK = [chain, layers, layered, calls, optimiser]


def timed(command):
    """User and wall seconds, and the output."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = time.monotonic() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, wall, done.stdout


def modules(folder, wanted, sizes):
    """Family, size and file of each module."""
    for family in FAMILIES:
        for size in sizes:
            if wanted and family.__name__ not in wanted or size > 10_000 and family not in QUICK:
                continue
            path = pathlib.Path(folder) / f"{family.__name__}.{size}.hlo"
            path.write_text(family(size))
            yield family.__name__, size, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(ROOT / "target/release/lawson"))
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--only")
    args = parser.parse_args()
    wanted = args.only.split(",") if args.only else None
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        all_modules = list(modules(folder, wanted, [int(s) for s in args.sizes.split(",")]))
        times = {}
        # Round after round, since how fast a shared machine is changes by the minute.
        for n in range(ROUNDS):
            print(f"round {n + 1} of {ROUNDS}", file=sys.stderr, flush=True)
            for _, size, path in all_modules:
                explain = [args.lawson, "explain", "--target", "zen4", str(path)]
                runs = RUNS if size <= 10_000 else 1
                times.setdefault(path, []).extend(timed(explain)[:2] for _ in range(runs))
        for name, size, path in all_modules:
            explain = [args.lawson, "explain", "--target", "zen4", "--json", str(path)]
            totals = json.loads(timed(explain)[2])["totals"]
            user, wall = (min(column) for column in zip(*times[path]))
            row = (name, size, user, wall, totals["kernels"], totals["predicted_us"])
            print("{:12} {:7} {:6.2f} s user {:6.2f} s {:6} kernels {:10.1f} µs".format(*row), flush=True)
            rows.append(row)
    if not wanted:
        TABLE.write_text(render(rows))
        print(f"wrote {TABLE.relative_to(ROOT)}")


def render(rows):
    lines = [
        "# How long planning takes",
        "",
        "Written by `make planning`: `lawson explain --target zen4` of generated modules, which is parsing, all passes, the",
        f"plan that fuses nothing beside it, and the report. The least of {ROUNDS * RUNS} runs in {ROUNDS} rounds over all modules, of {ROUNDS} at",
        "100,000 instructions.",
        "",
        "| family | instructions | user s | wall s | kernels | predicted µs |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, size, user, wall, kernels, us in rows:
        lines.append(f"| {name} | {size:,} | {user:.2f} | {wall:.2f} | {kernels:,} | {us:,.1f} |")
    lines += ["", "What the families are:", ""]
    lines += [f"- {family.__name__}: {family.__doc__}" for family in FAMILIES]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
