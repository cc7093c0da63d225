"""What became of a program in JAX: which operations share a kernel, and why others do not.

    import jax, lawson

    def f(x):
        return jax.nn.softmax(x @ x.T)

    print(lawson.explain(f, x))                # kernels, bytes, decisions, with lines of this file
    lawson.assert_fused(f, (x,), ["softmax"])  # for tests
    print(lawson.profile(f, x))                # the same with measured times

Programs run on Lawson by `JAX_PLATFORMS=lawson`, or on its devices: `jax.devices("lawson")`. These functions compile for Lawson
whatever the default platform is.
"""

from ._report import Kernel, Report
from ._run import assert_fused, explain, profile

__all__ = ["Kernel", "Report", "assert_fused", "explain", "profile"]
__version__ = "0.1.0"
