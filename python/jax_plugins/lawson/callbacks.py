"""Functions in Python that compiled programs call: `pure_callback`, `io_callback`, `debug.print`.

Each place in a program that calls Python has a number, which is in the name of its custom call. The plugin calls `_enter`
with that number: when a program is compiled, to hold the function; when it runs, with the places and sizes of operands and results;
when it is destroyed, to release the function.
"""

import atexit
import ctypes
import itertools
import traceback
import weakref

import numpy as np

# What the names of the custom calls begin with; the number follows.
TARGET = "lawson_python_callback_"

_numbers = itertools.count(1)
# Between lowering and compiling it is JAX that keeps calls alive.
_calls: "weakref.WeakValueDictionary[int, Call]" = weakref.WeakValueDictionary()
# Those of programs, by the number of the holder. Each is changed in one step, whatever the thread.
_held: "dict[int, Call]" = {}


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
        operands, results = _arrays(operands, self.operands), _arrays(results, self.results)
        values = self.function(*(a.copy() for a in operands))
        if len(values) != len(results):
            raise RuntimeError(f"the callback gave {len(values)} results, not {len(results)}")
        for n, (place, value) in enumerate(zip(results, values)):
            value = np.asarray(value)
            if value.dtype != place.dtype and value.dtype.kind == place.dtype.kind:
                # Literals of Python are of 64 bits.
                value = value.astype(place.dtype)
            if (value.shape, value.dtype) != (place.shape, place.dtype):
                expected, found = (f"{a.dtype}{list(a.shape)}" for a in (place, value))
                raise RuntimeError(f"result {n} of the callback is {found}, not {expected}")
            place[...] = value


class _Bytes(ctypes.Structure):
    _fields_ = [("start", ctypes.c_size_t), ("size", ctypes.c_size_t)]


def _arrays(places, kinds) -> list:
    """What lies at these places. Their sizes are the program's; that they are those of the function is checked."""
    if len(places) != len(kinds):
        raise RuntimeError(f"the program has {len(places)} arrays where the function that it calls has {len(kinds)}")
    arrays = []
    for place, (shape, dtype) in zip(places, kinds):
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if place.size != size:
            raise RuntimeError(f"the program has {place.size} bytes where the function that it calls has {size}")
        # Of no bytes there is no place.
        memory = (ctypes.c_char * size).from_address(place.start) if size else b""
        arrays.append(np.frombuffer(memory, dtype).reshape(shape) if size else np.empty(shape, dtype))
    return arrays


_ENTER = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.c_uint32,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.POINTER(_Bytes),
    ctypes.c_size_t,
    ctypes.POINTER(_Bytes),
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
)
_CALL, _HOLD, _RELEASE = range(3)


@_ENTER
def _enter(what, number, holder, operands, operand_count, results, result_count, message, room):
    try:
        if what == _RELEASE:
            del _held[holder]
        elif what == _CALL:
            _held[holder].run(operands[:operand_count], results[:result_count])
        elif number in _calls:
            _held[holder] = _calls[number]
        else:
            raise RuntimeError("the function that this program calls is gone")
        return 0
    except BaseException:  # Nothing may be thrown through compiled code.
        text = ("callback failed:\n" + traceback.format_exc()).encode()[-room:]
        ctypes.memmove(message, text, len(text))
        return len(text)


class _Door(ctypes.Structure):
    _fields_ = [("enter", _ENTER), ("open", ctypes.c_uint32), ("finish", ctypes.c_void_p)]


_door = _Door(_enter, 1)


@atexit.register
def _close():
    """Waits for what is queued, which may hold what Python frees. Programs may outlive Python, and must not call it then."""
    if _door.finish:
        ctypes.CFUNCTYPE(None)(_door.finish)()
    _door.open = 0


# So that the door and what is behind it stay, whatever Python frees at its end.
for kept in (_door, _enter):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))

ADDRESS = ctypes.addressof(_door)
