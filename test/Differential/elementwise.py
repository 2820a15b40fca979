"""Arithmetic and activations of the dialect `mica`, with repeated dimensions."""
import math

from program import epsilon, isFloat

NUMBERS = ["f32", "f64", "i32", "i64"]


def partner(b, value):
    """Another operand for `value`: one of its shape, or a new one some of whose dimensions are repeated."""
    same = b.pick(lambda v: v.dtype == value.dtype and v.shape == value.shape and
                  all(s or n != 1 for n, s in zip(v.shape, v.static)) and
                  all(s or n != 1 for n, s in zip(value.shape, value.static)))
    if same and not b.draws.chance(1, 3):
        return same
    # A size of 1 that only the program knows is never repeated, nor may one that is repeated meet it.
    shape = [1 if b.draws.chance(1, 3) else n for n in value.shape]
    static = [True if n == 1 else known for n, known in zip(shape, b.statics(shape))]
    return b.new(value.dtype, shape, static)


def merged(a, b, draws):
    """Shape and static sizes of an elementwise op on both."""
    shape = tuple(n if n != 1 else m for n, m in zip(a.shape, b.shape))
    static = []
    for n, m, ns, ms in zip(a.shape, b.shape, a.static, b.static):
        known = (ns and n != 1) or (ms and m != 1) or (ns and ms)
        static.append(known if not draws.chance(1, 6) else not known)
    return shape, static


def products(a, b):
    both = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(both), max(both)


def binary(b):
    left = b.pick(lambda v: v.dtype in NUMBERS)
    if not left:
        return None
    right = partner(b, left)
    if b.draws.chance(1, 2):
        left, right = right, left
    kind = b.draws.choice(["add", "mul", "sub", "max", "min", "div"])
    error = left.error + right.error
    whole = left.whole and right.whole
    if kind == "add":
        low, high = left.low + right.low, left.high + right.high
    elif kind == "sub":
        low, high = left.low - right.high, left.high - right.low
    elif kind == "mul":
        low, high = products(left, right)
        error = left.error * right.largest + right.error * left.largest + left.error * right.error
    elif kind in ("max", "min"):
        choose = max if kind == "max" else min
        low, high = choose(left.low, right.low), choose(left.high, right.high)
        error = max(left.error, right.error)
    elif isFloat(left.dtype):
        least = min(abs(right.low), abs(right.high)) if right.low * right.high > 0 else 0
        if least < 0.2 or right.error > least / 4:
            return None
        low, high = -left.largest / least, left.largest / least
        error = (left.error + right.error * left.largest / least) / (least - right.error)
        whole = False
    else:
        low, high = -left.largest, left.largest
    shape, static = merged(left, right, b.draws)
    if math.prod(shape) > 20000:
        return None
    if kind not in ("max", "min"):
        error = b.rounded(left.dtype, low, high, error, whole)
    value = b.result(left.dtype, shape, static, low, high, error, whole)
    return value and b.define(value, f"mica.{kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> {value.type}")


# op -> (range of the result for a range of the operand, a bound on the derivative there)
CURVES = {
    "tanh": lambda l, h: (-1, 1, 1),
    "sigmoid": lambda l, h: (0, 1, 0.25),
    "erf": lambda l, h: (-1, 1, 1.13),
    "exp": lambda l, h: (0, math.exp(h), math.exp(h)) if h <= 4 else None,
    "silu": lambda l, h: (-0.28, max(h, 0), 1.1),
    "gelu": lambda l, h: (-0.18, max(h, 0), 1.13),
}


def unary(b):
    kind = b.draws.choice(["neg", "relu", "tanh", "sigmoid", "exp", "erf", "silu", "gelu"])
    if kind in ("neg", "relu"):
        operand = b.pick(lambda v: v.dtype in NUMBERS)
    else:
        operand = b.pick(lambda v: v.dtype in ("f32", "f64"))
    if not operand:
        return None
    suffix = ""
    if kind == "neg":
        low, high, error, whole = -operand.high, -operand.low, operand.error, operand.whole
    elif kind == "relu":
        low, high, error, whole = max(operand.low, 0), max(operand.high, 0), operand.error, operand.whole
    else:
        curve = CURVES[kind](operand.low, operand.high)
        if not curve:
            return None
        low, high, slope = curve
        # Library functions and their vector forms are a few units in the last place apart.
        error = b.rounded(operand.dtype, low, high, operand.error * slope, False, 8)
        error += 8 * epsilon(operand.dtype) * operand.largest * slope
        whole = False
        if kind == "gelu" and b.draws.chance(1, 2):
            suffix = " approximate = tanh"
    value = b.result(operand.dtype, operand.shape, operand.static, low, high, error, whole)
    return value and b.define(value, f"mica.{kind} {operand.name}{suffix} : {operand.type}")


STEPS = [binary, binary, unary]
