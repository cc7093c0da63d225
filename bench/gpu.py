"""Lawson's own table on a graphics processor: `make gpu-bench`. Programs with their arrays resident, beside the bandwidth of
copies within the device as it is measured in the same run, and what submitting work costs the host.

Where there is no device it says so and writes nothing."""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAWSON = pathlib.Path(os.environ.get("LAWSON", ROOT / "target/release/lawson"))
DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cuda"
EMULATED = DEVICE == "cuda-emulated"
RESULTS = ROOT / "bench/results/gpu.md"
WORK = ROOT / "target/gpu-bench"

# At least 1 GiB moved by the first ones. An emulated device is slow: it shows that the table can be made.
N = 2**12 if EMULATED else 2**27
ROWS, COLUMNS = (64, 96) if EMULATED else (2**15, 2**12)

ADD = "add { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b) }\n"
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
}
PROGRAMS = {
    "softmax": "softmax_4096x1024",
    "tanh(a·x + b)": "tanh_affine_16m",
    "x² − x, babybear": "square_minus_16m",
    "CartPole, table": "cartpole_table_stack",
    "CartPole, random numbers": "cartpole_rng_stack",
    "MLP layer": "mlp_layer_1024",
    "attention": "attention",
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
    lines = [f"# On a graphics processor\n\n{head}\n", "| program | time | moved | GB/s | of copies | kernels |", "|---|---:|---:|---:|---:|---:|"]
    modules = [(name, written(f"m{i}", text)) for i, (name, text) in enumerate(MODULES.items())]
    size = "module.hlo" if EMULATED else "full.hlo"
    modules += [(name, ROOT / "tests/programs" / folder / size) for name, folder in PROGRAMS.items()]
    runs = ["--max-runs", "3"] if EMULATED else []
    for name, module in modules:
        found, why = bench(module, *runs)
        if found is None:
            lines.append(f"| {name} | {why} | | | | |")
            continue
        gbps = found["gbps"]
        share = f"{100 * gbps / copy:.0f} %" if gbps and copy else ""
        moved = f"{found['bytes_moved'] / 2**20:.1f} MiB" if found["bytes_moved"] else ""
        rate = f"{gbps:.1f}" if gbps else ""
        lines.append(f"| {name} | {found['run_us']['median']:.1f} µs | {moved} | {rate} | {share} | {found['kernels']} |")
    lines.append("\n| host time of a call | µs | of each launch |\n|---|---:|---:|")
    for name, n in [("one small kernel", 1), ("a graph of 100", 100)]:
        found, why = bench(written(f"chain{n}", chain(n)), "--fusion", "off", *runs)
        us = found["submit_us"] if found else float("nan")
        assert found is None or found["launches"] == n, "each addition is a launch"
        lines.append(f"| {name} | {us:.2f} | {us / n:.2f} |" if found else f"| {name} | {why} | |")
    text = "\n".join(lines) + "\n"
    print(text)
    if not EMULATED:
        RESULTS.write_text(text)


main()
