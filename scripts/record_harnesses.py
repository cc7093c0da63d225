"""Records JAX's primitive harnesses, which the jax wheel has, as StableHLO with XLA:CPU's results, into a folder.

Files as `record_stablehlo.py` makes them: text, an artifact of the version that plugins ask for, and values. What does not
lower for a platform that JAX does not know is named at the end. `make harnesses` runs it and reads the folder.
With `complex` those alone that take or give complex numbers.
Run: scripts/python.sh scripts/record_harnesses.py FOLDER [x64] [complex] [PART/PARTS]
"""

import os
import re
import sys
import warnings
from collections import Counter

import jax
import numpy as np
import record_stablehlo as recorder
from jax._src.interpreters import mlir
from jaxlib._jax import mlir as xla

PIN = "1.10.0"
warnings.filterwarnings("ignore")


KINDS = "float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int4 uint4 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128".split()


def is_complex(value):
    return "complex" in str(getattr(value, "dtype", ""))


def record(folder, name, harness, rng, complex_only):
    arguments = harness.dyn_args_maker(rng)
    f = jax.jit(harness.dyn_fun, keep_unused=True)
    if complex_only and not any(map(is_complex, jax.tree.leaves((arguments, jax.eval_shape(f, *arguments))))):
        return "real"
    lowered = f.trace(*arguments).lower(lowering_platforms=("lawson",))
    artifact = xla.serialize_portable_artifact(mlir.module_to_bytecode(lowered.compiler_ir("stablehlo")), PIN, True)
    results = jax.tree.leaves(f(*arguments))
    leaves = jax.tree.leaves(arguments)
    if not all(str(jax.numpy.asarray(a).dtype) in KINDS for a in leaves + results):
        return "other element types"
    with open(f"{folder}/{name}.mlir", "w") as out:
        out.write(lowered.as_text())
    with open(f"{folder}/{name}.{PIN}.mlir.bc", "wb") as out:
        out.write(artifact)
    with open(f"{folder}/{name}.txt", "w") as out:
        for kind, values in [("arg", leaves), ("out", results)]:
            for i, value in enumerate(values):
                out.write(recorder.value_line(f"{kind}{i}", jax.numpy.asarray(value)) + "\n")
    return "recorded"


def main(folder, *options):
    jax.config.update("jax_enable_x64", "x64" in options)
    from jax._src.internal_test_util import test_harnesses

    part, parts = next((map(int, o.split("/")) for o in options if "/" in o), (0, 1))
    os.makedirs(folder, exist_ok=True)
    outcomes = Counter()
    for number, harness in enumerate(test_harnesses.all_harnesses):
        if number % parts != part:
            continue
        name = re.sub(r"[^A-Za-z0-9_]+", "_", f"{harness.group_name}-{harness.name}")[:150] + f"_{number}"
        try:
            outcomes[record(folder, name, harness, np.random.RandomState(0), "complex" in options)] += 1
        except Exception as e:
            outcomes[f"{type(e).__name__}: {str(e).splitlines()[0][:90] if str(e) else ''}"] += 1
    for outcome, count in outcomes.most_common():
        print(count, outcome)


if __name__ == "__main__":
    main(*sys.argv[1:])
