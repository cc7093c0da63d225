"""Functions in Python that compiled programs call: `pure_callback`, `io_callback`, `debug.print`.

Each place in a program that calls Python has a number, which is in the name of its custom call. The plugin calls `_enter`
with that number and the addresses of operands and results.
"""

import ctypes
import itertools
import traceback
import weakref

import numpy as np

# What the names of the custom calls begin with; the number follows.
TARGET = "lawson_python_callback_"

_numbers = itertools.count(1)
# Programs keep their calls alive.
_calls: "weakref.WeakValueDictionary[int, Call]" = weakref.WeakValueDictionary()


class Call:
    """A function with the shapes and types of its operands and results."""

    def __init__(self, function, operands, results):
        self.function = function
        self.operands = [(tuple(a.shape), np.dtype(a.dtype)) for a in operands]
        self.results = [(tuple(a.shape), np.dtype(a.dtype)) for a in results]
        self.number = next(_numbers)
        _calls[self.number] = self

    @property
    def target(self) -> str:
        return f"{TARGET}{self.number}"

    def run(self, operands, results) -> None:
        arguments = [_array(at, *kind).copy() for at, kind in zip(operands, self.operands)]
        values = self.function(*arguments)
        if len(values) != len(self.results):
            raise RuntimeError(f"the callback gave {len(values)} results, not {len(self.results)}")
        for n, (at, (shape, dtype), value) in enumerate(zip(results, self.results, values)):
            value = np.asarray(value)
            if value.dtype != dtype and value.dtype.kind == dtype.kind:
                # Literals of Python are of 64 bits.
                value = value.astype(dtype)
            if (value.shape, value.dtype) != (shape, dtype):
                expected, found = f"{dtype}{list(shape)}", f"{value.dtype}{list(value.shape)}"
                raise RuntimeError(f"result {n} of the callback is {found}, not {expected}")
            _array(at, shape, dtype)[...] = value


def _array(address, shape, dtype) -> np.ndarray:
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape)


_ENTER = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.c_void_p,
    ctypes.c_size_t,
)


@_ENTER
def _enter(number, operands, results, message, room):
    try:
        call = _calls.get(number)
        if call is None:
            raise RuntimeError("the function that this program calls is gone")
        call.run(operands[: len(call.operands)], results[: len(call.results)])
        return 0
    except BaseException:  # Nothing may be thrown through compiled code.
        text = ("callback failed:\n" + traceback.format_exc()).encode()[-room:]
        ctypes.memmove(message, text, len(text))
        return len(text)


ADDRESS = ctypes.cast(_enter, ctypes.c_void_p).value
