"""Operations that only move elements: transposes, splits, concatenations, pads, rolls, repeats, strides."""

import jax.numpy as jnp
import numpy as np

from case import Array, Table, f32, ints

TABLE = Table("movement")


def same(name, inputs, function, torch=True, **more):
    """A function that the three libraries spell alike; it is given the library's namespace."""
    TABLE.add(name, inputs, lambda *a: function(jnp, *a), (lambda torch: lambda *a: function(torch, *a)) if torch else None,
              lambda *a: np.ascontiguousarray(function(np, *a)), **more)


TABLE.add("transpose", [f32(2048, 2048)], lambda x: x.T + 0, lambda torch: lambda x: x.T.contiguous(),
          lambda x: np.ascontiguousarray(x.T))
TABLE.add("transpose_add", [f32(2048, 2048), f32(2048, 2048)], lambda x, y: x.T + y, lambda torch: lambda x, y: x.T + y,
          lambda x, y: x.T + y)
TABLE.add("transpose_of_blocks", [f32(64, 128, 256)], lambda x: jnp.transpose(x, (0, 2, 1)),
          lambda torch: lambda x: x.permute(0, 2, 1).contiguous(), lambda x: np.ascontiguousarray(x.transpose(0, 2, 1)))
TABLE.add("channels_last", [f32(16, 64, 56, 56)], lambda x: jnp.transpose(x, (0, 2, 3, 1)),
          lambda torch: lambda x: x.permute(0, 2, 3, 1).contiguous(), lambda x: np.ascontiguousarray(x.transpose(0, 2, 3, 1)))
TABLE.add("split_heads", [f32(8, 512, 1024)], lambda x: jnp.transpose(x.reshape(8, 512, 16, 64), (0, 2, 1, 3)),
          lambda torch: lambda x: x.reshape(8, 512, 16, 64).permute(0, 2, 1, 3).contiguous(),
          lambda x: np.ascontiguousarray(x.reshape(8, 512, 16, 64).transpose(0, 2, 1, 3)))
TABLE.add("transpose_s8", [ints(100, 2048, 2048, dtype="int8")], lambda x: x.T, lambda torch: lambda x: x.T.contiguous(),
          lambda x: np.ascontiguousarray(x.T))
same("even_and_odd_columns", [f32(2048, 2048)], lambda np_, x: x[:, ::2] + x[:, 1::2])
same("every_fourth_row", [f32(4096, 1024)], lambda np_, x: x[::4] * 2)
same("every_third_column", [f32(2048, 3072)], lambda np_, x: x[:, ::3] * 2)
same("concatenate_columns", [f32(2048, 512), f32(2048, 512)], lambda np_, a, b: np_.concatenate([a, b], 1))
same("concatenate_rows", [f32(2048, 512), f32(2048, 512)], lambda np_, a, b: np_.concatenate([a, b], 0))
same("stack_three", [f32(1 << 20), f32(1 << 20), f32(1 << 20)], lambda np_, a, b, c: np_.stack([a, b, c], -1))
same("roll_rows", [f32(2048, 1024)], lambda np_, x: np_.roll(x, 3, 0))
same("roll_columns", [f32(2048, 1024)], lambda np_, x: np_.roll(x, 3, 1))
same("reshape_and_add", [f32(1024, 2048), f32(2048, 1024)], lambda np_, a, b: a.reshape(2048, 1024) + b)
same("tile", [f32(1024, 64)], lambda np_, x: np_.tile(x, (1, 16)))
TABLE.add("pad_edges", [f32(64, 126, 126)], lambda x: jnp.pad(x, ((0, 0), (1, 1), (1, 1))),
          lambda torch: lambda x: torch.nn.functional.pad(x, (1, 1, 1, 1)), lambda x: np.pad(x, ((0, 0), (1, 1), (1, 1))))
TABLE.add("reverse_rows", [f32(2048, 1024)], lambda x: x[::-1], lambda torch: lambda x: torch.flip(x, (0,)),
          lambda x: np.ascontiguousarray(x[::-1]))
TABLE.add("reverse_columns", [f32(2048, 1024)], lambda x: x[:, ::-1], lambda torch: lambda x: torch.flip(x, (1,)),
          lambda x: np.ascontiguousarray(x[:, ::-1]))
TABLE.add("repeat_rows", [f32(1024, 1024)], lambda x: jnp.repeat(x, 4, 0), lambda torch: lambda x: torch.repeat_interleave(x, 4, 0),
          lambda x: np.repeat(x, 4, 0))
TABLE.add("upper_triangle", [f32(2048, 2048)], jnp.triu, lambda torch: torch.triu, np.triu)
TABLE.add("diagonal", [f32(4096, 4096)], jnp.diagonal, lambda torch: lambda x: torch.diagonal(x).contiguous(),
          lambda x: np.ascontiguousarray(np.diagonal(x)))
TABLE.add("to_s8_and_back", [Array((1 << 22,))], lambda x: (x * 10).astype(jnp.int8).astype(jnp.float32),
          lambda torch: lambda x: (x * 10).to(torch.int8).to(torch.float32),
          lambda x: (x * np.float32(10)).astype(np.int8).astype(np.float32))
