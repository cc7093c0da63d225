"""More programs as people write them, of models, sciences, data and games; like everyday.py, which see."""

import functools

import jax
import jax.numpy as jnp
from everyday import f32, integers, program
from jax import lax, random

CASES = []


def more(*inputs):
    return program(*inputs, into=CASES, group="everyday-more")


# Layers and losses of models.


@more(f32(128, 128, 64), f32(64, 4), f32(4, 128, 128, 16), f32(4, 128, 128, 16))
def pair_bias_attention(pair, w, q, k):
    bias = (pair @ w).transpose(2, 0, 1)
    logits = jnp.einsum("hqcd,hqkd->hqck", q, k) / 4 + bias[:, None]
    return jax.nn.softmax(logits, -1).sum(1)


@more(f32(128, 128, 32), f32(128, 128, 32))
def triangle_outgoing(a, b):
    return jnp.einsum("ikc,jkc->ijc", jax.nn.sigmoid(a) * b, b)


@more(f32(64, 8, 256), f32(64, 8, 32, 32))
def linear_attention(x, s):
    q, k, v = x[..., :32], x[..., 32:64], x[..., 64:96]
    s = 0.95 * s + k[..., :, None] * v[..., None, :]
    return jnp.einsum("bhk,bhkv->bhv", q, s), s


@more(f32(2, 512, 8, 64), f32(2, 512, 8, 64), f32(2, 512, 8, 64))
def local_attention(q, k, v):
    def blocks(x):
        return x.reshape(2, 8, 64, 8, 64)

    def with_before(x):
        x = blocks(x)
        return jnp.concatenate([jnp.pad(x[:, :-1], ((0, 0), (1, 0), (0, 0), (0, 0), (0, 0))), x], 2)

    logits = jnp.einsum("bnqhd,bnkhd->bnhqk", blocks(q), with_before(k)) / 8
    i = jnp.arange(64)[:, None] + 64
    j = jnp.arange(128)[None]
    seen = (j <= i) & (j > i - 64)
    p = jax.nn.softmax(jnp.where(seen, logits, -1e9), -1)
    return jnp.einsum("bnhqk,bnkhd->bnqhd", p, with_before(v)).reshape(2, 512, 8, 64)


@more(f32(4, 256, 256), f32(4, 256, 256), f32(4, 256, 256))
def masked_attention_by_lengths(q, k, v):
    lengths = jnp.array([256, 100, 17, 200])
    logits = jnp.einsum("bqd,bkd->bqk", q, k) / 16
    seen = jnp.arange(256)[None, None] < lengths[:, None, None]
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.where(seen, logits, -jnp.inf), -1), v)


@more(f32(32, 100, 256), f32(256, 64, scale=0.1), f32(64, 64, scale=0.1), f32(64, 1))
def deep_set(x, a, b, c):
    h = jax.nn.elu(x @ a)
    pooled = jnp.concatenate([h.mean(1), h.max(1)], -1).reshape(32, 2, 64).sum(1)
    return jax.nn.elu(pooled @ b) @ c


@more(f32(64, 784), f32(784, 256, scale=0.05), f32(256, 40, scale=0.1), f32(20, 784, scale=0.1))
def vae_loss_grads(x, a, b, c):
    def loss(a, b, c):
        h = jax.nn.relu(x @ a) @ b
        mean, log_var = h[:, :20], h[:, 20:]
        z = mean + jnp.exp(0.5 * log_var) * random.normal(random.key(0), mean.shape)
        logits = z @ c
        bce = jnp.maximum(logits, 0) - logits * x + jnp.log1p(jnp.exp(-jnp.abs(logits)))
        kl = -0.5 * (1 + log_var - mean**2 - jnp.exp(log_var)).sum(-1)
        return (bce.sum(-1) + kl).mean()

    return jax.grad(loss, (0, 1, 2))(a, b, c)


@more(f32(512, 128), f32(512, 128), f32(512, 128))
def triplet_loss_grads(a, p, n):
    def loss(a, p, n):
        unit = [x / jnp.sqrt((x * x).sum(-1, keepdims=True) + 1e-6) for x in (a, p, n)]
        near = ((unit[0] - unit[1]) ** 2).sum(-1)
        far = ((unit[0] - unit[2]) ** 2).sum(-1)
        return jax.nn.relu(near - far + 0.2).mean()

    return jax.grad(loss, (0, 1, 2))(a, p, n)


@more(f32(256, 1000), integers(1000, 256))
def focal_loss_grad(logits, labels):
    def loss(logits):
        logp = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)[:, 0]
        return (-((1 - jnp.exp(logp)) ** 2) * logp).mean()

    return jax.grad(loss)(logits)


@more(f32(256, 1000), integers(1000, 256))
def smoothed_labels(logits, labels):
    onehot = jax.nn.one_hot(labels, 1000) * 0.9 + 0.1 / 1000
    return -(onehot * jax.nn.log_softmax(logits)).sum(-1).mean()


@more(f32(8, 19, 64, 64), integers(19, 8, 64, 64))
def dice_loss(logits, labels):
    p = jax.nn.softmax(logits, 1)
    t = jax.nn.one_hot(labels, 19, axis=1)
    overlap = (p * t).sum((2, 3))
    return 1 - (2 * overlap / (p.sum((2, 3)) + t.sum((2, 3)) + 1e-6)).mean()


@more(f32(50, 16, 30), integers(29, 16, 10))
def ctc_forward(logits, labels):
    logp = jax.nn.log_softmax(logits, -1)
    padded = jnp.zeros((16, 21), jnp.int32).at[:, 1::2].set(labels + 1)
    same = jnp.concatenate([jnp.ones((16, 2), bool), padded[:, 2:] == padded[:, :-2]], 1) | (padded == 0)

    def step(a, lp):
        one = jnp.pad(a[:, :-1], ((0, 0), (1, 0)), constant_values=-1e9)
        two = jnp.where(same, -1e9, jnp.pad(a[:, :-2], ((0, 0), (2, 0)), constant_values=-1e9))
        a = jnp.logaddexp(jnp.logaddexp(a, one), two) + jnp.take_along_axis(lp, padded, 1)
        return a, None

    first = jnp.full((16, 21), -1e9).at[:, :2].set(jnp.take_along_axis(logp[0], padded[:, :2], 1))
    last = lax.scan(step, first, logp[1:])[0]
    return -jnp.logaddexp(last[:, -1], last[:, -2])


@more(f32(1024, 64), f32(1024, 64))
def barlow_twins(a, b):
    a = (a - a.mean(0)) / a.std(0)
    b = (b - b.mean(0)) / b.std(0)
    c = a.T @ b / 1024
    on = ((jnp.diag(c) - 1) ** 2).sum()
    return on + 0.005 * ((c**2).sum() - (jnp.diag(c) ** 2).sum())


@more(f32(64, 256), f32(64, 256), f32(256, 1024, scale=0.06), f32(256, 1024, scale=0.06), f32(1024))
def lstm_cell(x, h, wx, wh, b):
    i, f, g, o = jnp.split(x @ wx + h @ wh + b, 4, -1)
    c = jax.nn.sigmoid(f) * h + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


@more(f32(50, 64, 64), f32(64, 192, scale=0.1), f32(64, 192, scale=0.1))
def gru(xs, wx, wh):
    def step(h, x):
        xr, xz, xn = jnp.split(x @ wx, 3, -1)
        hr, hz, hn = jnp.split(h @ wh, 3, -1)
        z = jax.nn.sigmoid(xz + hz)
        h = (1 - z) * jnp.tanh(xn + jax.nn.sigmoid(xr + hr) * hn) + z * h
        return h, h

    return lax.scan(step, jnp.zeros((64, 64)), xs)[1]


@more(f32(20, 1, 32), f32(32, 64, scale=0.2), f32(64, 32, scale=0.2))
def neural_ode(x, a, b):
    def f(y):
        return jnp.tanh(y @ a) @ b

    def step(y, _):
        h = 0.1
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return lax.scan(step, x[:, 0], None, length=50)[0]


@more(f32(4, 64, 64, 32), f32(3, 3, 32, 32, scale=0.1), f32(32), f32(4, 32))
def film_block(x, w, g, cond):
    y = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    mean = y.mean((1, 2, 3), keepdims=True)
    y = (y - mean) * lax.rsqrt(((y - mean) ** 2).mean((1, 2, 3), keepdims=True) + 1e-5) * g
    return x + jax.nn.swish(y * (1 + cond[:, None, None]) + cond[:, None, None])


@more(f32(2, 32, 32, 64), f32(3, 3, 64, 1, scale=0.3), f32(64, 256, scale=0.1), f32(256, 64, scale=0.1))
def convnext_block(x, d, a, b):
    y = lax.conv_general_dilated(x, d.transpose(0, 1, 3, 2), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=64)
    y = (y - y.mean(-1, keepdims=True)) / jnp.sqrt(y.var(-1, keepdims=True) + 1e-6)
    return x + jax.nn.gelu(y @ a) @ b


@more(f32(8, 224, 224, 3), f32(16, 16, 3, 192, scale=0.05), f32(196, 192))
def patch_embed(x, w, pos):
    y = lax.conv_general_dilated(x, w, (16, 16), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y.reshape(8, 196, 192) + pos


@more(f32(1, 64, 64, 64), f32(3, 3, 64, 64, scale=0.05))
def dilated_conv(x, w):
    y = lax.conv_general_dilated(x, w, (1, 1), "SAME", rhs_dilation=(2, 2), dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.nn.relu(y)


@more(f32(256, 256), f32(256, 256), f32(256, 256), f32(256))
def lion_update(w, g, m, s):
    u = jnp.sign(0.9 * m + 0.1 * g)
    return w - 1e-3 * (u + 0.1 * w) * s, 0.99 * m + 0.01 * g


@more(f32(512, 512), f32(512), f32(512), f32(512, 512))
def adafactor_update(w, row, column, g):
    g2 = g * g + 1e-30
    row = 0.9 * row + 0.1 * g2.mean(1)
    column = 0.9 * column + 0.1 * g2.mean(0)
    u = g * lax.rsqrt(row / row.mean())[:, None] * lax.rsqrt(column)[None]
    u = u / jnp.maximum(1, jnp.sqrt((u * u).mean()))
    return w - 0.01 * u, row, column


@more(f32(300, 300), f32(300, 30), f32(300), f32(30))
def clipped_norm(a, b, c, d):
    tree = (a, b, c, d)
    norm = jnp.sqrt(sum((x * x).sum() for x in tree))
    scale = jnp.minimum(1.0, 1.0 / norm)
    return [x * scale for x in tree]


@more(f32(256, 128))
def newton_schulz(g):
    x = g.T / (jnp.linalg.norm(g) + 1e-7)
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return x.T


# Reinforcement learning, games and search.


@more(integers(3, 512, 3, 3), integers(9, 512))
def tic_tac_toe(board, move):
    board = board.reshape(512, 9).at[jnp.arange(512), move].set(1)
    lines = jnp.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
    won = (board[:, lines] == 1).all(-1).any(-1)
    full = (board != 0).all(-1)
    return board, won, full & ~won


@more(f32(1024, 4), integers(2, 1024))
def cartpole_batch(s, action):
    x, v, t, w = s.T
    force = jnp.where(action == 1, 10.0, -10.0)
    c, n = jnp.cos(t), jnp.sin(t)
    temp = (force + 0.05 * w**2 * n) / 1.1
    acc = (9.8 * n - c * temp) / (0.5 * (4 / 3 - 0.1 * c**2 / 1.1))
    s = jnp.stack([x + 0.02 * v, v + 0.02 * (temp - 0.05 * acc * c / 1.1), t + 0.02 * w, w + 0.02 * acc], 1)
    done = (jnp.abs(s[:, 0]) > 2.4) | (jnp.abs(s[:, 2]) > 0.2)
    return jnp.where(done[:, None], 0, s), done


@more(f32(64, 128), f32(64, 128), f32(64, 128), f32(64, 128))
def vtrace(rho, reward, value, following):
    c = jnp.minimum(jnp.exp(0.1 * rho), 1.0)
    delta = c * (reward + 0.99 * following - value)

    def step(a, x):
        d, c = x
        a = d + 0.99 * c * a
        return a, a

    return lax.scan(step, jnp.zeros(128), (delta, c), reverse=True)[1] + value


@more(f32(4096, 6), integers(6, 4096), f32(4096), f32(4096))
def ppo_loss_grad(logits, action, old, advantage):
    def loss(logits):
        logp = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
        ratio = jnp.exp(logp - old)
        clipped = jnp.clip(ratio, 0.8, 1.2)
        return -jnp.minimum(ratio * advantage, clipped * advantage).mean()

    return jax.grad(loss)(logits)


@more(f32(100, 8, 100))
def value_iteration(p):
    p = jax.nn.softmax(p, -1)
    reward = jnp.cos(jnp.arange(100.0))

    def step(v, _):
        return (reward[:, None] + 0.95 * p @ v).max(1), None

    return lax.scan(step, jnp.zeros(100), None, length=40)[0]


@more(f32(1000, 10), f32(1000))
def ucb(mean, counts):
    n = jnp.abs(counts)[:, None] + 1
    score = mean + jnp.sqrt(2 * jnp.log(n.sum()) / n)
    return jnp.argmax(score, 1)


@more(f32(256, 64), f32(256, 64), f32(64))
def differential_evolution(pop, trial, scale):
    key = random.key(3)
    chosen = random.permutation(key, 256)
    cross = random.uniform(key, (256, 64)) < 0.7
    trial = jnp.where(cross, pop + 0.8 * (pop[chosen] - trial), pop)

    def value(x):
        return (scale * x**2 - 10 * jnp.cos(2 * jnp.pi * x)).sum(1)

    better = value(trial) < value(pop)
    return jnp.where(better[:, None], trial, pop)


@more(f32(512, 32), f32(512, 32), f32(512, 32))
def particle_swarm(x, v, best):
    value = (x**2).sum(1)
    leader = x[jnp.argmin(value)]
    r = random.uniform(random.key(0), (2, 512, 32))
    v = 0.7 * v + 1.5 * r[0] * (best - x) + 1.5 * r[1] * (leader - x)
    return x + v, v, value


# Physics and other sciences.


@more(f32(512, 512), f32(512, 512), f32(512, 512))
def fdtd(ez, hx, hy):
    def step(s, _):
        ez, hx, hy = s
        hx = hx.at[:, :-1].add(-0.5 * (ez[:, 1:] - ez[:, :-1]))
        hy = hy.at[:-1].add(0.5 * (ez[1:] - ez[:-1]))
        curl = hy[1:-1, 1:-1] - hy[:-2, 1:-1] - hx[1:-1, 1:-1] + hx[1:-1, :-2]
        return (ez.at[1:-1, 1:-1].add(0.5 * curl), hx, hy), None

    return lax.scan(step, (ez, hx, hy), None, length=20)[0]


@more(f32(256, 256))
def cahn_hilliard(c):
    def lap(a):
        return jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1) - 4 * a

    def step(c, _):
        return c + 0.01 * lap(c**3 - c - 0.5 * lap(c)), None

    return lax.scan(step, 0.1 * c, None, length=20)[0]


@more(f32(256, 256), f32(256, 256))
def spectral_poisson(f, g):
    k = jnp.fft.fftfreq(256)[:, None] ** 2 + jnp.fft.rfftfreq(256)[None] ** 2
    k = k.at[0, 0].set(1.0)
    return jnp.fft.irfft2(jnp.fft.rfft2(f * g) / k)


@more(f32(1024), f32(1024))
def split_step_schroedinger(re, im):
    psi = re + 1j * im
    k = jnp.fft.fftfreq(1024) * 6.28
    half = jnp.exp(-0.5j * jnp.linspace(-1, 1, 1024) ** 2)
    for _ in range(4):
        psi = half * jnp.fft.ifft(jnp.exp(-1j * k**2) * jnp.fft.fft(half * psi))
    return jnp.abs(psi) ** 2


@more(f32(4096, 3, scale=3.0), f32(4096, 3))
def pressure_of_particles(x, v):
    cell = jnp.floor(jnp.mod(x, 8.0)).astype(jnp.int32)
    number = (cell[:, 0] * 8 + cell[:, 1]) * 8 + cell[:, 2]
    mass = jnp.zeros(512).at[number].add(1.0)
    momentum = jnp.zeros((512, 3)).at[number].add(v)
    mean = momentum / jnp.maximum(mass, 1)[:, None]
    spread = jnp.zeros(512).at[number].add(((v - mean[number]) ** 2).sum(1))
    return mass, spread / 3


@more(f32(20000, scale=5.0), f32(20000), f32(256))
def particle_in_cell(x, v, field):
    x = jnp.mod(x, 256.0)
    i = jnp.floor(x).astype(jnp.int32)
    w = x - i
    e = field[i % 256] * (1 - w) + field[(i + 1) % 256] * w
    v = v + 0.1 * e
    rho = jnp.zeros(256).at[i % 256].add(1 - w).at[(i + 1) % 256].add(w)
    return x + 0.1 * v, v, rho


@more(f32(64, 64))
def ising_sweep(x):
    s = jnp.where(x > 0, 1.0, -1.0)
    i, j = jnp.indices((64, 64))
    key = random.key(1)
    for color in (0, 1):
        near = jnp.roll(s, 1, 0) + jnp.roll(s, -1, 0) + jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1)
        flip = random.uniform(random.fold_in(key, color), s.shape) < jnp.exp(-0.8 * s * near)
        s = jnp.where(flip & ((i + j) % 2 == color), -s, s)
    return s, s.mean()


@more(f32(500, 3, scale=4.0))
def lennard_jones_cut(x):
    d = x[:, None] - x[None]
    d = d - 10 * jnp.round(d / 10)
    r2 = (d * d).sum(-1) + jnp.eye(500)
    s6 = (1 / r2) ** 3
    near = (r2 < 6.25) & ~jnp.eye(500, dtype=bool)
    f = jnp.where(near, 24 * (2 * s6 * s6 - s6) / r2, 0.0)
    return (f[..., None] * d).sum(1)


@more(f32(20, 300), f32(300, 300, scale=0.05))
def kuramoto(phase, k):
    def step(p, _):
        d = p[:, None, :] - p[:, :, None]
        return p + 0.01 * (k * jnp.sin(d)).mean(-1), None

    return lax.scan(step, phase, None, length=4)[0]


@more(f32(200, 20))
def lotka_volterra(x):
    def f(y):
        a, b = jnp.abs(y[:, :10]), jnp.abs(y[:, 10:])
        return jnp.concatenate([a - 0.1 * a * b, 0.075 * a * b - 1.5 * b], 1)

    def step(y, _):
        k1 = f(y)
        k2 = f(y + 0.005 * k1)
        k3 = f(y + 0.005 * k2)
        k4 = f(y + 0.01 * k3)
        return y + 0.01 / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return lax.scan(step, x, None, length=200)[0]


@more(f32(1000, 8, 3), f32(8, 3))
def kabsch_covariance(x, y):
    x = x - x.mean(1, keepdims=True)
    y = y - y.mean(0)
    h = jnp.einsum("nap,aq->npq", x, y)
    det = jnp.linalg.det(h)
    return h, jnp.sign(det)


@more(f32(2000, 4), f32(2000, 3))
def rotate_by_quaternions(q, x):
    q = q / jnp.linalg.norm(q, axis=-1, keepdims=True)
    u = q[:, 1:]
    t = 2 * jnp.cross(u, x)
    return x + q[:, :1] * t + jnp.cross(u, t)


@more(f32(300, 4, 3))
def dihedral_angles(p):
    b0 = p[:, 0] - p[:, 1]
    b1 = p[:, 2] - p[:, 1]
    b2 = p[:, 3] - p[:, 2]
    b1 = b1 / jnp.linalg.norm(b1, axis=-1, keepdims=True)
    v = b0 - (b0 * b1).sum(-1, keepdims=True) * b1
    w = b2 - (b2 * b1).sum(-1, keepdims=True) * b1
    return jnp.arctan2((jnp.cross(b1, v) * w).sum(-1), (v * w).sum(-1))


@more(f32(1000, 7))
def forward_kinematics(angles):
    def joint(a):
        c, s = jnp.cos(a), jnp.sin(a)
        z, o = jnp.zeros_like(a), jnp.ones_like(a)
        return jnp.stack([jnp.stack([c, -s, z, 0.3 * c], -1), jnp.stack([s, c, z, 0.3 * s], -1),
                          jnp.stack([z, z, o, z], -1), jnp.stack([z, z, z, o], -1)], -2)

    t = jnp.broadcast_to(jnp.eye(4), (1000, 4, 4))
    for j in range(7):
        t = t @ joint(angles[:, j])
    return t[:, :3, 3]


@more(f32(400, 400), f32(400, 400))
def finite_volume(h, u):
    left, right = jnp.roll(h, 1, 1), h
    ul, ur = jnp.roll(u, 1, 1), u
    speed = jnp.maximum(jnp.abs(ul) + jnp.sqrt(jnp.abs(left)), jnp.abs(ur) + jnp.sqrt(jnp.abs(right)))
    flux = 0.5 * (left * ul + right * ur) - 0.5 * speed * (right - left)
    return h - 0.1 * (jnp.roll(flux, -1, 1) - flux)


@more(f32(400, 400))
def weno_weights(x):
    a, b, c, d, e = (jnp.roll(x, k, 1) for k in (2, 1, 0, -1, -2))
    s0 = 13 / 12 * (a - 2 * b + c) ** 2 + 0.25 * (a - 4 * b + 3 * c) ** 2
    s1 = 13 / 12 * (b - 2 * c + d) ** 2 + 0.25 * (b - d) ** 2
    s2 = 13 / 12 * (c - 2 * d + e) ** 2 + 0.25 * (3 * c - 4 * d + e) ** 2
    w0, w1, w2 = 0.1 / (1e-6 + s0) ** 2, 0.6 / (1e-6 + s1) ** 2, 0.3 / (1e-6 + s2) ** 2
    total = w0 + w1 + w2
    return (w0 * (2 * a - 7 * b + 11 * c) + w1 * (-b + 5 * c + 2 * d) + w2 * (2 * c + 5 * d - e)) / (6 * total)


@more(f32(64, 64, 64))
def curl3d(x):
    y, z = jnp.roll(x, 5, 0), jnp.roll(x, 9, 1)

    def d(a, axis):
        return 0.5 * (jnp.roll(a, -1, axis) - jnp.roll(a, 1, axis))

    return d(z, 1) - d(y, 2), d(x, 2) - d(z, 0), d(y, 0) - d(x, 1)


@more(f32(128, 128))
def multigrid_smooth(b):
    x = jnp.zeros_like(b)

    def smooth(x, b, n):
        for _ in range(n):
            p = jnp.pad(x, 1)
            x = 0.25 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] + b)
        return x

    x = smooth(x, b, 2)
    p = jnp.pad(x, 1)
    r = b - (4 * x - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2])
    coarse = r.reshape(64, 2, 64, 2).mean((1, 3)) * 4
    e = smooth(jnp.zeros_like(coarse), coarse, 4)
    x = x + jnp.repeat(jnp.repeat(e, 2, 0), 2, 1)
    return smooth(x, b, 2)


@more(f32(4096, 2), f32(64, 2))
def voronoi(points, sites):
    d = ((points[:, None] - sites[None]) ** 2).sum(-1)
    nearest = jnp.argmin(d, 1)
    return nearest, jnp.take_along_axis(d, nearest[:, None], 1)[:, 0]


@more(f32(512, 2), f32(256, 2))
def chamfer(a, b):
    d = ((a[:, None] - b[None]) ** 2).sum(-1)
    return d.min(0).mean() + d.min(1).mean()


@more(f32(100, 4, scale=10.0), f32(120, 4, scale=10.0))
def box_iou(a, b):
    def corners(x):
        return x[:, :2] - jnp.abs(x[:, 2:]) / 2, x[:, :2] + jnp.abs(x[:, 2:]) / 2

    (a0, a1), (b0, b1) = corners(a), corners(b)
    size = jnp.clip(jnp.minimum(a1[:, None], b1[None]) - jnp.maximum(a0[:, None], b0[None]), 0)
    overlap = size[..., 0] * size[..., 1]
    area = jnp.prod(a1 - a0, -1)[:, None] + jnp.prod(b1 - b0, -1)[None]
    return overlap / (area - overlap + 1e-6)


@more(f32(64, 4), f32(64))
def non_maximum_suppression(box, score):
    box = jnp.concatenate([box[:, :2], box[:, :2] + jnp.abs(box[:, 2:])], 1)
    order = jnp.argsort(-score)
    box = box[order]
    lo = jnp.maximum(box[:, None, :2], box[None, :, :2])
    hi = jnp.minimum(box[:, None, 2:], box[None, :, 2:])
    overlap = jnp.prod(jnp.clip(hi - lo, 0), -1)
    area = jnp.prod(box[:, 2:] - box[:, :2], -1)
    iou = overlap / (area[:, None] + area[None] - overlap + 1e-6)

    def step(i, keep):
        return jnp.where((iou[i] > 0.5) & keep[i] & (jnp.arange(64) > i), False, keep)

    return order, lax.fori_loop(0, 64, step, jnp.ones(64, bool))


# Statistics and data.


@more(f32(1000, 37), f32(37, scale=0.3), f32(37), integers(2, 1000))
def hmc_leapfrog(x, q, p, label):
    y = 2.0 * label - 1

    def gradient(q):
        return jax.grad(lambda q: jnp.log1p(jnp.exp(-y * (x @ q))).sum() + 0.5 * (q * q).sum())(q)

    for _ in range(5):
        p = p - 0.005 * gradient(q)
        q = q + 0.01 * p
        p = p - 0.005 * gradient(q)
    return q, p


@more(f32(1000, 20), integers(2, 1000))
def logistic_newton(x, label):
    def step(w, _):
        p = jax.nn.sigmoid(x @ w)
        g = x.T @ (p - label) + w
        h = (x * (p * (1 - p))[:, None]).T @ x + jnp.eye(20)
        return w - jnp.linalg.solve(h, g), None

    return lax.scan(step, jnp.zeros(20), None, length=5)[0]


@more(f32(2000, 16), f32(8, 16))
def gmm_em_step(x, mean):
    log_p = -0.5 * ((x[:, None] - mean[None]) ** 2).sum(-1)
    r = jax.nn.softmax(log_p, 1)
    total = r.sum(0)
    mean = (r.T @ x) / total[:, None]
    var = (r.T @ (x * x)) / total[:, None] - mean**2
    return mean, var, total / 2000


@more(f32(2000, 64))
def pca_power(x):
    x = x - x.mean(0)
    c = x.T @ x / 1999

    def step(v, _):
        w = c @ v
        return w / jnp.linalg.norm(w), None

    v = lax.scan(step, jnp.ones(64) / 8, None, length=30)[0]
    return x @ v


@more(f32(5000, 30))
def standardise_both(x):
    x = (x - x.mean(0)) / x.std(0)
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


@more(f32(1000, 250))
def rolling_mean_and_std(x):
    c = jnp.cumsum(x, 1)
    c2 = jnp.cumsum(x * x, 1)
    m = (c[:, 20:] - c[:, :-20]) / 20
    return m, jnp.sqrt(jnp.maximum((c2[:, 20:] - c2[:, :-20]) / 20 - m * m, 0))


@more(f32(500, 200))
def drawdown(x):
    price = jnp.exp(jnp.cumsum(0.01 * x, 1))
    peak = lax.cummax(price, axis=1)
    return (price / peak - 1).min(1), price[:, -1]


@more(f32(250, 100), f32(100))
def portfolio(r, w):
    w = jax.nn.softmax(w)
    c = jnp.cov(r.T)
    risk = jnp.sqrt(w @ c @ w)
    return w * (c @ w) / risk, r.mean(0) @ w / risk


@more(f32(50000), integers(100, 50000))
def group_statistics(x, group):
    n = jax.ops.segment_sum(jnp.ones_like(x), group, 100)
    s = jax.ops.segment_sum(x, group, 100)
    s2 = jax.ops.segment_sum(x * x, group, 100)
    low = jax.ops.segment_min(x, group, 100)
    return n, s / n, s2 / n - (s / n) ** 2, low


@more(f32(4000), f32(4000))
def kendall_part(a, b):
    a, b = a[:1000], b[:1000]
    return (jnp.sign(a[:, None] - a[None]) * jnp.sign(b[:, None] - b[None])).sum() / (1000 * 999)


@more(f32(4000), f32(4000))
def spearman(a, b):
    ra = jnp.argsort(jnp.argsort(a)).astype(jnp.float32)
    rb = jnp.argsort(jnp.argsort(b)).astype(jnp.float32)
    return jnp.corrcoef(ra, rb)[0, 1]


@more(f32(1000, 3), f32(200, 3))
def kernel_density(x, at):
    d2 = ((at[:, None] - x[None]) ** 2).sum(-1)
    return jnp.exp(-2 * d2).mean(1)


@more(f32(200, 5), f32(200), f32(50, 5))
def gaussian_process(x, y, at):
    def k(a, b):
        return jnp.exp(-0.5 * ((a[:, None] - b[None]) ** 2).sum(-1))

    c = jnp.linalg.cholesky(k(x, x) + 0.1 * jnp.eye(200))
    alpha = jax.scipy.linalg.cho_solve((c, True), y)
    v = jax.scipy.linalg.solve_triangular(c, k(x, at), lower=True)
    return k(at, x) @ alpha, 1 - (v * v).sum(0)


@more(f32(500, 12), f32(500))
def ridge(x, y):
    return jnp.linalg.solve(x.T @ x + jnp.eye(12), x.T @ y)


@more(f32(1000))
def bootstrap_means(x):
    chosen = random.randint(random.key(0), (200, 1000), 0, 1000)
    return jnp.sort(x[chosen].mean(1))[jnp.array([5, 100, 194])]


@more(f32(100, 256))
def permutation_entropy(x):
    w = jnp.stack([x[:, i : i + 254] for i in range(3)], -1)
    code = (jnp.argsort(w, -1) * jnp.array([9, 3, 1])).sum(-1)
    counts = jax.vmap(lambda c: jnp.bincount(c, length=27))(code)
    p = counts / 254
    return -(p * jnp.log(p + 1e-9)).sum(1)


@more(integers(256, 1 << 16, dtype="uint8"))
def entropy_of_bytes(x):
    p = jnp.bincount(x, length=256) / x.size
    return -jnp.where(p > 0, p * jnp.log2(jnp.where(p > 0, p, 1)), 0).sum()


@more(integers(1 << 30, 1 << 16), integers(1 << 30, 1 << 16))
def hamming_top(a, b):
    d = lax.population_count(a ^ b)
    return lax.top_k(-d.reshape(256, 256), 4)


@more(integers(1000, 1 << 15), integers(1000, 1 << 15), f32(1 << 15), f32(1000))
def sparse_product(row, column, value, x):
    return jnp.zeros(1000).at[row].add(value * x[column])


@more(integers(500, 8, 64), f32(500, 32))
def bag_of_words(tokens, table):
    counts = jax.nn.one_hot(tokens, 500).sum(1)
    idf = jnp.log(9.0 / (1 + (counts > 0).sum(0)))
    return (counts / 64 * idf) @ table


@more(integers(256, 8, 224, 224, 3, dtype="uint8"))
def bytes_to_channels(x):
    x = x.astype(jnp.float32) / 255
    x = (x - jnp.array([0.485, 0.456, 0.406])) / jnp.array([0.229, 0.224, 0.225])
    return x.transpose(0, 3, 1, 2)


@more(f32(8, 64, 64, 3), integers(16, 8, 2))
def random_crops(x, at):
    def crop(x, at):
        return lax.dynamic_slice(x, (at[0], at[1], 0), (48, 48, 3))

    return jax.vmap(crop)(x, at)


@more(f32(8, 128, 128, 3), f32(8, 3))
def colour_jitter(x, s):
    x = jnp.clip(x * (1 + 0.1 * s[:, None, None, :1]), 0, 1)
    grey = x.mean(-1, keepdims=True)
    x = grey + (x - grey) * (1 + 0.1 * s[:, None, None, 1:2])
    mean = x.mean((1, 2, 3), keepdims=True)
    return jnp.clip(mean + (x - mean) * (1 + 0.1 * s[:, None, None, 2:3]), 0, 1)


@more(f32(16, 128, 128), f32(16))
def mix_up(x, lam):
    lam = jax.nn.sigmoid(lam)[:, None, None]
    return lam * x + (1 - lam) * x[::-1]


@more(f32(512, 512))
def gaussian_pyramid(x):
    k = jnp.array([1, 4, 6, 4, 1.0]) / 16
    out = []
    for _ in range(3):
        p = jnp.pad(x, 2, mode="edge")
        h = sum(k[i] * p[:, i : i + x.shape[1]] for i in range(5))
        x = sum(k[i] * h[i : i + x.shape[0]] for i in range(5))[::2, ::2]
        out.append(x)
    return out


@more(f32(512, 512))
def canny_gradient(x):
    p = jnp.pad(x, 1, mode="edge")
    gx = p[1:-1, 2:] - p[1:-1, :-2]
    gy = p[2:, 1:-1] - p[:-2, 1:-1]
    m = jnp.sqrt(gx**2 + gy**2)
    q = jnp.pad(m, 1)
    flat = jnp.abs(gx) > jnp.abs(gy)
    a = jnp.where(flat, q[1:-1, 2:], q[2:, 1:-1])
    b = jnp.where(flat, q[1:-1, :-2], q[:-2, 1:-1])
    return jnp.where((m >= a) & (m >= b), m, 0.0)


@more(f32(512, 512))
def haar_wavelet(x):
    for n in (512, 256, 128):
        y = x[:n, :n]
        y = jnp.concatenate([y[::2] + y[1::2], y[::2] - y[1::2]]) / 2
        y = jnp.concatenate([y[:, ::2] + y[:, 1::2], y[:, ::2] - y[:, 1::2]], 1) / 2
        x = x.at[:n, :n].set(y)
    return x


@more(f32(256, 256))
def distance_transform(x):
    d = jnp.where(x > 1.5, 0.0, 1e6)

    def step(d, _):
        p = jnp.pad(d, 1, constant_values=1e6)
        near = jnp.minimum(jnp.minimum(p[2:, 1:-1], p[:-2, 1:-1]), jnp.minimum(p[1:-1, 2:], p[1:-1, :-2]))
        return jnp.minimum(d, near + 1), None

    return lax.scan(step, d, None, length=10)[0]


@more(f32(128, 128, 3), f32(128, 128, 2))
def optical_flow_warp(x, flow):
    i, j = jnp.meshgrid(jnp.arange(128.0), jnp.arange(128.0), indexing="ij")
    y, z = jnp.clip(i + flow[..., 0], 0, 126), jnp.clip(j + flow[..., 1], 0, 126)
    y0, z0 = jnp.floor(y).astype(jnp.int32), jnp.floor(z).astype(jnp.int32)
    a, b = (y - y0)[..., None], (z - z0)[..., None]
    return (1 - a) * ((1 - b) * x[y0, z0] + b * x[y0, z0 + 1]) + a * ((1 - b) * x[y0 + 1, z0] + b * x[y0 + 1, z0 + 1])


@more(f32(256, 256))
def bilateral_filter(x):
    p = jnp.pad(x, 2, mode="edge")
    total = weight = 0.0
    for i in range(5):
        for j in range(5):
            y = p[i : i + 256, j : j + 256]
            w = jnp.exp(-((i - 2) ** 2 + (j - 2) ** 2) / 8.0 - (x - y) ** 2 / 0.2)
            total, weight = total + w * y, weight + w
    return total / weight


@more(f32(4, 16000), f32(80, 257))
def log_mel(x, mel):
    frames = jnp.stack([x[:, i * 160 : i * 160 + 512] for i in range(96)], 1)
    spectrum = jnp.abs(jnp.fft.rfft(frames * jnp.hanning(512))) ** 2
    return jnp.log(spectrum @ jnp.abs(mel).T + 1e-6)


@more(f32(16, 4096))
def autocorrelation(x):
    f = jnp.fft.rfft(x, 8192)
    return jnp.fft.irfft(f * jnp.conj(f))[:, :256]


@more(f32(64, 1000))
def savitzky_golay(x):
    k = jnp.array([-3, 12, 17, 12, -3.0]) / 35
    return jax.vmap(lambda r: jnp.convolve(r, k, mode="same"))(x)


@more(f32(32, 2000))
def delta_and_mu_law(x):
    d = jnp.diff(jnp.tanh(x), axis=1, prepend=0.0)
    code = jnp.sign(d) * jnp.log1p(255 * jnp.abs(d)) / jnp.log(256.0)
    return ((code + 1) / 2 * 255 + 0.5).astype(jnp.uint8)


@more(f32(100, 100, scale=0.1))
def matrix_power_and_trace(a):
    return jnp.trace(jnp.linalg.matrix_power(a, 5))


@more(f32(200, 6, 6), f32(200, 6))
def solve_small_batches(a, b):
    return jnp.linalg.solve(a + 6 * jnp.eye(6), b[..., None])[..., 0]


@more(f32(5000, 2, 2))
def eigenvalues_2x2(a):
    tr = a[:, 0, 0] + a[:, 1, 1]
    det = a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0]
    d = jnp.sqrt(jnp.maximum(tr * tr / 4 - det, 0))
    return jnp.stack([tr / 2 - d, tr / 2 + d], -1)


@more(f32(256, 256))
def gauss_seidel_lines(a):
    def step(left, row):
        row = 0.5 * (left + row)
        return row, row

    return lax.scan(step, a[0], a[1:])[1]


@more(f32(64, 256, 256))
def thomas_algorithm(r):
    def down(s, d):
        c, x = s
        m = 1 / (4 - c)
        c, x = m, (d + x) * m
        return (c, x), (c, x)

    zero = jnp.zeros((256, 256))
    c, x = lax.scan(down, (zero, zero), r)[1]

    def up(x, s):
        c, d = s
        x = d + c * x
        return x, x

    return lax.scan(up, zero, (c, x), reverse=True)[1]


@more(f32(512, 64), f32(64, 64, scale=0.1))
def hopfield(x, w):
    s = jnp.sign(x)
    for _ in range(4):
        s = jnp.sign(s @ (w + w.T))
    return (s * x).sum(1)


@more(f32(1 << 16))
def compensated_sum(x):
    def step(s, v):
        total, lost = s
        y = v - lost
        t = total + y
        return (t, (t - total) - y), None

    rows = x.reshape(256, 256)
    return lax.scan(step, (jnp.zeros(256), jnp.zeros(256)), rows)[0][0].sum()


@more(integers(1 << 30, 4096, dtype="uint32"))
def xorshift_rounds(x):
    def step(_, x):
        x ^= x << 13
        x ^= x >> 17
        return x ^ (x << 5)

    return lax.fori_loop(0, 64, step, x)


@more(integers(1 << 16, 512), integers(1 << 16, 512))
def gcd_of_pairs(a, b):
    return jnp.gcd(a[:, None] + 1, b[None, :64] + 1)


@more(integers(2, 256, 256))
def wolfram_rule(x):
    def step(row, _):
        code = 4 * jnp.roll(row, 1, 1) + 2 * row + jnp.roll(row, -1, 1)
        row = (30 >> code) & 1
        return row, None

    return lax.scan(step, x, None, length=32)[0]


@more(f32(1024, 32), integers(1024, 4096, 2), f32(4096, 8), f32(72, 32, scale=0.2))
def message_passing(x, edges, attributes, w):
    m = jnp.concatenate([x[edges[:, 0]], x[edges[:, 1]], attributes], 1) @ w
    total = jax.ops.segment_sum(jax.nn.silu(m), edges[:, 1], 1024)
    return x + total


@more(f32(1024, 16), integers(1024, 1024, 8))
def nearest_neighbour_features(x, near):
    d = x[near] - x[:, None]
    return jnp.concatenate([d.max(1), x], -1), jnp.sqrt((d * d).sum(-1))


@more(integers(1024, 8192, 2))
def page_rank(edges):
    degree = jnp.zeros(1024).at[edges[:, 0]].add(1.0)

    def step(r, _):
        given = r / jnp.maximum(degree, 1)
        return 0.15 / 1024 + 0.85 * jnp.zeros(1024).at[edges[:, 1]].add(given[edges[:, 0]]), None

    return lax.scan(step, jnp.full(1024, 1 / 1024), None, length=10)[0]


@more(f32(64, 64), f32(64, 64))
def tropical_product(a, b):
    return (a[:, :, None] + b[None]).min(1)


@more(f32(1000, 10), f32(1000, 10))
def dtw_rows(a, b):
    return jnp.abs(a[:, :, None] - b[:, None, :]).min(2).sum(1)


@more(f32(1 << 20))
def smooth_step(x):
    t = jnp.clip((x + 1) / 2, 0, 1)
    return t * t * (3 - 2 * t)


@more(f32(1 << 18))
def normal_cdf_and_inverse(x):
    p = jax.scipy.stats.norm.cdf(x)
    return jax.scipy.special.ndtri(jnp.clip(p, 1e-4, 1 - 1e-4))


@more(f32(1 << 16))
def bessel_and_gamma(x):
    return jax.scipy.special.i0e(x) + jax.scipy.special.gammaln(jnp.abs(x) + 1)


@more(f32(1 << 20), f32(1 << 20))
def great_circle(a, b):
    h = jnp.sin(b / 2) ** 2 + jnp.cos(a) * jnp.cos(b) * jnp.sin(a / 2) ** 2
    return 2 * jnp.arcsin(jnp.sqrt(jnp.clip(h, 0, 1)))


@more(f32(512, 512, 4), f32(512, 512, 4))
def over_blend(a, b):
    aa, ba = jax.nn.sigmoid(a[..., 3:]), jax.nn.sigmoid(b[..., 3:])
    alpha = aa + ba * (1 - aa)
    return jnp.concatenate([(a[..., :3] * aa + b[..., :3] * ba * (1 - aa)) / alpha, alpha], -1)


@more(f32(128, 128, 16), f32(16, 3), f32(3))
def ray_shading(n, w, light):
    d = (n @ w) / (jnp.linalg.norm(n @ w, axis=-1, keepdims=True) + 1e-6)
    diffuse = jax.nn.relu(d @ light)
    r = 2 * diffuse[..., None] * d - light
    return diffuse + jax.nn.relu(r[..., 2]) ** 16


@more(f32(3), f32(128, 128, 3))
def march_spheres(origin, direction):
    direction = direction / jnp.linalg.norm(direction, axis=-1, keepdims=True)

    def step(_, t):
        p = origin + t[..., None] * direction
        q = jnp.mod(p + 2, 4) - 2
        return t + jnp.linalg.norm(q, axis=-1) - 0.5

    return lax.fori_loop(0, 12, step, jnp.zeros((128, 128)))


@more(f32(200, 32), f32(150, 32))
def largest_differences(x, y):
    return jnp.abs(x[:, None] - y[None]).max(-1)


@more(f32(200, 32), f32(150, 32))
def nearest_rows(x, y):
    return jnp.square(x[:, None] - y[None]).sum(-1).argmin(1)


# What all pairs of particles do, component by component, and random numbers of several kinds.


@more(f32(1024, 3), f32(1024))
def gravity(x, mass):
    d = x[None] - x[:, None]
    nearness = 1 / jnp.sqrt((d * d).sum(-1) + 0.01)
    return (d * (mass * nearness**3)[..., None]).sum(1)


@more(f32(400, 3))
def molecular_forces(x):
    d = 3 * (x[:, None] - x[None])
    square = (d * d).sum(-1)
    itself = jnp.eye(x.shape[0], dtype=bool)
    inverse = jnp.where(itself, 0, 1 / jnp.where(square == 0, 1, square))
    sixth = inverse**3
    return ((24 * (2 * sixth * sixth - sixth) * inverse)[..., None] * d).sum(1)


@more(f32(300, 2), f32(300, 2))
def embedding_gradient_of_neighbours(x, y):
    def loss(y):
        d = ((y[:, None] - y[None]) ** 2).sum(-1)
        q = jnp.where(jnp.eye(y.shape[0], dtype=bool), 0, 1 / (1 + d))
        p = jnp.exp(-((x[:, None] - x[None]) ** 2).sum(-1))
        return (p * (jnp.log(p + 1e-9) - jnp.log(q / q.sum() + 1e-9))).sum()

    return jax.grad(loss)(y)


@more(integers(100, 1))
def laplace_numbers(seed):
    return random.laplace(random.key(seed[0]), (200000,))


@more(integers(100, 1))
def truncated_normal_numbers(seed):
    return random.truncated_normal(random.key(seed[0]), -2, 2, (200000,))


@more(integers(100, 1))
def gumbel_numbers(seed):
    return random.gumbel(random.key(seed[0]), (300000,))


@more(f32(500, 64), f32(600, 64))
def products_of_all_pairs(x, y):
    return (x[:, None, :] * y[None, :, :]).sum(-1)


@more(f32(64, 32, 16), f32(64, 16, 24))
def products_of_a_batch(x, y):
    return (x[:, :, :, None] * y[:, None, :, :]).sum(2)


@more(f32(500, 64), f32(600, 64))
def manhattan_distances(x, y):
    return jnp.abs(x[:, None, :] - y[None, :, :]).sum(-1)


@more(f32(400, 20), f32(300, 20))
def kernel_of_all_pairs(x, y):
    return jnp.exp(-0.5 * ((x[:, None, :] - y[None, :, :]) ** 2).sum(-1))


@more(f32(300, 300), f32(300, 300))
def shortest_of_two_steps(x, y):
    return (x[:, None, :] + y[None, :, :]).min(-1)


@more(integers(1 << 30, 400, 8), integers(1 << 30, 300, 8))
def hamming_distances(x, y):
    return jax.lax.population_count(x[:, None, :] ^ y[None, :, :]).sum(-1)


@more(f32(2000, 16), f32(10, 16))
def nearest_centres(x, centres):
    return ((x[:, None, :] - centres[None, :, :]) ** 2).sum(-1).argmin(1)


@more(f32(5, 40000))
def log_of_sums_of_five(x):
    return functools.reduce(jnp.logaddexp, x)


@more(f32(40000))
def rapidity(momentum):
    energy = jnp.sqrt(1 + momentum**2)
    return jnp.arctanh(momentum / energy) + jnp.arccosh(energy) + jnp.arcsinh(momentum)


@more(f32(50000), f32(10, 2))
def activations_one_after_the_other(x, weights):
    for scale, offset in weights:
        x = jnp.tanh(scale * x + offset)
    return x
