"""A case of the benchmark: a function of arrays, written for JAX and, where they have it, for torch and numpy."""

import contextlib
import dataclasses
import typing

import numpy as np


@dataclasses.dataclass(frozen=True)
class Array:
    """An input: standard normal numbers unless `fill` says otherwise; integers below `below`."""

    shape: tuple
    dtype: str = "float32"
    below: int = 100
    fill: typing.Callable = None

    def make(self, random):
        if self.fill is not None:
            return np.asarray(self.fill(random, self.shape)).astype(self.dtype)
        if self.dtype.startswith(("int", "uint")):
            return random.integers(0, self.below, self.shape).astype(self.dtype)
        if self.dtype == "bool":
            return random.random(self.shape) < 0.5
        values = random.standard_normal(self.shape)
        if self.dtype.startswith("complex"):
            values = values + 1j * random.standard_normal(self.shape)
        if self.dtype == "bfloat16":
            import ml_dtypes  # numpy has no bfloat16 of its own

            return values.astype(ml_dtypes.bfloat16)
        return values.astype(self.dtype)


def positive(random, shape):
    return np.abs(random.standard_normal(shape)) + 0.5


def weights(random, shape):
    """As of a layer at its start: products keep the size of what they multiply."""
    return random.standard_normal(shape) * shape[-2] ** -0.5


def ascending(random, shape):
    return np.sort(random.standard_normal(shape), axis=-1)


def definite(random, shape):
    a = random.standard_normal(shape)
    return a @ np.swapaxes(a, -1, -2) / shape[-1] + np.eye(shape[-1])


@dataclasses.dataclass(frozen=True)
class Case:
    """`torch` and `numpy` take and give what `jax` does, in their arrays; a peer without a function does not take part.

    `tolerance` is relative to the largest element of a result; None: results are not compared (the program leaves them
    open). `mismatch` is the share of elements that may differ by more, where rounding decides (escape counts). `trips` says
    how often loops run whose number of trips is found at run time.
    """

    name: str
    group: str
    inputs: tuple
    jax: typing.Callable
    torch: typing.Callable = None
    numpy: typing.Callable = None
    tolerance: float = 1e-4
    mismatch: float = 0.0
    trips: int = 1

    def arrays(self):
        random = np.random.default_rng(0)
        return [spec.make(random) for spec in self.inputs]


def precision(inputs):
    """A context in which JAX computes in the types of the inputs: in those of 64 bits only where it is told to."""
    import jax

    wide = any(str(getattr(x, "dtype", "")) in ("float64", "int64", "uint64", "complex128") for x in jax.tree.leaves(inputs))
    return jax.enable_x64(True) if wide else contextlib.nullcontext()


class Table:
    """The cases of a class, in the order in which they were written."""

    def __init__(self, group):
        self.group = group
        self.cases = []

    def add(self, name, inputs, jax, torch=None, numpy=None, **more):
        self.cases.append(Case(name, self.group, tuple(inputs), jax, torch, numpy, **more))


def f32(*shape):
    return Array(shape)


def ints(below, *shape, dtype="int32"):
    return Array(shape, dtype, below)
