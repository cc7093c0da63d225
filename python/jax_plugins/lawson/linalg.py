"""Decompositions of matrices as calls of Lawson's routines (docs/linear-algebra.md)."""

import json

from jax._src.interpreters import mlir
from jax._src.lax import linalg
from jax._src.lib.mlir.dialects import hlo
from jax.interpreters.mlir import ir

# What follows the primitive: the target, and its options by the parameters that say them.
_CALLS = {
    "eigh_p": ("lawson.eigh", {"lower": "lower"}),
    "svd_p": ("lawson.svd", {"compute_uv": "compute_uv", "full_matrices": "full_matrices"}),
    "schur_p": ("lawson.schur", {"vectors": "compute_schur_vectors"}),
    "hessenberg_p": ("lawson.hessenberg", {}),
    "tridiagonal_p": ("lawson.tridiagonal", {"lower": "lower"}),
    "geqp3_p": ("lawson.geqp3", {}),
    "lu_p": ("lawson.lu", {}),
    "eig_p": ("lawson.eig", {"left": "compute_left_eigenvectors", "right": "compute_right_eigenvectors"}),
}


def install(platform: str) -> None:
    """Registers the rules; primitives that this version of JAX does not have are left out."""
    for name, (target, options) in _CALLS.items():
        primitive = getattr(linalg, name, None)
        if primitive is not None:
            mlir.register_lowering(primitive, _rule(primitive, target, options), platform=platform)


def allow_exports() -> None:
    """Targets and their options stay as they are, so exported programs may call them; JAX asks for a promise."""
    from jax._src.export import _export

    _export._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE.update(target for target, _ in _CALLS.values())


def _rule(primitive, target, options):
    def rule(ctx, operand, *others, **params):
        aval = ctx.avals_in[0]
        subset = params.get("subset_by_index")
        if subset is not None and subset != (0, min(aval.shape[-2:])):
            raise NotImplementedError(f"{primitive.name} on Lawson computes all values: subset_by_index={subset} is not supported")
        if params.get("sort_eig_vals"):
            raise NotImplementedError(f"{primitive.name} on Lawson orders no eigenvalues: sort_eig_vals is not supported")
        chosen = {option: bool(params[key]) for option, key in options.items()}
        # A complex result for a real matrix comes as two arrays.
        complex_ = [a.dtype.kind == "c" and aval.dtype.kind == "f" for a in ctx.avals_out]
        avals = [a if not c else a.update(dtype=aval.dtype) for a, c in zip(ctx.avals_out, complex_) for _ in range(1 + c)]
        results = iter(
            mlir.custom_call(
                target,
                result_types=[_type(a) for a in avals],
                operands=[operand, *others],
                backend_config=json.dumps(chosen),
                api_version=2,
                # Of an export with dimensions that are known when it is called.
                result_shapes=None
                if all(isinstance(d, int) for a in avals for d in a.shape)
                else [mlir.eval_dynamic_shape_as_tensor(ctx, a.shape) for a in avals],
            ).results
        )
        return [hlo.complex(next(results), next(results)) if c else next(results) for c in complex_]

    return rule


def _type(aval):
    dims = (d if isinstance(d, int) else ir.ShapedType.get_dynamic_size() for d in aval.shape)
    return ir.RankedTensorType.get(tuple(dims), mlir.dtype_to_ir_type(aval.dtype))
