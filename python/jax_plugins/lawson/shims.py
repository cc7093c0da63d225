"""What JAX decides by the name of the platform, said for Lawson: donation, callbacks, and operations that only the CPU lowers.

None of this is public in JAX, so each part stands alone: where a version of JAX differs, that part is left out, with a line
in the log, and the rest works.
"""

import functools
import logging

from . import callbacks, dlpack

_log = logging.getLogger(__name__)


def install(platform: str) -> None:
    """Does all of it; what fails is logged."""
    for part in (_donation, _callbacks, _linear_algebra, _exports, _lowerings, _cache, _dlpack):
        try:
            part(platform)
        except Exception as e:  # A private name that has moved must not keep JAX from starting.
            _log.warning("Lawson does without %s: %s: %s", part.__doc__, type(e).__name__, e)


def _donation(platform):
    """donation of arguments"""
    from jax._src.interpreters import mlir

    if platform not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(platform)


def _callbacks(platform):
    """callbacks into Python"""
    from jax._src import callback, debugging
    from jax._src.interpreters import mlir
    from jax.interpreters.mlir import ir

    if hasattr(callback.emit_python_callback, "of_lawson"):
        return
    others = callback.emit_python_callback

    @functools.wraps(others)
    def emit(ctx, function, token, operands, operand_avals, result_avals, *, has_side_effect, **rest):
        if tuple(ctx.module_context.platforms) != (platform,):
            return others(
                ctx, function, token, operands, operand_avals, result_avals, has_side_effect=has_side_effect, **rest
            )
        call = callbacks.Call(function, operand_avals, result_avals)
        # Until the program is compiled, which then holds the function itself.
        ctx.module_context.add_keepalive(call)
        op = mlir.custom_call(
            call.target,
            result_types=[ir.RankedTensorType.get(a.shape, mlir.dtype_to_ir_type(a.dtype)) for a in result_avals],
            operands=operands,
            has_side_effect=has_side_effect,
        )
        # Calls with effects are made in their order, so a token has nothing to add.
        return list(op.results), token, None

    emit.of_lawson = True
    callback.emit_python_callback = emit
    for module, name in ((callback, "xb"), (debugging, "xla_bridge")):
        setattr(module, name, _Bridge(getattr(module, name), platform))


class _Bridge:
    """JAX's module of platforms, for callbacks: their arguments go to a device of Lawson where JAX may not use the CPU's."""

    def __init__(self, module, platform):
        self._module, self._platform = module, platform

    def __getattr__(self, name):
        return getattr(self._module, name)

    def local_devices(self, *args, backend=None, **rest):
        try:
            return self._module.local_devices(*args, backend=backend, **rest)
        except RuntimeError:
            if backend != "cpu":
                raise
            return self._module.local_devices(*args, backend=self._platform, **rest)


def _linear_algebra(platform):
    """decompositions of matrices, and equations"""
    from . import linalg, tridiagonal

    linalg.install(platform)
    tridiagonal.install(platform)


def _exports(_):
    """exports of programs with decompositions"""
    from . import linalg

    linalg.allow_exports()


def _lowerings(platform):
    """operations that JAX lowers for the CPU only"""
    from jax._src.interpreters import mlir

    for primitive, entry in list(mlir._platform_specific_lowerings["cpu"].items()):
        if primitive not in mlir._lowerings and primitive not in mlir._platform_specific_lowerings[platform]:
            mlir.register_lowering(primitive, entry.rule, platform=platform)


def _cache(platform):
    """the persistent cache of compiled programs"""
    from jax._src import compilation_cache

    if hasattr(compilation_cache.is_cache_used, "of_lawson"):
        return
    others = compilation_cache.is_cache_used

    class AsCpu:
        """A client by a name that the cache knows."""

        platform = "cpu"
        supports_executable_serialization = True

    @functools.wraps(others)
    def is_cache_used(backend):
        return others(AsCpu if backend.platform == platform else backend)

    is_cache_used.of_lawson = True
    compilation_cache.is_cache_used = is_cache_used


def _dlpack(platform):
    """DLPack"""
    dlpack.install(platform)
