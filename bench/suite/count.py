"""The least arithmetic of a function: operations of its jaxpr, equal ones once, weighted in multiply-adds.

A weight is what an operation takes beside a multiply-add of f32 at full rate. Those of divisions, square roots and f64
come from rates measured in the same run; `RATES` says which.
"""

import jax
import numpy as np
from jax.extend import core

FREE = {
    "reshape", "broadcast_in_dim", "transpose", "squeeze", "expand_dims", "slice", "concatenate", "pad", "rev", "iota", "copy",
    "dynamic_slice", "dynamic_update_slice", "gather", "split", "stop_gradient", "convert_element_type", "bitcast_convert_type",
    "copy_p", "optimization_barrier", "real", "imag", "complex", "random_wrap", "random_unwrap", "device_put", "sharding_constraint",
}
WEIGHTS = {
    "exp": 20, "exp2": 18, "expm1": 24, "log": 24, "log1p": 28, "tanh": 30, "erf": 30, "erf_inv": 40, "sin": 40, "cos": 40, "tan": 45,
    "atan": 30, "atan2": 40, "asin": 40, "acos": 40, "sinh": 30, "cosh": 30, "logistic": 30, "pow": 60, "rsqrt": 8, "cbrt": 30,
    "threefry2x32": 77, "random_bits": 77, "erfc": 40, "lgamma": 80, "digamma": 80,
}
# Multiply-adds that a matrix of so many rows and columns takes.
MATRICES = {
    "cholesky": lambda m, n: n**3 / 6,
    "lu": lambda m, n: min(m, n) ** 2 * (max(m, n) - min(m, n) / 3) / 2,
    "householder_product": lambda m, n: m * n * n - n**3 / 3,
    "geqrf": lambda m, n: m * n * n - n**3 / 3,
}
RATES = {"div": "divide_f32", "sqrt": "sqrt_f32"}
# Multiply-adds of f32 in one of complex numbers.
SCALES = {"complex64": 4, "complex128": 8}
CALLS = ("jaxpr", "call_jaxpr", "fun_jaxpr")


def elements(shape):
    return int(np.prod(shape, dtype=np.int64)) if shape else 1


class Counter:
    """`rates`: 1e9 operations a second of this machine by the names of limits.c, without `lim_`."""

    def __init__(self, rates, trips):
        self.rates, self.trips = rates, trips

    def of(self, function, arguments):
        closed = jax.make_jaxpr(function)(*arguments)
        return self.jaxpr(closed.jaxpr)

    def jaxpr(self, jaxpr):
        total, seen = 0.0, set()
        for equation in jaxpr.eqns:
            # Names of variables are those of this jaxpr: equal text is an equal operation.
            key = (equation.primitive.name, str(equation.params), tuple(str(v) for v in equation.invars))
            if key not in seen:
                seen.add(key)
                total += self.equation(equation)
        return total

    def equation(self, equation):
        name, params = equation.primitive.name, equation.params
        if name == "scan":
            return params["length"] * self.jaxpr(params["jaxpr"].jaxpr)
        if name == "while":
            return self.trips * (self.jaxpr(params["body_jaxpr"].jaxpr) + self.jaxpr(params["cond_jaxpr"].jaxpr))
        if name == "cond":
            return min(self.jaxpr(branch.jaxpr) for branch in params["branches"])
        for call in CALLS:
            if call in params:
                inner = params[call]
                return self.jaxpr(inner.jaxpr if isinstance(inner, core.ClosedJaxpr) else inner)
        if name in FREE:
            return 0.0
        out, inputs = equation.outvars[0].aval, [v.aval for v in equation.invars]
        return self.scale(inputs[0] if inputs else out) * self.work(name, params, out, inputs)

    def work(self, name, params, out, inputs):
        if name == "dot_general":
            (contracted, _), _ = params["dimension_numbers"]
            return elements(out.shape) * elements([inputs[0].shape[d] for d in contracted])
        if name == "conv_general_dilated":
            form = params["dimension_numbers"]
            kernel = inputs[1].shape
            return elements(out.shape) * elements(kernel) // kernel[form.rhs_spec[0]]
        if name.startswith("reduce_window") or name.startswith("select_and"):
            return elements(out.shape) * elements(params.get("window_dimensions", ()))
        if name in ("sort", "top_k", "approx_top_k"):
            axis = params.get("dimension", -1)
            rows = inputs[0].shape
            return elements(rows) * max(1.0, np.log2(max(2, rows[axis])) if name == "sort" else 1.0)
        if name.startswith("scatter"):
            return elements(inputs[-1].shape)
        if name.startswith(("reduce_", "arg", "cum")):
            return elements(inputs[0].shape)
        if name in RATES:
            return elements(out.shape) * self.rates["fma_f32"] / self.rates[RATES[name]]
        if name == "integer_pow":
            return elements(out.shape) * max(1, abs(params["y"]).bit_length())
        if name in MATRICES:
            rows, columns = inputs[0].shape[-2:]
            return elements(inputs[0].shape[:-2]) * MATRICES[name](rows, columns)
        if name == "triangular_solve":
            order = inputs[0].shape[-1]
            return elements(inputs[1].shape) * order / 2
        if name == "fft":
            # 4 n log2 n operations (split radix) are half as many multiply-adds; transforms of real numbers take half of that.
            points = elements(params["fft_lengths"])
            whole = max(elements(inputs[0].shape), elements(out.shape))
            full = all(str(x.dtype) in SCALES for x in (inputs[0], out))
            return whole * np.log2(max(2, points)) * (2 if full else 1) / SCALES.get(str(inputs[0].dtype), 1)
        return elements(out.shape) * WEIGHTS.get(name, 1)

    def scale(self, aval):
        kind = str(getattr(aval, "dtype", "float32"))
        full = self.rates["fma_f32"]
        if kind in ("float64", "int64", "uint64"):
            return full / self.rates["fma_f64"]
        if kind == "int8":
            return full / max(full, self.rates["fma_s8"])
        return SCALES.get(kind, 1)
