"""Norms, softmax, losses, attention of all kinds, recurrent cells, optimisers, random numbers."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

from case import Array, Table, f32, ints, weights

TABLE = Table("layers")


def layer_norm(x, g, b):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b


def attention(q, k, v, causal=False):
    scores = jnp.einsum("bhtd,bhsd->bhts", q, k) * q.shape[-1] ** -0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
    return jnp.einsum("bhts,bhsd->bhtd", nn.softmax(scores, -1), v)


def torch_attention(causal=False):
    return lambda torch: lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)


TABLE.add("softmax", [f32(4096, 1024)], lambda x: nn.softmax(x, -1), lambda torch: lambda x: torch.softmax(x, -1))
TABLE.add("softmax_long_rows", [f32(64, 32768)], lambda x: nn.softmax(x, -1), lambda torch: lambda x: torch.softmax(x, -1))
TABLE.add("softmax_short_rows", [f32(65536, 10)], lambda x: nn.softmax(x, -1), lambda torch: lambda x: torch.softmax(x, -1))
TABLE.add("log_softmax", [f32(4096, 1000)], lambda x: nn.log_softmax(x, -1), lambda torch: lambda x: torch.log_softmax(x, -1))
TABLE.add("layer_norm", [f32(4096, 768), f32(768), f32(768)], layer_norm,
          lambda torch: lambda x, g, b: torch.nn.functional.layer_norm(x, (768,), g, b))
TABLE.add("rms_norm", [f32(4096, 768), f32(768)], lambda x, g: x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g,
          lambda torch: lambda x, g: x * torch.rsqrt(torch.mean(x * x, -1, keepdim=True) + 1e-6) * g)
TABLE.add("batch_norm", [f32(16, 56, 56, 64), f32(64), f32(64)],
          lambda x, g, b: (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g + b)
TABLE.add("layer_norm_gradient", [f32(4096, 768), f32(768), f32(768), f32(4096, 768)],
          lambda x, g, b, dy: jax.vjp(layer_norm, x, g, b)[1](dy), tolerance=1e-3)
TABLE.add("cross_entropy", [f32(4096, 1000), ints(1000, 4096)],
          lambda x, y: -jnp.mean(jnp.take_along_axis(nn.log_softmax(x), y[:, None], 1)),
          lambda torch: lambda x, y: torch.nn.functional.cross_entropy(x, y.long()))
TABLE.add("cross_entropy_gradient", [f32(4096, 1000), ints(1000, 4096)],
          lambda x, y: jax.grad(lambda x: -jnp.mean(jnp.take_along_axis(nn.log_softmax(x), y[:, None], 1)))(x))
TABLE.add("attention", [f32(4, 8, 256, 64)] * 3, attention, torch_attention())
TABLE.add("attention_causal", [f32(4, 8, 256, 64)] * 3, lambda q, k, v: attention(q, k, v, True), torch_attention(True))
TABLE.add("attention_long", [f32(1, 2, 2048, 64)] * 3, attention, torch_attention())
TABLE.add("attention_one_query", [f32(8, 8, 1, 64), f32(8, 8, 2048, 64), f32(8, 8, 2048, 64)], attention, torch_attention())
TABLE.add("attention_gradient", [f32(2, 4, 256, 64)] * 3,
          lambda q, k, v: jax.grad(lambda *a: attention(*a).sum(), (0, 1, 2))(q, k, v), tolerance=1e-3)
TABLE.add("rotary", [f32(4, 256, 8, 64), f32(256, 1, 32), f32(256, 1, 32)],
          lambda x, c, s: jnp.concatenate([x[..., :32] * c - x[..., 32:] * s, x[..., :32] * s + x[..., 32:] * c], -1),
          lambda torch: lambda x, c, s: torch.cat([x[..., :32] * c - x[..., 32:] * s, x[..., :32] * s + x[..., 32:] * c], -1))
TABLE.add("gated_linear_unit", [f32(2048, 2048)], lambda x: x[:, :1024] * nn.sigmoid(x[:, 1024:]),
          lambda torch: lambda x: torch.nn.functional.glu(x, -1))
TABLE.add("lstm_cell", [f32(64, 256), f32(64, 256), f32(64, 256), Array((512, 1024), fill=weights)], lambda x, h, c, w: lstm(x, h, c, w))
TABLE.add("gru_scan", [f32(64, 32, 128), Array((256, 384), fill=weights)], lambda xs, w: gru(xs, w), tolerance=1e-3)
TABLE.add("adam_step", [f32(1 << 20), f32(1 << 20), f32(1 << 20), Array((1 << 20,), fill=lambda r, s: r.random(s))],
          lambda p, g, m, v: adam(p, g, m, v), tolerance=1e-3)
TABLE.add("sgd_momentum", [f32(1 << 22), f32(1 << 22), f32(1 << 22)],
          lambda p, g, m: (p - 0.1 * (0.9 * m + g), 0.9 * m + g), lambda torch: lambda p, g, m: (p - 0.1 * (0.9 * m + g), 0.9 * m + g),
          lambda p, g, m: (p - np.float32(0.1) * (np.float32(0.9) * m + g), np.float32(0.9) * m + g))
TABLE.add("clip_by_norm", [f32(1 << 22)], lambda g: g * jnp.minimum(1.0, 1.0 / jnp.sqrt(jnp.sum(g * g))),
          lambda torch: lambda g: g * torch.clamp(1.0 / torch.sqrt(torch.sum(g * g)), max=1.0))
TABLE.add("dropout", [f32(1 << 20), ints(1 << 31, 2, dtype="uint32")],
          lambda x, k: jnp.where(jax.random.bernoulli(k, 0.9, x.shape), x / 0.9, 0))
TABLE.add("random_uniform", [ints(1 << 31, 2, dtype="uint32")], lambda k: jax.random.uniform(k, (1 << 20,)))
TABLE.add("random_normal", [ints(1 << 31, 2, dtype="uint32")], lambda k: jax.random.normal(k, (1 << 20,)), tolerance=1e-3)
TABLE.add("random_permutation", [ints(1 << 31, 2, dtype="uint32")], lambda k: jax.random.permutation(k, 1 << 16))
TABLE.add("random_categorical", [ints(1 << 31, 2, dtype="uint32"), f32(1024, 128)], lambda k, x: jax.random.categorical(k, x))


def lstm(x, h, c, w):
    i, f, g, o = jnp.split(jnp.concatenate([x, h], -1) @ w, 4, -1)
    c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
    return nn.sigmoid(o) * jnp.tanh(c), c


def gru(xs, w):
    def step(h, x):
        z, r, n = jnp.split(jnp.concatenate([x, h], -1) @ w, 3, -1)
        h = (1 - nn.sigmoid(z)) * h + nn.sigmoid(z) * jnp.tanh(n * nn.sigmoid(r))
        return h, h

    return lax.scan(step, jnp.zeros(xs.shape[1:]), xs)[1]


def adam(p, g, m, v):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8), m, v
