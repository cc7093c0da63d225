"""Gathers and scatters of elements, rows and windows."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from case import Table, f32, ints

TABLE = Table("indexing")


def add_at(into, index, values):
    out = into.copy()
    np.add.at(out, index, values)
    return out


TABLE.add("gather_rows", [f32(50000, 256), ints(50000, 8192)], lambda t, i: t[i], lambda torch: lambda t, i: t[i], lambda t, i: t[i])
TABLE.add("gather_short_rows", [f32(50000, 16), ints(50000, 65536)], lambda t, i: t[i], lambda torch: lambda t, i: t[i],
          lambda t, i: t[i])
TABLE.add("gather_elements", [f32(1 << 20), ints(1 << 20, 1 << 20)], lambda t, i: t[i], lambda torch: lambda t, i: t[i],
          lambda t, i: t[i])
TABLE.add("gather_columns", [f32(2048, 2048), ints(2048, 512)], lambda t, i: t[:, i], lambda torch: lambda t, i: t[:, i],
          lambda t, i: t[:, i])
TABLE.add("take_along_axis", [f32(4096, 256), ints(256, 4096, 64, dtype="int32")], lambda x, i: jnp.take_along_axis(x, i, 1),
          lambda torch: lambda x, i: torch.take_along_dim(x, i.long(), 1), lambda x, i: np.take_along_axis(x, i, 1))
TABLE.add("embedding_bag", [f32(50000, 64), ints(50000, 4096, 20)], lambda t, i: t[i].sum(1), lambda torch: lambda t, i: t[i].sum(1),
          lambda t, i: t[i].sum(1))
TABLE.add("pick_labels", [f32(4096, 1000), ints(1000, 4096)], lambda x, i: jnp.take_along_axis(x, i[:, None], 1)[:, 0],
          lambda torch: lambda x, i: torch.take_along_dim(x, i.long()[:, None], 1)[:, 0],
          lambda x, i: np.take_along_axis(x, i[:, None], 1)[:, 0])
TABLE.add("dynamic_slice", [f32(4096, 1024), ints(100, 2)], lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (2048, 512)) * 2)
TABLE.add("dynamic_update_slice", [f32(2048, 1024), f32(16, 1024), ints(100, 1)],
          lambda x, y, i: lax.dynamic_update_slice(x, y, (i[0], 0)))
TABLE.add("scatter_add_rows", [f32(10000, 64), ints(10000, 16384), f32(16384, 64)], lambda t, i, u: t.at[i].add(u),
          lambda torch: lambda t, i, u: t.index_add(0, i, u), add_at, tolerance=1e-3)
TABLE.add("scatter_set_rows", [f32(10000, 64), ints(10000, 4096, dtype="int32"), f32(4096, 64)],
          lambda t, i, u: t.at[i].set(u, unique_indices=False), tolerance=None)
TABLE.add("scatter_add_elements", [f32(4096), ints(4096, 1 << 18), f32(1 << 18)], lambda t, i, u: t.at[i].add(u),
          lambda torch: lambda t, i, u: t.index_add(0, i, u), add_at, tolerance=1e-3)
TABLE.add("segment_sum", [f32(65536, 32), ints(1000, 65536)], lambda x, i: jax.ops.segment_sum(x, i, 1000),
          lambda torch: lambda x, i: torch.zeros(1000, 32).index_add_(0, i, x), tolerance=1e-3)
TABLE.add("segment_max", [f32(65536, 16), ints(1000, 65536)], lambda x, i: jax.ops.segment_max(x, i, 1000))
TABLE.add("embedding_gradient", [f32(10000, 64), ints(10000, 8192), f32(8192, 64)],
          lambda t, i, g: jax.vjp(lambda t: t[i], t)[1](g)[0], None, tolerance=1e-3)
TABLE.add("one_hot", [ints(1000, 4096)], lambda i: jax.nn.one_hot(i, 1000),
          lambda torch: lambda i: torch.nn.functional.one_hot(i.long(), 1000).float())
TABLE.add("windows_at_places", [f32(512, 512), ints(448, 256, 2)],
          lambda x, i: jax.vmap(lambda p: lax.dynamic_slice(x, (p[0], p[1]), (16, 16)))(i))
