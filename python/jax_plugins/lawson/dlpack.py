"""Arrays of Lawson shared with other libraries by DLPack: their memory is the host's, but JAX knows that of its own CPU only."""

import ctypes
import functools

import ml_dtypes
import numpy as np

# DLPack's numbers for the types that NumPy does not export.
_CODES = {
    "bfloat16": 4,
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
}
_CODES = {np.dtype(getattr(ml_dtypes, name)): code for name, code in _CODES.items() if hasattr(ml_dtypes, name)}


def install(platform: str) -> None:
    """Out and in."""
    from jax._src import array, dlpack

    if hasattr(array.ArrayImpl.__dlpack__, "of_lawson"):
        return
    capsule, device = array.ArrayImpl.__dlpack__, array.ArrayImpl.__dlpack_device__
    cpu = (dlpack.DLDeviceType.kDLCPU, 0)

    @functools.wraps(capsule)
    def __dlpack__(self, **how):
        return _capsule(self, cpu, **how) if self.platform() == platform else capsule(self, **how)

    @functools.wraps(device)
    def __dlpack_device__(self):
        return cpu if self.platform() == platform else device(self)

    __dlpack__.of_lawson = True
    array.ArrayImpl.__dlpack__ = __dlpack__
    array.ArrayImpl.__dlpack_device__ = __dlpack_device__
    dlpack.xla_bridge = _Bridge(dlpack.xla_bridge, platform)


def _capsule(x, cpu, *, stream=None, max_version=None, dl_device=None, copy=None):
    """A capsule of the oldest form, which every version of DLPack takes; so `max_version` chooses nothing."""
    del max_version
    if stream not in (None, -1):
        raise BufferError(f"memory of the host is on no stream, and {stream!r} is asked for")
    if dl_device not in (None, cpu):
        raise BufferError(f"arrays of Lawson are in memory of the host, and the device {dl_device} is asked for")
    memory = np.array(x, copy=True) if copy else _shared(x)
    code = _CODES.get(memory.dtype)
    if code is None:
        return memory.__dlpack__()
    capsule = memory.view(f"u{memory.dtype.itemsize}").__dlpack__()
    _tensor(capsule).code = code
    return capsule


class _Tensor(ctypes.Structure):
    """What a capsule begins with, up to the element type."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    ]


def _tensor(capsule) -> _Tensor:
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return _Tensor.from_address(address(capsule, b"dltensor"))


def _shared(x) -> np.ndarray:
    """An array of NumPy over the same memory. This form of DLPack has no word for memory that may only be read, so that what must
    not be written is said to be writable, as JAX's own arrays are."""
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
