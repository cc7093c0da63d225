"""Records what JAX gives for the cases of parity: tests/parity/values.txt.

Each case has a function of the same name in crates/lawson/tests/parity/cases. A line is `name/number dtype[dims] element …`,
one for each result; floats are written as their bits in hexadecimal. Inputs are not recorded: `pattern` and `indices` are
formulas that the cases have too. Formulas of optax are written out.
Run: scripts/python.sh scripts/record_parity_values.py
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, lax, nn, random, vmap
from recording import indices, line, pattern

OUT = os.path.join(os.path.dirname(__file__), "../tests/parity/values.txt")
cases = {}


def case(f):
    cases[f.__name__] = f
    return f


def mlp(params, x):
    w1, b1, w2, b2 = params
    return jnp.tanh(x @ w1 + b1) @ w2 + b2


def mlp_params():
    return 0.5 * pattern(1, 4, 6), 0.25 * pattern(2, 6), 0.5 * pattern(3, 6, 3), 0.25 * pattern(4, 3)


def cross_entropy(params, x, labels):
    logits = nn.log_softmax(mlp(params, x))
    return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], 1))


# Derivatives.


@case
def regression_gradient():
    x, w, y = pattern(1, 5, 3), pattern(2, 3), pattern(3, 5)
    return grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(w)


@case
def network_value_and_gradients():
    return jax.value_and_grad(cross_entropy)(mlp_params(), pattern(5, 7, 4), indices(1, 3, 7))


@case
def per_example_gradients():
    f = lambda p, x, label: cross_entropy(p, x[None], label[None])
    return vmap(grad(f), (None, 0, 0))(mlp_params(), pattern(5, 7, 4), indices(1, 3, 7))


@case
def hessian():
    return jax.hessian(lambda x: jnp.sum(jnp.tanh(x) * x**2) + jnp.prod(x[:2]))(pattern(6, 4))


@case
def hessian_vector_product():
    f = lambda x: jax.nn.logsumexp(x @ pattern(2, 4, 5))
    return grad(lambda x: jnp.vdot(grad(f)(x), pattern(3, 4)))(pattern(1, 4))


@case
def third_derivative():
    return vmap(grad(grad(grad(lambda x: jnp.sin(x) * jnp.exp(0.5 * x)))))(pattern(1, 6))


@case
def gradients_of_elementary_functions():
    x = 0.2 * pattern(1, 8)
    functions = [
        jnp.exp, jnp.expm1, jnp.log1p, jnp.sin, jnp.cos, jnp.tan, jnp.arcsin, jnp.arctan, jnp.sinh, jnp.cosh,
        jnp.tanh, jnp.arcsinh, jnp.arctanh, nn.sigmoid, lax.erf, jnp.cbrt, lambda x: jnp.log(x + 2.0),
        lambda x: jnp.sqrt(x + 2.0), lambda x: lax.rsqrt(x + 2.0), lambda x: (x + 2.0) ** 1.5, lambda x: x**3,
        lambda x: jnp.arctan2(x, x + 2.0), lambda x: 1.0 / (x + 2.0), jnp.abs,
    ]
    return [vmap(grad(f))(x + 0.01) for f in functions]


@case
def gradients_of_reductions():
    x, w = pattern(1, 3, 4), pattern(2, 3)
    return [
        grad(lambda x: jnp.sum(f(x, axis=1) * w))(x)
        for f in [jnp.sum, jnp.mean, jnp.max, jnp.min, jnp.prod, jnp.var, jax.nn.logsumexp]
    ]


@case
def gradient_of_products_of_arrays():
    a, b = pattern(1, 2, 3, 4), pattern(2, 2, 4, 5)
    return grad(lambda a, b: jnp.sum(jnp.sin(jnp.einsum("bij,bjk->bki", a, b))), (0, 1))(a, b)


@case
def gradient_of_a_safe_root():
    return grad(lambda x: jnp.sum(jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)))(pattern(1, 9))


@case
def gradient_of_the_inverse_error_function():
    return vmap(grad(jax.scipy.special.erfinv))(0.45 * pattern(1, 8))


# Loops and branches.


def cell(w, h, x):
    h = jnp.tanh(x + h @ w)
    return h, jnp.sum(h)


@case
def scan():
    return lax.scan(lambda h, x: cell(0.5 * pattern(2, 3, 3), h, x), jnp.zeros(3), pattern(1, 6, 3))


@case
def scan_reverse():
    return lax.scan(lambda h, x: cell(0.5 * pattern(2, 3, 3), h, x), jnp.zeros(3), pattern(1, 6, 3), reverse=True)


@case
def scan_gradient():
    def f(w, xs):
        h, ys = lax.scan(lambda h, x: cell(w, h, x), jnp.zeros(3), xs)
        return jnp.sum(h * h) + jnp.sum(ys)

    return grad(f, (0, 1))(0.5 * pattern(2, 3, 3), pattern(1, 6, 3))


@case
def scan_of_a_batch():
    f = lambda xs: lax.scan(lambda h, x: cell(0.5 * pattern(2, 3, 3), h, x), jnp.zeros(3), xs)[1]
    return vmap(f)(pattern(1, 4, 6, 3))


@case
def fori_loop_gradient():
    f = lambda x: jnp.sum(lax.fori_loop(0, 5, lambda i, x: jnp.sin(x) * 1.1, x))
    return grad(f)(pattern(1, 5))


@case
def while_loop():
    halved = lambda x: lax.while_loop(lambda s: s[0] > 1.0, lambda s: (s[0] * 0.5, s[1] + 1), (x, 0))
    return vmap(halved)(jnp.array([1.0, 3.0, 100.0, 7.5]))


@case
def cond_gradient():
    f = lambda x: lax.cond(jnp.sum(x) > 0, lambda x: jnp.sum(jnp.exp(x)), lambda x: jnp.sum(x**2), x)
    return [grad(f)(pattern(1, 4)), grad(f)(-jnp.abs(pattern(1, 4)))]


@case
def switch_of_a_batch():
    branches = [jnp.sin, lambda x: x * x, lambda x: -x]
    return vmap(lambda i, x: lax.switch(i, branches, x))(indices(1, 3, 7), pattern(1, 7))


# Indices, orders, windows.


@case
def gathers():
    x = pattern(1, 5, 4)
    return [
        jnp.take(x, indices(1, 5, 3, 2), 0),
        jnp.take(x, indices(2, 4, 3), 1),
        jnp.take_along_axis(x, indices(3, 4, 5, 2), 1),
    ]


@case
def gradients_of_gathers():
    x = pattern(1, 5, 4)
    return [
        grad(lambda x: jnp.sum(jnp.sin(jnp.take(x, indices(1, 5, 3, 2), 0))))(x),
        grad(lambda x: jnp.sum(jnp.sin(jnp.take_along_axis(x, indices(3, 4, 5, 2), 1))))(x),
    ]


@case
def embedding_gradient():
    table, w = pattern(1, 6, 3), pattern(2, 4, 3)
    return grad(lambda t: jnp.sum(jnp.take(t, indices(1, 6, 4), 0) * w))(table)


@case
def segment_sums():
    return jax.ops.segment_sum(pattern(1, 8, 2), indices(1, 3, 8), 3)


@case
def orders():
    x = pattern(1, 3, 7)
    return [jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.cumsum(x, 1), jnp.cumprod(x, 0)]


@case
def gradient_of_running_sums():
    return grad(lambda x: jnp.sum(jnp.sin(jnp.cumsum(x, 1)) * pattern(2, 3, 7)))(pattern(1, 3, 7))


@case
def slices():
    x = pattern(1, 4, 6)
    f = lambda x: x[1:, ::2] * x[:3, 1::2]
    return [f(x), grad(lambda x: jnp.sum(f(x)))(x), lax.dynamic_slice(x, (1, 2), (2, 3))]


@case
def concatenations():
    a, b = pattern(1, 2, 3), pattern(2, 4, 3)
    f = lambda a, b: jnp.sum(jnp.sin(jnp.concatenate([a, b, a])) * pattern(3, 8, 3))
    return grad(f, (0, 1))(a, b)


def conv(x, w, strides, padding):
    return lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"))


@case
def convolutions():
    x, w = pattern(1, 2, 7, 6, 3), pattern(2, 3, 2, 3, 4)
    return [conv(x, w, (1, 1), "SAME"), conv(x, w, (2, 1), "VALID")]


@case
def gradients_of_convolutions():
    x, w = 0.25 * pattern(1, 2, 7, 6, 3), 0.25 * pattern(2, 3, 2, 3, 4)
    return grad(lambda x, w: jnp.sum(jnp.tanh(conv(x, w, (2, 1), "SAME"))), (0, 1))(x, w)


@case
def pools():
    x = pattern(1, 2, 6, 6, 3)
    most = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    mean = lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 3, 3, 1), "VALID") / 9
    return [most(x), mean]


# Networks.


@case
def activations():
    x = pattern(1, 33)
    return [f(x) for f in ACTIVATIONS]


@case
def gradients_of_activations():
    x = pattern(1, 33)
    return [vmap(grad(f))(x) for f in ACTIVATIONS]


ACTIVATIONS = [
    nn.relu, nn.leaky_relu, nn.elu, nn.celu, nn.selu, lambda x: nn.gelu(x, approximate=False), nn.gelu, nn.sigmoid,
    nn.silu, nn.softplus, nn.log_sigmoid, nn.soft_sign, nn.hard_tanh, nn.mish,
]


@case
def relu_at_bounds():
    x = jnp.array([-1.0, -0.0, 0.0, 1.0, 6.0, 7.0])
    return [vmap(grad(nn.relu))(x), vmap(grad(nn.relu6))(x)]


@case
def softmaxes():
    x = pattern(1, 3, 5)
    f = lambda x: jnp.sum(nn.softmax(x, 1) * pattern(2, 3, 5))
    g = lambda x: jnp.sum(nn.log_softmax(x, 0) * pattern(2, 3, 5))
    return [nn.softmax(x, 1), nn.log_softmax(x, 0), grad(f)(x), grad(g)(x)]


@case
def losses():
    x, y = pattern(1, 4, 5), nn.softmax(pattern(2, 4, 5))
    labels = indices(1, 5, 4)
    truth = (pattern(3, 4, 5) > 0).astype(jnp.float32)
    log = nn.log_softmax(x)
    error = jnp.abs(x - y)
    small = jnp.minimum(error, 0.5)
    return [
        -jnp.sum(y * log, -1),
        -jnp.take_along_axis(log, labels[:, None], 1)[:, 0],
        -truth * nn.log_sigmoid(x) - (1 - truth) * nn.log_sigmoid(-x),
        jnp.mean((x - y) ** 2),
        0.5 * small**2 + 0.5 * (error - small),
    ]


@case
def gradients_of_losses():
    x, labels = pattern(1, 4, 5), indices(1, 5, 4)
    truth = (pattern(3, 4, 5) > 0).astype(jnp.float32)
    entropy = lambda x: -jnp.mean(jnp.take_along_axis(nn.log_softmax(x), labels[:, None], 1))
    binary = lambda x: jnp.mean(-truth * nn.log_sigmoid(x) - (1 - truth) * nn.log_sigmoid(-x))
    return [grad(entropy)(x), grad(binary)(x)]


def layer_norm(x, scale, bias):
    mean, var = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(var + 1e-5) * scale + bias


@case
def norms():
    x, scale, bias = pattern(1, 3, 2, 8), pattern(2, 8), pattern(3, 8)
    mean, var = jnp.mean(x, (0, 1)), jnp.var(x, (0, 1))
    batch = (x - mean) * lax.rsqrt(var + 1e-5) * scale + bias
    g = x.reshape(3, 2, 4, 2)
    g = (g - jnp.mean(g, (1, 3), keepdims=True)) * lax.rsqrt(jnp.var(g, (1, 3), keepdims=True) + 1e-5)
    return [
        layer_norm(x, scale, bias),
        x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale,
        batch, 0.9 * jnp.zeros(8) + 0.1 * mean, 0.9 * jnp.ones(8) + 0.1 * var,
        g.reshape(3, 2, 8) * scale + bias,
    ]


@case
def gradients_of_norms():
    x, scale, bias = pattern(1, 4, 8), pattern(2, 8), pattern(3, 8)
    f = lambda x, scale, bias: jnp.sum(layer_norm(x, scale, bias) ** 3)
    g = lambda x: jnp.sum((x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale) ** 2 * pattern(4, 4, 8))
    return [*grad(f, (0, 1, 2))(x, scale, bias), grad(g)(x)]


@case
def attention():
    q, k, v = pattern(1, 2, 5, 2, 4), pattern(2, 2, 5, 2, 4), pattern(3, 2, 5, 2, 4)
    mask = pattern(4, 2, 1, 5, 5) > -1.0
    bias = 0.5 * pattern(5, 1, 2, 5, 5)
    f = jax.nn.dot_product_attention
    return [f(q, k, v), f(q, k, v, is_causal=True), f(q, k, v, mask=mask), f(q, k, v, bias=bias, scale=0.3)]


@case
def gradients_of_attention():
    q, k, v = pattern(1, 2, 5, 2, 4), pattern(2, 2, 5, 2, 4), pattern(3, 2, 5, 2, 4)
    f = lambda q, k, v: jnp.sum(jnp.sin(jax.nn.dot_product_attention(q, k, v, is_causal=True)))
    return grad(f, (0, 1, 2))(q, k, v)


@case
def multi_head_attention():
    x, w = pattern(1, 2, 5, 6), [0.25 * pattern(s, 6, 2, 3) for s in (2, 3, 4)]
    q, k, v = [jnp.einsum("btd,dnh->btnh", x, w) for w in w]
    return jnp.einsum("btnh,nho->bto", jax.nn.dot_product_attention(q, k, v), 0.25 * pattern(5, 2, 3, 6))


# Optimisers.


def rosenbrock(p):
    a, b = p
    return jnp.sum((1.0 - a) ** 2) + 2.0 * jnp.sum((b - a * a) ** 2)


def descend(update, state):
    params = (pattern(1, 3), pattern(2, 3))
    for step in range(4):
        updates, state = update(grad(rosenbrock)(params), state, params, step)
        params = jax.tree.map(lambda p, u: p + u, params, updates)
    return params


def momentum(nesterov):
    def update(g, trace, _, __):
        trace = jax.tree.map(lambda g, t: g + 0.9 * t, g, trace)
        steps = jax.tree.map(lambda g, t: g + 0.9 * t, g, trace) if nesterov else trace
        return jax.tree.map(lambda s: -0.01 * s, steps), trace

    return update


def adam(decay):
    def update(g, state, params, step):
        m, v = state
        m = jax.tree.map(lambda g, m: 0.9 * m + 0.1 * g, g, m)
        v = jax.tree.map(lambda g, v: 0.999 * v + 0.001 * g * g, g, v)
        t = np.float32(step + 1)
        c1, c2 = 1 - np.float32(0.9) ** t, 1 - np.float32(0.999) ** t
        one = lambda m, v, p: -0.05 * (m / c1 / (jnp.sqrt(v / c2) + 1e-8) + decay * p)
        return jax.tree.map(one, m, v, params), (m, v)

    return update


@case
def gradient_descent():
    return descend(lambda g, s, _, __: (jax.tree.map(lambda g: -0.01 * g, g), s), ())


ZEROS = (jnp.zeros(3), jnp.zeros(3))


@case
def gradient_descent_with_momentum():
    return descend(momentum(False), ZEROS)


@case
def gradient_descent_of_nesterov():
    return descend(momentum(True), ZEROS)


@case
def adam_steps():
    return descend(adam(0.0), (ZEROS, ZEROS))


@case
def adamw_steps():
    return descend(adam(0.01), (ZEROS, ZEROS))


@case
def clipped_gradients():
    tree = (pattern(1, 3), pattern(2, 2, 2))
    norm = jnp.sqrt(sum(jnp.sum(x * x) for x in tree))
    return [norm, *[x / norm * 1.5 for x in tree], *tree]


@case
def schedules():
    step = jnp.arange(0, 24, 3)
    part = lambda step, n: jnp.minimum(jnp.maximum(step, 0), n) / n
    cosine = lambda step, start, n, alpha: start * ((1 - alpha) * 0.5 * (1 + jnp.cos(jnp.pi * part(step, n))) + alpha)
    return [
        0.1 - 0.08 * part(step, 12),
        cosine(step, 0.1, 16, 0.05),
        0.1 * 0.5 ** (step / 4),
        0.1 * 0.5 ** (step // 4).astype(jnp.float32),
        jnp.where(step >= 15, 0.1 * 0.5 * 0.2, jnp.where(step >= 6, 0.1 * 0.5, 0.1)),
        jnp.where(step < 5, 0.01 + 0.09 * part(step, 5), cosine(step - 5, 0.1, 15, 0.1)),
    ]


# Random numbers.


@case
def random_numbers():
    key = random.key(3)
    keys = random.split(key, 6)
    return [
        random.uniform(keys[0], (3, 4)),
        random.normal(keys[1], (3, 4)),
        random.randint(keys[2], (9,), -3, 11),
        random.bernoulli(keys[3], 0.4, (9,)),
        random.permutation(keys[4], 11),
        random.categorical(keys[5], pattern(1, 4, 5)),
        random.normal(random.fold_in(key, 5), (2,), jnp.bfloat16),
    ]


@case
def random_numbers_of_a_batch():
    return vmap(lambda key: random.normal(key, (3,)))(random.split(random.key(8), 4))


@case
def first_weights():
    init = jax.nn.initializers
    key = random.key(11)
    return [
        init.glorot_uniform()(key, (4, 6)), init.glorot_normal()(key, (4, 6)), init.he_uniform()(key, (3, 3, 4, 6)),
        init.he_normal()(key, (4, 6)), init.lecun_uniform()(key, (4, 6)), init.lecun_normal()(key, (4, 6)),
    ]


@case
def dropouts():
    key, x = random.key(5), pattern(1, 6, 4)
    f = lambda x: jnp.where(random.bernoulli(key, 0.75, x.shape), x / 0.75, 0.0)
    return [f(x), grad(lambda x: jnp.sum(f(x) ** 2))(x)]


os.makedirs(os.path.dirname(OUT), exist_ok=True)
with open(OUT, "w") as f:
    for name, run in cases.items():
        for number, leaf in enumerate(jax.tree.leaves(run())):
            f.write(line(f"{name}/{number}", leaf) + "\n")
print(len(cases), "cases,", os.path.getsize(OUT), "bytes")
