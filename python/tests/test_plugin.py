"""JAX programs on Lawson beside JAX's own CPU backend. `make jax` runs this.

The environment says where the plugin is: `LAWSON_LIBRARY`, and `JAX_PLATFORMS=lawson,cpu`.
"""

import concurrent.futures
import functools
import gc
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

import lawson

X = np.random.default_rng(0).random((8, 16), dtype=np.float32)


def on_cpu(function, *args):
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.jit(function)(*args)


class Programs(unittest.TestCase):
    def same(self, function, *args, tolerance=1e-5):
        expected = jax.tree.leaves(on_cpu(function, *args))
        found = jax.tree.leaves(jax.jit(function)(*args))
        self.assertEqual(len(expected), len(found))
        for e, f in zip(expected, found):
            self.assertEqual((e.shape, e.dtype), (f.shape, f.dtype))
            self.assertIn("lawson", {d.platform for d in f.devices()})
            np.testing.assert_allclose(np.asarray(e), np.asarray(f), rtol=tolerance, atol=tolerance)

    def test_the_default_is_lawson(self):
        self.assertEqual(jax.default_backend(), "lawson")

    def test_functions(self):
        self.same(lambda x: x + 1, X)
        self.same(jax.nn.softmax, X)
        self.same(lambda a: jnp.argsort(a, axis=1), X)
        kernel = np.ones((4, 3, 3, 3), np.float32)
        self.same(lambda a, k: lax.conv(a, k, (1, 1), "SAME"), np.ones((2, 3, 8, 8), np.float32), kernel)
        self.same(lambda a: jnp.linalg.cholesky(a @ a.T + 9 * jnp.eye(8)), X)

    def test_decompositions(self):
        rng = np.random.default_rng(1)
        for a in rng.standard_normal((5, 5)).astype(np.float32), rng.standard_normal((3, 40, 40)).astype(np.float32):
            identity = np.eye(a.shape[-1])
            near = functools.partial(np.testing.assert_allclose, atol=2e-4)
            symmetric = a + a.swapaxes(-1, -2)
            w, v = jax.jit(jnp.linalg.eigh)(symmetric)
            near(symmetric @ v, v * w[..., None, :])
            near(v.swapaxes(-1, -2) @ v, np.broadcast_to(identity, v.shape))
            u, s, vt = jax.jit(jnp.linalg.svd)(a)
            near((u * s[..., None, :]) @ vt, a)
            near(s, np.linalg.svd(a, compute_uv=False))
            q, r = jax.jit(jnp.linalg.qr)(a)
            near(q @ r, a)
            packed, _, order = jax.jit(lax.linalg.lu)(a)
            lower, upper = np.tril(packed, -1) + identity, np.triu(packed)
            near(lower @ upper, np.take_along_axis(a, np.asarray(order)[..., None], -2))
            self.same(jnp.linalg.inv, a + 9 * identity.astype(np.float32))
            self.same(jnp.linalg.slogdet, a, tolerance=1e-4)
            w, v = jax.jit(jnp.linalg.eig)(a)
            near(a @ v, v * w[..., None, :])
        t, z = jax.jit(jax.scipy.linalg.schur)(a[0])
        near(z @ t @ z.T, a[0])
        for b in a[0], a[0] + 1j * a[1]:
            t, z = jax.jit(lambda b: jax.scipy.linalg.schur(b, output="complex"))(b)
            near(z @ t @ z.conj().T, b)
            h, q = jax.jit(lambda b: jax.scipy.linalg.hessenberg(b, calc_q=True))(b)
            near(q @ h @ q.conj().T, b)
            q, r, order = jax.jit(lambda b: jax.scipy.linalg.qr(b, pivoting=True))(b)
            near(q @ r, b[:, np.asarray(order)])
            square = b @ b.conj().T / 40
            root = jax.jit(jax.scipy.linalg.sqrtm)(square)
            near(root @ root, square)
            near(jax.jit(jnp.linalg.eigvalsh)(square), np.linalg.eigvalsh(square))
        near(jax.jit(lambda a: lax.linalg.svd(a, compute_uv=False, subset_by_index=(0, 3)))(a[0, :, :3]),
             np.linalg.svd(a[0, :, :3], compute_uv=False))
        for refused, name in (
            (lambda a: lax.linalg.svd(a, full_matrices=False, compute_uv=False, subset_by_index=(0, 2)), "svd"),
            (lambda a: lax.linalg.schur(a, sort_eig_vals=True, select_callable=lambda x: x > 0), "schur"),
        ):
            with self.assertRaisesRegex(NotImplementedError, name):
                jax.jit(refused)(a[0])
        self.same(jax.grad(lambda a: jnp.linalg.eigvalsh(a + a.T)[-1]), a[0], tolerance=1e-4)

    def test_keys_of_few_columns(self):
        x = np.arange(11, dtype=np.uint8)[None] * 7 % 11
        for k in 1, 5:
            self.assertEqual(sorted(np.asarray(jnp.argpartition(x, k))[0, :k]), sorted(np.argsort(x)[0, :k]))

    def test_decompositions_are_exported_with_open_dimensions(self):
        from jax import export

        shape = jax.ShapeDtypeStruct(export.symbolic_shape("b, 4, 4"), np.float32)
        exported = export.export(jax.jit(jnp.linalg.eigh), platforms=["lawson"])(shape)
        a = np.random.default_rng(3).standard_normal((3, 4, 4)).astype(np.float32)
        w, v = exported.call(a + a.mT)
        np.testing.assert_allclose((a + a.mT) @ v, v * w[..., None, :], atol=1e-4)

    def test_tridiagonal_equations(self):
        rng = np.random.default_rng(2)
        for dtype in np.float32, np.complex64:
            for batch, m, k in ((), 1, 1), ((), 9, 3), ((2, 3), 40, 2):
                draw = lambda *shape: rng.standard_normal((*batch, *shape)).astype(dtype)
                lower, diagonal, upper, b = draw(m), draw(m), draw(m), draw(m, k)
                # Without exchanged rows this pivot would be a division by zero.
                diagonal[..., 0] = 0 if m > 1 else 1
                whole = np.zeros((*batch, m, m), dtype)
                i = np.arange(m)
                whole[..., i, i], whole[..., i[1:], i[:-1]], whole[..., i[:-1], i[1:]] = (
                    diagonal, lower[..., 1:], upper[..., :-1])
                x = jax.jit(lax.linalg.tridiagonal_solve)(lower, diagonal, upper, b)
                np.testing.assert_allclose(whole @ x, b, atol=2e-3 * np.abs(x).max())
        zeros = np.zeros(4, np.float32)
        singular = functools.partial(lax.linalg.tridiagonal_solve, zeros, zeros, zeros, np.ones((4, 1), np.float32))
        self.assertTrue(np.isnan(jax.jit(singular)()).all())
        if "perturb_singular" in inspect.signature(lax.linalg.tridiagonal_solve).parameters:
            for dtype in np.float32, np.complex64:
                with jax.numpy_dtype_promotion("strict"):
                    perturbed = jax.jit(
                        lambda d: lax.linalg.tridiagonal_solve(d, d, d, 1 + d[:, None], perturb_singular=True)
                    )(zeros.astype(dtype))
                self.assertTrue((np.abs(perturbed) > 1e30).all())
            d, e = np.full(12, 2, np.float32), np.full(11, -1, np.float32)
            w, v = jax.jit(jax.scipy.linalg.eigh_tridiagonal)(d, e)
            whole = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
            np.testing.assert_allclose(whole @ v, v * w, atol=1e-4)

    def test_decompositions_of_complex_matrices(self):
        rng = np.random.default_rng(1)
        near = functools.partial(np.testing.assert_allclose, atol=2e-4)
        for shape in (5, 5), (2, 30, 20), (3, 4, 7):
            a = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)
            u, s, vt = jax.jit(functools.partial(jnp.linalg.svd, full_matrices=False))(a)
            near((u * s[..., None, :]) @ vt, a)
            near(s, np.linalg.svd(a, compute_uv=False))
            self.assertEqual(s.dtype, np.float32)
            hermitian = a[..., : min(shape[-2:]), : min(shape[-2:])]
            hermitian = hermitian + hermitian.mT.conj()
            for lower in True, False:
                _, d, e, _ = jax.jit(functools.partial(lax.linalg.tridiagonal, lower=lower))(hermitian)
                self.assertEqual((d.dtype, e.dtype), (np.float32, np.float32))
                t = np.zeros(hermitian.shape, np.float32)
                i = np.arange(d.shape[-1])
                t[..., i, i], t[..., i[1:], i[:-1]], t[..., i[:-1], i[1:]] = d, e, e
                near(np.linalg.eigvalsh(t), np.linalg.eigvalsh(hermitian))
            q, r = jax.jit(jnp.linalg.qr)(a)
            near(q @ r, a)
            near(q.conj().swapaxes(-1, -2) @ q, np.broadcast_to(np.eye(q.shape[-1]), (*a.shape[:-2], *[q.shape[-1]] * 2)))
            packed, _, order = jax.jit(lax.linalg.lu)(a)
            k = min(a.shape[-2:])
            lower, upper = np.tril(packed[..., :k], -1) + np.eye(a.shape[-2], k), np.triu(packed[..., :k, :])
            near(lower @ upper, np.take_along_axis(a, np.asarray(order)[..., None], -2))
            hermitian = a @ a.conj().swapaxes(-1, -2)
            w, v = jax.jit(jnp.linalg.eigh)(hermitian)
            near(hermitian @ v, v * w[..., None, :], atol=2e-3)
            self.same(lambda a: jnp.linalg.eigvalsh(a), hermitian, tolerance=2e-3)
            square = a[..., : min(shape[-2:]), : min(shape[-2:])]
            w, v = jax.jit(jnp.linalg.eig)(square)
            near(square @ v, v * w[..., None, :], atol=2e-3)
        self.same(jnp.linalg.inv, hermitian[0] + np.eye(4, dtype=np.complex64), tolerance=1e-3)

    def test_transforms_and_complex_numbers(self):
        z = (X[:, :12] + 1j * X[:, 4:]).astype(np.complex64)
        self.same(jnp.fft.fft, z, tolerance=1e-4)
        self.same(lambda x: jnp.fft.irfft(jnp.fft.rfft(x) * 2), X)
        self.same(lambda z: jnp.exp(z) / (1 + jnp.abs(z)) + (z @ z.T.conj()).sum(), z, tolerance=1e-4)
        self.same(jax.grad(lambda x: jnp.abs(jnp.fft.rfft(x)).sum()), X[0], tolerance=1e-4)

    def test_transforms_along_any_axis(self):
        rng = np.random.default_rng(7)
        for shape in [(9, 12), (5, 14, 35), (4, 6, 10, 3)]:
            x = rng.standard_normal(shape).astype(np.float32)
            z = x + 1j * x[::-1]
            for axis in range(len(shape)):
                self.same(lambda z: jnp.fft.ifft(z, axis=axis), z, tolerance=1e-4)
                self.same(lambda x: jnp.fft.rfft(x, axis=axis), x, tolerance=1e-4)
                self.same(lambda z: jnp.fft.irfft(z, n=15, axis=axis), z, tolerance=1e-4)
            self.same(jnp.fft.fftn, z, tolerance=1e-4)
            self.same(lambda x: jnp.fft.irfftn(jnp.fft.rfftn(x), s=x.shape), x, tolerance=1e-4)
            self.same(lambda z: jnp.fft.fft2(jnp.pad(jnp.roll(z, 2, 1), 1), axes=(1, 0)), z, tolerance=1e-4)
            self.same(jax.grad(lambda x: jnp.abs(jnp.fft.rfft2(x)).sum()), x, tolerance=1e-3)

    def test_small_floats(self):
        for dtype in jnp.float8_e4m3fn, jnp.float8_e5m2:
            self.same(lambda x: (x.astype(dtype) * 3).astype(jnp.float32), X)

    def test_transformations(self):
        self.same(jax.grad(lambda x: jnp.tanh(x @ x.T).sum()), X, tolerance=1e-4)
        self.same(jax.vmap(lambda r: jnp.dot(r, r)), X)
        self.same(lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(16), x), X)
        self.same(jax.hessian(lambda v: (jnp.sin(v) ** 2).prod()), X[0, :4])

    def test_random_numbers_are_the_same_bits(self):
        def draw():
            key = jax.random.key(1)
            return jax.random.bits(key, (7,)), jax.random.permutation(key, 20), jax.random.uniform(key, (5,))

        for e, f in zip(on_cpu(draw), jax.jit(draw)()):
            np.testing.assert_array_equal(e, f)

    def test_a_model_learns(self):
        def loss(params, x, y):
            (w1, w2) = params
            return ((jnp.tanh(x @ w1) @ w2 - y) ** 2).mean()

        @jax.jit
        def step(params, x, y):
            value, slope = jax.value_and_grad(loss)(params, x, y)
            return jax.tree.map(lambda p, s: p - 0.1 * s, params, slope), value

        keys = jax.random.split(jax.random.key(0), 3)
        params = [jax.random.normal(keys[0], (3, 16)), jax.random.normal(keys[1], (16, 1)) * 0.1]
        x = jax.random.normal(keys[2], (64, 3))
        y = jnp.sin(x[:, :1])
        first = loss(params, x, y)
        for _ in range(200):
            params, last = step(params, x, y)
        self.assertLess(last, first / 10)

    def test_element_types(self):
        for dtype in "bool int8 int16 int32 uint8 uint16 uint32 float16 bfloat16 float32 complex64 int4 uint4".split():
            with self.subTest(dtype):
                a = jnp.asarray(np.array([0, 1, 1, 0]), dtype)
                self.assertEqual(a.dtype, dtype)
                there_and_back = np.asarray(jax.device_put(np.asarray(a)))
                self.assertEqual(there_and_back.astype(np.complex64).tolist(), [0, 1, 1, 0])


class Memory(unittest.TestCase):
    def test_open_bits_of_narrow_integers_do_not_count(self):
        for dtype, expected in (jnp.int4, [-2, 1, 7, -8]), (jnp.uint4, [14, 1, 7, 8]):
            numbers = np.array([0x0E, 0xF1, 0x87, 0x78], np.uint8).view(dtype)
            widened = jax.jit(lambda x: x.astype(jnp.int32))
            np.testing.assert_array_equal(widened(numbers), expected)

    def test_arrays_of_numpy_are_views(self):
        a = jnp.ones((100, 100)) + 1
        self.assertEqual(np.asarray(a).ctypes.data, a.unsafe_buffer_pointer())

    def test_aligned_memory_is_not_copied(self):
        room = np.zeros(40064, np.uint8)
        start = -room.ctypes.data % 64
        own = room[start : start + 40000].view(np.float32)
        a = jax.device_put(own)
        self.assertEqual(a.unsafe_buffer_pointer(), own.ctypes.data)
        self.assertEqual(float(a.sum()), 0)

    def test_strides_are_followed(self):
        for view in (X.T, X[::-1, ::2], X[:0], np.broadcast_to(X[0], (3, 16))):
            np.testing.assert_array_equal(np.asarray(jax.device_put(view)), view)

    def test_donated_memory_is_that_of_the_result(self):
        step = jax.jit(lambda x: x * 2, donate_argnums=0)
        a = jnp.ones((1000, 1000))
        place = a.unsafe_buffer_pointer()
        b = step(a)
        self.assertTrue(a.is_deleted())
        self.assertEqual(b.unsafe_buffer_pointer(), place)
        with self.assertRaisesRegex((RuntimeError, ValueError), "deleted"):
            a + 1

    def test_a_view_survives_donation(self):
        a = jnp.ones((1000, 1000)) + 1
        view = np.asarray(a)
        jax.jit(lambda x: x * 2, donate_argnums=0)(a)
        self.assertEqual(view.min(), 2)
        self.assertEqual(view.max(), 2)

    def test_arrays_go_to_other_backends_and_back(self):
        a = jnp.arange(5.0)
        b = jax.device_put(a, jax.devices("cpu")[0])
        c = jax.device_put(b * 2, jax.devices("lawson")[0])
        self.assertEqual((c + a).tolist(), [0, 3, 6, 9, 12])


    def test_other_libraries_share_memory(self):
        a = jnp.arange(6.0) + 1
        shared = np.from_dlpack(a)
        self.assertEqual((shared.ctypes.data, shared.tolist()), (a.unsafe_buffer_pointer(), [1, 2, 3, 4, 5, 6]))
        b = jnp.from_dlpack(X)
        self.assertEqual(b.devices().pop().platform, "lawson")
        np.testing.assert_array_equal(b, X)
        np.testing.assert_array_equal(jnp.from_dlpack(X.T), X.T)

    def test_other_libraries_get_copies_where_they_ask(self):
        a = jnp.arange(6.0)
        copy = np.from_dlpack(a, copy=True)
        self.assertNotEqual(copy.ctypes.data, a.unsafe_buffer_pointer())
        self.assertEqual(copy.tolist(), [0, 1, 2, 3, 4, 5])
        self.assertEqual(np.from_dlpack(a, device="cpu", copy=False).ctypes.data, a.unsafe_buffer_pointer())
        with self.assertRaisesRegex(BufferError, "memory of the host"):
            a.__dlpack__(dl_device=(2, 0))
        with self.assertRaisesRegex(BufferError, "on no stream"):
            a.__dlpack__(stream=7)

    def test_small_floats_are_shared(self):
        for dtype in jnp.bfloat16, jnp.float8_e4m3fn, jnp.float8_e5m2:
            a = jnp.asarray([0.5, 1, 2, 0], dtype)
            b = jnp.from_dlpack(a)
            self.assertEqual((b.dtype, b.tolist()), (dtype, [0.5, 1, 2, 0]))


class Queued(unittest.TestCase):
    """Programs that are long enough not to run in the caller."""

    @staticmethod
    @jax.jit
    def long(x):
        return lax.fori_loop(0, 20, lambda _, x: jnp.tanh(x @ x), x)

    def setUp(self):
        self.x = jnp.asarray(np.random.default_rng(2).random((200, 200), dtype=np.float32) / 100)

    def test_calls_follow_each_other(self):
        def step(x, y):
            return x @ y + 0.01, x.sum()

        def steps(x, step):
            y, sums = x * 1, []
            for _ in range(100):
                x, sum_ = step(x, y)
                sums.append(sum_)
            return [x, *sums]

        expected = steps(np.asarray(self.x), lambda x, y: (x @ y + np.float32(0.01), x.sum()))
        for donated in (), (0,):
            found = steps(self.x * 1, jax.jit(step, donate_argnums=donated))
            for e, f in zip(expected, found):
                np.testing.assert_allclose(e, f, rtol=1e-4)

    def test_arguments_may_be_forgotten(self):
        expected = np.asarray(self.long(self.x))
        room = np.zeros(160064, np.uint8)
        start = -room.ctypes.data % 64
        own = room[start : start + 160000].view(np.float32).reshape(200, 200)
        own[...] = self.x
        results = []
        for make in jax.device_put, jnp.from_dlpack:
            x = make(own)
            results += [self.long(x), self.long(x)]
            del x
        del room, own
        gc.collect()
        for y in results:
            np.testing.assert_array_equal(y, expected)

    def test_a_callback_may_call_programs(self):
        def callee(x):
            # One program is given to the queue here, one was before.
            return np.asarray(self.long(jnp.asarray(x))) + np.asarray(later[0])

        shape = jax.ShapeDtypeStruct(self.x.shape, np.float32)
        later = [self.long(self.x)]
        first = self.long(self.x)
        called = jax.jit(lambda x: jax.pure_callback(callee, shape, x) + 1)(first)
        twice = np.asarray(self.long(self.long(self.x)))
        np.testing.assert_allclose(self.long(called), self.long(twice + np.asarray(later[0]) + 1), rtol=1e-5)

    def test_a_thread_may_wait_while_another_is_called_back(self):
        """Whoever waits for the queue leaves Python to others."""
        shape = jax.ShapeDtypeStruct(self.x.shape, np.float32)
        call = jax.jit(lambda x: jax.pure_callback(lambda x: np.asarray(x) * 2, shape, x))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            def work(n):
                y = self.long(self.x * n)
                return np.asarray(call(self.long(y)) if n % 2 else self.long(y))

            for n, found in enumerate(pool.map(work, range(16))):
                expected = np.asarray(self.long(self.long(self.x * n)))
                np.testing.assert_allclose(found, expected * (1 + n % 2), rtol=1e-5)

    def test_it_can_be_switched_off(self):
        script = (
            "import jax, jax.numpy as jnp\nf = jax.jit(lambda x: jax.lax.fori_loop(0, 300, lambda _, x: jnp.tanh(x @ x), x))\n"
            "print(f(jnp.ones((300, 300))).is_ready())"
        )
        self.assertEqual(run(script, LAWSON_OPTIONS="async=off"), "True\n")
        with self.assertRaisesRegex(AssertionError, r"\[option\] the option `async`: .* is none of on, off"):
            run(script, LAWSON_OPTIONS="async=maybe")


class Processes(unittest.TestCase):
    def test_a_forked_process_is_told(self):
        script = (
            "import os, jax\nf = jax.jit(lambda x: x + 1)\nx = f(1.0)\nchild = os.fork()\n"
            "if child: os.waitpid(child, 0)\n"
            "try: print('child' if child == 0 else 'parent', f(x))\n"
            "except Exception as e: print('child', e)"
        )
        text = run("import warnings\nwarnings.simplefilter('ignore')\n" + script)
        self.assertIn("this process was forked", text)
        self.assertIn("parent 3.0", text)

    def test_a_forked_process_does_not_wait_for_what_is_queued(self):
        script = (
            "import os, jax, jax.numpy as jnp, numpy as np\n"
            "f = jax.jit(lambda x: jax.lax.fori_loop(0, 300, lambda _, x: jnp.tanh(x @ x), x))\n"
            "x = jnp.ones((300, 300))\nx = f(x).block_until_ready()\ny = f(x)\nchild = os.fork()\n"
            "if child: os.waitpid(child, 0)\n"
            "try: print('child' if child == 0 else 'parent', np.asarray(y).shape)\n"
            "except Exception as e: print('child', e)"
        )
        # With one processor nothing would be queued.
        text = run("import warnings\nwarnings.simplefilter('ignore')\n" + script, LAWSON_OPTIONS="async=on")
        self.assertIn("this process was forked", text)
        self.assertIn("parent (300, 300)", text)

    def test_threads_compile_and_call(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            def work(n):
                f = jax.jit(lambda x: (x * n).sum())
                return [float(f(jnp.full(100, i))) for i in range(20)]

            for n, found in enumerate(pool.map(work, range(16))):
                self.assertEqual(found, [100.0 * n * i for i in range(20)])

    def test_a_process_ends_with_work_in_flight(self):
        run(
            "import jax, jax.numpy as jnp, numpy as np\n"
            "f = jax.jit(lambda x: jax.lax.fori_loop(0, 30, lambda _, x: jnp.tanh(x @ x), x))\n"
            "x = f(jnp.ones((300, 300)))\ny = [f(x), f(jax.device_put(np.ones((300, 300), np.float32))), f(jnp.from_dlpack(np.eye(300)))]"
        )


class Callbacks(unittest.TestCase):
    def test_values_come_back(self):
        shape = jax.ShapeDtypeStruct((16,), np.float32)
        found = jax.jit(lambda x: jax.pure_callback(np.sin, shape, x) + 1)(X[0])
        np.testing.assert_allclose(found, np.sin(X[0]) + 1, rtol=1e-6)
        each = jax.vmap(lambda x: jax.pure_callback(np.sin, shape, x, vmap_method="sequential"))(X)
        np.testing.assert_allclose(each, np.sin(X), rtol=1e-6)

    def test_effects_happen_in_order(self):
        log = []

        @jax.jit
        def count(x):
            def body(i, c):
                io_callback(lambda i: log.append(int(i)), None, i, ordered=True)
                return c + i

            return lax.fori_loop(0, 5, body, x)

        self.assertEqual((int(count(0)), log), (10, [0, 1, 2, 3, 4]))

    def test_prints(self):
        text = run("import jax\njax.jit(lambda x: jax.debug.print('it is {x}', x=x))(3)\njax.effects_barrier()")
        self.assertIn("it is 3", text)

    def test_an_exception_is_an_error_of_the_call(self):
        def fails(_):
            raise ValueError("on purpose")

        call = jax.jit(lambda x: jax.pure_callback(fails, jax.ShapeDtypeStruct((), np.float32), x))
        with self.assertLogs("jax._src.callback"), self.assertRaisesRegex(jax.errors.JaxRuntimeError, "on purpose"):
            jax.block_until_ready(call(1.0))
        self.assertEqual(float(jax.jit(lambda x: x + 1)(1.0)), 2)


    def test_programs_hold_what_they_call(self):
        from jax_plugins.lawson import callbacks

        gc.collect()
        before = len(callbacks._held)
        shape = jax.ShapeDtypeStruct((16,), np.float32)
        program = jax.jit(lambda x: jax.pure_callback(lambda x: x * 3, shape, x)).lower(X[0]).compile().runtime_executable()
        jax.clear_caches()
        gc.collect()
        self.assertEqual(len(callbacks._held), before + 1)
        found = program.execute_sharded([jax.device_put(X[0])]).disassemble_into_single_device_arrays()
        np.testing.assert_allclose(found[0][0], X[0] * 3)
        del program
        gc.collect()
        self.assertEqual(len(callbacks._held), before)

    def test_other_sizes_than_those_of_the_function_are_refused(self):
        from jax_plugins.lawson import callbacks

        call = callbacks.Call(lambda x: [x], [X[0]], [X[0]])
        wrong = jax.jit(lambda x: jax.ffi.ffi_call(call.target, jax.ShapeDtypeStruct((32,), np.float32))(x))
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "has 128 bytes where the function that it calls has 64"):
            jax.block_until_ready(wrong(X[0]))
        wrong = jax.jit(lambda x: jax.ffi.ffi_call(call.target, jax.ShapeDtypeStruct((16,), np.float32))(x, x))
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "has 2 arrays where the function that it calls has 1"):
            jax.block_until_ready(wrong(X[0]))


class Options(unittest.TestCase):
    def test_of_programs(self):
        strict = jax.jit(lambda x: x.sum(), compiler_options={"lawson_numerics": "strict", "lawson_threads": 1})
        self.assertAlmostEqual(float(strict(X)), float(X.sum()), places=3)
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, r"\[option\] .* none of strict, standard, fast"):
            jax.jit(lambda x: x, compiler_options={"lawson_numerics": "loose"})(X)
        small = np.full(16, 1e-30, np.float32)
        for denormals, zero in [("keep", False), ("flush", True)]:
            products = jax.jit(lambda x: x * np.float32(1e-10), compiler_options={"lawson_denormals": denormals})(small)
            self.assertEqual(np.all(np.asarray(products) == 0), zero)

    def test_of_the_client(self):
        script = "import jax\nprint(len(jax.devices()), (jax.device_put(1.0, jax.devices()[2]) + 1).devices())"
        self.assertEqual(run(script, LAWSON_OPTIONS="devices=3"), "3 {LawsonDevice(id=2)}\n")
        printed = "import jax\nprint(float(jax.jit(lambda x: x + 1)(2.0)))"
        self.assertEqual(run(printed, LAWSON_OPTIONS="fuel=cse=4,dce=4; threads=1"), "3.0\n")
        spread = (
            "import jax\nfrom jax.sharding import *\n"
            "s = NamedSharding(jax.make_mesh((2,), ('a',)), PartitionSpec('a'))\n"
            "try: jax.jit(lambda x: x + 1, out_shardings=s)(jax.numpy.ones(4))\nexcept Exception as e: print(e)"
        )
        self.assertIn("2 partitions: Lawson runs each program on one device", run(spread, LAWSON_OPTIONS="devices=2"))

    def test_installing_changes_nothing(self):
        self.assertEqual(run("import jax\nprint(jax.default_backend())", JAX_PLATFORMS=""), "cpu\n")

    def test_programs_are_cached(self):
        script = "import jax, jax.numpy as jnp\nprint(jax.jit(lambda x: jnp.tanh(x) @ x)(jnp.ones((4, 4))).sum())"
        with tempfile.TemporaryDirectory() as folder:
            chosen = dict(JAX_COMPILATION_CACHE_DIR=folder, JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0")
            first = run(script, **chosen)
            files = sorted(os.listdir(folder))
            self.assertTrue(files)
            self.assertEqual((run(script, **chosen), sorted(os.listdir(folder))), (first, files))

    def test_a_dump_holds_what_is_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            run("import jax, numpy as np\njax.jit(lambda x: x + 1)(np.ones(3))", LAWSON_DUMP=folder)
            files = sorted(os.listdir(folder))
            self.assertEqual([f.split(".", 1)[1] for f in files], ["mlir.bc", "npz", "sh"])
            with open(os.path.join(folder, files[2])) as f:
                self.assertTrue(f.read().startswith(f"lawson run {folder}/{files[0]} --inputs {folder}/{files[1]}"))


    def test_a_program_that_calls_python_has_no_command(self):
        with tempfile.TemporaryDirectory() as folder:
            run("import jax\njax.jit(lambda x: jax.debug.print('{x}', x=x))(3.0)\njax.effects_barrier()", LAWSON_DUMP=folder)
            self.assertEqual({f.split(".", 1)[1] for f in os.listdir(folder)}, {"mlir.bc", "npz"})


class Reports(unittest.TestCase):
    @staticmethod
    def scores(x):
        with jax.named_scope("attend"):
            y = jnp.exp(x)
            return y / y.sum(axis=1, keepdims=True)

    def test_lines_of_the_user(self):
        report = lawson.explain(self.scores, X)
        self.assertIn("test_plugin.py:", str(report))
        self.assertEqual(len(report.kernels), 1)
        self.assertTrue(any("test_plugin.py:" in p for p in report.kernels[0].places))
        self.assertIn("<iframe", report._repr_html_())
        self.assertIsNone(report.kernels[0].measured_us)

    def test_measured_times(self):
        report = lawson.profile(self.scores, X)
        self.assertGreater(report.kernels[0].measured_us, 0)

    def test_the_profiler_shows_kernels(self):
        scores = jax.jit(self.scores)
        scores(X)
        with tempfile.TemporaryDirectory() as folder:
            with jax.profiler.trace(folder):
                scores(X).block_until_ready()
                jax.jit(lambda x: jnp.tanh(x) + 3)(X).block_until_ready()
            (path,) = pathlib.Path(folder).rglob("*.xplane.pb")
            planes = {plane.name: plane for plane in jax.profiler.ProfileData.from_file(str(path)).planes}
        lines = {line.name: list(line.events) for line in planes["/device:CUSTOM:Lawson"].lines}
        kernels = [k for k in lines["Kernels"] if dict(k.stats)["program"] == "jit_scores"]
        self.assertEqual([k.name for k in kernels], [k.name for k in lawson.explain(self.scores, X).kernels])
        self.assertEqual(dict(kernels[0].stats)["bytes_read"], X.nbytes)
        self.assertGreater(kernels[0].duration_ns, 0)
        self.assertEqual([e.name for e in lines["Compilations"]], ["jit__lambda"])
        self.assertEqual([e.name for e in lines["Runs"]], ["jit_scores", "jit__lambda"])

    def test_static_and_donated_arguments_are_profiled(self):
        @functools.partial(jax.jit, static_argnums=0, static_argnames="flag", donate_argnums=1)
        def power(n, x, y, *, flag):
            return x**n * y if flag else x

        x = jnp.asarray(X)
        report = lawson.profile(power, 3, x, 2.0, flag=True)
        self.assertGreater(report.kernels[0].measured_us, 0)
        np.testing.assert_array_equal(x, X)
        self.assertEqual(len(lawson.explain(power, 3, x, 2.0, flag=True).kernels), 1)

    def test_effects_are_not_profiled(self):
        log = []

        def logged(x):
            io_callback(lambda x: log.append(x), None, x)
            return x + 1

        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "effects on the host is not profiled"):
            lawson.profile(logged, 1.0)
        self.assertEqual(log, [])

    def test_what_is_not_fused_is_told(self):
        lawson.assert_fused(self.scores, (X,), "attend")

        def named(x):
            with jax.named_scope("mean, sum"):
                return jnp.exp(x) + 1

        lawson.assert_fused(named, (X,), ["mean, sum"])
        with self.assertRaisesRegex(AssertionError, "nowhere"):
            lawson.assert_fused(self.scores, (X,), ["nowhere"])

    def test_analyses(self):
        compiled = jax.jit(self.scores).lower(X).compile()
        self.assertEqual(compiled.cost_analysis()["lawson kernels"], 1)
        self.assertGreater(compiled.cost_analysis()["bytes accessed"], 0)
        memory = compiled.memory_analysis()
        self.assertEqual((memory.argument_size_in_bytes, memory.output_size_in_bytes), (X.nbytes, X.nbytes))
        self.assertIn("exponential", compiled.as_text())

    def test_layouts(self):
        compiled = jax.jit(lambda x: (x.T, x.sum())).lower(X).compile()
        of = lambda formats: [f.layout.major_to_minor for f in jax.tree.leaves(formats)]
        self.assertEqual(of(compiled.input_formats), [(0, 1)])
        if jax.version.__version_info__ >= (0, 9):
            # Older ones do not ask, and take what HLO's transpose has by default.
            self.assertEqual(of(compiled.output_formats), [(0, 1), ()])
        self.assertEqual(compiled(X)[0].format.layout.major_to_minor, (0, 1))

    def test_errors_have_lines(self):
        with self.assertRaises(jax.errors.JaxRuntimeError) as raised:
            jax.jit(lambda x: jax.ffi.ffi_call("nobody_has_this", jax.ShapeDtypeStruct((3,), np.float32))(x))(X[0, :3])
        self.assertIn("nobody_has_this", str(raised.exception))
        self.assertRegex(str(raised.exception), r"test_plugin.py:\d+: ")


def run(script, **environment) -> str:
    """What a script prints, in a process of its own."""
    environment = {**os.environ, "JAX_PLATFORMS": "lawson", **environment}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


if __name__ == "__main__":
    unittest.main()
