"""Elementwise operations: elementary functions, arithmetic of all types, comparisons."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from case import Array, Table, f32, ints, positive

TABLE = Table("elementwise")
MILLION = 1 << 20
SIXTEEN = 1 << 24


def unary(name, jax_function, torch_name=None, numpy_function=None, fill=None, n=MILLION, dtype="float32", **more):
    torch_function = (lambda torch: lambda x: getattr(torch, torch_name)(x)) if torch_name else None
    TABLE.add(name, [Array((n,), dtype, fill=fill)], jax_function, torch_function, numpy_function, **more)


unary("exp", jnp.exp, "exp", np.exp)
unary("log", jnp.log, "log", np.log, positive)
unary("sin", jnp.sin, "sin", np.sin)
unary("tanh", jnp.tanh, "tanh", np.tanh)
unary("erf", lax.erf, "erf")
unary("sqrt", jnp.sqrt, "sqrt", np.sqrt, positive)
unary("logistic", jax.nn.sigmoid, "sigmoid")
unary("atan", jnp.arctan, "atan", np.arctan)
unary("exp_f64", jnp.exp, "exp", np.exp, dtype="float64")
unary("tanh_16m", jnp.tanh, "tanh", np.tanh, n=SIXTEEN)
unary("floor_of_scaled", lambda x: jnp.floor(x * 3.0), None, lambda x: np.floor(x * np.float32(3)))
unary("to_bf16", lambda x: x.astype(jnp.bfloat16), tolerance=1e-2)
unary("softplus_16m", lambda x: jnp.log(1 + jnp.exp(x)), None, lambda x: np.log(1 + np.exp(x)), n=SIXTEEN)

TABLE.add("add_1m", [f32(MILLION), f32(MILLION)], lambda a, b: a + b, lambda torch: lambda a, b: a + b, lambda a, b: a + b)
TABLE.add("add_1k", [f32(1024), f32(1024)], lambda a, b: a + b, lambda torch: lambda a, b: a + b, lambda a, b: a + b)
TABLE.add("axpy_16m", [f32(SIXTEEN), f32(SIXTEEN)], lambda a, b: 2.0 * a + b, lambda torch: lambda a, b: 2.0 * a + b,
          lambda a, b: np.float32(2) * a + b)
TABLE.add("divide", [f32(MILLION), Array((MILLION,), fill=positive)], lambda a, b: a / b, lambda torch: lambda a, b: a / b,
          lambda a, b: a / b)
TABLE.add("power", [Array((MILLION,), fill=positive), f32(MILLION)], lambda a, b: a**b, lambda torch: lambda a, b: a**b,
          lambda a, b: a**b)
TABLE.add("where", [f32(MILLION), f32(MILLION)], lambda a, b: jnp.where(a > b, a, -b),
          lambda torch: lambda a, b: torch.where(a > b, a, -b), lambda a, b: np.where(a > b, a, -b))
TABLE.add("remainder_u64", [ints(1 << 62, MILLION, dtype="uint64")], lambda a: (a * a) % np.uint64(2013265921),
          None, lambda a: (a * a) % np.uint64(2013265921))
TABLE.add("divide_s32_by_7", [ints(1 << 30, MILLION)], lambda a: a // 7, lambda torch: lambda a: a // 7, lambda a: a // np.int32(7))
TABLE.add("xor_shift_u32", [ints(1 << 31, MILLION, dtype="uint32")], lambda a: (a ^ (a << 13)) ^ (a >> 17), None,
          lambda a: (a ^ (a << np.uint32(13))) ^ (a >> np.uint32(17)))
TABLE.add("add_bf16", [Array((MILLION,), "bfloat16"), Array((MILLION,), "bfloat16")], lambda a, b: a + b,
          lambda torch: lambda a, b: a + b, tolerance=1e-2)
TABLE.add("multiply_f64", [Array((MILLION,), "float64"), Array((MILLION,), "float64")], lambda a, b: a * b,
          lambda torch: lambda a, b: a * b, lambda a, b: a * b)
TABLE.add("multiply_c64", [Array((MILLION,), "complex64"), Array((MILLION,), "complex64")], lambda a, b: a * b,
          lambda torch: lambda a, b: a * b, lambda a, b: a * b)
TABLE.add("bias_and_gelu", [f32(4096, 1024), f32(1024)], lambda x, b: jax.nn.gelu(x + b),
          lambda torch: lambda x, b: torch.nn.functional.gelu(x + b, approximate="tanh"))
TABLE.add("black_scholes", [Array((MILLION,), fill=positive), Array((MILLION,), fill=positive), Array((MILLION,), fill=positive)],
          lambda s, k, t: black_scholes(s, k, t))


def black_scholes(s, k, t):
    def normal(d):
        return 0.5 * (1 + lax.erf(d / 2**0.5))

    d1 = (jnp.log(s / k) + 0.07 * t) / (0.2 * jnp.sqrt(t))
    return s * normal(d1) - k * jnp.exp(-0.05 * t) * normal(d1 - 0.2 * jnp.sqrt(t))
