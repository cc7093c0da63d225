"""Programs as people write them in JAX, of images, physics, learning, signals and geometry: what the lists of the benchmark leave out.

They look for what is slow; plans were mended where they found it, so they are no measure of programs that nobody has seen.
`run.py --everyday` compares them like the others, prints the table and writes no results.
"""

import jax
import jax.numpy as jnp
import numpy as np
from case import Array, Case, positive
from jax import lax

CASES = []
# Roundings decide where these go.
CHAOTIC = ("mandel", "newton_roots", "cg", "inv3_explicit")
# Which round to bf16 on the way, at other places.
ROUGH = ("bf16_chain",)


def program(*inputs, into=CASES, group="everyday"):
    """Adds a function of such inputs, by its name."""

    def add(function):
        name = function.__name__
        tolerance = None if name in CHAOTIC else 1e-2 if name in ROUGH else 1e-3
        into.append(Case(name, group, inputs, function, tolerance=tolerance))
        return function

    return add


def f32(*shape, scale=1.0, dtype="float32", fill=None):
    fill = fill or (lambda random, shape: random.standard_normal(shape))
    return Array(shape, dtype, fill=lambda random, shape: scale * fill(random, shape))


def integers(below, *shape, dtype="int32"):
    return Array(shape, dtype, below=below)


img = f32(1024, 1024)
img3 = f32(512, 512, 3)
b8 = f32(8, 256, 256, 3)


@program(img)
def sobel(x):
    p = jnp.pad(x, 1, mode="edge")
    gx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    gy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    return jnp.sqrt(gx * gx + gy * gy)


@program(img)
def harris(x):
    gx = jnp.roll(x, -1, 1) - jnp.roll(x, 1, 1)
    gy = jnp.roll(x, -1, 0) - jnp.roll(x, 1, 0)

    def box(a):
        s = sum(jnp.roll(a, k, 0) for k in range(-2, 3))
        return sum(jnp.roll(s, k, 1) for k in range(-2, 3))

    a, b, c = box(gx * gx), box(gx * gy), box(gy * gy)
    return a * c - b * b - 0.05 * (a + c) ** 2


@program(img)
def box_blur_3x(x):
    for _ in range(3):
        x = (jnp.roll(x, 1, 0) + x + jnp.roll(x, -1, 0)) / 3
        x = (jnp.roll(x, 1, 1) + x + jnp.roll(x, -1, 1)) / 3
    return x


@program(img)
def unsharp_pad(x):
    p = jnp.pad(x, 2, mode="reflect")
    k = jnp.array([1, 4, 6, 4, 1.0]) / 16
    h = sum(k[i] * p[:, i : i + 1024] for i in range(5))
    v = sum(k[i] * h[i : i + 1024] for i in range(5))
    return x + 1.5 * (x - v)


@program(img)
def laplace_py4(x):
    for _ in range(4):
        p = jnp.pad(x, 1)
        x = x + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * x)
    return x


@program(img)
def median3(x):
    p = jnp.pad(x, 1, mode="edge")
    s = jnp.stack([p[i : i + 1024, j : j + 1024] for i in range(3) for j in range(3)], -1)
    return jnp.median(s, -1)


@program(img)
def erode_dilate(x):
    a = lax.reduce_window(x, -jnp.inf, lax.max, (3, 3), (1, 1), "SAME")
    return lax.reduce_window(a, jnp.inf, lax.min, (3, 3), (1, 1), "SAME")


@program(img3)
def rgb_to_hsv(x):
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    mx = jnp.maximum(jnp.maximum(r, g), b)
    mn = jnp.minimum(jnp.minimum(r, g), b)
    d = mx - mn + 1e-6
    h = jnp.where(mx == r, (g - b) / d % 6, jnp.where(mx == g, (b - r) / d + 2, (r - g) / d + 4))
    return jnp.stack([h / 6, d / (mx + 1e-6), mx], -1)


@program(img3)
def color_matrix(x):
    return x @ jnp.array([[0.3, 0.6, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], jnp.float32)


@program(b8)
def normalise_image(x):
    return (x - x.mean((1, 2), keepdims=True)) / (x.std((1, 2), keepdims=True) + 1e-5)


@program(b8)
def flip_crop(x):
    return x[:, 16:240, 16:240][:, :, ::-1] * 2 - 1


@program(b8)
def resize_bilinear(x):
    return jax.image.resize(x, (8, 128, 128, 3), "bilinear")


@program(b8)
def resize_up(x):
    return jax.image.resize(x[:, :128, :128], (8, 256, 256, 3), "bilinear")


@program(img)
def hist256(x):
    return jnp.histogram(x, bins=256, range=(-4, 4))[0]


@program(img)
def integral_image(x):
    return jnp.cumsum(jnp.cumsum(x, 0), 1)


@program(f32(512, 512), f32(512, 512, 2, scale=3))
def warp(x, flow):
    yy, xx = jnp.meshgrid(jnp.arange(512.0), jnp.arange(512.0), indexing="ij")
    return jax.scipy.ndimage.map_coordinates(x, [yy + flow[..., 0], xx + flow[..., 1]], order=1)


@program(f32(8, 64, 64, 16))
def avg_pool(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


@program(f32(8, 64, 64, 16))
def pixel_shuffle(x):
    return x.reshape(8, 64, 64, 4, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(8, 128, 128, 4)


@program(f32(8, 128, 128, 4))
def space_to_depth(x):
    return x.reshape(8, 64, 2, 64, 2, 4).transpose(0, 1, 3, 2, 4, 5).reshape(8, 64, 64, 16)


@program(f32(4, 224, 224, 3))
def patches(x):
    return x.reshape(4, 14, 16, 14, 16, 3).transpose(0, 1, 3, 2, 4, 5).reshape(4, 196, 768)


@program(f32(1024, 1024), f32(1024, 1024))
def gray_scott(u, v):
    def lap(a):
        return jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1) - 4 * a

    def step(i, s):
        u, v = s
        r = u * v * v
        return u + 0.16 * lap(u) - r + 0.035 * (1 - u), v + 0.08 * lap(v) + r - 0.1 * v

    return lax.fori_loop(0, 8, step, (u, v))


@program(f32(96, 96, 96))
def heat3d(u):
    def step(i, u):
        return u + 0.1 * (sum(jnp.roll(u, s, a) for a in range(3) for s in (1, -1)) - 6 * u)

    return lax.fori_loop(0, 6, step, u)


@program(f32(512, 512), f32(512, 512))
def shallow(h, u):
    def step(i, s):
        h, u = s
        fl = 0.5 * (h + jnp.roll(h, 1, 0)) * u
        h2 = h - 0.01 * (jnp.roll(fl, -1, 0) - fl)
        u2 = u - 0.01 * (h2 - jnp.roll(h2, 1, 0))
        return h2, u2

    return lax.fori_loop(0, 20, step, (h, u))


@program(f32(1 << 20))
def burgers1d(u):
    def step(i, u):
        fl = 0.5 * u * u
        return u - 0.01 * (jnp.roll(fl, -1) - jnp.roll(fl, 1)) + 0.01 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))

    return lax.fori_loop(0, 10, step, u)


@program(f32(9, 256, 256))
def lbm(fi):
    cx = [0, 1, 0, -1, 0, 1, -1, -1, 1]
    cy = [0, 0, 1, 0, -1, 1, 1, -1, -1]
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    fi = jnp.stack([jnp.roll(jnp.roll(fi[k], cx[k], 0), cy[k], 1) for k in range(9)])
    rho = fi.sum(0)
    ux = sum(cx[k] * fi[k] for k in range(9)) / rho
    uy = sum(cy[k] * fi[k] for k in range(9)) / rho
    out = []
    for k in range(9):
        cu = 3 * (cx[k] * ux + cy[k] * uy)
        out.append(fi[k] - 0.6 * (fi[k] - rho * w[k] * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy))))
    return jnp.stack(out)


@program(f32(2048, 3), f32(2048, fill=positive))
def nbody(x, m):
    d = x[None] - x[:, None]
    r = jnp.sum(d * d, -1) + 1e-2
    return jnp.einsum("ijk,ij->ik", d, m[None] * r**-1.5)


@program(f32(4096, 3))
def pair_hist(x):
    d = jnp.sqrt(((x[:512, None] - x[None]) ** 2).sum(-1))
    return jnp.histogram(d, bins=64, range=(0, 6))[0]


@program(f32(65536, 4), f32(65536, 4))
def quat_mul(a, b):
    aw, ax, ay, az = [a[:, k] for k in range(4)]
    bw, bx, by, bz = [b[:, k] for k in range(4)]
    return jnp.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        -1,
    )


@program(f32(32768, 3, 3))
def det3(a):
    return jnp.linalg.det(a)


@program(f32(32768, 3, 3), f32(32768, 3))
def solve3(a, b):
    return jax.vmap(lambda m, v: jnp.linalg.solve(m, v))(a, b)


@program(f32(16384, 3, 3))
def inv3_explicit(a):
    c = jnp.cross(a[:, 1], a[:, 2])
    d = jnp.sum(a[:, 0] * c, -1, keepdims=True)
    return jnp.stack([c, jnp.cross(a[:, 2], a[:, 0]), jnp.cross(a[:, 0], a[:, 1])], -1) / d[..., None]


@program(f32(65536, 3), f32(65536, 3))
def cross_norm(a, b):
    c = jnp.cross(a, b)
    return c / jnp.linalg.norm(c, axis=-1, keepdims=True)


@program(f32(1 << 20, fill=positive))
def lorenz_like(x):
    def step(s, _):
        a, b, c = s
        return (a + 0.01 * (10 * (b - a)), b + 0.01 * (a * (28 - c) - b), c + 0.01 * (a * b - 8 / 3 * c)), None

    return lax.scan(step, (x, x, x), None, length=10)[0]


@program(f32(32, 128, 256), f32(256), f32(256))
def layernorm(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = x.var(-1, keepdims=True)
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b


@program(f32(32, 64, 56, 56), f32(64), f32(64))
def batchnorm_nchw(x, g, b):
    m = x.mean((0, 2, 3), keepdims=True)
    v = x.var((0, 2, 3), keepdims=True)
    return jax.nn.relu((x - m) * lax.rsqrt(v + 1e-5) * g[:, None, None] + b[:, None, None])


@program(f32(8, 56, 56, 64), f32(64), f32(64))
def groupnorm_nhwc(x, g, b):
    y = x.reshape(8, 56, 56, 8, 8)
    m = y.mean((1, 2, 4), keepdims=True)
    v = y.var((1, 2, 4), keepdims=True)
    return ((y - m) * lax.rsqrt(v + 1e-5)).reshape(x.shape) * g + b


@program(f32(8, 8, 128, 64), f32(8, 8, 128, 64), f32(8, 8, 128, 64))
def attention_alibi(q, k, v):
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8
    pos_ = jnp.arange(128)
    s = s - jnp.abs(pos_[:, None] - pos_)[None, None] * 0.1
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(s), v)


@program(f32(4, 256, 512), f32(512, 512, scale=0.05), f32(512, 512, scale=0.05), f32(512, 512, scale=0.05))
def qkv_split_heads(x, a, b, c):
    r = lambda y: y.reshape(4, 256, 8, 64).transpose(0, 2, 1, 3)
    q, k, v = r(x @ a), r(x @ b), r(x @ c)
    p = jax.nn.softmax(q @ k.swapaxes(-1, -2) / 8, -1)
    return (p @ v).transpose(0, 2, 1, 3).reshape(4, 256, 512)


@program(f32(64, 1000), integers(1000, 64))
def xent_grad(l, y):
    return jax.grad(lambda l: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(l), y[:, None], 1)))(l)


@program(f32(256, 784), f32(784, 256, scale=0.03), f32(256, 10, scale=0.06), integers(10, 256))
def mlp_grads(x, w1, w2, y):
    def loss(w):
        h = jax.nn.relu(x @ w[0])
        l = h @ w[1]
        return -jnp.mean(jax.nn.log_softmax(l)[jnp.arange(256), y])

    return jax.grad(loss)((w1, w2))


@program(f32(1024, 512), f32(1024, 512), f32(1024, 512), f32(1024, 512))
def adamw(p, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p * (1 - 1e-4) - 1e-3 * (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8), m, v


@program(f32(32000, 128), integers(32000, 64, 64))
def embed_scale(w, t):
    return w[t] * 11.3


@program(f32(64, 64, 128), integers(1000, 64, 64))
def embed_grad(g, t):
    return jnp.zeros((1000, 128)).at[t].add(g)


@program(f32(16, 32, 32, 64), f32(3, 3, 64, 64, scale=0.04))
def conv_relu_pool(x, w):
    y = jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
    return lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


@program(f32(8, 56, 56, 64), f32(7, 7, 1, 64, scale=0.1))
def depthwise7(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=64)


@program(f32(16, 256, 64), f32(4, 1, 64))
def causal_conv1d(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(3, 0)], dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=64)


@program(f32(16, 256, 64), f32(64, 16, fill=positive), f32(16, 256, 16), f32(16, 256, 16), f32(16, 256, 64, scale=0.1, fill=positive))
def mamba_scan(x, A, B, C, dt):
    def step(h, i):
        x, B, C, dt = i
        h = h * jnp.exp(-dt[..., None] * A) + dt[..., None] * B[:, None] * x[..., None]
        return h, jnp.sum(h * C[:, None], -1)

    t = lambda a: jnp.swapaxes(a, 0, 1)
    return lax.scan(step, jnp.zeros((16, 64, 16)), (t(x), t(B), t(C), t(dt)))[1]


@program(f32(64, 128, 64), f32(64, 256, scale=0.1), f32(64, 256, scale=0.1))
def lstm(x, wx, wh):
    def step(s, xt):
        h, c = s
        z = xt @ wx + h @ wh
        i_, f_, g, o = jnp.split(z, 4, -1)
        c = jax.nn.sigmoid(f_) * c + jax.nn.sigmoid(i_) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return lax.scan(step, (jnp.zeros((64, 64)), jnp.zeros((64, 64))), x.swapaxes(0, 1))[1]


@program(f32(2, 8, 256, 64))
def rope(x):
    t = jnp.arange(256)[:, None] * (10000 ** (-jnp.arange(32) / 32))
    c, s = jnp.cos(t), jnp.sin(t)
    a, b = x[..., :32], x[..., 32:]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


@program(f32(2, 8, 256, 64))
def rope_interleaved(x):
    t = jnp.arange(256)[:, None] * (10000 ** (-jnp.arange(32) / 32))
    c, s = jnp.cos(t), jnp.sin(t)
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)


@program(f32(1024, 64), f32(256, 64))
def vq(x, c):
    d = ((x[:, None] - c[None]) ** 2).sum(-1)
    k = jnp.argmin(d, 1)
    return c[k], k


@program(f32(64, 512), f32(8, 512, 256, scale=0.05), f32(512, 8))
def moe_dense(x, w, r):
    g = jax.nn.softmax(x @ r)
    v, k = lax.top_k(g, 2)
    y = jnp.einsum("bd,edf->bef", x, w)
    return jnp.einsum("be,bef->bf", (jax.nn.one_hot(k, 8) * v[..., None]).sum(1), y)


@program(f32(32, 2048))
def top_p(l):
    s = jnp.sort(l, -1)[:, ::-1]
    c = jnp.cumsum(jax.nn.softmax(s), -1)
    t = jnp.take_along_axis(s, jnp.sum(c < 0.9, -1, keepdims=True), -1)
    return jnp.where(l < t, -jnp.inf, l)


@program(f32(128, 1024))
def geglu(x):
    a, b = jnp.split(x, 2, -1)
    return a * jax.nn.gelu(b)


@program(f32(64, 256, 128))
def dropout_mask(x):
    return jnp.where(jax.random.bernoulli(jax.random.key(0), 0.9, x.shape), x / 0.9, 0)


@program(f32(16, 16384))
def stft(x):
    n = 256
    i_ = jnp.arange(0, 16384 - n + 1, 128)[:, None] + jnp.arange(n)
    return jnp.abs(jnp.fft.rfft(x[:, i_] * jnp.hanning(n)))


@program(f32(64, 16384))
def fir(x):
    return jax.vmap(lambda r: jnp.convolve(r, jnp.hanning(31), mode="same"))(x)


@program(f32(64, 4096))
def iir(x):
    def step(s, v):
        y = v + 1.6 * s[0] - 0.8 * s[1]
        return (y, s[0]), y

    return lax.scan(step, (jnp.zeros(64), jnp.zeros(64)), x.T)[1]


@program(f32(1 << 20))
def ema(x):
    return lax.associative_scan(lambda a, b: (a[0] * b[0], b[1] + b[0] * a[1]), (jnp.full_like(x, 0.9), x))[1]


@program(f32(4096, 64))
def cov(x):
    y = x - x.mean(0)
    return y.T @ y / 4095


@program(f32(4096, 64))
def corr_std(x):
    z = (x - x.mean(0)) / x.std(0)
    return z.T @ z / 4096


@program(f32(2000, 64), f32(2000, 64))
def pairwise_rbf(a, b):
    return jnp.exp(-0.5 * (jnp.sum(a * a, 1)[:, None] + jnp.sum(b * b, 1) - 2 * a @ b.T)).sum(1)


@program(f32(1 << 20), integers(1000, 1 << 20))
def segment_mean(x, s):
    return jax.ops.segment_sum(x, s, 1000) / (jax.ops.segment_sum(jnp.ones_like(x), s, 1000) + 1e-6)


@program(f32(1 << 20), integers(1000, 1 << 20))
def segment_max(x, s):
    return jax.ops.segment_max(x, s, 1000)


@program(f32(1 << 18))
def quantiles(x):
    return jnp.quantile(x, jnp.array([0.1, 0.5, 0.9]))


@program(f32(1000, 1000))
def row_argsort(x):
    return jnp.argsort(x, 1)


@program(integers(100, 1 << 18))
def unique_counts(x):
    return jnp.bincount(x, length=100)


@program(f32(1 << 20))
def welford(x):
    return x.mean(), x.var(), ((x - x.mean()) ** 3).mean() / x.std() ** 3


@program(f32(512, 512))
def softmax2d_t(x):
    return jax.nn.softmax(x, 0) @ jax.nn.softmax(x, 1)


@program(f32(1 << 18), f32(1 << 18))
def mc_option(z, u):
    s = 100 * jnp.exp(0.05 - 0.02 + 0.2 * z)
    return jnp.mean(jnp.maximum(s - 100, 0)), jax.scipy.stats.norm.cdf(u).mean()


@program(f32(10000, 252))
def gbm_paths(z):
    s = jnp.exp(jnp.cumsum(0.001 * z - 0.00001, 1))
    return jnp.maximum(s.mean(1) - 1, 0).mean(), s.max(1)


@program(f32(512, 512), f32(512))
def power_iter(a, v):
    return lax.fori_loop(0, 20, lambda i, v: (lambda w: w / jnp.linalg.norm(w))(a @ v), v)


@program(f32(300, 300), f32(300))
def cg(a, b):
    A = a @ a.T / 300 + jnp.eye(300)

    def step(i, s):
        x, r, p, rs = s
        q = A @ p
        al = rs / (p @ q)
        x = x + al * p
        r = r - al * q
        n = r @ r
        return x, r, r + n / rs * p, n

    return lax.fori_loop(0, 50, step, (jnp.zeros(300), b, b, b @ b))[0]


@program(f32(64, 64, 64))
def lu_det(a):
    return jnp.linalg.slogdet(a)[1]


@program(f32(512, 512, fill=positive))
def sinkhorn(c):
    K = jnp.exp(-c)

    def step(i, s):
        u, v = s
        u = 1 / (K @ v)
        return u, 1 / (K.T @ u)

    return lax.fori_loop(0, 30, step, (jnp.ones(512), jnp.ones(512)))


@program(integers(2, 1024, 1024))
def life(x):
    n = sum(jnp.roll(jnp.roll(x, a, 0), b, 1) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
    return ((n == 3) | ((x == 1) & (n == 2))).astype(jnp.int32)


@program(f32(128, 128), f32(128, 128))
def viterbi(e, t):
    def step(s, x):
        m = s[:, None] + t
        return m.max(0) + x, m.argmax(0)

    return lax.scan(step, jnp.zeros(128), e)


@program(integers(4, 200), integers(4, 200))
def edit_distance(a, b):
    def row(prev, x):
        sub = prev[:-1] + (b != x)

        def col(l, u):
            v = jnp.minimum(jnp.minimum(l + 1, u[0] + 1), u[1])
            return v, v

        f_ = prev[0] + 1
        _, r = lax.scan(col, f_, (prev[1:], sub))
        return jnp.concatenate([f_[None], r]), None

    return lax.scan(row, jnp.arange(201), a)[0][-1]


@program(f32(100000, 2))
def kmeans_step(x):
    c = x[:16]
    d = ((x[:, None] - c) ** 2).sum(-1)
    k = jnp.argmin(d, 1)
    s = jax.ops.segment_sum(x, k, 16)
    n = jax.ops.segment_sum(jnp.ones(100000), k, 16)
    return s / n[:, None]


@program(f32(4096, 3), integers(4096, 20000), integers(4096, 20000))
def gnn(x, s, d):
    m = jax.nn.relu(x[s] - x[d])
    return jnp.zeros((4096, 3)).at[d].add(m)


@program(f32(4096, 64), integers(4096, 20000), integers(4096, 20000), f32(64, 64, scale=0.1))
def gcn(x, s, d, w):
    h = x @ w
    return jax.nn.relu(jnp.zeros((4096, 64)).at[d].add(h[s]))


@program(f32(20000), integers(500, 20000))
def segment_softmax(l, s):
    m = jax.ops.segment_max(l, s, 500)
    e = jnp.exp(l - m[s])
    return e / jax.ops.segment_sum(e, s, 500)[s]


@program(f32(64, 3, 64, 64), f32(3, 3, 3, 3))
def conv_nchw_small(x, w):
    return lax.conv(x, w, (1, 1), "SAME")


@program(f32(256, 1024))
def logsumexp_grad(x):
    return jax.grad(lambda x: jax.scipy.special.logsumexp(x, 1).sum())(x)


@program(f32(1 << 20))
def special(x):
    return jax.scipy.special.gammaln(jnp.abs(x) + 1) + jax.scipy.special.erfinv(jnp.tanh(x))


@program(f32(1 << 20))
def digamma_(x):
    return jax.scipy.special.digamma(jnp.abs(x) + 0.5)


@program(f32(1 << 19), f32(1 << 19))
def atan2_hypot(a, b):
    return jnp.arctan2(a, b) * jnp.hypot(a, b)


@program(f32(512, 1024))
def tril_mask(x):
    return jnp.where(jnp.tril(jnp.ones((512, 1024), bool)), x, -1e9)


@program(f32(2048, 512))
def diff_sign(x):
    return jnp.diff(jnp.sign(x), axis=1)


@program(f32(64, 64), f32(64, 64))
def kron(a, b):
    return jnp.kron(a, b)


@program(f32(1024, 1024))
def trace_diag(x):
    return jnp.trace(x) + jnp.sum(jnp.diag(x) ** 2), x - jnp.diag(jnp.diag(x))


@program(f32(1024, 1024))
def block_mean(x):
    return x.reshape(64, 16, 64, 16).mean((1, 3))


@program(f32(1024, 1024))
def upsample_nn(x):
    return jnp.repeat(jnp.repeat(x[:512, :512], 2, 0), 2, 1)


@program(f32(1 << 20))
def interp1(x):
    return jnp.interp(x, jnp.linspace(-3, 3, 100), jnp.sin(jnp.linspace(-3, 3, 100)))


@program(f32(1 << 18))
def polyval(x):
    return jnp.polyval(jnp.arange(12.0), x)


@program(f32(100, 100, 30))
def einsum3(x):
    return jnp.einsum("ijk,ljk->il", x, x)


@program(f32(32, 32, 32), f32(32, 32, 32))
def tensordot(a, b):
    return jnp.einsum("abc,cde->abde", a[:, :8], b)


@program(f32(8192, 16), f32(8192, 16))
def outer_batch(a, b):
    return a[:, :, None] * b[:, None, :]


@program(f32(8192, 16, 16), f32(8192, 16))
def bmv(a, b):
    return jnp.einsum("nij,nj->ni", a, b)


@program(f32(4096, 8, 8), f32(4096, 8, 8))
def bmm8(a, b):
    return a @ b


@program(f32(4096, 4, 4))
def expm_taylor(a):
    s = jnp.eye(4)
    t = s
    for k in range(1, 8):
        t = t @ a / k
        s = s + t
    return s


@program(f32(1 << 16))
def mandel(x):
    c = x + 1j * x[::-1]

    def step(i, z):
        return jnp.where(jnp.abs(z) < 2, z * z + c, z)

    return jnp.abs(lax.fori_loop(0, 30, step, jnp.zeros_like(c)))


@program(f32(256, 256))
def fft2_filter(x):
    k = jnp.fft.fftfreq(256)
    return jnp.fft.ifft2(jnp.fft.fft2(x) * jnp.exp(-40 * (k[:, None] ** 2 + k**2))).real


@program(f32(1024, 1024))
def roll_both(x):
    return jnp.roll(x, (37, -119), (0, 1))


@program(f32(1 << 20))
def roll_1d(x):
    return jnp.roll(x, 1 << 19)


@program(f32(1024, 1023))
def odd_rows_softmax(x):
    return jax.nn.softmax(x, -1)


@program(f32(1023, 1023))
def odd_transpose(x):
    return x.T + 1


@program(f32(1000, 1000), f32(1000, 1000))
def odd_matmul_relu(x, y):
    return jax.nn.relu(x @ y)


@program(f32(37, 1001, 53))
def odd_mean_mid(x):
    return x.mean(1)


@program(f32(37, 1001, 53))
def odd_norm_last(x):
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


@program(f32(1000003))
def prime_exp_sum(x):
    return jnp.exp(x).sum()


@program(f32(128, 128, 3, 3))
def swap_minor(x):
    return x.swapaxes(-1, -2) * 2


@program(f32(65536, 3, 3), f32(65536, 3, 3))
def bmm3(a, b):
    return a @ b


@program(f32(65536, 3, 3), f32(65536, 3))
def rotate3(a, b):
    return jnp.einsum("nij,nj->ni", a, b)


@program(f32(65536, 4, 4), f32(65536, 4))
def bmv4(a, b):
    return jnp.einsum("nij,nj->ni", a, b)


@program(f32(16384, 6, 6), f32(16384, 6, 6))
def bmm6(a, b):
    return a @ b


@program(f32(65536, 3, 3))
def trace3(a):
    return jnp.trace(a, axis1=1, axis2=2)


@program(f32(65536, 3, 3))
def symm3(a):
    return (a + a.swapaxes(1, 2)) / 2


@program(f32(65536, 3))
def outer3(a):
    return a[:, :, None] * a[:, None, :]


@program(f32(65536, 3))
def skew3(a):
    z = jnp.zeros(65536)
    return jnp.stack(
        [jnp.stack([z, -a[:, 2], a[:, 1]], -1), jnp.stack([a[:, 2], z, -a[:, 0]], -1), jnp.stack([-a[:, 1], a[:, 0], z], -1)], 1
    )


@program(f32(32768, 3))
def rodrigues(w):
    t = jnp.linalg.norm(w, axis=-1) + 1e-6
    k = w / t[:, None]
    z = jnp.zeros_like(t)
    K = jnp.stack([z, -k[:, 2], k[:, 1], k[:, 2], z, -k[:, 0], -k[:, 1], k[:, 0], z], -1).reshape(-1, 3, 3)
    s, c = jnp.sin(t)[:, None, None], jnp.cos(t)[:, None, None]
    return jnp.eye(3) + s * K + (1 - c) * (K @ K)


@program(f32(512, 512, 4))
def rgba_blend(x):
    a = x[..., 3:]
    return x[..., :3] * a + (1 - a) * 0.5


@program(f32(512, 512, 3))
def gray(x):
    return (x * jnp.array([0.3, 0.6, 0.1])).sum(-1)


@program(f32(512, 512, 3))
def bgr(x):
    return x[..., ::-1]


@program(f32(512, 512, 3))
def hwc_to_chw(x):
    return x.transpose(2, 0, 1) / 255


@program(f32(3, 512, 512))
def chw_to_hwc(x):
    return x.transpose(1, 2, 0) * 255


@program(integers(256, 8, 224, 224, 3, dtype="uint8"))
def u8_normalise(x):
    return (x.astype(jnp.float32) / 255 - jnp.array([0.48, 0.45, 0.4])) / jnp.array([0.22, 0.22, 0.22])


@program(f32(8, 3, 224, 224))
def to_u8(x):
    return (jnp.clip(x, 0, 1) * 255).astype(jnp.uint8)


@program(f32(64, 512), integers(512, 64))
def onehot_mask_set(x, k):
    return x.at[jnp.arange(64), k].set(0)


@program(f32(4096, 512), integers(4096, 1000))
def take_rows(x, k):
    return jnp.take(x, k, 0)


@program(f32(512, 4096), integers(4096, 1000))
def take_cols(x, k):
    return jnp.take(x, k, 1)


@program(f32(1000, 100), integers(100, 1000, 10))
def take_along(x, k):
    return jnp.take_along_axis(x, k, 1)


@program(f32(32, 128, 64), integers(128, 32))
def select_last(x, n):
    return x[jnp.arange(32), n]


@program(f32(32, 4, 1024, 64), f32(32, 4, 1, 64))
def kv_update(c, n):
    return lax.dynamic_update_slice(c, n, (0, 0, 512, 0))


@program(f32(8, 1024, 64), f32(8, 1, 64), f32(8, 1024, 64))
def decode_attn(k, q, v):
    return jax.nn.softmax(q @ k.swapaxes(1, 2) / 8) @ v


@program(f32(32, 128), f32(128, 32000, scale=0.1))
def lm_head_argmax(h, w):
    return jnp.argmax(h @ w, -1)


@program(f32(4, 512, 256), f32(256, 1024, scale=0.06), f32(1024, 256, scale=0.03))
def ffn_gelu(x, a, b):
    return x + jax.nn.gelu(x @ a) @ b


@program(f32(4, 512, 256), f32(256, 1024, scale=0.06), f32(256, 1024, scale=0.06), f32(1024, 256, scale=0.03))
def swiglu(x, a, b, c):
    return (jax.nn.silu(x @ a) * (x @ b)) @ c


@program(f32(4, 512, 256), f32(256))
def rmsnorm_grad(x, g):
    return jax.grad(lambda x, g: (x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g).sum() ** 2, (0, 1))(x, g)


@program(f32(4, 512, 256), f32(256), f32(256))
def layernorm_grad(x, g, b):
    def ln(x, g, b):
        m = x.mean(-1, keepdims=True)
        v = x.var(-1, keepdims=True)
        return jnp.sin((x - m) * lax.rsqrt(v + 1e-5) * g + b).sum()

    return jax.grad(ln, (0, 1, 2))(x, g, b)


@program(f32(8, 64, 64, 32), f32(3, 3, 32, 32, scale=0.06))
def conv_grad_w(x, w):
    return jax.grad(lambda w: jnp.sum(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) ** 2))(w)


@program(f32(8, 32, 32, 32), f32(4, 4, 32, 16, scale=0.06))
def conv_transpose(x, w):
    return lax.conv_transpose(x, w, (2, 2), "SAME")


@program(f32(16, 1024, 32), f32(9, 32, 64, scale=0.06))
def conv1d(x, w):
    return lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))


@program(f32(16, 32, 1024), f32(64, 32, 9, scale=0.06))
def conv1d_ncw(x, w):
    return lax.conv_general_dilated(x, w, (2,), "SAME", dimension_numbers=("NCW", "OIW", "NCW"))


@program(f32(4, 16, 16, 16, 8), f32(3, 3, 3, 8, 16, scale=0.1))
def conv3d(x, w):
    return lax.conv_general_dilated(x, w, (1, 1, 1), "SAME", dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))


@program(f32(8, 56, 56, 64))
def global_pool_se(x):
    s = jax.nn.sigmoid(x.mean((1, 2)))
    return x * s[:, None, None]


@program(f32(8, 64, 56, 56))
def nchw_pool_se(x):
    s = jax.nn.sigmoid(x.mean((2, 3)))
    return x * s[:, :, None, None]


@program(f32(8, 56, 56, 64))
def maxpool3s2(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


@program(f32(8, 56, 56, 64))
def maxpool_grad(x):
    return jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2))(x)


@program(f32(1024, 256))
def cumprod_rows(x):
    return jnp.cumprod(1 + x * 0.01, 1)


@program(f32(1024, 256))
def cummax_rows(x):
    return lax.cummax(x, 1)


@program(f32(1024, 256))
def rev_cumsum(x):
    return jnp.cumsum(x[:, ::-1], 1)[:, ::-1]


@program(f32(256, 1024))
def logcumsumexp(x):
    return lax.cumlogsumexp(x, 1)


@program(f32(64, 1000))
def gumbel_sample(l):
    return jnp.argmax(l + jax.random.gumbel(jax.random.key(1), l.shape), -1)


@program(f32(1000, 1000))
def normal_noise(x):
    return x + jax.random.normal(jax.random.key(2), x.shape)


@program(f32(1 << 18))
def shuffle(x):
    return jax.random.permutation(jax.random.key(3), x)


@program(f32(1000, 64), f32(64))
def gae(r, v0):
    def step(a, x):
        a = x + 0.95 * 0.99 * a
        return a, a

    return lax.scan(step, v0, r, reverse=True)[1]


@program(f32(1000, 3, 3, scale=0.3), f32(3))
def chain_mv(ms, v):
    def step(v, m):
        v = jnp.tanh(m @ v)
        return v, v

    return lax.scan(step, v, ms)[1]


@program(f32(200, 6, 6, scale=0.1), f32(200, 6))
def kalman_small(F, z):
    def step(c, x):
        m, P = c
        F_, z_ = x
        A = jnp.eye(6) + F_
        m = A @ m
        P_ = A @ P @ A.T + jnp.eye(6) * 0.1
        K = P_ @ jnp.linalg.inv(P_ + jnp.eye(6))
        m = m + K @ (z_ - m)
        return (m, (jnp.eye(6) - K) @ P_), m

    return lax.scan(step, (jnp.zeros(6), jnp.eye(6)), (F, z))[1]


@program(f32(64, 256), f32(256, 256, scale=0.06))
def rnn_100(x, w):
    return lax.fori_loop(0, 100, lambda i, h: jnp.tanh(h @ w + x), jnp.zeros((64, 256)))


@program(f32(128, 2))
def pendulum_rk4(s):
    def d(s):
        return jnp.stack([s[:, 1], -9.8 * jnp.sin(s[:, 0])], -1)

    def step(i, s):
        k1 = d(s)
        k2 = d(s + 0.005 * k1)
        k3 = d(s + 0.005 * k2)
        k4 = d(s + 0.01 * k3)
        return s + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    return lax.fori_loop(0, 500, step, s)


@program(f32(100000))
def newton_roots(a):
    def step(i, x):
        return x - (x**3 - x - a) / (3 * x * x - 1 + 1e-3)

    return lax.fori_loop(0, 20, step, jnp.ones_like(a) * 2)


@program(f32(256, 256))
def jacobi_eig_power(a):
    q = a @ a.T / 256
    return lax.fori_loop(0, 10, lambda i, m: m @ m / jnp.max(jnp.abs(m @ m)), q)


@program(f32(400, 400, fill=positive))
def floyd(d):
    return lax.fori_loop(0, 400, lambda k, d: jnp.minimum(d, d[:, k][:, None] + d[k][None]), d)


@program(f32(500, 500))
def bellman(w):
    return lax.fori_loop(0, 50, lambda i, v: jnp.min(jnp.abs(w) + v[None], 1), jnp.zeros(500))


@program(f32(20, 4096), f32(20, 4096))
def dtw_cost(a, b):
    return ((a[:, None] - b[None]) ** 2).sum(-1)


@program(f32(64, 64, 64))
def fft3(x):
    return jnp.abs(jnp.fft.fftn(x))


@program(f32(256, 1024))
def dct_like(x):
    return jnp.fft.irfft(jnp.fft.rfft(x) * jnp.linspace(1, 0, 513))


@program(f32(1 << 16), f32(257))
def fft_conv(x, k):
    return jax.scipy.signal.fftconvolve(x, k, mode="same")


@program(f32(512, 512), f32(7, 7))
def conv2d_scipy(x, k):
    return jax.scipy.signal.convolve2d(x, k, mode="same")


@program(f32(200, 200))
def qr_(a):
    return jnp.linalg.qr(a)[1]


@program(f32(100, 100))
def svdvals(a):
    return jnp.linalg.svd(a, compute_uv=False)


@program(f32(64, 32, 32))
def chol_batch(a):
    return jnp.linalg.cholesky(a @ a.swapaxes(1, 2) + jnp.eye(32) * 0.1)


@program(f32(300, 300), f32(300, 20))
def solve_many(a, b):
    return jnp.linalg.solve(a + jnp.eye(300) * 20, b)


@program(f32(128, 128))
def eigh_(a):
    return jnp.linalg.eigh(a + a.T)[0]


@program(f32(1 << 18), f32(1 << 18))
def lexi(a, b):
    return jnp.lexsort((a, jnp.round(b)))


@program(f32(4096, 100))
def topk_rows(x):
    return lax.top_k(x, 5)


@program(f32(1 << 18))
def argsort_gather(x):
    k = jnp.argsort(x)
    return x[k], jnp.zeros_like(k).at[k].set(jnp.arange(1 << 18))


@program(integers(1000, 1 << 18))
def unique_sorted(x):
    s = jnp.sort(x)
    return jnp.sum(s[1:] != s[:-1])


@program(f32(1 << 20))
def where_clip(x):
    return jnp.where(x > 1, 1 + jnp.log(jnp.maximum(x, 1)), jnp.where(x < -1, -1, x))


@program(f32(1 << 20))
def huber(x):
    return jnp.mean(jnp.where(jnp.abs(x) < 1, 0.5 * x * x, jnp.abs(x) - 0.5))


@program(integers(1 << 30, 1 << 20, dtype="uint32"))
def popcount_hash(x):
    x = (x ^ (x >> 16)) * jnp.uint32(0x45D9F3B)
    return lax.population_count(x ^ (x >> 16)).sum()


@program(integers(255, 1 << 20, dtype="uint8"))
def u8_lut(x):
    return (jnp.arange(256, dtype=jnp.float32) ** 0.45)[x]


@program(f32(1 << 20, dtype="float16"))
def f16_scale(x):
    return x * 2 + 1


@program(f32(256, 256, dtype="float16"), f32(256, 256, dtype="float16"))
def f16_mm(a, b):
    return a @ b


@program(f32(1024, 1024))
def bf16_chain(x):
    y = x.astype(jnp.bfloat16)
    return (jax.nn.gelu(y) * y).astype(jnp.float32)


@program(f32(512, 512))
def stack_rows_cols(x):
    return jnp.concatenate([x, x.sum(0, keepdims=True)], 0), jnp.concatenate([x, x.sum(1, keepdims=True)], 1)


@program(f32(512, 512), f32(512, 512))
def interleave_rows(a, b):
    return jnp.stack([a, b], 1).reshape(1024, 512)


@program(f32(512, 512), f32(512, 512))
def interleave_cols(a, b):
    return jnp.stack([a, b], 2).reshape(512, 1024)


@program(f32(1024, 1024))
def checkerboard(x):
    k = (jnp.arange(1024)[:, None] + jnp.arange(1024)) % 2
    return jnp.where(k == 0, x, -x)


@program(f32(512, 512))
def tile_22(x):
    return jnp.tile(x, (2, 2)) * jnp.tile(x, (2, 2))


@program(f32(1024, 1024))
def pad_reflect(x):
    return jnp.pad(x, 8, mode="reflect")


@program(f32(1024, 1024))
def pad_wrap(x):
    return jnp.pad(x, 8, mode="wrap")


@program(f32(32, 8, 64, 64))
def window_partition(x):
    return x.reshape(32, 8, 8, 8, 8, 8).transpose(0, 2, 4, 3, 5, 1).reshape(-1, 64, 8)


@program(f32(8, 56, 56, 96))
def swin_shift(x):
    return jnp.roll(x, (-3, -3), (1, 2)).reshape(8, 8, 7, 8, 7, 96).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 49, 96)


@program(f32(2, 16, 128, 128))
def rel_shift(x):
    y = jnp.pad(x, ((0, 0),) * 3 + ((1, 0),))
    return y.reshape(2, 16, 129, 128)[:, :, 1:]


@program(f32(64, 128, 128))
def triu_sum(x):
    return jnp.where(jnp.triu(jnp.ones((128, 128), bool), 1), x, 0).sum((1, 2))


@program(f32(256, 64), f32(256, 64))
def infonce(a, b):
    a = a / jnp.linalg.norm(a, axis=1, keepdims=True)
    b = b / jnp.linalg.norm(b, axis=1, keepdims=True)
    l = a @ b.T / 0.07
    return -(jnp.diag(jax.nn.log_softmax(l, 1)) + jnp.diag(jax.nn.log_softmax(l, 0))).mean()


@program(f32(100, 50, 64), integers(100, 50), f32(100, 100, scale=0.1))
def crf_like(e, tags_, t):
    def step(a, x):
        a = jax.scipy.special.logsumexp(a[:, :, None] + t[None, :64, :64], 1) + x
        return a, None

    return lax.scan(step, e.swapaxes(0, 1)[0], e.swapaxes(0, 1)[1:])[0]


@program(f32(1000, 20), integers(1000, 5000, 2))
def edge_attr(x, e):
    return jnp.concatenate([x[e[:, 0]], x[e[:, 1]]], -1)


@program(f32(64, 64, 3), f32(3, 16, scale=0.5), f32(16, 16, scale=0.3))
def nerf_encode(x, a, b):
    k = 2.0 ** jnp.arange(6)
    e = jnp.concatenate([jnp.sin(x[..., None] * k), jnp.cos(x[..., None] * k)], -1).reshape(64, 64, 36)
    return jax.nn.relu(e[..., :3] @ a) @ b


@program(f32(128, 64, 4))
def composite_rays(x):
    a = 1 - jnp.exp(-jax.nn.relu(x[..., 3]) * 0.1)
    t = jnp.cumprod(jnp.concatenate([jnp.ones((128, 1)), 1 - a[:, :-1]], 1), 1)
    return ((a * t)[..., None] * jax.nn.sigmoid(x[..., :3])).sum(1)


@program(f32(1 << 18, 2))
def hash_grid(x):
    k = jnp.floor(x * 64).astype(jnp.int32).astype(jnp.uint32)
    h = (k[:, 0] * jnp.uint32(1)) ^ (k[:, 1] * jnp.uint32(2654435761))
    return jnp.arange(16384.0)[h % 16384]
