"""Programs that people write with libraries on top of JAX, unchanged, on Lawson and on XLA:CPU: results, compile time, first call,
steady state, memory.

`make jax-programs` installs the libraries and runs them. Times are the least of a few rounds in turns; results are compared
with the tolerance beside each program. The first call has JAX's tracing and lowering in it, which are the same on both sides;
compile time is what JAX measures of the back end alone (`backend_compile_duration`). Memory is what the compiled program says it
needs for arguments, results and temporaries. `--peak` measures processes of their own, each with one program and one platform;
`--in-use` what is in use while a compiled program runs.
"""

import argparse
import ctypes
import gc
import os
import statistics
import subprocess
import sys
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np

PLATFORMS = ("lawson", "cpu")
ROUNDS = 7
COMPILATIONS = 3
# How long the heap is looked at for each program.
SECONDS = 5
# Of Adam: with its own, a gradient that is zero but for rounding (that of a key's bias in attention) is a step of full size.
EPSILON = 1e-3


def mlp_flax_optax():
    """A training step of a perceptron: flax, optax's Adam, batches of 128."""
    import flax.linen as nn
    import optax

    class Mlp(nn.Module):
        @nn.compact
        def __call__(self, x):
            for width in (256, 128):
                x = nn.relu(nn.Dense(width)(x))
            return nn.Dense(10)(x)

    return trained(Mlp(), optax.adam(1e-3, eps=EPSILON), normal((128, 784)), jnp.arange(128) % 10)


def cnn_flax_optax():
    """A training step of a convolutional network: flax, optax's momentum, batches of 32 pictures."""
    import flax.linen as nn
    import optax

    class Cnn(nn.Module):
        @nn.compact
        def __call__(self, x):
            for features in (16, 32):
                x = nn.relu(nn.Conv(features, (3, 3))(x))
                x = nn.max_pool(x, (2, 2), (2, 2))
            return nn.Dense(10)(x.reshape(x.shape[0], -1))

    return trained(Cnn(), optax.sgd(1e-2, momentum=0.9), normal((32, 28, 28, 1)), jnp.arange(32) % 10)


def transformer_flax_optax():
    """A training step of a small transformer: flax, optax's AdamW with clipping and a schedule."""
    import flax.linen as nn
    import optax

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=4)(y, y)
            return x + nn.Dense(64)(nn.gelu(nn.Dense(256)(nn.LayerNorm()(x))))

    class Transformer(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(256, 64)(tokens) + self.param("place", nn.initializers.normal(0.02), (tokens.shape[1], 64))
            for _ in range(2):
                x = Block()(x)
            return nn.Dense(256)(nn.LayerNorm()(x)).mean(axis=1)

    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(1e-3, 100), eps=EPSILON))
    tokens = jax.random.randint(jax.random.key(2), (8, 64), 0, 256)
    return trained(Transformer(), optimiser, tokens, jnp.arange(8))


def mlp_equinox():
    """A training step with equinox's filtered transformations."""
    import equinox as eqx
    import optax

    model = eqx.nn.MLP(8, 1, 64, 3, key=jax.random.key(0))
    optimiser = optax.adabelief(1e-3)
    arrays, static = eqx.partition(model, eqx.is_inexact_array)
    x = normal((256, 8))
    y = jnp.sin(x).sum(axis=1, keepdims=True)

    def loss(arrays):
        return ((jax.vmap(eqx.combine(arrays, static))(x) - y) ** 2).mean()

    def step(arrays, state):
        value, slope = jax.value_and_grad(loss)(arrays)
        updates, state = optimiser.update(slope, state, arrays)
        return eqx.apply_updates(arrays, updates), state, value

    return step, (arrays, optimiser.init(arrays))


def ode_diffrax():
    """A stiff-looking oscillator by diffrax's adaptive Tsit5, for 64 starts at once."""
    import diffrax

    def solve(starts):
        term = diffrax.ODETerm(lambda t, y, mu: jnp.stack([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]))

        def one(y):
            controller = diffrax.PIDController(rtol=1e-4, atol=1e-6)
            save = diffrax.SaveAt(ts=jnp.linspace(0, 5, 20))
            return diffrax.diffeqsolve(
                term, diffrax.Tsit5(), 0, 5, 0.01, y, args=1.5, saveat=save, stepsize_controller=controller
            ).ys

        return jax.vmap(one)(starts)

    return solve, (normal((64, 2)),)


def hmc_blackjax():
    """A hundred steps of Hamiltonian Monte Carlo on a logistic regression: blackjax under a scan."""
    import blackjax

    x = normal((200, 5))
    y = (x.sum(axis=1) > 0).astype(jnp.float32)

    def density(w):
        scores = x @ w
        return (y * scores - jnp.logaddexp(0.0, scores)).sum() - 0.5 * (w**2).sum()

    sampler = blackjax.hmc(density, step_size=1e-2, inverse_mass_matrix=jnp.ones(5), num_integration_steps=10)

    def run(key, start):
        def step(state, key):
            state, _ = sampler.step(key, state)
            return state, state.position

        return jax.lax.scan(step, sampler.init(start), jax.random.split(key, 100))[1]

    return run, (jax.random.key(3), jnp.zeros(5))


def nuts_numpyro():
    """The gradient of a hierarchical model's density: numpyro's eight schools."""
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer.util import initialize_model

    spread = jnp.array([15.0, 10, 16, 11, 9, 11, 10, 18])
    found = jnp.array([28.0, 8, -3, 7, -1, 1, 18, 12])

    def model():
        mu = numpyro.sample("mu", dist.Normal(0, 5))
        tau = numpyro.sample("tau", dist.HalfCauchy(5))
        with numpyro.plate("schools", 8):
            theta = numpyro.sample("theta", dist.Normal(mu, tau))
            numpyro.sample("found", dist.Normal(theta, spread), obs=found)

    host = jax.devices("cpu" if "cpu" in os.environ.get("JAX_PLATFORMS", "cpu").split(",") else None)[0]
    with jax.default_device(host):
        start, potential, *_ = initialize_model(jax.random.key(0), model)
    return jax.value_and_grad(potential), (start.z,)


def fit_optimistix():
    """Levenberg–Marquardt on a curve: optimistix."""
    import optimistix as optx

    t = jnp.linspace(0, 4, 100)
    y = 2.5 * jnp.exp(-1.3 * t) + 0.5

    def residuals(p, _):
        return p[0] * jnp.exp(-p[1] * t) + p[2] - y

    def fit(start):
        return optx.least_squares(residuals, optx.LevenbergMarquardt(rtol=1e-5, atol=1e-5), start, throw=False).value

    return fit, (jnp.array([1.0, 1.0, 0.0]),)


def pole_with_policy():
    """A pole on a cart with a policy network, 256 environments for 500 steps, as gymnax has it."""
    w1, w2 = normal((4, 16)) * 0.5, normal((16, 1), 1)

    def step(state, _):
        x, v, a, w = state.T
        force = 10 * jnp.sign(jnp.tanh(state @ w1) @ w2)[:, 0]
        temp = (force + 0.05 * w**2 * jnp.sin(a)) / 1.1
        turn = (9.8 * jnp.sin(a) - jnp.cos(a) * temp) / (0.5 * (4 / 3 - 0.1 * jnp.cos(a) ** 2 / 1.1))
        push = temp - 0.05 * turn * jnp.cos(a) / 1.1
        state = jnp.stack([x + 0.02 * v, v + 0.02 * push, a + 0.02 * w, w + 0.02 * turn], axis=1)
        over = (jnp.abs(state[:, 0]) > 2.4) | (jnp.abs(state[:, 2]) > 0.21)
        return jnp.where(over[:, None], 0.01, state), (~over).astype(jnp.float32)

    def play(state):
        state, reward = jax.lax.scan(step, state, None, length=500)
        return reward.sum(axis=0)

    return play, (normal((256, 4)) * 0.05,)


def molecules():
    """A hundred steps of molecular dynamics: 128 particles with Lennard-Jones forces, as jax-md has it."""
    side = 8.0

    def energy(r):
        d = r[:, None] - r[None]
        d = d - side * jnp.round(d / side)
        s = jnp.where(jnp.eye(len(r), dtype=bool), 1.0, (d**2).sum(axis=-1))
        inverse = 1 / jnp.maximum(s, 0.7) ** 3
        return 0.5 * jnp.where(jnp.eye(len(r), dtype=bool), 0.0, 4 * (inverse**2 - inverse)).sum()

    force = jax.grad(lambda r: -energy(r))

    def simulate(r, v):
        def step(state, _):
            r, v = state
            v = v + 5e-4 * force(r)
            r = (r + 1e-3 * v) % side
            return (r, v + 5e-4 * force(r)), None

        (r, v), _ = jax.lax.scan(step, (r, v), None, length=100)
        return energy(r), (v**2).sum()

    grid = jnp.stack(jnp.meshgrid(*[jnp.arange(6.0)] * 3), axis=-1).reshape(-1, 3)[:128] * 1.3
    return simulate, (grid, normal((128, 3)) * 0.1)


PROGRAMS = {
    mlp_flax_optax: 1e-4,
    cnn_flax_optax: 1e-3,
    transformer_flax_optax: 2e-3,
    mlp_equinox: 1e-4,
    ode_diffrax: 1e-2,
    hmc_blackjax: 1e-2,
    nuts_numpyro: 1e-4,
    fit_optimistix: 1e-3,
    pole_with_policy: 1e-3,
    molecules: 1e-2,
}


def normal(shape, seed=0):
    return jax.random.normal(jax.random.key(seed), shape)


def trained(model, optimiser, x, labels):
    import optax

    params = model.init(jax.random.key(1), x)

    def loss(params):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(params, x), labels).mean()

    def step(params, state):
        value, slope = jax.value_and_grad(loss)(params)
        updates, state = optimiser.update(slope, state, params)
        return optax.apply_updates(params, updates), state, value

    return step, (params, optimiser.init(params))


class Compilations:
    """How many seconds back ends have compiled, by JAX's own count."""

    def __init__(self):
        self.seconds = 0.0
        jax.monitoring.register_event_duration_secs_listener(self._heard)

    def _heard(self, event, seconds, **_):
        if event == "/jax/core/compile/backend_compile_duration":
            self.seconds += seconds


COMPILED = Compilations()


def prepared(make):
    """A program as a function of arrays, and the arrays."""
    host = jax.devices("cpu" if "cpu" in os.environ.get("JAX_PLATFORMS", "cpu").split(",") else None)[0]
    with jax.default_device(host):
        function, arguments = make()
        # Keys are of a type of their own; all else goes by NumPy, so that each platform has its own arrays.
        leaves, tree = jax.tree.flatten(arguments)
        leaves = [np.asarray(jax.random.key_data(a) if is_key(a) else a) for a in leaves]
        keys = [is_key(a) for a in jax.tree.leaves(arguments)]

    def called(*leaves):
        leaves = [jax.random.wrap_key_data(a) if k else a for a, k in zip(leaves, keys)]
        return function(*jax.tree.unflatten(tree, leaves))

    return called, leaves


def run(make):
    """By platform: results, the least seconds of compilations, of first calls and of later ones, and bytes of memory."""
    called, arguments = prepared(make)
    own = {p: [jax.device_put(a, jax.devices(p)[0]) for a in arguments] for p in PLATFORMS}
    programs, results, memory = {}, {}, {}
    compile_, first, best = (dict.fromkeys(PLATFORMS, float("inf")) for _ in range(3))
    for _ in range(COMPILATIONS):
        for p in PLATFORMS:
            jax.clear_caches()
            programs[p] = jax.jit(called)
            COMPILED.seconds, start = 0.0, time.perf_counter()
            results[p] = jax.block_until_ready(programs[p](*own[p]))
            first[p] = min(first[p], time.perf_counter() - start)
            compile_[p] = min(compile_[p], COMPILED.seconds)
    for p in PLATFORMS:
        # What was compiled for one platform went with the caches before the other.
        programs[p] = jax.jit(called)
        jax.block_until_ready(programs[p](*own[p]))
        needed = programs[p].lower(*own[p]).compile().memory_analysis()
        bytes_ = needed.argument_size_in_bytes + needed.output_size_in_bytes - needed.alias_size_in_bytes
        memory[p] = bytes_ + needed.temp_size_in_bytes
    for _ in range(ROUNDS):
        for p, jitted in programs.items():
            start = time.perf_counter()
            jax.block_until_ready(jitted(*own[p]))
            best[p] = min(best[p], time.perf_counter() - start)
    return results, (compile_, first, best), memory


def is_key(a):
    return jnp.issubdtype(jnp.asarray(a).dtype if not hasattr(a, "dtype") else a.dtype, jax.dtypes.prng_key)


def worst(expected, found):
    """The greatest difference, in terms of the largest element of its array; infinite where other things differ."""
    if jax.tree.structure(expected) != jax.tree.structure(found):
        return float("inf")
    leaves = zip(jax.tree.leaves(expected), jax.tree.leaves(found), strict=True)
    return max((apart(np.asarray(e), np.asarray(f)) for e, f in leaves), default=0.0)


def apart(e, f):
    if (e.shape, e.dtype) != (f.shape, f.dtype):
        return float("inf")
    wide = np.complex128 if e.dtype.kind == "c" else np.float64
    e, f = e.astype(wide), f.astype(wide)
    known = np.isfinite(e)
    # Infinities of one sign are equal; of not-a-numbers the places count.
    if not np.array_equal(e[~known], f[~known], equal_nan=True) or not np.isfinite(f[known]).all():
        return float("inf")
    e, f = e[known], f[known]
    scale = max(1e-6, np.abs(e).max(initial=0))
    return float(np.abs(e - f).max(initial=0) / scale)


def peak(make):
    """MiB of this process, which uses one platform and runs one program: the most that was resident, and what of it nobody shares."""
    function, arguments = prepared(make)
    jitted = jax.jit(function)
    for _ in range(3):
        jax.block_until_ready(jitted(*arguments))
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return [int(fields[name].split()[0]) / 1024 for name in ("VmHWM", "RssAnon")]


def peaks(chosen):
    print(f"{'program':24} MiB of a process that uses one platform, Lawson / XLA:CPU: its peak, and what nobody shares at the end")
    ratios = [], []
    for make in PROGRAMS:
        if chosen and make.__name__ not in chosen:
            continue
        command = [sys.executable, __file__, make.__name__, "--peak-of-this"]
        found = []
        for p in PLATFORMS:
            environment = dict(os.environ, JAX_PLATFORMS=p)
            if p != "lawson":
                # JAX would load the plugin that it finds there.
                environment.pop("PYTHONPATH", None)
            answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
            found.append([float(n) for n in answer.split()])
        row = ""
        for of, own, other in zip(ratios, *found):
            of.append(own / other)
            row += f" {own:8.1f} / {other:8.1f} {own / other:5.2f}"
        print(f"{make.__name__:24}{row}", flush=True)
    print("geometric means: " + ", ".join(f"{statistics.geometric_mean(of):.2f}" for of in ratios))


class Mallinfo2(ctypes.Structure):
    """What glibc's `mallinfo2` gives."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


def in_use(make):
    """Bytes in use at once while a compiled program runs: what Lawson says it needs, and for XLA:CPU what it says and what is found.

    XLA's figure leaves out what its library of products takes while it runs. So the heap is looked at over and over while
    calls run, one at a time and apart, and the largest growth counts: a lower bound, in which some tens of KiB are objects of a
    call. Lawson's figure has all arrays, private ones of threads included, and no objects.
    """
    called, arguments = prepared(make)
    needed = {}
    for p in PLATFORMS:
        own = [jax.device_put(a, jax.devices(p)[0]) for a in arguments]
        jitted = jax.jit(called)
        jax.block_until_ready(jitted(*own))
        analysis = jitted.lower(*own).compile().memory_analysis()
        first = analysis.argument_size_in_bytes
        needed[p] = first + analysis.output_size_in_bytes - analysis.alias_size_in_bytes + analysis.temp_size_in_bytes
    # The last of the platforms is XLA:CPU, whose memory is glibc's; Lawson's is not.
    libc = ctypes.CDLL("libc.so.6")
    libc.mallinfo2.restype = Mallinfo2

    def used():
        info = libc.mallinfo2()
        return info.uordblks + info.hblkhd

    gc.collect()
    gc.disable()
    before, most, running = used(), 0, True

    def watch():
        nonlocal most
        while running:
            most = max(most, used())

    watcher = threading.Thread(target=watch)
    watcher.start()
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        result = jax.block_until_ready(jitted(*own))
        del result
        # What is freed by another thread is gone before the next call.
        time.sleep(0.002)
    running = False
    watcher.join()
    gc.enable()
    return needed["lawson"], needed["cpu"], first + most - before


def all_in_use(chosen):
    print(f"{'program':24} KiB in use while it runs: Lawson, XLA:CPU as it says, as it is found (at least), Lawson / the last")
    more = []
    for make in PROGRAMS:
        if chosen and make.__name__ not in chosen:
            continue
        lawson, said, found = (n / 1024 for n in in_use(make))
        print(f"{make.__name__:24} {lawson:10.1f} {said:10.1f} {found:10.1f}  {lawson / found:.2f}", flush=True)
        if lawson > found:
            more.append(make.__name__)
    if more:
        sys.exit("these need more than XLA:CPU: " + ", ".join(more))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--peak", action="store_true", help="what processes of their own take, each with one program and one platform")
    parser.add_argument("--peak-of-this", action="store_true", help="the figures of `--peak` for this process")
    parser.add_argument("--in-use", action="store_true", help="memory while a compiled program runs; needs glibc")
    options = parser.parse_args()
    chosen = options.names
    if options.in_use:
        return all_in_use(chosen)
    if options.peak:
        return peaks(chosen)
    if options.peak_of_this:
        return print(*peak(next(m for m in PROGRAMS if m.__name__ in chosen)))
    print(f"jax {jax.__version__}; milliseconds and KiB, Lawson / XLA:CPU")
    columns = ("compile", "first call", "steady", "memory")
    print(f"{'program':24}" + "".join(f" {c:>21} {'ratio':>5}" for c in columns) + "  difference")
    ratios, wrong = {c: [] for c in columns}, []
    for make, tolerance in PROGRAMS.items():
        if chosen and make.__name__ not in chosen:
            continue
        try:
            results, times, memory = run(make)
        except Exception as e:
            print(f"{make.__name__:24} {type(e).__name__}: {(str(e).splitlines() or [''])[0][:150]}")
            wrong.append(make.__name__)
            continue
        difference = worst(results["cpu"], results["lawson"])
        row = ""
        for column, of, unit in zip(columns, (*times, memory), (1e3, 1e3, 1e3, 1 / 1024)):
            own, other = (unit * of[p] for p in PLATFORMS)
            ratios[column].append(own / other)
            row += f" {own:10.2f}/{other:10.2f} {own / other:5.2f}"
        verdict = "" if difference <= tolerance else f"  more than {tolerance}"
        if verdict:
            wrong.append(make.__name__)
        print(f"{make.__name__:24}{row}  {difference:.1e}{verdict}", flush=True)
    if ratios["steady"]:
        means = (f"{column} {statistics.geometric_mean(found):.2f}" for column, found in ratios.items())
        print("geometric means: " + ", ".join(means))
    if wrong or not ratios["steady"]:
        sys.exit("these failed: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
