"""The least time that a case can take on this machine, by loops of limits.c that run beside the measurements."""

import ctypes
import os
import pathlib
import subprocess

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent.parent / "target" / "bench" / "limits.so"
RATES = ("fma_f32", "fma_f64", "divide_f32", "sqrt_f32", "fma_s8", "fma_bf16")
_state = {}


def library():
    if "library" not in _state:
        BUILT.parent.mkdir(parents=True, exist_ok=True)
        if not BUILT.exists() or BUILT.stat().st_mtime < (HERE / "limits.c").stat().st_mtime:
            flags = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
            subprocess.run(["cc", *flags, str(HERE / "limits.c"), "-o", str(BUILT)], check=True)
        lib = ctypes.CDLL(str(BUILT))
        lib.lim_stream.restype = ctypes.c_double
        lib.lim_stream.argtypes = [ctypes.c_size_t] * 2 + [ctypes.c_int] * 4
        for name in RATES:
            getattr(lib, f"lim_{name}").restype = ctypes.c_double
        _state["library"] = lib
    return _state["library"]


def pinned(cores, function):
    """Calls the function with this process on those cores: the loops of the limits run where the peers do."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        return function()
    finally:
        os.sched_setaffinity(0, before)


def rates(threads):
    """1e9 operations a second, measured once a run."""
    if ("rates", threads) not in _state:
        _state["rates", threads] = {name: getattr(library(), f"lim_{name}")(threads) for name in RATES}
    return _state["rates", threads]


def interface(case, results):
    """Bytes of the inputs and of the results, each once."""
    import jax

    read = sum(np.asarray(x).nbytes for x in jax.tree.leaves(case.arrays()))
    return read, sum(x.nbytes for x in results)


def work(case):
    """Multiply-adds of f32 that the case takes at least (count.py), for rates of one thread."""
    import count
    from case import precision

    inputs = tuple(case.arrays())
    with precision(inputs):
        return count.Counter(rates(1), case.trips).of(case.jax, inputs)


def seconds(sizes, operations, threads):
    """The larger of streaming the bytes, with the better kind of stores, and of the arithmetic at full rate."""
    read, written = sizes
    passes = 3 if read + written > 1 << 26 else 9
    streams = [library().lim_stream(read, written, streaming, 1, threads, passes) for streaming in (0, 1)]
    memory = min((s for s in streams if s > 0), default=0.0)
    return max(memory, operations / (rates(threads)["fma_f32"] * 1e9))
