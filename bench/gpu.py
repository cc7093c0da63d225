"""The table of a graphics processor: `make gpu-bench`. Programs with their arrays resident, beside XLA and torch.compile
(gpu_peers.py) and the bandwidth of copies within the device as it is measured in the same run; prime fields; what submitting
work costs the host.

Where there is no device it says so and writes nothing."""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

from peer_process import PeerProcess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAWSON = pathlib.Path(os.environ.get("LAWSON", ROOT / "target/release/lawson"))

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("device", nargs="?", default="cuda")
parser.add_argument("--only", default="", help="programs whose names have one of these in them, apart by semicolons")
parser.add_argument("--parts", default="programs,fields,launches")
parser.add_argument("--peers", default="jax,torch")
OPTIONS = parser.parse_args()
DEVICE = OPTIONS.device
EMULATED = DEVICE == "cuda-emulated"
RESULTS = ROOT / "bench/results/gpu.md"
WORK = ROOT / "target/gpu-bench"
# Seconds for an answer of a peer, which may compile and choose among kernels.
LONGEST = 120

# At least 1 GiB moved by maps and reductions. An emulated device is slow: it shows that the table can be made.
N = 2**12 if EMULATED else 2**28
ROWS, COLUMNS = (64, 96) if EMULATED else (2**16, 2**12)
SIDE, IMAGES = (64, 1) if EMULATED else (4096, 32)

ADD = "add { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b) }\n"


def product(dtype):
    return f"""HloModule m
ENTRY e {{ x = {dtype}[{SIDE},{SIDE}] parameter(0)
  y = {dtype}[{SIDE},{SIDE}] parameter(1)
  ROOT r = f32[{SIDE},{SIDE}] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}} }}"""


def convolution(dtype):
    return f"""HloModule m
ENTRY e {{ x = {dtype}[{IMAGES},56,56,64] parameter(0)
  w = {dtype}[3,3,64,64] parameter(1)
  ROOT r = {dtype}[{IMAGES},56,56,64] convolution(x, w), window={{size=3x3 pad=1_1x1_1}}, dim_labels=b01f_01io->b01f }}"""


MODULES = {
    "map, x·x + y": f"""HloModule m
ENTRY e {{ x = f32[{N}] parameter(0)
  y = f32[{N}] parameter(1)
  p = f32[{N}] multiply(x, x)
  ROOT r = f32[{N}] add(p, y) }}""",
    "sum of all": f"""HloModule m
{ADD}ENTRY e {{ x = f32[{N}] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={{0}}, to_apply=add }}""",
    "sums of rows": f"""HloModule m
{ADD}ENTRY e {{ x = f32[{ROWS},{COLUMNS}] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[{ROWS}] reduce(x, z), dimensions={{1}}, to_apply=add }}""",
    "sums of columns": f"""HloModule m
{ADD}ENTRY e {{ x = f32[{ROWS},{COLUMNS}] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[{COLUMNS}] reduce(x, z), dimensions={{0}}, to_apply=add }}""",
    "transpose": f"""HloModule m
ENTRY e {{ x = f32[{ROWS},{COLUMNS}] parameter(0)
  t = f32[{COLUMNS},{ROWS}] transpose(x), dimensions={{1,0}}
  ROOT r = f32[{COLUMNS},{ROWS}] negate(t) }}""",
    "product, f32": product("f32"),
    "product, bf16": product("bf16"),
    "convolution, f32": convolution("f32"),
    "convolution, bf16": convolution("bf16"),
}


def chain(n):
    """So many small kernels, one after the other, where nothing is fused."""
    lines = [f"  x{i} = f32[1024] add(x{i - 1}, x{i - 1})" for i in range(1, n)]
    body = "\n".join(lines)
    last = f"  ROOT r = f32[1024] add(x{n - 1}, x{n - 1})"
    return f"HloModule m\nENTRY e {{ x0 = f32[1024] parameter(0)\n{body}\n{last} }}"


def bench(module, *words):
    command = [LAWSON, "bench", module, "--device", DEVICE, "--json", *words]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        return None, found.stderr.strip().splitlines()[0]
    return json.loads(found.stdout), None


def written(name, text):
    path = WORK / f"{name}.hlo"
    path.write_text(text)
    return path


# The article's table: x² − x over a field, 2^k elements.
FIELDS = ["babybear", "bn254_sf", "bn254_sf_mont"]
SIZES = [8, 9] if EMULATED else list(range(20, 26))


def square_minus(dtype, n):
    return f"""HloModule m
ENTRY e {{ x = {dtype}[{n}] parameter(0)
  s = {dtype}[{n}] multiply(x, x)
  ROOT r = {dtype}[{n}] subtract(s, x) }}"""


def fields():
    """Fused and unfused, arrays resident and with transfers, as `prime fields` of the table."""
    runs = ["--max-runs", "3" if EMULATED else "20"]
    lines = [
        "\n## x² − x over prime fields\n",
        "| field | k | resident: unfused µs | fused µs | | with transfers: unfused µs | fused µs | |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for dtype in FIELDS:
        for k in SIZES:
            module = written("field", square_minus(dtype, 2**k))
            cells = [f"`{dtype}`", str(k)]
            both = [bench(module, "--fusion", how, *runs) for how in ("off", "on")]
            if any(why for _, why in both):
                lines.append("| " + " | ".join([*cells, *(why or "" for _, why in both)]) + " | | | | |")
                continue
            for time in ("queued_us", "copied_us"):
                off, on = (found.get(time) or found["run_us"]["median"] for found, _ in both)
                cells += [f"{off:.1f}", f"{on:.1f}", f"{off / on:.2f}"]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def peer(name):
    """A peer (gpu_peers.py); where it is not installed it is not ready."""
    environment = dict(os.environ, XLA_PYTHON_CLIENT_PREALLOCATE="false", TF_CPP_MIN_LOG_LEVEL="2")
    return PeerProcess([sys.executable, ROOT / "bench/gpu_peers.py", name], WORK / f"{name}.log", LONGEST, env=environment)


# Numerics of Lawson, and the precision of its peers beside them.
MODES = [("standard", "highest"), ("fast", "default")]


def measured(name, module, peers, runs):
    """Times of Lawson and its peers, all in microseconds of a call in a queue."""
    row = {"name": name}
    stablehlo = WORK / "module.mlir"
    with open(stablehlo, "w") as file:
        subprocess.run([LAWSON, "opt", module, "--emit", "stablehlo"], stdout=file, check=True)
    # Where there is no product and no convolution, precision means nothing.
    modes = MODES if re.search("stablehlo.(dot|convolution)", stablehlo.read_text()) else MODES[:1]
    for numerics, precision in modes:
        row[numerics], why = bench(module, "--numerics", numerics, *runs)
        if why:
            row["error"] = why
        for peer, process in peers.items():
            row[f"{peer}, {precision}"] = process.ask(name=name, stablehlo=str(stablehlo), precision=precision)
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def table(rows, numerics, precision, copy):
    lines = [
        f"\n## Lawson in `{numerics}`, peers at {precision} precision\n",
        "| program | kernels | Lawson µs | XLA µs | XLA / Lawson | torch µs | torch / Lawson | moved | GB/s | of copies |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    ratios = {"jax": [], "torch": []}
    for row in rows:
        mine = row.get(numerics)
        if mine is None:
            if row.get("error") and numerics == MODES[0][0]:
                lines.append(f"| {row['name']} | {row['error']} | | | | | | | | |")
            continue
        us = mine.get("queued_us") or mine["run_us"]["median"]
        cells = [row["name"], str(mine["kernels"]), f"{us:.1f}"]
        for peer in ratios:
            answer = row.get(f"{peer}, {precision}", {})
            found = answer.get("queued_us")
            # Why there is none, unless the peer has no form of the program.
            cells += [f"{found:.1f}", f"{found / us:.2f}"] if found else [answer.get("error", ""), ""]
            if found:
                ratios[peer].append(found / us)
        moved = mine["bytes_moved"]
        rate = moved / us / 1e3 if moved else 0
        cells += [f"{moved / 2**20:.1f} MiB", f"{rate:.0f}", f"{100 * rate / copy:.0f} %" if copy else ""] if moved else ["", "", ""]
        lines.append("| " + " | ".join(cells) + " |")
    for peer, found in ratios.items():
        if found:
            mean = math.exp(sum(map(math.log, found)) / len(found))
            lines.append(f"\n{peer}: geometric mean of {len(found)} programs {mean:.2f}, least {min(found):.2f}.")
    return lines


def programs(peers, copy):
    """Lawson and its peers on maps, reductions and the programs of tests/programs."""
    modules = [(name, written(f"m{i}", text)) for i, (name, text) in enumerate(MODULES.items())]
    size = "module.hlo" if EMULATED else "full.hlo"
    modules += [(p.name, p / size) for p in sorted((ROOT / "tests/programs").iterdir()) if p.is_dir()]
    runs = ["--max-runs", "3" if EMULATED else "100"]
    rows = [measured(name, module, peers, runs) for name, module in modules if any(part in name for part in OPTIONS.only.split(";"))]
    return [line for numerics, precision in MODES for line in table(rows, numerics, precision, copy)]


def launches():
    """What submitting work costs the host."""
    lines = ["\n| host time of a call | µs | of each launch |\n|---|---:|---:|"]
    runs = ["--max-runs", "3"] if EMULATED else []
    for name, n in [("one small kernel", 1), ("a graph of 100", 100)]:
        found, why = bench(written(f"chain{n}", chain(n)), "--fusion", "off", *runs)
        us = found["submit_us"] if found else float("nan")
        assert found is None or found["launches"] == n, "each addition is a launch"
        lines.append(f"| {name} | {us:.2f} | {us / n:.2f} |" if found else f"| {name} | {why} | |")
    return lines


def main():
    doctor = subprocess.run([LAWSON, "doctor"], capture_output=True, text=True, check=True).stdout
    device = re.search(rf"^{DEVICE if ':' in DEVICE else 'cuda:0'}\s+(.*)$", doctor, re.M)
    if not device and not EMULATED:
        why = re.search(r"^CUDA\s+(.*)$", doctor, re.M)
        print(f"gpu-bench: skipped, nothing was measured: {why.group(1) if why else 'there is no device'}")
        return
    WORK.mkdir(parents=True, exist_ok=True)
    head = device.group(1) if device else "emulated: times mean nothing"
    copy = re.search(r"copy (\d+) GB/s", head)
    copy = float(copy.group(1)) if copy else None
    names = ["jax", "torch"] if not EMULATED else []
    peers = {name: peer(name) for name in names if name in OPTIONS.peers.split(",")}
    missing = [name for name, p in peers.items() if not p.ready]
    if missing:
        print(f"not installed, so not measured: {', '.join(missing)}", file=sys.stderr)
    peers = {name: p for name, p in peers.items() if p.ready}
    lines = [f"# On a graphics processor\n\n{head}", *(f"\n{p.ready['ready']}" for p in peers.values())]
    lines.append("\nTimes are those of a call among many that are submitted one after the other and waited for together.")
    parts = {"programs": lambda: programs(peers, copy), "fields": fields, "launches": launches}
    for part in OPTIONS.parts.split(","):
        lines += parts[part]()
    for process in peers.values():
        process.end()
    text = "\n".join(lines) + "\n"
    print(text)
    if not EMULATED and (OPTIONS.parts, OPTIONS.only) == (parser.get_default("parts"), ""):
        RESULTS.write_text(text)


main()
