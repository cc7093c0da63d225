"""Arrays of Lawson shared with other libraries by DLPack: their memory is the host's, but JAX knows that of its own CPU only."""

import ctypes
import functools

import numpy as np


def install(platform: str) -> None:
    """Out and in."""
    from jax._src import array, dlpack

    if hasattr(array.ArrayImpl.__dlpack__, "of_lawson"):
        return
    capsule, device = array.ArrayImpl.__dlpack__, array.ArrayImpl.__dlpack_device__

    @functools.wraps(capsule)
    def __dlpack__(self, **rest):
        return _shared(self).__dlpack__() if self.platform() == platform else capsule(self, **rest)

    @functools.wraps(device)
    def __dlpack_device__(self):
        return (dlpack.DLDeviceType.kDLCPU, 0) if self.platform() == platform else device(self)

    __dlpack__.of_lawson = True
    array.ArrayImpl.__dlpack__ = __dlpack__
    array.ArrayImpl.__dlpack_device__ = __dlpack_device__
    dlpack.xla_bridge = _Bridge(dlpack.xla_bridge, platform)


def _shared(x) -> np.ndarray:
    """An array of NumPy over the same memory. DLPack has no word for memory that may only be read, and NumPy insists on one."""
    view = np.asarray(x)
    if view.size == 0:
        return view.copy()
    memory = (ctypes.c_char * view.nbytes).from_address(view.ctypes.data)
    memory.owner = view
    return np.frombuffer(memory, view.dtype).reshape(view.shape)


class _Bridge:
    """JAX's module of platforms: what lies in the host's memory goes to Lawson where Lawson is the default."""

    def __init__(self, module, platform):
        self._module, self._platform = module, platform

    def __getattr__(self, name):
        return getattr(self._module, name)

    def get_backend(self, platform=None):
        if platform == "cpu" and self._module.default_backend() == self._platform:
            platform = self._platform
        return self._module.get_backend(platform)
