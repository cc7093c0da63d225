"""A peer of Lawson on a graphics processor, in a process of its own: XLA:GPU through JAX, or torch.compile.

    gpu_peers.py jax|torch

Reads commands, one JSON object a line, and answers each with one: {"name", "stablehlo": path, "precision": "highest"|"default"}.
The answer has `queued_us`, the time of a call among many that are submitted one after the other and waited for together, as
`lawson bench` has it, or says why there is none. XLA runs the StableHLO that Lawson writes of the module.
"""

import dataclasses
import json
import os
import re
import statistics
import sys
import time

import numpy as np

TURN = 0.02
TURNS = 5
DTYPES = {"i1": "bool", "i8": "int8", "i32": "int32", "i64": "int64", "ui8": "uint8", "ui32": "uint32", "ui64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def types(text):
    """Shapes and types of arguments and results, of the function `main`."""
    head = re.search(r'func\.func public @"?main"?\((.*?)\) -> \((.*?)\) \{\n', text, re.S) or re.search(r'func\.func public @"?main"?\((.*?)\) -> (\S+) \{\n', text, re.S)
    both = []
    for part in head.groups():
        found = re.findall(r"tensor<((?:\d+x)*)(\w+)>", part)
        both.append([(tuple(map(int, dims.split("x")[:-1])), DTYPES[element]) for dims, element in found])
    return both


def array(random, shape, dtype):
    if dtype in ("float32", "float16", "bfloat16", "float64"):
        import ml_dtypes

        return random.standard_normal(shape, dtype=np.float32).astype(np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else dtype)
    most = 2 if dtype == "bool" else 10 if dtype.startswith("int") else 2**8
    return random.integers(0, most, size=shape).astype(dtype)


def timed(call, wait):
    """Seconds of a call in a queue."""
    wait(call())
    start = time.perf_counter()
    wait(call())
    calls = int(min(max(TURN / (time.perf_counter() - start), 2), 1000))
    found = []
    for _ in range(TURNS):
        start = time.perf_counter()
        for _ in range(calls):
            last = call()
        wait(last)
        found.append((time.perf_counter() - start) / calls)
    return statistics.median(found)


class Jax:
    def __init__(self):
        import jax

        # So that modules with 64-bit types are what they say.
        jax.config.update("jax_enable_x64", True)
        self.jax, self.device = jax, jax.devices()[0]
        self.platform = "cuda" if self.device.platform == "gpu" else self.device.platform

    def name(self):
        return f"JAX {self.jax.__version__}, {self.device.device_kind}"

    def function(self, command):
        import jax.export
        import jax.numpy as jnp
        from jaxlib.mlir.dialects import stablehlo

        text = open(command["stablehlo"]).read()
        if command["precision"] == "highest":
            both = "[#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"
            text = re.sub(r"(dot_dimension_numbers = #stablehlo\.dot<[^>]*>)", rf"\1, precision_config = {both}", text)
            text = re.sub(r'("stablehlo\.convolution"\([^)]*\) <\{)', rf"\1precision_config = {both}, ", text)
        takes, gives = types(text)
        specs = [self.jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in takes]

        def stub(*_):
            return [jnp.zeros(shape, dtype) for shape, dtype in gives]

        exported = jax.export.export(self.jax.jit(stub, keep_unused=True), platforms=[self.platform])(*specs)
        code = stablehlo.serialize_portable_artifact_str(text, stablehlo.get_minimum_version())
        exported = dataclasses.replace(exported, mlir_module_serialized=code)
        random = np.random.default_rng(0)
        arguments = self.jax.device_put([array(random, *t) for t in takes], self.device)
        run = self.jax.jit(exported.call)
        start = time.perf_counter()
        run = run.lower(*arguments).compile()
        compile_s = time.perf_counter() - start
        return (lambda: run(*arguments)), self.jax.block_until_ready, compile_s


def torch_forms(torch):
    """Programs of tests/programs and maps as torch has them; the others have none."""
    f = torch.nn.functional

    def attention(q, k, v):
        return f.scaled_dot_product_attention(q, k, v, is_causal=True)

    return {
        "map, x·x + y": lambda x, y: x * x + y,
        "sum of all": torch.sum,
        "sums of rows": lambda x: x.sum(1),
        "sums of columns": lambda x: x.sum(0),
        "transpose": lambda x: (-x.t()).contiguous(),
        "softmax_4096x1024": lambda x: torch.softmax(x, 1),
        "tanh_affine_16m": lambda a, b, x: torch.tanh(a * x + b),
        "gelu_bias": lambda x, b: f.gelu(x + b, approximate="tanh"),
        "column_sum": lambda x: x.sum(0),
        "sum_exp_16m": lambda x: torch.exp(x).sum(),
        "square_minus_16m": lambda x: x * x - x,
        "mlp_layer_1024": lambda x, w, b: torch.relu(x @ w + b),
        "mlp_layer_128x784x256": lambda x, w, b: torch.relu(x @ w + b),
        "attention": attention,
        "transpose_add": lambda x, y: (x.t() + y).contiguous(),
    }


class Torch:
    def __init__(self):
        import torch

        self.torch, self.forms = torch, torch_forms(torch)
        torch.set_grad_enabled(False)

    def name(self):
        return f"torch {self.torch.__version__}, {self.torch.cuda.get_device_name()}"

    def function(self, command):
        if command["name"] not in self.forms:
            raise LookupError("no form for torch")
        torch = self.torch
        torch.set_float32_matmul_precision("highest" if command["precision"] == "highest" else "high")
        takes, _ = types(open(command["stablehlo"]).read())
        random = np.random.default_rng(0)
        arguments = [torch.from_numpy(np.asarray(array(random, *t))).cuda() for t in takes]
        start = time.perf_counter()
        torch._dynamo.reset()
        run = torch.compile(self.forms[command["name"]])
        run(*arguments)
        torch.cuda.synchronize()
        return (lambda: run(*arguments)), (lambda _: torch.cuda.synchronize()), time.perf_counter() - start


def main():
    # What libraries print goes to standard error: standard output is for answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = {"jax": Jax, "torch": Torch}[sys.argv[1]]()
    print(json.dumps({"ready": peer.name()}), file=answers, flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        try:
            call, wait, compile_s = peer.function(command)
            answer = {"queued_us": 1e6 * timed(call, wait), "compile_s": compile_s}
        except LookupError as error:
            answer = {"absent": str(error)}
        except Exception as error:  # A peer that cannot run a program is a row of the table, not the end of the run.
            answer = {"error": (f"{type(error).__name__}: {error}".splitlines() or ["?"])[0][:200]}
        call = wait = None
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
