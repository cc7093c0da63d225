"""Compiles functions for Lawson with the options that make it tell what it did."""

import jax

from ._report import Report


try:
    from jax._src import source_info_util

    # Lines of this file are not the user's.
    source_info_util.register_exclusion(__file__)
except (ImportError, AttributeError):
    pass


def explain(function, *args, **kwargs) -> Report:
    """Which kernels Lawson makes of `function(*args, **kwargs)`, what they cost, and why others are not fused.

    Nothing is run. Arguments may be arrays or `jax.ShapeDtypeStruct`s.
    """
    return Report.of(_compiled(function, args, kwargs, {"lawson_explain": True}))


def profile(function, *args, **kwargs) -> Report:
    """As `explain`, after running the function a few times: with the least time of each kernel.

    A function that has effects (`io_callback`, `debug.print`) is refused, since they would happen as often. Arguments stay as they
    are, donated ones too.
    """
    device = jax.devices("lawson")[0]
    compiled = _compiled(function, args, kwargs, {"lawson_profile": True})

    def copied(x):
        return jax.device_put(x, device, may_alias=False) if _is_array(x) else x

    args, kwargs = jax.tree.map(copied, _dynamic(function, args, kwargs))
    jax.block_until_ready(compiled(*args, **kwargs))
    return Report.of(compiled)


def assert_fused(function, args, names) -> None:
    """Fails where what `names` stand for is not one kernel of `function(*args)`.

    A name is a part of the names of operations that JAX shows in `jax.make_jaxpr` and profiles: of a function under `jit`, or
    of a `jax.named_scope`. The message says which edges are in the way, why, and at which lines.
    """
    names = [names] if isinstance(names, str) else list(names)
    # One on each line, since they may have commas.
    names = "".join(f"{name}\n" for name in names)
    try:
        _compiled(function, tuple(args), {}, {"lawson_assert_fused": names})
    except jax.errors.JaxRuntimeError as e:
        _, found, message = str(e).partition("[unfused] ")
        if not found:
            raise
        raise AssertionError(message) from None


def _compiled(function, args, kwargs, options):
    jitted = function if hasattr(function, "lower") else jax.jit(function)
    # By shape alone, arrays are on no device yet.
    args, kwargs = jax.tree.map(_shape, (args, kwargs))
    with jax.default_device(jax.devices("lawson")[0]):
        return jitted.lower(*args, **kwargs).compile(compiler_options=options)


def _dynamic(function, args, kwargs):
    """The arguments that what is compiled takes: all but static ones. JAX has no public word for which those are."""
    info = getattr(function, "_jit_info", None)
    numbers = {n % len(args) for n in getattr(info, "static_argnums", None) or () if -len(args) <= n < len(args)}
    names = set(getattr(info, "static_argnames", None) or ())
    args = tuple(a for n, a in enumerate(args) if n not in numbers)
    return args, {name: a for name, a in kwargs.items() if name not in names}


def _is_array(x) -> bool:
    return hasattr(x, "shape") and hasattr(x, "dtype")


def _shape(x):
    if not _is_array(x) or isinstance(x, jax.ShapeDtypeStruct):
        return x
    return jax.ShapeDtypeStruct(x.shape, x.dtype, weak_type=getattr(x, "weak_type", False))
