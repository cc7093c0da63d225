#!/usr/bin/env python3
"""Lawson beside its peers over programs and single operations: `make bench`.

    bench/suite/run.py [--class PART] [--threads 1,2] [--peers NAME,...] [--seconds S] [--rounds N] [--everyday]

Each peer is a process of its own, pinned to as many cores as there are threads. The peers take turns on a case, several
rounds each; the time of a peer is the median over rounds of the round's least call. Between the rounds the machine's
limits are measured (limits.c). What is measured goes to target/bench at once, a line for each case, and a run that was
stopped goes on from there; `--again` starts anew. A run of all cases with all peers and both numbers of threads
writes bench/results/suite.md and its plots (report.py); a part is printed.

A peer that takes longer than LONGEST over one answer is ended, begun anew, and has no time in that row. A peer that is
not installed does not take part, and the table says so. JAX comes by scripts/python.sh; the others by
`pip install torch iree-base-compiler iree-base-runtime` into that Python.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import limits
import report

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "bench"))
from peer_process import PeerProcess  # noqa: E402

FOUND = ROOT / "target" / "bench"
PEERS = {"lawson": "jax", "xla": "jax", "xla-warm": "jax", "torch": "torch", "torch-compile": "torch", "iree": "iree.compiler", "numpy": "numpy"}
# Seconds: torch.compile needs half as many when it compiles for the first time; IREE sorts in quadratic time.
LONGEST = 45
# A malloc that keeps what is freed and asks for 2 MiB pages: XLA without the cost of fresh pages.
WARM = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=8589934592:glibc.malloc.trim_threshold=8589934592:glibc.malloc.top_pad=268435456"


class Peer(PeerProcess):
    def __init__(self, name, cores, library):
        environment = dict(os.environ, OMP_NUM_THREADS=str(len(cores)), TF_CPP_MIN_LOG_LEVEL="2", JAX_PLATFORMS="cpu")
        if name == "lawson":
            environment.update(JAX_PLATFORMS="lawson,cpu", LAWSON_LIBRARY=str(library), PYTHONPATH=str(ROOT / "python"))
        if name == "xla-warm":
            environment["GLIBC_TUNABLES"] = WARM
        self.name = name
        command = [sys.executable, str(pathlib.Path(__file__).parent / "worker.py"), name]
        pinned = lambda: os.sched_setaffinity(0, cores)  # noqa: E731
        super().__init__(command, FOUND / f"{name}.log", LONGEST, env=environment, preexec_fn=pinned)


def disagreement(case, out, expected):
    """What is wrong with a result, or None. Differences are relative to the largest element of each array."""
    if case.tolerance is None:
        return None
    if len(out) != len(expected) or any(a.size != b.size for a, b in zip(out, expected, strict=True)):
        return "its results have other shapes"
    for a, b in zip(out, expected, strict=True):
        kind = np.complex128 if np.iscomplexobj(b) else np.float64
        a, b = a.astype(kind).reshape(b.shape), b.astype(kind)
        finite = np.isfinite(b)
        if not np.array_equal(np.isfinite(a), finite):
            return "its infinities and NaNs are at other places"
        scale = max(float(np.max(np.abs(b[finite]), initial=0.0)), 1e-30)
        apart = np.abs(a - b)[finite] / scale
        if np.mean(apart > case.tolerance) > case.mismatch:
            return f"its values differ by {np.max(apart):.1e}"
    return None


def arrays_of(path):
    with np.load(path) as file:
        return [file[name] for name in sorted(file.files, key=lambda n: int(n[3:]))]


def measured(name, case, peers, threads, options, folder):
    """One line of the results: seconds of each peer, compile time, limits."""
    line = {"case": name, "group": case.group, "threads": threads, "peers": {}}
    ready, results = [], {}
    for peer in peers:
        into = folder / f"{peer.name}.npz"
        answer = peer.ask(prepare=name, into=str(into))
        line["peers"][peer.name] = answer
        if "compile_s" in answer:
            ready.append(peer)
            results[peer.name] = arrays_of(into)
    reference = results.get("xla") or results.get("lawson")
    for peer in list(ready):
        found = disagreement(case, results[peer.name], reference)
        if found:
            line["peers"][peer.name]["error"] = found
            ready.remove(peer)
    sizes = limits.interface(case, reference or [])
    work = limits.work(case)
    rounds, bounds = {p.name: [] for p in ready}, []
    order = random.Random(name)
    for _ in range(options.rounds):
        bounds.append(limits.seconds(sizes, work, threads))
        # Whoever comes first, or after a certain peer, would find the machine in a state of its own.
        for peer in order.sample(ready, len(ready)):
            seconds = peer.ask(time=options.seconds).get("seconds")
            if seconds:
                rounds[peer.name].append(min(seconds))
    for peer in ready:
        if rounds[peer.name]:
            line["peers"][peer.name]["seconds"] = statistics.median(rounds[peer.name])
    line["limit"] = statistics.median(bounds)
    return line


def installed(module):
    code = f"import {module}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--class", dest="part", default="", help="only cases whose `class/name` has this in it; several with commas")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--seconds", type=float, default=0.03, help="for each peer, round and case")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--library", default=str(ROOT / "target" / "release" / "liblawson_pjrt.so"))
    parser.add_argument("--everyday", action="store_true", help="the programs of everyday.py and everyday_more.py and the operations of grid.py, library.py and loops.py instead; writes to target/bench alone")
    parser.add_argument("--again", action="store_true", help="forget what was measured before")
    options = parser.parse_args()

    import cases

    FOUND.mkdir(parents=True, exist_ok=True)
    file = FOUND / ("everyday.jsonl" if options.everyday else "suite.jsonl")
    if options.again:
        file.unlink(missing_ok=True)
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(line["case"], line["threads"]) for line in lines}
    every = cases.everyday() if options.everyday else cases.every()
    wanted = [n for n in every if not options.part or any(p in n for p in options.part.split(","))]
    names = [n for n in options.peers.split(",") if n in PEERS]
    have = {module: installed(module) for module in {PEERS[n] for n in names}}
    missing = [n for n in names if not have[PEERS[n]]]
    if missing:
        print(f"not installed, so not measured: {', '.join(missing)}", file=sys.stderr)
    if "lawson" in names and not pathlib.Path(options.library).exists():
        sys.exit(f"{options.library} is missing: build it with `make plugin`, or name one with --library")
    for threads in map(int, options.threads.split(",")):
        todo = [n for n in wanted if (n, threads) not in known]
        if not todo:
            continue
        cores = sorted(os.sched_getaffinity(0))[-threads:]
        peers = [Peer(n, cores, options.library) for n in names if n not in missing]
        with tempfile.TemporaryDirectory() as folder, file.open("a") as out:
            for number, name in enumerate(todo):
                print(f"[{number + 1}/{len(todo)}] {name}, {threads} thread{'s' * (threads > 1)}", file=sys.stderr, flush=True)
                line = limits.pinned(cores, lambda: measured(name, every[name], peers, threads, options, pathlib.Path(folder)))
                lines.append(line)
                print(json.dumps(line), file=out, flush=True)
        for peer in peers:
            peer.end()
    # What the repository keeps has all cases, all peers, and both numbers of threads.
    usual = all(getattr(options, name) == parser.get_default(name) for name in ("part", "peers", "threads", "everyday"))
    report.write([line for line in lines if line["case"] in wanted], missing, whole=usual)


if __name__ == "__main__":
    main()
