#!/usr/bin/env python3
"""What denormals cost: a batch of products in which a part of the elements of one operand are.

    bench/denormals.py [--lawson target/release/lawson]       needs numpy
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

MODULE = """HloModule products
ENTRY products {
  x = f32[16,32,128] parameter(0)
  y = f32[16,128,128] parameter(1)
  ROOT d = f32[16,32,128] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
"""
PARTS = (0.0, 0.01, 0.1)
DENORMAL = np.float32(1e-41)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lawson", default=str(pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "lawson"))
    options = parser.parse_args()
    random = np.random.default_rng(0)
    x = random.uniform(-1, 1, (16, 32, 128)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        module, inputs = pathlib.Path(folder, "products.hlo"), pathlib.Path(folder, "in.npz")
        module.write_text(MODULE)
        for part in PARTS:
            y = random.uniform(-1, 1, (16, 128, 128)).astype(np.float32)
            y[random.random(y.shape) < part] = DENORMAL
            np.savez(inputs, arg0=x, arg1=y)
            command = [options.lawson, "bench", str(module), "--inputs", str(inputs), "--threads", "1", "--json"]
            found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
            print(f"{part:5.0%} denormal: {found['run_us']['min']:8.1f} us")


if __name__ == "__main__":
    main()
