"""What the scripts that record JAX's values share: inputs by formula, and the form of a line."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_platforms", "cpu")

NAMES = {"bool": "pred", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64"}


def pattern(seed, *dims):
    """Multiples of 1/8 from -2 to 2."""
    i = np.arange(int(np.prod(dims)), dtype=np.int64)
    return jnp.asarray((((i * 37 + seed * 101 + i * i * 11) % 33 - 16) / 8).astype(np.float32).reshape(dims))


def indices(seed, bound, *dims):
    """Integers from 0 to below the bound."""
    i = np.arange(int(np.prod(dims)), dtype=np.int64)
    return jnp.asarray(((i * 37 + seed * 101 + i * i * 11) % bound).astype(np.int32).reshape(dims))


def dtype_name(dtype):
    """The name in HLO text."""
    name = str(dtype)
    if name.startswith(("float8", "float4")):
        return name.replace("loat", "").replace("_", "")
    return NAMES.get(name, name.replace("uint", "u").replace("int", "s"))


def line(name, array):
    """`name dtype[dims] element …`; floats are their bits in hexadecimal, so that nothing is rounded."""
    array = np.asarray(array)
    kind = dtype_name(array.dtype)
    if kind.startswith(("f", "bf")):
        bits = array.reshape(-1).view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[array.dtype.itemsize])
        words = [format(int(b), "x") for b in bits]
    else:
        words = [str(int(v)) for v in array.reshape(-1)]
    return " ".join([name, f"{kind}[{','.join(map(str, array.shape))}]", *words])
