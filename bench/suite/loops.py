"""Loops over arrays of which a trip reads and changes a few elements: recurrences, tables, trees, walks, chains of samples.

Like everyday.py, which see; `run.py --everyday --class loops/` compares them.
"""

import jax
import jax.numpy as jnp
import numpy as np
from everyday import f32, integers, program
from jax import lax
from jax.experimental.ode import odeint

CASES = []


def loop(*inputs):
    return program(*inputs, into=CASES, group="loops")


# One array after the other, element by element.


@loop(f32(4096), f32(4096))
def recurrence(x, u):
    return lax.fori_loop(1, 4096, lambda i, x: x.at[i].set(0.5 * x[i - 1] + u[i]), x)


@loop(integers(10, 10000))
def fibonacci_table(x):
    return lax.fori_loop(2, 10000, lambda i, x: x.at[i].set((x[i - 1] + x[i - 2]) % 1000007), x)


@loop(integers(2, 20000))
def sieve(x):
    n = 20000

    def strike(i, s):
        def step(c):
            j, s = c
            return j + i, s.at[j].set(False)

        return lax.cond(s[i], lambda s: lax.while_loop(lambda c: c[0] < n, step, (i * i, s))[1], lambda s: s, s)

    return lax.fori_loop(2, 142, strike, x >= 0)


@loop(integers(1 << 30, 4096))
def shuffle(r):
    n = 4096

    def swap(i, x):
        j = i + r[i] % (n - i)
        a, b = x[i], x[j]
        return x.at[i].set(b).at[j].set(a)

    return lax.fori_loop(0, n - 1, swap, jnp.arange(n))


@loop(integers(1 << 30, 624))
def mersenne_twister(s):
    s = s.astype(jnp.uint32)

    def step(i, s):
        y = (s[i] & jnp.uint32(0x80000000)) | (s[(i + 1) % 624] & jnp.uint32(0x7FFFFFFF))
        return s.at[i].set(s[(i + 397) % 624] ^ (y >> 1) ^ jnp.where(y & 1, jnp.uint32(0x9908B0DF), jnp.uint32(0)))

    return lax.fori_loop(0, 624, step, s)


@loop(integers(2, 4096))
def run_lengths(x):
    def step(i, s):
        v, c, k = s
        k = jnp.where(x[i] == v[k], k, k + 1)
        return v.at[k].set(x[i]), c.at[k].add(1), k

    zeros = jnp.zeros(4096, jnp.int32)
    return lax.fori_loop(0, 4096, step, (zeros.at[0].set(x[0]), zeros, 0))


@loop(f32(5000), integers(100, 5000))
def moments_of_bins(x, k):
    def step(i, s):
        n, m, v = s
        b = k[i]
        n = n.at[b].add(1.0)
        d = x[i] - m[b]
        m = m.at[b].add(d / n[b])
        return n, m, v.at[b].add(d * (x[i] - m[b]))

    z = jnp.zeros(100)
    return lax.fori_loop(0, 5000, step, (z, z, z))


# Equations, grids.


def thomas(a, b, c, d):
    n = a.shape[0]
    b = 4 + 0.1 * b

    def forward(i, s):
        c1, d1 = s
        w = b[i] - a[i] * c1[i - 1]
        return c1.at[i].set(c[i] / w), d1.at[i].set((d[i] - a[i] * d1[i - 1]) / w)

    c1, d1 = lax.fori_loop(1, n, forward, (c.at[0].set(c[0] / b[0]), d.at[0].set(d[0] / b[0])))

    def back(k, x):
        i = n - 2 - k
        return x.at[i].set(d1[i] - c1[i] * x[i + 1])

    return lax.fori_loop(0, n - 1, back, d1)


@loop(f32(1000), f32(1000), f32(1000), f32(1000))
def tridiagonal(a, b, c, d):
    return thomas(a, b, c, d)


@loop(f32(1000, 100), f32(1000, 100), f32(1000, 100), f32(1000, 100))
def tridiagonal_batch(a, b, c, d):
    return jax.vmap(thomas)(a, b, c, d)


@loop(f32(32, 32), f32(32, 32))
def gauss_seidel(u, b):
    n = 30

    def point(k, u):
        i, j = k // n + 1, k % n + 1
        return u.at[i, j].set(0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - b[i, j]))

    return lax.fori_loop(0, 5, lambda t, u: lax.fori_loop(0, n * n, point, u), u)


@loop(f32(32, 32))
def elimination(a):
    n = 32

    def step(k, a):
        p = jnp.argmax(jnp.where(jnp.arange(n) >= k, jnp.abs(a[:, k]), -1.0))
        rk, rp = a[k], a[p]
        a = a.at[k].set(rp).at[p].set(rk)
        factors = jnp.where(jnp.arange(n) > k, a[:, k] / a[k, k], 0.0)
        return a - factors[:, None] * a[k][None]

    return lax.fori_loop(0, n, step, a)


# Samples.


@loop(f32(256, 100), f32(256, 1000))
def gibbs_in_turn(s, u):
    def chain(s, u):
        def step(i, s):
            k = i % 100
            p = jax.nn.sigmoid(0.8 * (s[(k + 1) % 100] + s[(k - 1) % 100]))
            return s.at[k].set(jnp.where(jnp.abs(u[i]) < p, 1.0, -1.0))

        return lax.fori_loop(0, 1000, step, jnp.sign(s))

    return jax.vmap(chain)(s, u)


@loop(f32(256, 64), f32(256, 500), integers(64, 256, 500))
def gibbs_anywhere(s, u, places):
    def chain(s, u, places):
        def step(i, s):
            k = places[i]
            p = jax.nn.sigmoid(0.8 * (s[(k + 1) % 64] + s[(k - 1) % 64]))
            return s.at[k].set(jnp.where(jnp.abs(u[i]) < p, 1.0, -1.0))

        return lax.fori_loop(0, 500, step, jnp.sign(s))

    return jax.vmap(chain)(s, u, places)


@loop(f32(32, 32), integers(32, 5000, 2), f32(5000))
def ising(s, places, u):
    n = 32

    def step(k, s):
        i, j = places[k, 0], places[k, 1]
        h = s[(i + 1) % n, j] + s[(i - 1) % n, j] + s[i, (j + 1) % n] + s[i, (j - 1) % n]
        return s.at[i, j].set(jnp.where(jnp.abs(u[k]) < jax.nn.sigmoid(0.88 * h), 1.0, -1.0))

    return lax.fori_loop(0, 5000, step, jnp.sign(s))


@loop(integers(128, 64), integers(3, 64, 1000))
def visits_of_walks(start, steps):
    def walk(k, steps):
        def step(i, s):
            p, h = s
            p = (p + steps[i] - 1) % 128
            return p, h.at[p].add(1)

        return lax.fori_loop(0, 1000, step, (k, jnp.zeros(128, jnp.int32)))[1]

    return jax.vmap(walk)(start, steps)


@loop(f32(5000), f32(5000))
def metropolis(u, z):
    def step(x, t):
        u, z = t
        p = x + z
        x = lax.cond(jnp.abs(u) < jnp.exp(-0.5 * (p * p - x * x)), lambda: p, lambda: x)
        return x, x

    return lax.scan(step, jnp.float32(0), (u, z))[1]


# Graphs and trees.


@loop(integers(2000, 3000, 2))
def union_find(edges):
    def find(p, i):
        return lax.while_loop(lambda i: p[i] != i, lambda i: p[i], i)

    def step(k, p):
        a, b = find(p, edges[k, 0]), find(p, edges[k, 1])
        return p.at[jnp.maximum(a, b)].set(jnp.minimum(a, b))

    return lax.fori_loop(0, 3000, step, jnp.arange(2000))


@loop(f32(100, 100))
def dijkstra(w):
    w = jnp.abs(w)

    def step(k, s):
        d, done = s
        u = jnp.argmin(jnp.where(done, jnp.inf, d))
        return jnp.minimum(d, d[u] + w[u]), done.at[u].set(True)

    return lax.fori_loop(0, 100, step, (jnp.full(100, jnp.inf).at[0].set(0.0), jnp.zeros(100, bool)))[0]


@loop(integers(1000, 1000, 8))
def breadth_first(adjacent):
    n = 1000

    def visit(s):
        head, tail, queue, dist = s
        u = queue[head]

        def edge(k, s):
            tail, queue, dist = s
            v = adjacent[u, k]
            new = dist[v] < 0
            queue = queue.at[jnp.where(new, tail, n)].set(v, mode="drop")
            return tail + new, queue, dist.at[v].set(jnp.where(new, dist[u] + 1, dist[v]))

        tail, queue, dist = lax.fori_loop(0, 8, edge, (tail, queue, dist))
        return head + 1, tail, queue, dist

    start = (0, 1, jnp.zeros(n, jnp.int32), jnp.full(n, -1).at[0].set(0))
    return lax.while_loop(lambda s: s[0] < s[1], visit, start)[3]


@loop(f32(1024))
def heap(v):
    def push(k, h):
        def up(s):
            i, h = s
            p = (i - 1) // 2
            a, b = h[i], h[p]
            return p, h.at[i].set(b).at[p].set(a)

        return lax.while_loop(lambda s: (s[0] > 0) & (s[1][(s[0] - 1) // 2] > s[1][s[0]]), up, (k, h.at[k].set(v[k])))[1]

    return lax.fori_loop(0, 1024, push, jnp.full(1024, jnp.inf))


@loop(f32(512))
def search_tree(v):
    def insert(k, s):
        left, right = s

        def down(t):
            _, q = t
            return q, jnp.where(v[k] < v[q], left[q], right[q])

        p, _ = lax.while_loop(lambda t: t[1] >= 0, down, (0, 0))
        before = v[k] < v[p]
        return left.at[p].set(jnp.where(before, k, left[p])), right.at[p].set(jnp.where(before, right[p], k))

    return lax.fori_loop(1, 512, insert, (jnp.full(512, -1), jnp.full(512, -1)))


@loop(f32(2048), integers(1024, 256), f32(256))
def priority_updates(tree, places, v):
    def update(k, t):
        i = places[k] + 1024

        def up(s):
            i, t = s
            i = i // 2
            return i, t.at[i].set(t[2 * i] + t[2 * i + 1])

        return lax.while_loop(lambda s: s[0] > 1, up, (i, t.at[i].set(jnp.abs(v[k]))))[1]

    return lax.fori_loop(0, 256, update, jnp.abs(tree))


@loop(integers(1 << 30, 32, 256), integers(256, 32, 32), f32(32))
def tree_search_backup(parents, leaves, reward):
    # The parent of a node stands before it; that of the root is -1.
    parents = jnp.where(jnp.arange(256) == 0, -1, parents % jnp.maximum(jnp.arange(256), 1))

    def one(parents, leaves, reward):
        def simulate(k, s):
            def up(t):
                i, v, n = t
                return parents[i], v.at[i].add(reward), n.at[i].add(1.0)

            return lax.while_loop(lambda t: t[0] >= 0, up, (leaves[k], *s))[1:]

        return lax.fori_loop(0, 32, simulate, (jnp.zeros(256), jnp.zeros(256)))

    return jax.vmap(one)(parents, leaves, reward)


# Tables.


@loop(integers(99, 100), integers(1000, 100))
def knapsack(w, v):
    w, places = w + 1, jnp.arange(1001)

    def item(i, d):
        return jnp.maximum(d, jnp.where(places >= w[i], d[jnp.maximum(places - w[i], 0)] + v[i], -1))

    return lax.fori_loop(0, 100, item, jnp.zeros(1001, jnp.int32))


@loop(integers(49, 5))
def coins(c):
    c = c + 1

    def amount(i, d):
        return d.at[i].set(jnp.min(jnp.where(i >= c, d[jnp.maximum(i - c, 0)], 10**8)) + 1)

    return lax.fori_loop(1, 5000, amount, jnp.zeros(5000, jnp.int32))


@loop(integers(4, 64, 64), integers(4, 64, 64))
def edit_distances(a, b):
    n = 64

    def one(a, b):
        def row(i, d):
            def column(j, s):
                d, diagonal = s
                old = d[j + 1]
                v = jnp.minimum(jnp.minimum(d[j + 1], d[j]) + 1, diagonal + (a[i] != b[j]))
                return d.at[j + 1].set(v), old

            return lax.fori_loop(0, n, column, (d.at[0].set(i + 1), d[0]))[0]

        return lax.fori_loop(0, n, row, jnp.arange(n + 1))[n]

    return jax.vmap(one)(a, b)


@loop(f32(41))
def matrix_chain(p):
    n = 40
    p = jnp.abs(p)

    def length(d, m):
        def first(i, m):
            j, k = i + d, jnp.arange(n)
            cost = m[i, k] + m[jnp.minimum(k + 1, n - 1), j] + p[i] * p[k + 1] * p[j + 1]
            return m.at[i, j].set(jnp.min(jnp.where((k >= i) & (k < j), cost, jnp.inf)))

        return lax.fori_loop(0, n - d, first, m)

    return lax.fori_loop(1, n, length, jnp.zeros((n, n)))[0, n - 1]


@loop(f32(500))
def longest_increasing(x):
    def step(i, d):
        return d.at[i].set(1 + jnp.max(jnp.where((jnp.arange(500) < i) & (x < x[i]), d, 0)))

    return lax.fori_loop(0, 500, step, jnp.zeros(500, jnp.int32)).max()


@loop(f32(64, 200, 16), f32(16, 16))
def viterbi(emissions, transitions):
    def one(e):
        def step(d, e):
            s = d[:, None] + transitions
            return s.max(0) + e, s.argmax(0)

        d, came = lax.scan(step, e[0], e[1:])

        def back(i, path):
            t = 198 - i
            return path.at[t].set(came[t, path[t + 1]])

        return lax.fori_loop(0, 199, back, jnp.zeros(200, jnp.int32).at[199].set(d.argmax()))

    return jax.vmap(one)(emissions)


@loop(f32(300, 16), f32(16, 16))
def forward_algorithm(likelihoods, transitions):
    def step(a, e):
        a = jax.nn.logsumexp(a[:, None] + transitions, axis=0) + e
        return a, a

    return lax.scan(step, likelihoods[0], likelihoods[1:])[1]


@loop(integers(2, 4096), integers(2, 8))
def string_search(text, word):
    m = 8

    def fail(i, f):
        k = lax.while_loop(lambda k: (k > 0) & (word[k] != word[i]), lambda k: f[k - 1], f[i - 1])
        return f.at[i].set(jnp.where(word[k] == word[i], k + 1, 0))

    f = lax.fori_loop(1, m, fail, jnp.zeros(m, jnp.int32))

    def step(i, s):
        k, count = s
        k = jnp.where(k == m, f[m - 1], k)
        k = lax.while_loop(lambda k: (k > 0) & (word[k] != text[i]), lambda k: f[k - 1], k)
        k = jnp.where(word[k] == text[i], k + 1, k)
        return k, count + (k == m)

    return lax.fori_loop(0, 4096, step, (0, 0))[1]


# Machines.


@loop(f32(512, 32))
def insertion_sorts(x):
    def one(x):
        def insert(i, x):
            v = x[i]

            def move(s):
                j, x = s
                return j - 1, x.at[j].set(x[j - 1])

            j, x = lax.while_loop(lambda s: (s[0] > 0) & (s[1][s[0] - 1] > v), move, (i, x))
            return x.at[j].set(v)

        return lax.fori_loop(1, 32, insert, x)

    return jax.vmap(one)(x)


@loop(integers(5, 64), f32(4096))
def stack_machine(code, x):
    def one(x):
        def step(s):
            at, top, stack = s
            op, a, b = code[at], stack[top - 1], stack[top - 2]
            v = jnp.select([op == 0, op == 1, op == 2, op == 3], [x, 1.0, a + b, a * b], a - b)
            top = jnp.where(op < 2, top + 1, jnp.maximum(top - 1, 3))
            return at + 1, top, stack.at[top - 1].set(v)

        return lax.while_loop(lambda s: s[0] < 64, step, (0, 3, jnp.ones(68)))[2][2]

    return jax.vmap(one)(x)


@loop(integers(4, 5000), f32())
def switches(code, x):
    branches = [
        lambda a, b: (a + b, a),
        lambda a, b: (a * 0.5, b + 1),
        lambda a, b: (b - a, a),
        lambda a, b: (jnp.sin(a), b),
    ]
    return lax.fori_loop(0, 5000, lambda i, s: lax.switch(code[i], branches, *s), (x, x))


@loop(integers(32, 64))
def ants(start):
    n = 32
    dy, dx = jnp.array(np.int32([-1, 0, 1, 0])), jnp.array(np.int32([0, 1, 0, -1]))

    def one(start):
        def step(i, s):
            y, x, d, g = s
            c = g[y, x]
            d = jnp.where(c, d + 1, d + 3) % 4
            return (y + dy[d]) % n, (x + dx[d]) % n, d, g.at[y, x].set(~c)

        return lax.fori_loop(0, 1000, step, (start, start, 0, jnp.zeros((n, n), bool)))[3]

    return jax.vmap(one)(start)


@loop(integers(1, 1))
def queens(zeros):
    n = 6

    def step(s):
        row, column, q, count = s
        i = jnp.arange(n)
        ok = (column < n) & ~(((q == column) | (jnp.abs(q - column) == row - i)) & (i < row)).any()
        full, back = ok & (row == n - 1), column >= n
        on = ok & ~full
        next_row = jnp.where(back, row - 1, jnp.where(on, row + 1, row))
        again = jnp.where(row > 0, q[jnp.maximum(row - 1, 0)] + 1, 0)
        next_column = jnp.where(back, again, jnp.where(on, 0, column + 1))
        return next_row, next_column, jnp.where(ok, q.at[row].set(column), q), count + full

    zero = zeros[0]
    return lax.while_loop(lambda s: s[0] >= 0, step, (zero, zero, jnp.zeros(n, jnp.int32), zero))[3]


@loop(f32(2048), f32(128))
def delay_line(x, w):
    def step(b, v):
        b = jnp.concatenate([b[1:], v[None]])
        return b, b @ w

    return lax.scan(step, jnp.zeros(128), x)[1]


@loop(f32(2048))
def ring_of_means(x):
    def step(c, v):
        b, i = c
        b = b.at[i].set(v)
        return (b, (i + 1) % 256), b.mean()

    return lax.scan(step, (jnp.zeros(256), 0), x)[1]


@loop(f32(500, 64), f32(64, 64))
def spiking_neurons(current, w):
    def step(c, i):
        v, s, rest = c
        v = jnp.where(rest > 0, v, 0.95 * v + 0.1 * jnp.abs(i) + s @ (0.1 * w))
        s = (v > 1).astype(jnp.float32)
        return (jnp.where(v > 1, 0.0, v), s, jnp.where(s > 0, 5, jnp.maximum(rest - 1, 0))), s

    return lax.scan(step, (jnp.zeros(64), jnp.zeros(64), jnp.zeros(64, jnp.int32)), current)[1]


# States of several dimensions, and what each lane has of its own.


@loop(f32(64, 64, 64))
def field_in_a_box(e):
    def step(c, _):
        e, h = c
        h = h - 0.5 * (jnp.roll(e, -1, 0) - e) - 0.5 * (jnp.roll(e, -1, 1) - e)
        e = e - 0.3 * sum(h - jnp.roll(h, 1, axis) for axis in range(3))
        return (e, h), e[32, 32, 32]

    return lax.scan(step, (e, jnp.zeros_like(e)), None, length=20)[1]


@loop(f32(4000))
def bank_of_filters(x):
    w = 2 * jnp.cos(2 * jnp.pi * jnp.arange(1, 17) * 0.01)

    def step(c, x):
        a, b = c
        return (x + w * a - b, a), None

    a, b = lax.scan(step, (jnp.zeros(16), jnp.zeros(16)), x)[0]
    return a * a + b * b - w * a * b


@loop(f32(64, fill=lambda random, shape: random.uniform(90, 110, shape)))
def trees_of_options(s):
    """Values fade out: with `LAWSON_OPTIONS=denormals=flush` four times as fast on Intel's processors."""
    n, dt = 500, 1 / 500
    u = jnp.exp(0.2 * dt**0.5)
    p = (jnp.exp(0.03 * dt) - 1 / u) / (u - 1 / u)

    def one(s):
        def step(v, i):
            held = jnp.exp(-0.03 * dt) * (p * jnp.roll(v, -1) + (1 - p) * v)
            return jnp.maximum(held, 100 - s * u ** (2 * jnp.arange(n + 1.0) - i)), None

        v = jnp.maximum(100 - s * u ** (2 * jnp.arange(n + 1.0) - n), 0)
        return lax.scan(step, v, jnp.arange(n - 1, -1, -1.0))[0][0]

    return jax.vmap(one)(s)


@loop(f32(256, 4, fill=lambda random, shape: random.uniform(0, 1, shape)), f32(256))
def overlapping_boxes(b, score):
    b = jnp.concatenate([b[:, :2], b[:, :2] + 0.2 * b[:, 2:]], 1)[jnp.argsort(-score)]
    low = jnp.maximum(b[:, None, :2], b[None, :, :2])
    high = jnp.minimum(b[:, None, 2:], b[None, :, 2:])
    shared = jnp.prod(jnp.maximum(high - low, 0), -1)
    area = jnp.prod(b[:, 2:] - b[:, :2], -1)
    overlap = shared / (area[:, None] + area - shared)
    strike = lambda k, keep: keep & ~((overlap[k] > 0.5) & (jnp.arange(256) > k) & keep[k])  # noqa: E731
    return lax.fori_loop(0, 256, strike, jnp.ones(256, bool))


# Tables in which trips look things up.


@loop(integers(256, 4096))
def checksum(data):
    """CRC-32 of bytes."""
    table = jnp.arange(256, dtype=jnp.uint32)
    for _ in range(8):
        table = jnp.where(table & 1, jnp.uint32(0xEDB88320) ^ (table >> 1), table >> 1)
    step = lambda c, byte: (table[(c ^ byte) & 0xFF] ^ (c >> 8), None)  # noqa: E731
    return ~lax.scan(step, jnp.uint32(0xFFFFFFFF), data.astype(jnp.uint32))[0]


@loop(integers(20, 64), integers(20, 60), f32(20, 20))
def local_alignment(a, b, score):
    """The best score of Smith and Waterman, row by row and element by element."""
    score = score[a][:, b]

    def row(above, score):
        best = jnp.maximum(jnp.maximum(above[:-1] + score, above[1:] - 1), 0)

        def element(left, x):
            left = jnp.maximum(x, left - 1)
            return left, left

        row = jnp.concatenate([jnp.zeros(1), lax.scan(element, 0.0, best)[1]])
        return row, row.max()

    return lax.scan(row, jnp.zeros(61), score)[1].max()


# Equations of motion.


@loop(f32(3))
def lorenz(y):
    def speed(y, t):
        return jnp.array([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])

    return odeint(speed, y, jnp.linspace(0, 2, 50))


@loop(f32(64, 2))
def pendulums(y):
    speed = lambda y, t: jnp.array([y[1], -jnp.sin(y[0])])  # noqa: E731
    return jax.vmap(lambda y: odeint(speed, y, jnp.linspace(0, 5, 20)))(y)


@loop(f32(400, 400), f32(400))
def spiking_neurons(w, current):
    def step(state, _):
        v, u, fired = state
        v = v + 0.5 * (0.04 * v * v + 5 * v + 140 - u + 5 * current + 0.05 * w @ fired)
        u = u + 0.02 * (0.2 * v - u)
        spike = v > 30
        return (jnp.where(spike, -65.0, v), jnp.where(spike, u + 8, u), spike.astype(jnp.float32)), spike.sum()

    return lax.scan(step, (jnp.full(400, -65.0), jnp.full(400, -13.0), jnp.zeros(400)), None, length=100)[1]
