"""Sorts, selections, searches, histograms, cumulative operations. Sorts are stable in every library."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from case import Array, Table, ascending, f32, ints

TABLE = Table("sorting")

for shape, what in (((1 << 20,), "1m"), ((1024, 1024), "rows"), ((1 << 16, 16), "short_rows")):
    TABLE.add(f"sort_{what}", [f32(*shape)], lambda x: jnp.sort(x, -1), lambda torch: lambda x: torch.sort(x, -1, stable=True)[0],
              lambda x: np.sort(x, -1))
    TABLE.add(f"argsort_{what}", [f32(*shape)], lambda x: jnp.argsort(x, -1),
              lambda torch: lambda x: torch.argsort(x, -1, stable=True), lambda x: np.argsort(x, -1, kind="stable"))
TABLE.add("sort_s32_1m", [ints(1 << 30, 1 << 20)], jnp.sort, lambda torch: lambda x: torch.sort(x, stable=True)[0], np.sort)
TABLE.add("sort_f64_rows", [Array((512, 1024), "float64")], lambda x: jnp.sort(x, -1),
          lambda torch: lambda x: torch.sort(x, -1, stable=True)[0], lambda x: np.sort(x, -1))
TABLE.add("sort_columns", [f32(1024, 512)], lambda x: jnp.sort(x, 0), lambda torch: lambda x: torch.sort(x, 0, stable=True)[0],
          lambda x: np.sort(x, 0))
TABLE.add("top_5_of_rows", [f32(512, 10000)], lambda x: lax.top_k(x, 5), lambda torch: lambda x: tuple(torch.topk(x, 5)))
TABLE.add("top_50_of_rows", [f32(128, 32000)], lambda x: lax.top_k(x, 50), lambda torch: lambda x: tuple(torch.topk(x, 50)))
TABLE.add("top_2_of_8_after_softmax", [f32(8192, 8)], lambda x: lax.top_k(jax.nn.softmax(x, -1), 2),
          lambda torch: lambda x: tuple(torch.topk(torch.softmax(x, -1), 2)))
TABLE.add("median_of_rows", [f32(512, 1025)], lambda x: jnp.median(x, 1), lambda torch: lambda x: torch.median(x, 1)[0],
          lambda x: np.median(x, 1))
TABLE.add("searchsorted", [Array((1 << 14,), fill=ascending), f32(1 << 18)], lambda a, v: jnp.searchsorted(a, v),
          lambda torch: lambda a, v: torch.searchsorted(a, v), lambda a, v: np.searchsorted(a, v))
TABLE.add("counts_of_bins", [ints(256, 1 << 20)], lambda x: jnp.bincount(x, length=256),
          lambda torch: lambda x: torch.bincount(x, minlength=256), lambda x: np.bincount(x, minlength=256))
TABLE.add("histogram", [f32(1 << 18)], lambda x: jnp.histogram(x, bins=64, range=(-4.0, 4.0))[0],
          lambda torch: lambda x: torch.histc(x, 64, -4.0, 4.0), lambda x: np.histogram(x, bins=64, range=(-4.0, 4.0))[0],
          tolerance=1e-3)
TABLE.add("cumsum_of_rows", [f32(1024, 4096)], lambda x: jnp.cumsum(x, 1), lambda torch: lambda x: torch.cumsum(x, 1),
          lambda x: np.cumsum(x, 1), tolerance=1e-3)
TABLE.add("cumsum_of_columns", [f32(4096, 1024)], lambda x: jnp.cumsum(x, 0), lambda torch: lambda x: torch.cumsum(x, 0),
          lambda x: np.cumsum(x, 0), tolerance=1e-3)
TABLE.add("cumsum_1m", [f32(1 << 20)], jnp.cumsum, lambda torch: lambda x: torch.cumsum(x, 0), np.cumsum, tolerance=1e-2)
TABLE.add("cumprod_of_rows", [Array((1024, 1024), fill=lambda r, s: 1 + 0.01 * r.standard_normal(s))],
          lambda x: jnp.cumprod(x, 1), lambda torch: lambda x: torch.cumprod(x, 1), lambda x: np.cumprod(x, 1), tolerance=1e-3)
TABLE.add("cummax_of_rows", [f32(1024, 4096)], lambda x: lax.cummax(x, 1), lambda torch: lambda x: torch.cummax(x, 1)[0],
          lambda x: np.maximum.accumulate(x, 1))
TABLE.add("differences", [f32(1024, 4096)], lambda x: jnp.diff(x, axis=1), lambda torch: lambda x: torch.diff(x, dim=1),
          lambda x: np.diff(x, axis=1))
