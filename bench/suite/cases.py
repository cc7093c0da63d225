"""All cases: the programs of tests/programs at full size, those of bench/layers.py, and single operations by class."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE, HERE / "classes", HERE.parent, HERE.parent.parent / "scripts"):
    sys.path.insert(0, str(folder))

import case  # noqa: E402

CLASSES = ("elementwise", "reductions", "movement", "sorting", "indexing", "products", "convolutions", "layers", "numerics")
# How often the loops of a program run whose number of trips the values decide: the mean over its lanes.
TRIPS = {"mandelbrot": 57}
# After so many steps roundings decide where a pole is: the tests compare fewer steps.
CHAOTIC = ("cartpole_table_stack", "cartpole_table_split", "cartpole_rng_stack")


class Program(case.Case):
    """A case whose inputs are made by the program itself: trees of arrays."""

    def arrays(self):
        return self.inputs


def operations():
    found = []
    for name in CLASSES:
        # "layers" of operations and bench/layers.py are two modules: this one is loaded by its file.
        found += load(HERE / "classes" / f"{name}.py", f"class_{name}").TABLE.cases
    return found


def programs():
    import regenerate_programs

    for name, entry in regenerate_programs.PROGRAMS.items():
        function, inputs = entry["make"](np.random.default_rng(0), **entry["full"])
        tolerance = None if name in CHAOTIC else max(entry["rtol"], 1e-3)
        yield Program(name, "programs", tuple(inputs), function, tolerance=tolerance, mismatch=entry["max_mismatch"],
                      trips=TRIPS.get(name, 1))
    layers = load(HERE.parent / "layers.py", "bench_layers")
    for name, (function, shapes, tolerance) in layers.PROGRAMS.items():
        yield Program(name, "layers of models", tuple(layers.arrays(shapes)), function, tolerance=tolerance)


def load(path, name):
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def every():
    """By a name that is unique: `class/name`."""
    return {f"{c.group}/{c.name}": c for c in [*operations(), *programs()]}


def everyday():
    """Likewise."""
    import everyday
    import everyday_more
    import grid
    import library
    import loops

    return {f"{c.group}/{c.name}": c for c in [*everyday.CASES, *everyday_more.CASES, *grid.CASES, *library.CASES, *loops.CASES]}
