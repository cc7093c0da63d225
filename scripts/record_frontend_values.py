"""Writes what JAX gives for the operations of the front end, for its tests to compare with.

usage: scripts/python.sh scripts/record_frontend_values.py > crates/frontend/tests/library/values.txt
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from recording import dtype_name, indices, pattern


def record(name, value):
    value = np.asarray(value)
    dims = ",".join(str(d) for d in value.shape)
    elements = [repr(float(v)) if not np.isnan(float(v)) else "NaN" for v in value.reshape(-1)]
    print(" ".join([name, f"{dtype_name(value.dtype)}[{dims}]"] + elements))


def products():
    a, b = pattern(1, 3, 4), pattern(2, 4, 2)
    record("dot_22", jnp.dot(a, b))
    record("dot_21", jnp.dot(a, pattern(3, 4)))
    record("dot_12", jnp.dot(pattern(3, 4), b))
    record("dot_11", jnp.dot(pattern(3, 4), pattern(4, 4)))
    record("dot_33", jnp.dot(pattern(5, 2, 3, 4), pattern(6, 2, 4, 3)))
    record("dot_20", jnp.dot(a, 2.5))
    record("inner_22", jnp.inner(a, pattern(7, 5, 4)))
    record("outer", jnp.outer(pattern(8, 2, 2), pattern(9, 3)))
    record("vdot", jnp.vdot(a, pattern(2, 12)))
    record("kron", jnp.kron(pattern(1, 2, 3), pattern(2, 2)))
    record("kron_22", jnp.kron(pattern(1, 2, 3), pattern(2, 3, 2)))
    for name, x, y in [("22", (3, 4), (4, 2)), ("33", (2, 3, 4), (2, 4, 2)), ("43", (2, 1, 3, 4), (3, 4, 2)),
                       ("13", (4,), (3, 4, 2)), ("31", (3, 2, 4), (4,)), ("11", (4,), (4,)),
                       ("stretch", (1, 2, 3, 4), (5, 1, 4, 2))]:
        record(f"matmul_{name}", jnp.matmul(pattern(1, *x), pattern(2, *y)))
    whole = indices(2, 9, 4, 2)
    record("dot_f32_s32", jnp.matmul(a, whole))
    record("dot_s32", jnp.matmul(indices(1, 7, 3, 4), whole))
    x, y = a.astype(jnp.bfloat16), b.astype(jnp.bfloat16)
    record("dot_bf16", jnp.matmul(x, y))
    dims = (((1,), (0,)), ((), ()))
    record("dot_bf16_f32", lax.dot_general(x, y, dims, preferred_element_type=jnp.float32))
    narrow = indices(1, 100, 3, 4).astype(jnp.int8)
    record("dot_s8_s32", lax.dot_general(narrow, narrow.T, dims, preferred_element_type=jnp.int32))
    record("dot_pred", jnp.matmul(indices(1, 2, 3, 3).astype(bool), indices(2, 2, 3, 3).astype(bool)))
    a, b = pattern(1, 2, 3, 4), pattern(2, 4, 3, 2)
    record("tensordot_1", jnp.tensordot(a, b, 1))
    record("tensordot_0", jnp.tensordot(pattern(1, 2), pattern(2, 3), 0))
    record("tensordot_2", jnp.tensordot(a, pattern(2, 3, 4, 5), 2))
    record("tensordot_axes", jnp.tensordot(a, b, ((0, -1), (2, 0))))
    b, c, square = pattern(2, 2, 4, 5), pattern(3, 5, 3), pattern(4, 3, 3)
    record("einsum_batch", jnp.einsum("bij,bjk->bik", a, b))
    record("einsum_implicit", jnp.einsum("bij,bjk", a, b))
    record("einsum_three", jnp.einsum("bij,bjk,kl->lb", a, b, c))
    record("einsum_transpose", jnp.einsum("abc->cab", a))
    record("einsum_implicit_transpose", jnp.einsum("ba", c))
    record("einsum_sum", jnp.einsum("abc->b", a))
    record("einsum_trace", jnp.einsum("ii", square))
    record("einsum_diagonal", jnp.einsum("ii->i", square))
    record("einsum_diagonal_batch", jnp.einsum("aibi->abi", pattern(5, 2, 3, 4, 3)))
    record("einsum_ellipsis", jnp.einsum("...ij,jk->...ik", a, pattern(6, 4, 2)))
    record("einsum_ellipsis_both", jnp.einsum("...i,...i", a, pattern(7, 3, 4)))
    record("einsum_outer", jnp.einsum("i,j->ji", pattern(8, 2), pattern(9, 3)))
    record("einsum_elementwise", jnp.einsum("ij,ij->ij", square, square))
    record("einsum_alone", jnp.einsum("ij,k->k", square, pattern(9, 2)))
    record("einsum_stretch", jnp.einsum("ij,ij->i", pattern(1, 3, 1), pattern(2, 3, 4)))
    four = [pattern(1, 2, 3), pattern(2, 3, 4), pattern(3, 4, 2), pattern(4, 2, 5)]
    record("einsum_chain", jnp.einsum("ab,bc,cd,de->ae", *four))


def convolve(name, x, k, strides, padding, dimensions=("NHWC", "HWIO", "NHWC"), **rest):
    record(name, lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=dimensions, **rest))


def convolutions():
    x, k = pattern(1, 2, 5, 6, 3), pattern(2, 3, 2, 3, 4)
    convolve("conv2d_valid", x, k, (1, 1), "VALID")
    convolve("conv2d_same", x, k, (2, 1), "SAME")
    convolve("conv2d_lower", x, k, (1, 2), "SAME_LOWER")
    convolve("conv2d_pads", x, k, (1, 1), [(2, 0), (-1, 3)])
    convolve("conv1d", pattern(3, 2, 7, 2), pattern(4, 3, 2, 3), (2,), "SAME", ("NWC", "WIO", "NWC"))
    x, k, plain = pattern(1, 2, 3, 5, 6), pattern(2, 4, 3, 3, 2), ("NCHW", "OIHW", "NCHW")
    convolve("conv2d_nchw", x, k, (1, 1), "VALID", plain)
    convolve("conv_default", x, k, (1, 1), "VALID", None)
    x, k = pattern(1, 2, 4, 5, 6), pattern(2, 4, 4, 2, 2)
    convolve("conv_dilated", x, k, (1, 1), [(1, 1), (0, 2)], plain, lhs_dilation=(2, 1), rhs_dilation=(1, 3))
    convolve("conv_groups", x, pattern(3, 6, 2, 2, 2), (1, 1), "VALID", plain, feature_group_count=2)
    convolve("conv_batch_groups", x, k, (1, 1), "VALID", plain, batch_group_count=2)
    convolve("conv_mixed", pattern(4, 5, 2, 6, 3), pattern(5, 3, 2, 4, 3), (1, 1), "VALID", ("HNWC", "IHOW", "WCNH"))
    x, k = x.astype(jnp.bfloat16), k.astype(jnp.bfloat16)
    convolve("conv_preferred", x, k, (1, 1), "VALID", plain, preferred_element_type=jnp.float32)
    convolve("conv_bf16", x, k, (1, 1), "VALID", plain)
    x, k = pattern(1, 1, 3, 4, 2), pattern(2, 3, 2, 2, 3)
    record("conv_transpose_same", lax.conv_transpose(x, k, (2, 3), "SAME"))
    record("conv_transpose_valid", lax.conv_transpose(x, k, (2, 1), "VALID"))
    record("conv_transpose_pads", lax.conv_transpose(x, k, (1, 2), [(1, 1), (0, 2)]))
    record("conv_transpose_1d", lax.conv_transpose(pattern(1, 2, 4, 2), pattern(2, 4, 2, 1), (2,), "SAME"))


def pools():
    x = pattern(1, 2, 5, 6, 2)
    over = lambda x, init, f, sizes, strides, padding: lax.reduce_window(
        x, init, f, (1, *sizes, 1), (1, *strides, 1),
        padding if isinstance(padding, str) else [(0, 0), *padding, (0, 0)])
    record("max_pool", over(x, -jnp.inf, lax.max, (2, 3), (2, 3), "VALID"))
    record("max_pool_same", over(x, -jnp.inf, lax.max, (3, 3), (2, 2), "SAME"))
    record("min_pool", over(x, jnp.inf, lax.min, (2, 2), (1, 2), [(1, 0), (0, 1)]))
    total = over(x, 0.0, lax.add, (3, 2), (2, 2), "SAME")
    record("avg_pool", total / 6)
    record("avg_pool_uncounted", total / over(jnp.ones_like(x), 0.0, lax.add, (3, 2), (2, 2), "SAME"))
    whole = indices(3, 50, 1, 6, 1) - 60
    limits = jnp.iinfo(jnp.int32)
    record("max_pool_s32", over(whole, limits.min, lax.max, (3,), (1,), "SAME"))
    record("min_pool_s32", over(whole, limits.max, lax.min, (3,), (1,), "SAME"))
    rest = ((1, 2, 3, 1), (1, 2, 1, 1), [(0, 0), (1, 1), (0, 0), (0, 0)], (1, 2, 1, 1), (1, 1, 2, 1))
    record("window_sum", lax.reduce_window(x, 0.0, lax.add, *rest))
    record("window_product", lax.reduce_window(x, 1.0, lax.mul, *rest))


def gathers():
    x = pattern(1, 3, 4, 2)
    beyond = jnp.array([0, 3, -3, -4, 100])
    record("take_0", jnp.take(x, jnp.array([2, 0, -1]), 0))
    record("take_1", jnp.take(x, jnp.array([[0, 3, -1], [-4, 2, 2]]), 1))
    record("take_last", jnp.take(x, 1, -1))
    record("take_fill", jnp.take(x, beyond, 0))
    record("take_clip", x.at[beyond].get(mode="clip"))
    record("take_wrap", jnp.take(x, beyond, 0, mode="wrap"))
    record("take_fill_s32", jnp.take(indices(1, 9, 3), jnp.array([0, 7]), 0))
    x = pattern(1, 3, 4)
    record("along_1", jnp.take_along_axis(x, indices(2, 4, 3, 5), 1))
    record("along_0", jnp.take_along_axis(x, indices(3, 3, 2, 4), 0))
    record("along_stretch", jnp.take_along_axis(x, indices(3, 3, 2, 1), 0))
    record("along_fill", jnp.take_along_axis(x, jnp.array([[-1], [-5], [4]]), 1))
    record("along_1d", jnp.take_along_axis(pattern(1, 5), jnp.array([4, 0, -2]), 0))
    x, i, j = pattern(1, 3, 4, 5), jnp.array([0, 2, -1]), jnp.array([1, -1, 3])
    record("at_01", x[i, j])
    record("at_12", x[:, i, j])
    record("at_02", x[i, :, j])
    record("at_columns", x[i[:, None], j])
    record("at_fill", x.at[jnp.array([5]), jnp.array([0])].get(mode="fill"))
    record("at_clip", x.at[jnp.array([5]), jnp.array([0])].get(mode="clip"))
    x, i, rows, apart = pattern(1, 4, 3), jnp.array([1, 3, 1]), pattern(2, 3, 3), jnp.array([2, 0, -1])
    record("at_set", x.at[apart].set(rows))
    record("at_set_scalar", x.at[apart].set(7.0))
    record("at_add", x.at[i].add(rows))
    record("at_subtract", x.at[i].add(-rows))
    record("at_multiply", x.at[i].multiply(rows))
    record("at_min", x.at[i].min(rows))
    record("at_max", x.at[i].max(rows))
    record("at_add_two", x.at[i, jnp.array([2, 0, 2])].add(jnp.array([10.0, 20, 30])))
    record("at_add_column", x.at[:, jnp.array([2, 2])].add(pattern(3, 4, 2)))
    record("at_drop", x.at[jnp.array([9, -1, -9])].set(5.0))
    record("at_add_clip", x.at[jnp.array([9, -9])].add(5.0, mode="clip"))
    record("one_hot", jax.nn.one_hot(jnp.array([0, 2, 3, -1]), 3))
    record("one_hot_s32", jax.nn.one_hot(indices(1, 3, 2, 2), 3, dtype=jnp.int32))
    x, ids = pattern(1, 5, 2), jnp.array([0, 2, 2, -1, 7])
    record("segment_sum", jax.ops.segment_sum(x, ids, 4))
    record("segment_prod", jax.ops.segment_prod(x, ids, 4))
    record("segment_max", jax.ops.segment_max(x, ids, 4))
    record("segment_min", jax.ops.segment_min(x, ids, 4))
    record("segment_max_s32", jax.ops.segment_max(indices(1, 9, 5), ids, 4))


def sorts():
    x = pattern(1, 3, 5)
    special = jnp.array([2.0, jnp.nan, -0.0, jnp.inf, -1.0, 0.0, -jnp.inf, 2.0], jnp.float32)
    record("sort", jnp.sort(x))
    record("sort_0", jnp.sort(x, 0))
    record("sort_descending", jnp.sort(x, descending=True))
    record("argsort", jnp.argsort(x))
    record("argsort_descending", jnp.argsort(x, descending=True))
    record("sort_special", jnp.sort(special))
    record("argsort_special", jnp.argsort(special))
    record("argsort_special_descending", jnp.argsort(special, descending=True))
    record("sort_s32", jnp.sort(indices(1, 9, 7)))
    record("sort_bf16", jnp.sort(x.astype(jnp.bfloat16)))
    keys = indices(1, 3, 8), pattern(2, 8), jnp.arange(8)
    for n, value in enumerate(lax.sort(keys, num_keys=2)):
        record(f"sort_keys_{n}", value)
    record("sort_key_payload", lax.sort((keys[0], keys[2]), num_keys=1)[1])
    for name, value in [("top_k", lax.top_k(x, 3)), ("top_k_s32", lax.top_k(indices(2, 5, 9), 9))]:
        record(name, value[0])
        record(name + "_at", value[1])
    ordered = jnp.array([-1.0, 0.5, 0.5, 2.0, jnp.inf, jnp.nan], jnp.float32)
    elements = jnp.array([[-2.0, -1.0, 0.5, 1.0], [3.0, jnp.inf, jnp.nan, 2.0]], jnp.float32)
    record("searchsorted_left", jnp.searchsorted(ordered, elements))
    record("searchsorted_right", jnp.searchsorted(ordered, elements, side="right"))
    record("searchsorted_s32", jnp.searchsorted(jnp.arange(37), indices(1, 60, 20), side="right"))
    x = pattern(1, 3, 4)
    record("median", jnp.median(x))
    record("median_0", jnp.median(x, 0))
    record("median_1", jnp.median(x, 1))
    record("quantile", jnp.quantile(x, 0.3, axis=1))
    record("quantile_ends", jnp.quantile(x, 1.0))
    record("median_nan", jnp.median(special))
    record("median_s32", jnp.median(indices(1, 9, 4)))


def positive(*dims):
    x = pattern(1, *dims)
    return x @ jnp.swapaxes(x, -1, -2) + jnp.eye(dims[-1]) * 2.0


def algebra():
    a = positive(2, 3, 3)
    record("cholesky", jnp.linalg.cholesky(a))
    record("cholesky_skewed", jnp.linalg.cholesky(positive(3, 3) + pattern(2, 3, 3) * 0.1))
    record("solve_positive", jnp.linalg.solve(a, pattern(3, 2, 3, 2)))
    record("inv_positive", jnp.linalg.inv(a))
    record("logdet", jnp.linalg.slogdet(a)[1])
    record("det", jnp.linalg.det(a))
    a, b, vector, solve = positive(3, 3), pattern(2, 3, 2), pattern(3, 3), jax.scipy.linalg.solve_triangular
    record("cho_solve", jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(a), True), pattern(4, 3)))
    record("solve_upper", solve(a, b))
    record("solve_lower", solve(a, b, lower=True))
    record("solve_vector", solve(a, vector, lower=True))
    record("solve_transposed", solve(a, b, lower=True, trans="T"))
    record("solve_unit", solve(a, b, unit_diagonal=True))
    record("solve_right", lax.linalg.triangular_solve(a, b.T, lower=True))
    many = jnp.broadcast_to(positive(2, 1, 3, 3), (2, 4, 3, 3)), jnp.broadcast_to(pattern(4, 4, 3, 2), (2, 4, 3, 2))
    record("solve_batch", lax.linalg.triangular_solve(*many, left_side=True, lower=True))
    x = pattern(1, 3, 4)
    record("norm", jnp.linalg.norm(x))
    record("norm_1", jnp.linalg.vector_norm(x, axis=0, ord=1))
    record("norm_2", jnp.linalg.vector_norm(x, axis=1))
    record("norm_inf", jnp.linalg.vector_norm(x, axis=-1, ord=jnp.inf))
    record("norm_neg_inf", jnp.linalg.vector_norm(x, axis=-1, ord=-jnp.inf))
    record("norm_3", jnp.linalg.vector_norm(x, axis=0, ord=3))
    record("norm_s32", jnp.linalg.norm(jnp.array([3, -4])))


if __name__ == "__main__":
    jax.config.update("jax_default_matmul_precision", "highest")
    products()
    convolutions()
    pools()
    gathers()
    sorts()
    algebra()
