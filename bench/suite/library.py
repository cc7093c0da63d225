"""The functions of JAX's library one by one: jax.numpy, jax.nn, jax.scipy, jax.random, jax.lax, at sizes people call them with.

Like everyday.py, which see; `run.py --everyday --class library` compares them.
"""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from case import Array, Case, ascending, definite, positive, weights
from jax import lax, random

CASES = []


def add(name, function, *inputs, tolerance=1e-3, mismatch=0.0):
    CASES.append(Case(name, "library", inputs, function, tolerance=tolerance, mismatch=mismatch))


def unit(random, shape):
    return random.random(shape) * 0.98 + 0.01


def wide(random, shape):
    return random.standard_normal(shape) * 30


def with_nan(random, shape):
    x = random.standard_normal(shape)
    x[random.random(shape) < 0.01] = np.nan
    return x


SQUARE = (1024, 1024)
X = Array(SQUARE)
POSITIVE = Array(SQUARE, fill=positive)
UNIT = Array(SQUARE, fill=unit)
WIDE = Array(SQUARE, fill=wide)
NAN = Array(SQUARE, fill=with_nan)
INTS = Array(SQUARE, "int32", 1000)
BYTES = Array(SQUARE, "uint8", 200)
BOOLS = Array(SQUARE, "bool")
COMPLEX = Array((512, 1024), "complex64")
LINE = Array((1 << 20,))

# jax.numpy, element by element.

for name in (
    "abs sin cos tan sinh cosh tanh arctan arcsinh exp exp2 expm1 cbrt ceil floor rint trunc fabs sign signbit square "
    "positive negative sinc deg2rad isfinite isnan isinf modf frexp nan_to_num spacing"
).split():
    add(f"jnp.{name}", getattr(jnp, name), X)
for name in "log log2 log10 log1p sqrt reciprocal i0".split():
    add(f"jnp.{name}", getattr(jnp, name), POSITIVE)
for name in "arcsin arccos arctanh".split():
    add(f"jnp.{name}", getattr(jnp, name), UNIT)
add("jnp.arccosh", lambda x: jnp.arccosh(x + 1), POSITIVE)
for name in (
    "add subtract multiply divide maximum minimum fmax fmin arctan2 hypot logaddexp logaddexp2 copysign nextafter "
    "heaviside isclose greater equal"
).split():
    add(f"jnp.{name}", getattr(jnp, name), X, Array(SQUARE, fill=wide))
for name in "floor_divide remainder fmod divmod".split():
    add(f"jnp.{name}", getattr(jnp, name), WIDE, POSITIVE)
    add(f"jnp.{name} of integers", getattr(jnp, name), INTS, Array(SQUARE, "int32", fill=lambda r, s: r.integers(1, 50, s)))
for name in "power float_power".split():
    add(f"jnp.{name}", getattr(jnp, name), POSITIVE, X)
for power in (0.5, 1.5, -0.5, 1 / 3, 2, 3, 7, -2):
    add(f"x ** {power:.2g}", lambda x, p=power: x**p, POSITIVE)
for name in "gcd lcm bitwise_and bitwise_xor".split():
    add(f"jnp.{name}", getattr(jnp, name), INTS, Array(SQUARE, "int32", 500))
for name in "left_shift right_shift ldexp".split():
    add(f"jnp.{name}", getattr(jnp, name), INTS, Array(SQUARE, "int32", 8))
for name in "bitwise_count bitwise_invert sign square".split():
    add(f"jnp.{name} of integers", getattr(jnp, name), INTS)
for name in "logical_and logical_or logical_xor".split():
    add(f"jnp.{name}", getattr(jnp, name), BOOLS, Array(SQUARE, "bool"))
for name in "abs angle conj real exp log sqrt sin square reciprocal tanh".split():
    add(f"jnp.{name} of complex", getattr(jnp, name), COMPLEX)
add("jnp.multiply of complex", jnp.multiply, COMPLEX, Array((512, 1024), "complex64"))
add("jnp.divide of complex", jnp.divide, COMPLEX, Array((512, 1024), "complex64"))
add("jnp.clip", lambda x: jnp.clip(x, -1, 1), X)
add("jnp.where", lambda x: jnp.where(x > 0, x, 0.1 * x), X)
add("jnp.select", lambda x: jnp.select([x < -1, x < 0, x < 1], [x, x * x, jnp.sin(x)], 3.0), X)
add("jnp.piecewise", lambda x: jnp.piecewise(x, [x < -1, x > 1], [lambda x: -x, lambda x: x * x, 0.0]), X)
add("jnp.round to 2 places", lambda x: jnp.round(x, 2), X)
add("jnp.astype to bf16", lambda x: x.astype(jnp.bfloat16), X)
add("jnp.astype to int8", lambda x: (x * 30).astype(jnp.int8), X)
add("bytes to floats", lambda x: x.astype(jnp.float32) / 255, BYTES)
add("jnp.unwrap", lambda x: jnp.unwrap(x * 3, axis=-1), Array((64, 4096)))
add("jnp.choose", lambda i, a, b, c: jnp.choose(i, [a, b, c], mode="wrap"), INTS, X, X, X)
add("jnp.digitize", lambda x, bins: jnp.digitize(x, bins), X, Array((16,), fill=ascending))
add("jnp.interp", jnp.interp, LINE, Array((256,), fill=ascending), Array((256,)))
add("jnp.polyval", lambda p, x: jnp.polyval(p, x), Array((8,)), UNIT)
add("jnp.polyval of f16", lambda p, x: jnp.polyval(p, x), Array((8,), "float16"), Array((256, 256), "float16", fill=unit), tolerance=2e-2)
add("jnp.vander", lambda x: jnp.vander(x, 8), Array((65536,), fill=unit))

# Reductions.

for axis in (0, 1, None):
    for name in "sum mean max min prod std var any all argmax argmin ptp count_nonzero median".split():
        x = UNIT if name == "prod" else X
        add(f"jnp.{name} over {axis}", lambda x, f=getattr(jnp, name), a=axis: f(x, axis=a), x)
    for name in "nansum nanmean nanmax nanmin nanstd nanvar nanargmax nanmedian".split():
        add(f"jnp.{name} over {axis}", lambda x, f=getattr(jnp, name), a=axis: f(x, axis=a), NAN)
for axis in (0, 1):
    for name in "cumsum cumprod".split():
        add(f"jnp.{name} along {axis}", lambda x, f=getattr(jnp, name), a=axis: f(x, axis=a), UNIT)
    add(f"jnp.nancumsum along {axis}", lambda x, a=axis: jnp.nancumsum(x, axis=a), NAN)
    add(f"jnp.quantile along {axis}", lambda x, a=axis: jnp.quantile(x, jnp.array([0.1, 0.5, 0.9]), axis=a), X)
    add(f"jnp.percentile along {axis}", lambda x, a=axis: jnp.percentile(x, 95, axis=a), X)
    add(f"jnp.diff along {axis}", lambda x, a=axis: jnp.diff(x, axis=a), X)
    add(f"jnp.gradient along {axis}", lambda x, a=axis: jnp.gradient(x, axis=a), X)
    add(f"jnp.trapezoid along {axis}", lambda x, a=axis: jnp.trapezoid(x, axis=a), X)
    add(f"jnp.sort along {axis}", lambda x, a=axis: jnp.sort(x, axis=a), X)
    add(f"jnp.argsort along {axis}", lambda x, a=axis: jnp.argsort(x, axis=a), X)
    add(f"jnp.partition along {axis}", lambda x, a=axis: jnp.partition(x, 100, axis=a)[:, 100] if a else jnp.partition(x, 100, axis=a)[100], X)
    add(f"jnp.linalg.norm along {axis}", lambda x, a=axis: jnp.linalg.norm(x, axis=a), X)
    add(f"jnp.flip along {axis}", lambda x, a=axis: jnp.flip(x, axis=a), X)
    add(f"jnp.roll along {axis}", lambda x, a=axis: jnp.roll(x, 3, axis=a), X)
    add(f"jnp.repeat along {axis}", lambda x, a=axis: jnp.repeat(x, 2, axis=a), X)
    add(f"jnp.concatenate along {axis}", lambda x, y, a=axis: jnp.concatenate([x, y], axis=a), X, X)
    add(f"jnp.stack along {axis}", lambda x, y, a=axis: jnp.stack([x, y], axis=a), X, X)
    add(f"jnp.take along {axis}", lambda x, i, a=axis: jnp.take(x, i, axis=a), X, Array((1000,), "int32", 1024))
    add(f"jnp.delete along {axis}", lambda x, a=axis: jnp.delete(x, 100, axis=a), X)
    add(f"jnp.insert along {axis}", lambda x, a=axis: jnp.insert(x, 100, 0.0, axis=a), X)
    add(f"jnp.split along {axis}", lambda x, a=axis: jnp.split(x, 4, axis=a), X)
    add(f"jnp.take_along_axis along {axis}", lambda x, i, a=axis: jnp.take_along_axis(x, i, axis=a), X, Array(SQUARE, "int32", 1024))
add("jnp.average with weights", lambda x, w: jnp.average(x, axis=0, weights=w), X, Array((1024,), fill=unit))
add("jnp.cov", lambda x: jnp.cov(x), Array((256, 2048)))
add("jnp.corrcoef", lambda x: jnp.corrcoef(x), Array((256, 2048)))
add("jnp.histogram", lambda x: jnp.histogram(x, bins=64, range=(-4, 4))[0], LINE, mismatch=0.1)
add("jnp.histogram2d", lambda x, y: jnp.histogram2d(x, y, bins=32, range=[[-4, 4], [-4, 4]])[0], Array((200000,)), Array((200000,)), mismatch=0.1)
add("jnp.bincount", lambda x: jnp.bincount(x, length=1000), Array((1 << 20,), "int32", 1000))
add("jnp.searchsorted", lambda a, v: jnp.searchsorted(a, v), Array((65536,), fill=ascending), Array((65536,)))
add("jnp.unique with size", lambda x: jnp.unique(x, size=1000), Array((1 << 16,), "int32", 1000))
add("jnp.nonzero with size", lambda x: jnp.nonzero(x, size=1 << 19, fill_value=0)[0], Array((1 << 20,), "bool"))
add("jnp.isin", lambda x, y: jnp.isin(x, y), Array((65536,), "int32", 10000), Array((100,), "int32", 10000))
add("jnp.lexsort", lambda a, b: jnp.lexsort((a, b)), Array((1 << 16,), "int32", 100), Array((1 << 16,), "int32", 100))
add("jnp.median of small rows", lambda x: jnp.median(x, -1), Array((65536, 9)))
add("jnp.ediff1d", jnp.ediff1d, LINE)

# Shapes.

add("jnp.transpose", jnp.transpose, X)
add("jnp.moveaxis", lambda x: jnp.moveaxis(x, 1, -1), Array((64, 3, 128, 128)))
add("jnp.rot90", jnp.rot90, X)
add("jnp.tile", lambda x: jnp.tile(x, (2, 3)), Array((512, 512)))
add("jnp.kron", jnp.kron, Array((32, 32)), Array((32, 32)))
add("jnp.outer", jnp.outer, Array((1024,)), Array((1024,)))
add("jnp.pad constant", lambda x: jnp.pad(x, 3), X)
for mode in "edge reflect symmetric wrap linear_ramp mean".split():
    add(f"jnp.pad {mode}", lambda x, m=mode: jnp.pad(x, 3, mode=m), X)
add("jnp.tril", jnp.tril, X)
add("jnp.triu", jnp.triu, X)
add("jnp.diag", jnp.diag, X)
add("jnp.diag of a vector", jnp.diag, Array((1024,)))
add("jnp.trace", jnp.trace, X)
add("jnp.diagonal", lambda x: jnp.diagonal(x, axis1=1, axis2=2), Array((256, 64, 64)))
add("jnp.meshgrid", lambda x, y: jnp.meshgrid(x, y), Array((1024,)), Array((1024,)))
add("jnp.broadcast_to", lambda x: jnp.broadcast_to(x, SQUARE), Array((1024,)))
add("jnp.linspace", lambda a, b: jnp.linspace(a, b, 1024), Array((1000,)), Array((1000,)))
add("jnp.packbits", jnp.packbits, BOOLS)
add("jnp.unpackbits", jnp.unpackbits, Array((1 << 17,), "uint8", 256))
add("jnp.tri", lambda x: x * jnp.tri(1024), X)
add("jnp.fill_diagonal", lambda x: jnp.fill_diagonal(x, 0.0, inplace=False), X)
add("jnp.resize", lambda x: jnp.resize(x, (1500, 1000)), X)
add("jnp.block", lambda a: jnp.block([[a, a], [a, a]]), Array((512, 512)))
add("jnp.cross", jnp.cross, Array((100000, 3)), Array((100000, 3)))
add("x.at[i].set", lambda x, i, v: x.at[i].set(v), X, Array((100,), "int32", 1024), Array((100, 1024)))
add("x.at[i].add", lambda x, i, v: x.at[i].add(v), X, Array((1000,), "int32", 1024), Array((1000, 1024)))
add("x.at[:, i].add", lambda x, i, v: x.at[:, i].add(v), X, Array((100,), "int32", 1024), Array((1024, 100)))
add("x.at[i, j].max", lambda x, i, j, v: x.at[i, j].max(v), X, Array((10000,), "int32", 1024), Array((10000,), "int32", 1024), Array((10000,)))
add("x.at[10:-10, 10:-10].set", lambda x: x.at[10:-10, 10:-10].set(0), X)
add("x[::2, ::3]", lambda x: x[::2, ::3], X)
add("x[i, j]", lambda x, i, j: x[i, j], X, Array((100000,), "int32", 1024), Array((100000,), "int32", 1024))
add("lax.dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (512, 512)), X, Array((2,), "int32", 512))
add("lax.dynamic_update_slice", lambda x, y, i: lax.dynamic_update_slice(x, y, (i[0], i[1])), X, Array((512, 512)), Array((2,), "int32", 512))

# Products and linear algebra.

add("jnp.matmul", jnp.matmul, Array((512, 512)), Array((512, 512)))
add("jnp.dot of vectors", jnp.dot, LINE, LINE)
add("jnp.vdot of complex", jnp.vdot, Array((1 << 18,), "complex64"), Array((1 << 18,), "complex64"))
add("jnp.vecdot", jnp.vecdot, X, X)
add("jnp.matvec", jnp.matvec, Array((64, 128, 128)), Array((64, 128)))
add("jnp.vecmat", jnp.vecmat, Array((64, 128)), Array((64, 128, 128)))
add("jnp.inner", jnp.inner, Array((512, 256)), Array((512, 256)))
add("jnp.tensordot", lambda x, y: jnp.tensordot(x, y, 2), Array((64, 32, 32)), Array((32, 32, 64)))
add("jnp.einsum bhqd,bhkd", lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k), Array((4, 128, 8, 64)), Array((4, 128, 8, 64)))
add("jnp.einsum bi,oij,bj", lambda x, w: jnp.einsum("bi,oij,bj->bo", x, w, x), Array((64, 32)), Array((16, 32, 32)))
add("jnp.einsum ijk,il,jm,kn", lambda c, a, b, d: jnp.einsum("ijk,il,jm,kn->lmn", c, a, b, d), Array((16, 16, 16)), Array((16, 64)), Array((16, 64)), Array((16, 64)))
add("jnp.convolve", lambda x, k: jnp.convolve(x, k, mode="same"), Array((1 << 18,)), Array((31,)))
add("jnp.correlate", lambda x, k: jnp.correlate(x, k, mode="valid"), Array((1 << 18,)), Array((31,)))
add("jnp.polyfit", lambda x, y: jnp.polyfit(x, y, 3), Array((4096,)), Array((4096,)))
add("linalg.multi_dot", lambda a, b, c: jnp.linalg.multi_dot([a, b, c]), Array((256, 64)), Array((64, 512)), Array((512, 32)))
add("linalg.matrix_power", lambda a: jnp.linalg.matrix_power(a / 16, 5), Array((256, 256)))
add("linalg.cholesky", jnp.linalg.cholesky, Array((256, 256), fill=definite))
add("linalg.inv", jnp.linalg.inv, Array((256, 256), fill=definite))
add("linalg.inv of batch", jnp.linalg.inv, Array((1000, 4, 4), fill=definite))
add("linalg.det of batch", jnp.linalg.det, Array((1000, 4, 4)))
add("linalg.solve", jnp.linalg.solve, Array((256, 256), fill=definite), Array((256, 16)))
add("linalg.solve of batch", jnp.linalg.solve, Array((1000, 6, 6), fill=definite), Array((1000, 6, 1)))
add("linalg.lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], Array((512, 64)), Array((512, 4)), tolerance=1e-2)
add("linalg.qr", lambda a: jnp.abs(jnp.linalg.qr(a)[1]), Array((256, 128)))
add("linalg.eigvalsh", jnp.linalg.eigvalsh, Array((128, 128), fill=definite))
add("linalg.svdvals", jnp.linalg.svdvals, Array((128, 128)))
add("linalg.slogdet", lambda a: jnp.linalg.slogdet(a)[1], Array((256, 256), fill=definite))
add("linalg.pinv", jnp.linalg.pinv, Array((128, 64)), tolerance=1e-2)
SYMMETRIC_200 = Array((200, 200), fill=definite)


# Factors are multiplied, since signs and phases of vectors are open, and so that somebody reads them.
def of_eigh(a):
    w, v = jnp.linalg.eigh(a)
    return (v * w) @ v.T


def of_qr(a):
    q, r = jnp.linalg.qr(a)
    return q @ r


def of_svd(a):
    u, s, vt = jnp.linalg.svd(a, full_matrices=False)
    return (u * s) @ vt


# All right vectors are perpendicular, as the identity says.
def of_full_svd(a):
    u, s, vt = jnp.linalg.svd(a)
    return (u * s) @ vt[: len(s)], vt @ vt.T


add("linalg.eigh", of_eigh, SYMMETRIC_200)
add("linalg.eigvalsh of 200", jnp.linalg.eigvalsh, SYMMETRIC_200)
add("linalg.qr of tall", of_qr, Array((4096, 4)))
add("linalg.svd of tall", of_svd, Array((8000, 8)))
add("linalg.svd full of wide", of_full_svd, Array((20, 39)))
add("linalg.lstsq of tall", lambda a, b: jnp.linalg.lstsq(a, b)[0], Array((1000, 8)), Array((1000,)))
add("linalg.svd of complex", of_svd, Array((2000, 100), "complex64"))
add("linalg.qr of complex", of_qr, Array((300, 300), "complex64"))
add("linalg.solve of complex", jnp.linalg.solve, Array((300, 300), "complex64"), Array((300, 2), "complex64"), tolerance=1e-2)
# Of one large matrix, which threads share.
for name, function in {
    "cholesky": jnp.linalg.cholesky, "inv": jnp.linalg.inv, "lu": lambda a: jsp.linalg.lu_factor(a)[0],
    "qr": of_qr, "eigh": of_eigh, "solve_triangular": lambda a: jsp.linalg.solve_triangular(a, a, lower=True),
}.items():  # fmt: skip
    add(f"{name} of 1024 rows", function, Array((1024, 1024), fill=definite))
add("lax.linalg.tridiagonal", lambda a: jnp.abs(lax.linalg.tridiagonal(a)[2]), SYMMETRIC_200)
add("jsp.sqrtm", jsp.linalg.sqrtm, Array((64, 64), fill=definite))
add("sum of repeated", lambda x, y: jnp.sum(jnp.repeat(x, 2, axis=1) * y, 1), Array((2048, 512)), Array((2048, 1024)))
add(
    "matrix of 4 bits times vector",
    lambda w, s, x: (jnp.stack([(w & 15).astype(jnp.int8) - 8, (w >> 4).astype(jnp.int8) - 8], -1).reshape(2048, 16, 64) * s[:, :, None]).reshape(2048, 1024) @ x,
    Array((2048, 512), "uint8", 256),
    Array((2048, 16), fill=positive),
    Array((1024,)),
)
add("jsp.solve_triangular", lambda a, b: jsp.linalg.solve_triangular(a, b, lower=True), Array((256, 256), fill=definite), Array((256, 64)))
add("jsp.expm", lambda a: jsp.linalg.expm(a / 8), Array((64, 64)))
add("jsp.cho_solve", lambda a, b: jsp.linalg.cho_solve(jsp.linalg.cho_factor(a), b), Array((256, 256), fill=definite), Array((256, 8)))
add("jsp.lu", lambda a: jsp.linalg.lu_factor(a)[0], Array((256, 256), fill=definite))
add("jsp.toeplitz", jsp.linalg.toeplitz, Array((512,)))
add("jsp.block_diag", jsp.linalg.block_diag, Array((256, 256)), Array((256, 256)))

# Transforms and signals.

for name in "fft ifft".split():
    add(f"fft.{name}", getattr(jnp.fft, name), Array((256, 1024), "complex64"))
add("fft.rfft", jnp.fft.rfft, Array((256, 1024)))
add("fft.irfft", jnp.fft.irfft, Array((256, 513), "complex64"))
add("fft.fft2", jnp.fft.fft2, Array((4, 256, 256), "complex64"))
add("fft.rfft2", jnp.fft.rfft2, Array((4, 256, 256)))
add("fft.fft2 of 500", jnp.fft.fft2, Array((500, 500), "complex64"))
add("fft.fftn of 64", jnp.fft.fftn, Array((64, 64, 64), "complex64"))
add("fft.rfftn of 64", jnp.fft.rfftn, Array((64, 64, 64)))
add("fft.fft along columns", lambda x: jnp.fft.fft(x, axis=0), Array((1000, 64), "complex64"))
add("fft.rfft of 8", jnp.fft.rfft, Array((1000, 8)))
add("fft.fft of 1000", jnp.fft.fft, Array((256, 1000), "complex64"))
add("fft.fft of 997", jnp.fft.fft, Array((64, 997), "complex64"))
add("fft.fftshift", jnp.fft.fftshift, X)
add("fft.rfft2 of 99", jnp.fft.rfft2, Array((99, 99)))
add("fft.concatenate c64", lambda x, y: jnp.concatenate([x, y], 1), Array((256, 100), "complex64"), Array((256, 31), "complex64"))
add("signal.convolve2d", lambda x, k: jsp.signal.convolve2d(x, k, mode="same"), Array((512, 512)), Array((7, 7)))
add("signal.correlate2d", lambda x, k: jsp.signal.correlate2d(x, k, mode="valid"), Array((512, 512)), Array((5, 5)))
add("signal.fftconvolve", lambda x, k: jsp.signal.fftconvolve(x, k, mode="same"), Array((1 << 16,)), Array((4001,)))
add("signal.detrend", lambda x: jsp.signal.detrend(x, axis=-1), Array((64, 4096)))
add("signal.stft", lambda x: jsp.signal.stft(x, nperseg=256)[2], Array((1 << 17,)))
add("signal.welch", lambda x: jsp.signal.welch(x, nperseg=256)[1], Array((1 << 17,)))
add("ndimage.map_coordinates", lambda x, c: jsp.ndimage.map_coordinates(x, [c[0], c[1]], order=1), Array((512, 512)), Array((2, 200000), fill=lambda r, s: r.random(s) * 511))
for method in "nearest linear cubic lanczos3".split():
    add(f"image.resize {method}", lambda x, m=method: jax.image.resize(x, (4, 300, 300, 3), m), Array((4, 200, 200, 3)), mismatch=0.01)
    add(f"image.resize {method} of one", lambda x, m=method: jax.image.resize(x, (150, 130, 3), m), Array((64, 64, 3)), mismatch=0.01)

# Indices that the program computes, by jax.numpy or by numpy.


def windows(count, step, size, np=np):
    return np.arange(count)[:, None] * step + np.arange(size)[None]


def beside(x, np=np):
    n, m = x.shape
    up, down = (np.arange(n) - 1) % n, (np.arange(n) + 1) % n
    left, right = (np.arange(m) - 1) % m, (np.arange(m) + 1) % m
    return x[up] + x[down] + x[:, left] + x[:, right] - 4 * x


add("index windows", lambda x: (x[:, windows(1000, 4, 16)] * jnp.hanning(16)).sum(-1), Array((8, 4096)))
add("index windows and rfft", lambda x: jnp.abs(jnp.fft.rfft(x[:, windows(250, 256, 512, jnp)])), Array((4, 1 << 16)))
add("index neighbours", lambda x: beside(x, jnp), Array((2000, 1000)))
add("index neighbours by numpy", beside, Array((2048, 512)))
add("index edges", lambda x: x[:, np.clip(np.arange(512) - 1, 0, 511)] - 2 * x + x[:, np.clip(np.arange(512) + 1, 0, 511)], Array((2048, 512)))
add("index repeated", lambda x: x[jnp.arange(1536) // 3][:, jnp.arange(1536) // 3], Array((512, 512)))
add("index toeplitz", lambda c: c[999 + jnp.arange(1000)[:, None] - jnp.arange(1000)[None]], Array((1999,)))
add("index toeplitz times", lambda c, x: c[999 + jnp.arange(1000)[:, None] - jnp.arange(1000)[None]] @ x, Array((1999,)), Array((1000,)))
add("index patches", lambda x: x[windows(28, 8, 16)[:, None, :, None], windows(28, 8, 16)[None, :, None, :]].mean((2, 3)), Array((232, 232)))
add("index blocks", lambda x: x.reshape(-1)[jnp.arange(2048)[:, None, None] * 64 + windows(8, 8, 8)] * 2, Array((2048, 8, 8)))

# jax.nn.

for name in (
    "relu relu6 sigmoid softplus soft_sign silu log_sigmoid leaky_relu hard_sigmoid hard_silu hard_tanh elu celu selu gelu "
    "glu squareplus mish softmax log_softmax logsumexp standardize sparse_plus sparse_sigmoid tanh"
).split():
    add(f"nn.{name}", getattr(jax.nn, name), X)
    if name not in ("relu", "relu6", "hard_tanh", "glu", "logsumexp"):
        add(f"nn.{name} and gradient", lambda x, f=getattr(jax.nn, name): jax.value_and_grad(lambda x: (f(x) * x).sum())(x), X)
add("nn.gelu exact", lambda x: jax.nn.gelu(x, approximate=False), X)
add("nn.one_hot", lambda i: jax.nn.one_hot(i, 1000), Array((1024,), "int32", 1000))
add("nn.dot_product_attention", jax.nn.dot_product_attention, Array((2, 256, 8, 64)), Array((2, 256, 8, 64)), Array((2, 256, 8, 64)))
add("nn.dot_product_attention causal", lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), Array((2, 256, 8, 64)), Array((2, 256, 8, 64)), Array((2, 256, 8, 64)))
add("nn.softmax over 0", lambda x: jax.nn.softmax(x, 0), X)
add("nn.logsumexp over 0", lambda x: jax.nn.logsumexp(x, 0), X)

# jax.scipy.special and stats.

SPECIAL = Array((512, 1024), fill=lambda r, s: r.random(s) * 3 + 0.1)
SHARE = Array((512, 1024), fill=unit)
for name in "gammaln digamma erf erfc i0e i1e i0 i1 entr ndtr log_ndtr gamma exp1 expi spence sici dawsn erfcx".split():
    # Loops that XLA needs minutes for at this size.
    small = name in ("exp1", "expi")
    add(f"special.{name}", getattr(jsp.special, name), Array((16, 64), fill=SPECIAL.fill) if small else SPECIAL)
for name in "logit erfinv ndtri".split():
    add(f"special.{name}", getattr(jsp.special, name), SHARE)
for name in "xlogy xlog1py betaln gammainc gammaincc rel_entr kl_div zeta".split():
    second = Array((512, 1024), fill=lambda r, s: r.random(s) * 3 + 1.1)
    add(f"special.{name}", getattr(jsp.special, name), SPECIAL, second)
add("special.betainc", jsp.special.betainc, SPECIAL, SPECIAL, SHARE)
add("special.polygamma", lambda x: jsp.special.polygamma(1, x), SPECIAL)
for name in "norm cauchy laplace logistic expon gumbel_r uniform".split():
    for what in "logpdf pdf cdf".split():
        if hasattr(getattr(jsp.stats, name), what):
            add(f"stats.{name}.{what}", getattr(getattr(jsp.stats, name), what), POSITIVE)
add("stats.norm.ppf", jsp.stats.norm.ppf, UNIT)
add("stats.gamma.logpdf", lambda x: jsp.stats.gamma.logpdf(x, 2.0), POSITIVE)
add("stats.beta.logpdf", lambda x: jsp.stats.beta.logpdf(x, 2.0, 3.0), UNIT)
add("stats.t.logpdf", lambda x: jsp.stats.t.logpdf(x, 4.0), X)
add("stats.poisson.logpmf", lambda k: jsp.stats.poisson.logpmf(k, 4.0), Array(SQUARE, "int32", 20))
add("stats.multivariate_normal.logpdf", lambda x, c: jsp.stats.multivariate_normal.logpdf(x, jnp.zeros(32), c), Array((8192, 32)), Array((32, 32), fill=definite))
add("stats.gaussian_kde", lambda d, x: jsp.stats.gaussian_kde(d)(x), Array((2, 1000)), Array((2, 1000)))
add("stats.rankdata", lambda x: jsp.stats.rankdata(x), Array((1 << 15,)))
add("stats.mode", lambda x: jsp.stats.mode(x, axis=0).count, Array((1000, 100), "int32", 30))

# jax.random: what the values are is the same everywhere for a seed, but for roundings.

DRAWN = {
    "bits": random.bits, "uniform": random.uniform, "normal": random.normal, "exponential": random.exponential, "gumbel": random.gumbel,
    "laplace": random.laplace, "logistic": random.logistic, "cauchy": random.cauchy, "truncated_normal": lambda k, s: random.truncated_normal(k, -2, 2, s),
    "bernoulli": lambda k, s: random.bernoulli(k, 0.3, s), "rademacher": random.rademacher, "randint": lambda k, s: random.randint(k, s, 0, 1000),
    "rayleigh": lambda k, s: random.rayleigh(k, 1.0, s), "maxwell": random.maxwell, "weibull_min": lambda k, s: random.weibull_min(k, 1.0, 2.0, s),
    "triangular": lambda k, s: random.triangular(k, 0.0, 0.3, 1.0, s), "lognormal": lambda k, s: random.lognormal(k, 1.0, s),
    "pareto": lambda k, s: random.pareto(k, 2.0, s), "geometric": lambda k, s: random.geometric(k, 0.2, s),
}  # fmt: skip
for name, draw in DRAWN.items():
    add(f"random.{name}", lambda seed, f=draw: f(random.key(seed[0]), SQUARE), Array((1,), "int32"), mismatch=0.01)
for name, draw in {
    "gamma": lambda k, s: random.gamma(k, 2.0, s), "beta": lambda k, s: random.beta(k, 2.0, 3.0, s), "poisson": lambda k, s: random.poisson(k, 4.0, s),
    "t": lambda k, s: random.t(k, 4.0, s), "dirichlet": lambda k, s: random.dirichlet(k, jnp.ones(8), s[:1]), "binomial": lambda k, s: random.binomial(k, 10, 0.3, s),
}.items():  # fmt: skip
    add(f"random.{name}", lambda seed, f=draw: f(random.key(seed[0]), (128, 128)), Array((1,), "int32"), mismatch=0.02)
add("random.permutation", lambda seed: random.permutation(random.key(seed[0]), 100000), Array((1,), "int32"))
add("random.choice", lambda seed, x: random.choice(random.key(seed[0]), x, (10000,)), Array((1,), "int32"), Array((100000,)))
add("random.choice without replacement", lambda seed, x: random.choice(random.key(seed[0]), x, (1000,), replace=False), Array((1,), "int32"), Array((100000,)))
add("random.categorical", lambda seed, x: random.categorical(random.key(seed[0]), x), Array((1,), "int32"), X, mismatch=0.01)
add("random.multivariate_normal", lambda seed, c: random.multivariate_normal(random.key(seed[0]), jnp.zeros(16), c, (10000,)), Array((1,), "int32"), Array((16, 16), fill=definite))
add("random.split", lambda seed: random.key_data(random.split(random.key(seed[0]), 100000)), Array((1,), "int32"))
add("random.orthogonal", lambda seed: jnp.abs(random.orthogonal(random.key(seed[0]), 64)), Array((1,), "int32"), tolerance=1e-2)
add("random.ball", lambda seed: random.ball(random.key(seed[0]), 3, shape=(20000,)), Array((1,), "int32"), mismatch=0.02)

# jax.lax.

add("lax.top_k", lambda x: lax.top_k(x, 10), X)
add("lax.approx_max_k", lambda x: lax.approx_max_k(x, 10), X)
add("lax.associative_scan", lambda x: lax.associative_scan(jnp.maximum, x, axis=1), X)
add("lax.cummax", lambda x: lax.cummax(x, axis=1), X)
add("lax.cumlogsumexp", lambda x: lax.cumlogsumexp(x, axis=1), X)
add("lax.reduce_window max", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), Array((8, 112, 112, 32)))
add("lax.reduce_window sum", lambda x: lax.reduce_window(x, 0.0, lax.add, (5, 5), (1, 1), "VALID"), X)
add("lax.conv", lambda x, k: lax.conv(x, k, (1, 1), "SAME"), Array((2, 32, 56, 56)), Array((32, 32, 3, 3)))
add("lax.conv_transpose", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), Array((2, 28, 28, 32)), Array((3, 3, 32, 16)))
add("lax.conv_general_dilated_patches", lambda x: lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME"), Array((2, 16, 56, 56)))
add("lax.scan of a cell", lambda x, w: lax.scan(lambda h, x: ((h2 := jnp.tanh(x + h @ w)), h2), x[0], x)[1], Array((100, 32, 64)), Array((64, 64), fill=weights))
add("lax.map", lambda x: lax.map(lambda r: jnp.sort(r)[:10].sum(), x), Array((256, 1024)))
add("lax.population_count", lambda x: lax.population_count(x), INTS)
add("lax.clz", lambda x: lax.clz(x), INTS)
add("lax.reduce_precision", lambda x: lax.reduce_precision(x, 5, 10), X)
add("lax.bitcast_convert_type", lambda x: lax.bitcast_convert_type(x, jnp.int32) & 255, X)
add("lax.integer_pow", lambda x: lax.integer_pow(x, 5), X)
add("lax.ragged_dot", lambda x, w: lax.ragged_dot(x, w, jnp.array([100, 200, 50, 162], jnp.int32)), Array((512, 128)), Array((4, 128, 128)))
add("lax.sort_key_val", lambda k, v: lax.sort_key_val(k, v), LINE, LINE)

# Under vmap, as people batch what is written for one; and gradients.

ROWS = Array((256, 1024))
FEW = Array((64, 64, 64))
SYMMETRIC = Array((64, 32, 32), fill=definite)


def batched(name, function, *inputs, **more):
    add(f"vmap {name}", jax.vmap(function), *inputs, **more)


batched("sort", jnp.sort, ROWS)
batched("argsort", jnp.argsort, ROWS)
batched("searchsorted", jnp.searchsorted, Array((64, 1000), fill=ascending), Array((64, 1000)))
batched("interp", jnp.interp, Array((64, 1000)), Array((64, 100), fill=ascending), Array((64, 100)))
batched("histogram", lambda x: jnp.histogram(x, bins=32, range=(-4, 4))[0], ROWS, mismatch=0.1)
batched("bincount", lambda x: jnp.bincount(x, length=64), Array((64, 4096), "int32", 64))
batched("convolve", lambda x, k: jnp.convolve(x, k, mode="same"), ROWS, Array((256, 15)))
batched("convolve2d", lambda x, k: jsp.signal.convolve2d(x, k, mode="same"), FEW, Array((64, 3, 3)))
batched("take", lambda x, i: x[i], ROWS, Array((256, 100), "int32", 1024))
batched("take rows", lambda x, i: x[i], FEW, Array((64, 100), "int32", 64))
batched("at set", lambda x, i, v: x.at[i].set(v), ROWS, Array((256, 100), "int32", 1024), Array((256, 100)), tolerance=None)
batched("at add", lambda x, i, v: x.at[i].add(v), ROWS, Array((256, 100), "int32", 1024), Array((256, 100)))
batched("dynamic_slice", lambda x, i: lax.dynamic_slice(x, (i,), (512,)), ROWS, Array((256,), "int32", 500))
batched("dynamic_slice of images", lambda x, i: lax.dynamic_slice(x, (i[0], i[1], 0), (24, 24, 3)), Array((256, 32, 32, 3)), Array((256, 2), "int32", 8))
batched("dynamic_update_slice", lambda x, y, i: lax.dynamic_update_slice(x, y, (i,)), ROWS, Array((256, 512)), Array((256,), "int32", 500))
batched("roll by data", lambda x, k: jnp.roll(x, k), ROWS, Array((256,), "int32", 1000))
batched("cond", lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), Array((256,), "bool"), ROWS)
batched("switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.tanh, lambda x: x * x], x), Array((256,), "int32", 3), ROWS)
batched("while_loop", lambda x: lax.while_loop(lambda s: s < 1000.0, lambda s: s * 1.5 + 1, x), Array((65536,), fill=positive))
batched("fori_loop", lambda x: lax.fori_loop(0, 20, lambda i, s: jnp.sin(s) + x, x), ROWS)
batched("scan", lambda x: lax.scan(lambda c, x: (0.9 * c + x, 0.9 * c + x), 0.0, x)[1], ROWS)
batched("cumsum", jnp.cumsum, ROWS)
batched("associative_scan", lambda a, b: lax.associative_scan(lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1]), (a, b)), Array((256, 512), fill=unit), Array((256, 512)))
batched("cholesky", jnp.linalg.cholesky, SYMMETRIC)
batched("solve", jnp.linalg.solve, SYMMETRIC, Array((64, 32)))
batched("inv", jnp.linalg.inv, SYMMETRIC)
batched("det", jnp.linalg.det, SYMMETRIC)
batched("qr", lambda a: jnp.abs(jnp.linalg.qr(a)[1]), Array((64, 32, 16)))
batched("eigvalsh", jnp.linalg.eigvalsh, SYMMETRIC)
batched("svdvals", jnp.linalg.svdvals, Array((64, 16, 16)))
batched("expm", lambda a: jsp.linalg.expm(a / 4), Array((64, 8, 8)))
batched("matrix_power", lambda a: jnp.linalg.matrix_power(a / 4, 4), FEW)
batched("outer", jnp.outer, Array((256, 64)), Array((256, 64)))
batched("kron", jnp.kron, Array((64, 8, 8)), Array((64, 8, 8)))
batched("cross", jnp.cross, Array((100000, 3)), Array((100000, 3)))
batched("rotation", lambda q, v: v + 2 * jnp.cross(q[1:], jnp.cross(q[1:], v) + q[0] * v), Array((100000, 4)), Array((100000, 3)))
batched("3x3 inverse by cofactors", lambda a: jnp.stack([jnp.cross(a[1], a[2]), jnp.cross(a[2], a[0]), jnp.cross(a[0], a[1])], 1) / jnp.dot(a[0], jnp.cross(a[1], a[2])), Array((50000, 3, 3)), tolerance=None)
batched("pairwise distance", lambda x: jnp.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 1e-6), Array((32, 64, 8)))
batched("median", jnp.median, ROWS)
batched("quantile", lambda x: jnp.quantile(x, jnp.array([0.25, 0.75])), ROWS)
batched("top_k", lambda x: lax.top_k(x, 5), ROWS)
batched("argmax", jnp.argmax, ROWS)
batched("unique", lambda x: jnp.unique(x, size=64), Array((64, 512), "int32", 64))
batched("nonzero", lambda x: jnp.nonzero(x, size=256, fill_value=0)[0], Array((64, 512), "bool"))
batched("where", lambda x: jnp.where(x > 0, x, 0).sum() / (x > 0).sum(), ROWS)
batched("polyval", lambda c, x: jnp.polyval(c, x), Array((1024, 6)), Array((1024, 64)))
batched("fft", jnp.fft.rfft, Array((256, 512)))
batched("random.normal", lambda k: random.normal(random.key(k), (1024,)), Array((256,), "int32", 1000), mismatch=0.01)
batched("random.permutation", lambda k: random.permutation(random.key(k), 256), Array((64,), "int32", 1000))
batched("random.choice", lambda k, x: random.choice(random.key(k), x, (16,)), Array((256,), "int32", 1000), Array((256, 100)))
batched("random.categorical", lambda k, x: random.categorical(random.key(k), x), Array((1024,), "int32", 1000), Array((1024, 50)), mismatch=0.01)
batched("random.split", lambda k: random.key_data(random.split(random.key(k), 4)), Array((4096,), "int32", 1000))
batched("resize", lambda x: jax.image.resize(x, (48, 48), "linear"), FEW)
batched("map_coordinates", lambda x, c: jsp.ndimage.map_coordinates(x, [c[0], c[1]], order=1), FEW, Array((64, 2, 1000), fill=lambda r, s: r.random(s) * 63))
batched("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 32), ROWS, Array((256, 1024), "int32", 32))
batched("conv", lambda x, k: lax.conv(x[None], k, (1, 1), "SAME")[0], Array((16, 8, 28, 28)), Array((16, 8, 8, 3, 3)))
batched("newton", lambda x: lax.fori_loop(0, 10, lambda i, s: s - (s * s - x) / (2 * s), x), Array((1 << 18,), fill=positive))
batched("bisection", lambda x: lax.fori_loop(0, 30, lambda i, s: jnp.where((m := (s[0] + s[1]) / 2) ** 3 < x, jnp.stack([m, s[1]]), jnp.stack([s[0], m])), jnp.array([0.0, 10.0])), Array((65536,), fill=positive))
batched("rk4", lambda x: lax.fori_loop(0, 20, lambda i, s: s + 0.01 * jnp.stack([s[1], -jnp.sin(s[0])]), x), Array((65536, 2)))
batched("jacobian", jax.jacfwd(lambda x: jnp.tanh(x) * x.sum()), Array((1024, 8)))
batched("hessian", jax.hessian(lambda x: jnp.sin(x).prod()), Array((1024, 6)))
batched("grad of a network", jax.grad(lambda x: jnp.tanh(jnp.tanh(x[:64].reshape(8, 8) @ x[64:72]) @ x[72:80])), Array((4096, 80)))


def gradient(name, function, *inputs, **more):
    def loss(*args):
        leaves = jax.tree.leaves(function(*args))
        return sum((x * jnp.cos(x)).sum() for x in leaves if jnp.issubdtype(x.dtype, jnp.floating))

    add(f"grad {name}", jax.grad(loss), *inputs, **more)


gradient("sort", lambda x: jnp.sort(x, -1), ROWS)
gradient("max", lambda x: x.max(-1), X)
gradient("median", lambda x: jnp.median(x, -1), ROWS)
gradient("top_k", lambda x: lax.top_k(x, 5)[0], ROWS)
gradient("cumsum", lambda x: jnp.cumsum(x, -1), ROWS)
gradient("cumprod", lambda x: jnp.cumprod(x, -1), Array((256, 1024), fill=lambda r, s: 1 + 0.01 * r.standard_normal(s)))
gradient("cummax", lambda x: lax.cummax(x, 1), ROWS)
gradient("prod", lambda x: x.prod(-1), Array((4096, 16), fill=unit))
gradient("var", lambda x: x.var(-1), X)
gradient("std over 0", lambda x: x.std(0), X)
gradient("norm", lambda x: jnp.linalg.norm(x, axis=-1), X)
gradient("logsumexp", lambda x: jax.nn.logsumexp(x, -1), X)
gradient("take", lambda x, i: x[i], X, Array((2000,), "int32", 1024))
gradient("take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), X, Array((1024, 64), "int32", 1024))
gradient("x[i, j]", lambda x, i, j: x[i, j], X, Array((50000,), "int32", 1024), Array((50000,), "int32", 1024))
gradient("at add", lambda x, i, v: x.at[i].add(v), X, Array((500,), "int32", 1024), Array((500, 1024)))
gradient("at set", lambda x, i, v: x.at[i].set(v), X, Array((500,), "int32", 1024), Array((500, 1024)), tolerance=None)
gradient("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 100), Array((100000, 16)), Array((100000,), "int32", 100))
gradient("segment_max", lambda x, i: jax.ops.segment_max(x, i, 100), Array((10000, 16)), Array((10000,), "int32", 100))
gradient("convolve", lambda x, k: jnp.convolve(x, k, mode="same"), Array((1 << 17,)), Array((31,)))
gradient("interp", lambda x, p, f: jnp.interp(x, p, f), Array((100000,)), Array((256,), fill=ascending), Array((256,)))
gradient("pad", lambda x: jnp.pad(x, 3, mode="reflect"), X)
gradient("roll", lambda x: jnp.roll(x, 3, 1), X)
gradient("repeat", lambda x: jnp.repeat(x, 3, 1), X)
gradient("tile", lambda x: jnp.tile(x, (2, 2)), X)
gradient("transpose", lambda x: x.T, X)
gradient("x[::2]", lambda x: x[::2, ::2], X)
gradient("concatenate", lambda x: jnp.concatenate([x, x * x], 1), X)
gradient("diff", lambda x: jnp.diff(x, axis=1), X)
gradient("where", lambda x: jnp.where(x > 0, jnp.log1p(jnp.abs(x)), x), X)
gradient("power", lambda x, y: x**y, POSITIVE, X)
gradient("arctan2", jnp.arctan2, X, POSITIVE)
gradient("logaddexp", jnp.logaddexp, X, Array(SQUARE))
gradient("cholesky", jnp.linalg.cholesky, Array((128, 128), fill=definite))
gradient("solve", jnp.linalg.solve, Array((128, 128), fill=definite), Array((128, 8)))
gradient("inv", jnp.linalg.inv, Array((128, 128), fill=definite))
gradient("slogdet", lambda a: jnp.linalg.slogdet(a)[1], Array((128, 128), fill=definite))
gradient("eigvalsh", jnp.linalg.eigvalsh, Array((64, 64), fill=definite), tolerance=1e-2)
gradient("fft", lambda x: jnp.abs(jnp.fft.rfft(x)), Array((128, 512)))
gradient("max pool", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), Array((8, 64, 64, 32)))
gradient("average pool", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"), Array((8, 64, 64, 16)))
gradient("conv", lambda x, k: lax.conv(x, k, (1, 1), "SAME"), Array((2, 32, 28, 28)), Array((32, 32, 3, 3)))
gradient("conv kernel", lambda k, x: lax.conv(x, k, (1, 1), "SAME"), Array((32, 32, 3, 3)), Array((2, 32, 28, 28)))
gradient("depthwise conv", lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", feature_group_count=32, dimension_numbers=("NHWC", "HWIO", "NHWC")), Array((4, 32, 32, 32)), Array((3, 3, 1, 32)))
gradient("scan", lambda x, w: lax.scan(lambda h, x: ((h2 := jnp.tanh(x + h @ w)), h2), x[0], x)[1], Array((50, 16, 64)), Array((64, 64), fill=weights))
gradient("scan of numbers", lambda x: lax.scan(lambda c, x: (0.9 * c + jnp.sin(x), c), jnp.zeros(1024), x)[1], Array((200, 1024)))
gradient("resize", lambda x: jax.image.resize(x, (2, 128, 128, 8), "bilinear"), Array((2, 64, 64, 8)))
gradient("map_coordinates", lambda x, c: jsp.ndimage.map_coordinates(x, [c[0], c[1]], order=1), Array((256, 256)), Array((2, 20000), fill=lambda r, s: r.random(s) * 255))
gradient("attention", jax.nn.dot_product_attention, Array((1, 128, 4, 32)), Array((1, 128, 4, 32)), Array((1, 128, 4, 32)))
gradient("gammaln", jsp.special.gammaln, SPECIAL)
gradient("erfinv", jsp.special.erfinv, SHARE)
gradient("ragged segment softmax", lambda x, i: (e := jnp.exp(x - jax.ops.segment_max(x, i, 1000)[i])) / jax.ops.segment_sum(e, i, 1000)[i], Array((50000,)), Array((50000,), "int32", 1000))
gradient("index neighbours", lambda x: beside(x, jnp), Array((2048, 512)))
gradient("index windows", lambda x: (x[:, windows(1000, 4, 16)] * jnp.hanning(16)).sum(-1), Array((8, 4096)))
