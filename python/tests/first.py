"""The first example of the documentation, as somebody runs it who has just installed the wheel."""

import jax
import jax.numpy as jnp

import lawson


def attend(x):
    with jax.named_scope("weights"):
        y = jnp.exp(x)
        return y / y.sum(axis=1, keepdims=True)


x = jnp.ones((4096, 1024))
assert jax.default_backend() == "lawson", jax.default_backend()
assert abs(float(jax.jit(attend)(x).sum()) - 4096) < 1
print(lawson.explain(attend, x))
lawson.assert_fused(attend, (x,), ["weights"])
print(lawson.profile(attend, x))
