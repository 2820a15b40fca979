"""What ops make of ranges and errors, whatever dialect they are of."""
import math

from program import epsilon, isFloat


def products(a, b):
    both = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(both), max(both)


def arithmetic(b, kind, left, right):
    """(low, high, error, whole) of add, sub, mul, max, min or div of two values; None where nothing is known of it."""
    error, whole = left.error + right.error, left.whole and right.whole
    if kind == "add":
        low, high = left.low + right.low, left.high + right.high
    elif kind == "sub":
        low, high = left.low - right.high, left.high - right.low
    elif kind == "mul":
        low, high = products(left, right)
        error = left.error * right.largest + right.error * left.largest + left.error * right.error
    elif kind in ("max", "min"):
        choose = max if kind == "max" else min
        return choose(left.low, right.low), choose(left.high, right.high), max(left.error, right.error), whole
    elif isFloat(left.dtype):
        least = min(abs(right.low), abs(right.high)) if right.low * right.high > 0 else 0
        if least < 0.2 or right.error > least / 4:
            return None
        low, high, whole = -left.largest / least, left.largest / least, False
        error = (left.error + right.error * left.largest / least) / (least - right.error)
    else:
        low, high = -left.largest, left.largest
    return low, high, b.rounded(left.dtype, low, high, error, whole), whole


# function -> (range of the result for a range of the operand, a bound on the derivative there)
CURVES = {
    "tanh": lambda l, h: (-1, 1, 1),
    "sigmoid": lambda l, h: (0, 1, 0.25),
    "erf": lambda l, h: (-1, 1, 1.13),
    "exp": lambda l, h: (0, math.exp(h), math.exp(h)) if h <= 4 else None,
    "silu": lambda l, h: (-0.28, max(h, 0), 1.1),
    "gelu": lambda l, h: (-0.18, max(h, 0), 1.13),
    "sin": lambda l, h: (-1, 1, 1),
    "cos": lambda l, h: (-1, 1, 1),
    "atan": lambda l, h: (-1.6, 1.6, 1),
    "sqrt": lambda l, h: (0, math.sqrt(h), 0.5 / math.sqrt(l)) if l >= 0.2 else None,
    "rsqrt": lambda l, h: (0, 1 / math.sqrt(l), 0.5 / l**1.5) if l >= 0.2 else None,
    "log": lambda l, h: (math.log(l), math.log(h), 1 / l) if l >= 0.2 else None,
}


def curve(b, kind, operand):
    """(low, high, error) of a function of CURVES; None where nothing is known of it."""
    found = CURVES[kind](operand.low - operand.error, operand.high) if operand.largest < 1000 else None
    if not found:
        return None
    low, high, slope = found
    # Library functions and their vector forms are a few units in the last place apart.
    error = b.rounded(operand.dtype, low, high, operand.error * slope, False, 8)
    return low, high, error + 8 * epsilon(operand.dtype) * operand.largest * slope


def whole(kind, operand):
    """(low, high) of abs and of what makes numbers whole; None where a small error would make a large one."""
    if kind == "abs":
        # The smallest integer stays what it is.
        return (0 if isFloat(operand.dtype) else min(operand.low, 0)), operand.largest
    return (math.floor(operand.low), math.ceil(operand.high)) if operand.exact else None


def summed(b, dtype, count, low, high, error, whole):
    """Range and error of a sum of up to `count` numbers in [low, high]."""
    low, high = min(low * count, 0), max(high * count, 0)
    return low, high, b.rounded(dtype, low, high, error * count, whole, max(count, 1))


def product(b, dtype, left, right, count):
    """Range and error of a sum of `count` products."""
    each = left.largest * right.largest
    error = left.error * right.largest + right.error * left.largest + left.error * right.error
    return summed(b, dtype, count, -each, each, error, left.whole and right.whole)
