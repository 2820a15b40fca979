"""Elementwise ops of the dialect `mica`, with repeated dimensions."""
import math

import ranges
from program import ANY, FLOATS, INTS, NUMBERS, isFloat


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


def operands(b, dtypes, accept=lambda value: True):
    """Two operands and the shape of an op on both; None if they are too large."""
    left = b.some(dtypes, accept)
    right = left and partner(b, left)
    if not left or not accept(right):
        return None
    if b.draws.chance(1, 2):
        left, right = right, left
    shape, static = merged(left, right, b.draws)
    return (left, right, shape, static) if math.prod(shape) <= 20000 else None


def two(b, kind, left, right, value):
    return value and b.define(value, f"mica.{kind} {left.name}, {right.name} : ({left.type}, {right.type}) -> {value.type}")


def one(b, kind, operand, value, suffix=""):
    return value and b.define(value, f"mica.{kind} {operand.name}{suffix} : {operand.type}")


def binary(b):
    found = operands(b, NUMBERS)
    if not found:
        return None
    left, right, shape, static = found
    kind = b.draws.choice(["add", "mul", "sub", "max", "min", "div"])
    known = ranges.arithmetic(b, kind, left, right)
    return known and two(b, kind, left, right, b.result(left.dtype, shape, static, *known))


def negative(b):
    operand = b.pick(lambda v: v.dtype in NUMBERS)
    if not operand:
        return None
    kind = b.draws.choice(["neg", "relu"])
    low, high = (-operand.high, -operand.low) if kind == "neg" else (max(operand.low, 0), max(operand.high, 0))
    return one(b, kind, operand, b.result(operand.dtype, operand.shape, operand.static, low, high, operand.error, operand.whole))


def curved(b, kind, dtypes):
    """An operand of which something is known after a function of ranges.CURVES."""
    return b.pick(lambda v: v.dtype in dtypes and v.size and ranges.curve(b, kind, v)) or \
        b.within(b.draws.choice(dtypes), b.shape(), None, 0.25, 3)


def curve(b):
    kind = b.draws.choice(["tanh", "sigmoid", "exp", "erf", "silu", "gelu", "sin", "cos", "sqrt", "rsqrt", "log"])
    operand = curved(b, kind, FLOATS)
    known = ranges.curve(b, kind, operand)
    suffix = " approximate = tanh" if kind == "gelu" and b.draws.chance(1, 2) else ""
    return known and one(b, kind, operand, b.result(operand.dtype, operand.shape, operand.static, *known), suffix)


def whole(b):
    operand = b.some(NUMBERS)
    if not operand:
        return None
    kind = b.draws.choice(["abs", "floor", "ceil", "round"] if isFloat(operand.dtype) else ["abs"])
    known = ranges.whole(kind, operand)
    return known and one(b, kind, operand, b.result(operand.dtype, operand.shape, operand.static, *known, operand.error,
                                                    operand.whole or kind != "abs"))


def clamp(b):
    operand = b.pick(lambda v: v.dtype in NUMBERS)
    if not operand:
        return None
    low, high = b.draws.choice([(-1, 1), (0, 6), (-2, 0), (3, 3)])
    dot = ".0" if isFloat(operand.dtype) else ""
    value = b.result(operand.dtype, operand.shape, operand.static, max(low, min(operand.low, high)), min(high, max(operand.high, low)),
                     operand.error, operand.whole)
    return one(b, "clamp", operand, value, f" min = {low}{dot} : {operand.dtype} max = {high}{dot} : {operand.dtype}")


def power(b):
    found = operands(b, INTS)
    if not found:
        return None
    left, right, shape, static = found
    return two(b, b.draws.choice(["rem", "pow"]), left, right, b.result(left.dtype, shape, static, -2**64, 2**64))


def compare(b):
    found = operands(b, ANY, lambda v: v.exact)
    if not found:
        return None
    left, right, shape, static = found
    kind = b.draws.choice(["lt", "eq", "ne", "le", "gt", "ge"])
    return two(b, f"compare {kind}", left, right, b.result("i1", shape, static, 0, 1))


def select(b):
    condition = b.some(["i1"])
    first = b.pick(lambda v: v.shape == condition.shape and all(s or n != 1 for n, s in zip(v.shape, v.static))) or \
        b.new(b.draws.choice(NUMBERS), condition.shape)
    if any(n == 1 and not s for v in (condition, first) for n, s in zip(v.shape, v.static)):
        return None
    second = partner(b, first)
    shape, static = merged(first, second, b.draws)
    value = b.result(first.dtype, shape, static, min(first.low, second.low), max(first.high, second.high),
                     max(first.error, second.error), first.whole and second.whole)
    return value and b.define(value, f"mica.select {condition.name}, {first.name}, {second.name} : ({condition.type}, {first.type}, "
                              f"{second.type}) -> {value.type}")


def logic(b):
    found = operands(b, b.draws.choice([INTS, ["i1"]]))
    if not found:
        return None
    left, right, shape, static = found
    isBit = left.dtype == "i1"
    low, high = (0, 1) if isBit else (-2**64, 2**64)
    if b.draws.chance(1, 5):
        kind = "logical_not" if isBit else "bitwise_not"
        return one(b, kind, left, b.result(left.dtype, left.shape, left.static, low, high))
    kind = b.draws.choice(["logical_and", "logical_or", "logical_xor"] if isBit else
                          ["bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"])
    return two(b, kind, left, right, b.result(left.dtype, shape, static, low, high))


STEPS = [binary] * 4 + [curve] * 4 + [logic] * 3 + [whole] * 2 + [negative, clamp, power, compare, select]
