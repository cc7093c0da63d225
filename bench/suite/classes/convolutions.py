"""Convolutions of all kinds with their gradients, and pooling. Torch is given its own order, channels first."""

import jax
import jax.numpy as jnp
from jax import lax

from case import Array, Table, f32

TABLE = Table("convolutions")
LAST = ("NHWC", "HWIO", "NHWC")
FIRST = ("NCHW", "OIHW", "NCHW")


def kernel(random, shape):
    return random.standard_normal(shape) * 0.05


def convolved(x, w, stride=1, order=LAST, padding="SAME", **more):
    return lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=order, **more)


def convolution(name, x, w, function, torch=None, tolerance=1e-3):
    TABLE.add(name, [Array(x), Array(w, fill=kernel)], function, torch, tolerance=tolerance)


convolution("3x3", (8, 56, 56, 64), (3, 3, 64, 64), convolved)
convolution("3x3_channels_first", (8, 64, 56, 56), (64, 64, 3, 3), lambda x, w: convolved(x, w, order=FIRST),
            lambda torch: lambda x, w: torch.nn.functional.conv2d(x, w, padding=1))
convolution("3x3_stride_2", (8, 56, 56, 64), (3, 3, 64, 128), lambda x, w: convolved(x, w, 2))
convolution("7x7_of_3_channels", (4, 224, 224, 3), (7, 7, 3, 64), lambda x, w: convolved(x, w, 2))
convolution("7x7_of_3_channels_first", (4, 3, 224, 224), (64, 3, 7, 7),
            lambda x, w: convolved(x, w, 2, FIRST, ((3, 3), (3, 3))),
            lambda torch: lambda x, w: torch.nn.functional.conv2d(x, w, stride=2, padding=3))
convolution("1x1", (8, 28, 28, 256), (1, 1, 256, 128), convolved)
convolution("5x5_of_1_channel", (32, 28, 28, 1), (5, 5, 1, 32), convolved)
convolution("depthwise", (8, 56, 56, 64), (3, 3, 1, 64), lambda x, w: convolved(x, w, feature_group_count=64))
convolution("dilated", (4, 56, 56, 32), (3, 3, 32, 32), lambda x, w: convolved(x, w, rhs_dilation=(2, 2)))
convolution("transposed", (4, 28, 28, 64), (3, 3, 64, 32),
            lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME", dimension_numbers=LAST))
convolution("one_dimension", (16, 4096, 16), (9, 16, 32),
            lambda x, w: lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")))
convolution("gradient_of_input", (8, 28, 28, 64), (3, 3, 64, 64), lambda x, w: jax.vjp(lambda y: convolved(y, w), x)[1](x)[0])
convolution("gradient_of_kernel", (8, 28, 28, 64), (3, 3, 64, 64), lambda x, w: jax.vjp(lambda v: convolved(x, v), w)[1](x)[0])
TABLE.add("max_pool", [f32(8, 112, 112, 64)],
          lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"))
TABLE.add("average_pool", [f32(8, 112, 112, 64)],
          lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4)
TABLE.add("max_pool_gradient", [f32(8, 56, 56, 32)],
          lambda x: jax.grad(lambda y: lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum())(x))
