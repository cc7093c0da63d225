#!/usr/bin/env python3
"""Writes the cases of the benchmark as JAX lowers them, for `lawson opt` and `lawson bench`.

    scripts/python.sh bench/suite/modules.py FOLDER [--class PART] [--everyday] [--inputs]

Each is StableHLO text, FOLDER/class_name.mlir; with `--inputs` class_name.npz beside it has the arrays that the benchmark runs it on. `--class` takes the cases whose `class/name` has PART in it; several parts with commas.
"""

import argparse
import os
import pathlib
import re
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import cases  # noqa: E402
import jax  # noqa: E402
import numpy as np  # noqa: E402
from case import precision  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--class", dest="part", default="", help="only cases whose `class/name` has this in it; several with commas")
    parser.add_argument("--everyday", action="store_true", help="the programs of everyday.py and everyday_more.py and the operations of grid.py, library.py and loops.py instead")
    parser.add_argument("--inputs", action="store_true", help="write the inputs, too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    every = cases.everyday() if options.everyday else cases.every()
    wanted = {n: c for n, c in every.items() if any(p in n for p in options.part.split(","))}
    for number, (name, case) in enumerate(wanted.items()):
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{len(wanted)} {name:<60}", end="", file=sys.stderr, flush=True)
        inputs = case.arrays()
        with precision(inputs):
            text = jax.jit(case.jax, keep_unused=True).lower(*inputs).as_text()
        path = options.folder / re.sub(r"[^A-Za-z0-9.+-]+", "_", name).strip("_")
        path.with_name(f"{path.name}.mlir").write_text(text)
        if options.inputs:
            np.savez(path.with_name(f"{path.name}.npz"), **{f"arg{n}": x for n, x in enumerate(jax.tree.leaves(inputs))})
    print()


if __name__ == "__main__":
    main()
