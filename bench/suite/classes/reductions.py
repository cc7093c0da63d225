"""Reductions over every position of the axis, of long and short rows, in several types."""

import jax
import jax.numpy as jnp
import numpy as np

from case import Array, Table, f32, ints

TABLE = Table("reductions")


def reduction(name, shape, axis, function="sum", dtype="float32", below=100, tolerance=1e-4):
    axes = (axis,) if isinstance(axis, int) else axis
    names = {"sum": ("sum", "sum"), "max": ("max", "amax"), "mean": ("mean", "mean")}[function]
    torch_function = None
    if not dtype.startswith("uint"):
        torch_function = lambda torch: lambda x: getattr(torch, names[1])(x, axes or tuple(range(x.dim())))  # noqa: E731
    TABLE.add(name, [Array(shape, dtype, below)], lambda x: getattr(jnp, names[0])(x, axes), torch_function,
              None if dtype == "bfloat16" else lambda x: getattr(np, names[0])(x, axes, dtype=x.dtype) if function == "sum"
              else getattr(np, names[0])(x, axes), tolerance=tolerance)


reduction("sum_16m", (1 << 24,), None, tolerance=1e-3)
reduction("sum_64k", (1 << 16,), None, tolerance=1e-3)
reduction("sum_of_rows", (4096, 1024), 1)
reduction("sum_of_columns", (4096, 1024), 0)
reduction("sum_of_middle", (64, 256, 256), 1)
reduction("sum_of_outer_and_inner", (64, 256, 256), (0, 2))
reduction("sum_of_rows_of_8", (1 << 18, 8), 1)
reduction("sum_of_rows_of_3", (1 << 18, 3), 1)
reduction("sum_of_columns_of_8", (1 << 18, 8), 0, tolerance=1e-3)
reduction("sum_of_long_rows", (16, 1 << 18), 1, tolerance=1e-3)
reduction("max_of_rows", (4096, 1024), 1, "max")
reduction("max_of_columns", (4096, 1024), 0, "max")
reduction("mean_of_pixels", (32, 56, 56, 64), (1, 2), "mean")
reduction("sum_of_rows_f64", (2048, 1024), 1, dtype="float64")
reduction("sum_of_rows_s32", (4096, 1024), 1, dtype="int32")
reduction("max_of_rows_bf16", (4096, 1024), 1, "max", "bfloat16", tolerance=1e-2)

TABLE.add("argmax_of_rows", [f32(4096, 1024)], lambda x: jnp.argmax(x, 1), lambda torch: lambda x: torch.argmax(x, 1),
          lambda x: np.argmax(x, 1))
TABLE.add("all_positive", [f32(1 << 22)], lambda x: jnp.all(x > -9.0), lambda torch: lambda x: torch.all(x > -9.0),
          lambda x: np.all(x > -9.0))
TABLE.add("count_even", [ints(1000, 1 << 22)], lambda x: jnp.sum(x % 2 == 0), lambda torch: lambda x: torch.sum(x % 2 == 0),
          lambda x: np.sum(x % 2 == 0))
TABLE.add("variance_of_rows", [f32(4096, 1024)], lambda x: jnp.var(x, 1),
          lambda torch: lambda x: torch.var(x, 1, correction=0), lambda x: np.var(x, 1))
TABLE.add("norm", [f32(1 << 22)], lambda x: jnp.sqrt(jnp.sum(x * x)), lambda torch: lambda x: torch.sqrt(torch.sum(x * x)),
          lambda x: np.sqrt(np.sum(x * x)))
TABLE.add("logsumexp_of_rows", [f32(4096, 1024)], lambda x: jax.nn.logsumexp(x, 1), lambda torch: lambda x: torch.logsumexp(x, 1))
TABLE.add("sum_of_exp_of_columns_read_as_rows", [f32(4096, 4096)], lambda x: jnp.exp(x.T).sum(1),
          lambda torch: lambda x: torch.exp(x.T).sum(1), lambda x: np.exp(x.T).sum(1))
