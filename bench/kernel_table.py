#!/usr/bin/env python3
"""Writes docs/kernels.md: kernels, launches and bytes of Lawson beside XLA:CPU, for every program of tests/programs.

    bench/kernel_table.py --lawson target/release/lawson          XLA's side from bench/xla_kernels.json
    bench/kernel_table.py --lawson target/release/lawson --xla    compiles with JAX first (pip install jax==0.10.2)

How both are counted. A kernel is compiled code at one place of the program; a launch is one execution of it, trips of
loops multiplied in where the number is known. Copies are apart. Bytes: each kernel reads its inputs once (of an
input that it only slices, the slices) and writes its outputs once (of one that it updates in place, the update), for
each launch. A loop of unknown trip count counts as one trip on both sides.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
XLA = ROOT / "bench" / "xla_kernels.json"
TABLE = ROOT / "docs" / "kernels.md"

FREE = {
    "parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "partition-id",
    "opt-barrier", "add-dependency", "reshape",
}  # fmt: skip
SLICES = {"slice", "dynamic-slice", "gather"}
BITS = {"pred": 8, "bf16": 16, "c64": 64, "c128": 128}


def size(shape):
    """Bytes of a shape, tuples included."""
    total = 0
    for dtype, dims in re.findall(r"\b([a-z]+\d*)\[([\d,]*)\]", shape):
        bits = BITS.get(dtype) or int(re.sub(r"\D", "", dtype) or 0)
        count = 1
        for d in filter(None, dims.split(",")):
            count *= int(d)
        total += count * bits // 8
    return total


class Instruction:
    def __init__(self, name, shape, opcode, inside, attributes, root):
        self.name, self.shape, self.opcode = name, shape, opcode
        self.operands = re.findall(r"%([\w.\-]+)", inside)
        self.number = int(inside) if opcode == "parameter" else None
        self.attributes, self.root = attributes, root

    def called(self, *keys):
        return [m for key in keys for m in re.findall(rf"\b{key}=%?([\w.\-]+)", self.attributes)]


def balanced(text, start):
    """The end of the bracket that opens at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        if depth == 0:
            return i + 1
    return len(text)


def parse(text):
    """Computations of optimised HLO text, each a list of instructions; and the entry's name."""
    computations, entry, current = {}, None, None
    for line in text.splitlines():
        head = re.match(r"(ENTRY )?%?([\w.\-]+) .*\{$", line)
        if head and not line.startswith((" ", "HloModule")):
            current = computations.setdefault(head[2], [])
            entry = head[2] if head[1] else entry
            continue
        m = re.match(r"\s+(ROOT )?%?([\w.\-]+) = ", line)
        if not m or current is None:
            continue
        rest = line[m.end() :]
        end = balanced(rest, 0) if rest.startswith("(") else re.match(r"[^ ]+", rest).end()
        shape, rest = rest[:end], rest[end:].strip()
        opcode = re.match(r"[\w\-]+", rest)[0]
        close = balanced(rest, len(opcode))
        inside = rest[len(opcode) + 1 : close - 1]
        current.append(Instruction(m[2], shape, opcode, inside, rest[close:], bool(m[1])))
    return computations, entry


def figures(text):
    """Kernels, launches, copies and bytes of optimised HLO text."""
    computations, entry = parse(text)
    out = dict(kernels=0, launches=0, copies=0, bytes=0, unknown=False)

    def walk(name, times):
        for i in computations[name]:
            if i.opcode == "while":
                trips = re.search(r'known_trip_count"?:\{"?n"?:"?(\d+)', i.attributes)
                inner = int(trips[1]) if trips else 1
                out["unknown"] |= trips is None
                for c in i.called("body"):
                    walk(c, times * inner)
                for c in i.called("condition"):
                    walk(c, times * (inner + 1))
            elif i.opcode in ("call", "conditional"):
                for c in i.called("to_apply", "true_computation", "false_computation"):
                    walk(c, times)
                for group in re.findall(r"branch_computations=\{([^}]*)\}", i.attributes):
                    for c in re.findall(r"%?([\w.\-]+)", group):
                        walk(c, times)
            elif i.opcode == "copy":
                out["copies"] += times
            elif i.opcode not in FREE:
                out["kernels"] += 1
                out["launches"] += times
                out["bytes"] += times * moved(computations, name, i)

    walk(entry, 1)
    return out


def moved(computations, name, i):
    shapes = {o.name: o.shape for o in computations[name]}
    reads = [size(shapes[o]) for o in i.operands]
    written = size(i.shape)
    fused = computations.get((i.called("calls") or [None])[0])
    if i.opcode in SLICES:
        return 2 * written
    if i.opcode == "dynamic-update-slice":
        return 2 * size(shapes[i.operands[1]])
    if i.opcode == "fusion" and fused:
        parameters = {p.number: p.name for p in fused if p.opcode == "parameter"}
        for n, whole in enumerate(reads):
            users = [u for u in fused if parameters.get(n) in u.operands]
            if users and all(u.opcode in SLICES and u.operands[0] == parameters[n] for u in users):
                reads[n] = min(whole, sum(size(u.shape) for u in users))
        inside = {u.name: u for u in fused}
        root = next(u for u in fused if u.root)
        if root.opcode == "dynamic-update-slice":
            written = size(inside[root.operands[1]].shape)
            if root.operands[0] in parameters.values():
                n = next(k for k, v in parameters.items() if v == root.operands[0])
                reads[n] = 0
    return sum(reads) + written


def compile_all():
    """XLA's side: every program of regenerate_programs.py at its full size."""
    import jax
    import numpy as np

    sys.path.insert(0, str(ROOT / "scripts"))
    import regenerate_programs as programs

    out = {"jax": jax.__version__, "programs": {}}
    for name, entry in programs.PROGRAMS.items():
        with jax.enable_x64(name == "babybear_mont_16m"):
            f, inputs = entry["make"](np.random.default_rng(0), **entry["full"])
            text = jax.jit(f).lower(*inputs).compile().as_text()
        out["programs"][name] = figures(text)
        print(name, out["programs"][name], flush=True)
    return out


def explained(lawson, name):
    command = [lawson, "explain", str(PROGRAMS / name / "full.hlo"), "--json", "--target", "zen4", "--threads", "2"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def human(n):
    for unit in ("B", "KiB", "MiB"):
        if n < 1024:
            return f"{n:.0f} B" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024
    return f"{n:.1f} GiB"


def interface(name):
    """Bytes of inputs and outputs, each once."""
    head = (PROGRAMS / name / "full.hlo").read_text().splitlines()[0]
    layout = head.split("entry_computation_layout=", 1)[1]
    return size(layout[: balanced(layout, 0)])


def table(lawson, xla):
    lines = [
        "<!-- Made by bench/kernel_table.py; do not edit. -->",
        "",
        "# Kernels, launches and bytes beside XLA:CPU",
        "",
        f"Every program of [tests/programs](../tests/programs) at its full size. XLA:CPU is that of jax {xla['jax']}, its",
        "figures counted in the optimised module; Lawson's are those of `lawson explain`, planned for two threads of a Zen 4.",
        "[bench/kernel_table.py](../bench/kernel_table.py) makes this table and says how both are counted: the same way.",
        "*Least* is every input read once and every output written once.",
        "",
        "| program | Lawson: kernels | launches | copies | bytes | XLA: kernels | launches | copies | bytes | least |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name in sorted(p.name for p in PROGRAMS.iterdir() if p.name in xla["programs"]):
        t, x = explained(lawson, name)["totals"], xla["programs"][name]
        launches = "?" if t["launches"] is None else t["launches"]
        lines.append(
            f"| `{name}` | {t['kernels']} | {launches} | {t['copies']} | {human(t['bytes_fused'])} "
            f"| {x['kernels']} | {'?' if x['unknown'] else x['launches']} | {x['copies']} | {human(x['bytes'])} | {human(interface(name))} |"
        )
    lines += ["", "A `?` is a loop whose trip count depends on the data. A library call of XLA, whatever it does inside, counts as one", "kernel.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", required=True, help="the binary")
    parser.add_argument("--xla", action="store_true", help="compile with JAX and rewrite bench/xla_kernels.json")
    args = parser.parse_args()
    if args.xla:
        XLA.write_text(json.dumps(compile_all(), indent=1) + "\n")
    TABLE.write_text(table(args.lawson, json.loads(XLA.read_text())))
    print(f"{TABLE.relative_to(ROOT)} written")


if __name__ == "__main__":
    main()
