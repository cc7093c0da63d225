"""Products of all shapes and types: square, skinny, batched, transposed, matrix × vector."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from case import Array, Table, f32, ints, weights

TABLE = Table("products")


def product(name, left, right, dtype="float32", function=lambda a, b: a @ b, tolerance=1e-4, numpy=True):
    fill = None if dtype.startswith("int") else weights
    TABLE.add(name, [Array(left, dtype), Array(right, dtype, fill=fill if len(right) > 1 else None)], function,
              lambda torch: function, function if numpy else None, tolerance=tolerance)


product("square_128", (128, 128), (128, 128))
product("square_512", (512, 512), (512, 512))
product("square_1024", (1024, 1024), (1024, 1024))
product("square_1000", (1000, 1000), (1000, 1000))
product("f64_512", (512, 512), (512, 512), "float64")
product("bf16_512", (512, 512), (512, 512), "bfloat16", tolerance=3e-2, numpy=False)
product("f16_512", (512, 512), (512, 512), "float16", tolerance=1e-2, numpy=False)
product("c64_256", (256, 256), (256, 256), "complex64")
product("transposed_right_512", (512, 512), (512, 512), function=lambda a, b: a @ b.T)
product("transposed_left_512", (512, 512), (512, 512), function=lambda a, b: a.T @ b)
product("tall_times_small", (65536, 64), (64, 16))
product("few_rows", (4, 4096), (4096, 4096))
product("inner_of_long", (16, 65536), (65536, 16))
product("outer", (2048, 1), (1, 2048))
product("matrix_times_vector", (4096, 4096), (4096,))
product("matrix_times_vector_512", (512, 512), (512,))
product("matrix_times_vector_f64", (2048, 2048), (2048,), "float64")
product("vector_times_matrix", (4096,), (4096, 4096))
product("transposed_matrix_times_vector", (4096, 4096), (4096,), function=lambda a, b: a.T @ b)
product("batch_of_64", (256, 64, 64), (256, 64, 64))
product("batch_of_4x4", (65536, 4, 4), (65536, 4, 4))
product("batch_of_matrix_times_vector", (256, 128, 128), (256, 128, 1))
product("dot_of_vectors", (1 << 22,), (1 << 22,), tolerance=1e-3)
TABLE.add("s8_512", [ints(100, 512, 512, dtype="int8"), ints(100, 512, 512, dtype="int8")],
          lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32),
          lambda torch: lambda a, b: torch._int_mm(a, b))
TABLE.add("bias_and_relu", [f32(1024, 1024), Array((1024, 1024), fill=weights), f32(1024)],
          lambda x, w, b: jnp.maximum(x @ w + b, 0), lambda torch: lambda x, w, b: torch.relu(x @ w + b),
          lambda x, w, b: np.maximum(x @ w + b, 0))
TABLE.add("einsum_bilinear", [f32(64, 128, 32), f32(32, 32), f32(64, 128, 32)],
          lambda a, w, b: jnp.einsum("bni,ij,bmj->bnm", a, w, b),
          lambda torch: lambda a, w, b: torch.einsum("bni,ij,bmj->bnm", a, w, b), tolerance=1e-3)
