"""One peer in a process of its own: reads commands, one JSON object a line, and answers each with one.

    worker.py PEER

prepare CASE: compiles and runs once; says how long that took and leaves the results in a file.
time SECONDS: calls for so long; gives the seconds of each call, several short calls as one.
"""

import json
import os
import sys
import time
import traceback

import numpy as np

import cases
from case import precision


class Jax:
    """Lawson's plugin and XLA:CPU: the same code; the environment decides which of them is there."""

    def __init__(self, platform):
        import jax

        self.jax, self.device = jax, jax.devices(platform)[0]

    def prepare(self, case, inputs):
        jax = self.jax
        with precision(inputs):
            self.arguments = jax.device_put(tuple(inputs), self.device)
            run = jax.jit(case.jax)
            lowered = run.lower(*self.arguments)
            start = time.perf_counter()
            self.run = lowered.compile()
            compile_s = time.perf_counter() - start
            out = jax.block_until_ready(self.run(*self.arguments))
            return compile_s, [np.asarray(x) for x in jax.tree.leaves(out)]

    def call(self):
        self.jax.block_until_ready(self.run(*self.arguments))


class Torch:
    def __init__(self, compiled):
        import torch

        self.torch, self.compiled = torch, compiled
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        torch.set_grad_enabled(False)

    def prepare(self, case, inputs):
        if case.torch is None:
            raise LookupError("no form for torch")
        torch = self.torch
        self.arguments = [tensor(torch, x) for x in inputs]
        self.run = case.torch(torch)
        start = time.perf_counter()
        if self.compiled:
            torch._dynamo.reset()
            self.run = torch.compile(self.run)
        out = self.run(*self.arguments)
        compile_s = time.perf_counter() - start
        out = out if isinstance(out, (tuple, list)) else [out]
        return compile_s, [(x.float() if x.dtype == torch.bfloat16 else x).numpy() for x in out]

    def call(self):
        self.run(*self.arguments)


def tensor(torch, x):
    if x.dtype.name == "bfloat16":
        return torch.from_numpy(x.astype(np.float32)).to(torch.bfloat16)
    return torch.from_numpy(np.ascontiguousarray(x))


class Numpy:
    def prepare(self, case, inputs):
        if case.numpy is None:
            raise LookupError("no form for numpy")
        self.run, self.arguments = case.numpy, inputs
        out = self.run(*inputs)
        return 0.0, [np.asarray(x) for x in (out if isinstance(out, (tuple, list)) else [out])]

    def call(self):
        self.run(*self.arguments)


class Iree:
    """IREE's compiler and runtime on the StableHLO that JAX makes of the case."""

    def __init__(self):
        import iree.compiler
        import iree.runtime
        import jax

        self.jax, self.compiler, self.runtime = jax, iree.compiler, iree.runtime
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) > 1:
            iree.runtime.flags.parse_flags("--task_topology_cpu_ids=" + ",".join(map(str, cores)))
        self.config = iree.runtime.Config("local-task" if len(cores) > 1 else "local-sync")

    def prepare(self, case, inputs):
        with precision(inputs):
            text = str(self.jax.jit(case.jax).lower(*inputs).compiler_ir("stablehlo"))
            leaves = self.jax.tree.leaves(inputs)
        start = time.perf_counter()
        flat = self.compiler.compile_str(
            text, target_backends=["llvm-cpu"], input_type="stablehlo", extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
        compile_s = time.perf_counter() - start
        context = self.runtime.SystemContext(config=self.config)
        context.add_vm_module(self.runtime.VmModule.copy_buffer(context.instance, flat))
        module = next(m for name, m in context.modules.items() if name not in ("hal",))
        self.run = module["main"]
        self.arguments = [self.runtime.asdevicearray(self.config.device, np.asarray(x)) for x in leaves]
        out = self.run(*self.arguments)
        out = out if isinstance(out, (tuple, list)) else [out]
        results = [np.asarray(x.to_host() if hasattr(x, "to_host") else x) for x in out]
        if any(a.to_host().tobytes() != np.asarray(x).tobytes() for a, x in zip(self.arguments, leaves, strict=True)):
            # Without a copy it is another function.
            raise ValueError("it writes its results into its arguments")
        return compile_s, results

    def call(self):
        self.run(*self.arguments)


PEERS = {
    "lawson": lambda: Jax("lawson"),
    "xla": lambda: Jax("cpu"),
    "xla-warm": lambda: Jax("cpu"),
    "torch": lambda: Torch(False),
    "torch-compile": lambda: Torch(True),
    "iree": Iree,
    "numpy": Numpy,
}


def seconds_of_calls(call, budget):
    """Seconds of a call, again and again until `budget` is spent; calls under 50 µs are timed several at once."""
    start = time.perf_counter()
    call()
    once = time.perf_counter() - start
    together = max(1, int(50e-6 / max(once, 1e-7)))
    found, until = [], time.perf_counter() + budget
    while time.perf_counter() < until or len(found) < 3:
        start = time.perf_counter()
        for _ in range(together):
            call()
        found.append((time.perf_counter() - start) / together)
    return found


def main():
    # What libraries print goes to standard error: standard output is for answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    every, peer = {**cases.every(), **cases.everyday()}, PEERS[sys.argv[1]]()
    print(json.dumps({"ready": sys.argv[1]}), file=answers, flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        try:
            if "prepare" in command:
                case = every[command["prepare"]]
                compile_s, out = peer.prepare(case, case.arrays())
                np.savez(command["into"], **{f"out{n}": x.astype(np.float32) if x.dtype.name == "bfloat16" else x for n, x in enumerate(out)})
                answer = {"compile_s": compile_s}
            else:
                answer = {"seconds": seconds_of_calls(peer.call, command["time"])}
        except LookupError as error:
            answer = {"absent": str(error)}
        except Exception as error:  # A peer that cannot run a case is a row of the table, not the end of the run.
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
            traceback.print_exc()
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
