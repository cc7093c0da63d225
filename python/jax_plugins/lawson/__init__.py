"""Makes Lawson known to JAX: ``JAX_PLATFORMS=lawson python train.py``.

JAX imports this module when it looks for devices, and calls `initialize`. Lawson's priority is below that of JAX's own CPU
backend, so nothing changes for programs that do not ask for it.
"""

import logging
import os
import pathlib

from . import callbacks, shims

NAME = "lawson"

# Below that of the CPU, which is 0.
PRIORITY = -10

_LIBRARY = pathlib.Path(__file__).parent / "liblawson_pjrt.so"


def library() -> pathlib.Path:
    """The shared object: that of this package, or of `LAWSON_LIBRARY`."""
    return pathlib.Path(os.environ.get("LAWSON_LIBRARY", _LIBRARY))


def options() -> dict:
    """What the client is made with: `LAWSON_OPTIONS="devices=2,numerics=strict"`, and how programs call Python.

    Options stand between commas, or between semicolons where there is one, since values may have commas.
    """
    chosen = {}
    given = os.environ.get("LAWSON_OPTIONS", "")
    for part in given.split(";" if ";" in given else ","):
        name, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals:
            raise ValueError(f"LAWSON_OPTIONS: `{part}` is not NAME=VALUE")
        chosen[name.strip()] = value.strip()
    return {**chosen, "python_callback": callbacks.ADDRESS}


def initialize() -> None:
    """Registers the plugin; JAX calls this."""
    path = library()
    if not path.exists():
        logging.getLogger(__name__).warning("Lawson's library is missing: %s", path)
        return
    from jax._src import xla_bridge

    # Else JAX warns of every platform that it does not know by name.
    getattr(xla_bridge, "_nonexperimental_plugins", set()).add(NAME)
    xla_bridge.register_plugin(NAME, priority=PRIORITY, library_path=str(path), options=options)
    shims.install(NAME)
