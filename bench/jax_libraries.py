"""Whole libraries on top of JAX, as they come: games, simulators of robots, evolution strategies, optimal transport and more, each on Lawson
and on XLA:CPU, with values compared.

`make jax-libraries` builds the plugin and runs them; each program runs in a process of its own for each platform. Packages that are not
there are left out, with a line that says so; to have all:

    pip install pgx gymnax evosax ott-jax tinygp jax-md e3nn-jax jaxopt jraph dynamiqs diffrax numpyro mujoco-mjx brax

`jax_libraries.py pgx_chess evosax_CMA_ES` runs two of them, a name without the part behind its first `_` all of a library. The table
has the least time of a call in milliseconds, the time of `lowered.compile()`, and the greatest difference of any result, relative to the
greatest of its elements; of integers the part that differs.
"""

import argparse
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

PLATFORMS = ("lawson", "cpu")
SECONDS = 0.6
LIMIT = 300
GAMES = """go_9x9 chess othello connect_four backgammon hex shogi 2048 kuhn_poker animal_shogi gardner_chess leduc_holdem
sparrow_mahjong tic_tac_toe minatar-breakout minatar-asterix minatar-freeway minatar-seaquest minatar-space_invaders""".split()
ENVIRONMENTS = """CartPole-v1 Pendulum-v1 Acrobot-v1 MountainCar-v0 MountainCarContinuous-v0 Asterix-MinAtar Breakout-MinAtar
Freeway-MinAtar SpaceInvaders-MinAtar Catch-bsuite DeepSea-bsuite MemoryChain-bsuite UmbrellaChain-bsuite DiscountingChain-bsuite
SimpleBandit-bsuite FourRooms-misc MetaMaze-misc PointRobot-misc BernoulliBandit-misc GaussianBandit-misc Reacher-misc Swimmer-misc
Pong-misc""".split()
STRATEGIES = """CMA_ES Open_ES SimpleGA DifferentialEvolution PSO Sep_CMA_ES xNES SNES PGPE MA_ES LM_MA_ES iAMaLGaM_Full SAMR_GA MR15_GA
LGA LES DiffusionEvolution ARS ASEBO CR_FM_NES GuidedES GESMR_GA SimulatedAnnealing DES NoiseReuseES PersistentES""".split()
BODIES = ("ant spring", "ant generalized", "halfcheetah positional", "hopper spring", "reacher generalized")
MODELS = ("humanoid/humanoid.xml", "pendula.xml", "barkour_v0/assets/barkour_v0_mjx.xml", "convex.xml")


def noise(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def pgx(name, games=64, steps=16):
    """Games side by side, with legal moves at random."""
    import jax
    import jax.numpy as jnp
    import pgx

    game = pgx.make(name)

    def play(key):
        state = jax.vmap(game.init)(jax.random.split(key, games))

        def step(state, key):
            moves = jax.random.categorical(key, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=1)
            state = jax.vmap(game.step)(state, moves, jax.random.split(key, games))
            return state, state.rewards

        state, rewards = jax.lax.scan(step, state, jax.random.split(key, steps))
        return state.observation, rewards, state.legal_action_mask

    return play, (jax.random.PRNGKey(1),)


def gymnax(name, environments=256, steps=64):
    """Environments side by side, with actions at random."""
    import gymnax
    import jax

    env, params = gymnax.make(name)

    def rollout(key):
        first, rest = jax.random.split(key)
        start = jax.vmap(env.reset, (0, None))(jax.random.split(first, environments), params)

        def step(carry, key):
            act, move = jax.random.split(key)
            actions = jax.vmap(env.action_space(params).sample)(jax.random.split(act, environments))
            keys = jax.random.split(move, environments)
            seen, state, reward, done = jax.vmap(env.step, (0, 0, 0, None))(keys, carry[1], actions, params)[:4]
            return (seen, state), (reward, done)

        (seen, _), outcomes = jax.lax.scan(step, start, jax.random.split(rest, steps))
        return seen, outcomes

    return rollout, (jax.random.PRNGKey(0),)


def evosax(name, dimensions=30, population=64, generations=20):
    """Generations of a strategy on Rosenbrock's function."""
    import jax
    import jax.numpy as jnp
    from evosax.algorithms import algorithms

    strategy = algorithms[name](population_size=population, solution=jnp.zeros(dimensions))
    params = strategy.default_params
    has_population = "population_based" in type(strategy).__module__

    def fitness(x):
        return (100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2).sum(-1)

    def evolve(key):
        start, draw, rest = jax.random.split(key, 3)
        if has_population:
            first = jax.random.normal(draw, (population, dimensions))
            state = strategy.init(start, first, fitness(first), params)
        else:
            state = strategy.init(start, jnp.zeros(dimensions), params)

        def generation(state, key):
            ask, tell = jax.random.split(key)
            x, state = strategy.ask(ask, state, params)
            return strategy.tell(tell, x, fitness(x), state, params)[0], fitness(x).min()

        return jax.lax.scan(generation, state, jax.random.split(rest, generations))[1]

    return evolve, (jax.random.PRNGKey(0),)


def choose_by_jax():
    """MuJoCo's MJX picks its implementation by the platform's name, and knows `cpu`, `gpu` and `tpu`."""
    from mujoco.mjx._src import io, types

    io._resolve_impl = lambda _: types.Impl.JAX


def mjx(path, copies=32, steps=4):
    """Steps of a model of MuJoCo's, from starts beside each other."""
    import jax
    import mujoco
    from mujoco import mjx

    choose_by_jax()
    path = os.path.join(os.path.dirname(mjx.__file__), "test_data", path)
    model = mujoco.MjModel.from_xml_path(path)
    data, on_device = mjx.make_data(model), mjx.put_model(model)
    starts = np.asarray(data.qpos) + 0.01 * noise(copies, model.nq)

    def simulate(start):
        step = lambda data, _: (mjx.step(on_device, data), data.qpos.sum())
        end, sums = jax.lax.scan(step, data.replace(qpos=start), None, length=steps)
        return end.qpos, end.qvel, sums

    return jax.vmap(simulate), (starts,)


def brax(name, copies=32, steps=5):
    """Steps of an environment with one of Brax's back ends, with actions at random."""
    import jax

    choose_by_jax()
    from brax import envs

    body, backend = name.split()
    env = envs.get_environment(body, backend=backend)

    def simulate(key):
        step = lambda state, action: (lambda after: (after, after.reward))(env.step(state, action))
        actions = jax.random.uniform(key, (steps, env.action_size)) * 2 - 1
        state, rewards = jax.lax.scan(step, env.reset(key), actions)
        return state.obs, rewards

    return jax.vmap(simulate), (jax.random.split(jax.random.PRNGKey(0), copies),)


def ott_sinkhorn():
    """The cost of transport between 256 and 300 points, and its gradient."""
    import jax
    from ott.geometry import pointcloud
    from ott.problems.linear import linear_problem
    from ott.solvers.linear import sinkhorn

    def cost(x, y):
        cloud = pointcloud.PointCloud(x, y, epsilon=0.1)
        return sinkhorn.Sinkhorn(max_iterations=200)(linear_problem.LinearProblem(cloud)).reg_ot_cost

    return jax.value_and_grad(cost), (noise(256, 3), noise(300, 3, seed=1))


def tinygp_quasiseparable():
    """The likelihood of a process over 1000 times, with its gradient, in linear time."""
    import jax
    import jax.numpy as jnp
    from tinygp import GaussianProcess
    from tinygp.kernels import quasisep

    x = np.sort(noise(1000))
    y = np.sin(3 * x) + 0.1 * noise(1000, seed=1)

    def likelihood(params, x, y):
        scale, sigma, omega = jnp.exp(params)
        kernel = quasisep.Matern32(scale=scale, sigma=sigma) + quasisep.SHO(omega=omega, quality=2.0)
        return GaussianProcess(kernel, x, diag=0.01).log_probability(y)

    return jax.value_and_grad(likelihood), (np.zeros(3, np.float32), x, y)


def jaxmd_nose_hoover():
    """Thirty steps of 200 soft spheres at a temperature."""
    import jax
    from jax_md import energy, simulate, space

    displacement, shift = space.periodic(8.0)
    init, apply = simulate.nvt_nose_hoover(energy.soft_sphere_pair(displacement), shift, 1e-3, 1.0)

    def run(key, positions):
        state = jax.lax.fori_loop(0, 30, lambda _, state: apply(state), init(key, positions))
        return state.position, state.momentum

    start = np.random.default_rng(0).random((200, 2)).astype(np.float32) * 8
    return run, (jax.random.PRNGKey(0), start)


def e3nn_tensor_product():
    """The product of features of two kinds of rotations, with its gradient."""
    import e3nn_jax as e3nn
    import jax

    def energy(a, b):
        a = e3nn.IrrepsArray("16x0e+16x1o+16x2e", a)
        b = e3nn.IrrepsArray("0e+1o+2e", b)
        return (e3nn.tensor_product(a, b, filter_ir_out=["0e", "1o", "2e"]).array ** 2).sum()

    return jax.value_and_grad(energy), (noise(256, 144), noise(256, 9, seed=1))


def jaxopt_implicit():
    """The gradient of a ridge regression's solution with respect to its penalty."""
    import jax
    import jaxopt

    a = noise(100, 20)

    def solved(penalty, a, y):
        loss = lambda w, penalty: ((a @ w - y) ** 2).mean() + penalty * (w**2).sum()
        return (jaxopt.LBFGS(loss, maxiter=30).run(np.zeros(20, np.float32), penalty).params ** 2).sum()

    return jax.value_and_grad(solved), (np.float32(0.5), a, a @ noise(20, seed=1))


def jraph_network():
    """A graph network of 512 nodes and 4096 edges, with its gradient."""
    import jax
    import jraph

    draw = np.random.default_rng(0)
    ends = lambda: draw.integers(0, 512, 4096).astype(np.int32)
    graph = jraph.GraphsTuple(
        nodes=noise(512, 32), edges=noise(4096, 16), senders=ends(), receivers=ends(), globals=noise(4, 8),
        n_node=np.full(4, 128, np.int32), n_edge=np.full(4, 1024, np.int32),
    )  # fmt: skip
    weights = [0.1 * noise(88, 32), 0.1 * noise(104, 32), 0.1 * noise(72, 16)]

    def loss(weights, graph):
        layer = lambda w: jraph.concatenated_args(lambda x: jax.nn.relu(x @ w))
        return (jraph.GraphNetwork(*(layer(w) for w in weights))(graph).globals ** 2).mean()

    return jax.value_and_grad(loss), (weights, graph)


def dynamiqs_oscillator():
    """A damped quantum oscillator of 8 levels."""
    import dynamiqs as dq
    import jax.numpy as jnp

    a = dq.destroy(8)
    energy = a.dag() @ a + 0.1 * (a + a.dag())

    def solve(times):
        return jnp.asarray(dq.mesolve(energy, [0.3 * a], dq.coherent(8, 1.0), times, exp_ops=[a.dag() @ a]).expects)

    return solve, (np.linspace(0, 1, 11, dtype=np.float32),)


def diffrax_stiff():
    """Robertson's equations by an implicit method."""
    import diffrax
    import jax.numpy as jnp

    def rates(_, y, __):
        a, b, c = y
        first, second = -0.04 * a + 1e4 * b * c, 3e7 * b * b
        return jnp.stack([first, -first - second, second])

    def solve(y):
        steps = diffrax.PIDController(1e-5, 1e-6)
        return diffrax.diffeqsolve(diffrax.ODETerm(rates), diffrax.Kvaerno5(), 0.0, 10.0, 1e-4, y, stepsize_controller=steps).ys

    return solve, (np.array([1, 0, 0], np.float32),)


def numpyro_variational():
    """Twenty steps of variational inference of a logistic regression."""
    import jax
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoNormal

    def model(x, y):
        w = numpyro.sample("w", dist.Normal(np.zeros(10, np.float32), 1).to_event(1))
        numpyro.sample("y", dist.Bernoulli(logits=x @ w), obs=y)

    x = noise(200, 10)
    y = (x @ noise(10, seed=1) > 0).astype(np.float32)
    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.01), Trace_ELBO(8))
    step = lambda state, _: svi.update(state, x, y)
    return lambda state: jax.lax.scan(step, state, None, length=20)[1], (svi.init(jax.random.PRNGKey(0), x, y),)


def programs():
    of = lambda make, names: {f"{make.__name__}_{n.split('/')[-1].replace(' ', '_')}": functools.partial(make, n) for n in names}
    single = (
        ott_sinkhorn, tinygp_quasiseparable, jaxmd_nose_hoover, e3nn_tensor_product, jaxopt_implicit, jraph_network,
        dynamiqs_oscillator, diffrax_stiff, numpyro_variational,
    )  # fmt: skip
    many = of(pgx, GAMES) | of(gymnax, ENVIRONMENTS) | of(evosax, STRATEGIES) | of(brax, BODIES) | of(mjx, MODELS)
    return many | {make.__name__: make for make in single}


def measure(name, results):
    """Runs one program in this process, keeps its results, and prints what it took."""
    import jax

    run, arguments = programs()[name]()
    arguments = jax.device_put(arguments)
    lowered = jax.jit(run).lower(*arguments)
    start = time.perf_counter()
    compiled = lowered.compile()
    compilation = time.perf_counter() - start
    times = []
    made = jax.block_until_ready(compiled(*arguments))
    while sum(times) < SECONDS or len(times) < 3:
        start = time.perf_counter()
        made = jax.block_until_ready(compiled(*arguments))
        times.append(time.perf_counter() - start)
    leaves = [jax.random.key_data(x) if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key) else x for x in jax.tree.leaves(made)]
    np.savez(results, *(np.asarray(x) for x in leaves))
    print(json.dumps([min(times) * 1e3, compilation * 1e3]))


def apart(x, y):
    """How far two results are from each other."""
    if x.dtype.kind not in "fc":
        return float((x != y).mean()) if x.size else 0.0
    finite = np.isfinite(x) & np.isfinite(y)
    if (np.isfinite(x) != np.isfinite(y)).any():
        return float("inf")
    x, y = x[finite].astype(np.complex128), y[finite].astype(np.complex128)
    return float(np.abs(x - y).max() / (np.abs(y).max() or 1)) if x.size else 0.0


def on(platform, name, results):
    """What a program takes in a process of its own, or why it does not run."""
    environment = {**os.environ, "JAX_PLATFORMS": "lawson,cpu" if platform == "lawson" else "cpu"}
    for name_of_path in ("LAWSON_LIBRARY", "PYTHONPATH"):
        if environment.get(name_of_path):
            environment[name_of_path] = os.path.abspath(environment[name_of_path])
    command = [sys.executable, os.path.abspath(__file__), "--only", name, results]
    try:
        # MuJoCo leaves a log where it runs.
        folder = os.path.dirname(results)
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"takes more than {LIMIT} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no message"])[-1]
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these programs or libraries")
    parser.add_argument("--only", nargs=2, metavar=("NAME", "RESULTS"), help="run one here, and write its results to a file")
    options = parser.parse_args()
    if options.only:
        return measure(*options.only)
    chosen = [n for n in programs() if not options.names or n in options.names or n.split("_")[0] in options.names]
    ratios, failed = [], []
    print(f"{'program':34} {'Lawson':>10} {'XLA':>10} {'ratio':>6} {'compile':>8} {'XLA':>8} {'ratio':>6}  difference")
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            files = {p: os.path.join(folder, f"{p}.npz") for p in PLATFORMS}
            took = {p: on(p, name, files[p]) for p in PLATFORMS}
            wrong = {p: t for p, t in took.items() if isinstance(t, str)}
            if wrong:
                missing = all(t.startswith("ModuleNotFoundError") for t in wrong.values())
                failed += [name] if "lawson" in wrong and "cpu" not in wrong else []
                reasons = ", ".join(f"{p}: {t}" for p, t in wrong.items())
                print(f"{name:34} {'left out: ' + wrong['lawson'] if missing and 'lawson' in wrong else reasons}", flush=True)
                continue
            (own, compiled), (other, its) = (took[p] for p in PLATFORMS)
            with np.load(files["lawson"]) as x, np.load(files["cpu"]) as y:
                difference = max((apart(x[k], y[k]) for k in x.files), default=0.0)
            ratios.append((other / own, its / compiled))
            row = f"{own:10.3f} {other:10.3f} {other / own:6.2f} {compiled:8.0f} {its:8.0f} {its / compiled:6.2f}"
            print(f"{name:34} {row}  {difference:.1e}", flush=True)
    if ratios:
        speed, compilation = (statistics.geometric_mean(r) for r in zip(*ratios))
        print(f"{len(ratios)} programs, geometric means: {speed:.2f} times XLA's speed, compile time {compilation:.2f} times shorter")
    if failed:
        sys.exit("these failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
