#!/usr/bin/env python3
"""Says which StableHLO texts JAX's own parser accepts.

    scripts/python.sh tests/jax_accepts.py FILE…   one line for each file that is refused; exit 1 if there is one
"""

import sys

from jax._src.interpreters import mlir
from jaxlib.mlir import ir

refused = 0
for path in sys.argv[1:]:
    with open(path) as file, mlir.make_ir_context():
        try:
            ir.Module.parse(file.read()).operation.verify()
        except ir.MLIRError as error:
            refused += 1
            print(f"{path}: " + " ".join(str(error).split())[:300])
print(f"{len(sys.argv) - 1 - refused} of {len(sys.argv) - 1} accepted")
sys.exit(refused > 0)
