"""The table of elementwise ops: every element type that the specification lists for each, over pairs of values at the edges."""
import math

import numpy as np

from cases import Case, Result
from elements import ALL, BF16, COMPLEXES, F16, F32, F64, F8E5M2, FLOATS, I1, SIGNED, UNSIGNED, Float, tensor

INTEGERS = [*SIGNED, *UNSIGNED]
# Units in the last place that a function may be off. Results of narrow types are those of a wider one, rounded again.
ULPS = {"f64": 4, "f32": 4, "f16": 1, "bf16": 1, "f8E4M3FN": 1, "f8E5M2": 1}


def values(element, seed=1):
    """Edges, and some values of random bits."""
    rng = np.random.default_rng(seed)
    edges = element.edges()
    if element.kind == "f":
        more = element.round(np.concatenate([rng.uniform(-4, 4, 8), rng.normal(size=4) * 20]))
    elif element.kind in "su":
        more = element.array(int(x) for x in rng.integers(-(1 << 62), 1 << 62, 8))
    else:
        return edges
    return np.concatenate([edges, more])


def pairs(element):
    x, y = values(element), values(element)
    return np.repeat(x[:, None], len(y), 1), np.repeat(y[None], len(x), 0)


def each(element, function, *arrays):
    """An integer function, on Python's integers, wrapped to the type."""
    flat = [[int(v) for v in a.reshape(-1)] for a in arrays]
    return element.array((function(*row) for row in zip(*flat)), arrays[0].shape)


def wide(element, *arrays):
    """In more precision than the type has."""
    to = np.longdouble if element.bits == 64 else np.float64
    return [a.astype(to) for a in arrays]


def unary(op, element, expected, x=None, to=None, ulps=0):
    x = values(element) if x is None else x
    to = to or element
    kinds = tensor(element, x.shape), tensor(to, x.shape)
    signature = kinds[0] if to is element else f"({kinds[0]}) -> {kinds[1]}"
    return Case(f"{op} {element.name}" + ("" if to is element else f" {to.name}"), [(element, x)], f"%0 = stablehlo.{op} %a : {signature}", Result(to, expected(x), ulps))


def binary(op, element, expected, x, y, ulps=0):
    return Case(f"{op} {element.name}", [(element, x), (element, y)], f"%0 = stablehlo.{op.split()[0]} %a, %b : {tensor(element, x.shape)}",
                Result(element, expected(x, y), ulps))


def maximum(x, y):
    """IEEE 754's: NaN if an operand is, and -0 is less than +0."""
    result = np.where((x > y) | ((x == y) & np.signbit(y)), x, y)
    return np.where(np.isnan(x) | np.isnan(y), np.nan, result)


def minimum(x, y):
    return -maximum(-x, -y)


def quotient(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def power(a, b):
    if b >= 0:
        return pow(a, b, 1 << 128) if a >= 0 else pow(a, b, 1 << 128)
    return a if abs(a) == 1 and b % 2 else 1 if abs(a) == 1 else 0


def integers():
    for e in INTEGERS:
        x, y = pairs(e)
        n = e.bits
        unsigned = lambda v: v & ((1 << n) - 1)
        table = {
            "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b, "divide": quotient,
            "remainder": lambda a, b: a if b == 0 else a - b * quotient(a, b), "maximum": max, "minimum": min, "power": power,
            "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
            "shift_left": lambda a, b: a << unsigned(b) if unsigned(b) < n else 0,
            "shift_right_logical": lambda a, b: unsigned(a) >> unsigned(b) if unsigned(b) < n else 0,
            # Bits that come in are those of the sign bit, of unsigned numbers too.
            "shift_right_arithmetic": lambda a, b: (unsigned(a) - (unsigned(a) >> n - 1 << n)) >> min(unsigned(b), n - 1),
        }
        for op, function in table.items():
            yield binary(op, e, lambda p, q: each(e, function, p, q), x, y)
        alone = {"negate": lambda a: -a, "not": lambda a: ~a, "popcnt": lambda a: bin(unsigned(a)).count("1"), "count_leading_zeros": lambda a: n - unsigned(a).bit_length()}
        if e.signed:
            alone |= {"abs": abs, "sign": lambda a: (a > 0) - (a < 0)}
        for op, function in alone.items():
            yield unary(op, e, lambda p: each(e, function, p))


def booleans():
    x, y = np.array([False, False, True, True] * 5), np.array([False, True] * 10)
    table = {"add": x | y, "multiply": x & y, "maximum": x | y, "minimum": x & y, "and": x & y, "or": x | y, "xor": x ^ y}
    for op, expected in table.items():
        yield binary(op, I1, lambda p, q: expected, x, y)
    yield unary("not", I1, np.logical_not, x)


def half_away(x):
    fraction, whole = np.modf(np.abs(x))
    return np.where(np.isfinite(x), np.copysign(whole + (fraction >= 0.5), x), x)


def floats():
    for e in FLOATS:
        x, y = pairs(e)
        exact = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "remainder": np.fmod, "maximum": maximum,
                 "minimum": minimum}
        for op, function in exact.items():
            # One rounding: float64 holds more than twice the digits of the narrow types.
            yield binary(op, e, lambda p, q: e.round(function(p, q)), x, y)
        alone = {"abs": np.abs, "negate": np.negative, "ceil": np.ceil, "floor": np.floor, "sign": lambda v: np.where(v == 0, v, np.sign(v)),
                 "round_nearest_even": np.rint, "round_nearest_afz": half_away, "sqrt": np.sqrt}
        for op, function in alone.items():
            yield unary(op, e, lambda p: e.round(function(p)))
        yield unary("is_finite", e, np.isfinite, to=I1)
        logistic = lambda v: np.where(v < 0, np.exp(v) / (1 + np.exp(v)), 1 / (1 + np.exp(-v)))
        rsqrt = lambda v: np.where(v == 0, np.copysign(np.inf, v), 1 / np.sqrt(v))
        functions = {"cbrt": np.cbrt, "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log, "log_plus_one": np.log1p, "logistic": logistic,
                     "rsqrt": rsqrt, "sine": np.sin, "cosine": np.cos, "tan": np.tan, "tanh": np.tanh}
        for op, function in functions.items():
            if op in ("sine", "cosine", "tan") and e.bits >= 32:
                # An argument of 10^300 has its sine, but NumPy's long double does not hold pi to so many digits.
                p = values(e)
                p = p[~(np.isfinite(p) & (np.abs(p) > 1e6))]
            else:
                p = values(e)
            yield unary(op, e, lambda v: function(*wide(e, v)), p, ulps=ULPS[e.name])
        yield binary("atan2", e, lambda p, q: np.arctan2(*wide(e, p, q)), x, y, ULPS[e.name])
        yield binary("power", e, lambda p, q: np.power(*wide(e, p, q)), x, y, ULPS[e.name])


def ordered_key(e, x):
    """Bits of the total order: -NaN, -inf, .., -0, +0, .., +inf, +NaN."""
    bits = e.encode(x).astype(object) if e.name != "f16" else e.encode(x).view(np.int16).astype(object)
    most = (1 << e.bits - 1) - 1
    return np.array([int(b) if b >= 0 else int(b) ^ most for b in bits.reshape(-1)], object).reshape(bits.shape)


def comparisons():
    directions = {"EQ": np.equal, "NE": np.not_equal, "GE": np.greater_equal, "GT": np.greater, "LE": np.less_equal, "LT": np.less}
    for e in ALL:
        x, y = pairs(e)
        orders = {"f": ["FLOAT", "TOTALORDER"], "c": ["FLOAT"], "s": ["SIGNED"], "u": ["UNSIGNED"], "b": ["UNSIGNED"]}[e.kind]
        for order in orders:
            p, q = (ordered_key(e, x), ordered_key(e, y)) if order == "TOTALORDER" else (x, y)
            for direction, relation in directions.items():
                if e.kind == "c" and direction not in ("EQ", "NE"):
                    continue
                kind = tensor(e, x.shape)
                yield Case(f"compare {direction} {order} {e.name}", [(e, x), (e, y)],
                           f"%0 = stablehlo.compare {direction}, %a, %b, {order} : ({kind}, {kind}) -> {tensor(I1, x.shape)}",
                           Result(I1, relation(p, q).astype(bool)))
        pred = (np.arange(x.size) % 3 == 0).reshape(x.shape)
        yield Case(f"select {e.name}", [(I1, pred), (e, x), (e, y)], f"%0 = stablehlo.select %a, %b, %c : {tensor(I1, x.shape)}, {tensor(e, x.shape)}",
                   Result(e, np.where(pred, x, y)))
        yield Case(f"select of a scalar {e.name}", [(I1, np.array(False)), (e, x), (e, y)],
                   f"%0 = stablehlo.select %a, %b, %c : tensor<i1>, {tensor(e, x.shape)}", Result(e, y))
        if e.kind in "fsu":
            low, high = e.array([-3])[0], e.array([5])[0]
            if e.kind == "u":
                low = e.array([2])[0]
            least, most = (minimum, maximum) if e.kind == "f" else (np.minimum, np.maximum)
            kind, scalar = tensor(e, x.shape), tensor(e, ())
            yield Case(f"clamp to scalars {e.name}", [(e, np.array(low)), (e, x), (e, np.array(high))],
                       f"%0 = stablehlo.clamp %a, %b, %c : ({scalar}, {kind}, {scalar}) -> {kind}", Result(e, least(most(x, low), high)))
            yield Case(f"clamp {e.name}", [(e, x.T), (e, x), (e, y)], f"%0 = stablehlo.clamp %a, %b, %c : {kind}", Result(e, least(most(x, x.T), y)))


def rounded_integer(to, value):
    """A Python integer, rounded once to a float type."""
    magnitude = abs(value)
    shift = max(magnitude.bit_length() - to.mantissa - 1, 0)
    kept, rest = magnitude >> shift, magnitude & ((1 << shift) - 1)
    half = (1 << shift) >> 1
    if shift and (rest > half or (rest == half and kept & 1)):
        kept += 1
    return math.ldexp(-kept if value < 0 else kept, shift)


def converted(source, to, x):
    if source.kind == "c":
        if to.kind == "c":
            return x.astype(to.held)
        return converted(source.part, to, np.ascontiguousarray(x.real))
    if to.kind == "c":
        return converted(source, to.part, x).astype(to.held)
    if to.kind == "b":
        return x != 0
    if source.kind == "f":
        if to.kind == "f":
            return to.round(x)
        # Toward zero. What the specification leaves open (does not fit) saturates, and NaN gives 0: docs/StableHLO.md.
        return to.array([0 if math.isnan(v) else min(max(to.low, int(v) if math.isfinite(v) else int(math.copysign(1 << 70, v))), to.high)
                         for v in x.reshape(-1).astype(float)], x.shape)
    if to.kind == "f":
        return to.round(np.array([rounded_integer(to, int(v)) for v in x.reshape(-1)], np.float64).reshape(x.shape))
    return to.array([int(v) for v in x.reshape(-1)], x.shape)


def conversion_values(source, to):
    x = values(source)
    if source.kind == "f" and to.kind in "sub":
        limits = [float(to.low), float(to.high), to.low - 0.5, to.high + 0.5, to.high + 1.0, to.low - 1.0, 0.99, -0.99]
        return np.concatenate([x, source.array(limits)])
    if source.kind in "su" and to.kind == "f":
        ties = [(1 << s) + d for s in range(2, source.bits - 1) for d in (1 << max(s - to.mantissa - 1, 0), (1 << max(s - to.mantissa - 1, 0)) + 1, 3 << max(s - to.mantissa - 1, 0))]
        return np.concatenate([x, source.array(ties)])
    if source.kind == "f" and to.kind == "f" and source.mantissa > to.mantissa:
        # Halves, and values next to halves that rounding twice would take for halves.
        unit = 2.0 ** -to.mantissa
        near = [1 + unit / 2, 1 + unit / 2 + 2.0 ** -source.mantissa, 1 + 1.5 * unit, 1 + unit / 2 - 2.0 ** -source.mantissa, to.high + to.high * unit / 4,
                to.high * (1 + unit), to.least / 2, to.least * 0.75, to.least * 1.5, to.least * 2.5]
        return np.concatenate([x, source.array(near)])
    return x


def conversions():
    for source in ALL:
        for to in ALL:
            x = conversion_values(source, to)
            with np.errstate(all="ignore"):
                yield Case(f"convert {source.name} {to.name}", [(source, x)], f"%0 = stablehlo.convert %a : ({tensor(source, x.shape)}) -> {tensor(to, x.shape)}",
                           Result(to, converted(source, to, x)))


def reduced(e, x, exponent, mantissa):
    with np.errstate(all="ignore"):
        v = x.astype(np.float64)
        _, at = np.frexp(v)
        kept = min(mantissa, e.mantissa)
        step = np.maximum(at - 1 - kept, 1 - e.bias - kept)
        r = np.ldexp(np.rint(np.ldexp(v, -step)), step)
        r = np.where(np.abs(r) > e.high, np.copysign(np.inf, v), r)
        if exponent < e.exponent:
            bias = (1 << exponent - 1) - 1
            limit = 2.0 ** min(bias + 1, 1023) if bias < 1023 else np.inf
            r = np.where(np.abs(r) >= limit, np.copysign(np.inf, v), r)
            r = np.where(np.abs(r) < 2.0 ** (1 - bias), np.copysign(0.0, v), r)
        return np.where(np.isfinite(v), r, v)


def precisions():
    for e in (F64, F32, F16, BF16, F8E5M2):
        x = np.concatenate([values(e), e.array([2.0 ** k * s for k in range(-16, 17) for s in (1, -1.25, 1.999)])])
        for exponent, mantissa in ((8, 7), (5, 10), (5, 2), (4, 3), (11, 52), (8, 23), (3, 1), (2, 1)):
            yield Case(f"reduce_precision {e.name} e{exponent}m{mantissa}", [(e, x)],
                       f"%0 = stablehlo.reduce_precision %a, format = e{exponent}m{mantissa} : {tensor(e, x.shape)}", Result(e, reduced(e, x, exponent, mantissa).astype(e.held)))


def squares(w):
    """|1 + w|^2 - 1, without the loss of digits that the sum would bring."""
    return w.real * (2 + w.real) + w.imag * w.imag


def log(w):
    near = squares(np.abs(w.real) + 1j * np.abs(w.imag) - 1)
    is_near = (np.abs(w) > 0.5) & (np.abs(w) < 2)
    return np.where(is_near, 0.5 * np.log1p(near), np.log(np.hypot(w.real, w.imag))) + 1j * np.arctan2(w.imag, w.real)


def log1p(w):
    one = w + 1
    return np.where(np.abs(w) < 0.5, 0.5 * np.log1p(squares(w)), log(one).real) + 1j * np.arctan2(one.imag, one.real)


def expm1(w):
    half = np.sin(w.imag / 2)
    return np.expm1(w.real) * np.cos(w.imag) - 2 * half * half + 1j * np.exp(w.real) * np.sin(w.imag)


def unit(w):
    size = np.hypot(w.real, w.imag)
    return np.where(size == 0, 0, w / np.where(size == 0, 1, size))


def root(n):
    def function(w):
        size, angle = np.hypot(w.real, w.imag), np.arctan2(w.imag, w.real) / n
        length = np.sqrt(size) if n == 2 else np.cbrt(size)
        return length * np.cos(angle) + 1j * length * np.sin(angle)
    return function


def complexes():
    """Large and small numbers, whose squares overflow or vanish in the type itself; long double holds them. Infinities are left out: the
    specification does not define them."""
    for e in COMPLEXES:
        x, y = pairs(e)
        x, y = x.reshape(-1), y.reshape(-1)
        w, v = x.astype(np.clongdouble), y.astype(np.clongdouble)
        ulps = 16
        yield binary("add", e, np.add, x, y)
        yield binary("subtract", e, np.subtract, x, y)
        yield binary("multiply", e, lambda p, q: w * v, x, y, ulps)
        keep = (y != 0)
        yield binary("divide", e, lambda p, q: w[keep] / v[keep], x[keep], y[keep], ulps)
        high, least = e.part.high, e.part.least
        extreme = e.array([0.5 * high, 0.25 * high * (1 - 1j), least * 4, least * (3 + 8j), 1 + 2j])
        p, q = np.repeat(extreme, len(extreme)), np.tile(extreme, len(extreme))
        exact = p.astype(np.clongdouble) / q.astype(np.clongdouble)
        fits = np.maximum(np.abs(exact.real), np.abs(exact.imag)) < 0.5 * high
        yield binary("divide extremes", e, lambda a, b: exact[fits], p[fits], q[fits], ulps)
        # Where the base is 0, the specification gives no value; the angle of a large power has few digits.
        base = (x != 0) & (np.abs(y) < 100) & (np.abs(x) < 100)
        yield binary("power", e, lambda p, q: np.exp(v[base] * log(w[base])), x[base], y[base], 400)
        z = values(e)
        big = e.array([s * t for s in (high / 4, np.sqrt(high) * 3, least * 64, np.sqrt(e.part.normal) / 3) for t in (1, -1, 1j, 0.6 - 0.8j, -0.3 + 0.9j)])
        near = e.array([1 + 1e-9j, 1j + 1e-9, -1 + 1e-9j, 1 - 1e-9, 0.6 + 0.8j, -0.8 + 0.6j])
        wide_range = np.concatenate([z, big, near])
        # the real part grows
        strip = e.array([a + b for a in (-1000, -700, 1e-9, 0, 80, -80) for b in (0j, 1j, 1e-9j, -2j)])
        turned = (strip[np.abs(strip.real) < 100] * 1j).astype(e.held)
        z = z[np.abs(z) < 100]
        nonzero = wide_range[wide_range != 0]
        logistic = lambda p: np.exp(np.where(p.real < 0, p, 0)) / (np.exp(np.where(p.real < 0, p, -p)) + 1)
        flat = np.concatenate([z, strip])
        upright = np.concatenate([z, turned])
        functions = {"negate": (np.negative, wide_range), "exponential": (np.exp, flat), "log": (log, nonzero), "sqrt": (root(2), wide_range), "tanh": (np.tanh, flat),
                     "sine": (np.sin, upright), "cosine": (np.cos, upright), "tan": (np.tan, upright), "exponential_minus_one": (expm1, flat),
                     "log_plus_one": (log1p, wide_range[wide_range != -1]), "logistic": (logistic, flat), "rsqrt": (lambda p: 1 / root(2)(p), nonzero),
                     "sign": (unit, wide_range), "cbrt": (root(3), wide_range)}
        for op, (function, p) in functions.items():
            yield unary(op, e, lambda q: function(q.astype(np.clongdouble)), p, ulps=ulps)
        large = e.array([1000 + 0j, -1000 + 2j, 1000 + 1j])
        yield unary("logistic", e, lambda q: logistic(q.astype(np.clongdouble)), large, ulps=ulps)
        yield unary("exponential_minus_one", e, lambda q: np.array([np.inf, -1], e.held), e.array([1000, -1000]), ulps=ulps)
        yield unary("sine", e, lambda q: _imaginary(e, [np.inf, -np.inf]), e.array([1000j, -1000j]), ulps=ulps)
        yield unary("cosine", e, lambda q: np.array([np.inf, np.inf], e.held), e.array([1000j, -1000j]), ulps=ulps)
        yield unary("abs", e, lambda p: np.hypot(p.real.astype(np.longdouble), p.imag), wide_range, to=e.part, ulps=2)
        yield unary("real", e, lambda p: p.real, x, to=e.part)
        yield unary("imag", e, lambda p: p.imag, x, to=e.part)


def _imaginary(e, values):
    result = np.zeros(len(values), e.held)
    result.imag = values
    return result


def all_cases():
    with np.errstate(all="ignore"):
        for table in (integers, booleans, floats, comparisons, conversions, precisions, complexes):
            for case in table():
                yield case
