"""Writes values of functions of complex numbers, computed with 120 digits, for `crates/hlo/tests/eval/complex.rs`.

A line is `opcode re im [re im] value_re value_im`: arguments are f32, so that both complex types have them, and values are the
nearest f64. Arguments lie everywhere, on both axes, near the unit circle, and where squares overflow or vanish; those whose
values f32 does not hold are left out. `NAME-far` are points at which the steps to a value leave the range, but the value does not.
Run: scripts/python.sh -m pip install mpmath; scripts/python.sh scripts/record_complex_values.py > crates/hlo/tests/eval/complex.txt
"""

import mpmath as mp
import numpy as np

mp.mp.dps = 120
UNARY = {
    "exponential": mp.exp,
    "exponential-minus-one": lambda z: mp.exp(z) - 1,
    "log": mp.log,
    "log-plus-one": lambda z: mp.log(1 + z),
    "logistic": lambda z: 1 / (1 + mp.exp(-z)),
    "sqrt": mp.sqrt,
    "rsqrt": lambda z: 1 / mp.sqrt(z),
    "cbrt": lambda z: mp.exp(mp.log(z) / 3),
    "sine": mp.sin,
    "cosine": mp.cos,
    "tan": lambda z: mp.sin(z) / mp.cos(z),
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": lambda z: mp.sinh(z) / mp.cosh(z),
    "asin": mp.asin,
    "acos": mp.acos,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "sign": lambda z: z / abs(z),
    "abs": abs,
}
BINARY = {
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "power": lambda x, y: mp.exp(y * mp.log(x)),
    "atan2": lambda y, x: -1j * mp.log((x + 1j * y) / mp.sqrt(x * x + y * y)),
}
POINTS = 48
TINY, HUGE = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).max)


def points(rng, wide):
    def part():
        kind = rng.integers(5)
        if kind < 3:
            return rng.normal() * (1, 3, 0.1)[kind]
        if kind == 3:
            return rng.choice([-1, 1]) * (1 + 10.0 ** rng.uniform(-7, -1) * rng.choice([-1, 1]))
        return rng.choice([-1, 1]) * 10.0 ** (rng.uniform(-34, 34) if wide else rng.uniform(-4, 1.5))

    while True:
        re, im = part(), part()
        if rng.integers(6) == 0:
            angle = rng.uniform(0, 2 * np.pi)
            re, im = np.cos(angle), np.sin(angle)
        yield float(np.float32(re)), float(np.float32(im))


def fits(value):
    return all(part == 0 or 1e4 * TINY < abs(part) < HUGE / 4 for part in (value.real, value.imag))


def far_points(rng):
    """Large powers of numbers near the unit circle, growth against decay, and operands of very different sizes."""
    single = lambda x: float(np.float32(x))
    for _ in range(24):
        angle, size = rng.uniform(-3, 3), 1 + rng.normal() * 1e-3
        x = single(size * np.cos(angle)), single(size * np.sin(angle))
        yield "power", x, (single(rng.uniform(300, 3000) * rng.choice([-1, 1])), 0.0)
    for _ in range(24):
        # |x|^c against e^(−dθ).
        angle, exponent = rng.uniform(1, 3), rng.uniform(5, 32) * rng.choice([-1, 1])
        x = single(10**exponent * np.cos(angle)), single(10**exponent * np.sin(angle))
        c = rng.uniform(1.5, 6) * rng.choice([-1, 1])
        yield "power", x, (single(c), single(c * exponent * np.log(10) / angle + rng.normal()))
    for _ in range(48):
        sizes = 10 ** rng.uniform(-37, 37, 2) * (1, 10 ** rng.uniform(-0.5, 0.5))
        if rng.integers(2):
            sizes[1] = sizes[0]
        x, y = (tuple(single(rng.normal() * size) for _ in range(2)) for size in sizes)
        yield "atan2", x, y


def main():
    rng = np.random.default_rng(7)
    periodic = {"exponential", "exponential-minus-one", "logistic", "sine", "cosine", "tan", "sinh", "cosh", "tanh", "power"}
    for name, f in {**UNARY, **BINARY}.items():
        count = 2 if name in BINARY else 1
        made, source = 0, points(rng, name not in periodic and name != "atan2")
        exponents = points(rng, False)
        while made < POINTS:
            arguments = [next(exponents if name == "power" and i == 1 else source) for i in range(count)]
            value = mp.mpc(f(*[mp.mpc(*a) for a in arguments]))
            if not fits(value):
                continue
            numbers = [part for a in arguments for part in a] + [float(value.real), float(value.imag)]
            print(name, *map(repr, numbers))
            made += 1
    for name, *arguments in far_points(rng):
        if not all(np.isfinite(part) and abs(part) >= TINY or part == 0 for a in arguments for part in a):
            continue
        value = mp.mpc(BINARY[name](*[mp.mpc(*a) for a in arguments]))
        if fits(value):
            numbers = [part for a in arguments for part in a] + [float(value.real), float(value.imag)]
            print(f"{name}-far", *map(repr, numbers))


main()
